"""Re-runs: the dagger, its notes, and where they come from."""

from __future__ import annotations

MESSAGES = {
    # The dagger.
    "re-run": "réexécution",
    "{mark} Re-run, or a mean with a re-run: {which} ({table}).": (
        "{mark} Réexécution, ou moyenne qui en comprend une\u202f: {which} ({table})."
    ),
    "what is so marked": "ce qui est ainsi marqué",
    "{mark} Re-run, or computed with a re-run: {which}.": (
        "{mark} Réexécution, ou valeur calculée avec une réexécution\u202f: {which}."
    ),
    "{mark} Re-run, or computed with a re-run: {which}; and others, in {table}.": (
        "{mark} Réexécution, ou valeur calculée avec une réexécution\u202f: {which}\u202f; et "
        "d’autres, dans le {table}."
    ),
    "{group}, seed {seeds}": "{group}, graine\u00a0{seeds}",
    "{group}, seeds {seeds}": "{group}, graines\u00a0{seeds}",
    "device unknown": "appareil inconnu",
    "date unknown": "date inconnue",
    # Results with and without them.
    "{made} of {found} run is a re-run, trained again by reportgen and marked {mark}": (
        "{made} exécution sur {found} est une réexécution, entraînée à nouveau par reportgen "
        "et marquée {mark}"
    ),
    "{made} of {found} runs is a re-run, trained again by reportgen and marked {mark}": (
        "{made} exécution sur {found} est une réexécution, entraînée à nouveau par reportgen "
        "et marquée {mark}"
    ),
    "{made} of {found} runs are re-runs, trained again by reportgen and marked {mark}": (
        "{made} exécutions sur {found} sont des réexécutions, entraînées à nouveau par "
        "reportgen et marquées {mark}"
    ),
    "{sentence}: {cells}.": "{sentence}\u202f: {cells}.",
    "Without them there is no result of {groups}.": (
        "Sans elles, il n’y a pas de résultat pour {groups}."
    ),
    "{table} gives the results with and without them.": (
        "Le {table} donne les résultats avec et sans elles."
    ),
    "Where fewer than three runs are left without re-run cells, their values are given, "
    "without a standard deviation.": (
        "Là où il reste moins de trois exécutions sans les cellules réexécutées, leurs valeurs "
        "sont données, sans écart type."
    ),
    "With re-run cells": "Avec réexécutions",
    "Without re-run cells": "Sans réexécutions",
    "Mean ± std": "Moyenne ± écart type",
    "{metric:cap}{unit} at the best step with re-run cells and from found logs alone: mean ± "
    "{std} over n runs.": (
        "{metric:cap}{unit} au meilleur pas, avec les cellules réexécutées et d’après les "
        "seuls journaux trouvés\u202f: moyenne ± {std} sur n exécutions."
    ),
    "{split:cap} {metric}{unit} at the best step with re-run cells and from found logs alone: "
    "mean ± {std} over n runs.": (
        "{metric:cap} {split:sur}{unit} au meilleur pas, avec les cellules réexécutées et "
        "d’après les seuls journaux trouvés\u202f: moyenne ± {std} sur n exécutions."
    ),
    # Where they come from.
    "Cells without logs, or with unfinished ones, were trained again with the settings of the "
    "study file; {table} says on what and when. Each of their values, and every number "
    "computed with one, is marked {mark}.": (
        "Les cellules sans journaux, ou aux journaux inachevés, ont été entraînées à nouveau "
        "avec les réglages du fichier d’étude\u202f; le {table} dit sur quoi et quand. Chacune "
        "de leurs valeurs, et tout nombre calculé avec l’une d’elles, est marqué {mark}."
    ),
    "The logs of {groups} are in the layout of fairseq, which did not train the re-runs. "
    "Against fairseq such a run is reproduced in law, not bit for bit: the dropout of its "
    "head, the truncation of long examples and the order of its batches are not fairseq’s, so "
    "that its values are another draw, as those of another seed would be.": (
        "Les journaux de {groups} ont la disposition de fairseq, qui n’a pas entraîné les "
        "réexécutions. Par rapport à fairseq, une telle exécution est reproduite en loi, non "
        "bit à bit\u202f: le dropout de sa tête, la troncature des exemples longs et l’ordre "
        "de ses lots ne sont pas ceux de fairseq, de sorte que ses valeurs sont un autre "
        "tirage, comme le seraient celles d’une autre graine."
    ),
    "{cells}: {notes}.": "{cells}\u202f: {notes}.",
    "{n} further re-run cell stands in report.json.": (
        "{n} autre cellule réexécutée figure dans report.json."
    ),
    "{n} further re-run cells stand in report.json.": (
        "{n} autres cellules réexécutées figurent dans report.json."
    ),
    "Re-run cells: what each was trained on and by which engine, the day it ended (UTC), with "
    "which versions, and the seconds of training and evaluation.": (
        "Cellules réexécutées\u202f: sur quoi et par quel moteur chacune a été entraînée, le "
        "jour de sa fin (UTC), avec quelles versions, et les secondes d’entraînement et "
        "d’évaluation."
    ),
    "Group": "Groupe",
    "Seed": "Graine",
    "Device and engine": "Appareil et moteur",
    "Date": "Date",
    "Versions": "Versions",
    "Seconds": "Secondes",
    "{versions} and {count} more": "{versions} et {count} autres",
}
