"""Text of a conversation as data: quoted so that it can pose neither as structure nor as an instruction."""

import json
import re

_PLAIN = re.compile(r"[\w./:@#+-]{1,80}")
_BREAKS = re.compile(r"[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？；\n])\s*")
_as_json = json.JSONEncoder(ensure_ascii=False).encode
ELLIPSIS = " … "


def quoted(text: str) -> str:
    """`text` as one line in double quotes, with JSON's escapes; also for the line breaks and direction marks
    that JSON leaves as they are. So no text can end its quotation or start a line."""
    return _BREAKS.sub(lambda mark: f"\\u{ord(mark[0]):04x}", _as_json(text))


def label(name: str) -> str:
    """An id or a speaker's name: bare where it is plain, quoted where it has anything unusual."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def excerpt(text: str, wanted: frozenset[str], longest: int) -> str:
    """At most about `longest` characters of `text`: the sentences that share most words with `wanted`.

    The sentences keep their order, and what is left out shows as an ellipsis. Linear in the text but for a
    sort of its sentences.
    """
    if len(text) <= longest:
        return text
    sentences = [part[:longest] for part in _SENTENCE_END.split(text) if part]
    worth = [sum(word in sentence.casefold() for word in wanted) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda i: (-worth[i], i))
    kept: set[int] = set()
    room = longest
    for i in order:
        if len(sentences[i]) <= room:
            kept.add(i)
            room -= len(sentences[i]) + 1
    pieces: list[str] = []
    for i in sorted(kept):
        if pieces:
            pieces.append(" " if i - 1 in kept else ELLIPSIS)
        elif i:
            pieces.append(ELLIPSIS.lstrip())
        pieces.append(sentences[i])
    if kept and max(kept) < len(sentences) - 1:
        pieces.append(ELLIPSIS.rstrip())
    return "".join(pieces)
