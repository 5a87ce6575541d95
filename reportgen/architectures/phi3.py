"""Phi-3: grouped queries and a gated network, each with its first matrices fused into one.

Source: Abdin et al. 2024 (arXiv:2404.14219), section 2; transformers 5.23,
`models/phi3/modeling_phi3.py` and `configuration_phi3.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    LAST_RMS_NORM,
    TWO_RMS_NORMS,
    Architecture,
    Blueprint,
    D,
    F,
    H,
    K,
    Keys,
    L,
    Module,
    S,
    Stack,
    V,
    decoder_ledger,
    numbered,
    plan_decoder_heads,
    read_sizes,
    times,
    total,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Constant

DEFAULTS = {
    "vocab_size": 32064,
    "hidden_size": 3072,
    "intermediate_size": 8192,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
}
TWO = Constant(2)
LAYER = (
    (
        "attention.qkv",
        message("query, key and value projections"),
        "attention",
        "self_attn.qkv_proj",
        D,
        times(S, total([H, times(TWO, K)])),
    ),
    (
        "attention.output",
        message("attention output projections"),
        "attention",
        "self_attn.o_proj",
        times(H, S),
        D,
    ),
    (
        "ffn.gate_up",
        message("feed-forward, gate and first matrix"),
        "ffn",
        "mlp.gate_up_proj",
        D,
        times(TWO, F),
    ),
    ("ffn.down", message("feed-forward, second matrix"), "ffn", "mlp.down_proj", F, D),
)


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a Phi-3 model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="phi3", values={}))
        >>> ledger.scope("all").total
        3821079552
    """
    plan, keys, stack = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=False)
    return decoder_ledger("phi3", "Phi-3", plan, keys, {message("Decoder"): stack}, tied=tied)


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
    plan = Blueprint(values=values, prefix="model.")
    stack = Stack(stem="layers.#", numbers=numbered(values[L.key]), count=L)
    plan.words("embed_tokens", V, D)
    plan.linears(LAYER, stack=stack)
    for name in ("input_layernorm", "post_attention_layernorm"):
        plan.norm("norm", TWO_RMS_NORMS, name, D, stack=stack)
    plan.norm("final.norm", LAST_RMS_NORM, "norm", D)
    plan_decoder_heads(plan, tied=keys.switch("tie_word_embeddings", default=False))
    return plan, keys, stack


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
