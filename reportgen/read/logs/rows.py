"""The engine of tables: a file is cut into rows, and its rows become logs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from pathlib import Path

from reportgen.read.logs import shapes
from reportgen.read.logs.collected import LISTED, TAG_LIMIT, Table
from reportgen.read.logs.columns import (
    CLOCK_WORDS,
    COUNTED,
    STEPS,
    Row,
    holds_clock,
    infer_plan,
    is_counted,
    is_listing,
    is_paced,
)  # fmt: skip
from reportgen.read.logs.cut import BOM, Cut, Objects, Sheet, members_under
from reportgen.read.logs.files import (
    FileReader,
    find_fault,
    flatten,
    parse_json,
    read_json,
    read_text,
    read_through,
    reader_fault,
    source_of,
    unless_empty,
)  # fmt: skip
from reportgen.read.logs.numbers import as_number, leaves, skipped_note
from reportgen.read.logs.sessions import EPOCH
from reportgen.read.logs.several_runs import (
    is_called_results,
    listed_runs,
    named_rows,
    of_one_run,
    of_split,
    result_logs,
    unmeasured,
    with_names,
    with_results,
)
from reportgen.read.logs.sources import TESTED, LogSource, sources_of
from reportgen.read.logs.words import end_of, holds_settings, is_measure, is_set, plain_word
from reportgen.records.record import replace
from reportgen.records.run import FINISHED, Log, Problem
from reportgen.records.study import TablePlan

CSV, JSON = "metrics_csv", "json_lines"
STATE, RESULTS = "trainer_state", "hf_results"

SEEN = 200
"""Rows by which columns are told where no study declares them."""

EXPECTED = ("metrics.csv", "wandb-history.jsonl")
"""Names that no other file than a log has: of these it is said where they hold none."""

TEXT_SHOWN = 200
_TRAINERS = ("train_", *(f"{split}_" for split in shapes.HF_SPLITS))
"""How keys of the Trainer's results begin."""

_EVALUATED = ("eval", "evaluation", "training")
_BEST = "best_model_checkpoint"
"""Path of the best checkpoint; null where none was kept track of, which is empty here."""


# --- CSV ------------------------------------------------------------------------------------


def load_metrics_csv(path: Path, name: str, plan: TablePlan | None = None) -> tuple[Log, ...]:
    """Read a CSV log: one series a numeric column, one point a filled cell.

    The plan, where a study declares one, says which column is what; else their names tell.

    Returns:
        One log a run and session, or none where a CSV file has no step column and so is no log.
    """
    content, empty = read_text(path, name, CSV, partly=True)
    expected = plan is not None or name.rpartition("/")[2] in EXPECTED
    if not content:
        # An empty CSV file may be anything; one that cannot be read may be a log.
        return (empty,) if expected else unless_empty(empty)
    sheet = Sheet(content, name, delimiter=plan.delimiter if plan else "")
    if plan is not None:
        problem = _misfit(plan, sheet.header, name)
        table = Table(plan=plan, path=name, number=sheet.number)
        source = sources_of(CSV)[-1]
        rows = sheet.rows
    else:
        source = _source(CSV, name, [sheet.header])
        found, rows, problem = _sheet_table(sheet, source, expected=expected)
        if found and (named := _named_results(found, source, rows, empty)):
            return named
        table = found or Table(plan=TablePlan(), path=name, number=sheet.number)
    if problem is not None:
        cells = (cut.cells for cut in rows() if cut.cells) if plan is None else ()
        told = (replace(empty, problems=(problem,)),) if problem.message else ()
        return result_logs(cells, sheet.number, replace(empty, program=source.program)) or told
    table.nothing = "only a header: "
    for odd in sheet.odd[:LISTED]:
        table.say(odd, "give each column a name of its own" if "columns are called" in odd else "")
    for cut in rows():
        table.take(cut)
    return table.logs(replace(empty, config=flatten(sheet.stated)[0], program=source.program))


