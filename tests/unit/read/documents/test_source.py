import hashlib

import pytest

from reportgen.errors import EvidenceError
from reportgen.read.documents import Limits
from reportgen.read.documents._source import decode, mended, read_text
from reportgen.records.manuscript import Line


def texts(path, **limits):
    found = read_text(path, Limits(**limits))
    return [line.text for line in found.lines], found.problems


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_unicode_is_read_with_and_without_its_mark(encoding, tmp_path):
    text = "Précision moyenne : 79,9 % ± 0,4\nsur trois graines aléatoires\n" * 3
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))

    lines, problems = texts(tmp_path / "a.txt")

    assert lines == text.split("\n")
    assert problems == ()


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_an_old_encoding_is_read_and_named(encoding, tmp_path):
    text = "La précision est 79,9 % à la fin"
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))

    lines, problems = texts(tmp_path / "a.txt")

    assert lines == [text]
    assert "Windows-1252" in problems[0].message
    assert problems[0].offset == text.index("é")


def test_one_damaged_byte_does_not_spoil_the_accents_of_the_rest():
    content = "é à è ç ê — 80 %".encode().replace(b"80", b"8\xff0")

    text, problems = decode(content, "a.txt")

    assert text == "é à è ç ê — 8\ufffd0 %"
    assert "no UTF-8" in problems[0].message


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts_lines(end, tmp_path):
    (tmp_path / "a.txt").write_bytes(end.join(["one", "two 2", "three"]).encode())

    found = read_text(tmp_path / "a.txt", Limits())

    assert [(line.number, line.text) for line in found.lines] == [
        (1, "one"),
        (2, "two 2"),
        (3, "three"),
    ]


def test_the_digest_is_that_of_the_bytes(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\n")

    found = read_text(tmp_path / "a.txt", Limits())

    assert found.sha256 == hashlib.sha256(b"\xef\xbb\xbfone\r\n").hexdigest()


@pytest.mark.parametrize(
    ("lost", "meant"),
    [
        ("N_{\rm emb}", r"N_{\rm emb}"),
        ("a \rightarrow b", r"a \rightarrow b"),
        ("4 \times 5", r"4 \times 5"),
        ("\x0crac{1}{2}", r"\frac{1}{2}"),
        ("\x08eta_1", r"\beta_1"),
        ("\x07lpha = 32", r"\alpha = 32"),
    ],
)
def test_a_backslash_that_an_escape_ate_comes_back(lost, meant):
    line = mended(Line(text=lost, number=1))

    assert line.text == meant
    digit = next((i for i, char in enumerate(meant) if char.isdigit()), None)
    if digit is not None:
        assert lost[line.place(digit, digit + 1).column - 1] == meant[digit]


def test_a_table_with_tabs_keeps_them():
    assert mended(Line(text="Seed\tau test\t80", number=1)).text == "Seed\tau test\t80"


def test_control_codes_are_blanks_and_keep_the_columns():
    line = mended(Line(text="80\x00 \x1b[1m%", number=1))

    assert line.text == "80   [1m%"


def test_embedded_images_are_gone(tmp_path):
    image = "![a](data:image/png;base64," + "iVBORw0KGgo123" * 10_000 + ") accuracy 80.5"
    (tmp_path / "a.md").write_text(image)

    lines, problems = texts(tmp_path / "a.md")

    assert lines == ["![a](data:) accuracy 80.5"]
    assert problems == ()


def test_a_line_that_is_too_long_is_cut_and_named(tmp_path):
    (tmp_path / "a.txt").write_text("x" * 5000 + "\nnext")

    lines, problems = texts(tmp_path / "a.txt", line=100)

    assert [len(line) for line in lines] == [100, 4]
    assert "line 1 has 5,000 characters" in problems[0].message


def test_a_file_with_too_many_lines_is_cut_and_named(tmp_path):
    (tmp_path / "a.txt").write_text("\n".join(map(str, range(50))))

    lines, problems = texts(tmp_path / "a.txt", lines=20)

    assert len(lines) == 20
    assert "its last 30 lines were left out" in problems[0].message


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "holds no text"), (b" \n\x00\n", "holds no text"), (bytes(range(256)) * 50, "no text")],
)
def test_what_is_no_text_is_refused(content, why, tmp_path):
    (tmp_path / "a.txt").write_bytes(content)

    with pytest.raises(EvidenceError, match=why) as caught:
        read_text(tmp_path / "a.txt", Limits())
    assert caught.value.remedy


def test_a_file_that_is_too_large_is_not_opened(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x" * 1001)

    with pytest.raises(EvidenceError, match=r"1,001 bytes, more than the 1,000"):
        read_text(tmp_path / "a.txt", Limits(bytes=1000))


def test_what_is_no_file_is_named(tmp_path):
    with pytest.raises(EvidenceError, match="does not exist"):
        read_text(tmp_path / "none.txt", Limits())
    with pytest.raises(EvidenceError, match="is no file"):
        read_text(tmp_path, Limits())
    with pytest.raises(EvidenceError, match="cannot be read"):
        read_text(tmp_path / ("a" * 5000), Limits())
