"""Reports built once for all tests of this folder."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from fakes.command import reportgen


@pytest.fixture(scope="session")
def built(lab: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lab's report by the embedded engine."""
    folder = tmp_path_factory.mktemp("typst")
    done = reportgen("build", lab / "study.toml", "--out", "out/report.pdf", cwd=folder)
    assert done.code == 0, done.err
    return folder / "out"


@pytest.fixture(scope="session")
def built_latex(lab: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lab's report by pdflatex."""
    if shutil.which("pdflatex") is None and not os.environ.get("REPORTGEN_REQUIRE_LATEX"):
        pytest.skip("pdflatex is not installed")
    folder = tmp_path_factory.mktemp("latex")
    done = reportgen(
        *("build", lab / "study.toml", "--out", "out/report.pdf", "--engine", "latex"), cwd=folder
    )
    assert done.code == 0, done.err
    return folder / "out"


@pytest.fixture(scope="session")
def report(built: Path) -> dict[str, Any]:
    """The sample lab's report.json."""
    return json.loads((built / "report.json").read_bytes())
