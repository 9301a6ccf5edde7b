"""`stet redistill`: has a model asked about what was asked under another prompt or name, or what rules drew;
after it was said what that would take.

What is to be asked about is marked as waiting in the store, so it is resumed where it stopped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from operators.answers import AnswerReader
from operators.derive import Filed
from operators.distill.interface import CONTEXT_TURNS
from operators.distill.llm import distill_ask
from operators.forest.interface import Decider
from operators.llm.instead import RULES_INSTEAD
from operators.llm.prompt import prompt
from operators.llm.tokens import estimated_tokens
from operators.questions import asked_turn
from pipeline.settle import GROUP
from state.graph import GraphReader, SubjectView
from state.ledger import Ledger
from state.model import Message, Subject
from state.ordering import message_place
from state.waiting import Waiting

_LOOKED_UP = 500
_WRITTEN_A_TURN = 120
"""Tokens that an answer about a turn takes, about."""
_RELATE_SHARE = 0.5
"""What the question about a group's pairs reads and writes, beside the one about its turns."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """Of one subject, what would be asked about: the places of its turns, the answers to drop first (they say
    that rules stand in), and what it would take, about."""

    subject: Subject
    places: tuple[str, ...]
    dropped: tuple[str, ...]
    calls: int
    read: int
    written: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a redistillation would take, about."""

    subjects: int
    turns: int
    calls: int
    tokens_read: int
    tokens_written: int


def estimate(found: Iterable[Lacking]) -> Estimate:
    """The sum."""
    some = [one for one in found if one.places]
    return Estimate(
        len(some),
        sum(len(one.places) for one in some),
        sum(one.calls for one in some),
        sum(one.read for one in some),
        sum(one.written for one in some),
    )


def lacking(
    graph: GraphReader, client: Any, subjects: Sequence[Subject], reader: AnswerReader, decider: Decider
) -> Iterable[Lacking]:
    """By subject, what has no answer of the model that `reader` reads, under the newest prompts."""
    for subject in subjects:
        view = graph.everything(subject)
        if view is not None:
            yield _lacking(view, Ledger(client), reader, decider)


def mark(client: Any, found: Iterable[Lacking], told: Callable[[], None] = lambda: None) -> None:
    """Lets it all wait. `told` is called after each subject."""
    for one in found:
        Ledger(client).drop(one.subject, one.dropped, RULES_INSTEAD)
        Waiting(client).mark(one.subject, one.places)
        told()


def _lacking(view: SubjectView, ledger: Ledger, reader: AnswerReader, decider: Decider) -> Lacking:
    turns: dict[str, tuple[Message, Sequence[Message]]] = {}
    by_conversation = sorted(view.messages, key=lambda m: (m.conversation, message_place(m.sent_at, m.id)))
    for _, group in groupby(by_conversation, key=lambda m: m.conversation):
        said = list(group)
        for at, message in enumerate(said):
            context = said[max(0, at - CONTEXT_TURNS) : at]
            turns[reader.turn_key(message, context)] = (message, context)
    texts = _texts(ledger, view.subject, list(turns))
    dropped = tuple(key for key, text in texts.items() if text == RULES_INSTEAD)
    wanted = {key: of for key, of in turns.items() if texts.get(key) in (None, RULES_INSTEAD)}
    answered = {message.id for key, (message, _) in turns.items() if key not in wanted}
    places = {message_place(message.sent_at, message.id) for message, _ in wanted.values()}
    unrelated, instead = _without_pairs(view, ledger, reader, answered)
    read = _read(list(wanted.values()), decider)
    written = _WRITTEN_A_TURN * len(wanted)
    calls = 2 * -(-len(wanted) // GROUP) + -(-len(unrelated - places) // GROUP)
    share = 1 + _RELATE_SHARE
    every = tuple(sorted(places | unrelated))
    return Lacking(
        view.subject, every, (*dropped, *instead), calls, round(share * read), round(share * written)
    )


def _without_pairs(
    view: SubjectView, ledger: Ledger, reader: AnswerReader, answered: set[str]
) -> tuple[set[str], list[str]]:
    """The places of answered turns of which a pair has no answer; and the pairs that rules stand in for."""
    filed, home = Filed(view.events), {m.id: message_place(m.sent_at, m.id) for m in view.messages}
    turn_of = {
        key: event.sources[-1]
        for event in view.events
        if event.sources[-1] in answered
        for key in reader.pairs(event, filed.before(event))
    }
    texts = _texts(ledger, view.subject, list(turn_of))
    lack = {home[turn] for key, turn in turn_of.items() if texts.get(key) in (None, RULES_INSTEAD)}
    return lack, [key for key, text in texts.items() if text == RULES_INSTEAD]


def _texts(ledger: Ledger, subject: Subject, keys: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for at in range(0, len(keys), _LOOKED_UP):
        answers = ledger.read(subject, keys[at : at + _LOOKED_UP])
        found |= {key: answer.text for key, answer in answers.items()}
    return found


def _read(turns: Sequence[tuple[Message, Sequence[Message]]], decider: Decider) -> int:
    """The tokens of the questions about these turns."""
    tokens = 0
    for at in range(0, len(turns), GROUP):
        asked = [asked_turn(turn, context, decider) for turn, context in turns[at : at + GROUP]]
        tokens += estimated_tokens(prompt("distill").text) + estimated_tokens(distill_ask(asked).content)
    return tokens
