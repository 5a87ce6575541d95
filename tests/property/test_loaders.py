"""What is written is read: for any tags, steps and values, in any order of files."""

import io
import math
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tensorboard.compat.proto import event_pb2
from tensorboard.summary.writer.record_writer import RecordWriter

from reportgen.layouts._assemble import assemble
from reportgen.loaders._tree import load_tree
from reportgen.loaders._wire import read_fields, read_varint, signed
from reportgen.loaders.tfevents import load_tfevents
from reportgen.records.study import Study

steps = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(width=32)
tags = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
clocks = st.floats(0, 2e9)


def encode(points):
    stream = io.BytesIO()
    writer = RecordWriter(stream)
    for tag, step, value, wall_time in points:
        event = event_pb2.Event(step=step, wall_time=wall_time)
        event.summary.value.add(tag=tag, simple_value=value)
        writer.write(event.SerializeToString())
    return stream.getvalue()


def same(one, other):
    return one == other or (math.isnan(one) and math.isnan(other))


@given(st.lists(st.tuples(tags, steps, floats, clocks), min_size=1))
@settings(max_examples=150, deadline=None)
def test_every_point_written_is_read(points):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.tfevents")
        path.write_bytes(encode(points))
        (log,) = load_tfevents(path, path.name)
    expected = {}
    for tag, step, value, wall_time in points:
        expected.setdefault(tag, {})[step] = (value, wall_time)
    assert set(log.series) == set(expected)
    assert log.problems == ()
    for tag, by_step in expected.items():
        series = log.series[tag]
        assert series.steps.tolist() == sorted(by_step)
        for step, value, wall_time in zip(
            series.steps, series.values, series.wall_times, strict=True
        ):
            assert same(float(value), by_step[int(step)][0])
            assert wall_time == by_step[int(step)][1]


names = st.sampled_from(["m/0/valid", "m/1/valid", "m/1/test", "n/0/valid", "n/0/train_inner"])
curves = st.lists(st.tuples(st.integers(0, 50), floats), min_size=1, max_size=6)


@given(st.lists(st.tuples(names, curves), min_size=1, max_size=6), st.randoms())
@settings(max_examples=60, deadline=None)
def test_the_order_of_files_changes_nothing(files, random):
    with tempfile.TemporaryDirectory() as folder:
        for number, (place, curve) in enumerate(files):
            target = Path(folder, place)
            target.mkdir(parents=True, exist_ok=True)
            points = [("accuracy", s, v, 1000.0 * number + s) for s, v in curve]
            (target / f"events.out.tfevents.{number}.lab.{number}.0").write_bytes(encode(points))
        tree = load_tree(Path(folder))
    logs = list(tree.logs)
    expected, study = assemble(logs, tree.files, Study(), "lab")
    random.shuffle(logs)
    found, again = assemble(logs, tree.files, Study(), "lab")
    assert again == study
    assert [(r.id, r.group, r.seed, r.problems, r.sources) for r in found] == [
        (r.id, r.group, r.seed, r.problems, r.sources) for r in expected
    ]
    for one, other in zip(found, expected, strict=True):
        assert list(one.scalars) == list(other.scalars)
        for key, series in one.scalars.items():
            assert np.array_equal(series.steps, other.scalars[key].steps)
            assert np.array_equal(series.values, other.scalars[key].values, equal_nan=True)


@given(steps)
def test_any_step_goes_through_a_varint(step):
    payload = event_pb2.Event(step=step).SerializeToString()
    value = next((v for number, _, v in read_fields(payload) if number == 2), 0)
    assert signed(value) == step


@given(st.integers(0, 2**64 - 1))
def test_varints(value):
    encoded, rest = bytearray(), value
    while rest >= 0x80:
        encoded.append(rest & 0x7F | 0x80)
        rest >>= 7
    encoded.append(rest)
    assert read_varint(bytes(encoded), 0) == (value, len(encoded))
