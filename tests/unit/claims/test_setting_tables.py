"""Tables of settings as programs and people fill them, and tables that only look so."""

from __future__ import annotations

from decimal import Decimal

import pytest
from fakes.stated import evidence, findings, lab_model, said, settings_of

KEYS = """\
LoRA is configured so.

| Key | Value | Meaning | Effect |
|---|---|---|---|
| `target_modules` | `["query", "value"]` | modules that get an adapter | 24 modules |
| `bias` | `"none"` | which biases are trained too | no bias is trained |
| `fan_in_fan_out` | `true` | how weights are stored | none |
| `r` | `16` | rank | two thin matrices |
"""


def test_only_the_column_of_values_states_settings():
    assert settings_of(KEYS) == [
        ("target_modules", ("query", "value")),
        ("bias", "none"),
        ("fan_in_fan_out", True),
        ("r", 16.0),
    ]


def test_a_cell_that_explains_an_adapter_s_setting_is_no_value_of_it():
    text = (
        "LoRA is configured so.\n\n| bias | all biases of the base model |\n|---|---|\n"
        "| bias | lora only |\n| modules_to_save | modules copied and trained whole |\n"
        "| target_modules | query, key, value |\n"
    )
    assert [name for name, _ in settings_of(text)] == ["bias", "target_modules"]


def test_what_an_optimizer_takes_is_no_name_of_one():
    text = "| Method | Base | Optimizer |\n|---|---|---|\n| LoRA | 2.08 GiB | 12.0 MiB |\n"
    assert settings_of(text) == []


@pytest.mark.parametrize("shape", ["32 layers, width 1280", "rank 1024"])
def test_sizes_in_a_column_of_counts_are_no_counts(shape):
    text = f"| Module | Parameters |\n|---|---|\n| Whisper | {shape} |\n| Decoder | 840,133,120 |\n"
    counts = [value for kind, _, value in said(text) if kind == "param_count"]
    assert counts == [840133120.0]


def test_parts_of_a_ledger_are_counts_and_no_settings():
    text = (
        "| Term | Count | Stored | Difference |\n|---|---|---|---|\n"
        "| position embeddings | 132,096 | 132,096 | 0 |\n"
        "| layer norm | 512 | 512 | 0 |\n| Total | 132,608 | 132,608 | 0 |\n\n"
        "Table 1: Number of parameters.\n"
    )
    assert [kind for kind, _, _ in said(text)] == ["param_count"] * 9
    assert [value for *_, value in said(text)][2::3] == [float(Decimal(0))] * 3


def test_letters_with_a_meaning_and_a_value_are_settings():
    text = (
        "| Symbol | Meaning | Value |\n|---|---|---|\n"
        "| $V$ | size of the vocabulary | 32,000 |\n| $P$ | rows of the table | 258 |\n"
    )
    assert settings_of(text) == [("vocab_size", 32000.0), ("", 258.0)]


def test_letters_are_held_against_the_model_by_their_meaning():
    text = "| Symbol | Meaning | Value |\n|---|---|---|\n| P | rows of the position table | {} |\n"
    facts = evidence(model=lab_model())
    (right,) = findings("hyperparameter", text.format(258), facts)
    (other,) = findings("hyperparameter", text.format(285), facts)
    assert (right.level, other.level) == ("none", "error")
