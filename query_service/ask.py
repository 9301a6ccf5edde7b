"""Answering a question with evidence (DESIGN §6): the steps in order, and the answer they make."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from query_service.context import BUDGET, Book, write_context
from query_service.evidence import merge
from query_service.known import EventReader, KnownReader
from query_service.paths import NEAR, Path, Step, walk
from query_service.plan import Plan, make_plan
from query_service.reading import Reading
from query_service.recipe import WHOLE, Recipe
from query_service.score import Parts, Scored, direct, score_paths, similarities
from query_service.seeds import NEWEST_TOPICS, PER_NAME, Seeds, find_seeds
from query_service.standing import Standings, missing_updaters
from query_service.token_counts import TokenCounts
from query_service.unknown_subject import UnknownSubject
from state.graph import GraphReader, Opening, StoredEvent
from state.model import Subject
from state.names import name_words
from state.notes import Encoder, Hit, NoteStore, Vector

TOLD_PATHS = 20
"""Paths that an answer lists; the context is drawn from `CONSIDERED_PATHS`."""
CONSIDERED_PATHS = 30


@dataclass(frozen=True, slots=True)
class PathStep:
    """How two neighbouring events of a path are linked. The edge's fields are None for a shared branch,
    session or topic, which `through` names."""

    via: str
    through: str
    type: str | None
    mode: str | None
    source: str | None
    target: str | None
    confidence: float
    reason: str | None


@dataclass(frozen=True, slots=True)
class AnswerPath:
    """A path of the answer. `sources`: the messages of its events, each once. `valid`: the lowest v on it."""

    events: tuple[str, ...]
    edges: tuple[PathStep, ...]
    score: float
    parts: Parts
    sources: tuple[str, ...]
    valid: float


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """What the answer says of how the question was read."""

    shape: str
    at: datetime
    known_at: datetime | None
    hints: tuple[Mapping[str, datetime | None], ...]
    validity_counts: bool
    paths_first: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The contract of `ask` (DESIGN §7). `evidence` is message ids, best first, each once."""

    qid: str | None
    plan: AnswerPlan
    notes: tuple[Hit, ...]
    paths: tuple[AnswerPath, ...]
    evidence: tuple[str, ...]
    context: str
    tokens: int
    timings_ms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Gathered:
    """An answer with all that it was worked out from. `citable`: the messages that its context names.
    `asked_at`: what counted as now. `hits` and `scored`: the notes and paths that a context is drawn from."""

    answer: Answer
    plan: Plan
    book: Book
    citable: tuple[str, ...]
    asked_at: datetime
    question: str
    hits: tuple[Hit, ...]
    scored: tuple[Scored, ...]


