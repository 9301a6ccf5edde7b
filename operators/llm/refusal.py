"""Why a part of a model's answer was not taken over: every code, in one place.

What a model says is checked against the messages and the rules of DESIGN §3. What fails is left out and
counted by its code; it never raises, and never takes the rest of the answer with it.
"""

from collections.abc import Callable
from enum import StrEnum

Refused = Callable[[str], None]
"""Told the code of each refusal. The codes are those of `Refusal`."""


class Refusal(StrEnum):
    """The code of a refusal."""

    # Any answer
    UNREADABLE = "unreadable"  # a remembered answer is not of the form that it was stored in
    UNASKED = "unasked"  # speaks of a turn or a pair that was not asked about: outside the gate
    REPEATED = "repeated"  # says a thing a second time; the first stays
    MISSING = "missing"  # says nothing of a turn that was asked about
    LOW_CONFIDENCE = "low_confidence"  # the model itself is not sure, or gives no probability

    # Events
    CITES_OUTSIDE = "cites_outside"  # rests on a message that the turn's context does not hold
    UNSAID = "unsaid"  # quotes words that the turn does not say
    UNSAID_VALUE = "unsaid_value"  # gives a value that none of its messages says
    SOCIAL = "social"  # makes an event of a greeting, thanks or a farewell
    QUESTION = "question"  # makes an event of a question that asks for nothing to be done
    NOTHING = "nothing"  # quotes nothing
    TOO_MANY = "too_many"  # more events than one message may have
    UNSAID_TIME = "unsaid_time"  # gives a time whose words none of its messages says
    VAGUE_BOUND = "vague_bound"  # makes a bound of "soon", or of words that name no date
    BAD_TIME = "bad_time"  # bounds that are no times, or end before they start
    NO_DATE = "no_date"  # "since" words that name no date
    LOOSE_END = "loose_end"  # a link to an event or a message that is not there, or to itself
    UNSAID_GIST = "unsaid_gist"  # a gist with a number that the turn does not say

    # Where a turn hangs
    NO_PLACE = "no_place"  # names a turn that nothing can be hung under

    # Edges
    AGAINST_ORDER = "against_order"  # lets an earlier statement replace or withdraw a later one
    WRONG_MODE = "wrong_mode"  # replaces without a new value, withdraws with one, or an update without a mode
    NO_FACET = "no_facet"  # one of the two says nothing of an attribute
    OTHER_THING = "other_thing"
    OTHER_ATTRIBUTE = "other_attribute"
    UNNAMED = "unnamed"  # neither the thing nor the attribute is named on both sides
    SAME_VALUE = "same_value"  # says the same again, which replaces nothing
    COEXISTS = "coexists"  # the attribute holds several values at once
    DISPUTE = "dispute"  # another party says otherwise, without a change: both stand
    OTHER_KIND = "other_kind"  # a day in the place of a city
    OTHER_PERIOD = "other_period"  # each holds in a period of its own
    SAME_MESSAGE = "same_message"  # two plain statements of one message stand side by side
    OTHER_COMPANY = "other_company"  # the two have no participants in common
    AGAINST_DATES = "against_dates"  # a cause that happens after its effect is over


def ignored(_: str) -> None:
    """For those who do not count."""
