"""Event files: every case that a log of a real training run has shown."""

import gzip
import hashlib
import math
import struct

import numpy as np
import pytest
from tensorboard.compat.proto import event_pb2, summary_pb2, tensor_pb2, types_pb2
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from reportgen.loaders.tfevents import load_tfevents


def points(log, tag):
    return list(log.series[tag].points())


def ten(events):
    return events.file([events.header(), *(events.scalar("loss", s, s / 10) for s in range(10))])


def record_length(content, number):
    """Return (offset, whole length) of a record of the file."""
    offset = 0
    for _ in range(number):
        offset += 16 + struct.unpack_from("<Q", content, offset)[0]
    return offset, 16 + struct.unpack_from("<Q", content, offset)[0]


def test_a_file_of_the_event_file_writer(tmp_path, events):
    writer = EventFileWriter(str(tmp_path))
    for step in (225, 450):
        writer.add_event(events.scalar("accuracy", step, step / 10))
    writer.close()
    (path,) = tmp_path.iterdir()
    (log,) = load_tfevents(path, "run/x.tfevents")
    assert points(log, "accuracy") == [(225, 22.5), (450, 45.0)]
    assert log.series["accuracy"].values.dtype == np.float32
    assert log.series["accuracy"].wall_times.tolist() == [1225.0, 1450.0]
    assert log.source.points == 2
    assert log.source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert log.source.path == log.series["accuracy"].path == "run/x.tfevents"
    assert log.problems == ()


def test_single_precision_prints_as_the_decimal_it_stands_for(load, events):
    log = load(events.file([events.scalar("a", s, v) for s, v in enumerate((79.9, 0.799, 1e-8))]))
    assert points(log, "a") == [(0, 79.9), (1, 0.799), (2, 1e-8)]


def test_steps_out_of_order_are_sorted_and_the_last_write_of_a_step_wins(load, events):
    log = load(events.file([events.scalar("a", s, v) for s, v in ((3, 1), (1, 2), (3, 4), (2, 5))]))
    assert points(log, "a") == [(1, 2.0), (2, 5.0), (3, 4.0)]


@pytest.mark.parametrize("step", [0, -5, 2**62, -(2**63)])
def test_any_step_of_64_bits(load, events, step):
    assert points(load(events.file([events.scalar("a", step, 1.0, 7.0)])), "a") == [(step, 1.0)]


def test_values_that_are_no_finite_numbers_are_kept(load, events):
    values = [math.nan, math.inf, -math.inf, -0.0]
    log = load(events.file([events.scalar("a", s, v) for s, v in enumerate(values)]))
    found = log.series["a"].values
    assert np.isnan(found[0])
    assert found[1:3].tolist() == [math.inf, -math.inf]
    assert np.signbit(found[3])


def test_long_and_foreign_tags(load, events):
    tags = ["x" * 3000, "précision/テスト", "a b (c)"]
    log = load(events.file([events.scalar(tag, 1, 1.0) for tag in tags]))
    assert set(log.series) == set(tags)


def test_several_values_in_one_event(load, events):
    event = events.scalar("a", 1, 1.0)
    event.summary.value.add(tag="b", simple_value=2.0)
    log = load(events.file([event]))
    assert (points(log, "a"), points(log, "b")) == ([(1, 1.0)], [(1, 2.0)])


def content(kind, packed, value):
    return tensor_pb2.TensorProto(dtype=kind, tensor_content=struct.pack(packed, value))


TENSORS = {
    "float": (tensor_pb2.TensorProto(dtype=types_pb2.DT_FLOAT, float_val=[0.5]), 0.5),
    "float content": (content(types_pb2.DT_FLOAT, "<f", 0.5), 0.5),
    "double": (tensor_pb2.TensorProto(dtype=types_pb2.DT_DOUBLE, double_val=[0.1]), 0.1),
    "double content": (content(types_pb2.DT_DOUBLE, "<d", 0.1), 0.1),
    "half": (tensor_pb2.TensorProto(dtype=types_pb2.DT_HALF, half_val=[0x3800]), 0.5),
    "half content": (content(types_pb2.DT_HALF, "<e", 0.25), 0.25),
    "bfloat16": (tensor_pb2.TensorProto(dtype=types_pb2.DT_BFLOAT16, half_val=[0x3FC0]), 1.5),
    "bfloat16 content": (content(types_pb2.DT_BFLOAT16, "<H", 0xBFC0), -1.5),
    "int32": (tensor_pb2.TensorProto(dtype=types_pb2.DT_INT32, int_val=[-7]), -7.0),
    "int64": (tensor_pb2.TensorProto(dtype=types_pb2.DT_INT64, int64_val=[2**53]), 2.0**53),
    "int64 content": (content(types_pb2.DT_INT64, "<q", -3), -3.0),
    "uint8": (tensor_pb2.TensorProto(dtype=types_pb2.DT_UINT8, int_val=[200]), 200.0),
    "uint64": (tensor_pb2.TensorProto(dtype=types_pb2.DT_UINT64, uint64_val=[5]), 5.0),
    "bool": (tensor_pb2.TensorProto(dtype=types_pb2.DT_BOOL, bool_val=[True]), 1.0),
    "zero is not stored": (tensor_pb2.TensorProto(dtype=types_pb2.DT_FLOAT), 0.0),
}


