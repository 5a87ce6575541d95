"""Write the event files of this lab from `facts.csv`.

Every number comes from the table; the files have the names, folders, tags and text events
that `fairseq-train --tensorboard-logdir` gives them. Wall times and the host name are
fixed, so that a second call writes the same bytes to the same names.

    python make_logs.py            # needs tensorboard, nothing else
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path

from tensorboard.compat.proto.event_pb2 import Event, SourceMetadata
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.types_pb2 import DT_STRING
from tensorboard.summary.writer.record_writer import RecordWriter

HERE = Path(__file__).resolve().parent
TASK = "sentence_prediction/books"
# fairseq numbers its writers in the order in which they first have something to say.
WRITERS = {"train_inner": 0, "valid": 1, "test": 2, "train": 3}
MODELS = {"pretrained": "RoBERTa_small_fr", "random": "RoBERTa_small_fr_random"}
RESTORE = {"pretrained": "models/RoBERTa_small_fr/model.pt", "random": "random_model"}
NOT_A_SCALAR = ("group", "seed", "epoch", "split", "time", "num_updates")
# When each run wrote the header of its train_inner file; its points were not published.
INNER_STARTED = {
    ("pretrained", "0"): 1700153813,
    ("pretrained", "1"): 1700153912,
    ("pretrained", "2"): 1700154012,
    ("random", "0"): 1700154113,
    ("random", "1"): 1700154214,
    ("random", "2"): 1700154314,
}

Row = dict[str, str]


def run_folder(group: str, seed: str) -> str:
    """Return the folder of a run, relative to the logs."""
    return f"{TASK}/{MODELS[group]}_ms8_mu3125_lr1e-05_me5/{seed}"


def command_line(group: str, seed: str) -> str:
    """Return the command as fairseq logs it, reduced to what is known of these runs."""
    return (
        f"fairseq-train books --task sentence_prediction --arch roberta_small "
        f"--restore-file {RESTORE[group]} "
        f"--criterion sentence_prediction --classification-head-name sentence_classification_head "
        f"--num-classes 2 --max-positions 256 --batch-size 8 --optimizer adam --lr 1e-05 "
        f"--lr-scheduler polynomial_decay --warmup-updates 187 --total-num-update 3125 "
        f"--max-epoch 5 --valid-subset valid,test --best-checkpoint-metric accuracy "
        f"--maximize-best-checkpoint-metric --seed {seed} "
        f"--tensorboard-logdir logs/{run_folder(group, seed)}"
    )


def seconds(stamp: str) -> float:
    """Return an ISO time as seconds since the epoch."""
    return datetime.fromisoformat(stamp).timestamp()


def header(wall_time: float) -> Event:
    """Return the first event of every file."""
    return Event(
        wall_time=wall_time,
        file_version="brain.Event:2",
        source_metadata=SourceMetadata(writer="tensorboard.summary.writer.event_file_writer"),
    )


def text(tag: str, words: str, wall_time: float) -> Event:
    """Return a text event as `SummaryWriter.add_text` writes it."""
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
    tensor = TensorProto(
        dtype=DT_STRING,
        string_val=[words.encode()],
        tensor_shape=TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)]),
    )
    value = Summary.Value(tag=f"{tag}/text_summary", metadata=metadata, tensor=tensor)
    return Event(wall_time=wall_time, summary=Summary(value=[value]))


def scalars(row: Row) -> Iterator[Event]:
    """Yield one event a number of the row, at the row's step and time."""
    for tag, value in row.items():
        if value and tag not in NOT_A_SCALAR:
            yield Event(
                wall_time=seconds(row["time"]),
                step=int(row["num_updates"]),
                summary=Summary(value=[Summary.Value(tag=tag, simple_value=float(value))]),
            )


def write_file(folder: Path, name: str, events: Iterable[Event]) -> None:
    """Write one event file."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("wb") as stream:
        writer = RecordWriter(stream)
        for event in events:
            writer.write(event.SerializeToString())


def write_run(logs: Path, group: str, seed: str, rows: list[Row]) -> None:
    """Write the four files of one run."""
    folder = logs / run_folder(group, seed)
    for split, number in WRITERS.items():
        own = [row for row in rows if row["split"] == split]
        start = seconds(own[0]["time"]) if own else INNER_STARTED[group, seed]
        events = [header(start)]
        if own:
            events.append(text("sys.argv", command_line(group, seed), start))
        events.extend(event for row in own for event in scalars(row))
        write_file(folder / split, f"events.out.tfevents.{start:.0f}.lab.1.{number}", events)


def main() -> None:
    """Write the logs of all six runs."""
    with (HERE / "facts.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for (group, seed), own in groupby(rows, key=lambda row: (row["group"], row["seed"])):
        write_run(HERE / "logs", group, seed, list(own))


if __name__ == "__main__":
    main()
