"""Statements of a sentence: its frames bound to runs, a metric and a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.checking.catalogue import Catalogue, Family, metric_fits
from reportgen.checking.context import Claiming
from reportgen.checking.printed import form_of
from reportgen.checking.statements._names import Mention, mentions_of
from reportgen.checking.statements._times import end_of, window_of
from reportgen.checking.statements._truth import Statement
from reportgen.checking.statements._words import FRAMES, Mark, clause_at, marks_of
from reportgen.checking.words import said, words_of
from reportgen.records.record import record, replace
from reportgen.runs import direction_of

__all__ = ["statements_in"]

_REACH = 34
"""Letters between the words of a frame and the name that belongs to them."""
_FAR = 90
_SENSES = {"highest": "higher", "lowest": "lower", "best": "better", "worst": "worse"}
_OPPOSITE = {"higher": "lower", "lower": "higher", "better": "worse", "worse": "better"}


@record
class _Clause:
    """A clause with what is read in it; what stands before it is blank."""

    text: str
    whole: str
    marks: tuple[Mark, ...]
    names: tuple[Mention, ...]
    numbers: tuple[Claiming, ...]

    def has(self, *frames: str) -> bool:
        return any(one.frame in frames for one in self.marks)

    def near(self, at: int, frame: str, reach: int = _REACH) -> Mark | None:
        """Return the first word of a frame within reach behind a place."""
        found = (one for one in self.marks if one.frame == frame)
        return next((one for one in found if 0 <= one.start - at <= reach), None)


def statements_in(
    text: str, numbers: Sequence[Claiming], catalogue: Catalogue
) -> Iterator[tuple[Statement, int, int]]:
    """Yield the statements of a sentence with their clauses: one a clause, none that is hedged."""
    marks = marks_of(text)
    frames = {one.frame for one in marks}
    if not frames & FRAMES or frames & {"_hedge", "_except"} or "?" in text:
        return
    quoted = any((one.slot, one.value) == ("guard", "quoted") for one in said(text))
    names = mentions_of(text, marks, catalogue)
    free = tuple(
        m for m in marks if not any(m.start < one.end and one.start < m.end for one in names)
    )
    for start, end in dict.fromkeys(clause_at(text, free, m.start) for m in free):
        clause = _Clause(
            text=" " * start + text[start:end],
            whole=text,
            marks=tuple(m for m in free if start <= m.start < end),
            names=tuple(n for n in names if start <= n.start < end),
            numbers=tuple(n for n in numbers if start <= n.number.context.offset < end),
        )
        found = [] if clause.has("_not") else list(_in_clause(clause, catalogue))
        if len(set(found)) == 1:
            yield replace(found[0], bound=found[0].bound and not quoted), start, end


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
        measured = _measured(one, clause, catalogue) if one is not None else None
        if measured is not None:
            yield measured


def _measured(one: Statement, clause: _Clause, catalogue: Catalogue) -> Statement | None:
    """Return a statement with its metric and time, None where they are not of the evidence."""
    window = window_of(clause.text, clause.marks, clause.numbers)
    families = _families(one, clause, catalogue)
    known = {window.at, *(form.value for form in (one.limit, one.gap) if form is not None)}
    for number in clause.numbers:
        named = any(n.start <= number.number.context.offset < n.end for n in clause.names)
        if not named and float(number.number.printed.value) not in known:
            return None
    if not families or window.kind == "unread":
        return None
    spread = (one.spread or clause.has("_spread")) and not one.limit and not one.course
    always = one.always or clause.has("_always") or (window.kind in {"from", "until"} and not one.limit)
    runs = [m for m in clause.marks if m.frame == "_every" and clause.near(m.end, "_run", 30)]
    held = {*one.left, *(run for side in one.rivals for runs in side for run in runs)}
    whole = all(
        set(name.runs) <= held and len({catalogue.runs[run].group for run in name.runs}) == 1
        for name in clause.names
    )
    timed = not one.course or always or bool(window.kind)
    spoken = not one.spread or clause.has("_spread", "_run")
    return replace(
        one,
        families=families,
        window=window,
        spread=spread,
        always=always,
        every=bool(runs) and not spread,
        bound=bool(clause.names) and whole and timed and spoken,
    )


def _families(one: Statement, clause: _Clause, catalogue: Catalogue) -> tuple[Family, ...]:
    """Return the families of the metric that is said, or of the only score that there is."""
    words = words_of(clause.text.strip()).or_else(words_of(clause.whole))
    splits = _splits(clause.text) or _splits(clause.whole)
    usable = [
        family
        for family in catalogue.families.values()
        if direction_of(family.metric)
        and "std" not in family.words.aggregates
        and set(one.left) & set(family.curves)
    ]
    if words.metrics:
        found = [family for family in usable if metric_fits(words, family)]
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
    than = clause.near(mark.end, "_than", _FAR) if mark.frame != "compare" else mark
    if than is None:
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
    beside = [n for n in clause.numbers if 0 <= mark.start - end_of(n) <= 10]
    percent = [n for n in beside if n.number.printed.unit == "percent"]
    about = clause.has("_about")
    if set(right.runs) & set(own) or (about and not (percent and clause.has("_always"))):
        return None
    return replace(
        one,
        rivals=((right.runs,),),
        gap=form_of(percent[0].number.printed) if percent and about else None,
    )


def _bounded(one: Statement, at: int, clause: _Clause) -> Statement | None:
    """Return a comparison with a printed number right behind its words."""
    near = [n for n in clause.numbers if 0 <= n.number.context.offset - at <= 2]
    if not near or near[0].number.printed.word or clause.has("_about"):
        return None
    end = end_of(near[0])
    counted = any(
        unit.slot in {"unit", "clock", "guard"} and 0 <= unit.start - end <= 3
        for unit in said(clause.text)
    )
    limit = form_of(near[0].number.printed)
    return replace(one, limit=limit) if limit.value and not counted else None


def _extreme(mark: Mark, clause: _Clause, catalogue: Catalogue) -> Statement | None:
    """Return what a superlative says: `A has the highest accuracy`, `the best is that of A`."""
    if len(clause.names) != 1:
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
