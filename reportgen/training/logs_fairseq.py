"""A run as `fairseq-train --tensorboard-logdir` logs it: a folder a split, bits and percent.

Source: `fairseq/logging/progress_bar.py` (`TensorboardProgressBarWrapper`),
`fairseq/criterions/sentence_prediction.py` (`loss / math.log(2)`, `100.0 * ncorrect /
nsentences`), fairseq 0.12.2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from reportgen.training._curve import SPLITS, Point
from reportgen.training._events import Scalar, check_folder, write_events

_FOLDERS = {"train_inner": "train_inner", "train": "train", "validation": "valid", "test": "test"}
_TAGS = {
    "loss": ("loss", 1 / math.log(2)),
    "accuracy": ("accuracy", 100.0),
    "learning_rate": ("lr", 1.0),
    "grad_norm": ("gnorm", 1.0),
}
"""Metric to its tag and to what it is multiplied with. fairseq logs no epochs."""


def write(
    folders: Mapping[str, str], points: Sequence[Point], folder: Path, about: str
) -> tuple[Path, ...]:
    """Write one event file for each split that has points.

    Accuracy is not rounded to one decimal, as fairseq's is: what is known is kept.

    Args:
        folders: Split to folder; one that is not named takes fairseq's own.
        points: The curve.
        folder: Of the run.
        about: What made the run.
    """
    written: list[Path] = []
    for split in SPLITS:
        scalars = [
            Scalar(
                tag=_TAGS[point.metric][0],
                step=point.step,
                value=point.value * _TAGS[point.metric][1],
                wall_time=point.wall_time,
            )
            for point in points
            if point.split == split and point.metric in _TAGS
        ]
        if scalars:
            inside = folder / check_folder(folders.get(split, _FOLDERS[split]))
            written.append(write_events(inside, len(written), scalars, about))
    return tuple(written)
