"""Heads of tables, axes of figures, and the moments of a training."""

from __future__ import annotations

MESSAGES = {
    # Heads of tables.
    "Run": "Exécution",
    "Groups": "Groupes",
    "Seed": "Graine",
    "Epoch": "Époque",
    "Step": "Pas",
    "Last step": "Dernier pas",
    "Split": "Partition",
    "Difference": "Différence",
    "Quantity": "Grandeur",
    "Value": "Valeur",
    "{low} to {high}": "{low} à {high}",
    "{level} interval": "Intervalle à {level}",
    "Degrees of freedom": "Degrés de liberté",
    "p, two-sided": "p, bilatéral",
    "Smallest p of an exact sign-flip test": (
        "Plus petit p d’un test exact par inversion de signes"
    ),
    "Smallest p of an exact permutation test": "Plus petit p d’un test exact par permutation",
    "value at the best step of the runs with shared seeds": (
        "valeur au meilleur pas des exécutions dont la graine est commune"
    ),
    "no value": "aucune valeur",
    "no values": "aucune valeur",
    "{n} run": "{n} exécution",
    "{n} runs": "{n} exécutions",
    # Figures.
    "Training": "Entraînement",
    "Validation": "Validation",
    "Test": "Test",
    "step (optimizer updates)": "pas (d’optimisation)",
    "{split} {metric}": "{metric} {split:sur}",
    "all groups": "tous les groupes",
    # Moments.
    "epoch {epoch}": "époque\u00a0{epoch}",
    "step {step}": "pas\u00a0{step}",
    "{count} epochs": "{count} époques",
    "{count} evaluations": "{count} évaluations",
    "; ": "\u202f; ",
    "{shown}; and {count} more": "{shown}\u202f; et {count} de plus",
    "From step {step} on, the {split} {metric} of {run} is NaN or infinite.": (
        "À partir du pas {step}, la valeur {metric:du} {split:sur} de {run} est NaN ou infinie."
    ),
}
