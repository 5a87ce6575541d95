"""The bytes of a text file: encodings, line ends, what is lost, and what is too much."""

import pytest
from fakes.manuscript_text import read
from fakes.rows import rows_beside

from reportgen.read.documents import Limits, read_document
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)


def texts(folder, content, name="a.txt", **limits):
    found = read(folder, name, content, **limits)
    return [line.text for block in found.blocks for line in block.lines], found.problems


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_unicode_is_read_with_and_without_its_mark(encoding, tmp_path):
    text = "Précision moyenne : 79,9 % ± 0,4\nsur trois graines aléatoires\n" * 3
    assert texts(tmp_path, text.encode(encoding)) == (text.split("\n")[:-1], ())


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_an_old_encoding_is_read_and_named(encoding, tmp_path):
    text = "La précision est 79,9 % à la fin"
    lines, problems = texts(tmp_path, text.encode(encoding))
    assert lines == [text]
    assert "Windows-1252" in problems[0].message
    assert problems[0].offset == text.index("é")


def test_one_damaged_byte_does_not_spoil_the_accents_of_the_rest(tmp_path):
    lines, problems = texts(tmp_path, "é à è ç ê — 80 %".encode().replace(b"80", b"8\xff0"))
    assert lines == ["é à è ç ê — 8\ufffd0 %"]
    assert "no UTF-8" in problems[0].message


@pytest.mark.parametrize(("lost", "meant"), ROWS["a_backslash_that_an_escape_ate_comes_back"])
def test_a_backslash_that_an_escape_ate_comes_back(lost, meant, tmp_path):
    text = f"so $x = {lost}$ is"
    found = read(tmp_path, "a.md", f"{text}\n\n\n")
    line = found.blocks[0].lines[0]
    assert meant in line.text
    digit = next((i for i, char in enumerate(line.text) if char.isdigit()), None)
    if digit is not None:
        assert text[line.place(digit, digit + 1).column - 1] == line.text[digit]


def test_control_codes_are_blanks_and_tabs_are_kept(tmp_path):
    table = read(tmp_path, "a.txt", "Seed\tau test\n0\t80\n").blocks[0]
    assert texts(tmp_path, "so 80\x00 \x1b[1m%")[0] == ["so 80   [1m%"]
    assert [[cell.text for cell in row] for row in table.rows] == [["Seed", "au test"], ["0", "80"]]


def test_embedded_images_are_gone(tmp_path):
    image = "a [x](data:image/png;base64," + "iVBORw0KGgo123" * 10_000 + ") accuracy 80.5"
    assert texts(tmp_path, image, "a.md") == (["a x accuracy 80.5"], ())


@pytest.mark.parametrize(
    ("content", "limits", "kept", "why"),
    [
        ("x" * 5000 + "\nnext", {"line": 100}, 2, "line 1 has 5,000 characters"),
        ("\n".join(f"so {i}" for i in range(50)), {"lines": 20}, 20, "its last 30 lines were left"),
    ],
)
def test_a_file_that_is_too_long_is_cut_and_named(content, limits, kept, why, tmp_path):
    lines, problems = texts(tmp_path, content, **limits)
    assert len(lines) == kept
    assert max(map(len, lines)) <= 100
    assert why in problems[0].message


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "holds no text"), (b" \n\x00\n", "holds no text"), (bytes(range(256)) * 50, "no text")],
)
def test_what_is_no_text_is_refused(content, why, tmp_path):
    with pytest.raises(EvidenceError, match=why) as caught:
        read(tmp_path, "a.txt", content)
    assert caught.value.remedy


def test_what_is_no_file_is_named(tmp_path):
    (tmp_path / "dir.txt").mkdir()
    for name, why in (
        ("none.txt", "does not exist"),
        ("dir.txt", "is no file"),
        (f"{'a' * 5000}.txt", "cannot be read"),
    ):
        with pytest.raises(EvidenceError, match=why):
            read_document(tmp_path / name, Limits())
