"""Takes single messages back: what was drawn from them goes, and the rest is derived anew."""

import json
from datetime import datetime

from operators.parse import MAX_REVISION, Rejected, parse
from state.model import Message, Op, Subject


def deletion(subject: Subject, message: str, at: datetime) -> Message | Rejected:
    """The record that deletes `message` for good, or why there can be no message of that id.

    It has the greatest revision: no edit overtakes it, be it on its way already or sent later.
    """
    row = {
        "tenant": subject.tenant,
        "subject": subject.name,
        "id": message,
        "op": Op.DELETE.value,
        "revision": MAX_REVISION,
        "sent_at": at.isoformat(),
    }
    return parse(json.dumps(row).encode(), subject.tenant)
