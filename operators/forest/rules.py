"""The default decider: discourse cues first, cohesion where they leave it open. English and Chinese.

An answer continues whatever it is about; feedback continues; a request opens a topic where nothing held is
about it; going back needs words that say so, or the terms of the topic gone back to. Likeness alone moves
nothing that the turn before still asks for.
"""

from dataclasses import dataclass

from operators.forest.cohesion import NOTHING, cohesions, departure
from operators.forest.grow import sets_topics
from operators.forest.interface import Decision, Kind, Reason
from operators.forest.reading import Reading, read
from operators.forest.state import Last, State, Tree
from state.model import Message


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How much cohesion counts as being about a topic.

    `stay` is enough to stay in the active one; `match` to go to another with a request, `strong` without one
    or against the question just asked; from `same` on nothing else is looked at. `mention` is enough for what
    the turn says it refers to. `share` is the least part of the turn that must be about the topic.
    """

    stay: float = 0.5
    match: float = 0.7
    strong: float = 1.4
    same: float = 3.0
    mention: float = 0.4
    share: float = 0.1


class RulesDecider:
    """The `Decider` of rules."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._thresholds = thresholds or Thresholds()

    def decide(self, state: State, message: Message) -> Decision:
        """See `Decider`."""
        if state.active is None or state.last is None:
            return Decision(Kind.NEW_TREE, None, Reason.FIRST)
        view = _View(state, state.active, state.last, message, self._thresholds)
        decision = view.decide()
        return Decision(decision.kind, decision.parent, decision.reason, view.mentions(decision.parent))


