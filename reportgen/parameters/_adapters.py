"""An adapter on its base model: the base's modules come from the table of families."""

from __future__ import annotations

from reportgen.parameters._counting import family_for, modules_of_config
from reportgen.parameters._describe import total_scope
from reportgen.parameters.adapters import describe_adapter as describe_on
from reportgen.parameters.adapters import modules_of_tensors, role_of_task
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import AdapterConfig, Checkpoint
from reportgen.records.errors import EvidenceError
from reportgen.records.facts import AdapterFacts, ModelFacts


def describe_adapter(
    name: str, adapter: AdapterConfig, base: ModelFacts | None, stored: Checkpoint | None = None
) -> AdapterFacts:
    """Count what an adapter trains, and say what is the matter with its configuration.

    Args:
        name: What the report calls it.
        adapter: Its configuration.
        base: The base model; None leaves the count missing.
        stored: Tensors saved beside the configuration, or None.
    """
    scope = total_scope(base) if base else None
    total = scope.total if scope else None
    return describe_on(name, adapter, base, stored, modules=modules_below, total=total)


def modules_below(base: ModelFacts, task: str) -> tuple[Module, ...]:
    """Return the leaf modules of a base model below an adapter for a task.

    Raises:
        EvidenceError: The family is not known and there are no tensors to read shapes from.
    """
    if family_for(base.config) is not None:
        return modules_of_config(base.config, role_of_task(task))
    if base.checkpoint is None:
        raise EvidenceError(
            f"the modules of model type {base.config.model_type[:80]!r} are not known",
            remedy="pass a checkpoint of the base model",
        )
    return modules_of_tensors(base.checkpoint)
