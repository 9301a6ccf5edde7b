"""What an English clause says of what: (entity, attribute, value) in general frames.

Three frames cover most of it. A *label* stands before its value ("the kitchen budget is 23,000", "PIN: 5380"):
its head noun is the attribute and its modifier or owner the entity. A *role* is told by a preposition or a
verb ("deliver to 22 Linden Row", "for 4 people"). Failing both, the value's kind is the attribute ("time").
"""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from operators.distill import english_words as words
from operators.distill.clause import Claim
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_phrases import AUXILIARIES, Frame, Phrase, phrase, spelled
from operators.distill.english_verbs import lemma
from operators.distill.spans import TypedValue, ValueKind
from state.model import Act, Precision

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
_TIMES = (ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME)
_PLACE_ROLE = {
    "in": "place", "into": "place", "near": "place", "around": "place", "at": "venue", "from": "origin",
    "to": "destination", "with": "with",
}  # fmt: skip
_UNITS = {
    "weight": "g kg gram grams kilo kilos kilograms kilogram lb lbs pound pounds oz ounce ounces t tonnes tons stone",
    "length": "mm cm m km metre metres meter meters kilometre kilometres kilometers mile miles inch inches ft feet foot",
    "temperature": "degree degrees celsius fahrenheit °c °f c f",
    "volume": "l ml litre litres liter liters gallon gallons",
    "power": "kwh kw w watt watts mah v",
    "speed": "mph kph km/h",
    "size": "gb mb tb kb sqm",
}  # fmt: skip
_UNIT_OF = {unit: name for name, units in _UNITS.items() for unit in units.split()}
_SPLIT_MARKS = frozenset((",", ";", ":", ".", "!", "?", "-", "–", "—", "(", ")", "/"))
_VAGUE_HEADS = frozenset(
    "time moment way case fact lot bit course thing things something anything nothing one ones order favor "
    "favour mind hand touch advance addition general particular total least first last future past end "
    "beginning day now all".split()
)
MAX_CLAIMS = 12


@dataclass(frozen=True, slots=True)
class _Slot:
    entity: str
    attribute: str


def claims(row: Sequence[Token], parts: Frame, act: Act, asking: bool) -> tuple[Claim, ...]:
    """The claims of a clause; `asking` says that it requests or offers, where places count as values."""
    found: list[Claim] = []
    if act in (Act.WITHDRAW, Act.REMOVE) and not _typed_core(row, parts):
        taken = _taken(row, parts)
        return (taken,) if taken is not None else ()
    if act is Act.ADD and parts.object is not None and not _typed_core(row, parts):
        item = _listed(row, parts.object)
        return (Claim("", "item", item, many=True),)
    found.extend(_valued(row, parts))
    if not found or parts.verb == "have":
        found.extend(_untyped(row, parts, act))
    if asking or parts.verb in words.SEEK_VERBS:
        found.extend(_placed(row, parts))
    if not found and not parts.verb and len(row) <= 9 and row[-1].low != ":":
        found.extend(_bare(row, parts))
    if not found and parts.object is not None and not parts.negated:
        body = row[parts.object.start : parts.object.end]
        if any(_names(t) for t in body) and not parts.object.owner:
            found.append(Claim("", "", spelled(body)))
    return tuple(dict.fromkeys(found))[:MAX_CLAIMS]


def _typed_core(row: Sequence[Token], parts: Frame) -> bool:
    """Whether a typed value stands outside the names of things."""
    held = [p for p in (parts.subject, parts.object) if p is not None]
    return any(
        t.value is not None
        and t.value.kind not in OPEN_KINDS
        and not any(p.start <= at < p.end for p in held)
        for at, t in enumerate(row)
    )


def _taken(row: Sequence[Token], parts: Frame) -> Claim | None:
    """What a withdrawal or removal is about; its value is empty."""
    about = parts.object
    if parts.verb in ("be", "") and parts.subject is not None:
        about = parts.subject
    if about is None:
        for at in range(len(row)):
            if (about := phrase(row, at)) is not None and about.head not in ("'s",):
                break
    if about is None:
        return Claim("it", "", "")
    return Claim(_entity(about), "", "")


