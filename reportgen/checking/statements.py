"""Statements of sentences without a value of their own, held against the curves.

`A outperforms B in every epoch`: a frame (a row of `frames.csv`), runs, a metric and a time. It is
traced where it holds, and contradicted, as a warning, where all of these are said and it fails
under every legal reading: any evaluation, either split, the mean and each run.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Family, Reading, RunName, Time, metric_fits
from reportgen.checking.context import Claiming, sentence_spans
from reportgen.checking.phrases import as_printed
from reportgen.checking.places import Mention, mentions_in, moments
from reportgen.checking.verdicts import Form, form_of
from reportgen.checking.words import Words, longest_of, said, tokens_of, words_of
from reportgen.records.manuscript import Manuscript, Place
from reportgen.records.record import record, replace
from reportgen.records.verdict import Verdict
from reportgen.runs import direction_of

__all__ = ["check_statements"]


# Words of statements in a sentence: rows of `frames.csv`; a new word or frame is a row there.

FRAMES = frozenset({"compare", "than", "extreme", "spread", "course"})
FAR = 90
_BREAK = re.compile(r"[;:]\s|\s[–—]\s")


class Mark(NamedTuple):
    """Words of a row where they stand in a text: of a frame, or of what decides how one is read."""

    frame: str
    sense: str
    start: int
    end: int


@cache
def _rows() -> tuple[re.Pattern[str], dict[str, tuple[tuple[str, str], ...]]]:
    """Return a pattern of all words, the longest first, and the frames and senses of each."""
    text = resources.files(__package__).joinpath("frames.csv").read_text(encoding="utf-8")
    meanings: dict[str, list[tuple[str, str]]] = {}
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        for words in row["words"].split("|"):
            meanings.setdefault(words, []).append((row["frame"], row["sense"]))
    end = r"(?:(?<=')|(?![^\W_]))"
    pattern = re.compile(rf"(?<![^\W_])(?:{longest_of(meanings)}){end}", re.IGNORECASE)
    return pattern, {words: tuple(found) for words, found in meanings.items()}


@cache
def words_in(frame: str, sense: str) -> frozenset[str]:
    """Return the words of a frame and sense."""
    _, meanings = _rows()
    return frozenset(words for words, found in meanings.items() if (frame, sense) in found)


@lru_cache(maxsize=2048)
def marks_of(text: str) -> tuple[Mark, ...]:
    """Return the words of statements in a text, in order; longer ones go before shorter.

    Example:
        >>> [(one.frame, one.sense) for one in marks_of("X always outperforms Y.")]
        [('_always', ''), ('compare', 'better')]
    """
    pattern, meanings = _rows()
    marks = [
        Mark(frame, sense, match.start(), match.end())
        for match in pattern.finditer(text.replace("\u2019", "'").replace("\n", " "))
        for frame, sense in meanings[match[0].lower()]
    ]
    behind = [one.start for one in marks if one.frame == "_than"]
    than = {m.start for m in marks if any(0 < at - m.end <= FAR for at in behind)}
    than &= {m.start for m in marks if m.frame == "than"}
    # A comparative has its "than"; the same word without one is a superlative.
    wanted = {"than": {True}, "extreme": {False}}
    return tuple(m for m in marks if (m.start in than) in wanted.get(m.frame, {True, False}))


@lru_cache(maxsize=2048)
def has_frames(text: str) -> bool:
    """Say whether a sentence has the words of a statement, and none that hedge or ask."""
    frames = {one.frame for one in marks_of(text)}
    return bool(frames & FRAMES) and not (frames & {"_hedge", "_except"} or "?" in text)


def clause_at(text: str, marks: tuple[Mark, ...], at: int) -> tuple[int, int]:
    """Return where the clause begins and ends that a place stands in."""
    breaks = [one.start for one in marks if one.frame == "_clause" and one.start > 0]
    breaks += [match.end() for match in _BREAK.finditer(text)]
    before = max((one for one in breaks if one <= at), default=0)
    behind = min((one for one in breaks if one > at), default=len(text))
    return before, behind


# Whether a statement holds: margins between values of the evidence under each legal reading.

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


# Shares of a value by which two may differ and be called equal; standard deviations are rough.
_TIED, _TIED_SPREAD = 0.004, 0.3
# Share of the evaluations of a long curve at which `always` may fail.
_RARE = 0.05
Sides = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], str]
"""Runs of the subject, those that it is held against, and the aggregate of both."""


@record
class Statement:
    """What a clause says of runs, in the terms of the evidence.

    It is held against one of `rivals`, each a reading with one or more sets of runs, or against
    the printed `limit`; else it is of a course. `gap` is a difference that is said to be about so
    large, `spread` says how much runs differ, `always` and `every` are of all evaluations and
    runs. Where runs, metric and time are said it is `bound`, and may be contradicted.
    """

    sense: str
    left: tuple[int, ...]
    rivals: tuple[tuple[tuple[int, ...], ...], ...] = ()
    families: tuple[Family, ...] = ()
    window: Window = Window()
    limit: Form | None = None
    gap: Form | None = None
    spread: bool = False
    always: bool = False
    every: bool = False
    bound: bool = False

    @property
    def course(self) -> bool:
        """Whether it is of how a curve goes."""
        return not self.rivals and self.limit is None


class Margin(NamedTuple):
    """By how much a statement holds in a reading; `salient` are those that come to mind first."""

    value: float
    readings: tuple[Reading, ...]
    salient: bool = False

    @property
    def fails(self) -> bool:
        """Whether it fails by more than a tie."""
        return self.value < -_TIED


def holds(group: Sequence[Margin], one: Statement) -> bool:
    """Say whether a statement holds in one reading: somewhere, or all over."""
    failing = sum(margin.fails for margin in group)
    if one.every or (one.always and one.window.kind != "at"):
        return failing == 0 or (not one.every and failing < _RARE * len(group))
    return failing < len(group)


def groups_of(one: Statement, catalogue: Catalogue) -> Iterator[list[Margin]]:
    """Yield the margins of each reading: a family, a way to count time, the mean or runs."""
    for family in one.families:
        runs = (*one.left, *(run for rivals in one.rivals[:1] for side in rivals for run in side))
        for times in times_of(one.window, family, runs, catalogue):
            moves = [(time, time) for time in times]
            if one.course:
                steps = [time for time in times if time.kind == "step"]
                ends = steps if one.always or not one.window.kind else [*steps[:1], *steps[-1:]]
                moves = list(pairwise(ends))
            sides = list(_sides(one, family, catalogue.runs))
            rows = [[_margin(one, s, family, t, catalogue) for t in moves] for s in sides]
            if one.every:
                rows = [list(column) for column in zip(*rows, strict=True)]
            yield from ([margin for margin in row if margin is not None] for row in rows)


def _sides(one: Statement, family: Family, named: Sequence[RunName]) -> Iterator[Sides]:
    """Yield the legal readings of the two sides: means, then single runs."""
    left = tuple(run for run in one.left if run in family.curves)
    for rivals in one.rivals or ((),):
        right = tuple(tuple(r for r in runs if r in family.curves) for runs in rivals)
        if not left or not all(right):
            continue
        if one.spread:
            yield from ((left, right, how) for how in ("std", "pstd"))
        else:
            if not one.every:
                yield left, right, "mean"
            if len(right) > 1:
                yield from ((left, right, how) for how in ("max", "min"))
            pairs = [(run, right) for run in left]
            if len(right) == 1:
                every = [(a, b) for a in left for b in right[0]]
                alike = [(a, b) for a, b in every if named[a].seed == named[b].seed] or every
                pairs = [(a, ((b,),)) for a, b in alike]
            yield from (((run,), other, "mean") for run, other in pairs[:30])


def _margin(
    one: Statement, sides: Sides, family: Family, times: tuple[Time, Time], catalogue: Catalogue
) -> Margin | None:
    left, right, how = sides
    best = "max" if direction_of(family.metric) == "higher" else "min"
    way = 1 if best == "max" else -1
    sign = {"higher": 1, "lower": -1, "better": way, "worse": -way}[one.sense]
    timed = one.window.kind or one.course or times[0].kind in {"last", best}
    whole = len(left) > 1 or len(one.left) == 1 or one.every
    salient = bool(timed and whole and how in {"mean", "std"})
    mine = catalogue.read(family, left, times[1], how)
    others = (left,) if one.course else right
    theirs = [catalogue.read(family, runs, times[0], how) for runs in others]
    known = [reading for reading in theirs if reading is not None]
    if mine is None or len(known) < len(theirs):
        return None
    if one.limit is not None:
        return Margin(_beyond(mine.value, one.limit, family, sign), (mine,), salient)
    least = min(known, key=lambda reading: sign * (mine.value - reading.value))
    value = sign * _share(mine.value, least.value) * (_TIED / _TIED_SPREAD if one.spread else 1)
    if one.gap is not None:
        points = abs(mine.value - least.value)
        sizes = (points, 100 * points, 100 * points / abs(least.value or 1.0))
        value = 0.5 - min(abs(size / one.gap.value - 1) for size in sizes)
    return Margin(value, (mine, least), salient)


def _share(left: float, right: float) -> float:
    size = max(abs(left), abs(right))
    return (left - right) / size if size else 0.0


def _beyond(value: float, limit: Form, family: Family, sign: int) -> float:
    """Return by how much a value is beyond a printed number, in the likeliest unit."""
    scales = (1.0, 100.0) if family.fraction else (1.0, 0.01)
    ratio = abs(limit.value / value) if value else 1.0
    scale = min(scales, key=lambda one: abs(math.log(ratio / one)))
    return sign * _share(value * scale + sign * 2 * limit.half, limit.value)


# Statements of a sentence: its frames bound to runs, a metric and a time.

_REACH = 34
_SENSES = {"highest": "higher", "lowest": "lower", "best": "better", "worst": "worse"}
_OPPOSITE = {"higher": "lower", "lower": "higher", "better": "worse", "worse": "better"}


class _Clause(NamedTuple):
    """A clause with what is read in it; what stands before it is blank."""

    text: str
    whole: str
    marks: tuple[Mark, ...]
    names: tuple[Mention, ...]
    numbers: tuple[Claiming, ...]

    def has(self, *frames: str) -> bool:
        return any(one.frame in frames for one in self.marks)

    def near(self, at: int, frame: str, reach: int = _REACH) -> Mark | None:
        found = (one for one in self.marks if one.frame == frame)
        return next((one for one in found if 0 <= one.start - at <= reach), None)


def statements_in(
    text: str, numbers: Sequence[Claiming], catalogue: Catalogue
) -> list[tuple[Statement, int, int]]:
    """Return the statements of a sentence with frames, with their clauses: one a clause."""
    told = []
    marks = marks_of(text)
    quoted = any((one.slot, one.value) == ("guard", "quoted") for one in said(text))
    names = mentions_of(text, marks, catalogue)
    taken = {at for one in names for at in range(one.start, one.end)}
    free = tuple(m for m in marks if not taken & {*range(m.start, m.end)})
    for start, end in dict.fromkeys(clause_at(text, free, m.start) for m in free):
        inside = tuple(m for m in free if start <= m.start < end)
        named = tuple(n for n in names if start <= n.start < end)
        counted = tuple(n for n in numbers if start <= n.number.context.offset < end)
        clause = _Clause(" " * start + text[start:end], text, inside, named, counted)
        found = [] if clause.has("_not") else list(_in_clause(clause, catalogue))
        if len(set(found)) == 1:
            told.append((replace(found[0], bound=found[0].bound and not quoted), start, end))
    return told


def _in_clause(clause: _Clause, catalogue: Catalogue) -> Iterator[Statement]:
    for mark in clause.marks:
        one = None
        match mark.frame:
            case "compare" | "than" | "spread":
                one = _compared(mark, clause, catalogue)
            case "extreme" if not clause.has("compare", "than"):
                one = _extreme(mark, clause, catalogue)
            case "course" if not clause.has("compare", "than", "extreme"):
                one = _course(mark, clause, catalogue)
        if one is not None and (measured := _measured(one, clause, catalogue)) is not None:
            yield measured


def _measured(one: Statement, clause: _Clause, catalogue: Catalogue) -> Statement | None:
    """Return a statement with its metric and time, None where they are not of the evidence."""
    window = window_of(clause.text, clause.marks, clause.numbers)
    families = _families(one, clause, catalogue)
    known = {window.at, *(form.value for form in (one.limit, one.gap) if form is not None)}
    taken = [at for name in clause.names for at in range(name.start, name.end)]
    free = [n for n in clause.numbers if not n.reason and n.number.context.offset not in taken]
    if any(float(n.number.printed.value) not in known for n in free):
        return None
    if not families or (window.kind and clause.has("extreme") and not clause.has("_final")):
        return None
    windowed = window.kind in {"from", "until"} and bool(one.rivals)
    always = one.always or clause.has("_always") or windowed
    runs = [m for m in clause.marks if m.frame == "_every" and clause.near(m.end, "_run", 30)]
    held = {*one.left, *(run for side in one.rivals for runs in side for run in runs)}
    groups = [{catalogue.runs[run].group for run in name.runs} for name in clause.names]
    named = {run for name in clause.names for run in name.runs} <= held
    whole = bool(groups) and named and all(len(group) == 1 for group in groups)
    timed = not one.course or always or bool(window.kind)
    return replace(
        one,
        families=families,
        window=window,
        spread=(one.spread or clause.has("_spread")) and bool(one.rivals),
        always=always,
        every=bool(runs) and not one.rivals,
        bound=whole and timed and (not one.spread or clause.has("_spread", "_run")),
    )


def _families(one: Statement, clause: _Clause, catalogue: Catalogue) -> tuple[Family, ...]:
    """Return the families of the metric that is said, or of the only score that there is."""
    words = words_of(clause.text.strip()).or_else(words_of(clause.whole))
    splits = _splits(clause.text) or _splits(clause.whole)
    usable = [f for f in catalogue.families.values() if {*one.left} & {*f.curves}]
    usable = [f for f in usable if direction_of(f.metric) and "std" not in f.words.aggregates]
    if "learning_rate" in words.metrics:
        return ()
    if words.metrics:
        found = [f for f in usable if metric_fits(words, f)]
    else:
        found = [family for family in usable if "loss" not in family.metric]
        found = found if len({family.metric for family in found}) == 1 else []
    return tuple(f for f in found if not splits or f.split in {*splits, ""})


def _splits(text: str) -> frozenset[str]:
    """Return the splits that a text names; `training` only where a metric stands beside it."""
    words = said(text)
    ends = [(one.start, one.end) for one in words if one.slot == "metric"]
    splits = [one for one in words if one.slot == "split"]
    beside = [o for o in splits if any(-2 < o.start - b < 12 or a - o.end == 1 for a, b in ends)]
    return frozenset(one.value for one in splits if one.value != "train" or one in beside)


def _compared(mark: Mark, clause: _Clause, catalogue: Catalogue) -> Statement | None:
    """Return what a comparison says of two sets of runs, or of one and a number."""
    than = clause.near(mark.end, "_than", FAR) if mark.frame != "compare" else mark
    picked = any(m.frame == "extreme" and m.start != mark.start for m in clause.marks)
    if than is None or picked or clause.has("_never"):
        return None
    before = [name for name in clause.names if name.end <= mark.start]
    between = [name for name in clause.names if mark.end <= name.start < than.start]
    left = [*before[-1:], *between][:1]
    if not left and len(catalogue.runs) > 1:
        return None
    own = left[0].runs if left else (0,)
    one = Statement(sense=mark.sense, left=own, spread=mark.frame == "spread")
    if clause.near(than.end, "_others", 12) is not None:
        return replace(one, rivals=_rivals(own, catalogue)[:1])
    right = next((n for n in clause.names if 0 <= n.start - than.end <= _REACH), None)
    if right is None or not left:
        return _bounded(one, than.end, clause)
    beside = [n.number.printed for n in clause.numbers if 0 <= mark.start - end_of(n) <= 10]
    gaps = [form_of(one) for one in beside if one.unit == "percent" and clause.has("_always")]
    if set(right.runs) & set(own) or (clause.has("_about") and not gaps):
        return None
    gap = gaps[0] if gaps and clause.has("_about") else None
    return replace(one, rivals=((right.runs,),), gap=gap)


def _bounded(one: Statement, at: int, clause: _Clause) -> Statement | None:
    """Return a comparison with a printed number right behind its words."""
    near = [n for n in clause.numbers if 0 <= n.number.context.offset - at <= 2]
    if not near or near[0].number.printed.word or clause.has("_about"):
        return None
    behind = clause.text[end_of(near[0]) :][:12]
    counted = {unit.slot for unit in said(behind)} & {"unit", "clock", "guard"}
    limit = form_of(near[0].number.printed)
    return replace(one, limit=limit) if limit.value and not counted else None


def _extreme(mark: Mark, clause: _Clause, catalogue: Catalogue) -> Statement | None:
    """Return what a superlative says: `A has the highest accuracy`, `the best is that of A`."""
    if len(clause.names) != 1 or clause.has("_own"):
        return None
    name = clause.names[0]
    linked = clause.near(min(name.end, mark.end), "_link", 60)
    if linked is not None and name.start > mark.start:
        by = clause.near(linked.end, "_by", 24)
        linked = linked if by is not None and 0 <= name.start - by.end <= 24 else None
    if linked is None or linked.start > max(name.start, mark.start):
        return None
    rivals = _rivals(name.runs, catalogue)
    return Statement(sense=_SENSES[mark.sense], left=name.runs, rivals=rivals) if rivals else None


def _course(mark: Mark, clause: _Clause, catalogue: Catalogue) -> Statement | None:
    """Return what a verb of going up or down says of one set of runs."""
    if len(clause.names) > 1 or (not clause.names and len(catalogue.runs) > 1):
        return None
    own = clause.names[0].runs if clause.names else (0,)
    never = clause.has("_never")
    return Statement(sense=_OPPOSITE[mark.sense] if never else mark.sense, left=own, always=never)


def _rivals(runs: tuple[int, ...], catalogue: Catalogue) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return whom runs may be the best of: all groups; of one run also its group, and its seed."""
    found = [[one for one in catalogue.groups.values() if not set(one) & set(runs)]]
    if len(runs) == 1:
        own = catalogue.runs[runs[0]]
        others = [(i, run) for i, run in enumerate(catalogue.runs) if i != runs[0]]
        found.append([(i,) for i, run in others if run.group == own.group])
        found.append([(i,) for i, run in others if run.seed == own.seed])
    return tuple(tuple(one) for one in found if one)


