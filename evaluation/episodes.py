"""Scores a derived graph against short conversations whose facts, changes and causes are labelled."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluation.corpus import message
from evaluation.gold_file import gold_rows
from evaluation.score import NONE, Counts, macro_f1, ratio
from operators.derive import derive
from operators.distill.interface import Distiller
from operators.relate.interface import Relater
from operators.relate.words import words
from state.graph import SubjectView
from state.model import Edge, EdgeType, Event

END = datetime(9999, 1, 1, tzinfo=UTC)
STATUSES = ("stands", "doubted", "superseded")
MISSING = "missing"
CAUSAL = (EdgeType.CAUSES, EdgeType.ENABLES, EdgeType.PREVENTS)
_ENOUGH = 0.5
"""The share of a fact's value that an event must say to be taken for it."""


@dataclass(slots=True)
class EpisodeScore:
    """Sums over episodes. `gold` and `predicted` are the facts' statuses side by side."""

    gold: list[str] = field(default_factory=list)
    predicted: list[str] = field(default_factory=list)
    updates: Counts = NONE
    causes: Counts = NONE
    contradicts: Counts = NONE
    forbidden: int = 0
    forbidden_made: int = 0
    events: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, other: "EpisodeScore") -> None:
        """Adds another episode's sums to this one."""
        self.gold += other.gold
        self.predicted += other.predicted
        self.updates += other.updates
        self.causes += other.causes
        self.contradicts += other.contradicts
        self.forbidden += other.forbidden
        self.forbidden_made += other.forbidden_made
        self.events += other.events
        self.errors += other.errors

    @property
    def found(self) -> float | None:
        return ratio(sum(p != MISSING for p in self.predicted), len(self.predicted))

    @property
    def accuracy(self) -> float | None:
        return ratio(sum(g == p for g, p in zip(self.gold, self.predicted, strict=True)), len(self.gold))

    @property
    def accuracy_of_found(self) -> float | None:
        pairs = [(g, p) for g, p in zip(self.gold, self.predicted, strict=True) if p != MISSING]
        return ratio(sum(g == p for g, p in pairs), len(pairs))

    @property
    def macro(self) -> float:
        return macro_f1(self.gold, self.predicted, STATUSES)

    @property
    def forbidden_rate(self) -> float | None:
        return ratio(self.forbidden_made, self.forbidden)


def score_episodes(path: Path, distiller: Distiller, relater: Relater) -> dict[str, EpisodeScore]:
    """Scores by language, and `all`. A fact that no event says is `missing`, and wrong."""
    scores = {"all": EpisodeScore()}
    for language, score in each_episode(path, distiller, relater):
        scores["all"].add(score)
        scores.setdefault(language, EpisodeScore()).add(score)
    return scores


def each_episode(path: Path, distiller: Distiller, relater: Relater) -> Iterator[tuple[str, EpisodeScore]]:
    """Each episode's language and score."""
    for episode in gold_rows(path):
        view = derive(map(message, episode["messages"]), distiller, relater)
        yield episode["lang"], Judge(episode, view).score()


