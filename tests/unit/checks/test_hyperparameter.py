"""Stated settings against a model's configuration, command lines and a study."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import made_runs
from fakes.stated import evidence, findings, lab_adapter, lab_model, levels, published

from reportgen.checks.hyperparameter import means_the_same
from reportgen.stats import summarise_groups

RULE = "hyperparameter"
MODEL = evidence(model=lab_model())
COMMAND = {
    "arch": "roberta_small",
    "max_positions": 256,
    "batch_size": 8,
    "optimizer": "adam",
    "lr": [1e-05],
    "lr_scheduler": "polynomial_decay",
    "warmup_updates": 187,
    "total_num_update": 3125,
    "max_epoch": 5,
    "seed": 0,
}
LOGS = evidence(runs=[("pretrained", 0, COMMAND), ("pretrained", 1, {**COMMAND, "seed": 1})])


def one(text, facts, name="report.md"):
    """(level, verdict) of the only finding."""
    ((_, level, verdict),) = levels(RULE, text, facts, name)
    return level, verdict


@pytest.mark.parametrize(
    "text",
    [
        *("hidden size = 512", "$d_{model} = 512$", "vocabulary of size 32000", "d_ff = 512"),
        *("number of heads: 8", "8-headed attention", "encoder_layers = 4", "d_k = 64"),
        # The table of positions has two rows more than fairseq says there are positions.
        *("max_positions = 256", "max_position_embeddings = 258", "max sentence size = 258"),
        *("max sentence size = 256", "a vocabulary of 32k tokens", "the 4 encoder layers"),
        *("dropout = 0.1", "a dropout of 10 %"),
        # Words that can mean several sizes.
        *("input size = 32,000", "output size = 32,000", "input size = 512"),
    ],
)
def test_what_the_configuration_has_agrees(text):
    assert one(text, MODEL) == ("none", "agrees")


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Nb of attention head = 1", "error"),
        ("hidden size = 768", "error"),
        ("number of layers = 5", "error"),
        ("vocab_size = 30522", "error"),
        ("max_positions = 512", "error"),
        ("The model has 6 layers.", "warning"),
        ("dropout = 0.3", "warning"),
        ("max sentence size = 1024", "warning"),
    ],
)
def test_what_it_has_not_is_said_as_loudly_as_it_is_sure(text, level):
    assert one(text, MODEL) == (level, "disagrees")


@pytest.mark.parametrize(
    "text",
    [
        # Shorter inputs than the model takes, sizes that mean several things.
        *("max sentence size = 128", "input size = 300"),
        # Other models, other runs, possible values.
        *("BERT-base has 12 layers.", "The original paper has 12 attention heads."),
        *("RoBERTa has 12 layers.", "A larger hidden size of 1024 would help."),
        "With N = 12 it is slow.",
        # Nothing that was given states it.
        *("weight decay = 0.01", "learning rate = 1e-5"),
    ],
)
def test_who_may_be_right_is_not_accused(text):
    assert {verdict for _, _, verdict in levels(RULE, text, MODEL)} <= {"not checkable"}
    assert {level for _, level, _ in levels(RULE, text, MODEL)} <= {"none"}


def test_with_the_report_alone_nothing_is_said():
    assert findings(RULE, "hidden size = 512, number of heads = 1, learning rate = 3") == []


def test_our_model_is_ours_although_another_is_named_beside_it():
    assert one("Unlike BERT, our model has a hidden size of 768.", MODEL)[1] == "disagrees"


@pytest.mark.parametrize(
    "text",
    [
        *("learning rate = 1e-5", "a learning rate of $10^{-5}$", "lr = 0.00001"),
        *("batch size = 8", "MAX_SENTENCES = 8", "batches of 8", "we train for 5 epochs"),
        *("the AdamW optimizer", "with linear decay of the learning rate", "seed: 0", "seed: 1"),
        *("warm-up of 6 %", "warmup_updates = 187", "a total number of updates of 3125"),
        *("max_positions = 256", "max_positions = 258"),
    ],
)
def test_what_the_command_line_has_agrees(text):
    level, verdict = one(text, LOGS)
    assert (level, verdict.split()[0]) == ("none", "agrees")


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("learning rate = 2e-5", "error"),
        ("learning rate = 1e-4", "error"),
        ("number of epochs: 10", "error"),
        ("we train for 3 epochs", "error"),
        ("the SGD optimizer", "warning"),
        ("seed: 42", "warning"),
        ("warm-up of 10 %", "warning"),
        ("learning rate = 1.5e-5", "error"),
    ],
)
def test_what_it_has_not_is_said(text, level):
    assert one(text, LOGS) == (level, "disagrees")


def test_a_part_of_the_epochs_is_not_all_of_them():
    assert levels(RULE, "The loss rises after 3 epochs.", LOGS)[0][1] == "none"


def test_a_batch_may_be_spread_over_devices_where_no_size_is_known():
    assert one("batch size = 16", LOGS) == ("none", "agrees")
    sized = evidence(
        runs=[("pretrained", 0, COMMAND)], split_sizes={"train": 1800}, steps_per_epoch=225
    )
    assert one("batch size = 16", sized) == ("error", "disagrees")
    assert one("batch size = 8", sized) == ("none", "agrees")


def test_a_setting_that_some_runs_leave_open_is_not_held_against_a_report():
    facts = evidence(runs=[("a", 0, {"weight_decay": 0.0}), ("b", 0, {"lr": 1e-5})])
    assert one("weight decay = 0.01", facts) == ("none", "not checkable")
    assert one("weight decay = 0", facts) == ("none", "agrees")


def test_sizes_of_splits_are_those_of_the_study():
    facts = evidence(split_sizes={"train": 1800, "test": 2000})
    assert one("The training set has 1,800 reviews.", facts) == ("none", "agrees")
    assert one("The test set has 1,800 reviews.", facts) == ("warning", "disagrees")


def test_another_sign_for_an_equality_is_noted_with_and_without_evidence():
    text = "where T is the maximum length of a sentence and T+256. The +2 is padding."
    assert levels(RULE, text) == [("256", "note", "borderline")]
    found = findings(RULE, text, MODEL)
    assert [f.level for f in found] == ["note", "none"]
    assert "“T+256” and reads like T = 256" in found[0].message


def test_the_base_of_an_adapter_is_meant_where_adapters_are_spoken_of():
    text = "# LoRA\n\nThe frozen model has a hidden size of 1024 and 24 layers."
    both = evidence(model=lab_model(), adapters=[lab_adapter()])
    assert {verdict for _, _, verdict in levels(RULE, text, both)} == {"agrees"}
    assert {verdict for _, _, verdict in levels(RULE, text, MODEL)} == {"not checkable"}


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("gpt2", "The model has a hidden size of 768 and a context length of 1024."),
        ("bloom-560m", "hidden size = 1024, number of layers = 24"),
        ("distilbert-base-uncased", "hidden size = 768, number of layers = 6"),
        ("t5-small", "d_model = 512, number of layers = 6"),
    ],
)
def test_every_family_s_spelling_is_understood(model, text):
    found = levels(RULE, text, evidence(model=published(model)))
    assert len(found) == 2
    assert {verdict for _, _, verdict in found} == {"agrees"}


def test_names_of_optimizers_and_schedules_are_compared_by_meaning():
    assert means_the_same("optimizer", "adam", "adamw_torch")
    assert not means_the_same("optimizer", "adafactor", "adamw_torch")
    assert means_the_same("lr_scheduler_type", "linéaire", "linear")
    assert not means_the_same("lr_scheduler_type", "cosine", "linear")


def test_messages_name_the_key_the_file_and_the_place():
    (finding,) = findings(RULE, "text\n\n- Nb of attention head = 1", MODEL)
    assert finding.message == (
        "the report says 1 (Nb of attention head, line 3); "
        "model/config.json has num_attention_heads = 8"
    )
    assert finding.expected.evidence[0].tag == "num_attention_heads"


def test_a_run_of_another_layout_has_its_own_spelling():
    trainer = {"learning_rate": "5e-06", "num_train_epochs": "3.0", "max_steps": "-1"}
    facts = evidence(runs=[("a", 0, trainer)])
    runs = tuple(replace(run, layout="hf_trainer") for run in facts.runs)
    facts = replace(facts, runs=replace(facts.runs, runs=runs))
    assert one("learning rate = 5e-6", facts) == ("none", "agrees")
    assert one("3 epochs of training", facts) == ("none", "agrees")


def test_logs_that_do_not_tell_their_epochs_speak_of_none():
    facts = made_runs.facts(made_runs.SIX)
    bare = replace(facts, study=replace(facts.study, steps_per_epoch=0))
    bare = replace(bare, groups=summarise_groups(bare.study, bare.runs))
    told = findings(RULE, "trained for 5 training epochs", bare)
    assert [f.level for f in told] == ["none"]
    assert "0 epochs" not in told[0].message


def _lengths(*lengths):
    """Facts of runs that logged so many epochs and stated no setting."""
    table = {("lstm", n): ([50.0] * k, [50.0] * k) for n, k in enumerate(lengths)}
    facts = made_runs.facts(table)
    return replace(facts, groups=summarise_groups(facts.study, facts.runs))


def test_a_run_may_end_before_it_was_planned_to():
    facts = _lengths(5, 7)
    assert one("We train for 80 epochs and stop early.", facts) == ("none", "not checkable")
    assert one("We train for at most 80 epochs.", facts)[0] == "none"
    assert one("- Max epochs: 80", facts) == ("none", "not checkable")
    for logged in ("5", "7"):
        assert one(f"The model was trained for {logged} epochs.", facts) == ("none", "agrees")
    assert one("The model was trained for 3 epochs.", facts) == ("warning", "disagrees")


def test_a_setting_of_runs_that_differ_is_not_held_against_them_all():
    runs = [("a", 0, {"lr": 1e-5, "epochs": 5}), ("b", 0, {"lr": 2e-5, "epochs": 10})]
    assert one("a learning rate of 3e-5", evidence(runs=runs)) == ("note", "disagrees")
    assert one("a learning rate of 2e-5", evidence(runs=runs)) == ("none", "agrees")


def test_nothing_has_a_size_of_zero():
    text = "projection vers le vocabulaire (liée, comptée une seule fois) 0"
    found = levels(RULE, text, evidence(model=lab_model()))
    assert {(level, verdict) for _, level, verdict in found} <= {("none", "not checkable")}


def test_program_code_may_be_of_another_run():
    text = "```python\ntrainer = Trainer(learning_rate=2e-4, max_epochs=40)\n```"
    found = levels(RULE, text, LOGS)
    assert {(level, verdict) for _, level, verdict in found} == {("none", "not checkable")}
    assert levels(RULE, text.replace("2e-4", "1e-5"), LOGS)[0][1:] == ("none", "agrees")


TABLE = """\
| Hyperparameter | pretrained | random |
|---|---|---|
| Peak learning rate | {} | 0.0005 |
| Warm-up steps | 187 | {} |
"""
OF_GROUP = {
    "pretrained": {**COMMAND, "lr": [1e-05]},
    "random": {**COMMAND, "lr": [5e-4], "warmup_updates": 60},
}


def two_groups():
    made = made_runs.facts(made_runs.SIX)
    runs = tuple(replace(run, config=OF_GROUP[run.group]) for run in made.runs)
    return replace(made, runs=replace(made.runs, runs=runs))


BOTH = two_groups()


def test_a_column_headed_by_a_group_is_of_its_runs():
    told = [found[1:] for found in levels(RULE, TABLE.format("1e-5", 60), BOTH)]
    assert told == [("none", "agrees")] * 4
    # What another group has is no excuse.
    told = [found[1:] for found in levels(RULE, TABLE.format("1e-5", 187), BOTH)]
    assert told == [("none", "agrees")] * 3 + [("warning", "disagrees")]
    told = [found[1:] for found in levels(RULE, TABLE.format("2e-5", 60), BOTH)]
    assert told == [("warning", "disagrees")] + [("none", "agrees")] * 3


def test_columns_of_other_names_stay_unsure():
    table = TABLE.format("2e-5", 32).replace("pretrained", "ours").replace("random", "theirs")
    told = [found[1:] for found in levels(RULE, table, BOTH)]
    assert all(level == "none" for level, _ in told)
    assert told[0] == ("none", "not checkable")


@pytest.mark.parametrize(("number", "verdict"), [("512", "agrees"), ("768", "disagrees")])
def test_symbols_are_explained_in_every_language(number, verdict):
    text = f"""
| Symbole | Signification | Valeur |
|---|---|---|
| $V$ | taille du vocabulaire | 32 000 |
| $d$ | largeur des états cachés | {number} |
"""
    found = levels(RULE, text, evidence(model=lab_model()))
    assert [found_verdict for text, _, found_verdict in found if text == number] == [verdict]
