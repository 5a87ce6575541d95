"""Base models of adapters: their modules, and the facts of an adapter on them."""

from reportgen.parameters import describe_adapter, describe_model, modules_of_config
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, ModelConfig, TensorSpec
from reportgen.records.run import Source

SOURCE = Source(path="config.json", kind="config_json", size=0, sha256="")


def modules_of_base(config, role=""):
    """List the leaf modules of a class: the one of this role, or that of the configuration."""
    return modules_of_config(config, role)


def base_model(model_type, values, tensors=()):
    """Describe a base model by its configuration and tensors."""
    config = ModelConfig(source=SOURCE, model_type=model_type, values=values)
    return describe_model(
        "base", config, Checkpoint(source=SOURCE, tensors=tuple(tensors)) if tensors else None
    )


def tensor_specs(shapes):
    """Return tensors of these shapes, by name."""
    return tuple(TensorSpec(name=name, shape=tuple(shape)) for name, shape in shapes.items())


def described(values, base, stored=None, kind=""):
    """Describe an adapter with these settings on a base model."""
    source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
    config = AdapterConfig(
        source=source, peft_type=kind or values.get("peft_type", "LORA"), values=values
    )
    return describe_adapter("adapter", config, base, stored)