_BESIDE = 2


def mentions_of(text: str, marks: Sequence[Mark], catalogue: Catalogue) -> tuple[Mention, ...]:
    """Return the runs that a sentence names, in order: words side by side are one name."""
    found: list[Mention] = []
    named = mentions_in(text, catalogue)
    for one in named:
        last = found[-1] if found else Mention(0, -_BESIDE, ())
        both = tuple(run for run in one.runs if run in last.runs)
        if one.is_seed or (both and one.start < last.end):
            continue
        if both and one.start - last.end <= _BESIDE:
            found[-1] = Mention(last.start, one.end, both)
        elif not _means(text[one.start : one.end]):
            found.append(one)
    free = (
        k
        for k in _kin(marks, catalogue)
        if all(k.start >= o.end or k.end <= o.start for o in found)
    )
    found = sorted([*found, *free])
    seeds = [one for one in named if one.is_seed]
    if len(seeds) != 1 or not found:
        return tuple(found or seeds)
    near = min(found, key=lambda one: abs(one.start - seeds[0].start))
    both = tuple(run for run in near.runs if run in seeds[0].runs)
    return tuple(one._replace(runs=both) if one is near else one for one in found)


def _means(word: str) -> bool:
    """Say whether a word is one of measuring, and no name where it stands alone."""
    return any(one.slot not in {"guard", "unit"} for one in said(word))


