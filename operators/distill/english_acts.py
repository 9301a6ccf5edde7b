"""What an English clause is meant to do: its mood, its act and the type of event that it makes."""

# ruff: noqa: SIM905  (a word class reads best as a text)

import re
from collections.abc import Sequence
from itertools import pairwise

from operators.cue import Cue
from operators.distill import english_words as words
from operators.distill.clause import Mood
from operators.distill.english_answers import CORRECTS
from operators.distill.english_clauses import Token
from operators.distill.english_frames import Frame
from operators.distill.spans import ValueKind
from state.model import Act, EventType

_IF = re.compile(
    r"^(?:(?:and|but|so|well|ok|oh),? )*(?:if|suppose|supposing|imagine|what if|in case|"
    r"unless|assuming|had i|were i)\b",
    re.IGNORECASE,
)
PROPOSE = Cue(
    "about shall should would do can could might may suggest recommend have there found confirm ensure "
    "verify correct right ok okay fine sure option",
    r"\b(?:how about|what about|shall (?:we|i)|should (?:we|i)|would you like|do you want|would you rather|"
    r"(?:i|we) (?:can|could|would|might) (?:offer|do|suggest|recommend)|(?:i|"
    r"we)(?:[’']d)? (?:suggest|recommend)|"
    r"(?:i|we) (?:still |also )?have (?:a|an|another|one) (?:\w+ )?(?:slot|opening|vacancy)\b|"
    r"(?:i|we|you) (?:can|could) (?:also |still |instead |always )?(?:book|try|reserve|arrange|schedule)|"
    r"(?:i|we) (?:still )?have\b.{3,80}\b(?:open|available|free|left)|could we (?:make|do)|we could|"
    r"you (?:might|may|could) (?:like|consider|try|want|enjoy)|there (?:is|are)|there[’']s|"
    r"(?:i|we)(?:[’']ve| have)? found|(?:please|kindly) (?:confirm|ensure|verify)|"
    r"is (?:it|that|this) (?:correct|right|ok|okay|fine)|just to (?:confirm|be sure|make sure)|"
    r"could i interest|can i offer|one option)\b",
)
"""What a speaker offers, advises or reads back."""
_FOUND = re.compile(
    r"\b(?:there (?:is|are)|there[’']s|(?:i|we)(?:[’']ve| have)? found|i see)\b", re.IGNORECASE
)
_ASK_CHANGE = re.compile(
    r"\b(?:can|could|would|will|may|might) (?:you|we|i|u)\b|\bmind\b|\bwould it be possible\b|"
    r"\bis it possible\b|\bis there any way\b|"
    r"\b(?:can|could) (?:it|this|that) be\b",
    re.IGNORECASE,
)
_AVAILABLE = re.compile(
    r"^(?:is|are|would|will|could|can|does|do)\b.*\b(?:available|free|open|possible|work|do|suit|okay|ok)\b",
    re.IGNORECASE,
)
_OFFER_START = re.compile(
    r"^(?:and |or |but |so |ok |okay |then |actually |hmm |well )*,?\s*(?:how about|"
    r"what about|maybe|perhaps|let[’']?s try)\b",
    re.IGNORECASE,
)
_OFFER_LATER = re.compile(r"^(?:\w+[ ,.!]+){1,3}(?:how|what) about\b", re.IGNORECASE)
_BACK_TO = r"(?<!pushed )(?<!put )(?<!moved )(?<!set )\bback to\b"
_RESTORE = re.compile(
    rf"\bafter all\b|{_BACK_TO}|\bgo(?:ing)? back\b|\b(?:keep|stick with|stay with) the "
    r"(?:first|original|old|previous|same|initial)\b|\bagain\b.{0,12}$",
    re.IGNORECASE,
)
_BACK = re.compile(
    rf"\bafter all\b|{_BACK_TO}|\bgo(?:ing)? back\b|\bstick with the\b|\bkeep the\b.*\b(?:one|"
    r"original|first|old)\b",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"^(?:and |but |so |oh |actually |please |just |well |ok |okay |sorry |no |"
    r"wait )*,?\s*(?:forget|never ?mind|scratch|disregard|ignore|scrap|call off)\b|"
    r"\b(?:is|are|was|has been|have been|been) (?:now )?(?:cancell?ed|withdrawn|undone|"
    r"revoked|called off|retracted|voided|stopped|taken back)\b|\btake back what\b|"
    r"\b(?:is|are) off\s*[.!]?$|\b(?:is|are) (?:now )?gone\b|"
    r"\bforget i asked\b|\bno longer (?:need|want)\b|\b(?:do not|"
    r"don[’']t) (?:need|want)\b.*\b(?:any ?more|after all|now)\b",
    re.IGNORECASE,
)
_TAKEN_OUT = re.compile(
    r"\b(?:take|taking|took|leave|strike|cross|cut)\b.{1,60}"
    r"(?<!\bright )(?<!\bstraight )\b(?:out|off|away)\b|"
    r"\b(?:removed|deleted|off the list|taken out|taken off)\b",
    re.IGNORECASE,
)
_FREE_TIME = frozenset("day days time week weeks morning afternoon evening month year hours".split())
_ADDED = re.compile(
    r"\b(?:added|as well|on top|in addition)\b|^(?:and |oh,? and |oh,? |also |plus |ok |"
    r"okay )*,?\s*(?:also|plus|another|add)\b|\banother\b|\btoo\s*[.!]?$|"
    r"\bmay .{1,40} as well\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\btry(?:ing)? (?!to\b)|\binstead\b|\brather than\b|\brather go\b|\bany ?more\b|"
    r"\bno longer\b|\bfrom now on\b|\bnow\b|\bcorrection\b|\bactually\b|\bmake (?:it|that|"
    r"them)\b|"
    r"\bi mean(?:t)?\b|\bno wait\b|\bscratch that\b|, not\b|\bit (?:is|'s|’s) not\b|"
    r"\bchanged (?:my|our) mind\b|\bnew\b.*\b(?:is|number|address|email)\b|"
    r"\bsecond thoughts?\b|\bchange of plans?\b|(?:['’]d| had| be| me|[a-z]s) better\b|"
    r"\b(?:up|down|back) to\b|\bi(?:'d|’d| would) rather\b|\bi(?:'d|’d| would)? prefer\b",
    re.IGNORECASE,
)
_GOES = re.compile(
    r"\b(?:goes|moves|moved|changes|changed|drops|dropped|rises|rose|falls|fell|switched|"
    r"updated|relocated|rescheduled|postponed|shifted|extended|set|put|bumped|pushed|brought|"
    r"delayed) (?:forward |up |down |over |back )?(?:to|until|from|for|at)\b",
    re.IGNORECASE,
)
_FUTURE = frozenset(("will", "'ll", "shall", "wo"))
_TEMPORAL = (ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME, ValueKind.NAME, ValueKind.QUANTITY)


