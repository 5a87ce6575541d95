"""Falcon: one key and value head for all queries (7B), or groups of them (40B, 180B).

The first published files say `RefinedWebModel` (7B) and `RefinedWeb` (40B).

Source: Almazrouei et al. 2023 (arXiv:2311.16867), section 4; transformers 5.23,
`models/falcon/modeling_falcon.py` and `configuration_falcon.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    CLASSES,
    HEAD_SIZE,
    HEADS,
    KV_HEADS,
    LAST_NORM,
    NORM,
    TWO_NORMS,
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
    plan_decoder_heads,
    times,
    total,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Constant

DEFAULTS = {
    "vocab_size": 65024,
    "hidden_size": 4544,
    "num_hidden_layers": 32,
    "num_attention_heads": 71,
}
H, K, S = HEADS, KV_HEADS, HEAD_SIZE
LAYER = (
    (
        "attention.qkv",
        message("query, key and value projections"),
        "attention",
        "self_attention.query_key_value",
        D,
        times(S, total([H, times(Constant(2), K)])),
    ),
    (
        "attention.output",
        message("attention output projections"),
        "attention",
        "self_attention.dense",
        D,
        D,
    ),
    ("ffn.in", message("feed-forward, first matrix"), "ffn", "mlp.dense_h_to_4h", D, F),
    ("ffn.out", message("feed-forward, second matrix"), "ffn", "mlp.dense_4h_to_h", F, D),
)


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a Falcon model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="falcon", values={}))
        >>> ledger.scope("all").total
        6921720704
    """
    plan, keys, stack = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=True)
    return decoder_ledger("falcon", "Falcon", plan, keys, {message("Decoder"): stack}, tied=tied)


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
    grouped = keys.switch("new_decoder_architecture", default=config.model_type == "RefinedWeb")
    values = read_sizes(keys, grouped=grouped)
    plan = Blueprint(values=values, prefix="transformer.")
    stack = Stack(stem="h.#", numbers=numbered(values[L.key]), count=L)
    plan.words("word_embeddings", V, D)
    plan.linears(LAYER, bias=keys.switch("bias", default=False), stack=stack)
    names = norm_names(keys, grouped=grouped)
    for name in names:
        plan.norm("norm", NORM if len(names) == 1 else TWO_NORMS, name, D, bias=True, stack=stack)
    plan.norm("final.norm", LAST_NORM, "ln_f", D, bias=True)
    tied = keys.switch("tie_word_embeddings", default=True)
    plan_decoder_heads(plan, tied=tied, tokens="classifier")
    return plan, keys, stack


def norm_names(keys: Keys, *, grouped: bool) -> tuple[str, ...]:
    """Name a layer's norms: attention and network side by side may share one."""
    if not keys.switch("parallel_attn", default=True):
        return ("input_layernorm", "post_attention_layernorm")
    count = keys.optional("num_ln_in_parallel_attn") or (2 if grouped else 1)
    return ("ln_attn", "ln_mlp") if count > 1 else ("input_layernorm",)


def read_sizes(keys: Keys, *, grouped: bool) -> dict[str, int]:
    """Read the sizes as symbol key to number."""
    width = keys.whole("hidden_size")
    heads = keys.whole("num_attention_heads", "n_head")
    shared = keys.optional("num_kv_heads", "n_head_kv") or heads
    if not grouped:
        shared = 1 if keys.switch("multi_query", default=True) else heads
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        L.key: keys.whole("num_hidden_layers", "n_layer"),
        F.key: keys.optional("ffn_hidden_size") or 4 * width,
        H.key: heads,
        K.key: shared,
        S.key: width // heads,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
