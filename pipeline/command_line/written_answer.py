"""What `stet answer` prints: the answer, what the graph knows of it, and the messages that it cites."""

import textwrap
from datetime import datetime
from typing import Any

from operators.rows import moment
from pipeline.command_line.answers import plain
from pipeline.command_line.terminal import wrapped
from query_service.answer import CITATIONS_DROPPED, OUTDATED_VALUE, UNCITED, WrittenAnswer
from query_service.disagreement import Disagreement
from query_service.premise import Outdated
from state.graph import GraphReader
from state.model import Subject

_REMARKS = {
    CITATIONS_DROPPED: "It cited messages that it was not shown; these citations are left out.",
    UNCITED: "It cites no message.",
    OUTDATED_VALUE: "It names a value that no longer holds (above).",
}


def written_json(written: WrittenAnswer, with_context: bool) -> dict[str, Any]:
    """The contract of `answer`, as over HTTP."""
    told: dict[str, Any] = plain(written)
    return told if with_context else {**told, "context": None}


class WrittenText:
    """Writes answers about one subject for people."""

    def __init__(self, graph: GraphReader, subject: Subject) -> None:
        self._graph, self._subject = graph, subject

    def whole(self, written: WrittenAnswer) -> str:
        """The answer with all that belongs to it."""
        return "\n".join([*_paragraphs(written.answer), *self._beside(written)])

    def after_stream(self, written: WrittenAnswer) -> str:
        """What belongs to an answer whose words were printed as they came; the answer again where the check
        changed it."""
        again = ["", "With its citations checked:", *_paragraphs(written.answer)]
        return "\n".join(["", *(again if written.remarks else []), *self._beside(written)])

    def _beside(self, written: WrittenAnswer) -> list[str]:
        lines: list[str] = []
        told = [*map(_outdated, written.outdated), *map(_disputed, written.disagreements)]
        told += [_REMARKS[remark] for remark in written.remarks]
        if told:
            lines += ["", *(line for text in told for line in wrapped("! ", text))]
        if written.citations:
            lines += ["", "Cited:", *self._cited(written)]
        asked = "remembered, no model asked" if written.remembered else written.model
        took = sum(written.timings_ms.values())
        lines += ["", f"{asked}; {written.tokens['context']} tokens of context, {took:.0f} ms"]
        return lines

    def _cited(self, written: WrittenAnswer) -> list[str]:
        messages = self._graph.messages(self._subject, written.citations)
        lines: list[str] = []
        for name in written.citations:
            if name in messages:
                said = messages[name]
                text = textwrap.shorten(" ".join(said.content.split()), 200, placeholder=" …")
                lines += wrapped("", f"  [{name}] {_minute(said.sent_at)} {said.speaker}: {text}", "      ")
        return lines


def _paragraphs(text: str) -> list[str]:
    return [line for paragraph in text.split("\n") for line in wrapped("", paragraph)]


def _outdated(one: Outdated) -> str:
    since = f" since {_minute(one.since)}" if one.since is not None else ""
    by = f", replaced by “{one.replaced_by}”" if one.replaced_by is not None else ""
    how = "withdrawn" if one.withdrawn else "out of date"
    told = ", ".join(dict.fromkeys([*one.sources, *one.settled_by]))
    return f"“{one.fact}” is {how}{since}{by}  [{told}]"


def _disputed(one: Disagreement) -> str:
    sides = (
        f"{side.speaker} says “{side.fact}” ({_minute(side.stated_at)}) [{', '.join(side.sources)}]"
        for side in (one.first, one.second)
    )
    return "They disagree: " + "; ".join(sides)


def _minute(at: datetime) -> str:
    return moment(at)[:16].replace("T", " ")
