"""The lint of LoRA configurations: silent on what is right, by name on what is not."""

from __future__ import annotations

import json

import pytest

from reportgen.architectures._terms import Module
from reportgen.architectures.lora_lint import lint_keys, lint_names
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.run import Source

QKV = Module(name="h.0.attn.query_key_value", kind="linear", in_features=4, out_features=12)
HEAD = Module(name="classifier.dense", kind="linear", in_features=4, out_features=4)


@pytest.mark.parametrize(
    "values",
    [
        {"target_modules": ["query_key_value"], "bias": "none", "task_type": "CAUSAL_LM"},
        {"target_modules": None, "lora_dropout": 0, "use_dora": True, "bias": "lora_only"},
        {"lora_alpha": 4.5, "task_type": None, "target_modules": r".*\.q"},
        {"peft_version": "0.99.0", "key_of_the_future": None},
    ],
)
def test_what_is_legal_is_not_remarked_on(values, adapter):
    assert lint_keys(adapter(**values)) == ()


def test_published_configurations_are_clean(realdata):
    files = sorted(realdata.glob("**/adapter_config.json"))
    assert len(files) > 5
    for file in files:
        values = json.loads(file.read_text(encoding="utf-8"))
        if values["peft_type"] == "LORA":
            read = AdapterConfig(
                source=Source(path=file.name, kind="adapter", size=0, sha256=""),
                peft_type="LORA",
                values=values,
            )
            assert lint_keys(read) == (), file


@pytest.mark.parametrize(
    ("values", "message", "remedy"),
    [
        ({"target_module": ["q"]}, "target_module is no key", "target_modules?"),
        ({"rank": 8}, "rank is no key", "did you mean r?"),
        ({"lora_aplha": 8}, "lora_aplha is no key", "lora_alpha?"),
        ({"bias": False}, "bias is false", '"none"?'),
        ({"bias": "lora"}, "bias is lora", '"lora_only"?'),
        ({"task_type": "Causal_ML"}, "task_type is Causal_ML", '"CAUSAL_LM"?'),
        ({"task_type": "seq_cls"}, "task_type is seq_cls", '"SEQ_CLS"?'),
        ({"lora_dropout": 5}, "lora_dropout is 5", "from 0 to 1"),
        ({"r": 0}, "r is 0", "at least 1"),
        ({"use_dora": "yes"}, "use_dora is yes", "true or false"),
        ({"lora_alpha": -1}, "lora_alpha is -1", "above 0"),
        ({"rank_pattern": ["q"]}, "rank_pattern is ['q']", "mapping"),
    ],
)
def test_what_is_not_is_named_with_its_cure(values, message, remedy, adapter):
    (problem,) = lint_keys(adapter(**values))

    assert problem.message.startswith(message)
    assert remedy in problem.remedy
    assert problem.path == "adapter_config.json"


def test_a_missing_rank_is_said_aloud(adapter):
    (problem,) = lint_keys(adapter(r=None))

    assert "default rank, 8" in problem.message
    assert problem.level == "note"


def test_names_that_reach_a_module_are_not_remarked_on(adapter):
    described = adapter(
        target_modules=["query_key_value"],
        modules_to_save=["classifier", "score"],
        task_type="SEQ_CLS",
        rank_pattern={"query_key_value": 4},
    )

    assert lint_names(described, [QKV, HEAD], [QKV.name]) == ()


def test_names_that_reach_none_are_named_with_the_nearest(adapter):
    described = adapter(
        target_modules=["query_key_values"],
        modules_to_save=["lm_head"],
        alpha_pattern={"dense": 4},
    )

    found = lint_names(described, [QKV, HEAD], [QKV.name])

    assert [problem.message.split(",")[0] for problem in found] == [
        "target_modules names query_key_values",
        "modules_to_save names lm_head",
        "alpha_pattern names dense",
    ]
    assert found[0].remedy == "did you mean query_key_value?"
