"""The names under which an event can be found by a question that mentions them (DESIGN §6.2, V_ent)."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from state.lexicon import terms
from state.model import Event

PREFIX = "name:"
EVENT_KEYS = 12
"""How many name keys one event files itself under: a handful, so that filing stays O(1) an event."""
QUESTION_KEYS = 24
"""How many name keys of one question are looked up."""
LONGEST_TERM = 40
"""A longer term (a pasted URL, a hash) names nothing that a question would repeat."""


def name_keys(event: Event) -> tuple[str, ...]:
    """`name:<term>` for the terms of the facet's entity and attribute, then of the participants.

    In that order, each once, at most `EVENT_KEYS`: where there are too many, what the event is about counts
    before who takes part, since the participants of one subject are nearly always the same two.
    """
    facet = event.facet
    named = (facet.entity, facet.attribute) if facet is not None else ()
    return _first(map(_remembered_keys, (*named, *event.participants)), EVENT_KEYS)


def name_words(text: str) -> tuple[str, ...]:
    """The name keys a question should be looked up under, in the order in which it mentions them."""
    return _first([_keys_in(text)], QUESTION_KEYS)


def _first(keys: Iterable[tuple[str, ...]], limit: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(keys)))[:limit]


def _keys_in(text: str) -> tuple[str, ...]:
    return tuple(PREFIX + term for term in terms(text) if len(term) <= LONGEST_TERM)


_remembered_keys = lru_cache(maxsize=16_384)(_keys_in)
"""The same few people, things and attributes are named again and again."""
