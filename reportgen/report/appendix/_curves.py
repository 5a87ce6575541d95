"""Figures of the appendix: losses, and the deciding metric smoothed where curves are long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

from reportgen.languages import message, noun, say, say_count, spoken, tell
from reportgen.records.document import Band, Block, Chart, Figure, Line, Number, Panel, Ref, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.report._clock import count_updates
from reportgen.report._evidence import of_cells, of_series, one_a_run
from reportgen.report._metric_names import spelled
from reportgen.report._names import short_name
from reportgen.report._numbers import counted
from reportgen.report._phrases import capital, has_seeds, joined, run_words
from reportgen.report.appendix._grid import Member, members_on
from reportgen.report.appendix._tables import paragraph
from reportgen.stats import course_of, divide, epochs_of, smooth_values

if TYPE_CHECKING:
    from reportgen.stats import Curve

LOSS, SMOOTHED = "evaluations.loss", "evaluations.smoothed"
LONG = 50
"""Points above which a curve is smoothed."""
MOST_LINES = 12
"""Runs that are drawn one by one."""
MOST_BANDS = 7
"""Groups that have a band each."""
MOST_FAMILIES = 3
MOST_TICKS = 12
BITS, NATS = frozenset({"fairseq", "fairseq_console"}), frozenset({"hf_trainer"})
"""Layouts of programs whose losses are in bits, and in nats."""
FAR = 1000.0
"""How many times the median the largest value is, where an axis becomes logarithmic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axes:
    """The curves of one metric on one split that share axes: of one program and task."""

    metric: str
    split: str
    layout: str
    members: tuple[Member, ...]
    by_epoch: bool


def loss_blocks(facts: Facts) -> list[Block]:
    """Return the figure of losses, and the sentence about it; nothing where none was logged."""
    own = facts.study.metric.name == "loss"
    axes, left = _axes(
        facts, "loss", ("train",) if own else ("train", facts.study.metric.select_on)
    )
    if not axes:
        return []
    layouts = {one.layout for one in axes}
    unit: Text = ()
    if layouts & BITS and layouts & NATS:
        unit = say("fairseq logs them in bits, the Hugging Face Trainer in nats.")
    elif layouts & BITS:
        unit = say("They are in bits: fairseq divides by the logarithm of 2.")
    about = say("{figure} shows the losses.", figure=Ref(LOSS))
    return [*paragraph(about, unit, left), _figure(facts, LOSS, axes)]


def smoothed_blocks(facts: Facts) -> list[Block]:
    """Return the deciding metric smoothed; nothing where no curve has more than 50 points."""
    metric = facts.study.metric
    splits = dict.fromkeys((metric.select_on, *(group.report_split for group in facts.groups)))
    axes, left = _axes(facts, metric.name, tuple(splits))
    long = any(len(member.series) > LONG for one in axes for member in one.members)
    if (
        not long
        or not metric.name
        or not facts.study.statistics.smoothing
        or _runs(axes) > MOST_LINES
    ):
        return []
    about = say(
        "{figure} smooths the long curves for the eye; every number is of the values as logged.",
        figure=Ref(SMOOTHED),
    )
    return [*paragraph(about, left), _figure(facts, SMOOTHED, axes)]


def _runs(axes: Iterable[_Axes]) -> int:
    return len({member.run.id for one in axes for member in one.members})


def _axes(facts: Facts, metric: str, splits: Sequence[str]) -> tuple[list[_Axes], Text]:
    """Return the curves by program and task, then split; and what is said of those left out."""
    kinds: dict[tuple[str, str, str], list[GroupResult]] = {}
    for group in facts.groups:
        task = ("", "") if group.task.is_part else (group.task.kind, group.task.name)
        kinds.setdefault((group.layout, *task), []).append(group)
    found: list[list[_Axes]] = []
    for (layout, *_), groups in kinds.items():
        curves = {split: tuple(members_on(groups, metric, split)) for split in splits}
        curves = {s: own for s, own in curves.items() if any(len(m.series) > 1 for m in own)}
        every = [member for own in curves.values() for member in own]
        epochs = all(_closes_epochs(facts, member) for member in every)
        found.append(
            [
                _Axes(metric=metric, split=s, layout=layout, members=own, by_epoch=epochs)
                for s, own in curves.items()
            ]
        )
    found = sorted((axes for axes in found if axes), key=lambda axes: -_runs(axes))
    left = {
        m.group.name: m.group for own in found[MOST_FAMILIES:] for one in own for m in one.members
    }
    drawn = [one for own in found[:MOST_FAMILIES] for one in own]
    return drawn, _undrawn(facts, metric, tuple(left.values())) if left else ()


