"""Configurations from strangers: a problem with file, key and remedy, or a total; never more."""

import json
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.parameters import describe_model, explain, inspection, outline, total_scope
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.run import Source

SECONDS, MEGABYTES = 5, 200


def nested(levels):
    held: dict[str, object] = {}
    for _ in range(levels):
        held = {"a": held}
    return held


# What is no size.
ODD = {
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "minus Infinity": float("-inf"),
    "a fraction": 512.5,
    "negative": -4,
    "just too large": 2**40 + 1,
    "huge": 10**400,
    "more digits than Python prints": 10**5000,
    "a text": "wide",
    "digits as a text": "512",
    "a very long text": "9" * 100_000,
    "true": True,
    "a list": [512],
    "a list of lists": [[[[[1]]]]],
    "a very long list": [1] * 100_000,
    "a list of huge numbers": [10**5000] * 3,
    "a list of NaN": [float("nan")],
    "an object": {"a": 1},
    "deep nesting": nested(3000),
}
# A size of each kind: widths, layers, heads, experts, one inside another configuration.
SIZES = (
    ("bert", "hidden_size"),
    ("bert", "type_vocab_size"),
    ("llama", "num_hidden_layers"),
    ("t5", "d_kv"),
    ("vit", "intermediate_size"),
    ("mixtral", "num_local_experts"),
    ("clip", "text_config.hidden_size"),
)


def described(model_type, key, value):
    for word in reversed(key.split(".")):
        value = {word: value}
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    return describe_model("m", ModelConfig(source=source, model_type=model_type, values=value))


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
@pytest.mark.parametrize(("model_type", "key"), SIZES)
def test_what_is_no_size_is_a_problem_with_file_key_and_remedy(model_type, key, value):
    began = time.process_time()
    facts = described(model_type, key, value)
    (problem,) = (each for each in facts.problems if each.level == "warning")
    assert total_scope(facts) is None
    assert problem.path == "config.json"
    assert key in problem.message
    assert len(problem.message) < 500
    assert problem.remedy
    assert outline(facts) is None
    assert time.process_time() - began < SECONDS
    json.dumps(inspection(facts), allow_nan=False)


@pytest.mark.parametrize("value", [0, 0.0, False, None])
@pytest.mark.parametrize("key", ["hidden_size", "num_attention_heads"])
def test_a_width_of_zero_is_no_model(key, value):
    facts = described("bert", key, value)
    assert total_scope(facts) is None
    assert any(key in each.message for each in facts.problems if each.level == "warning")


def test_a_model_without_layers_is_counted():
    facts = described("bert", "num_hidden_layers", 0)
    assert total_scope(facts).total == (30522 + 512 + 2 + 2) * 768


@pytest.mark.parametrize(
    ("model_type", "values"),
    [
        ("bert", {"num_hidden_layers": 2**14 + 1}),
        ("llama", {"num_hidden_layers": 2**40}),
        ("whisper", {"decoder_layers": 2**30}),
        ("albert", {"num_hidden_groups": 2**13, "inner_group_num": 2**13}),
    ],
)
def test_more_layers_than_any_model_has_are_refused_at_once(model_type, values):
    began = time.process_time()
    tracemalloc.start()
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    facts = describe_model("m", ModelConfig(source=source, model_type=model_type, values=values))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total_scope(facts) is None
    assert any("more than 16,384" in problem.message for problem in facts.problems)
    assert time.process_time() - began < SECONDS
    assert peak < MEGABYTES * 2**20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model_type", "values"),
    [
        ("bert", {"num_hidden_layers": 2**12}),
        ("qwen3_moe", {"num_hidden_layers": 2**10, "mlp_only_layers": list(range(2**14))}),
        ("mixtral", {"num_hidden_layers": 2**12, "num_local_experts": 2**12}),
        ("bert", {f"key_{number}": number for number in range(8_000)}),
        ("bert", {"id2label": {str(number): "x" for number in range(8_000)}}),
        ("bert", {"architectures": ["BertModel"] * 100_000}),
        ("bert", {"architectures": nested(3000)}),
        ("bert", {"quantization_config": nested(6)}),
        ("bert", {"transformers_version": "9" * 100_000}),
        ("bert", {"transformers_version": nested(3000)}),
        ("bert", {"transformers_version": 10**5000}),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_large_and_odd_files_are_read_in_bounded_time_and_memory(model_type, values):
    began = time.process_time()
    tracemalloc.start()
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    facts = describe_model("m", ModelConfig(source=source, model_type=model_type, values=values))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert facts.ledger.terms
    assert all(problem.remedy or problem.level == "note" for problem in facts.problems)
    # Following every allocation makes this several times slower than it is.
    assert time.process_time() - began < 4 * SECONDS
    assert peak < MEGABYTES * 2**20


@pytest.mark.parametrize("model_type", ["", "x" * 100_000, "../../etc/passwd", "bert.json", "\0"])
def test_a_model_type_that_is_no_name_is_unknown(model_type):
    facts = described(model_type, "hidden_size", 8)
    assert facts.ledger.terms == ()
    assert len(facts.problems[0].message) < 300
    assert facts.problems[0].remedy


KEYS = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim"),
    *("intermediate_size", "vocab_size", "type_vocab_size", "num_labels", "id2label", "d_model"),
    *("num_experts", "mlp_only_layers", "decoder_sparse_step", "layer_types", "attention_bias"),
    *("text_config", "vision_config", "architectures", "tie_word_embeddings", "image_size"),
    *("transformers_version", "encoder_embed_dim", "pos_att_type", "feed_forward_proj"),
)
ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 40)
    | st.sampled_from([2**40, 2**63, 10**400])
    | st.floats()
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=6,
)
TYPES = ("bert", "roberta", "deberta-v2", "gpt2", "llama", "qwen3_moe", "t5", "vit", "clip")


@given(
    model_type=st.sampled_from(TYPES),
    values=st.dictionaries(st.sampled_from(KEYS), ANY, max_size=5),
)
def test_any_value_under_any_key_gives_a_total_or_a_reason(model_type, values):
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    facts = describe_model("m", ModelConfig(source=source, model_type=model_type, values=values))
    found = inspection(facts)
    assert (found["total_parameters"] is None) == bool(found["missing"])
    if found["total_parameters"] is not None:
        counts = {term.name: term.count for term in facts.ledger.terms}
        scope = total_scope(facts)
        assert scope.total == sum(counts[name] for name in scope.terms)
    explain(facts.ledger, 1000)
    outline(facts)
