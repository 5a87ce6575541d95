"""A reader in a process of its own: what it gives, what it survives, what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.manuscript_files import FILES, write
from fakes.pdf import lines, pdf, stream

from reportgen.app.report_file import read_report
from reportgen.errors import EvidenceError
from reportgen.read.documents import GuardedReader, Limits, read_document, read_guarded

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


def refused(reader: GuardedReader, path: Path) -> str:
    with pytest.raises(EvidenceError) as caught:
        reader.read(path)
    assert caught.value.remedy
    return caught.value.message


def child_of(reader: GuardedReader) -> int:
    assert reader.process is not None
    return reader.process.pid


def test_it_reads_what_the_reader_itself_reads(report: Path, tmp_path: Path):
    with GuardedReader() as reader:
        for path in (report, *(write(tmp_path, kind) for kind in FILES if kind != "pdf"), report):
            found = reader.read(path)
            assert found == replace(read_document(path), named=())
            for block in found.blocks:
                assert all(cell.line in block.lines for row in block.rows for cell in row)


def test_it_reads_one_file_and_ends(report: Path):
    assert read_guarded(report) == read_document(report)


def test_one_process_reads_many(report: Path):
    with GuardedReader() as reader:
        reader.read(report)
        first = child_of(reader)
        for _ in range(20):
            reader.read(report)
        assert child_of(reader) == first


def test_a_refusal_says_what_the_reader_itself_says(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("empty.pdf").write_bytes(pdf(b""))
    with GuardedReader() as reader:
        for path in (Path("empty.pdf"), Path("missing.pdf"), Path("report.odt")):
            with pytest.raises(EvidenceError) as direct:
                read_document(path)
            with pytest.raises(EvidenceError) as guarded:
                reader.read(path)
            assert (guarded.value.message, guarded.value.remedy) == (
                direct.value.message,
                direct.value.remedy,
            )


def test_a_reading_that_takes_too_long_is_ended(report: Path, endless: Path):
    with GuardedReader() as reader:
        started = time.monotonic()
        assert reader.read(report).blocks
        # Time enough for a sound one on this machine, and memory enough for that time.
        seconds = round(1 + 4 * (time.monotonic() - started))
    with GuardedReader(Limits(seconds=seconds), memory=8 * 2**30) as reader:
        assert f"it took more than {seconds} s" in refused(reader, endless)
        assert reader.read(report).blocks


@posix
def test_a_reading_that_takes_too_much_memory_is_ended(report: Path, tmp_path: Path):
    bomb = tmp_path / "bomb.pdf"
    bomb.write_bytes(pdf(b"q\n" * 150_000_000, packed=True))
    assert bomb.stat().st_size < 400_000
    with GuardedReader(memory=300 * 2**20) as reader:
        assert "300 MB" in refused(reader, bomb)
        assert reader.read(report).blocks


def test_a_manuscript_that_is_too_long_is_refused(report: Path):
    with GuardedReader(output=200) as reader:
        assert "its text takes more than" in refused(reader, report)


@posix
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_a_crash_of_the_library_costs_one_report(report: Path, endless: Path, name: str):
    with GuardedReader(Limits(seconds=60)) as reader:
        reader.read(report)
        end = threading.Timer(0.3, os.kill, (child_of(reader), getattr(signal, name)))
        end.start()
        assert name in refused(reader, endless)
        assert reader.read(report) == read_document(report)


def test_a_child_that_was_killed_between_two_reports(report: Path):
    with GuardedReader() as reader:
        reader.read(report)
        assert reader.process is not None
        reader.process.kill()
        reader.process.wait()
        assert "could not be read" in refused(reader, report)
        assert reader.read(report).blocks


def test_a_reader_takes_a_new_process_after_many_reports(report: Path):
    with GuardedReader(reads=2) as reader:
        seen = set()
        for _ in range(6):
            reader.read(report)
            seen.add(child_of(reader))
    assert len(seen) == 3


def test_nothing_is_left_when_it_is_closed(report: Path):
    with GuardedReader() as reader:
        reader.read(report)
        child = reader.process
    assert child is not None
    assert child.returncode == 0


def test_a_child_ends_when_nobody_is_left_to_ask(report: Path):
    reader = GuardedReader()
    reader.read(report)
    child = reader.process
    assert child is not None
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(10) == 0
    reader.close()


def test_threads_take_turns(report: Path):
    with GuardedReader() as reader:
        found: list[object] = []
        threads = [
            threading.Thread(target=lambda: found.append(reader.read(report))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [read_document(report)] * 4


def forged(**changed: object) -> str:
    """Return a line that sends an empty manuscript with some entries replaced."""
    told: dict[str, object] = {"format": "pdf", "sha256": "0", "pages": 1}
    told |= {"lines": [], "blocks": [], "problems": []}
    return f"send({json.dumps({'manuscript': told | changed}, separators=(',', ':')).encode()!r})"


FAKE = """
import sys
out = sys.stdout.buffer
def send(content):
    out.write(len(content).to_bytes(8, "big") + content); out.flush()
