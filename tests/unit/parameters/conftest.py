"""The lab's model under both programs' names."""

from dataclasses import replace

import pytest

from reportgen.parameters import modules_of_config, tensors_of
from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, ModelConfig
from reportgen.records.run import Source

SIZES = {
    "model_type": "roberta",
    "vocab_size": 32000,
    "hidden_size": 512,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "intermediate_size": 512,
    "max_position_embeddings": 258,
    "type_vocab_size": 1,
}


def source(path):
    return Source(path=path, kind="test", size=0, sha256="")


@pytest.fixture
def model():
    """Make a model configuration."""

    def make(model_type, /, **values):
        return ModelConfig(source=source("config.json"), model_type=model_type, values=values)

    return make


@pytest.fixture
def config(model):
    """The lab's model."""
    return model("roberta", **SIZES)


@pytest.fixture
def fairseq(lab):
    """The tensors that fairseq stores for the lab's model."""
    return read_evidence(lab / "model" / "tensors.json", "model/tensors.json")


@pytest.fixture
def hugging(config):
    """The tensors that Hugging Face stores for it with a classification head."""
    modules = modules_of_config(config, "SequenceClassification")
    return Checkpoint(source=source("model.safetensors"), tensors=tuple(tensors_of(modules)))


@pytest.fixture
def changed():
    """Change a checkpoint's tensors one by one; None takes a tensor out."""

    def change(checkpoint, change_one):
        tensors = (change_one(tensor) for tensor in checkpoint.tensors)
        return replace(checkpoint, tensors=tuple(t for t in tensors if t is not None))

    return change


@pytest.fixture
def adapter():
    def make(peft_type="LORA", **values):
        values = {"peft_type": peft_type, "r": 16, "lora_alpha": 32} | values
        return AdapterConfig(
            source=source("adapter_config.json"), peft_type=peft_type, values=values
        )

    return make
