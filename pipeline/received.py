"""What a source gives the dataflow, and what parsing makes of it."""

from dataclasses import dataclass

from operators.parse import Rejected

FORGET = "forget"
"""The control header of a record that asks for its subject to be forgotten (`pipeline.stream_forgetting`)."""


@dataclass(frozen=True, slots=True)
class Received:
    """One record as it came.

    `offset` is its place in the log: of two records of one subject, the later has the higher. `origin` tells
    where from ("calls.jsonl:12"); `fault` is the reason code of a reader that could not read it whole, else
    empty; `attempt` counts from 1 how often it was fed; `key` is what it was keyed by, if anything. A record
    with `control` asks for something and is no message. `written` is when it was written to the log, in
    milliseconds since 1970, where that is known.
    """

    offset: int
    raw: bytes
    origin: str = ""
    fault: str = ""
    attempt: int = 1
    key: bytes = b""
    control: str = ""
    written: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that is no message, and why."""

    received: Received
    why: Rejected
