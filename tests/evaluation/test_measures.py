"""Each figure against values worked out by hand."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.bcubed import agreement
from evaluation.connectives import links
from evaluation.context import Kept
from evaluation.corpus import message
from evaluation.cue_words import has_cue
from evaluation.dialogue_triplets import dialogue, overlaps
from evaluation.episodes import EpisodeScore
from evaluation.measures import causes, next_turn, retrieval, status, topics, updates
from evaluation.memory_notes import MemoryNotes
from evaluation.questions import Asked, evidence_questions
from evaluation.score import NONE, Counts
from evaluation.systems.interface import Found, Ground
from evaluation.topics import Scored
from state.hashing_encoder import HashingEncoder
from state.model import Subject
from tests.evaluation.small_sets import home, questions, row, write_set

HOME = Subject("t", "home")


@pytest.fixture(scope="module")
def ground() -> Ground:
    return Ground([message(one) for one in home()], HashingEncoder(), MemoryNotes())


class Fixed:
    """Ranks as it is told, and shows the first message alone."""

    name = "fixed"

    def __init__(self, ground: Ground, ranked: Sequence[str]) -> None:
        self._ground = ground
        self._ranked = tuple(ranked)

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        first = self._ranked[0]
        text = f'[{first}] "{self._ground.messages[asked.subject][first].content}"'
        return Found(self._ranked, dict.fromkeys(budgets, text))


def asked(*evidence: str, old: Sequence[str] = (), new: Sequence[str] = ()) -> Asked:
    return Asked(HOME, "Where is it?", "plain", frozenset(evidence), old=tuple(old), new=tuple(new))


class Clock:
    """Goes on by 8 ms a look."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 0.008
        return self._now


def test_recall_by_rank_and_by_budget_is_the_share_that_is_told(ground: Ground) -> None:
    ranked = [f"home/{i}" for i in range(16)]
    one = retrieval.outcome(
        Fixed(ground, ranked), ground, asked("home/0", "home/4", "home/7", "home/12"), Clock()
    )
    assert one.at_depth == {5: 0.5, 10: 0.75, 20: 1.0}
    assert set(one.within.values()) == {0.25}
    assert one.milliseconds == pytest.approx(8.0)
    # the ids are left out of the count by the hashing encoder's terms or not, but the same for all
    assert one.tokens == ground.count('[home/0] "The greenhouse roof is leaking above the orchids."') + 1


def test_a_fact_told_by_two_messages_is_one_thing_to_find() -> None:
    wanted = [frozenset({"a", "b"}), frozenset({"c"})]
    assert retrieval.share_told(wanted, ["b"]) == 0.5
    assert retrieval.share_told(wanted, ["a", "b"]) == 0.5
    assert retrieval.share_told(wanted, ["b", "c"]) == 1.0


@pytest.mark.parametrize(
    ("ranked", "found"), [(["home/2", "home/6"], True), (["home/6", "home/2"], False), (["home/6"], False)]
)
def test_stale_first_is_told_where_the_set_tells_old_from_new(ranked: list[str], found: bool) -> None:
    assert retrieval.stale(asked("home/6", old=["home/2"], new=["home/6"]), ranked) is found
    assert retrieval.stale(asked("home/6"), ranked) is None
    assert retrieval.stale(asked("home/6", old=["home/2"], new=["home/2"]), ranked) is None


def test_an_episodes_question_is_stale_where_the_outdated_fact_comes_first() -> None:
    facts = {"f1": {"message": "m1"}, "f2": {"message": "m2"}}
    gold = {"facts": facts, "question": {"must_include": ["f2"], "stale": ["f1"]}}
    one = Asked(HOME, "?", "current", frozenset({"m2"}), gold=gold)
    assert retrieval.stale(one, ["m1", "m2"]) is True
    assert retrieval.stale(one, ["m2", "m1"]) is False


