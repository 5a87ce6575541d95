"""Adapters from strangers: any value under any key gives facts, never an exception."""

import json
import time

import pytest
from fakes import base_models
from hypothesis import given
from hypothesis import strategies as st

from reportgen.parameters import inspection
from reportgen.parameters.adapters import KEYS_OF_KIND, OTHER_KINDS
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.quantity import Missing, Quantity
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


def test_a_kind_without_formula_has_a_reason_and_no_accusation():
    for kind in OTHER_KINDS:
        facts = described(kind, {"r": 4})
        assert facts.trainable.reason.endswith(kind)
        assert facts.lint == ()


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


def test_a_list_too_long_to_compare_has_no_count():
    saved = [f"encoder.layer.{n}" for n in range(10_000)]
    facts = on(BASE, target_modules=["query"], modules_to_save=saved)

    assert "at most 2,000" in facts.trainable.reason


def test_a_misspelled_kind_is_named_with_its_neighbour():
    (problem,) = described("LORRA", {}).lint

    assert problem.remedy == 'did you mean "LORA"?'


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("LORA", {"init_lora_weights": "eva"}, "EVA"),
        ("LORA", {"init_lora_weights": "MiCA"}, "one matrix of each pair"),
        ("LORA", {"use_bdlora": {"nblocks": 2}}, "use_bdlora"),
        ("BOFT", {"boft_n_butterfly_factor": 2}, "CUDA extension"),
    ],
)
def test_what_does_not_follow_from_the_file_is_missing(kind, values, words):
    reason = described(kind, {"target_modules": ["query"]} | values).trainable.reason

    assert words in reason


def test_what_adalora_prunes_is_said():
    values = {"init_r": 6, "total_step": 9, "target_modules": ["query"]}
    pattern = {f"layer.{n}.query.lora_E": [True, False] * 3 for n in range(2)}

    start = described("ADALORA", values)
    end = described("ADALORA", values | {"rank_pattern": pattern})

    assert start.trainable.value == end.trainable.value == 2 * 6 * (16 + 16 + 1)
    assert "depends on the data" in start.lint[-1].message
    assert "6 of 12 ranks are left" in end.lint[-1].message


def test_experts_in_one_tensor_are_adapted_each():
    stored = (
        TensorSpec(name="model.embed_tokens.weight", shape=(50, 16)),
        TensorSpec(name="model.layers.0.self_attn.q_proj.weight", shape=(16, 16)),
        TensorSpec(name="model.layers.0.mlp.experts.down_proj", shape=(4, 16, 24)),
    )
    base = base_models.base_model("unheard_of", {}, stored)
    values = {"r": 2, "target_modules": [], "target_parameters": ["experts.down_proj"]}

    facts = described("LORA", values, base)

    assert isinstance(facts.trainable, Quantity)
    assert facts.trainable.value == 4 * 2 * (16 + 24)
    assert facts.base_total.value == 50 * 16 + 16 * 16 + 4 * 16 * 24


def test_packed_weights_of_an_unknown_family_have_no_shapes():
    stored = (
        TensorSpec(name="layers.0.q_proj.weight", shape=(128, 1), dtype="uint8"),
        TensorSpec(name="layers.0.q_proj.weight.quant_state.bitsandbytes__nf4", shape=(80,)),
    )
    base = base_models.base_model("unheard_of", {}, stored)

    facts = described("LORA", {"r": 2, "target_modules": ["q_proj"]}, base)

    assert "packed weights" in facts.trainable.reason


def test_experts_that_are_modules_in_some_versions_get_no_number():
    sizes = SIZES | {"num_experts": 4, "moe_intermediate_size": 8, "num_key_value_heads": 2}
    base = base_models.base_model("qwen3_moe", sizes | {"head_dim": 8})

    whole = described("LORA", {"target_modules": "all-linear", "task_type": "CAUSAL_LM"}, base)
    queries = described("LORA", {"target_modules": ["q_proj"], "task_type": "CAUSAL_LM"}, base)

    assert "depends on it" in whole.trainable.reason
    assert queries.trainable.value == 2 * 8 * (16 + 16)


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


