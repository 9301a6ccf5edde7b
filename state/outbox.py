"""A subject's outbox: what was changed and is not yet published (DESIGN §4, propagate).

A change is put there in the same atomic write that makes it, so a crash in between repeats a publication and
never loses one. Each entry is one write: the subject's version after it, and the text to publish.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state.graph_keys import SubjectKeys
from state.graph_reads import Command, Read, fetch
from state.model import Subject

# Only what was published goes: a newer writer may have added to the list since it was read.
_DROP = """
while true do
  local head = redis.call('LINDEX', KEYS[1], 0)
  if not head or tonumber(string.match(head, '^%d+')) > tonumber(ARGV[1]) then return 1 end
  redis.call('LPOP', KEYS[1])
end
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One write of a subject: `version` counts the subject's writes from 1."""

    version: int
    text: str


class ReadOutbox(Read[tuple[Entry, ...]]):
    """All that a subject has to publish, oldest first."""

    def __init__(self) -> None:
        self.found = ()

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        return (("LRANGE", keys.outbox, 0, -1),)

    def take(self, replies: Sequence[Any]) -> None:
        parts = (raw.decode().split(" ", 1) for raw in replies[0])
        self.found = tuple(Entry(int(version), text) for version, text in parts)


def waiting(client: Any, subjects: Iterable[Subject]) -> dict[Subject, tuple[Entry, ...]]:
    """What each of `subjects` has to publish; those with nothing are left out (1 round trip)."""
    reads = {subject: ReadOutbox() for subject in subjects}
    fetch(client, [(subject, [read]) for subject, read in reads.items()])
    return {subject: read.found for subject, read in reads.items() if read.found}


def drop(client: Any, published: Mapping[Subject, int]) -> None:
    """Takes out what was published, by subject up to that version (1 round trip)."""
    pipe = client.pipeline(transaction=False)
    for subject, version in published.items():
        pipe.execute_command("EVAL", _DROP, 1, SubjectKeys(subject).outbox, version)
    if published:
        pipe.execute()
