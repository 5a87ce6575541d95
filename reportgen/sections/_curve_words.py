"""What the curve figures show, in words: alt texts, each sentence computed from the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from reportgen.records.document import Band, Dot, Line, Panel

MOST_LINES = 12  # above this the lines of a group are described together


def join(parts: Iterable[str]) -> str:
    """Join words with commas and a final "and".

    Example:
        >>> join(["train", "validation", "test"])
        'train, validation and test'
    """
    listed = list(parts)
    return " and ".join(part for part in (", ".join(listed[:-1]), *listed[-1:]) if part)


def plural(count: int, word: str) -> str:
    """Return the word, with an s unless there is exactly one.

    Example:
        >>> plural(1, "run"), plural(2, "run")
        ('run', 'runs')
    """
    return word if count == 1 else f"{word}s"


def say_n(counts: Sequence[int]) -> str:
    """Return the numbers of runs behind a mean.

    Example:
        >>> say_n([3, 3]), say_n([3, 2]), say_n([1]), say_n([])
        ('n = 3', 'n = 2 to 3', 'single run', 'no values')
    """
    if not counts:
        return "no values"
    low, high = min(counts), max(counts)
    if high == 1:
        return "single run"
    return f"n = {high}" if low == high else f"n = {low} to {high}"


def describe_lines(panels: Sequence[Panel], *, lower: bool) -> str:
    """Return the alt text of curves: first, last and best value of each, raw or smoothed."""
    return " ".join(_describe_panel(panel, lower=lower) for panel in panels)


def describe_bands(panels: Sequence[Panel]) -> str:
    """Return the alt text of bands: first and last mean of each group, and their order."""
    sentences = []
    for panel in panels:
        shown = [_describe_band(band) for band in panel.bands]
        sentences.append(f"{panel.title}, mean {panel.y_label} by {panel.x_label}. ")
        sentences.append(f"{'; '.join(shown)}. {_order_at_the_end(panel)}")
    return " ".join("".join(sentences).split())


def describe_dots(panel: Panel) -> str:
    """Return the alt text of a dot plot: the values of each group, mean and interval."""
    return f"Dot plot of {panel.x_label}. {'; '.join(map(_describe_dot, panel.dots))}."


def _show(value: float) -> str:
    """Write a value with up to six significant digits."""
    return f"{value:.6g}".replace("-", "−")


def _finite(x: Sequence[float], y: Sequence[float]) -> list[tuple[float, float]]:
    return [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(b)]


def _axis_word(panel: Panel) -> str:
    return panel.x_label.split(" ", 1)[0]


def _describe_panel(panel: Panel, *, lower: bool) -> str:
    """Describe each line under the name of its group, or only groups where there are many."""
    smoothed = any(line.smoothed for line in panel.lines)
    start = f"{panel.title} {panel.y_label} by {panel.x_label}{', smoothed' if smoothed else ''}. "
    groups: dict[str, list[Line]] = {}
    for line in panel.lines:
        groups.setdefault(line.group, []).append(line)
    if len(panel.lines) > MOST_LINES:
        return f"{start}{'; '.join(_describe_group(*item) for item in groups.items())}."
    axis = _axis_word(panel)
    return start + " ".join(
        f"{name}: {'; '.join(_describe_line(line, axis, lower=lower) for line in lines)}."
        for name, lines in groups.items()
    )


def _describe_line(line: Line, axis: str, *, lower: bool) -> str:
    shown = line.smoothed or line.y
    points = _finite(line.x, shown)
    if not points:
        return f"{line.label} no finite value"
    gaps = len(shown) - len(points)
    gap = f", {gaps} {plural(gaps, 'value')} not finite" if gaps else ""
    (first, start), (last, end) = points[0], points[-1]
    if len(points) == 1:
        return f"{line.label} {_show(start)} at {axis} {_show(first)}{gap}"
    best = (min if lower else max)(value for _, value in points)
    reached = [x for x, value in points if value == best]
    first_at = "first at" if reached[1:] else "at"
    kind = "lowest" if lower else "highest"
    peak = f"{kind} {_show(best)} {first_at} {axis} {_show(reached[0])}"
    if reached == [last]:
        peak = f"{kind} there"
    return (
        f"{line.label} from {_show(start)} at {axis} {_show(first)} to {_show(end)} at "
        f"{_show(last)}, {peak}{gap}"
    )


def _describe_group(name: str, lines: Sequence[Line]) -> str:
    ends = [_finite(line.x, line.smoothed or line.y)[-1:] for line in lines]
    values = [end[0][1] for end in ends if end]
    count = f"{name}: {len(lines)} {plural(len(lines), 'run')}"
    if not values:
        return f"{count}, no finite value"
    if len(values) == 1:
        return f"{count}, last value {_show(values[0])}"
    return f"{count}, last values from {_show(min(values))} to {_show(max(values))}"


def _describe_band(band: Band) -> str:
    points = _finite(band.x, band.mean)
    if not points:
        return f"{band.label}: no finite value"
    text = f"{band.label}: from {_show(points[0][1])} to {_show(points[-1][1])}"
    spread = [(h - m) for m, h in zip(band.mean, band.high, strict=bool(band.high))]
    known = [s for s in spread if math.isfinite(s)]
    return f"{text}, largest standard deviation {_show(max(known))}" if known else text


def _order_at_the_end(panel: Panel) -> str:
    """Order the groups at the last place that all of them reach; nothing where there is none."""
    known = [(band.group, dict(_finite(band.x, band.mean))) for band in panel.bands]
    shared = set.intersection(*(set(means) for _, means in known)) if len(known) > 1 else set()
    if not shared:
        return ""
    last = max(shared)
    ranked = sorted(known, key=lambda item: -item[1][last])
    listed = ", ".join(f"{name} {_show(means[last])}" for name, means in ranked)
    return f"From highest to lowest at {_axis_word(panel)} {_show(last)}: {listed}. "


def _describe_dot(dot: Dot) -> str:
    if not dot.values:
        return f"{dot.label}: no value"
    text = f"{dot.label}: {', '.join(map(_show, dot.values))}"
    if dot.mean is not None:
        text += f", mean {_show(dot.mean)}"
    if dot.low is not None and dot.high is not None:
        text += f", interval {_show(dot.low)} to {_show(dot.high)}"
    return text
