"""What decides where a turn hangs: rules now, a model later. Both give the same small answer."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from operators.forest.state import State
from state.model import Message


class Kind(StrEnum):
    """What a turn does to the forest."""

    CONTINUE = "continue"  # goes on at the current turn
    BRANCH = "branch"  # departs from an earlier turn of the active tree
    RETURN = "return"  # goes back to the head of another branch, or to another tree
    NEW_TREE = "new_tree"  # opens a topic


class Reason(StrEnum):
    """Why, as a code."""

    FIRST = "first"  # nothing came before
    REPLY = "reply"  # it names the message that it replies to
    FEEDBACK = "feedback"  # thanks, agreement, greeting: no matter of its own
    ANSWER = "answer"  # answers what was just asked
    RESPONSE = "response"  # by a party that follows topics and does not set them
    TAKES_UP = "takes_up"  # the first matter after an opening without one
    BACK_CUE = "back_cue"  # says that it goes back
    SHIFT_CUE = "shift_cue"  # says that it is another matter
    NEW_TASK = "new_task"  # asks for something that nothing before is about
    NEW_STATEMENT = "new_statement"  # a matter of its own after the last one was settled
    ALTERNATIVE = "alternative"  # weighs another choice against an earlier one
    MATCH = "match"  # is about what another topic was about
    COHESION = "cohesion"  # is about what the active topic is about
    CONTEXT = "context"  # is not understood without what came before
    DEFAULT = "default"  # nothing says that the topic changes
    ANSWERED = "answered"  # nothing in the words told, and a model was asked


@dataclass(frozen=True, slots=True)
class Decision:
    """Where a turn hangs. `parent` is a turn that the state holds, None for a new tree; `mentions` are other
    trees that the turn refers to and does not move to, ascending."""

    kind: Kind
    parent: str | None
    reason: Reason
    mentions: tuple[str, ...] = ()


class Decider(Protocol):
    """Decides on the state and the message alone, always the same for the same two."""

    def decide(self, state: State, message: Message) -> Decision:
        """The place of `message` as the next turn after `state`."""
        ...
