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
    "Printed here are all keys but {left} of single groups.": (
        "Sont imprimées ici toutes les clés sauf {left} propres à un groupe."
    ),
    "The whole table is in {file} and in the HTML form of the report.": (
        "Le tableau entier est dans {file} et dans la forme HTML du rapport."
    ),
    "{n} groups": "{n} groupes",
    # What numbers count.
    "keys not printed": "clés non imprimées",
}
