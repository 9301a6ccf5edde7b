"""What was said over a time is read alike from the store and in memory, a page at a time."""

from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis

from operators.derive import derive
from state.graph import SubjectView
from state.graph_store import RedisGraph
from state.identity import session_id
from state.memory_reader import MemoryReader
from state.model import Message, Role, Subject
from state.ordering import AFTER_ALL, message_place, time_key
from tests.operators.toy_rules import RULES
from tests.state.test_graph_store import SUBJECTS, live, said, written

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
STRANGERS = (Subject("nobody", "ann"), Subject("acme", "nobody"))
Both = tuple[RedisGraph, MemoryReader, list[SubjectView]]


@pytest.fixture
def both(redis: Redis) -> Both:
    """All subjects in the store, written in two parts, and in memory."""
    for subject in SUBJECTS:
        messages = said(subject)
        written(redis, messages[1::2])
        written(redis, messages[::2])
    views = [
        derive(live(said(subject)), RULES.distiller, RULES.relater, RULES.decider) for subject in SUBJECTS
    ]
    return RedisGraph(redis), MemoryReader(views), views


def everything(view: SubjectView) -> list[str]:
    return sorted(message_place(m.sent_at, m.id) for m in view.messages)


@pytest.mark.parametrize("latest", [False, True])
@pytest.mark.parametrize("limit", [0, 1, 3, 100])
def test_places_come_in_order_from_either_end(both: Both, limit: int, latest: bool) -> None:
    stored, memory, views = both
    for view in views:
        every = everything(view)
        kept = every[len(every) - min(limit, len(every)) :] if latest else every[:limit]
        for reader in (stored, memory):
            assert list(reader.places(view.subject, "", AFTER_ALL, limit, latest)) == kept


def test_pages_put_together_are_the_whole(both: Both) -> None:
    stored, _, views = both
    for view in views:
        forward: list[str] = []
        while page := stored.places(view.subject, forward[-1] if forward else "", AFTER_ALL, 4):
            forward += page
        backward: list[str] = []
        while page := stored.places(view.subject, "", backward[0] if backward else AFTER_ALL, 4, latest=True):
            backward = [*page, *backward]
        assert forward == backward == everything(view)


def test_a_window_has_its_first_moment_and_not_its_last(both: Both) -> None:
    stored, memory, views = both
    for view in views:
        times = sorted(m.sent_at for m in view.messages)
        window = time_key(times[2]), time_key(times[5])
        kept = [place for place in everything(view) if window[0] <= place[:26] < window[1]]
        assert len(kept) == 3
        for reader in (stored, memory):
            assert list(reader.places(view.subject, *window, 100)) == kept


@pytest.mark.parametrize("limit", [0, 1, 2, 100])
def test_sessions_are_given_by_their_ends(both: Both, limit: int) -> None:
    stored, memory, views = both
    seen = set()
    for view in views:
        ends: dict[str, list[str]] = {}
        for message in view.messages:
            ends.setdefault(message.conversation, []).append(message_place(message.sent_at, message.id))
        for skipped in (0, 1, 2):
            between = {c: (sorted(p)[skipped], sorted(p)[-1]) for c, p in ends.items() if len(p) > skipped}
            found = list(stored.session_spans(view.subject, between, limit))
            assert found == list(memory.session_spans(view.subject, between, limit))
            seen |= {span.id for span in found}
    assert len(seen) > 20 or limit < 2


def test_a_session_is_whole_where_only_its_middle_is_asked_about(redis: Redis) -> None:
    minutes = (0, 5, 9, 60, 64, 70, 76, 200)
    ann = Subject("acme", "long")
    messages = [
        Message(ann, "c", f"m/{n}", Role.USER, "Ann", "a.x=1", START + timedelta(minutes=at))
        for n, at in enumerate(minutes)
    ]
    written(redis, messages)
    place = [message_place(m.sent_at, m.id) for m in messages]
    (span,) = RedisGraph(redis).session_spans(ann, {"c": (place[4], place[5])}, 9)
    assert (span.id, span.first, span.last) == (session_id(ann, "c", "m/3"), place[3], place[6])
    every = RedisGraph(redis).session_spans(ann, {"c": (place[1], place[7])}, 9)
    assert [(s.first, s.last) for s in every] == [
        (place[0], place[2]), (place[3], place[6]), (place[7], place[7])
    ]  # fmt: skip


def test_of_strangers_nothing_was_said(both: Both) -> None:
    stored, memory, _ = both
    between = {"c:0}": (time_key(START), AFTER_ALL)}
    for stranger in STRANGERS:
        for reader in (stored, memory):
            assert not reader.places(stranger, "", AFTER_ALL, 9)
            assert not reader.session_spans(stranger, between, 9)
