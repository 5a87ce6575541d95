"""GPT-NeoX and Pythia: rotary positions, attention and network side by side, untied.

Source: Black et al. 2022 (arXiv:2204.06745), section 2; Biderman et al. 2023
(arXiv:2304.01373), table 1; transformers 5.23, `models/gpt_neox/modeling_gpt_neox.py` and
`configuration_gpt_neox.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    CLASSES,
    LAST_NORM,
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
    fused_rows,
    numbered,
    plan_decoder_heads,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig

DEFAULTS = {
    "vocab_size": 50432,
    "hidden_size": 6144,
    "num_hidden_layers": 44,
    "intermediate_size": 24576,
}
NAMES = {
    "qkv": "attention.query_key_value",
    "output": "attention.dense",
    "in": "mlp.dense_h_to_4h",
    "out": "mlp.dense_4h_to_h",
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a GPT-NeoX model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="gpt_neox", values={}))
        >>> ledger.scope("all").total
        20554567680
    """
    plan, keys, stack = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=False)
    return decoder_ledger(
        "gpt_neox", "GPT-NeoX", plan, keys, {message("Decoder"): stack}, tied=tied
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
    values = {
        V.key: keys.whole("vocab_size"),
        D.key: keys.whole("hidden_size"),
        L.key: keys.whole("num_hidden_layers"),
        F.key: keys.whole("intermediate_size"),
        CLASSES.key: keys.labels(),
    }
    plan = Blueprint(values=values, prefix="gpt_neox.")
    stack = Stack(stem="layers.#", numbers=numbered(values[L.key]), count=L)
    plan.words("embed_in", V, D)
    layer = fused_rows(NAMES)
    plan.linears(layer[:2], bias=keys.switch("attention_bias", default=True), stack=stack)
    plan.linears(layer[2:], bias=True, stack=stack)
    for name in ("input_layernorm", "post_attention_layernorm"):
        plan.norm("norm", TWO_NORMS, name, D, bias=True, stack=stack)
    plan.norm("final.norm", LAST_NORM, "final_layer_norm", D, bias=True)
    # Files and transformers 4 say embed_out, transformers 5 says lm_head once it is loaded.
    names = ("lm_head", "embed_out") if keys.modern() else ("embed_out", "lm_head")
    tied = keys.switch("tie_word_embeddings", default=False)
    plan_decoder_heads(plan, tied=tied, module=names[0], also=names[1:], tokens="classifier")
    return plan, keys, stack


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
