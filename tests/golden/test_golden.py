"""Reports a reviewer can open, and a reader of their Markdown who adds them up again.

`make golden` writes the folders anew; the difference is then read like code. Each folder holds a
report as it is handed out; of one lab it is there in every format.
"""

import html
import json
import math
import os
import re
import statistics
from pathlib import Path

import pytest
from fakes.command import reportgen
from fakes.pinned import ANEW
from fakes.readback import pdf_text

HERE = Path(__file__).resolve().parent
LABS = {"roberta-small-fr": ("study.toml",), "tiny-reviews-hf": ()}
FORMATS = {
    "roberta-small-fr": ("md",),
    "tiny-reviews-hf": ("md", "tex", "typ", "html", "json", "pdf"),
}
OF_ONE_VERSION = """
import sys
import reportgen
reportgen.__version__ = "0.1.0"
from reportgen.cli import main
sys.exit(main())
"""
"""The program under the version that the golden reports name, so that a release changes none."""
PRINTED = [(lab, ending) for lab, endings in FORMATS.items() for ending in endings]


@pytest.fixture(scope="module")
def built(project, tmp_path_factory):
    """The folder of each lab's report, made once."""
    folders = {}
    for lab, names in LABS.items():
        place, folder = project / "inputs" / lab, tmp_path_factory.mktemp(lab)
        source = [place / name for name in names] or ["--runs", place]
        endings = ",".join(FORMATS[lab])
        asked = ("--out", "./", "--format", endings)
        done = reportgen("build", *source, *asked, cwd=folder, program=OF_ONE_VERSION)
        assert done.code == 0, done.err
        folders[lab] = folder
    return folders


@pytest.mark.parametrize(("lab", "ending"), PRINTED)
def test_the_report_is_the_golden_one(built, lab, ending):
    made, golden = built[lab] / f"report.{ending}", HERE / lab / f"report.{ending}"
    if os.environ.get("REPORTGEN_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(_neutral(made.read_bytes(), ending))
    if ending == "pdf":  # another release of the engine may write other bytes for the same pages
        assert pdf_text(made).split() == pdf_text(golden).split(), ANEW
    else:
        assert _neutral(made.read_bytes(), ending).decode() == golden.read_text("utf-8"), ANEW


def _neutral(content: bytes, ending: str) -> bytes:
    """Take out versions and digests, which are facts about a machine, not about the report."""
    if ending == "pdf":
        return content
    text = re.sub(r"typst \d+\.\d+\.\d+", "typst X", content.decode())
    return text.encode()


def table(lab: str, caption: str) -> list[list[str]]:
    """Return the rows of the pipe table whose bold caption begins so, without signs of markup."""
    found: list[list[str]] = []
    inside = False
    for line in (HERE / lab / "report.md").read_text("utf-8").splitlines():
        if heading := re.match(r".*\*\*Table\s\d+\.?\*\*\s*(.*)", line):
            inside = heading.group(1).startswith(caption)
        elif inside and line.startswith("|") and not re.fullmatch(r"[|:\- ]+", line):
            cells = re.split(r"(?<!\\)\|", line.strip("|"))
            found.append([re.sub(r"[*\\]|<[^>]*>", "", html.unescape(c)).strip() for c in cells])
    return found


def value(cell: str) -> float:
    return float(cell.replace(",", "").replace("−", "-").split("±")[0])


def spread(cell: str) -> float:
    return float(cell.split("±")[1])


def is_number(cell: str) -> bool:
    return bool(re.fullmatch(r"[+−]?\d[\d,]*(\.\d+)?", cell))


def test_the_ledger_adds_up():
    rows = table("roberta-small-fr", "Parameters by kind of tensor")[1:]
    assert sum(value(row[2]) for row in rows[:-1]) == value(rows[-1][2]) == 23_388_418
    assert sum(value(row[3]) for row in rows[:-1]) == value(rows[-1][3]) == 23_388_418
    assert [row[4] for row in rows] == ["0"] * len(rows)


def results(lab: str) -> tuple[list[list[str]], list[str]]:
    """Return the rows of the table of results, one a seed, and that of means."""
    rows = table(lab, "Accuracy (%) of each run at the epoch with the best validation")
    return [row for row in rows if is_number(row[0])], next(r for r in rows if r[0] == "mean")


@pytest.mark.parametrize("lab", FORMATS)
def test_means_and_deviations_follow_from_the_printed_cells(lab):
    seeds, means = results(lab)
    assert len(seeds) == 3
    told = [cell for cell in means if "±" in cell]
    for column, cell in zip((3, 6), told, strict=True):
        each = [value(row[column]) for row in seeds]
        digits = len(cell.split("±")[0].strip().partition(".")[2])
        half = 0.5 * 10**-digits + 1e-9
        assert abs(value(cell) - statistics.fmean(each)) <= half
        assert abs(spread(cell) - statistics.stdev(each)) <= half


@pytest.mark.parametrize("lab", FORMATS)
def test_the_difference_follows_from_the_pairs(lab):
    seeds, _ = results(lab)
    rows = table(lab, "Test accuracy, ")
    (told,) = [row[1] for row in rows if row[0] == "Difference"]
    # The groups of the table stand in the order of the report, the better one may be the second.
    pairs = [value(row[3]) - value(row[6]) for row in seeds]
    assert math.isclose(value(told.split()[0]), abs(statistics.fmean(pairs)), abs_tol=0.06)


def test_the_json_adds_up():
    report = json.loads((HERE / "tiny-reviews-hf" / "report.json").read_text("utf-8"))
    for group in report["groups"]:
        values = [run["report_value"] for run in group["runs"]]
        assert group["n"] == len(values) == 3
        assert math.isclose(group["mean"], statistics.fmean(values), rel_tol=1e-12)
        assert math.isclose(group["std"], statistics.stdev(values), rel_tol=1e-9)
    for number in report["numbers"]:
        if number.get("unit") == "count" and number["value"] is not None:
            assert float(number["printed"].replace(",", "")) == number["value"], number["id"]
