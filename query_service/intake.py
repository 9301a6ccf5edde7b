"""What a runtime lets the service do to its data: take messages, and forget subjects."""

from collections.abc import Callable, Sequence

from state.forget_receipt import Receipt
from state.model import Message, Subject


class Unavailable(Exception):
    """Raised by a service that cannot take messages or answer just now; the caller may try again."""


class Underway(Unavailable):
    """Raised where what was asked for is written down and will be done, but is not done yet."""


Accept = Callable[[Sequence[Message]], None]
"""Returns once all messages are durable. Raises `Unavailable` otherwise; all may be sent again then."""
Forget = Callable[[Subject], Receipt]
"""Removes all of a subject and says what was removed. Raises `Unavailable` where it removed nothing."""