def _listed(row: Sequence[Token], item: Phrase) -> str:
    return spelled(row[item.start : item.end])


def _entity(about: Phrase | None) -> str:
    """A noun phrase as an entity: its owner is part of it ("my" is resolved by whoever knows the speaker)."""
    if about is None:
        return ""
    if about.owner in words.POSSESSIVES:
        return f"{about.owner} {about.text}"
    return about.text


def _label(about: Phrase, direct: bool, kind: ValueKind) -> _Slot | None:
    """A label before a value, as entity and attribute; None if the phrase is an entity as a whole."""
    if about.head in words.PRONOUNS:
        return None
    owner = about.owner
    if about.head in words.KIND_NOUNS:
        return _Slot(owner, f"{about.modifiers} {about.head}".strip().casefold())
    last = about.text.rpartition(" ")[2]
    if len(last) == 1 or (last[-1:].isdigit() and about.modifiers):
        return None  # "parcel B", "flight OV 118"
    proper = about.text[:1].isupper() and (
        len(about.text.split()) > 1 or about.text.isupper() or about.start > 0
    )
    if not direct or proper or (kind in (ValueKind.QUANTITY, *_TIMES) and not about.modifiers):
        return None
    if about.modifiers:
        return _Slot(about.modifiers, about.head)
    return _Slot(owner, about.head)


