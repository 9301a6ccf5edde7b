"""What a revision finds of a model's answers, and which turns it finds wanting (DESIGN §1, I2).

A turn whose answer is lacking keeps what was drawn of it before, so that a fact does not vanish for as long
as a model thinks. But nothing is kept that rests on a message which changed or went; and of a turn that had a
deleted message before its eyes nothing at all, for the answer may have taken words from it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from operators.accept import Accepted
from operators.answers import AnsweredRelater, AnswerReader, AskPairs, AskTurns, Told
from operators.distill.interface import TOLD_IN, Distilled, Distiller, Link
from operators.distill.turn import distil, sound
from operators.held import Held
from operators.llm.instead import RULES_INSTEAD
from operators.relate.interface import Relater
from operators.relate.llm import Pair
from operators.relate.turn import Drawn, compared, relate_turn
from operators.steps import Steps
from operators.window import Reached
from state.graph_change import IndexChange
from state.model import Event, Message
from state.ordering import home_of
from state.records import Answered, TurnLink


@dataclass(slots=True)
class LookedUp:
    """One revision's look into the answers. `distiller` is the one of the rules, for where they stand in."""

    reader: AnswerReader
    distiller: Distiller
    accepted: Accepted
    held: Held
    answered: dict[str, Answered | None] = field(default_factory=dict)
    """What was answered of the turns that are distilled here, by message id; None where rules drew them."""
    _lacking: set[str] = field(default_factory=set)
    _lacking_pairs: dict[str, set[frozenset[str]]] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)
    _forgotten: set[str] = field(default_factory=set)

    # -- turns --------------------------------------------------------------------------------------------

    def distilled(self, reached: Sequence[Reached], bereft: frozenset[str]) -> Steps[dict[str, Distilled]]:
        """What the reached turns say; `bereft` are those that had a message in view which is deleted."""
        asked: dict[str, tuple[Message, Sequence[Message]]] = {}
        keys: dict[str, str] = {}
        for one in reached:
            message, context = self.held.messages[one.message], [self.held.messages[i] for i in one.context]
            keys[one.message] = key = self.reader.turn_key(message, context)
            asked[key] = (message, context)
            self._places[one.message] = one.place
        read = AskTurns(asked)
        yield [read]
        made: dict[str, Distilled] = {}
        for turn, key in keys.items():
            found = read.found.get(key)
            if found is None:
                self._lacking.add(turn)
                made[turn] = self._kept(turn, turn in bereft)
            elif found.text == RULES_INSTEAD:
                self.answered[turn] = None
                made[turn] = distil(self.distiller, *asked[key])
            else:
                said = self.reader.turn(key, found.text, *asked[key])
                self.answered[turn] = said.answered
                made[turn] = sound(said.distilled)
        for turn in (*bereft, *(self.accepted.before.keys() - self.accepted.after.keys())):
            known = self.held.turn(turn).answered
            if known is not None and known.key != keys.get(turn):
                self._forgotten.add(known.key)
        return made

    def _kept(self, turn: str, bereft: bool) -> Distilled:
        """What a turn keeps while its answer is lacking."""
        record = self.held.turn(turn)
        if bereft or turn in self.accepted.records:
            self.answered[turn] = None
            return Distilled()
        self.answered[turn] = record.answered
        changed = self.accepted.before.keys()
        events = [self.held.events[i].event for i in record.events]
        events = [event for event in events if changed.isdisjoint(event.sources)]
        ends = {event.id for event in events}
        links = [x for x in record.links if _stands(x, ends, changed)]
        return Distilled(
            tuple(events), tuple(Link(x.type, x.source, x.target, x.confidence, x.reason) for x in links)
        )

    def regrown(self) -> dict[str, list[str]]:
        """By conversation, the places of the turns that hang by another answer than they did."""
        found: dict[str, list[str]] = {}
        for turn, answered in self.answered.items():
            if _hangs(answered) != _hangs(self.held.turn(turn).answered):
                found.setdefault(self.held.messages[turn].conversation, []).append(self._places[turn])
        return found

    # -- pairs --------------------------------------------------------------------------------------------

    def is_other(self, turn: str) -> bool:
        """Whether this turn was drawn otherwise before: by rules and not by an answer, or the reverse."""
        return (self.answered.get(turn) is None) != (self.held.turn(turn).answered is None)

    def drawn(
        self,
        turns: Mapping[str, tuple[tuple[Event, ...], tuple[TurnLink, ...]]],
        candidates: Mapping[str, Sequence[Event]],
        by_rules: Relater,
    ) -> Steps[dict[str, Drawn]]:
        """These turns' edges, by the answers about their pairs; by `by_rules` where rules drew the turn."""
        pairs: dict[str, tuple[str, Pair]] = {}
        by_event: dict[str, Mapping[str, Pair]] = {}
        for turn, (events, links) in turns.items():
            for event in events:
                self._places.setdefault(turn, home_of(event.place))
                if not self._is_by_rules(turn):
                    against = compared(event, events, links, candidates[event.id])
                    by_event[event.id] = of_event = self.reader.pairs(event, against)
                    pairs |= {key: (turn, pair) for key, pair in of_event.items()}
        # Of a turn that is yet to say something else, no pair is worth a question.
        read = AskPairs({key: pair for key, (turn, pair) in pairs.items() if turn not in self._lacking})
        yield [read]
        texts = {key: answer.text for key, answer in read.found.items()}
        relater = AnsweredRelater(Told(self.reader, texts), by_event)
        for key, (turn, pair) in pairs.items():
            if key not in read.found:
                ends = frozenset((pair.event.id, pair.earlier.id))
                self._lacking_pairs.setdefault(turn, set()).add(ends)
        return {
            turn: self._with_kept(
                turn, relate_turn(*said, candidates, by_rules if self._is_by_rules(turn) else relater)
            )
            for turn, said in turns.items()
        }

    def _with_kept(self, turn: str, drawn: Drawn) -> Drawn:
        """`drawn`, with the edges that the turn had between two of which nothing is answered yet."""
        lacking = self._lacking_pairs.get(turn)
        if not lacking:
            return drawn
        held = self.held.turn(turn).edges
        edges = {edge.id: edge for edge in held if frozenset((edge.source, edge.target)) in lacking}
        edges |= {edge.id: edge for edge in drawn.edges}
        return Drawn(drawn.events, drawn.links, tuple(edges[i] for i in sorted(edges)))

    def _is_by_rules(self, turn: str) -> bool:
        if turn in self.answered:
            return self.answered[turn] is None
        return self.held.turn(turn).answered is None

    # -- what is written ----------------------------------------------------------------------------------

    def waiting(self) -> IndexChange:
        """The places of turns that lack an answer, and of those distilled here that lack none or are gone.

        Another turn, of which only pairs were looked up, may lack an answer of its own and goes on waiting.
        """
        lacking = {*self._lacking, *self._lacking_pairs}
        wait = {place for turn, place in self._places.items() if turn in lacking}
        rest = {place for turn, place in self._places.items() if turn in self.answered}
        rest |= {record.place for record in self.accepted.before.values()}
        return IndexChange(tuple(sorted(wait)), tuple(sorted(rest - wait)))

    @property
    def forgotten(self) -> tuple[str, ...]:
        """The keys of answers that were given with a deleted message in view."""
        return tuple(sorted(self._forgotten))


def _stands(link: TurnLink, events: Iterable[str], changed: Iterable[str]) -> bool:
    ends = (link.source, link.target)
    told = [end.removeprefix(TOLD_IN) for end in ends if end.startswith(TOLD_IN)]
    return not any(message in changed for message in told) and all(
        end in events or end.startswith(TOLD_IN) for end in ends
    )


def _hangs(answered: Answered | None) -> tuple[str, str]:
    return (answered.hang, answered.under) if answered is not None else ("", "")
