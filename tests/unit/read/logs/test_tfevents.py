"""What a log says of its file; what files say themselves is in `test_event_pitfalls.py`."""

import gzip
import math
import struct

import pytest
from fakes.event_file import (
    checksum,
    encode,
    header,
    hyperparameters,
    put,
    record,
    records_of,
    scalar,
    scalars,
    starts,
    text,
)
from fakes.event_points import WAYS

from reportgen.read.logs.events import load_events

TEN = encode([header(), *scalars("loss", [(s, s / 10) for s in range(10)])])


def test_a_tag_whose_points_are_all_void_is_no_series(load):
    log = load(encode([*scalars("a", [(5, 1.0)]), *scalars("b", [(1, 1.0)]), starts(3)]))
    assert set(log.series) == {"b"}


def test_a_git_lfs_pointer(load):
    log = load(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 37748\n")
    (problem,) = log.problems
    assert "Git-LFS pointer" in problem.message
    assert "37748 bytes" in problem.message
    assert "git lfs pull" in problem.remedy


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


def test_many_faults_are_counted_and_not_all_listed(load):
    records = records_of(encode(scalars("a", [(1000 + s, 1.0) for s in range(300)])))
    for number in range(0, 300, 2):
        records[number] = records[number][:15] + b"\xff" + records[number][16:]
    log = load(b"".join(records))
    assert len(log.series["a"]) == 150
    assert len(log.problems) == 51
    assert log.problems[-1].message.startswith("100 more damaged places")


# --- sessions -----------------------------------------------------------------------------


def resumed():
    """A training that is killed at step 7, and goes on from step 4 half an hour later."""
    first = [scalar("loss", s, s / 8, 1000 + s) for s in range(8)]
    again = [scalar("loss", s, s / 4, 3000 + s) for s in range(4, 10)]
    tests = [scalar("acc", 3, 0.5, 1003.5), scalar("acc", 7, 0.6, 1007.5)]
    return [header(), *first[:4], tests[0], *first[4:], tests[1], *again, scalar("acc", 9, 1, 3010)]


@pytest.mark.parametrize("sizes", WAYS, ids=str)
def test_each_session_of_a_file_is_a_log(tmp_path, sizes):
    path = put(tmp_path / "a.tfevents", [hyperparameters(seed=3), *resumed(), text("t", "x")])
    first, second = load_events(path, "a.tfevents", sizes)
    assert [log.session for log in (first, second)] == [0, 1]
    assert list(first.series["loss"].points()) == [(s, s / 8) for s in range(8)]
    assert list(second.series["loss"].points()) == [(s, s / 4) for s in range(4, 10)]
    assert [list(log.series["acc"].steps) for log in (first, second)] == [[3, 7], [9]]
    assert first.config == second.config == {"seed": 3.0}
    assert [dict(log.texts) for log in (first, second)] == [{"t": "x"}, {}]
    assert [log.source.points for log in (first, second)] == [10, 7]
    assert first.problems == second.problems == ()


def test_a_clock_that_is_no_number_divides_nothing_wrongly(tmp_path):
    events = [*scalars("loss", [(s, 1.0) for s in range(9)] * 2), scalar("a", 1, 1, math.nan)]
    for event in events[:-1]:
        event.wall_time = 0.0
    first, second = load_events(put(tmp_path / "a.tfevents", events), "a.tfevents")
    assert len(first.series["loss"]) == len(second.series["loss"]) == 9
    assert sum("a" in log.series for log in (first, second)) == 1
