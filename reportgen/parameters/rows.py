"""Rows of the table of families, evaluated.

What derives the table proves its rows with the very functions that count a stranger's model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reportgen.parameters._expressions import INDICES, compiled, keys_of
from reportgen.parameters._settings import VERSION, filled
from reportgen.parameters._tensors import at, numbered, tensors_of_class
from reportgen.parameters.families import ModelClass, templates_of

__all__ = [
    "VERSION",
    "class_of",
    "filled",
    "holds",
    "keys_in",
    "numbered",
    "repeats",
    "shapes",
    "value",
]

INDEX = frozenset(INDICES)


def value(text: str, values: Mapping[str, object], numbers: Sequence[int] = ()) -> object:
    """Evaluate an expression, at one place of what repeats.

    Example:
        >>> value("depths[i]*width", {"depths": [2, 3], "width": 4}, (1,))
        12
    """
    return compiled(text)(at(values, numbers))


def holds(
    conditions: Sequence[str], values: Mapping[str, object], numbers: Sequence[int] = ()
) -> bool:
    """Return whether all conditions hold, asked in their order.

    Example:
        >>> holds(["width!=None", "i<width"], {"width": 2}, (1,))
        True
    """
    here = at(values, numbers)
    return all(compiled(text)(here) for text in conditions)


def keys_in(text: str) -> frozenset[str]:
    """Return the keys that an expression names, without the numbers of what repeats.

    Example:
        >>> sorted(keys_in("vision.depths[i]*width"))
        ['vision.depths', 'width']
    """
    return keys_of(text) - INDEX


def repeats(text: str) -> bool:
    """Return whether an expression differs from one repeated part to the next.

    Example:
        >>> repeats("depths[i]"), repeats("depths[0]")
        (True, False)
    """
    return bool(keys_of(text) & INDEX)


def class_of(terms: Sequence[object], tied: Sequence[Sequence[str]]) -> ModelClass:
    """Return rows as a class whose tensors can be counted."""
    templates = tuple(templates_of({"terms": terms}, {}))
    return ModelClass(
        name="", role="", templates=templates, tied=tuple(tuple(each) for each in tied)
    )


def shapes(
    chosen: ModelClass, values: Mapping[str, object]
) -> Iterator[tuple[str, tuple[int, ...], int, int]]:
    """Yield the parameters of a class: name, shape, how many of these, and what they add up to.

    Example:
        >>> rows = class_of([["h.*.weight", "width", "layers", "Linear"]], [])
        >>> list(shapes(rows, {"width": 4, "layers": 2}))
        [('h.*.weight', (4,), 2, 8)]

    Raises:
        EvidenceError: The values make no tensor.
    """
    for each in tensors_of_class(chosen, values, "the configuration"):
        if each.trains:
            yield each.name, each.shape, len(each.numbers), each.count
