"""Terms and modules that BERT and its relatives have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from reportgen.architectures._terms.model import (
    CLASSES,
    INNER,
    LAYERS,
    POSITIONS,
    TYPES,
    VOCABULARY,
    WIDTH,
    Module,
    Node,
    Sheet,
    layer_norm,
    scope,
)
from reportgen.records.checkpoint import Scope, Term
from reportgen.records.formula import Constant

V, D, L, P, T, F, C = VOCABULARY, WIDTH, LAYERS, POSITIONS, TYPES, INNER, CLASSES

Stems = Mapping[str, tuple[str, ...]]

# Roles of the backbone; what is left are heads, pooler and token types.
WEIGHTS = frozenset({"embedding", "position", "attention", "ffn"})
BACKBONE = WEIGHTS | {"norm", "bias"}

# Name, label, role and count of the six matrices of a layer.
MATRICES = (
    ("attention.query", "query projections", "attention", L * D**2),
    ("attention.key", "key projections", "attention", L * D**2),
    ("attention.value", "value projections", "attention", L * D**2),
    ("attention.output", "attention output projections", "attention", L * D**2),
    ("ffn.in", "feed-forward, first matrix", "ffn", L * D * F),
    ("ffn.out", "feed-forward, second matrix", "ffn", L * F * D),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes of one encoder; `types` is 0 for a model without token types."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    inner: int
    positions: int
    types: int
    classes: int

    def values(self) -> dict[str, int]:
        """Return symbol key to number."""
        return {
            V.key: self.vocabulary,
            D.key: self.width,
            L.key: self.layers,
            F.key: self.inner,
            P.key: self.positions,
            T.key: self.types,
            C.key: self.classes,
        }


def add_embeddings(sheet: Sheet, stems: Stems, sizes: Sizes) -> None:
    """Write the embedding tables and their norm."""
    sheet.add(
        "embeddings.word",
        "word embeddings",
        "embedding",
        V * D,
        *ends(stems["word"], "weight"),
    )
    sheet.add(
        "embeddings.position",
        "position embeddings",
        "position",
        P * D,
        *ends(stems["position"], "weight"),
    )
    if sizes.types:
        sheet.add(
            "embeddings.token_type",
            "token-type embeddings",
            "token_type",
            T * D,
            *ends(stems["token_type"], "weight"),
        )
    sheet.add(
        "embeddings.norm",
        "layer norm of the embeddings (weight and bias)",
        "norm",
        2 * D,
        *ends(stems["embedding_norm"], layer_norm()),
    )


def add_layers(sheet: Sheet, stems: Stems, layers: int) -> None:
    """Write the attention and feed-forward terms of all layers."""
    for name, label, role, formula in MATRICES:
        sheet.add(
            f"{name}.weight",
            label,
            role,
            formula,
            *ends(stems[name], "weight"),
            module=f"encoder.layer.{name}",
            repeat=layers,
        )
    attention = [s for n in ("query", "key", "value", "output") for s in stems[f"attention.{n}"]]
    sheet.add(
        "attention.bias",
        "biases of the four attention projections",
        "bias",
        4 * L * D,
        *ends(tuple(attention), "bias"),
        module="encoder.layer.attention",
        repeat=layers,
    )
    sheet.add(
        "ffn.bias",
        "biases of the feed-forward network",
        "bias",
        L * (F + D),
        *ends(stems["ffn.in"] + stems["ffn.out"], "bias"),
        module="encoder.layer.ffn",
        repeat=layers,
    )
    sheet.add(
        "layer.norm",
        "two layer norms a layer (weight and bias)",
        "norm",
        4 * L * D,
        *ends(stems["norm"], layer_norm()),
        module="encoder.layer.norm",
        repeat=layers,
    )


def add_lm_head(sheet: Sheet, stems: Stems, *, tied: bool) -> None:
    """Write the masked-language-model head: dense, norm, projection, bias."""
    sheet.add(
        "lm_head.dense",
        "language-model head, dense layer",
        "lm_head",
        D**2 + D,
        *ends(stems["lm_dense"], "(weight|bias)"),
        module="lm_head",
    )
    sheet.add(
        "lm_head.norm",
        "language-model head, layer norm",
        "lm_head",
        2 * D,
        *ends(stems["lm_norm"], layer_norm()),
        module="lm_head",
    )
    sheet.add(
        "lm_head.projection",
        "language-model head, projection to the vocabulary",
        "lm_head",
        Constant(0) if tied else V * D,
        *stems["lm_projection"],
        module="lm_head",
        note="tied to the word embeddings: counted once, there" if tied else "",
    )
    sheet.add(
        "lm_head.bias",
        "language-model head, bias",
        "lm_head",
        V,
        *stems["lm_bias"],
        module="lm_head",
    )


def encoder_nodes(title: str, sizes: Sizes) -> list[Node]:
    """Return the module tree of the backbone; counts below a layer are those of one layer."""
    d, f, layers = sizes.width, sizes.inner, sizes.layers
    nodes = [
        Node(0, "", title, f"{layers} layers, width {d}, {sizes.heads} attention heads"),
        Node(1, "embeddings", "Embeddings"),
        Node(2, "embeddings.word", "Word embeddings", f"{sizes.vocabulary} × {d}"),
        Node(2, "embeddings.position", "Position embeddings", f"{sizes.positions} × {d}"),
        Node(2, "embeddings.token_type", "Token-type embeddings", f"{sizes.types} × {d}"),
        Node(2, "embeddings.norm", "Layer norm", f"{d} weights, {d} biases"),
        Node(1, "encoder", "Encoder", f"{layers} identical layers"),
        Node(2, "encoder.layer", "One layer", "", layers),
        Node(
            3,
            "encoder.layer.attention",
            "Self-attention",
            f"query, key, value, output: {d} × {d} and a bias each; "
            f"{sizes.heads} heads of {d // sizes.heads}",
            layers,
        ),
        Node(3, "encoder.layer.ffn", "Feed-forward network", f"{d} → {f} → {d}", layers),
        Node(3, "encoder.layer.norm", "Two layer norms", f"{d} weights, {d} biases each", layers),
    ]
    return [n for n in nodes if sizes.types or n.path != "embeddings.token_type"]


def attention_modules(prefix: str, stems: Mapping[str, str], sizes: Sizes) -> tuple[Module, ...]:
    """Return the linear modules and norms of every layer.

    Args:
        prefix: Dotted name up to the layer's number (`roberta.encoder.layer`).
        stems: Part (`query`, `key`, `value`, `output`, `attention_norm`, `in`, `out`,
            `norm`) to the dotted name below the layer.
        sizes: The encoder's sizes.
    """
    d, f = sizes.width, sizes.inner
    parts = (
        ("query", "linear", d, d),
        ("key", "linear", d, d),
        ("value", "linear", d, d),
        ("output", "linear", d, d),
        ("attention_norm", "norm", 0, d),
        ("in", "linear", d, f),
        ("out", "linear", f, d),
        ("norm", "norm", 0, d),
    )
    return tuple(
        Module(
            name=f"{prefix}.{layer}.{stems[part]}",
            kind=kind,
            in_features=inputs,
            out_features=outputs,
            bias=True,
        )
        for layer in range(sizes.layers)
        for part, kind, inputs, outputs in parts
    )


def ends(stems: tuple[str, ...], end: str) -> tuple[str, ...]:
    """Return every stem with `.end` behind it."""
    return tuple(f"{stem}.{end}" for stem in stems)


def token_scope(terms: Iterable[Term], within: frozenset[str]) -> Scope:
    """Return the scope of token classifiers: the encoder and one matrix, no pooler."""
    return scope(
        terms,
        "encoder_with_token_head",
        "encoder and token classification head; no pooler",
        lambda term: term.role in within or term.name == "classifier.out",
    )


def roles(*chosen: str) -> Callable[[Term], bool]:
    """Return a choice of terms by role."""
    return lambda term: term.role in chosen
