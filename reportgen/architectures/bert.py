"""BERT.

Source: Devlin et al. 2019 (arXiv:1810.04805), section 3; transformers
`models/bert/modeling_bert.py`.
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
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}

B = "(bert.)?"
LAYER = f"{B}encoder.layer.#"
STEMS = {
    "word": (f"{B}embeddings.word_embeddings",),
    "position": (f"{B}embeddings.position_embeddings",),
    "token_type": (f"{B}embeddings.token_type_embeddings",),
    "embedding_norm": (f"{B}embeddings.LayerNorm",),
    "attention.query": (f"{LAYER}.attention.self.query",),
    "attention.key": (f"{LAYER}.attention.self.key",),
    "attention.value": (f"{LAYER}.attention.self.value",),
    "attention.output": (f"{LAYER}.attention.output.dense",),
    "ffn.in": (f"{LAYER}.intermediate.dense",),
    "ffn.out": (f"{LAYER}.output.dense",),
    "norm": (f"{LAYER}.(attention.)?output.LayerNorm",),
    "lm_dense": ("cls.predictions.transform.dense",),
    "lm_norm": ("cls.predictions.transform.LayerNorm",),
    "lm_projection": ("cls.predictions.decoder.weight",),
    "lm_bias": ("cls.predictions.(decoder.)?bias",),
    "pooler": (f"{B}pooler.dense",),
    "head_out": ("classifier",),
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a BERT model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="bert", values={}))
        >>> ledger.scope("model").total
        109482240
    """
    sizes, keys = read_sizes(config)
    sheet = Sheet(values=sizes.values())
    add_embeddings(sheet, STEMS, sizes)
    add_layers(sheet, STEMS, sizes.layers)
    sheet.add("pooler", "pooler", "pooler", D**2 + D, *ends(STEMS["pooler"], "(weight|bias)"))
    add_lm_head(sheet, STEMS, tied=keys.switch("tie_word_embeddings", default=True))
    sheet.add(
        "classifier.out",
        "classification head",
        "head",
        C * D + C,
        *ends(STEMS["head_out"], "(weight|bias)"),
        module="classifier",
    )
    nodes = [
        *encoder_nodes("BERT", sizes),
        Node(1, "pooler", "Pooler", f"{sizes.width} → {sizes.width}"),
        Node(1, "lm_head", "Language-model head", "dense layer, layer norm, tied projection, bias"),
        Node(1, "classifier", "Classification head", f"{sizes.width} → {sizes.classes}"),
    ]
    return Ledger(
        family="bert",
        terms=tuple(sheet.terms),
        scopes=list_scopes(sheet.terms),
        symbols=symbol_table(sheet.terms),
        tree=tree_rows(sheet.terms, nodes),
        notes=tuple(keys.notes),
    )


def list_scopes(terms: list[Term]) -> tuple[Scope, ...]:
    """Name every total that people quote for this family."""
    full = BACKBONE | {"token_type"}
    chosen = (
        (
            "weights",
            "weight matrices and embeddings; no biases, layer norms, pooler or heads",
            WEIGHTS | {"token_type"},
        ),
        ("encoder", "whole encoder; no pooler, no heads", full),
        ("model", "encoder and pooler: the bare model", full | {"pooler"}),
        (
            "encoder_with_head",
            "encoder, pooler and classification head",
            full | {"pooler", "head"},
        ),
        (
            "encoder_with_lm_head",
            "encoder and language-model head, tied projection counted once; no pooler",
            full | {"lm_head"},
        ),
        (
            "all",
            "encoder, pooler, classification head, language-model head (tied projection once)",
            full | {"pooler", "lm_head", "head"},
        ),
    )
    found = [scope(terms, name, label, roles(*of)) for name, label, of in chosen]
    return (*found, token_scope(terms, full))


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    sizes, _ = read_sizes(config)
    d = sizes.width
    prefix = "bert." if head else ""
    embeddings = [
        Module(
            name=f"{prefix}embeddings.{name}_embeddings",
            kind="embedding",
            in_features=rows,
            out_features=d,
        )
        for name, rows in (
            ("word", sizes.vocabulary),
            ("position", sizes.positions),
            ("token_type", sizes.types),
        )
    ]
    norm = Module(
        name=f"{prefix}embeddings.LayerNorm", kind="norm", in_features=0, out_features=d, bias=True
    )
    stems = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "output": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "in": "intermediate.dense",
        "out": "output.dense",
        "norm": "output.LayerNorm",
    }
    layers = attention_modules(f"{prefix}encoder.layer", stems, sizes)
    return (*embeddings, norm, *layers, *head_modules(head, sizes))


def head_modules(head: str, sizes: Sizes) -> tuple[Module, ...]:
    """List the modules of one head, pooler included where the class has one."""
    d = sizes.width
    head = "masked_lm" if head == "causal_lm" else head
    found: list[tuple[str, str, int, int]] = []
    if head in {"", "classification"}:
        found.append(("bert.pooler.dense" if head else "pooler.dense", "linear", d, d))
    if head in {"classification", "tokens"}:
        found.append(("classifier", "linear", d, sizes.classes))
    if head == "masked_lm":
        found += [
            ("cls.predictions.transform.dense", "linear", d, d),
            ("cls.predictions.transform.LayerNorm", "norm", 0, d),
            ("cls.predictions.decoder", "linear", d, sizes.vocabulary),
        ]
    return tuple(
        Module(
            name=name,
            kind=kind,
            in_features=inputs,
            out_features=outputs,
            bias=True,
            tied=name.endswith("decoder"),
            head="pooler" not in name,
        )
        for name, kind, inputs, outputs in found
    )


def read_sizes(config: ModelConfig) -> tuple[Sizes, Keys]:
    """Read the sizes; a key that is absent has BERT's own default."""
    keys = Keys(config, DEFAULTS)
    sizes = Sizes(
        vocabulary=keys.whole("vocab_size"),
        width=keys.whole("hidden_size"),
        layers=keys.whole("num_hidden_layers"),
        heads=keys.whole("num_attention_heads"),
        inner=keys.whole("intermediate_size"),
        positions=keys.whole("max_position_embeddings"),
        types=keys.whole("type_vocab_size"),
        classes=keys.labels(),
    )
    return sizes, keys


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules)
