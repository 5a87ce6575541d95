"""True sentences on changes, gains, factors, quartiles and bests that are easily misread.

They are of the logs of `test_true_sentences`; some say what no log tells. None is accused.
"""

# ruff: noqa: E501 -- sentences keep their own lines and their typographic marks
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import RISING, accusations
from fakes.right._right import write_tags

LAB = "leaves"
VAL = dict(zip(("vgg11", "densenet40"), RISING, strict=True))
LESS = {0: 0.011, 1: 0.017, 2: 0.006, 3: 0.012, 5: 0.006}
TEST = {
    g: {s: [round(v - LESS[s], 4) for v in c] for s, c in runs.items()} for g, runs in VAL.items()
}
TOP5 = {
    g: {s: [round(1 - (1 - v) / 3, 4) for v in c] for s, c in runs.items()}
    for g, runs in VAL.items()
}
LOSS = {
    g: {s: [round(2.1 - 2 * v, 4) for v in c] for s, c in runs.items()} for g, runs in VAL.items()
}
SENTENCES = (
    "The median validation accuracy of vgg11 goes from 41.7 % to 67.9 %.",
    "L'exactitude de validation médiane de vgg11 passe de 41,7 % à 67,9 %.",
    "The minimum validation accuracy of vgg11 rises from 40.7 % to 66.9 %.",
    "With seed 0 vgg11 loses 0.514 of validation loss during training.",
    "The validation accuracy of vgg11 goes from 41.2 % (seed 0) to 72.2 % (seed 3).",
    "vgg11's test accuracy goes from 65.7 % (seed 1) up to 71.0 % (seed 3).",
    "The test accuracy goes from 59.4 % for the worst run to 71.0 % for the best.",
    "Across all runs, the test accuracy goes from 59.4 % to 71.0 %.",
    "L'exactitude de test des graines va de 65,7 % à 71,0 % pour vgg11.",
    "L'exactitude de test de vgg11 va de 65,7 % à 71,0 %.",
    "The mean validation accuracy of vgg11 goes from 41.8 % to 56.1 %, 64.3 % and 68.1 % in the first four epochs.",
    "L'exactitude de validation moyenne de vgg11 passe de 41,8 % à 56,1 % puis à 64,3 %.",
    "Après la première époque, l'exactitude de validation moyenne de vgg11 passe de 41,8 % à 56,1 %.",
    "Between epochs 1 and 2 alone, the mean validation accuracy of vgg11 goes from 41.8 % to 56.1 %.",
    "In the second epoch, the mean validation accuracy of vgg11 goes from 41.8 % to 56.1 %.",
    "At epoch 2 the mean validation accuracy of vgg11 goes from 41.8 % to 56.1 %.",
    "The validation loss of vgg11 goes from 1.26 down to 0.73, while densenet40 only goes from 1.34 to 0.87.",
    "The mean validation accuracy rises from 41.8 % to 68.7 % for vgg11 and from 38.1 % to 61.3 % for densenet40.",
    "The mean validation accuracy goes from 41.8 % to 68.7 % for vgg11 and from 38.1 % to 61.3 % for densenet40.",
    "L'exactitude de validation moyenne passe de 41,8 % à 68,7 % pour vgg11 et de 38,1 % à 61,3 % pour densenet40.",
    "The top-5 validation accuracy of vgg11 goes from 80.6 % to 89.6 % on average.",
    "The accuracy of vgg11 drops from 68.7 % on validation to 67.6 % on test.",
    "The accuracy of vgg11 falls from 68.7 % (validation) to 67.5 % (test) on average.",
    "The validation accuracy falls from 67.1 % to 66.9 % in the last epoch for vgg11 with seed 0.",
    "With seed 0, the validation accuracy of vgg11 peaks at 67.1 % and drops to 66.9 %.",
    "With seed 1 vgg11's loss goes from 1.286 to 0.752 on validation.",
    "The mean validation accuracy of vgg11 goes from 0.418 to 0.687.",
    "The mean validation error of vgg11 goes from 58.2 % to 31.3 %.",
    "The mean validation accuracy of vgg11 goes from 41.8 % after one epoch to 68.7 % after five.",
    "L'exactitude de validation moyenne de vgg11 passe de 41,8 % après une époque à 68,7 % après cinq époques.",
    "L'exactitude de validation moyenne de vgg11 passe de 41,8 % au pas 50 à 68,7 % au pas 250.",
    "The mean validation accuracy of vgg11 goes from 41.8 % at step 50 to 68.7 % at step 250.",
    "From epoch 1 to epoch 5 vgg11 gains 26.9 points of validation accuracy on average.",
    "vgg11 gains 14.3 points of mean validation accuracy in the second epoch.",
    "vgg11 gagne 14,3 points d'exactitude de validation à la deuxième époque, en moyenne.",
    "vgg11 loses 1.1 points of accuracy between validation and test.",
    "vgg11 perd 1,1 point d'exactitude entre la validation et le test.",
    "densenet40 gains 23.2 points and vgg11 gains 26.9 points of mean validation accuracy during training.",
    "On average vgg11 gains 26.9 points and densenet40 23.2 points of validation accuracy during training.",
    "The mean test accuracy of vgg11 gains 26.9 points.",
    "Removing seed 3, vgg11 loses 1.1 points of mean test accuracy.",
    "Without seed 3, the mean test accuracy of vgg11 goes from 67.6 % to 66.5 %.",
    "vgg11 loses 4.5 points of test accuracy when quantised.",
    "vgg11 gains 7.3 points of test accuracy.",
    "Against densenet40, vgg11 gains 7.3 points of mean test accuracy.",
    "Face à densenet40, vgg11 gagne 7,3 points d'exactitude de test moyenne.",
    "vgg11 wins against densenet40 by 7.3 points of test accuracy.",
    "With seed 1, vgg11 gains 6.3 points of test accuracy over densenet40.",
    "L'amélioration de l'exactitude de test de densenet40 à vgg11 est de 7,3 points.",
    "Nous observons une amélioration de 7,3 points de l'exactitude de test moyenne avec vgg11.",
    "Une amélioration de 3,2 points est attendue avec plus de données pour vgg11.",
    "From 41.8 % at epoch 1 to 68.7 % at epoch 5, the mean validation accuracy of vgg11 improves steadily.",
    "De 41,8 % à l'époque 1 à 68,7 % à l'époque 5, l'exactitude de validation moyenne de vgg11 progresse sans cesse.",
    "L'exactitude de validation moyenne de vgg11 progresse de 41,8 % à l'époque 1 à 68,7 % à l'époque 5.",
    "L'exactitude de validation moyenne de vgg11 progresse de 26,9 points entre les époques 1 et 5.",
    "With seed 0, the validation accuracy of vgg11 reaches 67.1 % at epoch 4 and then falls to 66.9 %.",
    "With seed 0, the validation accuracy of vgg11 reaches its best, 67.1 %, in epoch 4 and falls back to 66.9 %.",
    "Avec la graine 0, l'exactitude de validation de vgg11 culmine à 67,1 % puis retombe à 66,9 %.",
    "The loss of vgg11 (seed 0) is lowest, 0.758, at epoch 4 and rises to 0.762.",
    "On validation, vgg11's loss is 1.2 times lower than densenet40's at the end.",
    "The validation loss of vgg11 with seed 1 is 1.16 times lower than that of densenet40 with seed 1 at the end.",
    "Train and validation losses differ by a factor of 3 for vgg11 and densenet40.",
    "The learning rate of vgg11 is 10 times higher than that of densenet40, and the loss is similar.",
    "vgg11 is 3 times larger than densenet40 and has a lower validation loss.",
    "With vgg11, the validation loss is 1.2 times lower than with densenet40.",
    "The loss scale of vgg11 is 128 times that of densenet40.",
    "Training vgg11 takes 2.5 times the time of densenet40, for 7.3 points of test accuracy more.",
    "The gap between seeds is 1.9 times larger for vgg11 than for densenet40 in test accuracy.",
    "The spread of the test accuracies is 2.5 times higher for vgg11 than for densenet40.",
    "The standard deviation of the test accuracy of vgg11 is 2.5 times that of densenet40.",
    "L'écart-type de l'exactitude de test de vgg11 est 2,5 fois plus élevé que celui de densenet40.",
    "The validation loss of vgg11 at epoch 1 is 1.7 times higher than at epoch 5.",
    "The error of vgg11 is 1.2 times lower than that of densenet40 on the test set.",
    "The validation loss of vgg11 falls by a factor of 1.7.",
    "La perte de validation de vgg11 est divisée par 1,7 au cours de l'entraînement.",
    "vgg11 and densenet40 were trained for the same number of steps, twice as many as in the first lab.",
    "vgg11 was trained with half the data of densenet40.",
    "Half of the steps of vgg11 and densenet40 were spent on warm-up.",
    "La moitié des pas de vgg11 suffisent à dépasser densenet40.",
    "vgg11 reaches the final accuracy of densenet40 in half the steps.",
    "vgg11 atteint l'exactitude finale de densenet40 en moitié moins de pas.",
    "In half of the epochs vgg11 is above densenet40.",
    "For half the epochs, vgg11 lies above 60 % validation accuracy.",
    "The median test accuracy of vgg11 is 66.9 %, with an interquartile range of 2.6 points; that of densenet40 is 60.2 %, with an interquartile range of 1.0 points.",
    "The medians (IQR) of the test accuracy are 66.9 (65.9-68.5) % for vgg11 and 60.2 (59.8-60.8) % for densenet40.",
    "vgg11: 66.9 [65.9, 68.5]; densenet40: 60.2 [59.8, 60.8] (median test accuracy and quartiles, %).",
    "Box plots show median, quartiles and extremes of the test accuracy; vgg11 has a median of 66.9 % and a maximum of 71.0 %.",
    "In the box plot the quartiles of the test accuracy of vgg11 enclose its mean of 67.6 %.",
    "All quartiles of the test accuracy of vgg11 lie above 65 %.",
    "The first quartile of vgg11, 65.9 %, lies above the maximum of densenet40, 61.3 % (test accuracy).",
    "The third quartile of the validation accuracy of vgg11 at epoch 5 is 69.2 %.",
    "Le troisième quartile de l'exactitude de validation de vgg11 à l'époque 5 est de 69,2 %.",
    "The best accuracy of all seeds of vgg11 on validation is 72.2 %.",
    "The single best accuracy is 72.2 %.",
    "The single best validation loss of vgg11 is 0.656.",
    "The single best test accuracy of each group is 71.0 % for vgg11 and 61.3 % for densenet40.",
    "The single best test accuracy is 71.0 % for vgg11 and 61.3 % for densenet40.",
    "The single best test accuracy is vgg11's 71.0 %.",
    "The single best epoch has a mean test accuracy of 67.6 %.",
    "The single best test accuracy on one class is 99.0 %.",
    "La meilleure exactitude obtenue, toutes graines confondues, est de 72,2 % en validation.",
    "La meilleure exactitude, toutes graines confondues, est de 71,0 % pour vgg11 et de 61,3 % pour densenet40 sur le test.",
    "La pire exactitude de test, toutes graines et tous modèles confondus, est de 59,4 %.",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    tags = {"val/acc": VAL, "test/acc": TEST, "val/top5": TOP5, "val/loss": LOSS}
    tags["epoch"] = {g: {s: [1, 2, 3, 4, 5] for s in runs} for g, runs in VAL.items()}
    write_tags(folder / LAB, tags, 50)
    return folder


def test_the_logs_are_those_that_the_sentences_are_of():
    chosen = {
        g: [100 * TEST[g][s][int(np.argmax(c))] for s, c in r.items()] for g, r in VAL.items()
    }
    assert [round(float(np.mean(values)), 1) for values in chosen.values()] == [67.6, 60.3]


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda s: s[:80])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []
