"""The vectors that the baselines compare, encoded once and kept in a folder the user names."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.topic_sets import Labelled
from state.encoder import encoder_named

_BATCH = 1024

Vectors = NDArray[np.float32]


def vectors_of(
    conversations: Sequence[Labelled], cache: Path | None, encoder: str, encoded: Callable[[int], None]
) -> list[Vectors]:
    """One array a conversation, a row of unit length a message.

    Read from the folder `cache`, if one is given, where the same texts were encoded before by an encoder of
    the same name, else written there. `encoded` is told how many texts were done.
    """
    texts = [item.content for one in conversations for item in one.messages]
    key = hashlib.sha256("\0".join([encoder, *texts]).encode()).hexdigest()[:24]
    path = cache / f"vectors-{key}.npy" if cache is not None else None
    if path is not None and path.exists():
        rows: Vectors = np.load(path)
    else:
        rows = _encoded(texts, encoder, encoded)
    if path is not None and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, rows)
    ends = np.cumsum([len(one.messages) for one in conversations])
    return np.split(rows, ends[:-1])


def _encoded(texts: list[str], encoder: str, encoded: Callable[[int], None]) -> Vectors:
    model = encoder_named(encoder)
    parts = []
    for at in range(0, len(texts), _BATCH):
        parts.append(model.encode(texts[at : at + _BATCH]))
        encoded(min(_BATCH, len(texts) - at))
    return np.concatenate(parts)
