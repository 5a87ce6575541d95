"""What event files of real trainings hold and other readers get wrong, case by case.

In order: what one file says, what its values look like, what is no scalar. What is damaged:
`test_event_losses.py`. Several files of one run: `tests/unit/runs/assembled/restarts.yaml`.
"""

import math
import random
import string
import time

import numpy as np
import pytest
from fakes.event_file import (
    START,
    audio,
    checksum,
    content,
    encode,
    fields,
    graph,
    header,
    histogram,
    hyperparameters,
    image,
    put,
    record,
    scalar,
    scalars,
    shape,
    starts,
    summary,
    tensor,
    tensor_value,
    text,
)
from fakes.event_points import points, points_in, points_of, steps

from reportgen.read.logs.events import load_events, read_event_file

# --- steps --------------------------------------------------------------------------------


def test_a_session_that_starts_again_voids_the_later_steps_of_every_tag(load):
    first = [*scalars("loss", [(s, 1.0) for s in range(10)]), *scalars("lr", [(3, 1.0), (8, 1.0)])]
    log = load(encode([header(), *first, starts(6), *scalars("loss", [(6, 2.0), (7, 2.0)])]))
    assert points(log) == [*((s, 1.0) for s in range(6)), (6, 2.0), (7, 2.0)]
    assert steps(log, "lr") == [3]


def test_a_session_that_starts_after_the_last_step_voids_nothing(load):
    log = load(encode([*scalars("loss", [(0, 1.0), (1, 1.0)]), starts(2), scalar("loss", 2, 2.0)]))
    assert steps(log) == [0, 1, 2]


def test_a_session_that_ends_voids_nothing(load):
    end = starts(0)
    end.session_log.status = end.session_log.STOP
    assert steps(load(encode([*scalars("loss", [(0, 1.0), (1, 1.0)]), end]))) == [0, 1]


def test_the_log_says_from_where_on_earlier_files_are_void(load):
    assert load(encode([starts(6), scalar("loss", 6, 2.0)])).config == {"purge_step": 6}


def test_of_several_starts_the_earliest_counts_for_earlier_files(load):
    assert load(encode([starts(3), starts(8), scalar("loss", 8, 2.0)])).config == {"purge_step": 3}


def test_of_a_step_written_twice_the_last_one_stays(load):
    # The Trainer logs `train/epoch` with the training loss and again with the evaluation.
    log = load(encode(scalars("train/epoch", [(500, 1.0), (500, 1.5), (1000, 2.0)])))
    assert points(log, "train/epoch") == [(500, 1.5), (1000, 2.0)]
    assert log.source.points == 2
    assert ["1 of 3 values" in problem.message for problem in log.problems] == [True]


# --- wall times ---------------------------------------------------------------------------


def test_wall_times_are_kept_also_where_the_clock_goes_back(load):
    clock = [START + 0.125, START + 7200, START + 3600, 0.0, -1.5]
    log = load(encode([scalar("loss", s, 1.0, clock[s]) for s in range(5)]))
    assert log.series["loss"].wall_times.tolist() == clock
    assert log.series["loss"].wall_times.dtype == np.float64


# --- tags ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag",
    ["x" * 3000, "précision/テスト", "a b (c)", "📉", "\n", "a\0b", "a" * 127, "a" * 128, ""],
    ids=["long", "letters", "signs", "picture", "line end", "zero", "127", "128", "none"],
)
def test_any_tag(load, tag):
    log = load(encode([scalar(tag, s, s / 2) for s in range(3)]))
    assert points(log, tag) == [(0, 0.0), (1, 0.5), (2, 1.0)]


def test_a_tag_that_is_no_utf8_costs_no_point_and_not_its_neighbours(load):
    event = scalar("lo??", 1, 0.5).SerializeToString().replace(b"??", b"\xff\xfe")
    log = load(record(event) + encode([scalar("loss", 1, 2.0)]))
    assert points(log) == [(1, 2.0)]
    assert points(log, r"lo\xff\xfe") == [(1, 0.5)]


