"""Reads of a stretch of time: `GraphReader`'s calls about what was said between two moments, from Redis."""

from collections.abc import Mapping, Sequence
from typing import Any

from state.graph import SessionSpan
from state.graph_keys import SubjectKeys
from state.identity import session_id
from state.model import Subject
from state.ordering import message_of


class StretchReads:
    """The part of a `GraphReader` that reads what was said over a time. `client` answers bytes."""

    _client: Any

    def places(
        self, subject: Subject, after: str, before: str, limit: int, latest: bool = False
    ) -> Sequence[str]:
        if limit < 1:
            return ()
        key, low, high = SubjectKeys(subject).places, f"({after}", f"({before}"
        if latest:
            found = self._client.zrevrangebylex(key, high, low, 0, limit)
            return tuple(place.decode() for place in reversed(found))
        return tuple(place.decode() for place in self._client.zrangebylex(key, low, high, 0, limit))

    def session_spans(
        self, subject: Subject, between: Mapping[str, tuple[str, str]], limit: int
    ) -> Sequence[SessionSpan]:
        if limit < 1 or not between:
            return ()
        here, pipe = SubjectKeys(subject), self._client.pipeline(transaction=False)
        for conversation, (first, last) in between.items():
            key = here.starts(conversation)
            pipe.zrevrangebylex(key, f"[{first}", "-", 0, 1)
            pipe.zrangebylex(key, f"({first}", f"[{last}", 0, limit)
            pipe.zrangebylex(key, f"({last}", "+", 0, 1)
        found = pipe.execute()
        bounds: list[tuple[str, str, str | None]] = []
        for conversation, before, within, after in zip(
            between, found[::3], found[1::3], found[2::3], strict=True
        ):
            starts = [place.decode() for place in (*before, *within, *after)]
            ends = [*starts[1:], None][: len(before) + len(within)]
            spans = zip(starts, ends, strict=False)
            bounds += [(conversation, start, end) for start, end in spans][:limit]
        return self._ended(subject, bounds)

    def _ended(self, subject: Subject, bounds: Sequence[tuple[str, str, str | None]]) -> list[SessionSpan]:
        """Sessions by (conversation, first place, the next session's first place), with their last places."""
        here, pipe = SubjectKeys(subject), self._client.pipeline(transaction=False)
        for conversation, start, end in bounds:
            pipe.zrevrangebylex(here.said(conversation), f"({end}" if end else "+", f"[{start}", 0, 1)
        lasts = pipe.execute() if bounds else []
        # None is there where a session's messages were deleted between the two round trips.
        return [
            SessionSpan(
                session_id(subject, conversation, message_of(start)), conversation, start, last[0].decode()
            )
            for (conversation, start, _), last in zip(bounds, lasts, strict=True)
            if last
        ]
