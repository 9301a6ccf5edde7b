"""Which turns the messages of a flush reach: those that come or change, and the few after each that had it in
their context."""

from collections.abc import Mapping

from operators.accept import Accepted
from operators.distill.interface import CONTEXT_TURNS
from operators.steps import Steps
from operators.window import Window, window
from state.graph_change import IndexChange
from state.ordering import AFTER_ALL
from state.place_reads import ReadSaid
from state.records import MessageRecord


def left(accepted: Accepted) -> IndexChange | None:
    """The places that messages leave, where no model is asked about them: nothing waits there any more."""
    after = {record.place for record in accepted.after.values()}
    gone = {record.place for record in accepted.before.values()} - after
    return IndexChange((), tuple(sorted(gone))) if gone else None


def reach(accepted: Accepted, again: Mapping[str, MessageRecord]) -> Steps[dict[str, Window]]:
    """By conversation, the turns that the accepted messages reach, and those of `again` beside them."""
    changed, repeated = said_of(accepted), _places(again)
    reads = {
        conversation: [
            *(
                ReadSaid(conversation, place, before=CONTEXT_TURNS, after=CONTEXT_TURNS)
                for place in (*places.added, *places.removed)
            ),
            *(
                ReadSaid(conversation, place, before=CONTEXT_TURNS, after=0)
                for place in repeated.get(conversation, ())
            ),
            ReadSaid(conversation, AFTER_ALL, before=1, after=0),
        ]
        for conversation, places in ({c: IndexChange() for c in repeated} | changed).items()
    }
    yield [read for group in reads.values() for read in group]
    windows = {}
    for conversation, group in reads.items():
        places = changed.get(conversation, IndexChange())
        around = [place for read in group for place in read.found]
        windows[conversation] = window(around, places.added, places.removed, repeated.get(conversation, ()))
    return windows


def said_of(accepted: Accepted) -> dict[str, IndexChange]:
    """By conversation, the places that come and go."""
    added: dict[str, list[str]] = {}
    removed: dict[str, list[str]] = {}
    for record in accepted.before.values():
        removed.setdefault(record.message.conversation, []).append(record.place)
    for record in accepted.after.values():
        added.setdefault(record.message.conversation, []).append(record.place)
    return {
        c: IndexChange(
            tuple(added.get(c, ())), tuple(p for p in removed.get(c, ()) if p not in added.get(c, ()))
        )
        for c in sorted({*added, *removed})
    }


def _places(records: Mapping[str, MessageRecord]) -> dict[str, list[str]]:
    """By conversation, the places of these messages."""
    places: dict[str, list[str]] = {}
    for record in records.values():
        places.setdefault(record.message.conversation, []).append(record.place)
    return places


def bereft(windows: Mapping[str, Window], accepted: Accepted) -> frozenset[str]:
    """The reached turns that are said after a message which is deleted: it may have been in their context."""
    first: dict[str, str] = {}
    for i, record in accepted.before.items():
        if i not in accepted.after:
            conversation = record.message.conversation
            first[conversation] = min(record.place, first.get(conversation, record.place))
    return frozenset(
        turn.message
        for conversation, place in first.items()
        for turn in windows[conversation].reached
        if turn.place > place
    )