_ALTERNATIVE = re.compile(
    r"\b(?:else|another|other|different|alternatives?|instead|try(?:ing)? again|not (?:right|"
    r"correct)|wrong|incorrect|change|hold on|"
    r"second thought|actually|partially|unavailable)\b",
    re.IGNORECASE,
)


_LETTERS = re.compile("[a-z]+")


def alternative(text: str) -> bool:
    """Whether the clause asks for something other than what was said, so that what follows is a change."""
    return not _ALTERNATIVE_WORDS.isdisjoint(_LETTERS.findall(text.casefold())) and (
        _ALTERNATIVE.search(text) is not None
    )


_SEARCH = re.compile(
    r"^(?:and |but |so |ok |okay |oh |well |also )*,?\s*(?:is|are) there "
    r"(?:a|an|one|any|some|anything|something|anyone|someone|other)\b|"
    r"^(?:and |but |so |ok |okay |oh |well |also )*,?\s*(?:do|does) (?:you|they) have "
    r"(?:a|an|one|any|anything|something|some|other)\b",
    re.IGNORECASE,
)
"""Asking whether there is one such thing is looking for it."""


def mood(text: str, row: Sequence[Token], parts: Frame, question: bool) -> Mood:
    """How the clause is meant, from its form alone; `question`: its sentence ends in a question mark."""
    if _IF.match(text):
        return Mood.HYPOTHETICAL
    leads_wh = not words.WH_WORDS.isdisjoint([t.low for t in row[:3]])
    later = " about " in text and _OFFER_LATER.match(text) is not None  # "Oh bother, how about Friday?"
    if later or _OFFER_START.match(text) or (not leads_wh and PROPOSE.found(text)):
        return Mood.PROPOSAL
    if question or (parts.inverted and not leads_wh):
        return _asked(text, row, parts, leads_wh)
    wants = parts.verb in words.WANT_VERBS and (
        parts.verb not in words.LIKE_VERBS or parts.modal in ("'d", "would")
    )
    if parts.imperative or parts.desire or (wants and parts.subject is not None):
        return Mood.REQUEST
    if (row and row[0].low == "please") or text.rstrip(" .!").casefold().endswith("please"):
        return Mood.REQUEST
    if leads_wh and parts.subject is None and len(row) < 14 and row[0].low not in ("when", "which"):
        return Mood.QUESTION
    return Mood.STATEMENT


