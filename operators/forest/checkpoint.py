"""A forest's state as text, for a store: equal states give equal texts, and each reads back as it was."""

import msgspec

from operators.forest.state import State

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(State).decode


def packed(state: State) -> str:
    """The state as JSON."""
    return _encode(state).decode()


def unpacked(text: str) -> State:
    """The state that `packed` gave `text` for. Raises msgspec.DecodeError where it is of another version."""
    return _decode(text)
