"""Terms and modules that GPT-2, BLOOM and the LLaMA kind have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reportgen.architectures._terms.blueprint import Blueprint, Stack, write_terms
from reportgen.architectures._terms.keys import Keys
from reportgen.architectures._terms.model import (
    CLASSES,
    INNER,
    LAYERS,
    VOCABULARY,
    WIDTH,
    Module,
    Sheet,
    layer_norm,
    scope,
    symbol_table,
    tree_rows,
)
from reportgen.architectures._terms.tree import write_nodes
from reportgen.records.checkpoint import Ledger, Scope, Term
from reportgen.records.formula import Constant, Expression

V, D, L, F, C = VOCABULARY, WIDTH, LAYERS, INNER, CLASSES

WEIGHTS = frozenset({"embedding", "position", "attention", "ffn", "router", "expert"})
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


def decoder_scopes(terms: Iterable[Term], *, tied: bool, body: str = "body") -> tuple[Scope, ...]:
    """Name every total that people quote for a decoder; `body` names the one without a head."""
    terms = tuple(terms)
    once = "tied projection counted once" if tied else "projection not tied, counted"
    chosen = (
        ("weights", "weight matrices and embeddings; no biases, norms or heads", WEIGHTS),
        (body, "whole model without a head", BODY),
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


def plan_decoder_heads(
    plan: Blueprint,
    *,
    tied: bool,
    module: str = "lm_head",
    also: tuple[str, ...] = (),
    width: Expression = D,
    bias: bool = False,
    tokens: str = "score",
) -> None:
    """Write down the output projection and the heads of classifiers.

    Args:
        plan: Where to write.
        tied: Whether the projection is the word-embedding table.
        module: Name of the projection.
        also: Other spellings of that name.
        width: What the heads take in.
        bias: Whether the projection has a bias.
        tokens: Name of the head of token classifiers, which has a bias.
    """
    plan.linear(
        ("lm_head", "language-model head", "lm_head", module, width, V),
        bias=bias,
        bias_term="lm_head.bias" if tied else "",
        tied=tied,
        also=also,
        heads=("causal_lm",),
        inside=False,
    )
    label, note = "classification head (no bias)", "only in models for sequence classification"
    own = ("classifier", label, "head", "score", width, C)
    plan.linear(own, heads=("classification",), inside=False, note=note)
    every = ("classifier", "token classification head", "head", tokens, width, C)
    plan.linear(every, bias=True, heads=("tokens",), inside=False, counted=False)


def decoder_ledger(
    family: str,
    title: str,
    plan: Blueprint,
    keys: Keys,
    stacks: Mapping[str, Stack],
    *,
    tied: bool,
    body: str = "body",
    extra: Iterable[Scope] = (),
) -> Ledger:
    """Return the ledger of a decoder that is written down as a plan."""
    terms = write_terms(plan)
    about = f"{plan.values[L.key]} layers, width {plan.values[D.key]}"
    return Ledger(
        family=family,
        terms=tuple(terms),
        scopes=(*decoder_scopes(terms, tied=tied, body=body), *extra),
        symbols=symbol_table(
            (t for t in terms if t.role in BODY | {"lm_head"}), {L: plan.values[L.key]}
        ),
        tree=tree_rows(terms, write_nodes(title, about, terms, stacks)),
        notes=tuple(keys.notes),
    )


def numbered(layers: int) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of so many layers, as a stack wants them.

    Example:
        >>> numbered(2)
        ((0,), (1,))
    """
    return tuple((layer,) for layer in range(layers))
