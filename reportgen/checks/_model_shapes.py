"""Shapes and numbers of the weights in a model's layers."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import product

from reportgen.checks._reading import show
from reportgen.checks._setting_readings import model_readings
from reportgen.claims._setting_words import name_before, words_of
from reportgen.records.facts import ModelFacts

_SIDE = re.compile(
    r"(?P<factor>\d{1,9})?\s?[*·×]?\s?(?P<heads>h(?=\s?[*·×]?\s?d_))?\s?[*·×]?\s?"
    r"(?P<name>[A-Za-z][\w ]{0,30}?)?\s?(?:/\s?(?P<over>[A-Za-z]\w{0,20}|\d{1,6}))?"
    r"\s?(?:\+\s?(?P<more>\d{1,4}))?"
)
_LETTERS = {"h": ("num_attention_heads", 0.9), "d": ("hidden_size", 0.9), "V": ("vocab_size", 0.9)}
_OWN = ("hidden_size", "num_attention_heads", "head_dim", "intermediate_size", "vocab_size")
_PROJECTIONS = frozenset({3, 4})
"""Projections of an attention layer: with and without the one that follows the heads."""


def numbers_of(model: ModelFacts, key: str) -> set[Decimal]:
    """Return the legal numbers of a setting of a model."""
    return {r.value for r in model_readings(model, key) if isinstance(r.value, Decimal)}


def sides_of(text: str, model: ModelFacts) -> set[Decimal]:
    """Return what one side of a shape may be in numbers, empty where it is not understood."""
    digits = text.replace(" ", "").replace(",", "")
    if digits.isdecimal() and len(digits) < 12:
        return {Decimal(digits)}
    match = _SIDE.fullmatch(text.strip())
    if match is None or not match["name"]:
        return set()
    found = _named(match["name"], model)
    if match["heads"]:
        pairs = product(found, numbers_of(model, "num_attention_heads"))
        found = {width * heads for width, heads in pairs}
    if match["over"]:
        below = (
            {Decimal(match["over"])} if match["over"].isdecimal() else _named(match["over"], model)
        )
        found = {width / part for width, part in product(found, below) if part}
    factor, more = Decimal(match["factor"] or 1), Decimal(match["more"] or 0)
    return {factor * width + more for width in found}


def _named(name: str, model: ModelFacts) -> set[Decimal]:
    words = words_of(name)
    found = name_before(words, len(words) - 1, symbols=_LETTERS) if words else None
    return numbers_of(model, found.key.name) if found and found.first == 0 else set()


def shapes_of(model: ModelFacts) -> set[tuple[Decimal, Decimal]]:
    """Return the shapes of a model's matrices: as configured, and as stored."""
    width, heads, per_head, inner, words = (numbers_of(model, key) for key in _OWN)
    rows = numbers_of(model, "max_position_embeddings")
    classes = numbers_of(model, "num_labels") | _classes_of_head(model)
    sides = width | per_head | inner | words | rows | classes
    sides |= {head * size for head, size in product(heads, per_head)} | {3 * size for size in width}
    found = {(left, right) for left in sides for right in width}
    stored = model.checkpoint.tensors if model.checkpoint else ()
    found |= {
        (Decimal(tensor.shape[0]), Decimal(tensor.shape[1]))
        for tensor in stored
        if len(tensor.shape) == 2
    }
    return found


def _classes_of_head(model: ModelFacts) -> set[Decimal]:
    """Return the classes that the head is counted with: a file may only name each of them."""
    meaning, count = model.ledger.symbols.get("C", ("", 0))
    return {Decimal(count)} if meaning else set()


def square_of_head(model: ModelFacts, factor: int) -> tuple[str, str]:
    """Return the verdict on `factor` times the square of the width as one head's parameters.

    The verdict is empty where the model's heads are not known.
    """
    widths = sorted(numbers_of(model, "hidden_size"))
    heads = sorted(numbers_of(model, "num_attention_heads"))
    if not widths or not heads:
        return "", ""
    width, head = widths[-1], heads[-1]
    path = model.config.source.path
    if head == 1:
        return "agrees", f"{path} has one head a layer"
    whole = factor * width * width
    return "disagrees", (
        f"{path} has num_attention_heads = {show(head)}, so a head has {factor} × {show(width)} × "
        f"{show(width / head)} = {whole / head:,.0f}, and {whole:,f} are those of all heads of a "
        "layer together"
    )


def part_counts(model: ModelFacts, what: str) -> frozenset[int]:
    """Return how many matrices, projections or linear layers a layer may be said to have."""
    terms = [t for t in model.ledger.terms if t.repeat > 1 and t.count]
    inner = sum(term.role == "ffn" for term in terms)
    fused = any("qkv" in term.name for term in terms)
    attention = any(term.role == "attention" for term in terms)
    if not attention:
        return frozenset()
    return {
        "matrices": frozenset({3, 4, 3 + inner, 4 + inner, inner}),
        "projections": _PROJECTIONS | {1} | ({2} if fused else set()),
        "linear layers": frozenset({inner, 4 + inner}),
        "norms": frozenset({1, 2}),
    }.get(what, frozenset())
