"""What was found, what is missing, what was inferred, and how to get the same again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from reportgen.records.document import (
    Block,
    Bullets,
    Code,
    Number,
    Paragraph,
    Ref,
    Section,
    Strong,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, RunResult
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.run import Problem, Run, Source
from reportgen.records.study import Decision
from reportgen.sections._hyperparameters import hyperparameter_table
from reportgen.sections._marks import RERUN, rerun_note, reruns_of, store_of
from reportgen.sections._numbers import (
    counted,
    of_last_step,
    of_points,
    of_run,
    of_seed,
    of_series,
    seed_number,
    step_number,
)
from reportgen.sections._phrases import (
    ROOT,
    path_words,
    plural,
    shared_folder,
)
from reportgen.sections._reproducibility_checklist import checklist
from reportgen.sections._reproducibility_files import list_files, log_files
from reportgen.sections._reruns import reruns_blocks


def build(facts: Facts) -> Section | None:
    """Return the section; it is never empty, for even a clean study has files to name."""
    blocks: list[Block] = [_found(facts), _runs_table(facts), *reruns_blocks(facts)]
    blocks += [
        part
        for part in (
            _missing(facts),
            _problems(facts),
            hyperparameter_table(facts),
            _decisions(facts),
        )
        if part is not None
    ]
    return Section(
        id="reproducibility",
        title="Reproducibility",
        blocks=(
            *blocks,
            Section(id="reproducibility.checklist", title="Checklist", blocks=(checklist(facts),)),
            Section(id="reproducibility.files", title="Files", blocks=tuple(list_files(facts))),
        ),
    )


def _found(facts: Facts) -> Paragraph:
    sources = log_files(facts)
    runs = [of_run(run, facts.study.metric) for run in facts.runs]
    # A file may hold several runs, and a restart what it wrote over: the runs are counted.
    points = sum(map(_points, facts.runs))
    holding = [of_points(run, _points(run), facts.study.metric) for run in facts.runs]
    text: Text = (
        "Every result of the runs was computed from ",
        counted("reproducibility.runs", len(runs), "runs found", runs),
        f" {plural('run', len(facts.runs))} in ",
        counted("reproducibility.files", len(sources), "files read", _paths(sources)),
        f" {plural('file', len(sources))} under ",
        Code(facts.runs.root),
        *((" and ", Code(store_of(facts))) if reruns_of(facts) else ()),
        f". The {plural('run', len(facts.runs))} {'holds' if len(facts.runs) == 1 else 'hold'} ",
        counted("reproducibility.points", points, "scalar points of the runs", holding),
        " logged scalar values. None was sampled, averaged or smoothed before it was used. ",
        Ref("reproducibility.runs"),
        " lists the runs",
    )
    if facts.problems:
        more: Text = (", and ", Ref("reproducibility.problems"), " what is the matter with them.")
    else:
        more = ("; no file was damaged, and nothing contradicts itself.",)
    return Paragraph(text=(*text, *more))


def _runs_table(facts: Facts) -> Table:
    again = reruns_of(facts).values()
    return Table(
        id="reproducibility.runs",
        caption=(
            (
                "The runs that were found: layout of their logs, files, logged points, and the "
                "last optimizer step that was logged (number of updates)."
            ),
        ),
        columns=(
            TableColumn(title=("Run",), wide=True),
            TableColumn(title=("Group",), wide=True),
            TableColumn(title=("Seed",), align="right"),
            TableColumn(title=("Layout",)),
            TableColumn(title=("Files",), align="right"),
            TableColumn(title=("Points",), align="right"),
            TableColumn(title=("Updates",), align="right"),
        ),
        rows=tuple(_run_row(facts, *numbered) for numbered in enumerate(facts.runs)),
        notes=(rerun_note(facts, again),) if again else (),
    )


def _run_row(facts: Facts, position: int, run: Run) -> TableRow:
    key = f"reproducibility.run.{position}"
    curves = [replace(of_series(run, series), value=len(series)) for series in run.scalars.values()]
    paths = _paths(run.sources)
    return TableRow(
        cells=(
            (Code(path_words(run, facts.runs)), *((RERUN,) if run.rerun else ())),
            (_label(facts, run),),
            (_seed(f"{key}.seed", facts, run),),
            (run.layout.replace("_", " "),),
            (counted(f"{key}.files", len(run.sources), "files of the run", paths),),
            (counted(f"{key}.points", _points(run), "points of the run", curves),),
            (_updates(f"{key}.updates", run),),
        )
    )


def _label(facts: Facts, run: Run) -> str:
    return next((g.label for g in facts.groups if g.name == run.group), run.group)


def _seed(identifier: str, facts: Facts, run: Run) -> Number:
    if run.seed is None:
        reading = Missing(reason="neither path nor configuration names a seed")
        return Number(id=identifier, quantity=reading, decimals=0)
    return seed_number(identifier, run.seed, (of_seed(run, facts.study.metric),))


def _updates(identifier: str, run: Run) -> Number:
    reading: Quantity | Missing = Missing(reason="the run holds no scalar point")
    last = of_last_step(run)
    if last:
        step = last[0].step or 0
        reading = Quantity(value=step, unit="step", method="last logged step", sources=last)
    return step_number(identifier, reading)


def _paths(sources: Iterable[Source]) -> list[Evidence]:
    return [Evidence(path=source.path) for source in sources]


def _points(run: Run) -> int:
    return sum(len(series) for series in run.scalars.values())


def _missing(facts: Facts) -> Block | None:
    items = tuple(_missing_cells(facts))
    if not items:
        return None
    return Bullets(items=items, id="reproducibility.missing")


def _missing_cells(facts: Facts) -> Iterator[Text]:
    for group in facts.groups:
        for cell in group.cells:
            if isinstance(cell.report_value, Missing):
                yield (
                    Strong((f"Missing: {group.label}, {_named(cell)}",)),
                    f": {cell.report_value.reason}.",
                )


def _named(cell: RunResult) -> str:
    if cell.seed is not None:
        return f"seed {cell.seed}"
    if cell.run is None:
        return "no run"
    return "the only run" if cell.run.id in ROOT else f"run {cell.run.id}"


def _problems(facts: Facts) -> Table | None:
    """Return one row a message, with every file it is true of; None where all is well."""
    paths: dict[tuple[str, str], list[str]] = {}
    for problem in facts.problems:
        key = _message(problem), problem.remedy or "nothing to do"
        paths.setdefault(key, []).append(problem.path or ".")
    if not paths:
        return None
    return Table(
        id="reproducibility.problems",
        caption=("Everything that is the matter with the evidence.",),
        columns=(
            TableColumn(title=("Where",), wide=True),
            TableColumn(title=("What",), wide=True),
            TableColumn(title=("Remedy",), wide=True),
        ),
        rows=tuple(
            TableRow(cells=(_listed(where), (message,), (remedy,)))
            for (message, remedy), where in paths.items()
        ),
    )


def _message(problem: Problem) -> str:
    at = "" if problem.offset is None else f" (at byte {problem.offset})"
    return f"{problem.message}{at}"


def _listed(paths: Iterable[str]) -> Text:
    """Return several paths in one cell, each once, after the folder that all share."""
    named = tuple(dict.fromkeys(paths))
    folder = shared_folder(named)
    text: Text = (Code(folder), ": ") if folder else ()
    for position, path in enumerate(named):
        text += (", ", Code(path[len(folder) :])) if position else (Code(path[len(folder) :]),)
    return text


def _decisions(facts: Facts) -> Table | None:
    if not facts.study.decisions:
        return None
    rows = tuple(
        TableRow(
            cells=(
                (Code(decision.key),),
                (Code(decision.value) if decision.value else "not set",),
                _because(decision),
            )
        )
        for decision in facts.study.decisions
    )
    return Table(
        id="reproducibility.decisions",
        caption=(
            "What no study file stated and was inferred. ",
            Code("reportgen init"),
            " writes these lines into a study file, where each can be changed.",
        ),
        columns=(
            TableColumn(title=("Key",)),
            TableColumn(title=("Value",), wide=True),
            TableColumn(title=("Reason",), wide=True),
        ),
        rows=rows,
    )


def _because(decision: Decision) -> Text:
    """Return a reason with the other readings; those that answer a question as they are written."""
    others = decision.alternatives
    if not others:
        return (decision.reason,)
    if not decision.asks:
        return (f"{decision.reason}; also possible: {', '.join(others)}",)
    text: Text = (f"{decision.reason}; a study file may say ", Code(others[0]))
    for other in others[1:]:
        text += (" or ", Code(other))
    return (*text, " instead")