def _undrawn(facts: Facts, metric: str, groups: Sequence[GroupResult]) -> Text:
    what = message("groups without a curve here")
    n = counted(f"{metric}.undrawn", len(groups), what, of_cells(facts.study, groups))
    return say_count(
        "{n} further group is not drawn.", "{n} further groups are not drawn.", len(groups), n=n
    )


def _closes_epochs(facts: Facts, member: Member) -> bool:
    """Return whether every point of a curve closes an epoch."""
    epochs = epochs_of(member.run, member.series, facts.study)
    return all(isfinite(epoch) and epoch == int(epoch) for epoch in epochs.tolist())


# --- the figure -----------------------------------------------------------------------


def _figure(facts: Facts, identifier: str, axes: Sequence[_Axes]) -> Figure:
    """Return lines of few runs, bands of a few groups, or one band of all runs."""
    kind, groups = "curves", {m.group.name for one in axes for m in one.members}
    if _runs(axes) > MOST_LINES:
        several = _runs(axes) > len(groups) and len(groups) <= MOST_BANDS
        kind = "ranges" if several else "quantiles"
    panels = tuple(_panel(facts, one, kind) for one in axes)
    if kind == "curves":
        panels = tuple(_smoothed(panel, facts.study.statistics.smoothing) for panel in panels)
    chart = Chart(kind=kind, panels=panels)
    caption = _caption(facts, identifier, axes, chart)
    alt = " ".join(_describe(panel) for panel in panels)
    return Figure(id=identifier, caption=caption, chart=chart, alt=alt)


