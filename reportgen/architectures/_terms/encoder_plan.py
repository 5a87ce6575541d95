"""Parts, scopes and ledger of encoders of BERT's kind."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from reportgen.architectures._terms.blueprint import ONE, TWO_NORMS, Blueprint, Stack, write_terms
from reportgen.architectures._terms.encoder import (
    BACKBONE,
    BESIDE,
    WEIGHTS,
    C,
    D,
    F,
    L,
    P,
    T,
    V,
    projection_words,
    roles,
    token_scope,
)
from reportgen.architectures._terms.keys import Keys
from reportgen.architectures._terms.model import HEADS, scope, symbol_table, tree_rows
from reportgen.architectures._terms.tree import write_nodes
from reportgen.architectures._terms.words import size_words
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, Scope, Term
from reportgen.records.formula import Expression, Symbol

E = Symbol("d", "emb", meaning=message("width of the embeddings"))
MATRIX_ROLES = WEIGHTS | {"token_type"}
BERT_LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "in": "intermediate.dense",
    "out": "output.dense",
}
TREE = "encoder.layer"
BERT_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
MATRICES = {
    "query": ("attention.query", message("query projections"), "attention", D, D),
    "key": ("attention.key", message("key projections"), "attention", D, D),
    "value": ("attention.value", message("value projections"), "attention", D, D),
    "output": ("attention.output", message("attention output projections"), "attention", D, D),
    "in": ("ffn.in", message("feed-forward, first matrix"), "ffn", D, F),
    "out": ("ffn.out", message("feed-forward, second matrix"), "ffn", F, D),
}
LM_LABELS = {
    "dense": message("language-model head, dense layer"),
    "norm": message("language-model head, layer norm"),
    "projection": message("language-model head, projection to the vocabulary"),
    "bias": message("language-model head, bias"),
}
FOUR_BIASES = message("biases of the four attention projections")
PROJECTION = (
    "embeddings.projection",
    message("projection of the embeddings to the layers"),
    "embedding",
)


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


def read_layer_sizes(keys: Keys, *, types: int = 1) -> dict[str, int]:
    """Read the sizes of a model whose embeddings are as wide as its layers, and its heads.

    Args:
        keys: Where to read.
        types: Fewest rows that the token-type table may have.
    """
    return {
        V.key: keys.whole("vocab_size"),
        D.key: keys.whole("hidden_size"),
        L.key: keys.whole("num_hidden_layers"),
        HEADS.key: keys.whole("num_attention_heads"),
        F.key: keys.whole("intermediate_size"),
        P.key: keys.whole("max_position_embeddings"),
        T.key: keys.whole("type_vocab_size", least=types),
        C.key: keys.labels(),
    }


def plan_embeddings(
    plan: Blueprint,
    *,
    positions: bool = True,
    width: Expression = E,
    norm: Expression | None = None,
    also: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write down the tables and their norm.

    Args:
        plan: Where to write.
        positions: Whether there is a position table.
        width: Width of the tables.
        norm: Width of the norm, where it is not that of the tables.
        also: `word`, `position` and `norm` to other spellings in stored tensors.
    """
    other = {part: (name,) for part, name in also.items()}
    plan.words("embeddings.word_embeddings", V, width, also=other.get("word", ()))
    if positions:
        name = "embeddings.position_embeddings"
        row = ("embeddings.position", message("position embeddings"), "position", name, P, width)
        plan.table(row, also=other.get("position", ()))
    if plan.values[T.key]:
        name = "embeddings.token_type_embeddings"
        plan.table(
            (
                "embeddings.token_type",
                message("token-type embeddings"),
                "token_type",
                name,
                T,
                width,
            )
        )
    label, name = message("layer norm of the embeddings (weight and bias)"), "embeddings.LayerNorm"
    own = other.get("norm", ())
    plan.norm("embeddings.norm", label, name, norm or width, bias=True, also=own)


def plan_layers(
    plan: Blueprint,
    stack: Stack,
    names: Mapping[str, str],
    norms: tuple[str, ...],
    *,
    also: Mapping[str, str] = MappingProxyType({}),
    bias_label: str = "",
) -> None:
    """Write down the matrices and norms of every layer.

    Args:
        plan: Where to write.
        stack: The layers.
        names: `query`, `key`, `value`, `output`, `in` and `out` to the names below a layer;
            what is not in it is left out.
        norms: Names of the norms.
        also: The same parts to other spellings in stored tensors; `norm` to those of the norms.
        bias_label: Label of the biases of the attention, where it is not the common one.
    """
    other = {part: (name,) for part, name in also.items()}
    for part, name in names.items():
        term, label, role, inputs, outputs = MATRICES[part]
        own = {"also": other.get(part, ()), "bias_label": bias_label if role != "ffn" else ""}
        plan.linear((term, label, role, name, inputs, outputs), bias=True, stack=stack, **own)
    for name in norms:
        plan.norm("norm", TWO_NORMS, name, D, bias=True, stack=stack, also=other.get("norm", ()))


