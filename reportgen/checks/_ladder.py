"""From a printed number and its legal readings to a verdict and a level.

A printed number stands for the closed interval of half a unit of its last place. It agrees
where any legal reading of the evidence lies inside, and is borderline where one lies within
a whole unit: truncation and double rounding explain that. Only what is farther from every
reading disagrees, and only a confident binding makes that an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.records.claim import CONFIDENT, LIKELY, Claim, Printed
from reportgen.records.finding import VERDICTS, Expected, Finding
from reportgen.records.quantity import Evidence

_LAST_DIGIT = Decimal("1E-14")
"""Relative error of a sum of few floats."""
_STRICT = frozenset({"over", "above", "more than", "under", "below", "less than"})
"""Words of a bound that is no value itself, and so no rounding of one."""
BOUNDS = _STRICT | {"at least", "at most"}
_EXACT_DIGITS = 3
"""With so many digits a number with `about` means its last ones too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One legal reading of the evidence.

    Attributes:
        value: In the unit of the printed number.
        definition: What it is ("test accuracy at the best validation step").
        evidence: Where it stands.
    """

    value: Decimal
    definition: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A simple change that would turn the evidence into what is printed.

    Attributes:
        value: What the change gives, in the printed unit.
        text: What it is, as a clause ("it is the validation value at that step").
    """

    value: Decimal
    text: str


def other_reading(printed: Printed) -> Printed | None:
    """Return a number whose one mark may part thousands or decimals, read the other way.

    Example:
        >>> number = Printed(text="132,096", value=Decimal("132.096"), decimals=3)
        >>> print(other_reading(number).value)
        132096
    """
    if not re.fullmatch(r"[-−+]?[1-9]\d{0,2}[.,]\d{3}", printed.text):
        return None
    if printed.decimals == 3:
        return replace(printed, value=printed.value.scaleb(3), decimals=0)
    return replace(printed, value=printed.value.scaleb(-3), decimals=3)


def compare(printed: Printed, value: Decimal, *, exact: bool = False) -> str:
    """Return the verdict on one reading.

    A comma that may part thousands or decimals does what agrees: who writes `1,423` of a loss
    of 1.4232 is not accused, whatever the language.

    Args:
        printed: The number.
        value: The reading, in the unit of the number.
        exact: Whether what is printed was chosen and not measured: nobody truncates 8 heads.

    Example:
        >>> number = Printed(text="79.9", value=Decimal("79.9"), decimals=1)
        >>> [compare(number, Decimal(v)) for v in ("79.9", "79.93", "79.99", "80.1")]
        ['agrees', 'agrees within rounding', 'borderline', 'disagrees']
        >>> compare(number, Decimal("79.93"), exact=True)
        'disagrees'
        >>> compare(Printed(text="1,423", value=Decimal(1423)), Decimal("1.42319"))
        'agrees within rounding'
    """
    verdict = _as_read(printed, value, exact=exact)
    other = other_reading(printed) if verdict == "disagrees" and "," in printed.text else None
    # `over 1,423` is true of much more than `1.423`.
    again = _as_read(replace(other, approximate=""), value, exact=exact) if other else verdict
    return again if again.startswith("agrees") else verdict


def _as_read(printed: Printed, value: Decimal, *, exact: bool) -> str:
    """Return the verdict on one reading of the evidence by one reading of the number."""
    gap = abs(printed.value - value)
    if gap == 0:
        return "agrees"
    if _roughly(printed, value):
        return "agrees within rounding"
    if exact and printed.decimals >= 0:
        return "disagrees"
    # Half of 0.1 is exactly that, which a mean of floats misses by its last digit.
    slack = _LAST_DIGIT * abs(value)
    # What rounds to `11` is not below it.
    if gap <= printed.half_unit + slack and printed.approximate not in _STRICT:
        return "agrees within rounding"
    return "borderline" if gap <= 2 * printed.half_unit + slack else "disagrees"


