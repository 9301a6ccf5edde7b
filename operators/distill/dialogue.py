"""What a turn means in its dialogue: who "I" is, what "it" is, which question an answer answers.

A `Dialogue` reads messages in order and keeps what the next one may refer to: the open questions, the open
offer and the latest claims. It knows no language beyond the pronouns that speakers resolve.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from operators.distill.clause import CHANGED_LAST, READ_BACK, Claim, Clause, Mood, Reading
from operators.distill.earlier_claims import (
    GENERIC,
    MEASURES,
    alike_before,
    answers,
    families,
    named_in,
    ordered,
    proper,
    restated,
    reverted,
    said_again,
    spoken_for,
)
from operators.distill.pronouns import spoken
from state.model import Act, Message, Role

_COUNT = "quantity of "
KEPT = 24
"""How many earlier claims an elliptical one may take its entity and attribute from."""
_MEASURED = GENERIC | MEASURES
_ANSWERS = (Mood.ACCEPTANCE, Mood.REFUSAL)
_SILENT = (Mood.SOCIAL, Mood.HYPOTHETICAL)
_QUESTION, _PROPOSAL = Mood.QUESTION, Mood.PROPOSAL
_TAKES_OFF = (Act.WITHDRAW, Act.REMOVE)
_GIVES_ANOTHER = (Act.CHANGE, Act.RESTORE)
_SERVICE = (Role.AGENT, Role.ASSISTANT)


@dataclass(slots=True)
class Said:
    """A clause of a message with one of its claims resolved (or none): what becomes an event.

    `sources` are the ids of the messages that it is drawn from, oldest first. Never changed; not frozen,
    since that would make the many that are heard again take three times as long.
    """

    clause: Clause
    index: int
    act: Act
    claim: Claim | None
    sources: tuple[str, ...]
    text: str


@dataclass(slots=True)
class Offer:
    """What a message proposes: `clauses` to take as they are, or one question to say yes or no to. Once it
    has `begun`, with a clause that proposes, what later clauses state is part of it."""

    message: str
    speaker: str
    clauses: list[Said] = field(default_factory=list)
    yes_no: str = ""
    begun: bool = False


@dataclass(slots=True)
class _Turn:
    """A message that is being heard, and who speaks to whom in it."""

    message: Message
    other: str
    customer: str
    user: bool
    service: bool


def as_meant(reading: Reading, role: Role) -> Reading:
    """What a text says in the mouth of a `role`. A user who proposes something asks for it; what a service
    asks for is advice or instruction, and says nothing of what is so."""
    if role is Role.USER:
        clauses = tuple(
            replace(c, mood=Mood.REQUEST, act=_changing(c.act)) if c.mood is _PROPOSAL else c
            for c in reading.clauses
        )
    elif role in _SERVICE:
        clauses = tuple(
            replace(c, claims=()) if c.mood is Mood.REQUEST and c.claims else c for c in reading.clauses
        )
    else:
        return reading
    return Reading(clauses, reading.connectives)


class Dialogue:
    """Resolves the messages of one conversation in order; time linear in the clauses given to it."""

    def __init__(self) -> None:
        self._claims: list[Claim] = []
        self._asked: list[str] = []
        self._asker = ""
        self._pending: list[str] = []
        self._offer: Offer | None = None
        self._changed: Claim | None = None
        self._thing = ""
        self._off = ""
        self._mentioned = ""
        self._topic = ""
        self.speakers: list[str] = []

    def note(self, speaker: str) -> None:
        """Remembers that `speaker` was the last to speak."""
        speakers = self.speakers
        if speakers and speakers[-1] == speaker:
            return
        if speaker in speakers:
            speakers.remove(speaker)
        speakers.append(speaker)

    def other(self, speaker: str) -> str:
        """The other party that spoke last; empty if none did."""
        for last in reversed(self.speakers):
            if last != speaker:
                return last
        return ""

    def hear(self, message: Message, reading: Reading) -> list[Said]:
        """What `message` says, clause by clause; later messages can then refer to it.

        `reading` is that of its text `as_meant` in its role.
        """
        turn = self._turn(message)
        reasons = {link.reason for link in reading.connectives}
        heard: list[Said] = []
        asked: list[str] = []
        offer = Offer(message.id, message.speaker)
        self._open(message)
        for index, clause in enumerate(reading.clauses):
            mood = clause.mood
            if mood in _SILENT:
                continue
            if mood in _ANSWERS:
                heard.extend(self._answer(message, clause, index, turn.customer))
                continue
            if clause.asks and (mood is _QUESTION or not turn.user):
                asked.append(clause.asks)
            if mood is _QUESTION:
                self._question(clause, offer, turn)
                continue
            said = self._resolved(clause, index, turn)
            if index in reasons and len(said) == 1 and said[0].claim is None:
                said = [replace(said[0], claim=said_again(self._claims, clause.text))]
            if _offers(clause, offer, turn):
                offer.clauses.extend(said)
            else:
                heard.extend(said)
        self._close(message, offer, asked, reading)
        return heard

    def _turn(self, message: Message) -> _Turn:
        other = self.other(message.speaker)
        user = message.role is Role.USER
        customer = message.speaker if user or message.role is Role.PEER else other or message.speaker
        return _Turn(message, other, customer, user, message.role in _SERVICE)

    def _question(self, clause: Clause, offer: Offer, turn: _Turn) -> None:
        """A question says nothing, but tells what its answer is about."""
        for claim in clause.claims:
            if claim.entity and claim.attribute > "z" and not claim.value:
                self._topic = spoken(claim.entity, turn.message.speaker, turn.other)
        if not clause.asks or clause.asks.endswith("?"):
            offer.yes_no = clause.asks

    def _open(self, message: Message) -> None:
        self._pending = list(self._asked) if self._asker != message.speaker else []
        if self._asker == message.speaker or not self._asked:
            self._topic = ""  # what a question is about, its answer is about; nothing later is

    def _close(self, message: Message, offer: Offer, asked: list[str], reading: Reading) -> None:
        self.note(message.speaker)
        if asked:
            self._asked, self._asker = [a for a in asked if not a.endswith("?")], message.speaker
        elif self._asker != message.speaker and any(c.mood is not Mood.SOCIAL for c in reading.clauses):
            self._asked = []
        if offer.clauses or offer.yes_no:
            self._offer = offer
        elif self._offer is not None and self._offer.speaker == message.speaker:
            self._offer = None

    def _answer(self, message: Message, clause: Clause, index: int, customer: str) -> Iterator[Said]:
        """An acceptance or refusal, of what the other party offered or asked."""
        offer = self._offer
        if offer is None or offer.speaker == message.speaker:
            return
        self._offer = None
        yes = clause.mood is Mood.ACCEPTANCE
        if offer.yes_no and not offer.clauses:
            claim = Claim(customer, offer.yes_no.rstrip("? "), "yes" if yes else "no")
            self._keep(claim)
            yield Said(clause, index, Act.STATE, claim, (offer.message, message.id), clause.text)
        elif yes:
            for said in offer.clauses:
                if said.claim is not None:
                    self._keep(said.claim)
                yield replace(
                    said, clause=clause, index=index, act=Act.ADOPT, sources=(offer.message, message.id),
                    text=f"accepts: {said.clause.text}",
                )  # fmt: skip

    def _keep(self, claim: Claim) -> None:
        self._claims.append(claim)
        del self._claims[:-KEPT]
        self._mentioned = ""
        if claim.entity:
            self._thing = claim.entity

    def _resolved(self, clause: Clause, index: int, turn: _Turn) -> list[Said]:
        """The clause with each of its claims resolved, or by itself where it gives none."""
        act, sources = clause.act, (turn.message.id,)
        said: list[Said] = []
        for claim in clause.claims:
            named_only = not claim.attribute and not claim.value
            if named_only and act is Act.RESTORE:
                back = self._put_back(spoken(claim.entity, turn.message.speaker, turn.other), clause)
                if back is not None:
                    said.append(Said(clause, index, act, back, sources, clause.text))
                    continue
            if named_only and act not in _TAKES_OFF:
                self._thing = spoken(claim.entity, turn.message.speaker, turn.other) or self._thing
                self._mentioned = self._thing
                continue
            found = self._claim(claim, clause, turn)
            if found is not None:
                self._remember(found, clause)
                said.append(Said(clause, index, act, found, sources, clause.text))
        return said or [Said(clause, index, act, None, sources, clause.text)]

    def _remember(self, found: Claim, clause: Clause) -> None:
        """Keeps a claim for later ones to refer to; one that is only proposed is not kept."""
        if clause.act is Act.WITHDRAW and not found.attribute:
            self._off = found.entity
        if clause.old_value:
            self._keep(replace(found, value=clause.old_value))  # "the oak after all" may go back to it
        if clause.mood is not _PROPOSAL or clause.asks == READ_BACK:
            self._keep(found)
            if clause.act is Act.CHANGE and found.value:
                self._changed = found

    def _claim(self, claim: Claim, clause: Clause, turn: _Turn) -> Claim | None:
        """`claim` with what it leaves out, by what was said before; None where that cannot be told."""
        entity = spoken(claim.entity, turn.message.speaker, turn.other)
        act = clause.act
        if act in _TAKES_OFF and not claim.attribute:
            return self._withdrawn(claim, entity, clause)
        if act is Act.REMOVE and (gone := ordered(self._claims, claim)):
            return Claim(gone.entity, "", clause.text)
        if act is Act.RESTORE and (back := reverted(self._claims, claim.attribute, claim.value)):
            return back
        attribute, entity, like = self._attribute(claim, clause, entity, turn)
        if not attribute or (attribute == "number" and like is None):
            return None
        spelt = claim.attribute > "z" and claim.attribute in clause.text
        if not entity:
            entity = self._entity(attribute, like, spelt, turn)
        plain = act is Act.STATE and clause.mood is Mood.STATEMENT
        # A service's answer to some question stands beside the answers to others.
        beside = turn.service and plain and not claim.entity and claim.attribute in _MEASURED and not spelt
        if attribute.startswith(_COUNT):  # what is counted is the thing, however the whole is called
            entity, attribute = attribute[len(_COUNT) :], "quantity"
        return Claim(entity, attribute, claim.value, claim.many or beside)

    def _attribute(
        self, claim: Claim, clause: Clause, entity: str, turn: _Turn
    ) -> tuple[str, str, Claim | None]:
        """The attribute of a claim and its entity, and the earlier claim that they are taken from, if any.

        A claim without an attribute of its own answers an open question, or is like an earlier claim.
        """
        attribute, like = claim.attribute, None
        if not attribute or attribute in GENERIC:
            answered = answers(attribute, self._pending)
            if answered:
                self._answered(answered)
                attribute = answered
            else:
                like = alike_before(self._claims, claim, clause, attribute, entity)
                if like is not None and clause.mood is Mood.REQUEST and self._calls_a_speaker(like, turn):
                    like = None
                if like is not None:
                    attribute = like.attribute
                    if clause.act in _GIVES_ANOTHER and not proper(entity):
                        entity = like.entity
        if attribute == "state" and (told := restated(self._claims, claim, entity)) is not None:
            attribute = told.attribute
        if not attribute and claim.value[:1].isupper() and not claim.entity:
            attribute = "name" if claim.value not in self.speakers else ""
        return attribute, entity, like

    def _answered(self, question: str) -> None:
        """Closes an open question, and with it those that ask for the same in general."""
        self._pending = [
            p
            for p in self._pending
            if p != question and not (p in GENERIC and families(p) & families(question))
        ]

    def _entity(self, attribute: str, like: Claim | None, spelt: bool, turn: _Turn) -> str:
        """What a claim is of that does not say so: what the latest one with its attribute was of, or else the
        matter at hand, which Chinese leaves out as known to both."""
        if like is None:
            like = next((c for c in reversed(self._claims) if c.attribute == attribute), None)
            if like is not None and self._calls_a_speaker(like, turn):
                like = None
        if like is not None and like.entity:
            return like.entity
        if spoken_for(attribute) and (attribute not in GENERIC or spelt):
            known = turn.customer != turn.message.speaker or not turn.service
            return self._topic or (turn.customer if known else "")
        return ""

    def _calls_a_speaker(self, claim: Claim, turn: _Turn) -> bool:
        """Whether a claim says what a speaker is called: that is not what is asked for by name."""
        return claim.attribute == "name" and claim.entity in {*self.speakers, turn.message.speaker}

    def _put_back(self, entity: str, clause: Clause) -> Claim | None:
        """What was called off as a whole stands again: the thing named, else the one called off last."""
        off = self._off
        thing = off if not entity or (off and named_in(entity, off)) else entity
        return Claim(thing, "", clause.text) if thing and clause.mood is not Mood.PROPOSAL else None

    def _withdrawn(self, claim: Claim, entity: str, clause: Clause) -> Claim:
        """A withdrawal names its thing, or means what was said last about it."""
        if claim.entity == CHANGED_LAST and self._changed is not None:
            return replace(self._changed, value=clause.text)
        before = reversed(self._claims)  # first: who hears alone has none, and nothing that they outdate
        if not entity and self._mentioned:
            return Claim(self._mentioned, "", clause.text)  # spoken of since the last claim
        for earlier in before:
            if not entity or named_in(entity, f"{earlier.entity} {earlier.attribute} {earlier.value}"):
                if earlier.attribute == "项目" and entity:  # one of a list goes, by its own name
                    return Claim(earlier.entity, earlier.attribute, entity, earlier.many)
                wider = clause.act is Act.WITHDRAW and entity and named_in(entity, earlier.entity)
                return Claim(earlier.entity, "" if wider else earlier.attribute, clause.text, earlier.many)
        return Claim(entity or self._thing, "", clause.text)


def _offers(clause: Clause, offer: Offer, turn: _Turn) -> bool:
    """Whether what a clause says is part of the offer, to be taken or not, rather than said to be so."""
    if clause.asks == READ_BACK:
        return False
    proposed = clause.mood is _PROPOSAL
    offer.begun = offer.begun or proposed
    return proposed or (offer.begun and not turn.user and clause.act is Act.STATE)


def _changing(act: Act) -> Act:
    return Act.CHANGE if act is Act.STATE else act
