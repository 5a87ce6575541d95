"""What the results rest on: runs, files, digests, software; and what is wrong or missing there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reportgen.languages import Message, message, noun, say, say_count, tell
from reportgen.records import document as doc
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.record import record, replace
from reportgen.records.run import RECORD, Fate, Problem, Rerun, Run, Source
from reportgen.records.source import FATES, natural_key
from reportgen.report import numbers, phrases
from reportgen.report._run_readings import count_updates, lost_curve
from reportgen.report.appendix.tables import (
    DASH,
    appendix_section,
    excerpt_of_top,
    leaned,
    paragraph,
)
from reportgen.report.marks import (
    RERUN,
    RERUNS_TABLE,
    clipped,
    day,
    named_cells,
    rerun_mark,
    rerun_note,
    reruns_of,
    store_of,
)
from reportgen.report.names import keys_of, short_name, slug
from reportgen.runs import tells_lack

# What the results were computed from: runs, files and their digests, and by what software.

RUNS, DIGESTS = "files.runs", "files.digests"
MOST_RUNS = 24
"""Rows that the table of runs has on pages; of more, a half."""
MOST_DIGESTS = 12
"""Files whose digests are printed; of more, some."""
MOST_NAMED = 6
"""Runs of a row that are named."""
MOST_EVIDENCE = 12


def build_files(facts: Facts) -> doc.Section | None:
    """Return the section, or None where no file was read."""
    # Of a file without a point nothing was used.
    skipped = {fate.path for fate in facts.runs.fates if fate.kind == "skipped"}
    found = {source.path: source for run in facts.runs for source in run.sources}
    logs = [found[path] for path in sorted(found.keys() - skipped, key=natural_key)]
    sources = (*numbers.model_files(facts), *logs)
    tables = [
        *([_runs_table(facts)] if len(facts.runs) else []),
        *([_digests(facts, sources)] if sources else []),
    ]
    if not tables:
        return None
    refs = {
        name: (doc.Ref(table.id),) for table in tables for name in [table.id.rpartition(".")[2]]
    }
    about = say(
        "{runs} lists the runs, {digests} the files used."
        if len(refs) > 1
        else "{runs} lists the runs."
        if "runs" in refs
        else "{digests} lists the files used.",
        **refs,
    )
    software = ", ".join(f"{name} {version}" for name, version in facts.environment.items())
    blocks: list[doc.Block] = [
        *paragraph(
            *_computed_from(facts, logs),
            about,
            _elsewhere(facts, sources),
            _absent(facts),
            say("Software: {names}.", names=software) if software else (),
        ),
        *tables,
    ]
    return appendix_section("files", tell("Runs and files"), blocks)


def _computed_from(facts: Facts, logs: Sequence[Source]) -> list[doc.Text]:
    """Say how many runs and points the results rest on, and what became of every file."""
    runs = [numbers.of_run(run, facts.study.metric) for run in facts.runs]
    points = sum(map(_points_of, facts.runs))
    holding = [numbers.of_points(run, _points_of(run), facts.study.metric) for run in facts.runs]
    n = (
        numbers.counted("files.n.runs", len(runs), message("runs found"), runs),
        numbers.counted("files.n.points", points, message("scalar points of the runs"), holding),
    )
    folders: list[doc.Text] = [(doc.Code(facts.runs.root),)]
    if reruns_of(facts):
        folders.append((doc.Code(store_of(facts)),))
    files = sum(fate.files for fate in facts.runs.fates) or len(logs)
    paths = [Evidence(path=source.path) for source in logs]
    found = numbers.counted("files.n.files", files, message("files under the root"), paths)
    fates = _fates(facts)
    under = say(
        "{files} under {folders}",
        files=say_count("{n} file", "{n} files", files, n=found),
        folders=phrases.joined(folders),
    )
    rest = {
        "runs": say_count("{n} run", "{n} runs", len(runs), n=n[0]),
        "points": say_count("{n} logged value", "{n} logged values", points, n=n[1]),
    }
    if len(fates) < 2:
        return [say("All results rest on {runs} with {points} in {files}.", files=under, **rest)]
    return [
        say("All results rest on {runs} with {points}.", **rest),
        say("There are {files}: {parts}.", files=under, parts=phrases.listed(fates, ", ")),
    ]


def _elsewhere(facts: Facts, sources: Sequence[Source]) -> doc.Text:
    """Say how many of the files used do not lie under the root, so that both counts agree."""
    fates, inside = facts.runs.fates, {fate.path for fate in facts.runs.fates}
    paths = [Evidence(path=source.path) for source in sources if source.path not in inside]
    if not fates or not paths:
        return ()
    n = numbers.counted(
        "files.n.elsewhere", len(paths), message("files used beside the logs"), paths
    )
    return say_count(
        "Elsewhere lies {n} of these files.", "Elsewhere lie {n} of these files.", len(paths), n=n
    )


def _fates(facts: Facts) -> list[doc.Text]:
    """Return how many files had which fate: every file below the root has one."""
    parts: list[doc.Text] = []
    for kind in FATES:
        fates = [fate for fate in facts.runs.fates if fate.kind == kind]
        if fates:
            paths = [Evidence(path=fate.path) for fate in fates[:MOST_EVIDENCE]]
            total = sum(fate.files for fate in fates)
            n = numbers.counted(
                f"files.fates.{kind}", total, message("files under the root"), paths
            )
            parts.append(say(phrases.words_of("fates")[kind], n=n))
    return parts


# --- runs -----------------------------------------------------------------------------

_Shape = tuple[str, str, int, int, int | None]


def _runs_table(facts: Facts) -> doc.Table:
    """Return the runs, in one row those of a group that are alike."""
    names = {group.name: short_name(facts, group) for group in facts.groups}
    alike: dict[_Shape, list[Run]] = {}
    for run in facts.runs:
        last = numbers.of_last_step(run)
        step = last[0].step if last else None
        shape = (
            names.get(run.group, run.group),
            run.layout,
            len(run.sources),
            _points_of(run),
            step,
        )
        alike.setdefault(shape, []).append(run)
    keys = keys_of((runs[0].id for runs in alike.values()), "run")
    updates = count_updates(facts.runs)
    folder = phrases.shared_folder([phrases.path_words(run, facts.runs) for run in facts.runs])
    rows = [_run_row(facts, shape, runs, keys[runs[0].id], folder) for shape, runs in alike.items()]
    if all(row[1] == (doc.Code(str(row[0][0])),) for row in rows):
        # Groups that are called as their folder need no second name.
        rows = [((), *row[1:]) for row in rows]
    several = len(rows) < len(facts.runs)
    below = say(", below {folder}", folder=doc.Code(folder)) if folder else ""
    counts = (say("Count"), say("Files"), say("Logged values"))
    end = say("Last update" if updates else "Last step")
    table = phrases.plain_table(
        RUNS,
        say(
            "Runs{below}, those that are alike in one row." if several else "Runs{below}.",
            below=below,
        ),
        (say("Group"), say("Runs"), say("Layout"), *counts, end),
        rows,
        wide=(0, 1),
        right=(3, 4, 5, 6),
        notes=(rerun_note(facts, again),) if (again := [*reruns_of(facts).values()]) else (),
        excerpt=excerpt_of_top(facts, RUNS, len(rows), MOST_RUNS, MOST_RUNS // 2),
    )
    return leaned(table, (0, 2, 3, 4, 5, 6))


def _run_row(
    facts: Facts, shape: _Shape, runs: Sequence[Run], name: str, folder: str
) -> tuple[doc.Text, ...]:
    group, layout, files, points, _ = shape
    key, metric = f"{RUNS}.{name}", facts.study.metric
    logs = [numbers.of_run(run, metric) for run in runs]
    paths = [Evidence(path=source.path) for source in runs[0].sources]
    holding = [numbers.of_points(run, points, metric) for run in runs]
    last = [point for run in runs for point in numbers.of_last_step(run)]
    step: doc.Text = DASH
    if last:
        count = numbers.count_of(last[0].step or 0, message("last logged step"), last)
        step = (numbers.step_number(f"{key}.last", replace(count, unit="step")),)
    return (
        (group,),
        _names(facts, runs, folder),
        (noun(layout.replace("_", " ")),),
        (numbers.counted(f"{key}.n", len(runs), message("runs found"), logs),),
        (numbers.counted(f"{key}.files", files, message("files of the run"), paths),),
        (numbers.counted(f"{key}.points", points, message("points of the run"), holding),),
        step,
    )


def _names(facts: Facts, runs: Sequence[Run], above: str) -> doc.Text:
    """Return the paths of some runs after the folder that they share, re-runs marked.

    The folder that all runs share, `above`, is left out.
    """
    paths = [phrases.path_words(run, facts.runs)[len(above) :] for run in runs]
    return _first_of(paths, MOST_NAMED, [(rerun_mark(),) if run.rerun else () for run in runs])


def _first_of(paths: Sequence[str], most: int, marks: Sequence[doc.Text] = ()) -> doc.Text:
    """Return the first of some paths, each with its mark, after the folder that all share."""
    folder = phrases.shared_folder(paths)
    shown = zip(paths[:most], marks or [()] * len(paths), strict=False)
    text = phrases.listed(((doc.Code(path[len(folder) :]), *mark) for path, mark in shown), ", ")
    text = (*text, " …") if len(paths) > most else text
    return say("{folder}: {files}", folder=doc.Code(folder), files=text) if folder else text


def _points_of(run: Run) -> int:
    return sum(len(series) for series in run.scalars.values())


# --- digests --------------------------------------------------------------------------


def _digests(facts: Facts, sources: Sequence[Source]) -> doc.Table:
    """Return the digests of all files, those of models first; pages have a few of them."""
    return phrases.plain_table(
        DIGESTS,
        say("Files used, and the start of their SHA-256."),
        (say("File"), ("SHA-256",)),
        [((doc.Code(source.path),), (doc.Code(source.sha256[:12]),)) for source in sources],
        excerpt=excerpt_of_top(facts, DIGESTS, len(sources), MOST_DIGESTS, MOST_DIGESTS // 2),
    )


# --- what was not there ---------------------------------------------------------------


def _absent(facts: Facts) -> doc.Text:
    """Name what was looked for and not found; nothing where all is there."""
    names = [(tell(name),) for name, there in _looked_for(facts) if not there]
    return say("Not in the evidence: {names}.", names=phrases.joined(names)) if names else ()


def _looked_for(facts: Facts) -> Iterable[tuple[str, bool]]:
    """Yield what a report can tell of, and whether the evidence has it."""
    metric, runs = facts.study.metric, tuple(facts.runs)
    splits = {series.split for run in runs for series in run.scalars.values() if len(series)}
    splits |= {result.split for run in runs for result in run.results}
    yield message("a model configuration"), facts.model is not None
    yield message("an adapter"), bool(facts.adapters) or not _speak_of_adapters(runs)
    yield message("logged settings"), any(run.config for run in runs)
    yield message("seeds"), any(run.seed is not None for run in runs)
    yield message("a validation split"), metric.select_on in splits
    yield message("a test split"), "test" in splits
    yield message("the number of test examples"), "test" in facts.study.split_sizes


def _speak_of_adapters(runs: Sequence[Run]) -> bool:
    """Return whether a run has a setting that is named after adapters."""
    keys = (key.lower() for run in runs for key in run.config)
    return any(word in key for key in keys for word in ("adapter", "lora", "peft"))


# Problems in the evidence, results that are missing, re-runs, and what was not there at all.

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

    what: doc.Text
    places: tuple[str, ...]
    sources: tuple[Evidence, ...]
    level: str = "warning"


def build_problems(facts: Facts) -> doc.Section | None:
    """Return the section, or None where all is well."""
    found = [*_of_files(facts), *_unread(facts), *_of_cells(facts), *_of_runs(facts)]
    troubles = sorted(found, key=lambda trouble: trouble.level != "warning")
    blocks: list[doc.Block] = []
    if troubles:
        about = say("{table} lists what was noticed in the logs.", table=doc.Ref(TABLE))
        blocks += [*paragraph(about), _table(facts, troubles)]
    blocks += rerun_blocks(facts)
    return appendix_section("problems", tell("Problems in the evidence"), blocks)


def _table(facts: Facts, troubles: Sequence[_Trouble]) -> doc.Table:
    several = any(len(trouble.places) > MOST_PLACES for trouble in troubles)
    levels = {trouble.level for trouble in troubles}
    rows: list[tuple[doc.Text, ...]] = []
    for position, one in enumerate(troubles):
        name = f"{TABLE}.{position}"
        n = numbers.counted(name, len(one.places), message("places"), one.sources)
        count: doc.Text = (n,) if several else ()
        level = say(_LEVELS[one.level]) if len(levels) > 1 else ()
        rows.append((level, one.what, _first_of(one.places, MOST_PLACES), count))
    table = phrases.plain_table(
        TABLE,
        say(
            "{remarks}, with up to {n} places of each kind." if several else "{remarks}.",
            remarks=say(_REMARKS[levels.pop()] if len(levels) == 1 else "Remarks on the logs"),
            n=phrases.in_words(MOST_PLACES),
        ),
        (say("Level"), say("What"), say("Where"), say("Count")),
        rows,
        wide=(1, 2),
        right=(3,),
        excerpt=excerpt_of_top(facts, TABLE, len(rows), MOST_ROWS, MOST_ROWS),
    )
    return leaned(table, (0, 3))


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
            first: doc.Text = (phrases.quoted(_message(same[0])),)
            alike = len({_message(problem) for problem in same}) == 1
            yield _Trouble(
                level="warning" if any(p.level == "warning" for p in same) else "note",
                what=first if alike else say("{first}, and others of this kind", first=first),
                places=tuple(dict.fromkeys(_place(facts, problem.path) for problem in same)),
                sources=tuple(Evidence(path=problem.path) for problem in same),
            )


def _place(facts: Facts, path: str) -> str:
    """Return the path of a file, of event files that of their folder; of the root its name."""
    if path in phrases.ROOT:
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
            what=say("{what}: {why}", what=what, why=phrases.quoted(why)) if why else what,
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
    for reason, alike in phrases.by_reason(missing):
        cells = [(groups[id(cell)], cell) for cell in alike]
        yield _Trouble(
            what=say("no result: {reason}", reason=reason),
            places=tuple(_named(group, cell) for group, cell in cells),
            sources=tuple(numbers.of_cell(facts.study, group, cell) for group, cell in cells),
        )


def _named(group: GroupResult, cell: RunResult) -> str:
    """Return a cell in words: its run where it has one."""
    if cell.run is not None and cell.run.id not in phrases.ROOT:
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
        names = [(phrases.path_words(run, facts.runs), str(step)) for run, step in found]
        if found:
            yield _Trouble(
                what=what,
                places=tuple(tell("{run} (step {step})", run=run, step=at) for run, at in names),
                sources=tuple(numbers.of_run(run, facts.study.metric) for run, _ in found),
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


def rerun_blocks(facts: Facts) -> list[doc.Block]:
    """Return what is to be known of re-run cells; nothing without any."""
    again = [(run, run.rerun) for run in facts.runs if run.rerun is not None]
    if not again:
        return []
    every = [numbers.of_run(run, facts.study.metric) for run in facts.runs]
    made = [numbers.of_run(run, facts.study.metric) for run, _ in again]
    about = say_count(
        "{made} of {found} runs was trained again by reportgen ({table}); it is marked {mark}.",
        "{made} of {found} runs were trained again by reportgen ({table}); they are marked {mark}.",
        len(made),
        made=numbers.counted(f"{RERUNS_TABLE}.n", len(made), message("runs trained again"), made),
        found=numbers.counted(
            f"{RERUNS_TABLE}.found", len(every), message("runs found and trained again"), every
        ),
        table=doc.Ref(RERUNS_TABLE),
        mark=RERUN.sign,
    )
    return [*paragraph(about, _fidelity(facts), *_without(facts)), _reruns_table(facts, again)]


def _fidelity(facts: Facts) -> doc.Text:
    """Say of runs in fairseq's layout what another engine repeats, and what it does not."""
    groups = [
        (phrases.name_of(group),)
        for group in facts.groups
        if any(c.run and c.run.rerun and c.run.layout in FAIRSEQ for c in group.cells)
    ]
    if not groups:
        return ()
    return say(
        "fairseq did not train the re-runs of {groups}: dropout of the head, truncation and order "
        "of the batches are drawn anew, as with another seed.",
        groups=phrases.joined(groups),
    )


