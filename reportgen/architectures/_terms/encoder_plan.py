"""Parts, scopes and ledger of encoders whose embeddings have a width of their own."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.architectures._terms.blueprint import ONE, TWO_NORMS, Blueprint, Stack, write_terms
from reportgen.architectures._terms.encoder import (
    BACKBONE,
    WEIGHTS,
    C,
    D,
    F,
    L,
    P,
    T,
    V,
    roles,
    token_scope,
)
from reportgen.architectures._terms.keys import Keys
from reportgen.architectures._terms.model import scope, symbol_table, tree_rows
from reportgen.architectures._terms.tree import write_nodes
from reportgen.records.checkpoint import Ledger, Scope, Term
from reportgen.records.formula import Expression, Symbol

E = Symbol("d", "emb", meaning="width of the embeddings")
MATRIX_ROLES = WEIGHTS | {"token_type"}
BERT_LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "in": "intermediate.dense",
    "out": "output.dense",
}
BERT_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
MATRICES = {
    "query": ("attention.query", "query projections", "attention", D, D),
    "key": ("attention.key", "key projections", "attention", D, D),
    "value": ("attention.value", "value projections", "attention", D, D),
    "output": ("attention.output", "attention output projections", "attention", D, D),
    "in": ("ffn.in", "feed-forward, first matrix", "ffn", D, F),
    "out": ("ffn.out", "feed-forward, second matrix", "ffn", F, D),
}
LM = "language-model head"
PROJECTION = ("embeddings.projection", "projection of the embeddings to the layers", "embedding")


def read_encoder_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes in BERT's keys as symbol key to number."""
    width = keys.whole("hidden_size")
    narrow = "embedding_size" in keys.defaults or keys.has("embedding_size")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        E.key: keys.whole("embedding_size") if narrow else width,
        L.key: keys.whole("num_hidden_layers"),
        F.key: keys.whole("intermediate_size"),
        P.key: keys.whole("max_position_embeddings"),
        T.key: keys.whole("type_vocab_size", least=0),
        C.key: keys.labels(),
    }


def plan_embeddings(plan: Blueprint, *, positions: bool = True, norm: Expression = E) -> None:
    """Write down the tables and their norm, whose width is the embeddings' own or the layers'."""
    plan.words("embeddings.word_embeddings", V, E)
    if positions:
        name = "embeddings.position_embeddings"
        plan.table(("embeddings.position", "position embeddings", "position", name, P, E))
    if plan.values[T.key]:
        name = "embeddings.token_type_embeddings"
        plan.table(("embeddings.token_type", "token-type embeddings", "token_type", name, T, E))
    label = "layer norm of the embeddings (weight and bias)"
    plan.norm("embeddings.norm", label, "embeddings.LayerNorm", norm, bias=True)


def plan_layers(
    plan: Blueprint, stack: Stack, names: Mapping[str, str], norms: tuple[str, ...]
) -> None:
    """Write down the matrices and norms of every layer.

    Args:
        plan: Where to write.
        stack: The layers.
        names: `query`, `key`, `value`, `output`, `in` and `out` to the names below a layer;
            what is not in it is left out.
        norms: Names of the norms.
    """
    for part, name in names.items():
        term, label, role, inputs, outputs = MATRICES[part]
        plan.linear((term, label, role, name, inputs, outputs), bias=True, stack=stack)
    for name in norms:
        plan.norm("norm", TWO_NORMS, name, D, bias=True, stack=stack)


