"""Where a turn hangs, by a model's answer, where the rules find nothing that tells.

The rules are asked first, and most turns have a cue or are about what a topic is about. Three of their
reasons rest on the absence of both: those turns a model may hang.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from operators.forest.interface import Decider, Decision, Kind, Reason
from operators.forest.state import State, Tree
from operators.llm.refusal import Refusal, Refused, ignored
from state.model import Message

UNSURE = frozenset({Reason.DEFAULT, Reason.NEW_STATEMENT, Reason.NEW_TASK})
"""The rules' reasons for which a model is asked: nothing says that the topic changes; nothing held is about
what is said, or asked for. (Of LoCoMo's turns 7 %, of STAR's 8 %.)"""
CONTINUE, NEW = "continue", "new"
OFFERED = 6
"""To how many earlier turns a model may let a turn go back."""


class HangKind(StrEnum):
    """What an answer says of a turn's place."""

    CONTINUE = CONTINUE
    NEW = NEW
    UNDER = "under"


@dataclass(frozen=True, slots=True)
class Hang:
    """A model's answer: the turn goes on, opens a topic, or hangs under the turn `turn`."""

    kind: HangKind
    turn: str | None = None


def unsure(decision: Decision) -> bool:
    """Whether a model is to be asked where a turn hangs that the rules placed so."""
    return decision.reason in UNSURE


def open_ends(state: State) -> tuple[str, ...]:
    """The turns that the next one may go back to, those spoken on last in front: the heads of the topics and
    then of the other branches, without the current turn."""
    heads = [tree.head for tree in state.trees] + [b.head for tree in state.trees for b in tree.branches]
    return tuple(turn for turn in dict.fromkeys(heads) if turn != state.current)[:OFFERED]


class AnsweredDecider:
    """A `Decider`: the rules', and where they are unsure the answers that `hangs` has, by turn id.

    A turn without an answer, or whose answer names a turn that the state does not hold, stays where the rules
    hang it. So the forest is a function of the messages and the answers.
    """

    def __init__(
        self,
        rules: Decider,
        hangs: Mapping[str, Hang] | Callable[[str], Hang | None],
        refused: Refused = ignored,
    ) -> None:
        self._rules, self._refused = rules, refused
        self._hang = hangs.get if isinstance(hangs, Mapping) else hangs

    def decide(self, state: State, message: Message) -> Decision:
        """See `Decider`."""
        decision = self._rules.decide(state, message)
        hang = self._hang(message.id) if unsure(decision) else None
        if hang is None or state.active is None:
            return decision
        placed = _placed(state, state.active, hang)
        if placed is None:
            self._refused(Refusal.NO_PLACE)
            return decision
        return replace(placed, mentions=_others(state, placed, decision.mentions))


def _placed(state: State, active: Tree, hang: Hang) -> Decision | None:
    if hang.kind is HangKind.CONTINUE:
        return Decision(Kind.CONTINUE, active.head, Reason.ANSWERED)
    if hang.kind is HangKind.NEW:
        return Decision(Kind.NEW_TREE, None, Reason.ANSWERED)
    tree = state.tree_of(hang.turn) if hang.turn is not None else None
    if tree is None:
        return None
    if hang.turn == active.head:
        return Decision(Kind.CONTINUE, hang.turn, Reason.ANSWERED)
    departs = tree.id == active.id and tree.branch_at(hang.turn or "") is None
    return Decision(Kind.BRANCH if departs else Kind.RETURN, hang.turn, Reason.ANSWERED)


def _others(state: State, placed: Decision, mentions: tuple[str, ...]) -> tuple[str, ...]:
    """The trees that the turn mentions and is not hung in."""
    home = state.tree_of(placed.parent) if placed.parent is not None else None
    return tuple(tree for tree in mentions if home is None or tree != home.id)
