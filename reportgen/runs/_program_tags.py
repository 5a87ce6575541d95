"""Tags of which a program documents what they are measured on, which they do not say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from reportgen.runs._layout import Draft
from reportgen.runs._names import metric_name

_ULTRALYTICS, _YOLOV5 = "Ultralytics", "YOLOv5"
_DETECTRON2, _MMDETECTION = "Detectron2", "MMDetection"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramTag:
    """Tags of one program.

    Attributes:
        tag: Pattern of them, as in a shell.
        program: Which writes them.
        split: What they are measured on; empty where the tag says it.
        beside: Pattern of a tag that the program logs too, where others use the first as well.
        drop: What says nothing at the beginning of a tag.
        prefix: What stands before the name of the metric instead.
    """

    tag: str
    program: str
    split: str = ""
    beside: str = ""
    drop: str = ""
    prefix: str = ""


def _evaluated(tag: str, program: str, *, prefix: str = "", beside: str = "") -> ProgramTag:
    """Return a row of what is computed on the validation split after an epoch, or in between."""
    return ProgramTag(
        tag=tag,
        program=program,
        split="validation",
        beside=beside,
        drop="metrics/",
        prefix=prefix,
    )


def _trained(tag: str, beside: str = "") -> ProgramTag:
    """Return a row of what Detectron2 counts on its batches of proposals."""
    return ProgramTag(tag=tag, program=_DETECTRON2, split="train", beside=beside)


# Ultralytics: docs.ultralytics.com, `reference/utils/metrics` (`keys` of `DetMetrics`,
# `SegmentMetrics`, `PoseMetrics`, `ClassifyMetrics`), `modes/train`: of boxes, masks and poses.
# YOLOv5: `utils/loggers/__init__.py` (`Loggers.keys`), `val.py` after each epoch.
# Detectron2: `evaluation/coco_evaluation.py`, `sem_seg_evaluation.py`, `panoptic_evaluation.py`
# through `EvalHook`; `modeling/roi_heads/fast_rcnn.py` (`_log_classification_stats`),
# `mask_head.py`, `roi_heads.py` and `proposal_generator/rpn.py` for what is counted in training.
# MMDetection: `models/roi_heads/bbox_heads/bbox_head.py`, `loss`: accuracy on sampled proposals.
PROGRAM_TAGS = (
    _evaluated("bbox/AP*", _DETECTRON2),
    _trained("fast_rcnn/*"),
    _evaluated("keypoints/AP*", _DETECTRON2),
    _trained("loss_*", beside="roi_head/num_*"),
    _trained("mask_rcnn/*"),
    _evaluated("metrics/*(B)", _ULTRALYTICS),
    _evaluated("metrics/*(M)", _ULTRALYTICS, prefix="mask_"),
    _evaluated("metrics/*(P)", _ULTRALYTICS, prefix="pose_"),
    _evaluated("metrics/accuracy_top[15]", _ULTRALYTICS),
    _evaluated("metrics/mAP_0.5*", _YOLOV5),
    _evaluated("metrics/precision", _YOLOV5, beside="metrics/mAP_0.5*"),
    _evaluated("metrics/recall", _YOLOV5, beside="metrics/mAP_0.5*"),
    _evaluated("panoptic_seg/[PSR]Q*", _DETECTRON2),
    _trained("roi_head/num_*"),
    _trained("rpn/num_*"),
    _evaluated("segm/AP*", _DETECTRON2),
    _evaluated("sem_seg/*", _DETECTRON2),
    _trained("total_loss", beside="r*/num_*"),
    ProgramTag(tag="train/acc", program=_MMDETECTION, beside="train/loss_bbox", prefix="proposal_"),
)
"""Sorted by pattern; the first that fits counts."""


def program_tag(tag: str, beside: Collection[str]) -> ProgramTag | None:
    """Return the row of a tag, None where no program is known by it.

    Args:
        tag: As logged.
        beside: The tags of the same run.
    """
    return next(
        (
            row
            for row in PROGRAM_TAGS
            if fnmatchcase(tag.strip(), row.tag)
            and (not row.beside or any(fnmatchcase(one.strip(), row.beside) for one in beside))
        ),
        None,
    )


def label_program_tags(drafts: Sequence[Draft]) -> None:
    """Give the tags of known programs their metric and split; what the runs hold is changed."""
    for draft in drafts:
        tags = {series.tag for series in draft.scalars.values()}
        for key, series in draft.scalars.items():
            row = program_tag(series.tag, tags)
            if row is not None:
                own = metric_name(series.tag.strip().removeprefix(row.drop))
                draft.scalars[key] = replace(
                    series,
                    metric=row.prefix + (own if row.split else series.metric),
                    split=row.split or series.split,
                )
