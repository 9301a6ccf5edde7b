"""What an English clause says of what: (entity, attribute, value) in general frames."""

from collections.abc import Sequence

from operators.distill import english_words as words
from operators.distill.clause import CHANGED_LAST, Claim
from operators.distill.english_acts import of_part, revives
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_frames import Frame
from operators.distill.english_lists import listed_items
from operators.distill.english_phrases import phrase, spelled
from operators.distill.english_places import bare, listed, placed, varied
from operators.distill.english_predicates import switched_to, untyped
from operators.distill.english_settled import settled
from operators.distill.english_things import entity_of, names, nominal
from operators.distill.english_values import valued
from operators.distill.english_verbs import lemma
from state.model import Act

MAX_CLAIMS = 12


def claims(row: Sequence[Token], parts: Frame, act: Act, asking: bool) -> tuple[Claim, ...]:
    """The claims of a clause; `asking` says that it requests or offers, where places count as values."""
    found: list[Claim] = []
    if of_part(row, parts):
        return ()
    if act in (Act.WITHDRAW, Act.REMOVE) and parts.object is not None:
        row = _first_deed(row, parts.object.end)
    if act in (Act.WITHDRAW, Act.REMOVE) and not _typed_core(row, parts):
        taken = _taken(row, parts)
        return (taken,) if taken is not None else ()
    if lasting := settled(row):
        return lasting
    if act is Act.CHANGE and (name := switched_to(row, parts)):
        return (Claim("it", "", name),)
    if act is Act.RESTORE and revives(parts) and parts.object is not None:
        return (Claim(entity_of(parts.object), "", ""),)
    ordered = parts.verb in _ORDERED and (
        parts.verb != "like" or parts.modal != ""
    )  # "I'd like", not a taste
    items = listed_items(row, parts) if act is Act.ADD or ordered else ()
    if act is Act.ADD and items and (len(items) > 1 or (parts.object and not _typed_core(row, parts))):
        return tuple(Claim("", "item", item, many=True) for item in items)[:MAX_CLAIMS]
    found.extend(valued(row, parts))
    if len(items) > 1 and not parts.negated:
        found.extend(
            Claim("", "item", item, many=True) for item in items if all(c.value != item for c in found)
        )
    owner = entity_of(parts.subject)
    if not found or (parts.verb == "have" and all(c.entity != owner for c in found)):
        found.extend(untyped(row, parts, act))
    if asking or parts.verb in words.SEEK_VERBS:
        told = {c.value for c in found}
        found.extend(c for c in placed(row, parts) if c.value not in told)
        found.extend(varied(row, parts))
    if parts.verb in ("", "be") and parts.subject is not None and any(t.low == "," for t in row):
        found.extend(listed(row, parts))
    if not found and not parts.verb and len(row) <= 9 and row[-1].low != ":":
        found.extend(bare(row, parts))
    if not found and parts.object is not None and not parts.negated:
        body = row[parts.object.start : parts.object.end]
        if any(names(t) for t in body) and not parts.object.owner:
            found.append(Claim("", "", spelled(body)))
        elif parts.verb in words.ACQUIRE_VERBS and nominal(parts.object):
            found.append(Claim(entity_of(parts.object), "", ""))
    return tuple(dict.fromkeys(found))[:MAX_CLAIMS]


def kind_found(row: Sequence[Token]) -> tuple[Claim, ...]:
    """ "There's a family membership": a thing of a kind that the other party may have one of already."""
    at = next((k + 1 for k, t in enumerate(row[:4]) if t.low in ("'s", "is")), 0)
    about = phrase(row, at) if at else None
    if about is None or about.definite or not about.modifiers or any(t.value for t in row[at : about.end]):
        return ()
    return (Claim("", about.head, about.text),)


_ORDERED = words.ACQUIRE_VERBS | {"want", "like", "need", "get", "take"}


def _first_deed(row: Sequence[Token], at: int) -> Sequence[Token]:
    """The tokens up to where another verb is joined on ("cancelled the lamp | and applied a £5 discount")."""
    if at + 1 < len(row) and row[at].low == "and":
        verbal = lemma(row[at + 1].low) != "" or row[at + 1].low.endswith("ed")
        return row[:at] if verbal else row
    return row


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
    said = next((k for k in range(1, len(row) - 1) if row[k].low == "about" and row[k - 1].low == "said"), 0)
    if said or [t.low for t in row[:2]] == ["never", "mind"]:
        about = phrase(row, said + 1 if said else 2)
    elif parts.verb in ("be", "") and parts.subject is not None:
        about = parts.subject
    if about is None:
        for at in range(len(row)):
            if (about := phrase(row, at)) is not None and about.head not in ("'s",):
                break
    if about is None:
        return Claim("it", "", "")
    if about.head in words.CHANGE_VERBS and not about.modifiers:
        return Claim(CHANGED_LAST, "", "")  # "undo the switch"
    return Claim(entity_of(about), "", "")


def old_value(row: Sequence[Token]) -> str:
    """What the clause says is gone: "instead of X", "rather than X", ", not X", "from X to Y"."""
    for at in range(len(row) - 1):
        low = row[at].low
        after = at + 1
        if low in ("instead", "rather") and row[after].low in ("of", "than"):
            after += 1
        elif low == "than":
            if not any(t.low in ("rather", "prefer") for t in row[:at]):
                continue
        elif low != "not" or not at or row[at - 1].low != ",":
            continue
        if after >= len(row):
            return ""
        value = row[after].value
        if value is not None and value.kind not in OPEN_KINDS:
            return row[after].text
        gone = phrase(row, after)
        return gone.text if gone is not None else ""
    return ""
