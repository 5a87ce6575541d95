"""Keras: `train` and `validation` folders, tags that count epochs or iterations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.records.run import Log
from reportgen.runs._layout import Layout, Names, Place, leaf, parent
from reportgen.runs._names import SPLIT_NAMES, metric_name, split_tag

_TAG = re.compile(r"(epoch|batch)_(?P<metric>.+)|evaluation_(?P<late>.+_vs_iterations)")
_TENSOR_FILE = re.compile(r"\.v2(\.|$)")


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take event files of TensorFlow 2 (`.v2`) and those with Keras's tags."""
    return [
        log
        for log in logs
        if log.source.kind == "tfevents"
        and (
            _TENSOR_FILE.search(leaf(log.source.path))
            or any(_TAG.fullmatch(tag) for tag in log.series)
        )
    ]


def place(log: Log) -> Place:
    """Return the run's folder and the split folder below it."""
    folder = parent(log.source.path)
    if leaf(folder).lower() in SPLIT_NAMES:
        return Place(run=parent(folder), folder=leaf(folder))
    return Place(run=folder)


def label(folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the folder.

    `epoch_accuracy` counts epochs and is the metric; `evaluation_accuracy_vs_iterations`
    measures the same at the same moments on another clock, and keeps a name of its own.
    """
    found = _TAG.fullmatch(tag)
    if found and found["late"]:
        return metric_name(found["late"]), names.get(folder.lower(), "")
    if found:
        metric = metric_name(found["metric"])
        prefix = "batch_" if found[1] == "batch" else ""
        return f"{prefix}{metric}", names.get(folder.lower(), "")
    metric, split = split_tag(tag.removeprefix("v_") if folder else tag, names)
    return metric, names.get(folder.lower(), split)


LAYOUT = Layout(name="keras", recognise=recognise, place=place, label=label)
