"""Diagrams of models and adapters: what stands in them, and what is said of them."""

from __future__ import annotations

MESSAGES = {
    "Patches and embeddings": "Pavés et plongements",
    "Convolutions and positions": "Convolutions et positions",
    "Word embeddings of encoder and decoder": "Plongements de mots de l’encodeur et du décodeur",
    "Word embeddings that neither side reads": "Plongements de mots que nul côté ne lit",
    "Relative positions": "Positions relatives",
    "Feed-forward": "Propagation avant",
    "Gated feed-forward": "Propagation avant à porte",
    "Mixture of experts": "Mélange d’experts",
    "Other parts": "Autres éléments",
    "Parts that join the sides": "Éléments qui relient les côtés",
    "all layers together": "toutes les couches ensemble",
    "{boxes}.": "{boxes}.",
    "RMS norm": "Normalisation RMS",
    "Projection to the embeddings' width": "Projection à la largeur des plongements",
    "words": "mots",
    "positions": "positions",
    "token types": "types de jetons",
    "layer norm": "normalisation de couche",
    "projection": "projection",
    "table": "table",
    "patches": "pavés",
    "convolution 1": "convolution 1",
    "convolution 2": "convolution 2",
    "convolution": "convolution",
    "kernel": "noyau",
    "query": "requête",
    "key": "clé",
    "value": "valeur",
    "output": "sortie",
    "query, key, value": "requête, clé, valeur",
    "relative positions": "positions relatives",
    "between the heads": "entre les têtes",
    "norms of queries, keys": "normalisations des requêtes, clés",
    "first": "première",
    "second": "seconde",
    "gate": "porte",
    "gate and first": "porte et première",
    "shared gate": "partagé, porte",
    "shared first": "partagé, première",
    "shared second": "partagé, seconde",
    "gate of the shared": "porte du partagé",
    "dense": "dense",
    "bias": "biais",
    "bias beside it": "biais à côté",
    "token ids": "numéros de jetons",
    "image": "image",
    "log-Mel spectrogram": "spectrogramme log-Mel",
    "token ids written so far": "numéros des jetons déjà écrits",
    "{shape} + bias": "{shape} + biais",
    "each {shape}": "chacune {shape}",
    "same weights": "mêmes poids",
    "output of the encoder": "sortie de l’encodeur",
    "no parameters": "aucun paramètre",
    "read by every layer": "lue par chaque couche",
    "beside the first layer": "à côté de la première couche",
    "input": "entrée",
    "W, frozen": "W, gelée",
    "{matrix}, trained": "{matrix}, entraînée",
    "with a bias, trained": "avec un biais, entraîné",
    "dropout {share}": "dropout {share}",
    "magnitude m, trained": "norme m, entraînée",
    "each row of the sum gets the length m": "chaque ligne de la somme prend la longueur m",
    "× l, a trained vector": "× l, un vecteur entraîné",
    "{name}, one adapted matrix. The input passes through the frozen matrix W and, beside it, "
    "through A and B; the two results are added. What has a dashed edge is trained. The number "
    "at the right of a box is its parameters in all adapted modules together.": (
        "{name}, une matrice adaptée. L’entrée passe par la matrice gelée W et, à côté, par A "
        "et B\u202f; les deux résultats sont additionnés. Ce qui a un bord en tirets est "
        "entraîné. Le nombre à droite d’une boîte est celui de ses paramètres dans tous les "
        "modules adaptés ensemble."
    ),
    "{name}: the outputs of a frozen matrix are multiplied by a trained vector.": (
        "{name}\u202f: les sorties d’une matrice gelée sont multipliées par un vecteur entraîné."
    ),
    "{name}: the inputs of a frozen matrix are multiplied by a trained vector.": (
        "{name}\u202f: les entrées d’une matrice gelée sont multipliées par un vecteur entraîné."
    ),
    "The adapter": "L’adaptateur",
    "stored in {bits} bits": "stockée sur {bits} bits",
    "{n} matrix is adapted so.": "{n} matrice est adaptée ainsi.",
    "{n} matrices are adapted so.": "{n} matrices sont adaptées ainsi.",
    "and {n} more kinds of modules": "et {n} autres sortes de modules",
    "{n} head": "{n} tête",
    "{n} heads": "{n} têtes",
    "{heads} of width {width}": "{heads} de largeur {width}",
    "{heads}, {n} for keys and values": "{heads}, {n} pour les clés et les valeurs",
    "{n} experts": "{n} experts",
    "{n} experts, {used} for each token": "{n} experts, {used} pour chaque jeton",
    "activation {name}": "activation {name}",
    "in {some} of {all} layers": "dans {some} couches sur {all}",
    "all with the same weights": "toutes de mêmes poids",
    "with {n} sets of weights": "avec {n} jeux de poids",
    "{n} parameters in all layers": "{n} paramètres dans toutes les couches",
    "{n} parameters": "{n} paramètres",
    "{sets} × {one} = {n} parameters": "{sets} × {one} = {n} paramètres",
    "Structure of {name}.": "Structure de {name}.",
    "Structure of the model.": "Structure du modèle.",
    "The head of its class is not known here and is left out.": (
        "La tête de sa classe n’est pas connue ici et n’est pas dessinée."
    ),
    "A matrix is written inputs → outputs, a table rows × width; the number at the right of a "
    "box is its parameters.": (
        "Une matrice est notée entrées → sorties, une table lignes × largeur\u202f; le nombre "
        "à droite d’une boîte est celui de ses paramètres."
    ),
    "A plus in a circle adds what goes around to what comes through.": (
        "Un plus dans un cercle ajoute ce qui contourne à ce qui traverse."
    ),
    "Of a layer without arrows its parts are listed, not how they are connected.": (
        "D’une couche sans flèches, les éléments sont énumérés, mais pas leurs liaisons."
    ),
    "The dashed line joins two places of the same weights, counted once.": (
        "La ligne en tirets relie deux emplacements des mêmes poids, comptés une seule fois."
    ),
    "One layer is drawn for all; with every layer counted the boxes add up to {total} "
    "parameters ({scope}).": (
        "Une couche est dessinée pour toutes\u202f; toutes les couches comptées, la somme des "
        "boîtes est de {total} paramètres ({scope})."
    ),
    "Diagram of {name}, from its input to its output.": (
        "Schéma de {name}, de son entrée à sa sortie."
    ),
    "Diagram of the model, from its input to its output.": (
        "Schéma du modèle, de son entrée à sa sortie."
    ),
    "The cross-attention takes keys and values from the encoder's output.": (
        "L’attention croisée prend ses clés et ses valeurs dans la sortie de l’encodeur."
    ),
    "The projection to the vocabulary has the same weights as the word embeddings.": (
        "La projection vers le vocabulaire a les mêmes poids que les plongements de mots."
    ),
    "The {input} goes through {boxes}; beside it, through {detour}.": (
        "{input:Le} passe par {boxes}\u202f; à côté, par {detour}."
    ),
    "The {input} goes through {boxes}.": "{input:Le} passe par {boxes}.",
    "Both results are added.": "Les deux résultats sont additionnés.",
    "Then follows {box}.": "Vient ensuite {box}.",
    "That is the {output}.": "Il en résulte\u202f: {output}.",
    "the word embeddings above": "les plongements de mots ci-dessus",
    "{side}: the input ({source}) goes into {boxes}.": (
        "{side}\u202f: l’entrée ({source}) entre dans {boxes}."
    ),
    "The input ({source}) goes into {boxes}.": "L’entrée ({source}) entre dans {boxes}.",
    "Beside it: {box}.": "À côté\u202f: {box}.",
    "Behind the last layer: {box}.": "Après la dernière couche\u202f: {box}.",
    "At the end: {boxes}.": "À la fin\u202f: {boxes}.",
    "Then come layers, {n} of them ({total}). In each:": (
        "Viennent ensuite les couches, au nombre de {n} ({total}). Dans chacune\u202f:"
    ),
    "Then come layers, {n} of them {about} ({total}). In each:": (
        "Viennent ensuite les couches, au nombre de {n}, {about} ({total}). Dans chacune\u202f:"
    ),
    "{boxes}, and behind it {inner}": "{boxes}, et derrière {inner}",
    "{boxes}; {inner}": "{boxes}\u202f; {inner}",
    "first {inner}, to which what went in is added, then {after}.": (
        "d’abord {inner}, à quoi s’ajoute ce qui est entré, puis {after}."
    ),
    "Then {inner}, to which what went in is added, then {after}.": (
        "Ensuite {inner}, à quoi s’ajoute ce qui est entré, puis {after}."
    ),
    "first {inner}, to which what went in is added.": (
        "d’abord {inner}, à quoi s’ajoute ce qui est entré."
    ),
    "Then {inner}, to which what went in is added.": (
        "Ensuite {inner}, à quoi s’ajoute ce qui est entré."
    ),
    "{one}, or in other layers {other}": "{one}, ou dans d’autres couches {other}",
    "{one}, and beside it {other}": "{one}, et à côté {other}",
    "{one}, then {other}": "{one}, puis {other}",
}
