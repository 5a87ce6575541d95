"""How many times as many steps, epochs or parameters: logged, or printed in the same sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product

from reportgen.checks._beside import sentence_of
from reportgen.checks._ladder import compare, unbound
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._sentences import sentences
from reportgen.checks._settled import settled
from reportgen.checks._statistics import mean_of
from reportgen.checks._subjects import group_called
from reportgen.claims._multiples import PARAMETERS
from reportgen.records.claim import Claim, Meaning, Printed, Statement
from reportgen.records.facts import GroupResult
from reportgen.records.finding import VERDICTS, Case, Finding
from reportgen.records.quantity import Quantity

RULE = "ordering"
_EXACT = frozenset(
    ("twice", "double", "half", "triple", "thrice", "quadruple", "moitié", "tiers", "quart", "deux")
)
Counted = dict[str, Decimal]
"""What is counted, in words, to how many there are."""


def check_multiples(case: Case) -> Iterator[Finding]:
    """Yield a finding on every sentence that says how many times as many one group has."""
    for claim, statement in sentences(case, frozenset({"multiple"})):
        of_parameters = statement.subjects[0].metric == PARAMETERS
        yield (_of_the_report if of_parameters else _of_the_logs)(case, claim, statement)


def _of_the_report(case: Case, claim: Claim, statement: Statement) -> Finding:
    """Hold a multiple of parameters against the two counts that its sentence prints."""
    span = sentence_of(case, claim.block, claim.start)
    counts = [
        other.printed
        for other in case.claims
        if other.kind == "param_count"
        and other.printed is not None
        and other.block == claim.block
        and span[0] <= other.start < span[1]
    ]
    if len(counts) != 2 or not all(number.value > 0 for number in counts):
        return unbound(RULE, claim, "how many parameters both have is not said beside it")
    small, large = sorted(counts, key=lambda number: number.value)
    low = (large.value - large.half_unit) / (small.value + small.half_unit)
    high = (large.value + large.half_unit) / (small.value - small.half_unit)
    factor = statement.amounts[0]
    nearest = min(max(factor.value, low), high)
    says = f"{large.text} is {large.value / small.value:.3g} times {small.text}"
    return _judged(claim, factor, [nearest, large.value / small.value], says)


def _of_the_logs(case: Case, claim: Claim, statement: Statement) -> Finding:
    """Hold a multiple of steps or epochs against the ends and the best steps of two groups."""
    book = logbook_of(case)
    if book is None:
        return unbound(RULE, claim, "no logs were given")
    first, second = _groups(case, book, statement.subjects)
    if not (first and second) or first == second:
        return unbound(RULE, claim, "which two groups it compares is not sure")
    what = statement.subjects[0].metric
    ours, theirs = (_counted(case, book, group, what) for group in (first, second))
    found = [(words, ours[words] / theirs[words]) for words in ours if theirs.get(words)]
    if not found:
        return unbound(RULE, claim, f"the logs do not tell how many {what} both were trained for")
    words, value = found[0]
    labels = [book.study.label(group) for group in (first, second)]
    says = f"of {labels[0]} and {labels[1]} the logs have {ours[words]:f} and {theirs[words]:f}"
    return _judged(
        claim,
        statement.amounts[0],
        [ratio for _, ratio in found],
        f"{says} as {words}, {value:.3g} times as many",
    )


def _groups(case: Case, book: Logbook, subjects: Sequence[Meaning]) -> tuple[str, ...]:
    """Return the groups that are compared; of two groups the one that is not named is the other."""
    named = [
        s.run_group or (group_called(case, book, s.group) if s.group else "") for s in subjects
    ]
    both = book.groups()
    if (
        len(both) == 2
        and sorted(map(bool, named)) == [False, True]
        and "" in {subject.group for subject in subjects}
    ):
        other = next(group for group in both if group not in named)
        named = [name or other for name in named]
    return tuple(named)


def _counted(case: Case, book: Logbook, group: str, what: str) -> Counted:
    """Return how many steps or epochs the runs of a group have, by what may be counted."""
    runs = book.runs(group)
    found: Counted = {}
    if what == "steps":
        ends = [
            Decimal(max(int(s.steps[-1]) for s in run.scalars.values() if len(s.steps)))
            for run in runs
            if any(len(s.steps) for s in run.scalars.values())
        ]
    else:
        epochs = [[row.epoch for row in r.epochs] for r in _results(case, group)]
        ends = [Decimal(repr(float(max(one)))) for one in epochs if one]
    if ends:
        found[f"last {what}, on average"] = mean_of(ends)
        found[f"last {what}, at most"] = max(ends)
    best = [
        Decimal(repr(float(value.value)))
        for result in _results(case, group)
        for cell in result.cells
        if isinstance(value := cell.best_step if what == "steps" else cell.best_epoch, Quantity)
    ]
    if best:
        found[f"best {what}, on average"] = mean_of(best)
    return found


def _results(case: Case, group: str) -> list[GroupResult]:
    return [g for g in case.facts.groups if g.name == group] if case.facts is not None else []


def _judged(claim: Claim, factor: Printed, ratios: Sequence[Decimal], says: str) -> Finding:
    """Return the verdict on a factor: it is a ratio, and a word may be a quarter off."""
    # `3 times more` than 1 is 3 to most, and 4 to some; `twice` is 2 to all.
    less = {Decimal(0)} if factor.text.lower() in _EXACT else {Decimal(0), Decimal(1)}
    meant = [ratio - one for ratio, one in product(ratios, less)]
    verdict = max((compare(factor, value) for value in meant), key=VERDICTS.index)
    near = any(abs(value - factor.value) <= factor.value / 4 for value in meant)
    if verdict == "disagrees" and factor.word and near:
        verdict = "borderline"
    return settled(RULE, claim, verdict, says, loudest="warning")
