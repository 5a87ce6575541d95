"""Results: summary, best steps, epochs, and runs of the Hugging Face Trainer."""

from __future__ import annotations

MESSAGES = {
    # The summary and the abstract.
    "Summary": "Résumé des résultats",
    "Each step was chosen on the {select} split alone. Caution: {caveat}. Every number was "
    "computed from the logs.": (
        "Chaque pas a été choisi sur la seule partition {select:de}. Attention\u202f: "
        "{caveat}. Tous les nombres ont été calculés à partir des journaux."
    ),
    "Each step was chosen on the {select} split alone, and every number was computed from the "
    "logs.": (
        "Chaque pas a été choisi sur la seule partition {select:de}, et tous les nombres ont "
        "été calculés à partir des journaux."
    ),
    "{table} has a row for each group; n counts its runs with a value at their best step, and "
    "the last column is what the runs reach when no step is chosen.": (
        "Le {table} a une ligne par groupe\u202f; n compte ses exécutions qui ont une valeur à "
        "leur meilleur pas, et la dernière colonne est ce que les exécutions atteignent quand "
        "aucun pas n’est choisi."
    ),
    "In full, {table} has a row for each group; n counts its runs with a value at their best step, "
    "and the last column is what the runs reach when no step is chosen.": (
        "Entier, le {table} a une ligne par groupe\u202f; n compte ses exécutions qui ont une "
        "valeur à leur meilleur pas, et la dernière colonne est ce que les exécutions atteignent "
        "quand aucun pas n’est choisi."
    ),
    "Each {split} value was measured once, after training.": (
        "Chaque valeur {split:de} a été mesurée une seule fois, après l’entraînement."
    ),
    "Some {split} values were measured once, after training.": (
        "Certaines valeurs {split:de} ont été mesurées une seule fois, après l’entraînement."
    ),
    "They are those of the best weights, as the program says.": (
        "Ce sont celles des meilleurs poids, d’après le programme."
    ),
    "They are those of the last weights, as the program says.": (
        "Ce sont celles des derniers poids, d’après le programme."
    ),
    "The logs name the step of the weights that were measured.": (
        "Les journaux donnent le pas des poids mesurés."
    ),
    "Of which weights they are is not logged.": (
        "Les journaux ne disent pas de quels poids il s’agit."
    ),
    "{split:cap}, after training": "{split:cap}, après l’entraînement",
    "The runs stand one by one in {table}.": "Les exécutions figurent une à une dans le {table}.",
    "{table} gives no difference of two groups: which two of the {n} are to be compared is not "
    "stated under {key} in the study file.": (
        "{table} ne donne pas de différence entre deux groupes\u202f: le fichier d’étude n’indique "
        "pas, sous {key}, lesquels des {n} sont à comparer."
    ),
    "{first} and {second} are compared because they are the only two groups with three runs or "
    "more that have layout, unit and split in common; others can be named under {key} in the "
    "study file.": (
        "{first} et {second} sont comparés car ce sont les deux seuls groupes de trois "
        "exécutions ou plus à avoir en commun disposition, unité et partition\u202f; d’autres "
        "peuvent être nommés sous {key} dans le fichier d’étude."
    ),
    "{first} and {second} are compared because they are the only two groups that have layout, "
    "unit and split in common; others can be named under {key} in the study file.": (
        "{first} et {second} sont comparés car ce sont les deux seuls groupes à avoir en "
        "commun disposition, unité et partition\u202f; d’autres peuvent être nommés sous {key} "
        "dans le fichier d’étude."
    ),
    "{first} and {second} are compared because they are the only two groups with three runs or "
    "more that have layout, unit, split and task in common; others can be named under {key} in "
    "the study file.": (
        "{first} et {second} sont comparés car ce sont les deux seuls groupes de trois "
        "exécutions ou plus à avoir en commun disposition, unité, partition et tâche\u202f; "
        "d’autres peuvent être nommés sous {key} dans le fichier d’étude."
    ),
    "{first} and {second} are compared because they are the only two groups that have layout, "
    "unit, split and task in common; others can be named under {key} in the study file.": (
        "{first} et {second} sont comparés car ce sont les deux seuls groupes à avoir en "
        "commun disposition, unité, partition et tâche\u202f; d’autres peuvent être nommés sous "
        "{key} dans le fichier d’étude."
    ),
    "None of the {groups} groups of runs has a result at a best step.": (
        "Aucun des {groups} groupes d’exécutions n’a de résultat à un meilleur pas."
    ),
    "Of {groups} groups of runs, those with the best and the weakest result are named here.": (
        "Parmi les {groups} groupes d’exécutions, ceux qui ont le meilleur et le plus faible "
        "résultat sont nommés ici."
    ),
    "Of {groups} groups of runs, those with a result, which is the same for them, are named "
    "here.": (
        "Parmi les {groups} groupes d’exécutions, ceux qui ont un résultat, le même pour tous, "
        "sont nommés ici."
    ),
    "Of {groups} groups of runs, one of {best} that all have the same result is named here.": (
        "Parmi les {groups} groupes d’exécutions, un parmi {best} qui ont tous le même "
        "résultat est nommé ici."
    ),
    "Of {groups} groups of runs, one of {best} with the best result and one of {weakest} with "
    "the weakest are named here.": (
        "Parmi les {groups} groupes d’exécutions, un parmi {best} qui ont le meilleur résultat "
        "et un parmi {weakest} qui ont le plus faible sont nommés ici."
    ),
    "Of {groups} groups of runs, one of {best} with the best result and the one with the "
    "weakest are named here.": (
        "Parmi les {groups} groupes d’exécutions, un parmi {best} qui ont le meilleur résultat "
        "et celui qui a le plus faible sont nommés ici."
    ),
    "Of {groups} groups of runs, the one with the best result and one of {weakest} with the "
    "weakest are named here.": (
        "Parmi les {groups} groupes d’exécutions, celui qui a le meilleur résultat et un parmi "
        "{weakest} qui ont le plus faible sont nommés ici."
    ),
    "No comparison of {first} and {second} is possible: {reason}.": (
        "Aucune comparaison de {first} et de {second} n’est possible\u202f: {reason}."
    ),
    "The difference between {first} and {second} is {difference}; {reason}.": (
        "La différence entre {first} et {second} est de {difference}\u202f; {reason}."
    ),
    "The difference between {first} and {second} is {difference} ({level} interval from {low} "
    "to {high}, paired by seed).": (
        "La différence entre {first} et {second} est de {difference} (intervalle à {level} de "
        "{low} à {high}, apparié par graine)."
    ),
    "The difference between {first} and {second} is {difference} ({level} interval from {low} "
    "to {high}, by Welch’s method).": (
        "La différence entre {first} et {second} est de {difference} (intervalle à {level} de "
        "{low} à {high}, par la méthode de Welch)."
    ),
    "{reasons}; and others, listed below {table}": (
        "{reasons}\u202f; et d’autres, données sous le {table}"
    ),
    "Of {all} run declared or found, {n} has no result and counts in no mean of results: {why}.": (
        "Sur {all} exécution déclarée ou trouvée, {n} n’a pas de résultat et ne compte dans "
        "aucune moyenne de résultats\u202f: {why}."
    ),
    "Of {all} runs declared or found, {n} has no result and counts in no mean of results: {why}.": (
        "Sur {all} exécutions déclarées ou trouvées, {n} n’a pas de résultat et ne compte dans "
        "aucune moyenne de résultats\u202f: {why}."
    ),
    "Of {all} runs declared or found, {n} have no result and count in no mean of results: {why}.": (
        "Sur {all} exécutions déclarées ou trouvées, {n} n’ont pas de résultat et ne comptent "
        "dans aucune moyenne de résultats\u202f: {why}."
    ),
    # The headline table.
    "Best step": "Meilleur pas",
    "{split:cap}, best step": "{split:cap}, meilleur pas",
    "Split": "Partition",
    "{level} interval": "Intervalle à {level}",
    "Last step": "Dernier pas",
    "{low} to {high}": "{low} à {high}",
    "Difference, points": "Différence, points",
    "Difference": "Différence",
    "{spread}; and the half width of the {level} t interval of the best-step mean": (
        "{spread}\u202f; et la demi-largeur de l’intervalle de Student à {level} de la moyenne "
        "au meilleur pas"
    ),
    "{split:cap} {metric}{unit} at the best {select} step and at the last step: {spread}.": (
        "{metric:cap} {split:sur}{unit} au meilleur pas {select:de} et au dernier pas\u202f: "
        "{spread}."
    ),
    "{metric:cap}{unit} at the best {select} step and at the last step: {spread}.": (
        "{metric:cap}{unit} au meilleur pas {select:de} et au dernier pas\u202f: {spread}."
    ),
    "Below three runs the values themselves are given, without a standard deviation or an "
    "interval.": (
        "En dessous de trois exécutions, les valeurs elles-mêmes sont données, sans écart type "
        "ni intervalle."
    ),
    "Difference: {first} minus {second}.": "Différence\u202f: {first} moins {second}.",
    "It has no interval: {reason}.": "Elle n’a pas d’intervalle\u202f: {reason}.",
    "No other split than {select} is reported: the split that chose the step also gives the "
    "value, which makes it an optimistic figure.": (
        "Aucune autre partition que celle {select:de} n’est rapportée\u202f: la partition qui "
        "a choisi le pas donne aussi la valeur, ce qui en fait un chiffre optimiste."
    ),
    "For {groups} no other split than {select} is reported: the split that chose the step also "
    "gives the value, which makes it an optimistic figure.": (
        "Pour {groups}, aucune autre partition que celle {select:de} n’est rapportée\u202f: la "
        "partition qui a choisi le pas donne aussi la valeur, ce qui en fait un chiffre "
        "optimiste."
    ),
    "The cell of the last step has an n of its own where other runs have a value there.": (
        "La cellule du dernier pas a son propre n là où d’autres exécutions y ont une valeur."
    ),
    "No interval for {groups}: {reason}.": "Pas d’intervalle pour {groups}\u202f: {reason}.",
    # Best step of each run.
    "Best step of each run by {split} {metric}": (
        "Meilleur pas de chaque exécution d’après {metric:le} {split:sur}"
    ),
    "The {select} split chooses a step for each run. {why}, so that the values are those of "
    "the split that chose, and look better than they are.": (
        "La partition {select:de} choisit un pas pour chaque exécution. {why}, de sorte que "
        "les valeurs sont celles de la partition qui a choisi, et paraissent meilleures "
        "qu’elles ne sont."
    ),
    "The {select} split alone chooses a step for each run; the value of the reporting split is "
    "then read at that very step {cite}.": (
        "Seule la partition {select:de} choisit un pas pour chaque exécution\u202f; la valeur "
        "de la partition rapportée est ensuite lue à ce pas même {cite}."
    ),
    "The {select} split alone chooses a step for each run; the value of the reporting split is "
    "then read at that very step. Here {caveat}.": (
        "Seule la partition {select:de} choisit un pas pour chaque exécution\u202f; la valeur "
        "de la partition rapportée est ensuite lue à ce pas même. Ici, {caveat}."
    ),
    "{metric:cap}, %": "{metric:cap}, %",
    "{metric:cap}": "{metric:cap}",
    "{split:cap}, last step": "{split:cap}, dernier pas",
    "Reported": "Rapportée",
    "Reported, last step": "Rapportée, dernier pas",
    "Run": "Exécution",
    "Epoch": "Époque",
    "Best {select} step of each run with {metric}{unit} on {select} at that step, and on "
    "{split} at the last step.": (
        "Meilleur pas {select:de} de chaque exécution, avec {metric:le}{unit} {select:sur} à "
        "ce pas, et {split:sur} au dernier pas."
    ),
    "Best {select} step of each run with {metric}{unit} on {select} and on the reporting split "
    "at that step, and on the reporting split at the last step.": (
        "Meilleur pas {select:de} de chaque exécution, avec {metric:le}{unit} {select:sur} et "
        "sur la partition rapportée à ce pas, et sur la partition rapportée au dernier pas."
    ),
    "Best {select} step of each run with {metric}{unit} on {select} and on {split} at that "
    "step, and on {split} at the last step.": (
        "Meilleur pas {select:de} de chaque exécution, avec {metric:le}{unit} {select:sur} et "
        "{split:sur} à ce pas, et {split:sur} au dernier pas."
    ),
    "Summary rows: {spread}.": "Lignes de synthèse\u202f: {spread}.",
    "—: {reason}.": "—\u202f: {reason}.",
    "—: {n} further reason stands in report.json.": (
        "—\u202f: {n} autre raison figure dans report.json."
    ),
    "—: {n} further reasons stand in report.json.": (
        "—\u202f: {n} autres raisons figurent dans report.json."
    ),
    "{run}: the best {split} value is reached at steps {steps}; the first was taken.": (
        "{run}\u202f: la meilleure valeur {split:sur} est atteinte aux pas\u00a0{steps}\u202f; "
        "le premier a été retenu."
    ),
    "{run}: the best {split} value is reached at steps {steps}; the last was taken.": (
        "{run}\u202f: la meilleure valeur {split:sur} est atteinte aux pas\u00a0{steps}\u202f; "
        "le dernier a été retenu."
    ),
    "In {n} further run the best value is reached more than once.": (
        "Dans {n} autre exécution, la meilleure valeur est atteinte plus d’une fois."
    ),
    "In {n} further runs the best value is reached more than once.": (
        "Dans {n} autres exécutions, la meilleure valeur est atteinte plus d’une fois."
    ),
    "{n} others": "{n} autres",
    "{run}: {n} NaN or infinite {split} value took no part.": (
        "{run}\u202f: {n} valeur NaN ou infinie {split:sur} n’a pas été prise en compte."
    ),
    "{run}: {n} NaN or infinite {split} values took no part.": (
        "{run}\u202f: {n} valeurs NaN ou infinies {split:sur} n’ont pas été prises en compte."
    ),
    "Choosing each run’s step on the {split} split itself would give a mean of {means}: an "
    "oracle, not a result, for it has seen the split it is judged on.": (
        "Choisir le pas de chaque exécution sur la partition {split:de} elle-même donnerait "
        "une moyenne de {means}\u202f: un oracle, non un résultat, car il a vu la partition "
        "sur laquelle il est jugé."
    ),
    # Epoch by epoch.
    "Step": "Pas",
    # Runs of the Hugging Face Trainer.
}
