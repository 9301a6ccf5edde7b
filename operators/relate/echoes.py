"""What else said the value that another takes the place of: a party's "we will leave it with number 9", which
confirms what was asked, falls with it. Only statements without a facet, which no rule on attributes sees.
"""

from collections.abc import Sequence

from operators.relate.at_hand import near
from operators.relate.gist import Gist, gist, gist_of
from operators.relate.runs import TAKES_BACK
from state.model import Event


def echoed(event: Event, replaced: Sequence[Event], earlier: Sequence[Event]) -> list[Event]:
    """The statements among `earlier`, at hand, that say again what `event` takes the place of."""
    alike = [told for told in earlier if told.facet is None and told.act not in TAKES_BACK]
    if not alike or not replaced:
        return []
    ours = gist_of(event)
    hand = near(event, earlier)
    taken = {told.id for told in replaced}
    return [
        told
        for told in alike
        if told.id in hand and told.id not in taken and any(_says_again(told, old, ours) for old in replaced)
    ]


def _says_again(told: Event, old: Event, ours: Gist) -> bool:
    """Whether a statement has the words of another that the new one leaves out, its value among them, and
    says nothing else; or the other, by another party, has nothing but its words."""
    theirs, said = gist_of(told), gist_of(old)
    if theirs.cjk != said.cjk or theirs.negative or len(theirs.kinds) < _LEAST[theirs.cjk]:
        return False
    value = gist(old.facet.value).kinds if old.facet is not None else said.kinds
    if not (value & theirs.kinds) - ours.kinds:
        return False
    confirmed = said.kinds <= theirs.kinds and told.place < old.place and told.speaker != old.speaker
    return confirmed or theirs.kinds <= said.kinds


_LEAST = {False: 2, True: 3}
"""A statement of fewer words, or Chinese characters, is not told from others."""
