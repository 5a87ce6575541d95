"""Each table of plug-ins equals the files on disk, both ways, and every target loads."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import reportgen
from reportgen.records.registry import Registry

# Public modules that no table lists because other packages call them by name.
CALLED_BY_NAME = {
    "cli": {"arguments", "console", "talk", "versions"},
    "render": {"figures"},
    "report": {
        *("architecture_diagram", "findings", "marks", "names"),
        *("numbers", "phrases", "questions"),
    },
    "runs": {"comparable", "series", "sessions"},
}


def packages_with_tables() -> dict[str, list[Registry]]:
    found: dict[str, list[Registry]] = {}
    names = [module.name for module in pkgutil.iter_modules(reportgen.__path__) if module.ispkg]
    for name in (*names, "render.figures"):
        package = importlib.import_module(f"reportgen.{name}")
        tables = [value for value in vars(package).values() if isinstance(value, Registry)]
        if tables:
            found[name] = tables
    return found


PACKAGES = packages_with_tables()
TARGETS = [
    pytest.param(table, name, id=f"{package}-{name}")
    for package, tables in PACKAGES.items()
    for table in tables
    for name in sorted(table)
]


def test_the_known_tables_are_found() -> None:
    assert {"render", "render.figures", "report"} <= set(PACKAGES)


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_a_table_lists_every_file_of_its_package(package: str, project: Path) -> None:
    folder = project.joinpath("reportgen", *package.split("."))
    # A plug-in is a file, or a folder with its files.
    stems = {path.stem for path in folder.glob("*.py")}
    stems |= {path.parent.name for path in folder.glob("*/__init__.py")}
    files = {stem for stem in stems if not stem.startswith("_")}
    modules = {
        entry.target.partition(":")[0] for table in PACKAGES[package] for entry in table.values()
    }
    listed = {m.removeprefix(f"reportgen.{package}.") for m in modules}
    assert listed == files - CALLED_BY_NAME.get(package, set())


@pytest.mark.parametrize(("table", "name"), TARGETS)
def test_a_target_loads(table: Registry, name: str) -> None:
    assert table.load(name) is not None
    assert table[name].about
    assert not table[name].about.endswith(".")


@pytest.mark.parametrize("package", sorted(CALLED_BY_NAME))
def test_an_unlisted_module_has_a_caller(package: str, project: Path) -> None:
    for module in CALLED_BY_NAME[package]:
        name = f"reportgen.{package}.{module}"
        others = (
            path.read_text(encoding="utf-8")
            for path in (project / "reportgen").rglob("*.py")
            if (path.parent.name, path.stem) != (package, module)
        )
        called = re.compile(rf'from {name} import|module="{name}"')
        assert any(called.search(text) for text in others), name