def test_the_figures_are_means_over_questions(ground: Ground) -> None:
    part = retrieval.measure(
        [Fixed(ground, ["home/6", "home/2"])],
        ground,
        [asked("home/6", old=["home/2"], new=["home/6"]), asked("home/9"), asked()],
        0,
        lambda _: None,
        Clock(),
    )
    found = part.figures["fixed"]
    assert {name: found[name].value for name in ("recall@5", "within 500", "stale above new")} == {
        "recall@5": 0.5,
        "within 500": 0.5,
        "stale above new": 0.0,
    }
    assert (found["recall@5"].units, found["stale above new"].units) == (2, 1)
    assert found["plain: recall@10"].value == 0.5
    assert "answered" not in found


def test_precision_recall_and_f1_of_updates_are_of_pooled_counts() -> None:
    found = updates.figures([Counts(3, 2, 2, 2), Counts(1, 4, 0, 1)], 0)
    assert found["precision"].value == pytest.approx(2 / 4)
    assert found["recall"].value == pytest.approx(3 / 6)
    assert found["f1"].value == pytest.approx(0.5)


def test_updates_are_counted_by_turn_beside_cue_words(tmp_path: Path) -> None:
    said = [
        row("shop", 0, "Vera", "A crate of 6 lemons, please.", "user"),
        row("shop", 1, "Stall", "6 lemons, noted.", "agent"),
        row("shop", 2, "Vera", "Actually, thanks for the quick reply!", "user"),
        row("shop", 3, "Vera", "Make it 9 lemons.", "user"),
    ]
    gold = [
        {
            "task": "slot_update",
            "subject": "shop",
            "turn": 3,
            "slot": "n",
            "old": "6",
            "new": "9",
            "said": True,
        }
    ]
    folder = write_set(tmp_path / "shop", said, gold)
    part = updates.measure(folder / "messages.jsonl", folder / "gold.json", 0, lambda _: None)
    cues = part.figures["cue words"]
    assert (cues["precision"].value, cues["recall"].value) == (0.5, 1.0)
    assert part.figures["Stet"]["f1"].value == 1.0


@pytest.mark.parametrize("text", ["Actually, make it Friday.", "改成周五吧", "I'd like a different one"])
def test_a_cue_word_is_seen(text: str) -> None:
    assert has_cue(text)
    assert not has_cue("The parcel is on the table. 谢谢")


