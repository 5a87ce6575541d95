"""fairseq: `.../<model>/<seed>/{train,train_inner,valid,test}`, bare tags, percent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.records.run import Log
from reportgen.runs._layout import Draft, Layout, Names, Place, leaf, parent
from reportgen.runs._names import metric_name

_FOLDER = re.compile(r"train|train_inner|valid\d*|test\d*")
_MARKS = ("train_inner", "valid")
_ARGUMENTS = frozenset({"sys.argv", "sys.argv/text_summary"})


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take event files in fairseq's split folders, where one of them is fairseq's own name.

    A run that has lost those to damage goes with the runs beside it: one folder of seeds,
    or one folder of models, is not the work of two programs.
    """
    inside: dict[str, list[Log]] = {}
    for log in logs:
        folder = parent(log.source.path)
        if log.source.kind == "tfevents" and _FOLDER.fullmatch(leaf(folder)):
            inside.setdefault(parent(folder), []).append(log)
    marked = {run for run, members in inside.items() if any(map(_is_marked, members))}
    beside = {above for run in marked for above in _above(run)}
    return [
        log
        for run, members in inside.items()
        if run in marked or (beside & _above(run) and all(map(_is_bare, members)))
        for log in members
    ]


def _above(run: str) -> set[tuple[int, str]]:
    """Return the folder of a run's siblings and that of its cousins, each with its depth."""
    return {(1, parent(run)), (2, parent(parent(run)))} if "/" in run else {(1, "")}


def _is_bare(log: Log) -> bool:
    return not any("/" in tag for tag in log.series)


def _is_marked(log: Log) -> bool:
    return _is_bare(log) and (
        bool(_ARGUMENTS & set(log.texts)) or leaf(parent(log.source.path)) in _MARKS
    )


def place(log: Log) -> Place:
    """Return the seed's folder and the split folder below it."""
    folder = parent(log.source.path)
    if _FOLDER.fullmatch(leaf(folder)):
        return Place(run=parent(folder), folder=leaf(folder))
    return Place(run=folder)


def label(folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the folder.

    `train_inner` has a split of its own name in the keys and none in the label: it averages
    over a few updates inside an epoch, `train` over the whole one.
    """
    return metric_name(tag), names.get(folder, names.get(folder.rstrip("0123456789"), ""))


def percent_metrics(draft: Draft) -> frozenset[str]:
    """Name accuracy, where the run shows fairseq's hand: its command line or inner epochs.

    Folders alone may be anybody's.

    Source: `fairseq/criterions/sentence_prediction.py`, `100.0 * ncorrect / nsentences`.
    """
    own = bool(draft.config) or any(key.startswith("train_inner/") for key in draft.scalars)
    return frozenset({"accuracy"}) if own else frozenset()


LAYOUT = Layout(
    name="fairseq",
    recognise=recognise,
    place=place,
    label=label,
    percent_metrics=percent_metrics,
)
