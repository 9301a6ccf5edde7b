"""What a model is asked for an answer, and the key under which its reply is remembered. Pure."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict

from operators.llm.ask import Ask
from operators.llm.prompt import prompt
from operators.llm.purpose import Purpose
from operators.llm.quoted import quoted, quoted_text
from query_service.ask import Gathered
from query_service.citations import checked
from query_service.disagreement import Disagreement
from query_service.findings import Findings
from query_service.premise import Outdated
from state.identity import digest

MOST_TOKENS = 1_000
"""Room for a reply: a long list or history, with its citations."""
NOT_TOLD = "What has been said does not tell."
NOT_TOLD_CHINESE = "已有的对话没有说明这一点。"
_CHINESE = re.compile(r"[\u3400-\u9fff]")


class Reply(BaseModel):
    """What a model replies. The order of the members is the order in which it writes them."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    answer: str
    citations: list[str]
    abstained: bool


def answer_ask(question: str, gathered: Gathered, found: Findings) -> Ask[Reply]:
    """The one call for a question. A reply that cites what the context does not name, or says something
    without citing anything, is asked for again once."""
    parts = [
        f"Kind of question: {gathered.plan.shape.value}. As of: {_asked_time(gathered)} UTC.",
        quoted("question", [{"question": question}]),
    ]
    told = [*map(_told_outdated, found.outdated.values()), *map(_told_disputed, found.disagreements)]
    if told:
        parts.append(quoted("findings", told))
    parts.append(quoted_text("context", _without_time(gathered.answer.context)))
    return Ask(
        purpose=Purpose.ANSWER,
        prompt=prompt("answer"),
        content="\n\n".join(parts),
        shape=Reply,
        most_tokens=MOST_TOKENS,
        check=lambda reply: _faults(reply, gathered.citable),
    )


def answer_key(model: str, ask: Ask[Reply]) -> str:
    """The ledger's key of what `model` replies: it depends on the prompt, the question and its evidence."""
    return f"{Purpose.ANSWER}:" + digest(ask.prompt.id, model, ask.content)


def shown_in(gathered: Gathered, found: Findings) -> frozenset[str]:
    """The messages that the question shows something of: those that its context or its findings name, and all
    others that a fact which one of these states was drawn from."""
    named = set(gathered.citable)
    for fact in found.outdated.values():
        named.update(fact.sources, fact.settled_by)
    for one in found.disagreements:
        named.update(one.first.sources, one.second.sources)
    book = gathered.book
    stated = {event for message in named for event in book.stated.get(message, ())}
    drawn_from = (book.known[event].event.sources for event in stated if event in book.known)
    return frozenset(named.union(*drawn_from))


def not_told(question: str) -> str:
    """The answer where there is no evidence, in the question's language."""
    return NOT_TOLD_CHINESE if _CHINESE.search(question) else NOT_TOLD


def _asked_time(gathered: Gathered) -> str:
    """Only the day, where "now" is asked about: asked again on that day it is the same to the ledger."""
    at = gathered.plan.at.astimezone(UTC)
    return at.isoformat(" ", "minutes")[: 10 if gathered.plan.at == gathered.asked_at else 16]


def _without_time(context: str) -> str:
    """The context without its first line, which gives the time to the minute."""
    first, _, rest = context.partition("\n")
    return rest if first.startswith("As of ") else context


def _told_outdated(one: Outdated) -> dict[str, object]:
    told: dict[str, object] = {"out_of_date": one.fact, "withdrawn": one.withdrawn}
    told |= {"replaced_by": one.replaced_by, "since": _stamp(one.since)}
    return told | {"told_in": [*one.sources, *one.settled_by]}


def _told_disputed(one: Disagreement) -> dict[str, object]:
    return {
        "disputed": [
            {"who": side.speaker, "says": side.fact, "on": _stamp(side.stated_at), "told_in": side.sources}
            for side in (one.first, one.second)
        ]
    }


def _stamp(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(" ", "minutes")[:16] if moment is not None else None


def _faults(reply: Reply, citable: Sequence[str]) -> str | None:
    """What is wrong with a reply, in words for the model; None where nothing is."""
    found = checked(reply.answer, reply.citations, citable)
    if not reply.answer.strip():
        return "the answer is empty"
    if found.unknown:
        return "it cites ids that no message of the context has: cite only ids that the context gives"
    if not found.cited and not reply.abstained:
        return "it cites no message: put after each statement the id of the message that says it"
    return None
