"""Files of rows of which was inferred what is the step, or which columns tell the runs apart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from reportgen.languages import message
from reportgen.records.record import replace
from reportgen.records.run import Log
from reportgen.records.study import Decision, TablePlan
from reportgen.runs._layout import SEMICOLON, decided, joined, leaf
from reportgen.runs.series import group_by

KEY = "logs.tables"


def tables_told(logs: Sequence[Log]) -> tuple[tuple[TablePlan, ...], tuple[Decision, ...]]:
    """Return how such files were read, as a study would declare it, and why.

    Example:
        >>> from reportgen.records.run import Source
        >>> told = TablePlan(step="epoch", runs=("model", "seed"))
        >>> source = Source(path="results.csv", kind="metrics_csv", size=9, sha256="")
        >>> tables, (decision,) = tables_told([Log(source=source, told=told)])
        >>> decision.value
        '{match = "results.csv", step = "epoch", runs = ["model", "seed"]}'
    """
    told = _plans((log, log.told) for log in logs)
    counted = _plans((log, log.counted) for log in logs)
    found = told | counted
    if not found:
        return (), ()
    reasons = [*([_of_names(told)] if told else []), *([_of_counts(counted)] if counted else [])]
    reason = joined(SEMICOLON, reasons)
    others = {leaf(log.source.path) for log in logs if log.source.path not in counted}
    value = ", ".join(_inline(table) for table in _shared(found, others))
    return tuple(found.values()), (decided(KEY, value, reason),)


def _plans(read: Iterable[tuple[Log, TablePlan | None]]) -> dict[str, TablePlan]:
    """Return path to plan of the files that have one, whatever characters their names hold."""
    found = {}
    for log, plan in read:
        if plan is not None:
            path = log.source.path
            is_named = path.lower().endswith((".csv", ".tsv", ".dat"))
            unlike = log.source.kind == "metrics_csv" and not is_named
            found[path] = replace(plan, match=_literal(path), format="csv" if unlike else "")
    return found


def _shared(found: Mapping[str, TablePlan], others: set[str]) -> list[TablePlan]:
    """Return fewer plans that say the same: one for files of one name, which no other file has."""
    plans: list[TablePlan] = []
    for name, paths in group_by(found, leaf).items():
        several = [found[path] for path in paths]
        alike = len(several) > 1 and name not in others
        alike = alike and all(replace(p, match=several[0].match) == several[0] for p in several)
        plans += [replace(several[0], match=f"*/{_literal(name)}")] if alike else several
    return plans


def _of_counts(found: Mapping[str, TablePlan]) -> str:
    """Say which columns were taken for the step."""
    columns = ", ".join(dict.fromkeys(plan.step for plan in found.values()))
    one = message("no column of {path} is called step or epoch: {columns} is taken for the step")
    several = message(
        "no column of {path} is called step or epoch, nor of {n} more files: {columns} is taken "
        "for the step"
    )
    return _of_files(one, several, found, columns)


def _of_names(found: Mapping[str, TablePlan]) -> str:
    """Say which columns tell runs apart."""
    one = message(
        "rows of {path} repeat their steps, and are told apart by {columns}; name other columns "
        "in runs where these are not the ones"
    )
    several = message(
        "rows of {path} repeat their steps, and are told apart by {columns}, and those of "
        "{n} more files likewise; name other columns in runs where these are not the ones"
    )
    return _of_files(one, several, found, ", ".join(next(iter(found.values())).runs))


def _of_files(one: str, several: str, found: Mapping[str, TablePlan], columns: str) -> str:
    first, *others = found
    if not others:
        return message(one, path=first, columns=columns)
    return message(several, path=first, columns=columns, n=len(others))


def _literal(path: str) -> str:
    """Return a pattern that matches a path alone, whatever stands in it."""
    return re.sub(r"([*?\[])", r"[\1]", path)


def _inline(plan: TablePlan) -> str:
    """Return a plan as it would be written in a study file, in one line."""
    from dataclasses import asdict

    stated = ((key, value) for key, value in asdict(plan).items() if value)
    # Texts and lists of them are in TOML what they are in JSON.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in stated)
    return f"{{{', '.join(lines)}}}"
