"""Train a job: updates, evaluations, the best step, and checkpoints to go on from."""

from __future__ import annotations

import json
import os
import signal
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from types import FrameType

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from reportgen.records.job import Job
from reportgen.train.engine.course import (
    Course,
    Mean,
    Point,
    Track,
    data_order,
    learning_rate,
    updates_per_epoch,
)
from reportgen.train.engine.engine import DeviceMemoryError, Engine
from reportgen.train.store import Lease, RunStore

# Checkpoints of a job in progress: one safetensors file that holds all of it.
#
# Curves lie in the file with the weights, so that a continuation has neither a gap nor a point
# twice. A checksum tells a file that a failed disk or a lost power left with the right size.

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


_TRAIN, _SELECTING = "train", "validation"
_CHECKPOINT_SECONDS = 60.0
_PROGRESS_SECONDS = 2.0
_SHARE = 20
"""A checkpoint is not written before so many times the time it takes has passed."""
_INNER_POINTS = 25
"""Points of the training loss in an epoch."""

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGUSR1") if hasattr(signal, name)
)
"""What schedulers and people send; Windows has no SIGUSR1."""


class StoppedError(RuntimeError):
    """A signal asked for it; the job goes on from its checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """What surrounds the loop.

    Attributes:
        stop: Tells whether to stop; asked after every update.
        checkpoint_seconds: Time between checkpoints within an epoch.
        clock: Seconds that never go back.
    """

    stop: Callable[[], bool] = lambda: False
    checkpoint_seconds: float = field(
        default_factory=lambda: float(os.environ.get("REPORTGEN_CHECKPOINT_S", _CHECKPOINT_SECONDS))
    )
    clock: Callable[[], float] = time.monotonic


def train(
    engine: Engine,
    job: Job,
    store: RunStore,
    lease: Lease,
    hooks: Hooks | None = None,
) -> Course:
    """Train all members of a job, from the newest checkpoint in its store that can be read.

    Member s of the engine, at its start, is member s of the job.

    Returns:
        Curves and best weights of every member, and notes for a reader of the results.

    Raises:
        StoppedError: `hooks.stop` asked for it; a checkpoint holds all that was done.
        DeviceMemoryError: Not even one example at a time fits.
        OSError: A checkpoint cannot be written.
    """
    loop = _Loop(engine, job, store, lease, hooks or Hooks())
    loop.resume()
    loop.run()
    return loop.result()


class _Loop:
    def __init__(
        self, engine: Engine, job: Job, store: RunStore, lease: Lease, hooks: Hooks
    ) -> None:
        self.engine, self.job, self.hooks = engine, job, hooks
        self.size = engine.train_size()
        self.per_epoch = updates_per_epoch(self.size, job.train)
        self.total = job.train.epochs * self.per_epoch
        self.held = [split for split in job.train.data.files if split != _TRAIN]
        self.course = Course(tracks=[Track() for _ in job.members])
        self._orders: tuple[int, list[list[int]]] = (-1, [])
        self._started = self._kept = self._told = hooks.clock()
        self._price = 0.0  # seconds that the last checkpoint took
        self._store, self._lease = store, lease
        self._found = () if job.fresh else store.checkpoints(job.id)

    def resume(self) -> None:
        """Go on from the newest checkpoint that can be read, if there is one."""
        torn = []
        for path in self._found:
            try:
                course, state = read_state(path, self.job.id)
            except DamagedCheckpointError:
                torn.append(path.name)
                continue
            self.engine.load_state(state)
            self.course = course
            break
        if torn:
            self.course.note(
                f"{', '.join(torn)} could not be read; went on from step {self.course.step}"
            )

    def run(self) -> None:
        """Train until the end, a signal, or until no member's loss is finite."""
        course = self.course
        while course.step < self.total and course.live():
            self._update()
            ended = course.step % self.per_epoch == 0
            if ended:
                self._end_epoch()
            finished = course.step == self.total or not course.live()
            if self.hooks.stop() and not finished:
                self._checkpoint()
                raise StoppedError(f"stopped by a signal after step {course.step} of {self.total}")
            if self._is_due(ended=ended):
                self._checkpoint()
            if self.hooks.clock() - self._told >= _PROGRESS_SECONDS or finished:
                self._report()

    def result(self) -> Course:
        """Return what was trained."""
        self._pass_time()
        for note in self.engine.notes:
            self.course.note(note)
        return self.course

    def _update(self) -> None:
        course = self.course
        epoch, place = divmod(course.step, self.per_epoch)
        if self._orders[0] != epoch:
            seeds = [member.seed for member in self.job.members]
            self._orders = epoch, [data_order(seed, epoch, self.size) for seed in seeds]
        batch = self.job.train.batch_size
        rows = [order[place * batch : (place + 1) * batch] for order in self._orders[1]]
        losses = self._step(rows, learning_rate(course.step, self.total, self.job.train))
        course.step += 1
        for member in course.add_losses(losses, len(rows[0])):
            self.engine.stop(member)
        if course.step % max(1, self.per_epoch // _INNER_POINTS) == 0:
            rate = learning_rate(course.step, self.total, self.job.train)
            passed = course.step / self.per_epoch
            now = time.time()
            course.add_means("train_inner", now, learning_rate=rate, epoch=passed)

    def _step(self, rows: list[list[int]], rate: float) -> list[float]:
        """Update with as many chunks as it takes to fit into memory."""
        course = self.course
        while True:
            try:
                return self.engine.step(rows, rate, chunks=course.chunks)
            except DeviceMemoryError:
                if course.chunks >= len(rows[0]):
                    raise
                course.chunks = min(2 * course.chunks, len(rows[0]))
                course.note(
                    f"the batch did not fit into memory; from step {course.step} on its gradient "
                    f"was added up in {course.chunks} parts"
                )

    def _end_epoch(self) -> None:
        course, job = self.course, self.job
        course.add_means("train", time.time())
        found = {split: self.engine.evaluate(split) for split in self.held if course.live()}
        for split, evaluations in found.items():
            course.add_evaluations(split, evaluations, job, time.time())
        for member in course.live():
            track = course.tracks[member]
            value = found[_SELECTING][member][job.metric]
            if track.is_better(value, job):
                track.value, track.best_step = value, course.step
                if job.train.keep != "none":
                    track.weights = self.engine.export(member)

    def _is_due(self, *, ended: bool) -> bool:
        waited = self.hooks.clock() - self._kept
        enough = ended or waited >= self.hooks.checkpoint_seconds
        return enough and waited >= _SHARE * self._price

    def _checkpoint(self) -> None:
        begun = self.hooks.clock()
        self._pass_time()
        state = self.engine.state()
        self._store.keep_checkpoint(
            self.job.id,
            self.course.step,
            lambda path: write_state(path, self.job.id, self.course, state),
            self._lease,
        )
        self._kept = self.hooks.clock()
        self._price = self._kept - begun
        self._report()

    def _report(self) -> None:
        self._told = self.hooks.clock()
        told = {
            "step": self.course.step,
            "steps": self.total,
            "epoch": self.course.step / self.per_epoch,
            "epochs": self.job.train.epochs,
            "seconds": self.course.seconds + self._told - self._started,
            "diverged": len(self.course.tracks) - len(self.course.live()),
        }
        self._store.write_progress(self.job.id, told)

    def _pass_time(self) -> None:
        now = self.hooks.clock()
        self.course.seconds += now - self._started
        self._started = now


@contextmanager
def catch_signals() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether a signal has come; the old handlers are back at the end.

    A second interrupt of the keyboard is not waited with: it raises KeyboardInterrupt.
    """
    caught: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if caught and number == signal.SIGINT:
            signal.default_int_handler(number, frame)
        caught.append(number)

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield lambda: bool(caught)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
