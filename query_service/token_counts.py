"""How many tokens a line has, remembered: the notes of a subject are shown again and again."""

import hashlib
from collections.abc import Callable

REMEMBERED = 50_000
"""Lines whose counts are kept, some 5 MB. When there are more, all are forgotten at once."""


class TokenCounts:
    """Counts by `count`, remembering results by the text's hash: no text is kept.

    Any number of threads may share it: at worst a line is counted twice.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._held: dict[bytes, int] = {}

    def __call__(self, text: str) -> int:
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        held = self._held.get(key)
        if held is None:
            held = self._count(text)
            if len(self._held) >= REMEMBERED:
                self._held = {}
            self._held[key] = held
        return held