@pytest.mark.parametrize("name", TENSORS)
def test_scalars_encoded_as_tensors(load, events, name):
    proto, value = TENSORS[name]
    assert points(load(events.file([events.tensor("a", 3, proto)])), "a") == [(3, value)]


def test_a_double_keeps_its_precision(load, events):
    proto = tensor_pb2.TensorProto(dtype=types_pb2.DT_DOUBLE, double_val=[1 / 3])
    log = load(events.file([events.tensor("a", 1, proto)]))
    assert log.series["a"].values.dtype == np.float64
    assert log.series["a"].values[0] == 1 / 3


def test_the_plugin_is_named_on_the_first_value_only(load, events):
    proto = tensor_pb2.TensorProto(dtype=types_pb2.DT_FLOAT, float_val=[1.0])
    log = load(events.file([
        events.tensor("a", 1, proto), events.tensor("a", 2, proto, plugin=""),
        events.tensor("h", 1, proto, plugin="histograms"), events.tensor("h", 2, proto, plugin=""),
    ]))  # fmt: skip
    assert len(log.series["a"]) == 2
    assert "h" not in log.series


def test_images_histograms_and_larger_tensors_carry_no_points(load, events):
    image = event_pb2.Event(step=1)
    image.summary.value.add(tag="image", image=summary_pb2.Summary.Image(height=1, width=1))
    histogram = event_pb2.Event(step=1)
    histogram.summary.value.add(tag="weights", histo=summary_pb2.HistogramProto(bucket=[1.0]))
    shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=3)])
    vector = tensor_pb2.TensorProto(dtype=types_pb2.DT_FLOAT, float_val=[1, 2, 3],
                                    tensor_shape=shape)  # fmt: skip
    log = load(events.file([image, histogram, events.tensor("v", 1, vector),
                            events.scalar("loss", 1, 0.5)]))  # fmt: skip
    assert set(log.series) == {"loss"}
    assert log.problems == ()


def test_text_is_kept_by_tag(load, events):
    proto = tensor_pb2.TensorProto(dtype=types_pb2.DT_STRING, string_val=[b"['train.py']"])
    log = load(events.file([events.tensor("sys.argv", 0, proto, plugin="text")]))
    assert log.texts == {"sys.argv": "['train.py']"}
    assert log.series == {}


def test_hyperparameters_of_a_session_become_the_configuration(load, events):
    from tensorboard.plugins.hparams import plugin_data_pb2

    content_ = plugin_data_pb2.HParamsPluginData(version=0)
    content_.session_start_info.hparams["seed"].number_value = 3
    content_.session_start_info.hparams["optimizer"].string_value = "adam"
    event = event_pb2.Event(step=0)
    value = event.summary.value.add(tag="_hparams_/session_start_info")
    value.metadata.plugin_data.plugin_name = "hparams"
    value.metadata.plugin_data.content = content_.SerializeToString()
    assert load(events.file([event])).config == {"seed": 3.0, "optimizer": "adam"}


def test_a_session_that_starts_again_voids_later_steps(load, events):
    start = event_pb2.Event(step=6)
    start.session_log.status = event_pb2.SessionLog.START
    first = [events.scalar("a", s, 1.0) for s in range(10)]
    log = load(events.file([*first, start, events.scalar("a", 6, 2.0)]))
    assert points(log, "a") == [*((s, 1.0) for s in range(6)), (6, 2.0)]


def test_gzip_is_told_by_content(load, events):
    log = load(gzip.compress(ten(events)) + gzip.compress(ten(events)))
    assert len(log.series["loss"]) == 10
    assert log.problems == ()


