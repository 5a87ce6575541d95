"""Writing `runs.pattern`: an expression that groups runs as they were grouped."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.runs._pattern import groups_in
from reportgen.runs._seeds import stamps_in

Cell = tuple[str, int | None]
"""Group and seed that a pattern should find; None where it names no seed."""

_MARKS = "_-. /"
_FEW = 8
_ANY = r"[^/]+?"
_DEEP = r".+?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Where in a path the seed stands, with the letters before it: `seed_3` of `bert_seed_3`.

    Attributes:
        begin, end: Of the whole token; equal where a path has no seed.
        digits: Where its digits begin.
        named: False for a number that is passed over: no seed, or one that is not believed.
    """

    begin: int = 0
    digits: int = 0
    end: int = 0
    named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """What paths have in common around the name of their group.

    Attributes:
        before: Text before the seed's token, without the separator.
        gap: Separator and letters before the seed's digits.
        after_gap: Separator behind the seed.
        after: What follows, without clock readings.
        clock: Clock reading at the end.
        number: Expression of the number in the token; empty without one.
    """

    before: str
    gap: str
    after_gap: str
    after: str
    clock: str
    number: str


def write_pattern(
    wanted: Mapping[str, Cell],
    slots: Mapping[str, Slot],
    others: Sequence[str] = (),
    *,
    exact: bool = False,
    accept: Callable[[str], bool] = lambda _: True,
) -> str:
    r"""Return an expression for `runs.pattern`; empty where none of a plain form is right.

    Args:
        wanted: Path to the group's name and seed.
        slots: Path to where its seed stands.
        others: Paths that it must not match.
        exact: The groups must have these very names; else it is enough to tell them apart.
        accept: What else must be true of an expression.

    Example:
        >>> write_pattern({"t/a/0": ("a", 0), "t/b/1": ("b", 1)},
        ...               {"t/a/0": Slot(begin=4, digits=4, end=5),
        ...                "t/b/1": Slot(begin=4, digits=4, end=5)})
        '^t/(?P<group>[^/]+?)/(?P<seed>\\d+)$'
    """
    shapes = {path: _shape(path, slots[path]) for path in wanted}
    shape = next(iter(shapes.values()), None)
    if shape is None or any(_frame(s) != _frame(shape) for s in shapes.values()):
        return ""
    names = {path: name for path, (name, _) in wanted.items()}
    for text in _candidates(shapes, names):
        if _is_right(text, wanted, others, exact=exact) and accept(text):
            return text
    return ""


def _frame(shape: _Shape) -> tuple[str, str, bool, bool, str]:
    return shape.gap, shape.after_gap, bool(shape.before), bool(shape.after), shape.number


def _shape(path: str, slot: Slot) -> _Shape:
    clocks = stamps_in(path)
    end = clocks[-1][0] if clocks and clocks[-1][1] == len(path) else len(path)
    clock = path[end:]
    if slot.begin >= end or slot.begin == slot.end:
        # Without a seed, or with the seed behind the clock reading, nothing parts the name.
        bare = path[:end].rstrip(_MARKS)
        gap = path[len(bare) : end]
        return _Shape(before=bare, gap=gap, after_gap="", after="", clock=clock, number="")
    before, after = path[: slot.begin], path[slot.end : end]
    bare, rest = before.rstrip(_MARKS), after.lstrip(_MARKS)
    return _Shape(
        before=bare,
        gap=path[len(bare) : slot.digits],
        after_gap=after[: len(after) - len(rest)],
        after=rest,
        clock=clock,
        number=r"(?P<seed>\d+)" if slot.named else r"\d+",
    )


def _candidates(shapes: Mapping[str, _Shape], names: Mapping[str, str]) -> list[str]:
    """Return expressions to try, the plainest first."""
    first = next(iter(shapes.values()))
    befores = list(dict.fromkeys(shape.before for shape in shapes.values()))
    afters = list(dict.fromkeys(shape.after for shape in shapes.values()))
    clock = _clock([shape.clock for shape in shapes.values()])
    middle = f"{re.escape(first.gap)}{first.number}{re.escape(first.after_gap)}"
    found = []
    pairs = set() if first.after else {(s.before, names[path]) for path, s in shapes.items()}
    for head in _names(befores, pairs):
        if not first.before:
            group = f"(?P<group>{_DEEP})" if first.after else ""
            found.append(f"^{middle}{group}{clock}$")
        elif first.after:
            found += [f"^{head}{middle}(?P<group2>{tail}){clock}$" for tail in _tails(afters)]
        else:
            found.append(f"^{head}{middle}{clock}$")
    return [text.replace(r"\-", "-").replace(r"\ ", " ") for text in found]


def _names(befores: Sequence[str], pairs: set[tuple[str, str]]) -> list[str]:
    """Return expressions that take the group's name out of what stands before the seed."""
    top = _folder_of(befores)
    cut = {_ends(before, name, top) for before, name in pairs}
    ends = next(iter(cut)) if len(cut) == 1 else ""
    found = [f"{re.escape(top)}(?P<group>{any_}){re.escape(ends)}" for any_ in (_ANY, _DEEP)]
    if len(befores) <= _FEW:
        words = "|".join(re.escape(before[len(top) :]) for before in befores)
        found.append(f"{re.escape(top)}(?P<group>{words})")
        whole = "|".join(map(re.escape, befores))
        found.append(f"(?P<group>{whole})")
    found.append(f"(?P<group>{_DEEP})")
    return found


def _ends(before: str, name: str, top: str) -> str:
    rest = before[len(top) :]
    return rest[len(name) :] if rest.startswith(name) else ""


def _tails(afters: Sequence[str]) -> list[str]:
    few = ["|".join(map(re.escape, afters))] if len(afters) <= _FEW else []
    return [_ANY, *few]


def _folder_of(befores: Sequence[str]) -> str:
    """Return the folders that all share, leaving each at least one part."""
    parts = [before.split("/") for before in befores]
    count = 0
    while all(len(p) > count + 1 for p in parts) and len({p[count] for p in parts}) == 1:
        count += 1
    return "".join(f"{part}/" for part in parts[0][:count]) if parts else ""


def _clock(clocks: Sequence[str]) -> str:
    """Return an expression for clock readings of one form."""
    written = [clock for clock in clocks if clock]
    forms = {
        re.sub(r"\d+", lambda found: rf"\d{{{len(found[0])}}}", re.escape(clock))
        for clock in written
    }
    marks = {clock[0] for clock in written}
    if not forms:
        return ""
    if len(forms) == 1:
        text = next(iter(forms)).replace(r"\d{2}\-\d{2}\-\d{2}", r"[\d-]{8}")
    elif len(marks) == 1:
        text = f"{re.escape(next(iter(marks)))}[^/]+"
    else:
        return ""
    return text if len(written) == len(clocks) else f"(?:{text})?"


def _is_right(text: str, wanted: Mapping[str, Cell], others: Sequence[str], *, exact: bool) -> bool:
    """Tell whether an expression parts the paths into the same groups, with the same seeds."""
    pattern = re.compile(text)
    if not {"group", "seed"} & set(pattern.groupindex):
        return False
    names: dict[str, str] = {}
    for path, (group, seed) in wanted.items():
        match = pattern.search(path)
        if match is None:
            return False
        found, number = groups_in(match)
        # Where a path is nothing but its seed, the group has the name of the root.
        found = found or ("" if "group" in pattern.groupindex else group)
        expected = group if exact else names.setdefault(group, found)
        if found != expected or not found or number != seed:
            return False
    if not exact and len(set(names.values())) < len(names):
        return False
    return not any(pattern.search(path) for path in others)
