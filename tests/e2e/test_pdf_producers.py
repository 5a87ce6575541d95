"""PDFs as LaTeX, Typst, a browser and matplotlib make them, read back."""

import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.read.documents import Limits, read_document
from reportgen.records.manuscript import Manuscript

ROWS = rows_beside(__file__)

DIGITS = re.compile(r"\d+")

ARTICLE = ROWS["article"]

FRENCH = ROWS["french"]

TYPST = ROWS["typst"]

PAGE = ROWS["page"]


def texts(found: Manuscript, kind: str = "") -> str:
    return "\n".join(b.text for b in found.blocks if not kind or b.type == kind)


def tables(found: Manuscript) -> list[list[list[str]]]:
    return [[[c.text for c in row] for row in b.rows] for b in found.blocks if b.type == "table"]


def check_numbers(path: Path, found: Manuscript, dropped: str) -> None:
    """Hold the digits against poppler's, but for what is meant to be dropped."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, check=True)
    theirs = Counter(re.sub(r"512(?=2\b)", "512 ", done.stdout.decode()).split())
    theirs = Counter(n for word, times in theirs.items() for n in DIGITS.findall(word) * times)
    mine = Counter(DIGITS.findall(texts(found)))
    assert mine - theirs == Counter()
    assert theirs - mine == Counter(dropped.split())


def latex(source: str, folder: Path, *, again: bool = True) -> Path:
    if shutil.which("pdflatex") is None and not os.environ.get("REPORTGEN_REQUIRE_LATEX"):
        pytest.skip("pdflatex is not installed")
    (folder / "report.tex").write_text(source)
    for _ in range(1 + again):
        command = ["pdflatex", "-interaction=batchmode", "report.tex"]
        subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=True)
    return folder / "report.pdf"


def draw_curve(path: Path) -> None:
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3, 2))
    FigureCanvasPdf(figure)
    axes = figure.add_subplot()
    axes.plot([100, 200, 300], [79.5, 81.25, 80.5])
    axes.set_ylabel("Accuracy (%)")
    figure.savefig(path)


@pytest.mark.latex
def test_an_article_of_two_columns(tmp_path: Path):
    draw_curve(tmp_path / "curve.pdf")
    found = read_document(latex(ARTICLE, tmp_path), Limits())
    text = texts(found).replace("\u202f", " ")
    for wanted in (
        "78.5 ± 0.4 % over",
        "d_model = 512",
        "= 16,384,000",
        "4d_model^2",
        "4 · 512^2 = 1,048,576",
        "131 072 of",
        "10^{−5}",
        "misinterpretations",
        "internationalisation",
        "seed 1. The offline",
        "4(4 × 512^2 + 2 × 512^2)",
        "L (4d^2 + 2dd_ff)",
        "α/r = 32/16 = 2",
        "√(512/8) = 8",
        "the best value is 81.25",
    ):
        joined = re.sub(r"\s+", " ", text)
        assert wanted in joined, wanted
    own, wide = sorted(tables(found), key=lambda rows: len(rows[0]))
    assert own[-1] == ["Random", "0", "65.50", "64.25"]
    assert wide[-2] == ["Pretrained, fairseq", "80.33", "0.80", "78.50", "0.55", "1800"]
    # Columns are read whole: the introduction does not run into the other column.
    assert text.index("Introduction") < text.index("1,048,576") < text.index("1,800")
    assert "79.50" not in text


@pytest.mark.latex
def test_decimal_commas_and_accents_of_bitmap_fonts(tmp_path: Path):
    path = latex(FRENCH, tmp_path)
    found = read_document(path, Limits())
    assert "Le modèle pré-entraîné atteint 75,4 % d’exactitude (écart-type : 0,8" in texts(found)
    assert "22\u202f807\u202f552" in texts(found)
    assert tables(found)[0][1:] == [["0", "1 800", "79,50 %", "75,40 %"],
                                    ["1", "900", "80,00 %", "74,95 %"]]  # fmt: skip
    check_numbers(path, found, dropped="1")


def test_typst(tmp_path: Path):
    typst = pytest.importorskip("typst")
    (tmp_path / "report.typ").write_text(TYPST)
    path = tmp_path / "report.pdf"
    typst.compile(tmp_path / "report.typ", output=path)
    found = read_document(path, Limits())
    text = texts(found).replace("\u202f", " ")
    assert "75.4 % on test, and 78.5 ± 0.4" in text
    for wanted in ("4 ⋅ 512^2", "1 048 576", "d_model^2", "10^{−5}", "α/r = 32/16 = 2",
                   "L(4d^2 + 2dd_ff) = 22 675 456"):  # fmt: skip
        assert wanted in re.sub(r"\s+", " ", text), wanted
    assert tables(found)[0][1] == ["Pretrained", "0", "80.00", "78.50"]
    # `1 / 1` at the foot, and the mark of the footnote, there and here.
    check_numbers(path, found, dropped="1 1 1 1")


def test_a_browsers_print(tmp_path: Path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no browser is installed")
    (tmp_path / "page.html").write_text(PAGE)
    path = tmp_path / "report.pdf"
    command = [browser, "--headless", "--no-sandbox", f"--print-to-pdf={path}", "page.html"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=True)
    found = read_document(path, Limits())
    text = re.sub(r"\s+", " ", texts(found))
    for wanted in ("4 × 512^2 = 1", "d_model = 512", "−0.35", "Figure 1: Accuracy of 81.25"):
        assert wanted in text, wanted
    assert tables(found)[0][1] == ["Pretrained model of long name", "0", "80.00", "78.50"]
    assert "81.0" not in text
    assert "file:" not in text


def test_a_table_that_matplotlib_drew(tmp_path: Path):
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure

    figure = Figure()
    FigureCanvasPdf(figure)
    axes = figure.add_subplot()
    axes.axis("off")
    axes.table([["80.00", "78.50"], ["81.25", "79.05"]], rowLabels=["seed 0", "seed 1"],
               colLabels=["Valid", "Test"], loc="center")  # fmt: skip
    axes.text(0.1, 0.9, "$512^2$ = 262144 and a rate of $10^{-5}$")
    path = tmp_path / "report.pdf"
    figure.savefig(path)
    found = read_document(path, Limits())
    assert tables(found)[0] == [["", "Valid", "Test"], ["seed 0", "80.00", "78.50"],
                                ["seed 1", "81.25", "79.05"]]  # fmt: skip
    assert "512^2 = 262144 and a rate of 10^{−5}" in texts(found)
    check_numbers(path, found, dropped="")