# --- what is wrong is named, and the rest is kept ---------------------------------------


def test_an_empty_file(load):
    log = load(b"")
    assert (log.series, log.problems[0].offset) == ({}, 0)
    assert log.problems[0].message == "the file is empty (0 bytes)"


def test_a_file_with_its_header_only(load, events):
    log = load(events.file([events.header()]))
    assert [p.message for p in log.problems] == [
        "only the file's header was written: no point was logged"
    ]


def test_a_git_lfs_pointer(load):
    log = load(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 37748\n")
    (problem,) = log.problems
    assert "Git-LFS pointer" in problem.message
    assert "37748 bytes" in problem.message
    assert "git lfs pull" in problem.remedy


@pytest.mark.parametrize("junk", [b"hello", b"\0" * 5000, bytes(range(256)) * 20])
def test_junk(load, junk):
    log = load(junk)
    assert log.series == {}
    assert log.problems[0].message == "not an event file: no sound record"


def test_a_record_that_is_cut_off(load, events):
    whole = ten(events)
    log = load(whole[:-5])
    offset, length = record_length(whole, 10)
    assert [s for s, _ in points(log, "loss")] == list(range(9))
    (problem,) = log.problems
    assert (problem.offset, problem.level) == (offset, "note")
    assert f"{length - 5} bytes" in problem.message


@pytest.mark.parametrize("where", [12, 20, -4])
def test_a_flipped_bit_costs_one_point(load, events, where):
    whole = bytearray(ten(events))
    offset, length = record_length(whole, 4)
    whole[offset + (where if where > 0 else length + where)] ^= 0x10
    log = load(bytes(whole))
    assert [s for s, _ in points(log, "loss")] == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    assert [(p.offset, p.level) for p in log.problems] == [(offset, "warning")]


@pytest.mark.parametrize("where", [0, 3, 7, 9])
def test_a_damaged_length_costs_one_point(load, events, where):
    whole = bytearray(ten(events))
    offset, _ = record_length(whole, 4)
    whole[offset + where] ^= 0x41
    log = load(bytes(whole))
    assert [s for s, _ in points(log, "loss")] == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    assert [p.offset for p in log.problems] == [offset]


def test_missing_bytes_inside_a_record_cost_one_point(load, events):
    whole = ten(events)
    offset, _ = record_length(whole, 4)
    log = load(whole[: offset + 15] + whole[offset + 20 :])
    assert [s for s, _ in points(log, "loss")] == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    assert [p.offset for p in log.problems] == [offset]


def test_a_tail_of_zeros(load, events):
    whole = ten(events)
    log = load(whole + b"\0" * 100_000)
    assert len(log.series["loss"]) == 10
    assert [p.offset for p in log.problems] == [len(whole)]


def test_an_absurd_length_is_not_believed(load, events):
    from google_crc32c import value as crc32c

    from reportgen.loaders._framing import mask

    lie = struct.pack("<Q", 2**40)
    whole = ten(events)
    log = load(whole + lie + struct.pack("<I", mask(crc32c(lie))) + whole)
    assert len(log.series["loss"]) == 10
    assert [p.offset for p in log.problems] == [len(whole)]


def test_a_sound_record_that_is_no_event(load, events):
    from tensorboard.summary.writer.record_writer import RecordWriter

    class Sink:
        data = b""

        def write(self, piece):
            self.data += piece

    sink = Sink()
    RecordWriter(sink).write(b"\xff\xff\xff")
    log = load(ten(events) + sink.data)
    assert len(log.series["loss"]) == 10
    assert "no event" in log.problems[0].message


def test_a_compressed_file_that_is_cut_off_keeps_what_was_read(load, events):
    content = events.file([events.scalar("a", s, s * 0.7) for s in range(2000)])
    log = load(gzip.compress(content)[:-2000])
    assert 0 < len(log.series["a"]) < 2000
    assert "the compressed data end early" in [p.message for p in log.problems]


def test_many_faults_are_counted_and_not_all_listed(load, events):
    whole = bytearray(events.file([events.scalar("a", 1000 + s, 1.0) for s in range(300)]))
    length = record_length(whole, 0)[1]
    for number in range(0, 300, 2):
        whole[number * length + 15] ^= 1
    log = load(bytes(whole))
    assert len(log.series["a"]) == 150
    assert len(log.problems) == 51
    assert log.problems[-1].message.startswith("100 more damaged places")
