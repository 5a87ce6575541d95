"""Check that a share of parameters is that of the two numbers printed beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checks._ladder import Candidate, Cause, compare, judge, unbound
from reportgen.claims._clauses import sentences
from reportgen.claims._count_parameters import LEAST, SHARE
from reportgen.records.claim import Claim, Counted, Printed
from reportgen.records.finding import Case, Finding

RULE = "share"
_COUNTS = frozenset({"param_count", "number", "equation"})
_OF = gated(
    r"(?:\b(?:of|over|out\sof|among|on|sur|parmi|total|all\sparam(?:eter)?s)\b|/)\s?:?\s?(?:(?:the|all|its|our|a\stotal\sof"
    r"|which|les|ses|nos|un\stotal\sde|about|some|environ)\s){0,3}[$\"']?$",
    re.IGNORECASE,
)
_NEAR = 40
_DIGITS_MEANT = 10
_SLIPS = {
    Decimal(100): "it is the fraction, printed with a percent sign",
    Decimal(10): "it is ten times too large or too small",
    Decimal(1000): "it is a thousand times too large or too small",
}


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for every percentage in a sentence that prints what it is a share of.

    The whole is a number that follows words such as `of the` or `over`, and every smaller number
    of the sentence may be the part; a sentence that names no whole has none.

    Args:
        case: The report and its evidence.
    """
    for claim in case.claims:
        content = claim.content
        if not isinstance(content, Counted) or content.what != SHARE or claim.printed is None:
            continue
        pairs = list(_pairs(case, claim))
        if pairs:
            yield _judged(claim, claim.printed, pairs)


def _pairs(case: Case, claim: Claim) -> Iterator[tuple[Claim, Claim]]:
    """Yield what may be the part and the whole of a share: numbers of its sentence."""
    text = case.manuscript.blocks[claim.block].text
    start, end = next(
        (span for span in sentences(text) if span[0] <= claim.start < span[1]), (0, len(text))
    )
    counts = [
        other
        for other in case.claims
        if other.block == claim.block and start <= other.start < end
        if other.kind in _COUNTS and _count(other) >= LEAST
    ]
    for whole in counts:
        if _OF.search(text[max(start, whole.start - _NEAR) : whole.start]):
            yield from ((part, whole) for part in counts if _count(part) < _count(whole))


def _count(claim: Claim) -> Decimal:
    """Return the number of things that a claim prints, nought where it has another unit."""
    return claim.printed.value if claim.printed and not claim.printed.unit else Decimal(0)


def _judged(claim: Claim, printed: Printed, pairs: Sequence[tuple[Claim, Claim]]) -> Finding:
    """Return the verdict on a share; without a percent sign it may be a fraction of one."""
    shares = [_share(pair) for pair in pairs]
    readings = [Candidate(value=share, definition=f"{n}, in percent") for share, n in shares]
    # Of what is frozen and all, the share is that of the rest.
    readings += [Candidate(value=100 - s, definition=f"all but {n}, in percent") for s, n in shares]
    if printed.unit != "percent" and "%" not in claim.quote:
        readings += [Candidate(value=share / 100, definition=names) for share, names in shares]
    # What a program prints of a float ends in digits that are not meant.
    decimals = min(printed.decimals, _DIGITS_MEANT)
    meant = replace(printed, value=round(printed.value, decimals), decimals=decimals)
    causes = [
        (pair, Cause(value=value, text=text))
        for pair, (share, _) in zip(pairs, shares, strict=True)
        for factor, text in _SLIPS.items()
        for value in (share / factor, share * factor)
    ]
    slips = (pair for pair, cause in causes if compare(meant, cause.value) != "disagrees")
    shown = next(slips, None)
    if shown is None and not any(_is_near(printed.value, r.value) for r in readings):
        return unbound(RULE, claim, "its sentence need not print what it is a share of")
    shown = shown or min(pairs, key=lambda pair: abs(_share(pair)[0] - printed.value))
    share, names = _share(shown)
    sure = all(one.kind != "number" for one in shown)
    finding = judge(
        RULE,
        replace(claim, printed=meant),
        sorted(readings, key=lambda reading: abs(reading.value - printed.value)),
        says=f"{names} are {float(share):.4g} %",
        causes=[cause for _, cause in causes],
        loudest="error" if sure else "warning",
    )
    return replace(finding, claim=claim)


def _is_near(printed: Decimal, value: Decimal) -> bool:
    """Say whether a number is wrong by less than a factor of two."""
    return value / 2 <= printed <= 2 * value


def _share(pair: tuple[Claim, Claim]) -> tuple[Decimal, str]:
    """Return a share in percent, and what it is of what."""
    part, whole = map(_count, pair)
    return 100 * part / whole, f"{part:,f} of {whole:,f}"
