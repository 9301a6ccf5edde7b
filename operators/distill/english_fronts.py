"""What stands in front of an English clause and tells what it is about: "For the cake we …", "PB-7730: …"."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Sequence

from operators.distill import english_words as words
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_phrases import AUXILIARIES, phrase

_FRONTS = frozenset(
    "for in at on with about regarding from by after as starting effective because due given".split()
)
_TOPICAL = frozenset(("for", "about", "regarding", "at", "in"))
_SUBJECT_STARTS = words.PRONOUNS | words.DETERMINERS | words.POSSESSIVES


def fronted(row: Sequence[Token]) -> tuple[int, str]:
    """A preposition phrase in front of the subject ("For our garden fence I want …", "From 1 July we …").

    Returns where the rest begins (0 if there is none) and the topic that the phrase names, if it does.
    """
    if len(row) < 4 or row[0].low not in _FRONTS or row[0].value is not None:
        return 0, ""
    at = 2 if row[1].low in ("of", "from", "to", "on") else 1
    counted = _counted(row, at)
    if counted < len(row) - 1:
        at = counted
    value = row[at].value
    if value is not None and value.kind not in OPEN_KINDS:
        end, topic = at + 1, ""
        if row[end].low == "of" and (measured := phrase(row, end + 1)) is not None:
            end = measured.end  # "owing to the 9 days of rain"
        if end + 1 < len(row) and row[end].low == "'s" and (owned := phrase(row, end + 1)) is not None:
            end, topic, value = owned.end, owned.text, None  # "For Saturday's basket"
    else:
        about = phrase(row, at)
        if about is None or about.head in words.PRONOUNS:
            return 0, ""
        end, topic = about.end, about.text if row[0].low in _TOPICAL else ""
        for k in range(about.start + 1, about.end):
            if row[k].value is not None and row[0].low in ("because", "due", "with", "after"):
                return k, ""  # "due to the strike | TRAM 6 is held"
    comma = end < len(row) and row[end].low in (",", ":")
    end += comma
    if end >= len(row) or (not comma and row[end].low not in _SUBJECT_STARTS and not _typed(row[end])):
        return 0, ""
    return end, topic


def _counted(row: Sequence[Token], at: int) -> int:
    """Where the value is that a determiner or a word of order stands before ("the last | 6 lessons"), or `at`
    if there is none."""
    k = at + (row[at].low in words.DETERMINERS or row[at].low in words.POSSESSIVES)
    while k < len(row) and row[k].low in _LIMITING and row[k].value is None:
        k += 1
    return k if k < len(row) and row[k].value is not None else at


_LIMITING = frozenset("last first next past previous final other remaining coming additional extra".split())
"""The only adjectives that stand before a number."""


def _typed(token: Token) -> bool:
    return token.value is not None and token.value.kind not in OPEN_KINDS


def headed(row: Sequence[Token]) -> tuple[int, str]:
    """ "Order KX-204: oak frame, 3 shelves": a name in front of a colon is what the list behind is about.

    Returns where the list begins (0 if there is none) and the name.
    """
    colon = next((k for k, t in enumerate(row[:9]) if t.low == ":" and t.value is None), 0)
    if not colon or colon + 1 >= len(row) or any(t.low in AUXILIARIES for t in row[:colon]):
        return 0, ""
    begin = next((k + 1 for k in range(colon - 1, -1, -1) if row[k].low in (",", ";")), 0)
    about = phrase(row, begin)
    if about is None or about.end != colon:
        return 0, ""
    body = row[about.start : colon]
    own = any(t.value is not None and t.value.kind in OPEN_KINDS for t in body)
    return (colon + 1, about.text) if own else (0, "")
