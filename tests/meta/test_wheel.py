"""The wheel holds the package and its templates, and nothing else."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PARTS = ("pyproject.toml", "README.md", "LICENSE", "reportgen", "templates")


@pytest.fixture(scope="module")
def wheel_names(project: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed (extra: test)")
    source = tmp_path_factory.mktemp("source")
    for part in PARTS:
        path = project / part
        if path.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(path, source / part, ignore=ignored)
        else:
            shutil.copy(path, source)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", source / "dist"],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (wheel,) = (source / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_module(wheel_names: set[str], project: Path) -> None:
    modules = {
        path.relative_to(project).as_posix() for path in (project / "reportgen").rglob("*.py")
    }
    assert modules == {name for name in wheel_names if name.endswith(".py")}


def test_the_wheel_holds_every_template(wheel_names: set[str], project: Path) -> None:
    folder = project / "templates"
    templates = {
        f"reportgen/_templates/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert any(name.endswith("report.j2") for name in templates)
    assert templates == {name for name in wheel_names if name.startswith("reportgen/_templates/")}


def test_the_wheel_holds_nothing_else(wheel_names: set[str]) -> None:
    folders = {name.split("/")[0] for name in wheel_names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"reportgen"}
