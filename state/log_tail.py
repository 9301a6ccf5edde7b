"""Whether what lies behind the last good record of the newest segment is a torn tail or damage.

An append writes its records in one stretch, so a crash leaves some first part of them: nothing that holds
lies behind the first record that does not. Where something does, the bad record was whole once.
"""

import os
import re

from state.log_segment import BODY_HEAD, HEAD_BYTES, MAX_RECORD_BYTES, RECORD_HEAD, Segment, checksum_of

_SHORTEST = HEAD_BYTES + BODY_HEAD.size
# A record's first bytes as far as they can be known: a length below MAX_RECORD_BYTES' next power, a checksum,
# the lengths of origin and fault, and an attempt of 1 or more. Looked for at every byte.
_START = re.compile(rb"(?=[\x00-\xff]{2}[\x00-\x40]\x00[\x00-\xff]{7}[\x01-\xff])")
_TRIED_BYTES = 1 << 28
"""How many bytes are checksummed at most: about a third of a second."""


def follows(segment: Segment, good: int, offset: int) -> int | None:
    """Where behind byte `good` the first record lies that holds, or None if there is none.

    `offset` is that of the record at `good`, which does not hold. Reads what lies behind `good`. A record is
    told by its checksum, which has its offset in it: each that the bytes in between leave room for is tried.
    """
    with segment.path.open("rb") as file:
        file.seek(good)
        tail = file.read(os.fstat(file.fileno()).st_size - good)
    room = _TRIED_BYTES
    for found in _START.finditer(tail, 1):
        at = found.start()
        body = _body_at(tail, at)
        if body is None:
            continue
        for there in range(offset + 1, offset + 2 + at // _SHORTEST):
            if checksum_of(there, body) == RECORD_HEAD.unpack_from(tail, at)[1]:
                return good + at
            room -= len(body)
            if room < 0:
                return None
    return None


def _body_at(tail: bytes, at: int) -> bytes | None:
    """The body of what may be a record at byte `at`, if its lengths agree."""
    length, _ = RECORD_HEAD.unpack_from(tail, at)
    begin = at + HEAD_BYTES
    if not BODY_HEAD.size <= length <= MAX_RECORD_BYTES or begin + length > len(tail):
        return None
    origin, fault, _ = BODY_HEAD.unpack_from(tail, begin)
    return tail[begin : begin + length] if BODY_HEAD.size + origin + fault <= length else None


def records_in(segment: Segment) -> int:
    """How many records a segment seems to have, by their lengths alone: reads it once, checks no checksum."""
    held = segment.path.read_bytes()
    at = count = 0
    while at + _SHORTEST <= len(held):
        length, _ = RECORD_HEAD.unpack_from(held, at)
        at += HEAD_BYTES + length
        if not BODY_HEAD.size <= length <= MAX_RECORD_BYTES or at > len(held):
            break
        count += 1
    return count
