"""From configurations and tensors to the facts that sections print."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

from reportgen.architectures import ARCHITECTURES
from reportgen.architectures._terms import OTHER, Architecture, head_of
from reportgen.errors import EvidenceError
from reportgen.languages import message
from reportgen.ledger._grouped import ledger_of_tensors
from reportgen.ledger._reconcile import reconcile
from reportgen.records.checkpoint import (
    Checkpoint,
    Ledger,
    ModelConfig,
    Scope,
)
from reportgen.records.facts import ModelFacts
from reportgen.records.run import Problem

# The family whose plug-in reads fairseq's arguments.
OF_FAIRSEQ = "roberta"
# Families with an encoder and a decoder.
TWO_SIDED = frozenset({"bart", "t5", "whisper"})
EMPTY = Ledger(family="", terms=(), scopes=())
# Scope of the class that `architectures` names, the first that the ledger has.
SCOPE_OF_HEAD = {
    "causal_lm": ("encoder_with_lm_head_hf", "encoder_with_lm_head", "all"),
    "masked_lm": ("encoder_with_lm_head_hf", "encoder_with_lm_head", "all"),
    "classification": ("encoder_with_head_hf", "encoder_with_head", "body_with_head"),
    "tokens": (
        *("encoder_with_token_head_hf", "encoder_with_token_head"),
        *("encoder_alone_with_token_head", "body_with_token_head"),
    ),
    "questions": (),
    OTHER: (),
    "": ("encoder", "all"),
}


def family_of(model_type: str) -> str:
    """Return the name of the architecture that answers to a model type, or an empty string.

    Example:
        >>> family_of("camembert"), family_of("roberta_small"), family_of("mixformer")
        ('roberta', 'roberta', '')
    """
    for name, entry in ARCHITECTURES.items():
        if any(fnmatchcase(model_type, pattern) for pattern in entry.match):
            return name
    return ""


def describe_model(
    name: str, config: ModelConfig | None, checkpoint: Checkpoint | None = None
) -> ModelFacts:
    """Count a model and reconcile it with its checkpoint.

    A family that is not known is counted from the tensors alone; without tensors the ledger
    stays empty and a problem says why. Nothing is raised for what a file says.

    Args:
        name: What the report calls the model.
        config: Its configuration; None takes the one inside the checkpoint.
        checkpoint: Its tensors, or None.

    Raises:
        ValueError: Neither a configuration nor a checkpoint is given.
    """
    if config is None:
        config = embedded_config(checkpoint)
    problems = list(checkpoint.problems) if checkpoint else []
    config, borrowed = with_vocabulary(config, checkpoint)
    problems += borrowed
    family, ledger = family_of(config.model_type), EMPTY
    if family:
        try:
            ledger = architecture(family).count_terms(config)
        except EvidenceError as error:
            problems.append(
                Problem(path=config.source.path, message=error.message, remedy=error.remedy)
            )
    else:
        problems.append(unknown_family(config))
    if not ledger.terms and checkpoint is not None:
        ledger = ledger_of_tensors(checkpoint)
    problems += [
        Problem(path=config.source.path, message=note, level="note")
        for note in ledger.notes
        if ledger.family
    ]
    return ModelFacts(
        name=name,
        config=config,
        ledger=ledger,
        rows=reconcile(ledger, checkpoint),
        checkpoint=checkpoint,
        problems=tuple(problems),
    )


def embedded_config(checkpoint: Checkpoint | None) -> ModelConfig:
    """Return the configuration that a checkpoint carries, empty where it carries none.

    fairseq says the architecture under `arch`, and under `_name` in its later files; both are
    believed beside fairseq's sizes only, for other programs use these words for other things.
    """
    if checkpoint is None:
        raise ValueError("describe_model needs a configuration or a checkpoint")
    values = checkpoint.config
    stated = str(values.get("model_type") or "")
    named = str(values.get("arch") or values.get("_name") or "")
    if not stated and "encoder_layers" in values and family_of(named) == OF_FAIRSEQ:
        stated = named
    return ModelConfig(
        source=checkpoint.source,
        model_type=stated,
        values=values,
    )


def with_vocabulary(
    config: ModelConfig, checkpoint: Checkpoint | None
) -> tuple[ModelConfig, list[Problem]]:
    """Take the vocabulary from the tensors where fairseq's arguments do not hold it."""
    values = config.values
    if checkpoint is None or "vocab_size" in values or "encoder_embed_dim" not in values:
        return config, []
    table = next((t for t in checkpoint.tensors if t.name.endswith("embed_tokens.weight")), None)
    if table is None or len(table.shape) != 2:
        return config, []
    note = Problem(
        path=config.source.path,
        message=message(
            "vocab_size is not in the arguments: {rows} is the number of rows of {tensor}",
            rows=table.shape[0],
            tensor=table.name,
        ),
        level="note",
    )
    return replace(config, values={**values, "vocab_size": table.shape[0]}), [note]


def unknown_family(config: ModelConfig) -> Problem:
    """Say that no formula is known for a model type."""
    if not config.model_type:
        return Problem(
            path=config.source.path,
            message=message("no model type is stated, so no formula can be chosen"),
            remedy=message("pass the model's config.json"),
        )
    known = ", ".join(sorted(t for e in ARCHITECTURES.values() for t in e.match if "*" not in t))
    return Problem(
        path=config.source.path,
        message=message(
            "model type {kind}: no formula is known for this family",
            kind=repr(config.model_type[:80]),
        ),
        remedy=message("known model types: {names}", names=known),
    )


def architecture(family: str) -> Architecture:
    """Return a family's plug-in."""
    found: Architecture = ARCHITECTURES.load(family)
    return found


def head_named(config: ModelConfig) -> str:
    """Return the head of the class that a configuration names; see `head_of`.

    A causal model of a family with an encoder is its decoder alone, which is another class.
    """
    head = head_of(config.values)
    alone = head == "causal_lm" and "ForCausalLM" in str(config.values.get("architectures"))
    return OTHER if alone and family_of(config.model_type) in TWO_SIDED else head


def total_scope(model: ModelFacts) -> Scope | None:
    """Return the scope of the class that the configuration names, else of the bare model.

    For some classes no scope exists, and for an unknown family without tensors none.
    """
    head = head_named(model.config)
    names = SCOPE_OF_HEAD[head]
    if not head and "architectures" in model.config.values:
        names = ("model_hf", "model", "encoder", "body", "all")
    found = (model.ledger.scope(name) for name in names)
    return next((scope for scope in found if scope is not None), None)
