"""The gate: which earlier events a new one is compared with (DESIGN §4, *gate*).

An event files itself under a few keys, and its candidates are the K events filed under the same key that
were stated last before it. So the candidates are a function of the *set* of events: a late event enters the
lists of at most K later ones and displaces one there, and finding either takes O(log n + K) in an ordered
index. Validity plays no part in it, for validity depends on the candidates.

The likeness of §4 is in words, not in vectors: a vector's last bits depend on the batch that it was encoded
in, and a threshold on it would make the graph depend on the order of arrival. Whether the participants agree
is asked of each pair when it is related.
"""

from collections.abc import Iterable
from operator import attrgetter

from operators.relate.naming import WHEN, attribute_head, readings
from operators.relate.words import head
from state.model import Event

CANDIDATES = 10
"""K: how many earlier events are read under each key."""


def keys(event: Event) -> tuple[str, ...]:
    """The keys under which `event` is filed, sorted, each once; at most five, in O(length of the facet).

    `f:` the thing's head and the attribute's: the history of one attribute, however long that of others is.
    `e:` the thing's head: what else is said of it, and what takes all of it back.
    `a:` the attribute's head and the conversation: other names of the thing.
    `p:` the conversation: what was said just before, where nothing is named.
    `n:` the conversation with the events that have no facet: these replace nothing, and must not crowd out
    under `p:` those that do, but one may be another's reason ("I can't come." "Why not?" "I'm ill.").
    """
    if event.facet is None:
        said = f"n:{event.conversation}"
        return (said, f"p:{event.conversation}") if event.occurs is not None else (said,)
    entity, called = readings(event.facet.entity, event.facet.attribute, frozenset())[-1]
    thing, attribute = head(entity), attribute_head(called)
    attribute = "when" if attribute in WHEN else attribute
    filed = {f"n:{event.conversation}", f"p:{event.conversation}"}
    if thing:
        filed.add(f"e:{thing}")
    if attribute:
        filed.add(f"a:{attribute}:{event.conversation}")
    if thing and attribute:
        filed.add(f"f:{thing}:{attribute}")
    return tuple(sorted(filed))


def latest_first(found: Iterable[Event]) -> tuple[Event, ...]:
    """The union of what the keys gave, each event once, the one stated last in front."""
    unique = {event.id: event for event in found}
    return tuple(sorted(unique.values(), key=attrgetter("place"), reverse=True))
