"""LLaMA and its relatives: Mistral, Qwen2, Qwen3, Gemma, Gemma 2.

Grouped queries (fewer key and value heads than query heads), a head width of its own, a
gated feed-forward network of three matrices, norms without bias, no position table. Qwen3
normalises queries and keys; Gemma 2 has four norms a layer.

Source: Touvron et al. 2023 (arXiv:2302.13971), section 2.2; Ainslie et al. 2023
(arXiv:2305.13245); transformers 5.23, `models/{llama,mistral,qwen2,qwen3,gemma,gemma2}`:
`modeling_*.py`, and `configuration_*.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    LAST_RMS_NORM,
    TWO_RMS_NORMS,
    Architecture,
    Blueprint,
    D,
    F,
    Keys,
    L,
    Module,
    Stack,
    V,
    decoder_ledger,
    numbered,
    plan_attention,
    plan_decoder_heads,
    plan_gated,
    read_sizes,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig

DEFAULTS = {
    "llama": {
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
    },
    "mistral": {
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
    },
    "qwen2": {
        "vocab_size": 151936,
        "hidden_size": 4096,
        "intermediate_size": 22016,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
    },
    "qwen3": {
        "vocab_size": 151936,
        "hidden_size": 4096,
        "intermediate_size": 22016,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
        "head_dim": 128,
    },
    "gemma": {
        "vocab_size": 256000,
        "hidden_size": 3072,
        "intermediate_size": 24576,
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
        "num_key_value_heads": 16,
        "head_dim": 256,
    },
    "gemma2": {
        "vocab_size": 256000,
        "hidden_size": 2304,
        "intermediate_size": 9216,
        "num_hidden_layers": 26,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
    },
}
TITLES = {
    "llama": "LLaMA",
    "mistral": "Mistral",
    "qwen2": "Qwen2",
    "qwen3": "Qwen3",
    "gemma": "Gemma",
    "gemma2": "Gemma 2",
}
# These alone tie their output projection when the file does not say.
TIED = frozenset({"gemma", "gemma2"})
FOUR_RMS_NORMS = message("four RMS norms a layer (weight)")
# Gemma 2 alone has the last two.
NORMS = (
    "input_layernorm",
    "post_attention_layernorm",
    "pre_feedforward_layernorm",
    "post_feedforward_layernorm",
)


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a LLaMA-like model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="llama", values={}))
        >>> ledger.scope("all").total
        6738415616
    """
    plan, keys, stack = draw_plan(config)
    tied = is_tied(keys, config.model_type)
    return decoder_ledger(
        "llama", TITLES[config.model_type], plan, keys, {message("Decoder"): stack}, tied=tied
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
    kind = config.model_type
    keys = Keys(config, DEFAULTS[kind])
    values = read_sizes(keys)
    plan = Blueprint(values=values, prefix="model.")
    stack = Stack(stem="layers.#", numbers=numbered(values[L.key]), count=L)
    plan.words("embed_tokens", V, D)
    inner, outer = attention_biases(keys, kind)
    plan_attention(plan, stack, bias=inner, output_bias=outer, normed=kind == "qwen3")
    gated = kind == "llama" and keys.switch("mlp_bias", default=False)
    plan_gated(plan, stack, F, bias=gated)
    four = kind == "gemma2"
    for name in NORMS if four else NORMS[:2]:
        label = FOUR_RMS_NORMS if four else TWO_RMS_NORMS
        plan.norm("norm", label, name, D, stack=stack)
    plan.norm("final.norm", LAST_RMS_NORM, "norm", D)
    plan_decoder_heads(plan, tied=is_tied(keys, kind))
    return plan, keys, stack


def is_tied(keys: Keys, model_type: str) -> bool:
    """Return whether the output projection is the word-embedding table."""
    return keys.switch("tie_word_embeddings", default=model_type in TIED)


def attention_biases(keys: Keys, model_type: str) -> tuple[bool, bool]:
    """Return whether query, key and value have biases, and whether the output has one."""
    if model_type == "qwen2":
        return True, False
    everywhere = model_type != "mistral" and keys.switch("attention_bias", default=False)
    return everywhere, everywhere


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
