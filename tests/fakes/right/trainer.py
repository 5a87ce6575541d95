"""Reports on models trained with the Hugging Face Trainer."""

# ruff: noqa: E501 -- reports keep their own lines
from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from fakes.right._right import Right, best, change, mean, shown, std

_F1 = {
    "distilbert-lora": {
        42: [0.842, 0.871, 0.883],
        43: [0.838, 0.869, 0.879],
        44: [0.845, 0.874, 0.888],
    },
    "distilbert-full": {
        42: [0.861, 0.889, 0.894],
        43: [0.858, 0.884, 0.899],
        44: [0.866, 0.891, 0.887],
    },
}
_ACC = {
    "distilbert-lora": {
        42: [0.851, 0.880, 0.891],
        43: [0.849, 0.876, 0.888],
        44: [0.853, 0.882, 0.895],
    },
    "distilbert-full": {
        42: [0.870, 0.897, 0.902],
        43: [0.868, 0.893, 0.906],
        44: [0.873, 0.899, 0.896],
    },
}
_LOSS = {
    "distilbert-lora": {
        42: [0.412, 0.351, 0.334],
        43: [0.421, 0.360, 0.341],
        44: [0.409, 0.347, 0.329],
    },
    "distilbert-full": {
        42: [0.371, 0.318, 0.325],
        43: [0.378, 0.327, 0.319],
        44: [0.366, 0.312, 0.331],
    },
}
_TRAIN = {
    "distilbert-lora": {
        42: [0.588, 0.402, 0.357],
        43: [0.601, 0.411, 0.362],
        44: [0.579, 0.398, 0.351],
    },
    "distilbert-full": {
        42: [0.498, 0.301, 0.214],
        43: [0.507, 0.309, 0.220],
        44: [0.491, 0.297, 0.209],
    },
}
_MEAN_TRAIN = {"distilbert-lora": 0.4493, "distilbert-full": 0.3381}


def _write_states(folder: Path, each: int = 250) -> None:
    """Write what the Trainer leaves: its state with evaluations, losses and the last summary."""
    for group, seeds in _F1.items():
        for seed in seeds:
            history: list[Mapping[str, float]] = []
            for n in range(3):
                at = {"epoch": n + 1.0, "step": each * (n + 1)}
                history.append(
                    {"loss": _TRAIN[group][seed][n], "learning_rate": 2e-5 * (3 - n) / 3, **at}
                )
                history.append(
                    {
                        "eval_loss": _LOSS[group][seed][n],
                        "eval_accuracy": _ACC[group][seed][n],
                        "eval_f1": seeds[seed][n],
                        "eval_runtime": 12.1,
                        **at,
                    }
                )
            history.append(
                {
                    "train_loss": _MEAN_TRAIN[group],
                    "train_runtime": 611.3,
                    "epoch": 3.0,
                    "step": 3 * each,
                }
            )
            home = folder / f"{group}-seed{seed}"
            home.mkdir(parents=True)
            state = {
                "epoch": 3.0,
                "global_step": 3 * each,
                "max_steps": 3 * each,
                "num_train_epochs": 3,
                "log_history": history,
            }
            (home / "trainer_state.json").write_text(json.dumps(state), encoding="utf-8")


def _line(group: str) -> str:
    last = {
        name: [curves[group][s][-1] for s in (42, 43, 44)]
        for name, curves in (("f", _F1), ("a", _ACC), ("l", _LOSS))
    }
    return " | ".join(f"{shown(mean(v), 3)} ({shown(std(v), 3)})" for v in last.values())


def _toxicity() -> Right:
    """Fractions, `value (std)`, seeds from 42, the Trainer's own words."""
    lora = [_F1["distilbert-lora"][s][-1] for s in (42, 43, 44)]
    full = [_F1["distilbert-full"][s][-1] for s in (42, 43, 44)]
    text = f"""# Toxic comment detection: LoRA or full fine-tuning?

*Applied NLP, assignment 3. Group 7.*

## Setup

All runs use the Hugging Face `Trainer`, 3 epochs, and seeds 42, 43 and 44. We report metrics on the
validation set after the final epoch; there is no separate test set. LoRA has rank 8 on `q_lin` and
`v_lin` in each of the 6 layers with d = 768, so it adds 6 × 2 × (768 × 8 + 8 × 768) = 147,456
weights. Full fine-tuning updates all 66,955,010 parameters, 454 times as many.

## Results

| Method | F1 | Accuracy | Eval loss |
|:--|:-:|:-:|:-:|
| LoRA | {_line("distilbert-lora")} |
| Full | {_line("distilbert-full")} |

*Table 1. Mean over three seeds with the sample standard deviation in parentheses.*

- Full fine-tuning is {shown(100 * (mean(full) - mean(lora)), 1)} F1 points better than LoRA.
- The best single run is full fine-tuning with seed 43, with an F1 of 0.899 and an accuracy of 0.906.
- With seed 44, full fine-tuning starts to overfit: eval loss goes from 0.312 after epoch 2 to 0.331
  after epoch 3, while the training loss still falls from 0.297 to 0.209.
- For LoRA the validation loss decreases at every epoch for all seeds.

The average training loss printed by the Trainer at the end (`train_loss`) was 0.4493 for LoRA and
0.3381 for full fine-tuning.
"""
    return Right(
        name="toxicity",
        form="md",
        text=text,
        write=_write_states,
        changes=(
            change("LoRA | 0.883", "LoRA | 0.871", "aggregate"),
            change("an F1 of 0.899", "an F1 of 0.906", "value", "copied"),
            change("0.312 after epoch 2", "0.327 after epoch 2", "value"),
            change("= 147,456", "= 147,546", "arithmetic", "substitution"),
            change("the validation loss decreases", "the validation loss increases", "trend"),
        ),
        share=0.6,
    )


