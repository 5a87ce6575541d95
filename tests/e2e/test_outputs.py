"""What each form of `--out` writes, and that it is what it says."""

import io
import json
import os
import shutil
import zipfile

import pytest
from fakes.command import reportgen, run_to_end


def written(folder):
    return {p.name for p in folder.iterdir() if p.is_file()}


@pytest.mark.parametrize(
    ("out", "names"),
    [
        ("o/report.pdf", {"report.pdf", "report.tex", "report.md", "report.html", "report.json"}),
        ("o/", {"report.pdf", "report.tex", "report.md", "report.html", "report.json"}),
        ("o/lab.html", {"lab.html", "lab.json"}),
        ("o/lab.md", {"lab.md", "lab.json"}),
        ("o/lab.json", {"lab.json"}),
        ("o/lab.zip", {"lab.zip", "lab.json"}),
    ],
)
def test_the_name_decides(small_lab, tmp_path, out, names):
    done = reportgen("build", "--runs", small_lab, "--out", out, "--quiet", cwd=tmp_path)
    assert done.code == 0, done.err
    assert done.out == ""
    assert written(tmp_path / "o") == names


def test_formats_by_name(small_lab, tmp_path):
    reportgen(*("build", "--runs", small_lab, "--out", "o", "--format", "typ,json"), cwd=tmp_path)
    assert written(tmp_path / "o") == {"report.typ", "report.json"}


def test_the_outcome_as_json(small_lab, tmp_path):
    done = reportgen(*("build", "--runs", small_lab, "--out", "o/r.json", "--json"), cwd=tmp_path)
    outcome = json.loads(done.out)
    assert outcome["files"] == ["o/r.json"]
    assert outcome["exit_code"] == 0
    assert any(d["key"] == "metric.name" and d["reason"] for d in outcome["decisions"])


@pytest.mark.latex
def test_the_bundle_compiles_where_there_is_a_tex(small_lab, tmp_path):
    if not shutil.which("pdflatex"):
        assert not os.environ.get("REPORTGEN_REQUIRE_LATEX"), "pdflatex is not installed"
        pytest.skip("pdflatex is not installed")
    reportgen("build", "--runs", small_lab, "--out", "lab.zip", cwd=tmp_path)
    with zipfile.ZipFile(io.BytesIO((tmp_path / "lab.zip").read_bytes())) as bundle:
        bundle.extractall(tmp_path / "tex")
    for _ in range(3):
        done = run_to_end(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "lab.tex"],
            cwd=tmp_path / "tex",
            errors="replace",
        )
        assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "tex" / "lab.log").read_text(errors="replace")
    assert "Overfull" not in log
    assert "undefined" not in log
