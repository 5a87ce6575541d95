"""Parts of models, their symbols and the rows of their module trees."""

from __future__ import annotations

MESSAGES = {
    "key and value heads (grouped queries)": "têtes de clés et de valeurs (requêtes groupées)",
    "width of the hidden states": "largeur des états cachés",
    "rows of the position table": "lignes de la table des positions",
    "width of one attention head": "largeur d’une tête d’attention",
    "classes of the classification head": "classes de la tête de classification",
    "number of layers": "nombre de couches",
    "rows of the token-type table": "lignes de la table des types de jetons",
    "size of the vocabulary": "taille du vocabulaire",
    "inner width of the feed-forward network": "largeur interne du réseau à propagation avant",
    "attention heads": "têtes d’attention",
    "width of the embeddings": "largeur des plongements",
    "layers of the encoder": "couches de l’encodeur",
    "layers of the decoder": "couches du décodeur",
    "inner width of the encoder's feed-forward networks": (
        "largeur interne des réseaux à propagation avant de l’encodeur"
    ),
    "inner width of the decoder's feed-forward networks": (
        "largeur interne des réseaux à propagation avant du décodeur"
    ),
    "number of layers, encoder and decoder together": (
        "nombre de couches, encodeur et décodeur ensemble"
    ),
    "groups of layers that share their weights": "groupes de couches qui partagent leurs poids",
    "different layers in one group": "couches différentes d’un groupe",
    "relative positions in each direction": "positions relatives dans chaque direction",
    "width of the convolution": "largeur de la convolution",
    "width of the pooler": "largeur du pooler",
    "experts of a layer": "experts d’une couche",
    "experts that a token passes through": "experts par lesquels passe un jeton",
    "inner width of one expert": "largeur interne d’un expert",
    "inner width of the shared expert": "largeur interne de l’expert partagé",
    "layers with experts": "couches à experts",
    "layers with one feed-forward network": "couches à réseau unique à propagation avant",
    "width of the word embeddings": "largeur des plongements de mots",
    "buckets of relative positions": "intervalles de positions relatives",
    "patches of an image": "pavés d’une image",
    "pixels of a patch's side": "pixels du côté d’un pavé",
    "colour channels": "canaux de couleur",
    "frequency bands of the spectrogram": "bandes de fréquences du spectrogramme",
    "positions of the encoder": "positions de l’encodeur",
    "positions of the decoder": "positions du décodeur",
    "{label:cap}": "{label:cap}",
    "encoder: {what}": "encodeur\u202f: {what}",
    "decoder: {what}": "décodeur\u202f: {what}",
    "{part}, bias": "{part}, biais",
    "{network}, gate matrix": "{network}, matrice de la porte",
    "{network}, first matrix": "{network}, première matrice",
    "{network}, second matrix": "{network}, seconde matrice",
    "feed-forward": "réseau à propagation avant",
    "feed-forward, first matrix": "réseau à propagation avant, première matrice",
    "feed-forward, first matrices": "réseau à propagation avant, premières matrices",
    "feed-forward, second matrix": "réseau à propagation avant, seconde matrice",
    "feed-forward, gate and first matrix": "réseau à propagation avant, porte et première matrice",
    "word embeddings": "plongements de mots",
    "position embeddings": "plongements de positions",
    "position embeddings, one for the class token": (
        "plongements de positions, dont un pour le jeton de classe"
    ),
    "token-type embeddings": "plongements des types de jetons",
    "relative-position embeddings": "plongements des positions relatives",
    "class token": "jeton de classe",
    "projection of the patches (weight and bias)": "projection des pavés (poids et biais)",
    "projection of the embeddings to the layers": "projection des plongements vers les couches",
    "projection of the word embeddings to the layers": (
        "projection des plongements de mots vers les couches"
    ),
    "projection back to them": "projection inverse vers les plongements",
    "convolution {number} of width 3": "convolution {number}, de largeur 3",
    "sinusoids: stored, never trained": "sinusoïdes\u202f: stockées, jamais entraînées",
    "biases of relative positions": "biais des positions relatives",
    "kept by the first layer, used by all": "détenus par la première couche, utilisés par toutes",
    "query projections": "projections des requêtes",
    "key projections": "projections des clés",
    "value projections": "projections des valeurs",
    "output projections": "projections de sortie",
    "query, key and value projections": "projections des requêtes, des clés et des valeurs",
    "attention output projections": "projections de sortie de l’attention",
    "cross-attention, query projections": "attention croisée, projections des requêtes",
    "cross-attention, key projections": "attention croisée, projections des clés",
    "cross-attention, value projections": "attention croisée, projections des valeurs",
    "cross-attention, output projections": "attention croisée, projections de sortie",
    "matrices between the heads": "matrices entre les têtes",
    "projections of the relative positions": "projections des positions relatives",
    "biases of the attention projections": "biais des projections de l’attention",
    "biases of the four attention projections": "biais des quatre projections de l’attention",
    "biases of the cross-attention projections": "biais des projections de l’attention croisée",
    "biases of the feed-forward network": "biais du réseau à propagation avant",
    "layer norm a layer (weight and bias)": (
        "une normalisation de couche par couche (poids et biais)"
    ),
    "two layer norms a layer (weight and bias)": (
        "deux normalisations de couche par couche (poids et biais)"
    ),
    "three layer norms a layer (weight and bias)": (
        "trois normalisations de couche par couche (poids et biais)"
    ),
    "two RMS norms a layer (weight)": "deux normalisations RMS par couche (poids)",
    "three RMS norms a layer (weight)": "trois normalisations RMS par couche (poids)",
    "four RMS norms a layer (weight)": "quatre normalisations RMS par couche (poids)",
    "last layer norm (weight and bias)": "dernière normalisation de couche (poids et biais)",
    "last RMS norm (weight)": "dernière normalisation RMS (poids)",
    "RMS norms of queries and keys (weight)": "normalisations RMS des requêtes et des clés (poids)",
    "layer norms of queries and keys (weight and bias)": (
        "normalisations de couche des requêtes et des clés (poids et biais)"
    ),
    "layer norm of the embeddings (weight and bias)": (
        "normalisation de couche des plongements (poids et biais)"
    ),
    "layer norm of the relative positions (weight and bias)": (
        "normalisation de couche des positions relatives (poids et biais)"
    ),
    "layer norm of the convolution (weight and bias)": (
        "normalisation de couche de la convolution (poids et biais)"
    ),
    "convolution beside the first layer": "convolution à côté de la première couche",
    "router": "routeur",
    "shared expert": "expert partagé",
    "gate of the shared expert": "porte de l’expert partagé",
    "experts, gate and first matrices": "experts, porte et premières matrices",
    "experts, second matrices": "experts, secondes matrices",
    "pooler": "pooler",
    "language-model head": "tête de modèle de langue",
    "language-model head, dense layer": "tête de modèle de langue, couche dense",
    "language-model head, layer norm": "tête de modèle de langue, normalisation de couche",
    "language-model head, projection to the vocabulary": (
        "tête de modèle de langue, projection vers le vocabulaire"
    ),
    "language-model head, bias": "tête de modèle de langue, biais",
    "language-model head, bias beside the untied projection": (
        "tête de modèle de langue, biais à côté de la projection non liée"
    ),
    "the output of an untied model does not use it": (
        "la sortie d’un modèle non lié ne l’utilise pas"
    ),
    "tied to the word embeddings: counted once, there": (
        "liée aux plongements de mots\u202f: comptée une seule fois, avec eux"
    ),
    "classification head": "tête de classification",
    "classification head (no bias)": "tête de classification (sans biais)",
    "classification head, dense layer": "tête de classification, couche dense",
    "classification head, output layer": "tête de classification, couche de sortie",
    "token classification head": "tête de classification des jetons",
    "bias of the token classification head": "biais de la tête de classification des jetons",
    "only in models for sequence classification": (
        "seulement dans les modèles de classification de séquences"
    ),
    "only in models for tokens": "seulement dans les modèles de classification des jetons",
    "only in models loaded without a head by Hugging Face": (
        "seulement dans les modèles que Hugging Face charge sans tête"
    ),
    "head for sentence order": "tête pour l’ordre des phrases",
    "head that finds replaced words, dense layer": (
        "tête de détection des mots remplacés, couche dense"
    ),
    "head that finds replaced words, output layer": (
        "tête de détection des mots remplacés, couche de sortie"
    ),
    "Embeddings": "Plongements",
    "Word embeddings": "Plongements de mots",
    "Position embeddings": "Plongements de positions",
    "Token-type embeddings": "Plongements des types de jetons",
    "Layer norm": "Normalisation de couche",
    "Two layer norms": "Deux normalisations de couche",
    "Last layer norm": "Dernière normalisation de couche",
    "Norms": "Normalisations",
    "Encoder": "Encodeur",
    "Decoder": "Décodeur",
    "One layer": "Une couche",
    "Layers with experts": "Couches à experts",
    "Layers without experts": "Couches sans experts",
    "Self-attention": "Auto-attention",
    "Cross-attention": "Attention croisée",
    "Feed-forward network": "Réseau à propagation avant",
    "Router": "Routeur",
    "Experts": "Experts",
    "Shared expert": "Expert partagé",
    "Convolution": "Convolution",
    "Behind the last layer": "Après la dernière couche",
    "Pooler": "Pooler",
    "Language-model head": "Tête de modèle de langue",
    "Classification head": "Tête de classification",
    "Head that finds replaced words": "Tête de détection des mots remplacés",
    "{layers} layers, width {width}": "{layers} couches, largeur {width}",
    "{layers} layers, width {width}, {heads} attention heads": (
        "{layers} couches, largeur {width}, {heads} têtes d’attention"
    ),
    "{encoder} encoder and {decoder} decoder layers, width {width}": (
        "{encoder} couches d’encodeur et {decoder} de décodeur, largeur {width}"
    ),
    "{layers} identical layers": "{layers} couches identiques",
    "1 set of weights, shared by {layers} layers": "1 jeu de poids, partagé par {layers} couches",
    "{sets} sets of weights, shared by {layers} layers": (
        "{sets} jeux de poids, partagés par {layers} couches"
    ),
    "query, key, value, output: {width} × {width} and a bias each; {heads} heads of {each}": (
        "requête, clé, valeur, sortie\u202f: {width} × {width} et un biais chacune\u202f; "
        "{heads} têtes de {each}"
    ),
    "{width} weights, {width} biases": "{width} poids, {width} biais",
    "{width} weights, {width} biases each": "{width} poids et {width} biais chacune",
    "{shape}, tied": "{shape}, liée",
    "{shape}, in Hugging Face only": "{shape}, chez Hugging Face seulement",
    "dense layer, layer norm, tied projection, bias": (
        "couche dense, normalisation de couche, projection liée, biais"
    ),
    "dense layer, layer norm, untied projection, bias": (
        "couche dense, normalisation de couche, projection non liée, biais"
    ),
    "dense layer, layer norm, untied projection, two biases": (
        "couche dense, normalisation de couche, projection non liée, deux biais"
    ),
}
