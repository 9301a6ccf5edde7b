"""A cue is looked for only where one of its words is; that must never hide a match of its pattern."""

from pathlib import Path

import pytest

from operators.cue import Cue
from operators.distill.english_acts import PROPOSE
from operators.distill.english_connectives import BECAUSE_OF, PREVENTS
from operators.distill.errand import CLOSES, OF_TURN, REPORT
from operators.relate.gist import NEGATIVE
from operators.relate.parallels import FAILS, STRONG
from operators.relate.put_right import WRONG

TEXTS = Path(__file__).with_name("changes_of_mind.txt").read_text(encoding="utf-8").splitlines()
CUES = {
    "propose": PROPOSE,
    "prevents": PREVENTS,
    "because of": BECAUSE_OF,
    "negative": NEGATIVE,
    "strong": STRONG,
    "fails": FAILS,
    "wrong": WRONG,
    "report": REPORT,
    "closes": CLOSES,
    **OF_TURN,
}
SAID = {
    "propose": "how about|what about|shall we|should I|would you like|do you want|would you rather|"
    "I can offer|we could do|I'd suggest|we recommend|we have a slot|I can book|you could try|"
    "we have the oak free|could we make|we could|you might like|there is|there's|I found|we've found|"
    "please confirm|kindly ensure|please verify|is it correct|is that right|is this ok|is it okay|"
    "is that fine|just to be sure|just to make sure|could I interest|can I offer|one option",
    "prevents": "it stops us from|that keeps the tram from|rain prevented them from",
    "because of": "owing to the rain|due to strikes|thanks to Mona|because of storms|on account of snow|"
    "on grounds of cost|on the grounds of cost|in view of that rain|in light of this storm|"
    "in the light of this storm|by reason of cost|as a result of rain|as a consequence of rain",
    "negative": "He DIDN'T|it is not|no|none|never|nothing|without|we cannot|cancelled|canceled|"
    "cancel|it is off|called off|calling off|call off|given up|gave up|giving up|gone off|"
    "went off|quit|quitting|drop|dropped|dropping|turned down|declined|sold|stopped|"
    "stopping|stop|no longer|any more|anymore|any longer|scrapped|scrapping|abandon|"
    "abandoned|resigned|backed out|pulled out|fell through|it's off|decided against|"
    "gave away|given away|got rid of|expired|I left|we left|he has left|she's left",
    "strong": "instead|RATHER|actually|change of plan|changed my mind|second thought|"
    "second thoughts|correction|better|I mean|I meant|make it|make that|take over|"
    "taken over|taking over|hand it over|handed over|handing the keys over|after all|"
    "switch to|switched from|switching to",
    "fails": "full|close|closed|shut|ill|sick|sold out|booked out|fully booked|expired|gone|"
    "has left|broken|unavailable|too far|being painted|stepped down|on leave|on holiday|"
    "on vacation|on sick leave|dead|stopped|fell through|away|busy|out of|cancelled|"
    "canceled|retired|moved|leaving|injured|off|late|not enough|can't|cant|cannot|"
    "couldn't|couldnt|won't|wont",
    "wrong": "not enough|too early|wrong|correction|misread|mixed up|miscounted|mistake|mistaken|"
    "instead|after all",
    "report": "weather|forecast|temperature|news|score|traffic",
    "closes": "anything else|something else|good bye|goodbye",
    "another": "instead|actually|rather|change|make it|make that|sorry|wait|other|another|else|"
    "different|again|mistake|mean|meant",
    "how about": "how about|what about|try|maybe|perhaps|let's|lets",
    "opens": "need a|want an|like some|book a|reserve a|schedule a|make a|find a|get a|set up a|"
    "order a|plan a|help a|looking for a|rent a",
}


@pytest.mark.parametrize("name", CUES)
def test_a_cue_is_found_in_each_of_its_wordings(name: str) -> None:
    for said in SAID[name].split("|"):
        assert CUES[name].matches(said), said
        assert CUES[name].found(f"Well, {said}!"), said


@pytest.mark.parametrize("name", CUES)
def test_no_match_of_a_cue_is_hidden_by_its_words(name: str) -> None:
    cue = CUES[name]
    assert [t for t in TEXTS if cue.found(t)] == [t for t in TEXTS if cue.matches(t)]


def test_a_text_with_ideographs_or_letters_like_ascii_ones_is_always_searched() -> None:
    assert Cue("never", "never").found("NEVE\u017f ne\u212aer never")
    assert Cue("books", "books").found("Boo\u212a\u017f")
    assert Cue("never", "改成").found("电话改成五")
