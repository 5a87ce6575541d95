"""What each key of an adapter's configuration means."""

from __future__ import annotations

MESSAGES = {
    "kind of adapter": "sorte d’adaptateur",
    "task, which decides the head and how it is wrapped": (
        "tâche, qui décide de la tête et de son enveloppe"
    ),
    "rank: inner width of the two added matrices": (
        "rang\u202f: largeur interne des deux matrices ajoutées"
    ),
    "numerator of the scaling of the update": "numérateur du facteur d’échelle de la mise à jour",
    "dropout in front of the first added matrix": "dropout avant la première matrice ajoutée",
    "modules that get an adapter": "modules qui reçoivent un adaptateur",
    "which biases of the base model are trained too": "biais du modèle de base entraînés eux aussi",
    "modules that are copied and trained whole": "modules copiés et entraînés en entier",
    "modules left out although they match": "modules laissés de côté bien qu’ils correspondent",
    "modules with a rank of their own": "modules qui ont leur propre rang",
    "modules with an alpha of their own": "modules qui ont leur propre alpha",
    "divide alpha by the root of the rank, not by the rank": (
        "diviser alpha par la racine du rang, et non par le rang"
    ),
    "train the magnitude of each output column as well": (
        "entraîner aussi la norme de chaque colonne de sortie"
    ),
    "give the second added matrix a bias": "donner un biais à la seconde matrice ajoutée",
    "weights are stored as inputs × outputs": (
        "les poids sont stockés sous la forme entrées × sorties"
    ),
    "how the added matrices start": "initialisation des matrices ajoutées",
    "numbers of the layers that get an adapter": "numéros des couches qui reçoivent un adaptateur",
    "name of the list of layers in the model": "nom de la liste des couches dans le modèle",
    "layers stacked from copies of others": "couches empilées à partir de copies d’autres couches",
    "parameters adapted directly, not through a module": (
        "paramètres adaptés directement, et non par un module"
    ),
    "rows of the embedding that are trained": "lignes du plongement qui sont entraînées",
    "whether the adapter was saved for use, not for training": (
        "si l’adaptateur a été enregistré pour l’usage, et non pour l’entraînement"
    ),
    "model the adapter was trained on": "modèle sur lequel l’adaptateur a été entraîné",
    "revision of the base model": "révision du modèle de base",
    "class to load the base model with": "classe avec laquelle charger le modèle de base",
    "version of PEFT that wrote the file": "version de PEFT qui a écrit le fichier",
    "settings for Megatron layers": "réglages des couches Megatron",
    "name of the Megatron module": "nom du module Megatron",
    "settings of the LoftQ start": "réglages de l’initialisation LoftQ",
    "settings of the EVA start": "réglages de l’initialisation EVA",
    "settings of the CorDA start": "réglages de l’initialisation CorDA",
    "settings of the LoRA-GA start": "réglages de l’initialisation LoRA-GA",
    "settings of KaSA": "réglages de KaSA",
    "settings of VeLoRA": "réglages de VeLoRA",
    "settings of MonteCLoRA": "réglages de MonteCLoRA",
    "settings of Arrow routing": "réglages du routage Arrow",
    "tokens behind which an activated adapter works": (
        "jetons après lesquels agit un adaptateur activé"
    ),
    "quantisation-aware LoRA": "LoRA tenant compte de la quantification",
    "group size of quantisation-aware LoRA": (
        "taille des groupes du LoRA tenant compte de la quantification"
    ),
    "block-diagonal LoRA": "LoRA diagonal par blocs",
    "keep tied weights tied when one of them is adapted": (
        "garder liés les poids liés quand l’un d’eux est adapté"
    ),
    "settings that hold for one run only": "réglages qui ne valent que pour une exécution",
    "dropout of whole ranks": "dropout de rangs entiers",
    "dropout of whole modules": "dropout de modules entiers",
    "decompose convolutions once more": "décomposer une fois de plus les convolutions",
    "rows put in front of the inputs": "lignes placées devant les entrées",
    "width of these rows": "largeur de ces lignes",
    "stacks that get rows of their own": "piles de couches qui reçoivent leurs propres lignes",
    "attention heads of the base model": "têtes d’attention du modèle de base",
    "layers of the base model": "couches du modèle de base",
    "inner width of the network that makes the rows": (
        "largeur interne du réseau qui produit les lignes"
    ),
    "number of blocks of inputs; 0 where the block size is given": (
        "nombre de blocs d’entrées\u202f; 0 si la taille des blocs est donnée"
    ),
    "inputs in a block; 0 where the number of blocks is given": (
        "entrées par bloc\u202f; 0 si le nombre de blocs est donné"
    ),
    "ranks of every module at the start": "rangs de chaque module au départ",
    "ranks that are left on average": "rangs qui restent en moyenne",
    "steps of the training, for the schedule of the ranks": (
        "pas de l’entraînement, pour le calendrier des rangs"
    ),
    "steps before the first pruning": "pas avant le premier élagage",
    "steps after the last pruning": "pas après le dernier élagage",
    "steps from one pruning to the next": "pas d’un élagage au suivant",
    "smoothing of the sensitivity": "lissage de la sensibilité",
    "smoothing of its uncertainty": "lissage de son incertitude",
    "weight of the penalty that keeps U and V orthogonal": (
        "poids de la pénalité qui garde U et V orthogonales"
    ),
    "ranks that were left at the end": "rangs qui restaient à la fin",
    "write the first factor as a low-rank product too": (
        "écrire aussi le premier facteur comme un produit de faible rang"
    ),
    "size of the first factor; -1: near the square root": (
        "taille du premier facteur\u202f; -1\u202f: proche de la racine carrée"
    ),
    "scale the ranks that are left": "mettre à l’échelle les rangs qui restent",
    "targets whose inputs are scaled": "cibles dont les entrées sont mises à l’échelle",
    "start with scales of 1": "commencer avec des facteurs égaux à 1",
    "seed of the shared random matrices": "graine des matrices aléatoires partagées",
    "save the shared random matrices": "enregistrer les matrices aléatoires partagées",
    "dropout in front of the random matrices": "dropout avant les matrices aléatoires",
    "value the scales of the ranks start with": "valeur initiale des facteurs des rangs",
    "how the scales start": "initialisation des facteurs",
    "blocks that are left unrotated in training": "blocs laissés sans rotation à l’entraînement",
    "how the rotations start": "initialisation des rotations",
    "keep the rotations small": "garder petites les rotations",
    "how small": "jusqu’à quel point",
    "one rotation for all blocks": "une seule rotation pour tous les blocs",
    "compute the rotation by a series": "calculer la rotation par une série",
    "terms of that series": "termes de cette série",
    "butterfly factors": "facteurs en papillon",
    "how the rows start": "initialisation des lignes",
    "text whose embeddings they start from": "texte dont les plongements les initialisent",
    "tokenizer of that text": "segmenteur de ce texte",
    "its settings": "ses réglages",
    "make the prefix by a network that is trained": "produire le préfixe par un réseau entraîné",
    "how the prefix starts": "initialisation du préfixe",
    "network that makes the rows": "réseau qui produit les lignes",
    "layers of an LSTM": "couches d’un LSTM",
    "dropout of an LSTM": "dropout d’un LSTM",
    "keep the reflected directions orthogonal": "garder orthogonales les directions de réflexion",
    "inputs, and outputs, in a block": "entrées, et sorties, par bloc",
    "modules with a block size of their own": "modules qui ont leur propre taille de bloc",
    "bound of the norm of the update": "borne de la norme de la mise à jour",
    "seed of the samples": "graine des tirages",
    "dropout in front of the adapter": "dropout avant l’adaptateur",
    "blocks of inputs, and of outputs": "blocs d’entrées, et de sorties",
    "outputs in a group, within which pairs are rotated": (
        "sorties d’un groupe, où les paires subissent une rotation"
    ),
    "rank of a LoRA beside the blocks": "rang d’un LoRA à côté des blocs",
    "spread of the weights of the mixture at the start": "dispersion initiale des poids du mélange",
    "bound of that vector at the start": "borne initiale de ce vecteur",
    "bound of the vectors at the start": "borne initiale des vecteurs",
    "modules with a bound of their own": "modules qui ont leur propre borne",
    "how the trained entries are chosen": "choix des coefficients entraînés",
    "outputs that are told apart where the start is mini": (
        "sorties distinguées si l’initialisation est mini"
    ),
    "trained coefficients of each adapted matrix": (
        "coefficients entraînés de chaque matrice adaptée"
    ),
    "modules with a number of coefficients of their own": (
        "modules qui ont leur propre nombre de coefficients"
    ),
    "vectors in the shared bank": "vecteurs de la banque partagée",
    "seed of the projection": "graine de la projection",
    "share the coefficients out by the size of the matrices": (
        "répartir les coefficients selon la taille des matrices"
    ),
    "seed of the places of the coefficients": "graine des places des coefficients",
    "seed of that choice": "graine de ce choix",
    "sample outside training too": "tirer aussi hors de l’entraînement",
    "save the projection": "enregistrer la projection",
    "save the weights of the mixed vectors alone": (
        "n’enregistrer que les poids des vecteurs mélangés"
    ),
    "factor of the update": "facteur de la mise à jour",
    "random matrices of −1, 0 and 1": "matrices aléatoires de −1, 0 et 1",
    "numbers of the trained vector that all modules share": (
        "nombres du vecteur entraîné que partagent tous les modules"
    ),
    "vectors that are mixed for each piece": "vecteurs mélangés pour chaque morceau",
    "transform the coefficients back": "appliquer la transformation inverse aux coefficients",
    "angles and scales of a pair of outputs": "angles et facteurs d’une paire de sorties",
    "length of these vectors": "longueur de ces vecteurs",
    "such matrices with fewer numbers other than 0": (
        "de telles matrices avec moins de nombres autres que 0"
    ),
    "family of the wavelets": "famille des ondelettes",
    "how the coefficients start": "initialisation des coefficients",
    "reflections of each adapted matrix": "réflexions de chaque matrice adaptée",
    "how the directions start": "initialisation des directions",
    "rows of the small matrix": "lignes de la petite matrice",
    "how the small matrix starts, and which shape it has": (
        "initialisation de la petite matrice, et sa forme"
    ),
    "rank of the shared random matrices": "rang des matrices aléatoires partagées",
    "how the weights start": "initialisation des poids",
    "rank of the LoRA that would train as many numbers": (
        "rang du LoRA qui entraînerait autant de nombres"
    ),
    "how the trained entries start": "initialisation des coefficients entraînés",
    "how the kernels start": "initialisation des noyaux",
    "how the biases start": "initialisation des biais",
    "how the vector starts": "initialisation du vecteur",
}