_NER = {
    "camembert-base": {
        1: [81.3, 84.6, 86.2, 86.0],
        2: [80.9, 84.1, 85.7, 86.3],
        3: [81.8, 85.0, 86.1, 85.9],
    },
    "bilstm-crf": {
        1: [70.2, 75.8, 78.0, 78.9],
        2: [69.5, 74.9, 77.6, 78.4],
        3: [71.0, 76.2, 78.3, 79.1],
    },
}
_PREC = {
    "camembert-base": {
        1: [80.2, 84.0, 85.9, 85.2],
        2: [79.8, 83.5, 85.1, 86.0],
        3: [80.6, 84.4, 85.5, 85.3],
    },
    "bilstm-crf": {
        1: [72.9, 77.3, 79.8, 80.6],
        2: [72.0, 76.4, 79.3, 80.1],
        3: [73.5, 77.8, 80.0, 80.9],
    },
}
_REC = {
    "camembert-base": {
        1: [82.4, 85.2, 86.5, 86.8],
        2: [82.0, 84.7, 86.3, 86.6],
        3: [83.0, 85.6, 86.7, 86.5],
    },
    "bilstm-crf": {
        1: [67.7, 74.4, 76.3, 77.3],
        2: [67.2, 73.5, 76.0, 76.8],
        3: [68.7, 74.7, 76.7, 77.4],
    },
}


def _write_ner(folder: Path) -> None:
    for group, seeds in _NER.items():
        for seed in seeds:
            history = [
                {
                    "eval_f1": seeds[seed][n] / 100,
                    "eval_precision": _PREC[group][seed][n] / 100,
                    "eval_recall": _REC[group][seed][n] / 100,
                    "epoch": n + 1.0,
                    "step": 320 * (n + 1),
                }
                for n in range(4)
            ]
            home = folder / group / f"seed-{seed}" / "checkpoint-1280"
            home.mkdir(parents=True)
            state = {"epoch": 4.0, "global_step": 1280, "log_history": history}
            (home / "trainer_state.json").write_text(json.dumps(state), encoding="utf-8")


def _tex(value: float, decimals: int = 1) -> str:
    return f"{value:.{decimals}f}".replace(".", "{,}")


