"""What is the matter with runs, and what can be done."""

from __future__ import annotations

_SEPARATE = "donner à chaque exécution {its} propre, ou retirer celles qui ne comptent pas"
_AGAIN = (
    "\u202f: une dispersion sur elles n’est pas une dispersion sur des graines, et chacune forme "
    "un groupe à elle seule"
)

MESSAGES = {
    "{run} logged {name} {value}": "{run} a journalisé {name} {value}",
    "{run} logged no {name} over {value}": "{run} n’a journalisé aucun {name} au-delà de {value}",
    "runs.pattern": "runs.pattern",
    "its evaluation gave the same {tags}": "son évaluation a donné les mêmes {tags}",
    "the best checkpoint was loaded at the end": "le meilleur point a été rechargé à la fin",
    "no logged evaluation gave the same values": (
        "aucune évaluation journalisée n’a donné les mêmes valeurs"
    ),
    "the last one, for no best checkpoint was kept track of": (
        "le dernier, car aucun meilleur point n’a été suivi"
    ),
    "the last one, where training ended": "le dernier, où l’entraînement s’est achevé",
    "nothing tells whether the best or the last weights were measured": (
        "rien ne dit si les meilleurs poids ou les derniers ont été mesurés"
    ),
    "at step {step} other values of {tags} were logged": (
        "au pas {step}, d’autres valeurs de {tags} ont été journalisées"
    ),
    "no history beside it: of each key the summary's value alone, which may be a best one": (
        "aucun historique à côté\u202f: de chaque clé la seule valeur du résumé, qui peut être un "
        "maximum"
    ),
    "splits.tags names {name}, and no run logged such a tag": (
        "splits.tags nomme {name}, et aucune exécution n’a journalisé une telle étiquette"
    ),
    "splits.tags names {name}, and no run logged such a tag; did you mean {near}?": (
        "splits.tags nomme {name}, et aucune exécution n’a journalisé une telle étiquette\u202f; "
        "s’agit-il de {near}\u202f?"
    ),
    "write the tag as `reportgen inspect` shows it; * and ? as in a shell": (
        "écrire l’étiquette comme `reportgen inspect` la montre, les jokers comme dans un "
        "interpréteur de commandes"
    ),
    "metric.unit says {stated}, but {logged}": "metric.unit indique {stated}, mais {logged}",
    "correct metric.unit in the study file, or leave it empty": (
        "corriger metric.unit dans le fichier d’étude, ou le laisser vide"
    ),
    "{first} logs {name} as fractions, {second} in percent; each is read in its own unit": (
        "{first} journalise {name} en fractions, {second} en pour cent\u202f; chacun est lu dans "
        "son unité"
    ),
    "{first} log {name} as fractions, {second} in percent; each is read in its own unit": (
        "{first} journalisent {name} en fractions, {second} en pour cent\u202f; chacun est lu dans "
        "son unité"
    ),
    "set metric.unit in the study file if that is wrong": (
        "indiquer metric.unit dans le fichier d’étude si cela est faux"
    ),
    "ended before {whole}, a start of the same name and seed: taken as one that was given up, and "
    "no part of that group": (
        "achevée avant {whole}, lancement de mêmes nom et graine\u202f: prise pour un lancement "
        "abandonné, hors de ce groupe"
    ),
    "remove it, or state [groups] in the study file if it counts": (
        "la retirer, ou indiquer [groups] dans le fichier d’étude si elle compte"
    ),
    "{n} runs record the same seed {seed} ({first} to {last}): a spread over them is not a spread "
    "over seeds, and each is a group of its own": (
        "{n} exécutions enregistrent la même graine {seed} ({first} à {last})" + _AGAIN
    ),
    "train with different seeds, or state [groups] in the study file": (
        "entraîner avec des graines différentes, ou indiquer [groups] dans le fichier d’étude"
    ),
    "{n} runs record one of {seeds} seeds that another of their name has ({first} to {last}): a "
    "spread over them is not a spread over seeds, and each is a group of its own": (
        "{n} exécutions enregistrent l’une de {seeds} graines qu’une autre de même nom a aussi "
        "({first} à {last})" + _AGAIN
    ),
    "its name says seed {said}, its configuration seed {stated}; the configuration is taken": (
        "son nom indique la graine {said}, sa configuration la graine {stated}\u202f; la "
        "configuration est retenue"
    ),
    "rename the folder, or state runs.pattern in the study file": (
        "renommer le dossier, ou indiquer runs.pattern dans le fichier d’étude"
    ),
    "{n} folds ({first} to {last}) are taken as repetitions: their spread is over parts of the "
    "data, not over seeds": (
        "{n} plis ({first} à {last}) sont pris pour des répétitions\u202f: leur dispersion porte "
        "sur des parties des données, non sur des graines"
    ),
    "state [groups] or runs.pattern in the study file": (
        "indiquer [groups] ou runs.pattern dans le fichier d’étude"
    ),
    "[groups.{name}] matches no run": "[groups.{name}] ne correspond à aucune exécution",
    "correct its name or its match in the study file; groups found: {there}": (
        "corriger son nom ou son match dans le fichier d’étude\u202f; groupes trouvés\u202f: "
        "{there}"
    ),
    "[grid] names {name}, of which no run was found": (
        "[grid] nomme {name}, dont aucune exécution n’a été trouvée"
    ),
    "it holds {n} runs, which are kept apart": "contient {n} exécutions, tenues séparées",
    "give each run a file of its own, or remove those that do not count": (
        _SEPARATE.replace("{its}", "un fichier")
    ),
    "{n} runs share one folder and are kept apart: {paths}": (
        "{n} exécutions partagent un dossier et sont tenues séparées\u202f: {paths}"
    ),
    "give each run a folder of its own, or remove those that do not count": (
        _SEPARATE.replace("{its}", "un dossier")
    ),
    "the same run as {run}, read from {paths}": "la même exécution que {run}, lue dans {paths}",
    "a start that ended at step {step} is left out; another went to step {end}": (
        "un lancement achevé au pas {step} est écarté\u202f; un autre est allé au pas {end}"
    ),
    "taken as the continuation of {before} from step {first} on": (
        "prise pour la suite de {before} à partir du pas {first}"
    ),
    "goes on from step {first} where others of its folder end, but their clocks overlap; taken as "
    "one run": (
        "continue au pas {first}, où d’autres de son dossier s’achèvent, mais leurs horloges se "
        "chevauchent\u202f; prises pour une exécution"
    ),
    "give each run a folder of its own if two programs wrote these files": (
        "donner à chaque exécution un dossier propre si deux programmes ont écrit ces fichiers"
    ),
    "training began again at step {first}: {lost} point superseded": (
        "l’entraînement a repris au pas {first}\u202f: {lost} point remplacé"
    ),
    "training began again at step {first}: {lost} points superseded": (
        "l’entraînement a repris au pas {first}\u202f: {lost} points remplacés"
    ),
    "evaluated again after training, with the values of step {best}: the best weights, loaded at "
    "the end; {metrics} as training logged them at step {step} are kept": (
        "réévaluée après l’entraînement, avec les valeurs du pas {best}\u202f: les meilleurs "
        "poids, rechargés à la fin\u202f; {metrics} journalisés au pas {step} sont conservés"
    ),
    "{tag} was evaluated again after training: {again} beside {value} at step {step}; the first "
    "one is kept": (
        "{tag} a été réévalué après l’entraînement\u202f: {again} à côté de {value} au pas "
        "{step}\u202f; la première valeur est conservée"
    ),
    "{tag} has a second value at the last step, {step}: {again} beside {value}; the first one is "
    "kept": (
        "{tag} a une seconde valeur au dernier pas, {step}\u202f: {again} à côté de {value}\u202f; "
        "la première est conservée"
    ),
    "log a step that never comes twice, or each phase under a tag of its own": (
        "journaliser un pas qui ne revient jamais, ou chaque phase sous sa propre étiquette"
    ),
    "a copy: the same points as in {original}, logged at the same times; read once": (
        "une copie\u202f: les mêmes points que dans {original}, journalisés aux mêmes "
        "instants\u202f; lue une fois"
    ),
    "remove the copy that is older": "retirer la copie la plus ancienne",
    "{tag} {value} was stated with the hyperparameters, at step {step}; the logged series is "
    "kept": (
        "{tag} {value} est indiqué avec les hyperparamètres, au pas {step}\u202f; la série "
        "journalisée est conservée"
    ),
    "step unknown of the result files, which were measured after training: {reason}": (
        "pas inconnu des fichiers de résultats, mesurés après l’entraînement\u202f: {reason}"
    ),
    "result files state no step; taken as step {step}: {reason}": (
        "les fichiers de résultats n’indiquent aucun pas\u202f; pris pour le pas {step}\u202f: "
        "{reason}"
    ),
    "its history does not hold {names}, which it printed: not read": (
        "son historique ne contient pas {names}, qu’elle a affiché\u202f: non lu"
    ),
    "log it, or move the file into a folder of its own": (
        "le journaliser, ou déplacer le fichier dans un dossier propre"
    ),
}
