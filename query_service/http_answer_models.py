"""Questions to be answered in words, and the answers, as they go in and out over HTTP."""

from datetime import datetime
from typing import TYPE_CHECKING

from query_service.http_models import Outgoing, PlanOut, Question

if TYPE_CHECKING:  # a client reads these shapes, and needs nothing of what answers
    from query_service.answer import WrittenAnswer


class QuestionToAnswer(Question):
    """A question to be answered in words; `context` asks for the text that the answer was drawn from too."""

    context: bool = False


class OutdatedOut(Outgoing):
    """A fact that the question or the answer names though it no longer holds. `replaced_by` is null where it
    was withdrawn and nothing holds in its place; `settled_by` are the messages that say so."""

    fact: str
    replaced_by: str | None
    since: datetime | None
    withdrawn: bool
    sources: list[str]
    settled_by: list[str]


class SideOut(Outgoing):
    speaker: str
    fact: str
    stated_at: datetime
    sources: list[str]


class DisagreementOut(Outgoing):
    """Two statements that deny each other and both stand; the earlier first."""

    first: SideOut
    second: SideOut


class WrittenAnswerOut(Outgoing):
    """The answer of `POST /v1/answer`. `context` is null unless it was asked for."""

    qid: str | None
    plan: PlanOut
    answer: str
    citations: list[str]
    abstained: bool
    outdated: list[OutdatedOut]
    disagreements: list[DisagreementOut]
    remarks: list[str]
    context: str | None
    tokens: dict[str, int]
    model: str
    remembered: bool
    timings_ms: dict[str, float]

    @classmethod
    def of(cls, written: "WrittenAnswer", with_context: bool) -> "WrittenAnswerOut":
        told = cls.model_validate(written)
        return told if with_context else told.model_copy(update={"context": None})
