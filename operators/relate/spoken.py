"""The words of an event that its message says, without what the distiller puts around them."""

from state.model import Event


def spoken(event: Event) -> str:
    """A description without the speaker in front and the facet in brackets behind it."""
    return said_in(event.description, event.speaker)


def said_in(description: str, speaker: str) -> str:
    """`spoken` of an event of that description and speaker."""
    text = description.removeprefix(f"{speaker}: ")
    return text.rpartition(" (")[0] if text.endswith(")") and " · " in text else text
