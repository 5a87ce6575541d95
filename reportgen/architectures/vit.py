"""ViT: patches of an image in place of words, a class token, learned positions.

Files and transformers 4 name the modules as BERT does; transformers 5 has names of its own.

Source: Dosovitskiy et al. 2021 (arXiv:2010.11929), section 3.1; transformers 5.23,
`models/vit/modeling_vit.py` and `configuration_vit.py` for what a missing key means.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BACKBONE,
    LAST_NORM,
    MATRICES,
    ONE,
    TREE,
    TWO_NORMS,
    WEIGHTS,
    Architecture,
    Blueprint,
    C,
    D,
    F,
    Keys,
    L,
    Module,
    Stack,
    numbered,
    roles,
    scope,
    size_words,
    symbol_table,
    times,
    tree_rows,
    write_modules,
    write_nodes,
    write_terms,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig, Scope, Term
from reportgen.records.formula import Symbol

DEFAULTS = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "intermediate_size": 3072,
    "image_size": 224,
    "patch_size": 16,
    "num_channels": 3,
}
PATCHES = Symbol("N", "patch", meaning=message("patches of an image"))
SIDE = Symbol("s", meaning=message("pixels of a patch's side"))
CHANNELS = Symbol("c", meaning=message("colour channels"))
POOLED = Symbol("d", "pool", meaning=message("width of the pooler"))
EMBEDDINGS = (
    (
        "parameter",
        "embeddings.class",
        message("class token"),
        "embedding",
        "embeddings.cls_token",
        ONE,
    ),
    (
        "parameter",
        "embeddings.position",
        message("position embeddings, one for the class token"),
        "position",
        "embeddings.position_embeddings",
        PATCHES + 1,
    ),
    (
        "conv",
        "embeddings.patch",
        message("projection of the patches (weight and bias)"),
        "embedding",
        "embeddings.patch_embeddings.projection",
        times(CHANNELS, SIDE, SIDE),
    ),
)
# Part of a layer: name in files, name in transformers 5.
NAMES = {
    "query": ("attention.attention.query", "attention.q_proj"),
    "key": ("attention.attention.key", "attention.k_proj"),
    "value": ("attention.attention.value", "attention.v_proj"),
    "output": ("attention.output.dense", "attention.o_proj"),
    "in": ("intermediate.dense", "mlp.fc1"),
    "out": ("output.dense", "mlp.fc2"),
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a ViT model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="vit", values={}))
        >>> ledger.scope("model").total
        86389248
    """
    plan, keys, stack = draw_plan(config)
    terms = write_terms(plan)
    about = size_words(plan.values[L.key], plan.values[D.key])
    return Ledger(
        family="vit",
        terms=tuple(terms),
        scopes=list_scopes(terms),
        symbols=symbol_table(terms, {L: plan.values[L.key]}),
        tree=tree_rows(terms, write_nodes("ViT", about, terms, {message("Encoder"): stack})),
        notes=tuple(keys.notes),
    )


def list_scopes(terms: list[Term]) -> tuple[Scope, ...]:
    """Name every total that people quote for this family."""
    chosen = (
        (
            "weights",
            message("weight matrices and embeddings; no biases, norms, pooler or heads"),
            WEIGHTS,
        ),
        ("backbone", message("whole encoder; no pooler, no head"), BACKBONE),
        ("model", message("encoder and pooler: the bare model"), BACKBONE | {"pooler"}),
        (
            "encoder_with_head",
            message("encoder and classification head; no pooler"),
            BACKBONE | {"head"},
        ),
        ("all", message("encoder, pooler and classification head"), BACKBONE | {"pooler", "head"}),
    )
    return tuple(scope(terms, name, label, roles(*of)) for name, label, of in chosen)


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys, Stack]:
    """Write down every part of the model."""
    keys = Keys(config, DEFAULTS)
    plan = Blueprint(values=read_sizes(keys), prefix="vit.")
    for kind, term, label, role, module, inputs in EMBEDDINGS:
        bias = kind == "conv"
        plan.add(kind, term, label, role, module, inputs=inputs, outputs=D, bias=bias)
    stack = plan_layers(plan, keys)
    plan.norm("final.norm", LAST_NORM, "layernorm", D, bias=True)
    plan.linear(
        ("pooler", message("pooler"), "pooler", "pooler.dense", D, POOLED), bias=True, heads=("",)
    )
    row = ("classifier", message("classification head"), "head", "classifier", D, C)
    plan.linear(row, bias=True, heads=("classification",), inside=False)
    return plan, keys, stack


def plan_layers(plan: Blueprint, keys: Keys) -> Stack:
    """Write down the matrices and norms of every layer, and return the layers."""
    modern = keys.modern()
    old, new = "encoder.layer.#", "layers.#"
    stack = Stack(
        stem=new if modern else old,
        numbers=numbered(plan.values[L.key]),
        count=L,
        tree=TREE,
        also=(old if modern else new,),
    )
    biased = keys.switch("qkv_bias", default=True)
    for part, names in NAMES.items():
        term, label, role, inputs, outputs = MATRICES[part]
        bias = biased or part in {"output", "in", "out"}
        row = (term, label, role, names[modern], inputs, outputs)
        plan.linear(row, bias=bias, stack=stack, also=(names[not modern],))
    for name in ("layernorm_before", "layernorm_after"):
        plan.norm("norm", TWO_NORMS, name, D, bias=True, stack=stack)
    return stack


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number; an image is a square of whole patches."""
    side = keys.whole("patch_size")
    width = keys.whole("hidden_size")
    return {
        D.key: width,
        L.key: keys.whole("num_hidden_layers"),
        F.key: keys.whole("intermediate_size"),
        PATCHES.key: (keys.whole("image_size") // side) ** 2,
        SIDE.key: side,
        CHANNELS.key: keys.whole("num_channels"),
        POOLED.key: keys.optional("pooler_output_size") or width,
        C.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
