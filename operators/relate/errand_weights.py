"""What each sign weighs for or against a change of what was asked for, in hundredths.

Learned by `python -m evaluation.errand` from half of the conversations of two public sets, as the weights of
a logistic regression; the other half only checked them. The signs are general, and none is of a set's trade.
The sum, from `START` on, is the logarithm of the odds; at 0 a change is taken for one.
"""

START = 164
WEIGHTS = {
    # of the turn's words
    "another": 110,  # instead, actually, another, again
    "how about": 57,  # how about, try, maybe
    "opens": -60,  # asks for a thing that was not spoken of
    "question": 32,
    "long": -56,
    "report": -135,  # the weather, the news: nobody arranges them
    "again 0": -77,  # shares no words with what its speaker said before
    "again 1": -43,
    "again 3": 35,  # says a search again, with little changed
    # of what the service said before it
    "unmet": 28,  # it cannot be had
    "after a question": -80,
    "after closing": 75,  # anything else?
    "just done": -96,  # what was asked for is done
    "done before": -152,  # the same, some messages ago
    # of the value: it was asked for, said just now, said long before
    "asked": -166,  # an answer is new, and changes nothing
    "repeats": -190,  # it takes up what the service said
    "said before": -135,
    # of what the clause does, and what the earlier one did
    "act change": 56,
    "request": 31,
    "told state": 66,
    "by the service": -153,  # the earlier value is the service's
    "ruled": 88,  # the rules see an update
    # of the two facets and the distance between them
    "same thing": 29,
    "attribute date": -87,
    "identifies": -37,  # it tells one thing from another
    "lower case": -90,
    "one capital": -59,
    "unlike": -133,  # the rules see one between values of two sorts
    "no words in common": -111,
    "far": -98,  # more than four messages
    # of the sort of value, and signs that mean more for one sort than for others
    "sort name": -135,
    "clock: changes": 161,
    "name: another": 33,
    "name: short": -147,
}
