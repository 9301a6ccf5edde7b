"""A forest's state as text, as a store's marks hold it (`operators.forest.form` in UTF-8)."""

from operators.forest.form import from_bytes, to_bytes
from operators.forest.state import State


def packed(state: State) -> str:
    """The state's canonical form: equal states give equal texts."""
    return to_bytes(state).decode("utf-8", "surrogatepass")


def unpacked(text: str) -> State:
    """The state that `packed` gave `text` for. Raises ValueError where it is of another version."""
    return from_bytes(text.encode("utf-8", "surrogatepass"))
