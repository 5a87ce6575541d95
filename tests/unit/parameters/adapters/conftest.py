"""Adapter configurations made by hand."""

import pytest

from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.run import Source

SOURCE = Source(path="adapter_config.json", kind="test", size=0, sha256="")


@pytest.fixture
def adapter():
    """Make an adapter configuration."""

    def make(peft_type="LORA", **values):
        own = {"r": 16, "lora_alpha": 32} if peft_type == "LORA" else {}
        values = {"peft_type": peft_type} | own | values
        return AdapterConfig(source=SOURCE, peft_type=peft_type, values=values)

    return make
