"""The quick reader of safetensors' own spelling: what it takes, the slow one reads alike."""

from __future__ import annotations

import json
import math
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.checkpoints._header import _read_entries
from reportgen.checkpoints._header._canonical import read_canonical
from reportgen.checkpoints._header._dtypes import OF_SAFETENSORS
from reportgen.checkpoints._json import parse_object
from reportgen.errors import EvidenceError

NAMES = st.one_of(
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=6),
    st.sampled_from(["w", "layers.0.weight", "a:b", "},", '":{', "|", "0,8]", "__metadata__"]),
)
SHAPES = st.lists(st.integers(0, 5), max_size=3)
TENSORS = st.lists(
    st.tuples(NAMES, st.sampled_from(sorted(OF_SAFETENSORS)), SHAPES),
    min_size=1,
    max_size=5,
    unique_by=lambda tensor: tensor[0],
)


def spelled(tensors, metadata=None):
    """Return a header as the library spells it, and the bytes that its tensors take."""
    header = {} if metadata is None else {"__metadata__": metadata}
    end = 0
    for name, dtype, shape in tensors:
        begin, end = end, end + math.prod(shape) * OF_SAFETENSORS[dtype][1] // 8
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b" " * (-len(text.encode()) % 8), end


def slow(content, room):
    """Return what the parser and the look at every entry find; None where they refuse."""
    try:
        return _read_entries(parse_object(content, "t.safetensors"), room, "t.safetensors").tensors
    except EvidenceError:
        return None


@settings(max_examples=300)
@given(tensors=TENSORS, metadata=st.none() | st.dictionaries(st.text(), st.text(), max_size=2))
def test_the_librarys_spelling_is_read_as_the_slow_reader_reads_it(tensors, metadata):
    content, room = spelled(tensors, metadata)
    found = read_canonical(content, room)

    assert found in (None, slow(content, room))
    plain = all(name.isidentifier() and name != "__metadata__" for name, _, _ in tensors)
    bits = all(math.prod(shape) * OF_SAFETENSORS[d][1] % 8 == 0 for _, d, shape in tensors)
    if plain and bits and metadata is None:
        assert [(t.name, list(t.shape)) for t in found] == [(n, s) for n, _, s in tensors]


SMALL = [("w", "F32", [2, 3]), ("b", "I64", [3]), ("none", "BF16", [0, 7]), ("s", "U8", [])]
PIECES = st.one_of(
    st.binary(max_size=3),
    st.sampled_from(
        [
            b'"',
            b"},",
            b'},"',
            b'":{',
            b"[",
            b"]",
            b"[0",
            b",",
            b"|",
            b"0",
            b"-",
            b"1e1",
            b" ",
            b"\\",
        ]
    ),
)


@settings(max_examples=1500, deadline=None)
@given(
    at=st.integers(0, 400),
    gone=st.integers(0, 12),
    piece=PIECES,
    more=st.integers(-2, 2),
    metadata=st.sampled_from([None, {"format": "pt"}]),
)
def test_a_damaged_header_is_left_to_the_slow_reader_or_read_alike(at, gone, piece, more, metadata):
    content, room = spelled(SMALL, metadata)
    at %= len(content)
    damaged = content[:at] + piece + content[at + gone :]

    found = read_canonical(damaged, room + more)

    assert found is None or found == slow(damaged, room + more)


SWAPPED = b'{"a},"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
MALFORMED = {
    "signs in the wrong order": SWAPPED,
    "offsets cut in the wrong place": (
        b'{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]8},'
        b'"b":{"dtype":"U8","shape":[8],"data_offsets":[,16]}}'
    ),
    "a gap": b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}',
    "a leading zero": b'{"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}}',
    "the same name twice": (
        b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
        b'"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'
    ),
    "a line end in a name": b'{"a\n":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
    "half a byte": b'{"a":{"dtype":"F4","shape":[1],"data_offsets":[0,0]}}',
    "no type": b'{"a":{"dtype":"U9","shape":[1],"data_offsets":[0,1]}}',
    "metadata that is none": b'{"__metadata__":{"},"a":{"dtype":"U8"}}',
    "nothing": b"{}",
    "no text": b'{"\xff":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_what_is_not_the_librarys_own_is_left_alone(content):
    assert read_canonical(content, 100) is None


def test_a_file_that_is_cut_is_left_to_the_reader_that_says_so():
    content, room = spelled(SMALL)

    assert read_canonical(content, room) is not None
    assert read_canonical(content, room - 1) is None


def test_the_library_itself_spells_it_so():
    numpy = pytest.importorskip("numpy")
    library = pytest.importorskip("safetensors.numpy")
    arrays = {"b": numpy.zeros((2, 3), "f4"), "a": numpy.zeros(5, "i8"), "é": numpy.zeros((), "f2")}

    for metadata in (None, {"format": "pt"}):
        content = library.save(arrays, metadata)
        length = int.from_bytes(content[:8], "little")
        found = read_canonical(content[8 : 8 + length], len(content) - 8 - length)

        assert {t.name: (t.shape, t.dtype) for t in found} == {
            name: (array.shape, str(array.dtype)) for name, array in arrays.items()
        }


@pytest.mark.parametrize("sign", [b'},"', b'},"a":{', b'"', b"[", b'":{'])
def test_a_header_of_mere_signs_takes_little_memory(sign):
    content = b'{"' + sign * (6_000_000 // len(sign)) + b"}}"
    tracemalloc.start()
    try:
        assert read_canonical(content, 100) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 8 * len(content)


def test_a_shape_of_very_many_sizes_takes_little_memory():
    sizes = b"1," * 1_000_000
    content = b'{"a":{"dtype":"F32","shape":[' + sizes + b'1],"data_offsets":[0,4]}}'
    tracemalloc.start()
    try:
        assert read_canonical(content, 4) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 8 * len(content)
