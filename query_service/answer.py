"""Answering a question in words, by a model, from the evidence that `ask` finds (DESIGN §6.6).

What holds is not left to the model: which of the facts named are out of date, and who denies whom, is worked
out from the graph and told beside its words; and what it cites is held against the context.
"""

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, ConfigDict, ValidationError

from operators.llm.ask import Ask
from operators.llm.caller import Caller
from operators.llm.purpose import Purpose
from operators.llm.refusal import Refusal, Refused, ignored
from query_service.answer_ask import Reply, answer_ask, answer_key, not_told, shown_in
from query_service.ask import AnswerPlan, Asker, Gathered
from query_service.citations import checked
from query_service.disagreement import Disagreement
from query_service.findings import Findings, findings, with_answer
from query_service.premise import Outdated
from query_service.reply_stream import ReplyStream
from state.ledger import Ledger, Remembered
from state.model import Subject

CITATIONS_DROPPED = "citations_dropped"
"""A remark: the model cited messages that its context does not name, and these citations were taken out."""
UNCITED = "uncited"
"""A remark: the model says something and cites no message for it."""
OUTDATED_VALUE = "outdated_value"
"""A remark: the model gives a value as if it held though it no longer does; `outdated` has it."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model, and where its answers are kept. `refused` counts what of an answer was not taken over, and
    `recalled` each answer that was remembered."""

    caller: Caller
    ledger: Ledger
    refused: Refused = ignored
    recalled: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about one subject, as `Asker.ask` takes it."""

    subject: Subject
    question: str
    as_of: datetime | None = None
    known_at: datetime | None = None
    budget: int | None = None
    qid: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """The contract of `answer`.

    `citations` are ids of messages that the context names, in the order of the text. `outdated` and
    `disagreements` are worked out from the graph, whatever the model says; `remarks` are codes of what is to
    be known of its words. `tokens` are counted as the budget's. `remembered` is whether no model was asked:
    the same was asked before of the same evidence, or there is none.
    """

    qid: str | None
    plan: AnswerPlan
    answer: str
    citations: tuple[str, ...]
    abstained: bool
    outdated: tuple[Outdated, ...]
    disagreements: tuple[Disagreement, ...]
    remarks: tuple[str, ...]
    context: str
    tokens: Mapping[str, int]
    model: str
    remembered: bool
    timings_ms: Mapping[str, float]


class _Kept(BaseModel):
    """A reply as the ledger keeps it: what the check left of it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    answer: str
    citations: list[str]
    abstained: bool
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with its evidence, and what the model is asked."""

    inquiry: Inquiry
    gathered: Gathered
    found: Findings
    ask: Ask[Reply]
    key: str


class Answerer:
    """Answers from the stores that `asker` asks, by `model`. Any number of threads may share it."""

    def __init__(self, asker: Asker, model: Model) -> None:
        self._asker = asker
        self._model = model

    def answer(self, inquiry: Inquiry) -> WrittenAnswer:
        """The answer in words. One call to the model, or two where the first reply cannot be used; none where
        the same was asked before of the same evidence, or where there is none.

        Raises what `Asker.ask` raises, and CallFailed (BudgetSpent is one).
        """
        asked = self._asked(inquiry)
        kept = self._kept(asked)
        if kept is not None:
            return self._written(asked, kept, None)
        begun = time.perf_counter()
        reply = self._model.caller.ask(inquiry.subject.tenant, asked.ask)
        return self._written(asked, self._remembered(asked, reply), begun)

    def stream(self, inquiry: Inquiry) -> Generator[str | WrittenAnswer, None, None]:
        """As `answer`: the text in pieces as the model writes it, and at the end the answer, checked.

        That answer's text is the one that counts: what is cited wrongly is in the pieces and not in it, and
        where the pieces make no reply the model is asked once more. Closing the iterator ends the call.
        """
        asked = self._asked(inquiry)
        kept = self._kept(asked)
        if kept is not None:
            yield kept.answer
            yield self._written(asked, kept, None)
            return
        begun = time.perf_counter()
        tenant, reading = inquiry.subject.tenant, ReplyStream()
        pieces = self._model.caller.stream(tenant, asked.ask)
        try:
            for piece in pieces:
                if text := reading.take(piece):
                    yield text
        finally:
            # One that is only dropped keeps its connection until it is collected.
            if isinstance(pieces, Generator):
                pieces.close()
        reply = reading.reply() or self._model.caller.ask(tenant, asked.ask)
        yield self._written(asked, self._remembered(asked, reply), begun)

    def _asked(self, inquiry: Inquiry) -> _Asked:
        gathered = self._asker.gather(
            inquiry.subject,
            inquiry.question,
            as_of=inquiry.as_of,
            known_at=inquiry.known_at,
            budget=inquiry.budget,
            qid=inquiry.qid,
        )
        found = findings(inquiry.question, gathered)
        ask = answer_ask(inquiry.question, gathered, found)
        return _Asked(inquiry, gathered, found, ask, answer_key(self._model.caller.model, ask))

    def _kept(self, asked: _Asked) -> _Kept | None:
        """The answer that is known without the model, if there is one."""
        if not asked.gathered.citable:
            return _Kept(answer=not_told(asked.inquiry.question), citations=[], abstained=True, remarks=[])
        held = self._model.ledger.read(asked.inquiry.subject, [asked.key]).get(asked.key)
        if held is None:
            return None
        try:
            kept = _Kept.model_validate_json(held.text)
        except ValidationError:
            self._model.refused(Refusal.UNREADABLE)
            return None
        self._model.recalled()
        return kept

    def _remembered(self, asked: _Asked, reply: Reply) -> _Kept:
        """What the check leaves of a reply, stored before it is used."""
        kept = self._checked(asked, reply)
        ask = asked.ask
        held = Remembered(Purpose.ANSWER, self._model.caller.model, ask.prompt.id, kept.model_dump_json())
        shown = {asked.key: shown_in(asked.gathered, asked.found)}
        self._model.ledger.remember_since(asked.inquiry.subject, {asked.key: held}, 0, shown)
        return kept

    def _checked(self, asked: _Asked, reply: Reply) -> _Kept:
        found = checked(reply.answer, reply.citations, asked.gathered.citable)
        text = found.text or not_told(asked.inquiry.question)
        abstained = reply.abstained or not found.text
        remarks = []
        if found.unknown:
            self._model.refused(Refusal.CITES_OUTSIDE)
            remarks.append(CITATIONS_DROPPED)
        if not found.cited and not abstained:
            remarks.append(UNCITED)
        return _Kept(answer=text, citations=list(found.cited), abstained=abstained, remarks=remarks)

    def _written(self, asked: _Asked, kept: _Kept, begun: float | None) -> WrittenAnswer:
        """The answer with what the graph says of it. `begun` is when the model was asked, if it was."""
        evidence = asked.gathered.answer
        said = "" if kept.abstained else kept.answer
        told = with_answer(asked.found, said, kept.citations, asked.gathered)
        fresh = [OUTDATED_VALUE] if len(told.outdated) > len(asked.found.outdated) else []
        timings = dict(evidence.timings_ms)
        if begun is not None:
            timings["model"] = round((time.perf_counter() - begun) * 1000, 3)
        return WrittenAnswer(
            qid=asked.inquiry.qid,
            plan=evidence.plan,
            answer=kept.answer,
            citations=tuple(kept.citations),
            abstained=kept.abstained,
            outdated=tuple(told.outdated.values()),
            disagreements=told.disagreements,
            remarks=(*kept.remarks, *fresh),
            context=evidence.context,
            tokens={"context": evidence.tokens, "answer": self._asker.tokens(kept.answer)},
            model=self._model.caller.model,
            remembered=begun is None,
            timings_ms=timings,
        )
