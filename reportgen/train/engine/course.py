"""How far a job is: its schedule, curves, best steps; and the logs of a finished run."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reportgen.records.errors import UsageError
from reportgen.records.job import Job
from reportgen.records.study import TrainPlan

if TYPE_CHECKING:
    from torch import Tensor

    from reportgen.train.engine.tasks import Evaluation


# How far a job is: its schedule, curves, best steps, and all that a continuation must know.

SPLITS = ("train_inner", "train", "validation", "test")
"""Where a point may be measured: over a few updates, over an epoch, on the two held-out splits."""


class Point(NamedTuple):
    """One logged value.

    Attributes:
        split: One of `SPLITS`.
        metric: `"loss"` (nats), `"learning_rate"`, `"epoch"`, or what the task measures (shares are
            0 to 1).
        step: Updates done.
        value: In the metric's own unit; NaN and infinities are kept, a diverged run has them.
        wall_time: Seconds since the epoch, when it was measured.
    """

    split: str
    metric: str
    step: int
    value: float
    wall_time: float


@dataclass(slots=True)
class Mean:
    """A mean that is still being taken."""

    total: float = 0.0
    count: int = 0

    def add(self, value: float, count: int) -> None:
        """Count a value `count` times."""
        self.total += value * count
        self.count += count

    def take(self) -> float:
        """Return the mean, and begin a new one."""
        mean = self.total / self.count
        self.total, self.count = 0.0, 0
        return mean


@dataclass(slots=True, kw_only=True)
class Track:
    """One member's way.

    Attributes:
        points: Its curves, in the order in which they were made.
        best_step: Updates done at the best evaluation; None before the first.
        value: The selecting metric there.
        weights: The weights there; empty when none are kept.
        diverged: Update at which the loss was not finite; None while it is.
        inner, epoch: Means of the training loss that are being taken.
    """

    points: list[Point] = field(default_factory=list)
    best_step: int | None = None
    value: float | None = None
    weights: dict[str, Tensor] = field(default_factory=dict)
    diverged: int | None = None
    inner: Mean = field(default_factory=Mean)
    epoch: Mean = field(default_factory=Mean)

    def is_better(self, value: float, job: Job) -> bool:
        """Tell whether an evaluation takes the place of the best."""
        if not math.isfinite(value):
            return False
        if self.value is None:
            return True
        if value == self.value:
            return job.ties == "last"
        return (value > self.value) == (job.direction == "higher")


@dataclass(slots=True, kw_only=True)
class Course:
    """All members' ways, after `step` updates and so many seconds in all attempts.

    A batch is computed in `chunks` parts; the notes are for a reader of the results.
    """

    tracks: list[Track]
    step: int = 0
    chunks: int = 1
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Add a note once."""
        if text not in self.notes:
            self.notes.append(text)

    def live(self) -> list[int]:
        """Return the members whose loss is finite so far."""
        return [s for s, track in enumerate(self.tracks) if track.diverged is None]

    def add_losses(self, losses: Sequence[float], examples: int) -> list[int]:
        """Count the losses of the update just done; return the members that diverged in it."""
        gone = []
        for s in self.live():
            track = self.tracks[s]
            if math.isfinite(losses[s]):
                track.inner.add(losses[s], examples)
                track.epoch.add(losses[s], examples)
            else:
                track.diverged = self.step
                gone.append(s)
        return gone

    def add_means(self, split: str, now: float, **more: float) -> None:
        """Put the mean training losses into the curves, with more of this step for all members.

        Those of `"train_inner"` are since the last such point, those of `"train"` of the epoch.
        """
        for s in self.live():
            track = self.tracks[s]
            mean = track.inner if split == "train_inner" else track.epoch
            if mean.count:
                self._add(track, split, now, loss=mean.take(), **more)

    def add_evaluations(
        self, split: str, found: Sequence[Evaluation], job: Job, now: float
    ) -> None:
        """Put what a job logs of evaluations into the curves; what is not finite is left out."""
        wanted = ("loss", job.metric, *job.metrics)
        for s in self.live():
            values = {name: found[s][name] for name in wanted}
            self._add(self.tracks[s], split, now, **values)

    def _add(self, track: Track, split: str, now: float, **values: float) -> None:
        track.points += [
            Point(split=split, metric=metric, step=self.step, value=value, wall_time=now)
            for metric, value in values.items()
            if math.isfinite(value)
        ]


