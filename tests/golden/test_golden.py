"""Reports a reviewer can open, and an independent reader who adds them up again.

`make golden` writes the folders anew; the difference is then read like code.
"""

from __future__ import annotations

import math
import os
import re
import statistics
from pathlib import Path

import pytest
from fakes.command import reportgen

HERE = Path(__file__).resolve().parent
LABS = {"roberta-small-fr": ("study.toml",), "tiny-reviews-hf": ()}


@pytest.mark.parametrize("lab", LABS)
def test_the_report_is_the_golden_one(project, tmp_path, lab):
    place = project / "inputs" / lab
    source = [place / name for name in LABS[lab]] or ["--runs", place]
    done = reportgen("build", *source, "--out", "report.md", cwd=tmp_path)
    assert done.code == 0, done.err
    made = (tmp_path / "report.md").read_text(encoding="utf-8")
    # The version of the engine is a fact about the machine, not about the report.
    made = re.sub(r"typst \d+\.\d+\.\d+", "typst X", made)
    golden = HERE / lab / "report.md"
    if os.environ.get("REPORTGEN_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(made, encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8")


def tables(lab: str) -> dict[str, list[list[str]]]:
    """Return the tables of a golden report by the start of their captions."""
    found: dict[str, list[list[str]]] = {}
    caption = ""
    for line in (HERE / lab / "report.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r".*\*\*Table \d+\.?\*\*\s*(.*)", line):
            caption = heading.group(1)
        elif line.startswith("|"):
            cells = [re.sub(r"[*\\]|<[^>]*>", "", c).strip() for c in line.strip("|").split("|")]
            found.setdefault(caption, []).append(cells)
    return found


def table(lab: str, caption: str) -> list[list[str]]:
    return next(rows for name, rows in tables(lab).items() if caption in name)


def value(cell: str) -> float:
    return float(cell.replace(",", "").replace("−", "-").split("±")[0])


def spread(cell: str) -> float:
    return float(cell.split("±")[1])


def test_the_ledger_adds_up():
    rows = table("roberta-small-fr", "Parameter ledger")
    counts = [value(row[2]) for row in rows[2:-1]]
    stored = [value(row[3]) for row in rows[2:-1]]
    assert sum(counts) == value(rows[-1][2]) == 23_388_418
    assert sum(stored) == value(rows[-1][3]) == 23_388_418
    assert [row[4] for row in rows[2:]] == ["0"] * len(rows[2:])


@pytest.mark.parametrize("lab", LABS)
def test_means_and_deviations_follow_from_the_printed_cells(lab):
    rows = table(lab, "Best validation step of each run")[2:]
    values: list[list[float]] = []
    summaries = 0
    for row in rows:
        cells = row[-3:]
        if "±" in cells[-1]:
            for column, cell in enumerate(cells):
                each = [v[column] for v in values]
                digits = len(cell.split("±")[0].strip().partition(".")[2])
                half = 0.5 * 10**-digits + 1e-9
                assert abs(value(cell) - statistics.fmean(each)) <= half
                assert abs(spread(cell) - statistics.stdev(each)) <= half
            values, summaries = [], summaries + 1
        elif cells[-1]:
            values.append([value(cell) for cell in cells])
    assert summaries >= 2


def test_the_difference_follows_from_the_pairs():
    rows = table("roberta-small-fr", "seed by seed")[2:]
    pairs = [[value(cell) for cell in row[1:]] for row in rows]
    assert all(math.isclose(a - b, d, abs_tol=1e-9) for a, b, d in pairs[:-1])
    mean = statistics.fmean(d for _, _, d in pairs[:-1])
    assert math.isclose(pairs[-1][2], mean, abs_tol=0.005)
