"""fairseq's console: the run's folder was printed, or the run is a place in a file."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.records.run import Log
from reportgen.runs._layout import Draft, Layout, Names, Place
from reportgen.runs._names import metric_name


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take what the console loader has read."""
    return [log for log in logs if log.source.kind == "fairseq_log"]


def place(log: Log) -> Place:
    """Return the folder that fairseq printed, else the file and the run's place in it."""
    stem = log.source.path.rpartition(".")[0] or log.source.path
    if "/" in log.run_key:
        return Place(run=log.run_key)
    return Place(run=f"{stem}/{log.run_key}" if log.run_key else stem)


def label(_folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the tag's first part, as in `valid/accuracy`."""
    subset, _, rest = tag.rpartition("/")
    return metric_name(rest), names.get(subset, names.get(subset.rstrip("0123456789"), ""))


def percent_metrics(_draft: Draft) -> frozenset[str]:
    """Name accuracy: fairseq prints it in percent, with one decimal."""
    return frozenset({"accuracy"})


LAYOUT = Layout(
    name="fairseq_console",
    recognise=recognise,
    place=place,
    label=label,
    percent_metrics=percent_metrics,
)
