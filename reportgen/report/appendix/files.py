"""What the results were computed from: runs, files and their digests, and by what software."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportgen.languages import message, noun, say, say_count, tell
from reportgen.records.document import (
    Block,
    Code,
    Inline,
    Ref,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts
from reportgen.records.quantity import Evidence
from reportgen.records.record import replace
from reportgen.records.run import Run, Source
from reportgen.records.source import FATES, natural_key
from reportgen.report._run_readings import count_updates
from reportgen.report._words import words_of
from reportgen.report.appendix.tables import (
    DASH,
    appendix_section,
    excerpt_of_top,
    lean_table,
    paragraph,
)
from reportgen.report.marks import rerun_mark, rerun_note, reruns_of, store_of
from reportgen.report.names import keys_of, short_name
from reportgen.report.numbers import (
    count_of,
    counted,
    model_files,
    of_last_step,
    of_points,
    of_run,
    step_number,
)
from reportgen.report.phrases import joined, listed, path_words, plain_table, shared_folder

RUNS, DIGESTS = "files.runs", "files.digests"
MOST_ROWS = 24
"""Rows that the table of runs has on pages; of more, a half."""
MOST_DIGESTS = 12
"""Files whose digests are printed; of more, some."""
MOST_NAMED = 6
"""Runs of a row that are named."""
MOST_EVIDENCE = 12


def build_files(facts: Facts) -> Section | None:
    """Return the section, or None where no file was read."""
    found = {source.path: source for run in facts.runs for source in run.sources}
    logs = [found[path] for path in sorted(found, key=natural_key)]
    sources = (*model_files(facts), *logs)
    tables = [
        *([_runs_table(facts)] if len(facts.runs) else []),
        *([_digests(facts, sources)] if sources else []),
    ]
    if not tables:
        return None
    refs = {name: (Ref(table.id),) for table in tables for name in [table.id.rpartition(".")[2]]}
    about = say(
        "{runs} lists the runs, {digests} the files used."
        if len(refs) > 1
        else "{runs} lists the runs."
        if "runs" in refs
        else "{digests} lists the files used.",
        **refs,
    )
    software = ", ".join(f"{name} {version}" for name, version in facts.environment.items())
    blocks: list[Block] = [
        *paragraph(
            *_computed_from(facts, logs),
            about,
            _absent(facts),
            say("Software: {names}.", names=software) if software else (),
        ),
        *tables,
    ]
    return appendix_section("files", tell("Runs and files"), blocks)


def _computed_from(facts: Facts, logs: Sequence[Source]) -> list[Text]:
    """Say how many runs and points the results rest on, and what became of every file."""
    runs = [of_run(run, facts.study.metric) for run in facts.runs]
    points = sum(map(_points_of, facts.runs))
    holding = [of_points(run, _points_of(run), facts.study.metric) for run in facts.runs]
    n = (
        counted("files.n.runs", len(runs), message("runs found"), runs),
        counted("files.n.points", points, message("scalar points of the runs"), holding),
    )
    folders: list[Text] = [(Code(facts.runs.root),)]
    if reruns_of(facts):
        folders.append((Code(store_of(facts)),))
    files = sum(fate.files for fate in facts.runs.fates) or len(logs)
    paths = [Evidence(path=source.path) for source in logs]
    found = counted("files.n.files", files, message("files under the root"), paths)
    fates = _fates(facts)
    under = say(
        "{files} under {folders}",
        files=say_count("{n} file", "{n} files", files, n=found),
        folders=joined(folders),
    )
    rest = {
        "runs": say_count("{n} run", "{n} runs", len(runs), n=n[0]),
        "points": say_count("{n} logged value", "{n} logged values", points, n=n[1]),
    }
    if len(fates) < 2:
        return [say("All results rest on {runs} with {points} in {files}.", files=under, **rest)]
    return [
        say("All results rest on {runs} with {points}.", **rest),
        say("There are {files}: {parts}.", files=under, parts=listed(fates, ", ")),
    ]


def _fates(facts: Facts) -> list[Text]:
    """Return how many files had which fate: every file below the root has one."""
    parts: list[Text] = []
    for kind in FATES:
        fates = [fate for fate in facts.runs.fates if fate.kind == kind]
        if fates:
            paths = [Evidence(path=fate.path) for fate in fates[:MOST_EVIDENCE]]
            total = sum(fate.files for fate in fates)
            n = counted(f"files.fates.{kind}", total, message("files under the root"), paths)
            parts.append(say(words_of("fates")[kind], n=n))
    return parts


# --- runs -----------------------------------------------------------------------------

_Shape = tuple[str, str, int, int, int | None]


def _runs_table(facts: Facts) -> Table:
    """Return the runs, in one row those of a group that are alike."""
    names = {group.name: short_name(facts, group) for group in facts.groups}
    alike: dict[_Shape, list[Run]] = {}
    for run in facts.runs:
        last = of_last_step(run)
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
    folder = shared_folder([path_words(run, facts.runs) for run in facts.runs])
    rows = [_row(facts, shape, runs, keys[runs[0].id], folder) for shape, runs in alike.items()]
    if all(row.cells[1] == (Code(str(row.cells[0][0])),) for row in rows):
        # Groups that are called as their folder need no second name.
        rows = [replace(row, cells=((), *row.cells[1:])) for row in rows]
    several = len(rows) < len(facts.runs)
    below = say(", below {folder}", folder=Code(folder)) if folder else ""
    return lean_table(
        RUNS,
        say(
            "Runs{below}, those that are alike in one row." if several else "Runs{below}.",
            below=below,
        ),
        (
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=say("Runs"), wide=True),
            TableColumn(title=say("Layout")),
            TableColumn(title=say("Count"), align="right"),
            TableColumn(title=say("Files"), align="right"),
            TableColumn(title=say("Logged values"), align="right"),
            TableColumn(title=say("Last update" if updates else "Last step"), align="right"),
        ),
        rows,
        lean=(0, 2, 3, 4, 5, 6),
        notes=(rerun_note(facts, again),) if (again := [*reruns_of(facts).values()]) else (),
        excerpt=excerpt_of_top(facts, RUNS, len(rows), MOST_ROWS, MOST_ROWS // 2),
    )


def _row(facts: Facts, shape: _Shape, runs: Sequence[Run], name: str, folder: str) -> TableRow:
    group, layout, files, points, _ = shape
    key, metric = f"{RUNS}.{name}", facts.study.metric
    logs = [of_run(run, metric) for run in runs]
    paths = [Evidence(path=source.path) for source in runs[0].sources]
    holding = [of_points(run, points, metric) for run in runs]
    last = [point for run in runs for point in of_last_step(run)]
    step: Text = DASH
    if last:
        count = count_of(last[0].step or 0, message("last logged step"), last)
        step = (step_number(f"{key}.last", replace(count, unit="step")),)
    return TableRow(
        cells=(
            (group,),
            _names(facts, runs, folder),
            (noun(layout.replace("_", " ")),),
            (counted(f"{key}.n", len(runs), message("runs found"), logs),),
            (counted(f"{key}.files", files, message("files of the run"), paths),),
            (counted(f"{key}.points", points, message("points of the run"), holding),),
            step,
        )
    )


def _names(facts: Facts, runs: Sequence[Run], above: str) -> Text:
    """Return the paths of some runs after the folder that they share, re-runs marked.

    The folder that all runs share, `above`, is left out.
    """
    paths = [path_words(run, facts.runs)[len(above) :] for run in runs]
    folder = shared_folder(paths)
    shown: list[tuple[Inline, ...]] = [
        (Code(path[len(folder) :]), *((rerun_mark(),) if run.rerun else ()))
        for path, run in zip(paths[:MOST_NAMED], runs, strict=False)
    ]
    text = listed(shown, ", ")
    if len(runs) > MOST_NAMED:
        text = (*text, " …")
    return say("{folder}: {files}", folder=Code(folder), files=text) if folder else text


def _points_of(run: Run) -> int:
    return sum(len(series) for series in run.scalars.values())


# --- digests --------------------------------------------------------------------------


def _digests(facts: Facts, sources: Sequence[Source]) -> Table:
    """Return the digests of all files, those of models first; pages have a few of them."""
    return plain_table(
        DIGESTS,
        say("Files used, and the start of their SHA-256."),
        (say("File"), ("SHA-256",)),
        [((Code(source.path),), (Code(source.sha256[:12]),)) for source in sources],
        excerpt=excerpt_of_top(facts, DIGESTS, len(sources), MOST_DIGESTS, MOST_DIGESTS // 2),
    )


# --- what was not there ---------------------------------------------------------------


def _absent(facts: Facts) -> Text:
    """Name what was looked for and not found; nothing where all is there."""
    names = [(tell(name),) for name, there in _looked_for(facts) if not there]
    return say("Not in the evidence: {names}.", names=joined(names)) if names else ()


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
