"""Files and functions stay short enough to be read in one sitting."""

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "reportgen"
FILES = sorted(PACKAGE.rglob("*.py"))
BESIDE = sorted(
    path for place in ("tests", "benchmarks", ".ci") for path in (PROJECT / place).rglob("*.py")
)
FILE_LINES = 800
FUNCTION_LINES = 60
PACKAGE_LINES = 69_600
"""Lines of statements of the whole package (docs/adr/0049-lines-without-docstrings.md)."""


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the statements that stand one behind the other; expressions are not looked into."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        held = getattr(tree, name, None)
        if isinstance(held, list):
            yield held
            for one in held:
                yield from blocks(one)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for held in blocks(tree):
        yield from (n for n in held if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end; the docstring is read by other people at other times."""
    last = function.end_lineno or function.lineno
    first = function.body[0]
    told = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if told else 0
    return last - function.lineno + 1 - docstring


def statements_in(text: str, tree: ast.Module) -> int:
    """Count the lines that are neither blank, comment nor docstring."""
    told: set[int] = set()
    for held in blocks(tree):
        for one in held:
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                told |= {*range(one.lineno, (one.end_lineno or one.lineno) + 1)}
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(1 for at, line in lines if line and not line.startswith("#") and at not in told)


def test_files_and_functions_are_short_and_the_package_does_not_grow() -> None:
    long: dict[str, int] = {}
    statements = 0
    for path in FILES:
        name, text = str(path.relative_to(PACKAGE)), path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        sizes = {f"{name}: {f.name}": lines_of(f) for f in functions(tree)}
        long |= {name: lines for name, lines in sizes.items() if lines > FUNCTION_LINES}
        if text.count("\n") > FILE_LINES:
            long[name] = text.count("\n")
        statements += statements_in(text, tree)
    assert FILES
    assert long == {}, "take a part of each out, as a function or a file of its own"
    more = statements - PACKAGE_LINES
    assert more <= 0, f"{more} lines too many: leave out what this replaces, or raise the number"


def test_the_files_of_tests_and_benchmarks_are_short() -> None:
    lines = {str(path.relative_to(PROJECT)): path.read_text("utf-8").count("\n") for path in BESIDE}
    assert BESIDE
    assert {path: count for path, count in lines.items() if count > FILE_LINES} == {}
