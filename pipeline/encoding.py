"""Encodes a batch's note texts beside the work on its graph, which reads no vector (DESIGN §4, notes).

The encoder is a process of its own, so the thread here only waits for it, and both advance at once.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from state.encoder import EncoderError
from state.notes import Encoder, Vector

Encoded = Mapping[str, Vector | Exception]
"""By text, its vector, or what the encoder raised for it alone."""


class Encoding:
    """Waits for an encoder in a thread of its own."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="stet-encoder")

    def begin(self, texts: Sequence[str]) -> "Future[Encoded]":
        """Begins to encode `texts`. The result raises what the encoder raises for all of them."""
        return self._thread.submit(self.encode, list(dict.fromkeys(texts)))

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Encodes `texts` in one call; where that fails, singly, so that one that is unfit fails alone."""
        return dict(zip(texts, self._vectors(texts), strict=True)) if texts else {}

    def _vectors(self, texts: Sequence[str]) -> Sequence[Vector | Exception]:
        try:
            return [_whole(vector) for vector in self._encoder.encode(texts)]
        except (EncoderError, OSError):
            raise
        except Exception as error:
            if len(texts) == 1:
                return [error]
            singly = [found for text in texts for found in self._vectors([text])]
            if all(isinstance(found, Exception) for found in singly):
                raise  # the encoder is at fault, not a text
            return singly


def _whole(vector: Vector) -> Vector:
    """The vector, if it can be stored. A note store refuses one with NaN, and all that is written with it."""
    if not np.isfinite(vector).all():
        raise ValueError("the encoder gave a vector that is not finite")
    return vector
