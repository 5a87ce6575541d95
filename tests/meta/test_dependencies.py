"""Every dependency is pinned, and argued for."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version


def declared(project: Path) -> list[Requirement]:
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*settings["dependencies"]]
    for extra in settings["optional-dependencies"].values():
        lines.extend(extra)
    return [Requirement(line) for line in lines]


def pins(project: Path) -> dict[str, Version]:
    lines = (project / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def test_every_dependency_is_pinned_to_a_version_it_allows(project: Path) -> None:
    pinned = pins(project)
    for requirement in declared(project):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, requirement.name
        assert requirement.specifier.contains(version), requirement


def test_a_pin_is_exact_and_stands_once(project: Path) -> None:
    lines = (project / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = [line.split("==")[0] for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"(#.*|[a-z0-9.-]+==[\w.]+)", line) for line in lines)
    assert names == sorted(set(names))


def test_every_dependency_is_argued_for(project: Path) -> None:
    page = (project / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))
    assert rows == {requirement.name for requirement in declared(project)}
