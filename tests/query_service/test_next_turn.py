"""The context of a turn that is about to be said: its place, its path, and what it is told."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis

from evaluation.memory_notes import noted
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.forest.checkpoint import packed
from operators.forest.grow import grow
from operators.forest.interface import Decider, Decision, Kind, Reason
from operators.forest.state import State
from operators.relate.rules import RULES as RELATER
from operators.revise import Rules, revise
from query_service.gathering import PATH_TURNS, TREE_TURNS
from query_service.next_turn import NextTurn
from query_service.unknown_subject import UnknownSubject
from state.graph import GraphReader
from state.graph_change import GraphWriter
from state.graph_reads import fetch
from state.graph_store import RedisGraph
from state.hashing_encoder import HashingEncoder
from state.memory_reader import MemoryReader
from state.model import Message, Role, Subject

MAYA = Subject("shop", "maya")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
NOW = START + timedelta(days=9)


class ByLetter:
    """Hangs a turn by the marks that its text begins with: "A:" under the tree opened by the first "A:",
    "A+:" as a branch at that tree's root, and "(B)" anywhere mentions the tree of B."""

    def __init__(self) -> None:
        self.roots: dict[str, str] = {}

    def decide(self, state: State, message: Message) -> Decision:
        head, _, _ = message.content.partition(":")
        letter, plus = head[0], head.endswith("+")
        trees = {tree.id: tree for tree in state.trees}
        mentions = tuple(
            sorted(
                root for key, root in self.roots.items() if f"({key})" in message.content and root in trees
            )
        )
        if self.roots.get(letter) not in trees:
            if message.id:
                self.roots[letter] = message.id
            return Decision(Kind.NEW_TREE, None, Reason.NEW_TASK, mentions)
        tree = trees[self.roots[letter]]
        if plus:
            return Decision(Kind.BRANCH, tree.id, Reason.ALTERNATIVE, mentions)
        kind = Kind.CONTINUE if tree.head == state.current else Kind.RETURN
        return Decision(kind, tree.head, Reason.MATCH, mentions)


SAID = (
    "A: I want to plan a garden party for 40 guests.",
    "A: Please order the small tent.",
    "B: My bicycle has a flat tyre.",
    "B: Please book the repair for Monday.",
    "A: The number of guests is now 60.",
    "A+: Alternatively we meet in the barn.",
    "C: Does the barn (A) have heating?",
)


def told(texts: Sequence[str] = SAID, conversation: str = "c") -> list[Message]:
    return [
        Message(
            MAYA, conversation, f"{conversation}/{n}", Role.USER, "Maya", text, START + timedelta(minutes=n)
        )
        for n, text in enumerate(texts)
    ]


Opened = Callable[[Sequence[Message]], tuple[GraphReader, Decider]]


@pytest.fixture(params=["memory", "store"])
def opened(request: pytest.FixtureRequest, redis: Redis) -> Opened:
    """Readers over messages, in memory and in the store."""

    def in_memory(messages: Sequence[Message]) -> tuple[GraphReader, Decider]:
        decider = ByLetter()
        view = derive(messages, DISTILLER, RELATER, decider)
        return MemoryReader([view], grown=lambda said: packed(grow(said, decider)[0])), decider

    def in_store(messages: Sequence[Message]) -> tuple[GraphReader, Decider]:
        rules = Rules(DISTILLER, RELATER, ByLetter())
        running = revise(MAYA, [(m, at) for at, m in enumerate(messages)], rules, START)
        try:
            reads = next(running)
            while True:
                fetch(redis, [(MAYA, reads)])
                reads = next(running)
        except StopIteration as finished:
            GraphWriter(redis, 1).write([finished.value.change])
        return RedisGraph(redis), rules.decider

    return in_memory if request.param == "memory" else in_store


def next_turn(reader: GraphReader, messages: Sequence[Message], decider: Decider) -> NextTurn:
    encoder = HashingEncoder()
    return NextTurn(reader, noted(messages, encoder), encoder, lambda: NOW, decider)


def asked(opened: Opened, messages: Sequence[Message]) -> NextTurn:
    reader, decider = opened(messages)
    return next_turn(reader, messages, decider)


def test_a_turn_that_returns_has_the_path_of_the_branch_that_it_goes_back_to(opened: Opened) -> None:
    found = asked(opened, told()).context(MAYA, "B: Make it Tuesday.", qid="q7")
    assert (found.decision.kind, found.decision.reason) == ("return", "match")
    assert (found.decision.parent, found.decision.topic) == ("c/3", "c/2")
    assert found.path == ("c/2", "c/3")
    assert found.qid == "q7"
    here, elsewhere = found.context.split("What stands:")[0].split("Other topics:")
    assert "- B: My bicycle has a flat tyre.\n- B: Please book the repair for Monday." in here
    assert "garden party" in elsewhere
    assert "bicycle" not in elsewhere


def test_a_branch_at_an_earlier_turn_goes_on_to_the_head_of_that_turns_branch(opened: Opened) -> None:
    found = asked(opened, told()).context(MAYA, "A+: Or we could meet at the lake.")
    assert found.decision.kind == "branch"
    assert found.decision.parent == "c/0"
    assert found.path == ("c/0", "c/1", "c/4")
    assert "barn" in found.context.split("Other topics:")[0]


def test_a_new_topic_has_no_path_and_what_it_mentions_comes_first(opened: Opened) -> None:
    found = asked(opened, told()).context(MAYA, "D: Which gift fits the bicycle (B)?")
    assert (found.decision.kind, found.decision.parent, found.decision.topic) == ("new_tree", None, None)
    assert found.path == ()
    assert found.context.startswith("Other topics:\n- B: bicycle flat tyre.")


