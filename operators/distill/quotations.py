"""What stands between quotation marks, of either language."""

import re

from operators.distill.finding import Finding
from operators.distill.spans import ValueKind

_QUOTES = re.compile(
    r"“([^“”\n]{1,80})”|「([^「」\n]{1,80})」|『([^『』\n]{1,80})』|《([^《》\n]{1,80})》"
    r"|【([^【】\n]{1,80})】"
    r"|\"([^\"\n]{1,80})\"|(?<![\w])'([^'\n]{1,80})'(?!\w)|‘([^‘’\n]{1,80})’(?!\w)"
)
QUOTE_CHARS = frozenset("“「『《【\"'‘")


def quoted_at(text: str, pos: int) -> Finding | None:
    """What stands between the quotation marks that open at `pos`, at most 80 characters on one line."""
    match = _QUOTES.match(text, pos)
    if match is None:
        return None
    group = match.lastindex or 1
    inner = match[group]
    left = len(inner) - len(inner.lstrip())
    start, end = match.start(group) + left, match.start(group) + len(inner.rstrip())
    if start >= end:
        return None
    return Finding(ValueKind.QUOTED, start, end, " ".join(inner.casefold().split()))
