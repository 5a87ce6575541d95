"""Spreads, early ends, and all groups side by side."""

from __future__ import annotations

MESSAGES = {
    "Behind ± stands the {std}.": "Après ± figure {std:le}.",
    "The interval covers what differs between the runs; the error of the {split} set, which all "
    "of them share, is not in it.": (
        "L’intervalle couvre ce qui diffère d’une exécution à l’autre\u202f; l’erreur due à "
        "l’ensemble de {split}, commune à toutes, n’y est pas."
    ),
    "{run} ends at step {step}": "{run} s’arrête au pas {step}",
    "Not every run of {group} reaches step {latest}: {ends}.": (
        "Le pas {latest} n’est pas atteint par chaque exécution de {group}\u202f: {ends}."
    ),
    "From step {step} on, the {split} loss of {run} is NaN or infinite.": (
        "À partir du pas {step}, la perte {split:sur} de {run} est NaN ou infinie."
    ),
    "From step {step} on, the {split} {metric} of {run} is NaN or infinite.": (
        "À partir du pas {step}, la valeur {metric:du} {split:sur} de {run} est NaN ou infinie."
    ),
    "All groups side by side": "Tous les groupes côte à côte",
    "Difference of the mean {split} {metric}{unit} at the best step for every two groups, {how}. "
    "The last column holds for all {count} pairs at once.": (
        "Différence des moyennes {metric:du} {split:sur}{unit} au meilleur pas pour chaque paire "
        "de groupes, {how}. La dernière colonne vaut pour les {count} paires à la fois."
    ),
    "Groups": "Groupes",
    "Difference{gap}": "Différence{gap}",
    "Interval for all pairs": "Intervalle pour toutes les paires",
    "paired by seed": "appariée par graine",
    "by Welch’s method": "par la méthode de Welch",
    "paired by seed where both have the same seeds, else by Welch’s method": (
        "appariée par graine si les deux ont les mêmes graines, sinon par la méthode de Welch"
    ),
    "{first} minus {second}": "{first} moins {second}",
}
