"""What a damaged event file costs: no more than what is damaged; and what lies beside it."""

import struct
import sys
from pathlib import Path

import pytest
from fakes.event_file import encode, header, put, records_of, scalar, scalars
from fakes.event_points import points, steps

from reportgen.read.logs import load_tree


def told(log):
    return [(problem.offset, problem.level) for problem in log.problems]


class Opened:
    """Names of the files that Python opens below a folder, while it listens."""

    def __init__(self, folder):
        self.folder, self.listening, self.names = str(folder), False, []
        sys.addaudithook(self._hear)

    def _hear(self, event, details):
        if self.listening and event == "open" and str(details[0]).startswith(self.folder):
            self.names.append(Path(str(details[0])).name)

    def during(self, call, *args):
        self.listening = True
        try:
            return call(*args)
        finally:
            self.listening = False


@pytest.fixture
def opened(tmp_path):
    return Opened(tmp_path)


# --- damage: what is lost is named, and the rest is kept ----------------------------------

RUN = [header(), *scalars("loss", [(s, 0.5 + s) for s in range(400)])]
WHOLE = encode(RUN)
RECORDS = records_of(WHOLE)
HIT = 200
AT = sum(len(one) for one in RECORDS[: HIT + 1])
"""Where the record of step `HIT` begins: the file's header comes before step 0."""

ALL = [(s, 0.5 + s) for s in range(400)]
REST = [s for s in range(400) if s != HIT]


def flipped(at, bit=4):
    return WHOLE[:at] + bytes([WHOLE[at] ^ 1 << bit]) + WHOLE[at + 1 :]


def test_a_record_that_is_cut_off_is_no_error(load):
    last = len(WHOLE) - len(RECORDS[-1])
    for kept in range(1, len(RECORDS[-1])):
        log = load(WHOLE[: last + kept])
        assert steps(log) == list(range(399))
        assert told(log) == [(last, "note")]
        assert "training still runs" in log.problems[0].remedy


def test_any_flipped_bit_of_a_record_costs_that_point_at_most(load):
    for at in range(AT, AT + len(RECORDS[HIT + 1])):
        log = load(flipped(at, at % 8))
        assert set(log.series) == {"loss"}
        # The checksum may tell what stood there; then nothing is lost.
        assert points(log) == ALL or (steps(log) == REST and told(log) == [(AT, "warning")])


def test_bytes_too_many_cost_nothing(load):
    log = load(WHOLE[:AT] + b"\xa5" * 31 + WHOLE[AT:])
    assert steps(log) == list(range(400))
    assert told(log) == [(AT, "warning")]
    assert "31 bytes" in log.problems[0].message


@pytest.mark.parametrize("count", [1, 11, 12, 16, 4096, 100_000])
def test_a_tail_of_zeros_costs_nothing_and_is_named(load, count):
    # A crash on ext4 or NFS leaves the blocks that were promised and never written.
    log = load(WHOLE + bytes(count))
    assert steps(log) == list(range(400))
    assert [problem.offset for problem in log.problems] == [len(WHOLE)]


@pytest.mark.parametrize(
    "junk",
    [b"hello", bytes(5000), bytes(range(256)) * 20, b"<html>404</html>", struct.pack("<Q", 8) * 9],
)
def test_junk_is_named(load, junk):
    log = load(junk)
    assert log.series == {}
    assert [problem.level for problem in log.problems] == ["warning"]
    assert "not an event file" in log.problems[0].message


def test_a_file_with_its_header_only_is_named(load):
    log = load(encode([header()]))
    assert log.series == {}
    assert ["no point was logged" in problem.message for problem in log.problems] == [True]


@pytest.mark.parametrize(
    "name",
    ["events.out.tfevents.1700000000.host.domain.org.123.0", "events.out.tfevents.1.host.1.0.v2",
     "events_out_tfevents_1700000000_host_123_0", "seed3.tfevents", "tfevents.1.host.gz"],
)  # fmt: skip
def test_an_event_file_may_have_any_name_with_tfevents_in_it(tmp_path, name):
    put(tmp_path / "run" / name, RUN[:10])
    tree = load_tree(tmp_path)
    assert [(log.source.path, log.source.points) for log in tree.logs] == [(f"run/{name}", 9)]


def test_a_tree_of_checkpoints_is_listed_and_none_is_opened(tmp_path, opened):
    put(tmp_path / "run/events.out.tfevents.1.host.1.0", RUN[:10])
    for number in range(300):
        (tmp_path / f"run/checkpoint-{number}.bin").write_bytes(b"weights")
    (tmp_path / "run/optimizer.pkl").write_bytes(b"weights")
    tree = opened.during(load_tree, tmp_path)
    assert len(tree.files) == 301
    assert set(opened.names) == {"events.out.tfevents.1.host.1.0"}


def test_a_value_that_a_later_one_replaces_is_not_left_out_in_silence(load):
    # The Trainer evaluates the best model once more when it is done, at the last step.
    tags = ("eval/accuracy", "eval/loss")
    trained = [scalar(tag, step, step / 9) for step in (100, 200, 300) for tag in tags]
    again = [scalar("eval/accuracy", 300, 0.9), scalar("eval/loss", 300, 0.1)]
    log = load(encode([*trained, *again]))
    (problem,) = log.problems
    assert problem.message == (
        "eval/accuracy, eval/loss: 1 of 4 values have the step of a later one and are left out"
    )
    assert problem.level == "warning"


def test_a_value_that_is_there_again_is_not_lost(load):
    log = load(encode([scalar("train/epoch", 5, 1.0), scalar("train/epoch", 5, 1.0)]))
    assert (len(log.series["train/epoch"]), log.problems) == (1, ())
    both = [scalar("loss", 5, float("nan")), scalar("loss", 5, float("nan"))]
    assert load(encode(both)).problems == ()


def test_a_timing_of_a_second_evaluation_is_a_note(load):
    log = load(encode([scalar("eval/runtime", 5, 1.0), scalar("eval/runtime", 5, 1.1)]))
    assert [problem.level for problem in log.problems] == ["note"]
