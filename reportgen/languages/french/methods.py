"""How numbers were computed: what the page's evidence says of each."""

from __future__ import annotations

MESSAGES = {
    # Readings of a run.
    "{metric} on {split}": "{metric} {split:sur}",
    "{metric} on {split} at step {step}": "{metric} {split:sur} au pas {step}",
    "{metric} on {split} at its best step": "{metric} {split:sur} au meilleur pas de l’exécution",
    "{metric} on {split} at the best step": "{metric} {split:sur} au meilleur pas",
    "{metric} on {split} at the best step on {select}": (
        "{metric} {split:sur} au meilleur pas {select:sur}"
    ),
    "{what}, logged at step {step}, where every value on {select} is the same": (
        "{what}, journalisé au pas {step}, où toutes les valeurs {select:sur} sont les mêmes"
    ),
    "{metric} on {split} at the last step": "{metric} {split:sur} au dernier pas",
    "best {metric} on {split} itself: an oracle, not a result": (
        "meilleure valeur {metric:du} {split:sur} même\u00a0: un oracle, pas un résultat"
    ),
    "best {metric} itself: an oracle, not a result": (
        "meilleure valeur {metric:du} même\u00a0: un oracle, pas un résultat"
    ),
    "{metric} on {split}, measured once, after training": (
        "{metric} {split:sur}, mesuré une seule fois, après l’entraînement"
    ),
    "step with the smallest {metric} on {split}": (
        "pas où {metric:le} {split:sur} est au plus bas"
    ),
    "step with the largest {metric} on {split}": (
        "pas où {metric:le} {split:sur} est au plus haut"
    ),
    "{step}, the first of {n} equal ones": "{step}, le premier de {n} ex æquo",
    "{step}, the last of {n} equal ones": "{step}, le dernier de {n} ex æquo",
    "{step}; {n} NaN or infinite values left out": (
        "{step}\u202f; {n} valeurs NaN ou infinies laissées de côté"
    ),
    "epoch of the {step}": "époque du {step}",
    "epoch finished": "époque achevée",
    "epoch finished at step {step}": "époque achevée au pas {step}",
    "first step from which no value is finite": (
        "premier pas à partir duquel aucune valeur n’est finie"
    ),
    "last logged step": "dernier pas journalisé",
    "step of the evaluation": "pas de l’évaluation",
    "seed of the run": "graine de l’exécution",
    "value of a single run": "valeur d’une exécution unique",
    # What is averaged over runs.
    "best-step {metric} on {split}": "{metric} {split:sur} au meilleur pas",
    "best {metric} on {split}": "{metric} {split:sur} à son meilleur",
    "last {metric} on {split}": "{metric} {split:sur} au dernier pas",
    "oracle {metric}": "{metric} au pas d’un oracle",
    "oracle {metric} on {split}": "{metric} {split:sur} au pas d’un oracle",
    "{what}, without re-run cells": "{what}, sans les cellules réexécutées",
    "{what}, single run": "{what}, exécution unique",
    "mean of {what} over {n} runs": "moyenne sur {n} exécutions {what:du}",
    "sample standard deviation of {what} over {n} runs": (
        "écart type d’échantillon sur {n} exécutions {what:du}"
    ),
    "population standard deviation of {what} over {n} runs": (
        "écart type de population sur {n} exécutions {what:du}"
    ),
    "half width of the {confidence} t interval of the mean of {what}": (
        "demi-largeur de l’intervalle de Student à {confidence:decimal} de la moyenne {what:du}"
    ),
    # Differences and tests.
    "difference of the means": "différence des moyennes",
    "{test} with {degrees} degrees of freedom": "{test} à {degrees:decimal} degrés de liberté",
    "degrees of freedom of the {test} test": "degrés de liberté du test {test}",
    "lower end, {test} interval": "borne inférieure de l’intervalle par {test}",
    "upper end, {test} interval": "borne supérieure de l’intervalle par {test}",
    "two-sided p of the {test} test": "p bilatéral du test {test}",
    "smallest two-sided p of an exact test at this n": (
        "plus petit p bilatéral d’un test exact pour ce n"
    ),
    "lower end of the {confidence} Wilson interval for {size} examples": (
        "borne inférieure de l’intervalle de Wilson à {confidence:decimal} pour {size} exemples"
    ),
    "upper end of the {confidence} Wilson interval for {size} examples": (
        "borne supérieure de l’intervalle de Wilson à {confidence:decimal} pour {size} exemples"
    ),
    "half width of the {confidence} Wilson interval for {size} examples": (
        "demi-largeur de l’intervalle de Wilson à {confidence:decimal} pour {size} exemples"
    ),
    "value of a run less the mean of the others of its group": (
        "valeur d’une exécution moins la moyenne des autres de son groupe"
    ),
    "largest distance from the mean in sample standard deviations": (
        "plus grande distance à la moyenne, en écarts types d’échantillon"
    ),
    "critical value of Grubbs' G, the two-sided test at {confidence}": (
        "valeur critique du G de Grubbs, test bilatéral à {confidence:decimal}"
    ),
    "Grubbs' test needs {n} runs": "le test de Grubbs demande {n} exécutions",
    # Things counted.
    "{what}; the first {listed} of {count} pieces of evidence are listed": (
        "{what}\u202f; les {listed} premiers éléments de provenance sur {count} sont énumérés"
    ),
    "runs drawn": "exécutions tracées",
    "runs of {group} with a value": "exécutions de {group} qui ont une valeur",
    "runs with a value in each group": "exécutions qui ont une valeur dans chaque groupe",
    "runs with a value at this step": "exécutions qui ont une valeur à ce pas",
    "runs with this value": "exécutions qui ont cette valeur",
    "runs found": "exécutions trouvées",
    "runs trained again": "exécutions réentraînées",
    "runs found and trained again": "exécutions trouvées et réentraînées",
    "time of the re-run": "durée de la réexécution",
    "groups of runs": "groupes d’exécutions",
    "groups with a result": "groupes qui ont un résultat",
    "examples of {split}": "exemples {split:du}",
    "files read": "fichiers lus",
    "scalar points of the runs": "points scalaires des exécutions",
    "files of the run": "fichiers de l’exécution",
    "points of the run": "points de l’exécution",
    # Models and adapters.
    "attention heads": "têtes d’attention",
    "parameters of {what}": "paramètres ({what})",
    "sum of the parameters in the boxes: {scope}": (
        "somme des paramètres des cases\u00a0: {scope}"
    ),
    "stored minus counted": "stockés moins comptés",
    "elements stored": "éléments stockés",
    "sum of the terms": "somme des termes",
    "inputs of the adapted matrix": "entrées de la matrice adaptée",
    "outputs of the adapted matrix": "sorties de la matrice adaptée",
    "scaling of the update": "facteur d’échelle de la mise à jour",
    "dropout of the adapter": "dropout de l’adaptateur",
    "modules trained whole": "modules entraînés en entier",
    "trainable parameters of the adapter": "paramètres entraînables de l’adaptateur",
    "parameters of the base model, tied tensors once": (
        "paramètres du modèle de base, tenseurs liés comptés une fois"
    ),
    "base model and adapter together": "modèle de base et adaptateur ensemble",
    "stored elements": "éléments stockés",
    "trainable parameters divided by {of}": "paramètres entraînables divisés par\u00a0: {of}",
    "bytes of {method}, {part}: {assumption}": "octets, {method}, {part}\u00a0: {assumption}",
}
