"""What each total of a model counts."""

from __future__ import annotations

MESSAGES = {
    "tied projection once": "projection liée une fois",
    "untied projection": "projection non liée",
    "weight matrices and embeddings; no biases, norms, pooler or heads": (
        "matrices de poids et plongements\u202f; sans biais, normalisations, pooler ni têtes"
    ),
    "matrices and embeddings; no biases, norms, pooler or heads": (
        "matrices et plongements\u202f; sans biais, normalisations, pooler ni têtes"
    ),
    "layers and norms alone; no embeddings, positions or heads": (
        "couches et normalisations seules\u202f; sans plongements, positions ni têtes"
    ),
    "whole model without a head": "modèle entier sans tête",
    "whole model with its language-model head ({once})": (
        "modèle entier avec sa tête de modèle de langue ({once})"
    ),
    "whole model with a classification head": "modèle entier avec une tête de classification",
    "whole model with a token classification head": (
        "modèle entier avec une tête de classification des jetons"
    ),
    "whole encoder; no pooler, no heads": "encodeur entier\u202f; sans pooler ni têtes",
    "encoder and classification head": "encodeur et tête de classification",
    "encoder and token classification head; no pooler": (
        "encodeur et tête de classification des jetons\u202f; sans pooler"
    ),
    "encoder and language-model head, {once}": "encodeur et tête de modèle de langue, {once}",
    "encoder and both heads, {once}": (
        "encodeur, tête de langue et tête de classification, {once}"
    ),
    "encoder and decoder without a head: the bare model": (
        "encodeur et décodeur sans tête\u202f: le modèle nu"
    ),
    "encoder, decoder and language-model head ({once})": (
        "encodeur, décodeur et tête de modèle de langue ({once})"
    ),
    "encoder, decoder and classification head": "encodeur, décodeur et tête de classification",
    "all of the class {name}": "tout ce que contient la classe {name}",
    "bare model": "modèle nu",
    "encoder and question-answering head": "encodeur et tête de réponse aux questions",
    "encoder and the heads of its pre-training": "encodeur et têtes de son préentraînement",
    "encoder, decoder and question-answering head": (
        "encodeur, décodeur et tête de réponse aux questions"
    ),
    "whole model with a question-answering head": (
        "modèle entier avec une tête de réponse aux questions"
    ),
    "parameters that one token passes through: {used} of {every} experts a layer, all else "
    "as in `{whole}`": (
        "paramètres par lesquels passe un jeton\u202f: {used} experts sur {every} par couche, "
        "tout le reste comme dans `{whole}`"
    ),
    "{scope}; no token types": "{scope}\u202f; sans types de jetons",
    "{scope}; with token types": "{scope}\u202f; avec types de jetons",
    "{key} is stated for a part alone: no total is given": (
        "{key} n’est indiqué que pour une partie\u202f: pas de total"
    ),
    "{key} stands beside {parts} and not in one of them: no total is given": (
        "{key} se trouve à côté de {parts} et non dans l’une d’elles\u202f: pas de total"
    ),
}
