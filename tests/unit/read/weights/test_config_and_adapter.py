"""Configurations and adapters: read as they stand, refused with the line of the fault."""

import pytest
from fakes.rows import rows_beside

from reportgen.read.weights import read_adapter, read_adapter_tensors, read_config
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(("values", "model_type"), ROWS["the_model_type_is_the_stated_one"])
def test_the_model_type_is_the_stated_one(values, model_type, write):
    found = read_config(write("config.json", values), "model/config.json")
    assert (found.model_type, found.values) == (model_type, values)
    assert found.source.path == "model/config.json"


def test_a_byte_order_mark_is_no_fault(write):
    path = write("config.json", b'\xef\xbb\xbf{"model_type": "bert"}')
    assert read_config(path, "config.json").model_type == "bert"


@pytest.mark.parametrize(("values", "kind"), ROWS["the_kind_of_adapter_is_the_stated_one"])
def test_the_kind_of_adapter_is_the_stated_one(values, kind, write):
    assert read_adapter(write("adapter_config.json", values), "a.json").peft_type == kind


def test_tensors_beside_an_adapter_are_found(write, safetensors):
    path = write("adapter_config.json", {"peft_type": "LORA"})
    assert read_adapter_tensors(path, "a/adapter_config.json") is None
    safetensors("adapter_model.safetensors", {"q.lora_A.weight": [2, 8]})
    found = read_adapter_tensors(path, "a/adapter_config.json")
    assert (found.total, found.source.path) == (16, "a/adapter_model.safetensors")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{\n  "r": 16 x\n}\n', "config.json:2: column 11"),
        ("", "config.json:1: column 1"),
        ("[]", "holds a JSON list"),
        (b"\xff{}", "no UTF-8 text: byte 0"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": ' + "[" * 100_000, "config.json: "),
        ("version https://git-lfs.github.com/spec/v1\n", "Git-LFS pointer"),
        ('{"a": ' + "9" * 5000 + "}", "config.json: "),
    ],
)
def test_a_fault_is_named_with_its_place(content, said, write):
    with pytest.raises(EvidenceError, match=said) as caught:
        read_config(write("config.json", content), "config.json")
    assert caught.value.remedy


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(EvidenceError, match=r"config\.json cannot be read: No such file"):
        read_config(tmp_path / "config.json", "config.json")


def test_a_huge_file_is_not_taken_for_a_configuration(tmp_path):
    path = tmp_path / "config.json"
    with path.open("wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(EvidenceError, match="a configuration has at most"):
        read_config(path, "config.json")
