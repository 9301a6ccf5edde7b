"""The graph is a function of the messages and the remembered answers, whenever these come (I1, I2)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redis import Redis

from operators.accept import accept
from operators.answers import AskPairs, AskTurns, Told
from operators.derive import derive
from operators.forest import regrow
from operators.llm.instead import RULES_INSTEAD
from operators.revise import Revision, Rules, revise
from operators.rows import rows
from state.graph import SubjectView
from state.graph_change import GraphWriter
from state.graph_keys import SubjectKeys
from state.graph_reads import Read, fetch
from state.graph_store import RedisGraph
from state.ledger import Ledger, Remembered
from state.model import Message, Op
from state.ordering import message_of
from state.waiting import Waiting
from tests.operators.test_revise import HISTORIES, SUBJECT, logs, say
from tests.operators.toy_answers import ANSWERED, BY_RULES, ToyReader, answer_about_pair, answer_about_turn

Asked = Callable[[str], bool]
"""Whether the model answers what is asked under a key now."""


def flush(
    client: Redis,
    pairs: Sequence[tuple[Message, int]] = (),
    again: Sequence[str] = (),
    rules: Rules = ANSWERED,
    answers: Asked = lambda key: False,
) -> Revision | None:
    """Revises and writes the subject, where the model is asked for what is lacking."""
    running = revise(SUBJECT, pairs, rules, datetime.now(UTC), again)
    try:
        reads = next(running)
        while True:
            fetch(client, [(SUBJECT, reads)])
            for read in reads:
                ask(client, read, answers)
            reads = next(running)
    except StopIteration as finished:
        revision: Revision | None = finished.value
    if revision is not None:
        GraphWriter(client, fence=1).write([revision.change])
    return revision


def ask(client: Redis, read: Read[object], answers: Asked) -> None:
    texts = {}
    if isinstance(read, AskTurns):
        wanted = [key for key in read.questions if key not in read.found and answers(key)]
        texts = {key: answer_about_turn(key, *read.questions[key]) for key in wanted}
    elif isinstance(read, AskPairs):
        wanted = [key for key in read.pairs if key not in read.found and answers(key)]
        texts = {key: answer_about_pair(key) for key in wanted}
    if texts and isinstance(read, AskTurns | AskPairs):
        told = {key: Remembered("toy", "toy", "toy.1", text) for key, text in texts.items()}
        Ledger(client).remember(SUBJECT, told)
        read.found.update(told)


def waiting(client: Redis, limit: int = 1000) -> list[str]:
    return [message_of(place) for place in Waiting(client).due(SUBJECT, limit, 0.0).turns]


def settle(client: Redis, rules: Rules = ANSWERED) -> None:
    """Asks until nothing waits."""
    for _ in range(50):
        turns = waiting(client, 5)
        if not turns:
            return
        flush(client, again=turns, rules=rules, answers=lambda key: True)
    raise AssertionError("some turns never stop waiting")


def texts_in(client: Redis) -> dict[str, str]:
    keys = [key.decode() for key in client.hkeys(SubjectKeys(SUBJECT).answers)]
    return {key: answer.text for key, answer in Ledger(client).read(SUBJECT, keys).items()}


def stored(client: Redis) -> SubjectView:
    view = RedisGraph(client).everything(SUBJECT)
    assert view is not None
    return view


def lines(view: SubjectView | None) -> list[str]:
    return [row.line() for row in rows(view)] if view else []


def derived(client: Redis, live: Sequence[Message], rules: Rules = ANSWERED) -> SubjectView:
    assert rules.answers is not None
    told = Told(rules.answers, texts_in(client))
    return derive(live, rules.distiller, rules.relater, rules.decider, told)


@settings(max_examples=HISTORIES)
@given(log=logs(), seed=st.integers(0, 2**32), eager=st.sampled_from([0.0, 0.3, 0.8]))
def test_whenever_answers_come_the_view_is_that_of_messages_and_answers(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, log: list[Message], seed: int, eager: float
) -> None:
    redis.flushall()
    monkeypatch.setattr(regrow, "EVERY", 2)
    monkeypatch.setattr(regrow, "SPAN", 4)
    pairs = [(message, offset) for offset, message in enumerate(log)]
    luck, at = random.Random(seed), 0
    while at < len(pairs):
        size = luck.randint(1, 9)
        flush(redis, pairs[at : at + size])
        at += size
        if (turns := waiting(redis)) and luck.random() < eager:
            chosen = luck.sample(turns, luck.randint(1, len(turns)))
            flush(redis, again=chosen, answers=lambda key: luck.random() < 0.6)
    settle(redis)
    live = [record.message for record in accept({}, pairs).after.values()]
    if not live:
        assert not lines(RedisGraph(redis).everything(SUBJECT))
        return
    wanted, view = derived(redis, live), stored(redis)
    assert lines(view) == lines(wanted)
    assert view.events == wanted.events
    assert {k: n for k, n in RedisGraph(redis).counts([SUBJECT]).items() if n} == counted(wanted)


def counted(view: SubjectView) -> dict[str, int]:
    counts = {"messages": len(view.messages), "sessions": len(view.sessions), "topics": len(view.topics)}
    counts["events"] = len(view.events)
    for edge in view.edges:
        counts[edge.type.value] = counts.get(edge.type.value, 0) + 1
    return {name: number for name, number in counts.items() if number}


@settings(max_examples=HISTORIES)
@given(log=logs())
def test_a_model_that_always_fails_leaves_what_the_rules_make(redis: Redis, log: list[Message]) -> None:
    redis.flushall()
    pairs = [(message, offset) for offset, message in enumerate(log)]
    flush(redis, pairs)
    while turns := waiting(redis):
        running = revise(SUBJECT, [], ANSWERED, datetime.now(UTC), turns)
        with_rules_instead(redis, running)
    by_model = lines(RedisGraph(redis).everything(SUBJECT))
    redis.flushall()
    flush(redis, pairs, rules=BY_RULES)
    assert by_model == lines(RedisGraph(redis).everything(SUBJECT))


def with_rules_instead(client: Redis, running) -> None:  # type: ignore[no-untyped-def]
    try:
        while True:
            reads = next(running)
            fetch(client, [(SUBJECT, reads)])
            for read in reads:
                if isinstance(read, AskTurns):
                    told = dict.fromkeys(read.questions, Remembered("toy", "toy", "toy.1", RULES_INSTEAD))
                    Ledger(client).remember(SUBJECT, told)
                    read.found.update(told)
                assert not isinstance(read, AskPairs) or not read.pairs
    except StopIteration as finished:
        GraphWriter(client, fence=1).write([finished.value.change])


def descriptions(client: Redis) -> list[str]:
    return sorted(event.description for event in stored(client).events)


def test_a_new_turn_waits_and_says_nothing_until_its_answer_is_there(redis: Redis) -> None:
    flush(redis, [(say(1, "a.x=1"), 0), (say(2, "a.x=2"), 1)])
    assert (descriptions(redis), waiting(redis)) == ([], ["m/1", "m/2"])
    settle(redis)
    assert (len(descriptions(redis)), waiting(redis)) == (2, [])


def test_nothing_is_looked_up_in_vain_for_messages_that_come_again(redis: Redis) -> None:
    said = [(say(n, f"a.x={n}; b.y={n}"), n) for n in range(9)]
    flush(redis, said)
    settle(redis)
    before = lines(stored(redis))
    assert flush(redis, [(m, 100 + n) for m, n in said]) is None
    redis.delete(*[key for key in redis.keys("stet:*") if not key.endswith(b":answers")])
    flush(redis, said)
    assert (waiting(redis), lines(stored(redis))) == ([], before)


def test_a_late_message_leaves_what_the_turns_after_it_say_until_they_are_answered_again(
    redis: Redis,
) -> None:
    flush(redis, [(say(n, f"a.x={n}"), n) for n in (1, 3, 4)])
    settle(redis)
    before = descriptions(redis)
    flush(redis, [(say(2, "b.y=2"), 9)])
    assert descriptions(redis) == before
    assert waiting(redis) == ["m/2", "m/3", "m/4"]


def test_an_edit_takes_back_what_rests_on_the_old_words_at_once_and_no_more(redis: Redis) -> None:
    flush(redis, [(say(1, "a.x=1"), 0), (say(2, "a.x=2"), 1)])
    settle(redis)
    flush(redis, [(replace(say(1, "a.x=7"), revision=1), 2)])
    assert descriptions(redis) == ["Ann: a.x=2 (a.x)"]
    assert waiting(redis) == ["m/1", "m/2"]
    settle(redis)
    assert descriptions(redis) == ["Ann: a.x=2 (a.x)", "Ann: a.x=7 ()"]


def test_nothing_that_had_a_deleted_message_in_view_stays_and_neither_does_its_answer(redis: Redis) -> None:
    said = [say(n, text) for n, text in enumerate(["a.x=1", "dog", "b.y=2", "b.x=3"])]
    flush(redis, [(m, n) for n, m in enumerate(said)])
    settle(redis)
    keys = ToyReader()
    old = {keys.turn_key(m, said[:n]) for n, m in enumerate(said)}
    assert old <= texts_in(redis).keys()
    gone = replace(said[1], op=Op.DELETE, content="", sent_at=said[1].sent_at + timedelta(days=1))
    flush(redis, [(gone, 9)])
    assert descriptions(redis) == ["Ann: a.x=1 ()"]
    assert waiting(redis) == ["m/2", "m/3"]
    assert old & texts_in(redis).keys() == {keys.turn_key(said[0], [])}
    settle(redis)
    left = [said[0], *said[2:]]
    assert lines(stored(redis)) == lines(derived(redis, left))


@pytest.mark.parametrize("rules", [ANSWERED, BY_RULES], ids=["with the model", "without"])
def test_a_deleted_message_waits_no_longer_and_an_edited_one_still_does(redis: Redis, rules: Rules) -> None:
    flush(redis, [(say(1, "a.x=1"), 0), (say(5, "a.x=2"), 1)])
    assert waiting(redis) == ["m/1", "m/5"]
    gone = replace(say(1, ""), op=Op.DELETE, sent_at=say(2, "").sent_at)
    flush(redis, [(gone, 2), (say(5, "a.x=3"), 3)], rules=rules)
    assert waiting(redis) == ["m/5"]


def test_another_model_is_asked_only_about_what_a_change_reaches(redis: Redis) -> None:
    flush(redis, [(say(n, f"a.x={n}"), n) for n in range(12)])
    settle(redis)
    before, other = descriptions(redis), replace(ANSWERED, answers=ToyReader("other"))
    flush(redis, [(say(12, "a.x=12"), 12)], rules=other)
    assert waiting(redis) == ["m/12"]
    assert descriptions(redis) == before


def test_edges_stay_while_their_pairs_are_asked_about_again(redis: Redis) -> None:
    live = [say(n, f"a.x={n}") for n in range(12)]
    flush(redis, [(m, n) for n, m in enumerate(live)])
    settle(redis)
    other = replace(ANSWERED, answers=ToyReader("other"))
    turn_of = {e.id: e.sources[-1] for e in stored(redis).events}
    edges = {e.id: turn_of[e.owner] for e in stored(redis).edges}
    flush(redis, again=[m.id for m in live], rules=other, answers=lambda key: key.startswith("turn"))
    lacking = set(waiting(redis))
    of_lacking = {edge for edge, turn in edges.items() if turn in lacking}
    assert of_lacking
    assert of_lacking <= {e.id for e in stored(redis).edges}
    settle(redis, other)
    assert lines(stored(redis)) == lines(derived(redis, live, other))
