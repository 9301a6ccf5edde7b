"""The context of a turn that is about to be said: where it would hang, and what it needs (DESIGN §6).

The message is not stored. The forest's state after the last turn of its conversation is loaded, the forest's
own decider says where the message would hang, and what is told is selected around that place, with what the
message calls back from elsewhere.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from operators.forest.checkpoint import readable
from operators.forest.interface import Decider
from operators.forest.rules import RULES
from operators.forest.state import EMPTY, State
from query_service.gathering import TOPICS, TURNS, Asked, Gathering
from query_service.paths import NEAR
from query_service.reading import Reading
from query_service.recalling import Recall
from query_service.seeds import PER_NAME
from query_service.selection import select
from query_service.token_counts import TokenCounts
from query_service.unknown_subject import UnknownSubject
from state.graph import GraphReader
from state.lexicon import terms
from state.model import Message, Role, Subject
from state.names import name_words
from state.notes import Encoder, NoteStore


@dataclass(frozen=True, slots=True)
class Place:
    """Where the turn would hang: see `operators.forest.interface`. `topic` is None for a new one."""

    kind: str
    reason: str
    parent: str | None
    topic: str | None


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The contract of `context` (DESIGN §7). `path` are turn ids from the root to the head of the branch,
    the last `PATH_TURNS` of them; empty for a new topic."""

    qid: str | None
    decision: Place
    path: tuple[str, ...]
    context: str
    tokens: int
    timings_ms: Mapping[str, float]


class NextTurn:
    """Selects from the stores of one runtime. Holds no state of its own, so threads may share it."""

    def __init__(
        self,
        reader: GraphReader,
        notes: NoteStore,
        encoder: Encoder,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        decider: Decider = RULES,
    ) -> None:
        self._reader = reader
        self._now = now
        self._decider = decider
        self._recall = Recall(notes, encoder)
        self._count = TokenCounts(encoder.count_tokens)

    def context(
        self,
        subject: Subject,
        message: str,
        budget: int | None = None,
        conversation: str | None = None,
        qid: str | None = None,
    ) -> TurnContext:
        """What `message` needs as the next turn of a conversation, by default of the one spoken in last.

        Within a budget the path is told whole as far as there is room; without one each thing is told once.

        At most 19 round trips of the graph, 3 calls of the notes and bounded work, however long the history
        is. A conversation that is not there yet begins with this turn, and has beside it what the message
        calls back and the subject's other topics.

        Raises UnknownSubject, and ValueError for a budget below 1.
        """
        return self.selected(subject, message, budget, conversation, qid)[0]

    def selected(
        self,
        subject: Subject,
        message: str,
        budget: int | None = None,
        conversation: str | None = None,
        qid: str | None = None,
    ) -> tuple[TurnContext, tuple[str, ...]]:
        """As `context`, with the turns that it tells something of, as it tells them."""
        if budget is not None and budget < 1:
            raise ValueError("the budget is at least 1 token")
        begun = time.perf_counter()
        asked = self._asked(subject, message, conversation)
        decided = time.perf_counter()
        recalled = self._recall.turns(asked.reading, asked.opening, message, asked.at)
        searched = time.perf_counter()
        gathered = Gathering(self._reader, asked, recalled)
        material = gathered.material()
        read = time.perf_counter()
        chosen = select(material, budget, self._count)
        ended = time.perf_counter()
        decision = asked.decision
        topic = gathered.tree.id if gathered.tree else None
        told = TurnContext(
            qid=qid,
            decision=Place(decision.kind.value, decision.reason.value, decision.parent, topic),
            path=gathered.path,
            context=chosen.text,
            tokens=chosen.tokens,
            timings_ms={
                "decide": _milliseconds(begun, decided),
                "recall": _milliseconds(decided, searched),
                "read": _milliseconds(searched, read),
                "select": _milliseconds(read, ended),
            },
        )
        return told, chosen.notes

    def _asked(self, subject: Subject, message: str, conversation: str | None) -> Asked:
        """Decides on the message. Raises UnknownSubject."""
        opening = self._reader.opening(subject, name_words(message), PER_NAME, TOPICS, max(TURNS, 2 * NEAR))
        if opening is None:
            raise UnknownSubject(subject.name)
        found = self._reader.forest_state(subject, conversation)
        state = (readable(found[1]) if found is not None else None) or EMPTY
        at = max(self._now(), opening.newest)
        reading = Reading(self._reader, self._reader, subject)
        turn = _next_message(reading, state, message, conversation or (found[0] if found else ""), at)
        return Asked(
            reading, state, self._decider.decide(state, turn), opening, at, frozenset(terms(message))
        )


def _milliseconds(begun: float, ended: float) -> float:
    return round((ended - begun) * 1000, 3)


def _next_message(reading: Reading, state: State, text: str, conversation: str, at: datetime) -> Message:
    """The message as the next one by whoever set the topics last, for the decider to place."""
    turns = [speaker.turn for speaker in state.speakers if speaker.sets_topics]
    reading.read_messages(turns)
    by = next((reading.messages[turn] for turn in turns if turn in reading.messages), None)
    role, speaker = (by.role, by.speaker) if by else (Role.USER, reading.subject.name)
    return Message(reading.subject, conversation, "", role, speaker, text, at)
