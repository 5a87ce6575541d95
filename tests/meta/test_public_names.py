"""Tests, benchmarks and tools know public names alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted name of everything that a file imports from the package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("folder", ["tests", "benchmarks", "tools", ".ci"])
def test_nothing_private_is_imported(folder: str, project: Path) -> None:
    private = [
        f"{path.relative_to(project)}: {name}"
        for path in sorted((project / folder).rglob("*.py"))
        for name in imported(path)
        if name.startswith("reportgen.")
        and any(part.startswith("_") and not part.endswith("__") for part in name.split("."))
    ]
    assert private == []
