"""The conversations in examples/, which people see first: what stands at their end, and in either form."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from redis import Redis

from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER
from operators.revise import Rules
from operators.rows import rows
from state.graph_store import RedisGraph
from state.model import Message, Role, Subject
from tests.operators.test_revise import flush

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
END = datetime(9999, 1, 1, tzinfo=UTC)


def messages(name: str) -> list[Message]:
    lines = (EXAMPLES / f"support_{name}.jsonl").read_text("utf-8").splitlines()
    return [
        Message(
            subject=Subject(row["tenant"], row["subject"]),
            conversation=row["conversation"],
            id=row["id"],
            role=Role(row["role"]),
            speaker=row["speaker"],
            content=row["content"],
            sent_at=datetime.fromisoformat(row["sent_at"]),
        )
        for row in map(json.loads, lines)
    ]


def validity(name: str) -> dict[str, float]:
    """By the number of the message and the value, how valid each fact is at the end; 1 stands."""
    view = derive(messages(name), DISTILLER, RELATER)
    found = {}
    for event in view.events:
        number = event.sources[-1].rpartition("/")[2]
        value = event.facet.value if event.facet is not None else ""
        found[f"{number} {value}".strip()] = view.timelines[event.id].value(END)
    return found


def test_the_english_order_ends_in_oak_at_mill_lane_on_monday() -> None:
    held = validity("english")
    assert held["3 14 Harbour Street, Bergen"] == 0
    assert held["7 3 Mill Lane, Bergen"] == 1
    assert held["4 Thursday 12 March"] == held["5 Thursday 12 March"] == 0
    assert held["11 Monday 16 March"] == 1
    assert held["5"] == 0.5, "the day off was taken because of the old date"
    assert held["1 oak"] == held["9 walnut"] == held["10 in walnut"] == 0
    assert held["13 oak"] == held["14 in oak"] == 1
    assert held["2 €420"] == 1


def test_the_chinese_order_ends_with_three_boxes_at_the_new_address() -> None:
    held = validity("chinese")
    assert held["1 梧桐路18号"] == held["2 梧桐路18号"] == 0
    assert held["7 青禾路66号"] == 1
    assert held["4 4月5日上午"] == held["5 4月5日上午"] == 0
    assert held["9 4月7日下午"] == 1
    assert held["5 在家办公"] == 0.5
    assert held["4 128元"] == 0
    assert held["12 三箱"] == held["12 192元"] == 1


@pytest.mark.parametrize("name", ["english", "chinese"])
@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("step", [1, -1, 7])
def test_any_arrival_gives_the_view_from_scratch(redis: Redis, name: str, size: int, step: int) -> None:
    redis.flushall()
    said = messages(name)
    order = [(step * i) % len(said) for i in range(len(said))] if len(said) % 7 else list(range(len(said)))
    arriving = [(said[i], n) for n, i in enumerate(order)]
    rules = Rules(DISTILLER, RELATER)
    for at in range(0, len(arriving), size):
        flush(redis, said[0].subject, arriving[at : at + size], rules)
    stored = RedisGraph(redis).everything(said[0].subject)
    assert stored is not None
    wanted = derive(said, DISTILLER, RELATER)
    assert [row.line() for row in rows(stored)] == [row.line() for row in rows(wanted)]
