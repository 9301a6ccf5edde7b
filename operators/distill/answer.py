"""The shape of a model's answer to "what do these turns say?", as it is asked for and as it is remembered.

Only the shape is held here; whether what it says may be taken over is decided in `operators.distill.admit`.
So a remembered answer can be judged again by better rules without asking again.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from operators.llm.shape import Folded, Shape

Kind: TypeAlias = Annotated[Literal["action", "state_change", "preference", "plan"], Folded]
Does: TypeAlias = Annotated[
    Literal["state", "change", "withdraw", "restore", "add", "remove", "adopt"], Folded
]
Exactness: TypeAlias = Annotated[
    Literal["instant", "day", "week", "month", "year", "recurring", "vague"], Folded
]
Leads: TypeAlias = Annotated[Literal["causes", "enables", "prevents"], Folded]


class TimeTold(Shape):
    """When something happens: the text's own words, and the model's reading of them."""

    words: str
    precision: Exactness
    start: str | None = None
    end: str | None = None


class EventTold(Shape):
    """One thing that a turn says. `quote`: the turn's own words for it. `also`: earlier messages that it
    rests on. `since`: the words of an explicit date from which it holds."""

    quote: str
    type: Kind
    act: Does
    thing: str = ""
    attribute: str = ""
    value: str = ""
    many: bool = False
    when: TimeTold | None = None
    since: str = ""
    also: list[str] = Field(default_factory=list)


class LinkTold(Shape):
    """That one thing leads to another. `reason`: an event of the turn ("e1", in the order given) or an
    earlier message; `result`: an event of the turn; `words`: the connective, where there is one."""

    type: Leads
    reason: str
    result: str
    words: str = ""


class TurnTold(Shape):
    """What one turn says. `gist` and `hangs` are given only where they were asked for."""

    turn: str
    events: list[EventTold]
    links: list[LinkTold] = Field(default_factory=list)
    gist: str | None = None
    hangs: str | None = None


class DistillAnswer(Shape):
    """The answer: one item a turn that was asked about."""

    turns: list[TurnTold]
