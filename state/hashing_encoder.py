"""An encoder without a model: hashed terms. For benchmarks and tests only: it knows words, not meanings."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from state.lexicon import term_hash, terms


class HashingEncoder:
    """Each term adds +1 or −1 at a place of the vector, both taken from its hash; then unit length.

    The same text has the same vector in every batch, process and machine. O(terms); some 20 µs a message.
    """

    def __init__(self, dimension: int = 384) -> None:
        if dimension < 1:
            raise ValueError("a vector needs at least one number")
        self.name = f"hashing-{dimension}"
        self.dimension = dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length, in the order of `texts`; a text without terms is the first axis."""
        hashed = [[term_hash(term) for term in terms(text)] for text in texts]
        lengths = [len(row) for row in hashed]
        flat = np.fromiter((h for row in hashed for h in row), np.uint32, sum(lengths))
        rows = np.repeat(np.arange(len(texts)), lengths)
        # The lowest bit is the sign, the others are the place.
        signs = np.where(flat & 1, 1.0, -1.0)
        cells = rows * self.dimension + (flat >> 1) % self.dimension
        size = len(texts) * self.dimension
        summed = np.bincount(cells, weights=signs, minlength=size).reshape(len(texts), self.dimension)
        norms = np.linalg.norm(summed, axis=1, keepdims=True)
        empty = norms[:, 0] == 0  # no terms, or terms that cancel
        summed[empty, 0] = norms[empty] = 1.0
        vectors: NDArray[np.float32] = (summed / norms).astype(np.float32)
        return vectors

    def count_tokens(self, text: str) -> int:
        """How many terms `text` has."""
        return len(terms(text))


def hashing_named(name: str) -> HashingEncoder | None:
    """The encoder that `hashing` or `hashing-<dimension>` names; None where `name` is another's."""
    kind, _, dimension = name.partition("-")
    if kind != "hashing" or not (dimension.isdecimal() or not dimension):
        return None
    return HashingEncoder(int(dimension)) if dimension else HashingEncoder()
