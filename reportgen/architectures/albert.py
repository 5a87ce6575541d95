"""ALBERT: one set of layer weights used by every layer, embeddings narrower than the layers.

Source: Lan et al. 2020 (arXiv:1909.11942), section 3.1; transformers 5.23,
`models/albert/modeling_albert.py` and `configuration_albert.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    PROJECTION,
    TREE,
    Architecture,
    Blueprint,
    D,
    E,
    Keys,
    L,
    Module,
    Stack,
    encoder_ledger,
    plan_classifier,
    plan_embeddings,
    plan_layers,
    plan_lm_head,
    projection_briefly,
    read_encoder_sizes,
    times,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Constant, Symbol

DEFAULTS = {
    "vocab_size": 30000,
    "embedding_size": 128,
    "hidden_size": 4096,
    "num_hidden_layers": 12,
    "num_hidden_groups": 1,
    "inner_group_num": 1,
    "intermediate_size": 16384,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
GROUPS = Symbol("G", meaning=message("groups of layers that share their weights"))
INNER = Symbol("B", meaning=message("different layers in one group"))
LAYER = {
    "query": "attention.query",
    "key": "attention.key",
    "value": "attention.value",
    "output": "attention.dense",
    "in": "ffn",
    "out": "ffn_output",
}
NORMS = ("attention.LayerNorm", "full_layer_layer_norm")
ORDER = (
    "order",
    message("head for sentence order"),
    "order",
    "sop_classifier.classifier",
    D,
    Constant(2),
)
MODEL = ("model", message("encoder and pooler: the bare model"), frozenset({"pooler"}))


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of an ALBERT model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="albert", values={}))
        >>> ledger.scope("model").total
        222595584
    """
    plan, keys, stack = draw_plan(config)
    pretraining = (
        "encoder_with_pretraining_heads",
        message(
            "encoder, pooler, language-model head ({once}) and head for sentence order",
            once=projection_briefly(plan),
        ),
        frozenset({"pooler", "lm_head", "order"}),
    )
    extra = (MODEL, pretraining)
    return encoder_ledger(
        "albert", "ALBERT", plan, keys, stack, pooled=True, bare="backbone", extra=extra
    )


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], "masked_lm" if head == "causal_lm" else head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys, Stack]:
    """Write down every part of the model, each shared layer once."""
    keys = Keys(config, DEFAULTS)
    groups, inner = keys.whole("num_hidden_groups"), keys.whole("inner_group_num")
    keys.refuse_many(groups * inner, "layers in all groups")
    values = read_encoder_sizes(keys) | {GROUPS.key: groups, INNER.key: inner}
    plan = Blueprint(values=values, prefix="albert.")
    stack = Stack(
        stem="encoder.albert_layer_groups.#.albert_layers.#",
        numbers=tuple((group, layer) for group in range(groups) for layer in range(inner)),
        count=times(GROUPS, INNER),
        tree=TREE,
        about=shared_words(groups * inner, values[L.key]),
    )
    plan_embeddings(plan)
    plan.linear((*PROJECTION, "encoder.embedding_hidden_mapping_in", E, D), bias=True)
    plan_layers(plan, stack, LAYER, NORMS)
    pooler = ("pooler", message("pooler"), "pooler", "pooler", D, D)
    plan.linear(pooler, bias=True, heads=("", "classification"))
    plan_classifier(plan)
    plan.linear(ORDER, bias=True, heads=("order",), inside=False)
    plan_lm_head(
        plan,
        keys,
        dense=("predictions.dense",),
        norm=("predictions.LayerNorm",),
        projection=("predictions.decoder",),
        bias=("predictions.(decoder.)?bias",),
        beside="predictions.bias",
    )
    return plan, keys, stack


def shared_words(sets: int, layers: int) -> str:
    """Return how many layers share how many sets of weights."""
    if sets == 1:
        return message("1 set of weights, shared by {layers} layers", layers=layers)
    return message("{sets} sets of weights, shared by {layers} layers", sets=sets, layers=layers)


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
