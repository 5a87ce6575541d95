"""Curves: every run over training, raw and smoothed, group means with spread, best steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reportgen.languages import message, say, say_count, tell
from reportgen.records.document import (
    Block,
    Chart,
    Dot,
    Figure,
    Panel,
    Paragraph,
    Section,
    Text,
)
from reportgen.records.facts import Facts, GroupResult
from reportgen.report._curve_axes import with_axes
from reportgen.report._curve_bounds import (
    Bounds,
    bounds_of,
    cut_off,
    cut_whiskers,
    cut_words,
    whisker_words,
)
from reportgen.report._curve_crowds import (
    crowd_panels,
    crowd_words,
    drawn_words,
    few_dots,
    is_crowd,
)
from reportgen.report._curve_looks import with_looks
from reportgen.report._curve_loss import loss_figure
from reportgen.report._curve_means import (
    band_panel,
    counts,
    counts_listed,
    drawn_of,
    undrawn_words,
)
from reportgen.report._curve_numbers import count, drawn, smoothing_words
from reportgen.report._curve_panels import (
    EVALUATED,
    Family,
    all_series,
    at_the_ends,
    few_of,
    find_families,
    line_panels,
    make_dot,
    members_on,
    scale_of,
    smooth_panel,
)
from reportgen.report._curve_unselected import unselected_curves
from reportgen.report._curve_words import (
    describe_bands,
    describe_crowd,
    describe_dots,
    describe_lines,
    how_the_runs_went,
    in_a_row,
    key_words,
    marks_words,
    name_absent,
    say_n,
    spaced,
    split_places,
    split_word,
)
from reportgen.report._evidence import Sources
from reportgen.report._metric_names import spelled
from reportgen.report._phrases import level, std_words
from reportgen.report._tasks import undrawn_tasks, with_task

MOST_NAMED = 6  # runs or groups that a caption names one by one
MOST_RUNS = 12  # above this a figure shows groups, not runs


def build(facts: Facts) -> Section | None:
    """Return the figures of every family of groups, or None for a study without groups."""
    if not facts.groups:
        return None
    if facts.selection.is_last:
        drawn_blocks = with_looks(with_axes(unselected_curves(facts)))
        return Section(id="curves", title=tell("Training curves"), blocks=tuple(drawn_blocks))
    blocks: list[Block] = []
    for family in find_families(facts, facts.study.metric.name):
        blocks += with_task(facts, family.task, _build_family(facts, family))
    for family in find_families(facts, "loss"):
        if (figure := loss_figure(facts, family)) is not None:
            blocks += with_task(facts, family.task, [figure])
    undrawn = _name_undrawn(facts)
    if undrawn is not None:
        blocks.append(undrawn)
    blocks = [*_lead(facts, blocks), *with_looks(with_axes(blocks))]
    return Section(id="curves", title=tell("Training curves"), blocks=tuple(blocks))


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
    use = say(
        "Smoothed curves are for the eye alone: results, and the choice of each best step on "
        "{split}, come from the values as logged.",
        split=split_word(facts.study.metric.select_on),
    )
    left = (" ", *left) if (left := undrawn_tasks(facts)) else ()
    return (Paragraph(text=(*how_the_runs_went(figures), " ", *use, *left)),)


# --- one figure after the other -------------------------------------------------------


def _build_family(facts: Facts, family: Family) -> list[Figure]:
    sources = drawn(family, facts.study.metric.name, EVALUATED)
    if not sources:
        return []
    runs = len(sources)
    bands = _bands_figure(facts, family, sources)
    figures: list[Figure] = []
    if bands is None and is_crowd(family, runs):
        figures.append(_crowd_figure(facts, family, sources))
    elif runs <= MOST_RUNS or bands is None:
        panels = line_panels(facts, family, facts.study.metric.name, EVALUATED)
        figures.append(_raw_figure(facts, family, panels, runs))
        long = any(len(line.y) > 1 for panel in panels.values() for line in panel.lines)
        if facts.study.statistics.smoothing and long:
            figures.append(_smoothed_figure(facts, family, panels, runs))
    if bands is not None:
        figures.append(bands)
    return [*figures, *_dot_figures(facts, family)]


def _as_logged(
    facts: Facts, family: Family, panels: Mapping[str, Panel], identifier: str, runs: int
) -> Text:
    """Return what a figure of curves as they were logged shows."""
    places: dict[str, str | Text] = {
        "metric": spelled(facts.study.metric.name),
        "runs": _say_runs(facts, family, identifier, runs),
        **split_places(panels),
    }
    if len(panels) > 1:
        return say("{metric:cap} on {first} and {second} of {runs}, as logged", **places)
    return say("{metric:cap} on {split} of {runs}, as logged", **places)


def _raw_figure(facts: Facts, family: Family, panels: Mapping[str, Panel], runs: int) -> Figure:
    """Return every curve as logged."""
    identifier = f"curves.raw{family.suffix}"
    said = _as_logged(facts, family, panels, identifier, runs)
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
        "runs": _say_runs(facts, family, identifier, runs),
        "smoothing": smoothing_words(facts, identifier),
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
    return describe_lines(panels, by_epoch=family.in_epochs, lower=lower)


def _say_runs(facts: Facts, family: Family, identifier: str, runs: int) -> Text:
    """Say how many runs are drawn; a group alone is named."""
    sources = drawn(family, facts.study.metric.name, EVALUATED)
    n = count(f"{identifier}.runs", runs, message("runs drawn"), sources)
    if len(family.groups) > 1:
        return say_count("{n} run", "{n} runs", runs, n=n)
    group = family.groups[0][1].label
    return say_count("{n} run of {group}", "{n} runs of {group}", runs, n=n, group=group)


def _crowd_figure(facts: Facts, family: Family, sources: Sources) -> Figure:
    """Return where most of many runs go, none of which has another of its group beside it."""
    identifier = f"curves.crowd{family.suffix}"
    panels, exact = crowd_panels(facts, family, facts.study.metric.name, EVALUATED)
    said = _as_logged(facts, family, panels, identifier, len(sources))
    return Figure(
        id=identifier,
        caption=(*said, ". ", *crowd_words(facts, family, exact=exact)),
        chart=Chart(kind="quantiles", panels=tuple(panels.values())),
        alt=describe_crowd(panels),
    )


def _bands_figure(facts: Facts, family: Family, sources: Sources) -> Figure | None:
    """Return mean and spread over epochs; None where no group has two runs or known rows."""
    if all(max(counts_listed(group), default=0) < 2 for _, group in family.groups):
        return None
    shown = at_the_ends(facts, family) or few_of(family)
    made = {split: band_panel(facts, shown, split) for split in EVALUATED}
    panels, cut = _cut_off(facts, family, made)
    if not panels:
        return None
    identifier = f"curves.bands{family.suffix}"
    sentences = [_mean_sentence(facts, panels), _spread_sentence(facts, panels), *cut]
    if (runs := len(sources)) > MOST_RUNS:
        number = count(f"{identifier}.runs", runs, message("runs of these groups"), sources)
        sentences.append(say("The {n} runs are too many to be drawn one by one.", n=number))
    there = drawn_of(shown, panels.values())
    sentences.append((_say_counts(facts, family),))
    words = (drawn_words(facts, family, shown, there), undrawn_words(shown, there))
    sentences += filter(None, words)
    return Figure(
        id=identifier,
        caption=spaced(sentences),
        chart=Chart(kind="bands", panels=tuple(panels.values())),
        # A standard deviation is read off the band as it was computed.
        alt=describe_bands({split: made[split] for split in panels}, by_epoch=family.in_epochs),
    )


def _cut_off(
    facts: Facts, family: Family, made: Mapping[str, Panel]
) -> tuple[dict[str, Panel], list[Text]]:
    """Return the panels that have bands, none beyond the values of the metric, and what is said."""
    metric, bounds = facts.study.metric.name, _bounds_of(facts, family)
    cut = {split: cut_off(panel, bounds) for split, panel in made.items() if panel.bands}
    panels = {split: panel for split, (panel, _) in cut.items()}
    went = any(beyond for _, beyond in cut.values())
    return panels, [cut_words(metric, bounds)] if went else []


def _bounds_of(facts: Facts, family: Family) -> Bounds:
    """Return the ends of the values of the metric that decides."""
    metric = facts.study.metric.name
    logged = (
        value * scale_of(facts, series)
        for split in EVALUATED
        for *_, series in members_on(family, metric, split)
        for value in series.values.tolist()
    )
    return bounds_of(metric, logged, percent=family.percent)


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


def _say_counts(facts: Facts, family: Family) -> str:
    """Say how many runs are behind each mean; of many groups, only the range."""
    if len(family.groups) > MOST_NAMED:
        every = [n for _, group in family.groups for n in counts(facts, family, group)]
        return tell("{count} groups, {n} in each.", count=len(family.groups), n=say_n(every))
    shown = (
        tell("{group}: {n}", group=group.label, n=say_n(counts(facts, family, group)))
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
    rows, few = few_dots(facts, dots)
    bounds = _bounds_of(facts, family)
    inside, went = cut_whiskers(rows, bounds)
    panel = Panel(title="", y_label="", x_label=what, dots=inside)
    shown = marks_words(rows, level(facts.study))
    places = {**words, "select": split_word(plan.select_on), "shown": shown}
    said = _dots_sentence(places, lower=plan.direction == "lower")
    cut = whisker_words(plan.name, bounds) if went else ()
    own = say("The same split chose the step, which makes these values optimistic.")
    return Figure(
        id=f"curves.best_step{suffix}",
        caption=spaced(
            [t for t in (said, cut, few, absent, own if split == plan.select_on else ()) if t]
        ),
        chart=Chart(kind="dots", panels=(panel,)),
        # The words have the interval that was computed, the picture what of it can be.
        alt=describe_dots(replace(panel, dots=rows)),
    )


def _dots_sentence(places: Mapping[str, str], *, lower: bool) -> Text:
    if lower:
        return say(
            "{split:cap} {metric} at the step with the lowest {select} {metric}: {shown}. The "
            "axis is fitted to the values.",
            **places,
        )
    return say(
        "{split:cap} {metric} at the step with the highest {select} {metric}: {shown}. The axis is "
        "fitted to the values.",
        **places,
    )
