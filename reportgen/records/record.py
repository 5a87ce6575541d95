"""Records: frozen dataclasses with slots, defined in a quarter of the time.

`dataclasses` compiles six methods for each class, and a process that reads one small file defines
some eighty. Of a record only `__init__` is compiled; all records share the other methods. What
`dataclasses` offers for its own classes (`fields`, `asdict`, `replace`) takes records as well.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(x=3), Point(x=3) == Point(x=3, y=0), replace(Point(x=3), y=4)
    (Point(x=3, y=0), True, Point(x=3, y=4))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast, dataclass_transform

__all__ = ["field", "record", "replace"]

Made = TypeVar("Made", bound=type)

_NOTHING: Any = object()
"""Stands for a default that is not given."""


class _Field:
    """What a class says of one field in place of a plain default."""

    __slots__ = ("compare", "default", "factory", "init", "repr")

    def __init__(
        self,
        *,
        default: Any = _NOTHING,
        default_factory: Any = _NOTHING,
        init: bool = True,
        repr: bool = True,  # noqa: A002 - as in dataclasses
        compare: bool = True,
    ) -> None:
        self.default, self.factory = default, default_factory
        self.init, self.repr, self.compare = init, repr, compare


if TYPE_CHECKING:
    from dataclasses import field, replace
else:
    field = _Field

    def replace(of: Any, /, **changes: Any) -> Any:
        """Return a record, or another dataclass, with some fields changed."""
        if hasattr(of, "__replace__"):
            return of.__replace__(**changes)
        from dataclasses import replace as replace_in_dataclass

        return replace_in_dataclass(of, **changes)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def record(
    *bare: Made,
    kw_only: bool = True,
    frozen: bool = True,
    eq: bool = True,
    weakref_slot: bool = False,
) -> Any:
    """Make a record of a class: frozen, with slots, its fields named by the caller.

    Args:
        bare: The class, where no option is given.
        kw_only: False lets fields be given in their order as well.
        frozen: False lets them change; such a record has no hash.
        eq: False leaves each record equal to itself alone.
        weakref_slot: True lets others point to it weakly.
    """
    shared = {**_SHARED, **(_FROZEN if frozen else {}), **(_BY_VALUE if eq else {})}
    if eq and not frozen:
        shared["__hash__"] = None
    more = ("__weakref__",) if weakref_slot else ()
    if bare:
        return _make(*bare, kw_only=kw_only, shared=shared, more=more)
    return lambda cls: _make(cls, kw_only=kw_only, shared=shared, more=more)


def _make(cls: Made, *, kw_only: bool, shared: Mapping[str, object], more: tuple[str, ...]) -> Made:
    own = dict(cls.__dict__)
    fields = {
        name: _as_field(own.pop(name, _NOTHING))
        for name, hint in cls.__annotations__.items()
        if not str(hint).startswith("ClassVar")
    }
    for name in ("__dict__", "__weakref__"):
        own.pop(name, None)
    taken = tuple(name for name, one in fields.items() if one.init)
    method = _init(cls, fields, kw_only=kw_only)
    made = {
        **{name: method for name, method in shared.items() if name not in own},
        **own,
        "__slots__": (*fields, *more),
        "__taken__": taken,
        "__given__": attrgetter(*taken, "__class__", "__class__"),
        "__match_args__": () if kw_only else taken,
        "__fields__": fields,
        "__stored__": attrgetter(*fields, "__class__", "__class__"),
        "__shown__": tuple(name for name, one in fields.items() if one.repr),
        "__compared__": attrgetter(
            *(name for name, one in fields.items() if one.compare), "__class__"
        ),
        "__init__": method,
        "__qualname__": cls.__qualname__,
    }
    complete = type(cls)(cls.__name__, cls.__bases__, made)
    # The slots take what the guard of a frozen record would refuse.
    setters = {name: complete.__dict__[name].__set__ for name in fields}
    method.__globals__.update((f"_set_{name}", put) for name, put in setters.items())
    complete.__setters__ = tuple(setters.values())  # type: ignore[attr-defined]
    return complete


def _as_field(value: Any) -> _Field:
    return value if isinstance(value, _Field) else _Field(default=value)


def _init(cls: type, fields: Mapping[str, _Field], *, kw_only: bool) -> Callable[..., None]:
    """Compile the method that takes the fields."""
    names: dict[str, Any] = {"_NOTHING": _NOTHING}
    head, body = [], []
    for name, one in fields.items():
        known, made = f"_of_{name}", one.factory is not _NOTHING
        names[known] = one.factory if made else one.default
        value = f"{known}()" if made else known
        if one.init:
            optional = "_NOTHING" if made else known
            is_needed = not made and one.default is _NOTHING
            head.append(name if is_needed else f"{name}={optional}")
            value = f"{value} if {name} is _NOTHING else {name}" if made else name
        if one.init or names[known] is not _NOTHING:
            body.append(f" _set_{name}(self, {value})\n")
    body.append(" self.__post_init__()\n" if hasattr(cls, "__post_init__") else " pass\n")
    head = ["self", *(["*"] if kw_only and head else []), *head]
    # The names of fields, and nothing else, are put into the text.
    exec(f"def __init__({', '.join(head)}):\n{''.join(body)}", names)  # noqa: S102
    method = cast("Callable[..., None]", names["__init__"])
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    method.__annotations__ = {n: cls.__annotations__[n] for n, one in fields.items() if one.init}
    return method


def _show(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__shown__)
    return f"{type(self).__qualname__}({shown})"


def _equal(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    compared = self.__compared__
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash(self.__compared__(self))


def _frozen(self: Any, name: str, _: object = None) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot change {name!r} of a {type(self).__name__}")


def _replace(self: Any, /, **changes: Any) -> Any:
    return type(self)(**dict(zip(self.__taken__, self.__given__(self), strict=False), **changes))


def _state(self: Any) -> list[Any]:
    return list(self.__stored__(self)[:-2])


def _restore(self: Any, state: list[Any]) -> None:
    for put, value in zip(self.__setters__, state, strict=True):
        put(self, value)


class _AsDataclass:
    """The fields as `dataclasses` describes them, from the first time that it asks."""

    def __get__(self, _: object, owner: Any) -> dict[str, Any]:
        import dataclasses

        said = [
            (name, hint, _described(owner.__fields__[name]))
            for name, hint in owner.__annotations__.items()
            if name in owner.__fields__
        ]
        owner.__dataclass_fields__ = dataclasses.make_dataclass(
            owner.__name__, said, kw_only=True
        ).__dataclass_fields__  # type: ignore[attr-defined]
        return cast("dict[str, Any]", owner.__dataclass_fields__)


def _described(one: _Field) -> Any:
    import dataclasses

    given = {"default": one.default, "default_factory": one.factory}
    known = {key: value for key, value in given.items() if value is not _NOTHING}
    return dataclasses.field(**known, init=one.init, repr=one.repr, compare=one.compare)


_SHARED: dict[str, object] = {
    "__repr__": _show,
    "__replace__": _replace,
    "__getstate__": _state,
    "__setstate__": _restore,
    "__dataclass_fields__": _AsDataclass(),
}
_FROZEN = {"__setattr__": _frozen, "__delattr__": _frozen}
_BY_VALUE = {"__eq__": _equal, "__hash__": _hash}
