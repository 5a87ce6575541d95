"""What nothing can decide, what is no claim, and any text at all."""

# ruff: noqa: E501 -- sentences stand on one line, as in a report

from __future__ import annotations

import pytest
from fakes import said
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims.statements import find
from reportgen.read.documents import read_document
from reportgen.records.claim import CLAIM_KINDS


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It is the best possible accuracy that we can get in this setup.", "claim_of_optimality"),
        ("C'est la meilleure exactitude possible.", "claim_of_optimality"),
        ("We have the same global shape as with fairseq.", "figure_claim"),
        ("The number of samples might not be the same for both models.", "speculation"),
        ("The accuracies are computed as printed in the notebook.", "provenance"),
    ],
)
def test_what_nothing_can_decide_has_its_reason(text, kind):
    claim = said.the_only(text)
    assert (claim.kind, claim.content) == (kind, None)
    assert claim.reason


@pytest.mark.parametrize(
    "text",
    [
        "A higher learning rate leads to better results.",
        "A higher rank can offer minimal performance boosts.",
        "Increasing the rank improves the accuracy.",
        "Dropout helps to reduce overfitting.",
        "To improve the accuracy we would need more epochs.",
        "We use a larger batch size than BERT does.",
        "The model has a better understanding of language.",
        "The larger the rank, the more parameters are trained.",
        "If the accuracy increases, we keep the checkpoint.",
        "The learning rate decreases linearly after the warm-up.",
        "The rank has to be small compared to the width of the matrix.",
        "LoRA reduces the number of trained parameters.",
        "We choose the checkpoint with the best validation accuracy.",
        "The best step of a run is the one with the highest validation accuracy.",
        "The best validation accuracy of seed 1 is 81.5 at step 1125.",
        "Le dropout permet d'éviter le surapprentissage.",
        "The best results are in bold.",
        "Fine-tuning allows the model to perform better than a baseline.",
        "The gradient norm increases with depth.",
        "No run reaches its best validation accuracy at two steps.",
        "BERT and the LSTM do not reach the same accuracy.",
        "We train BERT and the LSTM at the same accuracy threshold.",
        "BERT has the same accuracy as in the paper of the lecture.",
        "After epoch 3, BERT still gains 0.8 point.",
        "BERT gains 16 points between its first and its last epoch.",
    ],
)
def test_knowledge_aims_and_rules_are_no_claims(text):
    assert said.found(text) == ()


def test_places_and_quotes_are_those_of_the_report():
    text = "First words. Here  BERT is better than the LSTM at every epoch; more words."
    claim = said.the_only(text)
    assert text[claim.start : claim.end] == "Here  BERT is better than the LSTM at every epoch"
    assert claim.quote == "Here BERT is better than the LSTM at every epoch"
    assert (claim.place.line, claim.place.column) == (1, 14)


def test_labels_with_commas_are_one_name():
    text = "The mean accuracy of RoBERTa small, pretrained lies above that of RoBERTa small, random start."
    claim = said.the_only(text)
    assert [s.group for s in claim.content.subjects] == [
        "RoBERTa small, pretrained",
        "RoBERTa small, random start",
    ]


def test_the_two_models_are_those_of_the_report(tmp_path):
    table = "| Model | Test accuracy |\n|---|---|\n| BERT | 70.1 |\n| LSTM | 60.2 |\n"
    text = "The two models have the same test accuracy at the last epoch."
    for rows, groups in ((table, ["BERT", "LSTM"]), (f"{table}| GRU | 61.0 |\n", None)):
        path = tmp_path / "report.md"
        path.write_text(f"{rows}\n{text}\n", encoding="utf-8")
        claims = find(read_document(path))
        found = [[s.group for s in c.content.subjects] for c in claims if c.kind == "comparison"]
        assert found == ([groups] if groups else [])


WORDS = (  # noqa: SIM905 -- words are read as a sentence
    "the accuracy loss of BERT LSTM is are better than higher lower rises falls not at every epoch 3 for "
    "seed 1 between 0.62 and 0.65 , ; . which it 10% about best highest gap test validation plus que la "
    "seeds most stable overfits after never above 80 ( ) à chaque époque"
).split()


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_words_give_claims_that_lie_inside_of_the_text(text):
    for claim in find(said.report(text)):
        assert claim.kind in CLAIM_KINDS
        assert 0 <= claim.start < claim.end <= len(text)
        assert 0 <= claim.confidence <= 1
        assert (claim.content is None) == bool(claim.reason)
        for number in claim.content.amounts if claim.content else ():
            assert text[number.start : number.end] == number.text


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    assert all(claim.quote for claim in find(said.report(text)))


@pytest.mark.parametrize(
    ("text", "predicate", "first"),
    [
        ("BERT-base loses to RoBERTa-base at every epoch in accuracy.", "worse", "BERT-base"),
        ("BERT-base is the best model on both metrics.", "best", "BERT-base"),
        ("Compared with BERT-base, RoBERTa-base gains 5.6 points of F1.", "better", "RoBERTa-base"),
        (
            "Le BiLSTM-CRF progresse à chaque époque pour les deux réseaux.",
            "improves",
            "BiLSTM-CRF",
        ),
    ],
)
def test_who_is_said_to_be_what(text, predicate, first):
    (claim, *_) = said.found(text)
    assert (claim.content.predicate, claim.content.subjects[0].group) == (predicate, first)


def test_what_holds_for_both_systems_holds_without_condition():
    (claim,) = said.found("Le WER augmente à chaque époque pour les deux systèmes.")
    assert claim.content.predicate == "rises"


def test_a_curve_that_is_lowest_and_then_rises_is_lowest_once():
    text = "The validation loss of BERT is lowest after epoch 3 and rises again to 3.6 by epoch 5."
    lowest = [c.content for c in said.found(text) if c.kind == "superlative"]
    assert [statement.subjects[0].epoch for statement in lowest] == [3.0]


def test_an_amount_is_of_the_metric_behind_it():
    (claim,) = said.found("BERT gains 5.6 points of recall and 4.4 points of F1 over the LSTM.")
    assert claim.content.subjects[0].metric == "recall"


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("With dropout. The validation loss falls at every epoch.", "With dropout"),
        ("BERT: the validation loss falls at every epoch.", "BERT"),
        ("BERT is large. The validation loss of both models falls at every epoch.", ""),
    ],
)
def test_a_paragraph_that_begins_with_a_name_is_about_it(text, group):
    (claim,) = said.found(text)
    assert claim.content.subjects[0].group == group


def test_a_section_on_one_group_is_about_it():
    claims = said.found("# BERT", "On observe que la perte de validation diminue à chaque époque.")
    assert [claim.content.subjects[0].group for claim in claims] == ["BERT"]


def test_who_falls_back_need_not_end_below_the_start():
    assert said.found("The test accuracy of BERT falls back to 79.4 in the end.") == ()


def test_a_range_at_the_last_epoch_is_one_of_values():
    (claim,) = said.found("The test accuracy of BERT at the last epoch is between 79 and 81.")
    assert (claim.kind, [str(n.value) for n in claim.content.amounts]) == ("range", ["79", "81"])
    assert said.found("The test accuracy of BERT is stable in epochs between 3 and 5.") == ()


def test_amounts_are_read_with_the_decimals_of_their_report():
    text = "L'écart entre BERT et le LSTM est le plus grand à l'époque 3 (+5,172 points)."
    (claim,) = said.found(text, "L'exactitude de BERT est de 75,4 %.")

    assert [str(number.value) for number in claim.content.amounts] == ["5.172"]
