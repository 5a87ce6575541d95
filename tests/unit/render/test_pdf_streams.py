"""Ends of streams that a strict reader takes for the end of a line."""

import io
import random

import pypdf
import pytest
from fakes.pdf import lines, pdf, stream
from fakes.pdf_standards import faults

from reportgen.render import compile_typst

RULE = "STREAM-LENGTH"
DOUBTFUL = (b"a\r", b"b", b"\r", b"c\n\r")


def told(content: bytes) -> list[str]:
    return [fault for fault in faults(content, "3a") if RULE in fault]


def made(*contents: bytes) -> bytes:
    return pdf(lines("words"), objects={1000 + i: stream(c) for i, c in enumerate(contents)})


@pytest.fixture
def part_ends(monkeypatch):
    """Return what the embedded engine's file becomes."""

    def parted(content):
        monkeypatch.setattr("typst.compile", lambda *_, **__: content)
        return compile_typst({"a.typ": b""}, "a.typ").pdf

    return parted


def test_a_stream_that_ends_in_a_carriage_return_is_parted_from_its_line(part_ends):
    doubtful = made(*DOUBTFUL)
    assert told(doubtful)
    parted = part_ends(doubtful)
    assert not told(parted)
    reader = pypdf.PdfReader(io.BytesIO(parted), strict=True)
    assert reader.pages[0].extract_text() == "words"
    read = [reader.get_object(1000 + i).get_data() for i in range(len(DOUBTFUL))]
    assert read == list(DOUBTFUL)


def test_a_sound_file_is_left_as_it_is(part_ends):
    sound = made(b"a", b"b\n", b"c\r\n\n")
    assert part_ends(sound) == sound
    assert part_ends(part_ends(made(*DOUBTFUL))) == part_ends(made(*DOUBTFUL))


@pytest.mark.parametrize("damage", [b"", b"%PDF-1.7\n", made(b"\r")[:-30], b"\nstartxref\n9"])
def test_what_is_no_such_file_is_left_as_it_is(damage, part_ends):
    assert part_ends(damage) == damage


def test_many_streams_keep_what_they_hold(part_ends):
    draw = random.Random(7)
    contents = [draw.randbytes(draw.randrange(40)) + draw.choice([b"", b"\r"]) for _ in range(300)]
    reader = pypdf.PdfReader(io.BytesIO(part_ends(made(*contents))), strict=True)
    assert [reader.get_object(1000 + i).get_data() for i in range(300)] == contents
