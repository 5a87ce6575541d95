"""What adapters train: published figures, PEFT's matching rules, and their limits."""

import warnings

import pytest
from fakes.base_models import base_model, modules_of_base

from reportgen.parameters.adapters import KINDS, count_adapter
from reportgen.parameters.modules import Module
from reportgen.records.errors import EvidenceError

BLOOM = {"n_embed": 1024, "n_layer": 24, "num_attention_heads": 16}
ROBERTA = {"max_position_embeddings": 514, "type_vocab_size": 1, "num_labels": 4}


def modules(model_type, values, head):
    return modules_of_base(base_model(model_type, values).config, head)


@pytest.fixture
def bloom():
    return modules("bloom", BLOOM, "CausalLM")


@pytest.fixture
def roberta():
    return modules("roberta", ROBERTA, "SequenceClassification")


def test_null_targets_without_default_are_refused(adapter, roberta):
    with pytest.raises(EvidenceError, match="no default for model type 'camembert'"):
        count_adapter(adapter(), roberta, "camembert")


@pytest.mark.parametrize(
    "change", [{"r": 0}, {"r": "16"}, {"r": True}, {"use_bdlora": {"nblocks": 2}}]
)
def test_what_cannot_be_counted_is_refused(change, adapter, bloom):
    with pytest.raises(EvidenceError):
        count_adapter(adapter(target_modules=["query_key_value"], **change), bloom, "bloom")


@pytest.mark.parametrize(
    "expression",
    ["(a+)+b", "(.*)*x", "(", "x" * 2000, "(" * 499 + ")" * 499, "a{99999999999999999999}"],
    ids=lambda text: text[:20],
)
def test_a_hostile_expression_is_not_evaluated(expression, adapter, bloom):
    with pytest.raises(EvidenceError, match="regular expression"):
        count_adapter(adapter(target_modules=expression), bloom, "bloom")


def test_an_expression_that_python_wonders_at_is_read_without_a_word(adapter, bloom):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        count = count_adapter(adapter(target_modules=".*[[q]uery_key_value"), bloom, "bloom")
    assert count.trainable > 0


def linear(name, inputs=16, outputs=32):
    return Module(name=name, kind="linear", in_features=inputs, out_features=outputs)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("C3A", {"block_size": 5}),
        ("FOURIERFT", {"n_frequency": 16 * 32 + 1}),
        ("GRALORA", {"r": 5}),
        ("MISS", {"r": 17}),
        ("ROAD", {"variant": "road_3"}),
        ("SHIRA", {"r": 11}),
        ("VBLORA", {"vector_length": 5}),
        ("HIRA", {"target_modules": "h.0.q", "layers_to_transform": 0}),
    ],
)
def test_what_peft_refuses_of_a_shape_is_refused(kind, values, adapter):
    with pytest.raises(EvidenceError, match="PEFT refuses"):
        count_adapter(adapter(kind, **{"target_modules": ["q"]} | values), [linear("h.0.q")], "")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_formulas_of_every_kind_can_be_read(kind):
    for name in KINDS[kind].formulas:
        assert KINDS[kind].formula(name)