class Judge:
    """One episode's gold beside the view that was derived of it."""

    def __init__(self, episode: Mapping[str, Any], view: SubjectView) -> None:
        self.name: str = episode["id"]
        self.view = view
        self.gold: Mapping[str, Any] = episode["gold"]
        self.text: dict[str, str] = {m["id"]: m["content"] for m in episode["messages"]}
        self.facts: dict[str, Mapping[str, Any]] = {f["key"]: f for f in self.gold["facts"]}
        self.says = {k: {f["message"], *f.get("also", ())} for k, f in self.facts.items()}
        self.events = {e.id: e for e in view.events}
        self.stated = _by_message(view.events)
        self.told = {k: self._events_of(f) for k, f in self.facts.items()}

    def score(self) -> EpisodeScore:
        """All figures of this episode."""
        score = EpisodeScore(events=len(self.events))
        self._statuses(score)
        self._updates(score)
        score.causes = self._causes(score)
        score.contradicts = self._contradictions(score)
        return score

    def _events_of(self, fact: Mapping[str, Any]) -> list[Event]:
        """The events that say a fact: of its own message first, the best match in front."""
        ranked = []
        for rank, source in enumerate([fact["message"], *fact.get("also", ())]):
            for event in self.stated.get(source, ()):
                likeness = alike(fact, event)
                if likeness[0] >= _ENOUGH:
                    ranked.append((rank > 0, tuple(-x for x in likeness), event.place, event))
        return [row[-1] for row in sorted(ranked, key=lambda row: row[:3])]

    def _statuses(self, score: EpisodeScore) -> None:
        for key, fact in self.facts.items():
            wanted = self.gold["final"][key]
            told = self.told[key]
            got = self._status(told[0]) if told else MISSING
            score.gold.append(wanted)
            score.predicted.append(got)
            if got != wanted:
                stated = [f"{e.act} {e.facet}" for m in [fact["message"]] for e in self.stated.get(m, ())]
                score.errors.append(
                    f"{self.name} {key} {wanted}, got {got}: {fact['entity']} | {fact['attribute']} | "
                    f"{fact['value']}  ⟵ {self.text[fact['message']]}\n      events: {stated}"
                )

    def _status(self, event: Event) -> str:
        value = self.view.timelines[event.id].value(END)
        return "stands" if value == 1 else "superseded" if value == 0 else "doubted"

    def _updates(self, score: EpisodeScore) -> None:
        back = closure(self.gold["updates"])
        right = {
            (a, b)
            for new, olds in back.items()
            for old in olds
            for a in self.says[new]
            for b in (*self.says[old], self.facts[old].get("value_in"))
        }
        forbidden = {tuple(pair) for pair in self.gold["must_not_update"]}
        made: dict[tuple[str, str], Edge] = {}
        for edge in self.view.edges:
            if edge.type is EdgeType.UPDATES:
                made[(self._message(edge.source), self._message(edge.target))] = edge
        recalled = 0
        for update in self.gold["updates"]:
            pairs = {(a, b) for a in self.says[update["new"]] for b in self.says[update["old"]]}
            if pairs & made.keys():
                recalled += 1
            else:
                score.errors.append(
                    f"{self.name} missed update ({update['mode']}): "
                    f"{self._fact(update['new'])} → {self._fact(update['old'])}"
                )
        hit = sum(pair in right for pair in made)
        score.updates = Counts(len(made), len(self.gold["updates"]), hit, recalled)
        score.forbidden = len(forbidden)
        for pair, edge in made.items():
            if pair in forbidden:
                score.forbidden_made += 1
            if pair not in right:
                name = "FORBIDDEN" if pair in forbidden else "extra"
                score.errors.append(f"{self.name} {name} update [{edge.reason}]: {self._ends(edge)}")

    def _causes(self, score: EpisodeScore) -> Counts:
        """`causes` and `enables` count alike: both carry doubt, and people label them alike."""
        made = [
            e for e in self.view.edges if e.type in (EdgeType.CAUSES, EdgeType.ENABLES, EdgeType.PREVENTS)
        ]
        right: set[str] = set()
        recalled = 0
        for cause in self.gold["causes"]:
            sources = {e.id for e in self.told[cause["source"]]}
            targets = {e.id for e in self.told[cause["target"]]}
            kind = [e for e in made if (e.type is EdgeType.PREVENTS) == (cause["type"] == "prevents")]
            found = {e.id for e in kind if e.source in sources and e.target in targets}
            right |= found
            recalled += bool(found)
            if not found:
                ends = f"{self._fact(cause['source'])} → {self._fact(cause['target'])}"
                score.errors.append(f"{self.name} missed {cause['type']}: {ends}")
        for edge in made:
            if edge.id not in right:
                score.errors.append(f"{self.name} extra {edge.type}: {self._ends(edge)}")
        return Counts(len(made), len(self.gold["causes"]), sum(e.id in right for e in made), recalled)

    def _contradictions(self, score: EpisodeScore) -> Counts:
        made = [e for e in self.view.edges if e.type is EdgeType.CONTRADICTS]
        right: set[str] = set()
        recalled = 0
        for a, b in self.gold["contradicts"]:
            pairs = {frozenset((x.id, y.id)) for x in self.told[a] for y in self.told[b]}
            found = {e.id for e in made if frozenset((e.source, e.target)) in pairs}
            right |= found
            recalled += bool(found)
            if not found:
                score.errors.append(f"{self.name} missed contradicts: {self._fact(a)} ↔ {self._fact(b)}")
        for edge in made:
            if edge.id not in right:
                score.errors.append(f"{self.name} extra contradicts: {self._ends(edge)}")
        return Counts(len(made), len(self.gold["contradicts"]), sum(e.id in right for e in made), recalled)

    def _message(self, event: str) -> str:
        return self.events[event].sources[-1]

    def _fact(self, key: str) -> str:
        fact = self.facts[key]
        return f"{fact['entity']}|{fact['attribute']}|{fact['value']} ({fact['message'].rpartition('/')[2]})"

    def _ends(self, edge: Edge) -> str:
        return f"{_brief(self.events[edge.source])} → {_brief(self.events[edge.target])}"


def _brief(event: Event) -> str:
    facet = event.facet
    said = f"{facet.entity}|{facet.attribute}|{facet.value}" if facet else event.description
    return f"{event.sources[-1].rpartition('/')[2]} {event.act} {said}"


def _by_message(events: Iterable[Event]) -> dict[str, list[Event]]:
    grouped: dict[str, list[Event]] = {}
    for event in events:
        grouped.setdefault(event.sources[-1], []).append(event)
    return grouped


def pieces(text: str) -> frozenset[str]:
    """A text's content words; of Chinese, its pairs of neighbouring characters."""
    found: set[str] = set()
    for term in words(text).terms:
        if "\u3400" <= term[0] <= "\u9fff":
            found.update(term[i : i + 2] for i in range(len(term) - 1))
            if len(term) == 1:
                found.add(term)
        else:
            found.add(term)
    return frozenset(found)


def alike(fact: Mapping[str, Any], event: Event) -> tuple[float, float, float]:
    """How much of a fact an event says: the share of its value (in the event's value or, counting a little
    less, in its description), then of its entity and attribute."""
    value = pieces(fact["value"])
    facet = event.facet
    named = pieces(f"{facet.entity} {facet.attribute}") if facet else frozenset[str]()
    stated = pieces(facet.value) if facet else frozenset[str]()
    described = pieces(event.description)
    return (
        max(_share(value, stated), 0.9 * _share(value, described | stated)),
        _share(pieces(f"{fact['entity']} {fact['attribute']}"), named | described),
        _share(stated, value),
    )


def _share(wanted: frozenset[str], got: frozenset[str]) -> float:
    return len(wanted & got) / len(wanted) if wanted else 0.0


def closure(updates: Sequence[Mapping[str, str]]) -> dict[str, set[str]]:
    """By fact, all that it leaves behind, directly or through others: on A ← B ← C, C → A is right too."""
    back: dict[str, set[str]] = {}
    for update in updates:
        back.setdefault(update["new"], set()).add(update["old"])
    for _ in updates:
        for olds in back.values():
            olds |= {far for near in olds for far in back.get(near, ())}
    return back
