"""Check that stated shapes, and what parts are said to hold, are those of the model."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import product

from reportgen.checks._ladder import unbound
from reportgen.checks._model_shapes import part_counts, shapes_of, sides_of, square_of_head
from reportgen.checks._parameter_totals import models_of
from reportgen.checks._settled import settled
from reportgen.checks._whose import not_among_the_evidence
from reportgen.claims._count_statements import squares_per_head
from reportgen.claims._plain import plain
from reportgen.records.claim import LIKELY, Claim, Counted, Setting
from reportgen.records.finding import Case, Finding

RULE = "shape"


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for every shape of a weight and every statement on a part's parameters.

    Args:
        case: The report and its evidence.
    """
    for claim in case.claims:
        if claim.kind == "arch_shape" and isinstance(claim.content, Setting):
            yield from _shape(claim, claim.content, case)
        elif claim.kind == "arch_claim" and isinstance(claim.content, Counted):
            yield from _without_parameters(claim, claim.content, case)
        elif claim.kind == "arch_formula":
            yield from _per_head(claim, case)
        elif claim.kind == "arch_count" and isinstance(claim.content, Counted):
            yield from _parts(claim, claim.content, case)


def _shape(claim: Claim, setting: Setting, case: Case) -> Iterator[Finding]:
    """Yield the verdict on a matrix's two sides, in either order."""
    if case.facts is None or not isinstance(setting.value, tuple):
        return
    legal: set[tuple[Decimal, Decimal]] = set()
    said: set[tuple[Decimal, Decimal]] = set()
    sizes: set[Decimal] = set()
    for model in models_of(case.facts):
        sides = [sides_of(side, model) for side in setting.value]
        said |= {(rows, columns) for rows, columns in product(*sides)}
        legal |= shapes_of(model)
        sizes |= {Decimal(t.count // (t.repeat or 1)) for t in model.ledger.terms if t.count}
    for adapter in case.facts.adapters:
        rank = adapter.config.values.get("r")
        for _, inputs, outputs, _ in adapter.targets:
            legal.add((Decimal(inputs), Decimal(outputs)))
            if isinstance(rank, int) and not isinstance(rank, bool):
                legal |= {(Decimal(inputs), Decimal(rank)), (Decimal(rank), Decimal(outputs))}
    if not said:
        yield unbound(RULE, claim, "its sides could not be put into numbers")
        return
    for rows, columns in sorted(said):
        # What the model's formulas count need not be in this file: a row of token types.
        counted = rows * columns in sizes
        if counted or (rows, columns) in legal or (columns, rows) in legal:
            yield settled(RULE, claim, "agrees", f"the model has weights of {rows:f} × {columns:f}")
            return
    if reason := not_among_the_evidence(claim, case.facts):
        yield unbound(RULE, claim, reason)
        return
    if claim.confidence < LIKELY:
        yield unbound(RULE, claim, "the sentence may speak of another model")
        return
    rows, columns = min(said)
    says = f"no weight of the model that was given is {rows:f} × {columns:f}"
    yield settled(RULE, claim, "disagrees", says, loudest="warning")


def _without_parameters(claim: Claim, content: Counted, case: Case) -> Iterator[Finding]:
    """Yield the verdict on a part that is said to have no parameters."""
    if "none" not in content.scope:
        return
    part = content.scope[-1]
    for model in models_of(case.facts) if case.facts else ():
        count = sum(t.count for t in model.ledger.terms if t.role == part)
        if count:
            says = f"{model.config.source.path} gives {count:,} parameters in {part} layers"
            yield settled(RULE, claim, "disagrees", says, loudest="warning")
            return


def _per_head(claim: Claim, case: Case) -> Iterator[Finding]:
    """Yield the verdict on a product of two widths that is said to be one head's."""
    block = case.manuscript.blocks[claim.block]
    read = plain(block.text)
    for start, end, factor in squares_per_head(read.text):
        first, last = read.span(start, end)
        if claim.start >= last or claim.end <= first:
            continue
        for model in models_of(case.facts) if case.facts else ():
            verdict, says = square_of_head(model, factor)
            if verdict:
                yield settled(RULE, claim, verdict, says)
                return
        says = (
            "with several heads each has a part of these; all heads of a layer together have them"
        )
        yield settled(RULE, claim, "borderline", says)
        return


def _parts(claim: Claim, content: Counted, case: Case) -> Iterator[Finding]:
    """Yield the verdict on a number of matrices, projections or linear layers."""
    if case.facts is None or claim.printed is None:
        return
    for model in models_of(case.facts):
        if claim.printed.value in part_counts(model, content.what):
            says = f"a layer of the model has {claim.printed.value:f} {content.what}"
            yield settled(RULE, claim, "agrees", says)
            return
