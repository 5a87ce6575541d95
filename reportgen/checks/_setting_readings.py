"""What the evidence has for a setting: the model's configuration, the runs' and the study's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from reportgen.checks._progress_readings import progress_readings
from reportgen.checks._reading import Plain, Reading, plain_value, show
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.finding import Case
from reportgen.records.quantity import Evidence

_MODEL: Mapping[str, tuple[str, ...]] = {
    "hidden_size": (
        *("hidden_size", "d_model", "n_embd", "dim", "encoder_embed_dim", "n_embed"),
        *("decoder_embed_dim", "embedding_size", "emb_dim", "word_embed_proj_dim"),
    ),
    "num_attention_heads": (
        *("num_attention_heads", "n_head", "n_heads", "encoder_attention_heads", "num_heads"),
        *("decoder_attention_heads", "num_key_value_heads"),
    ),
    "num_hidden_layers": (
        *("num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers"),
        *("decoder_layers", "num_decoder_layers"),
    ),
    "intermediate_size": (
        *("intermediate_size", "d_ff", "n_inner", "hidden_dim", "encoder_ffn_embed_dim"),
        *("encoder_ffn_dim", "decoder_ffn_dim", "ffn_dim", "ffn_hidden_size"),
    ),
    "vocab_size": ("vocab_size",),
    "max_position_embeddings": (
        *("max_position_embeddings", "n_positions", "max_positions", "n_ctx"),
        *("max_source_positions", "max_target_positions", "seq_length"),
    ),
    "head_dim": ("head_dim", "d_kv"),
    "num_labels": ("num_labels", "num_classes"),
    "dropout": (
        *("hidden_dropout_prob", "dropout", "attention_probs_dropout_prob", "resid_pdrop"),
        *("embd_pdrop", "classifier_dropout", "hidden_dropout", "dropout_rate", "attn_pdrop"),
    ),
    "attention_dropout": (
        *("attention_probs_dropout_prob", "attention_dropout", "attn_pdrop"),
        *("hidden_dropout_prob", "dropout"),
    ),
    "hidden_act": ("hidden_act", "activation_function", "activation_fn", "activation"),
}
# Letters of a ledger's formulas, for sizes that a configuration leaves to its family.
_SYMBOLS = {
    "hidden_size": ("d", "E"),
    "num_attention_heads": ("H",),
    "num_hidden_layers": ("L", "L_enc", "L_dec"),
    "intermediate_size": ("d_ff", "d_enc", "d_dec"),
    "vocab_size": ("V",),
    "max_position_embeddings": ("P",),
}
_OFFSETS = frozenset({"roberta", "camembert", "xlm-roberta", "bart", "mbart", "opt"})
"""Families whose table of positions has two rows more than there are positions."""
_AMBIGUOUS = {
    "input_size": ("vocab_size", "hidden_size", "max_position_embeddings"),
    "output_size": ("vocab_size", "num_labels", "hidden_size"),
}
_RUNS: Mapping[str, tuple[str, ...]] = {
    "learning_rate": ("learning_rate", "lr", "peak_lr", "base_lr", "max_lr"),
    "batch_size": (
        *("batch_size", "per_device_train_batch_size", "train_batch_size", "max_sentences"),
        *("per_gpu_train_batch_size", "bsz"),
    ),
    "eval_batch_size": (
        *(
            "per_device_eval_batch_size",
            "eval_batch_size",
            "batch_size_valid",
            "max_sentences_valid",
        ),
        "per_gpu_eval_batch_size",
    ),
    "num_train_epochs": ("num_train_epochs", "max_epoch", "epochs", "max_epochs", "num_epochs"),
    "max_steps": ("max_steps", "max_update", "total_num_update", "global_step", "max_iters"),
    "warmup_ratio": ("warmup_ratio", "warmup"),
    "warmup_steps": ("warmup_steps", "warmup_updates", "num_warmup_steps"),
    "weight_decay": ("weight_decay",),
    "gradient_accumulation_steps": (
        *("gradient_accumulation_steps", "update_freq", "accumulate_grad_batches"),
    ),
    "adam_beta1": ("adam_beta1", "beta1"),
    "adam_beta2": ("adam_beta2", "beta2"),
    "adam_epsilon": ("adam_epsilon", "adam_eps", "epsilon", "eps"),
    "momentum": ("momentum",),
    "max_grad_norm": ("max_grad_norm", "clip_norm", "grad_clip", "gradient_clip_val"),
    "label_smoothing": ("label_smoothing_factor", "label_smoothing"),
    "optimizer": ("optimizer", "optim"),
    "lr_scheduler_type": ("lr_scheduler_type", "lr_scheduler", "scheduler"),
    "seed": ("seed", "random_seed", "manual_seed"),
    "max_length": ("max_seq_length", "max_length", "tokens_per_sample", "max_len", "max_positions"),
    "max_position_embeddings": ("max_positions", "max_source_positions"),
    "num_labels": ("num_labels", "num_classes"),
    "dropout": ("dropout", "attention_dropout"),
    "num_attention_heads": ("encoder_attention_heads", "num_attention_heads", "nhead"),
    "hidden_size": ("encoder_embed_dim", "hidden_size", "d_model", "nhid"),
    "num_hidden_layers": ("encoder_layers", "num_hidden_layers", "nlayers"),
    "intermediate_size": ("encoder_ffn_embed_dim", "intermediate_size"),
}
_PLANS = {
    "learning_rate": "learning_rate",
    "batch_size": "batch_size",
    "num_train_epochs": "epochs",
    "warmup_ratio": "warmup",
    "weight_decay": "weight_decay",
    "lr_scheduler_type": "schedule",
    "max_length": "max_length",
    "dropout": "dropout",
    "max_grad_norm": "clip_norm",
}


def model_readings(model: ModelFacts | None, key: str) -> list[Reading]:
    """Return what a model's configuration has for a setting, in every spelling."""
    if model is None:
        return []
    if key in _AMBIGUOUS:
        return [reading for name in _AMBIGUOUS[key] for reading in model_readings(model, name)]
    if key == "max_length":
        return model_readings(model, "max_position_embeddings")
    path = model.config.source.path
    found = [
        Reading(value=value, where=f"{path} has {name} = {show(value)}", evidence=(cited,))
        for name in _MODEL.get(key, ())
        if (value := plain_value(model.config.values.get(name))) is not None
        for cited in [Evidence(path=path, tag=name, value=str(value))]
    ]
    known = {reading.value for reading in found}
    for symbol in _SYMBOLS.get(key, ()):
        meaning, count = model.ledger.symbols.get(symbol, ("", 0))
        if meaning and Decimal(count) not in known:
            where = f"{path} gives {count} as {meaning}"
            found.append(
                Reading(
                    value=Decimal(count),
                    where=where,
                    evidence=(Evidence(path=path, tag=symbol, value=count),),
                )
            )
    return [*found, *_computed(model, key, found)]


