"""An adapter beside its base model, to the JSON of `inspect`."""

from dataclasses import replace

import pytest

from reportgen.parameters import describe_adapter, describe_model, inspection
from reportgen.read.weights import read_adapter_tensors, read_evidence
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.quantity import Missing


@pytest.fixture
def bloom(config):
    values = {"model_type": "bloom", "n_embed": 1024, "n_layer": 24, "num_attention_heads": 16}
    return describe_model(
        "BLOOM-560m", ModelConfig(source=config.source, model_type="bloom", values=values)
    )


def test_the_lab_adapter_is_described(bloom, adapter):
    facts = describe_adapter("LoRA", adapter(target_modules=["query_key_value"]), bloom)
    found = inspection(facts)
    assert found["trainable_parameters"] == 1_572_864
    assert found["base_parameters"] == 559_214_592
    assert found["total_parameters"] == 560_787_456
    assert round(100 * 1_572_864 / found["total_parameters"], 4) == 0.2805
    assert found["terms"][0]["formula"] == "n r (d_in + d_out)"
    assert facts.lint == ()


def test_an_adapter_without_base_has_no_number(adapter):
    facts = describe_adapter("LoRA", adapter(target_modules=["q"]), None)
    assert isinstance(facts.trainable, Missing)
    assert "no base model was given" in facts.trainable.reason
    assert inspection(facts)["trainable_parameters"] is None


def test_a_saved_adapter_is_compared(realdata, config):
    path = (
        realdata / "hf-trainer-agnews-lora" / "results" / "checkpoint-1200" / "adapter_config.json"
    )
    values = {"max_position_embeddings": 514, "type_vocab_size": 1, "num_labels": 4}
    base = describe_model("roberta-base", replace(config, values=values))
    facts = describe_adapter(
        "AG News",
        read_evidence(path, "adapter_config.json"),
        base,
        read_adapter_tensors(path, "adapter_config.json"),
    )
    assert facts.trainable.value == 916_996
    assert facts.ledger.scope("base_and_adapter").total == 125_463_560
    assert "holds 918,540 numbers, 1,544 more" in facts.lint[-1].message
