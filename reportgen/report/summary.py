"""The headline: what was compared, every group's result, and the difference."""

from __future__ import annotations

from reportgen.languages import message, noun, say, tell
from reportgen.languages._language import Place
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
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._caveats import (
    after_training,
    interval_note,
    is_all_after_training,
    spread_note,
)
from reportgen.report._evidence import of_cells
from reportgen.report._excerpts import excerpt_of_groups
from reportgen.report._headline import headline, told_groups
from reportgen.report._missing_cells import missing_cells
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import (
    Printing,
    counted,
    mean_and_std,
    printing_of,
    same_runs,
    summary_beside,
)
from reportgen.report._phrases import (
    chose_its_own,
    joined,
    level,
    metric_words,
    name_of,
    result_n,
    section_of,
    selection_words,
    sizes_words,
    spread_words,
    unit_words,
    with_names,
)
from reportgen.report._reruns import rerun_sentence, without_reruns
from reportgen.report._tasks import ranked_by_task
from reportgen.report._trouble import trouble_of
from reportgen.report._unselected import unselected_headline
from reportgen.report._unselected_summary import unselected_summary
from reportgen.stats import CONSTANT, difference_of

TABLE = "summary.headline"
RUNS_TABLE = "best_step.table"


def build(facts: Facts) -> Section | None:
    """Return the summary, or None where no group was found or declared."""
    if not facts.groups:
        return None
    if facts.selection.is_last:
        return section_of("summary", tell("Summary"), unselected_summary(facts))
    printing = printing_of(facts.groups)
    own = facts.study.report.abstract  # one that says what the sentences would say is not there
    table = _table(facts, printing)
    texts = (
        headline(facts, "summary.text") if own else (),
        _reading(facts, table),
        missing_cells(facts, lambda cell: cell.report_value, RUNS_TABLE),
        trouble_of(facts, "summary.runs"),
        _why_these(facts),
    )
    paragraphs = [Paragraph(text=text) for text in texts if text]
    blocks = (table, *paragraphs, *without_reruns(facts))
    return section_of("summary", tell("Summary"), blocks)


def abstract(facts: Facts) -> Text:
    """Return the summary's sentences as an abstract; empty without groups."""
    if not facts.groups:
        return ()
    if facts.selection.is_last:
        return with_names(unselected_headline(facts, "abstract"))
    text = with_names(headline(facts, "abstract"))
    if note := spread_note(facts.study, (group.report for group in told_groups(facts))):
        text += (" ", *note)
    if measured := after_training(facts):
        text += (" ", *measured)
    if again := rerun_sentence(facts, "abstract"):
        text += (" ", *again)
    if not any(_had_a_choice(facts, cell) for group in facts.groups for cell in group.cells):
        return text
    caveat, select = chose_its_own(facts), noun(facts.study.metric.select_on)
    if caveat:
        end = say(
            "Each step was chosen on the {select} split alone. Caution: {caveat}. Every number "
            "was computed from the logs.",
            select=select,
            caveat=caveat,
        )
    else:
        end = say(
            "Each step was chosen on the {select} split alone, and every number was computed from "
            "the logs.",
            select=select,
        )
    return (*text, " ", *end)


def _had_a_choice(facts: Facts, cell: RunResult) -> bool:
    """Tell whether a step was chosen among several: a table may hold one value a run."""
    plan = facts.study.metric
    curve = cell.run.find(plan.name, plan.select_on) if cell.run else None
    return isinstance(cell.best_step, Quantity) and curve is not None and len(curve) > 1


def _reading(facts: Facts, shown: Table) -> Text:
    """Say how the table is read."""
    text = say(
        "{table} has a row for each group; n counts its runs with a value at their best step, and "
        "the last column is what the runs reach when no step is chosen."
        if shown.excerpt is None
        else "In full, {table} has a row for each group; n counts its runs with a value at their "
        "best step, and the last column is what the runs reach when no step is chosen.",
        table=Ref(TABLE),
    )
    if not any(group.cells for group in facts.groups):
        return text
    one_by_one = say("The runs stand one by one in {table}.", table=Ref(RUNS_TABLE))
    return (*text, " ", *one_by_one)


def _why_these(facts: Facts) -> Text:
    """Say why two of many groups are compared that nobody named, or why none are."""
    known = [group for group in facts.groups if group.report.n]
    if facts.study.compare or len(known) < 3:
        return ()
    key = Code("[comparison] groups")
    several = len({group.task for group in facts.groups}) > 1
    if several and not facts.comparisons and not any(order[1:] for order in ranked_by_task(facts)):
        return ()
    if not facts.comparisons:
        count = counted(
            *("summary.groups", len(known), message("groups with a result")),
            of_cells(facts.study, known),
        )
        return say(
            "{table} gives no difference of two groups: which two of the {n} are to be compared is "
            "not stated under {key} in the study file.",
            table=Ref("summary.headline"),
            n=count,
            key=key,
        )
    pair = [facts.group(n) for n in (facts.comparisons[0].first, facts.comparisons[0].second)]
    repeated = min(group.report.n for group in pair) > 2
    return say(
        _ONLY_PAIR[several, repeated],
        first=name_of(pair[0]),
        second=name_of(pair[1]),
        key=key,
    )


# (Groups are of several tasks, both of the pair have three runs or more) to what is said.
_ONLY_PAIR = {
    (False, True): message(
        "{first} and {second} are compared because they are the only two groups with three runs "
        "or more that have layout, unit and split in common; others can be named under {key} in "
        "the study file."
    ),
    (False, False): message(
        "{first} and {second} are compared because they are the only two groups that have "
        "layout, unit and split in common; others can be named under {key} in the study file."
    ),
    (True, True): message(
        "{first} and {second} are compared because they are the only two groups with three runs "
        "or more that have layout, unit, split and task in common; others can be named under "
        "{key} in the study file."
    ),
    (True, False): message(
        "{first} and {second} are compared because they are the only two groups that have "
        "layout, unit, split and task in common; others can be named under {key} in the study file."
    ),
}


