"""Adapters from strangers: any value under any key gives facts, never an exception."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import base_models
from fakes.rows import rows_of
from hypothesis import given
from hypothesis import strategies as st

from reportgen.parameters import inspection
from reportgen.parameters.adapters import KEYS_OF_KIND
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.quantity import Missing
from reportgen.records.run import Problem, Source

SOURCE = Source(path="adapter_config.json", kind="test", size=0, sha256="")
SIZES = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 20,
    "architectures": ["RobertaForSequenceClassification"],
}
BASE = base_models.base_model("roberta", SIZES)
NAMES = st.sampled_from(
    ["query", "value", "dense", "LayerNorm", "classifier", "all-linear", ".*", "("]
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | NAMES | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted({key for keys in KEYS_OF_KIND.values() for key in keys}))

# Trainable parameters that others published for these files, and the name of their folder.
PUBLISHED = {
    "lora/llama-3.2-3B-rank32": 9_175_040,
    "lora/llama-3.2-3B-rank64": 18_350_080,
    "lora/llama-3.2-3B-rank32-dora": 9_289_728,
    "prompt_tuning/llama-3.2-3B-default": 614_400,
    "ln_tuning/llama-3.2-3B-default": 175_104,
}


def described(kind, values, base=BASE, stored=None):
    return base_models.described({"peft_type": kind} | values, base, stored, kind)


def on(base, kind="LORA", **values):
    return described(kind, {"r": 16, "lora_alpha": 32} | values, base)


ROWS = rows_of(Path(__file__).with_name("described.yaml"))


def base_of(row):
    """Return the base model of a row: none, the small one, or one of these values and tensors."""
    if row.get("base") in (None, "small"):
        return BASE if "base" in row else None
    values = dict(row["base"])
    shapes = {
        name: [size for size in shape if isinstance(size, int)]
        for name, shape in row.get("tensors", {}).items()
    }
    kinds = {name: shape[-1] for name, shape in row.get("tensors", {}).items()}
    tensors = [
        replace(one, dtype=kinds[one.name]) if isinstance(kinds[one.name], str) else one
        for one in base_models.tensor_specs(shapes)
    ]
    return base_models.base_model(values.pop("model_type"), values, tensors)


@pytest.mark.parametrize("row", ROWS, ids=[row["about"] for row in ROWS])
def test_what_an_adapter_trains_or_why_nobody_can_tell(row):
    facts = described(row["kind"], row.get("adapter", {}), base_of(row))
    if "trains" in row:
        assert facts.trainable.value == row["trains"]
    else:
        assert facts.trainable.reason == row["reason"]
    if "base_total" in row:
        assert facts.base_total.value == row["base_total"]
    told = [
        f"{one.level}: {one.message}{f'; remedy: {one.remedy}' if one.remedy else ''}"
        for one in facts.lint
    ]
    assert told == row.get("told", [])


# The first draw of text in a new checkout writes a table of characters, which takes seconds.
@pytest.mark.slow
@given(kind=st.sampled_from(sorted(KEYS_OF_KIND)), values=st.dictionaries(KEYS, ODD, max_size=5))
def test_any_value_gives_a_number_or_a_reason(kind, values):
    facts = described(kind, values)
    if isinstance(facts.trainable, Missing):
        assert facts.trainable.reason
        assert facts.lint
    else:
        assert facts.trainable.value == sum(term.count for term in facts.ledger.terms) >= 0
        together = facts.ledger.scope("base_and_adapter").total
        assert together >= facts.ledger.scope("base").total > 0


@pytest.mark.parametrize("folder", PUBLISHED)
def test_a_published_count_is_met(folder, realdata):
    def read(path):
        return json.loads((realdata / path).read_text(encoding="utf-8"))

    values = read("count-llama32-3b/config.json")
    adapter = read(f"peft-bench/experiments/{folder}/adapter_config.json")
    facts = described(adapter["peft_type"], adapter, base_models.base_model("llama", values))
    assert facts.trainable.value == PUBLISHED[folder]
    assert facts.base_total.value == 3_212_749_824
    assert [problem for problem in facts.lint if problem.level == "warning"] == []


def test_numbers_that_are_none_leave_the_rest_of_the_file_in_use():
    facts = on(BASE, target_modules=["query"], lora_alpha="Infinity", lora_dropout="NaN")
    without = on(BASE, target_modules=["query"], r="NaN")
    assert facts.trainable.value == 2 * 16 * (16 + 16)
    assert [problem.message.split(",")[0] for problem in facts.lint] == [
        "lora_alpha is Infinity",
        "lora_dropout is NaN",
    ]
    assert "the rank" in without.trainable.reason
    json.dumps(inspection(facts), allow_nan=False)
    json.dumps(inspection(without), allow_nan=False)


NAMES_CODE = Problem(path="adapter_model.bin", message="this file names code")
STORED = Checkpoint(
    source=SOURCE,
    tensors=(TensorSpec(name="a", shape=(2, 16)), TensorSpec(name="b", shape=(16, 2))),
    problems=(NAMES_CODE,),
)


@pytest.mark.parametrize(
    ("kind", "base"), [("LORA", None), ("SOMETHING_NEW", None), ("SOMETHING_NEW", BASE)]
)
def test_what_is_stored_is_known_without_a_base_or_a_formula(kind, base):
    facts = described(kind, {"r": 2}, base, STORED)
    assert isinstance(facts.trainable, Missing)
    assert facts.stored.total == 64
    assert inspection(facts)["stored_parameters"] == 64
    assert NAMES_CODE in facts.lint


@pytest.mark.slow
def test_very_many_modules_trained_whole_are_told_from_the_others_in_bounded_time():
    names = [f"layers.{n}.{end}_proj.weight" for n in range(4_000) for end in "qk"]
    base = base_models.base_model("", {}, base_models.tensor_specs(dict.fromkeys(names, (4, 4))))
    began = time.process_time()
    facts = on(base, target_modules=["q_proj"], modules_to_save=["k_proj"])
    assert facts.trainable.value == 4_000 * (2 * 16 * 4 + 4 * 4)
    assert time.process_time() - began < 6


@pytest.mark.parametrize(("names", "trained"), [(24, 256), (20, 1280), (19, 1216)])
def test_a_long_list_of_whole_names_is_shortened_first(names, trained):
    sizes = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 12}
    sizes |= {"num_attention_heads": 2, "intermediate_size": 32}
    sizes |= {"architectures": ["LlamaForCausalLM"]}
    base = base_models.base_model("llama", sizes)
    listed = [f"model.layers.{n}.self_attn.{end}_proj" for n in range(12) for end in "qv"]
    facts = on(base, r=2, target_modules=listed[:names], layers_to_transform=[0, 1])
    assert facts.trainable.value == trained
