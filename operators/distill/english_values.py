"""Typed values in an English clause: whose they are and which attribute they give.

Three frames cover most of it. A *label* stands before its value ("the fence deposit is 150",
"PIN: 5380"): its head noun is the attribute and its modifier or owner the entity. A *role* is told by a
preposition or a verb ("until 9 March", "for 4 people"). Failing both, the value's kind is the attribute.
"""

from collections.abc import Iterator, Sequence

from operators.distill import english_words as words
from operators.distill.clause import Claim
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_frames import Frame
from operators.distill.english_labels import TIMES, Slot, label, labelled
from operators.distill.english_phrases import Phrase, phrase, spelled
from operators.distill.english_places import TRIPS
from operators.distill.english_reasons import reason_at
from operators.distill.english_things import SPLIT_MARKS, VAGUE_HEADS, deed, entity_of, opens
from operators.distill.english_verbs import lemma
from operators.distill.spans import TypedValue, ValueKind
from state.model import Precision

_KIND_ATTRIBUTE = {
    ValueKind.MONEY: "price",
    ValueKind.PERCENT: "percentage",
    ValueKind.DATE: "date",
    ValueKind.TIME: "time",
    ValueKind.DATETIME: "time",
    ValueKind.DURATION: "duration",
    ValueKind.EMAIL: "email",
    ValueKind.PHONE: "phone number",
    ValueKind.URL: "link",
    ValueKind.ADDRESS: "address",
    ValueKind.IDENTIFIER: "number",
    ValueKind.NUMBER: "number",
    ValueKind.QUANTITY: "quantity",
    ValueKind.NAME: "name",
    ValueKind.QUOTED: "name",
}


_UNITS = {
    "weight": "g kg gram grams kilo kilos kilograms kilogram lb lbs pound pounds oz ounce ounces t "
        "tonnes tons stone",
    "length": "mm cm m km metre metres meter meters kilometre kilometres kilometers mile miles inch "
        "inches ft feet foot",
    "temperature": "degree degrees celsius fahrenheit °c °f c f",
    "volume": "l ml litre litres liter liters gallon gallons",
    "power": "kwh kw w watt watts mah v",
    "speed": "mph kph km/h",
    "size": "gb mb tb kb sqm",
}  # fmt: skip


_UNIT_OF = {unit: name for name, units in _UNITS.items() for unit in units.split()}


