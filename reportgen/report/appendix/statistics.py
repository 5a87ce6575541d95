"""The test of the headline difference, and what stands beside each result."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, noun, noun_later, say, tell
from reportgen.records.document import (
    Block,
    Cite,
    Number,
    Ref,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.report._run_readings import made
from reportgen.report.appendix.tables import (
    DASH,
    appendix_section,
    excerpt_of_groups,
    lean_table,
    paragraph,
)
from reportgen.report.names import group_key, short_name
from reportgen.report.numbers import (
    Printing,
    counted,
    in_points,
    mean_and_std,
    of_values,
    printing_of,
    summary_beside,
)
from reportgen.report.phrases import level, metric_words, plain_table, result_n, unit_words
from reportgen.stats import summarise_sampling_error, t_statistic

TEST, GROUPS = "statistics.test", "statistics.groups"


def build_statistics(facts: Facts) -> Section | None:
    """Return the section, or None where nothing stands beside a result."""
    blocks: list[Block] = []
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


def _about_test(facts: Facts, comparison: Comparison) -> Text:
    """Say which test was made, and what its interval leaves out."""
    paired = comparison.method == "paired t"
    return say(
        "{table} gives the paired t test {cited} of the difference, seed by seed. Its interval "
        "reflects the runs, not the size of the {split} set."
        if paired
        else "{table} gives Welch’s t test {cited} of the difference; no seeds are paired. Its "
        "interval reflects the runs, not the size of the {split} set.",
        table=Ref(TEST),
        cited=Cite("student" if paired else "welch"),
        split=noun(facts.group(comparison.first).report_split or "reported"),
    )


def _test(facts: Facts, comparison: Comparison) -> Table:
    """Return the difference with its interval, and the test behind it."""
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    printing = printing_of(facts.groups, first, second)
    difference = printing.delta(f"{TEST}.difference", comparison.difference)
    interval = say(
        "{low} to {high}",
        low=printing.delta(f"{TEST}.low", comparison.low),
        high=printing.delta(f"{TEST}.high", comparison.high),
    )
    lines: list[tuple[Text, Text]] = [
        (say("Difference"), in_points(printing, difference)),
        (say("{level} interval", level=level(facts.study)), interval),
    ]
    if isinstance(comparison.p, Quantity):
        lines += _statistics(first, second, comparison)
    caption, titles = _test_caption(facts, first, second), (say("Quantity"), say("Value"))
    return plain_table(TEST, caption, titles, lines, wide=(), right=(1,))


def _test_caption(facts: Facts, first: GroupResult, second: GroupResult) -> Text:
    split, metric = first.report_split, metric_words(facts.study)
    left = result_n(f"{TEST}.first.n", first, facts.study)
    right = result_n(f"{TEST}.second.n", second, facts.study)
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
) -> list[tuple[Text, Text]]:
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
        (("t",), (Number(id=f"{TEST}.t", quantity=t_statistic(first, second), decimals=2),)),
        (
            say("Degrees of freedom"),
            (Number(id=f"{TEST}.degrees", quantity=freedom, decimals=decimals),),
        ),
        (say("p, two-sided"), (Number(id=f"{TEST}.p", quantity=comparison.p, style="p"),)),
        (exact, (Number(id=f"{TEST}.p_floor", quantity=comparison.p_floor, style="p"),)),
    ]


# --- beside each result ---------------------------------------------------------------


def _groups(facts: Facts) -> Table | None:
    """Return for each group what another step or spread gives, and the error of the test set."""
    groups = _told(facts)
    heads = [TableColumn(title=title, align="decimal") for title in _heads(facts)]
    last = any(g.last.n and g.last.values != g.report.values for g in groups)
    oracle = any(g.oracle.values != g.report.values for g in groups)
    table = lean_table(
        GROUPS,
        say(
            "{metric:cap}{unit}: other summaries of each group."
            if len(groups) == sum(group.report.n > 0 for group in facts.groups)
            else "{metric:cap}{unit} of the runs that end at another value.",
            metric=metric_words(facts.study),
            unit=unit_words(printing_of(facts.groups)),
        ),
        (TableColumn(title=say("Group"), wide=True), *heads),
        [_row(facts, group, last=last, oracle=oracle) for group in groups],
        lean=range(2, 1 + len(heads)),
        excerpt=excerpt_of_groups(facts, GROUPS, {g.name: (i,) for i, g in enumerate(groups)}),
    )
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


def _heads(facts: Facts) -> tuple[Text, ...]:
    other = say("Population std" if facts.study.statistics.ddof == 1 else "Sample std")
    sampling = say("{level} Wilson interval", level=level(facts.study))
    width = say("{level} t interval", level=level(facts.study))
    chosen = say("Last step" if facts.selection.is_last else "Best step")
    return chosen, width, say("Last step"), say("Oracle"), other, sampling


def _row(facts: Facts, group: GroupResult, *, last: bool, oracle: bool) -> TableRow:
    key, study = f"{GROUPS}.{group_key(facts, group)}", facts.study
    printing, own = printing_of(facts.groups), printing_of(facts.groups, group)
    size = study.split_sizes.get(group.report_split, 0)
    error = summarise_sampling_error(group.report.mean, size, study.statistics.confidence)
    interval = say(
        "{low} to {high}",
        low=printing.mean(f"{key}.sampling_low", error.low),
        high=printing.mean(f"{key}.sampling_high", error.high),
    )
    other, chooses = group.report.std_other, oracle and _may_choose(facts, group)
    last = last and not facts.selection.is_last
    return TableRow(
        cells=(
            (short_name(facts, group),),
            _reported(key, group, printing),
            _half_width(key, group, printing),
            summary_beside(f"{key}.last", group.last, own, group.report) if last else (),
            (printing.mean(f"{key}.oracle", group.oracle.mean),) if chooses else DASH,
            (printing.mean(f"{key}.std_other", other),) if isinstance(other, Quantity) else DASH,
            interval if isinstance(error.low, Quantity) else DASH,
        )
    )


def _reported(key: str, group: GroupResult, printing: Printing) -> Text:
    """Return the result that is reported, with its n where other columns rest on more runs."""
    summary = group.report
    told = mean_and_std(f"{key}.reported", summary, printing)
    if summary.n in (0, group.last.n):
        return told
    what = message("runs with this value")
    return (*told, " (n = ", counted(f"{key}.n", summary.n, what, of_values(summary)), ")")


def _half_width(key: str, group: GroupResult, printing: Printing) -> Text:
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


def _about_groups(facts: Facts, table: Table) -> Sequence[Text]:
    """Say what the columns are that the table has."""
    there = {column.title for column in table.columns}
    first, _, last, oracle, other, sampling = _heads(facts)
    sizes = facts.study.split_sizes
    split = next((g.report_split for g in facts.groups if g.report_split in sizes), "")
    told: list[Text] = [
        say("{table} sets the last step beside the chosen one.", table=Ref(GROUPS))
        if last in there and first != last
        else say("{table} has other summaries of each group.", table=Ref(GROUPS))
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
                cited=Cite("wilson"),
                n=counted(f"{GROUPS}.size", sizes[split], what, stated),
                split=noun(split),
            )
        )
    return told
