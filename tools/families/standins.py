"""Put tagged stand-ins where constructors would lose a tag.

`range`, `enumerate`, `zip`, `len`, `int`, `max` and `min` become globals of the modules under
`transformers.models`; tensors of the meta device keep the expressions of their sides; a
parameter remembers where it was made: its loops and the conditions on the way.
"""

from __future__ import annotations

import builtins
import contextlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from tools.families import polynomials as poly
from tools.families import tags
from tools.families.polynomials import Polynomial
from tools.families.tags import Listed, Real, Whole

MODULES = (
    "transformers.models.",
    "transformers.modeling_layers",
    "transformers.backbone_utils",
    "transformers.pytorch_utils",
)


class Turns:
    """Something to loop over whose number of turns has an expression."""

    count: int

    def size(self) -> Polynomial:
        """Return the number of turns."""
        raise NotImplementedError

    def at(self, turn: int, index: str) -> Any:
        """Return what one turn yields."""
        raise NotImplementedError

    def __len__(self) -> int:
        return max(0, self.count)

    def __iter__(self) -> Iterator[Any]:
        loop = tags.journal.begin(poly.show(self.size()))
        try:
            for turn in builtins.range(self.count):
                loop.turn = turn
                yield self.at(turn, loop.token())
        finally:
            tags.journal.end(loop)


class Range(Turns):
    """A range over tagged numbers."""

    def __init__(self, *bounds: int) -> None:
        self.first = bounds[0] if len(bounds) > 1 else 0
        self.end = bounds[1] if len(bounds) > 1 else bounds[0]
        self.step = bounds[2] if len(bounds) > 2 else 1
        self.plain = builtins.range(*(int.__index__(bound) for bound in bounds))
        self.count = len(self.plain)

    def size(self) -> Polynomial:
        """Return the number of turns, rounded up."""
        first, end = tags.tag_of(self.first) or {}, tags.tag_of(self.end) or {}
        step = tags.tag_of(self.step) or {}
        if self.plain.step < 0:
            return poly.subtract(first, end)
        length = poly.add(poly.subtract(end, first), poly.subtract(step, poly.constant(1)))
        return poly.floor_divide(length, step)

    def at(self, turn: int, index: str) -> int:
        """Return the number of one turn."""
        step = poly.multiply(poly.atom(index), tags.tag_of(self.step) or {})
        return tags.whole(self.plain[turn], poly.add(tags.tag_of(self.first) or {}, step))

    def __getitem__(self, index: Any) -> Any:
        return self.plain[index]

    def __contains__(self, item: Any) -> bool:
        return bool(item >= self.first) and bool(item < self.end)

    def __reversed__(self) -> Iterator[int]:
        return reversed(self.plain)


class Numbered(Turns):
    """What `enumerate` gives over something tagged."""

    def __init__(self, inner: Turns | Listed, start: int) -> None:
        self.inner, self.start, self.count = inner, start, len(inner)

    def size(self) -> Polynomial:
        """Return the number of turns."""
        return self.inner.size()

    def at(self, turn: int, index: str) -> Any:
        """Return the number and the element."""
        number = poly.add(poly.atom(index), tags.tag_of(self.start) or {})
        return Whole(turn + self.start, number), self.inner.at(turn, index)


class Zipped(Turns):
    """What `zip` gives where one of its sequences is tagged."""

    def __init__(self, inner: tuple[Any, ...]) -> None:
        self.inner = inner
        self.count = builtins.min(len(each) for each in inner)

    def size(self) -> Polynomial:
        """Return the length of the shortest sequence that has an expression."""
        known = [each for each in self.inner if isinstance(each, (Turns, Listed))]
        return builtins.min(known, key=len).size()

    def at(self, turn: int, index: str) -> Any:
        """Return one element of each."""
        return tuple(
            each.at(turn, index) if isinstance(each, (Turns, Listed)) else each[turn]
            for each in self.inner
        )


def _range(*bounds: Any) -> Any:
    known = tags.on and any(isinstance(bound, Whole) for bound in bounds)
    return Range(*bounds) if known else builtins.range(*bounds)


