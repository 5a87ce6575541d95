"""A formula gives the number that is printed for it when the report's own values are put in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from reportgen.checks._computed import (
    FLAT,
    Side,
    changes,
    decimal_of,
    has_decimals,
    has_quotient,
    spelled,
    with_brackets,
)
from reportgen.checks._ladder import compare, level_of, sentence, unbound
from reportgen.checks._links import Result, result_of
from reportgen.checks._raised import raised_above
from reportgen.checks._symbols import (
    Stated,
    Worth,
    formula_sides,
    own_values,
    plain_name,
    stated_values,
    worths,
)
from reportgen.claims._math_text import readable
from reportgen.records.claim import Claim, Equation, Printed
from reportgen.records.finding import VERDICTS, Case, Expected, Finding
from reportgen.records.formula import Constant

RULE = "substitution"
_KINDS = frozenset({"equation", "equation_symbolic", "arch_formula"})
_FLAT_SURE = _SLIP_SURE = _GUESS_SURE = 0.75
_MOST_CLAIMS = 1000
"""Claims of a report up to which lost brackets are looked for: that takes its time."""
_FACTORS = range(2, 1001)


def check(case: Case) -> Iterator[Finding]:
    """Yield the verdict on every formula: against its number, or its sides against each other.

    A formula whose brackets do not balance is held against its number under every repair, and
    disagrees only if it does so under each.
    """
    formulas = [claim for claim in case.claims if _is_formula(claim)]
    if not formulas:
        return
    stated = stated_values(case)
    known = stated.everything()
    for claim in formulas:
        own: dict[str, Fraction] = {}
        calculations = list(own_values(case, claim))
        for found, _ in calculations:
            own.update(found)
        finding = _verdict(case, claim, stated, own)
        if finding is not None:
            yield finding
        for found, block in calculations:
            others = {name: value for name, value in found.items() if value not in known}
            yield from _slips(case, claim, stated, others, block)


def _slips(
    case: Case, claim: Claim, stated: Stated, own: Mapping[str, Fraction], block: int
) -> Iterator[Finding]:
    """Yield values that a calculation puts in where the report states another.

    The symbol has to be stated before, in the same section: another section may speak of
    another model.

    Args:
        case: The report.
        claim: The formula.
        stated: What the report states.
        own: What the calculation puts in and the report states of nothing.
        block: Where the calculation stands.
    """
    for name, value in own.items():
        said = stated.by_name.get(plain_name(name), [])
        near = any(_same_section(case, b, block) for b in stated.blocks.get(plain_name(name), ()))
        if len(said) != 1 or not near:
            continue
        says = (
            f"its numbers have {name} = {spelled(value)}, and the report states {spelled(said[0])}"
        )
        yield Finding(
            rule=RULE,
            level=level_of("disagrees", min(claim.confidence, _SLIP_SURE)),
            verdict="disagrees",
            claim=claim,
            message=sentence(claim, says),
            expected=Expected(value=float(said[0]), definition=f"{name} as it is stated"),
            delta=decimal_of(value - said[0]),
        )


def _is_formula(claim: Claim) -> bool:
    return (
        claim.kind in _KINDS
        and isinstance(claim.content, Equation)
        and "part" not in claim.hints
        and bool(formula_sides(claim.content))
    )


def _same_section(case: Case, first: int, last: int) -> bool:
    """Say whether one block follows another with no heading between that closes its section."""
    blocks = case.manuscript.blocks
    levels = [block.level for block in blocks[:first] if block.type == "heading"]
    depth = levels[-1] if levels else max((block.level for block in blocks), default=0)
    between = blocks[first:last]
    return first <= last and not any(
        block.type == "heading" and block.level <= depth for block in between
    )


def _verdict(
    case: Case, claim: Claim, stated: Stated, own: Mapping[str, Fraction]
) -> Finding | None:
    equation = claim.content
    if not isinstance(equation, Equation) or "unit" in claim.hints:
        return None  # `3 h × 2 = 6 h`: the letter is a unit
    sides = formula_sides(equation)
    found = [worths(side, stated, own) for side in sides]
    result = result_of(case, claim)
    absent = list(dict.fromkeys(name for _, names in found for name in names))
    computed = [(side, values) for side, (values, _) in zip(sides, found, strict=True) if values]
    if result is not None and computed:
        return _against(case, claim, result, computed, (stated, own))
    if len(computed) > 1:
        return _equal(claim, computed)
    if claim.kind == "equation":
        # One value left unsaid is solved for elsewhere; a calculation speaks for itself.
        return None
    if absent and result is not None:
        return unbound(RULE, claim, f"the report gives no value for {', '.join(absent[:3])}")
    if equation.fault and not computed:
        return unbound(RULE, claim, equation.fault)
    return unbound(RULE, claim, "the report prints no number as its result")


def _against(
    case: Case,
    claim: Claim,
    result: Result,
    computed: Sequence[tuple[str, Sequence[Worth]]],
    known: tuple[Stated, Mapping[str, Fraction]],
) -> Finding:
    """Return the verdict on the side of a formula that is farthest from its number."""
    sure = result.sure
    flat = case.manuscript.format in FLAT
    if not all(_is_named(*known, worth) for _, values in computed for worth in values):
        sure = min(sure, _GUESS_SURE)
    if flat:
        # A raised exponent or a fraction's bar may be lost without a trace.
        sure = min(sure, _FLAT_SURE)
    result = replace(result, sure=sure)
    findings = [_held(claim, result, side, values) for side, values in computed]
    worst = min(findings, key=lambda finding: VERDICTS.index(finding.verdict))
    if flat and worst.verdict == "disagrees" and raised_above(claim, case.manuscript):
        return unbound(RULE, claim, "an exponent may have moved to the line above")
    if flat and worst.verdict == "disagrees" and len(case.claims) <= _MOST_CLAIMS:
        texts = (text for side, _ in computed for text in with_brackets(side))
        others = (worth for text in texts for worth in worths(text, *known)[0])
        if any(worth.value == result.printed.value for worth in others):
            return unbound(RULE, claim, "its brackets may be lost in the text")
    return worst


def _is_named(stated: Stated, own: Mapping[str, Fraction], worth: Worth) -> bool:
    """Say whether every value is given to the symbol itself, and not to what it may stand for."""
    return all(name in own or plain_name(name) in stated.by_name for name in worth.values)


def _held(claim: Claim, result: Result, side: str, found: Sequence[Worth]) -> Finding:
    """Return the verdict on a formula with its number."""
    printed = result.printed
    ranked = [(_compare(printed, worth), worth) for worth in found]
    verdict, worth = max(ranked, key=lambda pair: VERDICTS.index(pair[0]))
    sure = result.sure
    if result.guessed and _is_multiple(worth.value, Fraction(printed.value)):
        sure = 0.0  # it may count another number of layers or heads
    level = level_of(verdict, sure)
    if verdict == "disagrees" and level == "note":
        return unbound(RULE, claim, "it may count other parts than the number that follows it")
    cause = next(_causes(worth, printed), "") if verdict == "disagrees" else ""
    return Finding(
        rule=RULE,
        level=level,
        verdict=verdict,
        claim=claim,
        message=sentence(claim, _says(claim, result, side, worth), cause),
        expected=Expected(
            value=float(worth.value), definition="the formula with the report's own values"
        ),
        delta=printed.value - decimal_of(worth.value),
        readings=tuple(dict.fromkeys(_reading(other) for other in found)),
        likely_cause=cause,
    )


def _compare(printed: Printed, worth: Worth) -> str:
    """Return the verdict on one reading; a percent sign may have multiplied it."""
    tree = worth.tree
    exact = not has_quotient(tree) and not has_decimals(tree) and not printed.approximate
    values: list[Decimal] = [decimal_of(worth.value)]
    if printed.unit:
        values.append(decimal_of(worth.value * 100))
    return max((compare(printed, v, exact=exact) for v in values), key=VERDICTS.index)


def _is_multiple(value: Fraction, printed: Fraction) -> bool:
    if not value or not printed or value == printed:
        return False
    return any(
        ratio.denominator == 1 and int(ratio) in _FACTORS
        for ratio in (value / printed, printed / value)
    )


def _says(claim: Claim, result: Result, side: str, worth: Worth) -> str:
    shown = ", ".join(f"{name} = {spelled(value)}" for name, value in worth.values.items())
    mended = f", {worth.repaired}" if worth.repaired else ""
    comes = f"comes to {spelled(worth.value)} with the report's own values ({shown}){mended}"
    if claim.printed is not None:
        return f"“{readable(side)[:80]}” {comes}"
    return f"it {comes}; {result.printed.text} is printed as its result ({result.place})"


def _reading(worth: Worth) -> str:
    how = worth.repaired or "as it is printed"
    return f"{how}: {spelled(worth.value)}"


def _causes(worth: Worth, printed: Printed) -> Iterator[str]:
    """Yield changes of a formula that give the printed number."""
    side = Side("", worth.tree, worth.value)
    if isinstance(worth.tree, Constant):
        return
    for cause in changes(side, printed):
        if compare(printed, cause.value) == "agrees":
            yield cause.text


def _equal(claim: Claim, computed: Sequence[tuple[str, Sequence[Worth]]]) -> Finding:
    """Return the verdict on two formulas that are said to be equal."""
    (_, left), (_, right) = computed[0], computed[-1]
    values = {worth.value for worth in left} & {worth.value for worth in right}
    if values:
        says = f"both sides come to {spelled(min(values))} with the report's own values"
        return Finding(
            rule=RULE, level="none", verdict="agrees", claim=claim, message=sentence(claim, says)
        )
    says = (
        f"with the report's own values its sides come to {spelled(left[0].value)} and"
        f" {spelled(right[0].value)}"
    )
    level = level_of("disagrees", min(claim.confidence, 0.75))
    finding = Finding(
        rule=RULE, level=level, verdict="disagrees", claim=claim, message=sentence(claim, says)
    )
    return replace(finding, readings=tuple(_reading(worth) for worth in (*left, *right)))
