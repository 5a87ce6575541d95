"""What was found, what is missing, what was inferred, and how to get the same again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from reportgen.languages import message, noun, say, say_count, tell
from reportgen.languages._language import Message
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
from reportgen.report._clock import count_updates
from reportgen.report._evidence import of_last_step, of_points, of_run, of_seed, of_series
from reportgen.report._excerpts_found import excerpt_of_found, excerpt_of_keys, points_of
from reportgen.report._hyperparameters import hyperparameter_table
from reportgen.report._marks import rerun_mark, rerun_note, reruns_of, store_of
from reportgen.report._number_ids import keys_of
from reportgen.report._numbers import counted, seed_number, step_number
from reportgen.report._phrases import (
    ROOT,
    in_words,
    joined,
    path_words,
    shared_folder,
)
from reportgen.report._quotes import listed, quoted, quotes_any, sentences
from reportgen.report._reasons import by_reason, reasons_words
from reportgen.report._reproducibility_checklist import checklist
from reportgen.report._reproducibility_files import list_files, log_files
from reportgen.report._reruns import reruns_blocks

RUNS_TABLE = "reproducibility.runs"
MOST_PLACES = 12  # places of one kind of problem that are listed; report.json has them all
MOST_ALIKE = 3  # messages of one kind that have a row each
MOST_OTHERS = 3  # other readings of a setting that are listed
MOST_MISSING = 3  # runs without a result for one reason that have a line each


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
        title=tell("Reproducibility"),
        blocks=(
            *blocks,
            Section(
                id="reproducibility.checklist",
                title=tell("Checklist"),
                blocks=(checklist(facts),),
            ),
            Section(
                id="reproducibility.files",
                title=tell("Files"),
                blocks=tuple(list_files(facts)),
            ),
        ),
    )


def _found(facts: Facts) -> Paragraph:
    sources = log_files(facts)
    runs = [of_run(run, facts.study.metric) for run in facts.runs]
    # A file may hold several runs, and a restart what it wrote over: the runs are counted.
    points = sum(map(points_of, facts.runs))
    holding = [of_points(run, points_of(run), facts.study.metric) for run in facts.runs]
    folders: list[Text] = [(Code(facts.runs.root),)]
    if reruns_of(facts):
        folders.append((Code(store_of(facts)),))
    computed = say(
        "Every result of the runs was computed from {runs} in {files} under {folders}.",
        runs=say_count(
            "{n} run",
            "{n} runs",
            len(runs),
            n=counted("reproducibility.runs", len(runs), message("runs found"), runs),
        ),
        files=say_count(
            "{n} file",
            "{n} files",
            len(sources),
            n=counted(
                "reproducibility.files", len(sources), message("files read"), _paths(sources)
            ),
        ),
        folders=joined(folders),
    )
    held = say_count(
        "The run holds {points} logged scalar values. None was sampled, averaged or smoothed "
        "before it was used.",
        "The runs hold {points} logged scalar values. None was sampled, averaged or smoothed "
        "before it was used.",
        len(runs),
        points=counted(
            "reproducibility.points", points, message("scalar points of the runs"), holding
        ),
    )
    return Paragraph(text=sentences([computed, held, _listed_where(facts)]))


def _listed_where(facts: Facts) -> Text:
    """Say where the runs are listed, and where what is the matter with them."""
    table = Ref(RUNS_TABLE)
    if not facts.problems:
        return say(
            "{table} lists the runs; no file was damaged, and nothing contradicts itself.",
            table=table,
        )
    return say(
        "{table} lists the runs, and {problems} what is the matter with them.",
        table=table,
        problems=Ref("reproducibility.problems"),
    )


def _runs_table(facts: Facts) -> Table:
    again = reruns_of(facts).values()
    keys = keys_of((run.id for run in facts.runs), "run")
    labels = {group.name: group.label for group in facts.groups}
    updates = count_updates(facts.runs)
    return Table(
        id=RUNS_TABLE,
        caption=say(
            "The runs that were found: layout of their logs, files, logged points, and the last "
            "optimizer step that was logged (number of updates)."
            if updates
            else "The runs that were found: layout of their logs, files, logged points, and the "
            "last step that was logged."
        ),
        columns=(
            TableColumn(title=say("Run"), wide=True),
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=say("Seed"), align="right"),
            TableColumn(title=say("Layout")),
            TableColumn(title=say("Files"), align="right"),
            TableColumn(title=say("Points"), align="right"),
            TableColumn(title=say("Updates" if updates else "Steps"), align="right"),
        ),
        rows=tuple(
            _run_row(facts, keys[run.id], run, labels.get(run.group, run.group))
            for run in facts.runs
        ),
        notes=(rerun_note(facts, again),) if again else (),
        excerpt=excerpt_of_found(facts, RUNS_TABLE),
    )


def _run_row(facts: Facts, name: str, run: Run, label: str) -> TableRow:
    key = f"reproducibility.run.{name}"
    curves = [replace(of_series(run, series), value=len(series)) for series in run.scalars.values()]
    paths = _paths(run.sources)
    return TableRow(
        cells=(
            (Code(path_words(run, facts.runs)), *((rerun_mark(),) if run.rerun else ())),
            (label,),
            (_seed(f"{key}.seed", facts, run),),
            (noun(run.layout.replace("_", " ")),),
            (counted(f"{key}.files", len(run.sources), message("files of the run"), paths),),
            (counted(f"{key}.points", points_of(run), message("points of the run"), curves),),
            (_last_step(f"{key}.updates", run),),
        )
    )


def _seed(identifier: str, facts: Facts, run: Run) -> Number:
    if run.seed is None:
        reading = Missing(reason=message("neither path nor configuration names a seed"))
        return Number(id=identifier, quantity=reading, decimals=0)
    return seed_number(identifier, run.seed, (of_seed(run, facts.study.metric),))


def _last_step(identifier: str, run: Run) -> Number:
    reading: Quantity | Missing = Missing(reason=message("the run holds no scalar point"))
    last = of_last_step(run)
    if last:
        step = last[0].step or 0
        reading = Quantity(
            value=step, unit="step", method=message("last logged step"), sources=last
        )
    return step_number(identifier, reading)


def _paths(sources: Iterable[Source]) -> list[Evidence]:
    return [Evidence(path=source.path) for source in sources]


def _missing(facts: Facts) -> Block | None:
    items = tuple(_missing_cells(facts))
    if not items:
        return None
    return Bullets(items=items, id="reproducibility.missing")


def _missing_cells(facts: Facts) -> Iterator[Text]:
    """Say which runs have no result; many with one reason are counted, and a few of them named."""
    labels = {id(cell): group.label for group in facts.groups for cell in group.cells}
    missing = [
        (cell, why)
        for group in facts.groups
        for cell in group.cells
        if isinstance(why := cell.report_value, Missing)
    ]
    for alike in by_reason(missing):
        if len(alike) > MOST_MISSING:
            yield say(
                "{what}: {reason}.",
                what=Strong(say("Missing: {count} runs", count=in_words(len(alike)))),
                reason=reasons_words(alike)[0],
            )
            continue
        for cell, why in alike:
            yield say(
                "{what}: {reason}.",
                what=Strong(_lost(labels[id(cell)], cell, why.reason)),
                reason=quoted(why.reason),
            )


def _lost(label: str, cell: RunResult, reason: str) -> Text:
    """Say that a run is missing; of one that is all of a group its reason has the name already."""
    if cell.run is not None and cell.run.id == label and reason.startswith(label):
        return say("Missing")
    return say("Missing: {group}, {run}", group=label, run=_named(cell))


def _named(cell: RunResult) -> str:
    if cell.seed is not None:
        return tell("seed {seed}", seed=str(cell.seed))
    if cell.run is None:
        return tell("no run")
    return tell("the only run") if cell.run.id in ROOT else tell("run {run}", run=cell.run.id)


def _problems(facts: Facts) -> Table | None:
    """Return what is the matter with which files; None where all is well."""
    if not facts.problems:
        return None
    return Table(
        id="reproducibility.problems",
        caption=_problems_caption(facts),
        columns=(
            TableColumn(title=say("Where"), wide=True),
            TableColumn(title=say("What"), wide=True),
            TableColumn(title=say("Remedy"), wide=True),
        ),
        rows=tuple(
            TableRow(
                cells=(
                    _listed(_place(problem, facts) for problem in same),
                    _kind(same),
                    (quoted(same[0].remedy or message("nothing to do")),),
                )
            )
            for same in _of_a_kind(facts.problems)
        ),
    )


def _of_a_kind(problems: Iterable[Problem]) -> Iterator[list[Problem]]:
    """Yield the problems of each row: those of one kind, or of one message where a kind has few."""
    kinds: dict[str, dict[tuple[str, str], list[Problem]]] = {}
    for problem in problems:
        same = kinds.setdefault(problem.code, {})
        same.setdefault((_message(problem), problem.remedy), []).append(problem)
    for messages in kinds.values():
        few = len(messages) <= MOST_ALIKE
        yield from messages.values() if few else [list(chain(*messages.values()))]


def _kind(same: Sequence[Problem]) -> Text:
    """Return the message of some problems; of many that differ in numbers the first."""
    first = quoted(_message(same[0]))
    if len({_message(problem) for problem in same}) == 1:
        return (first,)
    return say("{first}, and others of this kind", first=(first,))


def _place(problem: Problem, facts: Facts) -> str:
    """Return the path of a problem; of one of the folder of logs itself, the name of that."""
    if problem.path not in ROOT:
        return problem.path
    folder = facts.runs.root.rstrip("/").rpartition("/")[2]
    return folder if folder.strip(".") else "."


def _problems_caption(facts: Facts) -> Text:
    """Return the caption; a report in another language says whose words it quotes."""
    caption = say("Everything that is the matter with the evidence.")
    if quotes_any(text for p in facts.problems for text in (p.message, p.remedy)):
        whose = say("Messages of the program are quoted in English, as it prints them.")
        return sentences([caption, whose])
    return caption


def _message(problem: Problem) -> str:
    if problem.offset is None:
        return problem.message
    if not isinstance(problem.message, Message):
        return f"{problem.message} (at byte {problem.offset})"
    return message("{what} (at byte {offset})", what=problem.message, offset=problem.offset)


def _listed(paths: Iterable[str]) -> Text:
    """Return the first of some paths in one cell, each once, after the folder that all share."""
    named = tuple(dict.fromkeys(paths))
    folder = shared_folder(named)
    shown = named if len(named) <= MOST_PLACES + 1 else named[:MOST_PLACES]
    text = listed(((Code(path[len(folder) :]),) for path in shown), ", ")
    if rest := len(named) - len(shown):
        text = say("{shown} and {n} more", shown=text, n=str(rest))
    return say("{folder}: {files}", folder=Code(folder), files=text) if folder else text


def _decisions(facts: Facts) -> Table | None:
    if not facts.study.decisions:
        return None
    rows = tuple(
        TableRow(
            cells=(
                (Code(decision.key),),
                (Code(decision.value) if decision.value else tell("not set"),),
                _because(decision),
            )
        )
        for decision in facts.study.decisions
    )
    return Table(
        id="reproducibility.decisions",
        caption=say(
            "What no study file stated and was inferred. {command} writes these lines into a study "
            "file, where each can be changed.",
            command=Code("reportgen init"),
        ),
        columns=(
            TableColumn(title=say("Key")),
            TableColumn(title=say("Value"), wide=True),
            TableColumn(title=say("Reason"), wide=True),
        ),
        rows=rows,
        excerpt=excerpt_of_keys(facts, "reproducibility.decisions"),
    )


def _because(decision: Decision) -> Text:
    """Return a reason with the other readings; those that answer a question as they are written."""
    reason, others = quoted(decision.reason), decision.alternatives
    if not others:
        return (reason,)
    shown = others if len(others) <= MOST_OTHERS + 1 else others[:MOST_OTHERS]
    rest = len(others) - len(shown)
    if not decision.asks:
        possible: Text = (", ".join(shown),)
        if rest:
            possible = say("{shown} and {n} more", shown=possible, n=str(rest))
        return say("{reason}; also possible: {others}", reason=reason, others=possible)
    either: Text = (Code(shown[0]),)
    for other in shown[1:]:
        either = say("{one} or {other}", one=either, other=Code(other))
    if rest:
        either = say("{shown} and {n} more", shown=either, n=str(rest))
    return say("{reason}; a study file may say {others} instead", reason=reason, others=either)
