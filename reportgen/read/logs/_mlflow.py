"""What both of MLflow's stores share: how it spells parameters and states."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.read.logs._yaml import read_plain
from reportgen.records.run import Problem, Series

_ENDED = {4: "failed", 5: "was killed", "FAILED": "failed", "KILLED": "was killed"}
_OPEN = (1, 2, "RUNNING", "SCHEDULED")


def read_parameter(text: str) -> object:
    """Return a parameter as the program had it: MLflow keeps `str(value)`.

    Example:
        >>> [read_parameter(t) for t in ("1e-05", "True", "None", "adam", "[1, 2]")]
        [1e-05, True, None, 'adam', '[1, 2]']
    """
    return None if text == "None" else read_plain(text)


def repeats(path: str, key: str, kept: Series) -> Iterator[Problem]:
    """Say how many values share a step, of which a series keeps the last.

    Args:
        path: File of the metric.
        key: The metric, in words.
        kept: The series.
    """
    if lost := kept.replaced:
        yield Problem(
            path=path,
            message=f"{key}: {lost} of {len(kept) + lost} values have the step of a later one "
            "and are left out",
            remedy="pass step=... to log_metric",
            # All at one step: nobody counted, and the curve is gone.
            level="note" if len(kept) > 1 else "warning",
        )


def states(
    path: str, run: str, status: object, stage: object, offset: int | None = None
) -> Iterator[Problem]:
    """Say what MLflow thinks of a run, where that is not that it ended well.

    Args:
        path: File that states it.
        run: The run, in words.
        status: Number or name.
        stage: `active` or `deleted`.
        offset: Where that stands in the file.
    """
    if stage == "deleted":
        yield Problem(
            path=path,
            message=f"{run} was deleted in MLflow, and is left out",
            remedy="`mlflow runs restore` brings it back",
            offset=offset,
        )
    elif isinstance(status, int | str) and status in _ENDED:
        message = f"{run} {_ENDED[status]}, says MLflow"
        yield Problem(path=path, message=message, offset=offset)
    elif isinstance(status, int | str) and status in _OPEN:
        message = f"{run} did not end, says MLflow: still running, or stopped from outside"
        yield Problem(path=path, message=message, level="note")
