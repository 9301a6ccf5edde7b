"""A distiller that knows the labelled facts: with it, what is wrong in a graph is the relater's doing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.corpus import rows
from operators.distill.interface import Distilled, Link
from state.identity import event_id
from state.model import Act, EdgeType, Event, EventType, Facet, Message
from state.ordering import event_place, message_place

_ACTS = {"replaces": Act.CHANGE, "withdraws": Act.WITHDRAW}


class GoldDistiller:
    """Gives each turn the facts that the gold has for it, and the causes between facts of one turn.

    A fact that the gold lets replace another is a CHANGE, one that withdraws is a WITHDRAW (of the thing as
    a whole, if it withdraws several), any other a plain statement, and so is a restatement (`also`) of a
    change. Which earlier event is meant is left to the relater.
    """

    name = "gold/1"

    def __init__(
        self, gold: Mapping[str, Sequence[Mapping[str, Any]]], golds: Sequence[Mapping[str, Any]]
    ) -> None:
        self._facts = gold
        self._acts = {(g["episode"], u["new"]): _ACTS[u["mode"]] for g in golds for u in g["updates"]}
        taken = Counter(
            (g["episode"], u["new"]) for g in golds for u in g["updates"] if u["mode"] == "withdraws"
        )
        self._whole = {key for key, count in taken.items() if count > 1}
        self._causes = {g["episode"]: g["causes"] for g in golds}
        values: dict[tuple[str, str, str], int] = {}
        for g in golds:
            replaced = {u["old"] for u in g["updates"]} | {u["new"] for u in g["updates"]}
            for f in g["facts"]:
                if f["key"] not in replaced:
                    name = (g["episode"], f["entity"], f["attribute"])
                    values[name] = values.get(name, 0) + 1
        self._lists = {name for name, count in values.items() if count > 1}

    @classmethod
    def read(cls, path: Path) -> "GoldDistiller":
        """From an episodes file."""
        golds = [{"episode": row["id"], **row["gold"]} for row in rows(path)]
        facts: dict[str, list[Mapping[str, Any]]] = {}
        for gold in golds:
            disputed = {key for pair in gold["contradicts"] for key in pair}
            for fact in gold["facts"]:
                for source in (fact["message"], *fact.get("also", ())):
                    own = {**fact, "episode": gold["episode"], "disputed": fact["key"] in disputed}
                    facts.setdefault(source, []).append(own)
        return cls(facts, golds)

    def distill(self, turn: Message, context: Sequence[Message]) -> Distilled:
        """The labelled facts of `turn`."""
        events: dict[str, Event] = {}
        keys: dict[str, str] = {}
        for fact in self._facts.get(turn.id, ()):
            event = self._event(turn, fact, len(events))
            events.setdefault(event.id, event)
            keys[fact["key"]] = event.id
        episode = turn.subject.name
        links = tuple(
            Link(EdgeType(cause["type"]), keys[cause["source"]], keys[cause["target"]], 0.9, "labelled")
            for cause in self._causes.get(episode, ())
            if cause["source"] in keys and cause["target"] in keys
        )
        return Distilled(tuple(events.values()), links)

    def _event(self, turn: Message, fact: Mapping[str, Any], clause: int) -> Event:
        first = fact["message"] == turn.id
        act = self._acts.get((fact["episode"], fact["key"]), Act.STATE)
        if not first and act is Act.CHANGE:
            act = Act.STATE
        whole = act is Act.WITHDRAW and (fact["episode"], fact["key"]) in self._whole
        described = f"{fact['entity']}: {fact['attribute']} is {fact['value']}"
        identity = event_id(turn.subject, [turn.id], described)
        many = (fact["episode"], fact["entity"], fact["attribute"]) in self._lists and not fact["disputed"]
        return Event(
            id=identity,
            type=EventType.ACTION,
            participants=(),
            description=described,
            facet=Facet(fact["entity"], "" if whole else fact["attribute"], fact["value"]),
            occurs=None,
            stated_at=turn.sent_at,
            valid_from=turn.sent_at,
            sources=(turn.id,),
            conversation=turn.conversation,
            speaker=turn.speaker,
            place=event_place(message_place(turn.sent_at, turn.id), clause, identity),
            act=act,
            many=many,
        )
