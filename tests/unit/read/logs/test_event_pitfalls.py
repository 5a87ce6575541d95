"""What event files of real trainings hold and other readers get wrong, case by case.

In order: what one file says, what its values look like, what is no scalar. What is damaged:
`test_event_losses.py`. Several files of one run: `tests/unit/runs/assembled/restarts.yaml`.
"""

import math
import time

import numpy as np
import pytest
from fakes.event_file import (
    audio,
    checksum,
    content,
    encode,
    fields,
    graph,
    header,
    histogram,
    image,
    put,
    record,
    scalar,
    scalars,
    starts,
    tensor,
)
from fakes.event_points import points, points_in, points_of, steps

from reportgen.read.logs.events import load_events, read_event_file

# --- steps --------------------------------------------------------------------------------


def test_a_session_that_ends_voids_nothing(load):
    end = starts(0)
    end.session_log.status = end.session_log.STOP
    assert steps(load(encode([*scalars("loss", [(0, 1.0), (1, 1.0)]), end]))) == [0, 1]


def test_the_log_says_from_where_on_earlier_files_are_void(load):
    assert load(encode([starts(6), scalar("loss", 6, 2.0)])).config == {"purge_step": 6}


def test_of_several_starts_the_earliest_counts_for_earlier_files(load):
    assert load(encode([starts(3), starts(8), scalar("loss", 8, 2.0)])).config == {"purge_step": 3}


# --- tags ---------------------------------------------------------------------------------


def test_a_tag_that_is_no_utf8_costs_no_point_and_not_its_neighbours(load):
    event = scalar("lo??", 1, 0.5).SerializeToString().replace(b"??", b"\xff\xfe")
    log = load(record(event) + encode([scalar("loss", 1, 2.0)]))
    assert points(log) == [(1, 2.0)]
    assert points(log, r"lo\xff\xfe") == [(1, 0.5)]


def test_two_tags_of_one_length_and_one_checksum(tmp_path):
    # Among 10,000 tags of a file the chance is 1 in 90; whoever wants a pair finds one at once.
    one, other = "eval/vrsvxkqp", "eval/edknxurb"
    assert checksum(one.encode()) == checksum(other.encode())
    both = {one: [(s, s / 3) for s in range(300)], other: [(s, s / 7) for s in range(200, 300)]}
    events = sorted(
        (event for tag, rows in both.items() for event in scalars(tag, rows)),
        key=lambda event: event.step,
    )
    path = put(tmp_path / "a.tfevents", events)
    assert points_of(read_event_file(path)) == points_in(events)


def test_thousands_of_tags_cost_no_more_than_their_points(tmp_path):
    # Norms and gradients layer by layer: several tags for every tensor of a model. Where each
    # tag looked for among all, eight times the tags would take some sixty times as long.
    def seconds(tags):
        rows = [(f"layer/{n:04d}/norm", s) for s in range(2) for n in range(tags)]
        path = put(tmp_path / f"{tags}.tfevents", [scalar(tag, s, 1.0) for tag, s in rows])
        spent = []
        for _ in range(5):  # the shortest: other programs only ever add
            begin = time.process_time()
            (log,) = load_events(path, path.name)
            spent.append(time.process_time() - begin)
            assert (len(log.series), log.source.points) == (tags, tags * 2)
        return min(spent)

    assert seconds(4000) < 24 * seconds(500)


# --- values -------------------------------------------------------------------------------


TENSORS = {
    "float": (fields("FLOAT", float_val=[0.1]), np.float32(0.1)),
    "float content": (content("FLOAT", "f", 0.1), np.float32(0.1)),
    "double": (fields("DOUBLE", double_val=[0.1]), 0.1),
    "double content": (content("DOUBLE", "d", 1 / 3), 1 / 3),
    "half": (fields("HALF", half_val=[0x3800]), np.float32(0.5)),
    "half content": (content("HALF", "e", 0.25), np.float32(0.25)),
    "bfloat16": (fields("BFLOAT16", half_val=[0x3FC0]), np.float32(1.5)),
    "bfloat16 content": (content("BFLOAT16", "H", 0xBFC0), np.float32(-1.5)),
    "int8": (fields("INT8", int_val=[-5]), -5.0),
    "int8 content": (content("INT8", "b", -5), -5.0),
    "int16 content": (content("INT16", "h", -300), -300.0),
    "int32": (fields("INT32", int_val=[-7]), -7.0),
    "int32 content": (content("INT32", "i", -7), -7.0),
    "int64": (fields("INT64", int64_val=[2**53]), 2.0**53),
    "int64 content": (content("INT64", "q", -(2**53)), -(2.0**53)),
    "uint8": (fields("UINT8", int_val=[200]), 200.0),
    "uint8 content": (content("UINT8", "B", 200), 200.0),
    "uint16": (fields("UINT16", int_val=[65535]), 65535.0),
    "uint32": (fields("UINT32", uint32_val=[2**32 - 1]), 2.0**32 - 1),
    "uint64": (fields("UINT64", uint64_val=[2**53]), 2.0**53),
    "bool": (fields("BOOL", bool_val=[True]), 1.0),
    "bool content": (content("BOOL", "?", 1), 1.0),
    "zero is not stored": (fields("FLOAT"), np.float32(0)),
    "NaN": (fields("DOUBLE", double_val=[math.nan]), math.nan),
    "-0.0": (content("FLOAT", "f", -0.0), np.float32(-0.0)),
}


@pytest.mark.parametrize("name", TENSORS)
def test_a_scalar_may_be_a_tensor_of_any_type(load, name):
    proto, value = TENSORS[name]
    log = load(encode([tensor("loss", s, proto) for s in range(3)]))
    found = log.series["loss"].values
    assert found.dtype == (np.float32 if isinstance(value, np.float32) else np.float64)
    assert [str(v) for v in found] == [str(found.dtype.type(value))] * 3
    assert log.problems == ()


# --- what is no scalar --------------------------------------------------------------------


def test_what_is_skipped_is_counted_by_kind(load):
    events = [
        image("a", 1),
        image("a", 2),
        image("b", 1),
        histogram("w", 1),
        audio("s", 1),
        graph(),
    ]
    skipped = load(encode([header(), *events, scalar("loss", 1, 0.5)])).skipped
    assert dict(skipped) == {"image": 3, "histogram": 1, "audio": 1, "graph": 1}
