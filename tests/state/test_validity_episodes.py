"""The calculus against the public episodes' own statuses, at every time and after deletions."""

import importlib.util
import json
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from state.model import Edge, EdgeType
from state.ordering import time_key
from state.validity import Stated, evaluate
from tests.state.histories import causes, edge, replaces, withdraws

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "episodes"

pytestmark = pytest.mark.skipif(
    not (DATA / "gold.jsonl").exists(), reason=f"the public episodes are not in {DATA}"
)


@pytest.fixture(scope="module")
def gold() -> ModuleType:
    spec = importlib.util.spec_from_file_location("episode_check", DATA / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def episodes() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / "gold.jsonl").read_text(encoding="utf-8").splitlines()]


def graph(
    gold: ModuleType, episode: dict[str, Any], drop: tuple[str, ...]
) -> tuple[list[Stated], list[Edge]]:
    begins = gold.timeline(episode, drop)
    # the gold admits an update only between statements of unlike times, so a place is the time alone
    events = [Stated(k, time_key(told), told, holds) for k, (told, holds) in begins.items()]
    make = {"replaces": replaces, "withdraws": withdraws}
    edges = [make[u["mode"]](u["new"], u["old"]) for u in episode["gold"]["updates"]]
    edges += [edge(EdgeType(c["type"]), c["source"], c["target"]) for c in episode["gold"]["causes"]]
    return events, edges


def statuses(events: list[Stated], edges: list[Edge], at: datetime) -> dict[str, str]:
    words = {0.0: "superseded", 1.0: "stands"}
    timelines = evaluate(events, edges)
    return {e: words.get(t.value(at), "doubted") for e, t in timelines.items() if t.valid_from <= at}


def moments(gold: ModuleType, events: list[Stated]) -> list[datetime]:
    told = {t for e in events for t in (e.stated_at, e.valid_from)}
    return sorted({t + timedelta(seconds=s) for t in told for s in (-1, 0, 1)} | {gold.END})


def test_every_status_at_every_time(gold: ModuleType, episodes: list[dict[str, Any]]) -> None:
    seen = set()
    for episode in episodes:
        events, edges = graph(gold, episode, ())
        for at in moments(gold, events):
            found = statuses(events, edges, at)
            assert found == gold.statuses(episode, at), (episode["id"], at)
            seen |= set(found.values())
        assert statuses(events, edges, gold.END) == episode["gold"]["final"]
    assert seen == {"stands", "doubted", "superseded"}


def test_every_status_after_deleting_messages(gold: ModuleType, episodes: list[dict[str, Any]]) -> None:
    for episode in episodes:
        ids = [m["id"] for m in episode["messages"]]
        drops = [(m,) for m in ids] + list(zip(ids, ids[2:], strict=False))
        for drop in drops:
            events, edges = graph(gold, episode, drop)
            for at in moments(gold, events):
                assert statuses(events, edges, at) == gold.statuses(episode, at, drop), (
                    episode["id"],
                    drop,
                    at,
                )


def test_doubt_reaches_the_end_of_a_chain(gold: ModuleType) -> None:
    """The episodes' chains are short; this one is as long as doubt travels, and one longer."""
    start = gold.END.replace(year=2026)
    chain = [start + timedelta(seconds=i) for i in range(7)]
    sent = [{"id": str(i), "sent_at": t.strftime("%Y-%m-%dT%H:%M:%SZ")} for i, t in enumerate(chain)]
    episode = {
        "messages": sent,
        "gold": {
            "facts": [{"key": f"f{m['id']}", "message": m["id"]} for m in sent],
            "updates": [{"new": "f6", "old": "f0", "mode": "replaces"}],
            "causes": [{"source": f"f{i}", "target": f"f{i + 1}", "type": "causes"} for i in range(5)],
        },
    }
    events, edges = graph(gold, episode, ())
    assert statuses(events, edges, gold.END) == gold.statuses(episode)
    assert list(statuses(events, [*edges, causes("f0", "f5")], gold.END).values()).count("doubted") == 5