def test_an_adapter_without_its_weights_stores_an_unknown_number():
    found = inspection(described("LORA", {"r": 2}))

    assert found["stored_parameters"] is None
    assert "no adapter weights" in found["missing"]["stored_parameters"]


@pytest.mark.parametrize(("kind", "named"), [("bert", "BertForRiddles"), ("t5", "T5Oracle")])
def test_an_adapter_on_a_class_whose_parts_are_unknown_is_not_counted(kind, named):
    base = base_models.base_model(kind, {"architectures": [named]})
    facts = on(base, target_modules="all-linear", task_type=None)

    assert named in facts.trainable.reason


def test_a_task_names_the_class_where_the_base_is_of_another():
    values = {"architectures": ["BertForPreTraining"]}
    base = base_models.base_model("bert", values)
    facts = on(base, target_modules=["query"], task_type="SEQ_CLS")

    assert facts.trainable.value == 12 * 16 * 2 * 768 + 2 * 769


@pytest.mark.parametrize("kind", ["vit", "gemma", "phi3"])
def test_a_family_without_a_class_for_answers_is_refused(kind):
    base = base_models.base_model(kind, {})
    facts = on(base, target_modules="all-linear", task_type="QUESTION_ANS")

    assert "no class" in facts.trainable.reason


@pytest.mark.parametrize("kind", ["mixtral", "qwen2_moe", "qwen3_moe"])
@pytest.mark.parametrize("written", ["4.57.0", "5.23.0"])
def test_all_linear_modules_of_a_mixture_depend_on_the_library(kind, written):
    values = {"transformers_version": written, "num_hidden_layers": 2}
    base = base_models.base_model(kind, values)
    facts = on(base, target_modules="all-linear")

    assert "match experts" in facts.trainable.reason


def test_a_setting_that_its_kind_does_not_have_changes_nothing():
    plain, odd = (
        on(BASE, "VERA", r=4, target_modules=["query"], **more)
        for more in ({}, {"exclude_modules": ".*0.*"})
    )

    assert odd.trainable.value == plain.trainable.value
    assert any("exclude_modules is no key" in problem.message for problem in odd.lint)


def test_modules_saved_inside_saved_ones_are_refused():
    saved = ["encoder.layer.1", "LayerNorm"]
    facts = on(BASE, target_modules=["query"], modules_to_save=saved)

    assert "layer.1.attention.output.LayerNorm inside it" in facts.trainable.reason


SMALL = {
    "t5": {"d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 2, "num_heads": 4},
    "bart": {
        "d_model": 16,
        **dict.fromkeys(("encoder_layers", "decoder_layers"), 2),
        **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), 32),
        "max_position_embeddings": 20,
    },
}


def small(kind, **more):
    values = {"vocab_size": 50, **SMALL[kind], **more}
    return base_models.base_model(kind, values)


@pytest.mark.parametrize(
    "values",
    [
        {"modules_to_save": ["embed_tokens"]},
        {"target_modules": ["q", "q_proj", "embed_tokens"]},
        {"trainable_token_indices": {"embed_tokens": [1, 2]}},
    ],
)
@pytest.mark.parametrize("kind", SMALL)
def test_a_module_that_holds_the_shared_table_depends_on_the_library(kind, values):
    values = {"target_modules": ["q", "q_proj"], **values}
    facts = on(small(kind), **values)

    assert "encoder.embed_tokens" in facts.trainable.reason
    assert not any("names embed_tokens" in problem.message for problem in facts.lint)


# What peft 0.21 trains with transformers 5.23 on the meta device.
@pytest.mark.parametrize(
    ("kind", "side", "trained"),
    [
        ("t5", "encoder", 5616),
        ("t5", "decoder", 7440),
        ("bart", "encoder", 6144),
        ("bart", "decoder", 8128),
    ],
)
def test_a_side_that_is_saved_whole_has_its_copy_of_the_shared_table(kind, side, trained):
    base = small(kind, architectures=[f"{kind.title()}ForConditionalGeneration"])
    targets = ["q", "v", "q_proj", "v_proj"]
    facts = on(base, r=2, target_modules=targets, modules_to_save=[side])

    assert facts.trainable.value == trained


