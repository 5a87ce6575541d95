"""Carry expressions along with numbers, words and lists, and note what is decided by them.

A tagged value is a real int, float, str or list, so a constructor takes it; whatever arithmetic
it does is done on the tag too. A comparison gives a `Verdict`, which notes the condition when
something asks for its truth, with the frame that asked: the tensors made below that frame,
later, hang on it.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

from tools.families import polynomials as poly
from tools.families.polynomials import Polynomial

TOKEN = re.compile(r"~(\d+)\.(\d+)\.(\d+)~")


class Loop:
    """One run of a loop: its number, its bound as a text, where it stands, and its turn."""

    __slots__ = ("bound", "depth", "number", "origin", "turn")

    def __init__(self, number: int, depth: int, bound: str, origin: str) -> None:
        self.number, self.depth, self.bound, self.turn = number, depth, bound, 0
        self.origin = origin

    def token(self) -> str:
        """Return the atom that stands for the index of this turn."""
        return f"~{self.depth:02}.{self.number:05}.{self.turn}~"


class Journal:
    """What a traced build notes: decisions by frame, loops that run, keys that are read."""

    def __init__(self) -> None:
        self.active: list[Loop] = []
        self.count = 0
        self.decisions: list[tuple[FrameType | None, str]] = []
        self.by_frame: dict[int, list[str]] = {}
        self.frames: list[FrameType] = []
        self.read: set[str] = set()
        self.missing: set[str] = set()
        self.computed: dict[str, str] = {}
        self.words: dict[str, set[str]] = {}
        self.sought: dict[str, set[Any]] = {}
        self.bounds: set[str] = set()
        self._spelled: dict[int, tuple[Polynomial, str]] = {}

    def spelled(self, polynomial: Polynomial) -> str:
        """Spell a polynomial, once for all tensors that share it."""
        known = self._spelled.get(id(polynomial))
        if known is None:
            # The polynomial is held, so that no other gets its number.
            known = self._spelled[id(polynomial)] = polynomial, poly.show(polynomial)
        return known[1]

    def begin(self, bound: str) -> Loop:
        """Start a loop."""
        self.count += 1
        frame = asking()
        code = frame.f_code if frame else None
        origin = f"{code.co_name}:{frame.f_lineno}" if code and frame else ""
        loop = Loop(self.count, len(self.active), bound, origin)
        self.active.append(loop)
        self.bounds.add(self.anonymous(bound))
        return loop

    def end(self, loop: Loop) -> None:
        """End a loop, however it ends."""
        if loop in self.active:
            self.active.remove(loop)

    def note(self, condition: str, frame: FrameType | None) -> None:
        """Note that a frame asked for the truth of a condition."""
        text = self.anonymous(condition)
        if frame is None:
            return
        held = self.by_frame.get(id(frame))
        if held is None:
            self.frames.append(frame)
            held = self.by_frame[id(frame)] = []
        if text not in held:
            held.append(text)
        self.decisions.append((None, text))

    def settle(self, text: str, places: dict[int, str]) -> str:
        """Write indices of running loops as their places, of others as their numbers."""
        if "~" not in text:
            return text

        def spell(match: re.Match[str]) -> str:
            number, turn = int(match[2]), int(match[3])
            if number not in places:
                return str(turn)
            now = next(loop.turn for loop in self.active if loop.number == number)
            return shifted(places[number], turn - now)

        return TOKEN.sub(spell, text)

    def anonymous(self, text: str) -> str:
        """Write the first loop that a text names as #0, the second as #1."""
        if "~" not in text:
            return text
        running = {loop.number for loop in self.active}
        places: dict[int, str] = {}
        for match in TOKEN.finditer(text):
            if int(match[2]) in running:
                places.setdefault(int(match[2]), f"#{len(places)}")
        return self.settle(text, places)


def shifted(name: str, by: int) -> str:
    """Spell an index that lies so many turns away."""
    return name if not by else f"({name}{by:+d})"


journal = Journal()
on = False


def start() -> Journal:
    """Begin a traced build with an empty journal."""
    global journal, on
    journal, on = Journal(), True
    return journal


def stop() -> None:
    """End tracing."""
    global on
    on = False
    journal.frames.clear()


