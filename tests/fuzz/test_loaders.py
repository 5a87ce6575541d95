"""Damaged files: no exception, no invented point, every loss named."""

import io
import random

import pytest
from tensorboard.compat.proto import event_pb2
from tensorboard.summary.writer.record_writer import RecordWriter

from reportgen.loaders import LOADERS
from reportgen.loaders.tfevents import load_tfevents

ROUNDS = 400


def sample():
    stream = io.BytesIO()
    writer = RecordWriter(stream)
    offsets = []
    for step in range(120):
        offsets.append(stream.tell())
        event = event_pb2.Event(step=step, wall_time=1e9 + step)
        event.summary.value.add(tag=["loss", "train/accuracy"][step % 2], simple_value=step / 7)
        writer.write(event.SerializeToString())
    return stream.getvalue(), offsets


def flip(content, rng):
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def cut(content, rng):
    return content[: rng.randrange(len(content))]


def drop(content, rng):
    at = rng.randrange(len(content))
    return content[:at] + content[at + rng.randrange(1, 60) :]


def insert(content, rng):
    at = rng.randrange(len(content))
    return content[:at] + rng.randbytes(rng.randrange(1, 60)) + content[at:]


def zero(content, rng):
    at, length = rng.randrange(len(content)), rng.randrange(1, 200)
    gone = content[at : at + length]
    return content[:at] + bytes(len(gone)) + content[at + length :]


def repeat(content, rng):
    at = rng.randrange(len(content))
    return content[:at] + content[at : at + rng.randrange(1, 200)] + content[at:]


DAMAGE = (flip, cut, drop, insert, zero, repeat)


def points(log):
    return {
        (tag, int(step), float(value), float(wall_time))
        for tag, series in log.series.items()
        for step, value, wall_time in zip(
            series.steps, series.values, series.wall_times, strict=True
        )
    }


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda f: f.__name__)
def test_a_damaged_event_file(tmp_path, damage):
    rng = random.Random(damage.__name__)
    content, offsets = sample()
    path = tmp_path / "a.tfevents"
    path.write_bytes(content)
    (whole,) = load_tfevents(path, path.name)
    everything = points(whole)
    lost = 0
    for _ in range(ROUNDS):
        harmed = damage(content, rng)
        path.write_bytes(harmed)
        (log,) = load_tfevents(path, path.name)
        found = points(log)
        assert found <= everything
        missing = len(everything) - len(found)
        lost += missing
        if missing and not log.problems:
            # Only a cut exactly between two records leaves no trace.
            assert harmed == b"" or len(harmed) in offsets or damage is drop
        assert all(p.offset is None or 0 <= p.offset <= len(harmed) for p in log.problems)
    if damage is not cut:
        assert lost / ROUNDS < 8


PRINTED = b"""\
2023-11-16 16:57:04 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 1 | num_updates 225
"""
KINDS = {
    "trainer_state": ("trainer_state.json", b'{"log_history": [{"step": 1, "loss": 0.5}]}'),
    "hf_results": ("all_results.json", b'{"eval_accuracy": 0.5, "epoch": 1.0}'),
    "fairseq_log": ("a.log", PRINTED),
    "metrics_csv": ("metrics.csv", b"epoch,step,val_acc\n0,781,0.9\n1,1563,0.95\n"),
    "hparams_yaml": ("hparams.yaml", b"seed: 3\nlr: 1e-05\nnested:\n  a: 1\n"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_text_raises_nothing(tmp_path, kind):
    rng = random.Random(kind)
    name, content = KINDS[kind]
    load = LOADERS.load(kind)
    path = tmp_path / name
    for _ in range(ROUNDS):
        harmed = content
        for _ in range(rng.randrange(1, 4)):
            harmed = rng.choice(DAMAGE)(harmed, rng) or b"x"
        path.write_bytes(harmed)
        for log in load(path, name):
            assert log.source.size == len(harmed)
            assert log.source.points == sum(len(s) for s in log.series.values())
