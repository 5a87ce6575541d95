"""DeBERTa, and DeBERTa versions 2 and 3: content and position attend apart.

Relative positions have a table of their own, and their own projections unless
`share_att_key` lets them use those of the content. Version 2 may have a convolution beside
the first layer. Position and token-type tables are there only if the file says so.

Source: He et al. 2021 (arXiv:2006.03654), section 3; He et al. 2023 (arXiv:2111.09543);
transformers 5.23, `models/{deberta,deberta_v2}`: `modeling_*.py`, and `configuration_*.py`
for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BERT_LAYER,
    BERT_NORMS,
    HEADS,
    LM_LABELS,
    ONE,
    PROJECTION,
    Architecture,
    Blueprint,
    D,
    E,
    Keys,
    L,
    Module,
    P,
    Stack,
    V,
    encoder_ledger,
    numbered,
    plan_classifier,
    plan_embeddings,
    plan_layers,
    plan_lm_head,
    read_encoder_sizes,
    times,
    write_modules,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.formula import Constant, Symbol

BOTH = {"max_position_embeddings": 512, "type_vocab_size": 0}
DEFAULTS = {
    "deberta": BOTH
    | {
        "vocab_size": 50265,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
    },
    "deberta-v2": BOTH
    | {
        "vocab_size": 128100,
        "hidden_size": 1536,
        "num_hidden_layers": 24,
        "num_attention_heads": 24,
        "intermediate_size": 6144,
    },
}
TITLES = {"deberta": "DeBERTa", "deberta-v2": "DeBERTa-v2"}
SPAN = Symbol("P", "rel", meaning=message("relative positions in each direction"))
KERNEL = Symbol("k", meaning=message("width of the convolution"))
POOLED = Symbol("d", "pool", meaning=message("width of the pooler"))
SECOND_LAYER = BERT_LAYER | {
    "query": "attention.self.query_proj",
    "key": "attention.self.key_proj",
    "value": "attention.self.value_proj",
}
FUSED = (
    "attention.qkv",
    message("query, key and value projections"),
    "attention",
    "attention.self.in_proj",
    D,
    times(Constant(3), D),
)
TALKING = ("attention.talking", message("matrices between the heads"), "attention")
POSITIONAL = ("attention.position", message("projections of the relative positions"), "attention")
# What attends to what, name of the projection, whether it has a bias.
FIRST_POSITIONS = (("c2p", "pos_proj", False), ("p2c", "pos_q_proj", True))
SECOND_POSITIONS = (("c2p", "pos_key_proj", True), ("p2c", "pos_query_proj", True))


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a DeBERTa model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="deberta", values={}))
        >>> ledger.scope("encoder").total
        124043520
    """
    plan, keys, stack = draw_plan(config)
    title = TITLES[config.model_type]
    # Beside a convolution the layers are not all there is to the encoder.
    name = "model" if plan.values[KERNEL.key] else "encoder"
    return encoder_ledger("deberta", title, plan, keys, stack, pooled=True, bare=name)


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], "masked_lm" if head == "causal_lm" else head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys, Stack]:
    """Write down every part of the model."""
    first = config.model_type == "deberta"
    keys = Keys(config, DEFAULTS[config.model_type])
    values = read_sizes(keys, first=first)
    plan = Blueprint(values=values, prefix="deberta.")
    numbers = numbered(values[L.key])
    stack = Stack(stem="encoder.layer.#", numbers=numbers, count=L, tree="encoder.layer")
    plan_embeddings(plan, positions=keys.switch("position_biased_input", default=True), norm=D)
    if values[E.key] != values[D.key]:
        plan.linear((*PROJECTION, "embeddings.embed_proj", E, D))
    relative = keys.switch("relative_attention", default=False)
    if relative:
        plan_relative(plan, keys, first=first)
    if first:
        plan_first_attention(plan, stack, keys)
    else:
        plan_layers(plan, stack, SECOND_LAYER, BERT_NORMS)
    if relative:
        plan_positions(plan, stack, keys, first=first)
    if values[KERNEL.key]:
        plan_convolution(plan, keys)
    pooler = ("pooler", message("pooler"), "pooler", "pooler.dense", POOLED, POOLED)
    plan.linear(pooler, bias=True, heads=("classification",), inside=False)
    plan_classifier(plan)
    if keys.switch("legacy", default=True):
        plan_first_head(plan, keys)
    else:
        plan_second_head(plan)
    return plan, keys, stack


def plan_first_head(plan: Blueprint, keys: Keys) -> None:
    """Write down the head that transformers took over from BERT."""
    plan_lm_head(
        plan,
        keys,
        dense=("cls.predictions.transform.dense", "lm_predictions.lm_head.dense"),
        norm=("cls.predictions.transform.LayerNorm", "lm_predictions.lm_head.LayerNorm"),
        projection=("cls.predictions.decoder",),
        bias=("cls.predictions.(decoder.)?bias", "lm_predictions.lm_head.bias"),
        beside="cls.predictions.bias",
    )


