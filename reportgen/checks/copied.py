"""A column that repeats another: test values that are those of validation, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reportgen.checks._choices import choices
from reportgen.checks._ladder import compare, level_of, sentence
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._printed_runs import Shown, column_decimals, same_group, shown
from reportgen.checks._spread_rows import contradicted
from reportgen.checks._subjects import meant_by, steps_of_every_run, subject_of
from reportgen.checks._weigh import quieter, spell, units_of
from reportgen.records.finding import Case, Finding

RULE = "copied"
ENOUGH = 2
"""Rows that have to repeat before a column does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Repeat:
    """A test value that is the validation value of its run.

    Attributes:
        number: The claim.
        says: What contradicts it, as a clause; empty where nothing does.
        cause: Where the validation value stands.
        apart: Whether the contradiction holds for its own decimals.
    """

    number: Shown
    says: str
    cause: str
    apart: bool


def check(case: Case) -> Iterator[Finding]:
    """Name the test values of a block that repeat validation while something contradicts them."""
    book = logbook_of(case)
    blocks: dict[int, list[_Repeat]] = {}
    for number in shown(case, "metric_value"):
        if number.meaning.split == "test" and not number.meaning.aggregate:
            found = _of_report(case, number) if book is None else _of_logs(case, book, number)
            if found is not None:
                blocks.setdefault(number.claim.block, []).append(found)
    for repeats in blocks.values():
        if len(repeats) >= ENOUGH and any(repeat.apart for repeat in repeats):
            yield from _findings(repeats, logged=book is not None)


def _findings(repeats: Sequence[_Repeat], *, logged: bool) -> Iterator[Finding]:
    """Yield what a repeated column is worth saying.

    A value that its own decimals tell from the logs is an error already: there the column is
    named once. One that rounding alone would excuse is none beside a sure copy.
    """
    named = False
    for repeat in repeats:
        if not repeat.says:
            continue
        if logged and repeat.apart:
            if not named:
                named = True
                yield _finding(repeat, len(repeats), "warning")
            continue
        yield _finding(repeat, len(repeats), "error" if logged else "warning")


def _of_logs(case: Case, book: Logbook, number: Shown) -> _Repeat | None:
    """Return a value that is the logged validation value, and not the logged test value."""
    subject = subject_of(book, number.meaning)
    if subject.reason or len(subject.runs) != 1:
        return None
    (run,) = subject.runs
    finer = replace(number.printed, decimals=column_decimals(case, number))
    meant = meant_by(number.meaning, steps_of_every_run(case))
    tests = [c for m in meant for c in choices(book, run, subject.metric, "test", m)]
    others = choices(book, run, subject.metric, "validation", number.meaning)
    for unit in units_of(number.claim, tests[0].point.unit) if tests else ():
        own = [choice.point.in_unit(unit) for choice in tests]
        if any(compare(finer, value) != "disagrees" for value in own):
            return None
        for other in others:
            if compare(finer, other.point.in_unit(unit)) == "agrees":
                return _Repeat(
                    number=number,
                    says=f"the logs have {spell(own[0])} at {book.where(tests[0].point)}",
                    cause=f"it is the value at {book.where(other.point)}",
                    apart=all(compare(number.printed, value) == "disagrees" for value in own),
                )
    return None


def _of_report(case: Case, number: Shown) -> _Repeat | None:
    """Return a value that is printed for validation too, and what else the report says of it."""
    other = next((o for o in shown(case, "metric_value") if _is_twin(o, number)), None)
    if other is None:
        return None
    again = next((o for o in shown(case, "metric_value") if _is_denied(o, number)), None)
    says = ""
    if again is not None:
        says = f"it is {again.printed.text} elsewhere ({again.claim.place})"
    elif contradicted(case, number):
        says = "a mean and a spread of the same report leave no room for it"
    return _Repeat(
        number=number,
        says=says,
        cause=f"it repeats the validation value beside it ({other.claim.place})",
        apart=bool(says),
    )


def _is_twin(other: Shown, number: Shown) -> bool:
    """Say whether another number is the same one, printed for validation of the same run."""
    one, two = number.meaning, other.meaning
    return (
        two.split == "validation"
        and _same_run(other, number)
        and other.printed.value == number.printed.value
        and (one.step, one.epoch) == (two.step, two.epoch)
    )


def _is_denied(other: Shown, number: Shown) -> bool:
    """Say whether another number says something else of the same value."""
    one, two = number.meaning, other.meaning
    same = (one.split, one.step, one.epoch, one.selection) == (
        two.split, two.step, two.epoch, two.selection,
    )  # fmt: skip
    apart = compare(other.printed, number.printed.value) == "disagrees"
    return same and _same_run(other, number) and apart and one.unit == two.unit


def _same_run(other: Shown, number: Shown) -> bool:
    one, two = number.meaning, other.meaning
    known = one.seed is not None and not two.aggregate
    return known and (one.metric, one.seed) == (two.metric, two.seed) and same_group(one, two)


def _finding(repeat: _Repeat, count: int, loudest: str) -> Finding:
    claim = repeat.number.claim
    cause = f"{repeat.cause}, as in {count} rows"
    return Finding(
        rule=RULE,
        level=quieter(level_of("disagrees", claim.confidence), loudest),
        verdict="disagrees",
        claim=claim,
        message=sentence(claim, repeat.says, cause),
        likely_cause=cause,
    )
