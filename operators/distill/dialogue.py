"""What a turn means in its dialogue: who "I" is, what "it" is, which question an answer answers.

A `Dialogue` reads messages in order and keeps what the next one may refer to: the open questions, the open
offer and the latest claims. It knows no language beyond the pronouns that speakers resolve.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from operators.distill.clause import READ_BACK, Claim, Clause, Mood, Reading
from operators.distill.earlier_claims import said_again
from operators.distill.pronouns import spoken
from operators.distill.referents import Referents
from operators.distill.said import SERVICE, Said, Turn
from state.model import Act, EventType, Message, Role

_ANSWERS = (Mood.ACCEPTANCE, Mood.REFUSAL)
_SILENT = (Mood.SOCIAL, Mood.HYPOTHETICAL)
_QUESTION, _PROPOSAL = Mood.QUESTION, Mood.PROPOSAL


@dataclass(slots=True)
class Offer:
    """What a message proposes: `clauses` to take as they are, or one question to say yes or no to. Once it
    has `begun`, with a clause that proposes, what later clauses state is part of it."""

    message: str
    speaker: str
    clauses: list[Said] = field(default_factory=list)
    yes_no: str = ""
    begun: bool = False


class Dialogue(Referents):
    """Resolves the messages of one conversation in order; time linear in the clauses given to it."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: list[str] = []
        self._asker = ""
        self._offer: Offer | None = None
        self.unmet = False

    def hear(self, message: Message, reading: Reading) -> list[Said]:
        """What `message` says, clause by clause; later messages can then refer to it.

        `reading` is that of its text `as_meant` in its role.
        """
        turn = self._turn(message)
        reasons = [link.reason for link in reading.connectives if link.stated]
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
            if self.unmet and turn.user and clause.act is Act.STATE and clause.claims:
                clause = replace(clause, act=Act.CHANGE, type=EventType.STATE_CHANGE)
            said = self.resolved(clause, index, turn)
            if index in reasons and len(said) == 1 and said[0].claim is None:
                said = [replace(said[0], claim=said_again(self._claims, clause.text))]
            if _offers(clause, offer, turn):
                offer.clauses.extend(said)
            else:
                heard.extend(said)
        self._close(message, offer, asked, reading)
        return heard

    def _turn(self, message: Message) -> Turn:
        other = self.other(message.speaker)
        user = message.role is Role.USER
        customer = message.speaker if user or message.role is Role.PEER else other or message.speaker
        return Turn(message, other, customer, user, message.role in SERVICE)

    def _question(self, clause: Clause, offer: Offer, turn: Turn) -> None:
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
        self.unmet = message.role in SERVICE and reading.unmet
        if asked:
            self._asked, self._asker = [a for a in asked if not a.endswith("?")], message.speaker
        elif (
            self._asked
            and self._asker != message.speaker
            and any(c.mood is not Mood.SOCIAL for c in reading.clauses)
        ):
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
            self.keep(claim)
            yield Said(clause, index, Act.STATE, claim, (offer.message, message.id), clause.text)
        elif yes:
            for said in offer.clauses:
                if said.claim is not None:
                    self.keep(said.claim)
                yield replace(
                    said, clause=clause, index=index, act=Act.ADOPT, sources=(offer.message, message.id),
                    text=f"accepts: {said.clause.text}",
                )  # fmt: skip


def _offers(clause: Clause, offer: Offer, turn: Turn) -> bool:
    """Whether what a clause says is part of the offer, to be taken or not, rather than said to be so."""
    if clause.asks == READ_BACK:
        return False
    proposed = clause.mood is _PROPOSAL
    offer.begun = offer.begun or proposed
    return proposed or (offer.begun and not turn.user and clause.act is Act.STATE)
