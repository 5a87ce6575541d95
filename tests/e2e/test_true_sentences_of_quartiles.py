"""True sentences on quartiles, and on the single best of all runs: none is accused, its twin is.

Every usual definition of a quartile is legal; NumPy's give what is true of the curves.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import RISING, accusations
from fakes.right._right import write_tags

LAB = "leaves"
VAL = dict(zip(("vgg11", "densenet40"), RISING, strict=True))
TEST = {
    g: {s: [round(v - 0.013, 4) for v in c] for s, c in runs.items()} for g, runs in VAL.items()
}
CHOSEN = {
    g: [100 * TEST[g][s][int(np.argmax(c))] for s, c in runs.items()] for g, runs in VAL.items()
}
OURS = CHOSEN["vgg11"]
TOP, FLOOR = max(OURS), min(CHOSEN["densenet40"])


def quartiles(method):
    return np.quantile(OURS, (0.25, 0.75), method=method)


LOW, HIGH = quartiles("linear")
WEIBULL = quartiles("weibull")
# Right, and a wrong twin where there is one.
SENTENCES = (
    *(
        (
            f"The first quartile of the test accuracy of vgg11 is {quartiles(m)[0]:.1f} % and the third quartile is {quartiles(m)[1]:.1f} %.",
            f"The first quartile of the test accuracy of vgg11 is {quartiles(m)[0]:.1f} % and the third quartile is 75.9 %.",
        )
        for m in ("linear", "weibull", "hazen", "median_unbiased", "inverted_cdf", "lower", "higher", "midpoint")
    ),
    (f"The median test accuracy of vgg11 is {np.median(OURS):.1f} % (IQR {LOW:.1f}-{HIGH:.1f}).", f"The median test accuracy of vgg11 is {np.median(OURS):.1f} % (IQR 61.2-{HIGH:.1f})."),
    (f"vgg11 has a median test accuracy of {np.median(OURS):.1f} %, IQR [{WEIBULL[0]:.1f}, {WEIBULL[1]:.1f}].", f"vgg11 has a median test accuracy of {np.median(OURS):.1f} %, IQR [{WEIBULL[0]:.1f}, 74.4]."),
    (f"The interquartile range of the test accuracy of vgg11 is {HIGH - LOW:.1f} points.", "The interquartile range of the test accuracy of vgg11 is 7.7 points."),
    (f"The 25th and 75th percentiles of the test accuracy of vgg11 are {LOW:.1f} % and {HIGH:.1f} %.", f"The 25th and 75th percentiles of the test accuracy of vgg11 are 61.0 % and {HIGH:.1f} %."),
    (f"The first and third quartiles of the test accuracy of vgg11 are {LOW:.1f} % and {HIGH:.1f} %.", f"The first and third quartiles of the test accuracy of vgg11 are {LOW:.1f} % and 75.1 %."),
    (f"Test accuracy of vgg11: Q1 = {LOW:.1f} %, Q3 = {HIGH:.1f} %.", f"Test accuracy of vgg11: Q1 = 61.1 %, Q3 = {HIGH:.1f} %."),
    (f"Le premier quartile de l'exactitude de test de vgg11 est de {LOW:.1f} %.".replace(".", ",", 1), "Le premier quartile de l'exactitude de test de vgg11 est de 61,0 %."),
    (f"Les premier et troisième quartiles de l'exactitude de test de vgg11 sont {LOW:.1f} % et {HIGH:.1f} %.", f"Les premier et troisième quartiles de l'exactitude de test de vgg11 sont {LOW:.1f} % et 75.2 %."),
    (f"L'écart interquartile de l'exactitude de test de vgg11 est de {HIGH - LOW:.1f} points.", "L'écart interquartile de l'exactitude de test de vgg11 est de 7.7 points."),
    # Quartiles of something else than the runs of one group.
    ("The first quartile of the per-class test accuracy of vgg11 is 41.0 %.", None),
    ("In the first quartile of training, the test accuracy of vgg11 is 51.3 %.", None),
    ("The mean of the first quartile of the test accuracies of vgg11 is 60.5 %.", None),
    ("The interquartile mean (IQM) of the test accuracy of vgg11 is 66.7 %.", None),
    ("The 25th and 75th percentiles of the test accuracy of vgg11 over the examples are 31.0 % and 93.5 %.", None),
    ("Half the interquartile range of the test accuracy of vgg11 is 1.3 points.", None),
    # The single best of all runs.
    (f"The single best test accuracy is {TOP:.1f} %.", "The single best test accuracy is 73.4 %."),
    (f"The single best test accuracy of vgg11 is {TOP:.1f} %.", "The single best test accuracy of vgg11 is 73.4 %."),
    (f"The best single-run test accuracy is {TOP:.1f} %.", "The best single-run test accuracy is 73.4 %."),
    (f"The best test accuracy of any single run is {TOP:.1f} %.", "The best test accuracy of any single run is 73.4 %."),
    (f"The best test accuracy of vgg11 across all its seeds is {TOP:.1f} %.", "The best test accuracy of vgg11 across all its seeds is 73.4 %."),
    (f"Across all seeds, the best test accuracy is {TOP:.1f} %.", "Across all seeds, the best test accuracy is 73.4 %."),
    (f"The single worst test accuracy is {FLOOR:.1f} %.", "The single worst test accuracy is 51.4 %."),
    (f"La meilleure exactitude de test obtenue, toutes graines confondues, est de {TOP:.0f} %.", "La meilleure exactitude de test obtenue, toutes graines confondues, est de 73.4 %."),
    (f"La meilleure exactitude de test de vgg11, toutes graines confondues, est de {TOP:.1f} %.", "La meilleure exactitude de test de vgg11, toutes graines confondues, est de 73.4 %."),
    (f"Toutes graines confondues, la meilleure exactitude de test est de {TOP:.1f} %.", "Toutes graines confondues, la meilleure exactitude de test est de 73.4 %."),
    (f"Toutes exécutions confondues, vgg11 atteint une exactitude de test maximale de {TOP:.1f} %.", "Toutes exécutions confondues, vgg11 atteint une exactitude de test maximale de 73.4 %."),
    # The best of something else.
    (f"The best mean test accuracy, over all seeds, is {np.mean(OURS):.1f} %.", None),
    (f"Toutes graines confondues, la meilleure exactitude de test moyenne est de {np.mean(OURS):.1f} %.", None),
    (f"The single best run of densenet40 reaches a test accuracy of {max(CHOSEN['densenet40']):.1f} %.", None),
    (f"The best validation accuracy over all seeds is {100 * max(max(c) for c in VAL['vgg11'].values()):.1f} %.", None),
    (f"The test accuracy of the single best model is {np.mean(OURS):.1f} %.", None),
    (f"The test accuracy of the single best trained configuration is {np.mean(OURS):.1f} %.", None),
    (f"The best single-run validation accuracy of vgg11 is {100 * max(max(c) for c in VAL['vgg11'].values()):.1f} %.", "The best single-run validation accuracy of vgg11 is 74.9 %."),
    ("The best test accuracy in the literature, over all seeds, is 93.4 %.", None),
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    tags = {"val/acc": VAL, "test/acc": TEST}
    tags["epoch"] = {g: {s: [1, 2, 3, 4, 5] for s in runs} for g, runs in VAL.items()}
    write_tags(folder / LAB, tags, 50)
    return folder


@pytest.mark.parametrize("sentence", [right for right, _ in SENTENCES], ids=lambda s: s[:70])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []


@pytest.mark.parametrize(
    "sentence", [wrong for _, wrong in SENTENCES if wrong], ids=lambda s: s[:70]
)
def test_its_twin_with_another_number_is_seen(sentence, logs):
    assert accusations(logs, LAB, sentence, "wrong") != []
