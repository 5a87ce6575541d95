"""A figure of the author's own and the model's diagram, from the study file to every format."""

import io
import re
import shutil
from pathlib import Path

import pypdf
import pytest
from fakes.command import reportgen

STUDY = """
[runs]
path = "logs"

[[section]]
file = "my_section.py"
after = "results"
"""


@pytest.fixture
def home(tmp_path: Path, project: Path) -> Path:
    shutil.copytree(project / "inputs" / "tiny-reviews-hf" / "logs", tmp_path / "logs")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    page = (project / "docs" / "how-to" / "own-figures.md").read_text("utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "my_section.py").write_text(program, encoding="utf-8")
    return tmp_path


def alternatives(pdf: Path) -> list[str]:
    """Return what a PDF says of its figures."""
    found: list[str] = []

    def walk(node: object) -> None:
        node = node.get_object()
        if isinstance(node, list):
            for kid in node:
                walk(kid)
        elif isinstance(node, dict):
            if node.get("/S") == "/Figure":
                found.append(str(node.get("/Alt")))
            if "/K" in node:
                walk(node["/K"])

    walk(pypdf.PdfReader(io.BytesIO(pdf.read_bytes())).trailer["/Root"]["/StructTreeRoot"]["/K"])
    return found


@pytest.mark.slow
def test_the_figure_of_the_documentation_is_drawn_in_every_format(home):
    done = reportgen(
        "build", "study.toml", "--out", "out", "--format", "pdf,tex,typ,md,html,json", cwd=home
    )
    assert done.code == 0, done.err
    out = home / "out"
    assert "ends.means.svg" in (out / "report.md").read_text("utf-8")
    assert "ends.means.pdf" in (out / "report.tex").read_text("utf-8")
    page = (out / "report.html").read_text("utf-8")
    assert "Where each group ends" in page
    assert 'aria-labelledby="ends.means:title ends.means:desc"' in page
    said = alternatives(out / "report.pdf")
    assert any("tiny-roberta-lr1e-3: " in alt for alt in said)
    assert any("from its input to its output" in alt for alt in said)
    drawing = next(out.rglob("ends.means.svg")).read_bytes()
    assert b"<style" not in drawing
    assert b"<metadata" not in drawing
