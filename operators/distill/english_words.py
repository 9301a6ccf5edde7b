"""The closed word classes of English that the rules read, and a few general verb classes.

Only words that every domain shares stand here. What a conversation is *about* (its nouns) is open and is
taken from the text itself.
"""

# ruff: noqa: SIM905  (a word class reads best as a text)

DETERMINERS = frozenset(
    "a an the this that these those some any another each every both either neither no all".split()
)
POSSESSIVES = frozenset("my your our his her its their".split())
PRONOUNS = frozenset(
    "i you he she it we they me him us them myself yourself ourselves this that these those there one".split()
)
BE = frozenset("am is are was were be been being 's 're 'm isn't aren't wasn't weren't ain't".split())
HAVE = frozenset("have has had having 've haven't hasn't hadn't".split())
DO = frozenset("do does did done doing don't doesn't didn't".split())
MODALS = frozenset(
    "will would can could shall should may might must 'll 'd ca wo won't wouldn't can't cannot couldn't "
    "shouldn't needn't mustn't ought".split()
)
NEGATIONS = frozenset(
    "not never no n't cannot isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't cannot "
    "couldn't shouldn't haven't hasn't hadn't".split()
)
PREPOSITIONS = frozenset(
    "of to in on at by for from with without into onto off out over under about around near between until "
    "till after before since through during against per via within towards toward as than "
    "like inside outside "
    "beside next-to upon up down across along behind below above instead due because".split()
)
WH_WORDS = frozenset("what which who whom whose when where why how".split())
CONJUNCTIONS = frozenset(
    "and or but so because since while although though if unless whether nor then otherwise that's".split()
)
ADVERBS = frozenset(
    "now still also just again already really please too very quite only even yet ever never always often "
    "maybe perhaps probably actually instead rather altogether anyway anymore there here then today's well "
    "soon later earlier currently exactly definitely certainly simply mostly usually sometimes recently "
    "finally ideally honestly hopefully likely successfully unfortunately basically "
    "originally tentatively thanks".split()
)
QUANTIFIERS = frozenset("more less fewer most least many much several few enough".split())

NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred".split()
)

PEOPLE_NOUNS = frozenset(
    "people persons person guests guest adults adult travelers travellers traveler traveller passengers "
    "passenger riders rider attendees participants diners us friends".split()
)
"""Nouns for the members of a party: a head count, whatever they are called."""

ROLE_NOUNS = frozenset(
    "date day time hour number name address id code phone email location place city area "
    "type kind seat".split()
)
"""Kind nouns whose modifiers say which one it is of a thing's several ("start date", "account number")."""

KIND_NOUNS = frozenset(
    "date day time hour number name address price cost fee rate id code phone email location place city area "
    "type kind size colour color amount quantity total status reason budget limit deadline "
    "destination origin "
    "weight height length width age duration pin password balance venue room seat seats".split()
)
"""Nouns that name an attribute as such: modifiers before them belong to the attribute ("start date")."""

PAYMENTS = frozenset(
    "refund discount deposit tax tip penalty credit voucher charge surcharge reimbursement compensation "
    "cashback rebate instalment installment shipping postage".split()
)
"""Nouns for money that passes besides a price: an amount of one of them is no amount of another."""

NEWNESS = frozenset("new updated current revised latest".split())
"""What is said of a value that takes another's place, and is no part of what it is a value of."""

CHANGE_VERBS = frozenset(
    "change make set put move switch turn update reschedule shift upgrade downgrade raise lower increase "
    "decrease reduce extend shorten adjust modify convert correct amend replace swap push bring postpone "
    "delay rename bump revise edit redirect transfer".split()
)
"""Verbs that say an attribute gets another value."""

BECOME_VERBS = frozenset(
    "becomes became become goes went moves moved comes came changes changed drops dropped rises rose falls "
    "fell stays stayed remains remained costs cost runs ran weighs weighed starts started begins began ends "
    "ended lasts lasted opens opened closes closed shows showed reads measures equals".split()
)
"""Verbs between a subject and the value it has or gets."""

