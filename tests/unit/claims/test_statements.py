"""Sentences about series: what is found, what it is bound to, and what is no claim."""

# ruff: noqa: E501 -- sentences stand on one line, as in a report

from __future__ import annotations

import pytest
from fakes import said

from reportgen.claims.statements import find
from reportgen.read.documents import read_document
from reportgen.records.claim import CONFIDENT, LIKELY


def shape(claim):
    content = claim.content
    return (claim.kind, content.predicate, *(subject.group for subject in content.subjects))


# --- orders ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "predicate", "groups"),
    [
        ("BERT is better than the LSTM.", "better", ("BERT", "LSTM")),
        ("BERT outperforms the LSTM by far.", "better", ("BERT", "LSTM")),
        ("The LSTM is outperformed by BERT.", "better", ("BERT", "LSTM")),
        ("On test, the accuracy of BERT is higher than that of the LSTM.", "higher", ("BERT", "LSTM")),
        ("The accuracy is lower for the LSTM than for BERT.", "lower", ("LSTM", "BERT")),
        ("The loss curve of BERT lies below that of the LSTM.", "lower", ("BERT", "LSTM")),
        ("BERT performs much worse than the LSTM.", "worse", ("BERT", "LSTM")),
        ("The results are better with BERT than with an LSTM.", "better", ("BERT", "LSTM")),
        ("BERT is more stable than the LSTM.", "more_stable", ("BERT", "LSTM")),
        ("The runs of BERT lie closer together than those of the LSTM.", "more_stable", ("BERT", "LSTM")),
        ("BERT dépasse le LSTM de 12 points.", "better", ("BERT", "LSTM")),
        ("L'exactitude de BERT est supérieure à celle du LSTM.", "higher", ("BERT", "LSTM")),
        ("BERT obtient de meilleurs résultats que le LSTM.", "better", ("BERT", "LSTM")),
        ("Les résultats de BERT sont moins bons que ceux du LSTM.", "worse", ("BERT", "LSTM")),
        ("The accuracy of BERT is very close to that of the LSTM.", "similar", ("BERT", "LSTM")),
        ("BERT and the LSTM perform similarly.", "similar", ("BERT", "LSTM")),
        ("BERT and the LSTM perform equally well at epoch 3.", "similar", ("BERT", "LSTM")),
        ("BERT and the LSTM reach the same accuracy at the end.", "similar", ("BERT", "LSTM")),
        ("BERT et le LSTM ont la même exactitude.", "similar", ("BERT", "LSTM")),
        ("At the best step the test accuracies of BERT and of the LSTM overlap.", "apart", ("BERT", "LSTM")),
    ],
)  # fmt: skip
def test_orders_name_their_sides(text, predicate, groups):
    claim = said.found(text)[-1]
    assert shape(claim) == ("comparison", predicate, *groups)
    assert claim.confidence >= CONFIDENT


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The best step of BERT is the last one.", False),
        ("The best step of BERT is not the last one.", True),
    ],
)
def test_a_best_step_may_be_said_not_to_be_the_last_one(text, denied):
    content = said.the_only(text).content
    assert (content.predicate, content.denied) == ("best", denied)


def test_pretraining_may_gain_points():
    claim = said.the_only("Pretraining gains 7 points over the random initialisation.")
    assert [a.text for a in claim.content.amounts] == ["7"]
    assert claim.content.subjects[0].group == "Pretraining"


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("BERT is always about 10% better than the LSTM.", ["10"]),
        ("BERT outperforms the LSTM by 12.3 points on test.", ["12.3"]),
        ("BERT performs 2 points worse than the LSTM.", ["2"]),
        ("At epoch 5 the accuracy of BERT lies above that of the LSTM (+2.80 points).", ["+2.80"]),
        ("BERT is better than the LSTM (79.9 % and 67.7 %).", []),
        ("After 5 epochs, BERT is better than the LSTM.", []),
    ],
)
def test_amounts_say_by_how_much(text, amounts):
    claim = said.the_only(text)
    assert [number.text for number in claim.content.amounts] == amounts
    for number in claim.content.amounts:
        assert text[number.start : number.end] == number.text


