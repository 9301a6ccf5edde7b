"""What a message that is about to be said calls back, from however long ago and whatever conversation."""

from collections.abc import Sequence
from datetime import datetime

from query_service.plan import make_plan
from query_service.reading import Reading
from query_service.recipe import Recipe
from query_service.seeds import find_seeds
from query_service.standing import Standings, missing_updaters, replacements
from state.graph import Opening
from state.lexicon import terms
from state.notes import Encoder, NoteStore

RECALLED = 8
"""Turns that are called back, the best ones."""
SETTLING = 4
"""Turns more, that state what replaced values of those."""
SEARCH = Recipe(hierarchy=False, paths=False)
"""The topics spoken of last are at hand without a search, and no path is told."""


class Recall:
    """Searches the stores of one runtime as `ask` does. Holds no state, so threads may share it."""

    def __init__(self, notes: NoteStore, encoder: Encoder) -> None:
        self._notes = notes
        self._encoder = encoder

    def turns(self, reading: Reading, opening: Opening, message: str, at: datetime) -> tuple[str, ...]:
        """The turns that bear on `message`, best first, then those that state what took the place of their
        values by `at`. `opening` is filed under the message's words. A message without content words calls
        nothing back.

        One encoding, 3 calls of the notes and at most 7 reads of the graph.
        """
        if not terms(message):
            return ()
        (vector,) = self._encoder.encode([message])
        plan = make_plan(message, at, spoken=opening.newest)
        seeds = find_seeds(reading, opening, self._notes, message, vector, plan, SEARCH)
        found = [hit.message for hit in seeds.notes[:RECALLED]]
        return tuple(dict.fromkeys([*found, *_settling(reading, found, at)]))


def _settling(reading: Reading, found: Sequence[str], at: datetime) -> list[str]:
    """The turns that state what stands in the place of what `found` state, the first's first."""
    reading.read_events(missing_updaters(reading.known, at))
    known = reading.known
    standing = Standings(known, at)
    instead = [
        source
        for message in found
        for event in reading.stated.get(message, ())
        if event in known
        for other in replacements(event, standing, known)
        for source in known[other].event.sources[-1:]
    ]
    return list(dict.fromkeys(turn for turn in instead if turn not in found))[:SETTLING]
