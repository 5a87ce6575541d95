"""DistilBERT: BERT without token types and pooler.

Source: Sanh et al. 2019 (arXiv:1910.01108), section 3; transformers
`models/distilbert/modeling_distilbert.py`.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BACKBONE,
    WEIGHTS,
    Architecture,
    C,
    D,
    Keys,
    Module,
    Node,
    Sheet,
    Sizes,
    add_embeddings,
    add_layers,
    add_lm_head,
    attention_modules,
    encoder_nodes,
    ends,
    roles,
    scope,
    symbol_table,
    token_scope,
    tree_rows,
)
from reportgen.records.checkpoint import Ledger, ModelConfig, Scope, Term

DEFAULTS = {
    "vocab_size": 30522,
    "dim": 768,
    "n_layers": 6,
    "n_heads": 12,
    "hidden_dim": 3072,
    "max_position_embeddings": 512,
}

M = "(distilbert.)?"
LAYER = f"{M}transformer.layer.#"
STEMS = {
    "word": (f"{M}embeddings.word_embeddings",),
    "position": (f"{M}embeddings.position_embeddings",),
    "embedding_norm": (f"{M}embeddings.LayerNorm",),
    "attention.query": (f"{LAYER}.attention.q_lin",),
    "attention.key": (f"{LAYER}.attention.k_lin",),
    "attention.value": (f"{LAYER}.attention.v_lin",),
    "attention.output": (f"{LAYER}.attention.out_lin",),
    "ffn.in": (f"{LAYER}.ffn.lin1",),
    "ffn.out": (f"{LAYER}.ffn.lin2",),
    "norm": (f"{LAYER}.(sa_layer_norm|output_layer_norm)",),
    "lm_dense": ("vocab_transform",),
    "lm_norm": ("vocab_layer_norm",),
    "lm_projection": ("vocab_projector.weight",),
    "lm_bias": ("vocab_projector.bias",),
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a DistilBERT model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="distilbert", values={}))
        >>> ledger.scope("encoder").total
        66362880
    """
    sizes, keys = read_sizes(config)
    sheet = Sheet(values=sizes.values())
    add_embeddings(sheet, STEMS, sizes)
    add_layers(sheet, STEMS, sizes.layers)
    add_lm_head(sheet, STEMS, tied=keys.switch("tie_word_embeddings", default=True))
    sheet.add(
        "classifier.dense",
        "classification head, dense layer",
        "head",
        D**2 + D,
        "pre_classifier.(weight|bias)",
        module="classifier",
    )
    sheet.add(
        "classifier.out",
        "classification head, output layer",
        "head",
        C * D + C,
        *ends(("classifier",), "(weight|bias)"),
        module="classifier",
    )
    nodes = [
        *encoder_nodes("DistilBERT", sizes),
        Node(1, "lm_head", "Language-model head", "dense layer, layer norm, tied projection, bias"),
        Node(
            1,
            "classifier",
            "Classification head",
            f"{sizes.width} → {sizes.width} → {sizes.classes}",
        ),
    ]
    return Ledger(
        family="distilbert",
        terms=tuple(sheet.terms),
        scopes=list_scopes(sheet.terms),
        symbols=symbol_table(sheet.terms),
        tree=tree_rows(sheet.terms, nodes),
        notes=tuple(keys.notes),
    )


def list_scopes(terms: list[Term]) -> tuple[Scope, ...]:
    """Name every total that people quote for this family."""
    chosen = (
        ("weights", "weight matrices and embeddings; no biases, layer norms or heads", WEIGHTS),
        ("encoder", "whole encoder, no heads", BACKBONE),
        ("encoder_with_head", "encoder and classification head", BACKBONE | {"head"}),
        (
            "encoder_with_lm_head",
            "encoder and language-model head, tied projection counted once",
            BACKBONE | {"lm_head"},
        ),
        (
            "all",
            "encoder, language-model head (tied projection counted once) and classification head",
            BACKBONE | {"lm_head", "head"},
        ),
    )
    found = [scope(terms, name, label, roles(*of)) for name, label, of in chosen]
    return (*found, token_scope(terms, BACKBONE))


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    sizes, _ = read_sizes(config)
    d = sizes.width
    prefix = "distilbert." if head else ""
    tables = [
        Module(
            name=f"{prefix}embeddings.{name}_embeddings",
            kind="embedding",
            in_features=rows,
            out_features=d,
        )
        for name, rows in (("word", sizes.vocabulary), ("position", sizes.positions))
    ]
    norm = Module(
        name=f"{prefix}embeddings.LayerNorm", kind="norm", in_features=0, out_features=d, bias=True
    )
    stems = {
        "query": "attention.q_lin",
        "key": "attention.k_lin",
        "value": "attention.v_lin",
        "output": "attention.out_lin",
        "attention_norm": "sa_layer_norm",
        "in": "ffn.lin1",
        "out": "ffn.lin2",
        "norm": "output_layer_norm",
    }
    layers = attention_modules(f"{prefix}transformer.layer", stems, sizes)
    return (*tables, norm, *layers, *head_modules(head, sizes))


def head_modules(head: str, sizes: Sizes) -> tuple[Module, ...]:
    """List the modules of one head."""
    d = sizes.width
    head = "masked_lm" if head == "causal_lm" else head
    parts = {
        "classification": (
            ("pre_classifier", "linear", d, d),
            ("classifier", "linear", d, sizes.classes),
        ),
        "tokens": (("classifier", "linear", d, sizes.classes),),
        "masked_lm": (
            ("vocab_transform", "linear", d, d),
            ("vocab_layer_norm", "norm", 0, d),
            ("vocab_projector", "linear", d, sizes.vocabulary),
        ),
    }.get(head, ())
    return tuple(
        Module(
            name=name,
            kind=kind,
            in_features=inputs,
            out_features=outputs,
            bias=True,
            tied=name == "vocab_projector",
            head=True,
        )
        for name, kind, inputs, outputs in parts
    )


def read_sizes(config: ModelConfig) -> tuple[Sizes, Keys]:
    """Read the sizes; a key that is absent has DistilBERT's own default."""
    keys = Keys(config, DEFAULTS)
    sizes = Sizes(
        vocabulary=keys.whole("vocab_size"),
        width=keys.whole("dim", "hidden_size"),
        layers=keys.whole("n_layers", "num_hidden_layers"),
        heads=keys.whole("n_heads", "num_attention_heads"),
        inner=keys.whole("hidden_dim"),
        positions=keys.whole("max_position_embeddings"),
        types=0,
        classes=keys.labels(),
    )
    return sizes, keys


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules)