def test_two_splits_are_compared_in_one_group_or_in_all():
    claim = said.the_only("Test accuracy is lower than validation accuracy for every seed.")
    assert [(s.split, s.group) for s in claim.content.subjects] == [
        ("test", ""),
        ("validation", ""),
    ]
    assert claim.content.over == ("seeds",)
    claim = said.the_only("For BERT the training loss is below its validation loss at every epoch.")
    assert [(s.split, s.group) for s in claim.content.subjects] == [
        ("train", "BERT"),
        ("validation", "BERT"),
    ]


def test_two_splits_of_one_sentence_are_two_claims():
    text = "On test and on validation, the accuracy of BERT lies above that of the LSTM."
    assert [c.content.subjects[0].split for c in said.found(text)] == ["test", "validation"]


def test_who_is_meant_is_told_by_the_words_before():
    relative = "We see a gap with BERT, which has better accuracy than the LSTM at every epoch."
    assert said.found(relative)[-1].content.subjects[0].group == "BERT"
    it = "The accuracy of BERT rises. It performs better than the LSTM."
    assert said.found(it)[-1].content.subjects[0].group == "BERT"
    assert said.found(it)[-1].confidence < CONFIDENT


def test_the_other_side_is_guessed_from_two_groups_only():
    two = said.found("We train BERT and an LSTM. The variance is higher for BERT.")[-1]
    assert [s.group for s in two.content.subjects] == ["BERT", ""]
    headed = said.found("# BERT against the LSTM", "The variance is higher for the LSTM.")[-1]
    assert [s.group for s in headed.content.subjects] == ["LSTM", "BERT"]
    assert LIKELY <= headed.confidence < CONFIDENT


def test_the_model_in_a_title_is_no_other_side_of_the_groups_in_the_tables(tmp_path):
    rows = "| test accuracy | seed 0 |\n|---|---|\n| pretrained | 81.4 |\n| random start | 73.9 |\n"
    for title in ("Fine-tuning RoBERTa on book reviews", "An experiment"):
        path = tmp_path / "report.md"
        path.write_text(
            f"# {title}\n\n{rows}\nStarting from pretrained weights gains 7.0 points.\n"
        )
        claim = find(read_document(path))[-1]
        assert shape(claim) == ("comparison", "better", "pretrained weights", "random start")
    path.write_text(
        f"# Against random start\n\n{rows}| frozen | 70.0 |\n\nPretraining gains 7.0 points.\n"
    )
    assert find(read_document(path))[-1].content.subjects[1].group == "random start"


def test_who_does_not_catch_up_stays_below():
    claim = said.the_only("The accuracy of the LSTM does not catch up with that of BERT.")
    assert (claim.content.predicate, claim.content.denied) == ("lower", False)
    assert said.found("The LSTM catches up with BERT at the end.") == ()


# --- courses --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "predicate", "over", "denied"),
    [
        ("The test accuracy improves with each epoch for all three seeds.", "improves",
         ("epochs", "seeds"), False),
        ("The training loss decreases at every epoch.", "falls", ("epochs",), False),
        ("The test accuracy of BERT increases at each epoch for the three seeds.", "rises", ("epochs", "seeds"), False),
        ("L'exactitude de BERT augmente à chaque époque pour les trois graines.", "rises", ("epochs", "seeds"), False),
        ("The average accuracy rises for the three seeds.", "rises", (), False),
        ("The standard deviation shrinks with every epoch, as Table 2 shows.", "falls", ("epochs",), False),
        ("The standard deviation shrinks with every epoch, as we can see in Figure 3.", "falls", ("epochs",), False),
        ("The validation accuracy is not increasing.", "rises", (), True),
        ("The accuracy of BERT fluctuates a lot.", "varies", (), False),
        ("The validation curves converge clearly.", "converges", (), False),
        ("The validation accuracy seems to plateau.", "plateaus", (), False),
        ("La perte d'entraînement diminue à chaque époque.", "falls", ("epochs",), False),
        ("L'exactitude de validation n'augmente pas.", "rises", (), True),
        ("La courbe de validation oscille.", "varies", (), False),
        ("Performance degrades on the test set.", "worsens", (), False),
    ],
)  # fmt: skip
def test_courses(text, predicate, over, denied):
    claim = said.the_only(text)
    assert (claim.kind, claim.content.predicate) == ("trend", predicate)
    assert (claim.content.over, claim.content.denied) == (over, denied)


