"""LoRA's keys and values: which exist, and which the adapter has."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.stated import evidence, findings, lab_adapter, levels, said

RULE = "lora_config"
LORA = "# LoRA\n\n"
ADAPTER = lab_adapter()
GIVEN = evidence(adapters=[ADAPTER])


def one(text, facts=None):
    ((_, level, verdict),) = levels(RULE, LORA + text, facts)
    return level, verdict


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("- task_type: It is set on Causal_ML here.", 'did you mean "CAUSAL_LM"?'),
        ("- bias = False: no bias", 'did you mean "none"?'),
        ('- bias="lora"', "lora_only"),
        ('- task_type="SEQ_CLASS"', 'did you mean "SEQ_CLS"?'),
    ],
)
def test_what_peft_refuses_is_a_warning_without_any_evidence(text, near):
    (finding,) = findings(RULE, LORA + text)
    assert (finding.level, finding.verdict) == ("warning", "disagrees")
    assert near in finding.message
    assert all(mode in finding.message for mode in ("none", "all", "lora_only")) or "task" in text


def test_the_legal_values_are_named():
    (finding,) = findings(RULE, LORA + "- bias = False: none")
    assert 'none of "none", "all", "lora_only"' in finding.message


@pytest.mark.parametrize(
    "text",
    [
        '- bias="none"',
        "- bias: 'none', 'all' or 'lora_only'.",
        "- task_type=CAUSAL_LM",
        # The underscore is lost in the text of a PDF.
        "- task type: we use “CAUSAL LM” here",
        "- bias: Options include “none”, “all”, or “lora only”.",
        '- task_type="SEQ_2_SEQ_LM"',
    ],
)
def test_what_peft_has_agrees(text):
    assert one(text) == ("none", "agrees")


def test_a_value_of_several_that_does_not_exist_is_a_warning():
    assert one("- bias: 'none', 'all' or 'some'.") == ("warning", "disagrees")


@pytest.mark.parametrize(
    ("key", "near"),
    [("module_to_save", "modules_to_save"), ("alpha", "lora_alpha"), ("dropout", "lora_dropout")],
)
def test_a_key_that_does_not_exist_is_named_with_the_nearest_one(key, near):
    text = f"```python\nLoraConfig({key}=3, r=16)\n```"
    found = [f for f in findings(RULE, text) if f.verdict == "disagrees"]
    assert [f.level for f in found] == ["warning"]
    assert f"did you mean {near}?" in found[0].message


def test_a_key_of_a_newer_version_is_a_note():
    found = findings(RULE, "```\nLoraConfig(quite_new=3)\n```")
    assert [(f.level, f.verdict) for f in found] == [("note", "disagrees")]


@pytest.mark.parametrize(
    "text",
    [
        *("- r=16", "- lora_alpha=32", "- lora_dropout=0.05", "- bias = none", "rank 16"),
        *("- lora dropout: We set this to 5 %.", "a 5% dropout in the adapted layers"),
        '- target_modules=["query_key_value"]',
        "- target modules: it fine-tunes the “query key value” modules",
        "- target_modules: modules. Here, we only apply it on the attention submodule.",
        "- task_type=CAUSAL_LM",
    ],
)
def test_what_the_adapter_has_agrees(text):
    assert one(text, GIVEN) == ("none", "agrees")


@pytest.mark.parametrize(
    "text",
    [
        *("- r=8", "- lora_alpha=16", "- lora_dropout=0.1", "- bias = all", "- r = 15"),
        '- target_modules=["q_proj", "v_proj"]',
        "- task_type=SEQ_CLS",
    ],
)
def test_what_it_has_not_is_an_error(text):
    assert one(text, GIVEN) == ("error", "disagrees")


@pytest.mark.parametrize(
    "text",
    [
        "Typically a rank of 8 is used.",
        "A higher rank of 64 would cost more.",
        "- target_modules: we adapt all linear layers and the MLP.",
    ],
)
def test_what_is_only_said_is_not_held_against_the_adapter(text):
    assert one(text, GIVEN) == ("none", "not checkable")


def test_a_bare_dropout_may_be_the_model_s():
    runs = [("a", 0, {"dropout": 0.1})]
    assert one("a dropout of 0.1", evidence(adapters=[ADAPTER], runs=runs)) == ("none", "agrees")
    assert one("a lora_dropout of 0.1", evidence(adapters=[ADAPTER], runs=runs))[0] == "error"


def test_of_a_part_of_the_targets_nothing_is_said():
    values = {**ADAPTER.config.values, "target_modules": ["query_key_value", "dense"]}
    wide = replace(ADAPTER, config=replace(ADAPTER.config, values=values))
    text = '- target_modules=["query_key_value"]'
    assert one(text, evidence(adapters=[wide])) == ("none", "not checkable")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (r"It is scaled by $\frac{\alpha}{r}$.", ("none", "agrees")),
        ("It is scaled by alpha / r.", ("none", "agrees")),
        ("It is scaled by r / alpha.", ("note", "disagrees")),
        ("It is scaled by alpha × r.", ("note", "disagrees")),
        # Which of the two it is depends on a key that the report may not print.
        (r"It is scaled by $\alpha / \sqrt{r}$.", ("none", "agrees")),
        # A fraction bar that got lost on the way through a PDF.
        ("the real scaling factor is αr", ("none", "not checkable")),
    ],
)
def test_the_scaling_is_alpha_over_the_rank(text, result):
    assert one(text) == result


def test_the_scaling_follows_the_adapter_s_own_key():
    values = {**ADAPTER.config.values, "use_rslora": True}
    rooted = replace(ADAPTER, config=replace(ADAPTER.config, values=values))
    facts = evidence(adapters=[rooted])
    assert one("It is scaled by alpha / r.", facts) == ("note", "disagrees")
    assert one(r"It is scaled by $\alpha / \sqrt{r}$.", facts) == ("none", "agrees")
    assert one(r"It is scaled by $\alpha / \sqrt{r}$.", GIVEN) == ("note", "disagrees")


def test_outside_of_adapters_the_words_are_no_keys():
    assert said("The correlation is r = 16, bias = False, alpha = 0.05.") == []
