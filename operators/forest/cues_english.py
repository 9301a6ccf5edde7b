"""The discourse cues of English."""

from operators.forest.cues import Cues, any_of, at_start, words
from operators.forest.light_english import LIGHT

_AND = r"(?:^|[.!?;] |\b(?:please|now|so|then|and|also|ok|okay|great|alright|well|but)[,!.]? )"
"""Where a clause starts, as far as punctuation and conjunctions show it."""
_ALSO = r"(?: (?:also|just|really|now|still|actually|only|first))*"
_WH = r"(?:what|what'?s|where|where'?s|when|when'?s|who|who'?s|whom|whose|which|why|how|how'?s)"
_MATTER = r"(?:thing|topic|matter|subject|question|task|request|issue|problem|point|conversation)"
_WORD = r"[a-z0-9][a-z0-9'$.-]*"
_THINKS = r"(?:guess|think|hope|knew|thought)"

_TASKS = (
    "add|arrange|ask|book|buy|calculate|call|cancel|change|check|compare|compose|count|create|delete|describe|"
    "draft|explain|fill|find|fix|give|help|issue|list|look|make|move|open|order|pay|plan|play|print|put|recommend|"
    "remind|remove|rent|repeat|report|reserve|reschedule|schedule|search|send|set|show|solve|start|suggest|"
    "summari[sz]e|tell|track|transfer|translate|update|write"
)
"""Verbs that tell another party to do something, where they start a clause."""
_GOOD = (
    "fine|great|good|nice|cool|perfect|awesome|excellent|wonderful"
    "|amazing|fantastic|lovely|sweet|brilliant|super"
)
_YES_NO = "ok(?:ay)?|yes|yeah|yep|yup|no|nope|sure|alright|all right|right"
_AH = "oh|ah|aha|hmm+|hm|um|uh|wow|lol|haha+|well"
_THANKS = "thanks?(?: (?:you|u))?(?: (?:so|very) much| a (?:lot|million))?(?: again)?|thx|ty|cheers"
_BYE = (
    "(?:good ?)?bye(?: bye)?|see (?:you|ya)|take care|"
    r"have a (?:\w+ )?(?:day|night|evening|one|time|weekend)"
)
_IT_IS = (
    "(?:that|this|it|those)(?:'?s| is| was| are| sounds?| looks?| works?)"
    "(?: (?:all|it|fine|great|good|okay|ok|perfect|nice|right|correct|for me|now|then|so|very|really|just|"
    "much|too|better|helpful))*"
)
_FILLERS = (
    "you|too|so|very|much|really|then|now|and|the|a|is|it|all|for|your|help|i|am|i'm|to|do|have|had|been|done"
)