send(b'"ready"')
for line in sys.stdin.buffer:
    ANSWER
"""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("send(b'nonsense')", "sent no manuscript"),
        ("send(b'[1, 2]')", "sent no manuscript"),
        ("send(b'{\"refused\": 3}')", "sent no manuscript"),
        ('send(b\'{"manuscript":{"blocks": 3}}\')', "sent no manuscript"),
        ("send(b'[' * 100000)", "sent no manuscript"),
        (forged(pages=-1), "sent no manuscript"),
        (forged(pages=True), "sent no manuscript"),
        (forged(lines=[["a", 1, None, "", [[1, 99_999_999_999]]]]), "sent no manuscript"),
        (forged(blocks=[["code", [-1], [], [0, 0, ""]]]), "sent no manuscript"),
        (forged(blocks=[["unheard of", [], [], [0, 0, ""]]]), "sent no manuscript"),
        (forged(problems=[["a", "b", "", None, "error"]]), "sent no manuscript"),
        ("out.write((2**60).to_bytes(8, 'big')); out.flush(); sys.stdin.read()", "its reader"),
        ("out.write(b'abc'); out.flush(); sys.exit(3)", "exit code 3"),
        ("sys.exit(0)", "exit code 0"),
        ('send(b\'{"fault": "boom\\\\u001b[31m"}\')', "failed with boom\\x1b[31m"),
    ],
)
def test_a_process_in_a_strangers_hands_is_not_believed(report: Path, answer, told):
    with GuardedReader(Limits(seconds=20), program=FAKE.replace("ANSWER", answer)) as reader:
        assert told in refused(reader, report)


def test_a_process_that_does_not_start_is_said(report: Path):
    with GuardedReader(program="raise SystemExit(1)") as reader:
        assert "could not be started" in refused(reader, report)


PROBE = """
import json, os, sys
sys.path[:] = json.loads(sys.argv[1])
from reportgen.read.documents import serve
def answer(request, limits, output):
    return json.dumps({{"fault": str({told})}}).encode()
serve(int(sys.argv[2]), int(sys.argv[3]), answer)
"""


def probe(report: Path, told: str) -> str:
    with GuardedReader(program=PROBE.format(told=told)) as reader:
        return refused(reader, report).partition("failed with ")[2]


def test_the_process_has_no_secrets(report: Path, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "secret")
    assert "API_TOKEN" not in probe(report, "sorted(os.environ)")


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not hold to RLIMIT_AS")
def test_the_process_can_write_no_file_and_has_a_limit_on_memory(report: Path):
    told = "[__import__('resource').getrlimit(k)[0] for k in (9, 1, 4)]"
    assert probe(report, told) == str([2**30, 0, 0])


def test_what_a_library_prints_is_no_answer(report: Path):
    assert probe(report, "os.write(1, b'noise') and os.write(2, b'noise')") == "5"


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
    with GuardedReader() as reader:
        assert reader.attached(path, "report.json") == b'{"numbers": []}'
        with pytest.raises(EvidenceError, match=r"no metrics\.csv is attached to "):
            reader.attached(path, "metrics.csv")
        assert "80.63" in reader.read(path).blocks[0].text


@posix
def test_an_attachment_that_unpacks_to_more_than_memory_is_refused(tmp_path):
    """A PDF of 20 kB took 3 GB of the program's own memory."""
    import resource

    packed = zlib.compressobj(9)
    body = b"".join(packed.compress(b" " * 2**20) for _ in range(900)) + packed.flush()
    path = with_attachment(tmp_path, zlib.compress(body, 9), b"[/FlateDecode /FlateDecode]")
    assert path.stat().st_size < 100_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(EvidenceError, match=r"(cannot|could not) be read") as caught:
        read_report(path)
    assert caught.value.remedy
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
