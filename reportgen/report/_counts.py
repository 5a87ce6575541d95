"""Numbers of parameters and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import message
from reportgen.parameters import keys_of_symbols
from reportgen.records.checkpoint import LedgerRow, ModelConfig, Term
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import Constant, symbols
from reportgen.records.quantity import Evidence
from reportgen.records.record import replace

# Parts that a checkpoint may lack; they are then neither in its ledger nor missing from it.
OPTIONAL = frozenset({"token_type", "pooler", "head", "lm_head"})


def key_evidence(config: ModelConfig, symbol: str) -> Evidence:
    """Return the configuration key that a symbol's value was read from."""
    key, value = stated_key(config.values, symbol)
    return Evidence(
        path=config.source.path,
        tag=key,
        value=value if isinstance(value, int | float | str) else None,
    )


def stated_key(values: Mapping[str, object], symbol: str) -> tuple[str, object]:
    """Return the key of a symbol that a configuration states, and its value.

    The mark of a symbol says in which part of a composite model the key stands.
    """
    known = keys_of_symbols()
    for key in known.get(symbol, ()):
        if values.get(key) is not None:
            return key, values[key]
    letter, _, mark = symbol.replace(",", "_").rpartition("_")
    part = values.get(f"{mark}_config") if letter and symbol not in known else None
    if isinstance(part, Mapping):
        key, value = stated_key(part, letter)
        return (f"{mark}_config.{key}" if key else ""), value
    return "", None


def origin(model: ModelFacts) -> Evidence:
    """Return the file that the counts come from: a configuration, or tensors without formula."""
    if model.ledger.family or model.checkpoint is None:
        return Evidence(path=model.config.source.path)
    return Evidence(path=model.checkpoint.source.path)


def of_symbol(model: ModelFacts, key: str) -> Evidence:
    """Return the configuration key behind a symbol, or the file whose tensors it adds up."""
    return key_evidence(model.config, key) if model.ledger.family else origin(model)


def of_term(model: ModelFacts, term: Term) -> tuple[Evidence, ...]:
    """Return the configuration keys behind a term, or the tensors that it adds up."""
    if not model.ledger.family:
        return (replace(origin(model), tag=term.tensors),)
    if tied(term):
        stated = model.config.values.get("tie_word_embeddings")
        value = stated if isinstance(stated, bool) else None
        path = model.config.source.path
        return (Evidence(path=path, tag="tie_word_embeddings", value=value),)
    keys = dict.fromkeys(symbol.key for symbol in symbols(term.formula))
    return tuple(key_evidence(model.config, key) for key in keys) or (origin(model),)


def why_no_formula(model: ModelFacts) -> str:
    """Return why a model was not counted by formula, as the count itself said it."""
    # The count speaks after the checkpoint's reader, so its reason is the last.
    said = (p.message for p in reversed(model.problems) if p.level != "note")
    return next(said, message("no formula is known for it"))


def tied(term: Term) -> bool:
    """Return whether a term is a second name of another tensor."""
    return term.formula == Constant(0)


def absent(row: LedgerRow) -> bool:
    """Return whether a part that models may lack is lacking in this checkpoint."""
    return row.stored == 0 and row.term.role in OPTIONAL and not tied(row.term)


def stored_total(model: ModelFacts) -> int:
    """Return how many numbers the checkpoint holds, by the rows of the ledger."""
    return sum(row.stored or 0 for row in model.rows)
