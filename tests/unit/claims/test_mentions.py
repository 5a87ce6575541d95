"""Words of the vocabulary, and the same words in another sense."""

from __future__ import annotations

import pytest

from reportgen.claims._heads import read_head, read_text
from reportgen.claims._mentions import mentions


def said(text, *, head=False):
    return {(m.slot, m.value) for m in mentions(text, head=head)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F1-score (macro)", {("metric", "f1_macro")}),
        ("val_acc", {("split", "validation"), ("metric", "accuracy")}),
        ("mAP on the dev set", {("metric", "map"), ("split", "validation")}),
        ("taux d'erreur sur les mots", {("metric", "wer")}),
        ("exactitude de test", {("metric", "accuracy"), ("split", "test")}),
        ("Test overall accuracy in percent", {("split", "test"), ("metric", "accuracy")}),
        ("Test word error rate", {("split", "test"), ("metric", "wer")}),
        ("perte d'entraînement", {("metric", "loss"), ("split", "train")}),
        ("the mean IoU", {("metric", "mean_iou")}),
        ("mean squared error", {("metric", "mse")}),
        ("Test: 80.1", {("split", "test")}),
        ("écart-type", {("aggregate", "std")}),
        ("the SD and the CI", {("aggregate", "std"), ("aggregate", "interval")}),
    ],
)
def test_phrases_in_both_languages(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "after training for two epochs",
        "pre-training on documents",
        "we test whether this holds",
        "we test overall trends",
        "training word embeddings",
        "a paired t test",
        "mixed precision",
        "mean pooling over tokens",
        "the last layer and the final projection",
        "this means that it",
        "max length 256",
        "a valid key",
        "we recall that",
        "the loss function",
        "at best",
        "the training curves",
        "map and reduce",
        "the em dash",
    ],
)
def test_the_same_words_in_another_sense(text):
    assert said(text) == set()


def test_bare_words_mean_more_in_a_head():
    assert said("EM", head=True) == {("metric", "exact_match")}
    assert said("map", head=True) == {("metric", "map")}
    assert said("Train", head=True) == {("split", "train")}
    assert said("Err.", head=True) == {("metric", "error_rate")}
    assert said("Training time (s)", head=True) == set()


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Seed", "seed"),
        ("Graine", "seed"),
        ("Fold", "seed"),
        ("Best Step", "step"),
        ("Meilleure étape", "step"),
        ("Epoch", "epoch"),
        ("Learning rate", "setting"),
        ("LoRA rank", "setting"),
        ("#Params (M)", "other"),
        ("Time/epoch (s)", "other"),
        ("Temps (min)", "other"),
        ("p, two-sided", "other"),
        ("n", "other"),
        ("GPU memory (GB)", "other"),
        ("Test accuracy (%)", ""),
        ("RoBERTa", ""),
    ],
)
def test_what_the_numbers_below_a_head_count(text, role):
    assert read_head(text).role == role


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Pretrain Seed 0", "Pretrain"),
        ("Random Seed 2", "Random"),
        ("RoBERTa small, pretrained: Validation", "RoBERTa small, pretrained"),
        ("Correspond Accuracy on Test", ""),
        ("From a pre-trained model (task 3)", "From a pre-trained model (task 3)"),
        ("Mean ± std", ""),
        ("Epoch 3", ""),
        ("Model B", "Model B"),
        ("Value on Valid", ""),
    ],
)
def test_what_is_left_of_a_head_names_a_group(text, label):
    assert read_head(text).label == label


@pytest.mark.parametrize(
    ("text", "selection"),
    [
        ("the checkpoint with the best validation accuracy", ("best",)),
        ("test accuracy at the best validation step", ("best",)),
        ("early stopping on the validation loss", ("best",)),
        ("the best test accuracy", ("oracle",)),
        ("the lowest WER", ("best",)),
        ("the lowest accuracy", ()),
        ("accuracy after the last epoch", ("last",)),
    ],
)
def test_how_a_step_was_chosen(text, selection):
    assert read_text(text).values("selection") == selection


def test_the_split_of_a_choice_is_not_that_of_the_values():
    head = read_text("Test accuracy at the best validation step")
    assert head.values("split") == ("test",)
