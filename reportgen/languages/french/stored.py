"""Stored tensors beside what is counted."""

from __future__ import annotations

MESSAGES = {
    "fairseq's per-layer copies": "copies par couche de fairseq",
    "copies for fairseq's fast path, not parameters of their own, not counted": (
        "copies pour la voie rapide de fairseq, qui ne sont pas des paramètres propres\u202f: "
        "non comptées"
    ),
    "buffers": "tampons",
    "buffers, which nothing trains, not counted": "tampons, que rien n’entraîne\u202f: non comptés",
    "weights stored in fewer bits": "poids stockés sur moins de bits",
    "packed weights, counted above as the numbers they stand for": (
        "poids compactés, comptés ci-dessus comme les nombres qu’ils représentent"
    ),
    "constants of packed weights": "constantes des poids compactés",
    "constants that undo the packing, not parameters, not counted": (
        "constantes qui défont le compactage, et non des paramètres\u202f: non comptées"
    ),
    "weights in rows of one byte": "poids en lignes d’un octet",
    "they look packed, and no quant_state tells how: counted above as they are stored": (
        "ils semblent compactés, et aucun quant_state ne dit comment\u202f: comptés ci-dessus "
        "tels qu’ils sont stockés"
    ),
    "stored with a shape of its own, so not tied: {tensors}": (
        "stockée avec une forme propre, donc non liée\u202f: {tensors}"
    ),
    "{tensor} repeats the word embeddings; counted once, there": (
        "{tensor} répète les plongements de mots\u202f; comptée une seule fois, avec eux"
    ),
    "fairseq stores no token-type row; Hugging Face adds one": (
        "fairseq ne stocke aucune ligne de type de jetons\u202f; Hugging Face en ajoute une"
    ),
    "not in this checkpoint": "absent de ce point de sauvegarde",
    "missing: {tensors}": "manquent\u202f: {tensors}",
    "reshaped: {tensors}": "de forme changée\u202f: {tensors}",
    "shared with another tensor: {tensors}": "partagés avec un autre tenseur\u202f: {tensors}",
    "stored: {tensors}": "stockés\u202f: {tensors}",
    "in the checkpoint, not in the formula: {tensors}": (
        "dans le point de sauvegarde, absents de la formule\u202f: {tensors}"
    ),
    "{tensors}: {reason}": "{tensors}\u202f: {reason}",
    "{one}; {other}": "{one}\u202f; {other}",
    "{one}, {other}": "{one}, {other}",
    "{names} and {more} more": "{names} et {more} de plus",
    "{tensor} (scalar)": "{tensor} (scalaire)",
    "1 tensor of 1 number": "1 tenseur de 1 nombre",
    "1 tensor of {numbers:count} numbers": "1 tenseur de {numbers:count} nombres",
    "{tensors} tensors of 1 number": "{tensors} tenseurs de 1 nombre",
    "{tensors} tensors of {numbers:count} numbers": "{tensors} tenseurs de {numbers:count} nombres",
    "stored numbers: {what}": "nombres stockés\u202f: {what}",
    "attention matrices": "matrices de l’attention",
    "other matrices of the layers": "autres matrices des couches",
    "norms": "normalisations",
    "biases": "biais",
    "everything but pooler, token types and heads": (
        "tout sauf le pooler, les types de jetons et les têtes"
    ),
    "every stored number, a shared storage once": (
        "tous les nombres stockés, un stockage partagé compté une fois"
    ),
    "the model's family is not known: tensors are grouped by name, without a formula": (
        "la famille du modèle n’est pas connue\u202f: les tenseurs sont regroupés par nom, "
        "sans formule"
    ),
    "model type {kind}: no formula is known for this family": (
        "type de modèle {kind}\u202f: aucune formule n’est connue pour cette famille"
    ),
    "no model type is stated, so no formula can be chosen": (
        "aucun type de modèle n’est indiqué\u202f: aucune formule ne peut donc être choisie"
    ),
    "pass the model's config.json": "fournir le fichier config.json du modèle",
    "vocab_size is not in the arguments: {rows} is the number of rows of {tensor}": (
        "vocab_size n’est pas dans les arguments\u202f: {rows} est le nombre de lignes de {tensor}"
    ),
    "{key} is not in {file}: the default value of the model family, {default}, is used": (
        "{key} n’est pas dans {file}\u202f: la valeur par défaut de la famille du modèle, "
        "{default}, est utilisée"
    ),
    "no formula is known for it": "aucune formule n’est connue pour lui",
}
