"""When a statement holds: the time that a clause gives, and the evaluations that it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.checking.catalogue import Catalogue, Family, Time
from reportgen.checking.context import Claiming
from reportgen.checking.statements._words import FRAMES, Mark
from reportgen.checking.times import moments
from reportgen.checking.words import Words, said, words_of
from reportgen.records.record import record

__all__ = ["Window", "end_of", "times_of", "window_of"]

_MOST, _NEAR = 60, 14
_WINDOWS = ("from", "until", "at")


@record
class Window:
    """The time that a clause gives: `at`, `from` or `until` a step or epoch, or a moment.

    `kind` is empty where none is said, and `unread` where it is not understood.
    """

    kind: str = ""
    at: float = 0.0
    clock: str = ""


def end_of(one: Claiming) -> int:
    """Return where a number ends in its sentence."""
    return one.number.context.offset + one.number.end - one.number.start


def window_of(text: str, marks: Sequence[Mark], numbers: Sequence[Claiming]) -> Window:
    """Return the time that a clause gives: its numbers have their offsets in `text`."""
    found: list[Window] = []
    for clock in said(text):
        inside = [m for m in marks if m.start <= clock.start < m.end]
        if clock.slot != "clock" or any(m.frame == "_always" for m in inside):
            continue
        behind = [n for n in numbers if 0 < n.number.context.offset - clock.end <= 3]
        for one in (behind or [n for n in numbers if 0 < clock.start - end_of(n) <= 8])[:1]:
            start = min(clock.start, one.number.context.offset)
            near = {m.frame for m in marks if 0 <= start - m.end <= _NEAR}
            kind = next((kind for kind in _WINDOWS if f"_{kind}" in near), "unread")
            kind = "until" if "_first" in near and not behind else kind
            value = float(one.number.printed.value)
            found.append(Window(kind=kind, at=value, clock=clock.value))
        if any(m.frame in {"_from", "_until"} and 0 <= clock.start - m.end <= 20 for m in marks):
            found = found or [Window(kind="unread")]
    taken = {at for m in marks if m.frame in FRAMES for at in range(m.start, m.end)}
    free = "".join(" " if at in taken else letter for at, letter in enumerate(text))
    found = found or [Window(kind=kind) for kind in words_of(free).moments]
    return found[0] if len(found) == 1 else Window(kind="unread" if found else "")


def times_of(
    window: Window, family: Family, runs: Sequence[int], catalogue: Catalogue
) -> Iterator[tuple[Time, ...]]:
    """Yield the evaluations that a time means, one tuple for each way to count epochs."""
    curves = [family.curves[run] for run in runs if run in family.curves]
    if not curves or window.kind == "unread":
        return
    shared = sorted(set.intersection(*({int(s) for s in one.steps} for one in curves)) - {0})
    steps = [Time(kind="step", at=float(step)) for step in shared]
    every = max(1, -(-len(steps) // _MOST))
    if family.once or all(len(curve.values) == 1 for curve in curves):
        yield (Time(kind="last"),)
    elif window.kind == "at":
        yield from ((time,) for time in _at(window))
    elif window.kind in _WINDOWS:
        keys = [one.at for one in steps]
        if window.clock != "step":
            clocked = [Time(kind="step", at=at, clock="epoch") for at in keys]
            read = [catalogue.read(family, runs[:1], one) for one in clocked]
            known = [one.value for one in read if one is not None]
            counted = [float(n + 1) for n in range(len(steps))]
            keys = known if window.clock == "epoch" and len(known) == len(steps) else counted
        sign = 1 if window.kind == "from" else -1
        for at in dict.fromkeys((window.at, window.at - (window.clock != "step"))):
            pairs = zip(steps, keys, strict=True)
            kept = [one for one, key in pairs if sign * (key - at) >= 0]
            yield (*kept[:-1:every], *kept[-1:])
    elif window.kind:
        yield tuple(moments(Words(moments=frozenset({window.kind})), family, catalogue))
    else:
        ends = moments(Words(moments=frozenset({"best", "last"})), family, catalogue)
        yield (*ends, *steps[:-1:every], *steps[-1:])


def _at(window: Window) -> Iterator[Time]:
    at = window.at
    yield Time(kind="step", at=at)
    kinds = {"epoch": ("epoch", "step"), "step": ()}.get(window.clock, ())
    yield from (Time(kind=kind, at=one) for kind in kinds for one in (at, at - 1))
    if window.clock != "step":
        yield from (Time(kind="index", at=one) for one in (at - 1, at) if one >= 0)
