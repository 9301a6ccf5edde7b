"""Who "I", "you" and "my …" are, once it is known who speaks to whom."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from functools import lru_cache

_FIRST = frozenset("i me myself we us ourselves 我 我们 咱们 俺 本人".split())
_FIRST_OWN = frozenset(["my", "our", "mine", "ours", "我的", "我们的"])
_SECOND = frozenset(["you", "yourself", "你", "您", "你们"])
_SECOND_OWN = frozenset(["your", "yours", "你的", "您的", "你们的"])
_OPEN = frozenset(
    "it they them this that these those he she him her one there its their the here 它 这 那 这个 "
    "那个 他 她 他们 它们".split()
)
_THIRD_OWN = frozenset(["his", "her", "its", "their"])


@lru_cache(maxsize=8_192)
def spoken(entity: str, speaker: str, other: str) -> str:
    """`entity` with the speakers put for "I" and "you"; empty if only context can tell."""
    low = entity.casefold().strip()
    if not low or low in _OPEN:
        return ""
    if low in _FIRST:
        return speaker
    if low in _SECOND:
        return other or entity
    first, _, rest = entity.strip().partition(" ")
    low = first.casefold()
    if low in _FIRST_OWN:
        return f"{speaker}'s {rest}" if rest else speaker
    if low in _SECOND_OWN:
        owner = other or first
        return (f"{owner}'s {rest}" if other else entity) if rest else owner
    if low in _THIRD_OWN and rest:
        return rest
    for prefix, who in (
        ("我们的", speaker),
        ("我的", speaker),
        ("你们的", other),
        ("你的", other),
        ("您的", other),
        ("我", speaker),
        ("您", other),
        ("你", other),
    ):
        if entity.startswith(prefix) and who:
            return f"{who}的{entity[len(prefix) :]}" if len(entity) > len(prefix) else who
    return entity.strip()