def asking(levels: int = 2) -> FrameType | None:
    """Return the first frame above that is not of this package."""
    frame: FrameType | None = sys._getframe(levels)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("tools.families"):
        frame = frame.f_back
    return frame


def in_torch(frame: FrameType | None) -> bool:
    """Tell whether a frame is of torch, whose own checks are nobody's condition."""
    return frame is not None and frame.f_globals.get("__name__", "").startswith("torch")


class Verdict(int):
    """A truth that knows its condition."""

    condition: str

    def __new__(cls, value: bool, condition: str) -> Verdict:
        self = int.__new__(cls, bool(value))
        self.condition = condition
        return self

    def __bool__(self) -> bool:
        if on:
            journal.note(self.condition, asking())
        return int.__ne__(self, 0)

    def __repr__(self) -> str:
        return "True" if int.__ne__(self, 0) else "False"

    __str__ = __repr__
    __hash__ = int.__hash__

    def __deepcopy__(self, memo: Any) -> Verdict:
        return self


def verdict(value: Any, condition: str) -> Any:
    """Return a truth with its condition, where somebody may ask."""
    if value is NotImplemented or not on or in_torch(asking(3)):
        return value
    return Verdict(value, condition)


def tag_of(value: Any) -> Polynomial | None:
    """Return the polynomial of a whole number, None for what has none."""
    if isinstance(value, Whole):
        return value.tag
    if isinstance(value, Verdict):
        return poly.atom(f"int({value.condition})")
    if isinstance(value, int):
        return poly.constant(int(value))
    return None


def text_of(value: Any) -> str | None:
    """Spell any number."""
    if isinstance(value, Real):
        return value.text
    tag = tag_of(value)
    if tag is not None:
        return poly.group(tag)
    return repr(float(value)) if isinstance(value, float) and math.isfinite(value) else None


def whole(value: int, tag: Polynomial) -> int:
    """Return a tagged whole number, a plain one where the tag is constant."""
    return value if poly.is_constant(tag) else Whole(value, tag)


WHOLE_RULES = {
    "add": poly.add,
    "sub": poly.subtract,
    "mul": poly.multiply,
    "floordiv": poly.floor_divide,
    "mod": poly.remainder,
    "pow": poly.power,
}
SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "pow": "**",
    "mod": "%",
    "floordiv": "//",
}
COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}


def combine(name: str, left: Any, right: Any) -> Any:
    """Do one operation on numbers and on their tags."""
    a, b = plain(left), plain(right)
    value = getattr(type(a), f"__{name}__")(a, b)
    if value is NotImplemented and isinstance(b, float):
        value = getattr(float, f"__{name}__")(float(a), b)
    if value is NotImplemented or not on:
        return value
    one, other = tag_of(left), tag_of(right)
    if one is not None and other is not None and name in WHOLE_RULES and isinstance(value, int):
        return whole(value, WHOLE_RULES[name](one, other))
    first, second = text_of(left), text_of(right)
    if first is None or second is None or not isinstance(value, (int, float)):
        return value
    ratio = (one, other) if name == "truediv" and one is not None and other is not None else None
    return Real(float(value), f"({first}{SIGNS[name]}{second})", ratio)


def plain(value: Any) -> Any:
    """Return a number without its tag."""
    if isinstance(value, Real):
        return float.__add__(value, 0.0)
    return int.__index__(value) if isinstance(value, int) else value


def compare(name: str, left: Any, right: Any) -> Any:
    """Compare numbers, and give the verdict its condition."""
    a = plain(left)
    b = plain(right)
    value = getattr(type(a), f"__{name}__")(a, b)
    if value is NotImplemented and isinstance(b, float):
        value = getattr(float, f"__{name}__")(float(a), b)
    first, second = text_of(left), text_of(right)
    if first is None or second is None:
        return value
    if isinstance(left, Whole) and tag_of(right) is not None:
        first, second = poly.show(left.tag), poly.show(tag_of(right) or {})
    return verdict(value, f"{first}{COMPARISONS[name]}{second}")