def test_sixty_tags_of_one_length_in_an_order_that_changes(load):
    letters = string.ascii_letters
    tags = [f"m{letters[n % 26]}{letters[n // 26]}{letters[n * 7 % 52]}" for n in range(60)]
    assert len(set(tags)) == 60
    rng = random.Random(5)
    rows = [(tag, s, float(n)) for s in range(40)
            for n, tag in rng.sample(list(enumerate(tags)), 60)]  # fmt: skip
    log = load(encode([scalar(*row) for row in rows]))
    assert list(log.series) == list(dict.fromkeys(tag for tag, _, _ in rows))
    for n, tag in enumerate(tags):
        assert points(log, tag) == [(s, float(n)) for s in range(40)]


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


@pytest.mark.parametrize("value", [79.9, 0.799, 81.5, 1e-08, 5e-05, 0.1, 1 / 3, 1e-45])
def test_single_precision_is_kept_and_prints_as_the_shortest_decimal(load, value):
    log = load(encode([scalar("loss", 1, value)]))
    assert log.series["loss"].values.dtype == np.float32
    assert log.series["loss"].values[0] == np.float32(value)
    assert points(log) == [(1, float(str(np.float32(value))))]


def test_values_that_are_no_finite_numbers_are_kept(load):
    values = [math.nan, math.inf, -math.inf, -0.0]
    found = load(encode(scalars("loss", enumerate(values)))).series["loss"].values
    assert np.isnan(found[0])
    assert found[1:3].tolist() == [math.inf, -math.inf]
    assert np.signbit(found[3])


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


@pytest.mark.parametrize("sizes", [(), (1,), (1, 1)])
def test_a_tensor_of_one_element_is_a_scalar(load, sizes):
    proto = content("FLOAT", "f", 0.5)
    proto.tensor_shape.CopyFrom(shape(*sizes))
    assert points(load(encode([tensor("loss", 1, proto)]))) == [(1, 0.5)]


def test_metadata_may_stand_on_the_first_value_of_a_tag_only(load):
    one = fields("FLOAT", float_val=[1.0])
    log = load(encode([
        tensor("loss", 1, one), tensor("loss", 2, one, plugin=""),
        tensor("curve", 1, one, plugin="pr_curves"), tensor("curve", 2, one, plugin=""),
    ]))  # fmt: skip
    assert steps(log) == [1, 2]
    assert "curve" not in log.series


# --- what is no scalar --------------------------------------------------------------------


def test_text_is_kept_by_tag(load):
    log = load(encode([
        text("sys.argv", "['train.py', '--seed', '3']"), text("args/text_summary", "old"),
        scalar("loss", 1, 0.5), text("args/text_summary", '{"seed": 3}\n'),
    ]))  # fmt: skip
    assert log.texts["sys.argv"] == "['train.py', '--seed', '3']"
    assert log.texts["args/text_summary"] == '{"seed": 3}\n'
    assert set(log.series) == {"loss"}


def test_hyperparameters_of_a_session_are_settings(load):
    log = load(encode([hyperparameters(seed=3, optimizer="adam", bias=True)]))
    assert log.config == {"seed": 3.0, "optimizer": "adam", "bias": True}
    assert log.series == {}


def test_pictures_and_histograms_between_points_cost_none(load):
    vector = content("FLOAT", "f", 1, 2, 3)
    between = [histogram("weights", 1), image("samples", 2), audio("speech", 3), graph(),
               tensor("vector", 4, vector), summary(5, tensor_value("v2", vector))]  # fmt: skip
    events = [event for s in range(6) for event in (scalar("loss", s, s / 4), between[s])]
    log = load(encode([header(), *events]))
    assert points(log) == [(s, s / 4) for s in range(6)]
    assert set(log.series) == {"loss"}
    assert log.problems == ()


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


def test_nothing_skipped_is_no_kind_at_all(load):
    assert dict(load(encode([header(), scalar("loss", 1, 0.5), text("t", "x")])).skipped) == {}
