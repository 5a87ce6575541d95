"""Configurations made by hand."""

from __future__ import annotations

import pytest

from reportgen.records.checkpoint import AdapterConfig, ModelConfig
from reportgen.records.run import Source


def source(path):
    return Source(path=path, kind="test", size=0, sha256="")


@pytest.fixture
def model():
    """Make a model configuration."""

    def make(model_type, /, **values):
        return ModelConfig(source=source("config.json"), model_type=model_type, values=values)

    return make


@pytest.fixture
def adapter():
    """Make an adapter configuration."""

    def make(**values):
        values = {"peft_type": "LORA", "r": 16, "lora_alpha": 32} | values
        return AdapterConfig(source=source("adapter_config.json"), peft_type="LORA", values=values)

    return make
