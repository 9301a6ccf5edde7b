"""The discourse cues of English."""

import re

from operators.forest.cues import Cues
from state.lexicon import terms


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE)


_ME = r"(?:i|we)"
_DESIRE = rf"""
    \b{_ME}(?:'?d|\ would)?(?:\ (?:also|just|really|now|still|actually|only|first))*
        \ (?:need(?:ed)?|want(?:ed)?|wanna|like|love|wish|require|intend|plan)\b(?!\ that\ one)
  | \b{_ME}(?:'?m|\ am|'?re|\ are|\ was|\ were)(?:\ (?:also|just|now|still))*
        \ (?:looking|trying|hoping|calling|wondering|planning|interested|going\ to\ need)\b
  | \b{_ME}(?:\ (?:also|just|now))*\ (?:have|'ve\ got)\ (?:a|an|another|one\ more)\ (?:\w+\ )?(?:question|request|issue|problem|task)\b
"""
_REQUEST = rf"""
    \b(?:can|could|would|will|may)\ (?:you|u|ya|i|we)\b
  | {_DESIRE}
  | \b(?:help|show|tell|find|get|give|book|call|send|remind|teach|let)\ (?:me|us)\b
  | (?:^|[.!?;]\ |\b(?:please|now|so|then|and|also|ok|okay|great|alright|well)[,!.]?\ )
    (?:please\ |kindly\ |just\ |also\ |go\ ahead\ and\ )*
    (?:add|arrange|ask|book|buy|calculate|call|cancel|change|check|compare|compose|count|create|delete|describe|
       draft|explain|fill|find|fix|give|help|issue|list|look|make|move|open|order|pay|plan|play|print|put|recommend|
       remind|remove|rent|repeat|report|reserve|reschedule|schedule|search|send|set|show|solve|start|suggest|
       summari[sz]e|tell|track|transfer|translate|update|write)\b
  | \blet'?s\b
  | \b(?:how|what)\ about\b
  | \bneed\ (?:to|a|an|some)\b
"""
_WH = r"(?:what|what'?s|where|where'?s|when|when'?s|who|who'?s|whom|whose|which|why|how|how'?s)"

