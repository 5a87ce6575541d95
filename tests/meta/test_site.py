"""The documentation as a site: nothing is left out of it, and what is made from code is whole."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import reportgen
from reportgen.cli import COMMANDS
from reportgen.registry import Registry


@pytest.fixture(scope="module")
def generated(project: Path) -> ModuleType:
    place = project / "docs" / "_site" / "generated.py"
    spec = importlib.util.spec_from_file_location("generated", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def listed(part: object) -> set[str]:
    """The pages that a menu of mkdocs names."""
    if isinstance(part, str):
        return {part}
    return set().union(*map(listed, part.values() if isinstance(part, dict) else part))


def test_the_menu_names_every_page(project: Path, generated: ModuleType) -> None:
    settings = (project / "mkdocs.yml").read_text(encoding="utf-8")
    menu = listed(yaml.safe_load(settings)["nav"])
    docs = project / "docs"
    pages = {str(page.relative_to(docs)) for page in docs.rglob("*.md")}
    decisions = {page for page in pages if page.startswith("adr/")}
    made = {address for address, _ in generated.pages()}
    top = {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
    assert menu - {"adr/"} == (pages - decisions) | made | top


def test_every_command_and_every_public_name_has_its_place(generated: ModuleType) -> None:
    made = dict(generated.pages())
    heads = re.findall(r"^## (\w+)$", made["reference/commands.md"], re.MULTILINE)
    assert heads == list(COMMANDS)
    assert made["reference/commands.md"].count("usage: reportgen") == len(COMMANDS)
    assert made["reference/python.md"].count("::: reportgen.") == len(reportgen.__all__)


def test_every_table_of_plug_ins_is_shown(project: Path, generated: ModuleType) -> None:
    found = {
        f"{'.'.join(path.relative_to(project).parent.parts)}:{name}"
        for path in (project / "reportgen").rglob("__init__.py")
        for name in re.findall(r"^([A-Z_]+) = Registry\(", path.read_text("utf-8"), re.MULTILINE)
    }
    assert isinstance(COMMANDS, Registry)
    assert found - {"reportgen.cli:COMMANDS"} == set(generated.TABLES.values())


def test_the_site_is_built_without_a_warning(project: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("the extra `docs` is not installed; `make site` has it, in CI too")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        fetched = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', page.read_text())
        assert not fetched, page