# What peft 0.21 trains with transformers 5.23 on the meta device: from 20 names on it shortens
# the list, and then asks for the layer.
@pytest.mark.parametrize(
    ("kind", "layers", "trained"),
    [
        *[("LOHA", 2, 1920), ("LOHA", 6, 896)],
        *[("LOKR", 2, 448), ("LOKR", 6, 208)],
        *[("VERA", 2, 266), ("VERA", 6, 124)],
    ],
)
def test_layers_narrow_all_linear_modules_where_they_are_many(kind, layers, trained):
    sizes = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": layers}
    sizes |= {"num_attention_heads": 2, "intermediate_size": 32, "max_position_embeddings": 20}
    sizes |= {"architectures": ["RobertaModel"]}
    base = base_models.base_model("roberta", sizes)
    values = {"target_modules": "all-linear", "layers_to_transform": [0]}

    facts = on(base, kind, r=2, **values)

    assert facts.trainable.value == trained


def test_a_head_that_is_saved_is_none_of_many_linear_modules():
    sizes = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
    base = base_models.base_model("deberta-v2", {**sizes, "intermediate_size": 32})
    every, two = (
        on(base, "LOHA", r=2, target_modules="all-linear", task_type="SEQ_CLS", **more)
        for more in ({}, {"layers_to_transform": [0, 2]})
    )

    assert every.trainable.value == two.trainable.value


# What peft 0.21 trains with transformers 5.23.
@pytest.mark.parametrize(
    ("kind", "sizes", "width"),
    [
        ("phi3", {"num_key_value_heads": 2}, 8),
        ("qwen2", {"num_key_value_heads": 2}, 8),
        ("qwen3", {"num_key_value_heads": 2, "head_dim": 6}, 12),
        ("bert", {}, 16),
    ],
)
def test_a_prefix_is_as_wide_as_the_keys(kind, sizes, width):
    sizes |= {"hidden_size": 16, "num_attention_heads": 4, "num_hidden_layers": 3}
    base = base_models.base_model(kind, sizes)
    facts = on(base, "PREFIX_TUNING", num_virtual_tokens=5, task_type="FEATURE_EXTRACTION")

    assert facts.trainable.value == 5 * 3 * 2 * width


@pytest.mark.parametrize(
    ("kind", "more", "reason"),
    [
        ("gpt_bigcode", {}, "no weight is sized by"),
        ("qwen2", {"token_dim": 8}, "no weight is sized by"),
        ("mpt", {}, "has no num_attention_heads"),
        ("albert", {"task_type": "SEQ_CLS"}, "needs the number of layers"),
    ],
)
def test_a_prefix_of_a_width_that_no_weight_tells_is_refused(kind, more, reason):
    base = base_models.base_model(kind, {})
    values = {"num_virtual_tokens": 5, "task_type": "CAUSAL_LM"} | more
    facts = on(base, "PREFIX_TUNING", **values)

    assert reason in facts.trainable.reason


def test_a_prefix_stands_before_as_many_layers_as_the_library_says():
    """The library takes the layers of the encoder for those of the model."""
    base = small("bart", decoder_layers=3)
    facts = on(base, "PREFIX_TUNING", num_virtual_tokens=5, task_type="SEQ_CLS")

    assert facts.trainable.value == 5 * 2 * 2 * 16


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


@pytest.mark.parametrize("kind", ["LORA", "ADALORA"])
def test_layers_beside_one_text_are_refused_as_peft_refuses_them(kind):
    values = {"target_modules": "all-linear", "layers_to_transform": [0]}
    facts = on(BASE, kind, **values)

    assert "PEFT refuses" in facts.trainable.reason
