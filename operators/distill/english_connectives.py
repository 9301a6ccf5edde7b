"""Stated links between clauses: because, so, that's why, due to, so that, otherwise, unless."""

import re
from collections.abc import Sequence

from operators.cue import Cue
from operators.distill.clause import Connective
from operators.distill.english_reasons import PREPOSITIONS
from state.model import EdgeType

_REASON_FIRST = frozenset(("so", "therefore"))
"""The clause after it follows from the clause before it."""
_REASON_AFTER = frozenset(("because", "since", "as"))
"""The clause after it is the reason; in front of a sentence, of the clause that comes next."""
_PURPOSE = frozenset(("so that", "in order to"))
_BACK_REFERENCE = re.compile(
    r"^(?:and |but |ok(?:ay)?,? |well,? )?(?:so\b|therefore\b|hence\b|that(?:'s|’s| is) why\b|"
    rf"(?:{PREPOSITIONS}) (?:that|this)\b|"
    r"as a result\b(?! of\b)|for that reason\b|"
    r"that (?:means|lets|allows)\b|"
    r"which (?:means|lets|allows)\b|with it\b|and with it\b|consequently\b|in that case\b|"
    r"then (?:(?:i|we)(?:['’]ll| will|['’]m| am|['’]d| need| have)|let['’]s|it(?:['’]s| is) better)\b)",
    re.IGNORECASE,
)
_ENABLES = re.compile(r"\b(?:lets|allows|makes .{1,20} possible|with it you (?:may|can))\b", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:and |but |ok(?:ay)?,? |well,? )?(because(?! of\b)|since|as|given that|now that)\b", re.IGNORECASE
)
_SINCE_TIME = re.compile(
    r"^(?:\W*since|\W*as)\s+(?:\d|last|yesterday|then|monday|tuesday|wednesday|thursday|"
    r"friday|saturday|sunday|of\b|for\b|well\b|soon\b|far\b|long\b|much\b|many\b|a\b|an\b|"
    r"i was a)",
    re.IGNORECASE,
)
PREVENTS = Cue("from", r"\b(?:prevents?|stops?|keeps?|kept|prevented)\b.{1,60}\bfrom\b")


def leading(text: str) -> str:
    """The causal conjunction that a clause starts with, if it does."""
    found = _LEADING.match(text)
    return found[1].casefold() if found else ""


def connectives(texts: Sequence[str], joins: Sequence[str], firsts: Sequence[bool]) -> tuple[Connective, ...]:
    """Links among clauses: `joins[i]` is the word before clause i; `firsts[i]`: it starts its sentence."""
    found: list[Connective] = []
    for i, text in enumerate(texts):
        word, last = joins[i], i + 1 == len(texts)
        led = word if word in _REASON_AFTER else leading(text)
        back = _BACK_REFERENCE.match(text)
        if led and _SINCE_TIME.match(f"{led} {_unled(text)}"):
            led = ""
        if word in _REASON_FIRST and i:
            found.append(Connective(EdgeType.CAUSES, i - 1, i, word))
            if joins[i - 1] == "and" and i > 1:  # "it rained and I had a cold, so …": both are reasons
                found.append(Connective(EdgeType.CAUSES, i - 2, i, word))
        elif led and not last and not firsts[i + 1] and not joins[i + 1]:
            found.append(Connective(EdgeType.CAUSES, i, i + 1, led))
        elif led and word and i:
            found.append(Connective(EdgeType.CAUSES, i, i - 1, led))
        elif word in _PURPOSE and i:
            found.append(Connective(EdgeType.ENABLES, i - 1, i, word))
        elif word == "unless" and i:
            found.append(Connective(EdgeType.PREVENTS, i, i - 1, word))
        elif word == "otherwise" and i:
            found.append(Connective(EdgeType.PREVENTS, i - 1, i, word))
        elif back is not None and (i or firsts[i]):
            kind = EdgeType.ENABLES if _ENABLES.search(text[:60]) else EdgeType.CAUSES
            found.append(Connective(kind, i - 1, i, " ".join(back[0].split())))
        elif not i and "that" in text and _FOR_THAT.search(text):
            found.append(Connective(EdgeType.CAUSES, -1, i, "because of that"))
        elif (because := BECAUSE_OF.search(text)) is not None and i:
            named = because[2].casefold()
            reason = next((k for k in range(i - 1, -1, -1) if named in texts[k].casefold()), None)
            if reason is not None:
                found.append(Connective(EdgeType.CAUSES, reason, i, because[1].casefold()))
        if i and word != "so" and not firsts[i] and PREVENTS.found(text):
            found.append(Connective(EdgeType.PREVENTS, i - 1, i, "prevents"))
    return tuple(dict.fromkeys(found))


_FOR_THAT = re.compile(r"\b(?:because of that|for that reason)\W*$", re.IGNORECASE)
BECAUSE_OF = Cue(
    "owing due thanks because account grounds view light reason result consequence",
    rf"\b({PREPOSITIONS}) (?:the|that|this|those|these|my|our|your|a|an)? ?"
    r"(\w{4,}|\d[\d.,]*(?: \w+)?)",
)


def _unled(text: str) -> str:
    """The text behind the conjunction that it starts with, if it does."""
    found = _LEADING.match(text)
    return text[found.end() :].strip() if found else text