def _asked(text: str, row: Sequence[Token], parts: Frame, leads_wh: bool) -> Mood:
    if leads_wh:
        return Mood.QUESTION
    valued = any(t.value is not None for t in row)
    if _ASK_CHANGE.search(text) and (parts.verb or valued):
        if (
            parts.verb in ("tell", "give", "provide", "explain", "describe", "know", "have", "help")
            and not valued
        ):
            return Mood.QUESTION
        return Mood.REQUEST
    if parts.imperative:
        return Mood.REQUEST
    if _SEARCH.match(text) and any(
        t.text[:1].isupper() or t.low in words.COMPASS or t.value is not None for t in row[2:]
    ):
        return Mood.REQUEST
    dated = any(t.value is not None and t.value.kind in _TEMPORAL for t in row)
    if dated and (_AVAILABLE.match(text) or not parts.verb):
        return Mood.PROPOSAL
    return Mood.QUESTION


_CONFIRM = re.compile(
    r"\b(?:confirm|ensure|verify|is (?:it|that|this|everything) (?:correct|right|ok|okay|"
    r"fine)|just to (?:be sure|make sure))\b",
    re.IGNORECASE,
)


def confirming(text: str) -> bool:
    """Whether the clause reads back what it has understood, for a yes."""
    return _CONFIRM.search(text) is not None


def noted(row: Sequence[Token]) -> bool:
    """Whether the clause reads out what has just been done: "Booked: the handover on Friday in room Oak"."""
    return len(row) > 2 and row[1].low == ":" and row[0].value is None and row[0].low.endswith("ed")


def found(text: str) -> bool:
    """Whether the clause brings up something new that exists, rather than saying a thing of a known one."""
    return _FOUND.search(text) is not None


def act(text: str, row: Sequence[Token], parts: Frame, refused: bool) -> Act:
    """What the clause does with its facet. A pattern is tried only where one of its words occurs."""
    verb, said = parts.verb, {t.low for t in row}
    asked = parts.desire or parts.inverted or bool(parts.modal) or parts.subject is None
    if revives(parts):
        return Act.RESTORE
    done = parts.subject is not None and parts.subject.head in ("i", "we") and parts.object is not None
    if (said & _FORGET_WORDS and _FORGET.search(text)) or (
        verb in words.WITHDRAW_VERBS and not parts.negated and (asked or done) and not of_part(row, parts)
    ):
        return Act.WITHDRAW
    if (said & _TAKEN_WORDS and _TAKEN_OUT.search(text) and not _free(row)) or (
        verb in words.REMOVE_VERBS and not parts.negated
    ):
        return Act.REMOVE
    if said & _BACK_WORDS and (
        _BACK.search(text) or (_RESTORE.search(text) and verb in ("keep", "be", "", "grant", "go", "make"))
    ):
        return Act.RESTORE
    ordered = parts.imperative or parts.inverted or parts.desire
    if verb in words.ADD_VERBS or (said & _ADDED_WORDS and not ordered and _ADDED.search(text)):
        return Act.ADD
    if CORRECTS.intersection(t.low for t in row[:3]):
        return Act.CHANGE
    if refused or verb in words.CHANGE_VERBS or (said & _GOES_WORDS and _GOES.search(text)):
        return Act.CHANGE
    return Act.CHANGE if said & _CHANGED_WORDS and _CHANGED.search(text) else Act.STATE


