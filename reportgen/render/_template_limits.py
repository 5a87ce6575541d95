"""Templates of strangers: nothing private, no mutation, and no loop without an end."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sized
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from reportgen.render._limits import LIMITS

LARGEST = 10_000_000
"""Characters or items that one operation of a template may make."""
_EVERY = 1024
_COUNTED = "counted by the sandbox"
_WIDTHS = ("center", "indent")


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox in which a template ends: by itself, or by a limit that names its line."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.filters[_COUNTED] = _watched
        for name in _WIDTHS:
            self.filters[name] = _bounded(self.filters[name])

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        """Put the clock around whatever a loop goes over."""
        for loop in list(source.find_all(nodes.For)):
            loop.iter = nodes.Filter(loop.iter, _COUNTED, [], [], None, None, lineno=loop.lineno)
        return super()._generate(source, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse a product or a power that would fill the memory."""
        if _size(operator, left, right) > LARGEST:
            raise SecurityError(f"{operator} makes more than {LARGEST:,} characters or digits")
        return super().call_binop(context, operator, left, right)


def _size(operator: str, left: Any, right: Any) -> float:
    """Return about how large the result of an operation is, in items or digits."""
    if operator == "*":
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Sized) and isinstance(other, int):
                return len(one) * max(other, 0)
    elif operator == "**" and isinstance(left, int) and isinstance(right, int):
        return abs(left).bit_length() * abs(right) / 3
    elif operator == "%" and isinstance(left, str):
        digits = "".join(c if c.isdigit() else " " for c in left).split()
        return max((int(number[:12]) for number in digits), default=0)
    return 0


def _bounded(filter_: Any) -> Any:
    """Return a filter that refuses to make text wider than the limit."""

    def bounded(value: object, width: Any = 80, *args: Any, **kwargs: Any) -> Any:
        if isinstance(width, int) and width * max(1, str(value).count("\n")) > LARGEST:
            raise SecurityError(f"a width of {width:,} is more than {LARGEST:,}")
        return filter_(value, width, *args, **kwargs)

    return bounded


def _watched(items: Iterable[Any]) -> Iterable[Any]:
    """Return what is looped over; a loop that takes too long is ended.

    What has a length keeps it: `loop.length` and `loop.last` ask for it.
    """
    return _Watched(items)


class _Watched:
    """Items that are handed out until the time is over."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items if isinstance(items, Sized) else list(_until(iter(items)))

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return _until(iter(self._items))


def _until(items: Iterator[Any]) -> Iterator[Any]:
    end = time.monotonic() + LIMITS.loop_seconds
    for count, item in enumerate(items):
        # The first rounds may each take long: a loop in a loop.
        looks = count < _EVERY or count % _EVERY == 0
        if looks and time.monotonic() > end:
            raise SecurityError(f"a loop was ended after {LIMITS.loop_seconds:.0f} seconds")
        yield item
