"""DistilBERT: BERT without token types and pooler.

Source: Sanh et al. 2019 (arXiv:1910.01108), section 3; transformers
`models/distilbert/modeling_distilbert.py`.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BACKBONE,
    FOUR_BIASES,
    HEADS,
    TREE,
    WEIGHTS,
    Architecture,
    Blueprint,
    C,
    D,
    F,
    Keys,
    L,
    Module,
    P,
    Stack,
    T,
    V,
    encoder_nodes,
    head_nodes,
    numbered,
    plan_classifier,
    plan_embeddings,
    plan_layers,
    plan_lm_head,
    projection_words,
    roles,
    scope,
    symbol_table,
    token_scope,
    tree_rows,
    write_modules,
    write_terms,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig, Scope, Term

DEFAULTS = {
    "vocab_size": 30522,
    "dim": 768,
    "n_layers": 6,
    "n_heads": 12,
    "hidden_dim": 3072,
    "max_position_embeddings": 512,
}

NAMES = {
    "query": "attention.q_lin",
    "key": "attention.k_lin",
    "value": "attention.v_lin",
    "output": "attention.out_lin",
    "in": "ffn.lin1",
    "out": "ffn.lin2",
}
NORMS = ("sa_layer_norm", "output_layer_norm")


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a DistilBERT model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="distilbert", values={}))
        >>> ledger.scope("encoder").total
        66362880
    """
    plan, keys = draw_plan(config)
    terms = write_terms(plan)
    nodes = [*encoder_nodes("DistilBERT", plan.values), *head_nodes(plan, dense=True)]
    return Ledger(
        family="distilbert",
        terms=tuple(terms),
        scopes=list_scopes(terms, projection_words(plan)),
        symbols=symbol_table(terms),
        tree=tree_rows(terms, nodes),
        notes=tuple(keys.notes),
    )


def list_scopes(terms: list[Term], once: str) -> tuple[Scope, ...]:
    """Name every total that people quote for this family; `once` tells of the projection."""
    chosen = (
        (
            "weights",
            message("weight matrices and embeddings; no biases, layer norms or heads"),
            WEIGHTS,
        ),
        ("encoder", message("whole encoder, no heads"), BACKBONE),
        ("encoder_with_head", message("encoder and classification head"), BACKBONE | {"head"}),
        (
            "encoder_with_lm_head",
            message("encoder and language-model head, {once}", once=once),
            BACKBONE | {"lm_head"},
        ),
        (
            "all",
            message("encoder, language-model head ({once}) and classification head", once=once),
            BACKBONE | {"lm_head", "head"},
        ),
    )
    found = [scope(terms, name, label, roles(*of)) for name, label, of in chosen]
    return (*found, token_scope(terms, BACKBONE))


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], "masked_lm" if head == "causal_lm" else head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys]:
    """Write down every part of the model."""
    keys = Keys(config, DEFAULTS)
    values = read_sizes(keys)
    plan = Blueprint(values=values, prefix="distilbert.")
    stack = Stack(stem="transformer.layer.#", numbers=numbered(values[L.key]), count=L, tree=TREE)
    plan_embeddings(plan, width=D)
    plan_layers(plan, stack, NAMES, NORMS, bias_label=FOUR_BIASES)
    plan_lm_head(
        plan,
        keys,
        dense=("vocab_transform",),
        norm=("vocab_layer_norm",),
        projection=("vocab_projector",),
        bias=("vocab_projector.bias",),
        width=D,
    )
    plan_classifier(plan, dense=("pre_classifier",))
    return plan, keys


def read_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes as symbol key to number; an absent key has DistilBERT's own default."""
    return {
        V.key: keys.whole("vocab_size"),
        D.key: keys.whole("dim", "hidden_size"),
        L.key: keys.whole("n_layers", "num_hidden_layers"),
        HEADS.key: keys.whole("n_heads", "num_attention_heads"),
        F.key: keys.whole("hidden_dim"),
        P.key: keys.whole("max_position_embeddings"),
        T.key: 0,
        C.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
