"""Why there is no value."""

from __future__ import annotations

MESSAGES = {
    "the run": "l’exécution",
    "{run} never logged {metric}": "aucune valeur {metric:du} n’est journalisée dans {run}",
    "{run} never logged {metric} on {split}": (
        "aucune valeur {metric:du} {split:sur} n’est journalisée dans {run}"
    ),
    "{run} never logged a metric on {split}": (
        "aucune mesure {split:sur} n’est journalisée dans {run}"
    ),
    "{run} logged no {split} {metric} at step {step}; the nearest logged step is {near}": (
        "aucune valeur {metric:du} {split:sur} au pas\u00a0{step} dans {run}\u202f; le pas "
        "journalisé le plus proche est {near}"
    ),
    "{run} logged {value} for {tag} at step {step}": (
        "{tag} vaut {value} au pas\u00a0{step} dans {run}"
    ),
    "every {split} {metric} of {name} is NaN or infinite": (
        "toutes les valeurs {metric:du} {split:sur} dans {name} sont NaN ou infinies"
    ),
    "the number of steps per epoch is not known": "le nombre de pas par époque n’est pas connu",
    "no logs found for {group}, seed {seed}": (
        "aucun journal trouvé pour {group}, graine\u00a0{seed}"
    ),
    "no logs found for {group}, seed {seed}: {cause}": (
        "aucun journal trouvé pour {group}, graine\u00a0{seed}\u202f: {cause}"
    ),
    "no run has this {what}": "aucune exécution n’a cette donnée ({what})",
    "a single run has no spread over seeds": (
        "une exécution unique n’a pas de dispersion sur les graines"
    ),
    "two runs: both values are given, a spread over two says too little": (
        "deux exécutions\u202f: les deux valeurs sont données, une dispersion sur deux valeurs "
        "en dit trop peu"
    ),
    "all runs have the same value, which leaves nothing to compute an interval from": (
        "toutes les exécutions ont la même valeur, ce qui ne permet de calculer aucun intervalle"
    ),
    "no run of {group} has a value": "aucune exécution de {group} n’a de valeur",
    "no run of {first} and {second} has a value": (
        "aucune exécution de {first} ni de {second} n’a de valeur"
    ),
    "the two groups are measured in different units": (
        "les deux groupes sont mesurés dans des unités différentes"
    ),
    "they are reported on different splits, {first} and {second}": (
        "ils sont évalués sur des partitions différentes, {first} et {second}"
    ),
    "one of the groups has no value": "l’un des groupes n’a pas de valeur",
    "a t statistic needs three runs in each group": (
        "une statistique t demande trois exécutions dans chaque groupe"
    ),
    "an interval needs three runs in each group": (
        "un intervalle demande trois exécutions dans chaque groupe"
    ),
    "the difference is the same for every seed, which leaves nothing to compute an interval or "
    "a test from": (
        "la différence est la même pour chaque graine, ce qui ne permet de calculer ni "
        "intervalle ni test"
    ),
    "the values of neither group vary, which leaves nothing to compute an interval or a test "
    "from": (
        "les valeurs d’aucun des deux groupes ne varient, ce qui ne permet de calculer ni "
        "intervalle ni test"
    ),
    "the two values have different units": "les deux valeurs ont des unités différentes",
    "no accuracy": "aucune exactitude",
    "the number of examples of this split is not known": (
        "le nombre d’exemples de cette partition n’est pas connu"
    ),
    "the metric is not a proportion of examples": "la mesure n’est pas une proportion d’exemples",
    "only the reported value is given": "seule la valeur rapportée est donnée",
}
