"""What every system keeps to, and what makes each one what it is; on a small history of own wording."""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest

from evaluation.corpus import message
from evaluation.memory_notes import MemoryNotes
from evaluation.questions import Asked
from evaluation.systems.catalogue import NAMES, systems
from evaluation.systems.dh_rag import Base, chain
from evaluation.systems.extract import TOKENS, summary
from evaluation.systems.hybrid import fused
from evaluation.systems.interface import Ground, System
from evaluation.systems.lines import Item, cost, filled, told
from evaluation.systems.memtree import Node, insert
from evaluation.systems.raptor import clusters
from state.hashing_encoder import HashingEncoder
from state.model import Subject
from tests.evaluation.small_sets import START, home

HOME = Subject("t", "home")
KEY = Asked(HOME, "Where is the spare key?", "plain", frozenset({"home/6"}))


@pytest.fixture(scope="module")
def ground() -> Ground:
    return Ground([message(one) for one in home()], HashingEncoder(), MemoryNotes())


@pytest.fixture(params=NAMES)
def system(request: pytest.FixtureRequest, ground: Ground) -> System:
    return next(iter(systems([request.param], ground)))


def test_a_ranking_has_each_message_once_and_no_other(system: System, ground: Ground) -> None:
    ranked = system.ask(KEY, (500,)).ranked
    assert ranked
    assert len(set(ranked)) == len(ranked)
    assert set(ranked) <= set(ground.messages[HOME])


def test_a_context_keeps_to_its_budget(system: System, ground: Ground) -> None:
    budgets = (10, 40, 120, 5_000)
    contexts = system.ask(KEY, budgets).contexts
    assert set(contexts) == set(budgets)
    for budget, text in contexts.items():
        assert cost(text.splitlines(), ground.count) <= budget
    assert contexts[5_000]


def test_nothing_said_later_than_asked_is_told(system: System) -> None:
    asked = Asked(HOME, KEY.question, "plain", KEY.evidence, START + timedelta(hours=5))
    found = system.ask(asked, (5_000,))
    assert set(found.ranked) <= {f"home/{i}" for i in range(6)}
    assert "shed" not in found.contexts[5_000]


def test_the_same_question_has_the_same_answer(system: System, ground: Ground) -> None:
    again = next(one for one in systems(NAMES, ground) if one.name == system.name)
    assert system.ask(KEY, (300,)) == again.ask(KEY, (300,))


def test_the_message_that_answers_is_in_a_large_context(system: System, ground: Ground) -> None:
    text = system.ask(KEY, (5_000,)).contexts[5_000]
    assert told(text, ["home/6"], ground.messages[HOME]) == {"home/6"}


def test_an_unknown_system_is_named(ground: Ground) -> None:
    with pytest.raises(KeyError, match="oracle"):
        next(systems(["oracle"], ground))


def named(name: str, ground: Ground) -> System:
    return next(systems([name], ground))


def test_the_full_history_is_cut_at_its_start(ground: Ground) -> None:
    text = named("full-history", ground).ask(KEY, (40,)).contexts[40]
    lines = text.splitlines()
    assert lines[-1].startswith("[home/15]")
    assert len(lines) < 16
    assert [line.partition("]")[0] for line in lines] == sorted(
        (line.partition("]")[0] for line in lines), key=lambda label: int(label.rpartition("/")[2])
    )


def test_ranks_are_fused_by_their_reciprocals() -> None:
    # a: 1/61 + 1/63, b: 1/62 + 1/61, c: 1/62
    assert fused([["a", "b"], ["b", "c", "a"]]) == ["b", "a", "c"]


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, np.float32)
    return vector / np.linalg.norm(vector)


def test_an_online_tree_joins_what_is_alike_and_parts_what_is_not() -> None:
    root = Node([], np.zeros(2, np.float32))
    for name, vector in (("a", unit(1, 0)), ("b", unit(0, 1)), ("c", unit(1, 0.1))):
        insert(root, name, vector)
    assert [child.messages for child in root.children] == [["a", "c"], ["b"]]
    joined = root.children[0]
    assert [leaf.messages for leaf in joined.children] == [["a"], ["c"]]
    assert joined.vector == pytest.approx(unit(*(unit(1, 0) + unit(1, 0.1))), abs=1e-6)


def test_a_deeper_node_asks_for_more_likeness() -> None:
    root = Node([], np.zeros(2, np.float32))
    for name, vector in (("a", unit(1, 0)), ("b", unit(1, 1))):  # cosine .71: above .4, below .4·√e = .66
        insert(root, name, vector)
    assert [child.messages for child in root.children] == [["a", "b"]]
    insert(root, "c", unit(1, -0.6))  # .86 from a, .30 from b
    assert [child.messages for child in root.children[0].children] == [["a", "c"], ["b"]]


def test_a_static_tree_has_every_row_in_a_cluster_and_parts_what_lies_apart() -> None:
    random = np.random.default_rng(5)
    centres = np.eye(16, dtype=np.float32)[:2]
    rows = np.concatenate([c + 0.02 * random.standard_normal((20, 16)).astype(np.float32) for c in centres])
    groups = clusters(rows)
    assert set().union(*groups) == set(range(40))
    assert all(set(group) <= set(range(20)) or set(group) <= set(range(20, 40)) for group in groups)


def test_few_rows_are_one_cluster() -> None:
    assert clusters(np.eye(4, dtype=np.float32)) == [[0, 1, 2, 3]]


def test_a_chain_goes_back_through_like_queries_of_one_cluster() -> None:
    rows = np.stack([unit(1, 0), unit(0, 1), unit(1, 0.1), unit(1, 0.2)])
    base = Base([("m",)] * 4, rows, np.array([0, 1, 0, 0]), rows)
    assert chain(base, 3) == [2, 0]
    assert chain(base, 1) == []


def test_paging_goes_on_from_what_the_page_before_found(ground: Ground) -> None:
    text = named("memgpt", ground).ask(KEY, (120,)).contexts[120]
    assert "home/15" in text  # the queue's newest message
    assert "key" in text  # what was paged in


def test_a_summary_quotes_what_is_near_the_middle_in_order(ground: Ground) -> None:
    names = ["home/0", "home/2", "home/6"]
    held, vectors = ground.messages[HOME], ground.vectors[HOME]
    made = summary([held[n] for n in names], [vectors[n] for n in names], lambda text: TOKENS // 2)
    assert made.quotes == ("home/2", "home/6")
    assert [line.strip().partition("]")[0] for line in made.lines[1:]] == ["[home/2", "[home/6"]


def words(text: str) -> int:
    return len(text.split())


def items(*lines: str) -> Sequence[Item]:
    return [Item((line,), (line.partition("]")[0].strip("["),)) for line in lines]


def test_a_context_stops_at_the_first_item_that_does_not_fit() -> None:
    # two words and a line break cost 3; four and one 5
    assert filled(items("[a] one", "[b] two three four", "[c] five"), 7, words) == "[a] one"
    assert filled(items("[a] one", "[a] one", "[c] five"), 6, words) == "[a] one\n[c] five"


def test_a_message_is_told_where_half_of_its_terms_are_quoted_beside_its_id(ground: Ground) -> None:
    held = ground.messages[HOME]
    assert told('[home/3] "The gas meter reads 4417."', ["home/3"], held) == {"home/3"}
    assert told('E1 state [home/2, home/3] "gas meter"', ["home/3"], held) == {"home/3"}
    assert told('[home/3] "The gas"', ["home/3"], held) == set()
    assert told('[home/4] "The gas meter reads 4417."', ["home/3"], held) == set()
