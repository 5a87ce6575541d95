"""How often runs were judged: whether a step was chosen at all, and what was measured once."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run, Series
from reportgen.stats import finite_mask


def judged_once(facts: Facts, groups: Sequence[GroupResult]) -> bool:
    """Return whether the split that chooses was evaluated once a run: nothing was chosen."""
    if facts.selection.is_last:
        return False
    select = facts.study.metric.select_on
    runs = _reported(groups)
    return bool(runs) and all(_points(facts, cell.run, select) == 1 for _, cell in runs)


def once_after(facts: Facts, groups: Sequence[GroupResult]) -> bool:
    """Return whether what is reported was measured once a run, when its training was over."""
    metric = facts.study.metric
    runs = [(group, cell) for group, cell in _reported(groups) if cell.run is not None]
    return bool(runs) and all(
        cell.report_from == "result"
        or (
            group.report_split != metric.select_on
            and _points(facts, cell.run, group.report_split) == 1
            and _points(facts, cell.run, metric.select_on) > 1
            and _end(facts, cell.run, group.report_split) >= _end(facts, cell.run, metric.select_on)
        )
        for group, cell in runs
    )


def _reported(groups: Sequence[GroupResult]) -> list[tuple[GroupResult, RunResult]]:
    return [
        (group, cell)
        for group in groups
        for cell in group.cells
        if isinstance(cell.report_value, Quantity)
    ]


def _series(facts: Facts, run: Run | None, split: str) -> Series | None:
    return run.find(facts.study.metric.name, split) if run is not None else None


def _points(facts: Facts, run: Run | None, split: str) -> int:
    series = _series(facts, run, split)
    return int(finite_mask(series).sum()) if series is not None else 0


def _end(facts: Facts, run: Run | None, split: str) -> int:
    series = _series(facts, run, split)
    return int(series.steps[-1]) if series is not None and len(series) else -1
