"""How many tokens a text has, about: models differ, and most servers say it only afterwards."""

_BYTES = 4
"""UTF-8 bytes a token: about four English letters, or one and a third Chinese characters."""


def estimated_tokens(text: str) -> int:
    """An estimate, for limits and for what a run would cost; not for a model's window."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES)