def plan_lm_head(
    plan: Blueprint,
    keys: Keys,
    *,
    dense: tuple[str, ...],
    norm: tuple[str, ...],
    projection: tuple[str, ...],
    bias: tuple[str, ...],
    beside: str = "",
    width: Expression = E,
) -> None:
    """Write down the masked-language-model head.

    Args:
        plan: Where to write.
        keys: Where the file says whether the projection is the word-embedding table.
        dense: Name of the dense layer, then its other spellings.
        norm: The same of the norm.
        projection: The same of the projection to the vocabulary.
        bias: Spellings of the tensor of that projection's bias.
        beside: Name of the bias that stands beside the projection, in families that have both:
            transformers 4 makes the two one parameter in every model, transformers 5 in a tied
            one alone.
        width: Width of the word embeddings.
    """
    tied = keys.switch("tie_word_embeddings", default=True)
    two = bool(beside) and not tied and keys.modern()
    own = {"heads": ("masked_lm",), "inside": False, "bias": True}
    row = ("lm_head.dense", LM_LABELS["dense"], "lm_head", dense[0], D, width)
    plan.linear(row, also=dense[1:], **own)
    more = {"inputs": ONE, "outputs": width, "also": norm[1:]}
    plan.add("norm", "lm_head.norm", LM_LABELS["norm"], "lm_head", norm[0], **more, **own)
    label = LM_LABELS["projection"]
    plan.linear(
        ("lm_head.projection", label, "lm_head", projection[0], width, V),
        also=projection[1:],
        tied=tied,
        bias_term="lm_head.bias",
        bias_names=(f"{projection[0]}.bias", *bias[1:]) if two else bias,
        bias_label=LM_LABELS["bias"],
        **own,
    )
    if two:
        label = message("language-model head, bias beside the untied projection")
        more = {"inputs": ONE, "outputs": V}
        own |= {"bias": False, "note": message("the output of an untied model does not use it")}
        plan.add("parameter", BESIDE, label, "lm_head", beside, **more, **own)


def plan_classifier(
    plan: Blueprint, *, dense: tuple[str, ...] = (), out: tuple[str, ...] = ("classifier",)
) -> None:
    """Write down the head of sequence classifiers, and that of token classifiers.

    Args:
        plan: Where to write.
        dense: Name of the dense layer, then its other spellings; empty where there is none.
        out: The same of the output layer.
    """
    own = {"bias": True, "inside": False, "heads": ("classification",)}
    label = message("classification head")
    if dense:
        row = (
            "classifier.dense",
            message("classification head, dense layer"),
            "head",
            dense[0],
            D,
            D,
        )
        plan.linear(row, also=dense[1:], **own)
        row = ("classifier.out", message("classification head, output layer"), "head", out[0], D, C)
        plan.linear(row, also=(*out[1:], "classifier"), **own)
    else:
        plan.linear(("classifier.out", label, "head", out[0], D, C), also=out[1:], **own)
    every = ("classifier.tokens", label, "head", "classifier", D, C)
    plan.linear(every, bias=True, inside=False, heads=("tokens",), counted=False)


def encoder_ledger(
    family: str,
    title: str,
    plan: Blueprint,
    keys: Keys,
    stack: Stack,
    *,
    pooled: bool,
    bare: str = "encoder",
    extra: tuple[tuple[str, str, frozenset[str]], ...] = (),
) -> Ledger:
    """Return the ledger of an encoder that is written down as a plan.

    Args:
        family: Name of the plug-in.
        title: Name for people.
        plan: The parts.
        keys: Where the sizes were read.
        stack: The layers, for the tree.
        pooled: Whether the classification head stands on the pooler.
        bare: Name of the scope of the encoder alone: `encoder` where it is L layers of one kind.
        extra: More scopes: name, label and the roles besides the encoder's.
    """
    terms = write_terms(plan)
    about = size_words(plan.values[L.key], plan.values[D.key])
    nodes = write_nodes(title, about, terms, {message("Encoder"): stack})
    return Ledger(
        family=family,
        terms=tuple(terms),
        scopes=encoder_scopes(terms, bare, extra, pooled=pooled, once=projection_words(plan)),
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
    once: str,
) -> tuple[Scope, ...]:
    """Name every total that people quote; `name` is that of the encoder alone."""
    full = BACKBONE | {"token_type"}
    pooler = frozenset({"pooler"} if any(t.role == "pooler" for t in terms) else ())
    head = pooler | {"head"} if pooled else frozenset({"head"})
    label = message("encoder and classification head")
    if pooled and pooler:
        label = message("encoder, pooler and classification head")
    both = message("encoder, classification head and language-model head, {once}", once=once)
    alone = message("encoder and language-model head, {once}; no pooler", once=once)
    matrices = message("matrices and embeddings; no biases, norms, pooler or heads")
    chosen = [
        ("weights", matrices, MATRIX_ROLES),
        (name, message("whole encoder; no pooler, no heads"), full),
        ("encoder_with_head", label, full | head),
        ("encoder_with_lm_head", alone, full | {"lm_head"}),
        ("all", both, full | pooler | {"lm_head", "head"}),
    ]
    chosen += [(key, label, full | more) for key, label, more in extra]
    found = [scope(terms, key, label, roles(*of)) for key, label, of in chosen]
    return (*found, token_scope(terms, full))
