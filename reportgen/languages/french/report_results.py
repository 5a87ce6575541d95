"""The body of the report: set-up, results, other runs, questions."""

from __future__ import annotations

MESSAGES = {
    # Parts of every report.
    "Answers at a glance": "Réponses en bref",
    "Appendix": "Annexe",
    "Light or dark": "Clair ou sombre",
    "Find words or numbers": "Chercher mots ou nombres",
    "no evidence": "pas de preuve",
    "{questions}: {title}": "{questions}\u202f: {title}",
    # Set-up.
    "Set-up": "Expérience",
    "There are {sizes} examples.": "Les exemples\u202f: {sizes}.",
    "{n} training": "{n} d’entraînement",
    "{n} validation": "{n} de validation",
    "{n} test": "{n} de test",
    "All runs share {settings}.": "Toutes les exécutions ont en commun {settings}.",
    "Trained with {settings}.": "Entraîné avec {settings}.",
    "batch size {value}": "des lots de {value}",
    "{value} epochs": "{value} époques",
    "{value}": "{value}",
    "peak learning rate {value}": "un taux d’apprentissage maximal de {value}",
    "{value} warm-up updates": "{value} mises à jour d’échauffement",
    "weight decay {value}": "une décroissance des poids de {value}",
    "runs": "exécutions",
    "{n} runs.": "{n} exécutions.",
    "{n} runs that differ in their seed.": "{n} exécutions qui diffèrent par leur graine.",
    "{n} runs, none of which repeats another.": (
        "{n} exécutions, dont aucune n’en répète une autre."
    ),
    "{n} runs: {groups} groups of {each} seeds.": (
        "{n} exécutions\u202f: {groups} groupes de {each} graines."
    ),
    "{n} runs: {groups} groups of {each}.": "{n} exécutions\u202f: {groups} groupes de {each}.",
    "{n} runs in {groups} groups.": "{n} exécutions en {groups} groupes.",
    "Their names leave out what they share: {frame}.": (
        "Leurs noms omettent ce qu’ils ont en commun\u202f: {frame}."
    ),
    "Runs took between {low} and {high}.": "Les exécutions ont duré entre {low} et {high}.",
    "minutes": "minutes",
    "hours": "heures",
    "median time of a run, by its own clock": (
        "durée médiane d’une exécution, selon sa propre horloge"
    ),
    "No split chooses a step here: reported is the {metric} that a run logged last.": (
        "Aucune partition ne choisit ici de pas\u202f: est rapportée la dernière valeur "
        "{metric:de} journalisée."
    ),
    "For each run we report the best {select} {metric}. No other split judges it, so the values "
    "are optimistic.": (
        "Pour chaque exécution est rapportée la meilleure valeur {metric:de} {select:sur}. Aucune "
        "autre partition ne la juge\u202f: les valeurs sont optimistes."
    ),
    "For each run the step with the best {select} {metric} is chosen.": (
        "Pour chaque exécution est choisi le pas de la meilleure valeur {metric:de} {select:sur}."
    ),
    "{report:cap} {metric} was measured once, after training.": (
        "La valeur {metric:de} {report:sur} a été mesurée une fois, après l’entraînement."
    ),
    "For each run we report {report} {metric} at the evaluation with the best {select} {metric}.": (
        "Pour chaque exécution est rapportée {metric:le} {report:sur} à l’évaluation de la "
        "meilleure valeur {metric:de} {select:sur}."
    ),
    "Caution: {caveat}.": "Attention\u202f: {caveat}.",
    "± is the sample standard deviation (n − 1) over runs.": (
        "± est l’écart type d’échantillon (n − 1) sur les exécutions."
    ),
    "± is the population standard deviation (n) over runs.": (
        "± est l’écart type de population (n) sur les exécutions."
    ),
    # Results in sentences.
    "{what:cap} is {value} ({n} runs).": "{what:Le} est de {value} ({n} exécutions).",
    "{what:cap} is {one} for {first} and {two} for {second}: {difference}.": (
        "{what:Le} est de {one} pour {first} et de {two} pour {second}\u202f: {difference}."
    ),
    "{what:cap} is the same for {first} and {second}: {one} and {two}.": (
        "{what:Le} est la même pour {first} et {second}\u202f: {one} et {two}."
    ),
    "Of {n} groups, {best} has the best {what}, {value}; the weakest, {last}, has {low}.": (
        "De {n} groupes, {best} a le meilleur résultat ({what}), {value}\u202f; le plus faible, "
        "{last}, a {low}."
    ),
    "{some} of {n} groups share the best {what}, {value}; the weakest has {low}.": (
        "{some} des {n} groupes ont le meilleur résultat ({what}), {value}\u202f; le plus faible "
        "a {low}."
    ),
    "All of {n} groups reach the same {what}: {value}.": (
        "Les {n} groupes ont tous le même résultat ({what})\u202f: {value}."
    ),
    "{n} groups were trained.": "{n} groupes ont été entraînés.",
    "The run reaches {what:a} of {value}{place}.": (
        "L’exécution atteint {what:un} de {value}{place}."
    ),
    "The run reaches {what:a} of {value}{place}, chosen by its {select} {metric} of {chosen}.": (
        "L’exécution atteint {what:un} de {value}{place}, choisi par sa valeur {metric:de} de "
        "{chosen} {select:sur}."
    ),
    "The run ends at {what:a} of {value}.": "L’exécution finit à {what:un} de {value}.",
    " at epoch {epoch}": " à l’époque {epoch}",
    " at step {step}": " au pas {step}",
    "No run has a result: {metric} was not logged where it is asked for.": (
        "Aucune exécution n’a de résultat\u202f: {metric:le} n’a pas été journalisée là où on la "
        "demande."
    ),
    "{difference} ({level} interval {low} to {high})": (
        "{difference} (intervalle à {level}\u202f: {low} à {high})"
    ),
    "{n} of {every} runs has no result.": "{n} des {every} exécutions n’a pas de résultat.",
    "{n} of {every} runs have no result.": "{n} des {every} exécutions n’ont pas de résultat.",
    "runs without a result": "exécutions sans résultat",
    "{group}: {value}": "{group}\u202f: {value}",
    "{group}: {value} {what} ({n} runs)": "{group}\u202f: {value}, {what} ({n} exécutions)",
    "{first} against {second}: {difference}": "{first} contre {second}\u202f: {difference}",
    "{first:cap} against {second}": "{first:cap} contre {second}",
    # Floats of the results.
    "{figure} shows {metric} over training": (
        "la {figure} montre {metric:le} pendant l’entraînement"
    ),
    "{figure} shows all of them": "la {figure} les montre tous",
    "{table} gives the result of each run": "le {table} donne le résultat de chaque exécution",
    "{table} ranks the groups": "le {table} classe les groupes",
    "{table} the means along the way": "le {table} les moyennes en chemin",
    "{metric:cap} of each run (thin) and mean of each group (thick).": (
        "{metric:cap} de chaque exécution (trait fin) et moyenne de chaque groupe (trait épais)."
    ),
    "{metric:cap} of each run.": "{metric:cap} de chaque exécution.",
    "A ring marks the chosen step of each run.": (
        "Un cercle marque le pas choisi de chaque exécution."
    ),
    "Curves of more than {long} points are smoothed.": (
        "Les courbes de plus de {long} points sont lissées."
    ),
    "{metric:cap} over the {axis}": "{metric:cap} en fonction {axis:du}",
    "{panel}, {group}: from {first} to {last}": "{panel}, {group}\u202f: de {first} à {last}",
    "chance": "hasard",
    "result": "résultat",
    "rank of the group": "rang du groupe",
    "{split:cap} {metric} of all groups, sorted.": (
        "{metric:cap} {split:sur} de tous les groupes, en ordre."
    ),
    "{split:cap} {metric} of every group, sorted: each run and their mean.": (
        "{metric:cap} {split:sur} de chaque groupe, en ordre\u202f: chaque exécution et la moyenne."
    ),
    "Results of {n} groups, sorted, from {first} to {last}.": (
        "Résultats de {n} groupes, en ordre, de {first} à {last}."
    ),
    "{metric:cap}{unit} of each run at the epoch with the best {select} {metric}.": (
        "{metric:cap}{unit} de chaque exécution à l’époque de la meilleure valeur {metric:de} "
        "{select:sur}."
    ),
    "{metric:cap}{unit} of each run at the step with the best {select} {metric}.": (
        "{metric:cap}{unit} de chaque exécution au pas de la meilleure valeur {metric:de} "
        "{select:sur}."
    ),
    "{metric:cap}{unit} at the last step of each run.": (
        "{metric:cap}{unit} au dernier pas de chaque exécution."
    ),
    "{metric:cap}{unit} of each group, the best first: mean ± standard deviation of its runs.": (
        "{metric:cap}{unit} de chaque groupe, le meilleur d’abord\u202f: moyenne ± écart type de "
        "ses exécutions."
    ),
    "{metric:cap}{unit} of each run, the best first.": (
        "{metric:cap}{unit} de chaque exécution, la meilleure d’abord."
    ),
    "—: no result; the reasons stand in the appendix.": (
        "—\u202f: pas de résultat\u202f; l’annexe dit pourquoi."
    ),
    "The ten best of {n} groups.": "Les dix meilleurs de {n} groupes.",
    "{split:cap} {metric}{unit}": "{metric:cap} {split:sur}{unit}",
    "Mean ± standard deviation over the runs at each epoch.": (
        "Moyenne ± écart type sur les exécutions à chaque époque."
    ),
    "Mean ± standard deviation over the runs at each evaluation.": (
        "Moyenne ± écart type sur les exécutions à chaque évaluation."
    ),
    "Some evaluations are left out here; the appendix has all.": (
        "Quelques évaluations sont omises ici\u202f; l’annexe les a toutes."
    ),
    "difference of the means at this evaluation": "différence des moyennes à cette évaluation",
    "gap": "écart",
    "Question": "Question",
    "Answer": "Réponse",
    # Other runs.
    "Other runs": "Autres exécutions",
    "{group} reaches {what:a} of {value}.": "{group} atteint {what:un} de {value}.",
    "{group} reaches {what:a} of {value} ({n} runs).": (
        "{group} atteint {what:un} de {value} ({n} exécutions)."
    ),
    "groups beside the others": "groupes à côté des autres",
    "{n} further groups have results of their own.": (
        "{n} autres groupes ont des résultats à eux."
    ),
    "They are not compared with those above.": "Ils ne sont pas comparés à ceux d’avant.",
    "They are judged on another split, so they are not compared with those above.": (
        "Ils sont jugés sur une autre partition, et ne sont donc pas comparés à ceux d’avant."
    ),
    "Their unit is another, so they are not compared with those above.": (
        "Leur unité est autre, et ils ne sont donc pas comparés à ceux d’avant."
    ),
    "Another program logged them: model and data may differ, so they are not compared with those "
    "above.": (
        "Un autre programme les a journalisés\u202f: modèle et données peuvent différer, et ils ne "
        "sont donc pas comparés à ceux d’avant."
    ),
    "{appendix} has their runs.": "L’{appendix} a leurs exécutions.",
    "{table} has the results of these groups.": "Le {table} a les résultats de ces groupes.",
    "{figure} shows how they went.": "La {figure} montre leur cours.",
    "{metric} of the groups in {table}.": "{metric} des groupes du {table}.",
    "{metric} of {n} groups over training": "{metric} de {n} groupes pendant l’entraînement",
}