def _sheet_table(
    sheet: Sheet, source: LogSource, *, expected: bool
) -> tuple[Table | None, Callable[[], Iterator[Cut]], Problem | None]:
    """Return the table that a sheet is taken for, its rows, and why it is none.

    A problem without words is one that nobody needs to hear of.
    """
    shape = shapes.SHEETS[source.cut](sheet, source)
    rows, name = shape.rows, sheet.path
    begun = [cut.cells for cut in islice(rows(), SEEN) if cut.cells is not None]
    if shape.plan:
        plan: TablePlan | None = replace(TablePlan(), **shape.plan)  # type: ignore[arg-type]
    else:
        plan = infer_plan(begun, sheet.number, shape.header, source.step)
    if plan is None and shapes.is_history(shape.header, begun, sheet.number):
        plan, rows = TablePlan(step=EPOCH), shapes.counted(rows)
    if plan is None:
        told = "no step or epoch column: not a log" if expected else ""
        return None, rows, Problem(path=name, message=told)
    table = _inferred(Table(plan=plan, path=name, number=sheet.number), source, begun, rows)
    if is_listing(table.plan, begun, sheet.number):
        return None, rows, Problem(path=name, message="")
    table.fixed = {**source.tags, **shape.fixed}
    return table, rows, None


def _named_results(
    table: Table, source: LogSource, rows: Callable[[], Iterator[Cut]], empty: Log
) -> tuple[Log, ...]:
    """Return a log a row of a table of results, nothing where rows are those of curves."""
    cells = (cut.cells for cut in rows() if cut.cells)
    names = () if source.program else named_rows(table.plan, cells, table.number)
    if not names:
        return ()
    told = (cut.cells for cut in rows() if cut.cells)
    without_step = ({k: v for k, v in row.items() if k != table.plan.step} for row in told)
    return result_logs(without_step, table.number, empty, names=names)


def _misfit(plan: TablePlan, header: Sequence[str], name: str) -> Problem | None:
    """Say which declared column a file does not have, where nothing can be read without it."""
    for column in (plan.step or plan.epoch, plan.tag, plan.value):
        if column and column not in header:
            return Problem(
                path=name,
                message=f"no column {column!r}, which [[logs.tables]] names: not read",
                remedy=f"its columns are {', '.join(header[:20])}",
            )
    return None


# --- JSON -----------------------------------------------------------------------------------


def load_json_lines(path: Path, name: str, plan: TablePlan | None = None) -> tuple[Log, ...]:
    """Read JSON: lines or an array of objects, or one object in a shape that logs have.

    Returns:
        One log a run and session; none where no row has a step or an epoch, and the file is no
        log. Keys of nested values are joined by dots.
    """
    expected = plan is not None or name.rpartition("/")[2] in EXPECTED
    shaped = None if expected else _load_object(path, name)
    if shaped is not None:
        return shaped
    own = _own_clocks(name)
    looked = Objects(FileReader(path), needle=_needle(own))
    begun = _begun(looked, own)
    problem = find_fault(looked.reader, name)
    if problem is not None and not (begun and looked.reader.head):
        bare = _bare(path, name, problem)
        return (bare,) if expected else unless_empty(bare)
    source = _source(JSON, name, begun[:1], "rows")
    if own and not source.step:
        # What another source calls its step is a tag of this file.
        begun = _begun(Objects(FileReader(path), needle=_needle(())), ())
        source = _source(JSON, name, begun[:1], "rows")
    inferred = plan or infer_plan(begun, as_number, first=source.step)
    if inferred is None and not expected:
        return _listed_results(path, name)
    if inferred is None:
        problem = Problem(path=name, message="no objects with a step, one a line: not a log")
        return (_bare(path, name, problem),)
    if plan:
        table = Table(plan=plan, path=name, number=as_number)
    else:
        table, rows = (
            Table(plan=inferred, path=name, number=as_number),
            Objects(FileReader(path)).rows,
        )
        table = _inferred(table, source, begun, rows)
        empty = Log(source=source_of(looked.reader, name, JSON))
        if named := _named_results(table, source, rows, empty):
            return named
    config: dict[str, object] = {}
    objects = Objects(FileReader(path))
    for cut in objects.rows() if plan else _without_heads(objects, table, source.settings):
        if cut.cells and not table.used and not plan:
            config = config or _under(cut.cells, source.settings)
        table.take(cut)
    if not table.used and not expected:
        return ()
    table.problems.extend(_odd(objects, name))
    empty = Log(source=source_of(objects.reader, name, JSON), config=config, program=source.program)
    return table.logs(empty)