def _kin(marks: Sequence[Mark], catalogue: Catalogue) -> Iterator[Mention]:
    """Yield which of two groups began from weights that were trained, and which did not."""
    groups = list(catalogue.groups.values())
    own = words_in("_kin", "scratch")
    scratch = [runs for runs in groups if all(catalogue.runs[run].tokens & own for run in runs)]
    if len(groups) != 2 or len(scratch) != 1:
        return
    trained = groups[0] if groups[1] == scratch[0] else groups[1]
    kin = {"scratch": scratch[0], "trained": trained}
    yield from (Mention(m.start, m.end, kin[m.sense]) for m in marks if m.frame == "_kin")


_SPOKEN = frozenset({"paragraph", "item"})
_LONGEST = 400


def check_statements(
    manuscript: Manuscript, numbers: Sequence[Claiming], catalogue: Catalogue
) -> tuple[Verdict, ...]:
    """Return verdicts on the statements of a report that curves can decide.

    Args:
        manuscript: The report.
        numbers: All its numbers: they give times and bounds.
        catalogue: The evidence.
    """
    blocks = manuscript.blocks if catalogue.families else ()
    words: frozenset[str] | None = None
    found: list[Verdict] = []
    inside: dict[int, list[Claiming]] = {}
    for n in numbers:
        inside.setdefault(n.number.block, []).append(n)
    for index, block in enumerate(blocks):
        whole = block.text if block.type in _SPOKEN else ""
        for start, end in sentence_spans(whole):
            text = whole[start:end].rstrip()[:_LONGEST]
            if not has_frames(text):
                continue
            own = [n for n in inside.get(index, ()) if start <= n.number.start < end]
            key = (text, *map(as_printed, own))
            stated = catalogue.statements.made(key, partial(statements_in, text, own, catalogue))
            for one, first, last in stated:
                if words is None:
                    words = frozenset().union(*(tokens_of(other.text) for other in blocks))
                shown = _shown(one, words, catalogue)
                if shown is not None:
                    place = block.place(start + first, start + last)
                    quote = " ".join(text[first:last].split()).rstrip(",;: ")[:200]
                    found.append(_verdict(shown, place, quote, catalogue))
    return tuple(found)


