"""Whether the encoder is loaded: what needs a vector waits for it, for some seconds after a start."""

import threading
from collections.abc import Callable

from state.notes import Encoder

_ANY = "ready"


class EncoderLoading:
    """Has an encoder encode once, in a thread of its own, to know when it can."""

    def __init__(self, encoder: Encoder, told: Callable[[str], None]) -> None:
        """Begins. `told` gets a line where the encoder cannot be loaded."""
        self._encoder, self._told = encoder, told
        self._reason: str | None = "the encoder is being loaded"
        threading.Thread(target=self._load, name="encoder-loading", daemon=True).start()

    def reasons(self) -> list[str]:
        """Why nothing can be encoded yet, or at all; empty once it can. No text of an error is in it."""
        reason = self._reason
        return [] if reason is None else [reason]

    def _load(self) -> None:
        try:
            self._encoder.encode([_ANY])
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told and this is not ready
            self._reason = f"the encoder cannot be loaded ({type(error).__name__}): see the log, then restart"
            self._told(f"the encoder cannot be loaded: {error}")
        else:
            self._reason = None
