"""Shapes and parts of a model as a report states them."""

from __future__ import annotations

import pytest
from fakes.stated import evidence, findings, lab_adapter, lab_model, levels, published

RULE = "shape"
MODEL = evidence(model=lab_model())


def one(text, facts=MODEL):
    ((_, level, verdict),) = levels(RULE, text, facts)
    return level, verdict


@pytest.mark.parametrize(
    "text",
    [
        r"$W_1, W_2 \in \mathbb{R}^{d_{model} \times d_{model}}$",
        r"$W_1 \in \mathbb{R}^{d_{model} \times d_{ff}}$",
        r"$W_i^Q \in \mathbb{R}^{d_{model} \times d_k}$",
        r"$W^O \in \mathbb{R}^{hd_v \times d_{model}}$",
        r"$W^Q \in \mathbb{R}^{d_{model} \times d_{model}/h}$",
        r"$W \in \mathbb{R}^{512 \times 512}$",
        r"$W_e \in \mathbb{R}^{32000 \times 512}$",
        "The weight matrix has size 512 × 64.",
        "three sets of weight matrices",
        "two linear layers",
        "with 3 linear projection from d",
        "one outer projection",
        "four projection matrices",
    ],
)
def test_what_the_model_has_agrees(text):
    assert one(text) == ("none", "agrees")


@pytest.mark.parametrize(
    "text",
    [
        r"$W_1 \in \mathbb{R}^{512 \times 2048}$",
        r"$W \in \mathbb{R}^{768 \times 768}$",
        "The weight matrix has size 300 × 64.",
    ],
)
def test_a_shape_that_no_weight_has_is_a_warning(text):
    assert one(text) == ("warning", "disagrees")


def test_sides_that_are_not_understood_are_not_checkable():
    assert one(r"$W \in \mathbb{R}^{q \times zz}$") == ("none", "not checkable")


def test_a_number_of_matrices_that_no_reading_has_is_left_alone():
    assert levels(RULE, "nine weight matrices", MODEL) == []
    assert levels(RULE, "two linear layers", evidence()) == []


def test_a_gated_network_has_three_matrices():
    facts = evidence(model=published("llama-7b"))
    assert one("three linear layers", facts) == ("none", "agrees")
    assert levels(RULE, "two linear layers", facts) == []


def test_shapes_of_an_adapter_are_its_own():
    text = "# LoRA\n\n" + r"$W_A \in \mathbb{R}^{1024 \times 16}$"
    both = evidence(model=lab_model(), adapters=[lab_adapter()])
    assert one(text, both) == ("none", "agrees")
    assert one(text, MODEL) == ("none", "not checkable")


def test_a_head_has_as_many_classes_as_its_file_names():
    names = {str(number): f"LABEL_{number}" for number in range(43)}
    facts = evidence(model=published("bert-base-uncased", id2label=names))
    assert one("The weight matrix has size 768 × 43.", facts) == ("none", "agrees")
    assert one("The weight matrix has size 768 × 44.", facts) == ("warning", "disagrees")


HEAD = "there are 3 x (hidden size x hidden size) parameters for each attention head"


def test_a_square_is_a_head_s_only_where_there_is_one():
    (finding,) = findings(RULE, HEAD, MODEL)
    assert (finding.level, finding.verdict) == ("error", "disagrees")
    assert "3 × 512 × 64 = 98,304" in finding.message
    assert "786,432" in finding.message
    assert one(HEAD, None) == ("note", "borderline")
    single = evidence(model=published("bert-base-uncased", num_attention_heads=1))
    assert one(HEAD, single) == ("none", "agrees")
    # Where the heads are not known, nothing more can be said than without the model.
    unknown = evidence(model=published("bert-base-uncased"))
    assert one(HEAD, unknown)[0] in {"note", "error"}


NORM = 'The "Add and norm" sublayer does not add any trainable parameters.'


def test_a_part_that_has_parameters_in_the_model_is_a_warning():
    (finding,) = findings(RULE, NORM, MODEL)
    assert (finding.level, finding.verdict) == ("warning", "disagrees")
    # Two norms a layer and one of the embeddings, each with weight and bias.
    assert f"{(4 * 2 + 1) * 2 * 512:,} parameters in norm layers" in finding.message
    assert findings(RULE, NORM) == []


MODULES = """\
| Module | Shape | Parameters |
|---|---|---:|
| Word embeddings | {} | 16,384,000 |
| Feed-forward network | 512 → 512 → 512 | 525,312 |
| Token types | 1 × 512, in some programs only | 512 |
| Layer norm | 512 weights, 512 biases | 1,024 |
"""


def shapes(text):
    told = findings(RULE, text, MODEL)
    return [(f.claim.content.value, f.level) for f in told if f.claim.kind == "arch_shape"]


def test_shapes_in_cells_are_those_of_the_model():
    assert shapes(MODULES.format("32000 × 512")) == [
        (("32000", "512"), "none"),
        (("512", "512"), "none"),
        (("512", "512"), "none"),
        (("1", "512"), "none"),
    ]
    assert shapes(MODULES.format("32,000 × 517"))[0] == (("32000", "517"), "warning")


@pytest.mark.parametrize(
    "text",
    [
        # Sizes of images, of outputs, of kernels.
        "| Layer | Size | Parameters |\n|---|---|---|\n| input | 224 × 224 | 0 |\n",
        "| Layer | Output shape | Parameters |\n|---|---|---|\n| conv | 112 × 112 | 9,408 |\n",
        "| Layer | Shape | Parameters |\n|---|---|---|\n| conv | 64 × 3 × 7 × 7 | 9,408 |\n",
        "| Data | Shape |\n|---|---|\n| MNIST | 28 × 28 |\n",
    ],
)
def test_other_sizes_are_no_shapes_of_weights(text):
    assert shapes(text) == []
