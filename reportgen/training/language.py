"""Fine-tunes of causal language models on questions and answers, with adapters or in full."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from reportgen.errors import UsageError
from reportgen.records.job import Job
from reportgen.training._assembled import Assembled
from reportgen.training._data import Tokenised
from reportgen.training._language_adapter import Adapters, may_share, read_lora
from reportgen.training._language_base import Bases, check_quantise
from reportgen.training._language_task import AnswerTask
from reportgen.training._language_text import AnswerTokenizer
from reportgen.training._module_models import Models, Separate
from reportgen.training.examples import read_splits
from reportgen.training.module import ModuleEngine
from reportgen.training.starts import build_model, load_start
from reportgen.training.tokens import check_fit

WEIGHTS, CONFIG = "adapter_model.safetensors", "adapter_config.json"


def assemble_language(job: Job) -> Assembled:
    """Build the engine of a job whose task is causal language modelling.

    The answers are learnt, and the token that ends them; loss and accuracy are over their tokens.

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
    tokenizer = AnswerTokenizer(plan, job.members[0].start)
    data = {split: tokenizer.tokenise(found) for split, found in read_splits(plan.data).items()}
    models, base, published, notes = _adapters(job) if adapter else _whole(job)
    rows = [Tokenised(ids=part.ids, labels=(), pad=tokenizer.pad) for part in data.values()]
    check_fit([*rows, Tokenised(ids=([tokenizer.pad],), labels=(), pad=tokenizer.pad)], base)
    width = models.select(0).get_output_embeddings().weight.shape[0]  # type: ignore[operator]
    task = AnswerTask(data, tokenizer.pad, int(width), torch.device(job.device))
    engine = ModuleEngine(models, [m.seed for m in job.members], task, plan, job.device)
    names = {"weights_name": WEIGHTS, "config_name": CONFIG} if adapter else {}
    notes = (*tokenizer.note(list(data.values())), *notes)
    return Assembled(engine=engine, config=published, notes=notes, **names)


_Built = tuple[Models, Mapping[str, Any], Mapping[str, Any], tuple[str, ...]]
"""Models, config of the base, config to publish, notes."""


def _adapters(job: Job) -> _Built:
    configs = [read_lora(Path(member.adapter)) for member in job.members]
    bases = Bases(job.train, job.device)
    own = [
        bases.get(member, share=may_share(values))
        for member, values in zip(job.members, configs, strict=True)
    ]
    models = Adapters(own, configs, [member.seed for member in job.members])
    first = job.members[0]
    named = configs[0].get("base_model_name_or_path") or first.start
    published = models.config(0) | {"base_model_name_or_path": named}
    notes = [*bases.notes]
    if job.train.dropout:
        notes.append("dropout is the adapter's lora_dropout; its frozen base drops nothing")
    return models, bases.config, published, tuple(notes)


def _whole(job: Job) -> _Built:
    started = [load_start(m.start, job.train, m.seed, ()) for m in job.members]
    models = Separate([build_model(one, job.train).to(job.device) for one in started])
    notes = dict.fromkeys(note for one in started for note in one.notes)
    return models, started[0].config, started[0].config, tuple(notes)
