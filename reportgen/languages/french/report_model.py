"""The parameters of a model and its adapters: two sections, two appendices, answers."""

from __future__ import annotations

MESSAGES = {
    # Names of parts and sizes.
    "parameters": "paramètres",
    "attention": "attention",
    "experts": "experts",
    "embeddings": "plongements",
    "feed-forward": "propagation avant",
    "norms and biases": "normalisations et biais",
    "weights of the layers": "poids des couches",
    "vocabulary": "vocabulaire",
    "width": "largeur",
    "inner width": "largeur interne",
    "layers": "couches",
    "classes": "classes",
    "parameters of the model without heads": "paramètres du modèle sans têtes",
    "parameters of the classification head": "paramètres de la tête de classification",
    "parameters of the language-model head": "paramètres de la tête de modèle de langue",
    # What a total counts.
    "Without biases, norms and heads": "Sans biais, normalisations ni têtes",
    "The encoder without pooler and heads": "L’encodeur sans pooler ni têtes",
    "The encoder with token types, without pooler and heads": (
        "L’encodeur avec types de jetons, sans pooler ni têtes"
    ),
    "The model without a head": "Le modèle sans tête",
    "The model with token types and pooler, without a head": (
        "Le modèle avec types de jetons et pooler, sans tête"
    ),
    "Layers and norms, without embeddings and heads": (
        "Les couches et normalisations, sans plongements ni têtes"
    ),
    "weights, as above": "poids, comme ci-dessus",
    "model without a head": "modèle sans tête",
    "checkpoint": "point de sauvegarde",
    "not by formula": "hors formule",
    # The count.
    "{what}, with {sizes}:": "{what}, avec {sizes}\u202f:",
    "The model has {n} parameters ({what}), by formulas for each kind of tensor.": (
        "Le modèle compte {n} paramètres ({what}), d’après une formule pour chaque sorte de "
        "tenseur."
    ),
    "The model has {n} parameters: the library builds it from {file}, without its weights.": (
        "Le modèle compte {n} paramètres\u202f: la bibliothèque le construit d’après {file}, "
        "sans ses poids."
    ),
    "{file} holds {n} parameters, added up as they are stored; no formula checks them ({why}).": (
        "{file} contient {n} paramètres, additionnés tels qu’ils sont stockés\u202f; aucune "
        "formule ne les vérifie ({why})."
    ),
    "No total is given: {why}. {ledger} lists the parts.": (
        "Aucun total n’est donné\u202f: {why}. {ledger} énumère les parties."
    ),
    "The {rows} rows of positions are {positions} positions and {first} that RoBERTa keeps "
    "free before them.": (
        "Les {rows} lignes de positions sont {positions} positions et {first} que RoBERTa "
        "laisse libres avant elles."
    ),
    "rows of the position table behind the padding index": (
        "lignes de la table des positions après l’indice de remplissage"
    ),
    "{table} leads from there to the checkpoint.": "{table} mène de là au point de sauvegarde.",
    "{table} leads from there to the whole model.": "{table} mène de là au modèle entier.",
    "{table} lists its parts.": "{table} énumère ses parties.",
    "kinds of tensors": "sortes de tenseurs",
    "All {every} kinds of tensors in {file} agree with their formulas to the unit ({ledger}).": (
        "Les {every} sortes de tenseurs de {file} concordent à l’unité avec leurs formules "
        "({ledger})."
    ),
    "One of {every} kinds of tensors in {file} differs from its formula: {ledger}.": (
        "Une des {every} sortes de tenseurs de {file} diffère de sa formule\u202f: {ledger}."
    ),
    "{some} of {every} kinds of tensors in {file} differ from their formulas: {ledger}.": (
        "{some} des {every} sortes de tenseurs de {file} diffèrent de leurs formules\u202f: "
        "{ledger}."
    ),
    "{ledger} lists every term.": "{ledger} énumère tous les termes.",
    "The output projection is tied to the word embeddings and counted once.": (
        "La projection de sortie est liée aux plongements de mots et comptée une seule fois."
    ),
    "From the count by formula to the checkpoint.": (
        "Du décompte par formule au point de sauvegarde."
    ),
    "From the count by formula to the whole model.": "Du décompte par formule au modèle entier.",
    "Parameters of the model by part.": "Paramètres du modèle par partie.",
    "Part": "Partie",
    # The ledger.
    "Parameter ledger": "Décompte des paramètres",
    "Without a formula, tensors are told apart by their names: {why}.": (
        "Sans formule, les tenseurs sont distingués par leurs noms\u202f: {why}."
    ),
    "{name} has the architecture of {title}. {modules} lists its modules, {symbols} the symbols "
    "of all formulas.": (
        "{name} a l’architecture de {title}. {modules} énumère ses modules, {symbols} les "
        "symboles de toutes les formules."
    ),
    "{name} has the architecture of {title}. {figure} draws it, {modules} lists its modules, "
    "{symbols} the symbols of all formulas.": (
        "{name} a l’architecture de {title}. {figure} le dessine, {modules} énumère ses modules, "
        "{symbols} les symboles de toutes les formules."
    ),
    "Modules and their parameters; below “One layer”, of a single layer.": (
        "Modules et leurs paramètres\u202f; sous «\u202fUne couche\u202f», ceux d’une seule couche."
    ),
    "Symbols of the formulas and their values in this model.": (
        "Symboles des formules et leurs valeurs dans ce modèle."
    ),
    "{group} counts the model without heads, and each head:": (
        "{group} compte le modèle sans têtes, et chaque tête\u202f:"
    ),
    "{group} counts the model:": "{group} compte le modèle\u202f:",
    "{table} holds each formula against the checkpoint.": (
        "{table} confronte chaque formule au point de sauvegarde."
    ),
    "{table} lists every term.": "{table} énumère tous les termes.",
    "Not in the checkpoint: {parts}.": "Absents du point de sauvegarde\u202f: {parts}.",
    "{term} ({n} by formula)": "{term} ({n} d’après la formule)",
    "Parameters by kind of tensor, all layers together.": (
        "Paramètres par sorte de tenseur, toutes couches confondues."
    ),
    "{table} names every total.": "{table} nomme tous les totaux.",
    "Totals as {other} counts them are in the JSON form of the report.": (
        "Les totaux tels que les compte {other} sont dans la forme JSON du rapport."
    ),
    # Adapters.
    "{name} ({file}) is of the kind {kind}, for which no formula is known.": (
        "{name} ({file}) est de la sorte {kind}, pour laquelle aucune formule n’est connue."
    ),
    "{name} ({file}): {does}": "{name} ({file})\u202f: {does}",
    "{name} ({file}) freezes the base and adds to each adapted matrix {W} a trained update of "
    "low rank {cited}: {formula}.": (
        "{name} ({file}) gèle la base et ajoute à chaque matrice adaptée {W} une mise à jour "
        "entraînée de faible rang {cited}\u202f: {formula}."
    ),
    "The same configuration lies in {where}.": "La même configuration se trouve dans {where}.",
    "Trained parameters:": "Paramètres entraînés\u202f:",
    "trainable parameters": "paramètres entraînables",
    "The trained parameters are not counted: {reason}.": (
        "Les paramètres entraînés ne sont pas comptés\u202f: {reason}."
    ),
    "It trains {n} parameters.": "Il entraîne {n} paramètres.",
    "The {n} trained parameters are {share} of the {whole} of base and adapter.": (
        "Les {n} paramètres entraînés font {share} des {whole} de la base et de l’adaptateur."
    ),
    "(Loaders in 4 bits print {share}: they count two packed weights as one.)": (
        "(Les chargeurs sur 4 bits affichent {share}\u202f: ils comptent deux poids compactés "
        "pour un.)"
    ),
    "{table} gives the keys that matter; {appendix} the others.": (
        "{table} donne les clés qui comptent\u202f; {appendix}, les autres."
    ),
    "{table} gives its keys.": "{table} donne ses clés.",
    "{table} sets {n} adapters side by side.": "{table} met {n} adaptateurs côte à côte.",
    "Adapters by the keys that differ between them.": (
        "Les adaptateurs et les clés qui diffèrent entre eux."
    ),
    "{kind} configuration.": "Configuration {kind}.",
    "What it does here": "Ce qu’elle fait ici",
    "Kind": "Sorte",
    "Trained": "Entraînés",
    "Share": "Part",
    "not counted": "non comptés",
    "adapted modules": "modules adaptés",
    "rank of {A} and {B}: twice the rank, twice their parameters": (
        "rang de {A} et de {B}\u202f: deux fois le rang, deux fois leurs paramètres"
    ),
    "{update} is multiplied by {formula} = {value}": (
        "{update} est multiplié par {formula} = {value}"
    ),
    "{update} is multiplied by {formula} = {value} where no pattern says otherwise": (
        "{update} est multiplié par {formula} = {value} sauf motif contraire"
    ),
    "no scaling can be computed": "aucun facteur ne peut être calculé",
    "{share} of its inputs are zeroed in training, against over-fitting": (
        "{share} de ses entrées sont mises à zéro à l’entraînement, contre le surajustement"
    ),
    "the adapter's inputs are not dropped": "les entrées de l’adaptateur sont toutes gardées",
    "{n} matrix is adapted, {inputs} inputs and {outputs} outputs": (
        "{n} matrice est adaptée, {inputs} entrées et {outputs} sorties"
    ),
    "{n} matrices are adapted, {inputs} inputs and {outputs} outputs": (
        "{n} matrices sont adaptées, {inputs} entrées et {outputs} sorties"
    ),
    "{n} module gets an adapter": "{n} module reçoit un adaptateur",
    "{n} modules get an adapter": "{n} modules reçoivent un adaptateur",
    "{n} modules get an adapter: {table}": "{n} modules reçoivent un adaptateur\u202f: {table}",
    "no module of the base model can be found": "aucun module du modèle de base n’est trouvé",
    "copied and trained whole": "copiés et entraînés en entier",
    "copied and trained whole: {n} parameters": (
        "copiés et entraînés en entier\u202f: {n} paramètres"
    ),
    "next-token prediction; the head stays frozen": (
        "prédiction du jeton suivant\u202f; la tête reste gelée"
    ),
    "classification; the new head is trained whole": (
        "classification\u202f; la nouvelle tête est entraînée en entier"
    ),
    "classification of each token; the new head is trained whole": (
        "classification de chaque jeton\u202f; la nouvelle tête est entraînée en entier"
    ),
    "text from text; the base is an encoder and a decoder": (
        "texte à partir de texte\u202f; la base est un encodeur et un décodeur"
    ),
    "spans that answer a question; the new head is trained whole": (
        "passages qui répondent à une question\u202f; la nouvelle tête est entraînée en entier"
    ),
    "features of the base, without a head": "représentations de la base, sans tête",
    "B gets a trained bias": "B reçoit un biais entraîné",
    "not a legal value": "valeur non admise",
    "not a known task": "tâche inconnue",
    # Adapters in detail.
    "Adapter in detail": "L’adaptateur en détail",
    "Adapters in detail": "Les adaptateurs en détail",
    "One adapted module is drawn in {figures}.": "Un module adapté est dessiné\u202f: {figures}.",
    "{table} counts each kind.": "{table} compte chaque sorte.",
    "Trained parameters by kind of module.": "Paramètres entraînés par sorte de module.",
    "Modules": "Modules",
    "Sizes": "Dimensions",
    "{table} lists the other keys.": "{table} énumère les autres clés.",
    "Keys without effect on the number of parameters.": (
        "Clés sans effet sur le nombre de paramètres."
    ),
    "the frozen base: {n} parameters": "la base gelée\u202f: {n} paramètres",
    "{table} compares the memory of full fine-tuning, LoRA and QLoRA {qlora}, which keeps the "
    "frozen linear layers in 4 bits, under Adam {adam}. Activations come on top.": (
        "{table} compare la mémoire de l’affinage complet, de LoRA et de QLoRA {qlora}, qui "
        "garde les couches linéaires gelées sur 4 bits, sous Adam {adam}. Les activations s’y "
        "ajoutent."
    ),
    "Adapters, their gradients and moments are in float32. NF4: 4 bits a weight, an 8-bit "
    "constant for 64 weights, a float32 for 256 constants; all else in bfloat16.": (
        "Les adaptateurs, leurs gradients et leurs moments sont en float32. NF4\u202f: 4 bits "
        "par poids, une constante de 8 bits pour 64 poids, un float32 pour 256 "
        "constantes\u202f; tout le reste en bfloat16."
    ),
    # Answers.
    "{what}: {n}": "{what}\u202f: {n}",
    "{answer}; the checkpoint holds {n} in all": (
        "{answer}\u202f; le point de sauvegarde en contient {n} en tout"
    ),
    "{n} of {whole} parameters are trained ({share})": (
        "{n} des {whole} paramètres sont entraînés ({share})"
    ),
    "{n} parameters are trained": "{n} paramètres sont entraînés",
    "{kind} with {rank}": "{kind} avec {rank}",
    "{kind}: {count}": "{kind}\u202f: {count}",
    # Columns and rows.
    "The model": "Le modèle",
    "Module": "Module",
    "Shape": "Forme",
    "Parameters": "Paramètres",
    "Number of parameters": "Nombre de paramètres",
    "The parameters could not be counted: {why}.": (
        "Les paramètres n’ont pas pu être comptés\u202f: {why}."
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
    "Stored numbers by role.": "Nombres stockés, par rôle.",
    "{term} ({n} by formula; {why})": "{term} ({n} d’après la formule\u202f; {why})",
    "{term}: {why}.": "{term}\u202f: {why}.",
    "{term} (tied, counted once)": "{term} (liée, comptée une seule fois)",
    "Totals of this model under each reading of “number of parameters”.": (
        "Totaux de ce modèle selon chaque acception de «\u202fnombre de paramètres\u202f»."
    ),
}
