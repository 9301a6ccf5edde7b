"""What a batch of messages brought about, as the steps after it are told."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.received import Received
from state.graph_change import SubjectChange
from state.model import Message, Subject


@dataclass(frozen=True, slots=True)
class Arrived:
    """A parsed message and the record it came in."""

    message: Message
    received: Received


@dataclass(frozen=True, slots=True)
class Failed:
    """A message whose revision raised; it goes to the rejected stream and the flow goes on."""

    arrived: Arrived
    error: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A subject was forgotten for this request: what was removed, by name, and where the record that asked
    for it lies. All that was said of the subject lies before it, in the same partition."""

    request: str
    removed: Mapping[str, int]
    partition: int
    offset: int


@dataclass(frozen=True, slots=True)
class Applied:
    """What a batch did: of `received` messages, those that are in no change were there already.

    `offsets` are those of the messages that did not fail; `subjects` are all that the batch spoke of.
    """

    received: int
    changes: tuple[SubjectChange, ...]
    failed: tuple[Failed, ...]
    offsets: tuple[int, ...] = ()
    subjects: tuple[Subject, ...] = ()
    forgotten: tuple[Forgotten, ...] = ()