def test_the_standard_deviation_has_a_course_of_its_own():
    text = (
        "It's much more stable on the pretrained model, as the standard deviation is decreasing, "
        "whereas for the random model, the standard deviation isn't decreasing, it's fluctuating."
    )
    claims = [c for c in said.found(text) if c.kind == "trend"]
    assert [
        (c.content.predicate, c.content.denied, c.content.subjects[0].group) for c in claims
    ] == [
        ("falls", False, "pretrained model"),
        ("falls", True, "random model"),
        ("varies", False, "random model"),
    ]
    assert {c.content.subjects[0].aggregate for c in claims} == {"std"}


def test_a_gap_is_the_difference_of_two_groups():
    text = "The gap between the test accuracy of BERT and that of the LSTM narrows."
    (subject,) = said.the_only(text).content.subjects
    assert (subject.aggregate, subject.group, subject.against) == ("difference", "BERT", "LSTM")
    claims = said.found(
        f"{text[:-9]} is widest at epoch 2. It is narrower at the end than at the start."
    )
    assert [c.content.predicate for c in claims] == ["highest", "falls"]
    assert claims[1].content.subjects[0].against == "LSTM"


@pytest.mark.parametrize(
    ("text", "window", "moment"),
    [
        ("Validation accuracy plateaus after epoch 3.", (3, None), None),
        ("Validation accuracy falls between epochs 2 and 4.", (2, 4), None),
        ("Accuracy drops from 84.0 at epoch 4 to 77.5 at epoch 5.", (4, 5), None),
        ("The accuracy falls at epoch 4.", (None, None), 4),
        ("The model overfits after epoch 3.", (3, None), 3),
    ],
)
def test_when(text, window, moment):
    content = said.the_only(text).content
    assert content.window == window
    assert content.subjects[0].epoch == moment


def test_shares_and_the_runs_that_are_named():
    text = "On test, two of the three runs of BERT improve at every epoch (seed 1, seed 2); seed 0 does not at epoch 4."
    first, second = said.found(text)
    assert (first.content.share, [s.seed for s in first.content.subjects]) == ((2, 3), [1, 2])
    assert (second.content.denied, second.content.subjects[0].seed) == (True, 0)
    assert (second.content.subjects[0].epoch, second.content.subjects[0].group) == (4, "BERT")