class Asker:
    """Asks the stores of one runtime. Holds no state of its own, so any number of threads may share it."""

    def __init__(
        self,
        reader: GraphReader,
        notes: NoteStore,
        encoder: Encoder,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        recipe: Recipe = WHOLE,
    ) -> None:
        self._reader = reader
        self._notes = notes
        self._encoder = encoder
        self._now = now
        self._recipe = recipe
        self._count = TokenCounts(encoder.count_tokens)

    def ask(
        self,
        subject: Subject,
        question: str,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        budget: int | None = None,
        qid: str | None = None,
    ) -> Answer:
        """The evidence for `question`, in bounded work however long the subject's history is.

        At most 16 round trips of the graph (2 to open, 7 for the seeds, 5 for the walk, 1 for what settled
        events that are out, 1 for messages that only paths reach) and 4 calls of the notes. An earlier
        `known_at` may need more for each read of events (`KnownReader`).

        Raises UnknownSubject, and ValueError for a time without a zone or a budget below 1.
        """
        return self.gather(subject, question, as_of, known_at, budget, qid).answer

    def gather(
        self,
        subject: Subject,
        question: str,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        budget: int | None = None,
        qid: str | None = None,
    ) -> Gathered:
        """As `ask`, with what the answer was worked out from."""
        tokens = _checked(budget, as_of, known_at)
        clock = _Clock()
        opening = self._reader.opening(subject, name_words(question), PER_NAME, NEWEST_TOPICS, 2 * NEAR)
        if opening is None:
            raise UnknownSubject(subject.name)
        newest = opening.newest
        asked_at = max(self._now(), newest)
        plan = make_plan(question, asked_at, as_of, known_at, newest)
        clock.lap("plan")
        events: EventReader = self._reader if known_at is None else KnownReader(self._reader, known_at)
        reading = Reading(self._reader, events, subject)
        seeds, scored = self._found(reading, opening, question, plan, clock)
        book = Book(reading.known, Standings(reading.known, plan.at), seeds.messages, reading.stated)
        evidence = merge(question, seeds.ranked, scored, book, plan, seeds.restated)
        clock.lap("score")
        shown = _shown(reading, evidence, seeds, book)
        context = write_context(
            question, plan, shown[0], scored[:CONSIDERED_PATHS], shown[1], tokens, self._count
        )
        clock.lap("context")
        answer = Answer(
            qid=qid,
            plan=_told_plan(plan),
            notes=seeds.notes,
            paths=tuple(_told_path(one, reading.known) for one in scored[:TOLD_PATHS]),
            evidence=evidence,
            context=context.text,
            tokens=context.tokens,
            timings_ms=clock.laps,
        )
        return Gathered(answer, plan, shown[1], context.sources, asked_at, question, shown[0], scored)

    def context_within(self, gathered: Gathered, budget: int) -> str:
        """The context that the same question would have with another budget, without asking it again."""
        return write_context(
            gathered.question,
            gathered.plan,
            gathered.hits,
            gathered.scored[:CONSIDERED_PATHS],
            gathered.book,
            _checked(budget),
            self._count,
        ).text

    def tokens(self, text: str) -> int:
        """So many tokens as the budget counts them."""
        return self._count(text)

    def _found(
        self, reading: Reading, opening: Opening, question: str, plan: Plan, clock: "_Clock"
    ) -> tuple[Seeds, tuple[Scored, ...]]:
        """The seeds of the question, and all paths from them, best first."""
        vector: Vector = self._encoder.encode([question])[0]
        clock.lap("encode")
        seeds = find_seeds(reading, opening, self._notes, question, vector, plan, self._recipe)
        clock.lap("seeds")
        walked = self._walked(reading, seeds, plan)
        reading.read_events(missing_updaters(reading.known, plan.at))
        clock.lap("paths")
        return seeds, self._scored(reading, seeds, walked, vector, plan)

    def _walked(self, reading: Reading, seeds: Seeds, plan: Plan) -> Sequence[Path]:
        if not self._recipe.paths:
            return ()
        return walk(reading, seeds.events, reading.topics, plan, self._recipe.hierarchy)

    def _scored(
        self, reading: Reading, seeds: Seeds, walked: Sequence[Path], vector: Vector, plan: Plan
    ) -> tuple[Scored, ...]:
        """All paths and the direct evidence, scored. Asks how near the messages are that the dense search
        did not meet."""
        if not self._recipe.paths:
            return ()
        reached = {name for path in walked for name in path.events}
        in_play = {name: reading.known[name] for name in dict.fromkeys([*seeds.events, *sorted(reached)])}
        sources = dict.fromkeys(source for stored in in_play.values() for source in stored.event.sources)
        met = seeds.nearness
        unmet = [source for source in sources if source not in met]
        near = {**met, **self._notes.nearness(reading.subject, vector, unmet)}
        similarity = similarities(in_play, near)
        return score_paths([*walked, *direct(similarity, reached)], in_play, similarity, plan)


def _shown(
    reading: Reading, evidence: Sequence[str], seeds: Seeds, book: Book
) -> tuple[tuple[Hit, ...], Book]:
    """The evidence as notes for the context, and the book with the messages that the graph brought."""
    missing = [name for name in evidence if name not in seeds.messages]
    reading.read_messages(missing)
    brought = {name: reading.messages[name] for name in missing if name in reading.messages}
    scores = {hit.message: hit.score for hit in seeds.notes}
    hits = tuple(Hit(name, scores.get(name, 0.0)) for name in evidence)
    return hits, Book(book.known, book.standing, {**book.messages, **brought}, reading.stated)


def _checked(budget: int | None, *times: datetime | None) -> int:
    """The budget to keep. Raises ValueError where it, or a time, is none that can be asked with."""
    if any(moment is not None and moment.tzinfo is None for moment in times):
        raise ValueError("as_of and known_at need a zone: add Z or an offset")
    if budget is not None and budget < 1:
        raise ValueError("the budget is at least 1 token")
    return BUDGET if budget is None else budget


class _Clock:
    """Milliseconds of each step, rounded to the microsecond."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self._last = now


def _told_plan(plan: Plan) -> AnswerPlan:
    hints = tuple({"start": span.start, "end": span.end} for span in plan.hints)
    return AnswerPlan(plan.shape.value, plan.at, plan.known_at, hints, plan.validity_counts, plan.paths_first)


def _told_path(one: Scored, known: Mapping[str, StoredEvent]) -> AnswerPath:
    sources = dict.fromkeys(s for name in one.path.events for s in known[name].event.sources)
    return AnswerPath(
        one.path.events,
        tuple(_told_step(step) for step in one.path.steps),
        round(one.score, 6),
        one.parts,
        tuple(sources),
        one.valid,
    )


def _told_step(step: Step) -> PathStep:
    edge = step.edge
    if edge is None:
        return PathStep(step.via.value, step.through, None, None, None, None, step.confidence, None)
    mode = edge.mode.value if edge.mode is not None else None
    return PathStep(
        step.via.value, edge.id, edge.type.value, mode, edge.source, edge.target, edge.confidence, edge.reason
    )