def _entities() -> Right:
    """French LaTeX, three metrics, the best epoch of each run, decimal commas in braces."""

    def row(group: str, label: str) -> str:
        picks = [best(_NER[group][s]) for s in (1, 2, 3)]
        cells = []
        for curves in (_PREC, _REC, _NER):
            values = [curves[group][s][e] for s, e in zip((1, 2, 3), picks, strict=True)]
            cells.append(rf"${_tex(mean(values))} \pm {_tex(std(values), 2)}$")
        return rf"{label} & {' & '.join(cells)} \\"

    f_cam = [max(_NER["camembert-base"][s]) for s in (1, 2, 3)]
    f_crf = [max(_NER["bilstm-crf"][s]) for s in (1, 2, 3)]
    gain = mean(f_cam) - mean(f_crf)
    text = rf"""\documentclass[11pt]{{article}}
\usepackage[french]{{babel}}
\usepackage{{booktabs}}
\begin{{document}}
\title{{Reconnaissance d'entités nommées : CamemBERT contre BiLSTM-CRF}}
\maketitle

\section{{Expériences}}
Chaque modèle est entraîné pendant 4~époques avec trois graines aléatoires. Le meilleur point de
contrôle de chaque exécution est choisi sur le score F1 de validation. Toutes les mesures sont
données en pourcentage sur l'ensemble de validation.

\begin{{table}}[h]
\centering
\begin{{tabular}}{{lccc}}
\toprule
Modèle & Précision & Rappel & F1 \\
\midrule
{row("camembert-base", "CamemBERT")}
{row("bilstm-crf", "BiLSTM-CRF")}
\bottomrule
\end{{tabular}}
\caption{{Moyenne et écart-type (corrigé, $n-1$) sur les trois exécutions.}}
\end{{table}}

\section{{Discussion}}
CamemBERT gagne {_tex(gain)}~points de F1 sur le BiLSTM-CRF, soit une amélioration relative de
{_tex(100 * gain / mean(f_crf))}~\%. Pour CamemBERT, le F1 maximal est {_tex(max(f_cam))}~\% ; il est atteint
par la graine~2 à l'époque~4. Le rappel de CamemBERT est supérieur à sa précision, alors que c'est
l'inverse pour le BiLSTM-CRF.

Le F1 du BiLSTM-CRF progresse à chaque époque pour toutes les graines : pour la graine~1 il passe de
{_tex(_NER["bilstm-crf"][1][0])}~\% à {_tex(_NER["bilstm-crf"][1][3])}~\%.
\end{{document}}
"""
    old = rf"{_tex(max(f_cam))}~\% ; il est atteint"
    return Right(
        name="entites",
        form="tex",
        text=text,
        write=_write_ner,
        changes=(
            change(rf"gagne {_tex(gain)}~points", r"gagne 9{,}9~points", "difference"),
            change(old, r"87{,}3~\% ; il est atteint", "value", "superlative", "unreachable"),
            change("par la graine~2 à l'époque~4", "par la graine~2 à l'époque~3", "best_step"),
            change(r"progresse à chaque époque", r"baisse à chaque époque", "trend"),
        ),
        share=0.6,
    )


_EM = {
    "bert-base": {0: [71.4, 76.9, 78.3]},
    "roberta-base": {0: [77.8, 82.6, 83.9]},
    "distilbert": {0: [66.0, 70.7, 72.2]},
}
_QA = {
    "bert-base": {0: [80.1, 85.0, 86.2]},
    "roberta-base": {0: [85.9, 89.7, 90.6]},
    "distilbert": {0: [75.3, 79.8, 81.1]},
}


def _write_qa(folder: Path) -> None:
    for group in _EM:
        history = [
            {
                "eval_exact_match": _EM[group][0][n],
                "eval_f1": _QA[group][0][n],
                "epoch": n + 1.0,
                "step": 5475 * (n + 1),
            }
            for n in range(3)
        ]
        home = folder / group
        home.mkdir(parents=True)
        state = {"epoch": 3.0, "global_step": 16425, "log_history": history}
        (home / "trainer_state.json").write_text(json.dumps(state), encoding="utf-8")


def _questions() -> Right:
    """Plain text, one run a model, two metrics, no seeds: what a tired student hands in."""
    text = """CS 388 - Homework 4: Extractive question answering on SQuAD
J. Doe

1. What I did

I fine-tuned three encoders (DistilBERT, BERT-base, RoBERTa-base) for three epochs on SQuAD v1.1 with a
learning rate of 3e-5 and a batch size of 16. One epoch is 5,475 steps. I only had time for a single run
of each model. Numbers below are on the dev set.

2. Scores

Model            EM       F1
DistilBERT       72.2     81.1
BERT-base        78.3     86.2
RoBERTa-base     83.9     90.6

Table 1. Exact match and F1 on the dev set after the last epoch.

RoBERTa-base is the best model on both metrics. Compared with BERT-base it gains 5.6 points of exact match
and 4.4 points of F1. DistilBERT keeps 94.1% of BERT-base's F1 (81.1 / 86.2 = 0.941) with 40% fewer
parameters. Most of the learning happens early: after the first epoch RoBERTa-base is already at 85.9 F1,
and the second epoch brings it to 89.7.

3. Error analysis

I read 50 errors of RoBERTa-base. 21 of them (42%) are boundary errors, 17 (34%) pick the wrong entity, and
the remaining 12 (24%) are unclear even to me.
"""
    return Right(
        name="questions",
        form="txt",
        text=text,
        write=_write_qa,
        changes=(
            change("78.3     86.2", "78.3     68.2", "value"),
            change("brings it to 89.7", "brings it to 87.9", "value"),
            change("already at 85.9 F1", "already at 86.9 F1", "value"),
            change("81.1 / 86.2 = 0.941", "81.1 / 86.2 = 0.914", "arithmetic"),
            change("RoBERTa-base is the best model", "BERT-base is the best model", "superlative"),
        ),
        share=0.4,
    )


REPORTS = (_toxicity(), _entities(), _questions())
