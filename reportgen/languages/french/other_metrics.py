"""Other metrics at the best step."""

from __future__ import annotations

MESSAGES = {
    "Higher is better for {metrics}.": "Une valeur élevée est préférable pour {metrics}.",
    "Lower is better for {metrics}.": "Une valeur basse est préférable pour {metrics}.",
    "{metric}": "{metric:le}",
    "Whether higher or lower is better is not known for {metrics}.": (
        "On ne sait pas si une valeur élevée ou basse est préférable pour {metrics}."
    ),
    "Losses are in bits: fairseq divides them by the logarithm of 2.": (
        "Les pertes sont en bits\u00a0: fairseq les divise par le logarithme de 2."
    ),
    "Not shown: {names}. They can be asked for by name under {key} in the study file.": (
        "Non montrées\u00a0: {names}. On peut les demander par leur nom sous {key} dans le fichier "
        "d’étude."
    ),
}
