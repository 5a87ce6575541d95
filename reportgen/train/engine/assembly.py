"""From a job to an engine: data tokenised once, starts loaded, members put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.job import Job
from reportgen.records.study import TrainPlan
from reportgen.train.engine.engine import TRAIN, Engine
from reportgen.train.engine.examples import (
    Encoded,
    Examples,
    name_labels,
    number_labels,
    number_words,
    read_splits,
    read_values,
)
from reportgen.train.engine.models import (
    Adapters,
    Bases,
    Models,
    Separate,
    check_quantise,
    may_share,
    read_lora,
)
from reportgen.train.engine.starts import build_model, load_start
from reportgen.train.engine.tasks import Task
from reportgen.train.engine.tokens import (
    AnswerTokenizer,
    check_fit,
    open_tokenizer,
    tokenise,
    tokenise_words,
)

_LOOK_AT_THE_END = frozenset({"xlnet"})
"""Classifiers that read the last place of a row, padding or not."""
_SHAPE = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    *("vocab_size", "max_position_embeddings", "model_type", "hidden_act"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """An engine, ready for its first update, and what is published beside its weights.

    The configuration is that of what is published: a model or an adapter.
    """

    engine: Engine
    config: Mapping[str, Any]
    notes: tuple[str, ...]
    weights_name: str = "model.safetensors"
    config_name: str = "config.json"


_Built = tuple[Models, Mapping[str, Any], Mapping[str, Any], tuple[str, ...]]
"""Models, config of the base, what is published, notes."""


def assemble(job: Job) -> Assembled:
    """Build the engine of a job.

    Raises:
        EvidenceError: Data, tokenizer, adapter or a start is missing or damaged, or they do not
            fit each other.
        UsageError: The plan asks for what cannot be combined.
        MissingExtraError: A quantised base, without bitsandbytes.
    """
    plan = job.train
    adapted = {bool(member.adapter) for member in job.members}
    if len(adapted) > 1:
        raise UsageError(
            "some groups of the job train an adapter, others every weight",
            remedy="train them in jobs of their own",
        )
    adapter = adapted == {True}
    check_quantise(plan, job.device, adapter=adapter)
    labels, data = encode_splits(plan, job.members[0].start)
    models, base, published, more = (_adapters if adapter else _whole)(job, labels)
    pad = data[TRAIN].pad
    filled = Encoded(ids=([pad],), truth=([0],), pad=pad)
    check_fit([*data.values(), *([filled] if plan.task == "causal_lm" else [])], base)
    width = _prepare(models, len(job.members), pad, plan.task)
    kind = str(base.get("model_type", ""))
    left = kind in _LOOK_AT_THE_END and plan.task != "causal_lm"
    task = Task(plan.task, data, torch.device(job.device), labels=labels, left=left, width=width)
    engine = build_engine(models, task, job)
    notes = dict.fromkeys((*(note for split in data.values() for note in split.notes), *more))
    if adapter:
        names = {"weights_name": "adapter_model.safetensors", "config_name": "adapter_config.json"}
        return Assembled(engine=engine, config=published, notes=tuple(notes), **names)
    config = dict(published)
    if plan.task != "causal_lm" and config.get("pad_token_id") is None:
        # A decoder that is published without one cannot tell where a text ends.
        config["pad_token_id"] = pad
    return Assembled(engine=engine, config=config, notes=tuple(notes))


def build_engine(models: Models, task: Task, job: Job) -> Engine:
    """Return the engine of some models: all members in one pass on a GPU, where that goes."""
    seeds = [member.seed for member in job.members]
    note = ""
    if job.device == "cuda" and len(seeds) > 1 and isinstance(models, Separate):
        from reportgen.train.engine.engine import Together

        try:
            return Together(
                [models.select(s) for s in range(len(seeds))], seeds, task, job.train, job.device
            )
        except ValueError as error:
            note = f"trained one by one, not together: {error}"
    engine = Engine(models, seeds, task, job.train, job.device)
    engine.notes = (note,) if note else ()
    return engine


def encode_splits(plan: TrainPlan, start: str) -> tuple[tuple[str, ...], dict[str, Encoded]]:
    """Read and tokenise every split; return the names of the classes and split to its examples.

    The tokenizer may lie beside the start.
    """
    found = read_splits(plan.data)
    if plan.task == "causal_lm":
        answers = AnswerTokenizer(plan, start)
        return (), {split: answers.tokenise(examples) for split, examples in found.items()}
    words = plan.task == "token_classification"
    labels = () if plan.task == "regression" else name_labels(found[TRAIN], words=words)
    tokenizer = open_tokenizer(plan, start)

    def encode(examples: Examples) -> Encoded:
        if words:
            return tokenise_words(examples, number_words(examples, labels), tokenizer)
        if plan.task == "regression":
            return tokenise(examples, read_values(examples), tokenizer)
        return tokenise(examples, number_labels(examples, labels), tokenizer)

    return labels, {split: encode(examples) for split, examples in found.items()}


def _adapters(job: Job, labels: Sequence[str]) -> _Built:
    configs = [read_lora(Path(member.adapter), job.train.task) for member in job.members]
    bases = Bases(job.train, job.device, labels)
    own = [
        bases.get(member, share=may_share(values))
        for member, values in zip(job.members, configs, strict=True)
    ]
    models = Adapters(own, configs, [member.seed for member in job.members])
    first = job.members[0]
    named = configs[0].get("base_model_name_or_path") or first.start
    notes = [*bases.notes]
    if job.train.dropout:
        notes.append("dropout is the adapter's lora_dropout; its frozen base drops nothing")
    published = models.config(0) | {"base_model_name_or_path": named}
    return models, bases.config, published, tuple(notes)


def _whole(job: Job, labels: Sequence[str]) -> _Built:
    started = [load_start(m.start, job.train, m.seed, labels) for m in job.members]
    first = started[0].config
    for member, other in zip(job.members, started, strict=True):
        for name in _SHAPE:
            if other.config.get(name) != first.get(name):
                raise EvidenceError(
                    f"{member.group} starts from a model with {name} {other.config.get(name)}, "
                    f"{job.members[0].group} from one with {first.get(name)}",
                    remedy="give groups of one shape the same configuration, or train on a CPU",
                )
    models = Separate([build_model(one, job.train, job.device) for one in started])
    return models, first, first, tuple(note for one in started for note in one.notes)


def _prepare(models: Models, members: int, pad: int, task: str) -> int:
    """Set what training needs in the models' configurations; return the width of their output."""
    width = 1
    for member in range(members):
        model: Any = models.select(member)
        if task == "causal_lm":
            width = int(model.get_output_embeddings().weight.shape[0])
        else:
            known = model.get_input_embeddings().num_embeddings
            if pad >= known:
                raise EvidenceError(
                    f"the padding token has the id {pad}; the model knows {known} ids",
                    remedy="name a token that the model knows as pad_token in "
                    "tokenizer_config.json",
                )
            # Decoders find the last token of an example by it.
            model.config.pad_token_id = pad
        model.config.use_cache = False
    return width
