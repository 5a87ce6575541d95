"""PDFs made to hurt: each ends in a manuscript or in a sentence, soon, and the next is read."""

import os
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest
from fakes.pdf import lines, pdf, stream, text_at

from reportgen.app.reading_apart import ReadingApart
from reportgen.read.documents import Limits
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Manuscript

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")

SOUND = pdf(lines("1 Results", "", "The accuracy is 79.9 %."))
LIMITS = Limits(seconds=20)
FORM = "/Type /XObject /Subtype /Form /BBox [0 0 500 500] /Resources"
PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 500] /Contents 5 0 R /Resources {} >>"
WITH_FORM = PAGE.format("<< /XObject << /X 1000 0 R >> >>").encode()


@pytest.fixture(scope="module")
def reader():
    with ReadingApart(LIMITS) as reader:
        yield reader


@pytest.fixture
def told(reader, tmp_path):
    """Return a function that reads bytes and returns the refusal, or the texts, in good time."""

    def told(content: bytes) -> str:
        path = tmp_path / "hostile.pdf"
        path.write_bytes(content)
        try:
            found = reader.read(path)
        except EvidenceError as error:
            words = error.message.replace(str(path), "it")
        else:
            words = texts(found)
        path.write_bytes(SOUND)
        assert texts(reader.read(path)) == "1 Results\nThe accuracy is 79.9 %."
        return words

    return told


def texts(manuscript: Manuscript) -> str:
    return "\n".join(block.text for block in manuscript.blocks)


def test_nothing_but_zeros(told):
    assert told(b"") == "it cannot be read as a PDF"
    assert told(b"%PDF-1.7\n" + bytes(10_000)) == "it cannot be read as a PDF"


def deflated(piece, *, times):
    """Deflate a piece so many times over, without as much work."""
    state = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    body = state.compress(piece) + state.flush(zlib.Z_FULL_FLUSH)
    total = 1
    for _ in range(times):
        total = zlib.adler32(piece, total)
    return b"\x78\xda" + body * times + state.flush() + total.to_bytes(4, "big")


def test_a_bomb_in_layers(told):
    inner = zlib.compress(deflated(b"0 0 m\n" * 1_000_000, times=100), 9)
    entries = f"<< /Length {len(inner)} /Filter [/FlateDecode /FlateDecode] >>"
    layered = entries.encode() + b"\nstream\n" + inner + b"\nendstream"
    assert told(pdf(b"", objects={5: layered})).startswith("it ")


def test_ten_thousand_pages(told):
    assert "more than 400 pages" in told(pdf(*(lines(f"Page {i}") for i in range(10_000))))


def test_a_count_of_pages_that_is_a_lie(told):
    for count in (-5, 0, 10**6, 2**31 - 1, 2**40):
        tree = f"<< /Type /Pages /Count {count} /Kids [4 0 R] >>".encode()
        words = told(pdf(lines("The accuracy is 79.9 %."), objects={2: tree}))
        assert "79.9" in words or "it" in words


def test_a_tree_of_pages_that_bites_its_tail(told):
    for kids in ("2 0 R 4 0 R 2 0 R", "2 0 R", "4 0 R 4 0 R 4 0 R", "1 0 R 3 0 R"):
        assert told(pdf(lines("a page"), kids=kids))


def test_objects_that_contain_themselves(told):
    loop = stream(b"/X Do /X Do", entries=f"{FORM} << /XObject << /X 1000 0 R >> >>")
    assert told(pdf(b"/X Do", objects={4: WITH_FORM, 1000: loop})).startswith("it ")
    assert told(pdf(lines("a"), objects={5: b"5 0 R"}))
    assert told(pdf(lines("a"), font=b"<< /Type /Font /DescendantFonts [3 0 R] >>"))


def test_deep_nesting(told):
    deep = b"[" * 200_000 + b"]" * 200_000
    assert told(pdf(lines("a"), objects={1000: deep}, page="/Any 1000 0 R"))
    assert told(pdf(b"[" * 1_000_000))
    assert told(pdf(b"<<" * 1_000_000))
    assert (
        told(pdf(b"q " * 500_000 + lines("The accuracy is 79.9 %."))) == "The accuracy is 79.9 %."
    )
    assert told(pdf(b"/A BMC " * 200_000 + lines("The accuracy is 79.9 %.")))


def test_boxes_of_any_size(told):
    for box in ("0 0 1e30 1e30", "0 0 0 0", "0 0 -5 -5", "-1e30 -1e30 1e30 1e30", "nan 0 0 0"):
        assert "79.9" in told(pdf(lines("The accuracy is 79.9 %."), box=box))


def test_characters_at_places_of_any_size(told):
    away = b"\n".join(text_at(10.0**n, 10.0**n, f"far {n}.5") for n in range(1, 30))
    tiny = b"\n".join(text_at(72, 700, "tiny", size=10.0**-n) for n in range(1, 20))
    huge = b"\n".join(text_at(72, 700, "huge", size=10.0**n) for n in range(1, 20))
    for content in (away, tiny, huge, b"1e20 0 0 1e20 0 0 cm " + lines("big"),
                    b"0 0 0 0 0 0 cm " + lines("nothing is left of this")):  # fmt: skip
        assert told(pdf(content + b"\n" + lines("The accuracy is 79.9 %.")))


def test_a_million_characters_on_a_page(told):
    page = b"BT /F 1 Tf 10 10 Td " + b"(abcdefgh 12.34 ) Tj " * 62_500 + b"ET"
    assert "12.34" in told(pdf(page))


def test_a_page_of_many_small_rows_and_scripts(told):
    rows = b"\n".join(
        text_at(20 + 7 * (i % 70), 800 - 0.05 * i, str(i % 10), size=3 + i % 8)
        for i in range(14_000)
    )
    assert told(pdf(rows))


def test_many_rules_and_many_words(told):
    rules = b"\n".join(f"{i % 500} {800 - i % 700} 20 0.5 re f".encode() for i in range(20_000))
    assert "79.9" in told(pdf(rules + b"\n" + lines(*["The accuracy is 79.9 %."] * 50)))


def test_many_curves(told):
    curve = b"100 500 m " + b" ".join(f"{100 + i % 300} {500 + i % 97} l".encode()
                                      for i in range(60)) + b" S\n"  # fmt: skip
    assert told(pdf(curve * 4_000 + lines("The accuracy is 79.9 %.")))


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
def test_an_encrypted_report(told, tmp_path: Path):
    plain, locked = tmp_path / "plain.pdf", tmp_path / "locked.pdf"
    plain.write_bytes(SOUND)
    for user, owner in (("secret", "other"), ("", "other")):
        subprocess.run(["qpdf", "--encrypt", user, owner, "256", "--", plain, locked], check=True)
        words = told(locked.read_bytes())
        assert words == "it is encrypted" if user else "79.9" in words