ENGLISH = Cues(
    greeting=_compiled(
        r"\b(?:hi|hello|hey|greetings|good\ (?:morning|afternoon|evening|day)|dear)\b(?:\ (?:there|all|again))?"
    ),
    feedback=_compiled(
        r"""
        \b(?:thanks?(?:\ (?:you|u))?(?:\ (?:so|very)\ much|\ a\ (?:lot|million))?(?:\ again)?|thx|ty|cheers|
        (?:good\ ?)?bye(?:\ bye)?|see\ (?:you|ya)|take\ care|have\ a\ (?:\w+\ )?(?:day|night|evening|one|time|weekend)|
        ok(?:ay)?|kk?|yes|yeah|yep|yup|no|nope|sure|alright|all\ right|right|fine|great|good|nice|cool|perfect|
        awesome|excellent|wonderful|amazing|fantastic|lovely|sweet|brilliant|super|
        oh|ah|aha|hmm+|hm|um|uh|wow|lol|haha+|yay|woo\ ?hoo|oops|well|
        understood|got\ (?:it|you)|i\ (?:see|understand|know)|noted|of\ course|no\ (?:problem|worries)|
        you(?:'re|\ are)\ welcome|(?:that|this|it|those)(?:'?s|\ is|\ was|\ are|\ sounds?|\ looks?|\ works?)(?:\ (?:all|it|fine|
        great|good|okay|ok|perfect|nice|right|correct|for\ me|now|then|so|very|really|just|much|too|better|helpful))*|
        sounds?\ (?:good|great|fine)|looks?\ (?:good|great|fine)|go\ ahead|please(?:\ do)?|sorry|my\ pleasure|
        appreciate\ (?:it|that|your\ (?:help|time))|for\ (?:your|the|all\ your)\ (?:help|time)|that\ would\ be\ all|
        you|too|so|very|much|really|then|now|and|the|a|is|it|all|for|your|help|i|am|i'm|to|do|have|had|been|done)\b
        """
    ),
    reaction=_compiled(
        r"^\W*(?:thanks?|thank\ you|ok(?:ay)?|yes|yeah|yep|no|nope|sure|alright|all\ right|right|fine|great|good|nice|cool|perfect|"
        r"awesome|excellent|wonderful|amazing|sweet|oh|ah|aha|hm+|um|uh|wow|lol|haha|well|i\ see|so|but|and|because|then|or|not|"
        r"ugh|ew+|dang|damn|omg|too|that|this|it|maybe|hopefully|seriously|really|actually|i\ (?:guess|think|hope|knew|thought))\b"
    ),
    acceptance=_compiled(
        r"(?:understood|got\ it|noted|ok(?:ay)?|sure|alright|all\ right|will\ do|thanks?|thank\ you|of\ course|"
        r"you(?:'re|\ are)\ welcome|done)\b"
    ),
    request=_compiled(_REQUEST),
    question=_compiled(
        rf"""
        \?\s*$ | \?\ 
      | (?:^|[.!?,;]\ |\b(?:and|so|but|also|ok|okay|now|well|then)\ ){_WH}\b
      | (?:^|[.!?;]\ )(?:is|are|was|were|do|does|did|has|have)\ (?:there|it|that|the|my|you|i|we|they|this|any)\b
        """
    ),
    invitation=_compiled(
        r"""
        \b(?:anything|something|what)\ (?:else|more)\b
      | \b(?:how|what)\ (?:can|may|could|else\ can|would\ you\ like)\ (?:i|we|me)\b.{0,20}\b(?:help|assist|do)\b
      | \bhow\ (?:can|may)\ (?:i|we)\b | \bany\ (?:other|more|further)\ (?:questions?|requests?)\b
      | \b(?:can|may|could)\ i\ help\ you\b | \bhelp\ you\ with\b
        """
    ),
    shift=_compiled(
        r"""
        \b(?:by\ the\ way|btw|one\ (?:more|other|last)\ thing|(?:one|another|a)\ (?:different|new|other)\ (?:thing|topic|matter|subject|question)|
        another\ (?:thing|question|matter|topic|task)|on\ (?:a(?:nother)?|a\ different|a\ separate|an\ unrelated)\ (?:note|topic|matter|subject)|
        (?:last|next)\ thing|something\ else|separately|unrelated(?:ly)?|(?:changing|change\ of|new|different)\ (?:the\ )?(?:subject|topic)|
        moving\ on|next\ (?:up|on)|while\ (?:i|we)(?:'?m|\ am|\ have|\ are|'?re|'ve)\ (?:you|here|at\ it|on)|
        (?:that|which)\ reminds\ me|before\ i\ forget|(?:i|we)\ also\ (?:need|want|have|would)|(?:i|we)(?:'d|\ would)\ also|in\ addition|besides\ that|
        apart\ from\ that|also[,]?\ (?:can|could|i|we|please|what|how|is|are|do)|since\ (?:we(?:'re|\ are)|i'?m)\ here)\b
        """
    ),
    aside=_compiled(
        r"\b(?:before\ (?:that|we|i|you|doing)|first(?:\ of\ all)?|hold\ on|wait|actually|one\ (?:moment|second|sec)|"
        r"hang\ on|in\ the\ meantime|meanwhile|also|as\ well|too)\b"
    ),
    back=_compiled(
        r"""
        \b(?:(?:go|going|come|coming|get|getting|jump|turn|turning|return|returning|switch|circle|circling|now|ok(?:ay)?|let'?s)\ )?back\ (?:on|to)\b
      | \breturn(?:ing)?\ to\b | \bwhere\ were\ we\b | \bwhere\ we\ left\ off\b
      | \b(?:resume|continue\ with|carry\ on\ with|pick\ up\ (?:on|where))\b | \bas\ (?:i|we|you)\ (?:was|were)\ (?:saying|discussing|talking)\b
      | \bearlier\ (?:topic|question|request|conversation|matter)\b
        """
    ),
    about=_compiled(
        r"(?:^|[.!?]\ |\b(?:so|ok(?:ay)?|now|good|great|and|alright)[,!.]?\ )(?:as\ (?:for|to)|about|regarding|concerning|with\ (?:regard|respect)\ to|speaking\ of|"
        r"talking\ of|on\ the\ (?:subject|topic|matter)\ of|when\ it\ comes\ to|now\ about)\b"
    ),
    mention=_compiled(
        r"\b(?:(?:as|like)\ (?:i|we|you)\ (?:said|mentioned|told|discussed|noted)|(?:i|we|you)(?:'d|\ had|'ve|\ have)?\ (?:mentioned|talked\ about|discussed)|"
        r"(?:same|just|similar)\ (?:as|like|to)\ (?:for|in|with|the))\b"
    ),
    alternative=_compiled(
        r"""
        \b(?:or\ rather|instead|alternatively|on\ second\ thou?ghts?|what\ if\ (?:we|i|you)|(?:what|how)\ about|some\ other|(?:an)?other\ (?:option|one|way)|
        rather\ than|(?:a\ )?different\ (?:one|option|way)|or\ maybe|maybe\ we\ (?:could|should)|else\ could)\b
        """
    ),
    elliptic=_compiled(
        r"""
        \b(?:what|how)\ about\b(?!\ (?:a|an|some|we|i|you|\w+ing)\b)
      | \bwhat\ if\b | ^(?:and|or|but)\ \S+(?:\ \S+){0,2}\ ?\?$ | ^\W*(?:\S+\ ){0,2}\S+\ ?\?$
        """
    ),
    introducing=_compiled(r"\b(?:a|an|some|any|another|my)\b"),
    refusal=_compiled(
        r"""
        \b(?:unfortunately|unable|cannot|can't|couldn't|could\ not|isn't|aren't|failed|unsuccessful|unavailable|
        not\ (?:able|available|possible|successful|found)|no\ longer|(?:don't|do\ not|doesn't|does\ not)\ (?:have|understand|accept|list)|
        didn't|did\ not|sorry|fully\ booked|sold\ out)\b
        """
    ),
    ordinal=_compiled(
        r"\bthe\ (?P<place>first|second|third|fourth|fifth|last|previous|other|earlier)\ "
        r"(?:one|thing|topic|matter|question|request|task|issue|problem|subject|point|conversation)\b"
    ),
    places={
        "first": 0,
        "second": 1,
        "third": 2,
        "fourth": 3,
        "fifth": 4,
        "last": -1,
        "previous": -1,
        "other": -1,
        "earlier": -1,
    },  # fmt: skip
    leaning=_compiled(
        r"""
        \b(?:it|its|it'?s|it'd|it'll|this|that|that'?s|that'll|these|those|they|them|their|they'?re|he|she|him|her|his|there(?!\ (?:is|are|was|were|'s)\b)|then|one|ones|
        same|such|so|too|either|instead|else|other|another\ one|again|neither|both|more)\b
        """
    ),
    dismissal=_compiled(
        r"""
        \b(?:forget|disregard|ignore|cancel|drop|scrap|discard|delete|clear|remove)\b
            [^.!?]{0,40}?\b(?:all|any|every|everything|whole|entire|about\ it|my\ (?:instruction|request)s?)\b
      | \b(?:has|have|is|are)\ (?:ended|over|finished|complete[d]?)\b(?:\ for\ (?:today|now|good))?
      | \b(?:let'?s|we\ can)\ (?:not|stop|end|close|finish)\b[^.!?]{0,40}\b(?:any\ ?more|any\ longer|here|now|this|that)\b
      | \b(?:no\ longer|not\ any\ ?more)\b[^.!?]{0,30}\b(?:need|want)\b
        """
    ),
    light=frozenset(
        terms(
            """
        able actually again ago ahead alright also another anything appreciate ask assist available awesome back believe
        bit book bye call can check come continue correct could cool day detail different done easy else enough ever every
        everything exactly example excellent few find fine first forget get give glad go going good got great guess happen
        happy hello help here hey hi hold hope i'd idea information interested issue just keep kind know last later least
        let like little long look lot love make many matter maybe mean mention mind minute moment more most much must 
        need never new nice not now number ok okay one only option other our perfect please possible prefer probably problem
        provide put question quick quite ready really reason right said same say see seem send set should show some
        something soon sorry sound start still such sure take talk tell thank thanks thing think time today tomorrow tonight
        too try two understand update use visit wait want way welcome well what when where which while why wish
        wonder wonderful work would wow yeah yes yep yesterday yet no none oh ah hmm um uh dont cant im id ill ive lets
        monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
        october november december morning afternoon evening night noon pm am day week weekend month year hour minute date
        along book reserve schedule file report order add plan tonight like along six seven eight nine ten credit
        three four five whats thats really nope sir madam understood answer request ever any all both each own than
        """
        )
    ),
)
