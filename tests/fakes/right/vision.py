"""Reports of vision courses: classification and segmentation."""

# ruff: noqa: E501 -- reports keep their own lines
from __future__ import annotations

import json
from pathlib import Path

from fakes.event_file import write_scalars
from fakes.right._right import (
    Right,
    best,
    change,
    comma,
    mean,
    points,
    shown,
    std,
    write_tags,
)

_VAL = {
    "resnet18": {
        0: [0.5312, 0.6480, 0.7126, 0.7390, 0.7544, 0.7512],
        1: [0.5268, 0.6512, 0.7094, 0.7402, 0.7498, 0.7530],
        2: [0.5350, 0.6446, 0.7150, 0.7368, 0.7520, 0.7506],
    },
    "vit_tiny": {
        0: [0.4120, 0.5034, 0.5588, 0.5902, 0.6110, 0.6238],
        1: [0.4088, 0.5010, 0.5540, 0.5876, 0.6084, 0.6192],
        2: [0.4156, 0.5062, 0.5612, 0.5930, 0.6128, 0.6254],
    },
}
_TESTV = {
    "resnet18": {
        0: [0.5290, 0.6441, 0.7088, 0.7352, 0.7501, 0.7488],
        1: [0.5241, 0.6478, 0.7061, 0.7371, 0.7466, 0.7494],
        2: [0.5322, 0.6415, 0.7110, 0.7334, 0.7479, 0.7470],
    },
    "vit_tiny": {
        0: [0.4097, 0.5001, 0.5551, 0.5870, 0.6077, 0.6201],
        1: [0.4059, 0.4982, 0.5509, 0.5841, 0.6050, 0.6160],
        2: [0.4130, 0.5030, 0.5580, 0.5897, 0.6095, 0.6219],
    },
}


def _cifar() -> Right:
    """LaTeX, models as columns, fractions in the logs and percents in the report."""

    def cell(group: str, curves: dict, pick: bool) -> str:
        values = [100 * curves[group][s][best(_VAL[group][s]) if pick else -1] for s in range(3)]
        return rf"{mean(values):.2f}$\,\pm\,${std(values, 0):.2f}"

    res = [100 * _TESTV["resnet18"][s][best(_VAL["resnet18"][s])] for s in range(3)]
    vit = [100 * _TESTV["vit_tiny"][s][best(_VAL["vit_tiny"][s])] for s in range(3)]
    text = rf"""\documentclass{{article}}
\usepackage{{booktabs,amsmath}}
\newcommand{{\res}}{{ResNet-18}}
\begin{{document}}
\section*{{Homework 2: convolution or attention on CIFAR-100}}

We train \res{{}} and ViT-Tiny from scratch for six epochs (390 iterations per epoch, 2340 in total) and repeat every
experiment with three seeds. Model selection uses top-1 accuracy on a held-out validation split.

\begin{{table}}
\caption{{Top-1 accuracy (\%), mean $\pm$ population standard deviation over three seeds.}}
\begin{{tabular}}{{lrr}}
\toprule
 & \res & ViT-Tiny \\
\midrule
Validation, best epoch & {cell("resnet18", _VAL, True)} & {cell("vit_tiny", _VAL, True)} \\
Test, best validation epoch & {cell("resnet18", _TESTV, True)} & {cell("vit_tiny", _TESTV, True)} \\
Test, last epoch & {cell("resnet18", _TESTV, False)} & {cell("vit_tiny", _TESTV, False)} \\
\bottomrule
\end{{tabular}}
\end{{table}}

The convolutional network is {mean(res) - mean(vit):.1f} percentage points ahead on the test set. ViT-Tiny still improves at
each epoch for every seed, whereas two of the three \res{{}} runs have their best validation epoch before the last one.

Parameters. A $3\times3$ convolution with $c$ input and $c$ output channels has $9c^2$ weights: for $c = 512$ that is
$9 \times 512^2 = 2{{,}}359{{,}}296$. The patch embedding of ViT-Tiny has $4 \times 4 \times 3 \times 192 + 192 = 9{{,}}408$
parameters, and its 12 blocks have 3 heads of dimension 64.

\end{{document}}
"""
    return Right(
        name="cifar",
        form="tex",
        text=text,
        write=lambda folder: write_tags(folder, {"val/top1": _VAL, "test/top1": _TESTV}, 390),
        changes=(
            change(
                rf"Test, last epoch & {cell('resnet18', _TESTV, False)}",
                r"Test, last epoch & 75.16$\,\pm\,$0.10",
                "aggregate",
                "value",
            ),
            change(f"& {cell('vit_tiny', _VAL, True)}", r"& 62.28$\,\pm\,$0.62", "aggregate"),
            change("2{,}359{,}296", "2{,}395{,}296", "arithmetic", "substitution"),
            change("improves at\neach epoch", "degrades at\neach epoch", "trend"),
        ),
        share=0.55,
    )


