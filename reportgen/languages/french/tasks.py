"""Groups of several tasks: what is ranked by itself, and why."""

from __future__ import annotations

MESSAGES = {
    "The groups of runs are of different environments ({names}): results are ranked and "
    "subtracted within one of them alone.": (
        "Les groupes d’exécutions relèvent d’environnements différents ({names})\u202f: les "
        "résultats ne sont classés et soustraits qu’au sein d’un même environnement."
    ),
    "The groups of runs are of different data sets ({names}): results are ranked and subtracted "
    "within one of them alone.": (
        "Les groupes d’exécutions relèvent de jeux de données différents ({names})\u202f: les "
        "résultats ne sont classés et soustraits qu’au sein d’un même jeu de données."
    ),
    "The groups of runs have different numbers of labels ({names}): results are ranked and "
    "subtracted among equal ones alone.": (
        "Les groupes d’exécutions ont des nombres d’étiquettes différents ({names})\u202f: les "
        "résultats ne sont classés et soustraits qu’à nombre égal."
    ),
    "The groups of runs have no setting in common ({names}), as those of different programs do: "
    "results are ranked and subtracted within one of them alone.": (
        "Les groupes d’exécutions n’ont aucun réglage en commun ({names}), comme ceux de "
        "programmes différents\u202f: les résultats ne sont classés et soustraits qu’au sein "
        "d’un même programme."
    ),
    "The groups of runs are of different assignments ({names}): results are ranked and "
    "subtracted within one of them alone.": (
        "Les groupes d’exécutions relèvent de devoirs différents ({names})\u202f: les résultats "
        "ne sont classés et soustraits qu’au sein d’un même devoir."
    ),
    "The values of the groups of runs lie apart by orders of magnitude, as those of different "
    "tasks do: results are ranked and subtracted among those of one scale alone.": (
        "Des ordres de grandeur séparent les valeurs des groupes d’exécutions, comme celles de "
        "tâches différentes\u202f: les résultats ne sont classés et soustraits qu’à une même "
        "échelle."
    ),
    "Drawn are {drawn} of {tasks} tasks, those with the most results.": (
        "Sont tracées {drawn} de {tasks} tâches, celles qui ont le plus de résultats."
    ),
    "not stated": "non indiqué",
    "{group} repeats the values of {other}, and is compared with no group.": (
        "{group} répète les valeurs de {other} et n’est comparé à aucun groupe."
    ),
    "{group} ended early and was begun again in {other}, and is compared with no group.": (
        "{group} s’est arrêté tôt, a été recommencé dans {other} et n’est comparé à aucun groupe."
    ),
    "{group} may be the beginning of {other}, one training that was resumed, and is compared "
    "with no group.": (
        "{group} est peut-être le début de {other}, un même entraînement repris, et n’est "
        "comparé à aucun groupe."
    ),
    "{count} groups repeat the values of others, or may be the beginning of one training with "
    "them, and are compared with no group.": (
        "{count} groupes répètent les valeurs d’autres, ou sont peut-être le début d’un même "
        "entraînement, et ne sont comparés à aucun groupe."
    ),
    "It is given because the study file asks for it, although one of the groups may be a part of "
    "another.": (
        "Elle est donnée car le fichier d’étude la demande, bien qu’un des groupes soit "
        "peut-être une partie d’un autre."
    ),
    "It is given because the study file asks for it, although the two are not of one task: it may "
    "say more of the tasks than of the groups.": (
        "Elle est donnée car le fichier d’étude la demande, bien que les deux ne relèvent pas "
        "d’une même tâche\u202f: elle peut en dire plus des tâches que des groupes."
    ),
    "{result}; this is the best of {n} groups of {task}.": (
        "{result}\u202f; c’est le meilleur de {n} groupes de {task}."
    ),
    "{result}, as in each of {n} groups of {task}.": (
        "{result}, comme dans chacun des {n} groupes de {task}."
    ),
    "{result}; {some} of {n} groups of {task} share this best result.": (
        "{result}\u202f; {some} de {n} groupes de {task} partagent ce meilleur résultat."
    ),
}