ENGLISH = Cues(
    greeting=words(
        "(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|dear)(?: (?:there|all|again))?"
    ),
    feedback=words(
        _THANKS, _BYE, _YES_NO, _GOOD, _AH, "kk?", "yay", r"woo ?hoo", "oops",
        "understood", "got (?:it|you)", "i (?:see|understand|know)", "noted", "of course",
        "no (?:problem|worries)", "you(?:'re| are) welcome",
        _IT_IS, "(?:sounds?|looks?) (?:good|great|fine)",
        "go ahead", "please(?: do)?", "sorry", "my pleasure", "appreciate (?:it|that|your (?:help|time))",
        "for (?:your|the|all your) (?:help|time)", "that would be all", _FILLERS,
    ),
    reaction=at_start(
        rf"(?:thanks?|thank you|{_YES_NO}|{_GOOD}|{_AH}|i see|so|but|and|because|then|or|not|ugh|ew+|dang|"
        rf"damn|omg|too|that|this|it|maybe|hopefully|seriously|really|actually|i {_THINKS})\b"
    ),
    acceptance=at_start(
        r"(?:understood|got it|noted|ok(?:ay)?|sure|alright|all right|will do|thanks?|thank you|of course|"
        r"you(?:'re| are) welcome|done)\b"
    ),
    directive=any_of(
        r"\b(?:can|could|would|will|may) (?:you|u|ya|i|we)\b",
        r"\b(?:help|show|tell|find|get|give|book|call|send|remind|teach|let) (?:me|us)\b",
        rf"{_AND}(?:please |kindly |just |also |go ahead and )*(?:{_TASKS})\b",
        r"\blet'?s\b",
        r"\b(?:how|what) about\b",
    ),
    desire=any_of(
        rf"\b(?:i|we)(?:'?d| would)?{_ALSO} (?:need(?:ed)?|want(?:ed)?|wanna|like|love|wish|require|intend|"
        r"plan)\b(?! that one)",
        rf"\b(?:i|we)(?:'?m| am|'?re| are| was| were){_ALSO} (?:looking|trying|hoping|calling|wondering|"
        r"planning|interested|going to need)\b",
        rf"\b(?:i|we){_ALSO} (?:have|'ve got) (?:a|an|another|one more) (?:\w+ )?{_MATTER}\b",
        r"\bneed (?:to|a|an|some)\b",
    ),
    question=any_of(
        r"\?(?:\s*$| )",
        rf"(?:^|[.!?,;] |\b(?:and|so|but|also|ok|okay|now|well|then) ){_WH}\b",
        r"(?:^|[.!?;] )(?:is|are|was|were|do|does|did|has|have) "
        r"(?:there|it|that|the|my|you|i|we|they|this|any)\b",
    ),
    asks_in_place=False,
    invitation=words(
        "(?:anything|something|what) (?:else|more)",
        "(?:how|what) (?:can|may|could|else can|would you like) (?:i|we|me)\\b.{0,20}\\b(?:help|assist|do)",
        "how (?:can|may) (?:i|we)",
        "any (?:other|more|further) (?:questions?|requests?)",
        "(?:can|may|could) i help you",
        "help you with",
    ),
    shift=words(
        "by the way", "btw",
        "(?:one|another|a) (?:more|other|last|different|new) " + _MATTER, "another " + _MATTER,
        f"on (?:another|a|a different|a separate|an unrelated) (?:note|{_MATTER})", "(?:last|next) thing",
        "something else", "separately", "unrelated(?:ly)?",
        "(?:changing|change of|new|different) (?:the )?(?:subject|topic)", "moving on", "next (?:up|on)",
        "while (?:i|we)(?:'?m| am| have| are|'?re|'ve) (?:you|here|at it|on)", "(?:that|which) reminds me",
        "before i forget", "(?:i|we) also (?:need|want|have|would)", "(?:i|we)(?:'d| would) also",
        "in addition",
        "besides that", "apart from that", "also,? (?:can|could|i|we|please|what|how|is|are|do)",
        "since (?:we(?:'re| are)|i'?m) here",
    ),
    aside=words(
        "before (?:that|we|i|you|doing)", "first(?: of all)?", "hold on", "wait", "actually",
        "one (?:moment|second|sec)", "hang on", "in the meantime", "meanwhile", "also", "as well", "too",
    ),
    back=words(
        "back (?:on|to)(?! (?:you|me|us|him|her|them|work)\\b)", "return(?:ing)? to", "where were we",
        "where we left off", "resume", "(?:continue|carry on) with", "pick up (?:on|where)",
        "as (?:i|we|you) (?:was|were) (?:saying|discussing|talking)", f"earlier {_MATTER}",
    ),
    about=any_of(
        r"(?:^|[.!?] |\b(?:so|ok(?:ay)?|now|good|great|and|alright)[,!.]? )"
        r"(?:as (?:for|to)|about|regarding|concerning|"
        rf"with (?:regard|respect) to|(?:speaking|talking) of|on the {_MATTER} of|when it comes to|"
        r"now about)\b"
    ),
    mention=words(
        "(?:as|like) (?:i|we|you) (?:said|mentioned|told|discussed|noted)",
        "(?:i|we|you)(?:'d| had|'ve| have)? (?:mentioned|talked about|discussed)",
        "(?:the same|just|similar)(?: \\w+)? (?:as|like|to) (?:for|in|with|the)",
    ),
    alternative=words(
        "or rather", "instead", "alternatively", "on second thou?ghts?", "what if (?:we|i|you)",
        "(?:what|how) about", "some other", "(?:an)?other (?:option|one|way)", "rather than",
        "(?:a )?different (?:one|option|way)", "or maybe", "maybe we (?:could|should)", "else could",
    ),
    elliptic=any_of(
        r"\b(?:what|how) about\b(?! (?:a|an|some|we|i|you|\w+ing)\b)",
        r"\bwhat if\b",
        rf"^(?:and|or|but) {_WORD}(?: {_WORD}){{0,2}} ?\?$",
        rf"^\W*(?:{_WORD} ){{0,2}}{_WORD} ?\?$",
    ),
    introducing=words("a", "an", "some", "any", "another", "my"),
    refusal=words(
        "unfortunately", "unable", "cannot", "can't", "couldn't", "could not", "isn't", "aren't", "failed",
        "unsuccessful", "unavailable", "not (?:able|available|possible|successful|found)", "no longer",
        "(?:don't|do not|doesn't|does not) (?:have|understand|accept|list)", "didn't", "did not", "sorry",
        "fully booked", "sold out",
    ),
    ordinal=words(
        rf"the (?P<place>first|second|third|fourth|fifth|last|previous|other|earlier) (?:one|{_MATTER})"
    ),
    places={
        "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4,
        "last": -1, "previous": -1, "other": -1, "earlier": -1,
    },
    leaning=words(
        "it(?! (?:possible|okay|ok|true)\\b)", "its", "it'?s", "it'd", "it'll", "this", "that",
        "that'?s", "that'll", "these", "those", "they", "them", "their", "they'?re", "he", "she",
        "him", "her", "his", "there(?! (?:is|are|was|were|'s)\\b)", "then", "one", "ones", "same",
        "such", "so", "too", "either", "instead", "else", "other", "another one", "again",
        "neither", "both", "more",
    ),
    dismissal=words(
        r"(?:forget|disregard|ignore|cancel|drop|scrap|discard|delete|clear|remove)\b[^.!?]{0,40}?"
        r"\b(?:all|any|every|everything|whole|entire|about it|my (?:instruction|request)s?)",
        "(?:has|have|is|are) (?:ended|over|finished|completed?)(?! \\d)",
        r"(?:let'?s|we can) (?:not|stop|end|close|finish)\b[^.!?]{0,40}\b"
        r"(?:any ?more|any longer|here|now|this|that)",
        r"(?:no longer|not any ?more)\b[^.!?]{0,30}\b(?:need|want)",
    ),
    light=LIGHT,
)  # fmt: skip