def _binary(name: str) -> dict[str, Any]:
    def forward(self: Any, other: Any) -> Any:
        if name == "mul" and isinstance(other, list):
            return Joined.repeated(other, self)
        if not isinstance(other, (int, float)):
            return NotImplemented
        return combine(name, self, other)

    def backward(self: Any, other: Any) -> Any:
        if name == "mul" and isinstance(other, list):
            return Joined.repeated(other, self)
        if not isinstance(other, (int, float)):
            return NotImplemented
        return combine(name, other, self)

    return {f"__{name}__": forward, f"__r{name}__": backward}


def _comparison(name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        return compare(name, self, other)

    return operator


class Joined(list):  # type: ignore[type-arg]
    """A list put together from repeated parts: where each part ends has an expression."""

    def __init__(self, values: Any, ends: list[Polynomial]) -> None:
        super().__init__(values)
        self.ends = ends

    @classmethod
    def repeated(cls, values: list[Any], times: Any) -> Any:
        """Return a list so many times; one whose own parts are known is none of ours."""
        plain_one = list(values) * int.__index__(times)
        if not on or isinstance(values, (Joined, Listed)):
            return plain_one
        length = poly.multiply(poly.constant(len(values)), tag_of(times) or {})
        return cls(plain_one, [length])

    def __add__(self, other: Any) -> Any:
        return joined(self, other)

    def __radd__(self, other: Any) -> Any:
        return joined(other, self)

    def __deepcopy__(self, memo: Any) -> Joined:
        return self


def joined(left: list[Any], right: list[Any]) -> Joined:
    """Put two lists together, and say where each part ends."""
    ends = [
        each.ends if isinstance(each, Joined) else [poly.constant(len(each))]
        for each in (left, right)
    ]
    return Joined([*left, *right], ends[0] + [poly.add(ends[0][-1], end) for end in ends[1]])


class Number:
    """What tagged whole and real numbers have in common."""

    for _name in SIGNS:
        locals().update(_binary(_name))
    for _name in COMPARISONS:
        locals()[f"__{_name}__"] = _comparison(_name)

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __copy__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        return combine("sub", 0, self)

    def __bool__(self) -> bool:
        if on:
            journal.note(f"{text_of(self)}!=0", asking())
        return bool(plain(self) != 0)


class Whole(Number, int):
    """A whole number with the polynomial that made it."""

    tag: Polynomial

    def __new__(cls, value: int, tag: Polynomial) -> Whole:
        self = int.__new__(cls, value)
        self.tag = tag
        return self

    def __hash__(self) -> int:
        return int.__hash__(self)

    def __ceil__(self) -> int:
        return self

    __floor__ = __trunc__ = __ceil__

    def __int__(self) -> int:
        return int.__index__(self)

    def __round__(self, digits: int | None = None) -> int:
        return self


class Real(Number, float):
    """A real number with the text of what made it, and the ratio if it is one."""

    text: str
    ratio: tuple[Polynomial, Polynomial] | None

    def __new__(cls, value: float, text: str, ratio: Any = None) -> Real:
        self = float.__new__(cls, value)
        self.text, self.ratio = text, ratio
        return self

    def __hash__(self) -> int:
        return float.__hash__(self)

    def rounded(self, how: str, value: int) -> int:
        """Return a whole number made by int, floor, ceil or round."""
        if self.ratio is not None:
            top, bottom = self.ratio
            exact = poly.quotient(top, bottom)
            if exact is not None:
                return whole(value, exact)
            if how in ("int", "floor"):
                return whole(value, poly.floor_divide(top, bottom))
        text = self.text
        if text.startswith("(") and text.endswith(")") and poly.PLAIN.fullmatch(text):
            text = text[1:-1]
        return whole(value, poly.atom(f"{how}({text})"))

    def __ceil__(self) -> int:
        return self.rounded("ceil", math.ceil(plain(self)))

    def __floor__(self) -> int:
        return self.rounded("floor", math.floor(plain(self)))

    def __trunc__(self) -> int:
        return self.rounded("int", int(plain(self)))

    def __round__(self, digits: int | None = None) -> Any:
        return round(plain(self), digits) if digits else self.rounded("round", round(plain(self)))

    def is_integer(self) -> bool:
        """Tell whether nothing stands behind the point; that is no condition of ours."""
        return bool(plain(self).is_integer())


class Word(str):
    """A word with its key; it notes what it is compared with: those are the other choices."""

    key: str

    def __new__(cls, value: str, key: str) -> Word:
        self = str.__new__(cls, value)
        self.key = key
        return self

    def _against(self, other: Any, sign: str) -> Any:
        value = str.__eq__(self, other) if sign == "==" else str.__ne__(self, other)
        if not on or not isinstance(other, str) or isinstance(other, Word):
            return value
        bare = re.sub(r"\[.*?\]$", "", self.key)
        journal.words.setdefault(bare, set()).add(str(other))
        return verdict(value, f"{self.key}{sign}{str(other)!r}")

    def __eq__(self, other: object) -> Any:
        return self._against(other, "==")

    def __ne__(self, other: object) -> Any:
        return self._against(other, "!=")

    def __contains__(self, part: Any) -> bool:
        value = str.__contains__(self, part)
        if on and isinstance(part, str):
            journal.sought.setdefault(self.key, set()).add(str(part))
            journal.note(f"{str(part)!r} in {self.key}", asking())
        return value

    def split(self, *how: Any) -> Any:
        """Split into parts, which still know whose they are."""
        return [Part(each, self.key) for each in str.split(self, *how)]

    def lower(self) -> Word:
        """Return it in lower case, as the same key."""
        return Word(str.lower(self), self.key)

    def strip(self, *what: Any) -> Word:
        """Return it without blanks around, as the same key."""
        return Word(str.strip(self, *what), self.key)

    def startswith(self, start: Any, *where: Any) -> Any:
        """Tell whether it starts so; that it holds it is the condition."""
        value = str.startswith(self, start, *where)
        return Part(str(self), self.key).held(start, value=value)

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __deepcopy__(self, memo: Any) -> Word:
        return self


class Part(str):
    """A part of a word; what it is compared with is looked for in the whole."""

    key: str

    def __new__(cls, value: str, key: str) -> Part:
        self = str.__new__(cls, value)
        self.key = key
        return self

    def lower(self) -> Part:
        """Return it in lower case, as a part of the same key."""
        return Part(str.lower(self), self.key)

    def strip(self, *what: Any) -> Part:
        """Return it without blanks around, as a part of the same key."""
        return Part(str.strip(self, *what), self.key)

    def held(self, other: Any, *, value: bool) -> Any:
        """Return a verdict whose condition is that the whole holds the other."""
        if not on or not isinstance(other, str):
            return value
        journal.sought.setdefault(self.key, set()).add(str(other))
        return verdict(value, f"{str(other)!r} in {self.key}")

    def __eq__(self, other: object) -> Any:
        return self.held(other, value=str.__eq__(self, other))

    def __ne__(self, other: object) -> Any:
        return not self == other

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __deepcopy__(self, memo: Any) -> Part:
        return self


def element(value: Any, key: str, index: str) -> Any:
    """Tag an element of a list with its place."""
    name = f"{key}[{index}]"
    if isinstance(value, (Verdict, bool)):
        return Verdict(bool(int(value)), name)
    if isinstance(value, int):
        return Whole(int.__index__(value), poly.atom(name))
    if isinstance(value, float):
        return Real(plain(value), name)
    if isinstance(value, str):
        return Word(value, name)
    if isinstance(value, (list, tuple)):
        return Listed(value, name)
    return value


def _rule(values: Any) -> tuple[Polynomial, Polynomial] | None:
    """Return first and step of numbers that a range gave, None for others."""
    first = next(list.__iter__(values), None) if isinstance(values, list) else None
    if not isinstance(first, Whole):
        return None
    start: Polynomial = {}
    step: Polynomial = {}
    for monomial, factor in first.tag.items():
        left = tuple(each for each in monomial if not TOKEN.fullmatch(each[0]))
        (start if left == monomial else step)[left] = factor
    return (start, step) if step else None


def _made_elsewhere(values: Any, key: str) -> bool:
    """Tell whether a class computed all numbers of a list from other keys."""
    texts = [poly.show(each.tag) for each in values if isinstance(each, Whole)]
    mine = any(TOKEN.search(text) or key in text for text in texts)
    return bool(texts) and len(texts) == len(values) and not mine


class Listed(list):  # type: ignore[type-arg]
    """A list of a configuration, or a part of one: its elements know their place in a loop."""

    def __init__(
        self, values: Any, key: str, first: int = 0, length: Polynomial | None = None
    ) -> None:
        self.rule = _rule(values)
        self.ends = values.ends[:-1] if isinstance(values, Joined) else []
        self.computed = isinstance(values, Joined) or _made_elsewhere(values, key)
        super().__init__(
            each
            if self.computed and isinstance(each, Whole)
            else element(each, key, f"{at + first}")
            for at, each in enumerate(list.__iter__(values) if isinstance(values, list) else values)
        )
        self.key, self.first, self.length, self.cycle = key, first, length, False

    def at(self, turn: int, index: str) -> Any:
        """Return an element, tagged with any spelling of its index."""
        for end in self.ends:
            journal.note(f"{index}<{poly.show(end)}", asking())
        index = index if not self.first else f"{index}+{self.first}"
        index = f"({index})%len({self.key})" if self.cycle else index
        if self.computed and isinstance(list.__getitem__(self, turn), Whole):
            return list.__getitem__(self, turn)
        return element(list.__getitem__(self, turn), self.key, index)

    def size(self) -> Polynomial:
        """Return the length."""
        if self.length is not None:
            return self.length
        return poly.subtract(poly.atom(f"len({self.key})"), poly.constant(self.first))

    def __getitem__(self, index: Any) -> Any:
        value = list.__getitem__(self, index)
        if isinstance(index, slice):
            return self._part(value, index)
        if isinstance(index, Whole):
            return self.at(index, poly.show(index.tag))
        return self.at(index, str(index)) if index < 0 and not self.first else value

    def _part(self, value: list[Any], index: slice) -> list[Any]:
        first, stop = index.start or 0, index.stop
        if index.step not in (None, 1) or first < 0 or isinstance(first, Whole):
            return value
        length = None
        if stop is not None and stop >= 0:
            length = poly.subtract(tag_of(stop) or {}, poly.constant(first))
        elif stop is not None:
            length = poly.add(self.size(), poly.constant(int(stop) - first))
        part = Listed(value, self.key, self.first + int(first), length)
        part.cycle = self.cycle
        return part

    def __mul__(self, times: Any) -> Any:
        part = Listed(list.__mul__(self, times), self.key)
        part.length = poly.multiply(self.size(), tag_of(times) or {})
        part.cycle = True
        return part

    def __iter__(self) -> Iterator[Any]:
        if not on:
            yield from list.__iter__(self)
            return
        loop = journal.begin(poly.show(self.size()))
        try:
            for turn in range(len(self)):
                loop.turn = turn
                yield self.at(turn, loop.token())
        finally:
            journal.end(loop)

    def __contains__(self, item: Any) -> bool:
        values = [plain(each) if isinstance(each, int) else each for each in list.__iter__(self)]
        value = any(str(item) == str(each) for each in values)
        if on and isinstance(item, (int, str)):
            text = repr(str(item)) if isinstance(item, str) else poly.show(tag_of(item) or {})
            journal.sought.setdefault(self.key, set()).add(
                str(item) if isinstance(item, str) else 0
            )
            journal.note(f"{text} in {self.key}", asking())
            if self.rule is not None and isinstance(item, Whole):
                behind = poly.group(poly.subtract(item.tag, self.rule[0]))
                journal.note(f"{behind}%{poly.group(self.rule[1])}==0", asking())
        return value

    def __bool__(self) -> bool:
        return len(self) > 0

    def __deepcopy__(self, memo: Any) -> Listed:
        return self

    def __reduce__(self) -> Any:
        return (list, (list(map(plain, list.__iter__(self))),))


def tagged(value: Any, key: str) -> Any:
    """Tag a value of a configuration with its key."""
    if isinstance(value, bool):
        return Verdict(value, key)
    if isinstance(value, int):
        return Whole(value, poly.atom(key))
    if isinstance(value, float):
        return Real(value, key)
    if isinstance(value, str):
        return Word(value, key)
    if isinstance(value, (list, tuple)):
        return Listed(value, key)
    return value
