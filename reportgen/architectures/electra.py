"""ELECTRA: a discriminator of replaced words, with embeddings narrower than its layers.

Source: Clark et al. 2020 (arXiv:2003.10555), section 3.2; transformers 5.23,
`models/electra/modeling_electra.py` and `configuration_electra.py` for what a missing key
means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BERT_LAYER,
    BERT_NORMS,
    ONE,
    PROJECTION,
    Architecture,
    Blueprint,
    D,
    E,
    Keys,
    L,
    Module,
    Stack,
    encoder_ledger,
    numbered,
    plan_classifier,
    plan_embeddings,
    plan_layers,
    plan_lm_head,
    read_encoder_sizes,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig

DEFAULTS = {
    "vocab_size": 30522,
    "embedding_size": 128,
    "hidden_size": 256,
    "num_hidden_layers": 12,
    "intermediate_size": 1024,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
DISCRIMINATOR = (
    "encoder_with_discriminator",
    message("encoder and the head that finds replaced words"),
    frozenset({"discriminator"}),
)
DISCRIMINATOR_HEAD = (
    (
        "discriminator.dense",
        message("head that finds replaced words, dense layer"),
        "discriminator",
        "discriminator_predictions.dense",
        D,
        D,
    ),
    (
        "discriminator.out",
        message("head that finds replaced words, output layer"),
        "discriminator",
        "discriminator_predictions.dense_prediction",
        D,
        ONE,
    ),
)


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of an ELECTRA model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="electra", values={}))
        >>> ledger.scope("encoder").total
        13483008
    """
    plan, keys, stack = draw_plan(config)
    return encoder_ledger(
        "electra", "ELECTRA", plan, keys, stack, pooled=False, extra=(DISCRIMINATOR,)
    )


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], "masked_lm" if head == "causal_lm" else head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys, Stack]:
    """Write down every part of the model."""
    keys = Keys(config, DEFAULTS)
    keys.refuse_cross_attention()
    values = read_encoder_sizes(keys)
    plan = Blueprint(values=values, prefix="electra.")
    numbers = numbered(values[L.key])
    stack = Stack(stem="encoder.layer.#", numbers=numbers, count=L, tree="encoder.layer")
    plan_embeddings(plan)
    if values[E.key] != values[D.key]:
        plan.linear((*PROJECTION, "embeddings_project", E, D), bias=True)
    plan_layers(plan, stack, BERT_LAYER, BERT_NORMS)
    plan.linears(DISCRIMINATOR_HEAD, bias=True, heads=("discriminator",), inside=False)
    plan_classifier(plan, dense=("classifier.dense",), out=("classifier.out_proj",))
    plan_lm_head(
        plan,
        keys,
        dense=("generator_predictions.dense",),
        norm=("generator_predictions.LayerNorm",),
        projection=("generator_lm_head",),
        bias=("generator_lm_head.bias",),
    )
    return plan, keys, stack


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
