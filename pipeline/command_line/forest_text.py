"""What `stet forest` and `stet context` print for people."""

from collections import defaultdict

from pipeline.command_line.terminal import clean, wrapped
from query_service.forest_view import ForestView, Move, TopicView, TurnView
from query_service.next_turn import TurnContext

DEEPEST = 8
"""Branches are drawn further to the right down to here; deeper ones stay below one another."""
_MARKS = {Move.ROOT: "● ", Move.CONTINUE: "│ ", Move.BRANCH: "├─● ", Move.RETURN: "↩ "}


def forest_text(view: ForestView) -> str:
    """The topics as trees: a branch below the turn that it leaves from, one step to the right."""
    count = f"{len(view.topics)}{'+' if view.more else ''}"
    lines = [f"{clean(view.subject)}: {count} topic{'' if count == '1' else 's'}, latest first"]
    for topic in view.topics:
        turns = f"{topic.size} turn{'' if topic.size == 1 else 's'}"
        lines += ["", *wrapped("", f"{topic.label}  ({topic.conversation}, {turns})", "  ")]
        lines += _tree(topic, view)
    lines += ["", "● opens a topic, ├─● a branch; ↩ comes back to it; → mentions another"]
    if view.more:
        lines.append("(--topics shows more of them, --turns more of each)")
    return "\n".join(lines)


def _tree(topic: TopicView, view: ForestView) -> list[str]:
    lines: list[str] = []
    hidden = topic.size - len(topic.turns)
    if hidden > 0:
        lines.append(f"  … {hidden} earlier turn{'' if hidden == 1 else 's'}")
    branches: dict[str, list[TurnView]] = defaultdict(list)
    for turn in topic.turns:
        branches[turn.branch].append(turn)
    leaving: dict[str, list[str]] = defaultdict(list)
    for branch, turns in branches.items():
        if turns[0].move is Move.BRANCH and turns[0].parent is not None:
            leaving[turns[0].parent].append(branch)
    shown = {turn.id for turn in topic.turns}
    tops = [
        b for b, turns in branches.items() if turns[0].move is not Move.BRANCH or turns[0].parent not in shown
    ]
    # A stack, for a tree may be as deep as it has turns: (the turn to show, how far to the right).
    waiting = [(turn, 0) for branch in reversed(tops) for turn in reversed(branches[branch])]
    while waiting:
        turn, depth = waiting.pop()
        lines += _turn(turn, depth, view)
        for branch in reversed(leaving[turn.id]):
            waiting += [(one, min(depth + 1, DEEPEST)) for one in reversed(branches[branch])]
    return lines


def _turn(turn: TurnView, depth: int, view: ForestView) -> list[str]:
    left = "  " + "│ " * depth
    head = left + _MARKS[turn.move]
    if turn.move is Move.BRANCH and depth:
        head = "  " + "│ " * (depth - 1) + _MARKS[turn.move]
    mentions = "".join(f" → {view.labels.get(root, root)}" for root in turn.refers_to)
    return wrapped(head, f"{turn.speaker}: {turn.gist}{mentions}  [{turn.id}]", left + "│   ")


def context_text(found: TurnContext) -> str:
    """Where the message goes, and the context as it is."""
    place = found.decision
    where = f"under {place.parent}" if place.parent is not None else "as a new topic"
    lines = wrapped("", f"{place.kind.replace('_', ' ')} ({place.reason.replace('_', ' ')}) {where}")
    took = sum(found.timings_ms.values())
    return "\n".join(
        [
            *lines,
            "",
            *(line for text in found.context.splitlines() for line in wrapped("", text, "  ")),
            "",
            f"{len(found.path)} turns on the path, {found.tokens} tokens, {took:.0f} ms (--json: all of it)",
        ]
    )
