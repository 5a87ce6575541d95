"""Tags of which a program documents what they are measured on, which they do not say."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from fnmatch import filter as matching
from fnmatch import fnmatchcase, translate
from typing import NamedTuple

from reportgen.runs._layout import Draft
from reportgen.runs._names import metric_name

_FOLDER = "metrics/"
"""What says nothing at the beginning of a tag."""


class ProgramTag(NamedTuple):
    """Tags of one program.

    Attributes:
        tag: Pattern of them, as in a shell.
        program: Which writes them.
        split: What they are measured on; empty where the tag says it.
        prefix: What stands before the name of the metric.
        beside: Pattern of a tag that the program logs too, where others use the first as well.
    """

    tag: str
    program: str
    split: str = ""
    prefix: str = ""
    beside: str = ""


# Ultralytics: docs.ultralytics.com, `reference/utils/metrics` (`keys` of `DetMetrics`,
# `SegmentMetrics`, `PoseMetrics`, `ClassifyMetrics`), `modes/train`: of boxes, masks and poses.
# YOLOv5: `utils/loggers/__init__.py` (`Loggers.keys`), `val.py` after each epoch.
# Detectron2: `evaluation/coco_evaluation.py`, `sem_seg_evaluation.py`, `panoptic_evaluation.py`
# through `EvalHook`; `modeling/roi_heads/fast_rcnn.py` (`_log_classification_stats`),
# `mask_head.py`, `roi_heads.py` and `proposal_generator/rpn.py` for what is counted in training.
# MMDetection: `models/roi_heads/bbox_heads/bbox_head.py`, `loss`: accuracy on sampled proposals.
PROGRAM_TAGS = (
    ProgramTag("bbox/AP*", "Detectron2", "validation"),
    ProgramTag("fast_rcnn/*", "Detectron2", "train"),
    ProgramTag("keypoints/AP*", "Detectron2", "validation"),
    ProgramTag("loss_*", "Detectron2", "train", beside="roi_head/num_*"),
    ProgramTag("mask_rcnn/*", "Detectron2", "train"),
    ProgramTag("metrics/*(B)", "Ultralytics", "validation"),
    ProgramTag("metrics/*(M)", "Ultralytics", "validation", prefix="mask_"),
    ProgramTag("metrics/*(P)", "Ultralytics", "validation", prefix="pose_"),
    ProgramTag("metrics/accuracy_top[15]", "Ultralytics", "validation"),
    ProgramTag("metrics/mAP_0.5*", "YOLOv5", "validation"),
    ProgramTag("metrics/precision", "YOLOv5", "validation", beside="metrics/mAP_0.5*"),
    ProgramTag("metrics/recall", "YOLOv5", "validation", beside="metrics/mAP_0.5*"),
    ProgramTag("panoptic_seg/[PSR]Q*", "Detectron2", "validation"),
    ProgramTag("roi_head/num_*", "Detectron2", "train"),
    ProgramTag("rpn/num_*", "Detectron2", "train"),
    ProgramTag("segm/AP*", "Detectron2", "validation"),
    ProgramTag("sem_seg/*", "Detectron2", "validation"),
    ProgramTag("total_loss", "Detectron2", "train", beside="r*/num_*"),
    ProgramTag("train/acc", "MMDetection", prefix="proposal_", beside="train/loss_bbox"),
)
"""Sorted by pattern; the first that fits counts."""


_ANY = re.compile("|".join(translate(row.tag) for row in PROGRAM_TAGS))


def rows_of(tags: Collection[str]) -> tuple[ProgramTag, ...]:
    """Return the rows that may speak of the tags of a run, none where it has no such tag."""
    if not any(_ANY.match(tag.strip()) for tag in tags):
        return ()
    return tuple(row for row in PROGRAM_TAGS if not row.beside or matching(tags, row.beside))


def program_tag(tag: str, rows: Sequence[ProgramTag]) -> ProgramTag | None:
    """Return the row of a tag, None where no program is known by it.

    Args:
        tag: As logged.
        rows: Those that may speak of the run, as `rows_of` returns them.
    """
    return next((row for row in rows if fnmatchcase(tag.strip(), row.tag)), None)


def label_program_tags(drafts: Sequence[Draft]) -> None:
    """Give the tags of known programs their metric and split; what the runs hold is changed."""
    for draft in drafts:
        rows = rows_of({series.tag for series in draft.scalars.values()})
        for key, series in draft.scalars.items():
            row = program_tag(series.tag, rows)
            if row is not None:
                own = metric_name(series.tag.strip().removeprefix(_FOLDER))
                draft.scalars[key] = replace(
                    series,
                    metric=row.prefix + (own if row.split else series.metric),
                    split=row.split or series.split,
                )
