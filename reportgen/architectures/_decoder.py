"""Terms and modules that GPT-2, BLOOM and the LLaMA kind have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reportgen.architectures._terms import (
    CLASSES,
    INNER,
    LAYERS,
    VOCABULARY,
    WIDTH,
    Module,
    Sheet,
    layer_norm,
    scope,
)
from reportgen.records.checkpoint import Scope, Term
from reportgen.records.formula import Constant

V, D, L, F, C = VOCABULARY, WIDTH, LAYERS, INNER, CLASSES

WEIGHTS = frozenset({"embedding", "position", "attention", "ffn"})
BODY = WEIGHTS | {"norm", "bias"}


def add_fused_layers(sheet: Sheet, stems: Mapping[str, str], layers: int) -> None:
    """Write the terms of layers with one matrix for queries, keys and values.

    Args:
        sheet: Where to write.
        stems: `qkv`, `output`, `in`, `out` and `norm` to the names of their tensors.
        layers: Number of layers.
    """
    matrices = (
        ("attention.qkv", "qkv", "query, key and value projections", "attention", 3 * L * D**2),
        ("attention.output", "output", "attention output projections", "attention", L * D**2),
        ("ffn.in", "in", "feed-forward, first matrix", "ffn", L * D * F),
        ("ffn.out", "out", "feed-forward, second matrix", "ffn", L * F * D),
    )
    for name, part, label, role, formula in matrices:
        sheet.add(
            f"{name}.weight",
            label,
            role,
            formula,
            f"{stems[part]}.weight",
            module=f"layers.layer.{name}",
            repeat=layers,
        )
    biases = (
        ("attention", "biases of the attention projections", 4 * L * D, ("qkv", "output")),
        ("ffn", "biases of the feed-forward network", L * (F + D), ("in", "out")),
    )
    for name, label, formula, parts in biases:
        sheet.add(
            f"{name}.bias",
            label,
            "bias",
            formula,
            *(f"{stems[part]}.bias" for part in parts),
            module=f"layers.layer.{name}",
            repeat=layers,
        )
    sheet.add(
        "layer.norm",
        "two layer norms a layer (weight and bias)",
        "norm",
        4 * L * D,
        f"{stems['norm']}.{layer_norm()}",
        module="layers.layer.norm",
        repeat=layers,
    )


def add_heads(sheet: Sheet, *, tied: bool, tensor: str = "lm_head.weight") -> None:
    """Write the output projection and the head of sequence classifiers."""
    sheet.add(
        "lm_head",
        "language-model head",
        "lm_head",
        Constant(0) if tied else V * D,
        tensor,
        note="tied to the word embeddings: counted once, there" if tied else "",
    )
    sheet.add(
        "classifier",
        "classification head (no bias)",
        "head",
        C * D,
        "score.weight",
        note="only in models for sequence classification",
    )


def decoder_scopes(terms: Iterable[Term], *, tied: bool) -> tuple[Scope, ...]:
    """Name every total that people quote for a decoder."""
    terms = tuple(terms)
    once = "tied projection counted once" if tied else "projection not tied, counted"
    chosen = (
        ("weights", "weight matrices and embeddings; no biases, norms or heads", WEIGHTS),
        ("body", "whole model without a head", BODY),
        ("all", f"whole model with its language-model head ({once})", BODY | {"lm_head"}),
        (
            "non_embedding",
            "layers and norms alone; no embeddings, positions or heads",
            BODY - {"embedding", "position"},
        ),
        ("body_with_head", "whole model with a classification head", BODY | {"head"}),
    )
    return tuple(
        scope(terms, name, label, lambda term, of=of: term.role in of)  # type: ignore[misc]
        for name, label, of in chosen
    )


def decoder_heads(
    head: str, width: int, vocabulary: int, classes: int, *, tied: bool
) -> tuple[Module, ...]:
    """List the module of one head: `"causal_lm"`, `"classification"` or `"tokens"`."""
    if head == "causal_lm":
        return (
            Module(
                name="lm_head",
                kind="linear",
                in_features=width,
                out_features=vocabulary,
                tied=tied,
                head=True,
            ),
        )
    if head in {"classification", "tokens"}:
        # Token classifiers of this kind have a bias, sequence classifiers have none.
        name = "score" if head == "classification" else "classifier"
        return (
            Module(
                name=name,
                kind="linear",
                in_features=width,
                out_features=classes,
                bias=head == "tokens",
                head=True,
            ),
        )
    return ()


def norm_module(name: str, width: int, *, bias: bool = True) -> Module:
    """Return a norm."""
    return Module(name=name, kind="norm", in_features=0, out_features=width, bias=bias)
