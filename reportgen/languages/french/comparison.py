"""Two groups side by side: the tables, and what the logs of both show."""

from __future__ import annotations

_TABLES = {
    "{first} against {second}": "{first} contre {second}",
    "No comparison of {first} and {second} is possible: {reason}.": (
        "Aucune comparaison de {first} et de {second} n’est possible\u202f: {reason}."
    ),
    "What the logs of {first} and {second} show, computed from the same values as the tables:": (
        "Ce que montrent les journaux de {first} et de {second}, calculé à partir des mêmes "
        "valeurs que les tableaux\u202f:"
    ),
    "The runs of {first} and of {second} have the same seeds, so their values are compared seed "
    "by seed (paired t {cited}).": (
        "Les exécutions de {first} et de {second} ont les mêmes graines\u202f: leurs valeurs sont "
        "comparées graine par graine (test t apparié {cited})."
    ),
    "The runs of {first} and of {second} have the same seeds, so their values are compared seed "
    "by seed.": (
        "Les exécutions de {first} et de {second} ont les mêmes graines\u202f: leurs valeurs sont "
        "comparées graine par graine."
    ),
    "The runs of {first} and of {second} do not have values for the same seeds, so their means "
    "are compared without pairing (Welch’s t {cited}).": (
        "Les exécutions de {first} et de {second} n’ont pas de valeurs pour les mêmes "
        "graines\u202f: leurs moyennes sont comparées sans appariement (test t de Welch {cited})."
    ),
    "The runs of {first} and of {second} do not have values for the same seeds, so their means "
    "are compared without pairing.": (
        "Les exécutions de {first} et de {second} n’ont pas de valeurs pour les mêmes "
        "graines\u202f: leurs moyennes sont comparées sans appariement."
    ),
    "The runs of {first} and of {second} cannot be paired by seed, so their means are compared "
    "without pairing (Welch’s t {cited}).": (
        "Les exécutions de {first} et de {second} ne peuvent pas être appariées par graine\u202f: "
        "leurs moyennes sont comparées sans appariement (test t de Welch {cited})."
    ),
    "The runs of {first} and of {second} cannot be paired by seed, so their means are compared "
    "without pairing.": (
        "Les exécutions de {first} et de {second} ne peuvent pas être appariées par graine\u202f: "
        "leurs moyennes sont comparées sans appariement."
    ),
    "No p-value is given: {reason}.": "Aucune valeur p n’est donnée\u202f: {reason}.",
    "The interval of the difference says more than the p-value: at so small an n the latter rests "
    "on the assumption that the values are normally distributed, and an exact sign-flip test could "
    "not fall below the last line of the table.": (
        "L’intervalle de la différence en dit plus que la valeur p\u202f: avec un n aussi petit, "
        "celle-ci repose sur l’hypothèse que les valeurs suivent une loi normale, et un test exact "
        "par inversion de signes ne pourrait pas descendre au-dessous de la dernière ligne du "
        "tableau."
    ),
    "The interval of the difference says more than the p-value: at so small an n the latter rests "
    "on the assumption that the values are normally distributed, and an exact permutation test "
    "could not fall below the last line of the table.": (
        "L’intervalle de la différence en dit plus que la valeur p\u202f: avec un n aussi petit, "
        "celle-ci repose sur l’hypothèse que les valeurs suivent une loi normale, et un test exact "
        "par permutation ne pourrait pas descendre au-dessous de la dernière ligne du tableau."
    ),
    "Mean": "Moyenne",
    "Seed": "Graine",
    "Difference": "Différence",
    "Quantity": "Grandeur",
    "Value": "Valeur",
    "{split:cap} {metric}{unit} at the best {select} step, seed by seed, for n = {n} pair of runs; "
    "difference: {first} minus {second}.": (
        "{metric:cap}{unit} {split:sur} au meilleur pas {select:sur}, graine par graine, pour "
        "n = {n} paire d’exécutions\u202f; différence\u202f: {first} moins {second}."
    ),
    "{split:cap} {metric}{unit} at the best {select} step, seed by seed, for n = {n} pairs of "
    "runs; difference: {first} minus {second}.": (
        "{metric:cap}{unit} {split:sur} au meilleur pas {select:sur}, graine par graine, pour "
        "n = {n} paires d’exécutions\u202f; différence\u202f: {first} moins {second}."
    ),
    "{low} to {high}": "{low} à {high}",
    "{level} interval": "Intervalle à {level}",
    "Degrees of freedom": "Degrés de liberté",
    "p, two-sided": "p, bilatéral",
    "Smallest p of an exact sign-flip test": (
        "Plus petit p d’un test exact par inversion de signes"
    ),
    "Smallest p of an exact permutation test": "Plus petit p d’un test exact par permutation",
    "—: {reason}.": "—\u202f: {reason}.",
    "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, "
    "{runs}.": (
        "Différence des moyennes {metric:du}{unit} {split:sur} au meilleur pas, {first} moins "
        "{second}, {runs}."
    ),
    "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, by "
    "the paired t test, {runs}.": (
        "Différence des moyennes {metric:du}{unit} {split:sur} au meilleur pas, {first} moins "
        "{second}, d’après le test t apparié, {runs}."
    ),
    "Difference of the mean {split} {metric}{unit} at the best step, {first} minus {second}, by "
    "Welch’s t test, {runs}.": (
        "Différence des moyennes {metric:du}{unit} {split:sur} au meilleur pas, {first} moins "
        "{second}, d’après le test t de Welch, {runs}."
    ),
    "n = {n} run a group": "n = {n} exécution par groupe",
    "n = {n} runs a group": "n = {n} exécutions par groupe",
    "n = {first} and n = {second} runs": "n = {first} et n = {second} exécutions",
    "{first} and {second} have {n} seeds in common. Paired over these alone, which leaves out "
    "{runs}, the difference is {difference}; {reason}.": (
        "{first} et {second} ont {n} graines en commun. Par appariement sur celles-ci seules, ce "
        "qui laisse de côté {runs}, la différence est de {difference}\u202f; {reason}."
    ),
    "{first} and {second} have {n} seeds in common. Paired over these alone, which leaves out "
    "{runs}, the difference is {difference} ({level} interval from {low} to {high}; two-sided p: "
    "{p}; smallest p of an exact sign-flip test: {floor}). The test of all runs counts every one "
    "of them, and takes those with a seed in common for independent of each other.": (
        "{first} et {second} ont {n} graines en commun. Par appariement sur celles-ci seules, ce "
        "qui laisse de côté {runs}, la différence est de {difference} (intervalle à {level} de "
        "{low} à {high}\u202f; p bilatéral\u202f: {p}\u202f; plus petit p d’un test exact par "
        "inversion de signes\u202f: {floor}). Le test sur toutes les exécutions compte chacune "
        "d’elles et tient pour indépendantes celles qui ont une graine en commun."
    ),
    "seeds that both have": "graines que les deux ont",
    "value at the best step of the runs with shared seeds": (
        "valeur au meilleur pas des exécutions dont la graine est commune"
    ),
}

