"""What narrows a value down, in two languages, and what every run of a report has."""

from __future__ import annotations

import pytest

from reportgen.claims._conditions import beginning, condition, data_sets, narrowing
from reportgen.claims._heads import read_text


def told(text):
    return condition(text, (0, len(text)), read_text(text).mentions)


@pytest.mark.parametrize(
    "text",
    [
        "With a wider layer the accuracy drops to 70.1 %",
        "When we freeze the encoder, the test accuracy is 62.0 %",
        "the accuracy is 82.0 % after quantisation",
        "An accuracy of 84.1 % is reached with more augmentation",
        "The accuracy of the tokenizer is 99.9 %",
        "Dark pictures: 61 % accuracy",
        "Avec une couche plus large, l'exactitude est de 70,1 %",
        "Ohne Augmentierung beträgt die Genauigkeit 75,2 %",
    ],
)
def test_a_phrase_that_nothing_explains_is_a_condition(text):
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        "On the test set the accuracy is 80 %",
        "For each of the three seeds, the accuracy on validation is 80 %",
        "At the end of training the model reaches 80 % on average",
        "After five epochs, the accuracy of the best checkpoint is 80 %",
        "The mean accuracy of the model on unseen data is 80 % over 3 runs",
        "With early stopping on the validation loss we get 80 %",
        "The accuracy on CIFAR-10 is 80 %",
        "Sur le jeu de test, l'exactitude moyenne est de 80 % pour les trois graines",
        "Auf dem Testset beträgt die Genauigkeit im Mittel 80 %",
        "Results: the accuracy is 80 %",
    ],
)
def test_what_holds_for_every_run_is_none(text):
    assert not told(text)


@pytest.mark.parametrize(
    "text",
    [
        "the class mouse reaches 67 %",
        "61 % on noisy images",
        "91 % for rare words",
        "with half of the data it is 70 %",
        "avec 10 % des données",
        'the recall for "cat" is 0.9',
    ],
)
def test_some_of_the_data_is_told_from_all_of_it(text):
    assert narrowing(text, 0, len(text))


@pytest.mark.parametrize("text", ["80 % on the test set", "the 80 % accuracy of both models"])
def test_all_of_the_data_is_not_narrowed(text):
    assert not narrowing(text, 0, len(text))


def test_the_beginning_of_a_training_is_no_result():
    assert beginning("Initially the loss is 2.3", 0, 25) == "Initially"
    assert not beginning("the random initialisation reaches 2.3", 0, 36)


def test_data_sets_are_known_by_any_spelling():
    assert data_sets("Fashion-MNIST, MNIST and SST-2") == {"fashionmnist", "mnist", "sst2"}
