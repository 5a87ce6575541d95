"""A value of one run against a mean and a spread that the same report prints."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.checks._ladder import level_of, sentence
from reportgen.checks._logged import logbook_of
from reportgen.checks._printed_runs import Shown, same_group, shown
from reportgen.checks._spread_rows import Row, contradicted
from reportgen.checks._subjects import is_logged
from reportgen.checks._weigh import quieter, spell
from reportgen.records.finding import Case, Expected, Finding

RULE = "spread"


def check(case: Case) -> Iterator[Finding]:
    """Hold every value of a run against the means and spreads of its group."""
    book = logbook_of(case)
    for single in shown(case, "metric_value"):
        if single.meaning.aggregate:
            continue
        # Where the logs have the value, they know better than what is printed elsewhere.
        if book is not None and is_logged(case, book, single.meaning):
            continue
        found = contradicted(case, single)
        if found is not None:
            yield _finding(case, single, *found)


def _finding(case: Case, single: Shown, row: Row, loudest: str) -> Finding:
    low, high = row.room
    above = single.printed.value > row.mean.printed.value
    limit = f"above {spell(round(high, 2))}" if above else f"below {spell(round(low, 2))}"
    claims = (single.claim, row.mean.claim, row.spread.claim)
    level = level_of("disagrees", min(claim.confidence for claim in claims))
    when = f" at {_moment(row)}" if _moment(row) else ""
    says = (
        f"a mean of {row.mean.printed.text} with a spread of {row.spread.printed.text} over "
        f"{row.n} runs{when} ({row.mean.claim.place}) leaves no value {limit}"
    )
    cause = _repeated(case, single)
    if not cause:
        # Of two numbers that exclude each other, either may be at fault.
        loudest = quieter(loudest, "warning")
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
