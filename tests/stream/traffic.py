"""Messages to send: synthetic dialogues, and what real traffic does to them.

Every list here is a function of its arguments. Rows are dictionaries as a source would write them; `lines`
makes the bytes.
"""

import json
import random
from collections.abc import Sequence
from typing import Any

from evaluation.bench.dialogues import dialogues
from evaluation.bench.dialogues import lines as serialised

Row = dict[str, Any]


def conversation(tenant: str, subjects: int, turns: int) -> list[Row]:
    """Dialogues of several subjects, as they come in: all first messages, then all second ones."""
    said = [json.loads(line) for line in serialised(dialogues(subjects, turns, tenant=tenant))]
    return [said[subject * turns + turn] for turn in range(turns) for subject in range(subjects)]


def unruly(rows: Sequence[Row], seed: int) -> list[Row]:
    """The same rows out of order, with copies, edits by revision, and deletes, some ahead of their message.

    Each edited or deleted id has its revisions, so which of its rows counts does not depend on their order.
    """
    chance = random.Random(seed)
    sent = list(rows)
    for row in chance.sample(list(rows), len(rows) // 4):
        kind = chance.choice(("copy", "edit", "delete"))
        if kind == "copy":
            sent.append(row)
        elif kind == "edit":
            sent.append(
                {**row, "revision": 2, "content": f"Please make it {chance.randint(2, 90)} kg instead."}
            )
            sent.append({**row, "revision": 1, "content": "好的，地址改成人民路八号。"})
        else:
            sent.append(deleted(row, revision=3))
    chance.shuffle(sent)
    return sent


def late(rows: Sequence[Row], seed: int, reach: int = 40) -> list[Row]:
    """The same rows, every tenth up to `reach` places later."""
    chance = random.Random(seed)
    places = [(at + (chance.randint(1, reach) if at % 10 == 0 else 0), at) for at in range(len(rows))]
    return [rows[at] for _, at in sorted(places)]


def deleted(row: Row, **other: Any) -> Row:
    """A delete of the row's message."""
    return {name: row[name] for name in ("tenant", "subject", "id", "sent_at")} | {"op": "delete", **other}


def lines(rows: Sequence[Row]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def poison(row: Row) -> dict[str, bytes]:
    """A line of every kind that is no message, by the reason code that it is refused with."""
    bad: dict[str, Row] = {
        "extra_field": {**row, "mood": "glad"},
        "wrong_type": {**row, "content": 7},
        "unknown_role": {**row, "role": "boss"},
        "unknown_op": {**row, "op": "merge"},
        "bad_time": {**row, "sent_at": "2026-02-30T09:00:00Z"},
        "bad_revision": {**row, "revision": -1},
        "empty_id": {**row, "id": " "},
        "id_too_long": {**row, "id": "i" * 2000},
        "control_character": {**row, "id": "a\nb"},
        "empty_content": {**row, "content": " \u3000"},
        "content_too_large": {**row, "content": "字" * 30_000},
        "metadata_too_large": {**row, "metadata": {"a": "x" * 70_000}},
        "missing_field": {name: value for name, value in row.items() if name != "speaker"},
        "wrong_row": {"kind": "event", "id": "ev-1", "subject": "ann"},
    }
    return {
        **{reason: json.dumps(found, ensure_ascii=False).encode() for reason, found in bad.items()},
        "malformed_json": b'{"tenant": ',
        "not_an_object": b"[1, 2]",
        "invalid_utf8": json.dumps({**row, "content": "?!?"}).encode().replace(b"?!?", b"\x80"),
        "line_too_long": b'{"content": "' + b"x" * (1024 * 1024) + b'"}',
    }
