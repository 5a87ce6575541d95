"""Printed numbers of parameters against published and counted models."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.stated import evidence, findings, lab_adapter, lab_model, levels, published, written
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.checks.parameter_count import as_rounded

RULE = "parameter_count"
LAB = evidence(model=lab_model())
BOTH = evidence(model=lab_model(), adapters=[lab_adapter()])
OMITS = "We omit the biases, the normalization layers and the language model head.\n\n"
COUNTS = Path(__file__).parents[2] / "oracle" / "param_counts.csv"


def of(text, facts=LAB):
    (finding,) = findings(RULE, text, facts)
    return finding


@pytest.mark.parametrize(
    "number",
    [
        # Weights, encoder, with heads, as fairseq and as Hugging Face count it.
        *("22807552", "22,829,056", "23,092,738", "23,124,736", "23,388,418", "23,093,250"),
        # Rounded in print.
        *("22.8M", "22.8 million", "23M", "about 23 million", "22,8 millions de"),
        # Biases without norms, norms without biases, the tied projection counted twice.
        *("22,819,840", "22,816,768", "39,508,736"),
    ],
)
def test_a_count_under_any_scope_raises_nothing(number):
    finding = of(f"The model has {number} parameters.")
    assert finding.level == "none"
    assert finding.verdict.startswith("agrees")


def test_the_scope_that_the_text_describes_is_named_first():
    finding = of(f"{OMITS}This yields 22807552 parameters.")
    assert "no biases, norms, pooler or heads" in finding.message
    finding = of(f"{OMITS}This yields 22829056 parameters.")
    assert (finding.level, finding.verdict) == ("none", "agrees")
    assert "while the text counts without biases, without norms" in finding.message


def test_what_lies_between_a_count_and_its_scope_is_named_term_by_term():
    finding = of(f"{OMITS}Nb of parameters = 4 × (512 × 512) + 7 = 20,578,304")
    assert (finding.level, finding.verdict) == ("error", "disagrees")
    assert "2,229,248 less than 22,807,552" in finding.message
    assert "position embeddings (132,096)" in finding.likely_cause
    # The four attention outputs and one of the two feed-forward matrices: 2,097,152.
    assert finding.likely_cause.count("1,048,576") == 2
    assert finding.expected.value == 22_807_552
    assert finding.delta == 20_578_304 - 22_807_552


@pytest.mark.parametrize("number", ["22,807,551", "21,807,552", "25M", "12 million"])
def test_a_count_under_no_scope_is_an_error(number):
    assert of(f"Our model has {number} parameters.").level == "error"


def test_without_a_model_nothing_is_said():
    assert findings(RULE, "ResNet-50 has 25.6M parameters.") == []
    assert findings(RULE, "ResNet-50 has 25.6M parameters.", evidence()) == []


@pytest.mark.parametrize(
    "text",
    [
        "ResNet-50 has 25.6M parameters.",
        "We start from BERT-base with 110M parameters.",
        "| Model | Parameters |\n|---|---|\n| GPT-2 | 124M |\n",
        "RoBERTa has 125M parameters.",
        "A larger model with 300M parameters would overfit.",
    ],
)
def test_another_model_is_not_held_against_the_one_that_was_given(text):
    finding = of(text)
    assert (finding.level, finding.verdict) == ("none", "not checkable")
    assert finding.reason


@pytest.mark.parametrize(
    ("model", "number"),
    [
        *(("bert-base-uncased", n) for n in ("109,482,240", "110M", "109.5M", "109 million")),
        *(("gpt2", n) for n in ("124,439,808", "124M", "124.4 million", "85M")),
        *(("distilbert-base-uncased", n) for n in ("66,362,880", "66M", "67M", "66,955,010")),
        ("bloom-560m", "559,214,592"),
    ],
)
def test_published_counts_agree_with_their_configurations(model, number):
    finding = of(f"The model has {number} parameters.", evidence(model=published(model)))
    assert (finding.level, finding.verdict.split()[0]) == ("none", "agrees")


@pytest.mark.parametrize(
    ("model", "number"),
    [("bert-base-uncased", "125M"), ("gpt2", "117,000,001"), ("distilbert-base-uncased", "82M")],
)
def test_counts_of_other_models_do_not(model, number):
    facts = evidence(model=published(model))
    assert of(f"The model has {number} parameters.", facts).level == "error"


def counted_elsewhere():
    """(model, count) of every class that transformers itself counted."""
    with COUNTS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wanted = {"bert-base-uncased", "distilbert-base-uncased", "gpt2", "bloom-560m"}
    return sorted({(r["model"], int(r["count"])) for r in rows if r["model"] in wanted})


@pytest.mark.parametrize(("model", "count"), counted_elsewhere())
def test_what_transformers_counts_for_any_class_agrees(model, count):
    facts = evidence(model=published(model))
    assert of(f"The model has {count:,} parameters.", facts).verdict == "agrees"


PARTS = {
    "# Embedding Parameters = 32000 × 512 = 16384000": "none",
    "# Positional Encoding Parameters = 258 × 512 = 132096": "none",
    "# Positional Encoding Parameters = 256 × 512 = 131072": "none",
    "# Attention Parameters per Layer = 4 × 512 × 512 = 1048576": "none",
    "# FFN Parameters per Layer = 2 × 512 × 512 = 524288": "none",
    "# FFN Parameters = 8 × 512 × 512 = 2097152": "none",
    "# Attention Parameters per Layer = 4 × 512 × 500 = 1024000": "warning",
    "# Embedding Parameters = 30000 × 512 = 15360000": "warning",
}


@pytest.mark.parametrize(("text", "level"), PARTS.items())
def test_parts_are_held_against_parts(text, level):
    assert [found[1] for found in levels(RULE, text, LAB, "report.txt")] == [level]


@pytest.mark.parametrize(("number", "level"), [("20,088,192", "none"), ("20,188,192", "warning")])
def test_words_and_positions_before_the_layers_count_together(number, level):
    text = f"The input goes into Embeddings (words and positions; {number} parameters)."
    assert of(text, evidence(model=published("whisper-tiny"))).level == level


PEFT = "```\ntrainable params: {} || all params: {} || trainable%: {}\n```\n"


@pytest.mark.parametrize(
    "numbers",
    [
        ("1,572,864", "560,787,456", "0.2804741766549072"),
        ("1,572,864", "560,787,456", "0.2805"),
        # 4-bit storage packs two weights in a byte, and older PEFT counted bytes.
        ("1,572,864", "409,792,512", "0.3838196047857507"),
    ],
)
def test_what_peft_prints_agrees(numbers):
    text = "# LoRA\n\n" + PEFT.format(*numbers)
    assert {found[1] for found in levels(RULE, text, BOTH)} == {"none"}
    assert all(found[2].startswith("agrees") for found in levels(RULE, text, BOTH))


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("We train 0.28 % of the parameters.", "none"),
        ("We train 0.38 % of the parameters.", "none"),
        ("We train 2.8 % of the parameters.", "warning"),
        ("LoRA has 1.57M trainable parameters.", "none"),
        ("LoRA has 1,572,864 trainable parameters.", "none"),
        ("LoRA has 3,145,728 trainable parameters.", "error"),
    ],
)
def test_what_an_adapter_trains_is_counted(text, level):
    assert [found[1] for found in levels(RULE, f"# LoRA\n\n{text}", BOTH)] == [level]


def test_an_adapter_that_was_not_given_is_not_checkable():
    text = "# LoRA\n\nWe train 1,572,864 parameters, 0.28 % of all parameters."
    assert {found[2] for found in levels(RULE, text, LAB)} == {"not checkable"}
    only = evidence(adapters=[lab_adapter()])
    assert levels(RULE, "The model has 22,807,553 parameters.", only)[0][2] == "not checkable"


def test_messages_keep_the_house_s_words():
    text = of(f"{OMITS}It has 20,578,304 parameters.").message
    assert text.startswith("the report says 20,578,304 (parameters, line 3); ")
    assert not {"wrong", "false", "fabricated", "incorrect"} & set(text.lower().split())


@given(st.integers(min_value=1000, max_value=10**11))
@settings(max_examples=200)
def test_rounding_is_read_off_the_zeros(number):
    (printed,) = find_numbers(f"{number:,} parameters")
    rounded = as_rounded(printed)
    zeros = len(str(number)) - len(str(number).rstrip("0"))
    assert rounded.decimals == (-zeros if zeros >= 3 else 0)
    assert rounded.value == number


def test_a_report_without_counts_is_left_alone():
    assert written("No numbers here.").blocks
    assert findings(RULE, "No numbers here.", LAB) == []


# 24 matrices of 3072 x 1024 with rank 16.
@pytest.mark.parametrize(
    ("number", "verdict"),
    [
        ("75,497,472", "agrees"),
        ("393,216", "agrees"),
        ("1,179,648", "agrees"),
        ("75,497,473", "disagrees"),
    ],
)
def test_the_matrices_of_an_adapter_are_known_one_by_one(number, verdict):
    text = f"Beside the adapted matrices, frozen, which have {number} parameters, A is trained."
    assert [f.verdict for f in findings(RULE, text, BOTH)] == [verdict]


ALONE = replace(lab_adapter(), base=None, base_total=None, ledger=None, trainable=None, targets=())
UNBASED = evidence(model=lab_model(), adapters=[ALONE])
ON_BASE = evidence(adapters=[lab_adapter()])


@pytest.mark.parametrize(
    "text",
    [
        "The base model alone has 559,214,592 parameters.",
        "The input goes through W, frozen (3,072 × 1,024; 75,497,472 parameters).",
        "N_train parameters = 24 × 16 × (1,024 + 3,072) = 1,572,864 parameters",
    ],
)
def test_what_belongs_to_the_base_of_an_adapter_waits_for_that_base(text):
    found = findings(RULE, f"# LoRA\n\n{text}", UNBASED)
    assert found
    assert {(f.level, f.verdict) for f in found} == {("none", "not checkable")}
    assert all("base" in f.reason for f in found)
    # What is said of the model itself is held against it all the same.
    assert of("Our model has 22,807,553 parameters.", UNBASED).level == "error"


TABLE = """
| Module | Parameters |
|---|---|
| word embeddings | 16,384,000 |
| layer norm of the embeddings (weight and bias) | 1,024 |
| feed-forward, first matrix | 1,048,576 |
"""


def test_a_table_of_another_model_than_the_base_of_an_adapter_is_not_accused():
    found = findings(RULE, TABLE, ON_BASE)
    assert len(found) == 3
    assert {(f.level, f.verdict) for f in found} == {("none", "not checkable")}
    assert all(f.verdict == "agrees" for f in findings(RULE, TABLE, LAB))
