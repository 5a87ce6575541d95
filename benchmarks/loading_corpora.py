"""Make a corpus of `benchmarks loading`: `loading_corpora.py NAME FOLDER SIZE`.

A size is `full` or `small`. `student` is written by PyTorch's SummaryWriter. The others are too
large for it, so their records are put together here; before the first is written, that code has to
make the very bytes that PyTorch's and TensorBoard's own writers make of the same events.
`shuffled` is `group500k` with four records in ten left out at random, and the rest out of order.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from struct import Struct

from google_crc32c import value as crc32c

START, APART = 1.7e9, 10_000
"""Seconds at which the first run begins, and between it and the next."""

TAGS = [
    f"{split}/{what}"
    for split in ("train", "eval", "test", "sys")
    for what in ("loss", "accuracy", "f1", "lr_rate", "grad_norm")
]
FAIRSEQ = {
    "train_inner": (1125, "loss ppl wps ups wpb bsz num_updates lr gnorm clip train_wall gb_free"),
    "train": (10, "loss ppl wps ups wpb bsz num_updates lr gnorm clip train_wall gb_free wall"),
    "valid": (10, "loss ppl accuracy wps wpb bsz num_updates best_accuracy"),
    "test": (5, "loss ppl accuracy wps wpb bsz num_updates"),
}
"""Points a tag and tags of each folder of a fairseq run."""
TRAINER = (1050, "train/loss train/grad_norm train/learning_rate")
EVALUATED = "eval/loss eval/accuracy eval/runtime eval/samples_per_second"
WINDOW = 40
HISTOGRAMS, IMAGES = 10_000, 500

_LENGTH, _CRC, _WALL, _VALUE = Struct("<Q"), Struct("<I"), Struct("<d"), Struct("<f")


def frame(payload: bytes) -> bytes:
    """Return a payload as a record."""
    length = _LENGTH.pack(len(payload))
    return length + _masked(length) + payload + _masked(payload)


def scalars(
    seed: int, steps: int, tags: Sequence[str] = TAGS, *, begin: int = 0
) -> Iterator[bytes]:
    """Yield the records of a run, of every tag at so many steps."""
    chance = random.Random(seed)  # noqa: S311 - numbers to read, no secrets
    middles = [_middle(tag) for tag in tags]
    headers: dict[int, bytes] = {}
    for step in range(begin, begin + steps):
        stepped = b"\x10" + _varint(step) if step else b""
        for number, middle in enumerate(middles):
            wall = _clock(seed, step, number)
            value = _VALUE.pack(chance.random())
            payload = b"\x09" + _WALL.pack(wall) + stepped + middle + value
            size = len(payload)
            header = headers.get(size)
            if header is None:
                length = _LENGTH.pack(size)
                header = headers[size] = length + _masked(length)
            yield header + payload + _masked(payload)


def first_record(wall: float = START) -> bytes:
    """Return the record that every event file begins with."""
    return frame(b"\x09" + _WALL.pack(wall) + b"\x1a\x0dbrain.Event:2")


def write_group(root: Path, runs: int, steps: int) -> None:
    """Write runs of twenty tags."""
    for run in range(runs):
        with _opened(root / f"run{run:03d}", run) as file:
            file.write(first_record())
            file.writelines(scalars(run, steps))


def write_shuffled(root: Path, runs: int, steps: int) -> None:
    """Write such runs with records left out, and out of order within windows."""
    for run in range(runs):
        chance = random.Random(1000 + run)  # noqa: S311
        records = [one for one in scalars(run, steps) if chance.random() > 0.4]
        with _opened(root / f"run{run:03d}", run) as file:
            file.write(first_record())
            for begin in range(0, len(records), WINDOW):
                some = records[begin : begin + WINDOW]
                chance.shuffle(some)
                file.writelines(some)


def write_giant(root: Path, steps: int) -> None:
    """Write one file of scalars among histograms and images; fewer of these for fewer steps."""
    chance = random.Random(7)  # noqa: S311
    share = steps / 250_000
    others = [_histogram(chance, i) for i in range(int(HISTOGRAMS * share))]
    others += [_image(chance, i) for i in range(int(IMAGES * share))]
    chance.shuffle(others)
    every = max(1, steps * len(TAGS) // max(1, len(others)))
    with _opened(root / "run", 0) as file:
        file.write(first_record())
        for number, record in enumerate(scalars(7, steps)):
            file.write(record)
            if number % every == 0 and others:
                file.write(others.pop())
        file.writelines(others)


def write_student(root: Path, points: int = 1) -> None:
    """Write three fairseq runs and three of the Hugging Face Trainer, one point in so many."""
    from torch.utils.tensorboard import SummaryWriter

    chance = random.Random(1)  # noqa: S311
    for seed in range(3):
        for split, (count, tags) in FAIRSEQ.items():
            writer = SummaryWriter(root / f"fairseq_{seed}" / "tb" / split)
            writer.add_text("sys.argv", f"['fairseq-train', '--seed', '{seed}', '--lr', '1e-05']")
            for step in range(1, count + 1, points):
                for tag in tags.split():
                    writer.add_scalar(tag, chance.random(), step * 25)
            writer.close()
        writer = SummaryWriter(root / f"trainer_{seed}" / "runs" / f"Nov2{seed}_10-00-00_lab")
        writer.add_text("args", f'{{"learning_rate": 1e-05, "seed": {seed}}}')
        count, tags = TRAINER
        for step in range(1, count + 1, points):
            for tag in tags.split():
                writer.add_scalar(tag, chance.random(), step * 10)
            # Logged with the losses and with the evaluation, so twice at one step.
            for tag in (EVALUATED + " train/epoch").split() if step % 150 == 0 else ():
                writer.add_scalar(tag, chance.random(), step * 10)
            writer.add_scalar("train/epoch", step / 150, step * 10)
        writer.close()


def check_layout() -> None:
    """Compare the records made here with those of the field's own writers.

    Raises:
        SystemExit: They differ.
    """
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter
    from torch.utils.tensorboard import SummaryWriter

    made = list(scalars(3, 300))
    chance, stream = random.Random(3), io.BytesIO()  # noqa: S311
    writer = RecordWriter(stream)
    writer.write(Event(wall_time=START, file_version="brain.Event:2").SerializeToString())
    with tempfile.TemporaryDirectory() as temporary:
        torch = SummaryWriter(temporary)
        for step in range(300):
            for number, tag in enumerate(TAGS):
                wall, value = _clock(3, step, number), chance.random()
                torch.add_scalar(tag, value, step, walltime=wall)
                summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
                event = Event(wall_time=wall, step=step, summary=summary)
                writer.write(event.SerializeToString())
        torch.close()
        (path,) = Path(temporary).iterdir()
        written = path.read_bytes()
    if stream.getvalue() != first_record() + b"".join(made):
        raise SystemExit("the corpora are not what TensorBoard's writer writes")
    # PyTorch's first record tells the time, and what wrote it.
    (length,) = _LENGTH.unpack_from(written)
    if written[length + 16 :] != b"".join(made):
        raise SystemExit("the corpora are not what PyTorch's SummaryWriter writes")


def _clock(run: int, step: int, number: int) -> float:
    return START + run * APART + step * 0.37 + number * 1e-4


def _histogram(chance: random.Random, number: int) -> bytes:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary

    limits = [0.01 * 1.1**i for i in range(60)]
    counts = [float(chance.randrange(1000)) for _ in limits]
    histogram = HistogramProto(
        min=0, max=limits[-1], num=sum(counts), sum=1.5, sum_squares=9.5,
        bucket_limit=limits, bucket=counts,
    )  # fmt: skip
    value = Summary.Value(tag=f"weights/layer_{number % 12}", histo=histogram)
    event = Event(wall_time=START + number, step=number // 12, summary=Summary(value=[value]))
    return frame(event.SerializeToString())


def _image(chance: random.Random, number: int) -> bytes:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary

    content = chance.randbytes(chance.randrange(20_000, 40_000))
    image = Summary.Image(height=128, width=128, colorspace=3, encoded_image_string=content)
    summary = Summary(value=[Summary.Value(tag="samples", image=image)])
    return frame(Event(wall_time=START + number, step=number, summary=summary).SerializeToString())


def _middle(tag: str) -> bytes:
    """Return what lies between a scalar's step and its value."""
    name = tag.encode()
    value = b"\x0a" + _varint(len(name)) + name + b"\x15"
    summary = b"\x0a" + _varint(len(value) + _VALUE.size) + value
    return b"\x2a" + _varint(len(summary) + _VALUE.size) + summary


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _masked(content: bytes) -> bytes:
    crc = crc32c(content)
    return _CRC.pack(((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _opened(folder: Path, run: int) -> io.BufferedWriter:
    folder.mkdir(parents=True)
    return (folder / f"events.out.tfevents.{1_700_000_000 + run}.lab.{run}.0").open("wb")


STEPS = {"full": (5000, 250_000), "small": (1000, 10_000)}
"""Steps of a run of the group, and of the file of `giant`."""

CORPORA: dict[str, Callable[[Path, str], None]] = {
    "tiny": lambda root, _: write_group(root, 1, 50),
    "student": lambda root, size: write_student(root, 1 if size == "full" else 10),
    "group500k": lambda root, size: write_group(root, 5, STEPS[size][0]),
    "group": lambda root, size: write_group(root, 200 if size == "full" else 20, STEPS[size][0]),
    "giant": lambda root, size: write_giant(root, STEPS[size][1]),
    "shuffled": lambda root, size: write_shuffled(root, 5, STEPS[size][0]),
}

if __name__ == "__main__":
    name, folder, size = sys.argv[1:]
    check_layout()
    CORPORA[name](Path(folder), size)
