import gzip

import pytest

from reportgen.read.logs import FileReader, read_json, read_text
from reportgen.read.logs import files as reading_files


@pytest.fixture
def write(tmp_path):
    def to_disk(content):
        path = tmp_path / "file"
        path.write_bytes(content)
        return path

    return to_disk


def test_content_and_size_as_on_disk(write):
    packed = gzip.compress(b"a" * 100_000)
    reader = FileReader(write(packed))
    assert b"".join(reader.chunks()) == b"a" * 100_000
    assert reader.size == len(packed)
    assert reader.problem == ""


def test_members_of_one_gzip_file_follow_one_another(write):
    reader = FileReader(write(gzip.compress(b"a") + gzip.compress(b"b") + b"\0\0"))
    assert b"".join(reader.chunks()) == b"ab"


def test_a_compressed_bomb_stops_at_the_limit(write, monkeypatch):
    monkeypatch.setattr(reading_files, "INFLATE_LIMIT", 3_000_000)
    packed = gzip.compress(bytes(50_000_000))
    reader = FileReader(write(packed))
    assert sum(map(len, reader.chunks())) <= 3_000_000
    assert reader.problem == "the compressed data exceed 3000000 bytes"
    assert reader.size == len(packed)


def test_a_text_beyond_the_limit_is_not_kept(write, monkeypatch):
    monkeypatch.setattr(reading_files, "TEXT_LIMIT", 10)
    content, log = read_text(write(b"x" * 11), "a.json", "kind")
    assert content == b""
    assert log.problems[0].message == "larger than 10 bytes; not read"


def test_json_in_a_compressed_file(write):
    assert read_json(write(gzip.compress(b'{"a": 1}')), "a.json", "kind")[0] == {"a": 1}


@pytest.mark.parametrize("content", [b'{"a": ', b"[]", b"\xff\xfe", b"[" * 50_000])
def test_what_is_no_json_object_is_said(write, content):
    found, log = read_json(write(content), "a.json", "kind")
    assert found == {}
    assert len(log.problems) == 1
    assert log.problems[0].path == "a.json"
