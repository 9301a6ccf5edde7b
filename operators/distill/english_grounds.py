"""Which English clauses tell a ground, and which one is told for."""

import re
from collections.abc import Sequence

from operators.distill.clause import READ_BACK, Clause, Connective, Mood
from operators.distill.grounds import Part, grounds

_OPENS = (
    r"^(?:(?:and|but|so|ok|okay|oh|well|yes|no|now|then|hey|sorry|besides|you know|you see|i mean|i think|"
    r"i guess|maybe|perhaps)[, ]+)*"
)
_SELF = rf"{_OPENS}(?:i|we)"
_VERY = r"(?:(?:just|still|so|too|all|also|very|really|quite|pretty|completely|a bit|a little|kind of) )*"
_NO_NEED = (
    r"(?:so|too|very|really|quite|just|still|all|a|an|the|my|your|in|on|at|from|with|here|there|about|"
    r"like|that|not|sure|sorry|terribly|afraid|glad|happy|able|done|good|fine|well|okay|ready|pleased|"
    r"delighted|excited|interested|curious|supposed|allowed|headed|almost|big|open|proud|aware|number|gonna|"
    r"(?!starving|freezing|dying|suffering|struggling)[a-z]+ing)\b"
)
"""What "I am" goes on with that is no need: places, plans ("packing"), moods, manners."""
_NEED = re.compile(
    rf"{_SELF}(?:'m|'re| am| are| was| were| feel| felt| got|'ve been| have been) {_VERY}"
    rf"(?!{_NO_NEED})(?-i:[a-z]{{3,}})|"
    rf"{_SELF}(?:'ve| have) been [a-z]+ing\b|"
    rf"{_SELF}(?:'ve got| have got| have| had) (?:to|an?|some|no|so many|so much) "
    r"(?!(?:question|request|reservation|booking|account|ticket|card|preference|budget|look)\b)[a-z]|"
    rf"{_SELF} (?:can't|cannot|can not|couldn't|haven't) (?!wait|think|say|believe|complain|tell)|"
    rf"{_OPENS}it(?:'s| is| was) (?:so|very|really|pretty|quite|getting) (?!(?:good|nice|great|important)\b)"
    r"[a-z]|"
    rf"{_OPENS}(?:it|that|they|this|he|she)(?:'s|'re| is| are| was| were) "
    r"(?:(?:just|way|far|much|really) )*too (?!bad)[a-z]",
    re.IGNORECASE,
)
_LACK = re.compile(
    r"\b(?:do|does|did|is)(?:n't| not) (?:work|fit|open|start|function|have (?:any|enough)|feel well)\b|"
    r"\b(?:broken?|stolen|leaking|missing|failed|lost my|r[au]n out|fed up)\b",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|unable to|won't be (?:able|here|there|back|home)|"
    r"(?:i|we|you|he|she) (?:didn't|haven't) (?:go|come|make|get|sleep|see)|"
    r"(?:i|we|you)(?:'ve got| have|'ll have| must|'d better) (?:to )?(?:go|leave|get|be|run|stay))\b",
    re.IGNORECASE,
)
_FELT = re.compile(
    rf"{_OPENS}(?:i|we|you|he|she)(?:'m|'re|'s| am| are| is| was| were| got| keep feeling|"
    rf" (?:feel|look|seem)s?) {_VERY}"
    r"(?:nervous|tired|upset|sad|angry|mad|worried|annoyed|unhappy|happy|glad|sick|ill|sleepy|exhausted|"
    r"lonely|scared|afraid of|surprised|disappointed|dizzy|terrible|awful|pale|excited|bored|stressed|"
    r"embarrassed|jealous|proud|frustrated|depressed|hungry|thirsty|late|busy)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    rf"{_OPENS}(?:"
    r"(?:i|we|he|she|they|you)(?:'ve got|'ve|'s got|'m|'re| have| has| had| must have| am| are| was| were|"
    r" couldn't| didn't| can't| lost| missed| forgot| overslept| need| must)\b"
    r"(?! (?:sorry|terribly|afraid|glad|sure|calling|looking))|"
    r"(?:my|our|his|her|their|the) \w+ (?:\w+ )?"
    r"(?:is|are|was|were|has|have|had|just|got|said|told|did|does|can't)\b|"
    r"there(?:'s| is| are| was| were| has been)\b|"
    r"(?:it|they|that)(?:'s|'re| is| are| was| were) (?:so|too|very|really|only|all|just|not)\b)",
    re.IGNORECASE,
)
_JUDGES = re.compile(
    rf"{_OPENS}(?:it|they|he|she)(?: really| just| always| never)?(?:'s|'re| is| are| was| were|"
    r" (?:make|give|taste|look|sound)s?)\b",
    re.IGNORECASE,
)
_TASTE = re.compile(
    r"\b(?:like|love|hate|dislike|enjoy|prefer|stand|fond of)\b(?! to (?:book|make|know|order|change|see)\b)",
    re.IGNORECASE,
)
_ACT = re.compile(rf"{_SELF}(?:'ll|'d better| will| had better| should) ", re.IGNORECASE)
_PATTERNS = (
    (Part.NEED, _NEED.match),
    (Part.NEED, _LACK.search),
    (Part.HELD, _HELD.search),
    (Part.FELT, _FELT.match),
    (Part.TELLS, _TELLS.match),
    (Part.JUDGES, _JUDGES.match),
    (Part.TASTE, _TASTE.search),
    (Part.ACT, _ACT.match),
)
_APART = re.compile(r" +(?=n't\b|'(?:m|s|re|ve|ll|d)\b)", re.IGNORECASE)
"""Some texts come with such endings apart from their word ("ca n't")."""


def unstated(clauses: Sequence[Clause], links: Sequence[Connective]) -> tuple[Connective, ...]:
    """The grounds among `clauses` that none of `links` states."""
    if len(clauses) < 2:
        return ()
    taken = {end for link in links for end in (link.reason, link.result)}
    return grounds([_part(clause) for clause in clauses], taken)


def _part(clause: Clause) -> Part:
    if clause.mood in (Mood.REQUEST, Mood.PROPOSAL):
        return Part.NONE if clause.asks == READ_BACK else Part.ACT
    if clause.mood is not Mood.STATEMENT:
        return Part.NONE
    text = clause.text.replace("’", "'")
    text = _APART.sub("", text) if "'" in text else text
    part = Part.NONE
    for kind, found in _PATTERNS:
        if found(text):
            part |= kind
    return part
