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
    message: str
    speaker: str
    clauses: list[Said] = field(default_factory=list)
    yes_no: str = ""


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
        if speaker in self.speakers:
            self.speakers.remove(speaker)
        self.speakers.append(speaker)

    def other(self, speaker: str) -> str:
        """The other party that spoke last; empty if none did."""
        for last in reversed(self.speakers):
            if last != speaker:
                return last
        return ""

    def hear(self, message: Message, reading: Reading) -> list[Said]:
        """What `message` says, clause by clause; later messages can then refer to it."""
        other = self.other(message.speaker)
        user, service = message.role is Role.USER, message.role in _SERVICE
        customer = message.speaker if user or message.role is Role.PEER else other or message.speaker
        reasons = {link.reason for link in reading.connectives}
        heard: list[Said] = []
        asked: list[str] = []
        offered = False
        offer = Offer(message.id, message.speaker)
        self._open(message)
        for index, clause in enumerate(reading.clauses):
            mood = clause.mood
            if mood in _SILENT:
                continue
            if mood in _ANSWERS:
                heard.extend(self._answer(message, clause, index, customer))
                continue
            if user and mood is Mood.PROPOSAL:
                mood = Mood.REQUEST
                clause = replace(clause, mood=mood, act=_changing(clause.act))
            if clause.asks and (not user or mood is Mood.QUESTION):
                asked.append(clause.asks)
            if mood is Mood.QUESTION:
                for claim in clause.claims:
                    if claim.entity and claim.attribute > "z" and not claim.value:
                        self._topic = spoken(claim.entity, message.speaker, other)
                if not clause.asks or clause.asks.endswith("?"):
                    offer.yes_no = clause.asks
                continue
            if service and mood is Mood.REQUEST:
                clause = replace(clause, claims=())  # advice or instruction: says nothing of what is so
            said = list(self._resolved(message, clause, index, other, customer))
            if index in reasons and len(said) == 1 and said[0].claim is None:
                said = [replace(said[0], claim=said_again(self._claims, clause.text))]
            if clause.asks == READ_BACK:
                heard.extend(said)
                continue
            offered = offered or mood is Mood.PROPOSAL
            if mood is Mood.PROPOSAL or (offered and not user and clause.act is Act.STATE):
                offer.clauses.extend(said)
            else:
                heard.extend(said)
        self._close(message, offer, asked, reading)
        return heard

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

    def _resolved(
        self, message: Message, clause: Clause, index: int, other: str, customer: str
    ) -> Iterator[Said]:
        given = False
        for claim in clause.claims:
            if not claim.attribute and not claim.value and clause.act is Act.RESTORE:
                back = self._put_back(spoken(claim.entity, message.speaker, other), clause)
                if back is not None:
                    given = True
                    yield Said(clause, index, clause.act, back, (message.id,), clause.text)
                    continue
            if not claim.attribute and not claim.value and clause.act not in (Act.WITHDRAW, Act.REMOVE):
                self._thing = spoken(claim.entity, message.speaker, other) or self._thing
                self._mentioned = self._thing
                continue
            found = self._claim(claim, clause, message, other, customer)
            if found is None:
                continue
            given = True
            if clause.act is Act.WITHDRAW and not found.attribute:
                self._off = found.entity
            if clause.old_value:
                self._keep(replace(found, value=clause.old_value))  # "the oak after all" may go back to it
            if clause.mood is not Mood.PROPOSAL or clause.asks == READ_BACK:
                self._keep(found)
                if clause.act is Act.CHANGE and found.value:
                    self._changed = found
            yield Said(clause, index, clause.act, found, (message.id,), clause.text)
        if not given:
            yield Said(clause, index, clause.act, None, (message.id,), clause.text)

    def _claim(
        self, claim: Claim, clause: Clause, message: Message, other: str, customer: str
    ) -> Claim | None:
        entity = spoken(claim.entity, message.speaker, other)
        attribute = claim.attribute
        if clause.act in (Act.WITHDRAW, Act.REMOVE) and not attribute:
            return self._withdrawn(claim, entity, clause)
        if clause.act is Act.REMOVE and (gone := ordered(self._claims, claim)):
            return Claim(gone.entity, "", clause.text)
        if (back := reverted(self._claims, attribute, claim.value)) if clause.act is Act.RESTORE else None:
            return back
        like = None
        agent = message.role in _SERVICE
        plain = clause.act is Act.STATE and clause.mood is Mood.STATEMENT
        spelt = attribute > "z" and attribute in clause.text
        if agent and plain and not claim.entity and attribute in _MEASURED and not spelt:
            claim = replace(
                claim, many=True
            )  # an answer to some question stands beside the answers to others
        if not attribute or attribute in GENERIC:
            answered = answers(attribute, self._pending)
            if answered:
                self._pending = [
                    p
                    for p in self._pending
                    if p != answered and not (p in GENERIC and families(p) & families(answered))
                ]
                attribute = answered
            else:
                like = alike_before(self._claims, claim, clause, attribute, entity)
                if like is not None and clause.mood is Mood.REQUEST and self._calls_a_speaker(like, message):
                    like = None
                attribute = like.attribute if like is not None else attribute
                if like is not None and clause.act in (Act.CHANGE, Act.RESTORE) and not proper(entity):
                    entity = like.entity
        if attribute == "state" and (told := restated(self._claims, claim, entity)) is not None:
            attribute = told.attribute
        if (
            not attribute
            and claim.value[:1].isupper()
            and not claim.entity
            and claim.value not in self.speakers
        ):
            attribute = "name"
        if not attribute or (attribute == "number" and like is None):
            return None
        if not entity:
            if like is None:
                like = next((c for c in reversed(self._claims) if c.attribute == attribute), None)
                if like is not None and self._calls_a_speaker(like, message):
                    like = None
            entity = like.entity if like is not None else ""
            if not entity and spoken_for(attribute) and (attribute not in GENERIC or spelt):
                # Chinese leaves out what both know: then it is an attribute of the matter at hand.
                known = customer != message.speaker or not agent
                entity = self._topic or (customer if known else "")
        if attribute.startswith(_COUNT):  # what is counted is the thing, however the whole is called
            entity, attribute = attribute[len(_COUNT) :], "quantity"
        return Claim(entity, attribute, claim.value, claim.many)

    def _calls_a_speaker(self, claim: Claim, message: Message) -> bool:
        """Whether a claim says what a speaker is called: that is not what is asked for by name."""
        return claim.attribute == "name" and claim.entity in {*self.speakers, message.speaker}

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


def _changing(act: Act) -> Act:
    return Act.CHANGE if act is Act.STATE else act
