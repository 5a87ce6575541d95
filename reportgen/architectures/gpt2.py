"""GPT-2.

Source: Radford et al. 2019; transformers `models/gpt2/modeling_gpt2.py` (its `Conv1D`
stores a weight as inputs × outputs).
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    CLASSES,
    INNER,
    LAST_NORM,
    POSITIONS,
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
    numbered,
    plan_decoder_heads,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig

DEFAULTS = {"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12}

NAMES = {"qkv": "attn.c_attn", "output": "attn.c_proj", "in": "mlp.c_fc", "out": "mlp.c_proj"}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a GPT-2 model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="gpt2", values={}))
        >>> ledger.scope("all").total
        124439808
    """
    plan, keys, stack = draw_plan(config)
    values, tied = plan.values, keys.switch("tie_word_embeddings", default=True)
    heads = keys.whole("n_head", "num_attention_heads")
    shape = f"{values[POSITIONS.key]} × {values[D.key]}"
    positions = Node(2, "embeddings.position", message("Position embeddings"), shape)
    nodes = fused_nodes("GPT-2", values, heads, positions, tied=tied)
    return decoder_ledger(
        "gpt2", "GPT-2", plan, keys, {message("Decoder"): stack}, tied=tied, nodes=nodes
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
    keys.refuse_cross_attention()
    values = read_sizes(keys)
    plan = Blueprint(values=values, prefix="transformer.")
    stack = Stack(stem="h.#", numbers=numbered(values[L.key]), count=L)
    plan.words("wte", V, D)
    plan.table(
        ("embeddings.position", message("position embeddings"), "position", "wpe", POSITIONS, D)
    )
    for term, label, role, module, inputs, outputs in fused_rows(NAMES):
        own = {"inputs": inputs, "outputs": outputs, "bias": True, "stack": stack}
        plan.add("conv1d", term, label, role, module, **own)
    for name in ("ln_1", "ln_2"):
        plan.norm("norm", TWO_NORMS, name, D, bias=True, stack=stack)
    plan.norm("final.norm", LAST_NORM, "ln_f", D, bias=True)
    tied = keys.switch("tie_word_embeddings", default=True)
    plan_decoder_heads(plan, tied=tied, tokens="classifier")
    return plan, keys, stack


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number; a null `n_inner` is four times the width."""
    width = keys.whole("n_embd", "hidden_size")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        L.key: keys.whole("n_layer", "num_hidden_layers"),
        POSITIONS.key: keys.whole("n_positions", "n_ctx", "max_position_embeddings"),
        INNER.key: keys.optional("n_inner") or 4 * width,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
