"""The wheel holds the package and its templates, nothing else; the sdist makes the same one."""

import importlib.util
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from reportgen.cli import COMMANDS

PARTS = (
    *("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "Makefile", "constraints.txt"),
    *("reportgen", "templates", "docs", "inputs", "tests"),
)
# A moment in the past, whose parts no clock would give by chance.
EPOCH = "1234567890"


def build(source: Path, kind: str, out: Path) -> Path:
    """Build one artifact of a source tree."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", out],
        cwd=source,
        check=True,
        capture_output=True,
        env={"SOURCE_DATE_EPOCH": EPOCH},
    )
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def built(project: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The wheel, the sdist, and the wheel of the unpacked sdist."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed (extra: test)")
    home = tmp_path_factory.mktemp("source")
    source = home / "source"
    source.mkdir()
    for part in PARTS:
        path = project / part
        if path.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".*cache")
            shutil.copytree(path, source / part, ignore=ignored)
        else:
            shutil.copy(path, source)
    sdist = build(source, "sdist", home / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(home / "unpacked", filter="data")
    (unpacked,) = (home / "unpacked").iterdir()
    return build(source, "wheel", home / "dist"), sdist, build(unpacked, "wheel", home / "again")


@pytest.fixture(scope="module")
def wheel_names(built: tuple[Path, Path, Path]) -> set[str]:
    with zipfile.ZipFile(built[0]) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def metadata(built: tuple[Path, Path, Path]):
    with zipfile.ZipFile(built[0]) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


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
    ends = (".dist-info", ".data")
    assert {folder for folder in folders if not folder.endswith(ends)} == {"reportgen"}
    assert not [name for name in wheel_names if "test" in Path(name).parts]


def test_the_wheel_holds_a_manual_page_of_each_command(wheel_names: set[str]) -> None:
    shared = {name.partition(".data/")[2] for name in wheel_names if ".data/" in name}
    commands = {"reportgen", *(f"reportgen-{name}" for name in COMMANDS)}
    # There `man` looks where the folder of programs beside `share` is on the path.
    assert shared == {f"data/share/man/man1/{name}.1" for name in commands}


def test_the_wheel_is_typed_and_licensed(wheel_names: set[str]) -> None:
    assert "reportgen/py.typed" in wheel_names
    assert any(name.endswith("licenses/LICENSE") for name in wheel_names)


def test_a_name_differs_from_every_other_in_more_than_case(wheel_names: set[str]) -> None:
    # macOS and Windows would unpack one over the other.
    assert len({name.casefold() for name in wheel_names}) == len(wheel_names)
    # Windows takes 260 characters, of which folders of its own take some 100.
    assert max(map(len, wheel_names)) < 100


def test_the_sdist_makes_the_same_wheel_byte_by_byte(built: tuple[Path, Path, Path]) -> None:
    wheel, _, again = built
    assert wheel.name == again.name
    assert wheel.read_bytes() == again.read_bytes()


def test_the_sdist_holds_what_its_tests_need(built: tuple[Path, Path, Path]) -> None:
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        moments = {member.mtime for member in archive.getmembers()}
    assert {"tests/conftest.py", "constraints.txt", "Makefile", "LICENSE", "PKG-INFO"} <= names
    assert any(name.startswith("inputs/roberta-small-fr/logs/") for name in names)
    assert moments == {int(EPOCH)}


def test_the_metadata_is_that_of_the_project(metadata, project: Path) -> None:
    declared = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata["Name"] == declared["name"]
    assert metadata["Summary"] == declared["description"]
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata["License-Expression"] == "MIT"
    assert set(metadata.get_all("Provides-Extra")) == set(declared["optional-dependencies"])
    # Of every Python that CI runs, and of no other.
    workflow = (project / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    versions = [c.rpartition(" ")[2] for c in metadata.get_all("Classifier") if ":: 3." in c]
    assert f"python: {versions}".replace("'", '"') in workflow
