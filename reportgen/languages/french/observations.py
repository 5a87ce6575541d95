"""Sentences that need no pair of groups, and those on all groups at once."""

from __future__ import annotations

MESSAGES = {
    "Observations": "Observations",
    "What the logs show, computed from the same values as the tables:": (
        "Ce que montrent les journaux, calculé à partir des mêmes valeurs que les tableaux\u00a0:"
    ),
    "The best step of the run is the last one.": "Le meilleur pas de l’exécution est le dernier.",
    "The best step of the run is not the last one.": (
        "Le meilleur pas de l’exécution n’est pas le dernier."
    ),
    "Behind ± stands the {std}.": "Après ± figure {std:le}.",
    "The interval covers what differs between the runs; the error of the {split} set, which all "
    "of them share, is not in it.": (
        "L’intervalle couvre ce qui diffère d’une exécution à l’autre\u202f; l’erreur due à "
        "l’ensemble de {split}, commune à toutes, n’y est pas."
    ),
    "Outliers": "Valeurs écartées",
    "Steadiness": "Régularité",
    "The run of {group} farthest from the mean of its other runs is {runs}.": (
        "L’exécution de {group} la plus éloignée de la moyenne des autres\u202f: {runs}."
    ),
    "The runs of {group} farthest from the mean of its other runs are {runs}.": (
        "Les exécutions de {group} les plus éloignées de la moyenne des autres\u202f: {runs}."
    ),
    "No test for outliers is made in a group of fewer than {fewest} runs.": (
        "Aucun test de valeur aberrante n’est fait dans un groupe de moins de {fewest} exécutions."
    ),
    "Grubbs’ test {cite} at the {level} level calls it an outlier: G is {g}, above the critical "
    "value {critical}; it is kept in every number.": (
        "Le test de Grubbs {cite} au seuil de {level} la dit aberrante\u00a0: G vaut {g}, plus "
        "que la valeur critique {critical}\u202f; elle est gardée dans tous les nombres."
    ),
    "Grubbs’ test {cite} at the {level} level calls no run of it an outlier: G is {g}, not above "
    "the critical value {critical}.": (
        "Le test de Grubbs {cite} au seuil de {level} n’y dit aucune exécution aberrante\u00a0: G "
        "vaut {g}, pas au-dessus de la valeur critique {critical}."
    ),
    "From {first} to {last} the {select} {metric} of the run of {group} varies by {low}.": (
        "{metric:Le} {select:sur} de l’exécution de {group} varie de {low}, {first:du} {last:au}."
    ),
    "From {first} to {last} the {select} {metric} of {group}, {run} varies by {low}.": (
        "{metric:Le} {select:sur} de {group}, {run} varie de {low}, {first:du} {last:au}."
    ),
    "Left out, for not every value from {first} to {last} is there: {runs}.": (
        "Non comparé, faute de toutes les valeurs, {first:du} {last:au}\u202f: {runs}."
    ),
    "From {first} to {last} the {select} {metric} of each run of {group} varies by {low}.": (
        "{metric:Le} {select:sur} de chaque exécution de {group} varie de {low}, {first:du} "
        "{last:au}."
    ),
    "From {first} to {last} the {select} {metric} of a run of {group} varies by {low} ({steady}) "
    "to {high} ({other}).": (
        "{metric:Le} {select:sur} d’une exécution de {group} varie, {first:du} {last:au}, de {low} "
        "({steady}) à {high} ({other})."
    ),
    "{some:cap} of {all} runs reaches the best {select} {metric} at more than one step ({who}); "
    "the first was taken.": (
        "{some:cap} des {all} exécutions atteint la meilleure valeur {metric:du} {select:sur} à "
        "plus d’un pas ({who})\u202f; le premier a été pris."
    ),
    "{some:cap} of {all} runs reaches the best {select} {metric} at more than one step ({who}); "
    "the last was taken.": (
        "{some:cap} des {all} exécutions atteint la meilleure valeur {metric:du} {select:sur} à "
        "plus d’un pas ({who})\u202f; le dernier a été pris."
    ),
    "{some:cap} of {all} runs reach the best {select} {metric} at more than one step ({who}); the "
    "first was taken.": (
        "{some:cap} des {all} exécutions atteignent la meilleure valeur {metric:du} {select:sur} "
        "à plus d’un pas ({who})\u202f; le premier a été pris."
    ),
    "{some:cap} of {all} runs reach the best {select} {metric} at more than one step ({who}); the "
    "last was taken.": (
        "{some:cap} des {all} exécutions atteignent la meilleure valeur {metric:du} {select:sur} "
        "à plus d’un pas ({who})\u202f; le dernier a été pris."
    ),
    "Taking the first would change no result as printed.": (
        "Prendre le premier ne changerait aucun résultat imprimé."
    ),
    "Taking the last would change no result as printed.": (
        "Prendre le dernier ne changerait aucun résultat imprimé."
    ),
    "Taking the first would give {changes}.": "Prendre le premier donnerait {changes}.",
    "Taking the last would give {changes}.": "Prendre le dernier donnerait {changes}.",
    "{group} a mean of {other} instead of {own}": (
        "à {group} une moyenne de {other} au lieu de {own}"
    ),
    "{group} {other} instead of {own}": "à {group} {other} au lieu de {own}",
    "All runs were last evaluated at the same step, {step}.": (
        "Toutes les exécutions ont été évaluées pour la dernière fois au même pas, {step}."
    ),
    "The runs are not equally long: their last evaluations lie between step {low} and step "
    "{high}.": (
        "Les exécutions ne sont pas de même longueur\u00a0: leurs dernières évaluations se situent "
        "entre le pas {low} et le pas {high}."
    ),
    "{run} ends at step {step}": "{run} s’arrête au pas {step}",
    "Not every run of {group} reaches step {latest}: {ends}.": (
        "Le pas {latest} n’est pas atteint par chaque exécution de {group}\u202f: {ends}."
    ),
    "From step {step} on, the {split} loss of {run} is NaN or infinite.": (
        "À partir du pas {step}, la perte {split:sur} de {run} est NaN ou infinie."
    ),
    "From step {step} on, the {split} {metric} of {run} is NaN or infinite.": (
        "À partir du pas {step}, la valeur {metric:du} {split:sur} de {run} est NaN ou infinie."
    ),
    "All groups side by side": "Tous les groupes côte à côte",
    "{groups} ({value})": "{groups} ({value})",
    "{groups} ({value} each)": "{groups} ({value} chacun)",
    "From the best to the weakest {split} {metric}, means as printed: {groups}.": (
        "Du meilleur au plus faible pour {metric:le} {split:sur}, moyennes telles qu’imprimées"
        "\u00a0: {groups}."
    ),
    "From the best to the weakest {split} {metric}, as printed, of several runs the mean: "
    "{groups}.": (
        "Du meilleur au plus faible pour {metric:le} {split:sur}, valeurs telles qu’imprimées, "
        "moyenne s’il y a plusieurs exécutions\u00a0: {groups}."
    ),
    "Difference of the mean {split} {metric}{unit} at the best step for every two groups, {how}. "
    "The last column holds for all {count} pairs at once.": (
        "Différence des moyennes {metric:du} {split:sur}{unit} au meilleur pas pour chaque paire "
        "de groupes, {how}. La dernière colonne vaut pour les {count} paires à la fois."
    ),
    "Groups": "Groupes",
    "Difference{gap}": "Différence{gap}",
    "Interval for all pairs": "Intervalle pour toutes les paires",
    "paired by seed": "appariée par graine",
    "by Welch’s method": "par la méthode de Welch",
    "paired by seed where both have the same seeds, else by Welch’s method": (
        "appariée par graine si les deux ont les mêmes graines, sinon par la méthode de Welch"
    ),
    "{first} minus {second}": "{first} moins {second}",
    "No {level} interval could be computed: {why}.": (
        "Aucun intervalle à {level} n’a pu être calculé\u202f: {why}."
    ),
    "No {level} interval excludes zero.": "Aucun intervalle à {level} n’exclut zéro.",
    "The {level} interval excludes zero for {pairs}.": (
        "L’intervalle à {level} exclut zéro pour {pairs}."
    ),
    "Each of these intervals holds by itself: the more pairs there are, the likelier one of them "
    "excludes zero by chance. At the level that makes all of them hold together at {level} "
    "(Bonferroni {cite}), {which}.": (
        "Chacun de ces intervalles vaut par lui-même\u00a0: plus il y a de paires, plus il est "
        "probable que l’un d’eux exclue zéro par hasard. Au niveau qui les fait valoir tous "
        "ensemble à {level} (Bonferroni {cite}), {which}."
    ),
    "none excludes zero": "aucun n’exclut zéro",
    "the same ones exclude zero": "les mêmes excluent zéro",
    "the only one that excludes zero is that for {pair}": (
        "le seul qui exclue zéro est celui qui concerne {pair}"
    ),
    "those that exclude zero are the ones for {pairs}": (
        "ceux qui excluent zéro concernent {pairs}"
    ),
    "The {count} pairs of groups with three runs or more are too many for a table; two groups can "
    "be named under {key} in the study file.": (
        "Les {count} paires de groupes de trois exécutions ou plus sont trop nombreuses pour un "
        "tableau\u202f; deux groupes peuvent être nommés sous {key} dans le fichier d’étude."
    ),
}
