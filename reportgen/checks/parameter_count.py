"""Check that a printed number of parameters is that of some scope of a model that was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._ladder import Candidate, Cause, compare, judge, unbound
from reportgen.checks._model_parts import module_totals, readings_of_part, tables_of_own_parts
from reportgen.checks._once import once
from reportgen.checks._parameter_totals import Total, models_of, part_totals, shares, whole_totals
from reportgen.checks._whose import not_among_the_evidence, speaks_of_another
from reportgen.claims._count_parameters import SHARE
from reportgen.parameters import explain
from reportgen.records.claim import LIKELY, Claim, Counted, Printed
from reportgen.records.facts import Facts
from reportgen.records.finding import Case, Finding

RULE = "parameter_count"
_DIGITS_MEANT = 10
_ROUND = 3
"""Zeros at the end of a whole number that show that it was rounded."""


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for every number of parameters where a model or an adapter was given.

    Every scope is a legal reading; the one that the text describes is preferred, and where
    another one fits the message says so. What no scope explains is held beside the nearest
    one, with the fewest terms between them.

    Args:
        case: The report and its evidence.
    """
    facts = case.facts
    if facts is None or not (facts.model or facts.adapters):
        return
    tables = tables_of_own_parts(case.claims, facts)
    for claim in case.claims:
        content = claim.content
        if claim.kind != "param_count" or claim.printed is None or not isinstance(content, Counted):
            continue
        other = speaks_of_another(claim, facts)
        own = () if other else readings_of_part(claim, facts)
        if other:
            yield unbound(RULE, claim, f"it speaks of {other}, which was not given")
        elif content.what == SHARE:
            yield _share(claim, list(shares(facts)))
        elif own:
            yield _part(case, claim, own, described=claim.table in tables)
        elif content.what == "parameters" or content.what.startswith("trainable"):
            yield _count(case, claim, content, facts)


@once
def _wholes(case: Case, stated: tuple[str, ...]) -> tuple[Total, ...]:
    """Return the totals of whole models that leave out what a text says is left out."""
    return tuple(whole_totals(case.facts, stated)) if case.facts else ()


@once
def _parts(case: Case) -> tuple[Total, ...]:
    """Return the totals of parts of the models that were given."""
    models = models_of(case.facts) if case.facts else []
    return tuple(
        total for model in models for total in (*part_totals(model), *module_totals(model))
    )


@once
def _others(case: Case) -> tuple[Cause, ...]:
    """Return every total as what may stand where another one should."""
    found = (*_wholes(case, ()), *_parts(case))
    return tuple(Cause(value=t.value, text=f"it is the count of {t.what}") for t in found)


def _share(claim: Claim, found: Sequence[Total]) -> Finding:
    """Return the verdict on a percentage of trained parameters."""
    printed = claim.printed
    if not found or printed is None:
        return unbound(RULE, claim, "no adapter was given whose parameters can be counted")
    scale = -2 if _fraction(claim) else 0
    scaled = [replace(t, value=t.value.scaleb(scale)) for t in found]
    nearest = min(scaled, key=lambda total: abs(total.value - printed.value))
    # What a program prints of a float ends in digits that are not meant.
    decimals = min(printed.decimals, _DIGITS_MEANT)
    meant = replace(printed, value=round(printed.value, decimals), decimals=decimals)
    finding = judge(
        RULE,
        replace(claim, printed=meant),
        _candidates([nearest, *scaled]),
        says=f"the adapter trains {nearest.what}: {nearest.value:.4f}",
        loudest="warning",
    )
    return replace(finding, claim=claim)


def _fraction(claim: Claim) -> bool:
    """Say whether a share is printed as a fraction of one."""
    printed = claim.printed
    if printed is None or printed.unit == "percent":
        return False
    return "%" not in claim.quote and printed.value < Decimal("0.02")


def _count(case: Case, claim: Claim, content: Counted, facts: Facts) -> Finding:
    """Return the verdict on a number of parameters."""
    printed = as_rounded(claim.printed)
    rounded = replace(claim, printed=printed)
    wholes = _wholes(case, content.scope)
    if not wholes:
        return unbound(RULE, claim, "the model that was given could not be counted")
    parts = _parts(case)
    partial = "part" in claim.hints or {"per layer", "per head"} & set(content.scope)
    pools = (parts, wholes) if partial else (wholes, parts)
    # What is trained is a whole, and a part that is equal to it is so by accident.
    trained = content.what.startswith("trainable") or "adapter" in claim.hints
    for pool in (wholes,) if trained else pools:
        hits = [t for t in pool if compare(printed, t.value, exact=True).startswith("agrees")]
        if hits:
            hits.sort(key=lambda total: _oddness(total, claim, content))
            return _agreed(rounded, claim, hits, content)
    return _unexplained(rounded, claim, wholes, parts if partial else (), facts)


