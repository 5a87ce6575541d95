"""Reports with more than two groups, negative values, others' results and counted weights."""

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
    write_tags,
)

_VAL = {
    "frozen": {0: [78.1, 80.4, 81.2], 1: [77.6, 80.9, 81.0], 2: [78.4, 80.2, 81.5]},
    "finetuned": {0: [85.2, 88.6, 88.1], 1: [84.7, 88.0, 88.9], 2: [85.9, 89.1, 88.8]},
    "scratch": {0: [52.3, 60.1, 64.8], 1: [51.0, 59.7, 65.2], 2: [53.4, 61.3, 64.1]},
}
_TEST = {
    "frozen": {0: [77.5, 79.9, 80.6], 1: [77.0, 80.3, 80.1], 2: [78.0, 79.6, 80.9]},
    "finetuned": {0: [84.6, 87.8, 87.3], 1: [84.1, 87.2, 88.2], 2: [85.0, 88.3, 88.0]},
    "scratch": {0: [51.8, 59.3, 64.0], 1: [50.2, 59.0, 64.6], 2: [52.7, 60.6, 63.2]},
}


def _flowers() -> Right:
    """Three groups, values of others beside them, signed gains in a column, plain text."""
    picked = {g: [_TEST[g][s][best(_VAL[g][s])] for s in range(3)] for g in _VAL}
    low = mean(picked["scratch"])
    text = f"""Transfer learning on Oxford Flowers
Deep Learning for Vision, lab report 4

1 Introduction

Nilsback and Zisserman report 72.8% accuracy with hand-crafted features; chance level is about 1% (102 classes).
We compare a frozen ResNet-50 with a linear head, full fine-tuning, and the same network trained from scratch.

2 Setup

Each configuration is run with seeds 0, 1 and 2 for 3 epochs of 64 steps (192 steps in total). The learning rate
is 1e-3 for the frozen network and 1e-4 otherwise. We keep the epoch with the highest validation accuracy.

3 Results

Configuration     Test accuracy      Gain over scratch
Scratch           {shown(low)} ± {shown(std(picked["scratch"]))}         -
Frozen            {shown(mean(picked["frozen"]))} ± {shown(std(picked["frozen"]))}         +{shown(mean(picked["frozen"]) - low)}
Finetuned         {shown(mean(picked["finetuned"]))} ± {shown(std(picked["finetuned"]))}         +{shown(mean(picked["finetuned"]) - low)}

Table 1: Test accuracy in %, mean ± sample std over the seeds.

Full fine-tuning wins: with seed 2 its best validation accuracy is 89.1% at epoch 2, with a test accuracy of
88.3%. The frozen network is already at {shown(mean([_VAL["frozen"][s][0] for s in range(3)]))}% validation accuracy on average after the first epoch, when the
network from scratch has reached only {shown(mean([_VAL["scratch"][s][0] for s in range(3)]))}%. Scratch keeps improving until the end for all seeds.

We expected fine-tuning to overfit with so few images, but for two of the three seeds validation accuracy only
drops by less than one point in the last epoch.
"""
    return Right(
        name="flowers",
        form="txt",
        text=text,
        write=lambda folder: write_fairseq(
            folder, {"valid": {"accuracy": _VAL}, "test": {"accuracy": _TEST}}, 64
        ),
        changes=(
            change(f"{shown(mean(picked['frozen']))} ±", "81.5 ±", "aggregate"),
            change("89.1% at epoch 2", "89.1% at epoch 3", "best_step", "value"),
            change("test accuracy of\n88.3%", "test accuracy of\n89.1%", "value", "copied"),
        ),
        share=0.4,
    )


_RET = {
    "dqn": {
        1: [-182.4, -61.0, 48.7, 121.3],
        2: [-175.9, -70.2, 55.1, 110.8],
        3: [-190.3, -58.8, 39.9, 130.6],
    },
    "double_dqn": {
        1: [-170.2, -12.5, 101.4, 203.0],
        2: [-166.0, -20.9, 96.3, 214.7],
        3: [-181.7, -9.4, 110.2, 198.5],
    },
}