def _valued(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    previous_end = 0
    for at, token in enumerate(row):
        value = token.value
        if value is None or value.kind in OPEN_KINDS or _vague(value):
            continue
        if any(held is not None and held.start <= at < held.end for held in (parts.subject, parts.object)):
            continue
        slot, text = _slot(row, at, previous_end, parts, value)
        previous_end = at + 1
        if slot.attribute.startswith("quantity of ") and slot.attribute.rpartition(" ")[2] in _VAGUE_HEADS:
            continue
        yield Claim(slot.entity, slot.attribute, text)


def _vague(value: TypedValue) -> bool:
    """ "Soon", "later": words only, no value to hold an attribute to (DESIGN §3)."""
    return value.occurs is not None and value.occurs.precision is Precision.VAGUE


def _slot(row: Sequence[Token], at: int, floor: int, parts: Frame, value: TypedValue) -> tuple[_Slot, str]:
    """Whose value this is, and the value's words with the noun that it counts."""
    text, counted = _counted(row, at, value)
    lead = at - 1
    while lead >= floor and row[lead].low in words.ADVERBS | words.DETERMINERS | {
        "least",
        "most",
        "about",
        "around",
        "'s",
    }:
        lead -= 1
    before = row[lead].low if lead >= floor else ""
    default = counted or _role(row, lead, floor, value.kind, before)
    about = _labelled(row, lead, floor, parts, before)
    if about is not None:
        direct = before not in words.PREPOSITIONS or (
            before in ("to", "at", "of") and about.head in words.KIND_NOUNS
        )
        goes_to = before in ("to", "at", "down", "up") and bool(about.modifiers) and value.kind not in _TIMES
        slot = _label(about, (direct or goes_to) and not counted, value.kind)
        if slot is not None and slot.attribute:
            return slot, text
        if about.head.rstrip("s") in default:  # "temperatures of around 10 degrees"
            return _Slot(about.owner, default), text
        return _Slot(_entity(about), default), text
    thing = parts.object if parts.object is not None and parts.object.start < at else parts.subject
    if thing is not None and thing.start <= at < thing.end:
        thing = None
    if (
        thing is not None
        and thing.head in _PARTIES
        and (parts.desire or _wanted(parts) or value.kind in _TIMES)
    ):
        thing = None  # what is wanted has the value, not who wants it
    if thing is not None and _split(row, floor, at) and parts.verb == "":
        thing = None
    return _Slot(_entity(thing), default), text


_PARTIES = frozenset(("i", "we", "you", "me", "us"))


def _wanted(parts: Frame) -> bool:
    return parts.verb in words.WANT_VERBS or parts.verb in words.SEEK_VERBS


def _split(row: Sequence[Token], floor: int, at: int) -> bool:
    return any(t.low in _SPLIT_MARKS for t in row[floor:at])


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


def opens(token: Token) -> bool:
    if token.text == "A" or (len(token.text) == 1 and token.text.isupper() and token.text != "I"):
        return True
    return token.value is None and token.low.isalpha() and token.low not in AUXILIARIES and not (
        token.low in words.PREPOSITIONS or token.low in words.CONJUNCTIONS or token.low in words.PRONOUNS
        or token.low in words.ADVERBS or token.low in words.POSSESSIVES or token.low in words.DETERMINERS
        or token.low in words.WH_WORDS
    )  # fmt: skip


def _role(row: Sequence[Token], lead: int, floor: int, kind: ValueKind, before: str) -> str:
    """The attribute that a preposition or a verb gives to a value of a kind."""
    base = _KIND_ATTRIBUTE[kind]
    if kind is ValueKind.NUMBER and before == "for":
        return "number of people"
    if kind is ValueKind.ADDRESS and before == "to" and _TRIPS.intersection(t.low for t in row[floor:lead]):
        return "destination"
    if kind not in _TIMES:
        return base
    if before == "by":
        return "deadline"
    near = [
        token.low for token in row[max(floor, lead - 3) : lead + 1] if token.low != "out" or "check" in before
    ]
    return "end" if words.END_CUES.intersection(near) else base


def _labelled(row: Sequence[Token], lead: int, floor: int, parts: Frame, before: str) -> Phrase | None:
    """The noun phrase that the value at `lead` + 1 is said of: by a copula, a verb of becoming or mere contact."""
    end = lead + 1
    listed = before == "," and not parts.verb and floor == 0
    if before in words.PREPOSITIONS or before in (":", "=") or listed:
        end = lead
    step = end - 1
    seen_verb = False
    while step >= floor and (
        row[step].low in AUXILIARIES
        or (row[step].value is None and len(row[step].low) > 4 and row[step].low.endswith("ed"))
        or row[step].low in words.BECOME_VERBS or row[step].low in words.ADVERBS or row[step].low in ("not", "n't", "to", "going")
        or row[step].low in ("planned", "scheduled", "booked", "settled", "set", "due", "included")
    ):  # fmt: skip
        seen_verb = True
        step -= 1
    if step < floor or (row[step].value is not None and row[step].value.kind not in OPEN_KINDS):
        return None
    if not seen_verb and before in words.PREPOSITIONS and parts.verb and parts.object is not None:
        return parts.object if parts.object.end <= end and parts.object.head not in words.PRONOUNS else None
    begin = step
    while (
        begin > floor
        and (opens(row[begin - 1]) or row[begin - 1].low in ("of", "'s", "&") or _names(row[begin - 1]))
        and begin > parts.verb_at
    ):
        begin -= 1
    if begin - 2 >= floor and row[begin - 1].low in ("in", "at", "near") and _names(row[begin - 2]):
        begin = step = begin - 2  # "Casa Lumen in Lisbon, 3 nights"
    if begin > floor and (row[begin - 1].low in words.DETERMINERS or row[begin - 1].low in words.POSSESSIVES):
        begin -= 1
    if parts.verb and parts.verb != "be" and begin <= parts.verb_at <= step:
        begin = parts.verb_at + 1
    if parts.verb and parts.verb != "be" and step <= parts.verb_at:
        return parts.subject if seen_verb and _nominal(parts.subject) else None
    about = phrase(row[: step + 1], begin) if begin <= step else None
    return about if _nominal(about) else None


def _nominal(about: Phrase | None) -> bool:
    """Whether the phrase names a thing: no pronoun, no bare gerund ("paying €70,000")."""
    if about is None or about.head in words.PRONOUNS:
        return False
    verbal = not about.determined and not about.owner and not about.modifiers and lemma(about.head) != ""
    return not verbal and about.head not in _VAGUE_HEADS


def _names(token: Token) -> bool:
    return token.value is not None and token.value.kind in OPEN_KINDS


def _untyped(row: Sequence[Token], parts: Frame, act: Act) -> Iterator[Claim]:
    subject, target = parts.subject, parts.object
    if parts.verb == "be" and subject is not None and not parts.inverted:
        yield from _copular(row, parts, subject)
    elif parts.verb == "have" and subject is not None and target is not None and not parts.inverted:
        if not any(t.value is not None and t.value.kind not in OPEN_KINDS for t in row):
            start = (
                target.start - 1 if target.start > 0 and row[target.start - 1].low == "no" else target.start
            )
            yield Claim(
                _entity(subject),
                target.head,
                ("not " if parts.negated else "") + spelled(row[start : target.end]),
            )
    elif (
        parts.verb in words.LIKE_VERBS
        and subject is not None
        and target is not None
        and target.head not in words.PRONOUNS
    ):
        dislikes = parts.verb in words.DISLIKE_VERBS or parts.negated
        yield from _liked(row, subject, target, dislikes)
    elif parts.verb in words.CHANGE_VERBS | words.KEEP_VERBS and target is not None:
        yield from _set_to(row, parts, target, act)


def _perfect(row: Sequence[Token], parts: Frame) -> bool:
    """ "The parcel has shipped": what has happened to a thing is its state."""
    return (
        any(t.low in words.HAVE for t in row[max(0, parts.verb_at - 3) : parts.verb_at])
        and parts.verb != "be"
    )


def _copular(row: Sequence[Token], parts: Frame, subject: Phrase) -> Iterator[Claim]:
    at = parts.rest
    while at < len(row) and (row[at].low in words.ADVERBS or row[at].low in ("n't", "not")):
        at += 1
    if at >= len(row) or subject.head in words.WH_WORDS:
        return
    end = next(
        (k for k in range(at, len(row)) if row[k].low in _SPLIT_MARKS or row[k].low in words.CONJUNCTIONS),
        len(row),
    )
    if end == at:
        return
    before, place = row[at].low, phrase(row, at + 1)
    value = spelled(row[at : min(end, at + 9)])
    if before in ("in", "at", "on") and place is not None and place.head not in _VAGUE_HEADS:
        yield Claim(_entity(subject), "place", spelled(row[place.start : place.end]))
        return
    if subject.head in words.KIND_NOUNS:
        yield Claim(subject.owner, f"{subject.modifiers} {subject.head}".strip().casefold(), value)
        return
    named = phrase(row, at)
    if subject.owner and named is not None and named.end >= end and named.modifiers and not named.determined:
        yield Claim(subject.owner, f"{subject.modifiers} {subject.head}".strip().casefold(), named.text)
        return
    if subject.head in ("this", "that", "there", "all", "which", "it") or _passing(row[at:end], subject):
        return
    yield Claim(_entity(subject), "state", ("not " if parts.negated else "") + value)


def _passing(complement: Sequence[Token], subject: Phrase) -> bool:
    """Whether the complement says how a speaker feels or what is going on, rather than a fact to keep."""
    if subject.head not in ("i", "we", "you"):
        return False
    if (
        complement[0].low in words.FEELINGS
        or complement[0].low.endswith("ing")
        or complement[0].low == "gonna"
    ):
        return True
    return len(complement) > 4


def _liked(row: Sequence[Token], subject: Phrase, target: Phrase, dislikes: bool) -> Iterator[Claim]:
    at, attribute = target.end, "dislikes" if dislikes else "likes"
    yield Claim(_entity(subject), attribute, target.text, many=True)
    while at + 1 < len(row) and row[at].low in (",", "and"):
        another = phrase(row, at + 1 if row[at + 1].low != "and" else at + 2)
        if another is None or another.head in words.PRONOUNS:
            return
        yield Claim(_entity(subject), attribute, another.text, many=True)
        at = another.end


def _set_to(row: Sequence[Token], parts: Frame, target: Phrase, act: Act) -> Iterator[Claim]:
    """ "Change the X to Y", "put X in Y", "make the sponge chocolate", "keep the lemon one"."""
    at = parts.rest
    while at < len(row) and row[at].low in words.ADVERBS:
        at += 1
    if at + 1 < len(row) and row[at].low == "from":
        at = next((k for k in range(at, len(row)) if row[k].low == "to"), at)
    if at + 1 < len(row) and row[at].low in ("to", "in", "at", "on", "into", "as", "with", "for", "off"):
        value = phrase(row, at + 1)
        if value is not None and value.head not in words.PRONOUNS:
            place = row[at].low in ("in", "at", "on", "into") and row[at].low != "to"
            slot = _label(target, True, ValueKind.NAME) if target.head in words.KIND_NOUNS else None
            entity, attribute = (
                (slot.entity, slot.attribute) if slot else (_entity(target), "place" if place else "")
            )
            yield Claim(entity, attribute, value.text)
            return
        if row[at].low in ("on", "off"):
            yield Claim(_entity(target), "state", row[at].low)
            return
    if at < len(row) and row[at].low in ("on", "off"):
        yield Claim(_entity(target), "state", row[at].low)
        return
    if parts.verb == "make" and target.modifiers == "" and target.head in words.PRONOUNS:
        value = phrase(row, at)
        if value is not None:
            yield Claim(target.text, "", value.text)
    elif parts.verb == "make" and target.modifiers and target.definite:
        entity, value_text = target.modifiers, target.head
        yield Claim(entity, "", value_text)
    elif act is Act.RESTORE or parts.verb in words.KEEP_VERBS:
        yield Claim("", "", target.text)


def _placed(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    """Places and parties behind prepositions: open words, so only where a thing is asked for or offered."""
    about = parts.object if parts.object is not None and parts.object.head not in words.PRONOUNS else None
    for at in range(len(row) - 1):
        role = _PLACE_ROLE.get(row[at].low) if row[at].value is None else None
        if role is None or (about is not None and about.start <= at < about.end):
            continue
        place = phrase(row, at + 1, 6)
        if place is None or not _a_place(row, at, place, role):
            continue
        if any(t.value is not None and t.value.kind not in OPEN_KINDS for t in row[place.start : place.end]):
            continue
        yield Claim(_entity(about), role, spelled(row[place.start : place.end]))


def _a_place(row: Sequence[Token], at: int, place: Phrase, role: str) -> bool:
    """Whether the noun phrase behind a preposition names a place or a party, rather than something common."""
    if place.head in words.PRONOUNS or place.head in _VAGUE_HEADS or place.head in words.DAY_PARTS:
        return False
    body = row[place.start : place.end]
    if any(_names(t) or t.text[:1].isupper() for t in body):
        return True
    if role == "with" or not place.definite:
        return False
    if place.head in words.COMPASS:
        return True
    follows_motion = at > 0 and (row[at - 1].low in _TRIPS or row[at - 1].low.endswith("ing"))
    return role in ("destination", "origin") and follows_motion and lemma(row[at + 1].low) != row[at + 1].low


_TRIPS = frozenset(
    "go going get ride flight travel trip cab taxi fly drive train bus walk way move head".split()
)


def _bare(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    """A fragment without a verb: it answers or corrects something, and context says what."""
    at = 0
    role = ""
    if len(row) > 1 and row[0].low in ("in", "at", "to", "from", "with", "for", "on", "by", "near"):
        role, at = _PLACE_ROLE.get(row[0].low, ""), 1
    value = phrase(row, at, 8)
    if value is None or value.head in words.PRONOUNS or value.head in words.WH_WORDS:
        return
    after = row[value.end] if value.end < len(row) else None
    if after is not None and after.low == ":" and value.end + 1 < len(row):
        content = phrase(row, value.end + 1, 8)
        if content is not None:
            yield Claim(value.modifiers, value.head, content.text)
        return
    if after is not None and after.low not in _SPLIT_MARKS | {
        "instead",
        "please",
        "then",
        "again",
        "too",
        "it",
        "and",
    }:
        return
    yield Claim("", role, spelled(row[value.start : value.end]))


def old_value(row: Sequence[Token]) -> str:
    """What the clause says is gone: "instead of X", "rather than X", ", not X", "from X to Y"."""
    for at in range(len(row) - 1):
        low = row[at].low
        after = at + 1
        if low in ("instead", "rather") and row[after].low in ("of", "than"):
            after += 1
        elif low == "than" and any(t.low in ("rather", "prefer") for t in row[:at]):
            pass
        elif low == "not" and at and row[at - 1].low == ",":
            pass
        else:
            continue
        if after >= len(row):
            return ""
        if row[after].value is not None and row[after].value.kind not in OPEN_KINDS:
            return row[after].text
        gone = phrase(row, after)
        return gone.text if gone is not None else ""
    return ""