def _part(case: Case, claim: Claim, own: Sequence[Total], *, described: bool) -> Finding:
    """Return the verdict on the count of a part that is called as the model calls it.

    Where most rows of the table agree with this model, the others speak of it too.
    """
    shown = own[0]
    says = f"{shown.evidence[0].path if shown.evidence else 'the model'} has "
    says += f"{shown.value:,f} as {shown.what}"
    bound = replace(claim, confidence=0.9) if described else claim
    finding = judge(
        RULE,
        replace(bound, printed=as_rounded(claim.printed)),
        _candidates(own),
        says=says,
        causes=_others(case),
        loudest="error" if described else "warning",
        exact=True,
    )
    reason = not_among_the_evidence(claim, case.facts) if case.facts else ""
    if reason and not finding.verdict.startswith("agrees"):
        return unbound(RULE, claim, reason)
    return replace(finding, claim=claim)


def _oddness(total: Total, claim: Claim, content: Counted) -> tuple[bool, bool, bool]:
    """Return a sort key: first what the words around the number describe."""
    one_of_many = "per layer" in content.scope or "per head" in content.scope
    named = claim.hints.get("part", "")
    return (
        not total.fits(content.scope),
        bool(named) and total.part not in named,
        bool(total.part) and one_of_many != (" of one of " in total.what),
    )


def as_rounded(printed: Printed | None) -> Printed:
    """Return a number whose zeros at the end are no digits: `110M`, `22,800,000`.

    Example:
        >>> as_rounded(Printed(text="110M", value=Decimal("1.1E+8"), decimals=-6)).decimals
        -7
        >>> as_rounded(Printed(text="16,384,000", value=Decimal(16384000))).decimals
        -3
    """
    if printed is None:
        raise ValueError("a count without a number")
    digits = printed.value.scaleb(min(printed.decimals, 0))
    if digits != digits.to_integral_value() or not digits:
        return printed
    text = str(int(digits))
    zeros = len(text) - len(text.rstrip("0"))
    if zeros >= (_ROUND if printed.decimals >= 0 else 1):
        return replace(printed, decimals=min(printed.decimals, 0) - zeros)
    return printed


def _candidates(found: Sequence[Total]) -> list[Candidate]:
    return [Candidate(value=t.value, definition=t.what, evidence=t.evidence) for t in found]


def _agreed(rounded: Claim, claim: Claim, hits: Sequence[Total], content: Counted) -> Finding:
    """Return the finding on a number that is right, saying of what it is right."""
    chosen = hits[0]
    says = f"{chosen.value:,f} is the count of {chosen.what}"
    if not chosen.fits(content.scope):
        said = ", ".join(words for words in content.scope if words.startswith("with"))
        says += f", while the text counts {said}"
    # A rounded number may stand in the text although nothing is exactly that.
    finding = judge(RULE, rounded, _candidates([chosen]), says=says, exact=True)
    return replace(finding, claim=claim)


def _unexplained(
    rounded: Claim, claim: Claim, wholes: Sequence[Total], parts: Sequence[Total], facts: Facts
) -> Finding:
    """Return the finding on a number that no scope has, with the terms that lie between."""
    content = claim.content
    stated = content.scope if isinstance(content, Counted) else ()
    if claim.confidence < LIKELY or ("model" in claim.hints and "own" not in claim.hints):
        return unbound(RULE, claim, "it may be the count of another model, or only an example")
    if reason := not_among_the_evidence(claim, facts):
        return unbound(RULE, claim, reason)
    printed = rounded.printed
    causes = []
    explained = ""
    if printed is not None and printed.decimals >= 0 and not parts:
        explained = _between(int(printed.value), facts)
        causes = [Cause(value=printed.value, text=explained)] if explained else []
    nearest = sorted(parts or wholes, key=lambda t: _distance(t, stated, printed))
    shown = nearest[0]
    finding = judge(
        RULE,
        rounded,
        _candidates(nearest),
        says=f"{shown.evidence[0].path if shown.evidence else 'the model'} has "
        f"{shown.value:,} as {shown.what}",
        causes=causes,
        loudest="warning" if parts else "error",
        exact=True,
    )
    return replace(finding, claim=claim, readings=finding.readings[:20])


def _distance(
    total: Total, stated: Sequence[str], printed: Printed | None
) -> tuple[bool, bool, Decimal]:
    """Return a sort key: what the text describes comes first, then what is nearest."""
    value = printed.value if printed else Decimal(0)
    return not total.fits(stated), not total.named, abs(total.value - value)


def _between(total: int, facts: Facts) -> str:
    """Return the fewest terms that lie between a number and a scope, as a clause."""
    adapters = [adapter.ledger for adapter in facts.adapters if adapter.ledger]
    for model in models_of(facts):
        found = explain(model.ledger, total, adapters if model is not facts.model else ())
        if found.scope is not None:
            return found.text
    return ""
