"""From configurations and tensors to the facts that sections print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from reportgen.languages import message
from reportgen.parameters._counting import count_config, family_for, total_scope_name
from reportgen.parameters._reconcile import reconcile
from reportgen.parameters.families import load_family
from reportgen.records.checkpoint import (
    Checkpoint,
    Ledger,
    LedgerRow,
    ModelConfig,
    Scope,
    TensorSpec,
)
from reportgen.records.errors import EvidenceError
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
from reportgen.records.record import replace
from reportgen.records.source import Problem

# How the architectures begin whose arguments fairseq stores.
OF_FAIRSEQ = "roberta"
Builder = Callable[[Mapping[str, object]], Sequence[TensorSpec]]
EMPTY = Ledger(family="", terms=(), scopes=())


def family_of(model_type: str) -> str:
    """Return the family of a model type, or an empty string where no table has it.

    Example:
        >>> family_of("bert"), family_of("no such type")
        ('bert', '')
    """
    return model_type if load_family(model_type) else ""


def describe_model(
    name: str,
    config: ModelConfig | None,
    checkpoint: Checkpoint | None = None,
    built: Builder | None = None,
) -> ModelFacts:
    """Count a model and reconcile it with its checkpoint.

    A family that is not known is counted from the tensors alone; without tensors the ledger
    stays empty and a problem says why. Nothing is raised for what a file says.

    Args:
        name: What the report calls the model.
        config: Its configuration; None takes the one inside the checkpoint.
        checkpoint: Its tensors, or None.
        built: Configuration to the tensors of the model as a library builds it, none where it
            does not; asked where no table and no checkpoint tells.

    Raises:
        ValueError: Neither a configuration nor a checkpoint is given.
    """
    if config is None:
        config = embedded_config(checkpoint)
    problems = list(checkpoint.problems) if checkpoint else []
    config, borrowed = with_vocabulary(config, checkpoint)
    problems += borrowed
    path, ledger, others = config.source.path, EMPTY, frozenset[str]()
    try:
        counted = count_config(config)
    except EvidenceError as error:
        counted = None
        problems.append(Problem(path=path, message=error.message, remedy=error.remedy))
    else:
        if counted is None:
            problems.append(unknown_family(config))
        else:
            ledger, others = counted.ledger, counted.others
            problems += [Problem(path=path, message=text) for text in counted.warnings]
    if not ledger.terms and checkpoint is not None:
        from reportgen.parameters.stored import ledger_of_tensors

        ledger = ledger_of_tensors(checkpoint)
    elif built is not None and config.model_type and family_for(config) is None:
        ledger, note = ledger_as_built(config, built)
        problems += note
    if ledger.family:
        problems += [Problem(path=path, message=note, level="note") for note in ledger.notes]
    rows = reconcile(ledger, checkpoint)
    return ModelFacts(
        name=name,
        config=config,
        ledger=ledger,
        # Heads of other classes are quoted among the scopes, and are no part of this model, but
        # where a checkpoint holds them, be it under a second name.
        rows=tuple(
            row
            for row in rows
            if row.term.name not in others
            or row.stored
            or (row.explanation and row.term.formula == Constant(0))
        ),
        checkpoint=checkpoint,
        problems=tuple(problems),
    )


def ledger_as_built(config: ModelConfig, built: Builder) -> tuple[Ledger, list[Problem]]:
    """Count the model that a library builds; the ledger is empty where it does not build it."""
    tensors = built({**config.values, "model_type": config.model_type})
    if not tensors:
        return EMPTY, []
    from reportgen.parameters.stored import ledger_of_tensors

    text = message("counted exactly from the model that the installed transformers builds")
    note = Problem(path=config.source.path, message=text, level="note")
    return ledger_of_tensors(Checkpoint(source=config.source, tensors=tuple(tensors))), [note]


def embedded_config(checkpoint: Checkpoint | None) -> ModelConfig:
    """Return the configuration that a checkpoint carries, empty where it carries none.

    fairseq says the architecture under `arch`, and under `_name` in its later files; both are
    believed beside fairseq's sizes only, for other programs use these words for other things.
    """
    if checkpoint is None:
        raise ValueError("describe_model needs a configuration or a checkpoint")
    values = checkpoint.config
    stated = str(values.get("model_type") or "")
    named = str(values.get("arch") or values.get("_name") or "")
    if not stated and "encoder_layers" in values and named.startswith(OF_FAIRSEQ):
        stated = named
    return ModelConfig(source=checkpoint.source, model_type=stated, values=values)


def with_vocabulary(
    config: ModelConfig, checkpoint: Checkpoint | None
) -> tuple[ModelConfig, list[Problem]]:
    """Take the vocabulary from the tensors where fairseq's arguments do not hold it."""
    values = config.values
    if checkpoint is None or "vocab_size" in values or "encoder_embed_dim" not in values:
        return config, []
    table = next((t for t in checkpoint.tensors if t.name.endswith("embed_tokens.weight")), None)
    if table is None or len(table.shape) != 2:
        return config, []
    said = message(
        "vocab_size is not in the arguments: {rows} is the number of rows of {tensor}",
        rows=table.shape[0],
        tensor=table.name,
    )
    note = Problem(path=config.source.path, message=said, level="note")
    return replace(config, values={**values, "vocab_size": table.shape[0]}), [note]


def unknown_family(config: ModelConfig) -> Problem:
    """Say that no formula is known for a model type."""
    kind = config.model_type[:80]
    text = message("no model type is stated, so no formula can be chosen")
    remedy = message("pass the model's config.json")
    if kind:
        text = message("model type {kind}: no formula is known for this family", kind=repr(kind))
        remedy = message("pass a checkpoint of the model: its tensors are counted as they are")
    return Problem(path=config.source.path, message=text, remedy=remedy)


def total_scope(model: ModelFacts) -> Scope | None:
    """Return the scope of the class that the configuration names, else of the bare model.

    For a class that the table does not have none exists, and for an unknown family without
    tensors none.
    """
    if not model.ledger.family:
        return model.ledger.scope("all")
    family = family_for(model.config)
    if family is None:
        return None
    return model.ledger.scope(total_scope_name(family, model.ledger, model.config))


# What `inspect --json` says of a model or an adapter.


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
