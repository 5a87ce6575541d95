"""Lightning: `version_N` folders with event files, `metrics.csv` and `hparams.yaml`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.records.run import Log
from reportgen.runs._layout import Layout, Names, Place, leaf, parent
from reportgen.runs._names import split_tag

_VERSION = re.compile(r"version_\d+")


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take what lies in a `version_N` folder, and Lightning's own file names."""
    return [
        log
        for log in logs
        if any(_VERSION.fullmatch(part) for part in parent(log.source.path).split("/"))
        # Of Lightning's own, each run has one.
        or (leaf(log.source.path) == "metrics.csv" and not log.run_key)
    ]


def place(log: Log) -> Place:
    """Return the `version_N` folder, or the file's own."""
    parts = parent(log.source.path).split("/")
    for depth, part in enumerate(parts, start=1):
        if _VERSION.fullmatch(part):
            return Place(run="/".join(parts[:depth]))
    return Place(run=parent(log.source.path))


def label(_folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the tag, as in `val_accuracy`."""
    return split_tag(tag, names)


LAYOUT = Layout(name="lightning", recognise=recognise, place=place, label=label)