def _table(facts: Facts, printing: Printing) -> Table:
    splits = {group.report_split for group in facts.groups}
    with_split = len(splits) > 1
    rows = [_row(facts, group, with_split=with_split) for group in facts.groups]
    indices = {id(group): index for index, group in enumerate(facts.groups)}
    if facts.comparisons and isinstance(facts.comparisons[0].difference, Quantity):
        rows.append(_difference_row(facts, with_split=with_split))
    best = (
        say("Best step")
        if with_split
        else say(
            "{split:cap}, after training"
            if is_all_after_training(facts)
            else "{split:cap}, best step",
            split=noun(next(iter(splits))),
        )
    )
    columns = (
        TableColumn(title=say("Group"), wide=True),
        *((TableColumn(title=say("Split")),) if with_split else ()),
        TableColumn(title=("n",), align="right"),
        TableColumn(title=best, align="decimal"),
        TableColumn(title=say("{level} interval", level=level(facts.study)), align="center"),
        TableColumn(title=say("Last step"), align="decimal"),
    )
    return Table(
        id=TABLE,
        caption=_caption(facts, printing, splits),
        columns=columns,
        rows=tuple(rows),
        notes=tuple(_notes(facts)),
        excerpt=excerpt_of_groups(facts, TABLE, indices, range(len(indices), len(rows))),
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
            *(((noun(group.report_split),),) if with_split else ()),
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
        high = printing.delta(f"{TABLE}.high", comparison.high)
        interval = say("{low} to {high}", low=low, high=high)
    last = difference_of(
        first.last.mean, second.last.mean, message("difference of the last-step means")
    )
    return TableRow(
        kind="total",
        cells=(
            say("Difference, points" if printing.gap else "Difference"),
            *(((),) if with_split else ()),
            (),
            (printing.delta(f"{TABLE}.difference", comparison.difference),),
            interval,
            (printing.delta(f"{TABLE}.last_difference", last),),
        ),
    )


def _caption(facts: Facts, printing: Printing, splits: set[str]) -> Text:
    study = facts.study
    places: dict[str, Place] = {
        "metric": metric_words(study),
        "unit": unit_words(printing),
        "select": noun(study.metric.select_on),
    }
    reports = [group.report for group in facts.groups]
    shown = [*reports, *(group.last for group in facts.groups)]
    spread = spread_words(f"{TABLE}.caption", shown, facts.groups, study)
    if any(isinstance(report.interval, Quantity) for report in reports):
        spread = say(
            "{spread}; and the half width of the {level} t interval of the best-step mean",
            spread=spread,
            level=level(study),
        )
    start = (
        say(
            "{split:cap} {metric}{unit} at the best {select} step and at the last step: {spread}.",
            split=noun(next(iter(splits))),
            spread=spread,
            **places,
        )
        if len(splits) == 1
        else say(
            "{metric:cap}{unit} at the best {select} step and at the last step: {spread}.",
            spread=spread,
            **places,
        )
    )
    return (*start, " ", selection_words(study), *sizes_words(f"{TABLE}.caption", study))


def _notes(facts: Facts) -> list[Text]:
    measured = after_training(facts)
    notes = [*([measured] if measured else ()), *_optimistic(facts), *_own_n(facts)]
    if any(0 < s.n < 3 for g in facts.groups for s in (g.report, g.last)):
        few = say(
            "Below three runs the values themselves are given, without a standard deviation or an "
            "interval."
        )
        notes.append(few)
    if facts.comparisons and isinstance(facts.comparisons[0].difference, Quantity):
        comparison = facts.comparisons[0]
        first, second = (name_of(facts.group(n)) for n in (comparison.first, comparison.second))
        note = say("Difference: {first} minus {second}.", first=first, second=second)
        if isinstance(comparison.low, Missing):
            note += (" ", *say("It has no interval: {reason}.", reason=comparison.low.reason))
        notes.append(note)
        if isinstance(comparison.low, Quantity):
            notes.append(interval_note(facts.group(comparison.first)))
    return notes


def _optimistic(facts: Facts) -> list[Text]:
    """Say of which groups the split that chose the step also gives the value."""
    notes: list[Text] = []
    select = facts.study.metric.select_on
    same = [(name_of(g),) for g in facts.groups if g.report_split == select]
    if len(same) == len(facts.groups):
        every = say(
            "No other split than {select} is reported: the split that chose the step also gives "
            "the value, which makes it an optimistic figure.",
            select=noun(select),
        )
        notes.append(every)
    elif same:
        some = say(
            "For {groups} no other split than {select} is reported: the split that chose the step "
            "also gives the value, which makes it an optimistic figure.",
            groups=joined(same),
            select=noun(select),
        )
        notes.append(some)
    return notes


def _own_n(facts: Facts) -> list[Text]:
    """Say where n is not that of the row, and why an interval of three runs is not there."""
    notes: list[Text] = []
    if any(g.last.n and not same_runs(g.last, g.report) for g in facts.groups):
        own = say(
            "The cell of the last step has an n of its own where other runs have a value there."
        )
        notes.append(own)
    constant = [g for g in facts.groups if g.report.n >= 3]
    constant = [g for g in constant if isinstance(g.report.interval, Missing)]
    if constant:
        names: Text = joined([(name_of(g),) for g in constant])
        notes.append(say("No interval for {groups}: {reason}.", groups=names, reason=CONSTANT))
    return notes