def updates_per_epoch(examples: int, plan: TrainPlan) -> int:
    """Return the updates of one pass; the last may have fewer examples."""
    return math.ceil(examples / plan.batch_size)


def data_order(seed: int, epoch: int, examples: int) -> list[int]:
    """Return the order of the training examples in an epoch, counted from 0.

    It is the order that transformers' Trainer has by accelerate's seedable sampler
    (`accelerate/data_loader.py`, `SeedableRandomSampler`).

    >>> data_order(1, 0, 5)
    [0, 4, 2, 3, 1]
    """
    import torch

    generator = torch.Generator().manual_seed(seed + epoch)
    return torch.randperm(examples, generator=generator).tolist()


def learning_rate(done: int, total: int, plan: TrainPlan) -> float:
    """Return the rate of the update after `done` of `total`.

    As `get_linear_schedule_with_warmup` and `get_constant_schedule_with_warmup` of transformers
    have it: it rises from 0 at the first update.

    >>> plan = TrainPlan(learning_rate=1.0, warmup=0.2)
    >>> [learning_rate(done, 10, plan) for done in (0, 1, 2, 6, 9)]
    [0.0, 0.5, 1.0, 0.5, 0.125]
    """
    warm = math.ceil(total * plan.warmup)
    if done < warm:
        return plan.learning_rate * (done / max(1, warm))
    if plan.schedule == "constant":
        return plan.learning_rate
    return plan.learning_rate * max(0.0, (total - done) / max(1, total - warm))


# Logs of a finished run, in the layout of the runs beside it, written in one go.
#
# Source: of fairseq, `fairseq/logging/progress_bar.py` (`TensorboardProgressBarWrapper`) and
# `fairseq/criterions/sentence_prediction.py` (`loss / math.log(2)`, `100.0 * ncorrect /
# nsentences`), fairseq 0.12.2; of the Trainer, `transformers/integrations/integration_utils.py`
# (`rewrite_logs`), `transformers/training_args.py` (`default_logdir`) and
# `transformers/trainer_callback.py` (`TrainerState`), transformers 5.

HOST = "reportgen"
"""Stands in names of files and folders where the name of a machine would."""


class Scalar(NamedTuple):
    """One number under its tag, in the unit of the layout that is written."""

    tag: str
    step: int
    value: float
    wall_time: float


def write_events(folder: Path, number: int, scalars: Iterable[Scalar], about: str) -> Path:
    """Write one event file; the same numbers give the same bytes under the same name.

    Numbers, at least one, are written by wall time, step and tag, as float32; what made the run
    stands beside them as a text.
    """
    from tensorboard.compat.proto.event_pb2 import Event, SourceMetadata
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    ordered = sorted(scalars, key=lambda one: (one.wall_time, one.step, one.tag))
    begin = ordered[0].wall_time
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"events.out.tfevents.{begin:.0f}.{HOST}.0.{number}"
    with path.open("wb") as stream:
        writer = RecordWriter(stream)
        metadata = SourceMetadata(writer="tensorboard.summary.writer.event_file_writer")
        events = [Event(wall_time=begin, file_version="brain.Event:2", source_metadata=metadata)]
        events.append(Event(wall_time=begin, summary=Summary(value=[_text("about", about)])))
        for one in ordered:
            value = Summary.Value(tag=one.tag, simple_value=one.value)
            summary = Summary(value=[value])
            events.append(Event(wall_time=one.wall_time, step=one.step, summary=summary))
        for event in events:
            writer.write(event.SerializeToString())
        writer.flush()
    return path


def _text(tag: str, words: str) -> object:
    """Return a text as `SummaryWriter.add_text` writes it."""
    from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
    from tensorboard.compat.proto.tensor_pb2 import TensorProto
    from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
    from tensorboard.compat.proto.types_pb2 import DT_STRING

    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
    shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)])
    tensor = TensorProto(dtype=DT_STRING, string_val=[words.encode()], tensor_shape=shape)
    return Summary.Value(tag=f"{tag}/text_summary", metadata=metadata, tensor=tensor)


