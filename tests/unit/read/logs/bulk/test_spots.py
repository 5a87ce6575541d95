"""Where values lie, in events that TensorBoard's own protocol has written."""

import struct

import numpy as np
import pytest
from fakes.event_file import (
    Event,
    Summary,
    audio,
    content,
    fields,
    graph,
    histogram,
    image,
    scalar,
    shape,
    starts,
    summary,
    tensor,
    text,
)

from reportgen.read.logs._bulk.forms import as_stored, bits_of, is_wide
from reportgen.read.logs._bulk.spots import find_other, find_spot

FORMS = {
    "f": ("FLOAT", 0.1), "d": ("DOUBLE", 0.1), "e": ("HALF", 0.1), "i": ("INT32", -7),
    "B": ("UINT8", 200), "h": ("INT16", -300), "b": ("INT8", -3), "q": ("INT64", -(2**40)),
    "?": ("BOOL", True), "H": ("UINT16", 60_000), "I": ("UINT32", 2**31), "Q": ("UINT64", 2**50),
}  # fmt: skip


def at(payload, spot):
    begin = len(payload) - spot.from_end
    return payload[begin : begin + spot.width]


@pytest.mark.parametrize("step", [0, 1, 128, 2**40, -1])
@pytest.mark.parametrize("tag", ["loss", "", "é" * 90])
def test_a_scalar(step, tag):
    payload = scalar(tag, step, 0.25).SerializeToString()
    spot = find_spot(payload)
    assert at(payload, spot) == struct.pack("<f", 0.25)
    assert (spot.from_end, spot.packed) == (4, "<f")


@pytest.mark.parametrize("plugin", ["", "scalars"])
@pytest.mark.parametrize("packed", FORMS)
def test_a_tensor_whose_number_lies_as_in_memory(packed, plugin):
    kind, number = FORMS[packed]
    payload = tensor("loss", 3, content(kind, packed, number), plugin=plugin).SerializeToString()
    spot = find_spot(payload)
    stored = at(payload, spot)
    assert stored == struct.pack(f"<{packed}", number)
    bits = as_stored(np.array([int.from_bytes(stored, "little")], dtype=np.uint64), spot.packed)
    value = struct.unpack(f"<{packed}", stored)[0]
    assert bits.tolist() == [bits_of(value, wide=is_wide(spot.packed))]


def test_a_tensor_in_the_brain_format():
    payload = tensor("loss", 3, content("BFLOAT16", "H", 0x3FC0)).SerializeToString()
    spot = find_spot(payload)
    assert at(payload, spot) == b"\xc0\x3f"
    bits = as_stored(np.array([0x3FC0], dtype=np.uint64), spot.packed)
    assert bits.astype(np.uint32).view(np.float32).tolist() == [1.5]


@pytest.mark.parametrize(("kind", "name"), [("FLOAT", "float_val"), ("DOUBLE", "double_val")])
def test_a_tensor_whose_number_lies_in_a_field_of_its_own(kind, name):
    payload = tensor("loss", 3, fields(kind, **{name: [0.25]})).SerializeToString()
    width = 4 if kind == "FLOAT" else 8
    assert at(payload, find_spot(payload)) == struct.pack("<f" if width == 4 else "<d", 0.25)


TWO = Summary.Value(tag="a", simple_value=1.0)
BOTH = content("FLOAT", "f", 1.0)
BOTH.float_val.append(2.0)
SEVERAL = content("FLOAT", "f", 1.0)
SEVERAL.tensor_shape.CopyFrom(shape(1))


@pytest.mark.parametrize(
    "event",
    [
        summary(1, TWO, TWO),
        summary(1, Summary.Value(tag="a")),
        summary(1),
        starts(3),
        Event(step=3, summary=Summary(value=[TWO])),
        Event(wall_time=1.0, file_version="brain.Event:2"),
        tensor("a", 1, fields("INT64", int64_val=[3])),
        tensor("a", 1, fields("HALF", half_val=[15360])),
        tensor("a", 1, fields("FLOAT", float_val=[1.0, 2.0])),
        tensor("a", 1, fields("STRING", string_val=[b"text"])),
        tensor("a", 1, BOTH),
        tensor("a", 1, fields("COMPLEX64")),
    ],
    ids=lambda event: str(event)[:30].replace("\n", " "),
)
def test_what_is_not_plain_to_see(event):
    assert find_spot(event.SerializeToString()) is None


def test_a_shape_of_one_is_no_hindrance():
    payload = tensor("a", 1, SEVERAL).SerializeToString()
    assert at(payload, find_spot(payload)) == struct.pack("<f", 1.0)


@pytest.mark.parametrize("step", [0, 1, 2**40, -1])
@pytest.mark.parametrize("tag", ["w", "", "é" * 90])
def test_what_is_no_number_is_told_by_its_first_bytes(tag, step):
    for make in (image, histogram, audio):
        event = make(tag, step)
        found = find_other(event.SerializeToString())
        # A tag of no letters is not written, and the plain reader counts its value.
        assert found == ((tag, make.__name__) if tag else None)
        event.summary.value[0].metadata.plugin_data.plugin_name = "mine"
        assert find_other(event.SerializeToString()) is None


@pytest.mark.parametrize(
    "event", [scalar("a", 1, 0.5), starts(3), summary(1, TWO, TWO), graph(), text("t", "x")]
)
def test_other_events_are_none_of_these(event):
    payload = event.SerializeToString()
    assert find_other(payload) is None
    assert all(find_other(payload[:end]) is None for end in range(len(payload)))


@pytest.mark.parametrize("payload", [b"", b"\x09", b"\xff" * 30, b"\x09" + bytes(8) + b"\x2a\x7f"])
def test_bytes_that_are_no_event(payload):
    assert find_spot(payload) is None
