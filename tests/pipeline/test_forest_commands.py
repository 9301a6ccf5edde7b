"""`stet context` and `stet forest`: what they print, in JSON and at 80 columns, and how they fail."""

import json
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from operators.derive import derive
from pipeline.command_line.failures import Exit
from pipeline.command_line.forest_text import forest_text
from query_service.forest_view import view_forest
from state.memory_reader import MemoryReader
from tests.operators.toy_rules import RULES
from tests.pipeline.command import EXAMPLES, ingest, lines, message, stet
from tests.pipeline.test_command_line import assert_told
from tests.query_service.test_next_turn import MAYA, SAID, ByLetter, told


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundled examples; read, never written."""
    data = tmp_path_factory.mktemp("forest") / "data"
    ingest(b"".join(file.read_bytes() for file in EXAMPLES), data)
    return data


@pytest.fixture(scope="module")
def two_tenants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("two") / "data"
    ingest(lines([message(1), message(1, tenant="globex", content="My address is 1 Fir Lane.")]), data)
    return data


def columns(line: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in line)


class TestContext:
    def test_in_json_has_what_the_contract_names(self, demo: Path) -> None:
        asked = ("context", "maya", "Is the desk in oak?", "--json", "--budget", "2000")
        found = stet(*asked, data=demo).json
        assert found.keys() == {"qid", "decision", "path", "context", "tokens", "timings_ms"}
        assert found["decision"].keys() == {"kind", "reason", "parent", "topic"}
        assert found["decision"]["parent"] in found["path"]
        assert found["path"][0] == found["decision"]["topic"] == "order-5512/1"
        assert "What stands:" in found["context"]
        assert 0 < found["tokens"] <= 2_000

    def test_is_kept_to_the_budget(self, demo: Path) -> None:
        outcome = stet("context", "maya", "Is the desk in oak?", "--json", "--budget", "30", data=demo)
        assert 0 < outcome.json["tokens"] <= 30

    @pytest.mark.parametrize(("subject", "said"), [("maya", "Is the desk in oak?"), ("周晓雯", "苹果几箱？")])
    def test_for_people_says_where_the_message_goes(self, demo: Path, subject: str, said: str) -> None:
        out = stet("context", subject, said, data=demo).out.decode()
        assert "under" in out.splitlines()[0]
        assert "\n- " in out
        assert max(map(columns, out.splitlines())) <= 80

    def test_of_a_conversation_that_is_named(self, demo: Path) -> None:
        found = stet("context", "maya", "Hello.", "--conversation", "new", "--json", data=demo).json
        assert (found["decision"]["kind"], found["path"]) == ("new_tree", [])

    def test_changes_nothing(self, demo: Path) -> None:
        before = stet("export", data=demo).out
        stet("context", "maya", "The desk is red now.", data=demo)
        assert stet("export", data=demo).out == before

    def test_of_a_batch_comes_row_by_row_in_order(self, demo: Path) -> None:
        rows = [
            {"subject": "maya", "message": "Is the desk in oak?", "qid": "a", "budget": 40},
            {"subject": "nobody", "message": "Hello.", "qid": "b"},
            {"subject": "周晓雯", "message": "苹果几箱？", "qid": 3, "conversation": "会员-8807"},
            {"subject": "maya", "message": " ", "qid": "d"},
            {"subject": "maya", "message": "Hi", "question": "?", "qid": "e"},
        ]
        stdin = b"".join(json.dumps(row).encode() + b"\n" for row in rows) + b"no JSON\n"
        outcome = stet("context", "--batch", "-", data=demo, stdin=stdin)
        assert outcome.code == 0
        found = outcome.rows
        assert [row["qid"] for row in found] == ["a", "b", 3, "d", "e", None]
        assert ["error" in row for row in found] == [False, True, False, True, True, True]
        assert found[0]["tokens"] <= 40
        assert found[2]["path"]

    def test_is_refused_in_one_line(self, demo: Path, tmp_path: Path) -> None:
        for command in (("context",), ("context", "maya"), ("context", "maya", "Hi", "--batch", "f")):
            assert_told(stet(*command, data=demo), Exit.USAGE, "--batch")
        assert_told(stet("context", "maya", " ", data=demo), Exit.USAGE, "empty")
        assert_told(stet("context", "nobody", "Hi", data=demo), Exit.UNKNOWN, "'nobody'")
        assert_told(stet("context", "maya", "Hi", "--tenant", "x", data=demo), Exit.UNKNOWN)
        assert_told(stet("context", "--batch", str(tmp_path / "none"), data=demo), Exit.NOTHING_READ)
        outcome = stet("context", "--batch", "-", data=demo, stdin=b"no JSON\n")
        assert outcome.code == Exit.NOTHING_READ


class TestForest:
    def test_in_json(self, demo: Path) -> None:
        found = stet("forest", "周晓雯", "--json", data=demo).json
        assert found.keys() == {"subject", "topics", "more", "labels"}
        turns = [turn for topic in found["topics"] for turn in topic["turns"]]
        assert {turn["id"] for turn in turns} == {f"会员-8807/{n}" for n in range(1, 14)}
        assert {turn["move"] for turn in turns} <= {"root", "continue", "branch", "return"}

    @pytest.mark.parametrize("subject", ["maya", "周晓雯"])
    def test_for_people_fits_80_columns(self, demo: Path, subject: str) -> None:
        out = stet("forest", subject, data=demo).out.decode()
        assert max(map(columns, out.splitlines())) <= 80
        assert out.startswith(f"{subject}: ")
        assert "●" in out

    def test_shows_as_many_as_are_asked_for(self, demo: Path) -> None:
        found = stet("forest", "maya", "--topics", "1", "--turns", "2", "--json", data=demo).json
        assert [len(topic["turns"]) for topic in found["topics"]] == [2]

    def test_is_refused_in_one_line(self, demo: Path, two_tenants: Path) -> None:
        assert_told(stet("forest", "nobody", data=demo), Exit.UNKNOWN, "'nobody'")
        assert_told(stet("forest", "ann", data=two_tenants), Exit.USAGE, "--tenant")
        ours = stet("forest", "ann", "--tenant", "acme", data=two_tenants).out.decode()
        assert "Fir Lane" not in ours

    def test_draws_branches_returns_and_mentions(self) -> None:
        view = view_forest(
            MemoryReader([derive(told(SAID), RULES.distiller, RULES.relater, ByLetter())]), MAYA
        )
        assert view is not None
        assert forest_text(view).splitlines() == [
            "maya: 3 topics, latest first",
            "",
            "C: Does the barn (A) have heating?  (c, 1 turn)",
            "  ● Maya: C: Does the barn (A) have heating? → A: I want to plan a garden party…",
            "  │    [c/6]",
            "",
            "A: I want to plan a garden party…  (c, 4 turns)",
            "  ● Maya: A: I want to plan a garden party for 40 guests.  [c/0]",
            "  ├─● Maya: A+: Alternatively we meet in the barn.  [c/5]",
            "  │ Maya: A: Please order the small tent.  [c/1]",
            "  ↩ Maya: A: The number of guests is now 60.  [c/4]",
            "",
            "B: My bicycle has a flat tyre.  (c, 2 turns)",
            "  ● Maya: B: My bicycle has a flat tyre.  [c/2]",
            "  │ Maya: B: Please book the repair for Monday.  [c/3]",
            "",
            "● opens a topic, ├─● a branch; ↩ comes back to it; → mentions another",
        ]

    def test_draws_a_branch_of_a_turn_that_is_not_shown_and_says_how_many_are_not(self) -> None:
        texts = (*(f"A: shelf {n} of oak" for n in range(5)), "A+: shelf of pine", "A: or of ash")
        view = view_forest(
            MemoryReader([derive(told(texts), RULES.distiller, RULES.relater, ByLetter())]), MAYA, turns=2
        )
        assert view is not None
        drawn = forest_text(view)
        assert (
            "  … 5 earlier turns\n  ├─● Maya: A+: shelf of pine  [c/5]\n  │ Maya: A: or of ash  [c/6]"
            in drawn
        )

    def test_no_line_is_wider_than_the_terminal(self) -> None:
        texts = ("A: see https://example.org/" + "x" * 200, *(f"A+: 又{'长' * 90} {n}" for n in range(6)))
        view = view_forest(
            MemoryReader([derive(told(texts), RULES.distiller, RULES.relater, ByLetter())]), MAYA
        )
        assert view is not None
        drawn = forest_text(view)
        assert max(map(columns, drawn.splitlines())) <= 80
        assert drawn.count("x") >= 200

    def test_what_would_steer_a_terminal_is_escaped(self) -> None:
        texts = ("A: \x1b[2J red \u202e wine", "A: so it is")
        view = view_forest(
            MemoryReader([derive(told(texts), RULES.distiller, RULES.relater, ByLetter())]), MAYA
        )
        assert view is not None
        assert "\x1b" not in forest_text(view)
        assert "\u202e" not in forest_text(view)
