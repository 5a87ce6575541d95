"""The documentation as a site: nothing is left out of it, and what is made from code is whole."""

import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from fakes.browser import BROWSER
from PIL import Image

import reportgen
from reportgen.cli import COMMANDS
from reportgen.records.registry import Registry


def module(project: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, project / "docs" / "_site" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def generated(project: Path) -> ModuleType:
    return module(project, "generated")


@pytest.fixture(scope="module")
def reference(project: Path) -> ModuleType:
    return module(project, "reference")


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


def test_the_reference_is_the_one_that_is_made(project: Path, reference: ModuleType) -> None:
    for place, text in reference.pages():
        written = (project / "docs" / place).read_text(encoding="utf-8")
        assert written == text, f"docs/{place} is an old one: make manual"


def test_every_command_and_every_public_name_has_its_place(reference: ModuleType) -> None:
    made = dict(reference.pages())
    heads = re.findall(r"^## (\w+)$", made["reference/commands.md"], re.MULTILINE)
    assert heads == list(COMMANDS)
    assert made["reference/commands.md"].count("usage: reportgen") == len(COMMANDS)
    named = re.findall(r"^(?:### |\| `)(\w+)", made["reference/python.md"], re.MULTILINE)
    assert sorted(named) == sorted(reportgen.__all__)


def test_every_table_is_shown(project: Path, reference: ModuleType) -> None:
    shown = "".join(text for _, text in reference.pages())
    for path in (project / "reportgen").rglob("__init__.py"):
        for name in re.findall(r"^([A-Z_]+) = Registry\(", path.read_text("utf-8"), re.MULTILINE):
            place = ".".join(path.relative_to(project).parent.parts)
            table = getattr(importlib.import_module(place), name)
            assert isinstance(table, Registry)
            marks = ("| `{}` |", "## {}\n")
            missing = [k for k in table if not any(mark.format(k) in shown for mark in marks)]
            assert missing == [], f"{place}:{name}"


def prose(page: Path) -> int:
    """Words of a page: without code, comments and the rules of tables."""
    text = re.sub(r"^```.*?^```\n", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).replace("|", " ")
    return len(re.findall(r"\S*\w\S*", text))


def test_the_documentation_can_be_read_in_an_afternoon(project: Path) -> None:
    pages = [path for path in (project / "docs").rglob("*.md") if path.parent.name != "adr"]
    assert sum(map(prose, [project / "README.md", *pages])) <= 20_000


def test_the_first_screen_has_its_pictures(project: Path) -> None:
    readme = (project / "README.md").read_text("utf-8")
    shown = re.findall(r'<img src="([^"]+)" alt="[^"]{20,}"', readme)
    assert shown == ["docs/pictures/page.png", "docs/pictures/evidence.png"]
    for name in shown:
        picture = (project / name).read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) < 80_000


@pytest.mark.looks
def test_the_pictures_are_taken_of_a_real_report(project: Path, tmp_path: Path) -> None:
    if not BROWSER or importlib.util.find_spec("PIL") is None:
        pytest.skip("no browser is installed")
    script = project / "docs" / "_site" / "gallery.py"
    environment = {**os.environ, "REPORTGEN_CACHE": str(tmp_path / "cache")}
    subprocess.run([sys.executable, script, tmp_path], check=True, env=environment)
    for name in ("page.png", "evidence.png"):
        shown = project / "docs" / "pictures" / name
        with Image.open(tmp_path / name) as taken, Image.open(shown) as kept:
            assert taken.size == kept.size
            assert len(taken.getcolors()) > 20, "a picture of nothing"


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