def _shown(one: Statement, words: frozenset[str], catalogue: Catalogue) -> Margin | None:
    """Return what bears a statement out, or what it fails by; None where nothing decides."""
    found: list[list[Margin]] = catalogue.margins.made(one, lambda: [*groups_of(one, catalogue)])
    groups = [group for group in found if group]
    held = [holds(group, one) for group in groups]
    failed = [margin for group in groups for margin in group if margin.fails]
    if failed and one.bound and not any(held):
        # The report has to speak of the runs that it fails by: others may be no part of it.
        named = [catalogue.runs[run] for margin in failed for run in margin.readings[-1].runs]
        own = [(one.tokens & catalogue.informative) - {f"{one.seed}"} for one in named]
        if any(not tokens or tokens & words for tokens in own):
            return min(failed, key=lambda margin: not margin.salient)
    natural: dict[str, tuple[bool, list[Margin]]] = {}
    for group, way in zip(groups, held, strict=True):
        salient = [margin for margin in group if margin.salient]
        for margin in salient[:1]:
            natural.setdefault(margin.readings[0].family, (way, salient))
    for way, salient in natural.values():
        if way and all(margin.value > 0 for margin in salient):
            return salient[0]
    return None


def _verdict(shown: Margin, place: Place, quote: str, catalogue: Catalogue) -> Verdict:
    traces = tuple(catalogue.trace(reading) for reading in shown.readings)
    values = " against ".join(f"{one.value:.4g} ({one.what}, {one.run})" for one in traces)
    told = shown.fails
    return Verdict(
        outcome="contradicted" if told else "traced",
        rule="statement",
        place=place,
        quote=quote,
        level="warning" if told else "none",
        bindings=("words", "name"),
        traces=traces,
        message=f"“{quote}” fails in every reading; the evidence has {values}" if told else "",
    )
