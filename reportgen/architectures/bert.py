"""BERT.

Source: Devlin et al. 2019 (arXiv:1810.04805), section 3; transformers
`models/bert/modeling_bert.py`.
"""

from __future__ import annotations

from reportgen.architectures._terms import (
    BACKBONE,
    BERT_LAYER,
    BERT_NORMS,
    FOUR_BIASES,
    TREE,
    WEIGHTS,
    Architecture,
    Blueprint,
    D,
    Keys,
    L,
    Module,
    Node,
    Stack,
    encoder_nodes,
    head_nodes,
    numbered,
    plan_classifier,
    plan_embeddings,
    plan_layers,
    plan_lm_head,
    projection_briefly,
    projection_words,
    read_layer_sizes,
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
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a BERT model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> ledger = count_terms(ModelConfig(source=source, model_type="bert", values={}))
        >>> ledger.scope("model").total
        109482240
    """
    plan, keys = draw_plan(config)
    terms, width = write_terms(plan), plan.values[D.key]
    head, classifier = head_nodes(plan, dense=False)
    pooler = Node(1, "pooler", message("Pooler"), f"{width} → {width}")
    nodes = [*encoder_nodes("BERT", plan.values), pooler, head, classifier]
    return Ledger(
        family="bert",
        terms=tuple(terms),
        scopes=list_scopes(terms, plan),
        symbols=symbol_table(terms),
        tree=tree_rows(terms, nodes),
        notes=tuple(keys.notes),
    )


def list_scopes(terms: list[Term], plan: Blueprint) -> tuple[Scope, ...]:
    """Name every total that people quote for this family."""
    once, short = projection_words(plan), projection_briefly(plan)
    full = BACKBONE | {"token_type"}
    chosen = (
        (
            "weights",
            message("weight matrices and embeddings; no biases, layer norms, pooler or heads"),
            WEIGHTS | {"token_type"},
        ),
        ("encoder", message("whole encoder; no pooler, no heads"), full),
        ("model", message("encoder and pooler: the bare model"), full | {"pooler"}),
        (
            "encoder_with_head",
            message("encoder, pooler and classification head"),
            full | {"pooler", "head"},
        ),
        (
            "encoder_with_lm_head",
            message("encoder and language-model head, {once}; no pooler", once=once),
            full | {"lm_head"},
        ),
        (
            "all",
            message(
                "encoder, pooler, classification head, language-model head ({once})", once=short
            ),
            full | {"pooler", "lm_head", "head"},
        ),
    )
    found = [scope(terms, name, label, roles(*of)) for name, label, of in chosen]
    return (*found, token_scope(terms, full))


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], "masked_lm" if head == "causal_lm" else head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys]:
    """Write down every part of the model; a key that is absent has BERT's own default."""
    keys = Keys(config, DEFAULTS)
    keys.refuse_cross_attention()
    values = read_layer_sizes(keys)
    plan = Blueprint(values=values, prefix="bert.")
    stack = Stack(stem="encoder.layer.#", numbers=numbered(values[L.key]), count=L, tree=TREE)
    plan_embeddings(plan, width=D)
    plan_layers(plan, stack, BERT_LAYER, BERT_NORMS, bias_label=FOUR_BIASES)
    pooler = ("pooler", message("pooler"), "pooler", "pooler.dense", D, D)
    plan.linear(pooler, bias=True, heads=("", "classification"))
    plan_lm_head(
        plan,
        keys,
        dense=("cls.predictions.transform.dense",),
        norm=("cls.predictions.transform.LayerNorm",),
        projection=("cls.predictions.decoder",),
        bias=("cls.predictions.(decoder.)?bias",),
        beside="cls.predictions.bias",
        width=D,
    )
    plan_classifier(plan)
    return plan, keys


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
