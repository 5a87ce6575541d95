"""Re-run cells in tables and sentences: what they are, and what the results are without them."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, noun, say, say_count, tell
from reportgen.records.document import (
    Block,
    Emphasis,
    Number,
    Paragraph,
    Ref,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, GroupResult, Summary
from reportgen.records.quantity import Evidence, Quantity
from reportgen.records.rerun import RECORD, Rerun
from reportgen.records.run import Run
from reportgen.report._evidence import of_run, of_seed, of_values
from reportgen.report._marks import (
    RERUN,
    RERUNS_TABLE,
    clipped,
    day,
    named_cells,
    reruns_of,
)
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import counted, mean_and_std, printing_of, seed_number
from reportgen.report._phrases import (
    joined,
    metric_words,
    name_of,
    std_words,
    unit_words,
)
from reportgen.report._quotes import quoted

WITHOUT_TABLE = "summary.without_reruns"
MOST_ROWS = 40
MOST_NAMED = 12
MOST_VERSIONS = 6
MOST_NOTE = 200
FAIRSEQ = ("fairseq", "fairseq_console")


def rerun_sentence(facts: Facts, prefix: str) -> Text:
    """Return the sentence that says how many runs are re-runs, and which; nothing without any."""
    again = tuple(reruns_of(facts).values())
    if not again:
        return ()
    metric = facts.study.metric
    count, total = len(again), len(facts.runs)
    made = counted(f"{prefix}.reruns", count, message("runs trained again"), _logs(again, facts))
    found = counted(
        *(f"{prefix}.runs", total, message("runs found and trained again")),
        [of_run(run, metric) for run in facts.runs],
    )
    again_words = _again(count, total, made, found)
    if count > MOST_NAMED:
        return (*again_words, ".")
    return say("{sentence}: {cells}.", sentence=again_words, cells=named_cells(facts, again))


def _again(count: int, total: int, made: Number, found: Number) -> Text:
    """Return the sentence without its end; of one run it is another one."""
    if total == 1:
        return say(
            "{made} of {found} run is a re-run, trained again by reportgen and marked {mark}",
            made=made,
            found=found,
            mark=RERUN.sign,
        )
    return say_count(
        "{made} of {found} runs is a re-run, trained again by reportgen and marked {mark}",
        "{made} of {found} runs are re-runs, trained again by reportgen and marked {mark}",
        count,
        made=made,
        found=found,
        mark=RERUN.sign,
    )


def _logs(runs: Sequence[Run], facts: Facts) -> list[Evidence]:
    return [of_run(run, facts.study.metric) for run in runs]


# --- results without them -------------------------------------------------------------


def mixed_groups(facts: Facts) -> list[GroupResult]:
    """Return the groups whose result rests on found logs and on re-runs."""
    return [
        group
        for group in facts.groups
        if group.without_reruns is not None and 0 < group.without_reruns.n < group.report.n
    ]


def without_reruns(facts: Facts) -> tuple[Block, ...]:
    """Return each mean with and without re-run cells, where that is not the same."""
    sentence = rerun_sentence(facts, WITHOUT_TABLE)
    if not sentence:
        return ()
    groups = mixed_groups(facts)
    all_again = [(name_of(g),) for g in facts.groups if g.without_reruns and not g.without_reruns.n]
    if all_again:
        lost = say("Without them there is no result of {groups}.", groups=joined(all_again))
        sentence += (" ", *lost)
    if not groups:
        return (Paragraph(text=sentence),)
    see = say("{table} gives the results with and without them.", table=Ref(WITHOUT_TABLE))
    return (Paragraph(text=(*sentence, " ", *see)), _without_table(facts, groups))


def _without_table(facts: Facts, groups: Sequence[GroupResult]) -> Table:
    notes: list[Text] = []
    if any(group.without_reruns and group.without_reruns.n < 3 for group in groups):
        note = say(
            "Where fewer than three runs are left without re-run cells, their values are given, "
            "without a standard deviation."
        )
        notes.append(note)
    both, alone = say("With re-run cells"), say("Without re-run cells")
    mean = say("Mean ± std")
    return Table(
        id=WITHOUT_TABLE,
        caption=_without_caption(facts, groups),
        columns=(
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=("n",), align="right", group=both),
            TableColumn(title=mean, align="decimal", group=both),
            TableColumn(title=("n",), align="right", group=alone),
            TableColumn(title=mean, align="decimal", group=alone),
        ),
        rows=tuple(_without_row(facts, group) for group in groups),
        notes=tuple(notes),
    )


def _without_caption(facts: Facts, groups: Sequence[GroupResult]) -> Text:
    splits = {group.report_split for group in groups}
    places = {
        "metric": metric_words(facts.study),
        "unit": unit_words(printing_of(facts.groups)),
        "std": std_words(facts.study),
    }
    if len(splits) > 1:
        return say(
            "{metric:cap}{unit} at the best step with re-run cells and from found logs alone: "
            "mean ± {std} over n runs.",
            **places,
        )
    return say(
        "{split:cap} {metric}{unit} at the best step with re-run cells and from found logs alone: "
        "mean ± {std} over n runs.",
        split=noun(next(iter(splits))),
        **places,
    )


def _without_row(facts: Facts, group: GroupResult) -> TableRow:
    key = f"{WITHOUT_TABLE}.{group_key(facts, group)}"
    cells: list[Text] = [(group.label,)]
    for name, summary in (("all", group.report), ("found", group.without_reruns)):
        if summary is not None:
            cells += _n_and_mean(facts, group, summary, f"{key}.{name}")
    return TableRow(cells=tuple(cells))


def _n_and_mean(facts: Facts, group: GroupResult, summary: Summary, key: str) -> list[Text]:
    method = message("runs of {group} with a value", group=group.label)
    n = counted(f"{key}.n", summary.n, method, of_values(summary))
    return [(n,), mean_and_std(key, summary, printing_of(facts.groups, group))]


# --- where they come from -------------------------------------------------------------


def reruns_blocks(facts: Facts) -> tuple[Block, ...]:
    """Return what is to be known of re-run cells, in the section on reproducibility."""
    again = [(run, run.rerun) for run in facts.runs if run.rerun is not None]
    if not again:
        return ()
    text = say(
        "Cells without logs, or with unfinished ones, were trained again with the settings of the "
        "study file; {table} says on what and when. Each of their values, and every number "
        "computed with one, is marked {mark}.",
        table=Ref(RERUNS_TABLE),
        mark=RERUN.sign,
    )
    return (Paragraph(text=(*text, *_fidelity(facts))), _reruns_table(facts, again))


def _fidelity(facts: Facts) -> Text:
    """Say of runs in fairseq's layout what another engine repeats, and what it does not."""
    groups = [
        (Emphasis((group.label,)),)
        for group in facts.groups
        if any(c.run and c.run.rerun and c.run.layout in FAIRSEQ for c in group.cells)
    ]
    if not groups:
        return ()
    told = say(
        "The logs of {groups} are in the layout of fairseq, which did not train the re-runs. "
        "Against fairseq such a run is reproduced in law, not bit for bit: the dropout of its "
        "head, the truncation of long examples and the order of its batches are not fairseq’s, so "
        "that its values are another draw, as those of another seed would be.",
        groups=joined(groups),
    )
    return (" ", *told)


