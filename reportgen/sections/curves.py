"""Curves: every run over training, raw and smoothed, group means with spread, best steps."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.records.document import (
    Block,
    Chart,
    Dot,
    Figure,
    Inline,
    Number,
    Panel,
    Paragraph,
    Ref,
    Section,
    Text,
)
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.sections._curve_panels import (
    EVALUATED,
    TITLES,
    Family,
    all_series,
    band_panel,
    counts,
    find_families,
    line_panels,
    make_dot,
    smooth_panel,
)
from reportgen.sections._curve_words import (
    describe_bands,
    describe_dots,
    describe_lines,
    join,
    plural,
    say_n,
)
from reportgen.sections._numbers import Sources, count_of, of_series, one_a_run
from reportgen.sections._phrases import capital, level, spelled, std_words

MOST_NAMED = 6  # runs or groups that a caption names one by one
MOST_RUNS = 12  # above this a figure shows groups, not runs


def build(facts: Facts) -> Section | None:
    """Return the figures of every family of groups, or None for a study without groups."""
    if not facts.groups:
        return None
    blocks: list[Block] = []
    for family in find_families(facts, facts.study.metric.name):
        blocks += _build_family(facts, family)
    losses = [_loss_figure(facts, family) for family in find_families(facts, "loss")]
    blocks += [figure for figure in losses if figure is not None]
    undrawn = _name_undrawn(facts)
    if undrawn is not None:
        blocks.append(undrawn)
    lead = _lead(facts, blocks)
    return Section(id="curves", title="Training curves", blocks=(*lead, *blocks))


def _name_undrawn(facts: Facts) -> Paragraph | None:
    """Name the groups without a curve: what has no picture is said, not left out."""
    metric = facts.study.metric.name
    names = [group.label for group in facts.groups if not _is_evaluated(group, metric)]
    if not names:
        return None
    splits = " or ".join(EVALUATED)
    what = f"no run logged {spelled(metric)} on {splits}" if metric else "the metric is not known"
    return Paragraph(text=(f"Not drawn, because {what}: {'; '.join(names)}.",))


def _is_evaluated(group: GroupResult, metric: str) -> bool:
    return any(series.split in EVALUATED for _, series in all_series(group, metric))


def _lead(facts: Facts, blocks: Sequence[Block]) -> tuple[Block, ...]:
    figures = [block for block in blocks if isinstance(block, Figure)]
    if not figures:
        return ()
    ends: Text = (Ref(figures[0].id),)
    if len(figures) > 1:
        ends = (*ends, " to ", Ref(figures[-1].id))
    text: Text = (
        *ends,
        " show how the runs went. " if len(figures) > 1 else " shows how the runs went. ",
        "Smoothed curves are for the eye alone: results, and the choice of each best step on ",
        f"{facts.study.metric.select_on}, come from the values as logged.",
    )
    return (Paragraph(text=text),)


# --- one figure after the other -------------------------------------------------------


def _build_family(facts: Facts, family: Family) -> list[Figure]:
    panels = line_panels(facts, family, facts.study.metric.name, EVALUATED)
    if not panels:
        return []
    runs = len({(line.group_index, line.member) for panel in panels for line in panel.lines})
    bands = _bands_figure(facts, family, runs)
    figures: list[Figure] = []
    if runs <= MOST_RUNS or bands is None:
        figures.append(_raw_figure(facts, family, panels, runs))
        if facts.study.statistics.smoothing and any(len(x.y) > 1 for p in panels for x in p.lines):
            figures.append(_smoothed_figure(facts, family, panels, runs))
    if bands is not None:
        figures.append(bands)
    return [*figures, *_dot_figures(facts, family)]


def _raw_figure(facts: Facts, family: Family, panels: tuple[Panel, ...], runs: int) -> Figure:
    """Return every curve as logged."""
    identifier = f"curves.raw{family.suffix}"
    return Figure(
        id=identifier,
        caption=(
            *_say_runs(facts, family, identifier, panels, runs),
            f", as logged{_key(family, runs)}",
        ),
        chart=Chart(kind="curves", panels=panels),
        alt=describe_lines(panels, lower=facts.study.metric.direction == "lower"),
    )


def _smoothed_figure(facts: Facts, family: Family, panels: tuple[Panel, ...], runs: int) -> Figure:
    """Return the same curves smoothed, the raw ones behind."""
    identifier = f"curves.smoothed{family.suffix}"
    smoothed = tuple(smooth_panel(panel, facts.study.statistics.smoothing) for panel in panels)
    end = (
        ", with the values as logged faint behind. The best step is chosen on the values as "
        "logged, never on smoothed ones."
    )
    return Figure(
        id=identifier,
        caption=(
            *_say_runs(facts, family, identifier, panels, runs),
            ", smoothed",
            *_smoothing_words(facts, identifier),
            end,
        ),
        chart=Chart(kind="curves", panels=smoothed),
        alt=describe_lines(smoothed, lower=facts.study.metric.direction == "lower"),
    )


def _key(family: Family, runs: int) -> str:
    """Say how lines are told apart."""
    if len(family.groups) > 1:
        markers = ", markers the run" if runs > len(family.groups) else ""
        return f"; colour and dashes tell the group{markers}."
    return "; markers tell the run." if runs > 1 else "."


def _say_runs(
    facts: Facts, family: Family, identifier: str, panels: tuple[Panel, ...], runs: int
) -> Text:
    """Name the metric, the splits and how many runs are drawn; a group alone is named."""
    splits = join(panel.title.lower() for panel in panels)
    alone = f" of {family.groups[0][1].label}" if len(family.groups) == 1 else ""
    return (
        f"{capital(spelled(facts.study.metric.name))} on {splits} of ",
        _count(f"{identifier}.runs", runs, "runs drawn", _drawn(facts, panels)),
        f" {plural(runs, 'run')}{alone}",
    )


def _bands_figure(facts: Facts, family: Family, runs: int) -> Figure | None:
    """Return mean and spread over epochs; None where no group has two runs or known rows."""
    if all(max(counts(group), default=0) < 2 for _, group in family.groups):
        return None
    panels = tuple(
        panel for split in EVALUATED if (panel := band_panel(facts, family, split)).bands
    )
    if not panels:
        return None
    identifier = f"curves.bands{family.suffix}"
    metric = spelled(facts.study.metric.name)
    caption: list[Inline] = [
        f"Mean {metric} of each group over its seeds on {join(p.title.lower() for p in panels)}. ",
    ]
    if any(band.low for panel in panels for band in panel.bands):
        spread = f"The band is the mean ± one {std_words(facts.study)}"
        caption.append(f"{spread}; there is none where fewer than three runs have a value. ")
    else:
        caption.append("No group has the three runs that a standard deviation asks for. ")
    if runs > MOST_RUNS:
        lines = line_panels(facts, family, facts.study.metric.name, EVALUATED)
        number = _count(f"{identifier}.runs", runs, "runs of these groups", _drawn(facts, lines))
        caption += ["The ", number, " runs are too many to be drawn one by one. "]
    caption.append(_say_counts(family))
    return Figure(
        id=identifier,
        caption=tuple(caption),
        chart=Chart(kind="bands", panels=panels),
        alt=describe_bands(panels),
    )


def _say_counts(family: Family) -> str:
    """Say how many runs are behind each mean; of many groups, only the range."""
    if len(family.groups) > MOST_NAMED:
        every = [n for _, group in family.groups for n in counts(group)]
        return f"{len(family.groups)} groups, {say_n(every)} in each."
    return "; ".join(f"{group.label}: {say_n(counts(group))}" for _, group in family.groups) + "."


def _dot_figures(facts: Facts, family: Family) -> list[Figure]:
    """Return the best-step values, a figure for each split that is reported on."""
    splits = dict.fromkeys(group.report_split for _, group in family.groups)
    figures = []
    for number, split in enumerate(splits, 1):
        members = [(i, group) for i, group in family.groups if group.report_split == split]
        dots = tuple(make_dot(i, group) for i, group in members)
        if not any(dot.values for dot in dots):
            continue
        suffix = family.suffix + (f".{split}" if number > 1 else "")
        absent = _name_absent([group for _, group in members])
        figures.append(_dot_figure(facts, family, dots, split=split, suffix=suffix, absent=absent))
    return figures


def _name_absent(groups: Sequence[GroupResult]) -> str:
    """Name the runs that have no dot, with the reason."""
    absent = [
        f"{group.label}{f', seed {cell.seed}' if cell.seed is not None else ''}"
        f" ({cell.report_value.reason})"
        for group in groups
        for cell in group.cells
        if isinstance(cell.report_value, Missing)
    ]
    more = f"; and {len(absent) - MOST_NAMED} more" if len(absent) > MOST_NAMED else ""
    return f" No value: {'; '.join(absent[:MOST_NAMED])}{more}." if absent else ""


def _dot_figure(
    facts: Facts,
    family: Family,
    dots: tuple[Dot, ...],
    *,
    split: str,
    suffix: str,
    absent: str,
) -> Figure:
    plan = facts.study.metric
    metric, sign = spelled(plan.name), " (%)" if family.percent else ""
    panel = Panel(title="", y_label="", x_label=f"{split} {metric}{sign}", dots=dots)
    best = "lowest" if plan.direction == "lower" else "highest"
    text = (
        f"{split.capitalize()} {metric} at the step with the {best} {plan.select_on} {metric}: "
        "one dot a run"
    )
    if any(dot.mean is not None for dot in dots):
        text += ", an upright bar at the mean"
    if any(dot.low is not None for dot in dots):
        text += (
            f", a whisker for the {level(facts.study)} t interval of the mean (three runs or more)"
        )
    if split == plan.select_on:
        absent += " The same split chose the step, which makes these values optimistic."
    return Figure(
        id=f"curves.best_step{suffix}",
        caption=(f"{text}. The axis is fitted to the values.{absent}",),
        chart=Chart(kind="dots", panels=(panel,)),
        alt=describe_dots(panel),
    )


def _loss_figure(facts: Facts, family: Family) -> Figure | None:
    """Return the training loss, beside the validation loss unless that is the metric itself."""
    splits = ("train",) if facts.study.metric.name == "loss" else ("train", "validation")
    panels = line_panels(facts, family, "loss", splits)
    if not panels or panels[0].title != TITLES["train"]:
        return None
    identifier, weight = f"curves.loss{family.suffix}", facts.study.statistics.smoothing
    widest = max(panels, key=lambda panel: len(panel.lines))
    count = len(widest.lines)
    caption: list[Inline] = [
        f"{join(p.title.lower() for p in panels).capitalize()} loss of ",
        _count(
            *(f"{identifier}.runs", count, "runs with a logged loss"),
            _drawn(facts, (widest,), "loss"),
        ),
        f" {plural(count, 'run')}",
    ]
    if weight:
        panels = tuple(smooth_panel(panel, weight) for panel in panels)
        caption += [", smoothed", *_smoothing_words(facts, identifier), ", raw values faint behind"]
    return Figure(
        id=identifier,
        caption=(*caption, "."),
        chart=Chart(kind="curves", panels=panels),
        alt=describe_lines(panels, lower=True),
    )


def _drawn(facts: Facts, panels: Sequence[Panel], metric: str = "") -> Sources:
    """Return the curve of each run that has a line in the panels."""
    name = metric or facts.study.metric.name
    splits = {title: split for split, title in TITLES.items()}
    found: list[Evidence] = []
    for panel in panels:
        for line in panel.lines:
            run = facts.groups[line.group_index].cells[line.member].run
            series = run.find(name, splits[panel.title]) if run is not None else None
            if run is not None and series is not None:
                found.append(of_series(run, series))
    return one_a_run(found)


def _count(identifier: str, value: int, method: str, sources: Sources) -> Number:
    quantity = count_of(value, f"number of {method}", sources)
    return Number(id=identifier, quantity=quantity, style="count")


def _smoothing_words(facts: Facts, identifier: str) -> Text:
    """Name the smoothing with its weight, a number of its own."""
    value = facts.study.statistics.smoothing
    weight = Quantity(
        value=value,
        method="study key statistics.smoothing",
        sources=(facts.study.cite("statistics.smoothing", value),),
    )
    number = Number(id=f"{identifier}.weight", quantity=weight)
    return (" (TensorBoard's debiased exponential moving average, weight ", number, ")")
