"""From configurations and tensors to the facts that sections print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from reportgen.languages import message
from reportgen.parameters._counting import count_config, family_for, total_scope_name
from reportgen.parameters._reconcile import reconcile
from reportgen.parameters.families import load_family
from reportgen.records.checkpoint import Checkpoint, Ledger, ModelConfig, Scope, TensorSpec
from reportgen.records.errors import EvidenceError
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import Constant
from reportgen.records.record import replace
from reportgen.records.source import Problem

# How the architectures begin whose arguments fairseq stores.
OF_FAIRSEQ = "roberta"
Builder = Callable[[Mapping[str, object]], Sequence[TensorSpec]]
EMPTY = Ledger(family="", terms=(), scopes=())


def family_of(model_type: str) -> str:
    """Return the family of a model type, or an empty string where no table has it.

    Example:
        >>> family_of("bert"), family_of("no such type")
        ('bert', '')
    """
    return model_type if load_family(model_type) else ""


def describe_model(
    name: str,
    config: ModelConfig | None,
    checkpoint: Checkpoint | None = None,
    built: Builder | None = None,
) -> ModelFacts:
    """Count a model and reconcile it with its checkpoint.

    A family that is not known is counted from the tensors alone; without tensors the ledger
    stays empty and a problem says why. Nothing is raised for what a file says.

    Args:
        name: What the report calls the model.
        config: Its configuration; None takes the one inside the checkpoint.
        checkpoint: Its tensors, or None.
        built: Configuration to the tensors of the model as a library builds it, none where it
            does not; asked where no table and no checkpoint tells.

    Raises:
        ValueError: Neither a configuration nor a checkpoint is given.
    """
    if config is None:
        config = embedded_config(checkpoint)
    problems = list(checkpoint.problems) if checkpoint else []
    config, borrowed = with_vocabulary(config, checkpoint)
    problems += borrowed
    path, ledger, others = config.source.path, EMPTY, frozenset[str]()
    try:
        counted = count_config(config)
    except EvidenceError as error:
        counted = None
        problems.append(Problem(path=path, message=error.message, remedy=error.remedy))
    else:
        if counted is None:
            problems.append(unknown_family(config))
        else:
            ledger, others = counted.ledger, counted.others
            problems += [Problem(path=path, message=text) for text in counted.warnings]
    if not ledger.terms and checkpoint is not None:
        from reportgen.parameters.stored import ledger_of_tensors

        ledger = ledger_of_tensors(checkpoint)
    elif built is not None and config.model_type and family_for(config) is None:
        ledger, note = ledger_as_built(config, built)
        problems += note
    if ledger.family:
        problems += [Problem(path=path, message=note, level="note") for note in ledger.notes]
    rows = reconcile(ledger, checkpoint)
    return ModelFacts(
        name=name,
        config=config,
        ledger=ledger,
        # Heads of other classes are quoted among the scopes, and are no part of this model, but
        # where a checkpoint holds them, be it under a second name.
        rows=tuple(
            row
            for row in rows
            if row.term.name not in others
            or row.stored
            or (row.explanation and row.term.formula == Constant(0))
        ),
        checkpoint=checkpoint,
        problems=tuple(problems),
    )


def ledger_as_built(config: ModelConfig, built: Builder) -> tuple[Ledger, list[Problem]]:
    """Count the model that a library builds; the ledger is empty where it does not build it."""
    tensors = built({**config.values, "model_type": config.model_type})
    if not tensors:
        return EMPTY, []
    from reportgen.parameters.stored import ledger_of_tensors

    text = message("counted exactly from the model that the installed transformers builds")
    note = Problem(path=config.source.path, message=text, level="note")
    return ledger_of_tensors(Checkpoint(source=config.source, tensors=tuple(tensors))), [note]


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
    if not stated and "encoder_layers" in values and named.startswith(OF_FAIRSEQ):
        stated = named
    return ModelConfig(source=checkpoint.source, model_type=stated, values=values)


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
    said = message(
        "vocab_size is not in the arguments: {rows} is the number of rows of {tensor}",
        rows=table.shape[0],
        tensor=table.name,
    )
    note = Problem(path=config.source.path, message=said, level="note")
    return replace(config, values={**values, "vocab_size": table.shape[0]}), [note]


def unknown_family(config: ModelConfig) -> Problem:
    """Say that no formula is known for a model type."""
    kind = config.model_type[:80]
    text = message("no model type is stated, so no formula can be chosen")
    remedy = message("pass the model's config.json")
    if kind:
        text = message("model type {kind}: no formula is known for this family", kind=repr(kind))
        remedy = message("pass a checkpoint of the model: its tensors are counted as they are")
    return Problem(path=config.source.path, message=text, remedy=remedy)


def total_scope(model: ModelFacts) -> Scope | None:
    """Return the scope of the class that the configuration names, else of the bare model.

    For a class that the table does not have none exists, and for an unknown family without
    tensors none.
    """
    if not model.ledger.family:
        return model.ledger.scope("all")
    family = family_for(model.config)
    if family is None:
        return None
    return model.ledger.scope(total_scope_name(family, model.ledger, model.config))
