"""Summaries without a model: a few messages near the middle of a group, each by its gist.

The published systems let a model write these. What is quoted here is the messages' own words, so a summary
can still be traced to what it tells, and costs as many tokens as a short one of a model.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from evaluation.systems.lines import SUMMARY, Item
from operators.summary import gist
from query_service.quoting import label, quoted
from state.model import Message
from state.notes import Vector, note_text

TOKENS = 100
"""The most tokens of a summary, RAPTOR's setting."""


def summary(messages: Sequence[Message], vectors: Sequence[Vector], count: Callable[[str], int]) -> Item:
    """The gists of the messages nearest to the group's mean, in the order of saying, in at most `TOKENS`
    tokens; the nearest one always."""
    centre = np.mean(np.stack(vectors), axis=0)
    nearness = np.round(np.stack(vectors) @ centre, 5)
    order = sorted(range(len(messages)), key=lambda i: (-float(nearness[i]), i))
    kept: list[int] = []
    left = TOKENS
    for i in order:
        left -= count(gist(messages[i].content))
        if left < 0 and kept:
            break
        kept.append(i)
    chosen = [messages[i] for i in sorted(kept)]
    lines = tuple(f"  [{label(m.id)}] {label(m.speaker)}: {quoted(gist(m.content))}" for m in chosen)
    return Item((SUMMARY, *lines), tuple(m.id for m in chosen))


def plain(messages: Sequence[Message]) -> str:
    """What a summary of these messages is encoded as."""
    return " ".join(note_text(replace(message, content=gist(message.content))) for message in messages)