def _enumerate(things: Iterable[Any], start: int = 0) -> Any:
    known = tags.on and isinstance(things, (Turns, Listed))
    return Numbered(things, start) if known else builtins.enumerate(things, start)  # type: ignore[arg-type]


def _zip(*things: Any, strict: bool = False) -> Any:
    known = tags.on and any(isinstance(each, (Turns, Listed)) for each in things)
    if known and all(
        (hasattr(each, "__len__") and hasattr(each, "__getitem__")) or isinstance(each, Turns)
        for each in things
    ):
        return Zipped(things)
    return builtins.zip(*things, strict=strict)


def _len(things: Any) -> int:
    value = builtins.len(things)
    known = tags.on and isinstance(things, (Turns, Listed))
    return tags.whole(value, things.size()) if known else value


class _Meta(type):
    def __instancecheck__(cls, thing: Any) -> bool:
        return isinstance(thing, int)

    def __subclasscheck__(cls, thing: type) -> bool:
        return issubclass(thing, int)


class Int(int, metaclass=_Meta):
    """The type int, which keeps tags when it converts."""

    def __new__(cls, value: Any = 0, *base: Any) -> Any:
        if isinstance(value, Whole):
            return value
        return value.__trunc__() if isinstance(value, Real) else int(value, *base)


def _extreme(name: str) -> Any:
    real = getattr(builtins, name)

    def extreme(*values: Any, **options: Any) -> Any:
        result = real(*values, **options)
        each = list(values[0]) if len(values) == 1 and hasattr(values[0], "__iter__") else values
        if not tags.on or options or not all(isinstance(x, (int, float)) for x in each):
            return result
        if not any(isinstance(x, (Whole, Real)) for x in each):
            return result
        texts = [poly.show(x.tag) if isinstance(x, Whole) else tags.text_of(x) for x in each]
        if None in texts or len(set(texts)) == 1:
            return result
        text = f"{name}({','.join(str(text) for text in texts)})"
        value = tags.plain(result)
        return tags.whole(value, poly.atom(text)) if isinstance(value, int) else Real(value, text)

    return extreme


STANDINS = {
    "int": Int,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "len": _len,
}
# Tables of numbers that no parameter holds and that take long to fill.
TABLES = {"get_sinusoid_encoding_table": lambda count, width: torch.empty((1, count, width))}
_injected: set[str] = set()
_seen = [0]


def inject() -> None:
    """Make the stand-ins globals of every model module that is loaded."""
    if _seen[0] == builtins.len(sys.modules):
        return
    _seen[0] = builtins.len(sys.modules)
    for name, module in list(sys.modules.items()):
        if name in _injected or not name.startswith(MODULES) or ".auto" in name or not module:
            continue
        _injected.add(name)
        for word, standin in STANDINS.items():
            if word not in vars(module):
                setattr(module, word, standin)
        for word in TABLES.keys() & vars(module).keys():
            setattr(module, word, TABLES[word])


Turn = tuple[int, str, str]
"""The turn of a loop, its bound as a text, and where in the source it begins."""


class Born:
    """Where a tensor was made: sides, loops and bounds as texts, and the conditions above."""

    __slots__ = ("loops", "path", "sides")

    def __init__(
        self,
        sides: tuple[str | None, ...],
        loops: tuple[Turn, ...],
        path: frozenset[str],
    ) -> None:
        self.sides, self.loops, self.path = sides, loops, path


def _ancestry() -> frozenset[str]:
    """Collect the conditions that frames above have asked."""
    found: set[str] = set()
    frame = sys._getframe(2)
    while frame is not None:
        found.update(tags.journal.by_frame.get(id(frame), ()))
        frame = frame.f_back  # type: ignore[assignment]
    return frozenset(found)


def _renumbered(text: str | None, by: int) -> str | None:
    for place in builtins.range(9, -1, -1):
        text = text and text.replace(f"#{place}", f"#{place + by}")
    return text


