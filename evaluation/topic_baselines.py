"""What a topic decider is measured against: topics without a decider, by vectors alone."""

from collections.abc import Callable, Sequence

import numpy as np

from evaluation.topic_vectors import Vectors

Labelling = Callable[[Vectors, float], list[int]]

THRESHOLDS = tuple(round(0.05 * n, 2) for n in range(-4, 19))
"""The cosines that a baseline's threshold is picked from, in its favour: the best on the development half."""


def one_topic(vectors: Vectors, threshold: float = 0.0) -> list[int]:
    """One topic a conversation."""
    return [0] * len(vectors)


def similarity_drop(vectors: Vectors, threshold: float) -> list[int]:
    """A new topic wherever the cosine of a message with the one before is below the threshold."""
    if not len(vectors):
        return []
    alike = (vectors[1:] * vectors[:-1]).sum(axis=1)
    return [0, *np.cumsum(alike < threshold).tolist()]


def online_clusters(vectors: Vectors, threshold: float) -> list[int]:
    """Online clustering as MemTree (arXiv 2410.14052) does at the top of its tree: a message goes to the
    topic whose mean is nearest, if its cosine reaches the threshold (0.4 there), else it opens one."""
    sums: list[Vectors] = []
    labels = []
    for vector in vectors:
        scores = [float(total @ vector / max(np.linalg.norm(total), 1e-9)) for total in sums]
        best = int(np.argmax(scores)) if scores else -1
        if best >= 0 and scores[best] >= threshold:
            sums[best] = sums[best] + vector
        else:
            best = len(sums)
            sums.append(vector.copy())
        labels.append(best)
    return labels


BASELINES: Sequence[tuple[str, Labelling, Sequence[float]]] = (
    ("one topic", one_topic, (0.0,)),
    ("similarity drop", similarity_drop, THRESHOLDS),
    ("online clusters", online_clusters, THRESHOLDS),
)
