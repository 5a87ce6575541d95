"""The section on adapters."""

from __future__ import annotations

MESSAGES = {
    "Low-rank adaptation (LoRA)": "Adaptation de faible rang (LoRA)",
    "Adapters": "Adaptateurs",
    "Adapter {number}": "Adaptateur {number}",
    "{shown} and {n} more": "{shown} et {n} autres",
    "no stated kind": "(non indiquée)",
    "AdaLoRA adds a product of three matrices to each adapted one and prunes its ranks in "
    "training.": (
        "AdaLoRA ajoute à chaque matrice adaptée un produit de trois matrices et en élague les "
        "rangs pendant l’entraînement."
    ),
    "LoHa adds the elementwise product of two low-rank products to each adapted matrix.": (
        "LoHa ajoute à chaque matrice adaptée le produit terme à terme de deux produits de "
        "faible rang."
    ),
    "LoKr adds a Kronecker product of two smaller matrices to each adapted one.": (
        "LoKr ajoute à chaque matrice adaptée le produit de Kronecker de deux matrices plus "
        "petites."
    ),
    "(IA)³ multiplies the outputs, or the inputs, of each adapted matrix by a trained vector.": (
        "(IA)³ multiplie les sorties, ou les entrées, de chaque matrice adaptée par un vecteur "
        "entraîné."
    ),
    "VeRA adds a product of random, frozen matrices that all targets share, scaled by two "
    "vectors.": (
        "VeRA ajoute un produit de matrices aléatoires et gelées que partagent toutes les "
        "cibles, mis à l’échelle par deux vecteurs."
    ),
    "OFT rotates the inputs of each adapted matrix, block by block.": (
        "OFT applique une rotation aux entrées de chaque matrice adaptée, bloc par bloc."
    ),
    "BOFT rotates the inputs of each adapted matrix, block by block, and scales its outputs.": (
        "BOFT applique une rotation aux entrées de chaque matrice adaptée, bloc par bloc, et "
        "met ses sorties à l’échelle."
    ),
    "LayerNorm tuning copies the norms of the base model and trains the copies; all else is "
    "frozen.": (
        "LayerNorm tuning copie les normalisations du modèle de base et entraîne les "
        "copies\u202f; tout le reste est gelé."
    ),
    "Prompt tuning puts trained rows in front of the input embeddings; the base model is frozen.": (
        "Prompt tuning place des lignes entraînées devant les plongements d’entrée\u202f; le "
        "modèle de base est gelé."
    ),
    "Prefix tuning puts trained keys and values in front of those of every layer.": (
        "Prefix tuning place des clés et des valeurs entraînées devant celles de chaque couche."
    ),
    "P-tuning puts rows in front of the input embeddings that a small trained network makes.": (
        "P-tuning place devant les plongements d’entrée des lignes que produit un petit réseau "
        "entraîné."
    ),
    "two thin matrices beside each adapted one": (
        "deux matrices minces à côté de chaque matrice adaptée"
    ),
    "two thin matrices and a vector of singular values beside each adapted matrix": (
        "deux matrices minces et un vecteur de valeurs singulières à côté de chaque matrice adaptée"
    ),
    "four thin matrices beside each adapted one": (
        "quatre matrices minces à côté de chaque matrice adaptée"
    ),
    "two smaller matrices beside each adapted one, each whole or of low rank": (
        "deux matrices plus petites à côté de chaque matrice adaptée, chacune entière ou de "
        "faible rang"
    ),
    "one vector for each adapted matrix": "un vecteur pour chaque matrice adaptée",
    "two vectors for each adapted matrix": "deux vecteurs pour chaque matrice adaptée",
    "the angles of one rotation for each block of inputs": (
        "les angles d’une rotation pour chaque bloc d’entrées"
    ),
    "one small matrix for each block of inputs and one scale for each output": (
        "une petite matrice pour chaque bloc d’entrées et un facteur pour chaque sortie"
    ),
    "a trained copy of each norm that is named": (
        "une copie entraînée de chaque normalisation nommée"
    ),
    "some rows as wide as the input embeddings": (
        "des lignes aussi larges que les plongements d’entrée"
    ),
    "keys and values for each virtual token and layer": (
        "des clés et des valeurs pour chaque jeton virtuel et chaque couche"
    ),
    "some rows and the network that makes them": "des lignes et le réseau qui les produit",
    "no bias of the base model is trained": "aucun biais du modèle de base n’est entraîné",
    "every bias of the base model is trained": "tous les biais du modèle de base sont entraînés",
    "the biases of the adapted modules are trained": "les biais des modules adaptés sont entraînés",
    "every adapted matrix also gets a trained magnitude for each output": (
        "chaque matrice adaptée reçoit aussi une norme entraînée pour chaque sortie"
    ),
    "the scaling divides by the root of the rank": (
        "le facteur d’échelle divise par la racine du rang"
    ),
    "replaces the rank for the modules named": "remplace le rang pour les modules nommés",
    "replaces alpha for the modules named": "remplace alpha pour les modules nommés",
    "Key": "Clé",
    "not a known key": "clé inconnue",
    "Present and empty or switched off: {keys}.": (
        "Présentes, et vides ou désactivées\u202f: {keys}."
    ),
    "Memory for weights, gradients and optimizer states, without activations.": (
        "Mémoire pour les poids, les gradients et les états de l’optimiseur, sans les activations."
    ),
    "Method": "Méthode",
    "Base": "Base",
    "Adapter": "Adaptateur",
    "Gradients": "Gradients",
    "Optimizer": "Optimiseur",
    "Together": "Ensemble",
    "full fine-tuning, {precision}": "affinage complet, {precision}",
    "weights, gradients and both Adam moments in {precision}: {bytes} bytes a parameter": (
        "poids, gradients et les deux moments d’Adam en {precision}\u202f: {bytes} octets par "
        "paramètre"
    ),
    "LoRA, base in {precision}": "LoRA, base en {precision}",
    "frozen base in {precision}; the adapter, its gradients and moments in float32": (
        "base gelée en {precision}\u202f; l’adaptateur, ses gradients et ses moments en float32"
    ),
    "QLoRA, linear layers in NF4": "QLoRA, couches linéaires en NF4",
    "linear layers in 4-bit NF4 with double quantisation (one 8-bit constant for 64 weights, "
    "one float32 for 256 constants), everything else frozen in bfloat16; the adapter, its "
    "gradients and moments in float32": (
        "couches linéaires en NF4 sur 4 bits avec double quantification (une constante de 8 "
        "bits pour 64 poids, un float32 pour 256 constantes), tout le reste gelé en "
        "bfloat16\u202f; l’adaptateur, ses gradients et ses moments en float32"
    ),
    "Worth a second look in this configuration:": "À revoir dans cette configuration\u202f:",
    "Worth a second look in this configuration, in the program's English words:": (
        "À revoir dans cette configuration, selon les messages en anglais du programme\u202f:"
    ),
    "{message}.": "{message}.",
    "{message} ({remedy}).": "{message} ({remedy}).",
    "some coefficients of the Fourier transform of each update": (
        "quelques coefficients de la transformée de Fourier de chaque mise à jour"
    ),
    "FourierFT trains a few Fourier coefficients of the update of each adapted matrix.": (
        "FourierFT entraîne quelques coefficients de Fourier de la mise à jour de chaque "
        "matrice adaptée."
    ),
    "some coefficients of the wavelet transform of each update": (
        "quelques coefficients de la transformée en ondelettes de chaque mise à jour"
    ),
    "WaveFT trains a few wavelet coefficients of the update of each adapted matrix.": (
        "WaveFT entraîne quelques coefficients d’ondelettes de la mise à jour de chaque "
        "matrice adaptée."
    ),
    "some directions of reflection for each adapted matrix": (
        "quelques directions de réflexion pour chaque matrice adaptée"
    ),
    "HRA reflects the inputs of each adapted matrix at some trained directions, one by one.": (
        "HRA réfléchit les entrées de chaque matrice adaptée selon quelques directions "
        "entraînées, l’une après l’autre."
    ),
    "one small matrix for each adapted one": "une petite matrice pour chaque matrice adaptée",
    "MiSS adds one small matrix, repeated over the inputs, to each adapted one.": (
        "MiSS ajoute à chaque matrice adaptée une petite matrice, répétée le long des entrées."
    ),
    "the weights of some random matrices for each adapted one": (
        "les poids de quelques matrices aléatoires pour chaque matrice adaptée"
    ),
    "RandLoRA adds a weighted sum of random, frozen matrices to each adapted one.": (
        "RandLoRA ajoute à chaque matrice adaptée une somme pondérée de matrices aléatoires "
        "et gelées."
    ),
    "angles and scales for the pairs of outputs of each adapted matrix": (
        "des angles et des facteurs pour les paires de sorties de chaque matrice adaptée"
    ),
    "RoAd rotates and scales the outputs of each adapted matrix, pair by pair.": (
        "RoAd applique une rotation et un facteur aux sorties de chaque matrice adaptée, "
        "paire par paire."
    ),
    "as many single entries of each matrix as two thin matrices would have": (
        "autant de coefficients de chaque matrice qu’en auraient deux matrices minces"
    ),
    "SHiRA trains a few entries of each adapted matrix, chosen before training.": (
        "SHiRA entraîne quelques coefficients de chaque matrice adaptée, choisis avant "
        "l’entraînement."
    ),
    "one kernel for each block of inputs and outputs": (
        "un noyau pour chaque bloc d’entrées et de sorties"
    ),
    "C³A adds a matrix of circular convolutions, one for each block, to each adapted one.": (
        "C³A ajoute à chaque matrice adaptée une matrice de convolutions circulaires, une par bloc."
    ),
    "two thin matrices and a bound beside each adapted one": (
        "deux matrices minces et une borne à côté de chaque matrice adaptée"
    ),
    "DeLoRA adds a low-rank product whose norm is bounded by a trained number to each "
    "adapted matrix.": (
        "DeLoRA ajoute à chaque matrice adaptée un produit de faible rang dont un nombre "
        "entraîné borne la norme."
    ),
    "HiRA adds to each adapted matrix its own product, entry by entry, with a low-rank one.": (
        "HiRA ajoute à chaque matrice adaptée son produit terme à terme avec une matrice de "
        "faible rang."
    ),
    "weights that mix vectors of a bank, and the bank itself": (
        "des poids qui mélangent les vecteurs d’une banque, et la banque elle-même"
    ),
    "VB-LoRA makes the two thin matrices of each target out of the vectors of one trained bank.": (
        "VB-LoRA tire les deux matrices minces de chaque cible des vecteurs d’une seule "
        "banque entraînée."
    ),
    "two thin matrices for each block of each adapted matrix": (
        "deux matrices minces pour chaque bloc de chaque matrice adaptée"
    ),
    "GraLoRA cuts each adapted matrix into blocks and adds a low-rank product to each block.": (
        "GraLoRA découpe chaque matrice adaptée en blocs et ajoute à chaque bloc un produit "
        "de faible rang."
    ),
    "PVeRA is VeRA with scales of the ranks that are sampled about a trained mean.": (
        "PVeRA est VeRA avec des facteurs des rangs tirés autour d’une moyenne entraînée."
    ),
    "one bias for each output of each adapted matrix": (
        "un biais pour chaque sortie de chaque matrice adaptée"
    ),
    "BEFT adds a trained bias to the outputs of each adapted matrix.": (
        "BEFT ajoute un biais entraîné aux sorties de chaque matrice adaptée."
    ),
    "one vector that all adapted matrices share": (
        "un seul vecteur que partagent toutes les matrices adaptées"
    ),
    "Uni-LoRA makes the thin matrices of every target out of one trained vector.": (
        "Uni-LoRA tire les matrices minces de toutes les cibles d’un seul vecteur entraîné."
    ),
    "some rows of the embeddings": "quelques lignes des plongements",
    "Some rows of the embeddings are trained; all else is frozen.": (
        "Quelques lignes des plongements sont entraînées\u202f; tout le reste est gelé."
    ),
}
