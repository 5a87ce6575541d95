"""One readable example of every findings format.

`make golden` writes the files anew; the difference is then read like code.
"""

import base64
import json
import os
from decimal import Decimal
from pathlib import Path

import pytest
from fakes.pinned import ANEW
from fakes.reviews import empty, every_outcome, unreadable

from reportgen import __version__
from reportgen.checking.projections import FINDINGS, Rendering, class_csv, summary
from reportgen.records.verdict import Rubric, RubricLine

HERE = Path(__file__).resolve().parent / "findings"
RUBRIC = Rubric(
    title="Lab report",
    lines=(
        RubricLine(
            id="results",
            title="Results stand in the logs",
            points=Decimal(6),
            rules=("series", "column"),
            error=Decimal("1.5"),
        ),
        RubricLine(id="rest", title="Everything else", points=Decimal(4), warning=Decimal("0.25")),
    ),
)
OPTIONS = Rendering(rubric=RUBRIC, verbose=True)
ONE = (every_outcome(),)
CLASS = (every_outcome("ana/report.md"), unreadable("ben/report.pdf"), empty("eve/report.md"))
NAMED = Rendering(rubric=RUBRIC, names=("ana", "ben", "eve"))
FILES = {
    "findings.txt": lambda: FINDINGS.load("text")(ONE, OPTIONS),
    "findings.json": lambda: FINDINGS.load("json")(ONE, OPTIONS),
    "junit.xml": lambda: FINDINGS.load("junit")(ONE, OPTIONS),
    "findings.sarif": lambda: FINDINGS.load("sarif")(ONE, OPTIONS),
    "annotations.txt": lambda: FINDINGS.load("github")(ONE, OPTIONS),
    "summary.md": lambda: summary(CLASS, NAMED),
    "gl-code-quality-report.json": lambda: FINDINGS.load("gitlab")(CLASS, NAMED),
    "gradescope.json": lambda: FINDINGS.load("gradescope")(ONE, OPTIONS),
    "classroom.json": lambda: readable(FINDINGS.load("classroom")(ONE, OPTIONS)),
    "findings.html": lambda: FINDINGS.load("html")(ONE, OPTIONS),
    "class.csv": lambda: class_csv(CLASS, NAMED),
}


def readable(line: str) -> str:
    return json.dumps(json.loads(base64.b64decode(line)), ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("name", FILES)
def test_the_format_is_the_golden_one(name):
    made = FILES[name]().replace(__version__, "X.Y.Z")
    golden = HERE / name
    if os.environ.get("REPORTGEN_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(made, encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8"), ANEW


def test_every_format_has_an_example():
    assert len(FILES) == len(FINDINGS) + 2
    assert {path.name for path in HERE.iterdir()} == set(FILES)