def _computed(model: ModelFacts, key: str, found: list[Reading]) -> Iterator[Reading]:
    """Yield sizes that follow from others: a head's width, positions without the offset."""
    path = model.config.source.path
    if key == "max_position_embeddings" and model.config.model_type in _OFFSETS:
        for reading in found:
            if isinstance(reading.value, Decimal):
                yield Reading(
                    value=reading.value - 2,
                    where=f"{path} has {show(reading.value)} rows of positions, two of them the "
                    "offset of its padding",
                    evidence=reading.evidence,
                )
    if key == "num_hidden_layers" and len(found) > 1:
        counts = {r.value for r in found if isinstance(r.value, Decimal)}
        if len(counts) <= 2 and model.ledger.symbols.keys() >= {"L_enc", "L_dec"}:
            sides = [Decimal(model.ledger.symbols[s][1]) for s in ("L_enc", "L_dec")]
            yield Reading(
                value=sum(sides, Decimal(0)), where=f"{path} has {sum(sides)} on both sides"
            )
    if key == "head_dim" and not found:
        widths = model_readings(model, "hidden_size")[:1]
        heads = model_readings(model, "num_attention_heads")[:1]
        for width, head in zip(widths, heads, strict=False):
            if isinstance(width.value, Decimal) and isinstance(head.value, Decimal) and head.value:
                share = width.value / head.value
                where = f"{path} has {show(width.value)} / {show(head.value)} = {show(share)}"
                yield Reading(value=share, where=where, evidence=(*width.evidence, *head.evidence))


def run_readings(facts: Facts | None, key: str) -> list[Reading]:
    """Return what the runs and the study have for a setting, each value once."""
    if facts is None:
        return []
    found: dict[Plain, Reading] = {}
    for run in facts.runs:
        for name in _RUNS.get(key, ()):
            value = plain_value(run.config.get(name))
            if value is None or value in found or _unset(key, value):
                continue
            path = run.sources[0].path if run.sources else run.id
            found[value] = Reading(
                value=value,
                where=f"{run.id or 'the run'} has {name} = {show(value)}",
                evidence=(Evidence(path=path, tag=name, value=str(value), run=run.id),),
            )
        if run.layout.startswith("fairseq") and key in {"max_position_embeddings", "max_length"}:
            rows = _number_of(found, "max_positions")
            if rows is not None:
                where = f"fairseq keeps {show(rows + 2)} rows for {show(rows)} positions"
                found.setdefault(rows + 2, Reading(value=rows + 2, where=where))
    plan = facts.study.train
    if plan is not None and key in _PLANS:
        value = plain_value(getattr(plan, _PLANS[key]))
        if value is not None and value not in found:
            tag = f"train.{_PLANS[key]}"
            cited = facts.study.cite(tag, str(value))
            found[value] = Reading(
                value=value, where=f"the study has {tag} = {show(value)}", evidence=(cited,)
            )
    return list(found.values())


def stated_everywhere(facts: Facts, key: str) -> bool:
    """Say whether no run leaves a setting open, or the model or the study settles it.

    A command line names only what differs from a program's own choices.
    """
    if model_readings(facts.model, key) or any(
        not reading.derived for reading in progress_readings(facts, key)
    ):
        return True
    names = (*_RUNS.get(key, ()), *(_RUNS["warmup_steps"] if key == "warmup_ratio" else ()))
    return all(any(run.config.get(name) is not None for name in names) for run in facts.runs)


def _number_of(found: Mapping[Plain, Reading], name: str) -> Decimal | None:
    """Return the first number that was found under a name."""
    cited = (
        reading.value
        for reading in found.values()
        if isinstance(reading.value, Decimal) and any(e.tag == name for e in reading.evidence)
    )
    return next(cited, None)


def _unset(key: str, value: Plain) -> bool:
    """Say whether a value only says that nothing was set: -1 steps, a largest integer."""
    if not isinstance(value, Decimal):
        return False
    return (key == "max_steps" and value <= 0) or value > 10**15


def readings(case: Case, key: str, *, bases: bool = False) -> list[Reading]:
    """Return everything that the evidence has for a setting, the model first.

    Args:
        case: The report and its evidence.
        key: The setting.
        bases: Whether the base models of adapters may be meant.
    """
    model = case.facts.model if case.facts else None
    adapted = [a.base for a in case.facts.adapters if a.base] if case.facts and bases else []
    of_bases = [reading for base in adapted for reading in model_readings(base, key)]
    of_runs = [*run_readings(case.facts, key), *progress_readings(case.facts, key)]
    return [*model_readings(model, key), *of_bases, *of_runs]
