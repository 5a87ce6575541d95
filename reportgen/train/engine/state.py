"""Checkpoints of a job in progress: one safetensors file that holds all of it.

Curves lie in the file with the weights, so that a continuation has neither a gap nor a point
twice. A checksum tells a file that a failed disk or a lost power left with the right size.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from reportgen.train.engine.course import Course, Mean, Point, Track

_VERSION = "3"
_ENGINE, _WORDS = "engine/", "course"
_COURSE = ("step", "chunks", "seconds", "notes")
_TRACK = ("points", "best_step", "value", "diverged")
_MEANS = ("inner", "epoch")


class DamagedCheckpointError(ValueError):
    """The file is no checkpoint of this job, or not all of one."""


def write_state(path: Path, job_id: str, course: Course, engine: Mapping[str, Tensor]) -> None:
    """Write a checkpoint of a job, with the engine's state, to a new file.

    Raises:
        OSError: The disk is full or the like.
    """
    told = {
        **{name: getattr(course, name) for name in _COURSE},
        "tracks": [
            {
                **{name: getattr(track, name) for name in _TRACK},
                **{name: astuple(getattr(track, name)) for name in _MEANS},
            }
            for track in course.tracks
        ],
    }
    tensors = {_ENGINE + name: tensor for name, tensor in engine.items()}
    for s, track in enumerate(course.tracks):
        tensors |= {f"best/{s}/{name}": tensor for name, tensor in track.weights.items()}
    text = bytearray(json.dumps(told), "ascii")
    tensors[_WORDS] = torch.frombuffer(text, dtype=torch.uint8)
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    metadata = {"version": _VERSION, "job": job_id, "checksum": str(_checksum(tensors))}
    try:
        save_file(tensors, path, metadata)
    except SafetensorError as error:
        raise OSError(f"{path}: {error}") from error


def read_state(path: Path, job_id: str) -> tuple[Course, dict[str, Tensor]]:
    """Read a checkpoint: how far the job is, and the engine's state.

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
        told = json.loads(tensors[_WORDS].numpy().tobytes())
    except (SafetensorError, OSError, KeyError, TypeError) as error:
        raise DamagedCheckpointError(f"{path} cannot be read: {error}") from error
    tracks = []
    for s, found in enumerate(told.pop("tracks")):
        found |= {name: Mean(*found[name]) for name in _MEANS}
        found["points"] = [Point(*point) for point in found["points"]]
        tracks.append(Track(weights=_below(f"best/{s}/", tensors), **found))
    return Course(tracks=tracks, **told), _below(_ENGINE, tensors)


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
