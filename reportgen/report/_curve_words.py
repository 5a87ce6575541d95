"""What the curve figures show, in words: parts of captions, and alt texts from the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from reportgen.languages import noun, say, spoken, tell, tell_count
from reportgen.records.document import Band, Dot, Figure, Line, Panel, Ref, Text
from reportgen.records.facts import GroupResult
from reportgen.records.quantity import Missing

MOST_ABSENT = 6  # runs without a value that are named one by one
MOST_LINES = 12  # above this the lines of a group are described together
SPLIT_WORDS = {"train": "training"}  # other splits are called as they are


def split_word(split: str) -> str:
    """Return what a split is called in a sentence.

    Example:
        >>> split_word("train"), split_word("validation")
        ('training', 'validation')
    """
    return noun(SPLIT_WORDS.get(split, split))


def how_the_runs_went(figures: Sequence[Figure]) -> Text:
    """Return the sentence that leads to some figures of curves, one at least."""
    first, last = Ref(figures[0].id), Ref(figures[-1].id)
    if first == last:
        return say("{figure} shows how the runs went.", figure=first)
    return say("{first} to {last} show how the runs went.", first=first, last=last)


def in_a_row(parts: Iterable[str]) -> str:
    """Return clauses with semicolons between them, for parts that hold commas.

    Example:
        >>> in_a_row(["a, b", "c"])
        'a, b; c'
    """
    return tell("; ").join(parts)


def say_n(counts: Sequence[int]) -> str:
    """Return the numbers of runs behind a mean.

    Example:
        >>> say_n([3, 3]), say_n([3, 2]), say_n([1]), say_n([])
        ('n = 3', 'n = 2 to 3', 'single run', 'no values')
    """
    if not counts:
        return tell("no values")
    low, high = min(counts), max(counts)
    if high == 1:
        return tell("single run")
    return f"n = {high}" if low == high else tell("n = {low} to {high}", low=low, high=high)


def key_words(groups: int, runs: int) -> str:
    """Say how the lines of a figure are told apart, which ends a caption.

    Example:
        >>> key_words(1, 3), key_words(1, 1)
        ('; markers tell the run.', '.')
    """
    if groups > 1:
        return tell(
            "; colour and dashes tell the group, markers the run."
            if runs > groups
            else "; colour and dashes tell the group."
        )
    return tell("; markers tell the run.") if runs > 1 else "."


def split_places(panels: Mapping[str, Panel]) -> dict[str, str]:
    """Return the splits of one or two panels as places of a message."""
    names = [split_word(split) for split in panels]
    return {"split": names[0]} if len(names) == 1 else {"first": names[0], "second": names[1]}


def spaced(sentences: Sequence[Text]) -> Text:
    """Return sentences one after the other.

    Example:
        >>> spaced([("A.",), ("B.",)])
        ('A.', ' ', 'B.')
    """
    text: Text = ()
    for sentence in sentences:
        text += (" ", *sentence) if text else sentence
    return text


def marks_words(dots: Sequence[Dot], level: str) -> str:
    """Say what is drawn of each group in a dot plot.

    Example:
        >>> marks_words([Dot(label="a", group_index=0, values=(1.0, 2.0), mean=1.5)], "95%")
        'one dot a run, an upright bar at the mean'
    """
    shown = [tell("one dot a run")]
    if any(dot.mean is not None for dot in dots):
        shown.append(tell("an upright bar at the mean"))
    if any(dot.low is not None for dot in dots):
        whisker = tell(
            "a whisker for the {level} t interval of the mean (three runs or more)", level=level
        )
        shown.append(whisker)
    return ", ".join(shown)


def name_absent(groups: Sequence[GroupResult]) -> Text:
    """Name the runs that have no dot, with the reason."""
    absent = [
        _absent(group.label, cell.seed, cell.report_value)
        for group in groups
        for cell in group.cells
        if isinstance(cell.report_value, Missing)
    ]
    if not absent:
        return ()
    runs = in_a_row(absent[:MOST_ABSENT])
    if len(absent) <= MOST_ABSENT:
        return say("No value: {runs}.", runs=runs)
    return say("No value: {runs}; and {count} more.", runs=runs, count=len(absent) - MOST_ABSENT)


def _absent(group: str, seed: int | None, why: Missing) -> str:
    if seed is None:
        return tell("{group} ({reason})", group=group, reason=why.reason)
    return tell("{group}, seed {seed} ({reason})", group=group, seed=seed, reason=why.reason)


# --- alternative texts ------------------------------------------------------------------


def describe_lines(panels: Mapping[str, Panel], *, by_epoch: bool, lower: bool) -> str:
    """Return the alt text of curves: first, last and best value of each, raw or smoothed.

    Args:
        panels: Split to its panel.
        by_epoch: Whether x is the epoch; otherwise it is the step.
        lower: Whether lower values are better.
    """
    return " ".join(
        f"{_what_is_drawn(split, panel)} "
        f"{_describe_curves(panel, axis_word(by_epoch=by_epoch), lower=lower)}"
        for split, panel in panels.items()
    )


def describe_bands(panels: Mapping[str, Panel], *, by_epoch: bool) -> str:
    """Return the alt text of bands: first and last mean of each group, and their order."""
    sentences: list[str] = []
    for split, panel in panels.items():
        places = _places(split, panel)
        shown = in_a_row(_describe_band(band) for band in panel.bands)
        sentences += [
            tell("{split:cap}, mean {metric} by {axis}.", **places),
            f"{shown}.",
            _order_at_the_end(panel, axis_word(by_epoch=by_epoch)),
        ]
    return " ".join(filter(None, sentences))


def describe_crowd(panels: Mapping[str, Panel]) -> str:
    """Return the alt text of many runs: first and last median of each band, and the last range."""
    sentences: list[str] = []
    for split, panel in panels.items():
        places = _places(split, panel)
        sentences += [
            tell("{split:cap}, median {metric} by {axis}.", **places),
            f"{in_a_row(_describe_median(band) for band in panel.bands)}.",
        ]
    return " ".join(sentences)


def _describe_median(band: Band) -> str:
    text = _from_to(band)
    if not (band.low and band.high):
        return text
    low, high = spell(band.low[-1]), spell(band.high[-1])
    return f"{text}, {tell('nine in ten at last from {low} to {high}', low=low, high=high)}"


def describe_dots(panel: Panel) -> str:
    """Return the alt text of a dot plot: the values of each group, mean and interval."""
    dots = in_a_row(map(_describe_dot, panel.dots))
    return tell("Dot plot of {what}. {dots}.", what=panel.x_label, dots=dots)


def spell(value: float) -> str:
    """Write a value with up to six significant digits."""
    return f"{value:.6g}".replace("-", "−").replace(".", spoken().decimal_mark)


def _between_values() -> str:
    """Return what stands between values in a row: no comma where that is the decimal mark."""
    return tell("; ") if spoken().decimal_mark == "," else ", "


def _finite(x: Sequence[float], y: Sequence[float]) -> list[tuple[float, float]]:
    return [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(b)]


def axis_word(*, by_epoch: bool) -> str:
    """Return what x counts, as a noun."""
    return noun("epoch") if by_epoch else noun("step")


def _what_is_drawn(split: str, panel: Panel) -> str:
    smoothed = any(line.smoothed for line in panel.lines)
    return tell(
        "{split:cap} {metric} by {axis}, smoothed."
        if smoothed
        else "{split:cap} {metric} by {axis}.",
        **_places(split, panel),
    )


def _places(split: str, panel: Panel) -> dict[str, str]:
    """Return what the first sentence on a panel names."""
    return {"split": split_word(split), "metric": panel.y_label, "axis": panel.x_label}


def _describe_curves(panel: Panel, axis: str, *, lower: bool) -> str:
    """Describe each line under the name of its group, or only groups where there are many."""
    groups: dict[str, list[Line]] = {}
    for line in panel.lines:
        groups.setdefault(line.group, []).append(line)
    if len(panel.lines) > MOST_LINES:
        return f"{in_a_row(_describe_group(*item) for item in groups.items())}."
    return " ".join(
        tell(
            "{group}: {lines}.",
            group=name,
            lines=in_a_row(_describe_line(line, axis, lower=lower) for line in lines),
        )
        for name, lines in groups.items()
    )


def _describe_line(line: Line, axis: str, *, lower: bool) -> str:
    shown = line.smoothed or line.y
    points = _finite(line.x, shown)
    if not points:
        return tell("{label} no finite value", label=line.label)
    (first, start), (last, end) = points[0], points[-1]
    places = {
        "label": line.label,
        "axis": axis,
        "start": spell(start),
        "first": spell(first),
    }
    if len(points) == 1:
        parts = [tell("{label} {start} at {axis} {first}", **places)]
    else:
        course = tell(
            "{label} from {start} at {axis} {first} to {end} at {last}",
            **places,
            end=spell(end),
            last=spell(last),
        )
        parts = [course, _describe_best(points, axis, lower=lower)]
    gaps = len(shown) - len(points)
    if gaps:
        parts.append(tell_count("{count} value not finite", "{count} values not finite", gaps))
    return ", ".join(parts)


def _describe_best(points: Sequence[tuple[float, float]], axis: str, *, lower: bool) -> str:
    """Say which value of a curve is the best, and where it is reached."""
    best = (min if lower else max)(value for _, value in points)
    reached = [x for x, value in points if value == best]
    if reached == [points[-1][0]]:
        return tell("lowest there" if lower else "highest there")
    places = {"best": spell(best), "axis": axis, "x": spell(reached[0])}
    if reached[1:]:
        return tell(
            "lowest {best} first at {axis} {x}" if lower else "highest {best} first at {axis} {x}",
            **places,
        )
    return tell(
        "lowest {best} at {axis} {x}" if lower else "highest {best} at {axis} {x}", **places
    )


def _describe_group(name: str, lines: Sequence[Line]) -> str:
    ends = [_finite(line.x, line.smoothed or line.y)[-1:] for line in lines]
    values = [end[0][1] for end in ends if end]
    count = tell_count("{group}: {count} run", "{group}: {count} runs", len(lines), group=name)
    if not values:
        return f"{count}, {tell('no finite value')}"
    if len(values) == 1:
        return f"{count}, {tell('last value {value}', value=spell(values[0]))}"
    low, high = spell(min(values)), spell(max(values))
    return f"{count}, {tell('last values from {low} to {high}', low=low, high=high)}"


def _describe_band(band: Band) -> str:
    text = _from_to(band)
    spread = [(h - m) for m, h in zip(band.mean, band.high, strict=bool(band.high))]
    known = [s for s in spread if math.isfinite(s)]
    if not known:
        return text
    return f"{text}, {tell('largest standard deviation {value}', value=spell(max(known)))}"


def _from_to(band: Band) -> str:
    points = _finite(band.x, band.mean)
    if not points:
        return tell("{label}: no finite value", label=band.label)
    first, last = spell(points[0][1]), spell(points[-1][1])
    return tell("{label}: from {first} to {last}", label=band.label, first=first, last=last)


def _order_at_the_end(panel: Panel, axis: str) -> str:
    """Order the groups at the last place that all of them reach; nothing where there is none."""
    known = [(band.group, dict(_finite(band.x, band.mean))) for band in panel.bands]
    shared = set.intersection(*(set(means) for _, means in known)) if len(known) > 1 else set()
    if not shared:
        return ""
    last = max(shared)
    ranked = sorted(known, key=lambda item: -item[1][last])
    listed = _between_values().join(f"{name} {spell(means[last])}" for name, means in ranked)
    return tell(
        "From highest to lowest at {axis} {x}: {listed}.",
        axis=axis,
        x=spell(last),
        listed=listed,
    )


def _describe_dot(dot: Dot) -> str:
    if not dot.values:
        return tell("{label}: no value", label=dot.label)
    values = _between_values().join(map(spell, dot.values))
    if len(dot.values) > MOST_LINES:
        ends = {"low": spell(min(dot.values)), "high": spell(max(dot.values))}
        values = tell("{count} values from {low} to {high}", count=len(dot.values), **ends)
    parts = [tell("{label}: {values}", label=dot.label, values=values)]
    if dot.mean is not None:
        parts.append(tell("mean {mean}", mean=spell(dot.mean)))
    if dot.low is not None and dot.high is not None:
        parts.append(tell("interval {low} to {high}", low=spell(dot.low), high=spell(dot.high)))
    return ", ".join(parts)
