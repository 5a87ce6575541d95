"""What each total of a model counts."""

from __future__ import annotations

MESSAGES = {
    "tied projection counted once": "projection liée comptée une seule fois",
    "tied projection once": "projection liée comptée une fois",
    "untied projection counted": "projection non liée comptée",
    "untied projection": "projection non liée",
    "projection not tied, counted": "projection non liée, comptée",
    "weight matrices and embeddings; no biases, norms or heads": (
        "matrices de poids et plongements\u202f; sans biais, normalisations ni têtes"
    ),
    "weight matrices and embeddings; no biases, layer norms or heads": (
        "matrices de poids et plongements\u202f; sans biais, normalisations de couche ni têtes"
    ),
    "weight matrices and embeddings; no biases, norms, pooler or heads": (
        "matrices de poids et plongements\u202f; sans biais, normalisations, pooler ni têtes"
    ),
    "weight matrices and embeddings; no biases, layer norms, pooler or heads": (
        "matrices de poids et plongements\u202f; sans biais, normalisations de couche, pooler "
        "ni têtes"
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
    "parameters that one token passes through: {used} of {every} experts a layer, all else as "
    "in `all`": (
        "paramètres par lesquels passe un jeton\u202f: {used} experts sur {every} par couche, "
        "tout le reste comme dans `all`"
    ),
    "whole encoder, no heads": "encodeur entier, sans têtes",
    "whole encoder; no pooler, no head": "encodeur entier\u202f; sans pooler ni tête",
    "whole encoder; no pooler, no heads": "encodeur entier\u202f; sans pooler ni têtes",
    "whole encoder; no heads, no token-type row": (
        "encodeur entier\u202f; sans têtes ni ligne de type de jetons"
    ),
    "encoder and pooler: the bare model": "encodeur et pooler\u202f: le modèle nu",
    "encoder and classification head": "encodeur et tête de classification",
    "encoder and classification head; no pooler": (
        "encodeur et tête de classification\u202f; sans pooler"
    ),
    "encoder and token classification head; no pooler": (
        "encodeur et tête de classification des jetons\u202f; sans pooler"
    ),
    "encoder, pooler and classification head": "encodeur, pooler et tête de classification",
    "encoder and language-model head, {once}": "encodeur et tête de modèle de langue, {once}",
    "encoder and language-model head, {once}; no pooler": (
        "encodeur et tête de modèle de langue, {once}\u202f; sans pooler"
    ),
    "encoder, classification head and language-model head, {once}": (
        "encodeur, tête de classification et tête de modèle de langue, {once}"
    ),
    "encoder, language-model head ({once}) and classification head": (
        "encodeur, tête de modèle de langue ({once}) et tête de classification"
    ),
    "encoder, pooler, classification head, language-model head ({once})": (
        "encodeur, pooler, tête de classification, tête de modèle de langue ({once})"
    ),
    "encoder, pooler, language-model head ({once}) and head for sentence order": (
        "encodeur, pooler, tête de modèle de langue ({once}) et tête pour l’ordre des phrases"
    ),
    "encoder and the head that finds replaced words": (
        "encodeur et tête de détection des mots remplacés"
    ),
    "encoder and both heads, {once}": "encodeur et ses deux têtes, {once}",
    "{scope}: what fairseq prints": "{scope}\u202f: ce qu’affiche fairseq",
    "encoder with Hugging Face's token-type row, no pooler": (
        "encodeur avec la ligne de type de jetons de Hugging Face, sans pooler"
    ),
    "encoder with token-type row and pooler: the bare model": (
        "encodeur avec ligne de type de jetons et pooler\u202f: le modèle nu"
    ),
    "encoder with token-type row and classification head": (
        "encodeur avec ligne de type de jetons et tête de classification"
    ),
    "encoder with token-type row and language-model head, {once}": (
        "encodeur avec ligne de type de jetons et tête de modèle de langue, {once}"
    ),
    "encoder with token-type row and token classification head; no pooler": (
        "encodeur avec ligne de type de jetons et tête de classification des jetons\u202f; "
        "sans pooler"
    ),
    "encoder and decoder without a head: the bare model": (
        "encodeur et décodeur sans tête\u202f: le modèle nu"
    ),
    "encoder, decoder and language-model head ({once})": (
        "encodeur, décodeur et tête de modèle de langue ({once})"
    ),
    "encoder, decoder and classification head": "encodeur, décodeur et tête de classification",
    "encoder alone, with the embeddings it uses": (
        "encodeur seul, avec les plongements qu’il utilise"
    ),
    "encoder alone and token classification head": (
        "encodeur seul et tête de classification des jetons"
    ),
}