_SUBJECTS = {
    "Ordering": "Ordre",
    "Separation": "Séparation",
    "Gap": "Écart",
    "Trend": "Tendance",
    "Convergence of seeds": "Convergence des graines",
    "Stability": "Stabilité",
    "Best and last step": "Meilleur et dernier pas",
    "Ties": "Ex æquo",
    "Length of training": "Longueur de l’entraînement",
    "Training and validation": "Entraînement et validation",
    "Error of the test set": "Erreur due à l’ensemble de test",
}

_MOMENTS = {
    "epoch {epoch}": "époque\u00a0{epoch}",
    "step {step}": "pas\u00a0{step}",
    "epochs {epochs}": "époques {epochs}",
    "steps {steps}": "pas {steps}",
    "{count} epochs": "{count} époques",
    "{count} evaluations": "{count} évaluations",
    "{some} of the {every}": "{some} des {every}",
    "{some} of {count} evaluations": "{some} des {count} évaluations",
    "each of the {every}": "chacune des {every}",
    "{start} to {end}": "{start:du} {end:au}",
    "; ": "\u202f; ",
    "{shown}; and {count} more": "{shown}\u202f; et {count} de plus",
}

_DISTANCE = {
    "On {split}, {sentence}": "{split:Sur}, {sentence}",
    "On {first} and on {second}, {sentence}": "{first:Sur} et {second:sur}, {sentence}",
    "the mean {metric} of {group} {relations}.": "la moyenne {metric:du} de {group} {relations}.",
    "lies above that of {other} at {when}": "est supérieure à celle de {other} {when:au}",
    "lies below that of {other} at {when}": "est inférieure à celle de {other} {when:au}",
    "equals that of {other} at {when}": "est égale à celle de {other} {when:au}",
    "equals that of {other}, as printed, at {when}": (
        "est égale, telle qu’imprimée, à celle de {other} {when:au}"
    ),
    "lies below it at {when}": "lui est inférieure {when:au}",
    "equals it at {when}": "lui est égale {when:au}",
    "equals it, as printed, at {when}": "lui est égale, telle qu’imprimée, {when:au}",
    "Left out, for not every run has a value there: {when}{runs}.": (
        "Non comparé, faute de valeur pour chaque exécution\u202f: {when}{runs}."
    ),
    "At the best step the ranges of {first} and {second} overlap: neither has all its runs above "
    "those of the other.": (
        "Au meilleur pas, les étendues de {first} et de {second} se recouvrent\u202f: aucun des "
        "deux groupes n’a toutes ses exécutions au-dessus de celles de l’autre."
    ),
    "At the best step every run of {upper} lies above every run of {lower}: the lowest {split} "
    "{metric} of the former is {low}, the highest of the latter {high}.": (
        "Au meilleur pas, chaque exécution de {upper} est au-dessus de chaque exécution de "
        "{lower}\u202f: le minimum {metric:du} {split:sur} vaut {low} pour le premier groupe, le "
        "maximum {high} pour le second."
    ),
    "The gap between the mean {split} {metric} of {first} and that of {second} is widest at "
    "{widest} and narrowest at {narrowest}.": (
        "L’écart entre la moyenne {metric:du} de {first} {split:sur} et celle de {second} est le "
        "plus grand {widest} et le plus petit {narrowest}."
    ),
    "{when} ({gap})": "{when:au} ({gap})",
    "It changes its sign: {first} at {start}, {last} at {end}.": (
        "Il change de signe\u202f: {first} {start:au}, {last} {end:au}."
    ),
    "It is the same at the end as at the start: {first} at {start}, {last} at {end}.": (
        "Il est le même à la fin qu’au début\u202f: {first} {start:au}, {last} {end:au}."
    ),
    "It is narrower at the end than at the start: {first} at {start}, {last} at {end}.": (
        "Il est plus petit à la fin qu’au début\u202f: {first} {start:au}, {last} {end:au}."
    ),
    "It is wider at the end than at the start: {first} at {start}, {last} at {end}.": (
        "Il est plus grand à la fin qu’au début\u202f: {first} {start:au}, {last} {end:au}."
    ),
    "Where every run has a value, it is the same at last as at first: {first} at {start}, {last} "
    "at {end}.": (
        "Là où chaque exécution a une valeur, il est le même en dernier lieu qu’en premier"
        "\u202f: {first} {start:au}, {last} {end:au}."
    ),
    "Where every run has a value, it is narrower at last than at first: {first} at {start}, {last} "
    "at {end}.": (
        "Là où chaque exécution a une valeur, il est plus petit en dernier lieu qu’en premier"
        "\u202f: {first} {start:au}, {last} {end:au}."
    ),
    "Where every run has a value, it is wider at last than at first: {first} at {start}, {last} at "
    "{end}.": (
        "Là où chaque exécution a une valeur, il est plus grand en dernier lieu qu’en premier"
        "\u202f: {first} {start:au}, {last} {end:au}."
    ),
    "NaN or infinite in {runs}": "NaN ou infini chez {runs}",
    "not logged by {runs}": "non journalisé par {runs}",
}

MESSAGES = {**_TABLES, **_SUBJECTS, **_MOMENTS, **_DISTANCE}
