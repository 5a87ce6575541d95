"""The headline: what was compared, every group's result, and the difference."""

from __future__ import annotations

from reportgen.records.document import (
    Code,
    Paragraph,
    Ref,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.sections._numbers import (
    Printing,
    counted,
    group_key,
    mean_and_std,
    of_cell,
    of_cells,
    printing_of,
    same_runs,
    summary_beside,
)
from reportgen.sections._phrases import (
    capital,
    chose_its_own,
    group_result,
    joined,
    level,
    metric_words,
    name_of,
    plural,
    result_n,
    section_of,
    selection_words,
    sizes_words,
    spread_words,
    unit_words,
    with_names,
)
from reportgen.sections._reasons import reasons_words
from reportgen.sections._reruns import rerun_sentence, without_reruns
from reportgen.stats.compare import difference_of
from reportgen.stats.summarise import CONSTANT

TABLE = "summary.headline"
MOST_TOLD = 4
MOST_REASONS = 3


def build(facts: Facts) -> Section | None:
    """Return the summary, or None where no group was found or declared."""
    if not facts.groups:
        return None
    printing = printing_of(facts.groups)
    own = facts.study.report.abstract  # one that says what the sentences would say is not there
    texts = (
        _sentences(facts, "summary.text") if own else (),
        _reading(facts),
        _missing_cells(facts),
        _why_these(facts),
    )
    paragraphs = [Paragraph(text=text) for text in texts if text]
    blocks = (_table(facts, printing), *paragraphs, *without_reruns(facts))
    return section_of("summary", "Summary", blocks)


def abstract(facts: Facts) -> Text:
    """Return the summary's sentences as an abstract; empty without groups."""
    if not facts.groups:
        return ()
    text = with_names(_sentences(facts, "abstract"))
    if again := rerun_sentence(facts, "abstract"):
        text += (" ", *again)
    if not any(isinstance(c.best_step, Quantity) for g in facts.groups for c in g.cells):
        return text
    caveat = chose_its_own(facts)
    chosen = f"Each step was chosen on the {facts.study.metric.select_on} split alone"
    warned = f". Caution: {caveat}. E" if caveat else ", and e"
    return (*text, f" {chosen}{warned}very number was computed from the logs.")


def _reading(facts: Facts) -> Text:
    """Say how the table is read."""
    text: Text = (
        Ref(TABLE),
        (
            " has a row for each group; n counts its runs with a value at their best step, and "
            "the last column is what the runs reach when no step is chosen."
        ),
    )
    if any(group.cells for group in facts.groups):
        text += (" The runs stand one by one in ", Ref("best_step.table"), ".")
    return text


def _why_these(facts: Facts) -> Text:
    """Say why two of many groups are compared that nobody named, or why none are."""
    known = [group for group in facts.groups if group.report.n]
    if facts.study.compare or len(known) < 3:
        return ()
    named: Text = (" under ", Code("[comparison] groups"), " in the study file")
    if not facts.comparisons:
        count = counted(
            *("summary.groups", len(known), "groups with a result"),
            of_cells(facts.study, known),
        )
        start = "No difference is given: which two of the "
        return (start, count, " groups are to be compared is not stated", *named, ".")
    pair = [facts.group(n) for n in (facts.comparisons[0].first, facts.comparisons[0].second)]
    many = " with three runs or more" if min(group.report.n for group in pair) > 2 else ""
    names = " and ".join(map(name_of, pair))
    alike = f"the only two groups{many} that have layout, unit and split in common"
    return (f"{names} are compared because they are {alike}; others can be named", *named, ".")


def _sentences(facts: Facts, prefix: str) -> Text:
    text = _lead(facts, prefix)
    for group in _told(facts):
        key = f"{prefix}.{group_key(facts, group)}"
        clause = group_result(key, group, facts.study, printing_of(facts.groups, group))
        text += ((" ",) if text else ()) + (*clause, ".")
    if facts.comparisons:
        text += (" ", *_difference(facts, facts.comparisons[0], prefix))
    return text


def _lead(facts: Facts, prefix: str) -> Text:
    """Return the sentence that says which of many groups are told of."""
    if len(facts.groups) <= MOST_TOLD:
        return ()
    runs = of_cells(facts.study, facts.groups)
    groups = counted(f"{prefix}.groups", len(facts.groups), "groups of runs", runs)
    if not _told(facts):
        return ("None of the ", groups, " groups of runs has a result at a best step.")
    best, weakest = _ends(facts)
    all_told = len(best) + len(weakest) == len(_told(facts))
    start: Text = ("Of ", groups, " groups of runs, ")
    if weakest and all_told:
        return (*start, "those with the best and the weakest result are named here.")
    if all_told:
        return (*start, "those with a result, which is the same for them, are named here.")
    many = counted(f"{prefix}.best", len(best), "groups with the best result", runs)
    few = counted(f"{prefix}.weakest", len(weakest), "groups with the weakest result", runs)
    if not weakest:
        return (*start, "one of ", many, " that all have the same result is named here.")
    first: Text = ("one of ", many) if best[1:] else ("the one",)
    last: Text = ("one of ", few) if weakest[1:] else ("the one",)
    ends = (*first, " with the best result and ", *last, " with the weakest")
    return (*start, *ends, " are named here.")


def _ends(facts: Facts) -> tuple[tuple[GroupResult, ...], tuple[GroupResult, ...]]:
    """Return every group with the best and with the weakest mean as printed; ties are ties."""
    printing = printing_of(facts.groups)
    known = [
        (printing.rounded(g.report.mean), g)
        for g in facts.groups
        if isinstance(g.report.mean, Quantity)
    ]
    if not known:
        return (), ()
    means = [mean for mean, _ in known]
    low, high = min(means), max(means)
    lowest = tuple(g for mean, g in known if mean == low)
    highest = tuple(g for mean, g in known if mean == high and high != low)
    if facts.study.metric.direction == "lower" or not highest:
        return lowest, highest
    return highest, lowest


def _told(facts: Facts) -> tuple[GroupResult, ...]:
    """Return the groups whose results the text states: all, or the best and the weakest."""
    if len(facts.groups) <= MOST_TOLD:
        return facts.groups
    best, weakest = _ends(facts)
    if len(best) + len(weakest) <= MOST_TOLD:
        return (*best, *weakest)
    return (*best[:1], *weakest[:1])


def _difference(facts: Facts, comparison: Comparison, prefix: str) -> Text:
    """Return the sentence about the headline difference, with as much as n allows."""
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    if isinstance(comparison.difference, Missing):
        return (
            (
                f"No comparison of {name_of(first)} and {name_of(second)} is possible: "
                f"{comparison.difference.reason}."
            ),
        )
    printing = printing_of(facts.groups, first, second)
    text: Text = (
        f"The difference between {name_of(first)} and {name_of(second)} is ",
        printing.delta(f"{prefix}.difference", comparison.difference),
        printing.gap,
    )
    if isinstance(comparison.low, Missing):
        return (*text, f"; {comparison.low.reason}.")
    how = "paired by seed" if comparison.method == "paired t" else "by Welch’s method"
    return (
        *text,
        f" ({level(facts.study)} interval from ",
        printing.delta(f"{prefix}.low", comparison.low),
        " to ",
        printing.delta(f"{prefix}.high", comparison.high),
        f", {how}).",
    )


def _missing_cells(facts: Facts) -> Text:
    cells = [(g, c) for g in facts.groups for c in g.cells]
    absent = [(g, c) for g, c in cells if isinstance(c.report_value, Missing)]
    if not absent:
        return ()
    reasons = reasons_words(
        (c, c.report_value) for _, c in absent if isinstance(c.report_value, Missing)
    )
    shown = "; ".join(reasons[:MOST_REASONS])
    one = len(absent) == 1
    more: Text = ("; and others, listed below ", Ref("best_step.table"))
    return (
        "Of ",
        counted(
            *("summary.cells", len(cells), "runs declared or found"),
            of_cells(facts.study, facts.groups),
        ),
        f" {plural('run', len(cells))} declared or found, ",
        counted(
            *("summary.cells_missing", len(absent), "runs without a reported value"),
            [of_cell(facts.study, group, cell) for group, cell in absent],
        ),
        (
            f" {'has' if one else 'have'} no result and {'counts' if one else 'count'} in no mean: "
            f"{shown}"
        ),
        *(more if len(reasons) > MOST_REASONS else ()),
        ".",
    )


def _table(facts: Facts, printing: Printing) -> Table:
    splits = {group.report_split for group in facts.groups}
    with_split = len(splits) > 1
    rows = [_row(facts, group, with_split=with_split) for group in facts.groups]
    if facts.comparisons and isinstance(facts.comparisons[0].difference, Quantity):
        rows.append(_difference_row(facts, with_split=with_split))
    name = "best step" if with_split else f"{next(iter(splits))}, best step"
    columns = (
        TableColumn(title=("Group",), wide=True),
        *((TableColumn(title=("Split",)),) if with_split else ()),
        TableColumn(title=("n",), align="right"),
        TableColumn(title=(capital(name),), align="decimal"),
        TableColumn(title=(f"{level(facts.study)} interval",), align="center"),
        TableColumn(title=("Last step",), align="decimal"),
    )
    return Table(
        id=TABLE,
        caption=_caption(facts, printing, splits),
        columns=columns,
        rows=tuple(rows),
        notes=tuple(_notes(facts)),
    )


def _row(facts: Facts, group: GroupResult, *, with_split: bool) -> TableRow:
    printing = printing_of(facts.groups, group)
    key = f"{TABLE}.{group_key(facts, group)}"
    interval: Text = ("—",)
    if isinstance(group.report.interval, Quantity):
        interval = ("± ", printing.mean(f"{key}.interval", group.report.interval))
    return TableRow(
        cells=(
            (group.label,),
            *(((group.report_split,),) if with_split else ()),
            (result_n(f"{key}.n", group, facts.study),),
            mean_and_std(f"{key}.report", group.report, printing),
            interval,
            summary_beside(f"{key}.last", group.last, printing, group.report),
        )
    )


def _difference_row(facts: Facts, *, with_split: bool) -> TableRow:
    comparison = facts.comparisons[0]
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    printing = printing_of(facts.groups, first, second)
    interval: Text = ("—",)
    if isinstance(comparison.low, Quantity):
        low = printing.delta(f"{TABLE}.low", comparison.low)
        interval = (low, " to ", printing.delta(f"{TABLE}.high", comparison.high))
    last = difference_of(first.last.mean, second.last.mean, "difference of the last-step means")
    return TableRow(
        kind="total",
        cells=(
            (f"Difference{',' if printing.gap else ''}{printing.gap}",),
            *(((),) if with_split else ()),
            (),
            (printing.delta(f"{TABLE}.difference", comparison.difference),),
            interval,
            (printing.delta(f"{TABLE}.last_difference", last),),
        ),
    )


def _caption(facts: Facts, printing: Printing, splits: set[str]) -> Text:
    study = facts.study
    split = next(iter(splits)) if len(splits) == 1 else ""
    what = f"{split} {metric_words(study)}".strip()
    start = (
        f"{capital(what)}{unit_words(printing)} at the best {study.metric.select_on} step and at "
        "the last step: "
    )
    reports = [group.report for group in facts.groups]
    shown = [*reports, *(group.last for group in facts.groups)]
    spread = spread_words(f"{TABLE}.caption", shown, facts.groups, study)
    interval = (
        f"; and the half width of the {level(study)} t interval of the best-step mean. "
        if any(isinstance(report.interval, Quantity) for report in reports)
        else ". "
    )
    sizes = sizes_words(f"{TABLE}.caption", study)
    return (start, *spread, interval, selection_words(study), *sizes)


def _notes(facts: Facts) -> list[Text]:
    notes = [*_optimistic(facts), *_own_n(facts)]
    if any(0 < s.n < 3 for g in facts.groups for s in (g.report, g.last)):
        notes.append(
            (
                (
                    "Below three runs the values themselves are given, without a standard "
                    "deviation or an interval."
                ),
            )
        )
    if facts.comparisons and isinstance(facts.comparisons[0].difference, Quantity):
        comparison = facts.comparisons[0]
        first, second = (name_of(facts.group(n)) for n in (comparison.first, comparison.second))
        why = ""
        if isinstance(comparison.low, Missing):
            why = f" It has no interval: {comparison.low.reason}."
        notes.append((f"Difference: {first} minus {second}.{why}",))
    return notes


def _optimistic(facts: Facts) -> list[Text]:
    """Say of which groups the split that chose the step also gives the value."""
    notes: list[Text] = []
    select = facts.study.metric.select_on
    same = [(name_of(g),) for g in facts.groups if g.report_split == select]
    if len(same) == len(facts.groups):
        notes.append(
            (
                (
                    f"No other split than {select} is reported: the split that chose the step also "
                    "gives the value, which makes it an optimistic figure."
                ),
            )
        )
    elif same:
        notes.append(
            (
                "For ",
                *joined(same),
                (
                    f" no other split than {select} is reported: the split that chose the step "
                    "also gives the value, which makes it an optimistic figure."
                ),
            )
        )
    return notes


def _own_n(facts: Facts) -> list[Text]:
    """Say where n is not that of the row, and why an interval of three runs is not there."""
    notes: list[Text] = []
    if any(g.last.n and not same_runs(g.last, g.report) for g in facts.groups):
        notes.append(
            ("The cell of the last step has an n of its own where other runs have a value there.",)
        )
    constant = [g for g in facts.groups if g.report.n >= 3]
    constant = [g for g in constant if isinstance(g.report.interval, Missing)]
    if constant:
        names: Text = joined([(name_of(g),) for g in constant])
        notes.append(("No interval for ", *names, f": {CONSTANT}."))
    return notes