def _panel(facts: Facts, axes: _Axes, kind: str) -> Panel:
    places = {id(group): index for index, group in enumerate(facts.groups)}
    curves = [_curve(facts, axes, member) for member in axes.members]
    lines: tuple[Line, ...] = ()
    bands: tuple[Band, ...] = ()
    if kind == "curves":
        pairs = zip(axes.members, curves, strict=True)
        lines = tuple(_line(facts, member, places, curve) for member, curve in pairs)
    else:
        bands = _bands(facts, axes.members, curves, places if kind == "ranges" else {})
    drawn = [(line.x, line.y) for line in lines] + [(band.x, band.mean) for band in bands]
    values = sorted(y for _, ys in drawn for y in ys if isfinite(y))
    ticks = sorted({x for xs, _ in drawn for x in xs})
    few = len(ticks) == 1 or (axes.by_epoch and len(ticks) <= MOST_TICKS)
    updates = count_updates(member.run for member in axes.members)
    step = tell("step (optimizer updates)") if updates else noun("step")
    return Panel(
        title=capital(_split_word(axes.split)),
        x_label=noun("epoch") if axes.by_epoch else step,
        y_label=spelled(axes.metric) + _unit_words(facts, axes),
        lines=lines,
        bands=bands,
        x_ticks=tuple(ticks) if few else (),
        logarithmic=bool(values)
        and 0 < FAR * values[len(values) // 2] < values[-1] * (values[0] > 0),
    )


def _unit(facts: Facts, member: Member) -> str:
    own = member.series.metric == facts.study.metric.name
    return member.series.unit or (facts.study.metric.unit if own else "")


def _unit_words(facts: Facts, axes: _Axes) -> str:
    if any(_unit(facts, member) in {"percent", "fraction"} for member in axes.members):
        return " (%)"
    if axes.metric != "loss" or axes.layout not in BITS | NATS:
        return ""
    return f" ({tell('bits') if axes.layout in BITS else tell('nats')})"


def _curve(facts: Facts, axes: _Axes, member: Member) -> Curve:
    """Return places and values of a run as they are drawn."""
    import numpy as np

    series = member.series
    places = epochs_of(member.run, series, facts.study) if axes.by_epoch else series.steps
    values = np.array([value for _, value in series.points()], dtype=np.float64)
    scale = 100.0 if _unit(facts, member) == "fraction" else 1.0
    return places.astype(np.float64), np.round(values * scale, 10)


def _line(facts: Facts, member: Member, places: dict[int, int], curve: Curve) -> Line:
    group, cell = member.group, member.cell
    seed = cell.seed is not None and has_seeds(group)
    return Line(
        label=tell("seed {seed}", seed=str(cell.seed)) if seed else run_words(group, cell),
        group=short_name(facts, group),
        group_index=places[id(group)],
        member=next(i for i, one in enumerate(group.cells) if one is cell),
        x=tuple(curve[0].tolist()),
        y=tuple(curve[1].tolist()),
        steps=tuple(member.series.steps.tolist()),
    )


def _bands(
    facts: Facts, members: Sequence[Member], curves: Sequence[Curve], places: dict[int, int]
) -> tuple[Band, ...]:
    """Return mean and range of each group; without places median and nine tenths of all runs."""
    divided = divide(curves)
    own: dict[tuple[int, str], list[Curve]] = {}
    for member, curve in zip(members, curves, strict=True):
        name = short_name(facts, member.group) if places else tell("all runs")
        own.setdefault((places.get(id(member.group), 0), name), []).append(curve)
    found: list[Band] = []
    for (index, name), some in own.items():
        course = course_of(some, divided, whole=bool(places))
        ends = (course.low, course.high) if len(some) > 1 else ((), ())
        found.append(
            Band(
                group=name,
                group_index=index,
                label=f"{name} (n = {len(some)})",
                x=course.x,
                mean=course.middle,
                low=ends[0],
                high=ends[1],
            )
        )
    return tuple(found)


def _smoothed(panel: Panel, weight: float) -> Panel:
    if not weight or panel.logarithmic:
        return panel
    lines = (
        replace(line, smoothed=smooth_values(line.y, weight)) if len(line.y) > LONG else line
        for line in panel.lines
    )
    return replace(panel, lines=tuple(lines))


# --- words ----------------------------------------------------------------------------

_CAPTIONS = {
    "curves": message("{what:cap} of {runs}."),
    "smoothed": message(
        "{what:cap} of {runs}, smoothed (moving average, weight {weight}) over the values as "
        "logged."
    ),
    "ranges": message("{what:cap} of {runs}: mean and range of each group."),
    "quantiles": message("{what:cap} of {runs}: the median, and the range of nine in ten."),
}


def _caption(facts: Facts, identifier: str, axes: Sequence[_Axes], chart: Chart) -> Text:
    """Say what is drawn, of how many runs, and how."""
    sources = one_a_run(of_series(m.run, m.series) for one in axes for m in one.members)
    n = counted(f"{identifier}.runs", len(sources), message("runs drawn"), sources)
    splits = [(_split_word(s),) for s in dict.fromkeys(one.split for one in axes) if s]
    metric, named = spelled(axes[0].metric), joined(splits)
    places: dict[str, Text | Number] = {
        "runs": say_count("{n} run", "{n} runs", len(sources), n=n),
        "what": say("{splits} {metric}", splits=named, metric=metric) if named else (metric,),
    }
    kind, value = chart.kind, facts.study.statistics.smoothing
    if any(line.smoothed for panel in chart.panels for line in panel.lines):
        stated = (facts.study.cite("statistics.smoothing", value),)
        method = message("study key statistics.smoothing")
        weight = Quantity(value=value, method=method, sources=stated)
        kind, places["weight"] = "smoothed", Number(id=f"{identifier}.weight", quantity=weight)
    text = say(_CAPTIONS[kind], **places)
    logarithmic = any(panel.logarithmic for panel in chart.panels)
    return (*text, " ", *say("Logarithmic axis.")) if logarithmic else text


def _split_word(split: str) -> str:
    return noun("training" if split == "train" else split)


def _describe(panel: Panel) -> str:
    """Return the first and the last value of each group in words, for who cannot see it."""
    ends: dict[str, list[tuple[float, float]]] = {}
    drawn = [(line.group, line.y) for line in panel.lines] + [
        (b.group, b.mean) for b in panel.bands
    ]
    for name, values in drawn:
        finite = [value for value in values if isfinite(value)]
        if finite:
            ends.setdefault(name, []).append((finite[0], finite[-1]))
    told = [
        tell("{group} from {first} to {last}", group=name, first=first, last=last)
        for name, own in ends.items()
        for first, last in [[_spelt(sum(end) / len(own)) for end in zip(*own, strict=True)]]
    ]
    what = f"{panel.title}, {panel.y_label}" if panel.title else panel.y_label
    return tell("{what} by {axis}: {lines}.", what=what, axis=panel.x_label, lines="; ".join(told))


def _spelt(value: float) -> str:
    return f"{value:.4g}".replace(".", spoken().decimal_mark)
