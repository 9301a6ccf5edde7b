"""Settles a subject: asks a model about the turns that wait, and works out what its answers change.

It reads the store and the ledger, adds answers to the ledger as they come, and writes nothing of the graph:
that is done by the one who writes the subject. So a settle may run beside it, and may be cut off at any time;
an answer that has come is not asked for again.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from redis.exceptions import RedisError

from operators.answers import AskPairs, AskTurns
from operators.llm.caller import Caller
from operators.llm.endpoint import OnFailure
from operators.llm.failure import CallFailed, Failure
from operators.llm.instead import RULES_INSTEAD
from operators.llm.purpose import Purpose
from operators.model_reader import ModelReader
from operators.questions import MISSING, Question, questions
from operators.revise import Revision, Rules, revise
from state.graph_change import SubjectChange
from state.graph_reads import ReadVersion, fetch
from state.ledger import Ledger, Remembered
from state.model import Subject
from state.ordering import message_of
from state.waiting import Due, Parked, Waiting

GROUP = 20
"""Turns of one question at most."""
_ASKS = 12
"""Questions of one settle beyond which one that failed for good is not cut in halves any more."""
_TOGETHER = frozenset(
    {
        Failure.TOO_LONG,
        Failure.REJECTED,
        Failure.DECLINED,
        Failure.EMPTY,
        Failure.TRUNCATED,
        Failure.MALFORMED,
    }
)
"""Failures that one item may cause for all that are asked about with it."""
_TRIES = 3
"""How often a turn is asked about that might still be answered, before the rules read it where they shall."""
_FIRST, _FIRST_LASTING, _FIRST_UNASKED, _LONGEST = 30.0, 600.0, 5.0, 3600.0
"""Seconds until a parked turn is asked about again; twice as long each time. One that was not asked about,
since its endpoint is left alone just now, is when that is over."""
_HELD = 0.2
"""Seconds between two tries to store an answer while the store is away."""
BROKEN = "broken"
"""Why turns are parked whose revision raised: a fault of ours."""


class Interrupted(Exception):
    """A stop was asked for: what has come is remembered, and the rest is asked about after the next start."""


@dataclass(frozen=True, slots=True)
class Asks:
    """Whom a stream asks, and what it does where it gets no answer.

    `in_flight` subjects are asked about at the same time; a subject whose fewer than `GROUP` turns wait is
    asked about when it was quiet for `quiet` seconds. `by_rules` is told of turns that the rules read in the
    model's place, by the reason why.
    """

    caller: Caller
    in_flight: int = 32
    quiet: float = 60.0
    on_failure: OnFailure = OnFailure.PARK
    refused: Callable[[Purpose, str], None] = lambda purpose, reason: None
    remembered: Callable[[Purpose, int], None] = lambda purpose, answers: None
    by_rules: Callable[[Mapping[str, int]], None] = lambda turns: None


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of it: the change to write, if any, and which turns (message ids) it is about.

    `left` counts the turns that could be asked about at once, beyond these; `parked` those that may not, and
    `next_at` is when the first of them may be (seconds since 1970).
    """

    subject: Subject
    turns: tuple[str, ...]
    revision: Revision | None
    left: int
    next_at: float | None
    parked: int = 0


@dataclass(frozen=True, slots=True)
class Settler:
    """Settles one subject a thread at a time. `rules` are those of the stream; `is_away` says whether an
    error means that the store is away, which passes."""

    client: Any
    asks: Asks
    rules: Rules
    clock: Callable[[], datetime]
    stopping: Callable[[], bool] = lambda: False
    is_away: Callable[[BaseException], bool] = lambda error: False

    def settle(self, subject: Subject, last: bool = False) -> Settled:
        """Asks about the first turns that wait. `last`: nothing will be asked about again soon, so where
        rules shall stand in for a model that fails they do so at once.

        Raises what Redis raises, and Interrupted.
        """
        waiting = Waiting(self.client)
        due = waiting.due(subject, GROUP, self.clock().timestamp())
        if not due.turns:
            return Settled(subject, (), None, 0, due.next_at, due.passed_over)
        turns = tuple(message_of(place) for place in due.turns)
        before = self._version(subject)
        under_way = _UnderWay(self, subject, due, last, before)
        try:
            revision = under_way.revised(turns)
        except (RedisError, Interrupted):
            raise
        except Exception:  # noqa: BLE001 - a fault in one subject's data must not stop the others
            if self._version(subject) != before:  # it was written meanwhile, so what was read is of two minds
                return Settled(subject, turns, None, due.left + len(turns), due.next_at, due.passed_over)
            under_way.failed.update(dict.fromkeys(due.turns, _Why(BROKEN)))
            revision = None
        if revision is not None and not _changes(revision.change):
            revision = None
        next_at = under_way.park(waiting)
        times = [at for at in (due.next_at, next_at) if at is not None]
        parked = due.passed_over + len(under_way.failed)
        return Settled(subject, turns, revision, due.left, min(times, default=None), parked)

    def _version(self, subject: Subject) -> int:
        version = ReadVersion()
        fetch(self.client, [(subject, [version])])
        return version.found


def _changes(change: SubjectChange) -> bool:
    """Whether there is something to write, and not only the same turns that wait as before."""
    answered = change.waiting is not None and change.waiting.removed
    return bool(answered or change.turns or change.events or change.gone_edges or change.new_edges)


@dataclass(frozen=True, slots=True)
class _Why:
    """Why a turn got no answer, and when it may get one."""

    reason: str
    lasting: bool = True
    retry_after: float | None = None

    @property
    def final(self) -> bool:
        """Whether rules that stand in need not wait for another try: the next day is no other try."""
        return self.lasting or self.reason == Failure.BUDGET


