"""Records beside the dataclasses that they stand for."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import weakref
from typing import ClassVar

import pytest

from reportgen.records.record import field, record, replace


@record
class Place:
    """A field of every kind."""

    name: str
    depth: int = 0
    tags: tuple[str, ...] = field(default_factory=tuple)
    note: str = field(default="", compare=False, repr=False)
    whole: str = field(init=False, compare=False)
    kind: ClassVar[str] = "place"

    def __post_init__(self) -> None:
        object.__setattr__(self, "whole", f"{self.name}/{self.depth}")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """The same as a dataclass."""

    name: str
    depth: int = 0
    tags: tuple[str, ...] = dataclasses.field(default_factory=tuple)
    note: str = dataclasses.field(default="", compare=False, repr=False)
    whole: str = dataclasses.field(init=False, compare=False)
    kind: ClassVar[str] = "place"

    def __post_init__(self) -> None:
        object.__setattr__(self, "whole", f"{self.name}/{self.depth}")


@record(kw_only=False)
class Pair:
    """Fields in their order."""

    one: int
    other: int = 2


@record(frozen=False)
class Draft:
    """Fields that change."""

    lines: list[str] = field(default_factory=list)
    count: int = 0


@record(eq=False, weakref_slot=True)
class Handle:
    """One that is equal to itself alone."""

    name: str


def test_it_looks_and_compares_as_a_dataclass_does():
    one, same, other = Place(name="a"), Place(name="a", note="seen"), Place(name="a", depth=1)
    assert repr(one) == repr(Twin(name="a")).replace("Twin", "Place")
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != Twin(name="a")
    assert len({one, same, other}) == 2
    assert (one.whole, one.kind, Place.kind) == ("a/0", "place", "place")
    assert not hasattr(one, "__dict__")


@pytest.mark.parametrize(
    ("given", "told"),
    [({}, "missing 1 required"), ({"name": "a", "size": 1}, "unexpected"), ({"whole": "b"}, "")],
)
def test_arguments_are_refused_as_a_dataclass_refuses_them(given, told):
    for kind in (Place, Twin):
        with pytest.raises(TypeError, match=rf"{kind.__name__}.__init__.*{told}"):
            kind(**given)
    with pytest.raises(TypeError, match="positional"):
        Place("a")


def test_it_stays_as_it_is():
    place = Place(name="a")
    for change in (lambda: setattr(place, "name", "b"), lambda: delattr(place, "name")):
        with pytest.raises(dataclasses.FrozenInstanceError, match="'name'"):
            change()
    with pytest.raises(AttributeError):
        place.colour = "red"
    assert place.name == "a"


@pytest.mark.parametrize("changed", [replace, dataclasses.replace])
def test_a_copy_with_changes(changed):
    place = Place(name="a", tags=("x",), note="seen")
    found = changed(place, depth=3)
    assert (found.name, found.depth, found.tags, found.note) == ("a", 3, ("x",), "seen")
    assert found.whole == "a/3"
    with pytest.raises(TypeError):
        changed(place, size=1)
    assert replace(Twin(name="a"), depth=3) == Twin(name="a", depth=3)


def test_dataclasses_know_it():
    names = [one.name for one in dataclasses.fields(Place)]
    assert names == [one.name for one in dataclasses.fields(Twin)]
    assert dataclasses.is_dataclass(Place)
    assert dataclasses.asdict(Place(name="a")) == dataclasses.asdict(Twin(name="a"))
    for one, other in zip(dataclasses.fields(Place), dataclasses.fields(Twin), strict=True):
        for told in ("default", "default_factory", "type", "init", "repr", "compare"):
            assert getattr(one, told) == getattr(other, told)


@pytest.mark.parametrize("value", [Place(name="a", depth=2), Pair(1), Draft(lines=["a"])])
def test_it_is_copied_and_sent_to_other_processes(value):
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own


def test_fields_that_change():
    draft, second = Draft(), Draft()
    draft.lines.append("a")
    draft.count = 2
    assert second.lines == []
    assert draft == Draft(lines=["a"], count=2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(draft)


def test_equal_to_itself_alone():
    handle = Handle(name="a")
    assert handle != Handle(name="a")
    assert weakref.ref(handle)() is handle
    assert len({handle, Handle(name="a")}) == 2
