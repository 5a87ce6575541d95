"""BLOOM: no position table (ALiBi), a layer norm behind the word embeddings.

Source: Scao et al. 2022 (arXiv:2211.05100), section 3; transformers
`models/bloom/modeling_bloom.py`.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    CLASSES,
    INNER,
    LAST_NORM,
    TWO_NORMS,
    Architecture,
    Blueprint,
    D,
    Keys,
    L,
    Module,
    Node,
    Stack,
    V,
    decoder_ledger,
    fused_nodes,
    fused_rows,
    norm_words,
    numbered,
    plan_decoder_heads,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig

DEFAULTS = {"vocab_size": 250880, "hidden_size": 64, "n_layer": 2, "n_head": 8}

NAMES = {
    "qkv": "self_attention.query_key_value",
    "output": "self_attention.dense",
    "in": "mlp.dense_h_to_4h",
    "out": "mlp.dense_4h_to_h",
}
EMBEDDING_NORM = message("layer norm of the embeddings (weight and bias)")


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a BLOOM model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> values = {"n_embed": 1024, "n_layer": 24, "num_attention_heads": 16}
        >>> ledger = count_terms(ModelConfig(source=source, model_type="bloom", values=values))
        >>> ledger.scope("all").total
        559214592
    """
    plan, keys, stack = draw_plan(config)
    values, tied = plan.values, keys.switch("tie_word_embeddings", default=True)
    heads, d = keys.whole("n_head", "num_attention_heads"), values[D.key]
    norm = Node(2, "embeddings.norm", message("Layer norm"), norm_words(d))
    nodes = fused_nodes("BLOOM", values, heads, norm, tied=tied)
    return decoder_ledger(
        "bloom", "BLOOM", plan, keys, {message("Decoder"): stack}, tied=tied, nodes=nodes
    )


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"`, `"classification"`, `"tokens"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys, Stack]:
    """Write down every part of the model."""
    keys = Keys(config, DEFAULTS)
    values = read_sizes(keys)
    plan = Blueprint(values=values, prefix="transformer.")
    stack = Stack(stem="h.#", numbers=numbered(values[L.key]), count=L)
    plan.words("word_embeddings", V, D)
    plan.norm("embeddings.norm", EMBEDDING_NORM, "word_embeddings_layernorm", D, bias=True)
    plan.linears(fused_rows(NAMES), bias=True, stack=stack)
    for name in ("input_layernorm", "post_attention_layernorm"):
        plan.norm("norm", TWO_NORMS, name, D, bias=True, stack=stack)
    plan.norm("final.norm", LAST_NORM, "ln_f", D, bias=True)
    tied = keys.switch("tie_word_embeddings", default=True)
    plan_decoder_heads(plan, tied=tied, tokens="classifier")
    return plan, keys, stack


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number; BLOOM's inner width is always four times d.

    The first published configurations say `n_embed` for the width, as the configuration
    class reads them still.
    """
    width = keys.whole("n_embed", "hidden_size")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        L.key: keys.whole("n_layer", "num_hidden_layers"),
        INNER.key: 4 * width,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
