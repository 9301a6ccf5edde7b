"""Prompts: files with a version in their name, which the ledger's keys carry.

`prompts/NAME.VERSION.md` is what a model is told to do. A file that has been used is not edited: another
wording is the next version, so that what was answered under the old one is known to be old.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FILE = re.compile(r"(?P<name>[a-z_]+)\.(?P<version>[1-9][0-9]*)\.md")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told to do. `text` holds no message text: that comes as quoted data beside it."""

    name: str
    version: int
    text: str

    @property
    def id(self) -> str:
        """As the ledger names it: `distill.1`."""
        return f"{self.name}.{self.version}"


@cache
def prompt(name: str, version: int | None = None) -> Prompt:
    """The prompt of this name, in its newest version or in the one given. Raises LookupError."""
    folder = files(__package__) / "prompts"
    known = {
        int(found["version"]): entry
        for entry in folder.iterdir()
        if (found := _FILE.fullmatch(entry.name)) and found["name"] == name
    }
    if not known or (version is not None and version not in known):
        raise LookupError(f"there is no prompt {name}{'' if version is None else f'.{version}'}")
    chosen = max(known) if version is None else version
    return Prompt(name, chosen, known[chosen].read_text(encoding="utf-8").strip())
