"""Files of rows in which columns of names were found to tell the runs apart."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace

from reportgen.languages import message
from reportgen.records.run import Log
from reportgen.records.study import Decision, TablePlan

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
    found = {
        log.source.path: _declared(log.told, log.source.path, log.source.kind)
        for log in logs
        if log.told is not None
    }
    if not found:
        return (), ()
    first, *others = found
    columns = ", ".join(found[first].runs)
    reason = message(
        "rows of {path} repeat their steps, and are told apart by {columns}; name other columns "
        "in runs where these are not the ones",
        path=first,
        columns=columns,
    )
    if others:
        reason = message(
            "rows of {path} repeat their steps, and are told apart by {columns}, and those of "
            "{n} more files likewise; name other columns in runs where these are not the ones",
            path=first,
            columns=columns,
            n=len(others),
        )
    tables = tuple(found.values())
    value = ", ".join(_inline(table) for table in tables)
    return tables, (Decision(key=KEY, value=value, reason=reason),)


def _declared(plan: TablePlan, path: str, kind: str) -> TablePlan:
    """Return a plan for one file, whatever characters of patterns its name holds."""
    is_named = path.lower().endswith((".csv", ".tsv", ".dat"))
    unlike = kind == "metrics_csv" and not is_named
    match = re.sub(r"([*?\[])", r"[\1]", path)
    return replace(plan, match=match, format="csv" if unlike else "")


def _inline(plan: TablePlan) -> str:
    """Return a plan as it would be written in a study file, in one line."""
    stated = ((key, value) for key, value in asdict(plan).items() if value)
    # Texts and lists of them are in TOML what they are in JSON.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in stated)
    return f"{{{', '.join(lines)}}}"