def _reruns_table(facts: Facts, again: Sequence[tuple[Run, Rerun]]) -> Table:
    notes = [
        say(
            "{cells}: {notes}.",
            cells=named_cells(facts, [run]),
            notes=quoted(clipped("; ".join(rerun.notes), MOST_NOTE)),
        )
        for run, rerun in again[:MOST_ROWS]
        if rerun.notes
    ]
    if len(again) > MOST_ROWS:
        left = [of_run(run, facts.study.metric) for run, _ in again[MOST_ROWS:]]
        more = counted(f"{RERUNS_TABLE}.more", len(left), message("further re-run cells"), left)
        note = say_count(
            "{n} further re-run cell stands in report.json.",
            "{n} further re-run cells stand in report.json.",
            len(left),
            n=more,
        )
        notes.append(note)
    return Table(
        id=RERUNS_TABLE,
        caption=say(
            "Re-run cells: what each was trained on and by which engine, the day it ended (UTC), "
            "with which versions, and the seconds of training and evaluation."
        ),
        columns=(
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=say("Seed"), align="right"),
            TableColumn(title=say("Device and engine"), wide=True),
            TableColumn(title=say("Date")),
            TableColumn(title=say("Versions"), wide=True),
            TableColumn(title=say("Seconds"), align="right"),
        ),
        rows=tuple(_rerun_row(facts, run, rerun) for run, rerun in again[:MOST_ROWS]),
        notes=tuple(notes),
    )


def _rerun_row(facts: Facts, run: Run, rerun: Rerun) -> TableRow:
    group = next(g for g in facts.groups if g.name == run.group)
    key = f"{RERUNS_TABLE}.{group_key(facts, group)}.{rerun.seed}"
    stated = Evidence(path=f"{run.id}/{RECORD}", tag="seconds", value=rerun.seconds, run=run.id)
    seconds = Quantity(
        value=rerun.seconds, unit="seconds", method=message("time of the re-run"), sources=(stated,)
    )
    versions = [f"{clipped(name)} {clipped(v)}" for name, v in rerun.versions.items()]
    named = ", ".join(versions[:MOST_VERSIONS])
    if len(versions) > MOST_VERSIONS:
        more = len(versions) - MOST_VERSIONS
        named = tell("{versions} and {count} more", versions=named, count=more)
    made = [clipped(text) for text in (rerun.device, rerun.engine) if text]
    return TableRow(
        cells=(
            (group.label,),
            (seed_number(f"{key}.seed", rerun.seed, (of_seed(run, facts.study.metric),)),),
            (tell("; ").join(made) or "—",),
            (day(rerun),),
            (named or "—",),
            (Number(id=f"{key}.seconds", quantity=seconds, style="count"),),
        )
    )
