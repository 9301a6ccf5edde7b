"""What the claims of a message refer to: the things and attributes that they leave out."""

from dataclasses import replace

from operators.distill.clause import CHANGED_LAST, READ_BACK, YOURS, Claim, Clause, Mood
from operators.distill.earlier_claims import (
    GENERIC,
    MEASURES,
    alike_before,
    answers,
    families,
    kind_known,
    named_in,
    ordered,
    own_kind,
    proper,
    restated,
    reverted,
    spoken_for,
)
from operators.distill.pronouns import spoken
from operators.distill.said import Said, Turn
from state.model import Act

_COUNT = "quantity of "
KEPT = 24
"""How many earlier claims an elliptical one may take its entity and attribute from."""
_MEASURED = GENERIC | MEASURES
_TAKES_OFF = (Act.WITHDRAW, Act.REMOVE)
_GIVES_ANOTHER = (Act.CHANGE, Act.RESTORE)


class Referents:
    """What was spoken of lately, and by whom; time linear in the claims that are kept, which are few."""

    def __init__(self) -> None:
        self._claims: list[Claim] = []
        self._pending: list[str] = []
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

    def keep(self, claim: Claim) -> None:
        self._claims.append(claim)
        del self._claims[:-KEPT]
        self._mentioned = ""
        if claim.entity:
            self._thing = claim.entity

    def resolved(self, clause: Clause, index: int, turn: Turn) -> list[Said]:
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
            if clause.mood is Mood.PROPOSAL and own_kind(claim) and not kind_known(self._claims, claim):
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
            self.keep(replace(found, value=clause.old_value))  # "the oak after all" may go back to it
        if clause.mood is not Mood.PROPOSAL or clause.asks == READ_BACK:
            self.keep(found)
            if clause.act is Act.CHANGE and found.value:
                self._changed = found

    def _claim(self, claim: Claim, clause: Clause, turn: Turn) -> Claim | None:
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
        if attribute.startswith(YOURS):
            attribute, entity = attribute.removeprefix(YOURS), entity or turn.message.speaker
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
        self, claim: Claim, clause: Clause, entity: str, turn: Turn
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

    def _entity(self, attribute: str, like: Claim | None, spelt: bool, turn: Turn) -> str:
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

    def _calls_a_speaker(self, claim: Claim, turn: Turn) -> bool:
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
