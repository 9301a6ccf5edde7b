"""What has been chosen to tell, as lines with their cost: each line's tokens and one for its break."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from operators.terse import telegram_terms
from query_service.context import Count
from query_service.fact_lines import one_line
from query_service.turn_units import Unit

ELSEWHERE, STANDS = "Other topics:", "What stands:"
"""Headers; this topic's turns come first and need none. A turn's line begins with "-", what no longer holds
in it with "!", the name of a topic of which nothing is told with "~", and a fact with "=": no text of a
conversation can begin a line."""


@dataclass(slots=True)
class Told:
    """Lines under way, while `left` tokens last. What does not fit is not taken."""

    units: Sequence[Unit]
    left: int
    count: Count
    facts: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    """The terms of the turns told."""
    _begun: set[tuple[bool, bool]] = field(default_factory=set)
    """By section, whether it has a turn, and whether it has a line that turns share."""

    def take(self, unit: Unit, form: str) -> bool:
        """Tells the turn in this form, in place of what is told of it; whether it fits."""
        return self._take(unit, form, unit.taken, form)

    def take_clause(self, unit: Unit, at: int, form: str) -> bool:
        """Tells one more clause of a turn; whether it fits."""
        return self._take(unit, "", unit.taken | {at: form}, form)

    def clause_cost(self, unit: Unit, form: str) -> int:
        """What a clause costs at least: its words with what parts it from the next, and its marks."""
        return self.count(f"{one_line(form)};") + sum(self.count(mark) + 1 for mark in unit.marks(form))

    def lead_cost(self, unit: Unit) -> int:
        """What the line costs that a turn's first clause begins, where its speaker must be named."""
        return 0 if not unit.lead or unit.chosen else self.count(unit.line("")) + 1

    def add_fact(self, line: str, reserve: int) -> bool:
        """Adds a fact; whether it fits and leaves `reserve` tokens."""
        return self._add(line, self.facts, 0 if self.facts else self._header(STANDS), reserve)

    def add_topic(self, line: str) -> bool:
        """Adds a topic's name; whether it fits."""
        headed = self.topics or any(not here for here, _ in self._begun)
        return self._add(line, self.topics, 0 if headed else self._header(ELSEWHERE))

    def clear(self, left: int) -> None:
        """Takes all back."""
        self.left = left
        self.facts, self.topics = [], []
        self.said.clear()
        self._begun.clear()
        for unit in self.units:
            unit.full, unit.taken = "", {}

    def lines(self) -> list[str]:
        """All of it, in order."""
        lines: list[str] = []
        for here, more in ((True, []), (False, self.topics)):
            told = [unit for unit in self.units if unit.chosen and unit.turn.where.here is here]
            if not here and (told or more):
                lines.append(ELSEWHERE)
            lines += [*_section(told), *more]
        return [*lines, STANDS, *self.facts] if self.facts else lines

    def _take(self, unit: Unit, full: str, taken: dict[int, str], new: str) -> bool:
        was = unit.full, unit.taken
        before = self._body(unit)
        unit.full, unit.taken = full, taken
        cost = self._body(unit) - before + self._opening(unit)
        if cost > self.left:
            unit.full, unit.taken = was
            return False
        self.left -= cost
        self._begun |= {(unit.turn.where.here, False), (unit.turn.where.here, unit.in_run)}
        self.said.update(telegram_terms(new))
        return True

    def _body(self, unit: Unit) -> int:
        form = unit.chosen
        if not form:
            return 0
        line = self.count(f"{one_line(form)};") if unit.in_run else self.count(unit.line(form)) + 1
        return line + sum(self.count(mark) + 1 for mark in unit.marks(form))

    def _opening(self, unit: Unit) -> int:
        """What the first turn of a section or of a shared line costs beside its words."""
        here = unit.turn.where.here
        cost = 0 if here or (here, False) in self._begun or self.topics else self._header(ELSEWHERE)
        if unit.in_run and (here, True) not in self._begun:
            cost += self.count("- ") + 1
        return cost

    def _header(self, header: str) -> int:
        return self.count(header) + 1

    def _add(self, line: str, section: list[str], header: int, reserve: int = 0) -> bool:
        cost = self.count(line) + 1 + header
        if cost > self.left - reserve:
            return False
        section.append(line)
        self.left -= cost
        return True


def _section(told: Sequence[Unit]) -> list[str]:
    """The lines of a section's turns: first those that share a line, then each of the others."""
    lines: list[str] = []
    run = [unit for unit in told if unit.in_run]
    if run:
        lines.append("- " + "; ".join(one_line(unit.chosen).rstrip(".;") for unit in run))
        lines += dict.fromkeys(mark for unit in run for mark in unit.marks(unit.chosen))
    for unit in told:
        if not unit.in_run:
            lines += [unit.line(unit.chosen), *unit.marks(unit.chosen)]
    return lines
