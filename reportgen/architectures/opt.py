"""OPT: learned positions with two rows that stay unused, narrow word embeddings in one size.

Source: Zhang et al. 2022 (arXiv:2205.01068), section 2.1; transformers 5.23,
`models/opt/modeling_opt.py` and `configuration_opt.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    CLASSES,
    LAST_NORM,
    POSITIONS,
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
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Symbol

DEFAULTS = {
    "vocab_size": 50272,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "ffn_dim": 3072,
    "max_position_embeddings": 2048,
}
# Positions are counted from 2, so two rows are never used.
UNUSED_POSITIONS = 2
NARROW = Symbol("d", "emb", meaning=message("width of the word embeddings"))
ATTENTION = (
    ("attention.query", message("query projections"), "attention", "self_attn.q_proj", D, D),
    ("attention.key", message("key projections"), "attention", "self_attn.k_proj", D, D),
    ("attention.value", message("value projections"), "attention", "self_attn.v_proj", D, D),
    (
        "attention.output",
        message("attention output projections"),
        "attention",
        "self_attn.out_proj",
        D,
        D,
    ),
)
NETWORK = (
    ("ffn.in", message("feed-forward, first matrix"), "ffn", "fc1", D, F),
    ("ffn.out", message("feed-forward, second matrix"), "ffn", "fc2", F, D),
)
INWARD = message("projection of the word embeddings to the layers")
OUTWARD = message("projection back to them")


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of an OPT model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="opt", values={}))
        >>> ledger.scope("all").total
        125239296
    """
    plan, keys, stack = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=True)
    return decoder_ledger("opt", "OPT", plan, keys, {message("Decoder"): stack}, tied=tied)


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
    stack = Stack(stem="decoder.layers.#", numbers=numbered(values[L.key]), count=L)
    plan_embeddings(plan)
    bias = keys.switch("enable_bias", default=True)
    plan.linears(ATTENTION + NETWORK, bias=bias, stack=stack)
    if keys.switch("layer_norm_elementwise_affine", default=True):
        for name in ("self_attn_layer_norm", "final_layer_norm"):
            plan.norm("norm", TWO_NORMS, name, D, bias=True, stack=stack)
        before = keys.switch("do_layer_norm_before", default=True)
        if before and not keys.switch("_remove_final_layer_norm", default=False):
            plan.norm("final.norm", LAST_NORM, "decoder.final_layer_norm", D, bias=True)
    tied = keys.switch("tie_word_embeddings", default=True)
    plan_decoder_heads(plan, tied=tied, width=NARROW, tokens="")
    return plan, keys, stack


def plan_embeddings(plan: Blueprint) -> None:
    """Write down the tables, and the matrices between a narrow table and the layers."""
    plan.words("decoder.embed_tokens", V, NARROW)
    name = "decoder.embed_positions"
    plan.table(
        ("embeddings.position", message("position embeddings"), "position", name, POSITIONS, D)
    )
    if plan.values[NARROW.key] != plan.values[D.key]:
        for term, label, module, inputs, outputs in (
            ("embeddings.in", INWARD, "decoder.project_in", NARROW, D),
            ("embeddings.out", OUTWARD, "decoder.project_out", D, NARROW),
        ):
            plan.linear((term, label, "embedding", module, inputs, outputs))


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number."""
    width = keys.whole("hidden_size")
    return {
        V.key: keys.whole("vocab_size"),
        D.key: width,
        NARROW.key: keys.optional("word_embed_proj_dim") or width,
        L.key: keys.whole("num_hidden_layers"),
        F.key: keys.whole("ffn_dim"),
        POSITIONS.key: keys.whole("max_position_embeddings") + UNUSED_POSITIONS,
        CLASSES.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
