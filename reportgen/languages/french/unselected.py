"""Values by which no step was chosen."""

from __future__ import annotations

MESSAGES = {
    # What they are.
    "No run has a {select} {metric} that could choose a step: reported is what each run logged "
    "last.": (
        "Dans aucune exécution, {metric:le} {select:sur} ne permet de choisir un pas\u202f: on "
        "rapporte ce que chaque exécution a journalisé en dernier."
    ),
    "The logs do not say on which split these values were measured: none of them is a test "
    "result.": (
        "Les journaux ne disent pas sur quelle partition ces valeurs ont été mesurées\u202f: "
        "aucune n’est un résultat de test."
    ),
    "These values were measured on the data of training: none of them is a test result.": (
        "Ces valeurs ont été mesurées sur les données d’entraînement\u202f: aucune n’est un "
        "résultat de test."
    ),
    "These values were measured on the validation split: none of them is a test result.": (
        "Ces valeurs ont été mesurées sur la partition de validation\u202f: aucune n’est un "
        "résultat de test."
    ),
    "These values were measured on the test split, at a step that was not chosen by them.": (
        "Ces valeurs ont été mesurées sur la partition de test, à un pas qu’elles n’ont pas choisi."
    ),
    "The best value of a curve is chosen by that very curve: it looks better than it is, the more "
    "so the longer and the noisier the curve, and is no result.": (
        "La meilleure valeur d’une courbe est choisie par cette même courbe\u202f: elle paraît "
        "meilleure qu’elle n’est, d’autant plus que la courbe est longue et bruitée, et n’est pas "
        "un résultat."
    ),
    # How to have a step chosen.
    "To have a step chosen, log the metric on the {select} split (as {example}).": (
        "Pour qu’un pas soit choisi, journaliser la mesure {select:sur} (comme {example})."
    ),
    "To have a step chosen, log the metric on the {select} split (as {example}), or write {line} "
    "into a study file, which lets the data of training choose.": (
        "Pour qu’un pas soit choisi, journaliser la mesure {select:sur} (comme {example}), ou "
        "écrire {line} dans un fichier d’étude, ce qui laisse choisir les données d’entraînement."
    ),
    "To have a step chosen, log the metric on the {select} split (as {example}), or say in a study "
    "file which split {tag} is of: {line}.": (
        "Pour qu’un pas soit choisi, journaliser la mesure {select:sur} (comme {example}), ou "
        "indiquer dans un fichier d’étude à quelle partition appartient {tag}\u202f: {line}."
    ),
    # Groups.
    "No run of {group} has a last {what}": (
        "Aucune exécution de {group} n’a de dernière valeur {what:du}"
    ),
    "No run of {group} has a last {what}: {why}": (
        "Aucune exécution de {group} n’a de dernière valeur {what:du}\u202f: {why}"
    ),
    "None of the {n} groups of runs has a last {what}.": (
        "Aucun des {n} groupes d’exécutions n’a de dernière valeur {what:du}."
    ),
    "The last {what} of {group} is {values} in a single run": (
        "La dernière valeur {what:du} de {group} est {values} dans une exécution unique"
    ),
    "The last {what} of {group} is {values} in one of its {all} runs": (
        "La dernière valeur {what:du} de {group} est {values} dans une de ses {all} exécutions"
    ),
    "The last {what} of {group} is {values} in two of its {all} runs": (
        "La dernière valeur {what:du} de {group} est {values} dans deux de ses {all} exécutions"
    ),
    "These runs were logged last at different steps, from {first} to {last}: runs of unlike length "
    "are no equal comparison.": (
        "Ces exécutions s’arrêtent à des pas différents, de {first} à {last}\u202f: des exécutions "
        "de longueur inégale ne se comparent pas à égalité."
    ),
    "Of {all} run declared or found, {n} has no last {what} and counts in no mean of last values: "
    "{why}.": (
        "Sur {all} exécution déclarée ou trouvée, {n} n’a pas de dernière valeur {what:du} et ne "
        "compte dans aucune moyenne des dernières valeurs\u202f: {why}."
    ),
    "Of {all} runs declared or found, {n} has no last {what} and counts in no mean of last values: "
    "{why}.": (
        "Sur {all} exécutions déclarées ou trouvées, {n} n’a pas de dernière valeur {what:du} et "
        "ne compte dans aucune moyenne des dernières valeurs\u202f: {why}."
    ),
    "Of {all} runs declared or found, {n} have no last {what} and count in no mean of last values: "
    "{why}.": (
        "Sur {all} exécutions déclarées ou trouvées, {n} n’ont pas de dernière valeur {what:du} et "
        "ne comptent dans aucune moyenne des dernières valeurs\u202f: {why}."
    ),
    "The last {what} of {group} is {values} in its two runs": (
        "La dernière valeur {what:du} de {group} est {values} dans ses deux exécutions"
    ),
    "The mean last {what} of {group} is {value} over {n} seeds": (
        "La dernière valeur {what:du} de {group} est en moyenne {value} sur {n} graines"
    ),
    "The mean last {what} of {group} is {value} over {n} runs": (
        "La dernière valeur {what:du} de {group} est en moyenne {value} sur {n} exécutions"
    ),
    "The mean last {what} of {n} groups of runs lies between {low} and {high}.": (
        "La moyenne des dernières valeurs {what:du} de {n} groupes d’exécutions est comprise entre "
        "{low} et {high}."
    ),
    "The last {what} of {n} groups of runs lies between {low} and {high}.": (
        "La dernière valeur {what:du} de {n} groupes d’exécutions est comprise entre {low} et "
        "{high}."
    ),
    "groups of runs with a value": "groupes d’exécutions ayant une valeur",
    # The table of the summary.
    "Last {what}{unit} of the runs: {spread}.": (
        "Dernière valeur {what:du}{unit} des exécutions\u202f: {spread}."
    ),
    "The interval is the half width of the {level} t interval of the mean last value.": (
        "L’intervalle est la demi-largeur de l’intervalle de Student à {level} de la moyenne des "
        "dernières valeurs."
    ),
    "The end is the mean over the last tenth of the points of a run, at most {most}; NaN and "
    "infinite values are left out.": (
        "La fin est la moyenne sur le dernier dixième des points d’une exécution, au plus {most}"
        "\u202f; les valeurs NaN et infinies sont laissées de côté."
    ),
    "{table} has a row for each group; n counts its runs with a last value. The runs stand one by "
    "one in {runs}.": (
        "Le {table} a une ligne par groupe\u202f; n compte ses exécutions qui ont une dernière "
        "valeur. Les exécutions figurent une à une dans le {runs}."
    ),
    "In full, {table} has a row for each group; n counts its runs with a last value. The runs "
    "stand one by one in {runs}.": (
        "Entier, le {table} a une ligne par groupe\u202f; n compte ses exécutions qui ont une "
        "dernière valeur. Les exécutions figurent une à une dans le {runs}."
    ),
    "A single value may be an accident of its step: the end of a run is the mean over the last "
    "tenth of its points, which were fixed before anybody saw them.": (
        "Une valeur isolée peut tenir au hasard de son pas\u202f: la fin d’une exécution est la "
        "moyenne sur le dernier dixième de ses points, fixé avant que personne ne les ait vus."
    ),
    "Last value": "Dernière valeur",
    "End": "Fin",
    # The section.
    "Values as logged": "Valeurs journalisées",
    "Smallest value": "Plus petite valeur",
    "Largest value": "Plus grande valeur",
    "{value} at step {step}": "{value} au pas {step}",
    "Metric": "Mesure",
    "{what:cap}{unit} of each run at its last step, and where it was largest (of equal values the "
    "first).": (
        "{what:cap}{unit} de chaque exécution à son dernier pas, et là où la valeur est la plus "
        "grande (la première de valeurs égales)."
    ),
    "{what:cap}{unit} of each run at its last step, and where it was smallest (of equal values the "
    "first).": (
        "{what:cap}{unit} de chaque exécution à son dernier pas, et là où la valeur est la plus "
        "petite (la première de valeurs égales)."
    ),
    "{what:cap}{unit} of each run at its last step, and where it was smallest and largest (of "
    "equal values the first).": (
        "{what:cap}{unit} de chaque exécution à son dernier pas, et là où la valeur est la plus "
        "petite et la plus grande (la première de valeurs égales)."
    ),
    "Other metrics of the same runs: the last value, {spread}, and the smallest and the largest "
    "value of any run of the group.": (
        "Autres mesures des mêmes exécutions\u202f: la dernière valeur, {spread}, et la plus "
        "petite et la plus grande valeur d’une exécution du groupe."
    ),
    "Printed here are the first {first} of {groups} groups.": (
        "Sont imprimés ici les {first} premiers des {groups} groupes."
    ),
    # Curves.
    "Smoothed curves are for the eye alone: every number is of the values as logged.": (
        "Les courbes lissées ne servent qu’à l’œil\u202f: tous les nombres sont ceux des valeurs "
        "journalisées."
    ),
    "{what:cap} of {runs}, smoothed ({smoothing}), with the values as logged faint behind{key}": (
        "{what:cap} de {runs}, valeurs lissées ({smoothing}), les valeurs journalisées en clair "
        "derrière{key}"
    ),
    "{what:cap} of {runs}, as logged{key}": "{what:cap} de {runs}, valeurs journalisées{key}",
    "{what:cap} of {runs}, as logged.": "{what:cap} de {runs}, valeurs journalisées.",
    "Mean {what} of each group, as logged; the band reaches from the smallest to the largest value "
    "of its runs. Both are drawn where half of the runs or more have a value.": (
        "Moyenne {what:du} de chaque groupe, valeurs journalisées\u202f; la bande va de la plus "
        "petite à la plus grande valeur de ses exécutions. Les deux sont tracées là où la moitié "
        "des exécutions ou plus ont une valeur."
    ),
    "{what:cap} by {axis}, as logged: {lines}.": (
        "{what:cap} par {axis}, valeurs journalisées\u202f: {lines}."
    ),
    "Mean {what} by {axis}. {lines}.": "Moyenne {what:du} par {axis}. {lines}.",
    "{label} from {start} at {axis} {first} to {end} at {last} ({n})": (
        "{label} de {start} {axis:au} {first} à {end} {axis:au} {last} ({n})"
    ),
    "{label} from {start} around {axis} {first} to {end} around {last} ({n})": (
        "{label} de {start} vers {axis:le} {first} à {end} vers {axis:le} {last} ({n})"
    ),
    "there between {low} and {high}": "à cet endroit entre {low} et {high}",
    # How numbers were computed.
    "last {metric}": "{metric} au dernier pas",
    "{metric} at the last step": "{metric} au dernier pas",
    "{metric} at the end": "{metric} à la fin",
    "{metric} on {split} at the end": "{metric} {split:sur} à la fin",
    "smallest {metric}": "plus petite valeur {metric:du}",
    "smallest {metric} on {split}": "plus petite valeur {metric:du} {split:sur}",
    "largest {metric}": "plus grande valeur {metric:du}",
    "largest {metric} on {split}": "plus grande valeur {metric:du} {split:sur}",
    "mean of {metric} over the last {n} points": "moyenne {metric:du} sur les {n} derniers points",
    "mean of {metric} on {split} over the last {n} points": (
        "moyenne {metric:du} {split:sur} sur les {n} derniers points"
    ),
    "step of the value": "pas de la valeur",
    # Why there is no value.
    "the run has no value": "l’exécution n’a pas de valeur",
    "every value of {tag} in {run} is NaN or infinite": (
        "toutes les valeurs de {tag} dans {run} sont NaN ou infinies"
    ),
    "the last {n} points of {tag} in {run} are NaN or infinite": (
        "les {n} derniers points de {tag} dans {run} sont NaN ou infinis"
    ),
    "too few points of {tag} for an end, fewer than {n}, in {run}": (
        "trop peu de points de {tag} pour une fin, moins de {n}, dans {run}"
    ),
}
