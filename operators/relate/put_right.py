"""A bare value by which a speaker puts right what was said just before ("Four, I forgot one", 是四只), and a
message that takes back the speaker's last one ("disregard what I said")."""

import re
from collections.abc import Sequence
from datetime import datetime

from operators.cue import Cue
from operators.distill.spans import TypedValue
from operators.distill.values import find_values
from operators.relate.at_hand import SERVICE, near
from operators.relate.gist import gist, gist_of
from operators.relate.runs import TAKES_BACK
from operators.relate.spoken import spoken
from operators.relate.typed import equal, family, measurable
from state.model import Act, Event

WRONG = Cue(
    "enough too wrong correction misread mixed miscounted mistake mistaken instead all",
    r"\b(?:not enough|too (?:early|late|many|few|much|little|long|short|big|small|soon)|wrong|correction|"
    r"misread|mixed up|miscounted|mistaken?|instead|after all)\b|"
    r"更正|不对|错了|不够|太[早晚多少大小长短贵久]|还是",
)
"""Words that say that a value given before does not do."""
_UNSAID = re.compile(
    r"^\W*(?:please )?(?:ignore|disregard|forget|scrap|scratch|strike|take back|never ?mind) "
    r"(?:that|this|it|what i (?:just )?(?:said|wrote)|(?:my|the) last (?:message|text|mail|note|one))\b\W*$|"
    r"^(?:请?忽略)?(?:我?刚才说的|上一条(?:消息)?|刚才那条)(?:不算数?|作废|不对)?\W*$|^当我没说",
    re.IGNORECASE,
)
"""A message that takes back what its speaker said last, whatever that was."""
_BESIDE = {False: 1, True: 2}
"""So many words, or Chinese characters, that were not said before may stand beside the value."""


def unsaid(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """What the speaker's last message before said, where `event` takes it back without a name."""
    if _UNSAID.search(spoken(event)) is None:
        return []
    own = [t for t in earlier if t.speaker == event.speaker and t.conversation == event.conversation]
    before = next((t for t in reversed(own) if t.sources[-1] != event.sources[-1]), None)
    return [t for t in own if before is not None and t.sources[-1] == before.sources[-1]]


def put_right(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """The statements at hand whose only value of a kind `event` puts right by another; mostly none."""
    if event.many or event.role in SERVICE or event.act in (Act.ADD, Act.ADOPT, *TAKES_BACK):
        return []
    if not WRONG.found(spoken(event)) and not _said_wrong(event, earlier):
        return []
    new = _only_value(spoken(event), event.stated_at)
    ours = gist_of(event)
    if new is None or ours.negative:
        return []
    beside = ours.kinds - gist(new.text).kinds
    hand = near(event, earlier)
    found: TypedValue | None = None
    replaced: list[Event] = []
    for told in reversed(earlier):
        if told.id not in hand or told.sources[-1] == event.sources[-1] or told.act in TAKES_BACK:
            continue
        old = _only_value(spoken(told), told.stated_at)
        if old is None or family(old) != family(new) or equal(old, new) is not False:
            continue
        if found is None:
            if told.speaker != event.speaker or len(beside - gist_of(told).kinds) > _BESIDE[ours.cjk]:
                continue
            found = old
        if equal(old, found):
            replaced.append(told)
    return replaced


def _said_wrong(event: Event, earlier: Sequence[Event]) -> bool:
    """Whether the message of `event` has said that a value does not do."""
    for told in reversed(earlier):
        if told.sources[-1] != event.sources[-1]:
            return False
        if WRONG.found(told.description):
            return True
    return False


def _only_value(text: str, stated_at: datetime) -> TypedValue | None:
    """The one value in `text` that can be measured, if there is just one."""
    found = [value for value in find_values(text, stated_at) if measurable(value)]
    return found[0] if len(found) == 1 else None
