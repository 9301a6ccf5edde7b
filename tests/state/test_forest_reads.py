"""The reads of the forest answer in the store as in memory, where turns come late, change and go as well."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis

from operators.derive import derive
from operators.forest.checkpoint import packed, unpacked
from operators.forest.grow import grow
from state.graph import SubjectView
from state.graph_keys import SubjectKeys
from state.graph_store import RedisGraph
from state.memory_reader import MemoryReader
from state.model import Message, Role, Subject
from state.redis_client import connect
from tests.operators.toy_rules import RULES
from tests.state.test_graph_store import SUBJECTS, live, said, written

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
LONG = Subject("acme", "long")
ASKED = [*(f"m/{number}" for number in range(15)), "", "m/*", "那"]


def grown(messages: Sequence[Message]) -> str:
    return packed(grow(messages, RULES.decider)[0])


def chatter() -> list[Message]:
    """One conversation that wanders over several trees and branches."""
    return [
        Message(LONG, "c", f"m/{n}", Role.USER, "Ann", f"a.x={n % 7}", START + timedelta(minutes=n))
        for n in range(60)
    ]


def everything_said() -> list[list[Message]]:
    return [*(said(subject) for subject in SUBJECTS[:4]), said(SUBJECTS[-1]), chatter()]


Both = tuple[RedisGraph, MemoryReader, list[SubjectView]]


@pytest.fixture
def both(redis: Redis) -> Both:
    """Subjects in the store, written in two parts of which the second holds what came late; and in memory."""
    views = []
    for messages in everything_said():
        written(redis, messages[1::2])
        written(redis, messages[::2])
        views.append(derive(live(messages), RULES.distiller, RULES.relater, RULES.decider))
    return RedisGraph(redis), MemoryReader(views, grown=grown), views


def test_topics_a_page_at_a_time(both: Both) -> None:
    stored, memory, views = both
    for view in views:
        spoken = {message.id: message.sent_at for message in view.messages}
        every = [
            (max(spoken[turn] for turn in topic.turns), topic.id) for topic in memory.topics(view.subject, 99)
        ]
        for last in [*every, (every[0][0], "z"), (every[0][0], ""), (START, "")]:
            for limit in (0, 1, 2, 99):
                page = stored.recent_topics(view.subject, limit, last)
                assert page == memory.recent_topics(view.subject, limit, last)
                assert page == tuple(root for at, root in every if (at, root) < last)[:limit]


def test_of_topics_of_one_moment_none_is_shown_twice_or_left_out(both: Both, redis: Redis) -> None:
    stored, _, views = both
    subject = views[0].subject
    key = SubjectKeys(subject).recent
    redis.delete(key)
    roots = [f"t/{number:02}" for number in range(9)]
    redis.zadd(key, {root: START.timestamp() for root in roots})
    redis.zadd(key, {"newer": START.timestamp() + 1, "older": START.timestamp() - 1})
    found: list[str] = []
    last = (START + timedelta(seconds=9), "")
    while page := stored.recent_topics(subject, 2, last):
        found += page
        last = (datetime.fromtimestamp(redis.zscore(key, page[-1]) or 0, UTC), page[-1])
    assert found == ["newer", *reversed(roots), "older"]


def test_every_turn_hangs_where_it_was_hung(both: Both) -> None:
    stored, memory, views = both
    kinds = set()
    for view in views:
        found = stored.hanging(view.subject, ASKED)
        assert found == memory.hanging(view.subject, ASKED)
        turns = {turn.id: turn for turn in view.turns}
        for turn, at in found.items():
            kept = turns[turn]
            assert (at.parent, at.branch, at.topic, at.refers_to) == (
                kept.parent, kept.branch, kept.topic, kept.refers_to,
            )  # fmt: skip
            kinds.add("root" if at.parent is None else "branch" if at.branch == turn else "on")
            kinds |= {"mentions"} if at.refers_to else set()
            kinds |= {"states"} if at.events else set()
    assert kinds == {"root", "branch", "on", "mentions", "states"}


@pytest.mark.parametrize("limit", [0, 1, 3, 1000])
def test_a_line_goes_from_a_turn_to_its_root(both: Both, limit: int) -> None:
    stored, memory, views = both
    longest = 0
    for view in views:
        for turn in [turn.id for turn in view.turns]:
            line = stored.line(view.subject, turn, limit)
            assert list(line.items()) == list(memory.line(view.subject, turn, limit).items())
            ids = list(line)
            assert len(ids) <= limit
            assert [at.parent for at in line.values()][:-1] == ids[1:]
            longest = max(longest, len(ids))
            if limit == 1000:
                assert ids[-1] == line[turn].topic
                assert line[ids[-1]].parent is None
            assert stored.branch_end(view.subject, turn, limit) == memory.branch_end(
                view.subject, turn, limit
            )
    assert longest == min(limit, longest)
    assert limit < 1000 or longest > 5


def test_a_branch_ends_where_another_branch_begins(both: Both) -> None:
    stored, _, views = both
    split = 0
    for view in views:
        for turn in view.turns:
            end = stored.branch_end(view.subject, turn.id, 1000)
            assert end[-1] == turn.branch
            assert {at.branch for at in stored.hanging(view.subject, end).values()} == {turn.branch}
            split += len(stored.line(view.subject, turn.id, 1000)) > len(end)
    assert split


@pytest.mark.parametrize("among", [0, 1, 2, 100])
def test_the_heads_of_a_trees_branches(both: Both, among: int) -> None:
    stored, memory, views = both
    several = 0
    for view in views:
        roots = [topic.id for topic in view.topics]
        found = stored.heads(view.subject, [*roots, "none"], among)
        wanted = memory.heads(view.subject, [*roots, "none"], among)
        assert {root: list(heads.items()) for root, heads in found.items()} == {
            root: list(heads.items()) for root, heads in wanted.items()
        }
        several += any(len(heads) > 1 for heads in found.values())
        if among == 100:
            branches = {(turn.topic, turn.branch) for turn in view.turns}
            assert {(root, branch) for root, heads in found.items() for branch in heads} == branches
    assert bool(several) == (among > 1)


@pytest.mark.parametrize("turns", [0, 1, 2, 100])
def test_topics_by_their_ends(both: Both, turns: int) -> None:
    stored, memory, views = both
    for view in views:
        roots = [topic.id for topic in view.topics]
        found = stored.tree_ends(view.subject, [*roots, "none"], turns)
        assert found == memory.tree_ends(view.subject, [*roots, "none"], turns)
        for topic in view.topics if turns else ():
            ends = found[topic.id]
            assert (ends.size, ends.first[0]) == (len(topic.turns), topic.id)
            assert (ends.first, ends.last) == (topic.turns[:turns], topic.turns[-turns:])


@pytest.mark.parametrize("limit", [0, 1, 100])
def test_topics_spoken_of_last_come_first(both: Both, limit: int) -> None:
    stored, memory, views = both
    for view in views:
        found = stored.recent_topics(view.subject, limit)
        assert found == memory.recent_topics(view.subject, limit)
        assert list(found) == [topic.id for topic in stored.topics(view.subject, limit)]


def test_the_forests_state_is_that_after_all_turns(both: Both) -> None:
    stored, memory, views = both
    for view in views:
        latest = stored.forest_state(view.subject)
        assert latest == memory.forest_state(view.subject)
        assert latest is not None
        last = max(view.messages, key=lambda m: (m.sent_at, m.conversation))
        assert latest[0] == last.conversation
        for conversation in {message.conversation for message in view.messages}:
            found = stored.forest_state(view.subject, conversation)
            assert found == memory.forest_state(view.subject, conversation)
            assert found is not None
            assert unpacked(found[1]).current is not None


def test_a_cluster_answers_as_one_server_does(redis_cluster_url: str, tenant: str) -> None:
    messages = [replace(message, subject=Subject(tenant, "long")) for message in chatter()]
    view = derive(messages, RULES.distiller, RULES.relater, RULES.decider)
    memory = MemoryReader([view], grown=grown)
    with connect(redis_cluster_url) as client:
        written(client, messages)
        stored = RedisGraph(client)
        roots = memory.recent_topics(view.subject, 99)
        assert stored.recent_topics(view.subject, 99) == roots
        assert stored.line(view.subject, "m/59", 9) == memory.line(view.subject, "m/59", 9)
        assert stored.heads(view.subject, roots, 9) == memory.heads(view.subject, roots, 9)
        assert stored.tree_ends(view.subject, roots, 3) == memory.tree_ends(view.subject, roots, 3)
        assert stored.forest_state(view.subject) == memory.forest_state(view.subject)


def test_nothing_of_the_forest_is_read_across_tenants_or_subjects(both: Both) -> None:
    stored, memory, views = both
    roots = [topic.id for view in views for topic in view.topics]
    conversation = views[0].messages[0].conversation
    for reader in (stored, memory):
        for stranger in (Subject("nobody", "long"), Subject("acme", "nobody"), Subject("acme", "long}")):
            assert not reader.hanging(stranger, ASKED)
            assert not reader.line(stranger, "m/1", 9)
            assert not reader.branch_end(stranger, "m/1", 9)
            assert not reader.heads(stranger, roots, 9)
            assert not reader.tree_ends(stranger, roots, 9)
            assert not reader.recent_topics(stranger, 9)
            assert reader.forest_state(stranger) is None
            assert reader.forest_state(stranger, conversation) is None
        assert reader.forest_state(LONG, "never") is None
        assert not reader.heads(LONG, [], 9)
        assert not reader.tree_ends(LONG, [], 9)
        assert not reader.hanging(LONG, [])
