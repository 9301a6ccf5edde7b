"""How many labelled causes are found in the right direction, beside connectives alone.

A triplet is found where an edge of kind causes, enables or prevents has its source over the span of the
cause and its target over the span of the effect, whichever of the three it is. Precision is not told: the
labels name some causes, not all of them; `made` says how many edges there are.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from evaluation.bootstrap import Figure, mean, pooled
from evaluation.connectives import links
from evaluation.dialogue_triplets import Dialogue, Span, Triplet, dialogues, overlaps, says
from evaluation.episodes import CAUSAL
from evaluation.measures.part import Advance, Column, Part, Table, present
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER

STET, CONNECTIVES = "Stet", "connectives alone"
KINDS = ("causes", "enables", "prevents")


def measure(gold_file: Path, seed: int, advance: Advance) -> Part:
    """A dialogue is a unit."""
    talks = list(dialogues(gold_file))
    found: dict[str, list[tuple[int, list[Triplet]]]] = {CONNECTIVES: [], STET: []}
    for talk in talks:
        found[CONNECTIVES].append(by_connectives(talk))
        found[STET].append(by_graph(talk))
        advance(1)
    return Part("causes", {name: figures(talks, each, seed) for name, each in found.items()}, (_TABLE,))


def by_connectives(talk: Dialogue) -> tuple[int, list[Triplet]]:
    """How many links connectives make, and the triplets that these find."""
    made = [
        (_moved(cause, talk.offsets[one.id]), _moved(effect, talk.offsets[one.id]))
        for one in talk.messages
        for cause, effect in links(one.content)
    ]
    return len(made), [
        t for t in talk.triplets if any(overlaps(t.source, a) and overlaps(t.target, b) for a, b in made)
    ]


def by_graph(talk: Dialogue) -> tuple[int, list[Triplet]]:
    """How many causal edges the rules draw, and the triplets that these find."""
    if not talk.messages:
        return 0, []
    view = derive(talk.messages, DISTILLER, RELATER)
    events = {event.id: event for event in view.events}
    made = [edge for edge in view.edges if edge.type in CAUSAL]
    return len(made), [
        t
        for t in talk.triplets
        if any(
            says(events[e.source], t.source, talk) and says(events[e.target], t.target, talk) for e in made
        )
    ]


def figures(
    talks: Sequence[Dialogue], found: Iterable[tuple[int, list[Triplet]]], seed: int
) -> dict[str, Figure]:
    """Recall in all and by kind, and links made a dialogue."""
    each = list(found)
    return present(
        {
            "recall": _recall(talks, each, KINDS, seed),
            **{kind: _recall(talks, each, (kind,), seed) for kind in KINDS},
            "made": mean([made for made, _ in each], seed),
        }
    )


def _recall(
    talks: Sequence[Dialogue], each: Sequence[tuple[int, list[Triplet]]], kinds: Sequence[str], seed: int
) -> Figure | None:
    units = [
        (sum(t.kind in kinds for t in right), sum(t.kind in kinds for t in talk.triplets))
        for talk, (_, right) in zip(talks, each, strict=True)
    ]
    if not sum(total for _, total in units):
        return None
    return pooled(units, lambda sums: float(sums[0] / sums[1]) if sums[1] else 0.0, seed)


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


_TABLE = Table(
    "labelled causes found in the right direction",
    (
        Column("recall", "recall"),
        Column("causes", "causes"),
        Column("enables", "enables"),
        Column("made", "made"),
    ),
)
