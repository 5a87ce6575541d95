"""What a log says of its file; what files say themselves is in `test_event_pitfalls.py`."""

import gzip
import math
import struct
from itertools import product

import numpy as np
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
from fakes.event_points import WAYS, points_in, points_of
from google_crc32c import value as crc32c
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from reportgen.read.logs.events import load_events, read_event_file

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


def test_files_written_one_behind_the_other_are_their_sessions(load):
    (first, second) = load(TEN + TEN, count=2)
    assert list(first.series["loss"].points()) == list(second.series["loss"].points())


# --- many records at a time ---------------------------------------------------------------


def test_a_damaged_tag_is_known_by_its_checksum(load):
    records = records_of(encode([header(), *scalars("loss", [(s, s / 3) for s in range(50)])]))
    records[20] = records[20].replace(b"loss", b"lass")
    assert set(load(b"".join(records)).series) == {"loss"}


def test_payloads_of_any_length(tmp_path):
    events = [scalar("t" * n, 1, 0.5) for n in (*range(20), *range(980, 1020))]
    path = put(tmp_path / "a.tfevents", events)
    assert all(points_of(read_event_file(path, way)) == points_in(events) for way in WAYS)


def test_two_tags_whose_constant_bytes_have_one_checksum(tmp_path):
    # Tags of one key are found by trying, which is how a stranger would make them: CRC-32C is
    # linear, so what 40 bits of a tag change spans 32 bits, and some change changes nothing.
    pair = "@" * 24, _collision()
    events = [scalar(tag, step, step / 3) for step in range(3000) for tag in pair]
    path = put(tmp_path / "a.tfevents", [header(), *events])
    assert points_of(read_event_file(path)) == points_in(events)


def _collision():
    """Return another tag with the checksum of 24 times @, found by elimination over bits."""
    base = bytearray(b"@" * 24)
    zero = crc32c(bytes(base))
    rows: list[tuple[int, int]] = []
    for place, bit in product(range(24), range(5)):
        changed = bytearray(base)
        changed[place] ^= 1 << bit
        rows.append((crc32c(bytes(changed)) ^ zero, 1 << len(rows)))
    basis: dict[int, tuple[int, int]] = {}
    for row in rows:
        effect, combination = row
        while effect and effect.bit_length() in basis:
            other = basis[effect.bit_length()]
            effect, combination = effect ^ other[0], combination ^ other[1]
        if not effect:
            break
        basis[effect.bit_length()] = (effect, combination)
    for number in range(120):
        if combination >> number & 1:
            base[number // 5] ^= 1 << number % 5
    return base.decode()