def plan_second_head(plan: Blueprint) -> None:
    """Write down DeBERTa's own head, which multiplies with the word embeddings themselves."""
    name, own = "lm_predictions.lm_head", {"heads": ("masked_lm",), "inside": False}
    row = ("lm_head.dense", LM_LABELS["dense"], "lm_head", f"{name}.dense", D, D)
    plan.linear(row, bias=True, **own)
    more = own | {"inputs": ONE, "outputs": D, "bias": True}
    label = LM_LABELS["norm"]
    plan.add("norm", "lm_head.norm", label, "lm_head", f"{name}.LayerNorm", **more)
    label = LM_LABELS["projection"]
    row = ("lm_head.projection", label, "lm_head", f"{name}.decoder", D, V)
    # No class has this as a module.
    plan.linear(row, tied=True, heads=(), inside=False)
    more = own | {"inputs": ONE, "outputs": V}
    plan.add("parameter", "lm_head.bias", LM_LABELS["bias"], "lm_head", f"{name}.bias", **more)


def plan_relative(plan: Blueprint, keys: Keys, *, first: bool) -> None:
    """Write down the table of relative positions and the norm it may have."""
    label, rows = message("relative-position embeddings"), times(Constant(2), SPAN)
    plan.table(("embeddings.relative", label, "position", "encoder.rel_embeddings", rows, D))
    if not first and "layer_norm" in words(keys, "norm_rel_ebd"):
        label = message("layer norm of the relative positions (weight and bias)")
        plan.norm("embeddings.relative_norm", label, "encoder.LayerNorm", D, bias=True)


def plan_first_attention(plan: Blueprint, stack: Stack, keys: Keys) -> None:
    """Write down version 1: one matrix for query, key and value, biases for two of them."""
    plan.linear(FUSED, stack=stack)
    label = message("biases of the attention projections")
    for name in ("attention.self.q_bias", "attention.self.v_bias"):
        own = {"inputs": ONE, "outputs": D, "stack": stack}
        plan.add("parameter", "attention.bias", label, "bias", name, **own)
    if keys.switch("talking_head", default=False):
        for name in ("attention.self.head_logits_proj", "attention.self.head_weights_proj"):
            plan.linear((*TALKING, name, HEADS, HEADS), stack=stack)
    plan_layers(plan, stack, {k: BERT_LAYER[k] for k in ("output", "in", "out")}, BERT_NORMS)


def plan_positions(plan: Blueprint, stack: Stack, keys: Keys, *, first: bool) -> None:
    """Write down the projections of the relative positions, unless the content's are shared."""
    if not first and keys.switch("share_att_key", default=False):
        return
    kinds = words(keys, "pos_att_type")
    for kind, name, bias in FIRST_POSITIONS if first else SECOND_POSITIONS:
        if kind in kinds:
            row = (*POSITIONAL, f"attention.self.{name}", D, D)
            plan.linear(row, bias=bias, stack=stack)


def plan_convolution(plan: Blueprint, keys: Keys) -> None:
    """Write down the convolution beside the first layer, and its norm."""
    groups = keys.optional("conv_groups") or 1
    channels = D if groups == 1 else D / groups
    label, name = message("convolution beside the first layer"), "encoder.conv.conv"
    own = {"inputs": times(channels, KERNEL), "outputs": D, "bias": True}
    plan.add("conv", "convolution.kernel", label, "ffn", name, **own)
    label = message("layer norm of the convolution (weight and bias)")
    plan.norm("convolution.norm", label, "encoder.conv.LayerNorm", D, bias=True)


def words(keys: Keys, name: str) -> tuple[str, ...]:
    """Return a list, or the words between vertical bars, of one key.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> values = {"pos_att_type": "p2c|c2p"}
        >>> keys = Keys(ModelConfig(source=source, model_type="deberta", values=values), {})
        >>> words(keys, "pos_att_type")
        ('p2c', 'c2p')
    """
    value = keys.values.get(name) or ()
    listed = value.split("|") if isinstance(value, str) else value
    every = listed if isinstance(listed, list | tuple) else ()
    return tuple(str(word).strip().lower() for word in every)


def read_sizes(keys: Keys, *, first: bool) -> dict[str, int]:
    """Read the sizes; the span of relative positions is their bucket count where there is one."""
    sizes = read_encoder_sizes(keys)
    span, buckets = keys.values.get("max_relative_positions"), keys.values.get("position_buckets")
    found = sizes[P.key]
    if isinstance(span, int) and span > 0:
        found = keys.whole("max_relative_positions")
    if not first and isinstance(buckets, int) and buckets > 0:
        found = keys.whole("position_buckets")
    kernel = (
        0 if first or not keys.values.get("conv_kernel_size") else keys.whole("conv_kernel_size")
    )
    return sizes | {
        SPAN.key: found,
        KERNEL.key: kernel,
        HEADS.key: keys.whole("num_attention_heads"),
        POOLED.key: keys.optional("pooler_hidden_size") or sizes[D.key],
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
