"""Safetensors' header in the library's own spelling, which is read quickly, and in any other."""

import json
import math
import struct
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportgen.read.weights import read_evidence
from reportgen.records.errors import EvidenceError

BITS = {"F64": 64, "BF16": 16, "I32": 32, "U8": 8, "F4": 4, "BOOL": 8}
NAMES = st.one_of(
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=6),
    st.sampled_from(["w", "layers.0.weight", "a:b", "},", '":{', "|", "0,8]", "__metadata__"]),
)
SHAPES = st.lists(st.integers(0, 5), max_size=3)
TENSORS = st.lists(
    st.tuples(NAMES, st.sampled_from(sorted(BITS)), SHAPES),
    min_size=1,
    max_size=5,
    unique_by=lambda tensor: tensor[0],
)
ONCE_A_TEST = [HealthCheck.function_scoped_fixture]


def spelled(tensors, metadata=None):
    """Return a header as the library spells it, and the bytes that its tensors take."""
    header = {} if metadata is None else {"__metadata__": metadata}
    end = 0
    for name, dtype, shape in tensors:
        begin, end = end, end + math.prod(shape) * BITS[dtype] // 8
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b" " * (-len(text.encode()) % 8), end


@pytest.fixture
def read(tmp_path):
    """Write a header and so many bytes behind it; return its tensors, or None if refused."""

    def read_file(header, room):
        path = tmp_path / "t.safetensors"
        path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(max(room, 0)))
        try:
            return read_evidence(path, path.name).tensors
        except EvidenceError:
            return None

    return read_file


def other(header):
    """Return a header with a line end at its head, which the library does not write."""
    return header[:1] + b"\n" + header[1:]


@settings(suppress_health_check=ONCE_A_TEST)
@given(tensors=TENSORS, metadata=st.none() | st.dictionaries(st.text(), st.text(), max_size=2))
def test_the_librarys_spelling_is_read_as_every_other_is(tensors, metadata, read):
    header, room = spelled(tensors, metadata)
    found = read(header, room)
    assert found == read(other(header), room)
    if all(name.isidentifier() and name != "__metadata__" for name, _, _ in tensors):
        sound = all(math.prod(shape) * BITS[d] % 8 == 0 for _, d, shape in tensors)
        named = [(n, tuple(s)) for n, _, s in tensors]
        assert [(t.name, t.shape) for t in found or ()] == (named if sound else [])


SMALL = [("w", "F64", [2, 3]), ("b", "I32", [3]), ("none", "BF16", [0, 7]), ("s", "U8", [])]
PIECES = st.binary(max_size=3) | st.sampled_from(
    [*(b'"', b"},", b'},"', b'":{', b"[", b"]", b"[0", b",", b"|", b"0", b"-", b"1e1", b" ")]
)


@settings(suppress_health_check=ONCE_A_TEST)
@given(
    at=st.integers(0, 400),
    gone=st.integers(0, 12),
    piece=PIECES,
    more=st.integers(-2, 2),
    metadata=st.sampled_from([None, {"format": "pt"}]),
)
def test_a_damaged_header_is_read_alike_however_it_is_spelled(
    at, gone, piece, more, metadata, read
):
    header, room = spelled(SMALL, metadata)
    at = 1 + at % (len(header) - 1)
    damaged = header[:at] + piece + header[at + gone :]
    assert read(damaged, room + more) == read(other(damaged), room + more)


REFUSED = {
    "signs in the wrong order": b'{"a},"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
    "offsets cut in the wrong place": (
        b'{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]8},'
        b'"b":{"dtype":"U8","shape":[8],"data_offsets":[,16]}}'
    ),
    "a leading zero": b'{"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}}',
    "the same name twice": (
        b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
        b'"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'
    ),
    "a line end in a name": b'{"a\n":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
    "a comma at the head": b',"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
    "half a byte": b'{"a":{"dtype":"F4","shape":[1],"data_offsets":[0,0]}}',
    "no type": b'{"a":{"dtype":"U9","shape":[1],"data_offsets":[0,1]}}',
    "metadata that is none": b'{"__metadata__":{"},"a":{"dtype":"U8"}}',
    "metadata nested without end": b'{"__metadata__":{"a":' + b"[" * 100_000 + b"}}",
    "no text": b'{"\xff":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
}


@pytest.mark.parametrize("header", REFUSED.values(), ids=REFUSED)
def test_what_is_no_header_is_refused(header, read):
    assert read(header, 100) is None


def test_the_library_itself_is_read(read):
    numpy = pytest.importorskip("numpy")
    library = pytest.importorskip("safetensors.numpy")
    arrays = {"b": numpy.zeros((2, 3), "f4"), "a": numpy.zeros(5, "i8"), "é": numpy.zeros((), "f2")}
    for metadata in (None, {"format": "pt"}):
        content = library.save(arrays, metadata)
        length = int.from_bytes(content[:8], "little")
        found = read(content[8 : 8 + length], len(content) - 8 - length)
        assert {t.name: (t.shape, t.dtype) for t in found} == {
            name: (array.shape, str(array.dtype)) for name, array in arrays.items()
        }


def test_so_many_tensors_that_they_are_taken_in_pieces_are_all_read(read):
    tensors = [(f"layers.{n}.weight", "U8", [2, 3]) for n in range(30_000)]
    header, room = spelled(tensors, {"format": "pt"})
    found = read(header, room)
    assert [t.name for t in found] == [name for name, _, _ in tensors]
    assert found == read(other(header), room)
    assert read(header.replace(b"layers.29999.", b"layers.00000."), room) is not None
    assert read(header.replace(b"layers.29999.", b"layers.0."), room) is None


@pytest.mark.parametrize("sign", [b'},"', b'},"a":{', b'"', b"[", b'":{', b"1,"])
def test_a_header_of_mere_signs_takes_little_memory(sign, read):
    header = b'{"a":{"dtype":"F32","shape":[' + sign * (1_000_000 // len(sign)) + b"}}"
    tracemalloc.start()
    try:
        assert read(header, 100) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 35 * 2**20
