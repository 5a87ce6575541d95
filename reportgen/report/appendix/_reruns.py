"""Cells that were trained again: on what and when, and the results without them."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, say, say_count, tell
from reportgen.records.document import Block, Number, Ref, Table, TableColumn, TableRow, Text
from reportgen.records.facts import Facts
from reportgen.records.quantity import Evidence, Quantity
from reportgen.records.rerun import RECORD, Rerun
from reportgen.records.run import Run
from reportgen.report._evidence import of_run, of_seed, of_values
from reportgen.report._marks import RERUN, RERUNS_TABLE, clipped, day, named_cells
from reportgen.report._names import short_name, slug
from reportgen.report._numbers import counted, mean_and_std, printing_of, seed_number
from reportgen.report._phrases import joined, name_of, quoted
from reportgen.report.appendix._tables import DASH, excerpt_of_top, lean_table, paragraph

PRINTED = 40
MOST_NOTES = 6
MOST_NOTE = 200
MOST_GROUPS = 6
MOST_VERSIONS = 6
FAIRSEQ = ("fairseq", "fairseq_console")


def rerun_blocks(facts: Facts) -> list[Block]:
    """Return what is to be known of re-run cells; nothing without any."""
    again = [(run, run.rerun) for run in facts.runs if run.rerun is not None]
    if not again:
        return []
    every = [of_run(run, facts.study.metric) for run in facts.runs]
    made = [of_run(run, facts.study.metric) for run, _ in again]
    about = say_count(
        "{made} of {found} runs was trained again by reportgen ({table}); it is marked {mark}.",
        "{made} of {found} runs were trained again by reportgen ({table}); they are marked {mark}.",
        len(made),
        made=counted(f"{RERUNS_TABLE}.n", len(made), message("runs trained again"), made),
        found=counted(
            f"{RERUNS_TABLE}.found", len(every), message("runs found and trained again"), every
        ),
        table=Ref(RERUNS_TABLE),
        mark=RERUN.sign,
    )
    return [*paragraph(about, _fidelity(facts), *_without(facts)), _table(facts, again)]


def _fidelity(facts: Facts) -> Text:
    """Say of runs in fairseq's layout what another engine repeats, and what it does not."""
    groups = [
        (name_of(group),)
        for group in facts.groups
        if any(c.run and c.run.rerun and c.run.layout in FAIRSEQ for c in group.cells)
    ]
    if not groups:
        return ()
    return say(
        "fairseq did not train the re-runs of {groups}: dropout of the head, truncation and order "
        "of the batches are drawn anew, as with another seed.",
        groups=joined(groups),
    )


def _without(facts: Facts) -> list[Text]:
    """Give the results from found logs alone, where they are others."""
    told: list[Text] = []
    for group in facts.groups:
        summary = group.without_reruns
        if summary is None or summary.n >= group.report.n or len(told) == MOST_GROUPS:
            continue
        if not summary.n:
            told.append(say("Without them {group} has no result.", group=name_of(group)))
            continue
        key, printing = (
            f"{RERUNS_TABLE}.without.{slug(group.name)}",
            printing_of(facts.groups, group),
        )
        what = message("runs of {group} with a value", group=group.label)
        told.append(
            say(
                "Without them {group} has {value} (n = {n}).",
                group=name_of(group),
                value=(*mean_and_std(key, summary, printing), printing.sign),
                n=counted(f"{key}.n", summary.n, what, of_values(summary)),
            )
        )
    return told


def _table(facts: Facts, again: Sequence[tuple[Run, Rerun]]) -> Table:
    notes = [
        say(
            "{cells}: {notes}.",
            cells=named_cells(facts, [run]),
            notes=quoted(clipped("; ".join(rerun.notes), MOST_NOTE)),
        )
        for run, rerun in again
        if rerun.notes
    ]
    return lean_table(
        RERUNS_TABLE,
        say("Re-runs: device and engine, day of the end (UTC), versions, seconds of training."),
        (
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=say("Seed"), align="right"),
            TableColumn(title=say("Device and engine"), wide=True),
            TableColumn(title=say("Date")),
            TableColumn(title=say("Versions"), wide=True),
            TableColumn(title=say("Seconds"), align="right"),
        ),
        [_row(facts, run, rerun) for run, rerun in again],
        lean=range(2, 6),
        notes=notes[:MOST_NOTES],
        excerpt=excerpt_of_top(facts, RERUNS_TABLE, len(again), PRINTED, PRINTED),
    )


def _row(facts: Facts, run: Run, rerun: Rerun) -> TableRow:
    key = f"{RERUNS_TABLE}.{slug(run.id)}"
    stated = Evidence(path=f"{run.id}/{RECORD}", tag="seconds", value=rerun.seconds, run=run.id)
    what = message("time of the re-run")
    seconds = Quantity(value=rerun.seconds, unit="seconds", method=what, sources=(stated,))
    versions = [f"{clipped(name)} {clipped(v)}" for name, v in rerun.versions.items()]
    named = ", ".join(versions[:MOST_VERSIONS])
    if more := len(versions[MOST_VERSIONS:]):
        named = tell("{versions} and {count} more", versions=named, count=more)
    made = [clipped(text) for text in (rerun.device, rerun.engine) if text]
    return TableRow(
        cells=(
            (short_name(facts, facts.group(run.group)),),
            (seed_number(f"{key}.seed", rerun.seed, (of_seed(run, facts.study.metric),)),),
            (tell("; ").join(made),) if made else DASH,
            (day(rerun),),
            (named,) if named else DASH,
            (Number(id=f"{key}.seconds", quantity=seconds, style="count"),),
        )
    )
