"""What `inspect --json` says of a model or an adapter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reportgen.parameters._describe import total_scope
from reportgen.records.checkpoint import Ledger, LedgerRow
from reportgen.records.facts import AdapterFacts, ModelFacts
from reportgen.records.formula import (
    Constant,
    Difference,
    Expression,
    Power,
    Product,
    Quotient,
    Root,
    Rounded,
    Sum,
    Symbol,
)
from reportgen.records.quantity import Quantity
from reportgen.records.source import Problem


def formula_text(expression: Expression) -> str:
    """Spell a formula as plain text.

    Example:
        >>> L, d = Symbol("L"), Symbol("d")
        >>> formula_text(4 * L * (d**2 + d) / 2)
        '(4 L (d^2 + d)) / 2'
    """
    match expression:
        case Symbol():
            return expression.key
        case Constant(value):
            return str(value)
        case Sum(terms):
            return " + ".join(formula_text(term) for term in terms)
        case Difference(left, right):
            return f"{formula_text(left)} - {bracketed(right)}"
        case Product(factors):
            return " ".join(bracketed(factor, inside=Product) for factor in factors)
        case Quotient(numerator, denominator):
            return f"{bracketed(numerator)} / {bracketed(denominator)}"
        case Power(base, exponent):
            return f"{bracketed(base)}^{exponent}"
        case Root(radicand):
            return f"sqrt({formula_text(radicand)})"
        case Rounded(inner, up):
            return f"{'ceil' if up else 'floor'}({formula_text(inner)})"
    raise TypeError(f"not an expression: {expression!r}")


def bracketed(expression: Expression, *, inside: type[Expression] | None = None) -> str:
    """Spell an operand, in brackets unless it is a single thing (or a factor of a product)."""
    plain = isinstance(expression, Symbol | Constant | Root)
    factor = inside is Product and isinstance(expression, Product | Power)
    text = formula_text(expression)
    return text if plain or factor else f"({text})"


def inspection(facts: ModelFacts | AdapterFacts) -> dict[str, object]:
    """Return the JSON payload of a configuration, checkpoint or adapter.

    Keys: `kind`, `name`, `path`, `model_type` or `peft_type`, `total_parameters`,
    `total_scope`, `scopes` (name to count), `terms`, `problems`; of adapters also `settings` (the
    keys that are set), `trainable_parameters` and `stored_parameters`. A number that cannot be
    had is null, and `missing` says why.
    """
    if isinstance(facts, AdapterFacts):
        return inspect_adapter(facts)
    return inspect_model(facts)


def inspect_model(facts: ModelFacts) -> dict[str, object]:
    """Return the payload of a model: its stored total where a checkpoint is there."""
    scope = total_scope(facts)
    stored = sum(row.stored or 0 for row in facts.rows) if facts.checkpoint else None
    total = stored if stored is not None else scope.total if scope else None
    warning = next((p.message for p in facts.problems if p.level == "warning"), "")
    why = warning or "the configuration names a class whose head is not counted; see scopes"
    missing = {} if total is not None else {"total_parameters": why}
    source = facts.checkpoint.source if facts.checkpoint else facts.config.source
    return {
        "kind": "checkpoint" if facts.checkpoint else "config",
        "name": facts.name,
        "path": source.path,
        "model_type": facts.config.model_type,
        "family": facts.ledger.family,
        "total_parameters": total,
        "total_scope": "checkpoint" if stored is not None else scope.name if scope else None,
        "scopes": {s.name: s.total for s in facts.ledger.scopes},
        "scope_labels": {s.name: s.label for s in facts.ledger.scopes},
        "terms": term_list(facts.ledger, facts.rows),
        "missing": missing,
        "problems": problem_list(facts.problems),
    }


def inspect_adapter(facts: AdapterFacts) -> dict[str, object]:
    """Return the payload of an adapter; its total is base and adapter together."""
    ledger = facts.ledger
    together = ledger.scope("base_and_adapter") if ledger else None
    missing = {
        key: reading.reason
        for key, reading in (
            ("trainable_parameters", facts.trainable),
            ("base_parameters", facts.base_total),
        )
        if not isinstance(reading, Quantity)
    }
    if facts.stored is None:
        missing["stored_parameters"] = "no adapter weights lie beside the configuration"
    return {
        "kind": "adapter",
        "name": facts.name,
        "path": facts.config.source.path,
        "peft_type": facts.config.peft_type,
        "settings": set_keys(facts.config.values),
        "total_parameters": together.total if together else None,
        "total_scope": "base_and_adapter" if together else None,
        "trainable_parameters": whole(facts.trainable),
        "stored_parameters": facts.stored.total if facts.stored else None,
        "stored_in": facts.stored.source.path if facts.stored else None,
        "base_parameters": whole(facts.base_total),
        "scopes": {s.name: s.total for s in ledger.scopes} if ledger else {},
        "scope_labels": {s.name: s.label for s in ledger.scopes} if ledger else {},
        "terms": term_list(ledger, ()) if ledger else [],
        "targets": [
            {"module": name, "in_features": inputs, "out_features": outputs, "modules": count}
            for name, inputs, outputs, count in facts.targets
        ],
        "missing": missing,
        "problems": problem_list(facts.lint),
    }


def set_keys(values: Mapping[str, object]) -> dict[str, object]:
    """Return the keys of a configuration that say something: neither null, false nor empty."""
    return {
        key: value
        for key, value in values.items()
        if value is not None and value is not False and value not in ({}, [], "")
    }


def whole(reading: object) -> int | None:
    """Return a count as a whole number, or None where it is missing."""
    return int(reading.value) if isinstance(reading, Quantity) else None


def term_list(ledger: Ledger, rows: Iterable[LedgerRow]) -> list[dict[str, object]]:
    """Return the terms, with what is stored where rows are given."""
    found = list(rows) or [LedgerRow(term=term) for term in ledger.terms]
    return [
        {
            "name": row.term.name,
            "label": row.term.label,
            "role": row.term.role,
            "count": row.term.count,
            "formula": formula_text(row.term.formula),
            "values": dict(row.term.values),
            "note": row.term.note,
            "stored": row.stored,
            "difference": row.difference,
            "explanation": row.explanation,
        }
        for row in found
    ]


def problem_list(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Return problems ready for JSON."""
    return [
        {"path": p.path, "message": p.message, "remedy": p.remedy, "level": p.level}
        for p in problems
    ]
