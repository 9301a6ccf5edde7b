"""Text for a terminal of 80 columns, whatever the text has in it."""

from collections.abc import Iterable
from unicodedata import category, east_asian_width

WIDTH = 80


def wrapped(head: str, text: str, indent: str | None = None) -> list[str]:
    """`text` after `head`, broken at 80 columns; wide characters count as two. A word is broken only where it
    has no room on a line of its own.

    What would steer a terminal (control characters, marks of direction) is shown as its escape.
    """
    text = clean(text)
    indent = " " * len(head) if indent is None else indent
    lines: list[str] = []
    line, room = head, WIDTH - columns(head)
    for word in _words(text, WIDTH - columns(indent)):
        if columns(word.rstrip()) > room and line.strip():
            lines.append(line.rstrip())
            line, room = indent, WIDTH - columns(indent)
        line += word
        room -= columns(word)
    lines.append(line.rstrip())
    return lines


def clean(text: str) -> str:
    """The text with what would steer a terminal shown as its escape."""
    return "".join(
        c if c.isprintable() or category(c) == "Zs" else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def _words(text: str, longest: int) -> Iterable[str]:
    """Pieces that a line may break between: words with their space, and each wide character."""
    word = ""
    for character in text:
        wide = columns(character) == 2
        if word and (wide or (character != " " and len(word) >= longest)):
            yield word
            word = ""
        if wide:
            yield character
        else:
            word += character
            if character == " ":
                yield word
                word = ""
    if word:
        yield word


def columns(text: str) -> int:
    """How many columns a text takes: wide characters take two."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)