def plan_lm_head(
    plan: Blueprint,
    keys: Keys,
    *,
    dense: tuple[str, ...],
    norm: tuple[str, ...],
    projection: str,
    bias: tuple[str, ...],
) -> None:
    """Write down the masked-language-model head; each name with its other spellings."""
    own = {"heads": ("masked_lm",), "inside": False, "bias": True}
    row = ("lm_head.dense", f"{LM}, dense layer", "lm_head", dense[0], D, E)
    plan.linear(row, also=dense[1:], **own)
    more = {"inputs": ONE, "outputs": E, "also": norm[1:]}
    plan.add("norm", "lm_head.norm", f"{LM}, layer norm", "lm_head", norm[0], **more, **own)
    plan.linear(
        ("lm_head.projection", f"{LM}, projection to the vocabulary", "lm_head", projection, E, V),
        tied=keys.switch("tie_word_embeddings", default=True),
        bias_term="lm_head.bias",
        bias_names=bias,
        **own,
    )


def plan_classifier(plan: Blueprint, *, dense: str = "", out: str = "classifier") -> None:
    """Write down the head of sequence classifiers, and that of token classifiers."""
    own = {"bias": True, "inside": False, "heads": ("classification",)}
    label = "classification head"
    if dense:
        plan.linear(("classifier.dense", f"{label}, dense layer", "head", dense, D, D), **own)
        row = ("classifier.out", f"{label}, output layer", "head", out, D, C)
        plan.linear(row, also=("classifier",), **own)
    else:
        plan.linear(("classifier.out", label, "head", out, D, C), **own)
    every = ("classifier.tokens", label, "head", "classifier", D, C)
    plan.linear(every, bias=True, inside=False, heads=("tokens",), counted=False)


def encoder_ledger(
    family: str,
    title: str,
    plan: Blueprint,
    keys: Keys,
    stack: Stack | None,
    *,
    pooled: bool,
    bare: str = "backbone",
    extra: tuple[tuple[str, str, frozenset[str]], ...] = (),
) -> Ledger:
    """Return the ledger of an encoder that is written down as a plan.

    Args:
        family: Name of the plug-in.
        title: Name for people.
        plan: The parts.
        keys: Where the sizes were read.
        stack: The layers, for the tree; None for a model whose layers are not L of one kind,
            which has no tree, and whose encoder is not called `encoder`.
        pooled: Whether the classification head stands on the pooler.
        bare: What that encoder is called.
        extra: More scopes: name, label and the roles besides the encoder's.
    """
    terms = write_terms(plan)
    about = f"{plan.values[L.key]} layers, width {plan.values[D.key]}"
    nodes = write_nodes(title, about, terms, {"Encoder": stack}) if stack else ()
    return Ledger(
        family=family,
        terms=tuple(terms),
        scopes=encoder_scopes(terms, "encoder" if stack else bare, extra, pooled=pooled),
        symbols=symbol_table(terms, {L: plan.values[L.key]}),
        tree=tree_rows(terms, nodes),
        notes=tuple(keys.notes),
    )


def encoder_scopes(
    terms: list[Term],
    name: str,
    extra: tuple[tuple[str, str, frozenset[str]], ...],
    *,
    pooled: bool,
) -> tuple[Scope, ...]:
    """Name every total that people quote; `name` is that of the encoder alone."""
    full = BACKBONE | {"token_type"}
    pooler = frozenset({"pooler"} if any(t.role == "pooler" for t in terms) else ())
    head = pooler | {"head"} if pooled else frozenset({"head"})
    words = "encoder, pooler" if pooled and pooler else "encoder"
    once = "tied projection counted once"
    chosen = [
        ("weights", "matrices and embeddings; no biases, norms, pooler or heads", MATRIX_ROLES),
        (name, "whole encoder; no pooler, no heads", full),
        ("encoder_with_head", f"{words} and classification head", full | head),
        ("encoder_with_lm_head", f"encoder and {LM}, {once}; no pooler", full | {"lm_head"}),
        (
            "all",
            f"encoder, classification head and {LM}, {once}",
            full | pooler | {"lm_head", "head"},
        ),
    ]
    chosen += [(key, label, full | more) for key, label, more in extra]
    found = [scope(terms, key, label, roles(*of)) for key, label, of in chosen]
    return (*found, token_scope(terms, full))
