"""The appendix: evaluations, settings, statistics, problems, runs and files."""

from __future__ import annotations

MESSAGES = {
    # Shared by its tables.
    "In every row: {cells}.": "À chaque ligne\u202f: {cells}.",
    "Printed here are the first {first} of {all} rows.": (
        "Ne sont imprimées ici que les {first} premières lignes sur {all}."
    ),
    "rows printed": "lignes imprimées",
    "rows of the table": "lignes du tableau",
    # Evaluations.
    "Every evaluation": "Toutes les évaluations",
    "{every} has the {metric} of every run.": ("Le {every} donne {metric:le} de chaque exécution."),
    "{every} has the {metric} of every run, {means} the course of each group.": (
        "Le {every} donne {metric:le} de chaque exécution, le {means} l’évolution de chaque groupe."
    ),
    "{what:cap}{unit} of each run at each evaluation.": (
        "{what:cap}{unit} de chaque exécution à chaque évaluation."
    ),
    "{what:cap}{unit} of each run at each evaluation; the chosen one is bold.": (
        "{what:cap}{unit} de chaque exécution à chaque évaluation\u202f; celle qui est choisie "
        "est en gras."
    ),
    "{what:cap}{unit} of each group at each evaluation.": (
        "{what:cap}{unit} de chaque groupe à chaque évaluation."
    ),
    "{what:cap}{unit} at each evaluation: both values of {n} runs a group.": (
        "{what:cap}{unit} à chaque évaluation\u202f: les valeurs des {n} exécutions d’un groupe."
    ),
    "{what:cap}{unit} at each evaluation: mean ± standard deviation of {n} runs a group.": (
        "{what:cap}{unit} à chaque évaluation\u202f: moyenne ± écart type de {n} exécutions par "
        "groupe."
    ),
    "{what:cap}{unit} at each evaluation: mean ± standard deviation.": (
        "{what:cap}{unit} à chaque évaluation\u202f: moyenne ± écart type."
    ),
    "runs with a value at most evaluations": (
        "exécutions ayant une valeur à la plupart des évaluations"
    ),
    "Printed here are some evaluations, evenly spaced, and the last one.": (
        "Ne sont imprimées ici que quelques évaluations, régulièrement espacées, et la dernière."
    ),
    "{shown} of {found} evaluations are shown, evenly spaced and with the last one.": (
        "{shown} évaluations sur {found} sont montrées, régulièrement espacées et avec la dernière."
    ),
    "evaluations of these runs": "évaluations de ces exécutions",
    # Curves.
    "{figures} shows the {metric}.": "La {figures} montre {metric:le}.",
    "{figures} show the {metric}.": "{figures} montrent {metric:le}.",
    "bits": "bits",
    "nats": "nats",
    "{n} further group is not drawn.": "{n} autre groupe n’est pas tracé.",
    "{n} further groups are not drawn.": "{n} autres groupes ne sont pas tracés.",
    "groups without a curve here": "groupes sans courbe ici",
    "all runs": "toutes les exécutions",
    "{splits} {metric}": "{metric} ({splits})",
    "{what:cap} of {groups} ({runs}).": "{what:cap} de {groups} ({runs}).",
    "{what:cap} of {groups} ({runs}): mean and range of each group.": (
        "{what:cap} de {groups} ({runs})\u202f: moyenne et étendue de chaque groupe."
    ),
    "{what:cap} of {groups} ({runs}): the median, and the range of nine in ten.": (
        "{what:cap} de {groups} ({runs})\u202f: médiane, et étendue de neuf sur dix."
    ),
    "{group} from {first} to {last}": "{group} de {first} à {last}",
    "{what} by {axis}: {lines}.": "{what} par {axis}\u202f: {lines}.",
    # Other metrics.
    "Other metrics at the chosen step: {tables}.": "Autres mesures au pas choisi\u202f: {tables}.",
    "Other metrics at the last step: {tables}.": "Autres mesures au dernier pas\u202f: {tables}.",
    "In the logs alone: {names}.": "Dans les seuls journaux\u202f: {names}.",
    "{metrics:cap} at the chosen step.": "{metrics:cap} au pas choisi.",
    "{metrics:cap} at the last step.": "{metrics:cap} au dernier pas.",
    "Losses are in bits.": "Les pertes sont en bits.",
    "Losses of fairseq are in bits, others as their program logs them.": (
        "Les pertes de fairseq sont en bits, les autres telles que leur programme les journalise."
    ),
    "{difference} ({low} to {high})": "{difference} ({low} à {high})",
    "{first} − {second}": "{first} − {second}",
    # Settings.
    "Settings": "Réglages",
    "Setting": "Réglage",
    "Seeds": "Graines",
    "{table} lists the settings that differ.": "Le {table} énumère les réglages qui diffèrent.",
    "{table} lists what no study file states.": (
        "Le {table} énumère ce qu’aucun fichier d’étude n’indique."
    ),
    "Settings that differ between groups, as the logs state them.": (
        "Réglages qui diffèrent d’un groupe à l’autre, tels que les journaux les indiquent."
    ),
    "Equal in all runs: {settings}.": "Égaux dans toutes les exécutions\u202f: {settings}.",
    "Seeds of each group: {seeds}.": "Graines de chaque groupe\u202f: {seeds}.",
    "The run was set to {settings}.": "L’exécution a pour réglages\u202f: {settings}.",
    "Logged for {groups} alone: {settings}.": (
        "Journalisés pour {groups} seulement\u202f: {settings}."
    ),
    "Logged for some groups alone: {settings}.": (
        "Journalisés pour certains groupes seulement\u202f: {settings}."
    ),
    "What was inferred from the logs, and why.": "Ce qui a été déduit des journaux, et pourquoi.",
    # Statistics.
    "Statistics": "Statistiques",
    "{table} gives the paired t test {cited} of the difference, seed by seed. Its interval "
    "reflects the runs, not the size of the {split} set.": (
        "Le {table} donne le test t apparié {cited} de la différence, graine par graine. Son "
        "intervalle reflète les exécutions, non la taille de l’ensemble {split:de}."
    ),
    "{table} gives Welch’s t test {cited} of the difference; no seeds are paired. Its interval "
    "reflects the runs, not the size of the {split} set.": (
        "Le {table} donne le test t de Welch {cited} de la différence\u202f; aucune graine n’est "
        "appariée. Son intervalle reflète les exécutions, non la taille de l’ensemble "
        "{split:de}."
    ),
    "{what:cap}, {first} minus {second} ({runs}).": "{what:cap}, {first} moins {second} ({runs}).",
    "n = {n} each": "n = {n} chacun",
    "n = {first} and {second}": "n = {first} et {second}",
    "{metric:cap}{unit}: what stands beside each mean.": (
        "{metric:cap}{unit}\u202f: ce qui accompagne chaque moyenne."
    ),
    "Chosen step": "Pas choisi",
    "Oracle": "Oracle",
    "Population std": "Écart type de population",
    "Sample std": "Écart type d’échantillon",
    "{level} Wilson interval": "Intervalle de Wilson à {level}",
    "{table} sets the last step beside the chosen one.": (
        "Le {table} met le dernier pas à côté du pas choisi."
    ),
    "{table} has what stands beside each mean.": (
        "Le {table} donne ce qui accompagne chaque moyenne."
    ),
    "The oracle chooses each step on the split it is judged on: it is no result.": (
        "L’oracle choisit chaque pas sur la partition qui le juge\u202f: ce n’est pas un résultat."
    ),
    "The population standard deviation divides by n, not n − 1.": (
        "L’écart type de population divise par n, non par n − 1."
    ),
    "The last column is the Wilson interval {cited} of one mean over {n} {split} examples.": (
        "La dernière colonne est l’intervalle de Wilson {cited} d’une moyenne sur {n} exemples "
        "{split:de}."
    ),
    # Problems.
    "Problems in the evidence": "Problèmes dans les pièces",
    "{table} lists what is wrong in the evidence.": (
        "Le {table} énumère ce qui ne va pas dans les pièces."
    ),
    "Problems found, with up to {n} places of each kind.": (
        "Problèmes trouvés, avec au plus {n} endroits de chaque sorte."
    ),
    "places": "endroits",
    "looks like a log and was not read": "ressemble à un journal et n’a pas été lu",
    "damaged; what is sound was used": "endommagé\u202f; ce qui est intact a servi",
    "{what}: {why}": "{what}\u202f: {why}",
    "no result: {reason}": "pas de résultat\u202f: {reason}",
    "ends before the other runs of its group": "finit avant les autres exécutions de son groupe",
    "NaN or infinite to the end": "NaN ou infini jusqu’à la fin",
    "{run} (step {step})": "{run} (pas\u00a0{step})",
    "Not in the evidence: {names}.": "Absents des pièces\u202f: {names}.",
    "a model configuration": "une configuration de modèle",
    "an adapter": "un adaptateur",
    "settings of the runs": "des réglages des exécutions",
    "seeds": "des graines",
    "a validation split": "une partition de validation",
    "a test split": "une partition de test",
    "the number of test examples": "le nombre d’exemples de test",
    # Re-runs.
    "{made} of {found} runs was trained again by reportgen ({table}); it is marked {mark}.": (
        "{made} exécution sur {found} a été entraînée à nouveau par reportgen ({table})\u202f; "
        "elle est marquée {mark}."
    ),
    "{made} of {found} runs were trained again by reportgen ({table}); they are marked {mark}.": (
        "{made} exécutions sur {found} ont été entraînées à nouveau par reportgen ({table})\u202f; "
        "elles sont marquées {mark}."
    ),
    "fairseq did not train the re-runs of {groups}: dropout of the head, truncation and order of "
    "the batches are drawn anew, as with another seed.": (
        "fairseq n’a pas entraîné les réexécutions de {groups}\u202f: le dropout de la tête, la "
        "troncature et l’ordre des lots sont tirés à nouveau, comme avec une autre graine."
    ),
    "Without them {group} has no result.": "Sans elles, {group} n’a pas de résultat.",
    "Without them {group} has {value} (n = {n}).": "Sans elles, {group} a {value} (n = {n}).",
    "Re-runs: device and engine, day of the end (UTC), versions, seconds of training.": (
        "Réexécutions\u202f: appareil et moteur, jour de la fin (UTC), versions, secondes "
        "d’entraînement."
    ),
    # Runs and files.
    "Runs and files": "Exécutions et fichiers",
    "All results rest on {runs} with {points} in {files} under {folders}.": (
        "Tous les résultats reposent sur {runs} avec {points} dans {files} sous {folders}."
    ),
    "{n} logged value": "{n} valeur journalisée",
    "{n} logged values": "{n} valeurs journalisées",
    "{tables} lists them.": "Le {tables} les énumère.",
    "{tables} list them.": "{tables} les énumèrent.",
    "Files there: {parts}.": "Fichiers présents\u202f: {parts}.",
    "Software: {names}.": "Logiciels\u202f: {names}.",
    "Runs, those that are alike in one row, with files and values of each.": (
        "Exécutions, celles qui se ressemblent sur une ligne, avec les fichiers et valeurs de "
        "chacune."
    ),
    "Last update": "Dernière mise à jour",
    "Files read, and the start of their SHA-256.": "Fichiers lus, et le début de leur SHA-256.",
    # Names of settings, and heads of columns.
    "Files": "Fichiers",
    "{n} read as logs": "{n} lus comme journaux",
    "{n} of settings": "{n} de réglages",
    "{n} of models": "{n} de modèles",
    "{n} of adapters": "{n} d’adaptateurs",
    "{n} known and skipped": "{n} connus et laissés de côté",
    "{n} like logs and not read": "{n} semblables à des journaux et non lus",
    "{n} damaged": "{n} endommagés",
    "{n} of no known kind": "{n} d’aucune sorte connue",
    "files under the root": "fichiers sous la racine",
    "{first}, and others of this kind": "{first}, et d’autres de cette sorte",
    "{n} file": "{n} fichier",
    "{n} files": "{n} fichiers",
    "Layout": "Disposition",
    "no run": "aucune exécution",
    "{what} (at byte {offset})": "{what} (à l’octet {offset})",
    "{folder}: {files}": "{folder}\u202f: {files}",
    "Where": "Où",
    "What": "Constat",
    "Remedy": "Remède",
    "Reason": "Raison",
    "not set": "non défini",
    "{reason}; also possible: {others}": "{reason}\u202f; aussi possible\u202f: {others}",
    "File": "Fichier",
    "Bytes": "Octets",
    "Architecture": "Architecture",
    "Start from": "Point de départ",
    "Epochs": "Époques",
    "Batch size": "Taille des lots",
    "Gradient accumulation": "Accumulation des gradients",
    "Peak learning rate": "Taux d’apprentissage maximal",
    "Schedule": "Calendrier",
    "Warm-up steps": "Pas d’échauffement",
    "Warm-up ratio": "Part d’échauffement",
    "Total updates": "Nombre total de mises à jour",
    "Total steps": "Nombre total de pas",
    "Weight decay": "Décroissance des poids",
    "Dropout": "Dropout",
    "Attention dropout": "Dropout de l’attention",
    "Gradient clipping": "Écrêtage des gradients",
    "Maximum length": "Longueur maximale",
    "Precision": "Précision",
}
