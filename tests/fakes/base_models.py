"""Base models of adapters: their modules, and the facts of an adapter on them."""

from __future__ import annotations

from dataclasses import fields

from reportgen.architectures._questions import with_question_head
from reportgen.architectures._terms import OTHER
from reportgen.errors import EvidenceError
from reportgen.ledger import describe_model, family_of
from reportgen.ledger._describe import architecture, head_named, total_scope
from reportgen.parameters.adapters import describe_adapter, role_of_task, modules_of_tensors
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, ModelConfig, TensorSpec
from reportgen.records.run import Source

SOURCE = Source(path="config.json", kind="config_json", size=0, sha256="")


def modules_of_base(config, head=""):
    """List the leaf modules of a class: the one with this head, or that of the configuration."""
    family, named = family_of(config.model_type), head_named(config)
    if named == OTHER and head in {"", "causal_lm"}:
        raise EvidenceError(f"the class {config.values['architectures']} is not known", remedy="")
    head = head or named
    modules = architecture(family).list_modules(config, head)
    if head == "questions":
        modules = with_question_head(family, config, modules)
    return tuple(
        Module(**{field.name: getattr(module, field.name) for field in fields(Module)})
        for module in modules
    )


def modules_below(base, task):
    """List the leaf modules of a base below an adapter for a task, off its tensors if need be."""
    if family_of(base.config.model_type):
        return modules_of_base(base.config, role_of_task(task))
    if base.checkpoint is None:
        raise EvidenceError("the modules are not known", remedy="pass a checkpoint")
    return modules_of_tensors(base.checkpoint)


def base_model(model_type, values, tensors=()):
    """Describe a base model by its configuration and tensors."""
    config = ModelConfig(source=SOURCE, model_type=model_type, values=values)
    return describe_model(
        "base", config, Checkpoint(source=SOURCE, tensors=tuple(tensors)) if tensors else None
    )


def tensor_specs(shapes):
    """Return tensors of these shapes, by name."""
    return tuple(TensorSpec(name=name, shape=tuple(shape)) for name, shape in shapes.items())


def described(values, base, stored=None):
    """Describe an adapter with these settings on a base model."""
    source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
    config = AdapterConfig(source=source, peft_type=values.get("peft_type", "LORA"), values=values)
    scope = total_scope(base) if base else None
    return describe_adapter(
        "adapter",
        config,
        base,
        stored,
        modules=modules_below,
        total=scope.total if scope else None,
    )
