"""The forest of one subject, to be looked at: the topics spoken of last, with their last turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from operators.summary import in_short, label
from state.graph import GraphReader, Hanging
from state.model import Message, Subject
from state.ordering import message_place

TOPICS = 20
TURNS = 60
"""What is shown where nothing else is asked for."""
MOST_TOPICS, MOST_TURNS = 200, 500


class Move(StrEnum):
    """What a turn does to the forest, as far as what is shown tells."""

    ROOT = "root"
    CONTINUE = "continue"
    BRANCH = "branch"
    RETURN = "return"


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn. `refers_to` are ids of other topics, whose labels `ForestView.labels` has."""

    id: str
    parent: str | None
    branch: str
    move: Move
    speaker: str
    sent_at: datetime
    gist: str
    refers_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopicView:
    """One tree. `turns` are its last ones, in the order of saying; `size` is how many it has."""

    id: str
    label: str
    conversation: str
    size: int
    turns: tuple[TurnView, ...]


@dataclass(frozen=True, slots=True)
class ForestView:
    """`topics` come latest first; `more` is whether there are older ones. `labels` are those of the topics
    shown or referred to, by id."""

    subject: str
    topics: tuple[TopicView, ...]
    more: bool
    labels: Mapping[str, str]

    @property
    def end(self) -> tuple[datetime, str] | None:
        """What the next page comes before: when the last topic here was spoken of, and its id; None where
        there is no next page."""
        shown = [topic for topic in self.topics if topic.turns]
        if not self.more or not shown:
            return None
        return shown[-1].turns[-1].sent_at, shown[-1].id


_LABELLED_BY = 3
"""First turns that a label is looked for in."""


def view_forest(
    reader: GraphReader,
    subject: Subject,
    topics: int = TOPICS,
    turns: int = TURNS,
    before: tuple[datetime, str] | None = None,
) -> ForestView | None:
    """The last `turns` turns of the last `topics` topics, or of those that come after the page that ended so
    (`ForestView.end`); None where nothing is kept of the subject.

    8 round trips and work bounded by what is shown. Raises ValueError for limits out of range.
    """
    if not (1 <= topics <= MOST_TOPICS and 1 <= turns <= MOST_TURNS):
        raise ValueError(f"1 to {MOST_TOPICS} topics and 1 to {MOST_TURNS} turns of each can be shown")
    recent = reader.recent_topics(subject, topics + 1, before)
    if not recent:
        known = before is not None and reader.recent_topics(subject, 1)
        return ForestView(subject.name, (), False, {}) if known else None
    roots = recent[:topics]
    ends = reader.tree_ends(subject, roots, max(turns, _LABELLED_BY))
    shown = [turn for one in ends.values() for turn in one.last[-turns:]]
    labelling = [turn for one in ends.values() for turn in one.first[:_LABELLED_BY]]
    hung = reader.hanging(subject, dict.fromkeys([*shown, *labelling]))
    hanging = {turn: hung[turn] for turn in shown if turn in hung}
    referred = [root for at in hanging.values() for root in at.refers_to if root not in ends]
    beyond = reader.tree_ends(subject, referred, _LABELLED_BY)
    first = {root: one.first[:_LABELLED_BY] for root, one in {**ends, **beyond}.items()}
    hung = {**hung, **reader.hanging(subject, [turn for one in beyond.values() for turn in one.first])}
    messages = reader.messages(subject, [*hanging, *(turn for ids in first.values() for turn in ids)])
    labels = {
        root: label([short_of(messages[turn], hung) for turn in ids if turn in messages])
        for root, ids in first.items()
    }
    moves = _moves(hanging, messages)
    topics_shown = [
        TopicView(
            id=root,
            label=labels[root],
            conversation=messages[ends[root].last[-1]].conversation,
            size=ends[root].size,
            turns=tuple(
                _turn(turn, hanging[turn], moves[turn], messages[turn])
                for turn in ends[root].last[-turns:]
                if turn in moves
            ),
        )
        for root in roots
        if root in ends and ends[root].last[-1] in messages
    ]
    return ForestView(subject.name, tuple(topics_shown), len(recent) > topics, dict(sorted(labels.items())))


def short_of(message: Message, hung: Mapping[str, Hanging]) -> str:
    """A message in few words: a model's, where `hung` has one's of it, or its own."""
    return in_short(hung[message.id].summary if message.id in hung else "", message.content)


def _turn(turn: str, at: Hanging, move: Move, message: Message) -> TurnView:
    return TurnView(
        turn,
        at.parent,
        at.branch,
        move,
        message.speaker,
        message.sent_at,
        in_short(at.summary, message.content),
        at.refers_to,
    )


def _moves(hanging: Mapping[str, Hanging], messages: Mapping[str, Message]) -> dict[str, Move]:
    """What each turn does. One whose parent is shown and is not the turn before it in its conversation goes
    back to something; of an older parent nothing can be said."""
    moves: dict[str, Move] = {}
    before: dict[str, str] = {}
    live = [messages[turn] for turn in hanging if turn in messages]
    for message in sorted(live, key=lambda m: message_place(m.sent_at, m.id)):
        at = hanging[message.id]
        if at.parent is None:
            move = Move.ROOT
        elif at.branch == message.id:
            move = Move.BRANCH
        elif at.parent in moves and before.get(message.conversation) != at.parent:
            move = Move.RETURN
        else:
            move = Move.CONTINUE
        moves[message.id] = move
        before[message.conversation] = message.id
    return moves
