"""From a job to an engine: data tokenised once, starts loaded, members put together."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from reportgen.errors import EvidenceError, UsageError
from reportgen.records.job import Job
from reportgen.records.training import TrainPlan
from reportgen.training import ENGINES
from reportgen.training._assembled import Assembled
from reportgen.training._data import Tokenised
from reportgen.training._engine import Engine
from reportgen.training.examples import name_labels, number_labels, read_splits
from reportgen.training.starts import Started, load_start
from reportgen.training.tokens import check_fit, open_tokenizer, tokenise


def assemble(job: Job) -> Assembled:
    """Build the engine of a job.

    Raises:
        EvidenceError: Data, tokenizer or a start is missing or damaged, or the starts have not
            one shape.
        UsageError: The plan asks for what cannot be combined.
    """
    if job.train.task == "causal_lm":
        from reportgen.training.language import assemble_language

        return assemble_language(job)
    if any(member.adapter for member in job.members):
        raise UsageError(
            "an adapter on a classifier cannot be trained here",
            remedy='use task = "causal_lm", or leave adapter out of the group',
        )
    return _classifiers(job)


def _classifiers(job: Job) -> Assembled:
    plan = job.train
    labels, data, note = _read_splits(plan, job.members[0].start)
    started = [load_start(m.start, plan, m.seed, labels) for m in job.members]
    config = _one_shape(started, job)
    check_fit(data.values(), config)
    notes = tuple(dict.fromkeys((note, *(n for one in started for n in one.notes))))
    seeds = [member.seed for member in job.members]
    name = engine_of(str(config.get("model_type", "")))
    engine: Engine = ENGINES.load(name)(started, seeds, data, plan, job.device)
    if name != "stacked":
        # A decoder that is published without one cannot tell where a text ends.
        config = {**config, "pad_token_id": data["train"].pad}
    return Assembled(engine=engine, config=config, notes=tuple(n for n in notes if n))


def engine_of(model_type: str) -> str:
    """Return the name of the engine that trains a classifier of a model type.

    Example:
        >>> engine_of("roberta"), engine_of("distilbert")
        ('stacked', 'module')
    """
    return next(
        name
        for name, entry in ENGINES.items()
        if any(fnmatchcase(model_type, pattern) for pattern in entry.match)
    )


def _read_splits(plan: TrainPlan, start: str) -> tuple[tuple[str, ...], dict[str, Tokenised], str]:
    """Return class names, split to tokenised examples, and the tokenizer's note."""
    found = read_splits(plan.data)
    labels = name_labels(found["train"])
    tokenizer = open_tokenizer(plan, start)
    data = {
        split: tokenise(examples.texts, number_labels(examples, labels), tokenizer)
        for split, examples in found.items()
    }
    return labels, data, tokenizer.note()


def _one_shape(started: Sequence[Started], job: Job) -> dict[str, Any]:
    """Return the configuration that all members share."""
    kept = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    more = ("vocab_size", "max_position_embeddings", "model_type", "hidden_act")
    first = started[0].config
    for member, other in zip(job.members, started, strict=True):
        for name in (*kept, *more):
            if other.config.get(name) != first.get(name):
                raise EvidenceError(
                    f"{member.group} starts from a model with {name} {other.config.get(name)}, "
                    f"{job.members[0].group} from one with {first.get(name)}",
                    remedy="give groups of one shape the same configuration, or train on a CPU",
                )
    return first
