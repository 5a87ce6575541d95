"""Nouns of the field in French; the feminine ones are named, the others are masculine."""

from __future__ import annotations

NOUNS = {
    "accuracy": "exactitude",
    "balanced accuracy": "exactitude équilibrée",
    "binary accuracy": "exactitude binaire",
    "loss": "perte",
    "perplexity": "perplexité",
    "reward": "récompense",
    "average return": "retour moyen",
    "mean episode reward": "récompense moyenne par épisode",
    "precision": "précision",
    "recall": "rappel",
    "macro F1": "F1 macro",
    "micro F1": "F1 micro",
    "weighted F1": "F1 pondéré",
    "metric": "mesure",
    "settings": "réglages",
    "reported": "partition rapportée",
    "results": "résultats",
    "train": "entraînement",
    "training": "entraînement",
    "validation": "validation",
    "test": "test",
    "epoch": "époque",
    "step": "pas",
    "seed": "graine",
    "run": "exécution",
    "runs": "exécutions",
    "group": "groupe",
    "groups": "groupes",
    "pair": "paire",
    "pairs": "paires",
    "epochs": "époques",
    "evaluation": "évaluation",
    "evaluations": "évaluations",
    "steps": "pas",
    "seeds": "graines",
    "file": "fichier",
    "files": "fichiers",
    "cell": "cellule",
    "cells": "cellules",
    "infinite": "infinies",
    "yes": "oui",
    "no": "non",
    "plain": "simple",
    "percent": "pourcentages",
    "fraction": "fractions",
    "paired t": "t apparié",
    "Welch t": "t de Welch",
    "fairseq console": "console fairseq",
}

# First words of several things: "époques 3 et 4".
PLURAL = frozenset(("époques", "évaluations", "exécutions", "graines", "groupes"))

# Nouns whose article is "la": French ones, first words where there are several.
FEMININE = frozenset(
    (
        *(
            "exactitude",
            "perte",
            "perplexité",
            "récompense",
            "précision",
            "mesure",
            "validation",
            "époque",
        ),
        *("partition", "exécution", "graine", "paire", "cellule", "IoU", "mIoU", "ROUGE"),
    )
)