def test_status_figures_are_those_of_the_confusion() -> None:
    score = EpisodeScore(
        gold=["stands", "stands", "superseded", "doubted"],
        predicted=["stands", "superseded", "superseded", "missing"],
        updates=Counts(2, 1, 1, 1),
        causes=NONE,
        contradicts=NONE,
        forbidden=4,
        forbidden_made=1,
    )
    assert status.confusion(score).tolist() == [[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    found = status.figures([score], 0)
    assert found["accuracy"].value == pytest.approx(2 / 4)
    assert found["found"].value == pytest.approx(3 / 4)
    # stands 2·1/(2+1), doubted 0, superseded 2·1/(1+2)
    assert found["macro F1"].value == pytest.approx((2 / 3 + 0 + 2 / 3) / 3)
    assert found["wrong updates"].value == pytest.approx(1 / 4)
    assert found["updates f1"].value == pytest.approx(2 * 0.5 * 1 / 1.5)


def test_topics_are_scored_by_message() -> None:
    talks = (agreement([0, 0], ["a", "b"]), agreement([0, 0], ["a", "a"]))
    found = topics.figures(Scored("one", talks, NONE), 0)
    assert found["precision"].value == pytest.approx((0.5 + 0.5 + 1 + 1) / 4)
    assert found["recall"].value == 1.0
    assert found["f1"].value == pytest.approx(2 * 0.75 / 1.75)


def test_kept_items_are_a_share_of_those_that_the_history_shows(tmp_path: Path) -> None:
    said = [
        row("draft", 0, "Ola", "Write a poem about herons.", "user"),
        row("draft", 1, "Ola", "It must have twelve lines.", "user"),
        row("draft", 2, "Ola", "And now the poem, please.", "user"),
    ]
    gold = [{"task": "final_state", "subject": "draft", "items": ["poem about herons", "a map of Mars"]}]
    folder = write_set(tmp_path / "draft", said, gold)
    part = next_turn.measure(
        folder / "messages.jsonl", folder / "gold.json", HashingEncoder(), 0, lambda _: None
    )
    assert 0 < part.figures["Stet"]["of tokens"].value <= 1
    assert part.figures["Stet"]["kept"].value in (0.0, 1.0)
    assert next_turn.figures([Kept(shown=4, kept=3, history_tokens=10, context_tokens=4)], 0)[
        "kept"
    ].value == pytest.approx(0.75)


TEXT = "A: The bus was late, so I missed the start.    B: Oh no. Was it cold?"


def talk(*triplets: tuple[str, str, str]) -> dict[str, object]:
    def at(span: str) -> list[int]:
        start = TEXT.index(span)
        return [start, start + len(span)]

    return {
        "id": "bus",
        "utterances": TEXT,
        "triplets": [
            {"relation": relation, "head": head, "tail": tail, "headpos": at(head), "tailpos": at(tail)}
            for relation, head, tail in triplets
        ],
    }


def test_a_dialogue_becomes_messages_whose_places_are_known() -> None:
    found = dialogue(talk(("Causes", "bus was late", "missed the start")))
    assert [(m.speaker, m.content) for m in found.messages] == [
        ("A", "The bus was late, so I missed the start."),
        ("B", "Oh no. Was it cold?"),
    ]
    assert all(TEXT[found.offsets[m.id] :].startswith(m.content) for m in found.messages)


def test_what_motivates_enables_or_obstructs_is_the_source() -> None:
    found = dialogue(
        talk(
            ("ResultIn", "bus", "start"),
            ("MotivatedByGoal", "bus", "start"),
            ("HasPrerequisite", "bus", "start"),
            ("ObstructedBy", "bus", "start"),
            ("IsA", "bus", "start"),
        )
    )
    spans = [(t.kind, TEXT[slice(*t.source)], TEXT[slice(*t.target)]) for t in found.triplets]
    assert spans == [
        ("causes", "bus", "start"),
        ("causes", "start", "bus"),
        ("enables", "start", "bus"),
        ("prevents", "start", "bus"),
    ]


def test_a_cause_is_found_in_its_direction_alone() -> None:
    right = dialogue(talk(("Causes", "bus was late", "missed the start")))
    wrong = dialogue(talk(("Causes", "missed the start", "bus was late")))
    assert [len(causes.by_connectives(one)[1]) for one in (right, wrong)] == [1, 0]
    assert [len(causes.by_graph(one)[1]) for one in (right, wrong)] == [1, 0]
    found = causes.figures([right, wrong], [(1, list(right.triplets)), (3, [])], 0)
    assert (found["recall"].value, found["causes"].value, found["made"].value) == (0.5, 0.5, 2.0)
    assert "enables" not in found


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("I stayed in because it rained.", "it rained", "I stayed in"),
        ("Since it rained, I stayed in.", "it rained", "I stayed in"),
        ("It rained, so I stayed in.", "It rained", "I stayed in"),
        ("It rained. So I stayed in.", "It rained", "I stayed in"),
    ],
)
def test_connectives_link_the_two_sides_of_a_sentence(text: str, cause: str, effect: str) -> None:
    ((source, target),) = links(text)
    assert cause in text[slice(*source)]
    assert effect in text[slice(*target)]


def test_spans_overlap_by_a_character() -> None:
    assert overlaps((0, 3), (2, 5))
    assert not overlaps((0, 3), (3, 5))


def test_old_and_new_are_read_for_updates_alone(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_text(json.dumps([*questions(), {"task": "evidence", "subject": "home", "question": "?",
                    "category": "abstention", "evidence": ["home/1"]}]))  # fmt: skip
    plain, changed = evidence_questions(path, "t")
    assert (plain.subject, plain.old, plain.new) == (HOME, (), ())
    assert (changed.old, changed.new) == (("home/2",), ("home/6",))
