"""RoBERTa and its relatives: CamemBERT, XLM-R, and models trained with fairseq.

Two programs store this family, and they do not agree on one row: Hugging Face keeps a
table of token types (of one row that stays unused), fairseq has none. The scopes without
`_hf` leave that row out, those with `_hf` count it.

Source: Liu et al. 2019 (arXiv:1907.11692), section 2; fairseq
`models/roberta/model.py`; transformers `models/roberta/modeling_roberta.py`.
"""

from __future__ import annotations

from dataclasses import replace

from reportgen.architectures._terms import (
    BACKBONE,
    BERT_LAYER,
    BERT_NORMS,
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
    Node,
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
    "vocab_size": 50265,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
# CamemBERT's and XLM-R's configuration classes start from BERT's vocabulary.
OTHER_VOCABULARY = 30522
FAIRSEQ_DEFAULTS = {
    "encoder_embed_dim": 768,
    "encoder_layers": 12,
    "encoder_attention_heads": 12,
    "encoder_ffn_embed_dim": 3072,
    "max_positions": 512,
}
# fairseq counts positions from padding_idx + 1, so two rows are never used.
FAIRSEQ_UNUSED_POSITIONS = 2

# fairseq's names of the same parts.
FAIRSEQ = "(encoder|decoder).sentence_encoder"
FAIRSEQ_EMBEDDINGS = {
    "word": f"{FAIRSEQ}.embed_tokens",
    "position": f"{FAIRSEQ}.embed_positions",
    "norm": f"{FAIRSEQ}.(layernorm_embedding|emb_layer_norm)",
}
FAIRSEQ_LAYER = {
    "query": "self_attn.q_proj",
    "key": "self_attn.k_proj",
    "value": "self_attn.v_proj",
    "output": "self_attn.out_proj",
    "in": "fc1",
    "out": "fc2",
    "norm": "(self_attn_layer_norm|final_layer_norm)",
}
TOKEN_SCOPE = (
    "encoder_with_token_head_hf",
    message("encoder with token-type row and token classification head; no pooler"),
)
FAIRSEQ_HEAD = "(encoder|decoder).lm_head"


def count_terms(config: ModelConfig) -> Ledger:
    """Write the ledger of a RoBERTa model.

    Units: parameters.

    Raises:
        EvidenceError: A size in the configuration is no whole number.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> values = {"vocab_size": 32000, "hidden_size": 512, "num_hidden_layers": 4,
        ...           "num_attention_heads": 8, "intermediate_size": 512,
        ...           "max_position_embeddings": 258, "type_vocab_size": 1}
        >>> ledger = count_terms(ModelConfig(source=source, model_type="roberta", values=values))
        >>> ledger.scope("weights").total, ledger.scope("encoder").total
        (22807552, 22829056)
    """
    plan, keys = draw_plan(config)
    terms = write_terms(plan)
    return Ledger(
        family="roberta",
        terms=tuple(terms),
        scopes=list_scopes(terms, plan, fairseq=is_fairseq(keys)),
        symbols=symbol_table(terms),
        tree=tree_rows(terms, tree_nodes(plan)),
        notes=tuple(keys.notes),
    )


def tree_nodes(plan: Blueprint) -> list[Node]:
    """Return the module tree; the token types are marked as Hugging Face's own."""
    return [
        *(
            replace(
                node, description=message("{shape}, in Hugging Face only", shape=node.description)
            )
            if node.path == "embeddings.token_type"
            else node
            for node in encoder_nodes("RoBERTa", plan.values)
        ),
        *head_nodes(plan, dense=True),
    ]


def list_scopes(terms: list[Term], plan: Blueprint, *, fairseq: bool) -> tuple[Scope, ...]:
    """Name every total that people quote for this family."""
    once = projection_words(plan)
    full = BACKBONE | {"token_type"}
    chosen = [
        (
            "weights",
            message("weight matrices and embeddings; no biases, layer norms or heads"),
            WEIGHTS,
        ),
        ("encoder", message("whole encoder; no heads, no token-type row"), BACKBONE),
        ("encoder_with_head", message("encoder and classification head"), BACKBONE | {"head"}),
        (
            "encoder_with_lm_head",
            message("encoder and language-model head, {once}", once=once),
            BACKBONE | {"lm_head"},
        ),
        (
            "all",
            message(
                "{scope}: what fairseq prints",
                scope=message("encoder and both heads, {once}", once=once),
            ),
            BACKBONE | {"lm_head", "head"},
        ),
    ]
    types = any(term.role == "token_type" for term in terms)
    if types:
        chosen += _with_token_types(full, projection_briefly(plan))
    elif not fairseq:
        chosen.append(
            ("model_hf", message("encoder and pooler: the bare model"), full | {"pooler"})
        )
    found = [scope(terms, name, label, roles(*of)) for name, label, of in chosen]
    if types:
        return (*found, token_scope(terms, full, *TOKEN_SCOPE))
    return tuple(found) if fairseq else (*found, token_scope(terms, full))


def _with_token_types(full: frozenset[str], short: str) -> list[tuple[str, str, frozenset[str]]]:
    """Return the totals that count Hugging Face's row of token types; `short` as for the head."""
    return [
        ("encoder_hf", message("encoder with Hugging Face's token-type row, no pooler"), full),
        (
            "model_hf",
            message("encoder with token-type row and pooler: the bare model"),
            full | {"pooler"},
        ),
        (
            "encoder_with_head_hf",
            message("encoder with token-type row and classification head"),
            full | {"head"},
        ),
        (
            "encoder_with_lm_head_hf",
            message("encoder with token-type row and language-model head, {once}", once=short),
            full | {"lm_head"},
        ),
    ]


def list_modules(config: ModelConfig, head: str) -> tuple[Module, ...]:
    """List the leaf modules under Hugging Face's names.

    Args:
        config: The configuration.
        head: `"classification"`, `"tokens"`, `"masked_lm"`, or empty for the bare model.
    """
    return write_modules(draw_plan(config)[0], "masked_lm" if head == "causal_lm" else head)


def draw_plan(config: ModelConfig) -> tuple[Blueprint, Keys]:
    """Write down every part of the model, stored by either program."""
    values, keys = read_sizes(config)
    plan = Blueprint(values=values, prefix="roberta.", stored="(model.)?roberta.")
    stack = Stack(
        stem="encoder.layer.#",
        numbers=numbered(values[L.key]),
        count=L,
        tree=TREE,
        also=(f"{FAIRSEQ}.layers.#",),
    )
    plan_embeddings(plan, width=D, also=FAIRSEQ_EMBEDDINGS)
    plan_layers(plan, stack, BERT_LAYER, BERT_NORMS, also=FAIRSEQ_LAYER, bias_label=FOUR_BIASES)
    plan_lm_head(
        plan,
        keys,
        dense=("lm_head.dense", f"{FAIRSEQ_HEAD}.dense"),
        norm=("lm_head.layer_norm", f"{FAIRSEQ_HEAD}.layer_norm"),
        projection=("lm_head.decoder", "lm_head", FAIRSEQ_HEAD),
        bias=("lm_head.(decoder.)?bias", f"{FAIRSEQ_HEAD}.bias"),
        beside="lm_head.bias",
        width=D,
    )
    stored = "classification_heads.[^.]+"
    plan_classifier(
        plan,
        dense=("classifier.dense", f"{stored}.dense"),
        out=("classifier.out_proj", f"{stored}.out_proj"),
    )
    note = message("only in models loaded without a head by Hugging Face")
    pooler = ("pooler", message("pooler"), "pooler", "pooler.dense", D, D)
    plan.linear(pooler, bias=True, heads=("",), note=note)
    return plan, keys


def read_sizes(config: ModelConfig) -> tuple[dict[str, int], Keys]:
    """Read the sizes in Hugging Face's keys, or in fairseq's where those are used."""
    other = {} if config.model_type == "roberta" else {"vocab_size": OTHER_VOCABULARY}
    keys = Keys(config, DEFAULTS | other)
    keys.refuse_cross_attention()
    if is_fairseq(keys):
        keys = Keys(config, FAIRSEQ_DEFAULTS)
        return read_fairseq_sizes(keys), keys
    return read_layer_sizes(keys, types=0), keys


def is_fairseq(keys: Keys) -> bool:
    """Return whether the sizes stand in fairseq's arguments."""
    return keys.has("encoder_embed_dim", "encoder_layers") and not keys.has("hidden_size")


def read_fairseq_sizes(keys: Keys) -> dict[str, int]:
    """Read the sizes from fairseq's arguments; the vocabulary must be added by hand."""
    return {
        V.key: keys.whole("vocab_size"),
        D.key: keys.whole("encoder_embed_dim"),
        L.key: keys.whole("encoder_layers"),
        HEADS.key: keys.whole("encoder_attention_heads"),
        F.key: keys.whole("encoder_ffn_embed_dim"),
        P.key: keys.whole("max_positions", "tokens_per_sample") + FAIRSEQ_UNUSED_POSITIONS,
        T.key: 0,
        C.key: keys.labels(),
    }


ARCHITECTURE = Architecture(count_terms=count_terms, list_modules=list_modules, draw_plan=draw_plan)
