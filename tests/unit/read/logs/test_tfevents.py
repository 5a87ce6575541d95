"""What a log says of its file; what files say themselves is in `test_event_pitfalls.py`."""

import gzip
import struct

import numpy as np
from fakes.event_file import (
    checksum,
    encode,
    header,
    record,
    records_of,
    scalar,
    scalars,
    starts,
    text,
)
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from reportgen.read.logs.events import load_events

TEN = encode([header(), *scalars("loss", [(s, s / 10) for s in range(10)])])


def test_a_file_of_the_event_file_writer(tmp_path):
    writer = EventFileWriter(str(tmp_path))
    for step in (225, 450):
        writer.add_event(scalar("accuracy", step, step / 10, 1000.0 + step))
    writer.close()
    (path,) = tmp_path.iterdir()
    (log,) = load_events(path, "run/x.tfevents")
    series = log.series["accuracy"]
    assert list(series.points()) == [(225, 22.5), (450, 45.0)]
    assert series.values.dtype == np.float32
    assert series.wall_times.tolist() == [1225.0, 1450.0]
    assert log.source.points == 2
    assert log.source.path == series.path == "run/x.tfevents"
    assert log.problems == ()


def test_the_source_is_of_the_file_as_it_lies_on_disk(load):
    packed = gzip.compress(TEN)
    log = load(packed)
    assert log.source.size == len(packed)
    assert log.source.points == 10


def test_a_tag_whose_points_are_all_void_is_no_series(load):
    log = load(encode([*scalars("a", [(5, 1.0)]), *scalars("b", [(1, 1.0)]), starts(3)]))
    assert set(log.series) == {"b"}


def test_a_git_lfs_pointer(load):
    log = load(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 37748\n")
    (problem,) = log.problems
    assert "Git-LFS pointer" in problem.message
    assert "37748 bytes" in problem.message
    assert "git lfs pull" in problem.remedy


def test_a_log_of_text_alone_is_not_taken_for_an_empty_one(load):
    assert load(encode([header(), text("sys.argv", "train.py")])).problems == ()


def test_an_absurd_length_is_not_believed(load):
    lie = struct.pack("<Q", 2**40)
    more = encode(scalars("loss", [(10 + s, s / 10) for s in range(10)]))
    log = load(TEN + lie + checksum(lie) + more)
    assert len(log.series["loss"]) == 20
    assert [p.offset for p in log.problems] == [len(TEN)]


def test_a_sound_record_that_is_no_event(load):
    log = load(TEN + record(b"\xff\xff\xff") + encode([scalar("loss", 10, 1.0)]))
    assert len(log.series["loss"]) == 11
    (problem,) = log.problems
    assert (problem.offset, problem.level) == (len(TEN), "warning")
    assert "no event" in problem.message


def test_a_compressed_file_that_is_cut_off_keeps_what_was_read(load):
    log = load(gzip.compress(encode(scalars("a", [(s, s * 0.7) for s in range(2000)])))[:-2000])
    assert 0 < len(log.series["a"]) < 2000
    assert "the compressed data end early" in [p.message for p in log.problems]


def test_a_compressed_file_may_have_several_members(load):
    half = len(TEN) // 2
    log = load(gzip.compress(TEN[:half]) + gzip.compress(TEN[half:]))
    assert len(log.series["loss"]) == 10
    assert log.problems == ()


def test_many_faults_are_counted_and_not_all_listed(load):
    records = records_of(encode(scalars("a", [(1000 + s, 1.0) for s in range(300)])))
    for number in range(0, 300, 2):
        records[number] = records[number][:15] + b"\xff" + records[number][16:]
    log = load(b"".join(records))
    assert len(log.series["a"]) == 150
    assert len(log.problems) == 51
    assert log.problems[-1].message.startswith("100 more damaged places")
