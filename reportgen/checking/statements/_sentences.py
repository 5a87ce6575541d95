"""Statements of a sentence: its frames bound to runs, a metric and a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Family, metric_fits
from reportgen.checking.context import Claiming
from reportgen.checking.mentions import Mention, mentions_in
from reportgen.checking.printed import form_of
from reportgen.checking.statements._truth import Statement, end_of, window_of
from reportgen.checking.statements._words import FAR, Mark, clause_at, marks_of, words_in
from reportgen.checking.words import said, words_of
from reportgen.records.record import replace
from reportgen.runs import direction_of

__all__ = ["statements_in"]

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
    if than is None or picked:
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
