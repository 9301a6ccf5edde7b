"""Chinese for the rules distiller (DESIGN §4): no segmenter and no dictionary, only punctuation, closed
classes of function words and the patterns that they make."""

from dataclasses import dataclass, field, replace

from operators.distill.chinese_acts import Deed, deed_of
from operators.distill.chinese_attributes import split_topic
from operators.distill.chinese_clauses import Stretch, split
from operators.distill.chinese_connectives import Lead, Led, connect, lead_of
from operators.distill.chinese_grounds import unstated
from operators.distill.chinese_moods import bare, is_tag, is_vocative, strip_marker, strip_reporter
from operators.distill.chinese_neighbours import (
    FAULTY,
    IS_THIS,
    NOT_THIS,
    about_named,
    assenting,
    correct_before,
    following,
    moved_from,
    offer_before,
    referred,
)
from operators.distill.chinese_reading import clause_of, is_since, mood_in
from operators.distill.chinese_topics import Said, owned
from operators.distill.chinese_why import sought
from operators.distill.clause import Clause, Language, Mood, Reading
from operators.distill.why import why_of
from state.model import Act, EventType

_SPEAKING = frozenset({Mood.STATEMENT, Mood.REQUEST, Mood.PROPOSAL, Mood.ACCEPTANCE})


class Chinese:
    """Reads Chinese text, mixed scripts included. Pure; linear in the text; never raises."""

    def read(self, text: str) -> Reading:
        """The clauses of `text`, in order, and the connectives among them."""
        stretches = split(text)
        scan = _Scan(alone=len(stretches) == 1)
        for stretch in stretches:
            scan.take(stretch)
        links = connect(scan.led)
        clauses, asked = sought(assenting(following(scan.clauses, links)))
        return Reading(clauses, links + unstated(clauses, links), why_of(clauses, asked))

    def unmet(self, text: str) -> bool:
        """Not told apart in Chinese, where a new value after a refusal mostly says that it is one."""
        return False


@dataclass(slots=True)
class _Scan:
    """The clauses so far, and what the present sentence hands on to its next clause."""

    alone: bool
    clauses: list[Clause] = field(default_factory=list)
    led: list[Led] = field(default_factory=list)
    sentence: int = -1
    topic: str = ""
    loose: bool = False
    thing: bool = False
    supposing: bool = False
    since: str = ""
    faulty: tuple[str, str] | None = None

    def take(self, stretch: Stretch) -> None:
        """Reads the next stretch."""
        fresh = stretch.sentence != self.sentence
        if fresh:
            self._begin(stretch.sentence)
        lead, words, begin = lead_of(stretch.text)
        body = strip_reporter(strip_marker(stretch.text[begin:]))
        body = referred(owned(body, self.topic), self.clauses)
        deed = deed_of(body)
        mood = mood_in(stretch, body, lead, deed, self.supposing)
        if not self.clauses and not self.alone and is_vocative(body):
            mood = Mood.SOCIAL
        self.supposing = self.supposing or mood is Mood.HYPOTHETICAL
        if self.loose and (
            deed.act is not Act.STATE or (lead is Lead.RESULT and not self.thing and body[:1] != "才")
        ):
            self.topic = ""
        clause = self._read(stretch, body, deed, mood)
        clause = self._beside(clause, body, fresh)
        self.clauses.append(clause)
        self.led.append(Led(self.sentence, lead, words, body, mood in _SPEAKING))

    def _begin(self, sentence: int) -> None:
        self.sentence, self.topic, self.since, self.faulty = sentence, "", "", None
        self.loose = self.thing = self.supposing = False

    def _read(self, stretch: Stretch, body: str, deed: Deed, mood: Mood) -> Clause:
        """The clause, with what the sentence has told so far; what it tells is kept for the next."""
        clause, said = clause_of(stretch, body, deed, mood, self.topic)
        if self.since and not clause.effective:
            clause = replace(clause, effective=self.since)
        if is_since(body):
            self.since = clause.effective
        if self.faulty:
            clause = about_named(clause, self.faulty)
        faulty = FAULTY.match(body)
        self.faulty = split_topic(faulty["topic"]) if faulty else None
        if self.faulty and self.faulty[1]:
            clause, said = replace(clause, claims=()), Said(topic=said.topic)
        if mood is Mood.STATEMENT and NOT_THIS.match(body):
            return replace(clause, claims=(), negated=True, act=Act.STATE)
        self.thing = said.thing or (self.thing and said.topic == self.topic)
        self.loose = said.loose or (self.loose and said.topic == self.topic)
        self.topic = said.topic
        return clause

    def _beside(self, clause: Clause, body: str, fresh: bool) -> Clause:
        """The clause as the one before it shapes it; it may shape that one too."""
        denied = NOT_THIS.match(body) if clause.mood is Mood.STATEMENT else None
        if denied:
            if not fresh:
                correct_before(self.clauses, denied["old"])
        elif self.clauses and IS_THIS.match(body):
            gone = NOT_THIS.match(strip_marker(self.clauses[-1].text))
            if gone:
                clause = replace(clause, act=Act.CHANGE, type=EventType.STATE_CHANGE, old_value=gone["old"])
        if self.clauses and not fresh:
            clause = moved_from(clause, self.clauses[-1])
        tag = bare(body) if body.endswith(("呢", "呀")) else body
        if clause.mood is Mood.QUESTION and is_tag(tag):
            clause = replace(clause, mood=Mood.SOCIAL, asks="", claims=())
            if not fresh:
                offer_before(self.clauses)
        return clause


CHINESE: Language = Chinese()
"""The Chinese reader."""
