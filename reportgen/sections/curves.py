"""Curves: every run over training, raw and smoothed, group means with spread, best steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportgen.languages import message, say, say_count, tell
from reportgen.records.document import (
    Block,
    Chart,
    Dot,
    Figure,
    Number,
    Panel,
    Paragraph,
    Ref,
    Section,
    Text,
)
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.quantity import Evidence, Quantity
from reportgen.sections._curve_panels import (
    EVALUATED,
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
    in_a_row,
    key_words,
    marks_words,
    name_absent,
    say_n,
    spaced,
    split_places,
    split_word,
)
from reportgen.sections._loss_units import loss_unit
from reportgen.sections._metric_names import spelled
from reportgen.sections._numbers import Sources, count_of, of_series, one_a_run
from reportgen.sections._phrases import level, std_words

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
    return Section(id="curves", title=tell("Training curves"), blocks=(*lead, *blocks))


def _name_undrawn(facts: Facts) -> Paragraph | None:
    """Name the groups without a curve: what has no picture is said, not left out."""
    metric = facts.study.metric.name
    names = [group.label for group in facts.groups if not _is_evaluated(group, metric)]
    if not names:
        return None
    groups = in_a_row(names)
    if not metric:
        return Paragraph(
            text=say("Not drawn, because the metric is not known: {groups}.", groups=groups)
        )
    return Paragraph(
        text=say(
            "Not drawn, because no run logged {metric} on validation or test: {groups}.",
            metric=spelled(metric),
            groups=groups,
        )
    )


def _is_evaluated(group: GroupResult, metric: str) -> bool:
    return any(series.split in EVALUATED for _, series in all_series(group, metric))


def _lead(facts: Facts, blocks: Sequence[Block]) -> tuple[Block, ...]:
    figures = [block for block in blocks if isinstance(block, Figure)]
    if not figures:
        return ()
    first, last = Ref(figures[0].id), Ref(figures[-1].id)
    text = (
        say("{figure} shows how the runs went.", figure=first)
        if first == last
        else say("{first} to {last} show how the runs went.", first=first, last=last)
    )
    use = say(
        "Smoothed curves are for the eye alone: results, and the choice of each best step on "
        "{split}, come from the values as logged.",
        split=split_word(facts.study.metric.select_on),
    )
    return (Paragraph(text=(*text, " ", *use)),)


# --- one figure after the other -------------------------------------------------------


def _build_family(facts: Facts, family: Family) -> list[Figure]:
    panels = line_panels(facts, family, facts.study.metric.name, EVALUATED)
    if not panels:
        return []
    runs = len(
        {(line.group_index, line.member) for panel in panels.values() for line in panel.lines}
    )
    bands = _bands_figure(facts, family, runs)
    figures: list[Figure] = []
    if runs <= MOST_RUNS or bands is None:
        figures.append(_raw_figure(facts, family, panels, runs))
        long = any(len(line.y) > 1 for panel in panels.values() for line in panel.lines)
        if facts.study.statistics.smoothing and long:
            figures.append(_smoothed_figure(facts, family, panels, runs))
    if bands is not None:
        figures.append(bands)
    return [*figures, *_dot_figures(facts, family)]


def _raw_figure(facts: Facts, family: Family, panels: Mapping[str, Panel], runs: int) -> Figure:
    """Return every curve as logged."""
    identifier = f"curves.raw{family.suffix}"
    places: dict[str, str | Text] = {
        "metric": spelled(facts.study.metric.name),
        "runs": _say_runs(facts, family, identifier, panels, runs),
        **split_places(panels),
    }
    said = (
        say("{metric:cap} on {first} and {second} of {runs}, as logged", **places)
        if len(panels) > 1
        else say("{metric:cap} on {split} of {runs}, as logged", **places)
    )
    return Figure(
        id=identifier,
        caption=(*said, key_words(len(family.groups), runs)),
        chart=Chart(kind="curves", panels=tuple(panels.values())),
        alt=_describe(facts, family, panels),
    )


def _smoothed_figure(
    facts: Facts, family: Family, panels: Mapping[str, Panel], runs: int
) -> Figure:
    """Return the same curves smoothed, the raw ones behind."""
    identifier, weight = f"curves.smoothed{family.suffix}", facts.study.statistics.smoothing
    smoothed = {split: smooth_panel(panel, weight) for split, panel in panels.items()}
    places: dict[str, str | Text] = {
        "metric": spelled(facts.study.metric.name),
        "runs": _say_runs(facts, family, identifier, panels, runs),
        "smoothing": _smoothing_words(facts, identifier),
        **split_places(panels),
    }
    said = (
        say(
            "{metric:cap} on {first} and {second} of {runs}, smoothed ({smoothing}), with the "
            "values as logged faint behind.",
            **places,
        )
        if len(panels) > 1
        else say(
            "{metric:cap} on {split} of {runs}, smoothed ({smoothing}), with the values as logged "
            "faint behind.",
            **places,
        )
    )
    warned = say("The best step is chosen on the values as logged, never on smoothed ones.")
    return Figure(
        id=identifier,
        caption=(*said, " ", *warned),
        chart=Chart(kind="curves", panels=tuple(smoothed.values())),
        alt=_describe(facts, family, smoothed),
    )


def _describe(facts: Facts, family: Family, panels: Mapping[str, Panel]) -> str:
    lower = facts.study.metric.direction == "lower"
    return describe_lines(panels, by_epoch=family.by_epoch, lower=lower)


def _say_runs(
    facts: Facts, family: Family, identifier: str, panels: Mapping[str, Panel], runs: int
) -> Text:
    """Say how many runs are drawn; a group alone is named."""
    n = _count(f"{identifier}.runs", runs, message("runs drawn"), _drawn(facts, panels))
    if len(family.groups) > 1:
        return say_count("{n} run", "{n} runs", runs, n=n)
    group = family.groups[0][1].label
    return say_count("{n} run of {group}", "{n} runs of {group}", runs, n=n, group=group)


def _bands_figure(facts: Facts, family: Family, runs: int) -> Figure | None:
    """Return mean and spread over epochs; None where no group has two runs or known rows."""
    if all(max(counts(group), default=0) < 2 for _, group in family.groups):
        return None
    made = {split: band_panel(facts, family, split) for split in EVALUATED}
    panels = {split: panel for split, panel in made.items() if panel.bands}
    if not panels:
        return None
    identifier = f"curves.bands{family.suffix}"
    sentences = [_mean_sentence(facts, panels), _spread_sentence(facts, panels)]
    if runs > MOST_RUNS:
        lines = line_panels(facts, family, facts.study.metric.name, EVALUATED)
        number = _count(
            f"{identifier}.runs", runs, message("runs of these groups"), _drawn(facts, lines)
        )
        sentences.append(say("The {n} runs are too many to be drawn one by one.", n=number))
    sentences.append((_say_counts(family),))
    return Figure(
        id=identifier,
        caption=spaced(sentences),
        chart=Chart(kind="bands", panels=tuple(panels.values())),
        alt=describe_bands(panels, by_epoch=family.by_epoch),
    )


def _mean_sentence(facts: Facts, panels: Mapping[str, Panel]) -> Text:
    metric, splits = spelled(facts.study.metric.name), split_places(panels)
    if len(panels) > 1:
        return say(
            "Mean {metric} of each group over its seeds on {first} and {second}.",
            metric=metric,
            **splits,
        )
    return say("Mean {metric} of each group over its seeds on {split}.", metric=metric, **splits)


def _spread_sentence(facts: Facts, panels: Mapping[str, Panel]) -> Text:
    if not any(band.low for panel in panels.values() for band in panel.bands):
        return say("No group has the three runs that a standard deviation asks for.")
    return say(
        "The band is the mean ± one {std}; there is none where fewer than three runs have a value.",
        std=std_words(facts.study),
    )


def _say_counts(family: Family) -> str:
    """Say how many runs are behind each mean; of many groups, only the range."""
    if len(family.groups) > MOST_NAMED:
        every = [n for _, group in family.groups for n in counts(group)]
        return tell("{count} groups, {n} in each.", count=len(family.groups), n=say_n(every))
    shown = (
        tell("{group}: {n}", group=group.label, n=say_n(counts(group)))
        for _, group in family.groups
    )
    return f"{in_a_row(shown)}."


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
        absent = name_absent([group for _, group in members])
        figures.append(_dot_figure(facts, family, dots, split=split, suffix=suffix, absent=absent))
    return figures


def _dot_figure(
    facts: Facts,
    family: Family,
    dots: tuple[Dot, ...],
    *,
    split: str,
    suffix: str,
    absent: Text,
) -> Figure:
    plan = facts.study.metric
    words = {"split": split_word(split), "metric": spelled(plan.name)}
    what = tell("{split} {metric} (%)" if family.percent else "{split} {metric}", **words)
    panel = Panel(title="", y_label="", x_label=what, dots=dots)
    shown = marks_words(dots, level(facts.study))
    places = {**words, "select": split_word(plan.select_on), "shown": shown}
    said = (
        say(
            "{split:cap} {metric} at the step with the lowest {select} {metric}: {shown}. The "
            "axis is fitted to the values.",
            **places,
        )
        if plan.direction == "lower"
        else say(
            "{split:cap} {metric} at the step with the highest {select} {metric}: {shown}. The "
            "axis is fitted to the values.",
            **places,
        )
    )
    own = say("The same split chose the step, which makes these values optimistic.")
    return Figure(
        id=f"curves.best_step{suffix}",
        caption=spaced([t for t in (said, absent, own if split == plan.select_on else ()) if t]),
        chart=Chart(kind="dots", panels=(panel,)),
        alt=describe_dots(panel),
    )


def _loss_figure(facts: Facts, family: Family) -> Figure | None:
    """Return the training loss, beside the validation loss unless that is the metric itself."""
    splits = ("train",) if facts.study.metric.name == "loss" else ("train", "validation")
    panels = line_panels(facts, family, "loss", splits)
    if "train" not in panels:
        return None
    identifier, weight = f"curves.loss{family.suffix}", facts.study.statistics.smoothing
    most = max(panels, key=lambda split: len(panels[split].lines))
    count = len(panels[most].lines)
    drawn = _drawn(facts, {most: panels[most]}, "loss")
    n = _count(f"{identifier}.runs", count, message("runs with a logged loss"), drawn)
    runs = say_count("{n} run", "{n} runs", count, n=n)
    caption = _loss_caption(facts, identifier, panels, runs)
    if unit := loss_unit(family.groups[0][1].layout):
        caption = (*caption, " ", *unit)
    if weight:
        panels = {split: smooth_panel(panel, weight) for split, panel in panels.items()}
    return Figure(
        id=identifier,
        caption=caption,
        chart=Chart(kind="curves", panels=tuple(panels.values())),
        alt=describe_lines(panels, by_epoch=family.by_epoch, lower=True),
    )


def _loss_caption(facts: Facts, identifier: str, panels: Mapping[str, Panel], runs: Text) -> Text:
    both = len(panels) > 1
    places: dict[str, str | Text] = {"runs": runs, **split_places(panels)}
    if not facts.study.statistics.smoothing:
        if both:
            return say("{first:cap} and {second} loss of {runs}.", **places)
        return say("{split:cap} loss of {runs}.", **places)
    places["smoothing"] = _smoothing_words(facts, identifier)
    if both:
        return say(
            "{first:cap} and {second} loss of {runs}, smoothed ({smoothing}), raw values faint "
            "behind.",
            **places,
        )
    return say(
        "{split:cap} loss of {runs}, smoothed ({smoothing}), raw values faint behind.", **places
    )


def _drawn(facts: Facts, panels: Mapping[str, Panel], metric: str = "") -> Sources:
    """Return the curve of each run that has a line in the panels."""
    name = metric or facts.study.metric.name
    found: list[Evidence] = []
    for split, panel in panels.items():
        for line in panel.lines:
            run = facts.groups[line.group_index].cells[line.member].run
            series = run.find(name, split) if run is not None else None
            if run is not None and series is not None:
                found.append(of_series(run, series))
    return one_a_run(found)


def _count(identifier: str, value: int, method: str, sources: Sources) -> Number:
    quantity = count_of(value, message("number of {what}", what=method), sources)
    return Number(id=identifier, quantity=quantity, style="count")


def _smoothing_words(facts: Facts, identifier: str) -> Text:
    """Name the smoothing with its weight, a number of its own."""
    value = facts.study.statistics.smoothing
    weight = Quantity(
        value=value,
        method=message("study key statistics.smoothing"),
        sources=(facts.study.cite("statistics.smoothing", value),),
    )
    return say(
        "TensorBoard's debiased exponential moving average, weight {weight}",
        weight=Number(id=f"{identifier}.weight", quantity=weight),
    )
