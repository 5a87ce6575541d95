"""The figure of losses: every run, or of many the middle one and the range of most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportgen.languages import message, say, say_count
from reportgen.records.document import Chart, Figure, Panel, Text
from reportgen.records.facts import Facts
from reportgen.report._curve_crowds import crowd_panels, crowd_words, is_crowd
from reportgen.report._curve_numbers import count, drawn, smoothing_words
from reportgen.report._curve_panels import Family, line_panels, smooth_panel
from reportgen.report._curve_words import describe_crowd, describe_lines, split_places
from reportgen.report._loss_units import loss_unit


def loss_figure(facts: Facts, family: Family) -> Figure | None:
    """Return the training loss, beside the validation loss unless that is the metric itself."""
    splits = ("train",) if facts.study.metric.name == "loss" else ("train", "validation")
    by_split = {split: drawn(family, "loss", (split,)) for split in splits}
    if not by_split["train"]:
        return None
    identifier = f"curves.loss{family.suffix}"
    sources = max(by_split.values(), key=len)
    most = len(sources)
    n = count(f"{identifier}.runs", most, message("runs with a logged loss"), sources)
    runs = say_count("{n} run", "{n} runs", most, n=n)
    if is_crowd(family, most):
        return _crowd_figure(facts, family, splits, identifier=identifier, runs=runs)
    panels = line_panels(facts, family, "loss", splits)
    caption = _loss_caption(facts, identifier, panels, runs)
    if unit := loss_unit(family.groups[0][1].layout):
        caption = (*caption, " ", *unit)
    if weight := facts.study.statistics.smoothing:
        panels = {split: smooth_panel(panel, weight) for split, panel in panels.items()}
    return Figure(
        id=identifier,
        caption=caption,
        chart=Chart(kind="curves", panels=tuple(panels.values())),
        alt=describe_lines(panels, by_epoch=family.in_epochs, lower=True),
    )


def _crowd_figure(
    facts: Facts, family: Family, splits: Sequence[str], *, identifier: str, runs: Text
) -> Figure:
    """Return the same of more runs than can be drawn one by one."""
    panels, exact = crowd_panels(facts, family, "loss", splits)
    places: dict[str, str | Text] = {"runs": runs, **split_places(panels)}
    both = len(panels) > 1
    said = (
        say("{first:cap} and {second} loss of {runs}.", **places)
        if both
        else say("{split:cap} loss of {runs}.", **places)
    )
    caption = (*said, " ", *crowd_words(facts, family, exact=exact))
    if unit := loss_unit(family.groups[0][1].layout):
        caption = (*caption, " ", *unit)
    return Figure(
        id=identifier,
        caption=caption,
        chart=Chart(kind="quantiles", panels=tuple(panels.values())),
        alt=describe_crowd(panels),
    )


def _loss_caption(facts: Facts, identifier: str, panels: Mapping[str, Panel], runs: Text) -> Text:
    both = len(panels) > 1
    places: dict[str, str | Text] = {"runs": runs, **split_places(panels)}
    if not facts.study.statistics.smoothing:
        if both:
            return say("{first:cap} and {second} loss of {runs}.", **places)
        return say("{split:cap} loss of {runs}.", **places)
    places["smoothing"] = smoothing_words(facts, identifier)
    if both:
        return say(
            "{first:cap} and {second} loss of {runs}, smoothed ({smoothing}), raw values faint "
            "behind.",
            **places,
        )
    return say(
        "{split:cap} loss of {runs}, smoothed ({smoothing}), raw values faint behind.", **places
    )
