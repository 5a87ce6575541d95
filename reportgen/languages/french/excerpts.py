"""Sentences on long tables, of which pages print some rows, and on many groups at once."""

from __future__ import annotations

MESSAGES = {
    "Printed here are the {ends} groups with the best and the {ends} with the weakest result, of "
    "{groups}.": (
        "Sont imprimés ici les {ends} groupes au meilleur résultat et les {ends} au plus faible, "
        "sur {groups}."
    ),
    "Printed here are the groups with the best and with the weakest result of each of {tasks} "
    "tasks, those with the most groups, some rows of each, of {groups} groups.": (
        "Sont imprimés ici les groupes au meilleur et au plus faible résultat de chacune de "
        "{tasks} tâches, celles qui ont le plus de groupes, quelques lignes de chacun, sur "
        "{groups} groupes."
    ),
    "Printed here are the runs of the {ends} groups with the best and of the {ends} with the "
    "weakest result, of {groups} groups.": (
        "Sont imprimées ici les exécutions des {ends} groupes au meilleur résultat et des {ends} "
        "au plus faible, sur {groups} groupes."
    ),
    "Printed here are some runs of the {ends} groups with the best and of the {ends} with the "
    "weakest result, of {groups} groups: of each its first run, the two best and the two "
    "weakest.": (
        "Sont imprimées ici quelques exécutions des {ends} groupes au meilleur résultat et des "
        "{ends} au plus faible, sur {groups} groupes\u00a0: de chacun la première, les deux "
        "meilleures et les deux plus faibles."
    ),
    "Printed here are some runs of each group: the first, the two best and the two weakest.": (
        "Sont imprimées ici quelques exécutions de chaque groupe\u00a0: la première, les deux "
        "meilleures et les deux plus faibles."
    ),
    "Printed here are the {ends} groups with the best and the {ends} with the weakest result, of "
    "{groups}, each at a few evaluations: evenly spaced, the last one among them.": (
        "Sont imprimés ici les {ends} groupes au meilleur résultat et les {ends} au plus faible, "
        "sur {groups}, chacun à quelques évaluations régulièrement espacées, dont la dernière."
    ),
    "Printed here are the first {first} of {all} runs; all are alike in layout, files, points and "
    "last step.": (
        "Sont imprimées ici les {first} premières exécutions sur {all}\u202f; toutes se "
        "ressemblent par leur disposition, leurs fichiers, leurs points et leur dernier pas."
    ),
    "Printed here are the first {first} of {all} runs, and up to {most} of those that are not like "
    "most in layout, files, points or last step ({unlike} in all).": (
        "Sont imprimées ici les {first} premières exécutions sur {all}, et jusqu’à {most} de "
        "celles qui s’écartent de la plupart par leur disposition, leurs fichiers, leurs points ou "
        "leur dernier pas ({unlike} en tout)."
    ),
    "Printed here are all keys but {left} of single groups.": (
        "Sont imprimées ici toutes les clés sauf {left} propres à un groupe."
    ),
    "Printed here are the first {n}.": "Seuls les {n} premiers sont imprimés ici.",
    "The whole table is in {file} and in the HTML form of the report.": (
        "Le tableau entier est dans {file} et dans la forme HTML du rapport."
    ),
    "Drawn are the {ends} groups with the best and the {ends} with the weakest result.": (
        "Sont dessinés les {ends} groupes au meilleur résultat et les {ends} au plus faible."
    ),
    "Chosen were the {ends} groups with the best and the {ends} with the weakest result (drawn: "
    "{count}).": (
        "Ont été choisis les {ends} groupes au meilleur résultat et les {ends} au plus faible "
        "(dessinés\u202f: {count})."
    ),
    "No mean at each step can be drawn of {groups}.": (
        "Aucune moyenne pas à pas ne peut être dessinée pour {groups}."
    ),
    "each of {n} groups": "chacun des {n} groupes",
    "{n} groups": "{n} groupes",
    "n = {runs} in {n} group": "n = {runs} dans {n} groupe",
    "n = {runs} in {n} groups": "n = {runs} dans {n} groupes",
    "keys not printed": "clés non imprimées",
    "runs of each of these groups that have a result": (
        "exécutions de chacun de ces groupes qui ont un résultat"
    ),
    "runs printed": "exécutions imprimées",
    "runs that are not like most": "exécutions qui s’écartent de la plupart",
}