def valued(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    previous_end = 0
    measure = ""
    for at, token in enumerate(row):
        value = token.value
        if value is None or value.kind in OPEN_KINDS or _vague(value):
            continue
        if any(held is not None and held.start <= at < held.end for held in (parts.subject, parts.object)):
            continue
        if token.low.endswith("ly") and at + 1 < len(row) and opens(row[at + 1]):
            continue  # "the yearly plan"
        if reason_at(row, at):
            continue
        slot, text = _slot(row, at, previous_end, parts, value)
        previous_end = at + 1
        if slot.attribute.startswith("quantity of ") and slot.attribute.rpartition(" ")[2] in VAGUE_HEADS:
            continue
        attribute = measure if measure and slot.attribute == "number" else slot.attribute
        measure = attribute if attribute in _UNITS else ""  # "the oven at 90 degrees and the grill at 120"
        yield Claim(slot.entity, attribute, text)


def _vague(value: TypedValue) -> bool:
    """ "Soon", "later": words only, no value to hold an attribute to (DESIGN §3)."""
    return value.occurs is not None and value.occurs.precision is Precision.VAGUE


def _slot(row: Sequence[Token], at: int, floor: int, parts: Frame, value: TypedValue) -> tuple[Slot, str]:
    """Whose value this is, and the value's words with the noun that it counts."""
    text, counted = _counted(row, at, value)
    if value.kind is ValueKind.MONEY and at + 1 < len(row) and row[at + 1].low in words.PAYMENTS:
        return Slot("", row[at + 1].low), text  # "a £20 discount"
    lead = at - 1
    while lead >= floor and row[lead].low in _HEDGES:
        lead -= 1
    before = row[lead].low if lead >= floor else ""
    default = counted or _role(row, lead, floor, value.kind, before)
    about = labelled(row, lead, floor, parts, before)
    measured = next((t.low for t in row[floor : lead + 1] if t.low in _MEASURING), "")
    if about is not None and measured:
        return Slot(entity_of(about), _MEASURING[measured]), text  # "the desk costs €420"
    if about is not None:
        direct = before not in words.PREPOSITIONS or (
            before in ("to", "at", "of") and about.head in words.KIND_NOUNS
        )
        goes_to = before in ("to", "at", "down", "up") and bool(about.modifiers) and value.kind not in TIMES
        slot = label(about, (direct or goes_to) and not counted, value.kind)
        if slot is not None and slot.attribute:
            return _had(slot, about, parts), text
        if about.head.rstrip("s") in default:  # "temperatures of around 10 degrees"
            return Slot(about.owner, default), text
        return Slot(entity_of(about), default), text
    thing = parts.object if parts.object is not None and parts.object.start < at else parts.subject
    if thing is not None and thing.start <= at < thing.end:
        thing = None
    if (
        thing is not None
        and thing.head in _PARTIES
        and (parts.desire or _wanted(parts) or value.kind in TIMES)
    ):
        thing = None  # what is wanted has the value, not who wants it
    if thing is not None and _split(row, floor, at) and parts.verb == "":
        thing = None
    if thing is not None and deed(thing, thing is parts.subject):
        thing = None  # "leaving on Friday"
    return Slot(entity_of(thing), default), text


def _had(slot: Slot, about: Phrase, parts: Frame) -> Slot:
    """ "Ana has a new number, …": who has it owns it."""
    had = parts.verb == "have" and parts.object is not None and parts.subject is not None
    if slot.entity or not had or parts.object is None or about.head != parts.object.head:
        return slot
    return Slot(entity_of(parts.subject), slot.attribute)


_MEASURING = {
    "costs": "price", "cost": "price", "weighs": "weight", "weighed": "weight", "lasts": "duration",
    "lasted": "duration",
}  # fmt: skip
"""Verbs that name what their value measures."""
_HEDGES = words.ADVERBS | words.DETERMINERS | {"least", "most", "about", "around", "'s"}
_PARTIES = frozenset(("i", "we", "you", "me", "us"))


def _wanted(parts: Frame) -> bool:
    return parts.verb in words.WANT_VERBS or parts.verb in words.SEEK_VERBS


def _split(row: Sequence[Token], floor: int, at: int) -> bool:
    return any(t.low in SPLIT_MARKS for t in row[floor:at])


def _counted(row: Sequence[Token], at: int, value: TypedValue) -> tuple[str, str]:
    """The value with what it counts or measures, and the attribute that this gives, if it does."""
    if value.kind not in (ValueKind.QUANTITY, ValueKind.DURATION, ValueKind.NUMBER):
        return value.text, ""
    tail = value.text.split()[1:] if " " in value.text else []
    noun = tail[-1].casefold() if tail else value.text.lstrip("0123456789.,").casefold()
    if at + 2 < len(row) and row[at + 1].low == "of":
        of = phrase(row, at + 2)
        if of is not None and of.head not in ("us",):
            return spelled(row[at : of.end]), f"quantity of {of.text.casefold()}"
    if value.kind is ValueKind.NUMBER and at + 1 < len(row):
        after = row[at + 1]
        if opens(after) and lemma(after.low) != after.low:
            noun_phrase = phrase(row, at + 1, 3)
            single = value.text.casefold() in ("1", "one")
            if noun_phrase is not None and (
                single or noun_phrase.head.endswith("s") or noun_phrase.head in words.PEOPLE_NOUNS
            ):
                noun = noun_phrase.head
                return spelled(row[at : noun_phrase.end]), _quantity(noun, noun_phrase.text.casefold())
        if after.low == "of" and at + 2 < len(row) and row[at + 2].low == "us":
            return spelled(row[at : at + 3]), "number of people"
    if noun in _UNIT_OF:
        return value.text, _UNIT_OF[noun]
    if value.kind is ValueKind.QUANTITY and noun.isalpha():
        return value.text, _quantity(noun, " ".join(tail).casefold() or noun)
    return value.text, ""


def _quantity(noun: str, full: str) -> str:
    return "number of people" if noun in words.PEOPLE_NOUNS else f"quantity of {full}"


_DEFERS = words.CHANGE_VERBS & {"postpone", "push", "delay"} | {"postponed", "pushed", "delayed", "put"}


def _role(row: Sequence[Token], lead: int, floor: int, kind: ValueKind, before: str) -> str:
    """The attribute that a preposition or a verb gives to a value of a kind."""
    base = _KIND_ATTRIBUTE[kind]
    if kind is ValueKind.NUMBER and before == "for":
        return "number of people"
    if kind is ValueKind.ADDRESS and before == "to" and TRIPS.intersection(t.low for t in row[floor:lead]):
        return "destination"
    if kind not in TIMES:
        return base
    if before == "by":
        return "deadline"
    if any(t.low in _DEFERS for t in row[max(0, lead - 6) : lead + 1]):
        return base  # "put off until May" is a new start
    near = [
        token.low for token in row[max(floor, lead - 3) : lead + 1] if token.low != "out" or "check" in before
    ]
    return "end" if words.END_CUES.intersection(near) else base
