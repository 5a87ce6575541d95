"""Problems in the evidence, results that are missing, re-runs, and what was not there at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.languages import Message, message, say, say_count, tell
from reportgen.records.document import (
    Block,
    Code,
    Number,
    Ref,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.record import record
from reportgen.records.run import RECORD, Fate, Problem, Rerun, Run
from reportgen.report._run_readings import lost_curve
from reportgen.report.appendix.tables import (
    DASH,
    appendix_section,
    excerpt_of_top,
    lean_table,
    paragraph,
)
from reportgen.report.marks import RERUN, RERUNS_TABLE, clipped, day, named_cells
from reportgen.report.names import short_name, slug
from reportgen.report.numbers import (
    counted,
    mean_and_std,
    of_cell,
    of_run,
    of_seed,
    of_values,
    printing_of,
    seed_number,
)
from reportgen.report.phrases import (
    ROOT,
    by_reason,
    in_words,
    joined,
    listed,
    name_of,
    path_words,
    quoted,
    reasons_words,
    shared_folder,
)
from reportgen.runs import tells_lack

TABLE = "problems.table"
MOST_ROWS = 40
MOST_PLACES = 3
"""Places of one kind of problem that are named; the rest is counted."""
MOST_ALIKE = 3
"""Messages of one kind that have a row each."""
EVENTS = "events.out.tfevents."
_LEVELS = {"warning": message("warning"), "note": message("note")}
_REMARKS = {"warning": message("Warnings about the logs"), "note": message("Notes on the logs")}
_UNREAD = {
    "table": message("looks like a log and was not read"),
    "damaged": message("damaged; what is sound was used"),
}


@record
class _Trouble:
    """One row: how grave it is, what is the matter, and where, in words and as evidence."""

    what: Text
    places: tuple[str, ...]
    sources: tuple[Evidence, ...]
    level: str = "warning"


def build_problems(facts: Facts) -> Section | None:
    """Return the section, or None where all is well."""
    found = [*_of_files(facts), *_unread(facts), *_of_cells(facts), *_of_runs(facts)]
    troubles = sorted(found, key=lambda trouble: trouble.level != "warning")
    blocks: list[Block] = []
    if troubles:
        about = say("{table} lists what was noticed in the logs.", table=Ref(TABLE))
        blocks += [*paragraph(about), _table(facts, troubles)]
    blocks += rerun_blocks(facts)
    return appendix_section("problems", tell("Problems in the evidence"), blocks)


def _table(facts: Facts, troubles: Sequence[_Trouble]) -> Table:
    several = any(len(trouble.places) > MOST_PLACES for trouble in troubles)
    levels = {trouble.level for trouble in troubles}
    rows: list[TableRow] = []
    for position, one in enumerate(troubles):
        name = f"{TABLE}.{position}"
        n = counted(name, len(one.places), message("places"), one.sources)
        count: Text = (n,) if several else ()
        level = say(_LEVELS[one.level]) if len(levels) > 1 else ()
        rows.append(TableRow(cells=(level, one.what, _where(one.places), count)))
    return lean_table(
        TABLE,
        say(
            "{remarks}, with up to {n} places of each kind." if several else "{remarks}.",
            remarks=say(_REMARKS[levels.pop()] if len(levels) == 1 else "Remarks on the logs"),
            n=in_words(MOST_PLACES),
        ),
        (
            TableColumn(title=say("Level")),
            TableColumn(title=say("What"), wide=True),
            TableColumn(title=say("Where"), wide=True),
            TableColumn(title=say("Count"), align="right"),
        ),
        rows,
        lean=(0, 3),
        excerpt=excerpt_of_top(facts, TABLE, len(rows), MOST_ROWS, MOST_ROWS),
    )


def _where(places: Sequence[str]) -> Text:
    """Return the first places after the folder that all share; the count says how many more."""
    folder = shared_folder(places)
    text = listed(((Code(place[len(folder) :]),) for place in places[:MOST_PLACES]), ", ")
    if len(places) > MOST_PLACES:
        text = (*text, " …")
    return say("{folder}: {files}", folder=Code(folder), files=text) if folder else text


# --- what loaders found in files ------------------------------------------------------


def _of_files(facts: Facts) -> Iterator[_Trouble]:
    """Yield the problems of files: those of one kind, or of one message where a kind has few."""
    kinds: dict[str, dict[tuple[str, str], list[Problem]]] = {}
    for problem in facts.problems:
        own = kinds.setdefault(problem.code, {})
        own.setdefault((_message(problem), problem.level), []).append(problem)
    for messages in kinds.values():
        every = list(messages.values())
        if len(every) > MOST_ALIKE:
            every = [[problem for own in messages.values() for problem in own]]
        for same in every:
            first: Text = (quoted(_message(same[0])),)
            alike = len({_message(problem) for problem in same}) == 1
            yield _Trouble(
                level="warning" if any(p.level == "warning" for p in same) else "note",
                what=first if alike else say("{first}, and others of this kind", first=first),
                places=tuple(dict.fromkeys(_place(facts, problem.path) for problem in same)),
                sources=tuple(Evidence(path=problem.path) for problem in same),
            )


def _place(facts: Facts, path: str) -> str:
    """Return the path of a file, of event files that of their folder; of the root its name."""
    if path in ROOT:
        return facts.runs.root.rstrip("/").rpartition("/")[2].strip(".") or "."
    folder, _, name = path.rpartition("/")
    return f"{folder}/" if folder and name.startswith(EVENTS) else path


def _message(problem: Problem) -> str:
    if problem.offset is None:
        return problem.message
    if not isinstance(problem.message, Message):
        return f"{problem.message} (at byte {problem.offset})"
    return message("{what} (at byte {offset})", what=problem.message, offset=problem.offset)


def _unread(facts: Facts) -> Iterator[_Trouble]:
    """Yield the files that look like logs and were not read, and the damaged ones."""
    told = {problem.path for problem in facts.problems}
    alike: dict[tuple[str, str], list[Fate]] = {}
    for fate in facts.runs.fates:
        if fate.kind in _UNREAD and fate.path not in told:
            alike.setdefault((fate.kind, fate.why), []).append(fate)
    for (kind, why), fates in alike.items():
        what = say(_UNREAD[kind])
        yield _Trouble(
            what=say("{what}: {why}", what=what, why=quoted(why)) if why else what,
            places=tuple(_place(facts, fate.path) for fate in fates),
            sources=tuple(Evidence(path=fate.path) for fate in fates),
        )


# --- runs without a result, and unfinished ones ---------------------------------------


def _of_cells(facts: Facts) -> Iterator[_Trouble]:
    """Yield why runs have no result, those with one reason together."""
    groups = {id(cell): group for group in facts.groups for cell in group.cells}
    missing = [
        (cell, why)
        for group in facts.groups
        for cell in group.cells
        if isinstance(why := cell.report_value, Missing)
        # What a run lacks is among its own problems.
        and not (cell.run is not None and tells_lack(cell.run, why.reason))
    ]
    for alike in by_reason(missing):
        one = quoted(alike[0][1].reason)
        reason: Text = (one if len(alike) == 1 else reasons_words(alike)[0],)
        cells = [(groups[id(cell)], cell) for cell, _ in alike]
        yield _Trouble(
            what=say("no result: {reason}", reason=reason),
            places=tuple(_named(group, cell) for group, cell in cells),
            sources=tuple(of_cell(facts.study, group, cell) for group, cell in cells),
        )


def _named(group: GroupResult, cell: RunResult) -> str:
    """Return a cell in words: its run where it has one."""
    if cell.run is not None and cell.run.id not in ROOT:
        return cell.run.id
    if cell.seed is None:
        return group.label
    return tell("{group}, seed {seed}", group=group.label, seed=str(cell.seed))


def _of_runs(facts: Facts) -> Iterator[_Trouble]:
    """Yield the runs that end before most of their group, and those that were lost to NaN."""
    curves = ((run, lost_curve(run, facts.study.metric)) for run in facts.runs)
    lost = [(run, curve.step) for run, curve in curves if curve is not None]
    for what, found in (
        (say("ends before the other runs of its group"), list(_early(facts))),
        (say("NaN or infinite to the end"), lost),
    ):
        names = [(path_words(run, facts.runs), str(step)) for run, step in found]
        if found:
            yield _Trouble(
                what=what,
                places=tuple(tell("{run} (step {step})", run=run, step=at) for run, at in names),
                sources=tuple(of_run(run, facts.study.metric) for run, _ in found),
            )


def _early(facts: Facts) -> Iterator[tuple[Run, int]]:
    """Yield the runs that end before most of their group, with their last step."""
    metric = facts.study.metric
    for group in facts.groups:
        ends = [
            (cell.run, int(series.steps[-1]))
            for cell in group.cells
            if cell.run is not None
            and (series := cell.run.find(metric.name, metric.select_on)) is not None
            and len(series)
        ]
        latest = max((step for _, step in ends), default=0)
        early = [(run, step) for run, step in ends if step < latest]
        # Runs that all end where their training found it best have no common end.
        yield from early if 2 * len(early) < len(ends) else []


# --- re-runs --------------------------------------------------------------------------


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
    return [*paragraph(about, _fidelity(facts), *_without(facts)), _reruns_table(facts, again)]


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


def _reruns_table(facts: Facts, again: Sequence[tuple[Run, Rerun]]) -> Table:
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
