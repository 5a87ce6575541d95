"""Reports on sentence classifiers trained with fairseq."""

# ruff: noqa: E501 -- reports keep their own lines
from __future__ import annotations

from fakes.right._right import (
    Right,
    best,
    change,
    comma,
    mean,
    shown,
    std,
    write_fairseq,
)

_VALID = {
    "camembert": {
        0: [71.2, 78.4, 80.9, 80.1],
        1: [70.6, 77.9, 79.8, 81.4],
        2: [72.3, 79.0, 80.4, 80.2],
    },
    "scratch": {
        0: [55.0, 60.3, 62.8, 63.9],
        1: [53.7, 61.1, 64.2, 63.0],
        2: [54.4, 59.8, 63.5, 63.6],
    },
}
_TEST = {
    "camembert": {
        0: [70.4, 77.1, 79.6, 80.3],
        1: [70.9, 77.0, 79.2, 79.9],
        2: [71.5, 78.3, 80.2, 79.4],
    },
    "scratch": {
        0: [54.1, 59.7, 61.9, 62.6],
        1: [52.9, 60.4, 62.7, 63.3],
        2: [54.8, 58.9, 62.2, 61.8],
    },
}


def _at_best(group: str) -> list[float]:
    return [_TEST[group][s][best(_VALID[group][s])] for s in range(3)]


def _polarity() -> Right:
    """Models are columns, seeds are rows, the last two rows sum up."""
    cam, scr = _at_best("camembert"), _at_best("scratch")
    rows = "\n".join(f"| {s} | {shown(cam[s])} | {shown(scr[s])} |" for s in range(3))
    last = [_TEST["camembert"][s][-1] for s in range(3)]
    text = f"""# Lab 2 – Sentiment polarity of French film reviews

We fine-tuned CamemBERT and an identical network trained from scratch with three random seeds
(0, 1 and 2) for 4 epochs each. An epoch is 180 updates, so training stops at step 720. All
scores are accuracies in percent.

## Results

Table 1: test accuracy (%) at the epoch with the best validation accuracy.

| Seed | CamemBERT | From scratch |
|---|---|---|
{rows}
| Mean | {shown(mean(cam), 2)} | {shown(mean(scr), 2)} |
| Std (n − 1) | {shown(std(cam), 2)} | {shown(std(scr), 2)} |

For CamemBERT, seed 0 peaks on validation at epoch 3 (80.9 %), seed 1 at epoch 4 (81.4 %) and
seed 2 at epoch 3 (80.4 %). The gap between the two mean test accuracies is
{shown(mean(cam) - mean(scr), 1)} points in favour of CamemBERT.

Had we taken the last epoch for all seeds instead, the mean test accuracy of CamemBERT would be
{shown(mean(last), 2)} %, so the choice hardly matters.

CamemBERT beats the model from scratch at every epoch and for every seed. Its validation accuracy
rises during the first three epochs for all seeds.
"""
    return Right(
        name="polarity",
        form="md",
        text=text,
        write=lambda folder: write_fairseq(
            folder, {"valid": {"accuracy": _VALID}, "test": {"accuracy": _TEST}}, 180
        ),
        changes=(
            change(f"| 1 | {shown(cam[1])} |", "| 1 | 81.4 |", "value", "copied", "aggregate"),
            change(f"| Mean | {shown(mean(cam), 2)}", "| Mean | 80.25", "aggregate"),
            change(
                "seed 1 at epoch 4 (81.4 %)", "seed 1 at epoch 3 (81.4 %)", "best_step", "value"
            ),
            change(f"{shown(mean(cam) - mean(scr), 1)} points", "15.1 points", "difference"),
            change("CamemBERT beats the model", "CamemBERT loses to the model", "ordering"),
        ),
        share=0.6,
    )


