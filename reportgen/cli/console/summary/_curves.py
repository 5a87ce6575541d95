"""The means of each epoch or step as charts that GitHub and GitLab draw themselves (Mermaid)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeGuard

from reportgen.cli.console.summary._parts import Part, cell, listed, one_line
from reportgen.languages import noun, tell
from reportgen.records.metrics import metric_words
from reportgen.records.source import shorten

if TYPE_CHECKING:
    from reportgen.app import SummaryFacts

_MOST_CHARTS = 6
_LONGEST_NAME = 40
LONGEST_CHART = 45_000
"""Characters of a chart; Mermaid draws an error in the place of one with more than 50,000."""

# Mermaid's strings know no escapes: what could end one, or be read before it, is replaced by a
# sign that looks alike. The names themselves stand below the chart.
_LOOKALIKES = str.maketrans(
    {'"': "”", "`": "’", "#": "♯", ";": ",", "\\": "/", **dict(zip("<>{}", "()()", strict=True))}
)
_COMMENT = re.compile("%{2,}")
_INK = "#000000"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """The means of one group.

    Attributes:
        axis: What stands at the axis: metric, split and unit; only alike ones share a chart.
        clock: What its points are told apart by: `"epoch"` where every point has one, else
            `"step"`.
        places, means: One a point: where it stands by the clock, and the mean in the unit of
            print.
    """

    label: str
    axis: str
    clock: str
    places: tuple[float, ...]
    means: tuple[float, ...]

    @property
    def at_ends(self) -> bool:
        """Whether every point is the end of an epoch."""
        return self.clock == "epoch" and all(place.is_integer() for place in self.places)


def curves(found: SummaryFacts) -> Iterator[Part]:
    """Yield a chart for each set of groups with the same task, metric, split and steps.

    Missing: an epoch or step without a mean is no point of its group; a group with less than two
    points is not drawn.
    """
    shared: dict[tuple[object, ...], list[_Line]] = {}
    for group in listed(found.report.content, "groups"):
        line = _line(group)
        if len(line.places) > 1:
            task = str(group.get("task"))
            shared.setdefault((task, line.axis, line.clock, line.places), []).append(line)
    size = len(_colours())
    charts = [
        lines[start : start + size]
        for lines in shared.values()
        for start in range(0, len(lines), size)
    ]
    shown = [chart for chart in charts if len(_mermaid(chart)) <= LONGEST_CHART][:_MOST_CHARTS]
    for chart in shown:
        yield Part(name=tell("charts"), text=_titled(chart))
    if lost := len(charts) - len(shown):
        told = tell("Charts that are not drawn here, too many or too long: {count}.", count=lost)
        yield Part(name=tell("charts"), text=f"{cell(told)}\n")


def _line(group: Mapping[str, Any]) -> _Line:
    split, percent = str(group.get("split", "")), group.get("unit") == "fraction"
    rows = listed(group, "epochs")
    # An epoch that is not known is 0.
    clock = "epoch" if all(row.get("epoch") for row in rows) else "step"
    points = []
    for row in rows:
        mean = ((row.get("splits") or {}).get(split) or {}).get("mean")
        if _finite(mean) and _finite(row.get(clock)):
            points.append((float(row[clock]), mean * (100.0 if percent else 1.0)))
    metric = noun(metric_words(str(group.get("metric", ""))))
    if percent:
        axis = tell("{metric} in percent ({split})", metric=metric, split=noun(split))
    else:
        axis = tell("{metric} ({split})", metric=metric, split=noun(split))
    return _Line(
        label=one_line(str(group.get("label") or group.get("name"))),
        axis=axis,
        clock=clock,
        places=tuple(place for place, _ in points),
        means=tuple(mean for _, mean in points),
    )


def _finite(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _titled(lines: Sequence[_Line]) -> str:
    named = zip(_colours().values(), lines, strict=False)
    legend = "; ".join(
        tell("{colour}: {group}", colour=name, group=line.label) for name, line in named
    )
    title = tell(
        "Mean over the runs after each epoch: {axis}"
        if lines[0].at_ends
        else "Mean over the runs at each evaluation: {axis}",
        axis=lines[0].axis,
    )
    return f"## {cell(title)}\n\n```mermaid\n{_mermaid(lines)}\n```\n\n{cell(legend)}\n"


def _mermaid(lines: Sequence[_Line]) -> str:
    """Return the source of a chart; every name in it is quoted, and escaped for Mermaid."""
    colours = ", ".join(list(_colours())[: len(lines)])
    low = min(min(line.means) for line in lines)
    high = max(max(line.means) for line in lines)
    # Mermaid divides by the length of the axis.
    margin = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    clock = tell("Epoch") if lines[0].clock == "epoch" else tell("Step")
    said = [
        f"line {quoted(line.label)} [{', '.join(map(plain_number, line.means))}]" for line in lines
    ]
    return "\n".join(
        (
            "---",
            "config:",
            "  themeVariables:",
            "    xyChart:",
            f'      plotColorPalette: "{colours}"',
            "---",
            "xychart-beta",
            f"  x-axis {quoted(clock)} {_places(lines[0].places)}",
            f"  y-axis {quoted(lines[0].axis)} {_range(low - margin, high + margin)}",
            *(f"  {line}" for line in said),
        )
    )


def _places(places: Sequence[float]) -> str:
    """Return the axis: from first to last where the distance is always the same, else a list."""
    gaps = {round(b - a, 9) for a, b in pairwise(places)}
    if len(gaps) == 1 and gaps.pop() > 0:
        return _range(places[0], places[-1])
    return "[" + ", ".join(quoted(plain_number(place)) for place in places) + "]"


def _range(low: float, high: float) -> str:
    return f"{plain_number(low)} --> {plain_number(high)}"


def plain_number(value: float) -> str:
    """Return a number without an exponent, which Mermaid does not read.

    Example:
        >>> plain_number(80.6333333), plain_number(0.00000012), plain_number(-3.0)
        ('80.6333', '0.00000012', '-3')
    """
    return f"{Decimal(f'{value:.6g}'):f}"


def quoted(text: str) -> str:
    r"""Return words as a string of Mermaid, in which nothing but words is left.

    Example:
        >>> print(quoted('a"b` %%{init}%%;'), quoted("perte (test)"))
        "a”b’ %(init)%," "perte (test)"
    """
    shown = shorten(one_line(text), _LONGEST_NAME)
    return f'"{_COMMENT.sub("%", shown.translate(_LOOKALIKES))}"'


def _colours() -> dict[str, str]:
    """Return the colours of the figures with their names; a dark page would swallow black."""
    from reportgen.render.figures import COLOURS

    names = (
        tell("blue"),
        tell("orange"),
        tell("black"),
        tell("green"),
        tell("pink"),
        tell("vermilion"),
        tell("sky blue"),
    )
    return {code: name for code, name in zip(COLOURS, names, strict=True) if code != _INK}
