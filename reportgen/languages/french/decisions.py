"""What was inferred, and why."""

from __future__ import annotations

MESSAGES = {
    "recognised by folders and tags: {layouts}": (
        "reconnue d’après les dossiers et les étiquettes\u202f: {layouts}"
    ),
    "{layout} ({runs})": "{layout} ({runs})",
    "runs repeat one another where only their seeds differ: {runs}, {groups}": (
        "les exécutions se répètent là où seules leurs graines diffèrent\u202f: {runs}, {groups}"
    ),
    "{reason}; with runs that only a running number or the clock tells apart, of which nothing "
    "says that they repeat one another, there would be {groups}": (
        "{reason}\u202f; avec les exécutions que seul un numéro d’ordre ou la date distingue, et "
        "dont rien ne dit qu’elles se répètent, ce serait {groups}"
    ),
    "{reason}; the numbers of {first} to {last} are taken for seeds, and may be a setting": (
        "{reason}\u202f; les nombres de {first} à {last} sont pris pour des graines, et peuvent "
        "être un réglage"
    ),
    "{n} group": "{n} groupe",
    "{n} groups": "{n} groupes",
    "no epoch is logged beside the steps": "aucune époque n’est journalisée à côté des pas",
    "the epochs that are logged fit no number of steps": (
        "les époques journalisées ne correspondent à aucun nombre de pas"
    ),
    "Keras counts its steps in epochs, the first of which is 0": (
        "Keras compte ses pas en époques, dont la première est 0"
    ),
    "{n} epochs were asked for and {n} validations lie {steps} steps apart": (
        "{n} époques étaient demandées, et {n} validations sont espacées de {steps} pas"
    ),
    "{n} epochs end at step {step}": "{n} époques s’achèvent au pas {step}",
    "{tag} is {value} at step {step}": "{tag} vaut {value} au pas {step}",
    "{tag} grows by one every {n} steps": "{tag} croît de un tous les {n} pas",
    "{tag} is the step": "{tag} est le pas",
    "runs differ in their steps per epoch, and each goes by its own": (
        "les exécutions diffèrent par leurs pas par époque, et chacune garde les siens"
    ),
    "{some} of {total} runs show no epochs, and each goes by its own": (
        "{some} des {total} exécutions n’indiquent pas d’époques, et chacune garde les siennes"
    ),
    "found beside the logs": "trouvé à côté des journaux",
    "found beside the logs, the same in {n} places": (
        "trouvé à côté des journaux, le même à {n} endroits"
    ),
    "a checkpoint lies beside it": "un point de sauvegarde se trouve à côté",
    "only runs have a config.json of their own ({names}), and none stands for all; name one as "
    "model.config to count its parameters": (
        "seules des exécutions ont leur propre config.json ({names}), et aucune ne vaut pour "
        "toutes\u202f; en nommer un sous model.config pour compter ses paramètres"
    ),
    "its name": "son nom",
    "its configuration": "sa configuration",
    "its name and configuration": "son nom et sa configuration",
    "a seed in its name": "une graine dans son nom",
    "its folder's number": "le numéro de son dossier",
    "its file's number": "le numéro de son fichier",
    "the number that tells it apart": "le nombre qui la distingue",
    "an s before a number in its name": "un s devant un nombre de son nom",
    "a fold": "un pli",
    "a running number": "un numéro d’ordre",
    "rows of {path} repeat their steps, and are told apart by {columns}; name other columns "
    "in runs where these are not the ones": (
        "des lignes de {path} répètent leurs pas, et sont distinguées par {columns}\u202f; nommer "
        "d’autres colonnes dans runs si ce ne sont pas les bonnes"
    ),
    "rows of {path} repeat their steps, and are told apart by {columns}, and those of "
    "{n} more files likewise; name other columns in runs where these are not the ones": (
        "des lignes de {path} répètent leurs pas, et sont distinguées par {columns}, de même que "
        "celles de {n} fichiers de plus\u202f; nommer d’autres colonnes dans runs si ce ne sont "
        "pas les bonnes"
    ),
    "no column of {path} is called step or epoch: {columns} is taken for the step": (
        "aucune colonne de {path} ne s’appelle step ou epoch\u202f: {columns} est prise pour le pas"
    ),
    "no column of {path} is called step or epoch, nor of {n} more files: {columns} is taken "
    "for the step": (
        "aucune colonne de {path} ne s’appelle step ou epoch, ni dans {n} fichiers de plus\u202f: "
        "{columns} est prise pour le pas"
    ),
    "read off {origins}": "lues dans\u202f: {origins}",
    "{tags} measure {metric} on {splits} and differ; {taken} counts, having most points, or "
    "its name": (
        "{tags} mesurent {metric} pour {splits} et diffèrent\u202f; {taken} compte, par le "
        "nombre de ses points ou par son nom"
    ),
    "a folder or prefix found in the logs": "un dossier ou un préfixe trouvé dans les journaux",
    "{program} computes these on its {split} split, which no tag says": (
        "{program} les calcule {split:sur}, ce qu’aucun nom ne dit"
    ),
    "a folder or prefix found in the logs, beside {beside}": (
        "un dossier ou un préfixe trouvé dans les journaux, à côté de {beside}"
    ),
    "{name} lies beside {beside}, and nothing is called test: taken for the test set": (
        "{name} est à côté de {beside}, et rien ne s’appelle test\u202f: pris pour la "
        "partition de test"
    ),
    "its program calls what it evaluates in training so, whichever split that is": (
        "son programme appelle ainsi ce qu’il évalue pendant l’entraînement, quelle que soit "
        "la partition"
    ),
    "{name} is usually the validation split, and nothing else here is a held-out one": (
        "{name} est d’ordinaire la partition de validation, et rien d’autre ici n’est tenu à "
        "l’écart"
    ),
    "a metric": "une mesure",
    "no metric was logged: nothing that tells how good a model is": (
        "aucune mesure n’est journalisée\u202f: rien qui dise ce que vaut un modèle"
    ),
    "logged on {split}, and no result on validation or test": (
        "journalisée {split:sur}, et aucun résultat sur la validation ni sur le test"
    ),
    "logged without a split, and no result on validation or test": (
        "journalisée sans partition, et aucun résultat sur la validation ni sur le test"
    ),
    "names no split; it is measured when the validation loss is": (
        "ne nomme aucune partition\u202f; elle est mesurée en même temps que la perte de validation"
    ),
    "{tag} names no split, and is taken for none: its values are reported as they were logged, "
    "and no step is chosen with them": (
        "{tag} ne nomme aucune partition, et n’en reçoit aucune\u202f: ses valeurs sont rapportées "
        "telles qu’elles sont journalisées, et ne servent à choisir aucun pas"
    ),
    "logged on {split}": "journalisée {split:sur}",
    "logged on {split}; {metric} is liked better, but it is 0 there in every run at every step": (
        "journalisée {split:sur}\u202f; {metric} a la préférence, mais y vaut 0 dans chaque "
        "exécution à chaque pas"
    ),
    "logged on {split}; the first in the order of preference": (
        "journalisée {split:sur}\u202f; la première dans l’ordre de préférence"
    ),
    "{reason}; runs have other results, as of several tasks: build a report of each": (
        "{reason}\u202f; des exécutions ont d’autres résultats, comme sur plusieurs tâches\u202f: "
        "construisez un rapport pour chacune"
    ),
    "{metric} is better when higher": "{metric}\u202f: plus c’est haut, mieux c’est",
    "{metric} is better when lower": "{metric}\u202f: plus c’est bas, mieux c’est",
    "nothing tells whether {name} is better when higher or lower": (
        "rien n’indique si {name} est meilleur quand la valeur est plus haute ou plus basse"
    ),
    "{some} of {total} runs logged {metric} on {split}": (
        "{some} exécutions sur {total} ont journalisé «\u202f{metric}\u202f» {split:sur}"
    ),
    "no run logged {metric}": "aucune exécution n’a journalisé «\u202f{metric}\u202f»",
    "no run logged {metric} on {split} or {select}": (
        "aucune exécution n’a journalisé «\u202f{metric}\u202f» {split:sur} ni {select:sur}"
    ),
    "no run logged {metric} on {split}: the values are those of {select}, on which the step is "
    "chosen, and so look better than they are": (
        "aucune exécution n’a journalisé «\u202f{metric}\u202f» {split:sur}\u202f: les valeurs "
        "sont celles de la partition {select:de}, qui sert à choisir le pas, et paraissent donc "
        "meilleures qu’elles ne sont"
    ),
    "{reason}: no best step exists, and no other split stands in for it": (
        "{reason}\u202f: il n’y a pas de meilleur pas, et aucune autre partition ne la remplace"
    ),
    "the statement could not be followed: {reason}": (
        "l’indication n’a pas pu être suivie\u202f: {reason}"
    ),
    "{reason}; what {where} states belongs to the metric named there, and {name} was named "
    "on the command line": (
        "{reason}\u202f; ce qu’indique {where} se rapporte à la mesure qui y est nommée, et "
        "{name} a été nommée sur la ligne de commande"
    ),
    "{metric} is neither a fraction nor a percentage": (
        "{metric} n’est ni une fraction ni un pourcentage"
    ),
    "values over 1": "valeurs supérieures à 1",
    "values between 0 and 1": "valeurs entre 0 et 1",
    "more than half of the values over 1.5": "plus de la moitié des valeurs au-dessus de 1,5",
    "none over 1, but its program rounds percent to one decimal, as here": (
        "aucune au-dessus de 1, mais son programme arrondit les pourcentages à une décimale, "
        "comme ici"
    ),
    "nothing but 0 and 1: the usual unit": "rien que 0 et 1\u202f: l’unité usuelle",
    "no finite value: the usual unit": "aucune valeur finie\u202f: l’unité usuelle",
    "median {median}: an error rate; it may be over 1": (
        "médiane {median}\u202f: un taux d’erreur\u202f; il peut dépasser 1"
    ),
    "as the others of its group": "comme les autres de son groupe",
    "as the others of its layout": "comme les autres de sa disposition",
    "stated": "indiquée",
    "{n} run: {reason}": "{n} exécution\u202f: {reason}",
    "{n} runs: {reason}": "{n} exécutions\u202f: {reason}",
    "{layout} logged {unit} ({reason})": "{layout} a journalisé des {unit} ({reason})",
    "{reason}; each run keeps its own": "{reason}\u202f; chaque exécution garde la sienne",
}
