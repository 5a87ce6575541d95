"""BART and mBART: learned positions with two rows that stay unused, shared word embeddings.

mBART closes the encoder and the decoder with a norm each.

Source: Lewis et al. 2020 (arXiv:1910.13461), section 2; Liu et al. 2020 (arXiv:2001.08210),
section 2.2; transformers 5.23, `models/{bart,mbart}`: `modeling_*.py`, and
`configuration_*.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    DECODER_INNER,
    DECODER_LAYERS,
    ENCODER_INNER,
    ENCODER_LAYERS,
    LAST_NORM,
    POSITIONS,
    Architecture,
    Blueprint,
    C,
    D,
    Keys,
    Module,
    V,
    make_stack,
    of_side,
    plan_output,
    plan_shared_table,
    plan_side,
    plan_task_head,
    read_two_sides,
    two_sided_ledger,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig

DEFAULTS = {
    "vocab_size": 50265,
    "d_model": 1024,
    "encoder_layers": 12,
    "decoder_layers": 12,
    "encoder_ffn_dim": 4096,
    "decoder_ffn_dim": 4096,
    "max_position_embeddings": 1024,
}
# Positions are counted from 2, so two rows are never used.
UNUSED_POSITIONS = 2
TITLES = {"bart": "BART", "mbart": "mBART"}
# BART's own configuration class starts from three classes.
LABELS = {"bart": 3}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a BART model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="bart", values={}))
        >>> ledger.scope("all").total
        406291456
    """
    plan, keys = draw_plan(config)
    tied = keys.switch("tie_word_embeddings", default=True)
    return two_sided_ledger("bart", TITLES[config.model_type], plan, keys, tied=tied)


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"causal_lm"` (encoder and decoder), `"classification"`, or empty for the bare
            model.
    """
    return write_modules(draw_plan(config)[0], head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys]:
    """Write down every part of the model."""
    keys = Keys(config, DEFAULTS)
    values = read_two_sides(keys) | {
        POSITIONS.key: keys.whole("max_position_embeddings") + UNUSED_POSITIONS,
        C.key: keys.labels(LABELS.get(config.model_type, 2)),
    }
    plan = Blueprint(values=values, prefix="model.")
    tied = keys.switch("tie_word_embeddings", default=True)
    # Since transformers 5 the two sides have tables of their own where nothing is tied.
    apart = keys.modern() and not tied
    plan.words("shared", V, D, also=() if apart else ("(encoder|decoder).embed_tokens",))
    for side, count, inner in (
        ("encoder", ENCODER_LAYERS, ENCODER_INNER),
        ("decoder", DECODER_LAYERS, DECODER_INNER),
    ):
        if apart:
            term, label = f"{side}.words", of_side(side, message("word embeddings"))
            plan.table((term, label, "embedding", f"{side}.embed_tokens", V, D))
        else:
            plan_shared_table(plan, side)
        term, label = f"{side}.position", of_side(side, message("position embeddings"))
        plan.table((term, label, "position", f"{side}.embed_positions", POSITIONS, D))
        label = of_side(side, message("layer norm of the embeddings (weight and bias)"))
        plan.norm(f"{side}.embedding_norm", label, f"{side}.layernorm_embedding", D, bias=True)
        plan_side(plan, make_stack(side, values[count.key]), inner, cross=side == "decoder")
        if config.model_type == "mbart":
            label = of_side(side, LAST_NORM)
            plan.norm(f"{side}.final_norm", label, f"{side}.layer_norm", D, bias=True)
    plan_output(plan, "lm_head", tied=tied)
    plan_task_head(plan)
    return plan, keys


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
