"""Evaluate rows of the table: settings of a configuration, conditions, sides, totals.

No torch is needed here. A name that no setting has is None.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

INDICES = "ijklm"
FUNCTIONS = {
    "ceil": math.ceil,
    "floor": math.floor,
    "round": round,
    "max": max,
    "min": min,
    "int": int,
    "len": len,
}
MAX_INDICES = 200_000


class Values(dict[str, Any]):
    """Settings by dotted key; what is not there is None."""

    def __missing__(self, key: str) -> None:
        return None


def over(top: Any, bottom: Any) -> Any:
    """Divide; what divides exactly stays whole."""
    if isinstance(top, int) and isinstance(bottom, int) and bottom and top % bottom == 0:
        return top // bottom
    return top / bottom


class _Reading(ast.NodeTransformer):
    """Turn dotted names into settings, and divisions into ours."""

    def _setting(self, name: str) -> ast.expr:
        holder = ast.Name("settings", ast.Load())
        return ast.Subscript(holder, ast.Constant(name), ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in INDICES or node.id in FUNCTIONS:
            return node
        return self._setting(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._setting(ast.unparse(node))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.Call(ast.Name("over", ast.Load()), [node.left, node.right], [])
        return node


SCOPE = {**FUNCTIONS, "over": over, "__builtins__": {}}
_compiled: dict[str, CodeType] = {}


def compiled(text: str) -> CodeType:
    """Compile an expression once."""
    if text not in _compiled:
        tree = ast.fix_missing_locations(_Reading().visit(ast.parse(text, mode="eval")))
        _compiled[text] = compile(tree, "<term>", "eval")
    return _compiled[text]


def names_of(text: str) -> set[str]:
    """Return the dotted keys that an expression names."""
    found = set()
    todo: list[ast.AST] = [ast.parse(text, mode="eval")]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Attribute):
            found.add(ast.unparse(node))
            continue
        if isinstance(node, ast.Name) and node.id not in INDICES and node.id not in FUNCTIONS:
            found.add(node.id)
        todo.extend(ast.iter_child_nodes(node))
    return found


def value(text: str, settings: Values, indices: tuple[int, ...] = ()) -> Any:
    """Evaluate an expression."""
    if text.isdigit():
        return int(text)
    scope: dict[str, Any] = dict(zip(INDICES, indices, strict=False))
    scope["settings"] = settings
    return eval(compiled(text), SCOPE, scope)  # noqa: S307 - our own rows, names are keys


def holds(conditions: Iterable[str], settings: Values, indices: tuple[int, ...] = ()) -> bool:
    """Tell whether all conditions hold, asked in their order."""
    return all(value(each, settings, indices) for each in conditions)


def settings_of(defaults: dict[str, Any], derived: dict[str, str], given: dict[str, Any]) -> Values:
    """Return what every key is: what is given, else the default, else what stands for null."""
    settings = Values(defaults)
    settings.update(given)
    todo = {key: text for key, text in derived.items() if settings[key] is None}
    for _ in range(len(todo) + 1):
        for key, text in list(todo.items()):
            if any(settings[name] is None and name in todo for name in names_of(text)):
                continue
            try:
                settings[key] = value(text, settings)
            except (TypeError, ZeroDivisionError):
                settings[key] = None
            del todo[key]
    return settings


def indices_of(
    loops: tuple[str, ...], settings: Values, before: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield the indices that loops run over, a later bound after an earlier index."""
    if len(before) == len(loops):
        yield before
        return
    bound = value(loops[len(before)], settings, before)
    if bound > MAX_INDICES:
        raise OverflowError(f"{loops}: {bound} turns")
    for turn in range(int(bound)):
        yield from indices_of(loops, settings, (*before, turn))


def shapes(term: list[Any], settings: Values) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield indices and shape of every tensor of a term."""
    _, sides, loops, _, *conditions = term
    bounds = tuple(loops.split("|")) if loops else ()
    texts = sides.split("|") if sides else []
    fixed = [each for each in conditions if not indexed(each)]
    moving = [each for each in conditions if indexed(each)]
    if not holds(fixed, settings):
        return
    for indices in itertools.islice(indices_of(bounds, settings), MAX_INDICES):
        if holds(moving, settings, indices):
            yield indices, tuple(_side(value(text, settings, indices)) for text in texts)


def _side(number: Any) -> int:
    if number is None or number != int(number):
        raise ValueError(f"no side: {number}")
    return int(number)


_asks: dict[str, bool] = {}


def indexed(text: str) -> bool:
    """Tell whether an expression uses an index."""
    if text not in _asks:
        tree = ast.parse(text, mode="eval")
        _asks[text] = any(
            isinstance(node, ast.Name) and node.id in INDICES for node in ast.walk(tree)
        )
    return _asks[text]


def tensors(
    terms: list[list[Any]], ties: list[list[str]], settings: Values
) -> tuple[int, Counter[tuple[str, tuple[int, ...]]]]:
    """Return the total, tied tensors once, and how often each folded name has each shape."""
    total = 0
    found: Counter[tuple[str, tuple[int, ...]]] = Counter()
    tied: dict[str, list[list[str]]] = {}
    for name, _, *conditions in ties:
        tied.setdefault(name, []).append(list(conditions))
    for term in terms:
        if term[3] == "buffer":
            continue
        for indices, shape in shapes(term, settings):
            found[term[0], shape] += 1
            if not any(holds(each, settings, indices) for each in tied.get(term[0], ())):
                total += math.prod(shape)
    return total, found
