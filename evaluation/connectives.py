"""What cause detection is measured against: connectives alone, each between the two sides of its sentence."""

import re
from collections.abc import Iterator

Side = tuple[int, int]

_REASON_AFTER = r"because(?: of)?|since|due to|thanks to|in order to|so that|unless"
_REASON_BEFORE = r"so|therefore|thus|hence|that's why|that is why|as a result|otherwise"
_AFTER = re.compile(rf"\b(?:{_REASON_AFTER})\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\b(?:{_REASON_BEFORE})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]*")


def links(text: str) -> Iterator[tuple[Side, Side]]:
    """Cause and effect, as offsets: "Y because X", "because X, Y" and "X, so Y"; a sentence that begins with
    "so" follows from the one before it."""
    sentences = [(found.start(), found.end()) for found in _SENTENCE.finditer(text)]
    for at, (start, end) in enumerate(sentences):
        sentence = text[start:end]
        after, before = _AFTER.search(sentence), _BEFORE.search(sentence)
        if after is not None:
            yield from _around_reason(sentence, start, end, after)
        if before is None:
            continue
        if sentence[: before.start()].strip():
            yield (start, start + before.start()), (start + before.end(), end)
        elif at:
            yield sentences[at - 1], (start + before.end(), end)


def _around_reason(sentence: str, start: int, end: int, word: re.Match[str]) -> Iterator[tuple[Side, Side]]:
    if sentence[: word.start()].strip():
        yield (start + word.end(), end), (start, start + word.start())
        return
    comma = sentence.find(",", word.end())
    if comma > 0:
        yield (start + word.end(), start + comma), (start + comma + 1, end)
