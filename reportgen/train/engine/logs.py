"""Logs of a finished run, in the layout of the runs beside it, written in one go.

Source: of fairseq, `fairseq/logging/progress_bar.py` (`TensorboardProgressBarWrapper`) and
`fairseq/criterions/sentence_prediction.py` (`loss / math.log(2)`, `100.0 * ncorrect /
nsentences`), fairseq 0.12.2; of the Trainer, `transformers/integrations/integration_utils.py`
(`rewrite_logs`), `transformers/training_args.py` (`default_logdir`) and
`transformers/trainer_callback.py` (`TrainerState`), transformers 5.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from reportgen.records.errors import UsageError
from reportgen.train.engine.course import SPLITS, Point

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
