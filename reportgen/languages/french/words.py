"""Words and clauses that the sections share: counts, splits, what is printed for a group."""

from __future__ import annotations

MESSAGES = {
    # The title of a report.
    "{metric:cap} of {group}": "{metric:cap} {group:de}",
    "{metric:cap} of {first} and {second}": "{metric:cap} {first:de} et {second:de}",
    "{metric:cap} of {count} groups of runs": "{metric:cap} de {count} groupes d’exécutions",
    # Counts of runs, epochs and evaluations, all three feminine.
    "no": "aucune",
    "one": "une",
    "two": "deux",
    "three": "trois",
    "four": "quatre",
    "five": "cinq",
    "six": "six",
    "seven": "sept",
    "eight": "huit",
    "nine": "neuf",
    "ten": "dix",
    "{first} and {last}": "{first} et {last}",
    "{first}, {second} and {count} others": "{first}, {second} et {count} autres",
    "seed {seed}": "graine\u00a0{seed}",
    "in percent": "en pourcentage",
    "point": "point",
    "points": "points",
    "sample standard deviation (denominator n − 1)": (
        "écart type d’échantillon (dénominateur n − 1)"
    ),
    "population standard deviation (denominator n)": ("écart type de population (dénominateur n)"),
    "The best step of a run is the one with the highest {select} {metric}, and the earliest one "
    "where several are equal.": (
        "Le meilleur pas d’une exécution est celui où {metric:le} {select:sur} est au plus haut, "
        "et le premier d’entre eux en cas d’égalité."
    ),
    "The best step of a run is the one with the highest {select} {metric}, and the latest one "
    "where several are equal.": (
        "Le meilleur pas d’une exécution est celui où {metric:le} {select:sur} est au plus haut, "
        "et le dernier d’entre eux en cas d’égalité."
    ),
    "The best step of a run is the one with the lowest {select} {metric}, and the earliest one "
    "where several are equal.": (
        "Le meilleur pas d’une exécution est celui où {metric:le} {select:sur} est au plus bas, "
        "et le premier d’entre eux en cas d’égalité."
    ),
    "The best step of a run is the one with the lowest {select} {metric}, and the latest one "
    "where several are equal.": (
        "Le meilleur pas d’une exécution est celui où {metric:le} {select:sur} est au plus bas, "
        "et le dernier d’entre eux en cas d’égalité."
    ),
    "the test split itself chose each step, which makes its values optimistic": (
        "la partition de test a elle-même choisi chaque pas, ce qui rend ses valeurs optimistes"
    ),
    "the {select} split that chose each step also gives the values: they are optimistic": (
        "la partition {select:de} qui a choisi chaque pas donne aussi les valeurs\u202f: elles "
        "sont optimistes"
    ),
    "Result files that name no step have further values, of weights not known": (
        "Des fichiers de résultats qui n’indiquent aucun pas contiennent d’autres valeurs, de "
        "poids inconnus"
    ),
    "No run logged {metric} on another split": (
        "Aucune exécution n’a journalisé {metric:le} sur une autre partition"
    ),
    "No other split was asked for": "Aucune autre partition n’a été demandée",
    "No value of the {split} split can be read there": (
        "Aucune valeur de la partition {split:de} ne peut y être lue"
    ),
    "which differ in their seed": "qui diffèrent par leur graine",
    "which do not all have a known seed of their own, so that the spread is not one over seeds "
    "alone": (
        "qui n’ont pas toutes une graine propre connue, de sorte que la dispersion ne tient pas "
        "aux seules graines"
    ),
    "no run has a value": "aucune exécution n’a de valeur",
    "the value of a single run (n = {n})": "la valeur d’une exécution unique (n = {n})",
    "the value of a single run of each group (n = {n})": (
        "la valeur d’une exécution unique de chaque groupe (n = {n})"
    ),
    "the values of the runs (n is at most {n})": (
        "les valeurs des exécutions (n est au plus égal à {n})"
    ),
    "the values of the runs of each group (n is at most {n})": (
        "les valeurs des exécutions de chaque groupe (n est au plus égal à {n})"
    ),
    "mean ± {std} over the n = {n} runs, {differs}": (
        "moyenne ± {std} sur les n = {n} exécutions, {differs}"
    ),
    "mean ± {std} over the n = {n} runs of each group, {differs}": (
        "moyenne ± {std} sur les n = {n} exécutions de chaque groupe, {differs}"
    ),
    "mean ± {std} over the n runs, {differs}": "moyenne ± {std} sur les n exécutions, {differs}",
    "mean ± {std} over the n runs of each group, {differs}": (
        "moyenne ± {std} sur les n exécutions de chaque groupe, {differs}"
    ),
    "the values themselves where n is below three": "les valeurs elles-mêmes si n < 3",
    "Examples a split: {sizes}.": "Exemples par partition\u202f: {sizes}.",
    "No run of {group} has a {split} {metric} at a best step": (
        "Aucune exécution de {group} n’a {metric:de} {split:sur} à un meilleur pas"
    ),
    "The {split} {metric} of {group} is {values} in a single run": (
        "{metric:Le} de {group} {split:sur} est de {values} pour une exécution unique"
    ),
    "The {split} {metric} of {group} is {values} in one of its {all} runs": (
        "{metric:Le} de {group} {split:sur} est de {values} pour une de ses {all} exécutions"
    ),
    "The {split} {metric} of {group} is {values} in two of its {all} runs": (
        "{metric:Le} de {group} {split:sur} est de {values} pour deux de ses {all} exécutions"
    ),
    "The {split} {metric} of {group} is {values} in its two runs": (
        "{metric:Le} de {group} {split:sur} est de {values} pour ses deux exécutions"
    ),
    "The mean {split} {metric} of {group} is {value} over {n} seeds": (
        "La moyenne {metric:du} de {group} {split:sur} est de {value} sur {n} graines"
    ),
    "The mean {split} {metric} of {group} is {value} over {n} runs": (
        "La moyenne {metric:du} de {group} {split:sur} est de {value} sur {n} exécutions"
    ),
}
