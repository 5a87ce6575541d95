"""Values at the end of runs whose step nothing chose."""

from __future__ import annotations

MESSAGES = {
    "Printed here are the first {first} of {groups} groups.": (
        "Sont imprimés ici les {first} premiers des {groups} groupes."
    ),
    # How numbers were computed.
    "last {metric}": "{metric} au dernier pas",
    "{metric} at the last step": "{metric} au dernier pas",
    "{metric} at the end": "{metric} à la fin",
    "{metric} on {split} at the end": "{metric} {split:sur} à la fin",
    "smallest {metric}": "plus petite valeur {metric:du}",
    "smallest {metric} on {split}": "plus petite valeur {metric:du} {split:sur}",
    "largest {metric}": "plus grande valeur {metric:du}",
    "largest {metric} on {split}": "plus grande valeur {metric:du} {split:sur}",
    "mean of {metric} over the last {n} points": "moyenne {metric:du} sur les {n} derniers points",
    "mean of {metric} on {split} over the last {n} points": (
        "moyenne {metric:du} {split:sur} sur les {n} derniers points"
    ),
    # Why there is no value.
    "every value of {tag} in {run} is NaN or infinite": (
        "toutes les valeurs de {tag} dans {run} sont NaN ou infinies"
    ),
    "the last {n} points of {tag} in {run} are NaN or infinite": (
        "les {n} derniers points de {tag} dans {run} sont NaN ou infinis"
    ),
    "too few points of {tag} for an end, fewer than {n}, in {run}": (
        "trop peu de points de {tag} pour une fin, moins de {n}, dans {run}"
    ),
}
