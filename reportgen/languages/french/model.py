"""The sections on the model: architecture and parameters."""

from __future__ import annotations

MESSAGES = {
    "Model architecture": "Architecture du modèle",
    "No model configuration was found that can be read, so the architecture is not described "
    "here. To add it, write the path of the model's {file} under {key} in the study file.": (
        "Aucune configuration de modèle lisible n’a été trouvée\u202f: l’architecture n’est donc "
        "pas décrite ici. Pour l’ajouter, il suffit d’écrire le chemin du fichier {file} du modèle "
        "sous {key} dans le fichier d’étude."
    ),
    "The model": "Le modèle",
    "(none)": "(aucun)",
    "{name} states the model type {kind}, whose sizes could not be read ({why})": (
        "{name} indique le type de modèle {kind}, dont les dimensions n’ont pas pu être lues "
        "({why})"
    ),
    "{name} states the model type {kind}, for which no description is known": (
        "{name} indique le type de modèle {kind}, pour lequel aucune description n’est connue"
    ),
    "{clause}.": "{clause}.",
    "{clause}; its checkpoint stores {n} parameters.": (
        "{clause}\u202f; son point de sauvegarde contient {n} paramètres."
    ),
    "{name} is a {title} model {cited}: {layers}.": (
        "{name} est un modèle {title} {cited}\u202f: {layers}."
    ),
    "{name} is an {title} model {cited}: {layers}.": (
        "{name} est un modèle {title} {cited}\u202f: {layers}."
    ),
    "a Transformer encoder of {layers} identical layers and width {width}": (
        "un encodeur Transformer de {layers} couches identiques et de largeur {width}"
    ),
    "a Transformer encoder of {layers} layers that share their weights, of width {width}": (
        "un encodeur Transformer de {layers} couches qui partagent leurs poids, de largeur {width}"
    ),
    "a Transformer decoder of {layers} identical layers and width {width}": (
        "un décodeur Transformer de {layers} couches identiques et de largeur {width}"
    ),
    "a Transformer decoder of {layers} layers and width {width}": (
        "un décodeur Transformer de {layers} couches et de largeur {width}"
    ),
    "a Transformer with an encoder of {encoder} layers and a decoder of {decoder} layers, of "
    "width {width}": (
        "un Transformer dont l’encodeur compte {encoder} couches et le décodeur {decoder}, de "
        "largeur {width}"
    ),
    "A layer applies {attention} and then {network}.": (
        "Une couche applique {attention}, puis {network}."
    ),
    "A layer applies {attention} and beside it, on the same input, {network}.": (
        "Une couche applique {attention} et, à côté, sur la même entrée, {network}."
    ),
    "multi-head self-attention": "une auto-attention à plusieurs têtes",
    "multi-head self-attention with {heads} heads": "une auto-attention à {heads} têtes",
    "multi-head self-attention (in the decoder also attention to the encoder's output)": (
        "une auto-attention à plusieurs têtes (dans le décodeur, aussi une attention à la "
        "sortie de l’encodeur)"
    ),
    "multi-head self-attention with {heads} heads (in the decoder also attention to the "
    "encoder's output)": (
        "une auto-attention à {heads} têtes (dans le décodeur, aussi une attention à la sortie "
        "de l’encodeur)"
    ),
    "a feed-forward network": "un réseau à propagation avant",
    "a feed-forward network of inner width {width}": (
        "un réseau à propagation avant de largeur interne {width}"
    ),
    "a feed-forward network of inner width {encoder} in the encoder and {decoder} in the decoder": (
        "un réseau à propagation avant de largeur interne {encoder} dans l’encodeur et "
        "{decoder} dans le décodeur"
    ),
    "a mixture of {experts} experts of inner width {width}": (
        "un mélange de {experts} experts de largeur interne {width}"
    ),
    "{mixture}, of which a token passes through {used}": "{mixture}, dont un jeton traverse {used}",
    "{mixture}, beside a shared expert of inner width {width}": (
        "{mixture}, à côté d’un expert partagé de largeur interne {width}"
    ),
    "{mixture}; in {layers} of the layers it is {network} instead": (
        "{mixture}\u202f; dans {layers} des couches, c’est à la place {network}"
    ),
    "Beside the first layer stands a convolution of width {width}.": (
        "À côté de la première couche se trouve une convolution de largeur {width}."
    ),
    "{entries} entries": "{entries} entrées",
    "{entries} of width {width}": "{entries} de largeur {width}",
    "The vocabulary has {entries}.": "Le vocabulaire compte {entries}.",
    "The vocabulary has {entries}, the position table {rows} rows.": (
        "Le vocabulaire compte {entries}, la table des positions {rows} lignes."
    ),
    "The vocabulary has {entries}, each position table {rows} rows.": (
        "Le vocabulaire compte {entries}, chaque table de positions {rows} lignes."
    ),
    "Positions are counted from the padding index plus one, so the first two rows of the "
    "position table belong to no token, but they are parameters and are counted.": (
        "Les positions sont comptées à partir de l’indice de remplissage plus un\u202f: les "
        "deux premières lignes de la table des positions n’appartiennent donc à aucun jeton, "
        "mais ce sont des paramètres, et elles sont comptées."
    ),
    "Modules of {name} and their parameters.": "Modules de {name} et leurs paramètres.",
    "Modules of the model and their parameters.": "Modules du modèle et leurs paramètres.",
    "Below “One layer” the counts are those of a single layer.": (
        "Sous «\u202fUne couche\u202f», les nombres sont ceux d’une seule couche."
    ),
    "Module": "Module",
    "Shape": "Forme",
    "Parameters": "Paramètres",
    "Number of parameters": "Nombre de paramètres",
    "No model configuration was found that can be read, so no parameters are counted. Name a "
    "{file} under {config} in the study file to have them counted, and a checkpoint under "
    "{checkpoint} to have the count compared with what is stored.": (
        "Aucune configuration de modèle lisible n’a été trouvée\u202f: aucun paramètre n’est donc "
        "compté. Pour qu’ils le soient, il faut nommer un fichier {file} sous {config} dans le "
        "fichier d’étude\u202f; pour que le compte soit comparé à ce qui est stocké, un point "
        "de sauvegarde sous {checkpoint}."
    ),
    "The parameters could not be counted: {why}.": (
        "Les paramètres n’ont pas pu être comptés\u202f: {why}."
    ),
    "The number of parameters follows from the sizes in {file}.": (
        "Le nombre de paramètres découle des dimensions indiquées dans {file}."
    ),
    "Every kind of tensor has a formula; no checkpoint was given to compare the result with.": (
        "Chaque sorte de tenseur a sa formule\u202f; aucun point de sauvegarde n’a été fourni "
        "auquel comparer le résultat."
    ),
    "Every kind of tensor has a formula; the result is compared, line by line, with the "
    "tensors listed in {file}.": (
        "Chaque sorte de tenseur a sa formule\u202f; le résultat est comparé, ligne par ligne, "
        "aux tenseurs énumérés dans {file}."
    ),
    "The output projection of the language-model head is tied to the word embeddings: it is "
    "the same tensor under a second name and is counted once.": (
        "La projection de sortie de la tête de modèle de langue est liée aux plongements de "
        "mots\u202f: c’est le même tenseur sous un second nom, et il est compté une seule fois."
    ),
    "No formula gives these numbers: {why}. The tensors listed in {file} are added up as they "
    "are stored, grouped by role, which is told from their names. Nothing here checks that the "
    "file is whole.": (
        "Aucune formule ne donne ces nombres\u202f: {why}. Les tenseurs énumérés dans {file} "
        "sont additionnés tels qu’ils sont stockés, regroupés selon leur rôle, que leurs noms "
        "indiquent. Rien ne vérifie ici que le fichier est complet."
    ),
    "Symbols of the parameter count and their values in this model.": (
        "Symboles du décompte des paramètres et leurs valeurs dans ce modèle."
    ),
    "Symbol": "Symbole",
    "Meaning": "Signification",
    "Term": "Terme",
    "Formula": "Formule",
    "Count": "Nombre",
    "Stored": "Stockés",
    "Total": "Total",
    "Scope": "Périmètre",
    "What is counted": "Ce qui est compté",
    "Parameter ledger. Formulas count all layers.": (
        "Décompte des paramètres. Les formules comptent toutes les couches."
    ),
    "Stored numbers by role.": "Nombres stockés, par rôle.",
    "Stored: elements of the tensors in the checkpoint that the line covers.": (
        "Stockés\u202f: éléments des tenseurs du point de sauvegarde que couvre la ligne."
    ),
    "Not in this checkpoint, and not in the table: {parts}.": (
        "Absents de ce point de sauvegarde, et donc de ce tableau\u202f: {parts}."
    ),
    "{term} ({n} by formula; {why})": "{term} ({n} d’après la formule\u202f; {why})",
    "{term}: {why}.": "{term}\u202f: {why}.",
    "{term} (tied, counted once)": "{term} (liée, comptée une seule fois)",
    "{scope}; as fairseq would store it": "{scope}\u202f; tel que fairseq le stockerait",
    "The embedding tables hold": "Les tables de plongements contiennent",
    "The embeddings hold": "Les plongements contiennent",
    "One layer holds these weights, biases and norms:": (
        "Une couche contient ces poids, biais et normalisations\u202f:"
    ),
    "One layer holds these weights and norms:": (
        "Une couche contient ces poids et normalisations\u202f:"
    ),
    "One layer of the encoder holds these weights, biases and norms:": (
        "Une couche de l’encodeur contient ces poids, biais et normalisations\u202f:"
    ),
    "One layer of the encoder holds these weights and norms:": (
        "Une couche de l’encodeur contient ces poids et normalisations\u202f:"
    ),
    "One layer of the decoder holds these weights, biases and norms:": (
        "Une couche du décodeur contient ces poids, biais et normalisations\u202f:"
    ),
    "One layer of the decoder holds these weights and norms:": (
        "Une couche du décodeur contient ces poids et normalisations\u202f:"
    ),
    "Together this gives the model without heads:": "L’ensemble donne le modèle sans têtes\u202f:",
    "Together this gives the whole encoder:": "L’ensemble donne l’encodeur entier\u202f:",
    "Together this gives the whole encoder, no heads:": (
        "L’ensemble donne l’encodeur entier, sans têtes\u202f:"
    ),
    "Together this gives the encoder with Hugging Face's token-type row, no pooler:": (
        "L’ensemble donne l’encodeur avec la ligne de type de jetons de Hugging Face, sans "
        "pooler\u202f:"
    ),
    "Together this gives the whole model without a head:": (
        "L’ensemble donne le modèle entier sans tête\u202f:"
    ),
    "Together this gives the encoder and decoder without a head:": (
        "L’ensemble donne l’encodeur et le décodeur sans tête\u202f:"
    ),
    "The heads add": "Les têtes ajoutent",
    "Totals of this model under each reading of “number of parameters”.": (
        "Totaux de ce modèle selon chaque acception de «\u202fnombre de paramètres\u202f»."
    ),
    "None of these totals is more right than another: each answers its own question, and a "
    "number can only be compared with one of the same scope. Quote {scopes}.": (
        "Aucun de ces totaux n’est plus juste qu’un autre\u202f: chacun répond à sa propre "
        "question, et un nombre ne se compare qu’à un nombre de même périmètre. À citer\u202f: "
        "{scopes}."
    ),
    "{first}, and {last}": "{first}, et {last}",
    "for a count by hand that leaves out biases, layer norms and heads": (
        "pour un décompte à la main qui laisse de côté biais, normalisations de couche et têtes"
    ),
    "for the size of the pre-trained encoder": "pour la taille de l’encodeur pré-entraîné",
    "for the size of the model without a head": "pour la taille du modèle sans tête",
    "for the size of the language model": "pour la taille du modèle de langue",
    "for what fine-tuning on the classification task trains": (
        "pour ce qu’entraîne l’affinage sur la tâche de classification"
    ),
    "for what pre-training trained": "pour ce que le pré-entraînement a entraîné",
    "for what a checkpoint with every head holds": (
        "pour ce que contient un point de sauvegarde avec toutes les têtes"
    ),
    "for the encoder as Hugging Face stores it": "pour l’encodeur tel que Hugging Face le stocke",
    "for the bare Hugging Face model": "pour le modèle nu de Hugging Face",
    "for the bare model": "pour le modèle nu",
    "for the Hugging Face classifier": "pour le classifieur de Hugging Face",
    "for the Hugging Face masked language model": "pour le modèle de langue masqué de Hugging Face",
    "for the Hugging Face token classifier": "pour le classifieur de jetons de Hugging Face",
    "for scaling laws, which leave embeddings out": (
        "pour les lois d’échelle, qui laissent de côté les plongements"
    ),
    "for a sequence classifier": "pour un classifieur de séquences",
    "for a token classifier": "pour un classifieur de jetons",
    "for the model without pooler and heads": "pour le modèle sans pooler ni têtes",
    "for an encoder that is used by itself": "pour un encodeur utilisé seul",
    "for the discriminator as it is pre-trained": (
        "pour le discriminateur tel qu’il est pré-entraîné"
    ),
    "for pre-training with both heads": "pour le pré-entraînement avec les deux têtes",
    "for what one token passes through": "pour ce que traverse un jeton",
    "An image is cut into square patches with sides of {side} pixels.": (
        "Une image est découpée en pavés carrés de {side} pixels de côté."
    ),
    "Its parts are: {parts}.": "Ses parties sont\u202f: {parts}.",
    "{name} is a {title} model {cited}.": "{name} est un modèle {title} {cited}.",
    "{name} is an {title} model {cited}.": "{name} est un modèle {title} {cited}.",
    "{part}: {layers} layers of width {width}": "{part}\u202f: {layers} couches de largeur {width}",
    "No formula gives these numbers. The library builds the model from {file} without its "
    "weights, and its tensors are added up, grouped by role, which is told from their names.": (
        "Aucune formule ne donne ces nombres. La bibliothèque construit le modèle d’après "
        "{file}, sans ses poids, et ses tenseurs sont additionnés, groupés par rôle, lequel se "
        "lit dans leurs noms."
    ),
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
    "No total is given: {why}.": "Aucun total n’est donné\u202f: {why}.",
}