def _without(facts: Facts) -> list[doc.Text]:
    """Give the results from found logs alone, where they are others."""
    told: list[doc.Text] = []
    for group in facts.groups:
        summary = group.without_reruns
        if summary is None or summary.n >= group.report.n or len(told) == MOST_GROUPS:
            continue
        if not summary.n:
            told.append(say("Without them {group} has no result.", group=phrases.name_of(group)))
            continue
        key, printing = (
            f"{RERUNS_TABLE}.without.{slug(group.name)}",
            numbers.printing_of(facts.groups, group),
        )
        what = message("runs of {group} with a value", group=group.label)
        told.append(
            say(
                "Without them {group} has {value} (n = {n}).",
                group=phrases.name_of(group),
                value=(*numbers.mean_and_std(key, summary, printing), printing.sign),
                n=numbers.counted(f"{key}.n", summary.n, what, numbers.of_values(summary)),
            )
        )
    return told


def _reruns_table(facts: Facts, again: Sequence[tuple[Run, Rerun]]) -> doc.Table:
    notes = [
        say(
            "{cells}: {notes}.",
            cells=named_cells(facts, [run]),
            notes=phrases.quoted(clipped("; ".join(rerun.notes), MOST_NOTE)),
        )
        for run, rerun in again
        if rerun.notes
    ]
    heads = (say("Group"), say("Seed"), say("Device and engine"))
    table = phrases.plain_table(
        RERUNS_TABLE,
        say("Re-runs: device and engine, day of the end (UTC), versions, seconds of training."),
        (*heads, say("Date"), say("Versions"), say("Seconds")),
        [_rerun_row(facts, run, rerun) for run, rerun in again],
        wide=(0, 2, 4),
        right=(1, 5),
        notes=notes[:MOST_NOTES],
        excerpt=excerpt_of_top(facts, RERUNS_TABLE, len(again), PRINTED, PRINTED),
    )
    return leaned(table, range(2, 6))


def _rerun_row(facts: Facts, run: Run, rerun: Rerun) -> tuple[doc.Text, ...]:
    key = f"{RERUNS_TABLE}.{slug(run.id)}"
    stated = Evidence(path=f"{run.id}/{RECORD}", tag="seconds", value=rerun.seconds, run=run.id)
    what = message("time of the re-run")
    seconds = Quantity(value=rerun.seconds, unit="seconds", method=what, sources=(stated,))
    versions = [f"{clipped(name)} {clipped(v)}" for name, v in rerun.versions.items()]
    named = ", ".join(versions[:MOST_VERSIONS])
    if more := len(versions[MOST_VERSIONS:]):
        named = tell("{versions} and {count} more", versions=named, count=more)
    made = [clipped(text) for text in (rerun.device, rerun.engine) if text]
    return (
        (short_name(facts, facts.group(run.group)),),
        (
            numbers.seed_number(
                f"{key}.seed", rerun.seed, (numbers.of_seed(run, facts.study.metric),)
            ),
        ),
        (tell("; ").join(made),) if made else DASH,
        (day(rerun),),
        (named,) if named else DASH,
        (doc.Number(id=f"{key}.seconds", quantity=seconds, style="count"),),
    )
