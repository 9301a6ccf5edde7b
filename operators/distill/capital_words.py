"""English words whose capital does not make them a name."""

_FUNCTION_WORDS = """
a about absolutely actually after again all alright also although am apparently an and another any april
are aren't as at august awesome be because been before between both but by bye can can't cheers
congratulations cool could couldn't dear december definitely did didn't do does doesn't don't dr during
each every february finally fine first for friday from glad good goodbye great had happy has have he
hello her here here's hey hi his hopefully how how's however i i'd i'll i'm i've if in into is isn't it
it's its i’d i’ll i’m i’ve january july june just last let let's lets luckily many march may maybe might
monday more most mr mrs ms much must my new next nice no nope not noted november now october of oh ok
okay on once only or other our over perfect perhaps please pm really right sadly same saturday second
september shall she should since so some sorry still such sunday sure thank thanks that that's the their
then there there's therefore these they they're third this those though thursday to too tuesday under
understood unfortunately until very was wasn't we we'll we're we've wednesday welcome well were what
what's when where which while who who's whose why will with won't would wouldn't wow yeah yep yes yet
you you'll you're you've your
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Closed classes: pronouns, auxiliaries, prepositions, conjunctions, interjections, months, weekdays."""

_BARE_VERBS = """
add ask book bring buy call cancel change check choose close come confirm consider contact create deliver
do drop fill find fix forget get give go help hold keep leave let look make meet move need open order pay
pick plan provide put read remind remove reserve reset return schedule see send set show start stop switch
take talk tell thank think try turn update use wait want write
"""
BARE_VERBS = frozenset(_BARE_VERBS.split())
"""Common verbs that open a request ("Book Hilton"), where a capital tells nothing."""
