"""The message ids that an answer cites, held against those that its context names. Pure."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from query_service.quoting import label

_BRACKETED = re.compile(r"\s*\[((?:\"(?:[^\"\\\n]|\\.)*\"|[^\[\]\"\n])+)\]")
_ONE = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|[^,;，；、\"]+")
_LIKE_AN_ID = re.compile(r"(?=[^\s]*[\d/_])[^\s]{1,256}")
"""What can only be meant as an id: one word with a digit, a slash or an underscore in it. "[sic]" is none."""


@dataclass(frozen=True, slots=True)
class Checked:
    """`text` without the citations of messages that the context does not name.

    `cited`: the others, in the order of the text and then of the list, each once. `unknown`: how many ids
    were cited that are not there.
    """

    text: str
    cited: tuple[str, ...]
    unknown: int


def checked(text: str, listed: Iterable[str], citable: Iterable[str]) -> Checked:
    """Checks what `text` cites in brackets (`[id]`, `[id, id]`) and what is `listed` beside it."""
    known = {written: name for name in citable for written in (name, label(name))}
    cited: dict[str, None] = {}
    unknown: set[str] = set()

    def kept(match: re.Match[str]) -> str:
        names = [one.strip() for one in _ONE.findall(match[1]) if one.strip()]
        found = [known[name] for name in names if name in known]
        others = [name for name in names if name not in known and _means_an_id(name)]
        if not found and not others:
            return match[0]
        cited.update(dict.fromkeys(found))
        unknown.update(others)
        space = match[0][: len(match[0]) - len(match[0].lstrip())]
        return f"{space}[{', '.join(map(label, found))}]" if found else ""

    shown = _BRACKETED.sub(kept, text).strip()
    for name in (one.strip().removeprefix("[").removesuffix("]") for one in listed):
        if name in known:
            cited.setdefault(known[name])
        elif name:
            unknown.add(name)
    return Checked(shown, tuple(cited), len(unknown))


def _means_an_id(written: str) -> bool:
    if written.startswith('"'):
        try:
            json.loads(written)
        except ValueError:
            return False
        return True
    return _LIKE_AN_ID.fullmatch(written) is not None
