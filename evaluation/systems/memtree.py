"""MemTree, small: Rezazadeh et al., From Isolated Conversations to Hierarchical Schemas: Dynamic Tree Memory
Representation for LLMs (arXiv 2410.14052).

An online tree: a message goes down from the root to the child that is nearest, as long as their cosine
reaches a threshold that grows with the depth, and becomes a leaf where none does; a leaf that it joins
becomes a node of both. A question is compared with all nodes at once. Other than there, a node's content is
an extract of the messages below it, and its vector their mean.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaluation.questions import Asked
from evaluation.systems.extract import summary
from evaluation.systems.interface import SEARCHED, Found, Ground
from evaluation.systems.lines import Item, found, in_time, message_items
from state.model import Subject
from state.notes import Vector

BASE, RATE = 0.4, 0.5
"""The paper's threshold at the root, and how it grows: BASE · exp(RATE · depth)."""


@dataclass(slots=True)
class Node:
    """The messages of a subtree, oldest first, the sum of their vectors, and the nodes right below."""

    messages: list[str]
    total: Vector
    children: list["Node"] = field(default_factory=list)

    @property
    def vector(self) -> Vector:
        """The mean, at unit length."""
        unit: Vector = self.total / max(float(np.linalg.norm(self.total)), 1e-9)
        return unit

    def below(self) -> Iterator["Node"]:
        """Every node of the subtree but this one, parents first."""
        for child in self.children:
            yield child
            yield from child.below()


def insert(root: Node, message: str, vector: Vector) -> None:
    """Adds one message: O(depth · children)."""
    node, depth = root, 0
    while True:
        old = Node(list(node.messages), node.total)
        leaf = node is not root and not node.children
        node.messages.append(message)
        node.total = node.total + vector
        if leaf:  # it becomes the parent of what it was
            node.children.append(old)
            break
        near = [round(float(child.vector @ vector), 5) for child in node.children]
        best = max(range(len(near)), key=lambda i: (near[i], -i), default=None)
        if best is None or near[best] < BASE * math.exp(RATE * depth):
            break
        node, depth = node.children[best], depth + 1
    node.children.append(Node([message], vector))


class MemTree:
    """One tree a subject, grown in the order of saying."""

    name = "MemTree"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._nodes = {subject: list(_grown(ground, subject).below()) for subject in ground.said}
        self._rows = {
            subject: np.stack([node.vector for node in nodes]) for subject, nodes in self._nodes.items()
        }

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        near = np.round(self._rows[asked.subject] @ self._ground.vector(asked.question), 5)
        best = np.argsort(-near, kind="stable")[:SEARCHED]
        items = [self._item(asked, self._nodes[asked.subject][at]) for at in best]
        return found(in_time(self._ground, asked, items), budgets, self._ground.count)

    def _item(self, asked: Asked, node: Node) -> Item:
        if not node.children:
            return message_items(self._ground, asked, node.messages)[0]
        held, vectors = self._ground.messages[asked.subject], self._ground.vectors[asked.subject]
        return summary(
            [held[name] for name in node.messages],
            [vectors[name] for name in node.messages],
            self._ground.count,
        )


def _grown(ground: Ground, subject: Subject) -> Node:
    root = Node([], np.zeros(ground.encoder.dimension, np.float32))
    for message in ground.said[subject]:
        insert(root, message.id, ground.vectors[subject][message.id])
    return root
