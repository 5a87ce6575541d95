"""The lint of configurations: silent on what is right, by name on what is not."""

import json

import pytest

from reportgen.parameters.adapters import KEYS_OF_KIND, KINDS, OTHER_KINDS, lint_keys, lint_names
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.run import Source

QKV = Module(name="h.0.attn.query_key_value", kind="linear", in_features=4, out_features=12)
HEAD = Module(name="classifier.dense", kind="linear", in_features=4, out_features=4)


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


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"r": float("nan")}, "r is NaN"),
        ({"lora_alpha": float("inf")}, "lora_alpha is Infinity"),
        ({"lora_dropout": "NaN"}, "lora_dropout is NaN"),
        ({"rank_pattern": {"q": "-Infinity"}}, "rank_pattern is -Infinity"),
    ],
)
def test_what_programs_write_for_no_number_is_named(values, named, adapter):
    (problem,) = lint_keys(adapter(**values))
    assert problem.message == f"{named}, which is no number; it is not used"


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("ROAD", {"variant": "road_3"}, "variant is road_3, which is none of"),
        ("VBLORA", {"num_vector": 3}, "num_vector is no key of VBLORA's configuration"),
        ("MISS", {"bias": "lora_only"}, 'none of "none", "all", "MiSS_only"'),
        ("HIRA", {"target_modules": "q", "layers_pattern": "h"}, "target_modules is a text"),
        ("PVERA", {"layers_pattern": "h"}, "layers_pattern is set without layers_to_transform"),
        ("C3A", {"block_size": 0}, "block_size is 0, which is not a whole number of at least 1"),
    ],
)
def test_every_kind_has_its_own_keys(kind, values, message, adapter):
    (problem,) = lint_keys(adapter(kind, **values))
    assert message in problem.message


def test_every_kind_is_named_once_with_its_words():
    assert set(KEYS_OF_KIND) == set(KINDS)
    assert not set(KINDS) & set(OTHER_KINDS)
    for kind in KINDS.values():
        assert kind.title
        assert kind.adds
        assert kind.does.endswith(".") or kind.title == "LoRA"
        assert all(key.meaning for key in kind.keys.values())


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
        target_modules=["query_key_values"], modules_to_save=["lm_head"], alpha_pattern={"dense": 4}
    )
    found = lint_names(described, [QKV, HEAD], [QKV.name])
    assert [problem.message.split(",")[0] for problem in found] == [
        "target_modules names query_key_values",
        "modules_to_save names lm_head",
        "alpha_pattern names dense",
    ]
    assert found[0].remedy == "did you mean query_key_value?"


def test_long_lists_of_names_are_answered_at_once(adapter):
    modules = [
        Module(name=f"h.{n}.attn.q", kind="linear", in_features=4, out_features=4)
        for n in range(300)
    ]
    names = [f"h.{n}.attn.k" for n in range(100_000)]
    described = adapter(target_modules=["q", *names], exclude_modules=names)
    found = lint_names(described, modules, [module.name for module in modules])
    assert len(found) == 2 * 11
    assert "names 99,990 more" in found[-1].message
