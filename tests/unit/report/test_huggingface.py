"""Runs of the Hugging Face Trainer."""

from __future__ import annotations

from reportgen.languages import speaking
from reportgen.records.run import Runs
from reportgen.report import huggingface

TABLE = "huggingface.table"


def trainer_run(made, group, seed, accuracy, name=None, train_steps=(225, 450, 675)):
    losses = [0.7, 0.5, 0.4][: len(accuracy)]
    return made.run(
        group,
        seed,
        made.series("validation", accuracy, unit="fraction"),
        made.series("validation", losses, metric="loss", unit=""),
        made.series("train", [0.8, 0.6, 0.3], metric="loss", unit="", steps=train_steps),
        layout="hf_trainer",
        name=name,
    )


def facts_of(made, *members):
    return made.facts(runs=Runs(root="", runs=members), groups=())


def test_accuracy_and_loss_of_each_evaluation(made):
    facts = facts_of(made, trainer_run(made, "hf", 0, [0.5, 0.815, 0.79]))
    section = huggingface.build(facts)
    table = made.tables(section)[TABLE]
    heads = [(made.words(c.group), made.words(c.title)) for c in table.columns]
    assert heads == [
        ("", "Seed"),
        ("", "Epoch"),
        ("", "Step"),
        ("Accuracy, %", "Validation"),
        ("Loss", "Validation"),
        ("Loss", "Training"),
        ("", "Best"),
    ]
    assert made.grid(table) == [
        ["0", "1", "225", "50.0", "0.7000", "0.8000", ""],
        ["0", "2", "450", "81.5", "0.5000", "0.6000", "best"],
        ["0", "3", "675", "79.0", "0.4000", "0.3000", ""],
    ]
    text = made.prose(section)
    assert "1 run of the Hugging Face Trainer [transformers] was found" in text
    assert "stand here as the validation split" in text
    assert "The best validation accuracy of hf is 81.5%, at step 450; with a single run" in text


def test_training_loss_at_other_steps_has_no_column(made):
    run = trainer_run(made, "hf", 0, [0.5, 0.8, 0.7], train_steps=(100, 200, 300))
    heads = [
        made.words(c.title)
        for c in made.tables(huggingface.build(facts_of(made, run)))[TABLE].columns
    ]
    assert "Training" not in heads


def test_three_seeds_have_a_mean(made):
    members = [trainer_run(made, "hf", s, [0.5, 0.8 + s / 100, 0.7]) for s in range(3)]
    text = made.prose(huggingface.build(facts_of(made, *members)))
    assert "The mean of the best validation accuracy of hf is 81.0 ± 1.0% over 3 runs." in text


def test_runs_that_share_a_seed_are_not_called_seeds(made):
    members = [
        trainer_run(made, "hf", 42, [0.5, 0.8 + i / 100, 0.7], name=f"out/{i}") for i in range(3)
    ]
    section = huggingface.build(facts_of(made, *members))
    assert made.grid(made.tables(section)[TABLE])[0][0] == "out/0"
    assert "no spread over seeds alone" in made.prose(section)


def test_many_evaluations_show_the_best_and_the_last(made):
    accuracy = [0.5 + i / 1000 for i in range(50)]
    accuracy[20] = 0.9
    run = made.run(
        "hf", 0, made.series("validation", accuracy, unit="fraction"), layout="hf_trainer"
    )
    section = huggingface.build(facts_of(made, run))
    assert [row[1] for row in made.grid(made.tables(section)[TABLE])] == ["21", "50"]
    assert "Of 50 evaluations the best and the last" in made.prose(section)


def test_runs_without_any_evaluation_say_so(made):
    run = made.run(
        "hf", 0, made.series("train", [0.8], metric="loss", unit=""), layout="hf_trainer"
    )
    section = huggingface.build(facts_of(made, run))
    assert made.tables(section) == {}
    assert "No run of hf has a best step: hf/0 never logged accuracy on validation." in made.prose(
        section
    )


def test_other_layouts_have_no_such_section(made):
    assert huggingface.build(made.facts()) is None


def test_in_french_it_is_said_in_french(made):
    members = [trainer_run(made, "g", s, [0.5, 0.61, 0.6 + s / 100]) for s in range(3)]
    facts = facts_of(made, *members)
    with speaking("fr"):
        section = huggingface.build(facts)
        shown = made.tables(section)[TABLE]
        heads = [(made.words(c.group), made.words(c.title)) for c in shown.columns]
        prose = made.prose(section)
    assert section.title == "Exécutions du Trainer de Hugging Face"
    assert heads == [
        ("", "Graine"),
        ("", "Époque"),
        ("", "Pas"),
        ("Exactitude, %", "Validation"),
        ("Perte", "Validation"),
        ("Perte", "Entraînement"),
        ("", "Meilleur"),
    ]
    assert "3 exécutions du Trainer de Hugging Face [transformers] ont été trouvées" in prose
    assert (
        "Exactitude sur la validation en pourcentage, perte sur la validation et perte à "
        "l’entraînement à chaque évaluation, n = 3 exécutions de g."
    ) in prose
    assert (
        "La moyenne de l’exactitude sur la validation au meilleur pas de g est de 61,3 ± "
        "0,6\u202f% sur 3 exécutions."
    ) in prose
