"""From a class of a family and a configuration's values to the tensors of the model."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.parameters._expressions import INDICES, compiled, keys_of, number
from reportgen.parameters._settings import TIE, VERSION, filled, shown
from reportgen.parameters.families import ModelClass, Template, templates_of
from reportgen.records.errors import EvidenceError
from reportgen.records.record import record

# What one template may repeat to, for each number and in all: more is a broken file, and would
# be spelled out one by one.
MOST_IN_ROW = 2**14
MOST_REPEATED = 2**18
LARGEST_SIDE = 2**40
BUFFER = "buffer"
BIAS_OF_PROJECTION = "decoder.bias"
PROJECTION = "lm_head.weight"
# First numbers of the versions of transformers before 5.
BEFORE = frozenset({"0", "1", "2", "3", "4"})


@record
class Tensors:
    """The tensors of one template in one model, all of one shape.

    Attributes:
        template: Where it comes from.
        shape: Sizes of one of them.
        numbers: What stands in the places of `*`, one tuple a tensor; one empty tuple where
            nothing repeats.
        shares: Name of the template whose storage they are under a second name, or empty.
    """

    template: Template
    shape: tuple[int, ...]
    numbers: Sequence[tuple[int, ...]]
    shares: str = ""

    @property
    def name(self) -> str:
        """Name with `*` for each number."""
        return self.template.name

    @property
    def count(self) -> int:
        """Parameters, all tensors together; tied ones count nothing."""
        return 0 if self.shares else math.prod(self.shape) * len(self.numbers)

    @property
    def trains(self) -> bool:
        """Whether they are parameters; buffers are stored only."""
        return self.template.kind != BUFFER


def tensors_of_class(
    chosen: ModelClass, values: Mapping[str, object], path: str
) -> tuple[Tensors, ...]:
    """Return the tensors of a model of one class."""
    tied = dict(ties(chosen, values, path))
    found: list[Tensors] = []
    for template in chosen.templates:
        try:
            found += evaluate_template(template, values, tied.get(template.name, ""))
        except (TypeError, ValueError, ZeroDivisionError, IndexError, OverflowError) as error:
            raise unusable(template, values, path, error) from None
    return tuple(found)


def ties(chosen: ModelClass, values: Mapping[str, object], path: str) -> Iterator[tuple[str, str]]:
    """Yield second and first name of every pair of tensors that is one storage."""
    for second, first, *conditions in chosen.tied:
        # transformers 5 ties the projection of some families whatever the file says; 4 did as it
        # says, and so do the weights that are published.
        always = second.endswith(PROJECTION) and not any(TIE in text for text in conditions)
        if always and values.get(TIE) is False and written_before(values, silent=True):
            continue
        try:
            # Before transformers 5 the projection's bias and that beside it were one tensor.
            one = second.endswith(BIAS_OF_PROJECTION) and written_before(values)
            if one or all(compiled(text)(values) for text in conditions):
                yield second, first
        except (TypeError, ValueError, ZeroDivisionError, IndexError) as error:
            template = Template(second, (), (), "", tuple(conditions))
            raise unusable(template, values, path, error) from None


def written_before(values: Mapping[str, object], *, silent: bool = False) -> bool:
    """Return whether a version before transformers 5 wrote a configuration, or none said so."""
    stated = str(values.get(VERSION) or "")
    return stated.partition(".")[0] in BEFORE or (silent and not stated)


def evaluate_template(
    template: Template, values: Mapping[str, object], shares: str
) -> Iterator[Tensors]:
    """Yield the tensors of a template, those of one shape together."""
    inner = [text for text in template.conditions if keys_of(text) & set(INDICES)]
    if not all(compiled(text)(values) for text in template.conditions if text not in inner):
        return
    numbers = list(numbered(template.loops, inner, values))
    if not numbers:
        return
    if any(keys_of(side) & set(INDICES) for side in template.sides):
        shapes: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for each in numbers:
            shapes.setdefault(shape_of(template, at(values, each)), []).append(each)
        for shape, own in shapes.items():
            yield Tensors(template=template, shape=shape, numbers=own, shares=shares)
        return
    shape = shape_of(template, values)
    if math.prod(shape):
        yield Tensors(template=template, shape=shape, numbers=numbers, shares=shares)


def numbered(
    loops: Sequence[str], conditions: Iterable[str], values: Mapping[str, object]
) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of a template's tensors: one tuple a tensor."""
    if not loops:
        yield ()
        return
    asked = [compiled(text) for text in conditions]
    ranges: list[tuple[int, ...]] = [()]
    for loop in loops:
        bound = compiled(loop)
        # What is counted below zero never repeats.
        sizes = [(n, sized(max(0, number(bound(at(values, n)))))) for n in ranges]
        most, every = max((size for _, size in sizes), default=0), sum(s for _, s in sizes)
        if most > MOST_IN_ROW or every > MOST_REPEATED:
            raise OverflowError(f"more than {MOST_IN_ROW:,} or {MOST_REPEATED:,} in all")
        ranges = [(*n, m) for n, size in sizes for m in range(size)]
    for each in ranges:
        if not asked:
            yield each
            continue
        here = at(values, each)
        if all(question(here) for question in asked):
            yield each


class Placed(dict[str, object]):
    """The numbers of a repeated part, before all other values."""

    __slots__ = ("rest",)

    def __init__(self, numbers: Sequence[int], rest: Mapping[str, object]) -> None:
        super().__init__(zip(INDICES, numbers, strict=False))
        self.rest = rest

    def __missing__(self, key: str) -> object:
        return self.rest[key]


def at(values: Mapping[str, object], numbers: Sequence[int]) -> Mapping[str, object]:
    """Return the values with the numbers of a repeated part among them."""
    return Placed(numbers, values) if numbers else values


def shape_of(template: Template, values: Mapping[str, object]) -> tuple[int, ...]:
    """Return the sizes of one tensor."""
    return tuple(sized(compiled(side)(values)) for side in template.sides)


def sized(value: object) -> int:
    """Return a value that must be a size."""
    whole = number(value)
    if not isinstance(whole, int) or not 0 <= whole <= LARGEST_SIDE:
        raise ValueError(f"{shown(whole, 40)} is no size")
    return whole


def unusable(
    template: Template, values: Mapping[str, object], path: str, error: Exception
) -> EvidenceError:
    """Return the error for a configuration whose values make no tensor."""
    sizes, made = (*template.sides, *template.loops), template.name
    sized = sorted(set(itertools.chain(*map(keys_of, sizes))) - set(INDICES))
    absent = [key for key in sized if values.get(key) is None]
    if absent and isinstance(error, TypeError):
        fault = f"{path} states no {', '.join(absent)[:80]}, by which {made} is sized"
        return EvidenceError(fault, remedy="state it")
    keys = sorted({*sized, *itertools.chain(*map(keys_of, template.conditions))} - set(INDICES))
    stated = ", ".join(f"{key} = {shown(values.get(key), 40)}" for key in keys)
    return EvidenceError(
        f"{path} gives no size for {made} ({stated[:160]}): {shown(error)}",
        remedy="check these keys",
    )


# Rows of the table of families, evaluated.
#
# What derives the table proves its rows with the very functions that count a stranger's model.

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
