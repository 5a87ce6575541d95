"""A release: one version, one name and one address in every file; a list of changes; packages."""

import fnmatch
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from reportgen import __version__
from reportgen.records.errors import DISTRIBUTION

ON_CONDA = {"matplotlib": "matplotlib-base", "typst": "typst-py"}
OTHER = re.compile(
    r"(?:pip|pipx|uv tool|uv pip) install (?:-\S+ )*[\"']?reportgen(?![-\w@./])"
    r"|uvx (?:--from )?[\"']?reportgen(?:\[|==| |$)|pip install [^\n`]*\breportgen\[",
    re.MULTILINE,
)
"""What would install the project that has the name `reportgen` on the package index."""


def release(folder: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, folder / ".ci" / "release.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(project: Path, tmp_path: Path) -> Path:
    """What a release changes, as a checkout of its own."""
    shutil.copytree(project / ".ci", tmp_path / ".ci")
    for part in ("docs", "integrations", "packaging", ".github"):
        shutil.copytree(project / part, tmp_path / part)
    for name in ("CHANGELOG.md", "CITATION.cff", "pyproject.toml", "README.md"):
        shutil.copy(project / name, tmp_path)
    (tmp_path / "reportgen").mkdir()
    shutil.copy(project / "reportgen" / "__init__.py", tmp_path / "reportgen")
    return tmp_path


def test_every_file_names_this_version_and_this_repository(project: Path) -> None:
    assert release(project, "--check", f"v{__version__}") == (0, "")
    code, said = release(project, "--check", "v9.9.9")
    assert (code, said) == (1, f"the tag is v9.9.9, the version {__version__}\n")


def test_the_next_version_and_an_owner_are_set_everywhere(copy: Path) -> None:
    changes = copy / "CHANGELOG.md"
    text = changes.read_text("utf-8")
    before, _, behind = text.partition("## [Unreleased]\n")
    behind = behind[behind.index("\n## [") :]
    changes.write_text(f"{before}## [Unreleased]\n\n- One thing.\n{behind}", encoding="utf-8")
    assert release(copy, "--version", "9.8.7", "--owner", "somebody") == (0, "")
    assert release(copy, "--check", "v9.8.7") == (0, "")
    assert release(copy, "--notes") == (0, "- One thing.\n")
    page = (copy / "docs" / "how-to" / "ci.md").read_text("utf-8")
    assert "uses: somebody/reportgen@v9.8.7" in page
    assert 'Homepage = "https://github.com/somebody/reportgen"' in (
        copy / "pyproject.toml"
    ).read_text("utf-8")


def test_a_file_that_was_forgotten_is_named(copy: Path) -> None:
    cited = copy / "CITATION.cff"
    cited.write_text(cited.read_text("utf-8").replace(f"version: {__version__}", "version: 0.0.1"))
    code, said = release(copy, "--check")
    assert (code, said) == (1, f"CITATION.cff names 0.0.1, not {__version__}\n")


def test_the_changes_are_a_short_line_each(project: Path) -> None:
    text = (project / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert versions[0] == ("Unreleased", "")
    assert versions[1][0] == __version__
    assert all(date for _, date in versions[1:])
    lines = re.findall(r"^- (.+)$", text, re.MULTILINE)
    assert [line for line in lines if len(line.split()) > 25] == []


def test_no_page_tells_to_install_the_other_project(project: Path) -> None:
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    assert settings["project"]["name"] == DISTRIBUTION != "reportgen"
    assert settings["project"]["scripts"] == {"reportgen": "reportgen.__main__:main"}
    pages = [*project.glob("*.md"), project / "Dockerfile", project / "action.yml"]
    for folder in ("docs", "integrations", "packaging", ".github"):
        pages += [path for path in (project / folder).rglob("*") if path.is_file()]
    for page in pages:
        found = OTHER.search(page.read_bytes().decode("utf-8", "replace"))
        assert found is None, f"{page}: {found}"


def test_it_can_be_cited(project: Path) -> None:
    cited = yaml.safe_load((project / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors", "version", "date-released"} <= set(cited)
    assert cited["license"] == "MIT"


def test_forms_for_issues_can_be_read(project: Path) -> None:
    forms = sorted((project / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) >= 3
    for form in forms:
        content = yaml.safe_load(form.read_text("utf-8"))
        if form.name != "config.yml":
            assert {"name", "description", "body"} <= set(content)
            assert len({part["id"] for part in content["body"]}) == len(content["body"])


def test_the_conda_recipe_needs_what_the_wheel_needs(project: Path) -> None:
    recipe = yaml.safe_load((project / "packaging" / "conda" / "recipe.yaml").read_text("utf-8"))
    assert recipe["package"]["name"] == DISTRIBUTION
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {"python": settings["requires-python"]}
    for line in settings["dependencies"]:
        one = Requirement(line)
        needed[ON_CONDA.get(one.name, one.name)] = str(one.specifier)
    said = dict(line.split(" ", 1) for line in recipe["requirements"]["run"])
    assert said.keys() == needed.keys()
    for name, versions in said.items():
        assert set(versions.split(",")) == set(needed[name].split(",")), name


def test_the_image_is_given_all_that_its_wheel_needs(project: Path, tmp_path: Path) -> None:
    """Docker itself is at hand in CI alone, which builds the image and a report in it."""
    kept = (project / ".dockerignore").read_text("utf-8").splitlines()
    assert kept[0] == "*"
    for name in (line.removeprefix("!") for line in kept[1:]):
        source, target = project / name, tmp_path / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, target)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist"]
    subprocess.run(command, cwd=tmp_path / "source", check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    assert wheel.name == f"{DISTRIBUTION.replace('-', '_')}-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert fnmatch.filter(names, "reportgen/_templates/html/report.j2")
    assert fnmatch.filter(names, "*/share/man/man1/reportgen-build.1")
    docker = (project / "Dockerfile").read_text("utf-8")
    assert "constraints.txt" in docker
    assert "!constraints.txt" in kept
