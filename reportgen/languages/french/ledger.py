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
    "groups of layers that share their weights": "groupes de couches qui partagent leurs poids",
    "different layers in one group": "couches différentes d’un groupe",
    "width of the convolution": "largeur de la convolution",
    "width of the pooler": "largeur du pooler",
    "experts of a layer": "experts d’une couche",
    "experts that a token passes through": "experts par lesquels passe un jeton",
    "inner width of one expert": "largeur interne d’un expert",
    "inner width of the shared expert": "largeur interne de l’expert partagé",
    "layers with experts": "couches à experts",
    "layers with one feed-forward network": "couches à réseau unique à propagation avant",
    "buckets of relative positions": "intervalles de positions relatives",
    "pixels of a patch's side": "pixels du côté d’un pavé",
    "colour channels": "canaux de couleur",
    "frequency bands of the spectrogram": "bandes de fréquences du spectrogramme",
    "positions of the encoder": "positions de l’encodeur",
    "positions of the decoder": "positions du décodeur",
    "{label:cap}": "{label:cap}",
    "encoder: {what}": "encodeur\u202f: {what}",
    "decoder: {what}": "décodeur\u202f: {what}",
    "feed-forward, first matrix": "réseau à propagation avant, première matrice",
    "feed-forward, second matrix": "réseau à propagation avant, seconde matrice",
    "feed-forward, gate and first matrix": "réseau à propagation avant, porte et première matrice",
    "word embeddings": "plongements de mots",
    "position embeddings": "plongements de positions",
    "token-type embeddings": "plongements des types de jetons",
    "relative-position embeddings": "plongements des positions relatives",
    "class token": "jeton de classe",
    "projection of the embeddings to the layers": "projection des plongements vers les couches",
    "query projections": "projections des requêtes",
    "key projections": "projections des clés",
    "value projections": "projections des valeurs",
    "query, key and value projections": "projections des requêtes, des clés et des valeurs",
    "attention output projections": "projections de sortie de l’attention",
    "cross-attention, query projections": "attention croisée, projections des requêtes",
    "cross-attention, key projections": "attention croisée, projections des clés",
    "cross-attention, value projections": "attention croisée, projections des valeurs",
    "cross-attention, output projections": "attention croisée, projections de sortie",
    "matrices between the heads": "matrices entre les têtes",
    "projections of the relative positions": "projections des positions relatives",
    "biases of the attention projections": "biais des projections de l’attention",
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
    "router": "routeur",
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
    "tied to the word embeddings: counted once, there": (
        "liée aux plongements de mots\u202f: comptée une seule fois, avec eux"
    ),
    "classification head": "tête de classification",
    "classification head, dense layer": "tête de classification, couche dense",
    "classification head, output layer": "tête de classification, couche de sortie",
    "token classification head": "tête de classification des jetons",
    "bias of the token classification head": "biais de la tête de classification des jetons",
    "Embeddings": "Plongements",
    "Layer norm": "Normalisation de couche",
    "Norms": "Normalisations",
    "Encoder": "Encodeur",
    "Decoder": "Décodeur",
    "One layer": "Une couche",
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
    "{layers} layers, width {width}": "{layers} couches, largeur {width}",
    "{layers} layers, width {width}, {heads} attention heads": (
        "{layers} couches, largeur {width}, {heads} têtes d’attention"
    ),
    "{layers} identical layers": "{layers} couches identiques",
    "{shape}, tied": "{shape}, liée",
    "attention heads of the encoder": "têtes d’attention de l’encodeur",
    "attention heads of the decoder": "têtes d’attention du décodeur",
    "pixels of an image's side": "pixels du côté d’une image",
    "rank of the queries": "rang des requêtes",
    "rank of the keys and values": "rang des clés et des valeurs",
    "width of a head with positions": "largeur d’une tête avec positions",
    "width of a head without positions": "largeur d’une tête sans positions",
    "width of the values of a head": "largeur des valeurs d’une tête",
    "width of the common space": "largeur de l’espace commun",
    "width of the state": "largeur de l’état",
    "{key}": "{key}",
    "layers with attention": "couches à attention",
    "layers with a state-space block": "couches à bloc à espace d’états",
    "layers of the kind {kind}": "couches du type {kind}",
    "layers that have this part": "couches qui ont cette partie",
    "encoder": "encodeur",
    "decoder": "décodeur",
    "vision": "vision",
    "text": "texte",
    "audio": "audio",
    "{side}: {what}": "{side}\u202f: {what}",
    "layer norm of the embeddings": "normalisation des plongements",
    "last norm": "dernière normalisation",
    "projection back to the width of the embeddings": (
        "projection de retour à la largeur des plongements"
    ),
    "norms of the layers": "normalisations des couches",
    "RMS norm a layer (weight)": "une normalisation RMS par couche (poids)",
    "norms of queries and keys": "normalisations des requêtes et des clés",
    "norms of queries and keys of the cross-attention": (
        "normalisations des requêtes et des clés de l’attention croisée"
    ),
    "key and value projections": "projections des clés et des valeurs",
    "projections to the low ranks of the attention": (
        "projections vers les rangs faibles de l’attention"
    ),
    "other weights of the attention": "autres poids de l’attention",
    "cross-attention, key and value projections": (
        "attention croisée, projections des clés et des valeurs"
    ),
    "cross-attention, query, key and value projections": (
        "attention croisée, projections des requêtes, des clés et des valeurs"
    ),
    "cross-attention, other weights": "attention croisée, autres poids",
    "feed-forward, gate matrix": "réseau à propagation avant, matrice de la porte",
    "feed-forward, other weights": "réseau à propagation avant, autres poids",
    "experts, gate matrices": "experts, matrices de la porte",
    "experts, first matrices": "experts, premières matrices",
    "experts, other weights": "experts, autres poids",
    "shared experts": "experts partagés",
    "shared expert, gate matrix": "expert partagé, matrice de la porte",
    "shared expert, first matrix": "expert partagé, première matrice",
    "shared expert, gate and first matrix": "expert partagé, porte et première matrice",
    "shared expert, second matrix": "expert partagé, seconde matrice",
    "shared expert, other weights": "expert partagé, autres poids",
    "state-space blocks": "blocs à espace d’états",
    "convolutions": "convolutions",
    "convolutions in front of the layers": "convolutions devant les couches",
    "projection of the patches": "projection des pavés",
    "projections to a common space": "projections vers un espace commun",
    "biases of the convolutions": "biais des convolutions",
    "biases of the experts": "biais des experts",
    "biases of the router": "biais du routeur",
    "biases of the shared expert": "biais de l’expert partagé",
    "biases of the state-space blocks": "biais des blocs à espace d’états",
    "other biases": "autres biais",
    "other weights": "autres poids",
    "other weights: {module}": "autres poids\u202f: {module}",
    "head": "tête",
    "heads of the pre-training": "têtes du préentraînement",
    "classification head, norm": "tête de classification, normalisation",
    "classification head, bias": "tête de classification, biais",
    "question-answering head": "tête de réponse aux questions",
    "Layers": "Couches",
    "State-space block": "Bloc à espace d’états",
    "counted exactly from the model that the installed transformers builds": (
        "compté exactement d’après le modèle que construit la bibliothèque transformers installée"
    ),
    "pass a checkpoint of the model: its tensors are counted as they are": (
        "fournir un point de sauvegarde du modèle\u202f: ses tenseurs sont comptés tels quels"
    ),
    "the formula of {name} was not proven: its parts are listed without a total": (
        "la formule de {name} n’a pas été prouvée\u202f: ses parties sont énumérées sans total"
    ),
    "the parts of this model type are known where {condition}, so no total is given": (
        "les parties de ce type de modèle ne sont connues que si {condition}\u202f: aucun "
        "total n’est donné"
    ),
    "{key} is {value}: the parts of this model type are known for {default} alone, so no "
    "total is given": (
        "{key} vaut {value}\u202f: les parties de ce type de modèle ne sont connues que pour "
        "{default}, aucun total n’est donc donné"
    ),
    "{name} is not stated, and would follow from {key}, which stands under the old name "
    "{other}: no total is given": (
        "{name} n’est pas indiqué et découlerait de {key}, qui figure sous l’ancien nom "
        "{other}\u202f: aucun total n’est donné"
    ),
    "{other} and {key} are two spellings of one size and say {first} and {second}: no total "
    "is given": (
        "{other} et {key} sont deux noms d’une même dimension et indiquent {first} et "
        "{second}\u202f: aucun total n’est donné"
    ),
}
