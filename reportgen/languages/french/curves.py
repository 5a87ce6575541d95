"""Training curves: captions, axes, and what the pictures show in words."""

from __future__ import annotations

MESSAGES = {
    "The axis of values follows the other runs: what of {names} lies beyond it is not drawn.": (
        "L’axe des valeurs suit les autres exécutions\u202f: ce qui, pour {names}, se trouve "
        "au-delà n’est pas tracé."
    ),
    "On it the logarithms of the values are smoothed.": (
        "Sur cet axe, ce sont les logarithmes des valeurs qui sont lissés."
    ),
    "It is cut off where no {metric} can lie.": (
        "Elle est coupée là où aucune valeur {metric:du} n’est possible."
    ),
    "It is cut off at zero: no {metric} below it was logged.": (
        "Elle est coupée à zéro\u202f: aucune valeur {metric:du} plus basse n’est journalisée."
    ),
    "A whisker is cut off where no {metric} can lie.": (
        "Une moustache est coupée là où aucune valeur {metric:du} n’est possible."
    ),
    "A whisker is cut off at zero: no {metric} below it was logged.": (
        "Une moustache est coupée à zéro\u202f: aucune valeur {metric:du} plus basse n’est "
        "journalisée."
    ),
    # Panels.
    "Training": "Entraînement",
    "Validation": "Validation",
    "Test": "Test",
    "step (optimizer updates)": "pas (d’optimisation)",
    "{split} {metric}": "{metric} {split:sur}",
    "{split} {metric} (%)": "{metric} {split:sur} (%)",
    "no data": "aucune donnée",
    # Counts behind a mean.
    "no value": "aucune valeur",
    "no values": "aucune valeur",
    "single run": "exécution unique",
    "n = {low} to {high}": "n = {low} à {high}",
    "; ": "\u202f; ",
    # The section and its captions.
    "The axis of values is logarithmic: some lie far above the rest.": (
        "L’axe des valeurs est logarithmique\u202f: quelques-unes sont bien au-dessus des autres."
    ),
    "The axis of values is logarithmic where its marks are powers of ten: some lie far above the "
    "rest.": (
        "L’axe des valeurs est logarithmique là où ses marques sont des puissances de dix\u202f: "
        "quelques valeurs sont bien au-dessus des autres."
    ),
    "Losses are as the Hugging Face Trainer logs them: cross-entropies are in nats.": (
        "Les pertes sont telles que le Trainer de Hugging Face les a enregistrées\u202f: les "
        "entropies croisées sont en nats."
    ),
    "Training curves": "Courbes d’entraînement",
    "Not drawn, because no run logged {metric} on validation or test: {groups}.": (
        "Non tracés, car aucune exécution n’a journalisé {metric:le} sur la validation ni sur "
        "le test\u202f: {groups}."
    ),
    "Not drawn, because the metric is not known: {groups}.": (
        "Non tracés, car la mesure n’est pas connue\u202f: {groups}."
    ),
    "{figure} shows how the runs went.": "La {figure} montre le déroulement des exécutions.",
    "{first} to {last} show how the runs went.": (
        "Le déroulement des exécutions est montré de la {first} à la {last}."
    ),
    "Smoothed curves are for the eye alone: results, and the choice of each best step on "
    "{split}, come from the values as logged.": (
        "Les courbes lissées ne servent qu’à l’œil\u202f: les résultats, et le choix de chaque "
        "meilleur pas {split:sur}, reposent sur les valeurs journalisées."
    ),
    "{n} run": "{n} exécution",
    "{n} runs": "{n} exécutions",
    "{n} run of {group}": "{n} exécution de {group}",
    "{n} runs of {group}": "{n} exécutions de {group}",
    "{metric:cap} on {split} of {runs}, as logged": (
        "{metric:cap} de {runs} {split:sur}, valeurs journalisées"
    ),
    "{metric:cap} on {first} and {second} of {runs}, as logged": (
        "{metric:cap} de {runs} {first:sur} et {second:sur}, valeurs journalisées"
    ),
    "; colour and dashes tell the group, markers the run.": (
        "\u202f; la couleur et les tirets distinguent les groupes, les symboles les exécutions."
    ),
    "; colour and dashes tell the group.": (
        "\u202f; la couleur et les tirets distinguent les groupes."
    ),
    "; markers tell the run.": "\u202f; les symboles distinguent les exécutions.",
    "{metric:cap} on {split} of {runs}, smoothed ({smoothing}), with the values as logged "
    "faint behind.": (
        "{metric:cap} de {runs} {split:sur}, courbes lissées ({smoothing}), avec les valeurs "
        "journalisées en clair à l’arrière-plan."
    ),
    "{metric:cap} on {first} and {second} of {runs}, smoothed ({smoothing}), with the values "
    "as logged faint behind.": (
        "{metric:cap} de {runs} {first:sur} et {second:sur}, courbes lissées ({smoothing}), "
        "avec les valeurs journalisées en clair à l’arrière-plan."
    ),
    "TensorBoard's debiased exponential moving average, weight {weight}": (
        "moyenne mobile exponentielle débiaisée de TensorBoard, poids {weight}"
    ),
    "The best step is chosen on the values as logged, never on smoothed ones.": (
        "Le meilleur pas est choisi sur les valeurs journalisées, jamais sur des valeurs lissées."
    ),
    "Mean {metric} of each group over its seeds on {split}.": (
        "Moyenne {metric:du} de chaque groupe sur ses graines, {split:sur}."
    ),
    "Mean {metric} of each group over its seeds on {first} and {second}.": (
        "Moyenne {metric:du} de chaque groupe sur ses graines, {first:sur} et {second:sur}."
    ),
    "No group has the three runs that a standard deviation asks for.": (
        "Aucun groupe n’a les trois exécutions que demande un écart type."
    ),
    "The band is the mean ± one {std}; there is none where fewer than three runs have a value.": (
        "La bande est la moyenne ± un {std}\u202f; il n’y en a pas là où moins de trois "
        "exécutions ont une valeur."
    ),
    "The {n} runs are too many to be drawn one by one.": (
        "Les {n} exécutions sont trop nombreuses pour être tracées une à une."
    ),
    "{count} groups, {n} in each.": "{count} groupes, {n} pour chacun.",
    "{group}: {n}": "{group}\u202f: {n}",
    "No value: {runs}.": "Sans valeur\u202f: {runs}.",
    "No value: {runs}; and {count} more.": "Sans valeur\u202f: {runs}\u202f; et {count} autres.",
    "{group} ({reason})": "{group} ({reason})",
    "{group}, seed {seed} ({reason})": "{group}, graine {seed} ({reason})",
    "one dot a run": "un point par exécution",
    "an upright bar at the mean": "une barre verticale à la moyenne",
    "a whisker for the {level} t interval of the mean (three runs or more)": (
        "une moustache pour l’intervalle de Student à {level} de la moyenne (trois exécutions "
        "ou plus)"
    ),
    "{split:cap} {metric} at the step with the lowest {select} {metric}: {shown}. The axis is "
    "fitted to the values.": (
        "{metric:cap} {split:sur} au pas où {metric:le} {select:sur} est au plus bas\u202f: "
        "{shown}. L’axe est ajusté aux valeurs."
    ),
    "{split:cap} {metric} at the step with the highest {select} {metric}: {shown}. The axis is "
    "fitted to the values.": (
        "{metric:cap} {split:sur} au pas où {metric:le} {select:sur} est au plus haut\u202f: "
        "{shown}. L’axe est ajusté aux valeurs."
    ),
    "The same split chose the step, which makes these values optimistic.": (
        "La même partition a choisi le pas, ce qui rend ces valeurs optimistes."
    ),
    "{split:cap} loss of {runs}.": "Perte {split:sur} de {runs}.",
    "{first:cap} and {second} loss of {runs}.": "Perte {first:sur} et {second:sur} de {runs}.",
    "{split:cap} loss of {runs}, smoothed ({smoothing}), raw values faint behind.": (
        "Perte {split:sur} de {runs}, courbes lissées ({smoothing}), valeurs brutes en clair à "
        "l’arrière-plan."
    ),
    "{first:cap} and {second} loss of {runs}, smoothed ({smoothing}), raw values faint behind.": (
        "Perte {first:sur} et {second:sur} de {runs}, courbes lissées ({smoothing}), valeurs "
        "brutes en clair à l’arrière-plan."
    ),
    # Alternative texts.
    "{split:cap} {metric} by {axis}.": "{metric:cap} {split:sur}, par {axis}.",
    "{split:cap} {metric} by {axis}, smoothed.": (
        "{metric:cap} {split:sur}, par {axis}, après lissage."
    ),
    "{split:cap}, mean {metric} by {axis}.": "Moyenne {metric:du} {split:sur}, par {axis}.",
    "Dot plot of {what}. {dots}.": "Diagramme de points\u202f: {what}. {dots}.",
    "{group}: {lines}.": "{group}\u202f: {lines}.",
    "{label} no finite value": "{label}, aucune valeur finie",
    "{label}: no finite value": "{label}\u202f: aucune valeur finie",
    "{label} {start} at {axis} {first}": "{label}, {start} {axis:au} {first}",
    "{label} from {start} at {axis} {first} to {end} at {last}": (
        "{label}, de {start} {axis:au} {first} à {end} {axis:au} {last}"
    ),
    "{count} value not finite": "{count} valeur non finie",
    "{count} values not finite": "{count} valeurs non finies",
    "lowest there": "au plus bas à cet endroit",
    "highest there": "au plus haut à cet endroit",
    "lowest {best} first at {axis} {x}": "plus basse valeur {best} atteinte d’abord {axis:au} {x}",
    "highest {best} first at {axis} {x}": "plus haute valeur {best} atteinte d’abord {axis:au} {x}",
    "lowest {best} at {axis} {x}": "plus basse valeur {best} {axis:au} {x}",
    "highest {best} at {axis} {x}": "plus haute valeur {best} {axis:au} {x}",
    "{group}: {count} run": "{group}\u202f: {count} exécution",
    "{group}: {count} runs": "{group}\u202f: {count} exécutions",
    "no finite value": "aucune valeur finie",
    "last value {value}": "dernière valeur {value}",
    "last values from {low} to {high}": "dernières valeurs de {low} à {high}",
    "{label}: from {first} to {last}": "{label}\u202f: de {first} à {last}",
    "largest standard deviation {value}": "plus grand écart type {value}",
    "From highest to lowest at {axis} {x}: {listed}.": (
        "Par ordre décroissant {axis:au} {x}\u202f: {listed}."
    ),
    "{label}: no value": "{label}\u202f: aucune valeur",
    "{label}: {values}": "{label}\u202f: {values}",
    "mean {mean}": "moyenne {mean}",
    "interval {low} to {high}": "intervalle {low} à {high}",
    # Many runs at once.
    "all groups": "tous les groupes",
    "{count} other groups": "{count} autres groupes",
    "{count} values from {low} to {high}": "{count} valeurs de {low} à {high}",
    "{split:cap}, median {metric} by {axis}.": "Médiane {metric:du} {split:sur}, par {axis}.",
    "nine in ten at last from {low} to {high}": "neuf sur dix à la fin entre {low} et {high}",
    "Too many to be drawn one by one: the line is the median of the runs, and the band holds "
    "nine in ten of them (from quantile 0.05 to 0.95), where half of them or more have a value.": (
        "Trop nombreuses pour être tracées une à une\u202f: la ligne est la médiane des "
        "exécutions, et la bande en contient neuf sur dix (du quantile 0,05 au quantile 0,95), "
        "là où la moitié d’entre elles au moins ont une valeur."
    ),
    "Each run counts with its mean in each of {count} equal stretches of the axis.": (
        "Chaque exécution compte par sa moyenne dans chacun de {count} tronçons égaux de l’axe."
    ),
    "Beside all groups together stand the medians of the {ends} groups with the best and the "
    "{ends} with the weakest result.": (
        "À côté de l’ensemble des groupes figurent les médianes des {ends} groupes au meilleur "
        "résultat et des {ends} au plus faible."
    ),
    "Drawn are {shown} of {groups} groups, at even distances in the order of the report; "
    "the courses of the others are in the logs.": (
        "Sont dessinés {shown} groupes sur {groups}, à intervalles réguliers dans l’ordre du "
        "rapport\u202f; le parcours des autres est dans les journaux."
    ),
    "Drawn are {shown} of {groups} groups, those with a result; the courses of the others "
    "are in the logs.": (
        "Sont dessinés {shown} groupes sur {groups}, ceux qui ont un résultat\u202f; le parcours "
        "des autres est dans les journaux."
    ),
    "Drawn are {shown} of {groups} groups: those with a result and, at even distances in the "
    "order of the report, some without; the courses of the others are in the logs.": (
        "Sont dessinés {shown} groupes sur {groups}\u202f: ceux qui ont un résultat et, à "
        "intervalles réguliers dans l’ordre du rapport, quelques-uns qui n’en ont pas\u202f; le "
        "parcours des autres est dans les journaux."
    ),
    "Drawn are the groups with the best and with the weakest result of each of {tasks} tasks, "
    "those with the most groups.": (
        "Sont tracés les groupes au meilleur et au plus faible résultat de chacune de {tasks} "
        "tâches, celles qui ont le plus de groupes."
    ),
    "Drawn are the {ends} groups with the best and the {ends} with the weakest result, and "
    "between them one dot for the mean of each other group.": (
        "Sont tracés les {ends} groupes au meilleur résultat et les {ends} au plus faible, et "
        "entre eux un point pour la moyenne de chacun des autres groupes."
    ),
}
