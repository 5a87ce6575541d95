"""RoBERTa and its relatives: CamemBERT, XLM-R, and models trained with fairseq.

Two programs store this family, and they do not agree on one row: Hugging Face keeps a
table of token types (of one row that stays unused), fairseq has none. The scopes without
`_hf` leave that row out, those with `_hf` count it.

Source: Liu et al. 2019 (arXiv:1907.11692), section 2; fairseq
`models/roberta/model.py`; transformers `models/roberta/modeling_roberta.py`.
"""

from __future__ import annotations

from dataclasses import replace

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
    tree_rows,
)
from reportgen.records.checkpoint import Ledger, ModelConfig, Scope, Term

DEFAULTS = {
    "vocab_size": 50265,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
# CamemBERT's and XLM-R's configuration classes start from BERT's vocabulary.
OTHER_VOCABULARY = 30522
FAIRSEQ_DEFAULTS = {
    "encoder_embed_dim": 768,
    "encoder_layers": 12,
    "encoder_attention_heads": 12,
    "encoder_ffn_embed_dim": 3072,
    "max_positions": 512,
}
# fairseq counts positions from padding_idx + 1, so two rows are never used.
FAIRSEQ_UNUSED_POSITIONS = 2

E = "(encoder|decoder).sentence_encoder"
R = "((model.)?roberta.)?"
LAYER = f"{E}.layers.#"
HF_LAYER = f"{R}encoder.layer.#"
STEMS = {
    "word": (f"{E}.embed_tokens", f"{R}embeddings.word_embeddings"),
    "position": (f"{E}.embed_positions", f"{R}embeddings.position_embeddings"),
    "token_type": (f"{R}embeddings.token_type_embeddings",),
    "embedding_norm": (
        f"{E}.(layernorm_embedding|emb_layer_norm)",
        f"{R}embeddings.LayerNorm",
    ),
    "attention.query": (f"{LAYER}.self_attn.q_proj", f"{HF_LAYER}.attention.self.query"),
    "attention.key": (f"{LAYER}.self_attn.k_proj", f"{HF_LAYER}.attention.self.key"),
    "attention.value": (f"{LAYER}.self_attn.v_proj", f"{HF_LAYER}.attention.self.value"),
    "attention.output": (f"{LAYER}.self_attn.out_proj", f"{HF_LAYER}.attention.output.dense"),
    "ffn.in": (f"{LAYER}.fc1", f"{HF_LAYER}.intermediate.dense"),
    "ffn.out": (f"{LAYER}.fc2", f"{HF_LAYER}.output.dense"),
    "norm": (
        f"{LAYER}.(self_attn_layer_norm|final_layer_norm)",
        f"{HF_LAYER}.(attention.)?output.LayerNorm",
    ),
    "lm_dense": ("((encoder|decoder).)?lm_head.dense",),
    "lm_norm": ("((encoder|decoder).)?lm_head.layer_norm",),
    "lm_projection": ("((encoder|decoder).)?lm_head.(decoder.)?weight",),
    "lm_bias": ("((encoder|decoder).)?lm_head.(decoder.)?bias",),
    "head_dense": ("classification_heads.[^.]+.dense", "classifier.dense"),
    "head_out": ("classification_heads.[^.]+.out_proj", "classifier.out_proj", "classifier"),
    "pooler": (f"{R}pooler.dense",),
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a RoBERTa model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> values = {"vocab_size": 32000, "hidden_size": 512, "num_hidden_layers": 4,
        ...           "num_attention_heads": 8, "intermediate_size": 512,
        ...           "max_position_embeddings": 258, "type_vocab_size": 1}
        >>> ledger = count_terms(ModelConfig(source=source, model_type="roberta", values=values))
        >>> ledger.scope("weights").total, ledger.scope("encoder").total
        (22807552, 22829056)
    """
    sizes, keys = read_sizes(config)
    sheet = Sheet(values=sizes.values())
    add_embeddings(sheet, STEMS, sizes)
    add_layers(sheet, STEMS, sizes.layers)
    add_lm_head(sheet, STEMS, tied=keys.switch("tie_word_embeddings", default=True))
    add_head_and_pooler(sheet)
    return Ledger(
        family="roberta",
        terms=tuple(sheet.terms),
        scopes=list_scopes(sheet.terms),
        symbols=symbol_table(sheet.terms),
        tree=tree_rows(sheet.terms, tree_nodes(sizes)),
        notes=tuple(keys.notes),
    )


def add_head_and_pooler(sheet: Sheet) -> None:
    """Write the classification head, and the pooler of the bare model."""
    sheet.add(
        "classifier.dense",
        "classification head, dense layer",
        "head",
        D**2 + D,
        *ends(STEMS["head_dense"], "(weight|bias)"),
        module="classifier",
    )
    sheet.add(
        "classifier.out",
        "classification head, output layer",
        "head",
        C * D + C,
        *ends(STEMS["head_out"], "(weight|bias)"),
        module="classifier",
    )
    sheet.add(
        "pooler",
        "pooler",
        "pooler",
        D**2 + D,
        *ends(STEMS["pooler"], "(weight|bias)"),
        note="only in models loaded without a head by Hugging Face",
    )


def tree_nodes(sizes: Sizes) -> list[Node]:
    """Return the module tree; the token types are marked as Hugging Face's own."""
    return [
        *(
            replace(node, description=f"{node.description}, in Hugging Face only")
            if node.path == "embeddings.token_type"
            else node
            for node in encoder_nodes("RoBERTa", sizes)
        ),
        Node(1, "lm_head", "Language-model head", "dense layer, layer norm, tied projection, bias"),
        Node(
            1,
            "classifier",
            "Classification head",
            f"{sizes.width} → {sizes.width} → {sizes.classes}",
        ),
    ]


def list_scopes(terms: list[Term]) -> tuple[Scope, ...]:
    """Name every total that people quote for this family."""
    full = BACKBONE | {"token_type"}
    chosen = [
        ("weights", "weight matrices and embeddings; no biases, layer norms or heads", WEIGHTS),
        ("encoder", "whole encoder; no heads, no token-type row", BACKBONE),
        ("encoder_with_head", "encoder and classification head", BACKBONE | {"head"}),
        (
            "encoder_with_lm_head",
            "encoder and language-model head, tied projection counted once",
            BACKBONE | {"lm_head"},
        ),
        (
            "all",
            "encoder and both heads, tied projection counted once: what fairseq prints",
            BACKBONE | {"lm_head", "head"},
        ),
    ]
    if any(term.role == "token_type" for term in terms):
        chosen += [
            ("encoder_hf", "encoder with Hugging Face's token-type row, no pooler", full),
            (
                "model_hf",
                "encoder with token-type row and pooler: the bare model",
                full | {"pooler"},
            ),
            (
                "encoder_with_head_hf",
                "encoder with token-type row and classification head",
                full | {"head"},
            ),
            (
                "encoder_with_lm_head_hf",
                "encoder with token-type row and language-model head, tied projection once",
                full | {"lm_head"},
            ),
        ]
    return tuple(scope(terms, name, label, roles(*of)) for name, label, of in chosen)


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    sizes, _ = read_sizes(config)
    d = sizes.width
    tables = (
        ("word_embeddings", sizes.vocabulary),
        ("position_embeddings", sizes.positions),
        ("token_type_embeddings", sizes.types),
    )
    prefix = "roberta." if head else ""
    embeddings = [
        Module(
            name=f"{prefix}embeddings.{name}", kind="embedding", in_features=rows, out_features=d
        )
        for name, rows in tables
        if rows
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
    """List the modules of one head; the bare model has a pooler instead."""
    d = sizes.width
    head = "masked_lm" if head == "causal_lm" else head
    linear = {
        "classification": (("classifier.dense", d, d), ("classifier.out_proj", d, sizes.classes)),
        "tokens": (("classifier", d, sizes.classes),),
        "masked_lm": (("lm_head.dense", d, d), ("lm_head.decoder", d, sizes.vocabulary)),
        "": (("pooler.dense", d, d),),
    }.get(head, ())
    found = [
        Module(
            name=name,
            kind="linear",
            in_features=inputs,
            out_features=outputs,
            bias=True,
            tied=name == "lm_head.decoder",
            head=bool(head),
        )
        for name, inputs, outputs in linear
    ]
    if head == "masked_lm":
        found.insert(
            1,
            Module(
                name="lm_head.layer_norm",
                kind="norm",
                in_features=0,
                out_features=d,
                bias=True,
                head=True,
            ),
        )
    return tuple(found)


def read_sizes(config: ModelConfig) -> tuple[Sizes, Keys]:
    """Read the sizes in Hugging Face's keys, or in fairseq's where those are used."""
    other = {} if config.model_type == "roberta" else {"vocab_size": OTHER_VOCABULARY}
    keys = Keys(config, DEFAULTS | other)
    if keys.has("encoder_embed_dim", "encoder_layers") and not keys.has("hidden_size"):
        return read_fairseq_sizes(config)
    sizes = Sizes(
        vocabulary=keys.whole("vocab_size"),
        width=keys.whole("hidden_size"),
        layers=keys.whole("num_hidden_layers"),
        heads=keys.whole("num_attention_heads"),
        inner=keys.whole("intermediate_size"),
        positions=keys.whole("max_position_embeddings"),
        types=keys.whole("type_vocab_size", least=0),
        classes=keys.labels(),
    )
    return sizes, keys


def read_fairseq_sizes(config: ModelConfig) -> tuple[Sizes, Keys]:
    """Read the sizes from fairseq's arguments; the vocabulary must be added by hand."""
    keys = Keys(config, FAIRSEQ_DEFAULTS)
    sizes = Sizes(
        vocabulary=keys.whole("vocab_size"),
        width=keys.whole("encoder_embed_dim"),
        layers=keys.whole("encoder_layers"),
        heads=keys.whole("encoder_attention_heads"),
        inner=keys.whole("encoder_ffn_embed_dim"),
        positions=keys.whole("max_positions", "tokens_per_sample") + FAIRSEQ_UNUSED_POSITIONS,
        types=0,
        classes=keys.labels(),
    )
    return sizes, keys


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules)