_IOU = {
    "unet": {
        1: [0.512, 0.603, 0.641, 0.668],
        2: [0.498, 0.590, 0.634, 0.655],
        3: [0.521, 0.611, 0.652, 0.671],
        4: [0.487, 0.588, 0.629, 0.650],
        5: [0.509, 0.600, 0.645, 0.663],
    }
}
_DICE = {
    "unet": {
        1: [0.661, 0.742, 0.771, 0.790],
        2: [0.650, 0.731, 0.764, 0.781],
        3: [0.672, 0.749, 0.779, 0.796],
        4: [0.641, 0.729, 0.760, 0.777],
        5: [0.660, 0.739, 0.774, 0.788],
    }
}


def _folds() -> Right:
    """A notebook: one model, five folds, lists in a sentence."""
    iou = [_IOU["unet"][k][-1] for k in range(1, 6)]
    dice = [_DICE["unet"][k][-1] for k in range(1, 6)]
    cells = [
        "# Polyp segmentation with a U-Net\n\nMedical imaging, practical 5. Five-fold cross-validation, 4 epochs a fold.",
        (
            f"## Results\n\nThe validation IoU of the five folds after the last epoch is {', '.join(shown(v, 3) for v in iou)}, "
            f"i.e. {shown(mean(iou), 3)} ± {shown(std(iou), 3)} (mean ± sample standard deviation). The Dice score is "
            f"{shown(mean(dice), 3)} ± {shown(std(dice), 3)}."
        ),
        "| Fold | IoU | Dice |\n|---|---|---|\n"
        + "\n".join(
            f"| {k} | {shown(i, 3)} | {shown(d, 3)} |"
            for k, i, d in zip(range(1, 6), iou, dice, strict=True)
        ),
        (
            "Fold 3 is the easiest (IoU 0.671) and fold 4 the hardest (IoU 0.650). On every fold IoU increases with "
            "each epoch; from the first to the last epoch the gain on fold 1 is 0.156.\n\n"
            "The last convolution of the decoder has 64 × 1 × 1 × 1 + 1 = 65 parameters."
        ),
    ]
    nb = {
        "cells": [{"cell_type": "markdown", "metadata": {}, "source": c} for c in cells],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return Right(
        name="folds",
        form="ipynb",
        text=json.dumps(nb, indent=1, ensure_ascii=False),
        write=lambda folder: write_tags(
            folder, {"val/iou": _IOU, "val/dice": _DICE}, 60, run="fold_{}"
        ),
        changes=(
            change("| 2 | 0.655", "| 2 | 0.665", "value"),
            change(f"i.e. {shown(mean(iou), 3)}", "i.e. 0.664", "aggregate"),
            change(
                "fold 4 the hardest (IoU 0.650)",
                "fold 4 the hardest (IoU 0.640)",
                "value",
                "contradiction",
            ),
            change("+ 1 = 65", "+ 1 = 66", "arithmetic"),
        ),
        share=0.6,
    )


_EXA = {
    "cnn": {
        7: [0.9612, 0.9774, 0.9831, 0.9858, 0.9862],
        8: [0.9598, 0.9780, 0.9824, 0.9851, 0.9869],
    },
    "mlp": {
        7: [0.9214, 0.9433, 0.9541, 0.9602, 0.9640],
        8: [0.9203, 0.9420, 0.9537, 0.9611, 0.9632],
    },
}
_PER = {
    "cnn": {7: [0.131, 0.074, 0.056, 0.047, 0.045], 8: [0.135, 0.072, 0.058, 0.049, 0.043]},
    "mlp": {7: [0.271, 0.194, 0.158, 0.136, 0.122], 8: [0.275, 0.199, 0.160, 0.133, 0.125]},
}


def _write_keras(folder: Path) -> None:
    """Write as Keras does: a folder a split, epochs from 0."""
    for group in _EXA:
        for seed in (7, 8):
            scalars = {
                "epoch_accuracy": points(_EXA[group][seed], 1, 0),
                "epoch_loss": points(_PER[group][seed], 1, 0),
            }
            write_scalars(folder / group / f"seed{seed}" / "validation", scalars)


def _chiffres() -> Right:
    """French Markdown, a table an epoch, two runs called A and B."""
    rows = "\n".join(
        f"| {n + 1} | {comma(100 * _EXA['cnn'][7][n], 2)} % | {comma(_PER['cnn'][7][n], 3)} | {comma(100 * _EXA['mlp'][7][n], 2)} % | {comma(_PER['mlp'][7][n], 3)} |"
        for n in range(5)
    )
    cnn = [100 * _EXA["cnn"][s][-1] for s in (7, 8)]
    mlp = [100 * _EXA["mlp"][s][-1] for s in (7, 8)]
    text = f"""# TP 3 : réseaux convolutifs sur MNIST

## 1. Comparaison du CNN et du perceptron (MLP)

Les deux réseaux sont entraînés pendant 5 époques avec Adam. Le tableau donne l'exactitude et la perte
de validation avec la graine 7.

| Époque | CNN exactitude | CNN perte | MLP exactitude | MLP perte |
|---|---|---|---|---|
{rows}

On observe que la perte diminue à chaque époque pour les deux réseaux. Le CNN dépasse 98 % dès la
troisième époque ; le MLP n'atteint que {comma(100 * _EXA["mlp"][7][-1], 2)} % à la dernière.

En moyenne sur les graines 7 et 8, l'exactitude finale est de {comma(mean(cnn), 2)} % pour le CNN et de
{comma(mean(mlp), 2)} % pour le MLP, soit un écart de {comma(mean(cnn) - mean(mlp), 2)} points.

## 2. Nombre de paramètres

La première couche de convolution possède 32 filtres 3 × 3 sur un canal, donc 32 × (3 × 3 × 1 + 1) = 320
paramètres. Le MLP a une couche cachée de 128 neurones : 784 × 128 + 128 = 100 480 paramètres, puis
128 × 10 + 10 = 1 290 pour la sortie, soit 101 770 au total.
"""
    return Right(
        name="chiffres",
        form="md",
        text=text,
        write=_write_keras,
        changes=(
            change("| 3 | 98,31 %", "| 3 | 98,13 %", "value"),
            change("est de " + comma(mean(cnn), 2), "est de 98,76", "aggregate"),
            change(
                f"écart de {comma(mean(cnn) - mean(mlp), 2)} points",
                "écart de 2,92 points",
                "difference",
            ),
            change("= 100 480", "= 100 840", "arithmetic", "substitution"),
            change("la perte diminue à chaque", "la perte augmente à chaque", "trend"),
        ),
        share=0.6,
    )


REPORTS = (_cifar(), _folds(), _chiffres())
