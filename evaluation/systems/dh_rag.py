"""DH-RAG, small: Zhang et al., DH-RAG: A Dynamic Historical Context-Powered Retrieval-Augmented Generation
Method for Multi-Turn Dialogue (arXiv 2502.13847).

The history is a base of exchanges, a message and the one after it. Their queries are clustered; a question
goes to the clusters that are nearest, then to the exchanges in them, weighed by likeness and by how recent
they are; and each brings its chain, the earlier exchanges of its cluster that its query follows from. Other
than there, clusters come from online clustering at one threshold, and no model weighs the whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from evaluation.questions import Asked
from evaluation.systems.interface import SEARCHED, Found, Ground
from evaluation.systems.lines import Item, found, in_time, message_items
from evaluation.topic_baselines import online_clusters
from state.model import Message, Subject

ALIKE = 0.4
"""From which cosine a query joins a cluster, and a chain goes on."""
CLUSTERS = 5
"""Clusters that a question is matched with first; the others come after them."""
CHAIN = 3
CHAINED = 3
"""Links of a chain at most, and how many of the best exchanges bring theirs, right after these exchanges."""
LIKENESS = 0.95
"""The weight of likeness; how recent an exchange is has the rest."""


@dataclass(frozen=True, slots=True)
class Base:
    """The exchanges of one subject in order, the vectors of their queries, their clusters and the clusters'
    means."""

    exchanges: Sequence[tuple[str, ...]]
    rows: NDArray[np.float32]
    cluster: NDArray[np.intp]
    centres: NDArray[np.float32]


class DhRag:
    """One base a subject."""

    name = "DH-RAG"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._bases = {subject: _base(ground, subject) for subject in ground.said}

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        base = self._bases[asked.subject]
        vector = self._ground.vector(asked.question)
        recent = np.linspace(0, 1, len(base.rows))
        worth = np.round(LIKENESS * (base.rows @ vector) + (1 - LIKENESS) * recent, 5)
        matched = np.argsort(-np.round(base.centres @ vector, 5), kind="stable")
        first = np.isin(base.cluster, matched[:CLUSTERS])
        order = np.lexsort((np.arange(len(worth)), -worth, ~first))
        first_few = [int(at) for at in order[:CHAINED]]
        links = [link for at in first_few for link in chain(base, at)]
        items = [
            self._item(asked, base.exchanges[at])
            for at in dict.fromkeys([*first_few, *links, *order[CHAINED:SEARCHED].tolist()])
        ]
        return found(in_time(self._ground, asked, items), budgets, self._ground.count)

    def _item(self, asked: Asked, exchange: Sequence[str]) -> Item:
        both = message_items(self._ground, asked, exchange)
        return Item(tuple(line for one in both for line in one.lines), tuple(exchange))


def chain(base: Base, at: int) -> list[int]:
    """The earlier exchanges that lead to the one at `at`: each time the last one of the cluster whose query
    is like the query before."""
    links: list[int] = []
    while len(links) < CHAIN:
        now = links[-1] if links else at
        before = np.flatnonzero(base.cluster[:now] == base.cluster[now])
        alike = [int(i) for i in before if round(float(base.rows[i] @ base.rows[now]), 5) >= ALIKE]
        if not alike:
            break
        links.append(alike[-1])
    return links


def _base(ground: Ground, subject: Subject) -> Base:
    said = ground.said[subject]
    exchanges: list[tuple[str, ...]] = []
    for _, group in groupby(sorted(said, key=_conversation), key=_conversation):
        talk = [message.id for message in group]
        exchanges += [tuple(talk[i : i + 2]) for i in range(max(1, len(talk) - 1))]
    place = {message.id: at for at, message in enumerate(said)}
    exchanges.sort(key=lambda exchange: place[exchange[0]])
    rows = np.stack([ground.vectors[subject][exchange[0]] for exchange in exchanges])
    cluster = np.array(online_clusters(rows, ALIKE))
    centres = np.stack([rows[cluster == c].mean(axis=0) for c in range(cluster.max() + 1)])
    return Base(exchanges, rows, cluster, centres / np.linalg.norm(centres, axis=1, keepdims=True))


def _conversation(message: Message) -> str:
    return message.conversation
