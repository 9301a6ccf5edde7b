"""Where a Chinese text falls into clauses: at punctuation and before connectives."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 160
"""A stretch without any break is cut here, so that the patterns over one clause take bounded time."""

_HAN = "\u4e00-\u9fff"
_QUOTED = (
    r"“[^”\n]{0,60}”|‘[^’\n]{0,60}’|「[^」\n]{0,60}」|『[^』\n]{0,60}』|《[^》\n]{0,60}》"
    r"|（[^）\n]{0,40}）|\([^)\n]{0,40}\)|【[^】\n]{0,40}】|\"[^\"\n]{1,60}\""
)
_BREAK = re.compile(
    r"(?=[“‘「『《（(【\"。！？!?；;\n\r…～~.，,— \u3000就正都主这那是因由所于否要不但可从导以才])(?:"
    rf"(?P<quoted>{_QUOTED})"
    r"|(?P<stop>[。！？!?；;\n\r]+|…+|\.(?=\s|$)|[～~]+(?!\s*\d))"
    r"|(?P<pause>，|(?<!\d),|,(?!\d)|——|—(?=\D))"
    rf"|(?P<space>(?<=[{_HAN}])(?<![年月日号周点])[ \u3000]+(?=[{_HAN}])(?![凌早上中下晚夜]))"
    r"|(?P<join>(?:(?:就|正|都|主要|这|那)?是)?(?:因为|由于)|(?<![之])所以|因此|因而"
    r"|(?<![由关对属基等处位])于是"
    r"|否则|要?不然|但是?(?=[我他她它您你咱])|但是|可是|从而|导致|以便"
    r"|(?<=[\u4e00-\u9fff]{4})(?<!怎么)(?<!怎样)(?<!如何)(?<!时候)(?<!哪里)(?<!多久)才(?:能|可以)))"
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """`text` is [start, end) of the whole; `close` the mark that ends it ("" where a connective or the end
    does), `sentence` counts the sentences before it."""

    text: str
    start: int
    end: int
    close: str
    sentence: int

    @property
    def asked(self) -> bool:
        """Whether a question mark ends the stretch."""
        return "?" in self.close or "？" in self.close


def split(text: str) -> list[Stretch]:
    """The clauses of `text` in order, blank ones left out. O(len(text))."""
    found: list[Stretch] = []
    sentence = 0
    for start, end, close in _pieces(text):
        for left, right in _cut(start, end):
            body = text[left:right]
            bare = body.strip(" \t\u3000、，,-•·*")
            if bare and any(c.isalnum() for c in bare):
                begin = left + body.index(bare)
                mark = close if right == end else ""
                found.append(Stretch(bare, begin, begin + len(bare), mark, sentence))
        if close and close[0] not in "，,— \u3000":
            sentence += 1
    return found


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    start = 0
    for match in _BREAK.finditer(text):
        kind = match.lastgroup
        if kind == "quoted":
            continue
        if kind == "join":
            if match.start() - start >= 2:
                yield start, match.start(), ""
                start = match.start()
            continue
        yield start, match.start(), match.group()
        start = match.end()
    yield start, len(text), ""


def _cut(start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST:
        yield start, start + LONGEST
        start += LONGEST
    yield start, end
