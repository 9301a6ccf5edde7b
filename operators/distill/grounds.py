"""Grounds that no word links: a need beside the request that it leads to, or what keeps somebody from it.

Who asks for something and, in the sentence beside it, tells of a trouble or of how they are, tells why they
ask; who says that they cannot, or how they feel, and then what they have to do or lack, tells why that is so.
No word says so, and so the link is less sure than one with a connective. The languages sort the clauses; the
pairs that make a link are the same in all.
"""

from collections.abc import Collection, Sequence
from enum import Flag, auto

from operators.distill.clause import Connective
from state.model import EdgeType


class Part(Flag):
    """What a clause can be to the one beside it."""

    NONE = 0
    ACT = auto()  # asks for something, or sets out to do it
    NEED = auto()  # tells a trouble, a lack or a state of who speaks
    HELD = auto()  # says that something cannot be, or has to be
    FELT = auto()  # says how somebody feels or looks, or what they like
    TELLS = auto()  # says how things are, as one does to explain what was just said
    JUDGES = auto()  # says how the thing is that was just spoken of ("They're dull")
    TASTE = auto()  # says what somebody likes or does not like


GROUND = "the ground, told beside it"


def grounds(parts: Sequence[Part], taken: Collection[int]) -> tuple[Connective, ...]:
    """Links between neighbours. `parts` are those of the clauses, in order; `taken` are clauses that a
    connective links already, and each clause gets at most one ground."""
    found: list[Connective] = []
    grounded = set(taken)
    for at in range(len(parts) - 1):
        one, next_one = parts[at], parts[at + 1]
        if not one or not next_one or at in taken or at + 1 in taken:
            continue
        if _explains(one, next_one) and at not in grounded:
            found.append(Connective(EdgeType.CAUSES, at + 1, at, GROUND, stated=False))
            grounded.add(at)
        elif _leads(one, next_one) and at not in grounded:
            found.append(Connective(EdgeType.CAUSES, at, at + 1, GROUND, stated=False))
            grounded.add(at + 1)
    return tuple(found)


def _leads(one: Part, next_one: Part) -> bool:
    """Whether what is told first leads to what comes next."""
    return bool(one & Part.NEED and next_one & (Part.ACT | Part.HELD))


def _explains(one: Part, next_one: Part) -> bool:
    """Whether what comes next tells why what was said first is so."""
    if one & Part.ACT and next_one & Part.NEED and not next_one & Part.ACT:
        return True
    if one & Part.TASTE and next_one & Part.JUDGES:
        return True
    return bool(one & (Part.HELD | Part.FELT) and next_one & Part.TELLS and not next_one & Part.ACT)
