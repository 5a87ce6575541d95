"""What reports say that LoRA's keys do: known misreadings, and truths that stay unsaid."""

from __future__ import annotations

import pytest
from fakes.stated import findings

RULE = "lora_meaning"


def noted(text):
    return [(f.level, f.claim.content.key) for f in findings(RULE, f"# LoRA\n\n{text}")]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (
            "- task_type=CAUSAL_LM to capture the cause-and-effect structure of language",
            "task_type",
        ),
        ("- task_type: the model learns causal relations between words", "task_type"),
        ("- task_type : pour modéliser les relations de cause à effet", "task_type"),
        ("- lora_dropout: neurons are switched off once per epoch", "lora_dropout"),
        ("- lora_dropout: the share of neurons dropped at the start of each epoch", "lora_dropout"),
        ("- lora_dropout: it is the percentage of layers that are dropped", "lora_dropout"),
        ("- lora_alpha: it is the learning rate of the adapter", "lora_alpha"),
        ("- lora_alpha=32 is the rank of the update", "lora_alpha"),
        ("- r: it is the number of layers that are adapted", "r"),
        ("- bias: it avoids social bias and stereotypes in what it writes", "bias"),
        ("- target_modules: these are the modules that are frozen", "target_modules"),
    ],
)
def test_a_known_misreading_is_noted(text, key):
    assert noted(text) == [("note", key)]


@pytest.mark.parametrize(
    "text",
    [
        "- task_type: causal language modelling, not a classification task",
        "- task_type: CAUSAL_LM, which does not model causes and effects",
        "- lora_dropout: the percentage of neurons ignored at each training iteration",
        "- lora_dropout: percentage of neurons set off during each epochs of training",
        "- lora_dropout: the dropout rate applied to the matrices A and B",
        "- lora_alpha: the scale factor of the learned weights",
        "- lora_alpha: it acts like a learning rate for the update",
        "- lora_alpha: the scaling, relative to the rank, of the update",
        "- r: the rank of the decomposition matrices A and B",
        "- bias: tells which bias parameters are trained",
        "- target_modules: the layers that get an adapter, others are frozen",
    ],
)
def test_truths_and_half_truths_stay_unsaid(text):
    assert noted(text) == []


def test_a_note_says_what_the_key_does():
    (finding,) = findings(RULE, "# LoRA\n\n- task_type: it captures cause and effect in language.")
    assert "predicts each token from the tokens before it" in finding.message
    assert finding.verdict == "disagrees"


def test_outside_of_adapters_nothing_is_noted():
    assert findings(RULE, "The task type is causal: cause and effect matter.") == []
