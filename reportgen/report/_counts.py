"""Numbers, symbols and sums that the sections on parameters have in common."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from reportgen.languages import message
from reportgen.parameters import keys_of_symbols
from reportgen.records.checkpoint import ModelConfig, Term
from reportgen.records.document import Number
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import (
    Constant,
    Expression,
    Product,
    Sum,
    Symbol,
    symbols,
)
from reportgen.records.quantity import Evidence, Missing, Quantity

# What layers are counted by: all of one kind, two sides, or shared weights (groups, each of B).
LAYERS = frozenset({"L", "L_enc", "L_dec", "G", "B"})


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


def hugging_face(model: ModelFacts) -> bool:
    """Return whether token types count: a RoBERTa model that nothing says fairseq stored.

    Source: fairseq `models/roberta/model.py` names its encoder `sentence_encoder`.
    """
    tensors = model.checkpoint.tensors if model.checkpoint else ()
    return model.ledger.scope("encoder_hf") is not None and not any(
        "sentence_encoder" in tensor.name for tensor in tensors
    )


def why_no_formula(model: ModelFacts) -> str:
    """Return why a model was not counted by formula, as the count itself said it."""
    # The count speaks after the checkpoint's reader, so its reason is the last.
    said = (p.message for p in reversed(model.problems) if p.level != "note")
    return next(said, message("no formula is known for it"))


def count_number(
    name: str,
    value: int | None,
    *,
    method: str,
    formula: str = "",
    sources: Iterable[Evidence] = (),
    style: str = "count",
    missing: str = "",
) -> Number:
    """Return a whole number of parameters with its evidence."""
    if value is None:
        return Number(id=name, quantity=Missing(reason=missing), style=style)
    return Number(
        id=name,
        quantity=Quantity(
            value=value, unit="count", method=method, formula=formula, sources=tuple(sources)
        ),
        style=style,
    )


def term_evidence(config: ModelConfig, term: Term) -> tuple[Evidence, ...]:
    """Return the configuration keys behind a term, each once."""
    if tied(term):
        stated = config.values.get("tie_word_embeddings")
        value = stated if isinstance(stated, bool) else None
        return (Evidence(path=config.source.path, tag="tie_word_embeddings", value=value),)
    keys = dict.fromkeys(symbol.key for symbol in symbols(term.formula))
    return tuple(key_evidence(config, key) for key in keys)


def tied(term: Term) -> bool:
    """Return whether a term is a second name of another tensor."""
    return term.formula == Constant(0)


def layer_count(expression: Expression) -> tuple[Expression, ...]:
    """Return the factors of a term's formula that say how many layers there are.

    Example:
        >>> L, d = Symbol("L"), Symbol("d")
        >>> layer_count(L * d**2) == (L,)
        True
    """
    factors = expression.factors if isinstance(expression, Product) else (expression,)
    return tuple(f for f in factors if isinstance(f, Symbol) and f.key in LAYERS)


def without_layers(expression: Expression) -> Expression:
    """Return a term's formula for one layer: the number of layers taken out.

    Example:
        >>> L, d = Symbol("L"), Symbol("d")
        >>> without_layers(L * d**2) == d**2
        True
        >>> without_layers(L)
        Constant(value=1)
    """
    factors = list(expression.factors if isinstance(expression, Product) else (expression,))
    for counted in layer_count(expression):
        factors.remove(counted)
    if not factors:
        return Constant(1)
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def gather(expressions: Iterable[Expression]) -> Expression:
    """Add up formulas, like products gathered: d² + d² becomes 2 d².

    Example:
        >>> d, f = Symbol("d"), Symbol("f")
        >>> gather([d * f, f * d]) == Product((Constant(2), d, f))
        True
    """
    counts: dict[frozenset[tuple[str, int]], tuple[int, tuple[Expression, ...]]] = {}
    for part in (p for e in expressions for p in (e.terms if isinstance(e, Sum) else (e,))):
        factors = part.factors if isinstance(part, Product) else (part,)
        whole = [f.value for f in factors if isinstance(f, Constant)]
        rest = tuple(f for f in factors if not isinstance(f, Constant))
        names = [repr(factor) for factor in rest]
        signature = frozenset((name, names.count(name)) for name in names)
        times, first = counts.get(signature, (0, rest))
        counts[signature] = (times + int(math.prod(whole)), first)
    terms = [scaled(times, factors) for times, factors in counts.values()]
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def scaled(times: int, factors: tuple[Expression, ...]) -> Expression:
    """Return factors times a whole number, without a needless 1."""
    every = factors if times == 1 and factors else (Constant(times), *factors)
    return every[0] if len(every) == 1 else Product(every)
