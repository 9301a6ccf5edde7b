"""Which turns of a revision get their edges drawn again, and from what."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

from operators.distill.interface import Distilled
from operators.filing import Filing
from operators.held import Held
from operators.looked_up import LookedUp
from operators.relate.interface import Relater
from operators.relate.turn import Drawn, relate_turn
from operators.steps import Steps
from state.model import Event
from state.records import TurnLink


@dataclass(frozen=True, slots=True)
class Relating:
    """Relates by `relater`, or by the answers that are looked up where a model relates."""

    held: Held
    relater: Relater
    looked_up: LookedUp | None

    def drawn(
        self, distilled: Mapping[str, Distilled], filing: Filing, again: Container[str]
    ) -> Steps[dict[str, Drawn]]:
        """Every turn whose events, links, answers or candidates changed, with the edges that it owns now.

        Of `distilled` those of `again` are always among them.
        """
        held = self.held
        yield filing.reads_around_changes()
        yield filing.reads_within_wide_spans()
        around = filing.turns_reached()
        others = [turn for turn in around if turn not in distilled]
        yield from held.need_turns(others)
        yield from held.need_events(i for turn in others for i in held.turns[turn].events)
        turns = {i: _with_links(d) for i, d in distilled.items() if i in again or self._differs(i, d)}
        for turn in around:
            if turn not in turns:
                record = held.turns[turn]
                turns[turn] = (tuple(self._event(filing, i) for i in record.events), record.links)
        related = [event for events, _ in turns.values() for event in events]
        yield filing.reads_before(related)
        found = {event.id: filing.candidates_of(event) for event in related}
        yield from held.need_events(i for ids in found.values() for i in ids if i not in filing.current)
        candidates = {event: [self._event(filing, i) for i in ids] for event, ids in found.items()}
        if self.looked_up is not None:
            return (yield from self.looked_up.drawn(turns, candidates, self.relater))
        return {turn: relate_turn(*said, candidates, self.relater) for turn, said in turns.items()}

    def _differs(self, turn: str, distilled: Distilled) -> bool:
        """Whether a turn says other than it did, or is drawn by another."""
        events, links = _with_links(distilled)
        old = self.held.turn(turn)
        if self.looked_up is not None and self.looked_up.is_other(turn):
            return True
        return links != old.links or [self.held.events[i].event for i in old.events] != list(events)

    def _event(self, filing: Filing, event: str) -> Event:
        return filing.current.get(event) or self.held.events[event].event


def _with_links(distilled: Distilled) -> tuple[tuple[Event, ...], tuple[TurnLink, ...]]:
    links = (TurnLink(x.type, x.source, x.target, x.confidence, x.reason) for x in distilled.links)
    return distilled.events, tuple(links)
