"""Files written by the tests themselves, byte by byte."""

import json
import struct

import pytest


def pack(header, data=b"", length=None):
    """Return the bytes of a safetensors file with any header whatever."""
    content = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(content) if length is None else length) + content + data


@pytest.fixture
def write(tmp_path):
    """Write bytes, text or JSON under a name and return the path."""

    def write_file(name, content):
        path = tmp_path / name
        if not isinstance(content, bytes):
            content = (content if isinstance(content, str) else json.dumps(content)).encode()
        path.write_bytes(content)
        return path

    return write_file


@pytest.fixture
def safetensors(write):
    """Write a safetensors file of float32 tensors, or one with the header given."""

    def write_tensors(name, shapes=None, **raw):
        if raw:
            return write(name, pack(**raw))
        header, end = {"__metadata__": {"format": "pt"}}, 0
        for tensor, shape in shapes.items():
            size = 4
            for n in shape:
                size *= n
            header[tensor] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
            end += size
        return write(name, pack(header, bytes(end)))

    return write_tensors