class _View:
    """One decision under way: the message beside the state."""

    def __init__(
        self, state: State, active: Tree, last: Last, message: Message, thresholds: Thresholds
    ) -> None:
        self.state, self.active, self.last, self.message = state, active, last, message
        self.at = thresholds
        self.reading: Reading = read(message.content)
        self.cohesion = cohesions(state, self.reading.terms)
        self.here = self.cohesion[active.id]
        self.other = self._best_other()
        self.there = self.cohesion[self.other.id] if self.other else NOTHING

    def decide(self) -> Decision:
        reading = self.reading
        replied = self._replied_to()
        if replied is not None:
            return replied
        if not sets_topics(self.state, self.message):
            return self._response()
        if reading.phatic:
            return self._continue(Reason.FEEDBACK)
        if reading.back and (back := self._back()) is not None:
            return back
        if not self.active.named:
            return self._continue(Reason.TAKES_UP)
        if self.last.asked:
            return self._answer_or_aside()
        return self._open()

    def mentions(self, parent: str | None) -> tuple[str, ...]:
        """The other trees whose terms the turn names, ascending; words that refer back lower the bar."""
        home = self.state.tree_of(parent) if parent is not None else None
        enough = self.at.mention if self.reading.mention else self.at.match
        others = (tree for tree in self.state.trees if home is None or tree.id != home.id)
        return tuple(sorted(tree.id for tree in others if self.cohesion[tree.id].strength >= enough))

    def _best_other(self) -> Tree | None:
        others = [tree for tree in self.state.trees[1:] if not tree.closed]
        return max(others, key=lambda tree: self.cohesion[tree.id].strength, default=None)

    def _replied_to(self) -> Decision | None:
        target = self.message.reply_to
        if target is None or (tree := self.state.tree_of(target)) is None:
            return None
        if target == self.active.head:
            return self._continue(Reason.REPLY)
        if tree.id == self.active.id and tree.branch_at(target) is None:
            return Decision(Kind.BRANCH, target, Reason.REPLY)
        return Decision(Kind.RETURN, target, Reason.REPLY)

    def _continue(self, reason: Reason) -> Decision:
        return Decision(Kind.CONTINUE, self.active.head, reason)

    def _response(self) -> Decision:
        if self.reading.back and (back := self._back()) is not None:
            return back
        return self._continue(Reason.RESPONSE)

    def _back(self) -> Decision | None:
        """Where a turn that says it goes back goes to; None where nothing earlier fits."""
        place = self.reading.place
        if place is not None and (named := self._at_place(place)) is not None:
            return Decision(Kind.RETURN, named.head, Reason.BACK_CUE)
        if self.other is not None and self.there.strength > max(self.here.strength, 0.0):
            return Decision(Kind.RETURN, self.other.head, Reason.BACK_CUE)
        if self.here.shared:
            return self._branch(Reason.BACK_CUE)
        if not self.reading.terms and len(self.state.trees) > 1:  # back, and not to what
            return Decision(Kind.RETURN, self.state.trees[1].head, Reason.BACK_CUE)
        return None

    def _at_place(self, place: int) -> Tree | None:
        if place < 0:
            return self.state.trees[1] if len(self.state.trees) > 1 else None
        if place >= len(self.state.opened):
            return None
        tree = self.state.tree(self.state.opened[place])
        return tree if tree is not None and tree.id != self.active.id else None

    def _branch(self, reason: Reason) -> Decision:
        earlier = departure(self.active, self.reading.terms)
        if earlier is None:
            return self._continue(reason)
        branch = self.active.branch_at(earlier)
        return Decision(Kind.RETURN if branch else Kind.BRANCH, earlier, reason)

    def _answer_or_aside(self) -> Decision:
        """After a question: an answer, unless the turn asks for something else itself. A bare desire answers
        ("what would you like?"); a directive does not, nor does a request after a first sentence."""
        reading = self.reading
        if not self._asks() or self._asks_here():
            return self._continue(Reason.ANSWER)
        if reading.request and (reading.aside or reading.shift):
            return self._leave(Reason.SHIFT_CUE)
        if self._about_other(self.at.match if self._asks_there() else self.at.strong):
            return self._return()
        apart = (reading.directive and not reading.elliptic) or reading.later_request
        if apart and reading.introduces and reading.focus and not reading.asks_about_context:
            return self._leave(Reason.NEW_TASK)
        return self._continue(Reason.ANSWER)

    def _open(self) -> Decision:
        reading = self.reading
        if (labelled := self._labelled()) is not None:
            return Decision(Kind.RETURN, labelled.head, Reason.MATCH)
        if reading.about and not reading.mention and self.here.shared < self.there.shared:
            return self._return()
        if reading.mention and not reading.shift:
            return self._continue(Reason.COHESION if self.here.shared else Reason.CONTEXT)
        if (
            reading.shift
            and (self._asks() or not self._about_active())
            and reading.terms
            and not self._asks_here()
        ):
            return self._leave(Reason.SHIFT_CUE)
        if self._asks_here() and not self._about_other(self.at.strong):
            return (
                self._branch(Reason.ALTERNATIVE) if reading.alternative else self._continue(Reason.COHESION)
            )
        if self._about_other(self.at.match) and (self._asks() or self.there.strength >= self.at.strong):
            return self._return()
        if self._starts_afresh() and not self._about_active():
            reason = Reason.NEW_TASK if self._asks() else Reason.NEW_STATEMENT
            return Decision(Kind.NEW_TREE, None, reason)
        if reading.elliptic or reading.alternative:
            return self._branch(Reason.ALTERNATIVE)
        if self._asks():
            return self._asked()
        if self._about_active():
            return self._continue(Reason.COHESION)
        return self._continue(Reason.CONTEXT if reading.leaning else Reason.DEFAULT)

    def _asked(self) -> Decision:
        """A request or question that nothing held is about."""
        reading = self.reading
        leans = reading.asks_about_context and not (reading.introduces and len(reading.focus) > 1)
        if not reading.focus or leans or (self.last.refused and not reading.introduces):
            return self._continue(Reason.CONTEXT)
        return Decision(Kind.NEW_TREE, None, Reason.NEW_TASK)

    def _starts_afresh(self) -> bool:
        """Whether a turn that nothing held is about stands by itself after an exchange that is over."""
        reading = self.reading
        if not reading.terms or not (reading.clausal or len(reading.terms) > 1):
            return False
        if self.last.settled or self.active.closed:
            return not reading.leaning or reading.presents
        points_back = reading.reacts or reading.leaning or reading.elliptic or reading.alternative
        return not (points_back or self.last.refused or self.here.shared)

    def _asks(self) -> bool:
        return self.reading.request or self.reading.question

    def _asks_here(self) -> bool:
        """Whether what is asked for is what the active topic is about."""
        if self.active.closed or not self._asks():
            return False
        weights = self.active.weights()
        if self.here.strength >= self.at.same and self.here.strength >= self.there.strength:
            return True
        return any(term in weights for term in self.reading.focus)

    def _asks_there(self) -> bool:
        """Whether what is asked for is what the nearest other topic is about."""
        weights = self.other.weights() if self.other is not None else {}
        return any(term in weights for term in self.reading.focus)

    def _labelled(self) -> Tree | None:
        """The open topic whose turns carry this turn's label, unless the active one knows it."""
        label = set(self.reading.label)
        if not label or label <= set(self.active.weights()):
            return None
        others = (tree for tree in self.state.trees[1:] if not tree.closed)
        return next((tree for tree in others if label <= set(tree.weights())), None)

    def _about_active(self) -> bool:
        return (
            not self.active.closed and self.here.strength >= self.at.stay and self.here.share >= self.at.share
        )

    def _about_other(self, enough: float) -> bool:
        return (
            not self.reading.mention
            and self.there.strength >= enough
            and self.there.share >= self.at.share
            and self.there.strength > self.here.strength
        )

    def _return(self) -> Decision:
        assert self.other is not None
        return Decision(Kind.RETURN, self.other.head, Reason.MATCH)

    def _leave(self, reason: Reason) -> Decision:
        if self._about_other(self.at.match):
            return self._return()
        return Decision(Kind.NEW_TREE, None, reason)


RULES = RulesDecider()
