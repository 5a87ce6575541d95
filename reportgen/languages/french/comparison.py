"""Two groups side by side: the tables, and the moments of a training."""

from __future__ import annotations

_TABLES = {
    "{first} against {second}": "{first} contre {second}",
    "No comparison of {first} and {second} is possible: {reason}.": (
        "Aucune comparaison de {first} et de {second} n’est possible\u202f: {reason}."
    ),
    "Mean": "Moyenne",
    "Seed": "Graine",
    "Difference": "Différence",
    "Quantity": "Grandeur",
    "Value": "Valeur",
    "{split:cap} {metric}{unit} at the best {select} step, seed by seed, for n = {n} pair of runs; "
    "difference: {first} minus {second}.": (
        "{metric:cap}{unit} {split:sur} au meilleur pas {select:sur}, graine par graine, pour "
        "n = {n} paire d’exécutions\u202f; différence\u202f: {first} moins {second}."
    ),
    "{split:cap} {metric}{unit} at the best {select} step, seed by seed, for n = {n} pairs of "
    "runs; difference: {first} minus {second}.": (
        "{metric:cap}{unit} {split:sur} au meilleur pas {select:sur}, graine par graine, pour "
        "n = {n} paires d’exécutions\u202f; différence\u202f: {first} moins {second}."
    ),
    "{low} to {high}": "{low} à {high}",
    "{level} interval": "Intervalle à {level}",
    "Degrees of freedom": "Degrés de liberté",
    "p, two-sided": "p, bilatéral",
    "Smallest p of an exact sign-flip test": (
        "Plus petit p d’un test exact par inversion de signes"
    ),
    "Smallest p of an exact permutation test": "Plus petit p d’un test exact par permutation",
    "—: {reason}.": "—\u202f: {reason}.",
    "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, "
    "{runs}.": (
        "Différence des moyennes {metric:du}{unit} {split:sur} au meilleur pas, {first} moins "
        "{second}, {runs}."
    ),
    "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, by "
    "the paired t test, {runs}.": (
        "Différence des moyennes {metric:du}{unit} {split:sur} au meilleur pas, {first} moins "
        "{second}, d’après le test t apparié, {runs}."
    ),
    "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, by "
    "Welch’s t test, {runs}.": (
        "Différence des moyennes {metric:du}{unit} {split:sur} au meilleur pas, {first} moins "
        "{second}, d’après le test t de Welch, {runs}."
    ),
    "n = {n} run a group": "n = {n} exécution par groupe",
    "n = {n} runs a group": "n = {n} exécutions par groupe",
    "n = {first} and n = {second} runs": "n = {first} et n = {second} exécutions",
    "value at the best step of the runs with shared seeds": (
        "valeur au meilleur pas des exécutions dont la graine est commune"
    ),
}

_MOMENTS = {
    "epoch {epoch}": "époque\u00a0{epoch}",
    "step {step}": "pas\u00a0{step}",
    "{count} epochs": "{count} époques",
    "{count} evaluations": "{count} évaluations",
    "; ": "\u202f; ",
    "{shown}; and {count} more": "{shown}\u202f; et {count} de plus",
}

MESSAGES = {**_TABLES, **_MOMENTS}
