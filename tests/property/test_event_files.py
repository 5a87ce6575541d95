"""What is written to an event file is read: any tags, steps, values, forms, orders and pieces."""

import gzip
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from fakes import event_file as made
from fakes.event_points import WAYS, points_in, points_of, read_events
from fakes.event_runs import SHAPES, long_file
from hypothesis import given
from hypothesis import strategies as st
from tensorboard.compat.proto.summary_pb2 import Summary

from reportgen.read.logs import files as reading_files
from reportgen.read.logs.events import (
    SIZES,
    logs_of,
    read_event_file,
    read_event_file_by_loop,
)

STEPS = st.one_of(st.integers(0, 60), st.integers(-(2**63), 2**63 - 1))
CLOCKS = st.floats(allow_nan=True, width=64)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TAGS = st.one_of(
    st.sampled_from(["loss", "eval/loss", "accuracy", "lr"]),
    st.text("ab", min_size=6, max_size=6),
    WORDS,
    st.text("x", min_size=120, max_size=1300),
)
SINGLE, DOUBLE = st.floats(width=32), st.floats()
FORMS = st.one_of(
    st.builds(lambda v: made.fields("FLOAT", float_val=[v]), SINGLE),
    st.builds(lambda v: made.content("FLOAT", "f", v), SINGLE),
    st.builds(lambda v: made.fields("DOUBLE", double_val=[v]), DOUBLE),
    st.builds(lambda v: made.content("DOUBLE", "d", v), DOUBLE),
    st.builds(lambda v: made.fields("HALF", half_val=[v]), st.integers(0, 0x7BFF)),
    st.builds(lambda v: made.content("HALF", "H", v), st.integers(0, 0x7BFF)),
    st.builds(lambda v: made.fields("BFLOAT16", half_val=[v]), st.integers(0, 0x7F7F)),
    st.builds(lambda v: made.content("BFLOAT16", "H", v), st.integers(0, 0x7F7F)),
    st.builds(lambda v: made.fields("INT32", int_val=[v]), st.integers(-(2**31), 2**31 - 1)),
    st.builds(lambda v: made.fields("INT64", int64_val=[v]), st.integers(-(2**53), 2**53)),
    st.builds(lambda v: made.content("INT64", "q", v), st.integers(-(2**53), 2**53)),
    st.builds(lambda v: made.fields("UINT64", uint64_val=[v]), st.integers(0, 2**53)),
    st.builds(lambda v: made.fields("BOOL", bool_val=[v]), st.booleans()),
    st.just(made.fields("FLOAT")),
)
PLUGINS = st.sampled_from(["scalars", "scalars", "", "pr_curves"])
VALUES = st.one_of(
    st.builds(lambda tag, v: Summary.Value(tag=tag, simple_value=v), TAGS, SINGLE),
    st.builds(made.tensor_value, TAGS, FORMS, PLUGINS),
    st.builds(lambda tag: made.tensor_value(tag, made.content("FLOAT", "f", 1, 2, 3), ""), TAGS),
)
EVENTS = st.one_of(
    st.builds(made.scalar, TAGS, STEPS, SINGLE, CLOCKS),
    st.builds(made.scalar, TAGS, STEPS, SINGLE, CLOCKS),
    st.builds(lambda s, w, v: made.summary(s, *v, wall_time=w), STEPS, CLOCKS, st.lists(VALUES)),
    st.builds(made.image, WORDS, STEPS, st.integers(0, 3000)),
    st.builds(made.histogram, WORDS, STEPS),
    st.builds(made.text, st.just("a text"), WORDS),
    st.builds(made.starts, STEPS),
    st.just(made.header()),
)
FILES = st.lists(EVENTS, min_size=1, max_size=40)


def faults(file):
    """Return what is said of places in the file."""
    return [one for one in logs_of(file, "a.tfevents")[0].problems if one.offset is not None]


READINGS = st.sampled_from(WAYS)


def load(content, way=SIZES, read=read_event_file):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.tfevents")
        path.write_bytes(content)
        return read(path) if read is read_event_file_by_loop else read(path, way)


@given(FILES, READINGS)
def test_every_point_written_is_read(events, way):
    log = load(made.encode(events), way)
    assert points_of(log) == points_in(events)
    assert faults(log) == []


@given(FILES)
def test_tensorboards_own_reader_finds_the_same(events):
    content = made.encode(events)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.tfevents")
        path.write_bytes(content)
        assert points_of(load(content)) == points_in(read_events(path))


@given(FILES, READINGS, st.data())
def test_a_cut_leaves_the_points_before_it(events, way, data):
    records = made.records_of(made.encode(events))
    whole = data.draw(st.integers(0, len(records) - 1), label="whole records")
    extra = data.draw(st.integers(0, len(records[whole]) - 1), label="bytes of the next")
    log = load(b"".join(records[:whole]) + records[whole][:extra], way)
    assert points_of(log) == points_in(events[:whole])
    if extra:
        assert faults(log)


@given(st.lists(FILES, min_size=2, max_size=3), READINGS)
def test_files_written_one_behind_the_other_are_one_file(parts, way):
    events = [event for part in parts for event in part]
    assert points_of(load(b"".join(map(made.encode, parts)), way)) == points_in(events)


@given(FILES, READINGS, st.integers(2, 300))
def test_the_length_of_what_is_read_at_a_time_changes_nothing(events, way, length):
    content = made.encode(events)
    with mock.patch.object(reading_files, "CHUNK", length):
        for stored in (content, gzip.compress(content)):
            assert points_of(load(stored, way)) == points_in(events)


@given(FILES, FILES, READINGS)
def test_what_was_read_before_changes_nothing(before, events, way):
    load(made.encode(before), way)
    log = load(made.encode(events), way)
    assert points_of(log) == points_in(events)
    assert list(log.points) == list(points_in(events))


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_tag_may_be_a_scalar_in_one_file_and_none_in_the_next(way):
    def file(plugin, count=200):
        proto = made.content("FLOAT", "f", 0.5)
        events = [made.tensor("a", s, proto, plugin if s == 0 else "") for s in range(count)]
        return made.encode([made.header(), *events])

    scalars = file("scalars"), file("")
    for content in (*scalars, file("pr_curves"), *scalars):
        expected = 0 if content == file("pr_curves") else 200
        assert len(load(content, way).points.get("a", ((),))[0]) == expected


# --- long files, where a reader may take many records at a time ---------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_every_point_of_a_long_file_is_read(shape, seed):
    events = long_file(shape, seed)
    log = load(made.encode(events), WAYS[seed % 3])
    assert points_of(log) == points_in(events)
    assert faults(log) == []


# --- two readers --------------------------------------------------------------------------


def check_against_the_loop(content, way):
    found, plain = load(content, way), load(content, read=read_event_file_by_loop)
    assert points_of(found) == points_of(plain)
    assert found.content == plain.content
    return found


@given(FILES, READINGS)
def test_a_file_as_the_loop_reads_it(events, way):
    check_against_the_loop(made.encode(events), way)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_long_file_as_the_loop_reads_it(shape, seed):
    events = long_file(shape, 20 + seed)
    assert check_against_the_loop(made.encode(events), WAYS[1 + seed]).points
