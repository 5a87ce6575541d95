"""The numbered equations of the parameter count: embeddings, one layer, the whole, heads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from reportgen.languages import message, say
from reportgen.records.checkpoint import Scope, Term
from reportgen.records.document import Block, EquationGroup, Paragraph, Text
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import Equation, Expression, Product, Sum, Symbol, symbols
from reportgen.report._counts import (
    gather,
    hugging_face,
    layer_count,
    tied,
    without_layers,
)

MATRICES = frozenset({"attention", "ffn"})
# Scopes of the model without heads, the first that a family has.
BARE = ("encoder", "body", "backbone", "model")
EMBEDDINGS = Symbol("N", "emb", meaning="parameters of the embeddings")
BODY = Symbol("N", "body", meaning="parameters of the model without heads")
FINAL = Symbol("N", "last", meaning="parameters of the last norm")
FINALS = Symbol("N", "last", meaning="parameters of the last norms of both sides")
CONVOLUTION = Symbol("N", "conv", meaning="parameters of the convolution and its norm")
# What the whole of a model without heads is, as the labels of its scopes begin.
WHOLE = message("Together this gives the model without heads:")
WHOLES = {
    "whole encoder": message("Together this gives the whole encoder:"),
    "whole encoder, no heads": message("Together this gives the whole encoder, no heads:"),
    "encoder with Hugging Face's token-type row, no pooler": message(
        "Together this gives the encoder with Hugging Face's token-type row, no pooler:"
    ),
    "whole model without a head": message("Together this gives the whole model without a head:"),
    "encoder and decoder without a head": message(
        "Together this gives the encoder and decoder without a head:"
    ),
}
# Side of a layer, or none, and whether it has biases, to what is said of it.
LAYERS = {
    ("", True): message("One layer holds these weights, biases and norms:"),
    ("", False): message("One layer holds these weights and norms:"),
    ("encoder", True): message("One layer of the encoder holds these weights, biases and norms:"),
    ("encoder", False): message("One layer of the encoder holds these weights and norms:"),
    ("decoder", True): message("One layer of the decoder holds these weights, biases and norms:"),
    ("decoder", False): message("One layer of the decoder holds these weights and norms:"),
}
# Root of the module tree to what is said of a layer, and the mark of its symbols.
SIDES = {"encoder": ("layer of the encoder", ",enc"), "decoder": ("layer of the decoder", ",dec")}


def base_scope(model: ModelFacts) -> Scope | None:
    """Return the scope of the model without heads; a mixture of experts has no equations."""
    if hugging_face(model):
        return model.ledger.scope("encoder_hf")
    if model.ledger.scope("active"):
        return None
    return next((found for name in BARE if (found := model.ledger.scope(name))), None)


def equations(model: ModelFacts) -> tuple[Block, ...]:
    """Return the numbered equations: embeddings, one layer, the whole, the heads.

    Where the parts of a model do not add up to its scope without heads, none are written.
    """
    scope = base_scope(model)
    if not model.ledger.family or scope is None:
        return ()
    base = [term for term in model.ledger.terms if term.name in scope.terms]
    sides = sides_of(base)
    if len(sides) > 1 and not set(sides) <= SIDES.keys():
        return ()
    outside = {
        symbol: equation(f"eq.{name}", symbol, terms, single=False)
        for name, symbol, terms in parts_outside(base)
    }
    if EMBEDDINGS not in outside:
        return ()
    layers = {side: layer_equations(side, base) for side in sides_of(base)}
    total = whole_equation(outside, layers, base)
    if total.result != scope.total:
        return ()
    tables = (
        say("The embeddings hold")
        if any(term.name.endswith(("patch", "convolution")) for term in base)
        else say("The embedding tables hold")
    )
    whole = WHOLES.get(re.split("[;:]", scope.label)[0], WHOLE)
    behind = [found for symbol, found in outside.items() if symbol != EMBEDDINGS]
    groups = [
        ("eq.group.embeddings", tables, [outside[EMBEDDINGS]]),
        *(layer_group(side, found, base, alone=len(layers) == 1) for side, found in layers.items()),
        ("eq.group.total", say(whole), [*behind, total]),
        ("eq.group.heads", say("The heads add"), head_equations(model)),
    ]
    return tuple(
        block
        for name, words, found in groups
        if found
        for block in (Paragraph(text=words), EquationGroup(id=name, equations=tuple(found)))
    )


def parts_outside(base: Iterable[Term]) -> list[tuple[str, Symbol, list[Term]]]:
    """Return name, symbol and terms of what stands outside of the layers."""
    found: dict[str, list[Term]] = {"embeddings": [], "convolution": [], "last": []}
    for term in base:
        if side_of(term):
            continue
        closing = term.module.startswith("final") or term.module.endswith(".final_norm")
        beside = term.module.startswith("convolution")
        found["last" if closing else "convolution" if beside else "embeddings"].append(term)
    names = {
        "embeddings": EMBEDDINGS,
        "convolution": CONVOLUTION,
        "last": FINALS if len(found["last"]) > 1 else FINAL,
    }
    return [(name, names[name], terms) for name, terms in found.items() if terms]


def side_of(term: Term) -> str:
    """Return the root of the module tree whose layers a term is in, or an empty text."""
    root, layer, _ = f".{term.module}.".partition(".layer.")
    return root.removeprefix(".") if layer else ""


def sides_of(base: Iterable[Term]) -> list[str]:
    """Return the roots that have layers, in order."""
    return list(dict.fromkeys(side for term in base if (side := side_of(term))))


def layer_equations(side: str, base: list[Term]) -> list[Equation]:
    """Return the equations of one layer: attention, feed-forward, then biases and norms."""
    alone = len(sides_of(base)) == 1
    words, mark = ("layer", "") if alone else SIDES[side]
    start = "eq.layer" if alone else f"eq.{side}"
    inside = [term for term in base if side_of(term) == side]
    found = []
    for name, short, what in (
        ("attention", "att", "attention weights"),
        ("ffn", "ffn", "feed-forward weights"),
        ("rest", "b", "biases and norms"),
    ):
        terms = [t for t in inside if (t.role if t.role in MATRICES else "rest") == name]
        left = Symbol("N", f"{short}{mark}", meaning=f"{what} of one {words}")
        if terms:
            found.append(equation(f"{start}.{name}", left, terms, single=True))
    return found


def layer_group(
    side: str, found: list[Equation], base: list[Term], *, alone: bool
) -> tuple[str, Text, list[Equation]]:
    """Return name, words and equations of one layer; what it lacks is not said of it."""
    biased = any(term.role == "bias" for term in base if side_of(term) == side)
    name = "eq.group.layer" if alone else f"eq.group.{side}"
    return name, say(LAYERS["" if alone else side, biased]), found


def head_equations(model: ModelFacts) -> list[Equation]:
    """Return the equation of each head; a tied projection adds nothing."""
    return [
        equation(f"eq.{name}", Symbol("N", short, meaning=meaning), found, single=False)
        for name, short, meaning, role in (
            ("head", "head", "parameters of the classification head", "head"),
            ("lm_head", "lm", "parameters of the language-model head", "lm_head"),
        )
        if (found := [t for t in model.ledger.terms if t.role == role and not tied(t)])
    ]


def equation(name: str, left: Symbol, terms: Iterable[Term], *, single: bool) -> Equation:
    """Return the sum of some terms as an equation, for one layer where `single`."""
    terms = tuple(terms)
    formulas = [without_layers(t.formula) if single else t.formula for t in terms]
    values = {key: value for term in terms for key, value in term.values.items()}
    # Matrices of one shape are gathered; biases and norms stay apart, to be recognised.
    alike = all(term.role in MATRICES for term in terms)
    right: Expression = gather(formulas) if alike else added(formulas)
    used = {symbol.key for symbol in symbols(right)}
    return Equation(
        id=name, left=left, right=right, values={k: v for k, v in values.items() if k in used}
    )


def added(formulas: list[Expression]) -> Expression:
    """Return formulas as one sum, without a needless sum of one."""
    return formulas[0] if len(formulas) == 1 else Sum(tuple(formulas))


def whole_equation(
    outside: Mapping[Symbol, Equation], layers: Mapping[str, list[Equation]], base: list[Term]
) -> Equation:
    """Return the total of the model without heads from its parts.

    Args:
        outside: Symbol to equation of what stands outside of the layers.
        layers: Root of the module tree to the equations of one of its layers.
        base: The terms of the model without heads.
    """
    terms: list[Expression] = [EMBEDDINGS]
    values: dict[str, int | float] = {}
    for side, inner in layers.items():
        first = next(term for term in base if side_of(term) == side)
        count = layer_count(first.formula)
        values |= {s.key: first.values[s.key] for factor in count for s in symbols(factor)}
        values |= {found.left.key: found.result for found in inner}
        lefts: tuple[Expression, ...] = tuple(found.left for found in inner)
        terms.append(Product((*count, lefts[0] if len(lefts) == 1 else Sum(lefts))))
    terms += [symbol for symbol in outside if symbol != EMBEDDINGS]
    values |= {symbol.key: found.result for symbol, found in outside.items()}
    return Equation(id="eq.total", left=BODY, right=Sum(tuple(terms)), values=values)
