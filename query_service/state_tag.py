"""The ETag of a subject's state: what was asked of what was written, and how long time alone leaves it so."""

import math
import re
from dataclasses import dataclass
from datetime import datetime

from query_service.http_state_models import StateQuery
from state.identity import digest
from state.model import Subject

_TAG = re.compile(r'W/"([0-9a-f]+)\.(\d+|always)"')


@dataclass(frozen=True, slots=True)
class StateTag:
    """`mark` stands for the subject, its last write and the query; empty where the subject is unknown.

    The tag is a weak one: two answers with it say the same of the facts, and each its own time.
    """

    mark: str

    @classmethod
    def of(cls, subject: Subject, written: str | None, asked: StateQuery) -> "StateTag":
        if written is None:
            return cls("")
        at = asked.as_of.isoformat() if asked.as_of is not None else "now"
        return cls(digest(subject.tenant, subject.name, written, at, str(asked.history)))

    def until(self, moment: datetime | None) -> str:
        """The tag of an answer that stays true until a moment, or until the next write."""
        return f'W/"{self.mark}.{"always" if moment is None else math.floor(moment.timestamp())}"'

    def still(self, tags: str, now: datetime) -> str | None:
        """The tag of an If-None-Match that is of this state and still true, if one is."""
        for held in _TAG.finditer(tags):
            mark, end = held.groups()
            if self.mark and mark == self.mark and (end == "always" or now.timestamp() < int(end)):
                return held[0]
        return None
