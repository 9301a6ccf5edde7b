"""RAPTOR, small: Sarthi et al., RAPTOR: Recursive Abstractive Processing for Tree-Organized Retrieval (arXiv
2401.18059).

A static tree: messages are the leaves; each layer is clustered by Gaussian mixtures, first as a whole and
then within each cluster, their number chosen by BIC, and a node may belong to several; every cluster becomes
a node of the next layer by its summary. A question is compared with all nodes at once (the paper's
"collapsed tree"). Other than there, summaries are extractive, and the vectors are reduced by principal
components where the paper has UMAP.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from evaluation.questions import Asked
from evaluation.systems.extract import plain, summary
from evaluation.systems.interface import SEARCHED, Found, Ground
from evaluation.systems.lines import Item, found, in_time, message_items
from state.model import Subject
from state.notes import Vector

DIMENSIONS = 10
LAYERS = 5
BELONGS = 0.1
"""The paper's settings: reduced dimensions, layers at most, and from which probability a node belongs."""
COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
"""Numbers of clusters that are tried, up to the paper's 50."""
SEED = 224

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Node:
    """A cluster: its summary, and the summary's vector."""

    item: Item
    vector: Vector


class Raptor:
    """One tree a subject, made when the system is."""

    name = "RAPTOR"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._trees = {subject: _tree(ground, subject) for subject in ground.said}

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        leaves = self._ground.vectors[asked.subject]
        nodes = self._trees[asked.subject]
        names = list(leaves)
        rows = np.stack([*leaves.values(), *(node.vector for node in nodes)])
        near = np.round(rows @ self._ground.vector(asked.question), 5)
        best = np.argsort(-near, kind="stable")[:SEARCHED]
        items: list[Item] = []
        for at in best:
            if at < len(names):
                items += message_items(self._ground, asked, [names[at]])
            else:
                items.append(nodes[at - len(names)].item)
        return found(in_time(self._ground, asked, items), budgets, self._ground.count)


def _tree(ground: Ground, subject: Subject) -> list[Node]:
    """All nodes above the leaves, layer by layer."""
    held, vectors = ground.messages[subject], ground.vectors[subject]
    material: list[tuple[str, ...]] = [(name,) for name in vectors]
    rows: Rows = np.stack(list(vectors.values()))
    nodes: list[Node] = []
    for _ in range(LAYERS):
        if len(material) <= DIMENSIONS + 1:
            break
        made = []
        for group in clusters(rows):
            names = sorted({n for i in group for n in material[i]}, key=lambda n: (held[n].sent_at, n))
            made.append(summary([held[n] for n in names], [vectors[n] for n in names], ground.count))
        texts = [plain([held[name] for name in item.quotes]) for item in made]
        rows = ground.encoder.encode(texts)
        nodes += [Node(item, row) for item, row in zip(made, rows, strict=True)]
        material = [item.quotes for item in made]
    return nodes


def clusters(rows: Rows) -> list[list[int]]:
    """Groups of rows; every row is in at least one. Few rows are one group."""
    groups: list[list[int]] = []
    for wide in mixture(rows):
        groups += [[wide[i] for i in narrow] for narrow in mixture(rows[wide])]
    return groups


def mixture(rows: Rows) -> list[list[int]]:
    """The mixture with the lowest BIC: by component, the rows with at least `BELONGS` or whose best it is."""
    if len(rows) <= DIMENSIONS + 1:
        return [list(range(len(rows)))]
    reduced = PCA(DIMENSIONS, svd_solver="full").fit_transform(rows.astype(np.float64))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fits = [
            GaussianMixture(n, covariance_type="diag", random_state=SEED, reg_covar=1e-4).fit(reduced)
            for n in COUNTS
            if n <= len(rows) // 2
        ]
    best = min(fits, key=lambda fit: (round(float(fit.bic(reduced)), 3), fit.n_components))
    shares = best.predict_proba(reduced)
    first = shares.argmax(axis=1)
    groups = [
        [i for i in range(len(rows)) if shares[i, component] >= BELONGS or first[i] == component]
        for component in range(best.n_components)
    ]
    return [group for group in groups if group]
