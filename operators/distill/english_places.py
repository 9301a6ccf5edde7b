"""Open words as values: places and parties behind prepositions, and bare fragments."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Iterator, Sequence

from operators.distill import english_words as words
from operators.distill.clause import Claim
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_frames import Frame
from operators.distill.english_phrases import Phrase, phrase, spelled
from operators.distill.english_things import SPLIT_MARKS, VAGUE_HEADS, entity_of, names
from operators.distill.english_verbs import lemma

PLACE_ROLE = {
    "in": "place", "into": "place", "near": "place", "around": "place", "at": "venue", "from": "origin",
    "to": "destination", "with": "with",
}  # fmt: skip


def placed(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    """Places and parties behind prepositions: open words, so only where a thing is asked for or offered."""
    about = parts.object if parts.object is not None else None if parts.verb else parts.subject
    if about is not None and about.head in words.PRONOUNS | VAGUE_HEADS:
        about = None
    for at in range(len(row) - 1):
        role = PLACE_ROLE.get(row[at].low) if row[at].value is None else None
        if role is None or (about is not None and about.start <= at < about.end):
            continue
        place = phrase(row, at + 1, 6)
        if place is None or not _a_place(row, at, place, role):
            continue
        if any(t.value is not None and t.value.kind not in OPEN_KINDS for t in row[place.start : place.end]):
            continue
        yield Claim(entity_of(about) or _numbered(row, parts), role, spelled(row[place.start : place.end]))


def _numbered(row: Sequence[Token], parts: Frame) -> str:
    """The number by which a thing is known that the verb is about ("send 8032 to Bergen"), if so."""
    if parts.object is not None or parts.rest + 1 >= len(row) or row[parts.rest].value is None:
        return ""
    known = row[parts.rest].low
    return known if known.isdigit() and len(known) >= 3 and row[parts.rest + 1].low == "to" else ""


def _a_place(row: Sequence[Token], at: int, place: Phrase, role: str) -> bool:
    """Whether the noun phrase behind a preposition names a place or a party, rather than something common."""
    if place.head in words.PRONOUNS or place.head in VAGUE_HEADS or place.head in words.DAY_PARTS:
        return False
    body = row[place.start : place.end]
    if any(names(t) or t.text[:1].isupper() for t in body):
        return True
    if role == "with" or not place.definite:
        return False
    if place.head in words.COMPASS:
        return True
    follows_motion = at > 0 and (row[at - 1].low in TRIPS or row[at - 1].low.endswith("ing"))
    return role in ("destination", "origin") and follows_motion and lemma(row[at + 1].low) != row[at + 1].low


def varied(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    """ "The desk in oak", "these in medium": a bare common noun behind "in" tells which version is wanted."""
    about = parts.object
    if about is None or about.end + 1 >= len(row) or row[about.end].low != "in":
        return
    kind = phrase(row, about.end + 1, 3)
    if (
        kind is None
        or kind.determined
        or kind.owner
        or kind.head in VAGUE_HEADS | words.PRONOUNS | words.DAY_PARTS
    ):
        return
    body = row[kind.start : kind.end]
    if len(body) > 2 or any(t.value is not None or t.text[:1].isupper() for t in body) or _common_place(kind):
        return
    yield Claim(entity_of(about), "variant", kind.text)


def _common_place(kind: Phrase) -> bool:
    return (
        kind.head in words.COMPASS or kind.head in words.PEOPLE_NOUNS or kind.head.endswith("ing")
        or kind.head in _WITHOUT_ARTICLE
    )  # fmt: skip


_WITHOUT_ARTICLE = frozenset(
    "town bed school church hospital class court prison college stock person".split()
)


_NO_LABEL = (
    words.PREPOSITIONS | words.DETERMINERS | words.POSSESSIVES | words.PRONOUNS | words.CONJUNCTIONS
    | words.ADVERBS | words.OPENERS | words.SOCIAL_WORDS | words.WH_WORDS | words.MODALS | words.BE
    | frozenset(("mr", "mrs", "ms", "dr", "try"))
)  # fmt: skip
TRIPS = frozenset(
    "go going get ride flight travel trip cab taxi fly drive train bus walk way move head".split()
)


def listed(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    """ "The flag is on, owner Ruslan": between commas, a common noun and the name that it has."""
    start = 0
    about = entity_of(parts.subject) if parts.verb and parts.subject is not None else ""
    for end in [*(k for k, t in enumerate(row) if t.low == ","), len(row)]:
        piece, first = row[start:end], start == 0
        start = end + 1
        if len(piece) < 2 or piece[0].value is not None or not piece[0].low.isalpha():
            continue
        if (first and parts.verb) or piece[0].low in _NO_LABEL or lemma(piece[0].low):
            continue
        if all(names(t) or t.text[:1].isupper() for t in piece[1:]):
            yield Claim(about, piece[0].low, spelled(piece[1:]))


def bare(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    """A fragment without a verb: it answers or corrects something, and context says what."""
    at = 0
    role = ""
    if len(row) > 1 and row[0].low in ("in", "at", "to", "from", "with", "for", "on", "by", "near"):
        role, at = PLACE_ROLE.get(row[0].low, ""), 1
    value = phrase(row, at, 8)
    if value is None or value.head in words.PRONOUNS or value.head in words.WH_WORDS:
        return
    after = row[value.end] if value.end < len(row) else None
    if after is not None and after.low == ":" and value.end + 1 < len(row):
        content = phrase(row, value.end + 1, 8)
        if content is not None:
            yield Claim(value.modifiers, value.head, content.text)
        return
    if after is not None and after.low not in SPLIT_MARKS | {
        "instead",
        "please",
        "then",
        "again",
        "too",
        "it",
        "and",
    }:
        return
    if value.end - value.start == 1 and value.start == 0 and lemma(value.head):
        return  # "Moved.", "Saved:": an acknowledgement
    yield Claim("", role, spelled(row[value.start : value.end]))
