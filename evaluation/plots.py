"""Two plots as SVG text: recall against the budget of tokens, and the confusion of statuses.

Written directly, for two simple plots are less than a plotting library is: nothing to install, the same bytes
for the same figures, and any browser shows them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from xml.sax.saxutils import escape

from evaluation.bootstrap import Figure

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 62, 190, 44, 54
LABEL_GAP = 15
"""The least distance between two names at the right."""
COLOURS = ("#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#bbbbbb", "#997700")
"""Paul Tol's bright scheme, which the colour-blind can tell apart too, and one more."""
STET = "#000000"
DASHES = ("7 4", "2 3", "9 3 2 3")
_FONT = 'font-family="sans-serif" font-size="12"'


@dataclass(frozen=True, slots=True)
class Line:
    """One system's recall by budget."""

    name: str
    points: Mapping[int, Figure]


def curve(title: str, lines: Sequence[Line]) -> str:
    """Recall (with the interval as a bar) against the budget on a logarithmic axis; Stet in black, Stet
    without a part in black dashes of its own. Raises ValueError where there is no line with points."""
    budgets = sorted({budget for line in lines for budget in line.points})
    if not budgets:
        raise ValueError("there is nothing to plot")
    place = _Axes(budgets)
    parts = [_text(LEFT, 24, title, size=14), *place.drawn()]
    ends = _spread([place.y(line.points[max(line.points)].value) for line in lines])
    colours, dashes = cycle(COLOURS), cycle(DASHES)
    for line, end in zip(lines, ends, strict=True):
        own = line.name.startswith("Stet")
        dash = next(dashes) if own and line.name != "Stet" else ""
        parts += _drawn(line, place, STET if own else next(colours), dash, end)
    return _svg(WIDTH, HEIGHT, parts)


@dataclass(frozen=True, slots=True)
class _Axes:
    budgets: Sequence[int]

    def x(self, budget: int) -> float:
        """Where a budget is; one alone is in the middle."""
        low, high = math.log(self.budgets[0]), math.log(self.budgets[-1])
        share = (math.log(budget) - low) / (high - low) if high > low else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, recall: float) -> float:
        """Where a recall is."""
        return TOP + (1 - recall) * (HEIGHT - TOP - BOTTOM)

    def drawn(self) -> list[str]:
        """Grid, numbers and names of the axes."""
        right, low = WIDTH - RIGHT, self.y(0)
        parts = []
        for tenth in range(0, 11, 2):
            y = self.y(tenth / 10)
            parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#dddddd"/>')
            parts.append(_text(LEFT - 8, y + 4, f"{tenth / 10:.1f}", anchor="end"))
        for budget in self.budgets:
            x = self.x(budget)
            parts.append(f'<path d="M{x:.1f} {low:.1f}v5" stroke="#666666"/>')
            parts.append(_text(x, low + 20, f"{budget:,}", anchor="middle"))
        middle = (LEFT + right) / 2
        parts.append(_text(middle, HEIGHT - 12, "budget in tokens", anchor="middle"))
        turned = f'transform="rotate(-90 16 {(TOP + low) / 2:.1f})"'
        parts.append(_text(16, (TOP + low) / 2, "evidence told", anchor="middle", more=turned))
        return parts


def _drawn(line: Line, place: _Axes, colour: str, dashes: str, label_at: float) -> list[str]:
    budgets = sorted(line.points)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    width = 2.6 if line.name == "Stet" else 1.6
    at = [(place.x(b), place.y(line.points[b].value)) for b in budgets]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
    parts = [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>']
    for budget, (x, _) in zip(budgets, at, strict=True):
        figure = line.points[budget]
        if figure.low is not None and figure.high is not None:
            bar = f"M{x:.1f} {place.y(figure.low):.1f}V{place.y(figure.high):.1f}"
            parts.append(f'<path d="{bar}" stroke="{colour}" stroke-opacity="0.45"/>')
    x, y = at[-1]
    parts.append(f'<path d="M{x + 3:.1f} {y:.1f}L{x + 16:.1f} {label_at:.1f}" stroke="{colour}"{dash}/>')
    parts.append(_text(x + 20, label_at + 4, f"{line.name} {line.points[budgets[-1]].value:.2f}"))
    return parts


def _spread(heights: Sequence[float]) -> list[float]:
    """The heights moved apart as little as a pass down and one up does, within the plot."""
    order = sorted(range(len(heights)), key=lambda i: (heights[i], i))
    moved = list(heights)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + LABEL_GAP)
    limit = float(HEIGHT - BOTTOM)
    for i in reversed(order):
        moved[i] = min(moved[i], limit)
        limit = moved[i] - LABEL_GAP
    return moved


def confusion(title: str, told: Mapping[str, Mapping[str, int]]) -> str:
    """A square a pair of gold status (row) and told status (column), darker for a larger share of its row."""
    side, left, top = 84, 110, 74
    columns = list(next(iter(told.values())))
    parts = [_text(12, 24, title, size=14), _text(left, 46, "as told", more='fill="#666666"')]
    for j, name in enumerate(columns):
        parts.append(_text(left + (j + 0.5) * side, top - 8, name, anchor="middle"))
    for i, (gold, row) in enumerate(told.items()):
        y = top + i * side
        total = sum(row.values())
        parts.append(_text(left - 10, y + side / 2 + 4, gold, anchor="end"))
        for j, name in enumerate(columns):
            share = row[name] / total if total else 0.0
            x = left + j * side
            blue = f"rgb({round(255 - 187 * share)},{round(255 - 136 * share)},{round(255 - 85 * share)})"
            parts.append(f'<rect x="{x}" y="{y}" width="{side - 2}" height="{side - 2}" fill="{blue}"/>')
            ink = 'fill="#ffffff"' if share > 0.6 else 'fill="#000000"'
            parts.append(
                _text(x + side / 2 - 1, y + side / 2 + 4, f"{row[name]:,}", anchor="middle", more=ink)
            )
    return _svg(max(left + len(columns) * side + 12, 420), top + len(told) * side + 12, parts)


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {more}>'
        f"{escape(text)}</text>"
    )


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" {_FONT}>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