def _listed_results(path: Path, name: str) -> tuple[Log, ...]:
    """Return a log an object of a file whose objects are results of runs."""
    reader = FileReader(path)
    rows = [
        cut.cells for cut in islice(Objects(reader).rows(), shapes.RESULTS_LIMIT + 1) if cut.cells
    ]
    if not rows:
        return _damaged(path, name)
    source = sources_of(JSON)[-1]
    for one in sources_of(JSON, "numbers", name):
        if one.under and all(
            any(key.startswith(f"{k}.") for key in row) for k in one.look for row in rows
        ):
            source = one
    empty = Log(source=source_of(reader, name, JSON), program=source.program)
    return result_logs(rows, as_number, empty, source.under)


def _damaged(path: Path, name: str) -> tuple[Log, ...]:
    """Return where a file of one object stops being JSON; nothing of one that holds none."""
    content, empty = read_text(path, name, JSON)
    begins = content.removeprefix(BOM).lstrip().startswith(b"{")
    problem = parse_json(content, name)[1] if begins else None
    return (replace(empty, problems=(problem,)),) if problem else ()


def _bare(path: Path, name: str, problem: Problem) -> Log:
    _, empty = read_through(path, name, JSON)
    return replace(empty, problems=(problem,))


def _own_clocks(name: str) -> tuple[str, ...]:
    """Return what the sources that a file may be of call its step, and nobody else."""
    words = (word for one in sources_of(JSON, "rows", name) for word in one.step)
    return tuple(word for word in words if plain_word(word) not in CLOCK_WORDS)


