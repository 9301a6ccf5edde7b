"""Claims without a typed value: what is, has, is liked, is set to something."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Iterator, Sequence

from operators.distill import english_words as words
from operators.distill.clause import Claim
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_frames import Frame
from operators.distill.english_labels import Slot, label
from operators.distill.english_phrases import Phrase, phrase, spelled
from operators.distill.english_things import SPLIT_MARKS, VAGUE_HEADS, entity_of, names
from operators.distill.english_verbs import lemma
from operators.distill.spans import ValueKind
from state.model import Act


def untyped(row: Sequence[Token], parts: Frame, act: Act) -> Iterator[Claim]:
    subject, target = parts.subject, parts.object
    if parts.verb == "be" and subject is not None and not parts.inverted:
        yield from _copular(row, parts, subject, act)
    elif parts.verb == "have" and subject is not None and target is not None and not parts.inverted:
        told = next((k for k in range(target.end, len(row)) if row[k].low in SPLIT_MARKS), len(row))
        if not any(t.value is not None and t.value.kind not in OPEN_KINDS for t in row[:told]):
            start = (
                target.start - 1 if target.start > 0 and row[target.start - 1].low == "no" else target.start
            )
            yield Claim(
                entity_of(subject),
                target.head,
                ("not " if parts.negated else "") + spelled(row[start : target.end]),
            )
    elif (
        subject is not None and target is None and _perfect(row, parts) and subject.head not in words.PRONOUNS
    ):
        yield Claim(entity_of(subject), "state", spelled(row[parts.verb_at : parts.verb_at + 5]))
    elif target is not None and target.definite and _perfect(row, parts) and parts.verb != "have":
        yield from _done_to(row, parts, target)
    elif (
        parts.verb in words.LIKE_VERBS
        and subject is not None
        and target is not None
        and target.head not in words.PRONOUNS
    ):
        dislikes = parts.verb in words.DISLIKE_VERBS or parts.negated
        yield from _liked(row, subject, target, dislikes)
    elif (used := _used_as(row, parts)) is not None:
        yield used
    elif (who := _party(row, parts)) is not None and (new := _switched(row, parts, who)) is not None:
        yield new
    elif subject is not None and target is None and _going_on(row, parts, subject):
        yield Claim(entity_of(subject), "state", row[parts.verb_at].text)
    elif act is Act.RESTORE:
        yield from _gone_back_to(row, parts)
    elif (parts.verb in words.CHANGE_VERBS or parts.verb in words.KEEP_VERBS) and target is not None:
        yield from _set_to(row, parts, target)


_PARTY = frozenset(("me", "us"))


def _party(row: Sequence[Token], parts: Frame) -> Phrase | None:
    """Who or what is switched to something else: the subject, or "me" ("upgrade me to …")."""
    after = parts.verb_at + 1
    if after < len(row) and row[after].low in _PARTY:
        return phrase(row, after)
    return parts.subject if parts.object is None else None


def _switched(row: Sequence[Token], parts: Frame, whose: Phrase) -> Claim | None:
    """ "I've switched to oat milk", "the shop is converted to solar power": what a party or a thing has now.
    The attribute is what kind of thing that is, unless it is a name, whose kind its words do not tell."""
    verb = next(
        (k for k in range(parts.verb_at, min(parts.verb_at + 3, len(row))) if lemma(row[k].low) in _SWITCH),
        -1,
    )
    if verb >= 0 and verb + 2 < len(row) and row[verb + 1].low in _PARTY:
        verb += 1
    if verb < 0 or verb + 1 >= len(row) or row[verb + 1].low not in ("to", "onto", "into"):
        return None
    new = phrase(row, verb + 2)
    if new is None or new.head in words.PRONOUNS or new.head in VAGUE_HEADS:
        return None
    named = any(t.value is not None and not t.low.endswith("ly") for t in row[new.start : new.end])
    return None if named else Claim(entity_of(whose), new.head, new.text)


def switched_to(row: Sequence[Token], parts: Frame) -> str:
    """The name of what is had from now on ("we switched to Bergo", "upgrade me to Pro"), or "": which of the
    names told before it takes the place of, only they can tell."""
    at = parts.verb_at
    if at >= len(row) or lemma(row[at].low) not in _SWITCH:
        return ""
    at += 1 + (at + 1 < len(row) and row[at + 1].low in _PARTY)
    if at + 2 != len(row) or row[at].low not in ("to", "onto") or not names(row[at + 1]):
        return ""
    return row[at + 1].text


_SWITCH = frozenset(["switch", "change", "upgrade", "downgrade", "convert", "transfer"])


_ON = frozenset(("working", "running", "leaking", "waiting"))


def _going_on(row: Sequence[Token], parts: Frame, subject: Phrase) -> bool:
    """ "The lift is working": the state of a thing, in a form of a verb."""
    last = parts.verb_at + 1 == len(row)
    return last and row[parts.verb_at].low in _ON and subject.head not in words.PRONOUNS


def _gone_back_to(row: Sequence[Token], parts: Frame) -> Iterator[Claim]:
    """ "Keep the oak", "go back to the original date": the value that is to hold again."""
    at = next((k + 1 for k, t in enumerate(row) if t.low in ("to", "with") and k >= parts.verb_at), -1)
    target = phrase(row, at) if at > 0 else None
    target = target or parts.object
    if target is None or (target.head in words.PRONOUNS and target.head != "one"):
        return
    kind = target.head if target.head in words.KIND_NOUNS else ""
    yield Claim(target.owner if kind else "", kind, target.text)


def _done_to(row: Sequence[Token], parts: Frame, target: Phrase) -> Iterator[Claim]:
    """ "The museum has withdrawn the loan", "the lab has declared B spoilt": the state of the object."""
    if target.head in words.PRONOUNS:
        return
    named = max((k for k in range(target.start, target.end) if row[k].value is not None), default=target.end)
    if named + 2 == target.end and row[named + 1].text.islower():  # "sample B-17 spoilt"
        yield Claim(spelled(row[target.start : named + 1]), "state", row[named + 1].text)
        return
    left = [t for t in row[target.end :] if t.low[-1:].isalpha()]
    state = left[0].text if len(left) == 1 else row[parts.verb_at].text
    yield Claim(entity_of(target), "state", state)


def _perfect(row: Sequence[Token], parts: Frame) -> bool:
    """ "The parcel has shipped": what has happened to a thing is its state."""
    return (
        any(t.low in words.HAVE for t in row[max(0, parts.verb_at - 3) : parts.verb_at])
        and parts.verb != "be"
    )


def _copular(row: Sequence[Token], parts: Frame, subject: Phrase, act: Act) -> Iterator[Claim]:
    at = parts.rest
    while at < len(row) and (row[at].low in words.ADVERBS or row[at].low in ("n't", "not")):
        at += 1
    if at >= len(row) or subject.head in words.WH_WORDS:
        return
    if (new := _switched(row, parts, subject)) is not None:
        yield new
        return
    end = next(
        (k for k in range(at, len(row)) if row[k].low in SPLIT_MARKS or row[k].low in words.CONJUNCTIONS),
        len(row),
    )
    if end == at:
        return
    if (goal := _sent_to(row[:end], at, subject)) is not None:
        yield goal
        return
    before, place = row[at].low, phrase(row, at + 1)
    while end > at + 1 and row[end - 1].low in words.ADVERBS:
        end -= 1
    value = spelled(row[at : min(end, at + 9)])
    if before == "in" and place is not None and _mass(row, place):
        yield Claim(entity_of(subject), "state", value)  # "in transit", "in oak"
        return
    if before == "on" and place is not None and place.head in _SCHEMES and place.modifiers:
        yield Claim(entity_of(subject), place.head, place.text)
        return
    located = place is not None and place.head not in VAGUE_HEADS | words.PRONOUNS
    if before in ("in", "at", "on") and place is not None and located:
        yield Claim(entity_of(subject), "place", spelled(row[place.start : place.end]))
        return
    if subject.head in words.KIND_NOUNS:
        yield Claim(subject.owner, f"{subject.modifiers} {subject.head}".strip().casefold(), value)
        return
    named = phrase(row, at)
    if subject.owner and named is not None and named.end >= end and _calls(row, named):
        yield Claim(subject.owner, f"{subject.modifiers} {subject.head}".strip().casefold(), named.text)
        return
    if (mine := _whose(row[:end], subject, named)) is not None:
        yield mine
        return
    if (
        subject.head == "it"
        and act is Act.CHANGE
        and named is not None
        and named.end >= end
        and row[named.start].value
    ):
        yield Claim("it", "", named.text)  # "it's Elm Park now"
        return
    if subject.head in ("this", "that", "there", "all", "which", "it") or _passing(row[at:end], subject):
        return
    yield Claim(entity_of(subject), "state", ("not " if parts.negated else "") + value)


def _calls(row: Sequence[Token], named: Phrase) -> bool:
    """Whether a phrase tells which one is meant ("Elm Park", "my sister Ruth", "kiwi77", "oat milk") rather
    than what it is like."""
    if names(row[named.end - 1]) or any(char.isdigit() for char in row[named.end - 1].low):
        return True
    return not named.determined and bool(named.modifiers)


def _sent_to(row: Sequence[Token], at: int, subject: Phrase) -> Claim | None:
    """ "… sent to the depot", "… moved to the loft": where a thing goes, or is now."""
    if row[at].low not in _SENT | _MOVED or at + 2 >= len(row) or row[at + 1].low not in ("to", "into"):
        return None
    goal = phrase(row, at + 2)
    if goal is None or goal.head in words.PRONOUNS:
        return None
    attribute = "place" if row[at].low in _MOVED else "destination"
    return Claim(entity_of(subject), attribute, spelled(row[goal.start : goal.end]))


_SCHEMES = frozenset("plan tariff contract subscription rate diet course version".split())
"""What one is on, rather than at."""
_SENT = frozenset("sent shipped delivered posted mailed dispatched going".split())
"""Participles of what a thing is sent with: its "to" tells where it goes."""
_MOVED = frozenset("moved relocated transferred shifted".split())
"""Participles of what takes place elsewhere from then on."""


def _whose(row: Sequence[Token], subject: Phrase, named: Phrase | None) -> Claim | None:
    """ "Dr. Patel is my supervisor": what somebody is to a party is what that party has."""
    if named is None or named.end < len(row) or not names(row[subject.end - 1]):
        return None
    slot = _owned(named)
    return Claim(slot.entity, slot.attribute, subject.text) if slot is not None else None


def _used_as(row: Sequence[Token], parts: Frame) -> Claim | None:
    """ "Use Amos as my emergency contact": which one it is from then on."""
    target, at = parts.object, parts.rest
    if target is None or parts.verb not in _USES or at + 1 >= len(row) or row[at].low != "as":
        return None
    role = phrase(row, at + 1)
    slot = _owned(role) if role is not None else None
    return Claim(slot.entity, slot.attribute, target.text) if slot is not None else None


_USES = frozenset(("use", "take", "list", "name", "register", "add"))


def _owned(target: Phrase) -> Slot | None:
    """What "my user name" is, whatever it is called: something that its owner has."""
    if target.owner not in words.POSSESSIVES:
        return None
    return Slot(target.owner, f"{target.modifiers} {target.head}".strip().casefold())


def _mass(row: Sequence[Token], about: Phrase) -> bool:
    """Whether a phrase behind "in" tells a state or a material rather than a place: a bare common noun."""
    body = row[about.start : about.end]
    return not (
        about.determined or about.owner or any(t.value is not None or t.text[:1].isupper() for t in body)
    )


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
    yield Claim(entity_of(subject), attribute, target.text, many=True)
    while at + 1 < len(row) and row[at].low in (",", "and"):
        another = phrase(row, at + 1 if row[at + 1].low != "and" else at + 2)
        if another is None or another.head in words.PRONOUNS:
            return
        yield Claim(entity_of(subject), attribute, another.text, many=True)
        at = another.end


def _set_to(row: Sequence[Token], parts: Frame, target: Phrase) -> Iterator[Claim]:
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
            if place and target.head in ("name", "names"):
                return  # "put my name on the list" enters a party, and is nothing that it is called
            slot = label(target, True, ValueKind.NAME) if target.head in words.KIND_NOUNS else _owned(target)
            entity, attribute = (
                (slot.entity, slot.attribute) if slot else (entity_of(target), "place" if place else "")
            )
            yield Claim(entity, attribute, value.text)
            return
        if row[at].low in ("on", "off"):
            yield Claim(entity_of(target), "state", row[at].low)
            return
    if at < len(row) and row[at].low in ("on", "off"):
        yield Claim(entity_of(target), "state", row[at].low)
        return
    if parts.verb == "make" and target.modifiers == "" and target.head in words.PRONOUNS:
        value = phrase(row, at)
        if value is not None:
            yield Claim(target.text, "", value.text)
    elif parts.verb == "make" and target.modifiers and target.definite:
        what, _, kind = target.modifiers.rpartition(" ")
        if kind.casefold() in words.KIND_NOUNS:
            yield Claim(what, kind.casefold(), target.head)  # "make the colour walnut"
        else:
            yield Claim(target.modifiers, "", target.head)
    elif parts.verb in words.KEEP_VERBS:
        yield Claim("", "", target.text)