def test_what_the_turn_it_attaches_to_mentions_comes_before_other_topics(opened: Opened) -> None:
    found = asked(opened, told()).context(MAYA, "C: And a stove?")
    assert found.path == ("c/6",)
    elsewhere = found.context.split("Other topics:")[1]
    assert elsewhere.index("garden party") < elsewhere.index("bicycle")


def test_facts_stand_with_what_they_replaced_and_superseded_values_are_marked(opened: Opened) -> None:
    said = told(
        ["A: The delivery address is 4 Elm Road.", "A: The delivery address is now 9 Oak Lane.", "A: Thanks."]
    )
    found = asked(opened, said).context(MAYA, "A: When will it come?")
    assert (
        '- A: The delivery address is 4 Elm Road.\n! "4 Elm Road" SUPERSEDED by "9 Oak Lane"' in found.context
    )
    stands = found.context.split("What stands:")[1]
    assert '"9 Oak Lane" replaces "4 Elm Road"' in stands
    assert stands.count("4 Elm Road") == 1


def test_the_latest_conversation_is_meant_unless_one_is_named(opened: Opened) -> None:
    later = [
        Message(MAYA, "d", f"d/{n}", Role.USER, "Maya", text, START + timedelta(days=1, minutes=n))
        for n, text in enumerate(["X: The hat is red.", "X: It has a feather."])
    ]
    turns = asked(opened, [*told(), *later])
    assert turns.context(MAYA, "X: And a bow.").path == ("d/0", "d/1")
    named = turns.context(MAYA, "B: Make it Tuesday.", conversation="c")
    assert named.path == ("c/2", "c/3")
    assert "hat" in named.context.split("Other topics:")[1]


def test_a_conversation_that_is_not_there_yet_begins_with_the_turn(opened: Opened) -> None:
    found = asked(opened, told()).context(MAYA, "A: Hello again.", conversation="new")
    assert (found.decision.kind, found.path) == ("new_tree", ())
    assert "garden party" in found.context


@pytest.mark.parametrize("budget", [1, 5, 20, 60, 120])
def test_the_budget_is_kept(opened: Opened, budget: int) -> None:
    found = asked(opened, told()).context(MAYA, "A: Make it 70.", budget=budget)
    lines = found.context.splitlines()
    assert sum(HashingEncoder().count_tokens(line) + 1 for line in lines) <= found.tokens <= budget


def test_asking_changes_nothing_and_gives_the_same_again(opened: Opened) -> None:
    turns = asked(opened, told())
    first, second = (turns.context(MAYA, "B: Make it Tuesday.", budget=50) for _ in range(2))
    assert (first.decision, first.path, first.context) == (second.decision, second.path, second.context)


def test_a_long_history_is_read_in_part(opened: Opened) -> None:
    texts = [f"A: The shelf number {n} is made of oak{n}." for n in range(PATH_TURNS + 40)]
    found = asked(opened, told(texts)).context(MAYA, "A: And the last one?", budget=600)
    assert found.path[-1] == f"c/{PATH_TURNS + 39}"
    assert len(found.path) == PATH_TURNS
    assert f"oak{PATH_TURNS + 39}" in found.context


def test_of_another_topic_the_first_and_the_last_turns_are_told(opened: Opened) -> None:
    texts = [
        *(f"B: The shelf number {n} is made of oak{n}." for n in range(20)),
        "A: The party is on Friday.",
    ]
    found = asked(opened, told(texts)).context(MAYA, "A: And then?")
    assert [
        n for n in range(20) if f"oak{n} " in f"{found.context} ".replace(".", " ").replace(";", " ")
    ] == [
        *range(TREE_TURNS),
        *range(20 - TREE_TURNS, 20),
    ]


def test_without_a_budget_each_thing_is_told_once_and_the_path_whole_with_one(opened: Opened) -> None:
    texts = [f"A: I would like the shelf number {n} made of oak{n}, please." for n in range(30)]
    turns = asked(opened, told(texts))
    assert "I would like" not in turns.context(MAYA, "A: And now?").context
    assert "oak7" in turns.context(MAYA, "A: And now?").context
    whole = turns.context(MAYA, "A: And now?", budget=5_000).context.splitlines()
    assert [line for line in whole if line.startswith("- ")] == [f"- {text}" for text in texts]


def test_reads_do_not_grow_with_the_history() -> None:
    calls = []
    for count in (100, 1000):
        decider = ByLetter()
        texts = [f"{'AB'[n % 2]}: The shelf number {n} is oak{n}." for n in range(count)]
        view = derive(told(texts), DISTILLER, RELATER, decider)
        reader = MemoryReader([view], grown=lambda said, d=decider: packed(grow(said, d)[0]))  # type: ignore[misc]
        next_turn(reader, told(texts), decider).context(MAYA, "A: Which shelf is oak7?")
        calls.append(dict(reader.calls))
    assert all(sum(one.values()) <= 19 for one in calls)


def test_an_unknown_subject_and_a_budget_below_one_are_refused(opened: Opened) -> None:
    turns = asked(opened, told())
    with pytest.raises(UnknownSubject):
        turns.context(Subject("shop", "nobody"), "A: Hello.")
    with pytest.raises(UnknownSubject):
        turns.context(Subject("rival", "maya"), "A: Hello.")
    with pytest.raises(ValueError, match="budget"):
        turns.context(MAYA, "A: Hello.", budget=0)