def _roughly(printed: Printed, value: Decimal) -> bool:
    """Say whether a number with a word such as `about` may stand for a value."""
    if not printed.approximate:
        return False
    # A quarter of the last digit that is not zero, or a tenth, whichever is wider: `about 10`
    # may be 12.5, `about 80` may be 74. Who prints more digits means more: `about 21.8M`.
    shown = printed.value.normalize()
    digits = len(shown.as_tuple().digits)
    last = Decimal(1).scaleb(shown.adjusted() - digits + 1)
    slack = max(last / 4, abs(shown) / 10) if digits < _EXACT_DIGITS else 5 * last
    word = printed.approximate
    if word in {"over", "above", "more than", "at least"}:
        return printed.value <= value
    if word in {"under", "below", "less than", "at most"}:
        return value <= printed.value
    if word in {"nearly", "almost"}:
        return printed.value - slack <= value <= printed.value
    return abs(printed.value - value) <= slack


def level_of(verdict: str, confidence: float) -> str:
    """Return how loud a verdict may be said, given how sure the binding is."""
    if verdict != "disagrees":
        return "note" if verdict == "borderline" else "none"
    if confidence >= CONFIDENT:
        return "error"
    return "warning" if confidence >= LIKELY else "note"


def judge(
    rule: str,
    claim: Claim,
    candidates: Sequence[Candidate],
    *,
    says: str,
    causes: Sequence[Cause] = (),
    loudest: str = "error",
    exact: bool = False,
) -> Finding:
    """Return the verdict on a claim's printed number.

    Args:
        rule: Name of the check.
        claim: With a printed number.
        candidates: Every legal reading of the evidence, the likeliest first; at least one.
        says: What the evidence has, as a clause behind the semicolon of the message:
            `"the logs have 78.5 at pretrained/seed 1, test accuracy, step 675"`.
        causes: Changes that may explain a disagreement; the first that hits is named.
        loudest: Highest level allowed (`"warning"` where only the report itself speaks).
        exact: Whether the number was chosen and not measured, as in `compare`.

    Raises:
        ValueError: The claim has no printed number.
    """
    printed = claim.printed
    if printed is None:
        raise ValueError(f"{claim.kind} in {claim.place} has no printed number to judge")
    verdicts = [(compare(printed, r.value, exact=exact), r) for r in candidates]
    ranks = {verdict: rank for rank, verdict in enumerate(reversed(VERDICTS[:4]))}
    best = min((ranks[verdict] for verdict, _ in verdicts), default=0)
    # Of equally good readings the likeliest, of disagreeing ones too: they come first.
    verdict, reading = next(pair for pair in verdicts if ranks[pair[0]] == best)
    level = level_of(verdict, claim.confidence)
    if level == "error":
        level = loudest
    hit = ""
    if verdict == "disagrees":
        hit = next((c.text for c in causes if compare(printed, c.value).startswith("agrees")), "")
    return Finding(
        rule=rule,
        level=level,
        verdict=verdict,
        claim=claim,
        message=sentence(claim, says, hit),
        expected=Expected(
            value=float(reading.value), definition=reading.definition, evidence=reading.evidence
        ),
        delta=_gap(printed, reading.value, verdict),
        readings=tuple(f"{r.definition}: {r.value.normalize():f}" for _, r in verdicts),
        likely_cause=hit,
    )


def _gap(printed: Printed, value: Decimal, verdict: str) -> Decimal:
    """Return what a number is more than a reading; by its other reading where that one agrees."""
    other = other_reading(printed) if verdict.startswith("agrees") else None
    return min((read.value - value for read in (printed, other) if read is not None), key=abs)


def sentence(claim: Claim, says: str, cause: str = "") -> str:
    """Return the message of a finding in the one form all have.

    Example:
        >>> from reportgen.records.manuscript import Place
        >>> claim = Claim(kind="metric_value", quote="Seed 1 | 80", place=Place(line=34),
        ...               printed=Printed(text="80", value=Decimal(80)))
        >>> print(sentence(claim, "the logs have 78.5", "80.0 is the validation value there"))
        the report says 80 (line 34); the logs have 78.5; 80.0 is the validation value there
    """
    what = claim.printed.text if claim.printed else f"“{claim.quote}”"
    where = f"{claim.hints['where']}, {claim.place}" if "where" in claim.hints else f"{claim.place}"
    return "; ".join(part for part in (f"the report says {what} ({where})", says, cause) if part)


def unbound(rule: str, claim: Claim, reason: str) -> Finding:
    """Return the finding that a claim cannot be checked, with its reason."""
    return Finding(
        rule=rule,
        level="none",
        verdict="not checkable",
        claim=claim,
        message=sentence(claim, f"not checked: {reason}"),
        reason=reason,
    )
