"""Damaged event files: no exception, no invented point, no loss without a word, little lost.

A few hundred files in the usual run; `REPORTGEN_FUZZ=10000` damages as many, the same ones each
time. A file is known by its shape and number, which a failure names.
"""

import gzip
import os
import random
import struct
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate

import pytest
from fakes import damage
from fakes.event_file import (
    audio,
    content,
    encode,
    fields,
    graph,
    header,
    histogram,
    hyperparameters,
    image,
    record,
    records_of,
    scalar,
    starts,
    summary,
    tensor,
    tensor_value,
    text,
)
from fakes.event_points import WAYS, points_in, points_of, written_in
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary

from reportgen.read.logs.events import logs_of, read_event_file, read_event_file_by_loop

FILES = int(os.environ.get("REPORTGEN_FUZZ", "200"))


def plain():
    """One scalar an event, as PyTorch writes: every record of a tag has the same length."""
    return [
        header(),
        *(scalar(["loss", "train/accuracy"][s % 2], 128 + s // 2, s / 7) for s in range(160)),
    ]


def tensors():
    """Scalars of TensorFlow 2 in several types and forms; the first of a tag names its plug-in."""
    forms = {
        "epoch_loss": lambda v: content("FLOAT", "f", v),
        "epoch_accuracy": lambda v: fields("FLOAT", float_val=[v]),
        "lr": lambda v: fields("DOUBLE", double_val=[v]),
        "exact": lambda v: content("DOUBLE", "d", v),
        "count": lambda v: fields("INT64", int64_val=[int(v)]),
        "half": lambda v: content("HALF", "e", v),
    }
    return [
        header(),
        *(
            tensor(tag, s, form(s / 8 + n), plugin="" if s else "scalars")
            for s in range(25)
            for n, (tag, form) in enumerate(forms.items())
        ),
    ]


def mixed():
    """Everything beside each other, several values in an event, records of any length."""
    events = [header(), graph(), hyperparameters(seed=3, optimizer="adam"), text("args", "x" * 700)]
    for s in range(40):
        three = [Summary.Value(tag=tag, simple_value=s / 3) for tag in ("a", "b", "c")]
        events += [summary(s, *three), scalar("loss", s, 1 / (s + 1))]
        if s % 4 == 0:
            events += [histogram("w", s), image("i", s, 50 * s), audio("s", s), text("t", str(s))]
        events.append(
            summary(s, tensor_value("v", fields("DOUBLE", double_val=[s / 9])), three[s % 3])
        )
    return events


def unordered():
    """Many tags of one length in no order, steps that come back, and a start in between."""
    rng = random.Random(1)
    events = [header()]
    for number in range(200):
        tag = f"metric_{rng.randrange(12):02d}"
        events.append(scalar(tag, rng.randrange(40), rng.random(), 1.7e9 + number))
        if number == 120:
            events.append(starts(30))
    return events


def odd():
    """Steps and tags of every length, values that are no numbers, no header."""
    steps = [0, 1, 127, 128, 2**21, 2**40, 2**62, -1, -(2**63)]
    values = [float("nan"), float("inf"), -0.0, 1e-45, 79.9]
    return [
        scalar(tag, step, values[(n + m) % 5], 1e9 + n / 7)
        for n, step in enumerate(steps)
        for m, tag in enumerate(["", "é", "x" * 130, "y" * 1200, "z/" * 9, "loss"])
    ]


SHAPES = (plain, tensors, mixed, unordered, odd)


@dataclass(frozen=True, kw_only=True)
class Original:
    """A sound file and what is known of it without the loader.

    Attributes:
        at: Offset of a record to its event.
        points: Those that a reader finds.
        written: Those and all that later ones replace.
    """

    events: list[Event]
    content: bytes
    records: list[bytes]
    at: dict[int, Event]
    points: dict
    written: set


@cache
def original(shape):
    events = shape()
    whole = encode(events)
    records = records_of(whole)
    offsets = accumulate((len(one) for one in records[:-1]), initial=0)
    return Original(
        events=events,
        content=whole,
        records=records,
        at=dict(zip(offsets, events, strict=True)),
        points=points_in(events),
        written=written_in(events),
    )


def harm(shape, number):
    """Return file `number` of a shape, and what hit it: mostly one thing, sometimes three."""
    rng = random.Random(f"{shape.__name__} {number}")
    harmed = original(shape).content
    hits = rng.choices(damage.ALL, k=3 if number % 10 == 9 else 1)
    for hit in hits:
        harmed = hit(harmed, rng) or harmed
    return harmed, hits


def sound_until(content, records):
    """Return up to where a file consists of whole records of the original."""
    known, at = set(records), 0
    while at + 8 <= len(content):
        end = at + 16 + struct.unpack_from("<Q", content, at)[0]
        if content[at:end] not in known:
            break
        at = end
    return at


@dataclass
class Tally:
    """What became of all files of a shape; `lost` leaves out those that were cut."""

    files: int = 0
    hits: int = 0
    lost: list[int] = field(default_factory=list)
    needless: list[int] = field(default_factory=list)

    def __str__(self):
        return (
            f"{self.files} files, {sum(self.lost) / self.hits:.2f} points lost a hit (worst file "
            f"{max(self.lost)}), {sum(self.needless)} out of sound records (worst file "
            f"{max(self.needless)})"
        )


def places(points):
    return {(tag, step) for tag, (_, rows) in points.items() for step, _, _ in rows}


def read(path, way):
    """Return the points of a file, and the log that says what is wrong with it."""
    file = read_event_file(path, way)
    return points_of(file), logs_of(file, path.name)[0]


def check(found, log, harmed, hits, source, tally):
    assert {(tag, row) for tag, (_, rows) in found.items() for row in rows} <= source.written
    sound = sound_until(harmed, source.records)
    offsets = [p.offset for p in log.problems if p.offset is not None]
    assert all(sound <= offset <= len(harmed) for offset in offsets)
    assert all(p.remedy for p in log.problems if p.offset is not None)
    # A hit that leaves whole records of the file leaves no trace; any other is named, unless
    # it cost nothing: the checksum tells what stood there, and what it told is kept.
    if sound < len(harmed) and sound not in offsets:
        assert len(harmed) == len(source.content) or len(hits) > 1
        there = places(points_in([source.at[sound]]))
        length = len(source.records[list(source.at).index(sound)])
        payload = slice(sound + 12, sound + length)
        assert there or harmed[payload] == source.content[payload]
        assert there & places(source.points) <= places(found)
    if sound < len(harmed) and not places(source.points) <= places(found):
        assert any(p.offset is not None for p in log.problems)
    intact = [e for e, r in zip(source.events, source.records, strict=True) if r in harmed]
    tally.files += 1
    if damage.cut not in hits:
        tally.hits += len(hits)
        tally.lost.append(len(places(source.points) - places(found)))
    tally.needless.append(len(places(points_in(intact)) - places(found)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_damaged_event_file(tmp_path, shape, record_property, capsys):
    source, tally = original(shape), Tally()
    path = tmp_path / "a.tfevents"
    for number in range(FILES // len(SHAPES)):
        harmed, hits = harm(shape, number)
        path.write_bytes(harmed)
        try:
            check(*read(path, WAYS[number % 3]), harmed, hits, source, tally)
        except Exception as error:
            error.add_note(f"file {number} of {shape.__name__}")
            raise
    record_property("damage", str(tally))
    if "REPORTGEN_FUZZ" in os.environ:
        with capsys.disabled():
            sys.stdout.write(f"\n{shape.__name__}: {tally}\n")
    # What no hit touches is found, but for what a start of a session voids that a hit moved.
    assert sum(tally.needless) <= 0.05 * tally.files, str(tally)
    assert sum(tally.lost) <= 5 * tally.hits, str(tally)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_file_that_is_whole(tmp_path, shape, way):
    source = original(shape)
    path = tmp_path / "a.tfevents"
    path.write_bytes(source.content)
    found, log = read(path, way)
    assert found == source.points
    assert all(p.offset is None for p in log.problems)


def test_a_damaged_file_that_is_compressed(tmp_path):
    source = original(plain)
    packed = gzip.compress(source.content, mtime=0)
    path = tmp_path / "a.tfevents.gz"
    for number in range(FILES // 4):
        rng = random.Random(f"gzip {number}")
        path.write_bytes(rng.choice(damage.ALL)(packed, rng))
        found, log = read(path, WAYS[number % 3])
        assert {(tag, row) for tag, (_, rows) in found.items() for row in rows} <= source.written
        assert any(p.offset is not None for p in log.problems) or found == source.points


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_odd_messages_in_sound_records_are_one_thing_to_every_way_of_reading(tmp_path, shape):
    path = tmp_path / "a.tfevents"
    payloads = [event.SerializeToString() for event in original(shape).events]
    for number in range(FILES // 40):
        rng = random.Random(f"odd {shape.__name__} {number}")
        odd = list(payloads)
        for at in rng.sample(range(len(odd)), 6):
            odd[at] = rng.choice(damage.ALL)(odd[at], rng)
        path.write_bytes(b"".join(map(record, odd)))
        found = []
        for way in WAYS[:3]:
            points, log = read(path, way)
            found.append((points, log.texts, log.config, dict(log.skipped), log.problems))
        assert found[0] == found[1] == found[2], number


def headers_alone():
    """Sound headers, each of a record that the next one cuts off."""
    whole = encode([scalar("loss", s, 0.5) for s in range(200)])
    return whole + records_of(whole)[0][:12] * 2500


def lengths_damaged():
    """Every second record without its length."""
    records = records_of(encode([scalar("loss", s, 0.5) for s in range(2000)]))
    return b"".join(bytes([r[0] ^ n % 2]) + r[1:] for n, r in enumerate(records))


def zeros():
    """A long tail that was never written."""
    return encode([scalar("loss", s, 0.5) for s in range(200)]) + bytes(5 << 20)


@pytest.mark.parametrize(
    "make",
    [
        headers_alone,
        lengths_damaged,
        zeros,
    ],
    ids=lambda make: make.__name__,
)
def test_damage_costs_little_more_time_than_reading_record_by_record(tmp_path, make):
    content = make()
    path = tmp_path / "a.tfevents"
    path.write_bytes(content)
    begin = time.process_time()
    _, log = read(path, WAYS[0])
    between = time.process_time()
    read_event_file_by_loop(path)
    plain = time.process_time() - between
    assert log.problems
    assert between - begin < 25 * plain + 0.1
