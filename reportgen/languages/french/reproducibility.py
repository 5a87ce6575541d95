"""The section on reproducibility: runs, files, hyperparameters, checklist."""

from __future__ import annotations

MESSAGES = {
    "Reproducibility": "Reproductibilité",
    "Checklist": "Liste de contrôle",
    "Files": "Fichiers",
    "Every file under {folder} is counted once: {parts}; in all {n}.": (
        "Chaque fichier sous {folder} est compté une fois\u00a0: {parts}\u202f; en tout {n}."
    ),
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
    "Every result of the runs was computed from {runs} in {files} under {folders}.": (
        "Tous les résultats ont été calculés à partir de {runs} dans {files} sous {folders}."
    ),
    "{n} file": "{n} fichier",
    "{n} files": "{n} fichiers",
    "The run holds {points} logged scalar values. None was sampled, averaged or smoothed "
    "before it was used.": (
        "L’exécution contient {points} valeurs scalaires journalisées. Aucune n’a été "
        "échantillonnée, moyennée ni lissée avant usage."
    ),
    "The runs hold {points} logged scalar values. None was sampled, averaged or smoothed "
    "before it was used.": (
        "Les exécutions contiennent {points} valeurs scalaires journalisées. Aucune n’a été "
        "échantillonnée, moyennée ni lissée avant usage."
    ),
    "{table} lists the runs; no file was damaged, and nothing contradicts itself.": (
        "Le {table} énumère les exécutions\u202f; aucun fichier n’était endommagé, et rien ne "
        "se contredit."
    ),
    "{table} lists the runs, and {problems} what is the matter with them.": (
        "Le {table} énumère les exécutions, et le {problems} ce qui ne va pas avec elles."
    ),
    "The runs that were found: layout of their logs, files, logged points, and the last "
    "optimizer step that was logged (number of updates).": (
        "Les exécutions trouvées\u202f: disposition de leurs journaux, fichiers, points "
        "journalisés, et dernier pas d’optimisation journalisé (nombre de mises à jour)."
    ),
    "The runs that were found: layout of their logs, files, logged points, and the last step that "
    "was logged.": (
        "Les exécutions trouvées\u202f: disposition de leurs journaux, fichiers, points "
        "journalisés, et dernier pas journalisé."
    ),
    "Layout": "Disposition",
    "Points": "Points",
    "Updates": "Mises à jour",
    "Steps": "Pas",
    "neither path nor configuration names a seed": (
        "ni le chemin ni la configuration n’indiquent de graine"
    ),
    "the run holds no scalar point": "l’exécution ne contient aucun point scalaire",
    "Missing: {count} runs": "Manquent\u202f: {count} exécutions",
    "Missing: {group}, {run}": "Manque\u202f: {group}, {run}",
    "{what}: {reason}.": "{what}\u202f: {reason}.",
    "no run": "aucune exécution",
    "the only run": "la seule exécution",
    "run {run}": "exécution {run}",
    "nothing to do": "rien à faire",
    "Everything that is the matter with the evidence.": (
        "Tout ce qui ne va pas dans les pièces justificatives."
    ),
    "Messages of the program are quoted in English, as it prints them.": (
        "Les messages du programme sont cités en anglais, tels qu’il les affiche."
    ),
    "{what} (at byte {offset})": "{what} (à l’octet {offset})",
    "{folder}: {files}": "{folder}\u202f: {files}",
    "Where": "Où",
    "What": "Constat",
    "Remedy": "Remède",
    "What no study file stated and was inferred. {command} writes these lines into a study "
    "file, where each can be changed.": (
        "Ce qu’aucun fichier d’étude n’indiquait et qui a été déduit. {command} écrit ces "
        "lignes dans un fichier d’étude, où chacune peut être modifiée."
    ),
    "Reason": "Raison",
    "not set": "non défini",
    "{reason}; also possible: {others}": "{reason}\u202f; aussi possible\u202f: {others}",
    "{one} or {other}": "{one} ou {other}",
    "{reason}; a study file may say {others} instead": (
        "{reason}\u202f; un fichier d’étude peut indiquer {others} à la place"
    ),
    "The digests let anybody check that a file is the one these numbers were read from.": (
        "Les empreintes permettent à chacun de vérifier qu’un fichier est bien celui d’où ces "
        "nombres ont été lus."
    ),
    "The first {n} are listed; report.json has them all.": (
        "Les {n} premiers sont énumérés\u202f; report.json les contient tous."
    ),
    "Files read, with their size in bytes and the start of their SHA-256.": (
        "Fichiers lus, avec leur taille en octets et le début de leur SHA-256."
    ),
    "File": "Fichier",
    "Bytes": "Octets",
    "Number of runs behind each result.": "Nombre d’exécutions derrière chaque résultat.",
    "{group}: n = {n}": "{group}\u202f: n = {n}",
    "No run.": "Aucune exécution.",
    "What varies between them.": "Ce qui varie entre elles.",
    "Not every run has a known seed of its own; nothing else is known to differ.": (
        "Toutes les exécutions n’ont pas une graine propre connue\u202f; rien d’autre ne "
        "diffère, pour autant qu’on le sache."
    ),
    "Nothing inside a group, for none has more than one run.": (
        "Rien au sein d’un groupe, car aucun n’a plus d’une exécution."
    ),
    "Runs of a group differ in their seed alone, as far as names and logs tell.": (
        "Les exécutions d’un groupe ne diffèrent que par leur graine, pour autant que les noms "
        "et les journaux le disent."
    ),
    "Re-run cells differ from the others in device, software and training program as well "
    "({table}).": (
        "Les cellules réexécutées diffèrent aussi des autres par le matériel, les logiciels et "
        "le programme d’entraînement ({table})."
    ),
    "Error bars.": "Barres d’erreur.",
    "The sample standard deviation over seeds (ddof {ddof}), and {confidence} intervals by "
    "Student’s t {cited}; neither is given below three runs.": (
        "L’écart type d’échantillon sur les graines (ddof {ddof}) et les intervalles de "
        "Student à {confidence} {cited}\u202f; ni l’un ni les autres ne sont donnés au-dessous "
        "de trois exécutions."
    ),
    "The population standard deviation over seeds (ddof {ddof}), and {confidence} intervals by "
    "Student’s t {cited}; neither is given below three runs.": (
        "L’écart type de population sur les graines (ddof {ddof}) et les intervalles de "
        "Student à {confidence} {cited}\u202f; ni l’un ni les autres ne sont donnés au-dessous "
        "de trois exécutions."
    ),
    "Model selection.": "Sélection du modèle.",
    "The step with the best {split} {metric}; among equals the first one.": (
        "Le pas qui a la meilleure valeur {metric:du} {split:sur}\u202f; en cas d’égalité, le "
        "premier."
    ),
    "The step with the best {split} {metric}; among equals the last one.": (
        "Le pas qui a la meilleure valeur {metric:du} {split:sur}\u202f; en cas d’égalité, le "
        "dernier."
    ),
    "Numbers are reported on the {split} split {cited}.": (
        "Les résultats sont donnés {split:sur} {cited}."
    ),
    "Split sizes.": "Tailles des partitions.",
    "Neither the logs nor a study file state them.": (
        "Ni les journaux ni un fichier d’étude ne les indiquent."
    ),
    "Parameters.": "Paramètres.",
    "Not counted: no model configuration was given.": (
        "Non comptés\u202f: aucune configuration de modèle n’a été fournie."
    ),
    "Not counted: {why}.": "Non comptés\u202f: {why}.",
    "Added up by role as stored: {why}.": (
        "Additionnés par rôle tels qu’ils sont stockés\u202f: {why}."
    ),
    "Counted by formula from the configuration; no checkpoint to compare with.": (
        "Comptés par formule d’après la configuration\u202f; aucun point de sauvegarde auquel "
        "les comparer."
    ),
    "Counted by formula and reconciled with the checkpoint, term by term.": (
        "Comptés par formule et rapprochés du point de sauvegarde, terme à terme."
    ),
    "Software.": "Logiciels.",
    "Date.": "Date.",
    "The day that {variable} sets.": "Le jour que fixe {variable}.",
    "The day (UTC) of the last point in the logs: the same logs give the same report any day.": (
        "Le jour (UTC) du dernier point des journaux\u202f: les mêmes journaux donnent le même "
        "rapport n’importe quel jour."
    ),
    "Hyperparameters as the logs state them; every other key is in report.json.": (
        "Hyperparamètres tels que les journaux les indiquent\u202f; toutes les autres clés "
        "sont dans report.json."
    ),
    "Hyperparameter": "Hyperparamètre",
    "not logged": "non journalisé",
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
