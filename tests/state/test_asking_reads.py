"""The combined reads of a question answer in the store as in memory, and only as far as they reach."""

import pytest

from state.graph import Spot
from state.ordering import message_place
from tests.state.test_graph_store import ASKED, SUBJECTS, Both, both, filed

__all__ = ["both"]


def spots(found: Both, subject_at: int) -> list[Spot]:
    view = found[2][subject_at]
    return [Spot(m.id, m.conversation, message_place(m.sent_at, m.id)) for m in view.messages]


def test_messages_come_with_what_they_state(both: Both) -> None:
    stored, memory, _ = both
    for subject in SUBJECTS:
        found = stored.told(subject, ASKED)
        assert found == memory.told(subject, ASKED)
        assert {m: told.message for m, told in found.items()} == stored.messages(subject, ASKED)
        assert {m: told.events for m, told in found.items() if told.events} == stored.events_of(
            subject, ASKED
        )


@pytest.mark.parametrize(("topics", "turns"), [(1, 1), (2, 3), (100, 100)])
def test_an_opening_has_the_newest_time_what_is_filed_and_the_last_turns(
    both: Both, topics: int, turns: int
) -> None:
    stored, memory, views = both
    for view in views:
        keys = [*dict.fromkeys(key for event in view.events for key in filed(event)), "name:nobody"]
        opening = stored.opening(view.subject, keys, 2, topics, turns)
        assert opening == memory.opening(view.subject, keys, 2, topics, turns)
        assert opening is not None
        assert list(opening.topics) == [topic.id for topic in stored.topics(view.subject, topics)]
        assert opening.newest == stored.newest(view.subject)
        assert opening.filed == stored.filed_under(view.subject, keys, 2)


@pytest.mark.parametrize("reach", [1, 2, 20])
def test_what_lies_around_a_message_ends_with_its_session(both: Both, reach: int) -> None:
    stored, memory, views = both
    for at, view in enumerate(views):
        asked = spots(both, at)
        found = stored.around(view.subject, asked, reach)
        assert found == memory.around(view.subject, asked, reach)
        sessions = stored.session_of(view.subject, [spot.message for spot in asked])
        topics = stored.topic_of(view.subject, [spot.message for spot in asked])
        assert found.keys() == sessions.keys()
        for message, beside in found.items():
            run = sessions[message].messages
            here = run.index(message)
            assert (beside.session, beside.topic) == (sessions[message].id, topics[message])
            assert beside.before == tuple(reversed(run[max(0, here - reach) : here]))
            assert beside.after == run[here + 1 : here + 1 + reach]


def test_nothing_lies_around_what_is_not_there(both: Both) -> None:
    stored, memory, views = both
    view = views[0]
    gone = [Spot("m/6", "c:0}", message_place(view.messages[0].sent_at, "m/6")), Spot("", "", "")]
    for reader in (stored, memory):
        assert not reader.around(view.subject, gone, 3)
        assert not reader.around(view.subject, [], 3)
        assert not reader.told(view.subject, ["", "m/*"])
        assert reader.opening(SUBJECTS[0].__class__("nobody", "here"), [], 1, 1, 1) is None
