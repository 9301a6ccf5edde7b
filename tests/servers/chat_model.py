"""What a `ChatServer` answers that stands for a careful model: of each item a function of the item alone.

It reads "The KEY of THING is now VALUE" (also in Chinese), takes "instead" and 改 as changes, and says that a
later value replaces an earlier one of the same property.
"""

import json
import re
from typing import Any

from tests.servers.chat_replies import Asked, Says

_STATED = re.compile(
    r"The (?P<attribute>\w+) of (?P<thing>[\w ]+?) is now (?P<value>\w+)|"
    r"(?P<zh_thing>\w+?)的(?P<zh_attribute>\w\w)改为(?P<zh_value>\w+)"
)


def answer(asked: Asked) -> str:
    """The reply to either question of the stream, as JSON text."""
    records = asked.records
    if any("later" in record for record in records):
        return json.dumps({"pairs": _related(records)}, ensure_ascii=False)
    told = [_told(record) for record in records if record.get("read")]
    return json.dumps({"turns": told}, ensure_ascii=False)


def _told(record: dict[str, Any]) -> dict[str, Any]:
    events = [_event(found) for found in _STATED.finditer(record["text"])]
    item: dict[str, Any] = {"turn": record["m"], "events": events}
    if record.get("gist"):
        item["gist"] = " ".join(record["text"].split()[:4])
    if "back" in record:
        item["hangs"] = "new" if "By the way" in record["text"] else "continue"
    return item


def _event(found: re.Match[str]) -> dict[str, Any]:
    names = ("thing", "attribute", "value")
    parts = {name: found[name] or found[f"zh_{name}"] for name in names}
    return {"quote": found[0], "type": "state_change", "act": "change", **parts}


def _related(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    about = {record["s"]: record.get("about") for record in records if "s" in record}
    return [
        {
            "later": record["later"], "earlier": earlier, "type": "updates", "source": "later",
            "mode": "replaces", "confidence": 0.9,
            "reason": f"{about[record['later']][2]} is another value than {about[earlier][2]}",
        }
        for record in records
        if "later" in record
        for earlier in record["earlier"]
        if _replaces(about[record["later"]], about[earlier])
    ]  # fmt: skip


def _replaces(later: list[str] | None, earlier: list[str] | None) -> bool:
    return bool(later and earlier and later[:2] == earlier[:2] and later[2] != earlier[2])


CAREFUL = Says(answer)
