"""Adapters of strangers as files: their expressions end, and odd numbers are only text."""

import json

import pytest
from fakes.rows import rows_beside

from reportgen.app import inspect
from reportgen.read.logs import pattern as patterns
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)

BASE = {"model_type": "bert", "vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 2}
BASE |= {"num_attention_heads": 2, "intermediate_size": 24}


def inspected(folder, **values):
    adapter = folder / "adapter_config.json"
    adapter.write_text(json.dumps({"peft_type": "LORA", "r": 2} | values))
    (folder / "config.json").write_text(json.dumps(BASE))
    return inspect(adapter, base=folder / "config.json")


@pytest.mark.parametrize("values", ROWS["an_expression_without_end_is_refused"], ids=str)
def test_an_expression_without_end_is_refused(values, tmp_path, monkeypatch):
    monkeypatch.setattr(patterns, "SECONDS", 0.5)
    with pytest.raises(EvidenceError, match="does not come to an end") as caught:
        inspected(tmp_path, **values)

    assert "as a list" in caught.value.remedy


@pytest.mark.parametrize(("targets", "modules"), ROWS["an_expression_that_ends_is_counted"])
def test_an_expression_that_ends_is_counted(targets, modules, tmp_path):
    found = inspected(tmp_path, target_modules=targets)

    assert found["trainable_parameters"] == (modules * 2 * 2 * 16 or None)


def test_a_name_of_the_base_may_hold_a_number_of_any_length(tmp_path):
    shape = {"shape": [2, 2], "dtype": "float32"}
    names = [f"model.layers.{number}.q_proj.weight" for number in ("9" * 5000, "0")]
    manifest = {"format": "reportgen-tensors/1", "tensors": [{"name": n} | shape for n in names]}
    (tmp_path / "tensors.json").write_text(json.dumps(manifest))
    adapter = tmp_path / "adapter_config.json"
    values = {"peft_type": "LORA", "r": 2, "target_modules": ["q_proj"]}
    adapter.write_text(json.dumps(values | {"layers_to_transform": [0]}))

    found = inspect(adapter, base=tmp_path / "tensors.json")
    assert found["trainable_parameters"] == 8


def test_a_scaling_beyond_arithmetic_is_said(tmp_path):
    found = inspected(tmp_path, target_modules=["query"], lora_alpha=10**400)

    assert found["trainable_parameters"] == 2 * 2 * 2 * 16
    assert any("lora_alpha is 1000" in problem["message"] for problem in found["problems"])


def test_a_base_may_be_a_configuration_of_any_name(tmp_path):
    adapter = tmp_path / "adapter_config.json"
    values = {"peft_type": "LORA", "r": 2, "target_modules": ["query"]}
    adapter.write_text(json.dumps(values))
    (tmp_path / "bert_config.json").write_text(json.dumps(BASE))

    found = inspect(adapter, base=tmp_path / "bert_config.json")
    assert found["trainable_parameters"] == 2 * 2 * 2 * 16