@cache
def _needle(own: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return what finds a key that may be a clock: no other line is parsed to find the first."""
    plain = {word.strip("_") for word in (*STEPS, *COUNTED, *own)}
    words = "|".join(sorted(re.escape(word).replace("_", "[ _]?") for word in plain))
    return re.compile(rb'(?i)(?:"|/|_)(?:%s)"\s*:' % words.encode())


@cache
def _clocks(own: tuple[str, ...]) -> frozenset[str]:
    return CLOCK_WORDS.union(plain_word(word.rpartition("/")[2]) for word in own)


def _begun(objects: Objects, own: tuple[str, ...]) -> list[Row]:
    """Return the first rows that state a step or an epoch, wherever in the file they are."""
    rows = (cut.cells for cut in objects.rows() if cut.cells)
    told = (r for r in rows if holds_clock(r, as_number, whole=False, words=_clocks(own)))
    return [*islice(told, SEEN)]


def _without_heads(objects: Objects, table: Table, settings: Sequence[str]) -> Iterator[Cut]:
    """Yield the rows of a table, and have it note those that say how the program was called."""
    is_head = False
    for cut in objects.rows():
        before, is_head = is_head, bool(cut.cells) and _is_head(cut.cells or {}, table)
        if is_head:
            told = _short(_stated(cut.cells or {}, settings))
            table.stated = {**table.stated, **told} if before else told
        else:
            yield cut


def _is_head(row: Row, table: Table) -> bool:
    """Tell whether a row says how the program was called: before the first row, or as there."""
    if not table.used:
        return not holds_clock(row, as_number, words=_clocks((table.plan.step,)))
    clocks = {table.plan.step, table.plan.epoch}
    return clocks.isdisjoint(row) and 2 * len(row.keys() & table.stated.keys()) > len(row)


def _stated(row: Row, keys: Sequence[str]) -> Row:
    """Return a row without the keys that hold settings, and what stands under these."""
    begins = tuple(f"{key}." for key in keys)
    own = {name: cell for name, cell in row.items() if not name.startswith(begins)}
    return {**own, **_under(row, keys)}


def _under(row: Row, keys: Sequence[str]) -> dict[str, object]:
    """Return what stands under keys that hold settings, without these keys."""
    return {
        name.removeprefix(f"{key}."): cell
        for key in keys
        for name, cell in row.items()
        if name.startswith(f"{key}.")
    }


def _short(row: Row) -> dict[str, object]:
    """Return the settings of a row that a person may have set: no long texts."""
    stated = {key: cell for key, cell in row.items() if not isinstance(cell, dict | list)}
    return {k: v for k, v in stated.items() if not (isinstance(v, str) and len(v) > TEXT_SHOWN)}


def _odd(objects: Objects, name: str) -> Iterator[Problem]:
    if objects.reader.problem:
        yield reader_fault(objects.reader, name)
    if objects.media:
        yield Problem(path=name, message=skipped_note(objects.media), level="note")


def _load_object(path: Path, name: str) -> tuple[Log, ...] | None:
    """Return the logs of a file that is one JSON object; None where it is none, or is a row."""
    objects = Objects(FileReader(path))
    found = objects.whole()
    if found is None:
        return None
    stated = {key: one for key, one in found.items() if holds_settings(key, one)}
    empty = Log(source=source_of(objects.reader, name, JSON), config=flatten(stated)[0])
    whole, found = found, {key: one for key, one in found.items() if key not in stated}
    for source in sources_of(JSON, path=name):
        shape = _OBJECTS.get(source.cut)
        if shape is None or not all(key in whole for key in source.look):
            continue
        logs = shape(found, source, replace(empty, program=source.program), objects)
        if logs:
            return (replace(logs[0], problems=(*logs[0].problems, *_odd(objects, name))), *logs[1:])
        if source.cut == TESTED:
            return ()
    words = _clocks(_own_clocks(name))
    if objects.is_line and holds_clock(objects.flat(whole), as_number, words=words):
        return None
    if shapes.results_in(found, as_number):
        return _numbers(found, sources_of(JSON, "numbers")[-1], empty, objects)
    return ()


def _curves(
    found: Mapping[str, object], source: LogSource, empty: Log, _: Objects
) -> tuple[Log, ...]:
    rows = shapes.curves_in(found)
    plan = TablePlan(step="step", tag="tag", value="value", time="timestamp")
    return _collected(rows, plan, source, empty) if rows else ()


def _columns(
    found: Mapping[str, object], source: LogSource, empty: Log, _: Objects
) -> tuple[Log, ...]:
    inside = found.get("history")
    inside = inside if isinstance(inside, dict) else found
    rows = shapes.columns_in(inside, as_number)
    if not rows:
        return _columns_under(inside, source, empty)
    empty = replace(empty, results=shapes.results_in(found, as_number))
    header = list(rows[0])
    plan = infer_plan(rows[:SEEN], as_number, first=source.step)
    if plan is None:
        named = "history" in empty.source.path.rpartition("/")[2].lower()
        history = shapes.is_listed_history(header, rows, as_number)
        if not history and not (named and any(map(is_measure, header))):
            return ()
        rows = [{EPOCH: number, **row} for number, row in enumerate(rows, start=1)]
        plan = TablePlan(step=EPOCH)
        empty = replace(empty, problems=tuple(_unequal(rows, empty.source.path)))
    return _collected(rows, plan, source, empty)


def _columns_under(found: Mapping[str, object], source: LogSource, empty: Log) -> tuple[Log, ...]:
    """Read lists of numbers that lie under keys, which name splits or runs."""
    inside = {
        key: {name.removeprefix("history/"): cell for name, cell in leaves(one, mark="/")}
        for key, one in found.items()
        if isinstance(one, dict)
    }
    tables = {key: shapes.columns_in(one, as_number) or [] for key, one in inside.items()}
    history = [
        shapes.is_listed_history(list(rows[0]), rows, as_number) for rows in tables.values() if rows
    ]
    if 2 * len(history) <= len(found) or not all(history):
        return ()
    clocked = any(holds_clock(row, as_number) for rows in tables.values() for row in rows[:1])
    counted = {
        key: rows if clocked else [{EPOCH: n, **row} for n, row in enumerate(rows, start=1)]
        for key, rows in tables.items()
    }
    stated = {key: one for key, one in found.items() if not tables.get(key)}
    empty = replace(empty, results=shapes.results_in(stated, as_number))
    once = {key: shapes.results_in(one, as_number) for key, one in inside.items()}
    logs = _listed(counted, source, empty)
    return tuple(replace(o, results={**o.results, **once.get(o.run_key, {})}) for o in logs)


def _listed(tables: Mapping[str, Sequence[Row]], source: LogSource, empty: Log) -> tuple[Log, ...]:
    """Return the logs of rows under keys, nothing where no column counts."""
    rows = shapes.listed_under({key: rows for key, rows in tables.items() if rows})
    plan = infer_plan(rows[:SEEN], as_number, first=source.step)
    return _collected(rows, plan, source, empty) if plan else ()


def _unequal(rows: Sequence[Row], name: str) -> Iterator[Problem]:
    """Say of measures that have fewer values than others that nothing tells their epochs."""
    counts = {key: sum(key in row for row in rows) for key in rows[0] if is_measure(key)}
    few = {key: count for key, count in counts.items() if count < max(counts.values()) - 1}
    if few:
        told = ", ".join(f"{key} ({count})" for key, count in [*few.items()][:LISTED])
        yield Problem(
            path=name,
            message=f"{told} have fewer values than the other lists ({max(counts.values())}), and "
            "nothing tells of which epochs: counted from the first",
            remedy="write the epoch of each value beside it",
        )


def _records(
    found: Mapping[str, object], source: LogSource, empty: Log, objects: Objects
) -> tuple[Log, ...]:
    """Read lists of rows; those of several keys are of the splits, or runs, that these name."""
    tables = {
        key: [objects.flat(row) for row in one if isinstance(row, dict)]
        for key, one in found.items()
        if isinstance(one, list)
    }
    clocked = {
        key: rows
        for key, rows in tables.items()
        if any(holds_clock(row, as_number) for row in rows[:SEEN])
    }
    stated = {key: one for key, one in found.items() if not isinstance(one, list)}
    results = shapes.results_in(stated, as_number)
    config = {key: one for key, one in flatten(stated)[0].items() if key not in results}
    empty = replace(empty, config={**empty.config, **config}, results=results)
    return _listed(clocked, source, empty) if clocked else ()


def _numbers(
    found: Mapping[str, object], source: LogSource, empty: Log, _: Objects
) -> tuple[Log, ...]:
    inside = found.get(source.under) if source.under else found
    for key in () if source.under else source.step or ("step",):
        step = as_number(found.get(key))
        if step is not None and step.is_integer():
            row = dict(islice(shapes.numbers_in(found, as_number), shapes.RESULTS_LIMIT))
            return _collected([row], TablePlan(step=key), source, empty)
    limit = shapes.RESULTS_LIMIT
    results = dict(islice(shapes.numbers_in(inside, as_number), limit + 1))
    # The harness names a filter behind each metric: `acc,none`.
    results = {key.replace(",none", "").replace(",", "_"): one for key, one in results.items()}
    config = {} if source.under else {key: one for key, one in results.items() if is_set(key)}
    results = {key: one for key, one in results.items() if key not in config}
    results = results if source.under else of_split(results, empty.source.path, _EVALUATED)
    if len(results) > limit or not results:
        return ()
    if not (source.under or any(map(is_measure, results))):
        return (unmeasured(empty),) if is_called_results(empty.source.path) else ()
    return (with_results(empty, results, config={**empty.config, **config}),)


def _named(found: Mapping[str, object], _: LogSource, empty: Log, __: Objects) -> tuple[Log, ...]:
    runs = shapes.runs_in(found, empty.source.path.rpartition("/")[2].partition(".")[0])
    named: list[Row] = [{shapes.RUN: k, **dict(leaves(o, mark="/"))} for k, o in runs.items()]
    rows, names = (named, (shapes.RUN,)) if named else listed_runs(found)
    return result_logs(rows, as_number, empty, names=names) if rows else ()


def _tested(found: Mapping[str, object], _: LogSource, empty: Log, __: Objects) -> tuple[Log, ...]:
    """Read what was tested alone: the best value of many is no result, nor its epoch."""
    results = shapes.results_in(found, as_number)
    return (with_results(empty, results),) if results else ()


def _trial(
    found: Mapping[str, object], source: LogSource, empty: Log, _: Objects
) -> tuple[Log, ...]:
    """Read what a trial observed last of each metric, over its executions, and what was tried."""
    results: dict[str, float] = {}
    for key, seen in leaves(found.get(source.under), mark="/"):
        last = seen[-1] if isinstance(seen, list) and seen else None
        values = last.get("value") if isinstance(last, dict) else None
        told = values if isinstance(values, list) else []
        numbers = [one for value in told if (one := as_number(value)) is not None]
        if numbers and "/" in key:
            results[key.split("/")[-2]] = math.fsum(numbers) / len(numbers)
    config, ended = _under(empty.config, source.settings), end_of(found.get("status"))
    return (with_results(empty, results, config=config, ended=ended),) if results else ()


_OBJECTS = {
    "curves": _curves,
    "columns": _columns,
    "records": _records,
    "named": _named,
    "numbers": _numbers,
    TESTED: _tested,
    "trial": _trial,
}


def _collected(
    rows: Sequence[Row], plan: TablePlan, source: LogSource, empty: Log
) -> tuple[Log, ...]:
    """Return the logs of rows whose places in the file are not known."""
    table = Table(plan=plan, path=empty.source.path, number=as_number, place="entry")
    table.fixed, table.dropped = source.tags, source.dropped
    for number, row in enumerate(rows, start=1):
        table.add(row, number, 0)
    return table.logs(empty) if table.used else ()


# --- the Trainer of Hugging Face ------------------------------------------------------------


def load_trainer_state(path: Path, name: str) -> tuple[Log, ...]:
    """Read the log history of a state under the tags that the same run's event file uses.

    Returns:
        One log a session; wall times are NaN, since the file has none. The scalar keys beside
        the history (`best_metric`, `max_steps`, ...) are its configuration.
    """
    state, empty = read_json(path, name, STATE)
    (source,) = sources_of(STATE)
    if not state:
        state, empty = _sound_part(path, name, source.under, empty)
    if not state:
        return (empty,)
    history = state.get(source.under)
    if not isinstance(history, list):
        problem = Problem(path=name, message=f"no {source.under} in it: not a trainer state")
        return (replace(empty, problems=(problem,)),)
    entries = [entry for entry in history if isinstance(entry, dict)]
    table = Table(plan=TablePlan(step="step"), path=name, number=as_number, place="entry")
    table.nothing = f"{source.under} is empty: "
    table.fixed = {key: shapes.hf_tag(key) for entry in entries for key in entry}
    for number, entry in enumerate(history, start=1):
        if isinstance(entry, dict):
            table.add(entry, number, 0)
        else:
            table.refuse("is no JSON object", number, 0)
    config = {k: v for k, v in state.items() if isinstance(v, bool | int | float | str)}
    if state.get(_BEST, "") is None:
        config[_BEST] = ""
    ended = FINISHED if _was_told_to_stop(state) else ""
    return table.logs(replace(empty, config=config, program=source.program, ended=ended))


def _was_told_to_stop(state: Mapping[str, object]) -> bool:
    """Tell whether training was over when a state was saved: at the last step, or stopped early.

    Source: `transformers/trainer_callback.py`, `TrainerControl.state`.
    """
    found: object = state
    for key in ("stateful_callbacks", "TrainerControl", "args", "should_training_stop"):
        found = found.get(key) if isinstance(found, dict) else None
    return found is True


def _sound_part(path: Path, name: str, under: str, empty: Log) -> tuple[dict[str, object], Log]:
    """Return what a file that ends early holds of a list, and say how much that is."""
    content, _ = read_text(path, name, STATE)
    entries = members_under(content.decode("utf-8", "replace"), under)
    if not entries:
        return {}, empty
    many = f"the {len(entries)} entries before that are" if entries[1:] else "the entry before is"
    told = ((one, one.message.replace("not read", f"{many} read")) for one in empty.problems)
    problems = tuple(replace(one, message=message) for one, message in told)
    return {under: entries}, replace(empty, problems=problems)


def load_hf_results(path: Path, name: str) -> tuple[Log, ...]:
    """Read `all_results.json` and its kind: one number a metric, and no step.

    Returns:
        One log with results. `eval_accuracy` is tagged `eval/accuracy`, all else `train/<key>`,
        as in the same run's event file.
    """
    found, empty = read_json(path, name, RESULTS)

    def number(cell: object) -> float | None:
        # A text is no number here, whatever it says.
        return None if isinstance(cell, str) else as_number(cell)

    numbers = dict(islice(shapes.numbers_in(found, number), TAG_LIMIT))
    if found and not numbers:
        return (replace(empty, problems=(Problem(path=name, message="no number in it"),)),)
    if not any(key == EPOCH or key.startswith(_TRAINERS) for key in found):
        # Others call what they measured so too.
        listed = load_json_lines(path, name) if empty.source.size else ()
        measured = tuple(log for log in listed if log.results)
        return measured or (listed if found else (empty,))
    split = name.rpartition("/")[2].partition("_")[0]
    results = {
        f"{split}/{key}" if "/" in key and split in shapes.HF_SPLITS else shapes.hf_tag(key): one
        for key, one in numbers.items()
    }
    return (with_results(empty, results, program=sources_of(RESULTS)[0].program),)


# --- what all share -------------------------------------------------------------------------


def _source(kind: str, name: str, rows: Iterable[Iterable[str]], cut: str = "") -> LogSource:
    """Return the first source of a loader that a file fits by its path and columns."""
    columns = {key for row in rows for key in row}
    words = {plain_word(key) for key in columns}

    def shows(key: str) -> bool:
        return plain_word(key) in words or any(fnmatchcase(one, key) for one in columns)

    return next(one for one in sources_of(kind, cut, name) if all(map(shows, one.look)))


def _inferred(
    table: Table, source: LogSource, begun: Sequence[Row], rows: Callable[[], Iterator[Cut]]
) -> Table:
    """Return an empty table, once it is known which columns tell the runs of its rows apart."""
    again = (cut.cells for cut in rows() if cut.cells)
    plan, is_told = with_names(table.plan, begun, again, table.number)
    ours = plan.runs if of_one_run(plan, begun, table.number) else ()
    plan = replace(plan, runs=()) if ours else plan
    return replace(
        table,
        plan=plan,
        told=is_told,
        counted=is_counted(plan),
        paced=is_paced(plan, begun, table.number),
        fixed=source.tags,
        dropped=(*source.dropped, *ours),
        trained=source.trained,
    )
