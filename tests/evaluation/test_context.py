"""What counts as shown, kept and marked, on small made conversations."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evaluation.context import (
    Kept,
    main,
    measure,
    part_of,
    parts_of,
    shows,
    spread,
    superseded_quoted,
)
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER
from state.hashing_encoder import HashingEncoder
from state.lexicon import terms
from state.model import Message, Role, Subject

SAID = (
    "Plan a garden party for 40 guests.",
    "What is the weather like in June?",
    "The delivery address is 4 Elm Road.",
    "The delivery address is now 9 Oak Lane.",
    "What is the plan?",
)
START = datetime(2026, 1, 1, tzinfo=UTC)


def said(texts: tuple[str, ...] = SAID) -> list[Message]:
    subject = Subject("t", "s")
    return [
        Message(subject, "s", f"s/{n}", Role.USER, "User", text, START + timedelta(minutes=n))
        for n, text in enumerate(texts)
    ]


def test_an_item_is_shown_where_enough_of_its_words_are() -> None:
    text = terms("We ordered forty red balloons")
    assert shows(text, "red balloons were ordered")
    assert not shows(text, "red balloons and a cake were eaten")
    assert shows(text, "red balloons and a cake", share=0.6)
    assert not shows(text, "the of and")
    assert shows(terms("红色的气球"), "红色气球", share=0.6)


def test_an_item_is_kept_together_where_no_more_clauses_show_it_than_turns_did() -> None:
    turns = [terms("red balloons"), terms("for the school"), terms("on Monday"), terms("blue chairs")]
    assert spread(turns, "red balloons") == 1
    assert spread(turns, "red balloons school") == 2
    assert spread(turns, "red school Monday chairs") == 3
    assert spread(turns, "green dolphins") is None


def test_a_context_has_the_parts_that_its_lines_tell() -> None:
    context = '- red balloons; for school\n! "red" SUPERSEDED by "blue"\nWhat stands:\n= chairs: "blue"'
    assert parts_of(context) == [terms("red balloons"), terms("for school"), terms("chairs blue")]


def test_the_last_turn_is_asked_about_and_counts_for_neither_side() -> None:
    found = measure(
        said(), ["a garden party", "address 9 Oak Lane", "the plan"], HashingEncoder(), None, 0.75
    )
    assert (found.items, found.shown, found.kept) == (3, 3, 3)
    history = sum(HashingEncoder().count_tokens(f"User: {text}") + 1 for text in SAID[:-1])
    assert found.history_tokens == history
    without = measure(said(), ["dolphins"], HashingEncoder(), None, 0.75)
    assert (without.items, without.shown, without.share_kept) == (1, 0, 1.0)


def test_a_budget_is_a_share_of_the_history() -> None:
    found = measure(said(), ["a garden party"], HashingEncoder(), 0.3, 0.75)
    assert 0 < found.context_tokens <= 0.3 * found.history_tokens
    assert found.recent == 0
    assert measure(said(), ["a garden party"], HashingEncoder(), 1.0, 0.75).recent == 1


def test_a_superseded_value_counts_as_marked_only_by_a_mark_after_it() -> None:
    view = derive(said(), DISTILLER, RELATER)
    at = START + timedelta(days=1)
    quote = "- The delivery address is 4 Elm Road."
    assert list(superseded_quoted(view, quote, at).values()) == [False]
    marked = quote + '\n! "4 Elm Road" SUPERSEDED by "9 Oak Lane"'
    assert list(superseded_quoted(view, marked, at).values()) == [True]
    assert superseded_quoted(view, "- The delivery address is now 9 Oak Lane.", at) == {}


def test_the_halves_are_apart_and_make_the_whole() -> None:
    subjects = [Subject("t", f"s{n}") for n in range(7)]
    dev, test = part_of(subjects, "dev"), part_of(subjects, "test")
    assert not set(dev) & set(test)
    assert sorted(s.name for s in (*dev, *test)) == [s.name for s in part_of(subjects, "all")]


def test_counts_add_up() -> None:
    both = Kept(1, 2, 2, 1, 1, 0, 100, 40) + Kept(1, 3, 2, 2, 1, 1, 100, 50)
    assert (both.conversations, both.cost) == (2, 0.45)
    assert (both.share_kept, both.share_together, both.share_recent) == (0.75, 0.5, 0.25)


def test_the_command_prints_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "ntm"
    folder.mkdir()
    (folder / "gold.json").write_text(json.dumps([{"subject": "s", "items": ["a garden party"]}]))
    rows = [
        {"tenant": "t", "subject": "s", "conversation": "s", "id": m.id, "role": "user", "speaker": "User",
         "content": m.content, "sent_at": m.sent_at.isoformat()}
        for m in said()
    ]  # fmt: skip
    with gzip.open(folder / "messages.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    common = ["--data", str(tmp_path), "--encoder", "hashing", "--part", "all"]
    assert main([*common, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["conversations"], found["shown"]) == (1, 1)
    assert found["cost"] <= 0.45
    main([*common, "--default-budget"])
    assert "kept 1.000" in capsys.readouterr().out
