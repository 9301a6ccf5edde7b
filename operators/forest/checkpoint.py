"""A forest's state as text, as a store's marks hold it (`operators.forest.form` in UTF-8)."""

from collections import OrderedDict

from operators.forest.form import from_bytes, to_bytes
from operators.forest.state import State

_KEPT = 512
_known: OrderedDict[str, State] = OrderedDict()
"""States that were written or read last, by text: what a worker writes is what it reads next."""


def packed(state: State) -> str:
    """The state's canonical form: equal states give equal texts."""
    text = to_bytes(state).decode()
    _keep(text, state)
    return text


def unpacked(text: str) -> State:
    """The state that `packed` gave `text` for. Raises ValueError where it is of another version."""
    state = _known.get(text)
    if state is None:
        state = from_bytes(text.encode())
    _keep(text, state)
    return state


def readable(text: str) -> State | None:
    """`unpacked`, or None where the text is of another version: what it tells must be grown anew."""
    try:
        return unpacked(text)
    except ValueError:
        return None


def _keep(text: str, state: State) -> None:
    _known[text] = state
    _known.move_to_end(text)
    if len(_known) > _KEPT:
        _known.popitem(last=False)
