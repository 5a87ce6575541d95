"""Checkpoints of a job in progress: one safetensors file that holds all of it.

Curves lie in the file with the weights, so that a continuation has neither a gap nor a point
twice. A checksum tells a file that a failed disk or a lost power left with the right size.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from reportgen.train.engine.course import Course, Mean, Point, Track

_VERSION = "2"
_ENGINE = "engine/"


class DamagedCheckpointError(ValueError):
    """The file is no checkpoint of this job, or not all of one."""


def write_state(path: Path, job_id: str, course: Course, engine: Mapping[str, Tensor]) -> None:
    """Write a checkpoint.

    Args:
        path: A new file.
        job_id: The job.
        course: How far it is.
        engine: The engine's state.

    Raises:
        OSError: The disk is full or the like.
    """
    tensors = {_ENGINE + name: tensor for name, tensor in engine.items()}
    for s, track in enumerate(course.tracks):
        tensors |= {f"best/{s}/{name}": tensor for name, tensor in track.weights.items()}
        tensors |= {f"points/{s}/{name}": part for name, part in _columns(track.points).items()}
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    metadata = {
        "version": _VERSION,
        "job": job_id,
        "course": json.dumps(_describe(course), sort_keys=True),
        "checksum": str(_checksum(tensors)),
    }
    try:
        save_file(tensors, path, metadata)
    except SafetensorError as error:
        raise OSError(f"{path}: {error}") from error


def read_state(path: Path, job_id: str) -> tuple[Course, dict[str, Tensor]]:
    """Read a checkpoint.

    Returns:
        How far the job is, and the engine's state.

    Raises:
        DamagedCheckpointError: It is torn, of another job or of another version.
    """
    try:
        with safe_open(path, "pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if (metadata.get("version"), metadata.get("job")) != (_VERSION, job_id):
            raise DamagedCheckpointError(f"{path} is a checkpoint of something else")
        if metadata["checksum"] != str(_checksum(tensors)):
            raise DamagedCheckpointError(f"{path} is damaged: its checksum does not agree")
        course = _restore(json.loads(metadata["course"]), tensors)
    except (SafetensorError, OSError, KeyError, TypeError) as error:
        raise DamagedCheckpointError(f"{path} cannot be read: {error}") from error
    return course, _below(_ENGINE, tensors)


def _describe(course: Course) -> dict[str, Any]:
    return {
        "step": course.step,
        "chunks": course.chunks,
        "seconds": course.seconds,
        "notes": course.notes,
        "tracks": [
            {
                "best_step": track.best_step,
                "value": track.value,
                "diverged": track.diverged,
                "inner": [track.inner.total, track.inner.count],
                "epoch": [track.epoch.total, track.epoch.count],
                "series": [f"{split}/{metric}" for split, metric in _series(track.points)],
            }
            for track in course.tracks
        ],
    }


def _restore(data: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> Course:
    tracks = []
    for s, found in enumerate(data["tracks"]):
        (inner, inner_count), (epoch, epoch_count) = found["inner"], found["epoch"]
        tracks.append(
            Track(
                points=_points(found["series"], _below(f"points/{s}/", tensors)),
                best_step=found["best_step"],
                value=found["value"],
                weights=_below(f"best/{s}/", tensors),
                diverged=found["diverged"],
                inner=Mean(total=inner, count=inner_count),
                epoch=Mean(total=epoch, count=epoch_count),
            )
        )
    return Course(
        tracks=tracks,
        step=data["step"],
        chunks=data["chunks"],
        seconds=data["seconds"],
        notes=data["notes"],
    )


def _series(points: Iterable[Point]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((point.split, point.metric) for point in points))


def _columns(points: list[Point]) -> dict[str, Tensor]:
    number = {series: i for i, series in enumerate(_series(points))}
    return {
        "series": torch.tensor([number[p.split, p.metric] for p in points], dtype=torch.int64),
        "step": torch.tensor([p.step for p in points], dtype=torch.int64),
        "value": torch.tensor([p.value for p in points], dtype=torch.float64),
        "wall_time": torch.tensor([p.wall_time for p in points], dtype=torch.float64),
    }


def _points(series: list[str], columns: Mapping[str, Tensor]) -> list[Point]:
    names = [tuple(name.split("/")) for name in series]
    rows = zip(
        *(columns[name].tolist() for name in ("series", "step", "value", "wall_time")), strict=True
    )
    return [
        Point(split=names[i][0], metric=names[i][1], step=step, value=value, wall_time=wall_time)
        for i, step, value, wall_time in rows
    ]


def _below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }


def _checksum(tensors: Mapping[str, Tensor]) -> int:
    crc = 0
    for name in sorted(tensors):
        crc = zlib.crc32(name.encode(), crc)
        crc = zlib.crc32(tensors[name].flatten().view(torch.uint8).numpy().data, crc)
    return crc
