"""Figures of the appendix: losses, and the course of the metric where the body has no curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from reportgen.languages import message, noun, say, say_count, tell
from reportgen.records.document import Band, Block, Chart, Figure, Panel, Ref, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.report._evidence import of_cells, of_series, one_a_run
from reportgen.report._focus import focus_of
from reportgen.report._names import short_name
from reportgen.report._numbers import counted
from reportgen.report._phrases import joined, spelled
from reportgen.report._results_figure import TITLES, Axes, curve_panels, spelt
from reportgen.report.appendix._grid import Member, members_on
from reportgen.report.appendix._tables import paragraph
from reportgen.stats import course_of, divide

LOSS, COURSE = "evaluations.loss", "evaluations.course"
MOST_LINES = 12
"""Runs that are drawn one by one."""
MOST_BANDS = 7
"""Groups that have a band each."""
MOST_FIGURES = 3
BITS, NATS = frozenset({"fairseq", "fairseq_console"}), frozenset({"hf_trainer"})
"""Layouts of programs whose losses are in bits, and in nats."""

_CAPTIONS = {
    "lines": message("{what:cap} of {groups} ({runs})."),
    "bands": message("{what:cap} of {groups} ({runs}): mean and range of each group."),
    "band": message("{what:cap} of {groups} ({runs}): the median, and the range of nine in ten."),
}


def loss_blocks(facts: Facts) -> list[Block]:
    """Return the losses by program and task; nothing where none was logged in training."""
    if facts.study.metric.name == "loss":
        return _figures(facts, "loss", ("train",), LOSS)
    return _figures(facts, "loss", ("train", facts.study.metric.select_on, "test"), LOSS)


def course_blocks(facts: Facts) -> list[Block]:
    """Return the course of the metric, where the body ranks groups and draws no curves."""
    if not focus_of(facts).is_sweep:
        return []
    metric = facts.study.metric
    splits = (metric.select_on, *(group.report_split for group in facts.groups))
    return _figures(facts, metric.name, splits, COURSE)


def _figures(facts: Facts, metric: str, splits: Sequence[str], identifier: str) -> list[Block]:
    """Return a figure for each program and task, and the sentence about them."""
    kinds: dict[tuple[str, str, str], list[GroupResult]] = {}
    for group in facts.groups:
        task = ("", "") if group.task.is_part else (group.task.kind, group.task.name)
        kinds.setdefault((group.layout, *task), []).append(group)
    found: list[dict[str, list[Member]]] = []
    for groups in kinds.values():
        curves = {split: members_on(groups, metric, split) for split in dict.fromkeys(splits)}
        own = {s: kept for s, kept in curves.items() if any(len(m.series) > 1 for m in kept)}
        if own:
            found.append(own)
    found.sort(key=_runs, reverse=True)
    figures = [
        _figure(facts, metric, curves, f"{identifier}{number or ''}")
        for number, curves in enumerate(found[:MOST_FIGURES])
    ]
    left = {m.group.name for curves in found[MOST_FIGURES:] for own in curves.values() for m in own}
    undrawn = [group for group in facts.groups if group.name in left]
    if not figures:
        return []
    about = say_count(
        "{figures} shows the {metric}.",
        "{figures} show the {metric}.",
        len(figures),
        figures=joined([(Ref(figure.id),) for figure in figures]),
        metric=spelled(metric),
    )
    return [*paragraph(about, _undrawn(facts, undrawn, identifier)), *figures]


def _runs(curves: dict[str, list[Member]]) -> int:
    return len({member.run.id for own in curves.values() for member in own})


def _undrawn(facts: Facts, groups: Sequence[GroupResult], identifier: str) -> Text:
    if not groups:
        return ()
    what = message("groups without a curve here")
    n = counted(f"{identifier}.undrawn", len(groups), what, of_cells(facts.study, groups))
    return say_count(
        "{n} further group is not drawn.", "{n} further groups are not drawn.", len(groups), n=n
    )


def _figure(facts: Facts, metric: str, curves: dict[str, list[Member]], identifier: str) -> Figure:
    """Return lines of few runs, bands of a few groups, or one band of all runs."""
    groups = {m.group.name: m.group for own in curves.values() for m in own}
    axes = Axes.of(facts, tuple(groups.values()), metric)
    several = _runs(curves) > len(groups) and len(groups) <= MOST_BANDS
    kind = "lines" if _runs(curves) <= MOST_LINES else "bands" if several else "band"
    if kind == "lines":
        titles = {tell(TITLES[split]) for split in curves if split in TITLES}
        panels = [p for p in curve_panels(axes, rings=False) if p.title in titles]
    else:
        panels = [_banded(axes, split, own, kind == "bands") for split, own in curves.items()]
    unit = _unit(next(iter(groups.values())).layout) if metric == "loss" else ""
    panels = [replace(panel, y_label=panel.y_label + unit) for panel in panels]
    return Figure(
        id=identifier,
        caption=_caption(facts, metric, curves, identifier, kind),
        chart=Chart(kind="curves", panels=tuple(panels)),
        alt=" ".join(map(_describe, panels)),
    )


def _unit(layout: str) -> str:
    """Return the unit of losses, where the program that logged them is known."""
    if layout in BITS:
        return f" ({tell('bits')})"
    return f" ({tell('nats')})" if layout in NATS else ""


def _banded(axes: Axes, split: str, members: Sequence[Member], each: bool) -> Panel:
    """Return mean and range of each group, or median and nine tenths of all runs."""
    places = {group.name: index for index, group in axes.groups}
    own: dict[tuple[int, str], list[tuple[np.ndarray, np.ndarray]]] = {}
    every = []
    for member in members:
        values = np.asarray([value for _, value in member.series.points()], dtype=np.float64)
        curve = (
            np.asarray(axes.places(member.run, member.series), dtype=np.float64),
            values * axes.scale(member.series),
        )
        every.append(curve)
        name = short_name(axes.facts, member.group) if each else tell("all runs")
        own.setdefault((places[member.group.name] if each else 0, name), []).append(curve)
    divided = divide(every)
    bands = []
    for (index, name), some in own.items():
        course = course_of(some, divided, whole=each)
        ends = (course.low, course.high) if len(some) > 1 else ((), ())
        bands.append(
            Band(
                group=name, group_index=index, label=name, x=course.x, mean=course.middle,
                low=ends[0], high=ends[1],
            )
        )  # fmt: skip
    title = tell(TITLES[split]) if split in TITLES else split
    return Panel(title=title, x_label=axes.x_label, y_label=axes.y_label, bands=tuple(bands))


# --- words ----------------------------------------------------------------------------


def _caption(
    facts: Facts, metric: str, curves: dict[str, list[Member]], identifier: str, kind: str
) -> Text:
    """Say what is drawn, of how many runs, and how."""
    members = [member for own in curves.values() for member in own]
    sources = one_a_run(of_series(member.run, member.series) for member in members)
    n = counted(f"{identifier}.runs", len(sources), message("runs drawn"), sources)
    groups = {member.group.name: member.group for member in members}
    names = [(short_name(facts, group),) for group in groups.values()]
    splits = joined([(noun("training" if s == "train" else s),) for s in curves if s])
    words = spelled(metric)
    return say(
        _CAPTIONS[kind],
        what=say("{splits} {metric}", splits=splits, metric=words) if splits else words,
        groups=joined(names) if len(names) <= 3 else say("all groups"),
        runs=say_count("{n} run", "{n} runs", len(sources), n=n),
    )


def _describe(panel: Panel) -> str:
    """Return the first and the last value of each group in words, for who cannot see it."""
    ends: dict[str, list[tuple[float, float]]] = {}
    drawn = [(line.group, line.y) for line in panel.lines]
    drawn += [(band.group, band.mean) for band in panel.bands]
    for name, values in drawn:
        finite = [value for value in values if isfinite(value)]
        if finite:
            ends.setdefault(name, []).append((finite[0], finite[-1]))
    told = [
        tell("{group} from {first} to {last}", group=name, first=first, last=last)
        for name, own in ends.items()
        for first, last in [[spelt(sum(end) / len(own)) for end in zip(*own, strict=True)]]
    ]
    what = f"{panel.title}, {panel.y_label}"
    lines = tell("; ").join(told)
    return tell("{what} by {axis}: {lines}.", what=what, axis=panel.x_label, lines=lines)