_PARTS = frozenset("one two three four five six some part half most few couple either".split())


def of_part(row: Sequence[Token], parts: Frame) -> bool:
    """ "I cancelled one of the rooms": what is called off is a part, and what is left is not said."""
    if parts.verb not in words.WITHDRAW_VERBS:
        return False
    # A value is one token of several words.
    after = " ".join(token.low for token in row[parts.verb_at + 1 :][:_PART_REACH]).split()[:_PART_REACH]
    before = after[: after.index("of")] if "of" in after else []
    return any(word in _PARTS or word.isdigit() for word in before)


_PART_REACH = 4
"""Words after the verb in which a part is named: "a couple of"."""


def revives(parts: Frame) -> bool:
    """Whether the clause lets stand what was called off ("don't cancel it", "we reinstated the order")."""
    if parts.verb in words.REVIVE_VERBS:
        return not parts.negated
    # "I didn't cancel it" tells what was; "don't cancel it" asks.
    asks = parts.imperative or parts.desire or parts.subject is None
    return parts.verb in words.WITHDRAW_VERBS and parts.negated and asks


def _free(row: Sequence[Token]) -> bool:
    """ "That day off", "Friday off": time that is free, nothing that is taken away."""
    for time, off in pairwise(row):
        if off.low == "off":
            return time.low in _FREE_TIME or (time.value is not None and time.value.kind in _TEMPORAL_DAYS)
    return False


_TEMPORAL_DAYS = (ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME, ValueKind.DURATION)
_FORGET_WORDS = frozenset(
    "forget never nevermind scratch disregard ignore scrap call called cancelled canceled withdrawn undone "
    "revoked retracted voided stopped taken gone off longer do don't need want take".split()
)
_TAKEN_WORDS = frozenset("take taking took leave strike cross cut removed deleted off taken out".split())
_BACK_WORDS = frozenset("after back keep stick stay again go going".split())
_ADDED_WORDS = frozenset("added well top addition also plus another add too".split())
_GOES_WORDS = frozenset(
    "goes moves moved changes changed drops dropped rises rose falls fell switched updated rescheduled "
    "postponed shifted extended set put bumped pushed brought delayed".split()
)
_CHANGED_WORDS = frozenset(
    "instead rather any anymore longer now correction actually make mean meant wait scratch not changed new "
    "up down back prefer try trying second plan plans better".split()
)
_ALTERNATIVE_WORDS = frozenset(
    "else another other different alternative alternatives instead try trying not wrong incorrect change "
    "hold second actually partially unavailable".split()
)


def event_type(how: Mood, what: Act, parts: Frame) -> EventType:
    """Preference, state change, plan or action."""
    if parts.verb in words.LIKE_VERBS and not parts.desire and how is Mood.STATEMENT:
        return EventType.PREFERENCE
    if what in (Act.CHANGE, Act.WITHDRAW, Act.RESTORE, Act.REMOVE, Act.ADOPT):
        return EventType.STATE_CHANGE
    if parts.modal in _FUTURE or parts.desire or how in (Mood.REQUEST, Mood.PROPOSAL):
        return EventType.PLAN
    return EventType.ACTION
