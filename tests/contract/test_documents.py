"""What every reader of reports owes: the same blocks, true places, or a letter to the user."""

import hashlib
import json
import time

import pytest
from fakes.manuscript_files import CAPTION, FILES, ROWS, SENTENCE, write
from fakes.manuscript_text import table

from reportgen.read.documents import READERS, Limits, read_document
from reportgen.records.errors import EvidenceError, ReportgenError
from reportgen.records.manuscript import BLOCK_TYPES

KINDS = sorted(FILES)
# Places in them are those of the file; a PDF and a document of Word have lines of their own.
IN_FILE = ("markdown", "latex", "plain", "html")


def characters(found):
    """Yield every character of a report with its place."""
    for block in found.blocks:
        for line in block.lines:
            for i, char in enumerate(line.text):
                yield char, line.place(i, i + 1)


def letter_of(path):
    """Return why a report cannot be read, empty where it can."""
    try:
        read_document(path)
    except ReportgenError as error:
        return str(error)
    return ""


def test_every_format_has_a_sample():
    assert set(FILES) == set(READERS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_says_the_same_in_every_format(kind, tmp_path):
    path = write(tmp_path, kind)
    found = read_document(path)
    said = [
        (b.type, " ".join(b.text.split()))
        for b in found.blocks
        if b.type not in {"table", "code", "heading"}
    ]
    (block,) = [b for b in found.blocks if b.type == "table"]
    assert said == [
        ("paragraph", SENTENCE),
        ("caption", CAPTION),
        ("item", "lora_alpha = 32"),
        ("reference", "[1] A. Author, 2019."),
    ]
    assert table(block) == [" | ".join(row) for row in ROWS]
    assert (block.head, block.caption) == (1, CAPTION)
    assert next(b.text for b in found.blocks if b.type == "heading") == "1 Results"
    assert found.problems == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_knows_its_file(kind, tmp_path):
    path = write(tmp_path, kind)
    found = read_document(path)
    assert found.path == str(path)
    assert found.format == kind
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("kind", KINDS)
def test_every_place_is_one_of_the_file(kind, tmp_path):
    found = read_document(write(tmp_path, kind))
    own = kind in {"pdf", "docx"}
    source = FILES[kind][1].decode("latin-1" if own else "utf-8").split("\n")
    if kind == "notebook":
        source = "".join(json.loads(FILES[kind][1])["cells"][0]["source"]).split("\n")
    seen = 0
    for char, place in characters(found):
        assert place.line >= 1
        assert 1 <= place.column < place.end_column
        assert (place.page == 1) is (kind == "pdf")
        if char.isdigit() and not own and place.file in {"", "cell 1"}:
            assert source[place.line - 1][place.column - 1] == char
            seen += 1
    assert own or seen > 20


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_hold_together(kind, tmp_path):
    for block in read_document(write(tmp_path, kind)).blocks:
        assert block.type in BLOCK_TYPES
        assert block.lines
        assert block.head <= len(block.rows)
        assert len({len(row) for row in block.rows}) <= 1
        assert (block.type == "table") is bool(block.rows)
        for line in block.lines:
            assert len(line.columns) in {0, len(line.text)}
        for cell in (cell for row in block.rows for cell in row):
            assert any(cell.line is line for line in block.lines)
            assert cell.line.text[cell.start :].startswith(cell.text)
            assert cell.text == cell.text.strip()


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_file_ends_in_a_letter(kind, tmp_path):
    with pytest.raises(EvidenceError) as caught:
        read_document(tmp_path / FILES[kind][0])
    assert FILES[kind][0] in caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_file_ends_in_a_letter(kind, tmp_path):
    with pytest.raises(EvidenceError) as caught:
        read_document(write(tmp_path, kind, b""))
    assert caught.value.remedy


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_too_large_ends_in_a_letter(kind, tmp_path):
    with pytest.raises(EvidenceError, match="bytes") as caught:
        read_document(write(tmp_path, kind), Limits(bytes=50))
    assert caught.value.remedy


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("keep", [1, 7, 60, 0.3, 0.7, 0.95])
def test_a_cut_file_ends_in_a_report_or_a_letter(kind, keep, tmp_path):
    content = FILES[kind][1]
    size = keep if isinstance(keep, int) else int(len(content) * keep)
    letter = letter_of(write(tmp_path, kind, content[:size]))
    assert not letter or FILES[kind][0] in letter


@pytest.mark.parametrize("kind", IN_FILE)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_encodings_and_line_ends_change_nothing(kind, encoding, end, tmp_path):
    sound = read_document(write(tmp_path, kind))
    text = FILES[kind][1].decode().replace("\n", end.decode())
    found = read_document(write(tmp_path, kind, text.encode(encoding)))
    assert found.blocks == sound.blocks


@pytest.mark.parametrize("kind", IN_FILE)
def test_a_report_ten_times_as_long_takes_about_ten_times_as_long(kind, tmp_path):
    def seconds(times):
        path = write(tmp_path, kind, FILES[kind][1].replace(b"\\end{document}", b"") * times)
        start = time.process_time()
        read_document(path)
        return time.process_time() - start

    seconds(5)
    short = min(seconds(20) for _ in range(3))
    assert min(seconds(200) for _ in range(2)) < 40 * short
