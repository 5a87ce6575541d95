"""Why there is no value."""

from __future__ import annotations

MESSAGES = {
    # What a run lacks.
    "no evaluation logged: no best step exists": (
        "aucune évaluation journalisée\u202f: il n’y a pas de meilleur pas"
    ),
    "nothing logged on validation: no best step exists": (
        "rien n’est journalisé sur la validation\u202f: il n’y a pas de meilleur pas"
    ),
    "{metric} was not logged on {split}: no best step exists": (
        "aucune valeur {metric:du} {split:sur} n’est journalisée\u202f: il n’y a pas de meilleur "
        "pas"
    ),
    "{metric} was not logged on test, as it was in {other}": (
        "aucune valeur {metric:du} sur le test n’est journalisée, comme c’est le cas dans {other}"
    ),
    "{metric} was not logged on {split}, nor on test, as it was in {other}": (
        "aucune valeur {metric:du} n’est journalisée {split:sur}, ni sur le test, comme c’est le "
        "cas dans {other}"
    ),
    "training ended at step {last} of {planned}; stopped early or still running": (
        "l’entraînement s’achève au pas\u00a0{last} sur {planned}\u202f; arrêté avant la fin, ou "
        "encore en cours"
    ),
    "training ended at epoch {reached} of {epochs}, step {last}; stopped early or still running": (
        "l’entraînement s’achève à l’époque\u00a0{reached} sur {epochs}, au pas\u00a0{last}\u202f; "
        "arrêté avant la fin, ou encore en cours"
    ),
    "begins at step {first}, and {other} ended before it at step {last}: it may be the same "
    "training, resumed; taken as a run of its own": (
        "commence au pas\u00a0{first}, et {other} s’est achevée avant, au pas\u00a0{last}\u202f: "
        "c’est peut-être le même entraînement, repris\u202f; prise comme une exécution à part"
    ),
    "{told}; so it is of {count} runs": "{told}\u202f; il en va ainsi de {count} exécutions",
    "{other} goes on with {run} from step {first} on, and is one run with it; points of {run} that "
    "it supersedes: {lost}": (
        "{other} poursuit {run} à partir du pas\u00a0{first} et ne fait qu’une exécution avec elle"
        "\u202f; points de {run} qu’elle remplace\u202f: {lost}"
    ),
    "declare a group for each in the study file if they are two runs": (
        "déclarer un groupe pour chacune dans le fichier d’étude si ce sont deux exécutions"
    ),
    "{copy} holds the same as {run}, to the last digit: it counts in {group} and in {other}, which "
    "are not independent": (
        "{copy} contient la même chose que {run}, au dernier chiffre près\u202f: c’est compté dans "
        "{group} et dans {other}, qui ne sont pas indépendants"
    ),
    "put the log files of both into one folder if they are one run": (
        "mettre les journaux des deux dans un même dossier si elles ne font qu’une"
    ),
    "training diverged from step {step} on: at {lost} of {points} logged steps the loss is 0 "
    "and the norm of the gradient no number; such a 0 stands for NaN": (
        "l’entraînement diverge à partir du pas\u00a0{step}\u202f: à {lost} des {points} pas "
        "journalisés, la perte est 0 et la norme du gradient n’est pas un nombre\u202f; un tel 0 "
        "tient lieu de NaN"
    ),
    "lower the learning rate; logging_nan_inf_filter=False logs the loss as it is": (
        "baisser le taux d’apprentissage\u202f; logging_nan_inf_filter=False journalise la perte "
        "telle qu’elle est"
    ),
    "{tag}: {count} of {points} values are {what}; they take no part in any best value": (
        "{tag}\u202f: {count} des {points} valeurs sont {what}\u202f; elles n’entrent dans aucune "
        "meilleure valeur"
    ),
    "its last evaluation is at step {step}, where most runs of {group} go on to step {latest}; it "
    "counts in each of their means that it has a value for": (
        "sa dernière évaluation est au pas\u00a0{step}, alors que la plupart des exécutions de "
        "{group} vont jusqu’au pas\u00a0{latest}\u202f; elle compte dans chacune de leurs moyennes "
        "pour laquelle elle a une valeur"
    ),
    "train it to the end, or keep it out of the mean by a group of its own above the others in the "
    "study file: [groups.NAME] match = {run}": (
        "l’entraîner jusqu’au bout, ou la tenir hors de la moyenne par un groupe à elle au-dessus "
        "des autres dans le fichier d’étude\u202f: [groups.NOM] match = {run}"
    ),
    "train it again, or keep it out of the mean by a group of its own above the others in the "
    "study file: [groups.NAME] match = {run}": (
        "l’entraîner à nouveau, ou la tenir hors de la moyenne par un groupe à elle au-dessus "
        "des autres dans le fichier d’étude\u202f: [groups.NOM] match = {run}"
    ),
    "[groups.{group}] states seeds that no name calls so: {seeds} are taken from the numbers that "
    "tell {runs} apart": (
        "[groups.{group}] indique des graines qu’aucun nom n’appelle ainsi\u202f: {seeds} sont "
        "prises des nombres qui distinguent {runs}"
    ),
    "state runs.pattern with a group named seed where they are no seeds": (
        "indiquer runs.pattern avec un groupe nommé seed si ce ne sont pas des graines"
    ),
    "{runs} is of group {group}, but its seed cannot be read, so that none of the seeds stated "
    "({seeds}) is taken as missing": (
        "{runs} est du groupe {group}, mais sa graine ne peut être lue, si bien qu’aucune des "
        "graines indiquées ({seeds}) n’est tenue pour manquante"
    ),
    "{runs} are of group {group}, but their seeds cannot be read, so that none of the seeds "
    "stated ({seeds}) is taken as missing": (
        "{runs} sont du groupe {group}, mais leurs graines ne peuvent être lues, si bien "
        "qu’aucune des graines indiquées ({seeds}) n’est tenue pour manquante"
    ),
    "write the seed in the names, as in {example}, or state runs.pattern with a group named seed": (
        "écrire la graine dans les noms, comme dans {example}, ou indiquer runs.pattern avec "
        "un groupe nommé seed"
    ),
    "{first} to {last}": "{first} à {last}",
    "holds means over runs and their spread: a table of results, and no run": (
        "contient des moyennes sur des exécutions et leur dispersion\u202f: un tableau de "
        "résultats, et non une exécution"
    ),
    "{copy} holds the same as {run}, to the last digit: it is counted once": (
        "{copy} contient la même chose que {run}, au dernier chiffre près\u202f: c’est compté une "
        "fois"
    ),
    "{copy} holds the same as {run}, written otherwise: it is counted once": (
        "{copy} contient la même chose que {run}, écrite autrement\u202f: c’est compté une fois"
    ),
    "remove the copy": "ôter la copie",
    "groups have unequal numbers of seeds ({counts}); none is taken as missing, for no grid is "
    "declared": (
        "les groupes ont des nombres de graines inégaux ({counts})\u202f; aucune n’est tenue pour "
        "manquante, car aucune grille n’est déclarée"
    ),
    "declare [grid] seeds in the study file to have missing runs named": (
        "déclarer [grid] seeds dans le fichier d’étude pour que les exécutions manquantes soient "
        "nommées"
    ),
    "{count} runs claim group {group}, seed {seed}: {runs}": (
        "{count} exécutions se disent du groupe {group}, graine\u00a0{seed}\u202f: {runs}"
    ),
    "remove those that do not count, or tell them apart in the study file": (
        "ôter celles qui ne comptent pas, ou les distinguer dans le fichier d’étude"
    ),
    "metric.direction says {stated}, but {metric} is better when {known}; {stated} is "
    "taken, as stated, and every best step rests on it": (
        "metric.direction indique {stated}, mais pour {metric} c’est {known} qui est "
        "préférable\u202f; {stated} est retenu, comme indiqué, et tous les meilleurs pas en "
        "dépendent"
    ),
    "correct metric.direction": "corriger metric.direction",
    "nothing tells whether {name} is better when higher or lower; {taken} is taken, and "
    "every best step rests on it": (
        "rien ne dit si une valeur élevée ou basse de {name} est préférable\u202f; {taken} est "
        "retenu, et tous les meilleurs pas en dépendent"
    ),
    "set metric.direction in the study file": ("indiquer metric.direction dans le fichier d’étude"),
    "other metrics are read at the best step alone": (
        "les autres mesures sont lues au meilleur pas seulement"
    ),
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
    "every {metric} of {name} is NaN or infinite": (
        "toutes les valeurs {metric:du} de {name} sont NaN ou infinies"
    ),
    "no step is chosen by this metric": "aucun pas n’est choisi par cette mesure",
    "nothing was measured after training on {split}": (
        "rien n’a été mesuré {split:sur} après l’entraînement"
    ),
    "{run} has several results for {metric} on {split}": (
        "{run} a plusieurs résultats pour {metric:le} {split:sur}"
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
