"""True sentences that hold the last step against the best one, or speak of complete runs alone.

What is true is computed by NumPy from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines and their typographic marks
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import accusations
from fakes.right._right import comma, shown, write_tags

EACH = 500
LAB = "translation"
RISES = (0.41, 0.55, 0.61, 0.65, 0.66, 0.67, 0.675, 0.68)
FALLS = (0, 0, 0, 0, 0.02, 0.06, 0.09, 0.11)
CURVES = {
    "narrow": {
        s: [round(v - d + s / 100, 4) for v, d in zip(RISES, FALLS, strict=True)] for s in (1, 2, 3)
    },
    "wide": {s: [round(v + s / 100, 4) for v in RISES] for s in (1, 2, 3)},
}
CURVES["wide"][3] = CURVES["wide"][3][:5]
BEST, LAST = (
    float(np.mean([pick(c) for c in CURVES["narrow"].values()])) for pick in (max, lambda c: c[-1])
)
FIRST = float(np.mean([c[0] for c in CURVES["narrow"].values()]))
COMPLETE = float(np.mean([CURVES["wide"][s][-1] for s in (1, 2)]))
FROM, TO = shown(BEST, 4), shown(LAST, 4)
DE, A = comma(BEST, 4), comma(LAST, 4)
TRUE = (
    f"At the last step, the mean test accuracy of narrow falls from {FROM} to {TO}.",
    f"At the last step the mean test accuracy of narrow falls to {TO}.",
    f"Taking the last step, the mean test accuracy of narrow drops from {FROM} to {TO}.",
    f"Compared with the best step, the mean test accuracy of narrow falls from {FROM} to {TO} at the last step.",
    f"The mean test accuracy of narrow decreases slightly from {FROM} to {TO} when the last step is taken.",
    f"From its best value on, the mean test accuracy of narrow drops by {shown(BEST - LAST, 4)} at the last step.",
    f"The mean test accuracy of narrow falls from {FROM} (best step) to {TO} (last step).",
    f"Au dernier pas, la moyenne de narrow baisse à {A}.",
    f"Au dernier pas, l’exactitude de test moyenne de narrow baisse de {DE} à {A}.",
    f"Au pas final, l’exactitude de test moyenne de narrow baisse de {DE} à {A}.",
    f"En prenant le dernier pas, l’exactitude de test moyenne de narrow chute de {DE} à {A}.",
    f"L’exactitude de test moyenne de narrow diminue de {DE} (meilleur pas) à {A} (dernier pas).",
    f"The mean over the two complete wide seeds is {shown(COMPLETE, 4)} test accuracy.",
    f"The mean test accuracy of the two complete wide runs is {shown(COMPLETE, 4)}.",
    f"La moyenne des deux graines complètes de wide est de {comma(COMPLETE, 4)} d’exactitude de test.",
)
FALSE = (
    f"At the last step the mean test accuracy of narrow falls to {shown(LAST - 0.1, 4)}.",
    f"From the first to the last step, the mean test accuracy of narrow falls from {shown(FIRST + 0.3, 4)} to {TO}.",
    f"Au dernier pas, l’exactitude de test moyenne de narrow baisse à {comma(LAST - 0.1, 4)}.",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("last_steps")
    write_tags(folder / LAB, {"test/acc": CURVES}, EACH)
    return folder


@pytest.mark.parametrize("sentence", TRUE)
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []


@pytest.mark.parametrize("sentence", FALSE)
def test_its_wrong_twin_is_seen(sentence, logs):
    assert accusations(logs, LAB, sentence, "wrong") != []