_ACC = {
    "flaubert": {
        1: [0.681, 0.742, 0.771, 0.768, 0.775],
        2: [0.692, 0.751, 0.764, 0.779, 0.772],
        3: [0.675, 0.739, 0.768, 0.774, 0.781],
    },
    "bow": {
        1: [0.603, 0.622, 0.634, 0.631, 0.629],
        2: [0.597, 0.619, 0.628, 0.636, 0.635],
        3: [0.610, 0.625, 0.630, 0.633, 0.641],
    },
}
_PERTE = {
    "flaubert": {
        1: [0.612, 0.551, 0.508, 0.521, 0.533],
        2: [0.604, 0.543, 0.512, 0.503, 0.519],
        3: [0.619, 0.549, 0.515, 0.507, 0.498],
    },
    "bow": {
        1: [0.671, 0.654, 0.643, 0.645, 0.648],
        2: [0.675, 0.656, 0.647, 0.640, 0.642],
        3: [0.668, 0.652, 0.648, 0.645, 0.639],
    },
}


def _livres() -> Right:
    """French, aligned text as it comes out of a PDF, decimal commas, seeds from 1."""
    fin = [[100 * _ACC[g][s][-1] for s in (1, 2, 3)] for g in ("flaubert", "bow")]
    top = [max(_ACC["flaubert"][s]) * 100 for s in (1, 2, 3)]
    epochs = [mean([100 * _ACC["flaubert"][s][n] for s in (1, 2, 3)]) for n in range(5)]
    devs = [std([100 * _ACC["flaubert"][s][n] for s in (1, 2, 3)], 0) for n in range(5)]
    rows = "\n".join(
        f"   {n + 1}            {comma(epochs[n])} %            {comma(devs[n], 2)}"
        for n in range(5)
    )
    text = f"""Compte rendu de TP : classification d'avis de lecteurs

1    Protocole

Nous avons entraîné FlauBERT et un sac de mots (BoW) pendant cinq époques, avec les graines 1, 2 et 3.
Le vocabulaire compte 32 000 entrées. Une époque correspond à 400 pas.

2    Résultats

À la dernière époque, FlauBERT atteint une exactitude de validation de {comma(fin[0][0])} % pour la
graine 1, {comma(fin[0][1])} % pour la graine 2 et {comma(fin[0][2])} % pour la graine 3, soit une moyenne de
{comma(mean(fin[0]), 2)} %. Le sac de mots plafonne à {comma(mean(fin[1]), 2)} % en moyenne.

Époque      Moyenne        Écart-type
{rows}

Tableau 1 : exactitude de validation moyenne de FlauBERT sur les trois graines et écart-type
(population) après chaque époque.

La meilleure exactitude de validation de la graine 2 est {comma(top[1])} %, obtenue à l'époque 4 ; celle de la
graine 3 est {comma(top[2])} % à l'époque 5. La perte de validation de la graine 1 est minimale à l'époque 3
({comma(_PERTE["flaubert"][1][2], 3)}) puis remonte jusqu'à {comma(_PERTE["flaubert"][1][4], 3)}.

FlauBERT dépasse le sac de mots de {comma(mean(fin[0]) - mean(fin[1]))} points. L'exactitude moyenne augmente à
chaque époque pour FlauBERT.
"""
    return Right(
        name="livres",
        form="txt",
        text=text,
        write=lambda folder: write_fairseq(
            folder, {"valid": {"accuracy": _ACC, "loss": _PERTE}}, 400
        ),
        changes=(
            change(f"{comma(fin[0][1])} % pour la graine 2", "77,9 % pour la graine 2", "value"),
            change(f"   3            {comma(epochs[2])} %", "   3            77,8 %", "aggregate"),
            change(
                f"{comma(top[2])} % à l'époque 5",
                f"{comma(top[2])} % à l'époque 4",
                "best_step",
                "value",
            ),
            change(
                f"de {comma(mean(fin[0]) - mean(fin[1]))} points",
                "de 19,4 points",
                "ordering",
                "difference",
            ),
            change("augmente à\nchaque époque", "diminue à\nchaque époque", "trend"),
        ),
        share=0.6,
    )


REPORTS = (_polarity(), _livres())