# --- superlatives and ranges ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "predicate", "subject"),
    [
        ("BERT reaches its best accuracy at the last epoch.", "best", {"selection": "last"}),
        ("The mean test accuracy of BERT reaches its maximum at epoch 3.", "highest", {"epoch": 3, "group": "BERT", "aggregate": "mean"}),
        ("The validation loss of BERT has its minimum at epoch 3.", "lowest", {"epoch": 3, "metric": "loss"}),
        ("The validation accuracy of BERT peaks at epoch 4.", "highest", {"epoch": 4}),
        ("L'exactitude de BERT atteint son maximum à l'époque 3.", "highest", {"epoch": 3}),
        ("The best validation accuracy is reached at epoch 4 for seed 2.", "best", {"epoch": 4, "seed": 2}),
        ("La meilleure exactitude de validation est atteinte à l'époque 4.", "best", {"epoch": 4}),
        ("run4, seed 42: the best validation accuracy of BERT is reached at epoch 4.", "best", {"epoch": 4, "group": "BERT"}),
        ("BERT, seed 42: the best validation accuracy is reached at epoch 4.", "best", {"epoch": 4, "seed": 42, "group": "BERT"}),
        ("BERT has the highest test accuracy.", "highest", {"group": "BERT", "split": "test"}),
        ("The highest validation accuracy is obtained with BERT.", "highest", {"group": "BERT"}),
        ("The 3 top curves are those of the pretrained model.", "highest", {"group": "pretrained model"}),
        ("Seed 1 gives the best results.", "best", {"seed": 1}),
        ("For BERT seed 2 is always the best one on the test.", "best", {"seed": 2, "group": "BERT", "split": "test"}),
        ("La graine 1 de BERT est la pire graine.", "worst", {"seed": 1, "group": "BERT"}),
        ("Seed 1 of BERT is the best at epoch 3.", "best", {"seed": 1, "group": "BERT", "epoch": None}),
        ("The accuracy of seed 1 of BERT is highest at epoch 3.", "highest", {"seed": 1, "epoch": 3}),
        ("For all seeds, the best step is the last one.", "best", {"selection": "last"}),
        ("The standard deviation of BERT is largest at epoch 2 (3.76 points).", "highest",
         {"aggregate": "std", "epoch": 2}),
    ],
)  # fmt: skip
def test_superlatives(text, predicate, subject):
    claim = said.the_only(text)
    assert (claim.kind, claim.content.predicate) == ("superlative", predicate)
    first = claim.content.subjects[0]
    assert {name: getattr(first, name) for name in subject} == subject


def test_a_seed_is_best_among_the_seeds_of_its_group_at_a_moment():
    text = "The accuracy of BERT rises. Seed 0 is the worst one at the end of the training."
    content = said.found(text)[-1].content
    assert [(s.group, s.seed, s.selection) for s in content.subjects] == [
        ("BERT", 0, ""),
        ("BERT", None, "last"),
    ]


def test_two_moments_of_one_sentence():
    text = "The test accuracy of BERT is highest at epoch 2 (+14.93 points) and lowest at epoch 5 (+7.10 points)."
    assert [
        (c.content.predicate, c.content.subjects[0].epoch, c.content.amounts[0].text)
        for c in said.found(text)
    ] == [("highest", 2, "+14.93"), ("lowest", 5, "+7.10")]


@pytest.mark.parametrize(
    ("text", "predicate", "numbers"),
    [
        ("The test accuracy of BERT ranges from 78.5% to 80.1%.", "spans", ["78.5", "80.1"]),
        ("The validation accuracy plateaus at 0.62-0.65.", "between", ["0.62", "0.65"]),
        ("L'exactitude de BERT se situe entre 78 et 80 %.", "between", ["78", "80"]),
        ("The accuracy of BERT never falls below 75%.", "above", ["75"]),
        ("The LSTM never exceeds 75% test accuracy.", "below", ["75"]),
        ("The LSTM is never above 75 % on the test set.", "below", ["75"]),
        ("BERT ne descend jamais sous 75 % sur le test.", "above", ["75"]),
        ("BERT ne dépasse jamais 75 % sur le test.", "below", ["75"]),
    ],
)
def test_ranges(text, predicate, numbers):
    claim = next(c for c in said.found(text) if c.kind == "range")
    assert claim.content.predicate == predicate
    assert [number.text for number in claim.content.amounts] == numbers


@pytest.mark.parametrize(
    "text",
    [
        "On validation, the accuracy of the runs of BERT improves at 42 to 49 of 99 evaluations.",
        "Sur la validation, l’exactitude de BERT progresse à 42 à 49 des 99 évaluations.",
    ],
)
def test_moments_that_are_counted_are_no_range(text):
    assert [c for c in said.found(text) if c.kind == "range"] == []


def test_each_curve_has_its_own_range():
    text = "Both accuracy curves plateau, the random curve at 0.62-0.65 and the pretrained one at 0.80-0.85."
    claims = [c for c in said.found(text) if c.kind == "range"]
    assert [(c.content.subjects[0].group, c.content.amounts[0].text) for c in claims] == [
        ("random", "0.62"),
        ("pretrained one", "0.80"),
    ]


# --- what nothing can decide, and what is no claim ------------------------------------