@dataclass(slots=True)
class _UnderWay:
    """One settle."""

    by: Settler
    subject: Subject
    due: Due
    last: bool
    version: int
    failed: dict[str, _Why] = field(default_factory=dict)
    """Why turns got no answer, by place."""
    by_rules: dict[str, str] = field(default_factory=dict)
    """Why rules read turns, by place."""
    asked: int = 0

    def revised(self, turns: tuple[str, ...]) -> Revision | None:
        """Revises the turns, asking for what the ledger lacks."""
        by, asks = self.by, self.by.asks
        reader = ModelReader(asks.caller.model, asks.refused)
        rules = Rules(by.rules.distiller, by.rules.relater, by.rules.decider, reader)
        running = revise(self.subject, (), rules, by.clock(), turns)
        try:
            while True:
                reads = next(running)
                fetch(by.client, [(self.subject, reads)])
                for read in reads:
                    if isinstance(read, AskTurns | AskPairs):
                        self._fill(read)
        except StopIteration as finished:
            revision: Revision | None = finished.value
            return revision

    def _fill(self, read: AskTurns | AskPairs) -> None:
        asks = self.by.asks
        if read.found:
            purpose = Purpose.DISTILL if isinstance(read, AskTurns) else Purpose.RELATE
            asks.remembered(purpose, len(read.found))
        for question in questions(read, asks.caller.model, self.by.rules.decider):
            read.found |= self._answered(question)

    def _answered(self, question: Question) -> dict[str, Remembered]:
        """Asks, and gives what is remembered then; notes why items got no answer."""
        if self.by.stopping():
            raise Interrupted
        self.asked += 1
        try:
            answer = self.by.asks.caller.ask(self.subject.tenant, question.ask)
        except CallFailed as failed:
            return self._unanswered(question, failed)
        texts = question.read(answer, lambda reason: self.by.asks.refused(question.purpose, reason))
        left_out = {key: place for key, place in question.places.items() if key not in texts}
        return self._remembered(question, texts, self._given_up(left_out, _Why(MISSING)))

    def _unanswered(self, question: Question, failed: CallFailed) -> dict[str, Remembered]:
        if failed.reason is Failure.CLOSED:
            raise Interrupted from failed
        if failed.reason in _TOGETHER and len(question.places) > 1 and self.asked < _ASKS:
            return {k: text for half in question.halves() for k, text in self._answered(half).items()}
        why = _Why(failed.reason.value, failed.lasting, failed.retry_after)
        return self._remembered(question, {}, self._given_up(question.places, why))

    def _given_up(self, places: Mapping[str, str], why: _Why) -> dict[str, str]:
        """The keys of those of these (place by key) that rules shall read, with why; notes why the others got
        no answer."""
        instead: dict[str, str] = {}
        for key, place in places.items():
            final = self.last or why.final or self._attempts(place) >= _TRIES
            if final and self.by.asks.on_failure is OnFailure.RULES:
                instead[key] = why.reason
            else:
                self.failed[place] = why
        return instead

    def _attempts(self, place: str) -> int:
        """How often the turn will have been asked about in vain."""
        before = self.due.parked.get(message_of(place))
        return 1 + (before.attempts if before else 0)

    def _remembered(
        self, question: Question, texts: Mapping[str, str], instead: Mapping[str, str]
    ) -> dict[str, Remembered]:
        """Stores the answers, and that rules stand in for others, before they are used; gives what stands,
        for another's may be older."""
        model, prompt = self.by.asks.caller.model, question.ask.prompt.id
        every = {**texts, **dict.fromkeys(instead, RULES_INSTEAD)}
        answers = {k: Remembered(question.purpose.value, model, prompt, text) for k, text in every.items()}
        standing = self._stored(question, answers)
        by_rules = {
            question.places[key]: why
            for key, why in instead.items()
            if key in standing and standing[key].text == RULES_INSTEAD
        }
        fresh = by_rules.keys() - self.by_rules.keys()
        if fresh:
            self.by.asks.by_rules(Counter(by_rules[place] for place in fresh))
        self.by_rules |= by_rules
        return standing

    def _stored(self, question: Question, answers: Mapping[str, Remembered]) -> dict[str, Remembered]:
        ledger = Ledger(self.by.client)
        while True:
            try:
                return ledger.remember_since(self.subject, answers, self.version, question.shown)
            except RedisError as error:  # held until the store is back: it was paid for
                if not self.by.is_away(error) or self.by.stopping():
                    raise
            time.sleep(_HELD)

    def park(self, waiting: Waiting) -> float | None:
        """Parks what got no answer; when the first of it may be asked about again."""
        now, times = self.by.clock().timestamp(), []
        groups: dict[Parked, list[str]] = {}
        for place, why in self.failed.items():
            parked = self._parked(place, why, now)
            groups.setdefault(parked, []).append(place)
            times.append(parked.not_before)
        for parked, places in groups.items():
            waiting.park(self.subject, places, parked)
        return min(times, default=None)

    def _parked(self, place: str, why: _Why, now: float) -> Parked:
        attempts = self._attempts(place)
        first = _FIRST_LASTING if why.lasting else _FIRST
        if why.reason == Failure.BREAKER_OPEN:
            first = _FIRST_UNASKED
        wait = max(min(_LONGEST, first * 2 ** min(attempts - 1, 8)), why.retry_after or 0)
        return Parked(why.reason, attempts, round(now + wait, 3))
