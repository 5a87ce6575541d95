"""A reader in a process of its own: what it gives, what it survives, what it leaves behind."""

import os
import signal
import sys
import threading
import time
import zlib
from pathlib import Path

import pytest
from fakes.manuscript_files import FILES, write
from fakes.pdf import lines, pdf, stream
from fakes.reading_there import limits_of, noise_of, pid_of

from reportgen.app.reading_apart import ReadingApart
from reportgen.app.report_file import read_report
from reportgen.read.documents import Limits, read_document
from reportgen.records.errors import EvidenceError

pytestmark = pytest.mark.slow

posix = pytest.mark.skipif(os.name != "posix", reason="limits and signals of POSIX")


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(pdf(lines("1 Results", "", "The accuracy is 79.9 %.", "Seed  1   80.5")))
    return path


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A small file whose page takes PDFium ages: forms that show a form ten times, and so on."""
    path = tmp_path / "endless.pdf"
    path.write_bytes(nested(24))
    return path


def nested(depth: int) -> bytes:
    """Return a page that shows a form, which shows the next ten times, to a depth."""
    box = "/Type /XObject /Subtype /Form /BBox [0 0 500 500] /Resources"
    objects = {
        4: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 500] /Contents 5 0 R"
        b" /Resources << /XObject << /X 1000 0 R >> >> >>"
    }
    for i in range(depth):
        inner = f"<< /XObject << /X {1001 + i} 0 R >> >>" if i < depth - 1 else "<< >>"
        objects[1000 + i] = stream(b"/X Do " * 10, entries=f"{box} {inner}")
    return pdf(b"/X Do", objects=objects)


def refused(reader: ReadingApart, path: Path) -> str:
    with pytest.raises(EvidenceError) as caught:
        reader.read(path)
    assert caught.value.remedy
    return caught.value.message


def test_it_reads_what_the_reader_itself_reads(report: Path, tmp_path: Path):
    with ReadingApart() as reader:
        for path in (report, *(write(tmp_path, kind) for kind in FILES if kind != "pdf"), report):
            found = reader.read(path)
            assert found == read_document(path)
            for block in found.blocks:
                assert all(cell.line in block.lines for row in block.rows for cell in row)


def test_a_refusal_says_what_the_reader_itself_says(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("empty.pdf").write_bytes(pdf(b""))
    with ReadingApart() as reader:
        for path in (Path("empty.pdf"), Path("missing.pdf"), Path("report.odt")):
            with pytest.raises(EvidenceError) as direct:
                read_document(path)
            with pytest.raises(EvidenceError) as apart:
                reader.read(path)
            assert (apart.value.message, apart.value.remedy) == (
                direct.value.message,
                direct.value.remedy,
            )


def test_a_reading_that_takes_too_long_is_ended(report: Path, endless: Path):
    with ReadingApart() as reader:
        started = time.monotonic()
        assert reader.read(report).blocks
        # Time enough for a sound one on this machine, and memory enough for that time.
        seconds = round(2 + 4 * (time.monotonic() - started))
    with ReadingApart(Limits(seconds=seconds), memory=8 * 2**30) as reader:
        assert f"it took more than {seconds} s" in refused(reader, endless)
        assert reader.read(report).blocks


@posix
def test_a_reading_that_takes_too_much_memory_is_ended(report: Path, tmp_path: Path):
    bomb = tmp_path / "bomb.pdf"
    bomb.write_bytes(pdf(b"q\n" * 150_000_000, packed=True))
    assert bomb.stat().st_size < 400_000
    with ReadingApart(memory=300 * 2**20) as reader:
        assert "300 MB" in refused(reader, bomb)
        assert reader.read(report).blocks


@posix
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_a_crash_of_the_library_costs_one_report(report: Path, endless: Path, name: str):
    with ReadingApart(Limits(seconds=60)) as reader:
        reader.read(report)
        end = threading.Timer(0.3, os.kill, (reader.ask(report, pid_of), getattr(signal, name)))
        end.start()
        assert name in refused(reader, endless)
        assert reader.read(report) == read_document(report)


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not hold to RLIMIT_AS")
def test_the_process_can_write_no_file_and_has_a_limit_on_memory(report: Path):
    with ReadingApart() as reader:
        assert reader.ask(report, limits_of) == [2**30, 0, 0]


def test_what_a_library_prints_is_no_answer(report: Path):
    with ReadingApart() as reader:
        assert reader.ask(report, noise_of) == "quiet"


def with_attachment(tmp_path: Path, body: bytes, filters: bytes) -> Path:
    names = b"/Names << /EmbeddedFiles << /Names [(report.json) 1000 0 R] >> >>"
    entries = b"/Type /EmbeddedFile /Length %d /Filter %s" % (len(body), filters)
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R " + names + b" >>",
        1000: b"<< /Type /Filespec /F (report.json) /UF (report.json) /EF << /F 1001 0 R >> >>",
        1001: b"<< %s >>\nstream\n%s\nendstream" % (entries, body),
    }
    path = tmp_path / "lab.pdf"
    path.write_bytes(pdf(lines("The accuracy is 80.63 %."), objects=objects))
    return path


def test_what_is_attached_is_given_back(tmp_path):
    path = with_attachment(tmp_path, zlib.compress(b'{"numbers": []}'), b"/FlateDecode")
    with ReadingApart() as reader:
        assert reader.attached(path, "report.json") == b'{"numbers": []}'
        with pytest.raises(EvidenceError, match=r"no metrics\.csv is attached to "):
            reader.attached(path, "metrics.csv")
        assert "80.63" in reader.read(path).blocks[0].text


@posix
def test_an_attachment_that_unpacks_to_more_than_memory_is_refused(tmp_path):
    """A PDF of 20 kB took 3 GB of the program's own memory."""
    import resource

    packed = zlib.compressobj(1)
    body = b"".join(packed.compress(b" " * 2**20) for _ in range(900)) + packed.flush()
    path = with_attachment(tmp_path, zlib.compress(body, 9), b"[/FlateDecode /FlateDecode]")
    assert path.stat().st_size < 100_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(EvidenceError, match=r"(cannot|could not) be read") as caught:
        read_report(path)
    assert caught.value.remedy
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
