"""What adapters train: published figures, PEFT's matching rules, and their limits."""

import warnings

import pytest
from fakes.base_models import base_model, modules_of_base

from reportgen.parameters.adapters import KINDS, count_adapter, role_of_task, scaling_of
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


def test_the_lab_adapter_trains_what_peft_prints(adapter, bloom):
    counted = count_adapter(adapter(target_modules=["query_key_value"]), bloom, "bloom")

    assert counted.trainable == 24 * 16 * (1024 + 3072) == 1_572_864
    assert counted.targets == (("transformer.h.*.self_attention.query_key_value", 1024, 3072, 24),)


def test_a_classifier_with_all_biases_is_counted_once(adapter, roberta):
    counted = count_adapter(
        adapter(
            r=4,
            target_modules=["query", "value", "key"],
            bias="all",
            modules_to_save=["classifier", "score"],
            task_type="SEQ_CLS",
        ),
        roberta,
        "roberta",
    )

    # Published with the AG News logs.
    assert counted.trainable == 916_996


def test_null_targets_without_default_are_refused(adapter, roberta):
    with pytest.raises(EvidenceError, match="no default for model type 'camembert'"):
        count_adapter(adapter(), roberta, "camembert")


def test_an_embedding_gets_two_thin_tables(adapter):
    table = Module(name="wte", kind="embedding", in_features=100, out_features=8)

    assert count_adapter(adapter(r=2, target_modules=["wte"]), [table], "").trainable == 216


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


def test_scaling_is_alpha_over_rank_or_its_root():
    assert scaling_of({"r": 16, "lora_alpha": 32}) == (32, 16, False)
    assert scaling_of({"r": 16, "lora_alpha": 32, "use_rslora": True}) == (32, 16, True)
    assert scaling_of({"r": 0}) is None


def test_each_task_has_a_class():
    heads = {
        "CAUSAL_LM": "CausalLM",
        "SEQ_CLS": "SequenceClassification",
        "SEQ_2_SEQ_LM": "Seq2SeqLM",
        "TOKEN_CLS": "TokenClassification",
        "QUESTION_ANS": "QuestionAnswering",
        "FEATURE_EXTRACTION": "base",
        None: "",
    }

    assert {task: role_of_task(task) for task in heads} == heads


def linear(name, inputs=16, outputs=32):
    return Module(name=name, kind="linear", in_features=inputs, out_features=outputs)


# Each kind on one matrix of 16 inputs and 32 outputs, worked out by hand.
@pytest.mark.parametrize(
    ("kind", "values", "trained"),
    [
        ("ADALORA", {"init_r": 2}, 2 * (16 + 32 + 1)),
        ("BEFT", {}, 32),
        ("BOFT", {"boft_block_size": 4}, 4 * 4**2 + 32),
        ("C3A", {"block_size": 8}, 16 * 32 // 8),
        ("DELORA", {"r": 2}, 2 * (16 + 32) + 1),
        ("FOURIERFT", {"n_frequency": 100}, 100),
        ("GRALORA", {"r": 4, "gralora_k": 2, "hybrid_r": 1}, (4 + 1) * (16 + 32)),
        ("HIRA", {"r": 2}, 2 * (16 + 32)),
        ("HRA", {"r": 2}, 2 * 16),
        ("IA3", {"feedforward_modules": []}, 32),
        ("LOHA", {"r": 2}, 2 * 2 * (16 + 32)),
        ("LOKR", {"r": 1}, 4 * 4 + 1 * (4 + 8)),
        ("LORA", {"r": 2}, 2 * (16 + 32)),
        ("MISS", {"r": 2}, 2 * 32),
        ("OFT", {"oft_block_size": 4}, 4 * 4 * 3 // 2),
        ("PEANUT", {"r": 2, "depth": 3}, 2 * 2 * (32 + 3 * 2)),
        ("PVERA", {"r": 2}, 2 * 2 + 32),
        ("RANDLORA", {"r": 5}, 4 * (5 + 16)),
        ("ROAD", {"variant": "road_2", "group_size": 8}, 2 * 32),
        ("SHIRA", {"r": 2}, 2 * (16 + 32)),
        ("UNILORA", {"theta_d_length": 70}, 70),
        ("VBLORA", {"r": 2, "num_vectors": 5, "vector_length": 8}, 2 * 5 * (2 + 4) + 5 * 8),
        ("VERA", {"r": 2}, 2 + 32),
        ("WAVEFT", {"n_frequency": 100}, 100),
    ],
)
def test_each_kind_has_its_formula(kind, values, trained, adapter):
    modules = (linear("h.0.q"), linear("h.0.k"))

    counted = count_adapter(adapter(kind, target_modules=["q"], **values), modules, "")

    assert counted.trainable == trained
    assert counted.matched == ("h.0.q",)
    assert counted.base == 2 * 16 * 32


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


def test_rows_of_embeddings_alone(adapter):
    table = Module(name="embed", kind="embedding", in_features=50, out_features=16)
    values = {"token_indices": [1, 5, 7]}

    counted = count_adapter(adapter("TRAINABLE_TOKENS", **values), [table, linear("q")], "")

    assert counted.trainable == 3 * 16


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_formulas_of_every_kind_can_be_read(kind):
    for name in KINDS[kind].formulas:
        assert KINDS[kind].formula(name)
