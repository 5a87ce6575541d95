"""Metrics that somebody stated by name, against those that were logged."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.errors import EvidenceError
from reportgen.read.study import line_of_key, near
from reportgen.records.run import Problem, Runs
from reportgen.records.study import COMMAND_LINE, Study

_OTHERS = "metric.others"
_LISTED = 10


def check_names(study: Study, runs: Runs, path: Path | None) -> tuple[Problem, ...]:
    """Return a problem for each other metric that a study names and no run logged.

    Args:
        study: The study.
        runs: The runs.
        path: Its file, whose line is named.

    Raises:
        EvidenceError: No run logged the metric that decides; the nearest of theirs is named.
    """
    _check_metric(study, runs)
    return _unlogged_names(study, runs, path)


def _check_metric(study: Study, runs: Runs) -> None:
    logged = _logged(runs)
    name = study.metric.name
    who = study.stated.get("metric.name")
    if who is None or name in logged:
        return
    who = f"the {who}" if who == COMMAND_LINE else who
    raise EvidenceError(
        f"no run logged the metric {name!r} that {who} names{near(name, logged)}",
        remedy=f"choose one that was logged: {', '.join(logged) or 'none was'}",
    )


def _unlogged_names(study: Study, runs: Runs, path: Path | None) -> tuple[Problem, ...]:
    from reportgen.stats import NO_RESULTS

    if path is None or _OTHERS not in study.stated:
        return ()
    logged = _logged(runs)
    absent = [
        name
        for name in dict.fromkeys(study.metric.others)
        if name != "*" and not any(fnmatchcase(one, name) for one in logged)
    ]
    line = line_of_key(path, _OTHERS) if absent else 0
    said = f"{_OTHERS} names {{!r}}, and no run logged such a metric"
    shown = [name for name in logged if name not in NO_RESULTS]
    listed = f"; logged are {', '.join(shown[:_LISTED])}{' and others' * (len(shown) > _LISTED)}"
    return tuple(
        Problem(
            path=f"{study.path}:{line}",
            message=said.format(name) + (near(name, logged) or listed),
            remedy="name metrics as `reportgen inspect` shows them; * and ? as in a shell",
        )
        for name in absent
    )


def _logged(runs: Runs) -> list[str]:
    return sorted({s.metric for run in runs for s in run.scalars.values() if s.metric})
