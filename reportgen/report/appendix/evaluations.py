"""Every evaluation: by seed, means, losses, smoothed curves; and the test of the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from reportgen.languages import message, noun, noun_later, say, tell
from reportgen.records import document as doc
from reportgen.records.facts import Comparison, Facts, GroupResult, OtherMetric
from reportgen.records.metrics import SHARES_OF_EXAMPLES
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.record import record, replace
from reportgen.report import phrases
from reportgen.report._run_readings import judged_once, made
from reportgen.report.appendix.tables import (
    DASH,
    MOST_COLUMNS,
    Grid,
    Line,
    Member,
    Places,
    appendix_section,
    course_blocks,
    excerpt_of_groups,
    leaned,
    loss_blocks,
    members_on,
    paragraph,
    places_of,
)
from reportgen.report.names import cell_key, group_key, short_name, slug
from reportgen.report.numbers import (
    Printing,
    counted,
    in_points,
    mean_and_std,
    of_seed,
    of_values,
    printing_of,
    seed_number,
    summary_beside,
)
from reportgen.stats import BITS, NO_VALUES, reading_of, summarise_sampling_error, t_statistic

# Every evaluation: by seed, the means on validation, losses, smoothed curves, other metrics.

TABLE = "evaluations.table"
MEANS = "evaluations.means"
LONG_NAME, FEW_COLUMNS = 20, 5
"""Letters of a name from which on there is room for so few evaluations beside it."""
MOST_MEANS = 6
"""Evaluations of which mean and spread have a column each."""


def build_evaluations(facts: Facts) -> doc.Section | None:
    """Return the section, or None where nothing was evaluated more than once."""
    every, means = _every(facts), _means(facts)
    blocks: list[doc.Block] = [
        *paragraph(_about(facts, every, means)),
        *(table for table in (every, means) if table is not None),
        *course_blocks(facts),
        *loss_blocks(facts),
        *other_blocks(facts),
    ]
    judged = any(_splits_of(facts, group, alone=False) != ["train"] for group in facts.groups)
    return appendix_section("evaluations", tell("Evaluations" if judged else "Curves"), blocks)


def _about(facts: Facts, every: doc.Table | None, means: doc.Table | None) -> doc.Text:
    """Say what the two tables have."""
    metric = phrases.metric_words(facts.study)
    if every is None:
        return ()
    return say(
        "{every} gives the {metric} over training."
        if len(facts.runs) == 1
        else "{every} gives the {metric} of each run over training."
        if means is None
        else "{every} gives the {metric} of each run over training, {means} the means.",
        every=doc.Ref(TABLE),
        means=doc.Ref(MEANS),
        metric=metric,
    )


# --- one line a run -------------------------------------------------------------------


def _splits_of(facts: Facts, group: GroupResult, *, alone: bool) -> list[str]:
    """Return the split a group is shown on, the reported one where it has a curve; else more."""
    metric = facts.study.metric
    wanted = (group.report_split, metric.select_on, *(("train",) if alone else ()))
    found = [
        split
        for split in dict.fromkeys(wanted)
        if any(len(m.series) > 1 for m in members_on((group,), metric.name, split))
    ]
    return found if alone else found[:1]


def _every(facts: Facts) -> doc.Table | None:
    """Return the table of every evaluation; None where no run has two."""
    name, alone = facts.study.metric.name, len(facts.runs) == 1
    splits = {g.name: own for g in facts.groups if (own := _splits_of(facts, g, alone=alone))}
    if not splits:
        return None
    shown = [group for group in facts.groups if group.name in splits]
    members = [m for g in shown for split in splits[g.name] for m in members_on((g,), name, split)]
    places = places_of([m for m in members if m.series.split != "train"] or members)
    several = len({split for own in splits.values() for split in own}) > 1
    repeated = [group for group in shown if len(group.cells) > 1]
    seeds = all(map(phrases.has_seeds, repeated or shown))
    named = seeds or bool(repeated)
    by_split = several or alone
    kept = (not alone, named and not alone, by_split)
    names = [short_name(facts, group) for group in shown]
    if named and not seeds:
        names += [phrases.run_words(group, cell) for group in shown for cell in group.cells]
    rows: dict[str, Sequence[int]] = {}
    lines: list[Line] = []
    for group in shown:
        start = len(lines)
        for split in splits[group.name]:
            for called, one in _lines(facts, group, places, split, seeds=seeds):
                label: doc.Text = (short_name(facts, group),) if len(lines) == start else ()
                heads = (label, called, (phrases.capital(phrases.split_noun(split)),))
                shown_heads = tuple(head for head, there in zip(heads, kept, strict=True) if there)
                lines.append(replace(one, heads=shown_heads))
        rows[group.name] = range(start, len(lines))
    columns = (
        doc.TableColumn(title=say("Group" if named else "Run"), wide=True),
        doc.TableColumn(title=say("Seed" if seeds else "Run"), align="right" if seeds else "left"),
        doc.TableColumn(title=say("Split")),
    )
    return Grid(
        identifier=TABLE,
        caption=_caption(facts, "" if by_split else members[0].series.split),
        heads=tuple(one for one, there in zip(columns, kept, strict=True) if there),
        lines=tuple(lines),
        members=tuple(members),
        places=places,
        excerpt=excerpt_of_groups(facts, TABLE, rows),
        reported=say("last" if facts.selection.is_last else "chosen"),
        most=MOST_COLUMNS if max(map(len, names)) <= LONG_NAME else FEW_COLUMNS,
    ).table()


def _lines(
    facts: Facts, group: GroupResult, places: Places, split: str, *, seeds: bool
) -> Iterator[tuple[doc.Text, Line]]:
    """Yield for each run of a group its seed or its folder, and its values."""
    found = members_on((group,), facts.study.metric.name, split)
    members = {id(member.cell): member for member in found}
    for cell in group.cells:
        key = f"{TABLE}.{group_key(facts, group)}.{cell_key(group, cell)}"
        if len(facts.runs) == 1:
            key += f".{slug(split)}"
        name: doc.Text = () if seeds else (doc.Code(phrases.run_words(group, cell)),)
        if seeds and cell.seed is not None:
            read = () if cell.run is None else (of_seed(cell.run, facts.study.metric),)
            name = (seed_number(f"{key}.seed", cell.seed, read),)
        member = members.get(id(cell))
        value = _values(facts, member, places, key)
        yield name, Line(value=value, member=member, reported=_reported(facts, member, key))


def _reported(facts: Facts, member: Member | None, key: str) -> doc.Text:
    """Return the value of a run at the step that is reported."""
    if member is None:
        return DASH
    return _value_at(facts, member, member.chosen, f"{key}.reported")


def _values(
    facts: Facts, member: Member | None, places: Places, key: str
) -> Callable[[float], doc.Text]:
    """Return the function that prints a run at a place, bold where its step was chosen."""

    def text(place: float) -> doc.Text:
        if member is None:
            return DASH
        return _value_at(facts, member, places.step(member, place), f"{key}.at{place:g}")

    return text


def _value_at(facts: Facts, member: Member, step: int | None, key: str) -> doc.Text:
    """Return the value of a run at a step, bold where that was chosen."""
    if step is None:
        return DASH
    reading = reading_of(member.run, member.series.metric, member.series.split, step)
    if isinstance(reading, Missing):
        return DASH
    number = printing_of(facts.groups, member.group).one(key, reading)
    chosen = member.chosen == step and not facts.selection.is_last
    return (doc.Strong((number,)),) if chosen else (number,)


def _caption(facts: Facts, split: str) -> doc.Text:
    """Say what the values are; without a split where they are of several, or of none."""
    metric, unit = phrases.metric_words(facts.study), phrases.unit_words(printing_of(facts.groups))
    what = (
        say("{split} {metric}", split=phrases.split_noun(split), metric=metric)
        if split
        else (metric,)
    )
    alone = len(facts.runs) == 1
    return say(
        "{what:cap}{unit} as logged."
        if split == "train" or (alone and facts.selection.is_last)
        else "{what:cap}{unit} at each evaluation; the chosen one is bold."
        if alone
        else "{what:cap}{unit} of each run at each evaluation."
        if facts.selection.is_last
        else "{what:cap}{unit} of each run at each evaluation; the chosen ones are bold.",
        what=what,
        unit=unit,
    )


# --- one line a group -----------------------------------------------------------------


@record(kw_only=False)
class _Course:
    """The means of a group on a split, with the n that most of them have."""

    group: GroupResult
    split: str
    n: int


def _courses(facts: Facts) -> list[_Course]:
    """Return the means that neither the body nor the table of every run has."""
    long = any(len(group.epochs) > MOST_MEANS for group in facts.groups)
    found: list[_Course] = []
    for group in facts.groups:
        shown = _splits_of(facts, group, alone=False)
        for split in dict.fromkeys((facts.study.metric.select_on, group.report_split)):
            counts = [row.splits[split].n for row in group.epochs if split in row.splits]
            if sum(map(bool, counts)) > 1:
                n = Counter(counts).most_common(1)[0][0]
                if split not in shown or (long and n > 1):
                    found.append(_Course(group, split, n))
    return found


def _means(facts: Facts) -> doc.Table | None:
    """Return mean and spread at each evaluation; nothing that the other tables have."""
    courses = _courses(facts)
    if facts.selection.is_last or not courses or len(facts.runs) == 1:
        return None
    members = [m for c in courses for m in members_on((c.group,), facts.study.metric.name, c.split)]
    places = places_of(members)
    same = len({course.n for course in courses}) == 1
    several = len({course.split for course in courses}) > 1
    lines: list[Line] = []
    rows: dict[str, list[int]] = {}
    for course in courses:
        rows.setdefault(course.group.name, []).append(len(lines))
        split = ((phrases.capital(noun(course.split)),),) if several else ()
        heads = (_label(facts, course, same=same), *split)
        value = _mean_at(facts, course, by_epoch=bool(places.epochs))
        lines.append(Line(heads=heads, value=value))
    last = (doc.TableColumn(title=say("Split")),) if several else ()
    return Grid(
        identifier=MEANS,
        caption=_means_caption(facts, courses, same=same),
        heads=(doc.TableColumn(title=say("Group"), wide=True), *last),
        lines=tuple(lines),
        members=tuple(members),
        places=places,
        excerpt=excerpt_of_groups(facts, MEANS, rows),
        most=MOST_MEANS,
    ).table()


def _label(facts: Facts, course: _Course, *, same: bool) -> doc.Text:
    """Return the name of a group, with its n where groups have different ones."""
    if same or not course.n:
        return (short_name(facts, course.group),)
    runs = of_values(course.group.select)[: course.n]
    key = f"{MEANS}.{group_key(facts, course.group)}.{course.split}.n"
    number = counted(key, course.n, message("runs with a value at most evaluations"), runs)
    return (short_name(facts, course.group), " (n = ", number, ")")


def _mean_at(facts: Facts, course: _Course, *, by_epoch: bool) -> Callable[[float], doc.Text]:
    """Return the function that prints the mean of a group at a place, with an n of its own."""
    group, split = course.group, course.split
    rows = {(row.epoch if by_epoch else float(row.step)): row.splits for row in group.epochs}

    def text(place: float) -> doc.Text:
        summary = rows.get(place, {}).get(split)
        if summary is None or not summary.n:
            return DASH
        key = f"{MEANS}.{group_key(facts, group)}.{split}.at{place:g}"
        value = mean_and_std(key, summary, printing_of(facts.groups, group))
        if summary.n == course.n:
            return value
        what = message("runs with a value at this step")
        return (*value, " (n = ", counted(f"{key}.n", summary.n, what, of_values(summary)), ")")

    return text


def _means_caption(facts: Facts, courses: Sequence[_Course], *, same: bool) -> doc.Text:
    """Say what is printed of each group, and of how many runs where all have as many."""
    splits, n = {course.split for course in courses}, courses[0].n if same else 0
    metric, unit = phrases.metric_words(facts.study), phrases.unit_words(printing_of(facts.groups))
    what: doc.Text = (metric,)
    if len(splits) == 1:
        what = say("{split} {metric}", split=noun(splits.pop()), metric=metric)
    if n == 0 and max(course.n for course in courses) > 2:
        return say(
            "{what:cap}{unit} at each evaluation: mean ± standard deviation.", what=what, unit=unit
        )
    if n < 2:
        return say("{what:cap}{unit} of each group at each evaluation.", what=what, unit=unit)
    runs = of_values(max((c.group for c in courses), key=lambda group: group.select.n).select)[:n]
    return say(
        "{what:cap}{unit} at each evaluation: both values of {n} runs a group."
        if n == 2
        else "{what:cap}{unit} at each evaluation: mean ± standard deviation of {n} runs a group.",
        what=what,
        unit=unit,
        n=counted(f"{MEANS}.n", n, message("runs with a value in each group"), runs),
    )


# --- other metrics --------------------------------------------------------------------


OTHERS = "evaluations.others"
METRICS_A_TABLE = 4


def other_blocks(facts: Facts) -> list[doc.Block]:
    """Return the other metrics of each group; nothing where none was evaluated."""
    shown = [m for m in facts.others.metrics if any(g.report.n for g in m.groups)]
    alone = len({g.name for m in shown for g in m.groups if g.report.n}) == 1
    size = len(shown) if alone else METRICS_A_TABLE
    chunks = [shown[i : i + size] for i in range(0, len(shown), size or 1)]
    keys = [f"{OTHERS}{i + 1}" if i else OTHERS for i in range(len(chunks))]
    if not shown:
        return []
    refs = phrases.joined([(doc.Ref(key),) for key in keys])
    about = say(
        "{tables} gives the {metric} {step}."
        if len(shown) == 1
        else "Other metrics {step}: {tables}.",
        tables=refs,
        metric=phrases.spelled(shown[0].name),
        step=_moment(facts),
    )
    names: list[doc.Text] = [(doc.Code(name),) for name in facts.others.left]
    left = say("In the logs alone: {names}.", names=phrases.joined(names)) if names else ()
    tables = [_table(facts, some, key) for some, key in zip(chunks, keys, strict=True)]
    return [*paragraph(about, left), *tables]


def _moment(facts: Facts) -> str:
    """Return at which step metrics are read that chose nothing."""
    if judged_once(facts, facts.groups):
        return tell("of each run")
    return tell("at the last step" if facts.selection.is_last else "at the chosen step")


def _by_unit(metric: OtherMetric) -> list[OtherMetric]:
    """Return a metric; twice, with the groups of one unit each, where some are in bits."""
    if len(_units(metric)) < 2 or BITS not in _units(metric):
        return [metric]
    bits = {g.name for g in metric.groups if getattr(g.report.mean, "unit", "") == BITS}
    others = {g.name for g in metric.groups} - bits
    return [
        replace(
            metric,
            groups=tuple(
                g if g.name in own else replace(g, report=NO_VALUES) for g in metric.groups
            ),
            comparisons=tuple(c for c in metric.comparisons if {c.first, c.second} <= own),
        )
        for own in (bits, others)
    ]


def _table(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> doc.Table:
    named, metrics = metrics, [own for metric in metrics for own in _by_unit(metric)]
    own = [{group.name: group for group in metric.groups} for metric in metrics]
    shown = [g for g in facts.groups if any(one[g.name].report.n for one in own)]
    rows = [
        _row(facts, metrics, [one[g.name] for one in own], f"{key}.{group_key(facts, g)}")
        for g in shown
    ]
    compared = [one for m in metrics for one in m.comparisons[:1] if len(shown) > 1]
    is_told = any(isinstance(one.difference, Quantity) for one in compared)
    ends = [_difference(facts, metrics, key)] if is_told else []
    splits = {_split(metric) for metric in metrics}
    common = splits.pop() if len(splits) == 1 < len(metrics) else ""
    titles = [_title(metric, bare=bool(common)) for metric in metrics]
    heads: list[doc.Text] = [say("Group"), ("n",), *titles]
    down = len(rows) == 1 < len(metrics)
    if down:
        # Of one group each metric has a row.
        name, n, *values = rows[0]
        rows = [(title, n, value) for title, value in zip(titles, values, strict=True)]
        heads = [say("Metric"), ("n",), name]
    table = phrases.plain_table(
        key,
        say(
            "Other {split} metrics {step}."
            if common and len(named) > 1
            else "Other metrics {step}."
            if down
            else "{metrics:cap} {step}.",
            split=phrases.split_noun(common),
            metrics=phrases.joined([_words(metric) for metric in named]),
            step=_moment(facts),
        ),
        heads,
        [*rows, *ends],
        right=(1,),
        decimal=range(2, len(heads)),
        excerpt=excerpt_of_groups(
            facts,
            key,
            {g.name: (i,) for i, g in enumerate(shown)},
            range(len(shown), len(shown) + len(ends)),
        ),
    )
    return leaned(table, (1,))


def _words(metric: OtherMetric) -> doc.Text:
    """Return a metric with the split of its values, where all groups have the same one."""
    split, words = phrases.split_noun(_split(metric)), phrases.spelled(metric.name)
    return say("{split} {metric}", split=split, metric=words) if split else (words,)


def _split(metric: OtherMetric) -> str:
    splits = {g.report_split for g in metric.groups if g.report.n}
    return splits.pop() if len(splits) == 1 else ""


def _title(metric: OtherMetric, *, bare: bool) -> doc.Text:
    sign = ", %" if printing_of(metric.groups).style == "percent" else ""
    sign = f", {tell('bits')}" if _units(metric) == {BITS} else sign
    words = phrases.spelled(metric.name) if bare else "".join(map(str, _words(metric)))
    return (phrases.capital(words) + sign,)


def _units(metric: OtherMetric) -> set[str]:
    """Return the units of the means of a metric; fairseq logs losses in bits."""
    means = (group.report.mean for group in metric.groups)
    return {mean.unit for mean in means if isinstance(mean, Quantity)}


def _row(
    facts: Facts, metrics: Sequence[OtherMetric], groups: Sequence[GroupResult], name: str
) -> tuple[doc.Text, ...]:
    """Return the values of one group, which comes once with those of each metric."""
    stated = next(group for group in groups if group.report.n)
    cells: list[doc.Text] = []
    for metric, one in zip(metrics, groups, strict=True):
        printing = printing_of(metric.groups, one)
        place = f"{name}.{_key(metric, metrics)}"
        beside = summary_beside(place, one.report, printing, stated.report)
        cells.append(beside if one.report.n else DASH)
    n = phrases.result_n(f"{name}.n", stated, facts.study)
    return ((short_name(facts, stated),), (n,), *cells)


def _key(metric: OtherMetric, metrics: Sequence[OtherMetric]) -> str:
    """Return what a metric is called in ids: with its split where another has its name."""
    alike = len({_split(one) for one in metrics if one.name == metric.name}) > 1
    splits = {g.report_split for g in metric.groups if g.report.n} if alike else set[str]()
    return ".".join((*sorted(splits), slug(metric.name)))


def _difference(facts: Facts, metrics: Sequence[OtherMetric], key: str) -> doc.TableRow:
    """Return the row of the headline difference of each metric, with its interval."""
    cells: list[doc.Text] = []
    for metric in metrics:
        one, name = next(iter(metric.comparisons), None), _key(metric, metrics)
        if one is None or not isinstance(one.difference, Quantity):
            cells.append(DASH)
            continue
        name = f"{key}.difference.{name}"
        pair = [g for g in metric.groups if g.name in {one.first, one.second}]
        printing = printing_of(metric.groups, *pair)
        cell: doc.Text = (printing.delta(name, one.difference),)
        if isinstance(one.low, Quantity):
            low = printing.delta(f"{name}.low", one.low)
            high = printing.delta(f"{name}.high", one.high)
            cell = say("{difference} ({low} to {high})", difference=cell, low=low, high=high)
        cells.append(cell)
    names = (facts.comparisons[0].first, facts.comparisons[0].second)
    first, second = (short_name(facts, facts.group(name)) for name in names)
    return doc.TableRow(
        kind="total", cells=(say("{first} − {second}", first=first, second=second), (), *cells)
    )


# The test of the headline difference, and what stands beside each result.

TEST, GROUPS = "statistics.test", "statistics.groups"


def build_statistics(facts: Facts) -> doc.Section | None:
    """Return the section, or None where nothing stands beside a result."""
    blocks: list[doc.Block] = []
    headline = next(iter(facts.comparisons), None)
    if headline is not None and isinstance(headline.low, Quantity):
        blocks += [*paragraph(_about_test(facts, headline)), _test(facts, headline)]
    beside = _groups(facts)
    if beside is not None:
        blocks += [*paragraph(*_about_groups(facts, beside)), beside]
    heads = {column.title for column in beside.columns[2:]} if beside else set()
    only_last = len(blocks) == 2 and heads == {_heads(facts)[2]}
    title = tell("Last and chosen step" if only_last else "Statistics")
    return appendix_section("statistics", title, blocks)


# --- the headline difference ----------------------------------------------------------


def _about_test(facts: Facts, comparison: Comparison) -> doc.Text:
    """Say which test was made, and what its interval leaves out."""
    paired = comparison.method == "paired t"
    return say(
        "{table} gives the paired t test {cited} of the difference, seed by seed. Its interval "
        "reflects the runs, not the size of the {split} set."
        if paired
        else "{table} gives Welch’s t test {cited} of the difference; no seeds are paired. Its "
        "interval reflects the runs, not the size of the {split} set.",
        table=doc.Ref(TEST),
        cited=doc.Cite("student" if paired else "welch"),
        split=noun(facts.group(comparison.first).report_split or "reported"),
    )


def _test(facts: Facts, comparison: Comparison) -> doc.Table:
    """Return the difference with its interval, and the test behind it."""
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    printing = printing_of(facts.groups, first, second)
    difference = printing.delta(f"{TEST}.difference", comparison.difference)
    interval = say(
        "{low} to {high}",
        low=printing.delta(f"{TEST}.low", comparison.low),
        high=printing.delta(f"{TEST}.high", comparison.high),
    )
    lines: list[tuple[doc.Text, doc.Text]] = [
        (say("Difference"), in_points(printing, difference)),
        (say("{level} interval", level=phrases.level(facts.study)), interval),
    ]
    if isinstance(comparison.p, Quantity):
        lines += _statistics(first, second, comparison)
    caption, titles = _test_caption(facts, first, second), (say("Quantity"), say("Value"))
    return phrases.plain_table(TEST, caption, titles, lines, wide=(), right=(1,))


def _test_caption(facts: Facts, first: GroupResult, second: GroupResult) -> doc.Text:
    split, metric = first.report_split, phrases.metric_words(facts.study)
    left = phrases.result_n(f"{TEST}.first.n", first, facts.study)
    right = phrases.result_n(f"{TEST}.second.n", second, facts.study)
    same = first.report.n == second.report.n
    both = say("n = {first} and {second}", first=left, second=right)
    return say(
        "{what:cap}, {first} minus {second} ({runs}).",
        what=say("{split} {metric}", split=noun(split), metric=metric) if split else metric,
        first=short_name(facts, first),
        second=short_name(facts, second),
        runs=say("n = {n} each", n=left) if same else both,
    )


def _statistics(
    first: GroupResult, second: GroupResult, comparison: Comparison
) -> list[tuple[doc.Text, doc.Text]]:
    degrees = comparison.degrees or 0.0
    words = message("degrees of freedom of the {test} test", test=noun_later(comparison.method))
    sources = of_values(first.report) + of_values(second.report)
    formula = f"{first.report.n} - 1" if comparison.pairs else ""
    freedom = made(degrees, words, sources, formula=formula)
    decimals = 0 if degrees.is_integer() else 1
    exact = say(
        "Smallest p that an exact sign-flip test can give"
        if comparison.method == "paired t"
        else "Smallest p that an exact permutation test can give"
    )
    return [
        (("t",), (doc.Number(id=f"{TEST}.t", quantity=t_statistic(first, second), decimals=2),)),
        (
            say("Degrees of freedom"),
            (doc.Number(id=f"{TEST}.degrees", quantity=freedom, decimals=decimals),),
        ),
        (say("p, two-sided"), (doc.Number(id=f"{TEST}.p", quantity=comparison.p, style="p"),)),
        (exact, (doc.Number(id=f"{TEST}.p_floor", quantity=comparison.p_floor, style="p"),)),
    ]


# --- beside each result ---------------------------------------------------------------


def _groups(facts: Facts) -> doc.Table | None:
    """Return for each group what another step or spread gives, and the error of the test set."""
    groups = _told(facts)
    heads = _heads(facts)
    last = any(g.last.n and g.last.values != g.report.values for g in groups)
    oracle = any(g.oracle.values != g.report.values for g in groups)
    whole = phrases.plain_table(
        GROUPS,
        say(
            "{metric:cap}{unit}: other summaries of each group."
            if len(groups) == sum(group.report.n > 0 for group in facts.groups)
            else "{metric:cap}{unit} of the runs that end at another value.",
            metric=phrases.metric_words(facts.study),
            unit=phrases.unit_words(printing_of(facts.groups)),
        ),
        (say("Group"), *heads),
        [_group_row(facts, group, last=last, oracle=oracle) for group in groups],
        decimal=range(1, 1 + len(heads)),
        excerpt=excerpt_of_groups(facts, GROUPS, {g.name: (i,) for i, g in enumerate(groups)}),
    )
    table = leaned(whole, range(2, 1 + len(heads)))
    return table if len(table.columns) > 2 else None


def _told(facts: Facts) -> list[GroupResult]:
    """Return the groups with a result; of single runs, those that end at another value."""
    groups = [group for group in facts.groups if group.report.n]
    if facts.study.split_sizes or any(group.report.n > 1 for group in groups):
        return groups
    return [g for g in groups if _ends_elsewhere(facts, g) or _may_choose(facts, g)]


def _ends_elsewhere(facts: Facts, group: GroupResult) -> bool:
    """Tell whether the last value is printed as another one than that of the chosen step."""
    last, reported = group.last.mean, group.report.mean
    if not (isinstance(last, Quantity) and isinstance(reported, Quantity)):
        return last != reported
    rounded = printing_of(facts.groups, group).rounded
    return rounded(last) != rounded(reported)


def _heads(facts: Facts) -> tuple[doc.Text, ...]:
    other = say("Population std" if facts.study.statistics.ddof == 1 else "Sample std")
    sampling = say("{level} Wilson interval", level=phrases.level(facts.study))
    width = say("{level} t interval", level=phrases.level(facts.study))
    chosen = say("Last step" if facts.selection.is_last else "Best step")
    return chosen, width, say("Last step"), say("Oracle"), other, sampling


def _group_row(
    facts: Facts, group: GroupResult, *, last: bool, oracle: bool
) -> tuple[doc.Text, ...]:
    key, study = f"{GROUPS}.{group_key(facts, group)}", facts.study
    printing, own = printing_of(facts.groups), printing_of(facts.groups, group)
    is_share = study.metric.name in SHARES_OF_EXAMPLES and not phrases.has_folds([group])
    size = study.split_sizes.get(group.report_split, 0) if is_share else 0
    error = summarise_sampling_error(group.report.mean, size, study.statistics.confidence)
    interval = say(
        "{low} to {high}",
        low=printing.mean(f"{key}.sampling_low", error.low),
        high=printing.mean(f"{key}.sampling_high", error.high),
    )
    other, chooses = group.report.std_other, oracle and _may_choose(facts, group)
    last = last and not facts.selection.is_last
    return (
        (short_name(facts, group),),
        _reported_mean(key, group, printing),
        _half_width(key, group, printing),
        summary_beside(f"{key}.last", group.last, own, group.report) if last else (),
        (printing.mean(f"{key}.oracle", group.oracle.mean),) if chooses else DASH,
        (printing.mean(f"{key}.std_other", other),) if isinstance(other, Quantity) else DASH,
        interval if isinstance(error.low, Quantity) else DASH,
    )


def _reported_mean(key: str, group: GroupResult, printing: Printing) -> doc.Text:
    """Return the result that is reported, with its n where other columns rest on more runs."""
    summary = group.report
    told = mean_and_std(f"{key}.reported", summary, printing)
    if summary.n in (0, group.last.n):
        return told
    what = message("runs with this value")
    return (*told, " (n = ", counted(f"{key}.n", summary.n, what, of_values(summary)), ")")


def _half_width(key: str, group: GroupResult, printing: Printing) -> doc.Text:
    """Return half the width of the interval of a mean over runs."""
    width = group.report.interval
    return ("±", printing.mean(f"{key}.interval", width)) if isinstance(width, Quantity) else DASH


def _may_choose(facts: Facts, group: GroupResult) -> bool:
    """Return whether a run of a group has several values on the reporting split to choose from."""
    metric, split = facts.study.metric, group.report_split
    if split == metric.select_on or facts.selection.is_last or not group.oracle.n:
        return False
    runs = (cell.run for cell in group.cells if cell.run is not None)
    return any((s := run.find(metric.name, split)) is not None and len(s) > 1 for run in runs)


def _about_groups(facts: Facts, table: doc.Table) -> Sequence[doc.Text]:
    """Say what the columns are that the table has."""
    there = {column.title for column in table.columns}
    first, _, last, oracle, other, sampling = _heads(facts)
    sizes = facts.study.split_sizes
    split = next((g.report_split for g in facts.groups if g.report_split in sizes), "")
    told: list[doc.Text] = [
        say("{table} sets the last step beside the chosen one.", table=doc.Ref(GROUPS))
        if last in there and first != last
        else say("{table} has other summaries of each group.", table=doc.Ref(GROUPS))
    ]
    if oracle in there:
        told.append(
            say("The oracle chooses each step on the split it is judged on: it is an upper bound.")
        )
    if other in there and facts.study.statistics.ddof == 1:
        told.append(say("The population standard deviation divides by n, not n − 1."))
    if sampling in there:
        what = message("examples of {split}", split=noun_later(split))
        stated = (facts.study.cite(f"splits.sizes.{split}", sizes[split]),)
        told.append(
            say(
                "The last column is the Wilson interval {cited} of one mean over {n} {split} "
                "examples.",
                cited=doc.Cite("wilson"),
                n=counted(f"{GROUPS}.size", sizes[split], what, stated),
                split=noun(split),
            )
        )
    return told
