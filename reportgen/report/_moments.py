"""Evaluations in words: the moment of a row, and how many rows there are."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import tell
from reportgen.records.facts import EpochRow
from reportgen.records.run import Run
from reportgen.report._diagram_words import grouped
from reportgen.report._phrases import in_words

MOST_NAMED = 6


def is_epoch(row: EpochRow) -> bool:
    """Return whether a row stands at the end of a known epoch."""
    return row.epoch > 0 and float(row.epoch).is_integer()


def moment(row: EpochRow) -> str:
    """Return the name of a row: its epoch where that is whole, else its step."""
    if is_epoch(row) or (row.steps and row.epoch):
        return tell("epoch {epoch}", epoch=f"{row.epoch:g}")
    return tell("step {step}", step=grouped(row.step))


def each_of(rows: Sequence[EpochRow]) -> str:
    """Return how many epochs, or evaluations, some rows are."""
    count = in_words(len(rows))
    if all(is_epoch(row) for row in rows):
        return tell("{count} epochs", count=count)
    return tell("{count} evaluations", count=count)


def last_step(run: Run, metric: str, split: str) -> int | None:
    """Return the last step at which a metric was evaluated on a split."""
    series = run.find(metric, split)
    return int(series.steps[-1]) if series is not None and len(series) else None
