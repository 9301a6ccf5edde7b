"""Answers questions with what a model once drew of a conversation (`recorded` of the labelled conversations).

    chat.always = Says(RecordedModel(folder / "conv-26.json.gz"))

The recording names no messages. So each of its events is told of the turn of its day and of one of its people
that shares most words with it, as that turn's sentence; and its edges between such events are told where the
pair is asked about. That makes it a model that finds some things, misses some, and is often wrong.
"""

import gzip
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.servers.chat_replies import Asked

_WORD = re.compile(r"[a-z']{3,}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_SHARED = 2
_RELATIONS = frozenset({"updates", "contradicts", "causes", "enables", "prevents"})


class RecordedModel:
    """One conversation's recording, as a function of a request; it keeps under which words it told what."""

    def __init__(self, path: Path) -> None:
        recorded = json.loads(gzip.decompress(path.read_bytes()))
        self._of_day: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for event in recorded["events"]:
            self._of_day[event["time_anchor"][:10]].append(event)
        self._edges = {
            (edge["source"], edge["target"]): edge["type"]
            for edge in recorded["edges"]
            if edge["type"] in _RELATIONS
        }
        self._told: dict[str, str] = {}

    def __call__(self, asked: Asked) -> str:
        statements = {record["s"]: record["says"] for record in asked.records if "s" in record}
        if statements:
            return json.dumps({"pairs": self._pairs(statements, asked.records)})
        return json.dumps({"turns": self._turns([r for r in asked.records if r.get("read")])})

    def _turns(self, turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
        told: dict[str, list[dict[str, Any]]] = {turn["m"]: [] for turn in turns}
        for day in {turn["at"][4:14] for turn in turns}:
            for event in self._of_day[day]:
                said = [t for t in turns if t["at"][4:14] == day and t["by"] in event["participants"]]
                best = max(said, key=lambda turn: _shared(turn["text"], event), default=None)
                if best and _shared(best["text"], event) >= _SHARED:
                    told[best["m"]].append(self._event(best["text"], event))
        return [{"turn": label, "events": events} for label, events in told.items()]

    def _event(self, text: str, event: dict[str, Any]) -> dict[str, Any]:
        quote = max(_SENTENCE.split(text), key=lambda sentence: _shared(sentence, event))
        self._told[quote] = event["id"]
        act = "change" if event["type"] == "state_change" else "state"
        return {"quote": quote, "type": event["type"], "act": act, "thing": event["participants"][0]}

    def _pairs(self, statements: dict[str, str], records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        pairs = [(r["later"], earlier) for r in records if "later" in r for earlier in r["earlier"]]
        told = []
        for later, earlier in pairs:
            ends = self._told.get(statements[later], ""), self._told.get(statements[earlier], "")
            kind = self._edges.get(ends)
            backwards = self._edges.get(ends[::-1])
            if kind or backwards:
                told.append(_pair(later, earlier, kind or str(backwards), "later" if kind else "earlier"))
        return told


def _pair(later: str, earlier: str, kind: str, source: str) -> dict[str, Any]:
    mode = "replaces" if kind == "updates" else None
    return {
        "later": later, "earlier": earlier, "type": kind, "source": source, "mode": mode,
        "confidence": 0.8, "reason": "recorded",
    }  # fmt: skip


def _shared(text: str, event: dict[str, Any]) -> int:
    names = {name.lower() for name in event["participants"]}
    words = set(_WORD.findall(event["state_change"].lower())) - names
    return len(words & set(_WORD.findall(text.lower())))