WITHDRAW_VERBS = frozenset(
    "cancel cancels cancelled canceled undo withdraw scrap revoke void retract stop forget disregard "
    "ignore".split()
)
ACQUIRE_VERBS = frozenset("order buy purchase book reserve rent hire schedule arrange".split())
"""Verbs whose object is a thing that one deals with from then on, and may take back."""
_COMINGS = (
    "leave depart arrive start begin go come get find need return stay pick drop check take use head travel"
)
GOINGS = frozenset(
    form
    for verb in _COMINGS.split()
    for form in (verb, f"{verb}s", f"{verb}es", f"{verb.removesuffix('e')}ing", f"{verb}{verb[-1]}ing")
)
"""Forms of the verbs for coming, going and getting: a bare one in front of a value is a deed, no thing."""
REVIVE_VERBS = frozenset("reactivate reinstate resume uncancel reopen restore".split())
"""Verbs that let what was called off stand again."""
REMOVE_VERBS = frozenset("remove delete drop exclude skip omit".split())
ADD_VERBS = frozenset("add include append".split())
KEEP_VERBS = frozenset("keep leave retain".split())

WANT_VERBS = frozenset("want need wish require like love prefer hope plan intend".split())
SEEK_VERBS = frozenset(
    "book reserve find search get look check order buy rent schedule arrange organize "
    "organise plan play show "
    "give send deliver bring take ship call text email pay try use do go travel fly leave depart arrive stay "
    "visit see watch meet have eat start begin pick drop return come work serve help tell let view create "
    "open close install post add register note remember save record mark print charge refund invite attend "
    "join hire request provide recommend suggest sign renew choose select go-with test write draft lend "
    "transfer substitute contact wait mix collect throw host confirm verify ensure know "
    "think finish purchase "
    "reach hear listen walk drive learn ask answer say speak talk read hold continue proceed "
    "keep feel handle "
    "chew run cook drink sit sell spend win lose build grow wear fix clean pack move stick clear follow "
    "believe hope guess celebrate prepare ride catch discuss explain describe enter launch download upload "
    "scan sleep sing swim train teach study research reply respond report apply approve decide consider "
    "compare expect".split()
)
"""Base forms of frequent verbs with which one asks for something or plans it."""

LIKE_VERBS = frozenset(
    "like likes love loves enjoy enjoys adore hate hates dislike dislikes prefer prefers preferred favour "
    "favor liked loved enjoyed hated".split()
)
DISLIKE_VERBS = frozenset("hate hates dislike dislikes hated".split())

END_CUES = frozenset(
    "until till through return returning returns returned back end ends ending checkout "
    "check-out dropoff drop-off "
    "dropping drop out finish latest".split()
)
"""Words by which a date or time is the end of a stay, trip or rental rather than its start."""

FEELINGS = frozenset(
    "fine ok okay sorry happy glad sad tired sure busy afraid excited thankful grateful "
    "interested good great well "
    "worried curious done ready right wrong welcome back here there able pleased proud "
    "hungry bored correct".split()
)
"""Passing states of a speaker that are no facts to keep."""

COMPASS = frozenset(
    "north south east west center centre downtown northside southside eastside westside side airport".split()
)
"""Directions and the few places that every town has: definite though they are no names."""

DAY_PARTS = frozenset(
    "morning afternoon evening night noon midnight day week weekend month year moment time".split()
)

SOCIAL_WORDS = frozenset(
    "hi hello hey hiya greetings dear good morning afternoon evening night day bye goodbye cheers thanks "
    "thank thankyou thx you ya u so much very a lot ton again welcome please have nice great "
    "lovely wonderful "
    "week weekend one too all the best see later soon take care sorry oh ah aw wow hmm um uh "
    "well haha lol ha "
    "yay glad happy to help helped helping be of assistance pleasure my is it your are for everything that's "
    "that this was i appreciate and ahead rest enjoy congratulations congrats worries problem no not at "
    "hooray no-worries pleasant fantastic awesome amazing time now really perfect excellent "
    "cool super".split()
)
"""Words of greetings, thanks, farewells and fillers: a short clause made of them alone is social."""

OPENERS = frozenset(
    "oh ah well ok okay so and but actually also please hi hello hey thanks sorry sure great alright right "
    "wait hmm um uh yes yeah yep yup no nope nah then now honestly listen look lovely perfect wonderful fine "
    "good anyway plus again cool nice awesome excellent fantastic absolutely sadly unfortunately finally "
    "hooray understood noted".split()
)