def born(tensor: torch.Tensor) -> Born:
    """Write down where a tensor is being made."""
    active = list(tags.journal.active)
    places = {loop.number: f"#{at}" for at, loop in enumerate(active)}
    settle = tags.journal.settle
    loops = tuple((loop.turn, settle(loop.bound, places), loop.origin) for loop in active)
    old: Born | None = getattr(tensor, "born", None)
    if old is not None:
        more = tuple(
            (turn, str(_renumbered(bound, len(loops))), origin) for turn, bound, origin in old.loops
        )
        sides = tuple(_renumbered(side, len(loops)) for side in old.sides)
        return Born(sides, loops + more, old.path | _ancestry())
    known = getattr(tensor, "sides", None) or (None,) * tensor.dim()
    sides = tuple(side and settle(tags.journal.spelled(side), places) for side in known)
    return Born(sides, loops, _ancestry())


def _flat(things: Any) -> Iterator[int]:
    for each in things:
        if isinstance(each, (list, tuple)):
            yield from _flat(each)
        elif isinstance(each, int) and not isinstance(each, bool):
            yield each


def _tensors(things: Any) -> Iterator[torch.Tensor]:
    for each in things:
        if isinstance(each, (list, tuple)):
            yield from _tensors(each)
        elif isinstance(each, torch.Tensor):
            yield each


def _sides_of(args: Any, kwargs: Any, shape: tuple[int, ...]) -> tuple[Any, ...] | None:
    """Find the expressions of a new tensor's sides among what made it."""
    numbers = list(_flat([args, kwargs.get("size", ())]))
    if len(numbers) > len(shape):
        head = numbers[: len(shape)]
        numbers = head if tuple(head) == shape else numbers[-len(shape) :]
    tagged = any(isinstance(number, Whole) for number in numbers)
    if tagged and tuple(map(tags.plain, numbers)) == shape:
        return tuple(tags.tag_of(number) for number in numbers)
    sources = [each for each in _tensors(args) if getattr(each, "sides", None)]
    if not sources and not tagged:
        return None
    pool: dict[int, Any] = {}
    for source in sources:
        pool |= dict(builtins.zip(source.shape, source.sides, strict=False))  # type: ignore[attr-defined]
    pool = {tags.plain(n): n.tag for n in numbers if isinstance(n, Whole)} | pool
    return tuple(poly.constant(1) if side == 1 else pool.get(side) for side in shape)


class Shapes(TorchFunctionMode):
    """Give tensors of the meta device the expressions of their sides."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if type(result) is torch.Tensor and result.dim() and not hasattr(result, "sides"):
            sides = _sides_of(args, kwargs, tuple(result.shape))
            if sides is not None:
                result.sides = sides  # type: ignore[attr-defined]
            for source in _tensors(args):
                if hasattr(source, "born") and source.shape == result.shape:
                    result.born = source.born  # type: ignore[attr-defined]
                    break
        return result


_float_tensor = torch.FloatTensor


class FloatTensor:
    """Make a tensor as the old constructor does, where its sides keep their expressions."""

    def __new__(cls, *sizes: Any) -> Any:
        if sizes and all(isinstance(size, int) for size in sizes):
            return torch.empty(sizes)
        return _float_tensor(*sizes)


# How many tensors the model that is being built may still have.
left = [0]


class TooLargeError(Exception):
    """A model with far more tensors than another has that shows as much."""


@contextlib.contextmanager
def at_most(tensors: int) -> Iterator[None]:
    """Let nothing be built inside that has more tensors."""
    left[0] = tensors
    try:
        yield
    finally:
        left[0] = 0


def _one_more() -> None:
    left[0] -= 1
    if not left[0]:
        raise TooLargeError


_make_parameter = torch.nn.Parameter.__new__


def _parameter(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
    _one_more()
    result = _make_parameter(cls, data, bool(requires_grad))
    if tags.on and data is not None:
        result.born = born(data)
    return result


torch.nn.Parameter.__new__ = staticmethod(_parameter)  # type: ignore[assignment]
_register = torch.nn.Module.register_buffer


def _register_buffer(self: Any, name: str, tensor: Any, persistent: bool = True) -> None:
    _one_more()
    if tags.on and tensor is not None and persistent:
        tensor.born = born(tensor)
    _register(self, name, tensor, persistent)


torch.nn.Module.register_buffer = _register_buffer  # type: ignore[assignment,method-assign]
