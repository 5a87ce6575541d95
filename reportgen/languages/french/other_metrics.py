"""Other metrics at the best step."""

from __future__ import annotations

MESSAGES = {
    "Other metrics at the best step": "Autres mesures au meilleur pas",
    "Only the {select} {metric} chose a step for each run. The other metrics that the runs were "
    "evaluated on are read at that very step; none of them chose anything.": (
        "Le pas de chaque exécution a été choisi par {metric:le} {select:sur} et rien d’autre. Les "
        "autres mesures évaluées sont lues à ce même pas\u202f; aucune d’elles n’a rien choisi."
    ),
    "Higher is better for {metrics}.": "Une valeur élevée est préférable pour {metrics}.",
    "Lower is better for {metrics}.": "Une valeur basse est préférable pour {metrics}.",
    "{metric}": "{metric:le}",
    "Whether higher or lower is better is not known for {metrics}.": (
        "On ne sait pas si une valeur élevée ou basse est préférable pour {metrics}."
    ),
    "{metrics:cap} at the step that the {select} {metric} chose: {spread}.": (
        "{metrics:cap} au pas choisi par {metric:le} {select:sur}\u00a0: {spread}."
    ),
    "Difference: {first} minus {second}, of percentages in points.": (
        "Différence\u00a0: {first} moins {second}, en points pour des pourcentages."
    ),
    "— ({metrics}): {reason}.": "— ({metrics})\u00a0: {reason}.",
    "The {metric} of {groups} is that of the {select} split: none was logged on {split}.": (
        "Pour {groups}, on donne {metric:le} {select:sur}, aucune valeur n’étant journalisée "
        "{split:sur}."
    ),
    "Losses are in bits: fairseq divides them by the logarithm of 2.": (
        "Les pertes sont en bits\u00a0: fairseq les divise par le logarithme de 2."
    ),
    "Losses of fairseq are in bits, for it divides them by the logarithm of 2; others are as "
    "their program logged them, cross-entropies as a rule in nats.": (
        "Les pertes de fairseq sont en bits, car il les divise par le logarithme de 2\u202f; les "
        "autres sont telles que leur programme les a enregistrées, les entropies croisées en "
        "général en nats."
    ),
    "Not shown: {names}. They can be asked for by name under {key} in the study file.": (
        "Non montrées\u00a0: {names}. On peut les demander par leur nom sous {key} dans le fichier "
        "d’étude."
    ),
    "Asked for under {key}, but in no run with a best step: {names}.": (
        "Demandées sous {key}, mais dans aucune exécution ayant un meilleur pas\u00a0: {names}."
    ),
}