def _lunar() -> Right:
    """Negative returns, thousands of steps, a threshold, value (std) in a list."""
    last = {g: [_RET[g][s][-1] for s in (1, 2, 3)] for g in _RET}
    first = {g: [_RET[g][s][0] for s in (1, 2, 3)] for g in _RET}
    text = f"""# Reinforcement learning: assignment 2

**LunarLander-v2, DQN vs. Double DQN, 3 seeds each, 200k steps, evaluation every 50k steps (10 episodes).**

Both agents start badly: after 50k steps the mean evaluation return is {shown(mean(first["dqn"]))} for DQN and {shown(mean(first["double_dqn"]))}
for Double DQN. At the end of training:

- DQN: {shown(mean(last["dqn"]))} ({shown(std(last["dqn"]))})
- Double DQN: {shown(mean(last["double_dqn"]))} ({shown(std(last["double_dqn"]))})

(mean evaluation return over seeds, sample standard deviation in brackets). The environment counts as solved at 200
points, which Double DQN reaches with seeds 1 and 2 (203.0 and 214.7) but not with seed 3 (198.5). Double DQN is
{shown(mean(last["double_dqn"]) - mean(last["dqn"]))} points better than DQN at step 200,000.

The return of both agents increases at every evaluation. The ε schedule decays from 1.0 to 0.05 over 100k steps and the
replay buffer holds 100,000 transitions; the target network is copied every 1,000 steps.
"""
    return Right(
        name="lunar",
        form="md",
        text=text,
        write=lambda folder: write_tags(folder, {"eval/return": _RET}, 50_000),
        changes=(
            change(f"is {shown(mean(first['dqn']))} for DQN", "is -189.2 for DQN", "aggregate"),
            change("(203.0 and 214.7)", "(208.0 and 214.7)", "value"),
            change("increases at every evaluation", "decreases at every evaluation", "trend"),
        ),
        share=0.3,
    )


_PPL = {
    "lora_r8": {42: [9.12, 8.41, 8.20], 43: [9.20, 8.47, 8.24], 44: [9.07, 8.38, 8.17]},
    "lora_r32": {42: [8.95, 8.22, 8.06], 43: [9.01, 8.27, 8.11], 44: [8.90, 8.20, 8.03]},
}


def _adaptation() -> Right:
    """French LaTeX on LoRA: counts in words and formulas, ranks as groups."""
    r8 = [_PPL["lora_r8"][s][-1] for s in (42, 43, 44)]
    r32 = [_PPL["lora_r32"][s][-1] for s in (42, 43, 44)]
    rows = "\n".join(
        rf"{s} & {comma(_PPL['lora_r8'][s][-1], 2)} & {comma(_PPL['lora_r32'][s][-1], 2)} \\"
        for s in (42, 43, 44)
    )
    text = rf"""\documentclass{{article}}
\usepackage[french]{{babel}}
\begin{{document}}
\section{{Adaptation d'un modèle de langue par LoRA}}

On adapte les projections \texttt{{q\_proj}} et \texttt{{v\_proj}} des 24 couches d'un modèle de dimension
$d = 1024$. Pour un rang $r$, chaque matrice reçoit $A \in \mathbb{{R}}^{{r \times d}}$ et
$B \in \mathbb{{R}}^{{d \times r}}$, soit $2rd$ paramètres. Avec $r = 8$ cela fait
$24 \times 2 \times 2 \times 8 \times 1024 = 786{{\,}}432$ paramètres, et avec $r = 32$ quatre fois plus, soit
$24 \times 2 \times 2 \times 32 \times 1024 = 3{{\,}}145{{\,}}728$. Le facteur d'échelle est $\alpha / r$ avec $\alpha = 16$
pour $r = 8$ et $\alpha = 64$ pour $r = 32$, donc 2 dans les deux cas.

\section{{Résultats}}

\begin{{table}}[h]
\begin{{tabular}}{{lcc}}
\hline
Graine & LoRA $r=8$ & LoRA $r=32$ \\
\hline
{rows}
\hline
Moyenne & {comma(mean(r8), 2)} & {comma(mean(r32), 2)} \\
Écart-type & {comma(std(r8), 3)} & {comma(std(r32), 3)} \\
\hline
\end{{tabular}}
\caption{{Perplexité de validation après 3 époques (écart-type d'échantillon).}}
\end{{table}}

Le rang 32 gagne {comma(mean(r8) - mean(r32), 2)} point de perplexité en moyenne. La perplexité diminue à chaque époque, quelle que
soit la graine. Avec la graine 42 et $r = 8$, elle passe de 9,12 après la première époque à 8,20 après la troisième.
\end{{document}}
"""
    return Right(
        name="adaptation",
        form="tex",
        text=text,
        write=lambda folder: write_tags(folder, {"eval/perplexity": _PPL}, 700),
        changes=(
            change("43 & 8,24", "43 & 8,42", "value"),
            change(f"Moyenne & {comma(mean(r8), 2)}", "Moyenne & 8,26", "aggregate"),
            change("La perplexité diminue à chaque", "La perplexité augmente à chaque", "trend"),
        ),
        share=0.35,
    )


REPORTS = (_flowers(), _lunar(), _adaptation())
