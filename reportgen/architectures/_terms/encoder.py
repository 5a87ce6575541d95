"""Symbols, roles, module tree and scopes that BERT and its relatives have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from reportgen.architectures._terms.blueprint import Blueprint
from reportgen.architectures._terms.decoder import TIED_ONCE
from reportgen.architectures._terms.model import (
    CLASSES,
    HEADS,
    INNER,
    LAYERS,
    POSITIONS,
    TYPES,
    VOCABULARY,
    WIDTH,
    Node,
    scope,
)
from reportgen.architectures._terms.words import (
    layers_words,
    norm_words,
    norms_words,
    size_words,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Scope, Term

V, D, L, P, T, F, C = VOCABULARY, WIDTH, LAYERS, POSITIONS, TYPES, INNER, CLASSES

# Roles of the backbone; what is left are heads, pooler and token types.
WEIGHTS = frozenset({"embedding", "position", "attention", "ffn"})
BACKBONE = WEIGHTS | {"norm", "bias"}
# The bias that stands beside the projection to the vocabulary, not in it.
BESIDE = "lm_head.bias_beside"


def encoder_nodes(title: str, values: Mapping[str, int]) -> list[Node]:
    """Return the module tree of the backbone; counts below a layer are those of one layer.

    Args:
        title: Name of the family.
        values: Symbol key to number, the number of heads included.
    """
    d, f, layers, types = (values[symbol.key] for symbol in (D, F, L, T))
    heads = values[HEADS.key]
    nodes = [
        Node(0, "", title, size_words(layers, d, heads)),
        Node(1, "embeddings", message("Embeddings")),
        Node(2, "embeddings.word", message("Word embeddings"), f"{values[V.key]} × {d}"),
        Node(2, "embeddings.position", message("Position embeddings"), f"{values[P.key]} × {d}"),
        Node(2, "embeddings.token_type", message("Token-type embeddings"), f"{types} × {d}"),
        Node(2, "embeddings.norm", message("Layer norm"), norm_words(d)),
        Node(1, "encoder", message("Encoder"), layers_words(layers)),
        Node(2, "encoder.layer", message("One layer"), "", layers),
        Node(
            3,
            "encoder.layer.attention",
            message("Self-attention"),
            message(
                "query, key, value, output: {width} × {width} and a bias each; "
                "{heads} heads of {each}",
                width=d,
                heads=heads,
                each=d // heads,
            ),
            layers,
        ),
        Node(3, "encoder.layer.ffn", message("Feed-forward network"), f"{d} → {f} → {d}", layers),
        Node(3, "encoder.layer.norm", message("Two layer norms"), norms_words(d), layers),
    ]
    return [n for n in nodes if types or n.path != "embeddings.token_type"]


def head_nodes(plan: Blueprint, *, dense: bool) -> list[Node]:
    """Return the tree of the two heads; the classifier has a dense layer of its own or not."""
    d, classes = plan.values[D.key], plan.values[C.key]
    way = f"{d} → {d} → {classes}" if dense else f"{d} → {classes}"
    about = message("dense layer, layer norm, untied projection, bias")
    if is_tied(plan):
        about = message("dense layer, layer norm, tied projection, bias")
    elif any(part.term == BESIDE for part in plan.parts):
        about = message("dense layer, layer norm, untied projection, two biases")
    return [
        Node(1, "lm_head", message("Language-model head"), about),
        Node(1, "classifier", message("Classification head"), way),
    ]


def is_tied(plan: Blueprint) -> bool:
    """Return whether the projection to the vocabulary is the word-embedding table."""
    return any(part.tied for part in plan.parts)


def projection_words(plan: Blueprint) -> str:
    """Return how often the projection to the vocabulary counts, for the labels of scopes."""
    return TIED_ONCE if is_tied(plan) else message("untied projection counted")


def projection_briefly(plan: Blueprint) -> str:
    """Return the same in fewer words."""
    return message("tied projection once") if is_tied(plan) else message("untied projection")


def token_scope(
    terms: Iterable[Term],
    within: frozenset[str],
    name: str = "encoder_with_token_head",
    label: str = message("encoder and token classification head; no pooler"),
) -> Scope:
    """Return the scope of token classifiers: the encoder and one matrix, no pooler."""
    return scope(
        terms,
        name,
        label,
        lambda term: term.role in within or term.name == "classifier.out",
    )


def roles(*chosen: str) -> Callable[[Term], bool]:
    """Return a choice of terms by role."""
    return lambda term: term.role in chosen
