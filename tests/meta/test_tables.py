"""Each table of plug-ins equals the files on disk, both ways, and every target loads."""

import ast
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


def lazily(tree: ast.Module) -> set[tuple[str, str]]:
    """Module and name of what a package gives when it is asked for."""
    named = {n.targets[0].id: n.value for n in tree.body if isinstance(n, ast.Assign)}  # type: ignore[attr-defined]
    call = named.get("__getattr__")
    if not isinstance(call, ast.Call):
        return set()
    homes = ast.literal_eval(named.get(getattr(call.args[1], "id", ""), call.args[1]))
    return {(home, name) for home, names in homes.items() for name in names.split()}


def for_types(tree: ast.Module, package: str) -> set[tuple[str, str]]:
    """Module and name of what is imported of a package for types."""
    inside = (n for one in tree.body if isinstance(one, ast.If) for n in one.body)
    return {
        (str(n.module).removeprefix(f"{package}."), alias.name)
        for n in inside
        if isinstance(n, ast.ImportFrom) and str(n.module).startswith(f"{package}.")
        for alias in n.names
    }


def test_a_package_gives_what_it_imports_for_types(project: Path) -> None:
    unlike = {}
    for path in (project / "reportgen").rglob("*/__init__.py"):
        package = ".".join(path.parent.relative_to(project).parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if (given := lazily(tree)) and given != (told := for_types(tree, package)):
            unlike[package] = given ^ told
    assert unlike == {}
