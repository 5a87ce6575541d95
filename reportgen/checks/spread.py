"""A value of one run against a mean and a spread that the same report prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from reportgen.checks._aggregates import is_spelt_out
from reportgen.checks._ladder import level_of, sentence
from reportgen.checks._printed_runs import (
    Row,
    Shown,
    column_decimals,
    number_of_runs,
    rows,
    same_group,
    same_measure,
    seeds_of,
    shown,
    steps_per_epoch,
)
from reportgen.checks._weigh import quieter, spell
from reportgen.records.claim import Printed
from reportgen.records.finding import Case, Expected, Finding
from reportgen.stats.feasible import (
    ERROR,
    POPULATION,
    SAMPLE,
    Spread,
    is_possible,
    largest_distance,
    printed_interval,
)

RULE = "spread"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside:
    """The rows that a value may belong to.

    Attributes:
        own: The row of its epoch, or the only one.
        sure: Whether the report says so; else the epoch is guessed from the step.
        all: Every row of its group.
        n: Number of runs behind a row.
    """

    own: Row | None
    sure: bool
    all: tuple[Row, ...]
    n: int


def check(case: Case) -> Iterator[Finding]:
    """Hold every value of a run against the means and spreads of its group."""
    table = rows(case)
    if not table:
        return
    for single in shown(case, "metric_value"):
        if not single.meaning.aggregate:
            beside = _rows_beside(case, single, table)
            if beside is not None:
                yield from _check(case, single, beside)


def _rows_beside(case: Case, single: Shown, table: Sequence[Row]) -> _Beside | None:
    meaning = single.meaning
    same = tuple(
        row
        for row in table
        if same_group(row.meaning, meaning)
        and same_measure(row.meaning, meaning)
        and row.meaning.metric == meaning.metric
    )
    if not same:
        return None
    n = number_of_runs(case, same[0].meaning, same[0].spread.meaning, meaning)
    if n is None or n < 2:
        return None
    timed = tuple(r for r in same if r.meaning.epoch is not None or r.meaning.step is not None)
    if timed:
        own, sure = _row_of(case, single, timed)
        return _Beside(own=own, sure=sure, all=timed, n=n)
    # Where every run is printed, the aggregate itself is recomputed.
    if len(same) > 1 or len(seeds_of(case, meaning)) >= n or meaning.epoch is not None:
        return None
    said = {same[0].meaning.selection, meaning.selection} - {""}
    return _Beside(own=same[0], sure=False, all=same, n=n) if len(said) < 2 else None


def _row_of(case: Case, single: Shown, timed: Sequence[Row]) -> tuple[Row | None, bool]:
    """Return the row at a value's epoch or step, and whether that is more than a guess."""
    meaning = single.meaning
    for row in timed:
        same_epoch = meaning.epoch is not None and row.meaning.epoch == meaning.epoch
        if same_epoch or (meaning.step is not None and row.meaning.step == meaning.step):
            return row, True
    length, known = steps_per_epoch(case)
    if meaning.step is None or length is None or meaning.step % length:
        return None, False
    epoch = meaning.step // length
    return next((r for r in timed if r.meaning.epoch == epoch), None), known


def _check(case: Case, single: Shown, beside: _Beside) -> Iterator[Finding]:
    finer = replace(single.printed, decimals=column_decimals(case, single))
    nowhere = all(_excludes(row, beside.n, single.printed) for row in beside.all)
    if nowhere and len(beside.all) > 1:
        yield _finding(case, single, beside.own or _nearest(single, beside), beside, "error")
    elif beside.own is not None and _excludes(beside.own, beside.n, finer):
        # Either of the two may be at fault, the epoch may be another, `80` may be rounded.
        yield _finding(case, single, beside.own, beside, "warning")


def _nearest(single: Shown, beside: _Beside) -> Row:
    return min(beside.all, key=lambda row: abs(row.mean.printed.value - single.printed.value))


def _spread(row: Row, n: int) -> Spread:
    mean, spread = row.mean.printed, row.spread.printed
    return Spread(
        printed_interval(mean.value, mean.decimals),
        printed_interval(spread.value, spread.decimals),
        n,
    )


def _definitions(row: Row) -> tuple[str, ...]:
    kinds = (POPULATION, SAMPLE)
    return kinds if is_spelt_out(row.spread) else (*kinds, ERROR)


def _excludes(row: Row, n: int, printed: Printed) -> bool:
    """Say whether no definition of the spread leaves room for a value."""
    known = (printed_interval(printed.value, printed.decimals),)
    spread = replace(_spread(row, n), known=known)
    return not any(is_possible(spread, definition) for definition in _definitions(row))


def _finding(case: Case, single: Shown, row: Row, beside: _Beside, loudest: str) -> Finding:
    spread = _spread(row, beside.n)
    reach = max(largest_distance(spread, definition) for definition in _definitions(row))
    low, high = _decimal(spread.mean.low - reach), _decimal(spread.mean.high + reach)
    above = single.printed.value > row.mean.printed.value
    limit = f"above {spell(round(high, 2))}" if above else f"below {spell(round(low, 2))}"
    claims = (single.claim, row.mean.claim, row.spread.claim)
    level = level_of("disagrees", min(claim.confidence for claim in claims))
    when = f" at {_moment(row)}" if _moment(row) else ""
    says = (
        f"a mean of {row.mean.printed.text} with a spread of {row.spread.printed.text} over "
        f"{beside.n} runs{when} ({row.mean.claim.place}) leaves no value {limit}"
    )
    cause = _repeated(case, single)
    return Finding(
        rule=RULE,
        level=quieter(level, loudest),
        verdict="disagrees",
        claim=single.claim,
        message=sentence(single.claim, says, cause),
        expected=Expected(
            low=float(low), high=float(high), definition=f"possible beside mean and spread{when}"
        ),
        delta=single.printed.value - (high if above else low),
        likely_cause=cause,
    )


def _moment(row: Row) -> str:
    if row.meaning.epoch is not None:
        return f"epoch {row.meaning.epoch:g}"
    return f"step {row.meaning.step}" if row.meaning.step is not None else ""


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _repeated(case: Case, single: Shown) -> str:
    """Say where the same number stands beside it for another split."""
    for other in shown(case, "metric_value"):
        meaning = other.meaning
        same_run = same_group(meaning, single.meaning) and meaning.seed == single.meaning.seed
        if (
            same_run
            and meaning.split not in {"", single.meaning.split}
            and meaning.metric == single.meaning.metric
            and other.printed.value == single.printed.value
        ):
            return f"it is also printed as the {meaning.split} {meaning.metric} of that run"
    return ""
