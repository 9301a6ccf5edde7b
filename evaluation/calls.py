"""How many calls a model costs, counted without one: `python -m evaluation.calls [--data FOLDER] [--json]`.

Over the sessions of the `locomo` conversations:

* the published system: one call to extract, one a new event, and one a gated update candidate, of which an
event has at most 10. Its events are those of the set `recorded`; a candidate is an earlier event whose
participants agree (Jaccard ≥ ½). Its gate also asks for likeness, which is not recorded: so `most` counts all
candidates up to the cap, and `least` none of them.
* Stet: one call to distil up to 20 turns and one to relate what they say, where there are pairs to compare.
The turns are grouped as the stream groups them: 20 that wait, or fewer when the conversation goes quiet.

What Stet's questions weigh is estimated too, at 4 characters a token; the rules stand in for the model, and
draw more events than one does.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from evaluation.corpus import DATA, by_subject, message, rows
from evaluation.stand_in import distill_reply, relate_reply
from operators import gate
from operators.derive import Filed, derive, in_place
from operators.distill.interface import CONTEXT_TURNS
from operators.distill.llm import AskedTurn, distill_ask
from operators.distill.rules import RULES as DISTILLER
from operators.llm.ask import Ask
from operators.relate.llm import PAIRS, pairs_of, relate_ask
from operators.relate.rules import RULES as RELATER
from operators.sessions import cut
from state.model import Event, Message

BATCH = 20
"""Turns of a subject that wait before they are asked about at once."""
CAP = 10
"""Update candidates of one event that the published system asks about."""
QUIETS = (None, 300, 60, 10)
"""Seconds of quiet after which waiting turns are asked about, as the messages were sent; None: only the end
of a session counts, as where they are read from a file or a backlog."""
_CHARACTERS = 4


@dataclass(frozen=True, slots=True)
class Published:
    """What the published system would call on one conversation."""

    sessions: int
    events: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Calls:
    """What Stet calls: for how many messages, in how many groups, and the tokens of both questions and
    answers."""

    messages: int
    distill: int
    relate: int
    asked: int
    answered: int

    @property
    def calls(self) -> int:
        return self.distill + self.relate

    def __add__(self, other: "Calls") -> "Calls":
        mine, its = asdict(self), asdict(other)
        return Calls(**{name: mine[name] + its[name] for name in mine})


NO_CALLS = Calls(0, 0, 0, 0, 0)


def published(graph: Mapping[str, Any]) -> Published:
    """Counts one recorded graph, its events in the order recorded."""
    seen: list[frozenset[str]] = []
    candidates = 0
    for row in graph["events"]:
        people = frozenset(row["participants"])
        candidates += min(CAP, sum(_agree(people, earlier) for earlier in seen))
        seen.append(people)
    sessions, events = len(graph["sessions"]), len(graph["events"])
    return Published(sessions, events, sessions + events, sessions + events + candidates)


def _agree(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return 2 * len(ours & theirs) >= len(ours | theirs) > 0


class Talk:
    """One conversation in place order, with what the rules draw of it."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = in_place(messages)
        self.at = {one.id: number for number, one in enumerate(self.messages)}
        view = derive(self.messages, DISTILLER, RELATER)
        self.filed = Filed(view.events)
        self.events: dict[str, list[Event]] = {}
        for event in sorted(view.events, key=lambda e: e.place):
            self.events.setdefault(event.sources[-1], []).append(event)

    def groups(self, quiet: int | None) -> Iterator[list[Message]]:
        """The turns that are asked about together."""
        for session in cut(self.messages):
            group = [session[0]]
            for before, now in pairwise(session):
                gone_quiet = quiet is not None and now.sent_at - before.sent_at > timedelta(seconds=quiet)
                if gone_quiet or len(group) == BATCH:
                    yield group
                    group = []
                group.append(now)
            yield group

    def calls(self, group: Sequence[Message]) -> Calls:
        """What one group costs."""
        turns = [AskedTurn(one, self._context(one)) for one in group]
        drawn = [event for one in group for event in self.events.get(one.id, ())]
        pairs = [p for event in drawn for p in pairs_of(event, gate.latest_first(self.filed.before(event)))]
        parts = [relate_ask(pairs[at : at + PAIRS]) for at in range(0, len(pairs), PAIRS)]
        distill = distill_ask(turns)
        replies: list[BaseModel] = [distill_reply(distill.content), *(relate_reply(p.content) for p in parts)]
        return Calls(
            messages=len(group),
            distill=1,
            relate=len(parts),
            asked=_weight(distill) + sum(map(_weight, parts)),
            answered=sum(_tokens(one.model_dump_json(exclude_defaults=True)) for one in replies),
        )

    def _context(self, turn: Message) -> tuple[Message, ...]:
        at = self.at[turn.id]
        return tuple(self.messages[max(0, at - CONTEXT_TURNS) : at])


def _weight(ask: Ask[Any]) -> int:
    shape = json.dumps(ask.shape.model_json_schema())
    return sum(map(_tokens, (ask.prompt.text, ask.content, shape)))


def _tokens(text: str) -> int:
    """An estimate: 4 characters of a Latin script, or one ideograph."""
    wide = sum(character >= "\u2e80" for character in text)
    return wide + (len(text) - wide) // _CHARACTERS


def graphs_of(folder: Path) -> list[Mapping[str, Any]]:
    """The recorded graphs. Raises FileNotFoundError where there are none."""
    graphs = []
    for path in sorted((folder / "recorded").glob("*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            graphs.append(json.load(file))
    if not graphs:
        raise FileNotFoundError(f"no such set: {folder / 'recorded'} (give its folder with --data)")
    return graphs


def counted(messages: Iterable[Message]) -> dict[int | None, Calls]:
    """What Stet calls on these messages, by how long a conversation must be quiet."""
    talks = [Talk(group) for group in by_subject(messages).values()]
    return {
        quiet: sum((talk.calls(group) for talk in talks for group in talk.groups(quiet)), NO_CALLS)
        for quiet in QUIETS
    }


def _print(theirs: Sequence[Published], ours: Mapping[int | None, Calls]) -> None:
    sessions = sum(one.sessions for one in theirs)
    least, most = sum(one.least for one in theirs), sum(one.most for one in theirs)
    print(f"{sessions} sessions, {sum(one.events for one in theirs)} events recorded; by session:")
    print(f"{'':24}{'calls':>8}{'fewer than most':>17}{'than least':>12}{'tokens in':>11}{'out':>8}")
    print(f"{'published, most':24}{most / sessions:>8.1f}")
    print(f"{'published, least':24}{least / sessions:>8.1f}")
    for quiet, one in ours.items():
        name = "Stet, by session" if quiet is None else f"Stet, quiet for {quiet} s"
        print(
            f"{name:24}{one.calls / sessions:>8.1f}{most / one.calls:>16.1f}x{least / one.calls:>11.1f}x"
            f"{one.asked / sessions:>11.0f}{one.answered / sessions:>8.0f}"
        )


def main() -> None:
    """The table, on standard output."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.calls")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    theirs = [published(graph) for graph in graphs_of(given.data)]
    ours = counted(map(message, rows(given.data / "locomo" / "messages.jsonl.gz")))
    if given.json:
        stet = {"session" if quiet is None else str(quiet): asdict(calls) for quiet, calls in ours.items()}
        json.dump({"published": [asdict(one) for one in theirs], "stet": stet}, sys.stdout, indent=1)
        return
    _print(theirs, ours)


if __name__ == "__main__":
    main()