def check_folder(name: str) -> str:
    """Return the name of a split's folder if it is one plain name, which leads out of no run.

    Example:
        >>> check_folder("valid")
        'valid'
    """
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise UsageError(
            f"logs cannot be written to a folder called {name[:80]!r}",
            remedy="name the split by letters, digits, - and _ under [splits.names]",
        )
    return name


_FOLDERS = {"train_inner": "train_inner", "train": "train", "validation": "valid", "test": "test"}
_TAGS_OF_FAIRSEQ = {
    "loss": ("loss", 1 / math.log(2)),
    "accuracy": ("accuracy", 100.0),
    "learning_rate": ("lr", 1.0),
    "grad_norm": ("gnorm", 1.0),
}
"""Metric to its tag and to what it is multiplied with; others have a tag of their name."""


def write_fairseq(
    folders: Mapping[str, str], points: Sequence[Point], folder: Path, about: str
) -> tuple[Path, ...]:
    """Write one event file for each split that has points; they are read back like those beside.

    Accuracy is not rounded to one decimal, as fairseq's is: what is known is kept.

    Args:
        folders: Split to folder or prefix (`{"validation": "valid"}`); others take the layout's.
        points: The curve of a finished run; wall times are kept as they were measured.
        folder: Of the run.
        about: What made the run, for a reader who meets the files alone.

    Raises:
        UsageError: A split's folder is no plain name.
    """
    written: list[Path] = []
    for split in SPLITS:
        scalars = [
            Scalar(tag=tag, step=p.step, value=p.value * unit, wall_time=p.wall_time)
            for p in points
            if p.split == split and p.metric != "epoch"  # fairseq logs none
            for tag, unit in [_TAGS_OF_FAIRSEQ.get(p.metric, (p.metric, 1.0))]
        ]
        if scalars:
            inside = folder / check_folder(folders.get(split, _FOLDERS[split]))
            written.append(write_events(inside, len(written), scalars, about))
    return tuple(written)


_PREFIXES = {"train_inner": "train", "train": "train", "validation": "eval", "test": "test"}
_KNOWN = frozenset({"eval", "test", "predict"})
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def write_hf_trainer(
    folders: Mapping[str, str], points: Sequence[Point], folder: Path, about: str
) -> tuple[Path, ...]:
    """Write the event file and the state of a run; arguments as for `write_fairseq`.

    The Trainer has one curve of training: what was logged inside the epochs, where there is any,
    else their means. A prefix that it does not have gives way to its own.
    """
    prefixes = {
        split: folders[split] if folders.get(split) in _KNOWN else own
        for split, own in _PREFIXES.items()
    }
    inner = {point.metric for point in points if point.split == "train_inner"}
    kept = [point for point in points if point.split != "train" or point.metric not in inner]
    if not kept:
        return ()
    scalars = [
        Scalar(tag=f"{prefixes[p.split]}/{p.metric}", step=p.step, value=p.value,
               wall_time=p.wall_time)
        for p in kept
    ]  # fmt: skip
    begin = datetime.fromtimestamp(min(point.wall_time for point in kept), tz=UTC)
    # The name of a month is the same in every locale: layouts know a log by it.
    name = f"{_MONTHS[begin.month - 1]}{begin:%d_%H-%M-%S}_{HOST}"
    state = folder / "trainer_state.json"
    events = write_events(folder / "runs" / name, 0, scalars, about)
    state.write_text(json.dumps(_state(kept, prefixes), indent=2) + "\n", encoding="utf-8")
    return events, state


def _state(points: Sequence[Point], prefixes: Mapping[str, str]) -> dict[str, object]:
    """Return the state: one entry of history for each step and prefix, as the Trainer's is."""
    epochs = {point.step: point.value for point in points if point.metric == "epoch"}
    entries: dict[tuple[int, int, str], dict[str, float]] = {}
    order = list(dict.fromkeys(prefixes.values()))
    for point in points:
        prefix = prefixes[point.split]
        entry = entries.setdefault((point.step, order.index(prefix), prefix), {})
        entry[point.metric if prefix == "train" else f"{prefix}_{point.metric}"] = point.value
    history = []
    for (step, _, _), values in sorted(entries.items()):
        epoch = {"epoch": epochs[step]} if step in epochs else {}
        history.append({**epoch, **dict(sorted(values.items())), "step": step})
    last = max(point.step for point in points)
    return {"epoch": epochs.get(last), "global_step": last, "log_history": history}
