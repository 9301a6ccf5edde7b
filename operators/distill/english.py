"""English: a text becomes clauses with mood, act, claims and stated links."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Sequence
from dataclasses import replace

from operators.distill import english_acts as acts
from operators.distill import english_answers as answers
from operators.distill import english_words as words
from operators.distill.anchored import anchored_values
from operators.distill.clause import READ_BACK, Clause, Connective, Mood, Reading
from operators.distill.english_asks import asks
from operators.distill.english_claims import claims, kind_found, old_value
from operators.distill.english_clauses import Token, blanked, clauses, sentences, tokens
from operators.distill.english_connectives import connectives
from operators.distill.english_frames import frame
from operators.distill.english_fronts import fronted, headed
from operators.distill.english_grounds import unstated
from operators.distill.english_numbered import numbered
from operators.distill.english_reasons import as_because
from operators.distill.english_settled import SETTLED
from operators.distill.english_unmet import unmet
from operators.distill.english_verbs import lemma
from operators.distill.english_why import sought
from operators.distill.spans import TypedValue
from operators.distill.why import why_of
from state.model import Act, EventType

MAX_CLAUSES = 48


class English:
    """The English `Language`. Pure; time linear in the text, which is read up to `MAX_TEXT` characters."""

    def read(self, text: str) -> Reading:
        body = blanked(text)
        values = anchored_values(body)
        found: list[Clause] = []
        joins: list[str] = []
        firsts: list[bool] = []
        refused = False
        for start, end in sentences(body, values):
            question = "?" in body[max(start, end - 3) : end]
            for nth, (a, b, join) in enumerate(clauses(body, start, end, values)):
                if len(found) >= MAX_CLAUSES:
                    break
                sorry = nth > 0 and bool(found) and answers.correcting(found[-1].text)
                for clause in _pieces(body, a, b, join, question, refused or sorry, values):
                    if nth and not join and found and found[-1].mood is Mood.HYPOTHETICAL:
                        clause = replace(clause, mood=Mood.HYPOTHETICAL, claims=(), asks="")
                    found.append(clause)
                    joins.append(join if clause is found[-1] and len(joins) == len(found) - 1 else "")
                    firsts.append(nth == 0)
                    refused = refused or clause.mood is Mood.REFUSAL or acts.alternative(clause.text)
                    join = ""
        asked = sought(found)
        links: tuple[Connective, ...] = connectives([c.text for c in found], joins, firsts)
        return Reading(tuple(found), links + unstated(found, links), why_of(found, asked))

    def unmet(self, text: str) -> bool:
        return unmet(blanked(text))


def _pieces(
    text: str, start: int, end: int, join: str, question: bool, refused: bool, values: Sequence[TypedValue]
) -> list[Clause]:
    """A stretch as one clause, or two if it opens with a yes or no that stands apart."""
    row = tokens(text, start, end, values)
    row = as_because([t for t in row if t.low not in _MARKUP])
    if values:
        row = numbered(row)
    opener = _opener(row)
    found: list[Clause] = []
    if 0 < opener < len(row):
        head, tail = row[:opener], row[opener:]
        said = answers.spoken(head)
        if answers.refusal(said) or answers.acceptance(text[head[0].start : head[-1].end], said):
            found.append(_clause(text, head, join, False, refused))
            refused = refused or found[-1].mood is Mood.REFUSAL
            row, join = tail, ""
    if row:
        found.append(_clause(text, row, join, question, refused))
    return found


_MARKUP = frozenset('"*#_`>|')
_OPENING = words.OPENERS | words.SOCIAL_WORDS | {"works", "sounds", "'s", "that", "it"}


def _opener(row: list[Token]) -> int:
    """How many tokens at the start answer on their own: "Yes, …", "No. …", "Oh, great, …"."""
    for at, token in enumerate(row[:8]):
        if token.low in (",", "!", ".", ";") and at:
            return at + 1
        if token.low not in _OPENING:
            return 0
    return 0


def _clause(text: str, row: list[Token], join: str, question: bool, refused: bool) -> Clause:
    start, end = row[0].start, row[-1].end
    said = text[start:end]
    spoken = answers.spoken(row)
    if answers.refusal(spoken):
        return Clause(said, start, end, Mood.REFUSAL, Act.STATE, EventType.ACTION)
    if not question and answers.acceptance(said, spoken):
        return Clause(said, start, end, Mood.ACCEPTANCE, Act.ADOPT, EventType.ACTION)
    if answers.social(row) or answers.closing(said):
        return Clause(said, start, end, Mood.SOCIAL, Act.STATE, EventType.ACTION)
    core = _complement(_stripped(row))
    skipped, topic = headed(core)
    if not skipped:
        skipped, topic = fronted(core)
    core = core[skipped:]
    noted = acts.noted(core)
    core = core[2:] if noted else core
    parts = frame(core)
    mood = (
        Mood.HYPOTHETICAL if join in ("if", "in case", "unless") else acts.mood(said, core, parts, question)
    )
    act = acts.act(said, row, parts, refused)
    kind = acts.event_type(mood, act, parts)
    asked = asks(core, parts, said, question) if mood is not Mood.HYPOTHETICAL else ""
    if mood is Mood.STATEMENT and parts.verb in _GIVEN:
        asked = ""
    if mood is Mood.PROPOSAL:
        asked = READ_BACK if acts.confirming(said) else asked if core[0].low in words.WH_WORDS else ""
    if mood in (Mood.QUESTION, Mood.HYPOTHETICAL):
        return Clause(said, start, end, mood, act, kind, asks=asked)
    if question and len(core) <= 3 and parts.imperative and not any(t.value for t in core):
        noun = " ".join(t.low for t in core)  # "Return date?": too short to be an order
        return Clause(
            said, start, end, Mood.QUESTION, act, kind, asks="end" if core[0].low in words.END_CUES else noun
        )
    asking = noted or mood in (Mood.REQUEST, Mood.PROPOSAL) or act in (Act.CHANGE, Act.RESTORE)
    gone = old_value(core)
    there = mood is Mood.PROPOSAL and acts.found(said)
    given = kind_found(core) if there else claims(core, parts, act, asking)
    given = tuple(
        c if c.entity or not topic else replace(c, entity=topic) for c in given if c.value != gone or not gone
    )
    if mood is Mood.STATEMENT and any(claim.attribute in SETTLED for claim in given):
        kind = EventType.STATE_CHANGE
    return Clause(said, start, end, mood, act, kind, given, parts.negated, gone, asked)


_GIVEN = frozenset(("have", "get", "share", "give", "tell", "provide"))
"""Verbs of who gives an answer: "Could I have …" asks for one, "The clinic has no appointment" does not."""
_TELLERS = frozenset(
    "remember note know think say tell mean hear see guess believe notice mention hope".split()
)


def _complement(row: list[Token]) -> list[Token]:
    """What "remember that …", "I think …" say: the clause inside."""
    for at in range(min(len(row) - 2, 6)):
        if row[at].value is None and lemma(row[at].low) in _TELLERS:
            inner = at + 2 if row[at + 1].low == "that" else at + 1
            pronoun = inner < len(row) and row[inner].low in (
                "i",
                "we",
                "he",
                "she",
                "they",
                "it",
                "my",
                "our",
            )
            return row[inner:] if pronoun and inner < len(row) - 1 else row
    return row


_ANNOUNCED = frozenset("thing question note point request update correction reminder news change ps".split())
"""Nouns that announce what comes behind their colon ("One more thing: keep the oak")."""
_LEADS = {"how": ("how", "about"), "what": ("what", "about"), "maybe": ("maybe",), "perhaps": ("perhaps",)}
"""By their first word."""


def _stripped(row: list[Token]) -> list[Token]:
    """The tokens without discourse openers at the start and marks at the end."""
    at = 0
    while (
        at < len(row) - 1
        and (row[at].low in words.OPENERS or not row[at].low[-1:].isalnum())
        and row[at].value is None
    ):
        at += 1
    if (
        at + 2 < len(row)
        and row[at].low in ("confirm", "verify", "ensure")
        and row[at + 1].low in (":", ",", "that")
    ):
        at += 2
    lead = _LEADS.get(row[at].low)
    if lead is not None and at + len(lead) < len(row):
        at += len(lead) if tuple(t.low for t in row[at : at + len(lead)]) == lead else 0
    if at + 2 < len(row) and row[at].low == "back" and row[at + 1].low == "to":
        at += 2
    if at + 2 < len(row) and row[at + 1].low == ":" and row[at].low in _ANNOUNCED:
        at += 2
    elif at + 3 < len(row) and row[at + 2].low == ":" and row[at + 1].low in _ANNOUNCED:
        at += 3
    elif at + 4 < len(row) and row[at + 3].low == ":" and row[at + 2].low in _ANNOUNCED:
        at += 4
    end = len(row)
    while end > at + 1 and not row[end - 1].low[-1:].isalnum() and row[end - 1].value is None:
        end -= 1
    return row[at:end]


ENGLISH = English()
