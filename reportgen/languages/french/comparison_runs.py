"""How the runs of two groups go, which step is the best, and what training and tests say."""

from __future__ import annotations

_COURSE = {
    "{what} shrinks from {first} at {start} to {last} at {end}.": (
        "{what} décroît, de {first} {start:au} à {last} {end:au}."
    ),
    "{what} grows from {first} at {start} to {last} at {end}.": (
        "{what} croît, de {first} {start:au} à {last} {end:au}."
    ),
    "{what} is largest at {when} ({largest}).": "{what} est le plus grand {when:au} ({largest}).",
    "{what} is largest at {when} ({largest}); it is {others}.": (
        "{what} est le plus grand {when:au} ({largest})\u202f; il vaut {others}."
    ),
    "{std} at {moment}": "{std} {moment:au}",
    "The standard deviation of {group} over seeds on {split}": (
        "L’écart type de {group} entre graines {split:sur}"
    ),
    "The standard deviation of {group} over its runs on {split}": (
        "L’écart type de {group} entre ses exécutions {split:sur}"
    ),
    "On {split}, the only run of {group} improves at {low} of {count} {each}.": (
        "{split:Sur}, l’unique exécution de {group} progresse à {low} des {count} {each}."
    ),
    "On {split}, every run of {group} improves at {low} of {count} {each}.": (
        "{split:Sur}, chaque exécution de {group} progresse à {low} des {count} {each}."
    ),
    "On {split}, the runs of {group} improve at {low} to {high} of {count} {each}.": (
        "{split:Sur}, les exécutions de {group} progressent de {low} à {high} fois sur {count} "
        "{each}."
    ),
    "On {split}, the only run of {group} improves at every {each}.": (
        "{split:Sur}, l’unique exécution de {group} progresse à chaque {each}."
    ),
    "On {split}, the only run of {group} does not improve at every {each}.": (
        "{split:Sur}, l’unique exécution de {group} ne progresse pas à chaque {each}."
    ),
    "On {split}, the only run of {group} does not improve at every {each}: {reason}.": (
        "{split:Sur}, l’unique exécution de {group} ne progresse pas à chaque {each}\u202f: "
        "{reason}."
    ),
    "On {split}, every run of {group} improves at every {each} ({count} of {count}).": (
        "{split:Sur}, toutes les exécutions de {group} progressent à chaque {each} ({count} sur "
        "{count})."
    ),
    "On {split}, none of the {count} runs of {group} improves at every {each}: {runs}.": (
        "{split:Sur}, aucune des {count} exécutions de {group} ne progresse à chaque "
        "{each}\u202f: {runs}."
    ),
    "On {split}, {some} of the {count} runs of {group} improves at every {each}{names}; {runs}.": (
        "{split:Sur}, {some} des {count} exécutions de {group} progresse à chaque "
        "{each}{names}\u202f; {runs}."
    ),
    "On {split}, {some} of the {count} runs of {group} improve at every {each}{names}; {runs}.": (
        "{split:Sur}, {some} des {count} exécutions de {group} progressent à chaque "
        "{each}{names}\u202f; {runs}."
    ),
    "{run} does not at {setbacks}": "{run} ne progresse pas {setbacks:au}",
    "{run} has no finite value at {unknown}": "{run} n’a pas de valeur finie {unknown:au}",
    "{run} does not at {setbacks} and has no finite value at {unknown}": (
        "{run} ne progresse pas {setbacks:au} et n’a pas de valeur finie {unknown:au}"
    ),
    "At the best step the runs of {closer} lie closer together than those of {other} (standard "
    "deviation {small} against {large}).": (
        "Au meilleur pas, les exécutions de {closer} sont moins dispersées que celles de "
        "{other} (écart type {small} contre {large})."
    ),
    "NaN and infinite values take no part: {runs}.": (
        "Les valeurs NaN ou infinies n’entrent pas en compte\u202f: {runs}."
    ),
    "No run falls back between two evaluations at the ends of epochs on {split}.": (
        "Aucune exécution ne recule entre deux évaluations de fin d’époque {split:sur}."
    ),
    "No run falls back between two evaluations on {split}.": (
        "Aucune exécution ne recule entre deux évaluations {split:sur}."
    ),
    "The largest setback between two evaluations at the ends of epochs on {split} is {size} "
    "({where}).": (
        "Le plus grand recul entre deux évaluations de fin d’époque {split:sur} est de {size} "
        "({where})."
    ),
    "The largest setback between two evaluations on {split} is {size} ({where}).": (
        "Le plus grand recul entre deux évaluations {split:sur} est de {size} ({where})."
    ),
}

_SELECTION = {
    "The best step is the last one in every run ({total} of them).": (
        "Le meilleur pas est le dernier dans chaque exécution ({total} au total)."
    ),
    "The best step is the last one in {some} of {total} runs (not in {others}).": (
        "Le meilleur pas est le dernier dans {some} des {total} exécutions (mais non dans "
        "{others})."
    ),
    "The best step is the last one in none of {total} run.": (
        "Le meilleur pas n’est le dernier dans aucune exécution sur {total}."
    ),
    "The best step is the last one in none of {total} runs.": (
        "Le meilleur pas n’est le dernier dans aucune des {total} exécutions."
    ),
    "change the mean {split} {metric} of {group} from {best} to {last}": (
        "ferait passer la moyenne {metric:du} de {group} {split:sur} de {best} à {last}"
    ),
    "change the {split} {metric} of {group} from {best} to {last}": (
        "ferait passer la valeur {metric:du} de {group} {split:sur} de {best} à {last}"
    ),
    "change that of {group} from {best} to {last}": (
        "ferait passer celle de {group} de {best} à {last}"
    ),
    "leave the mean {split} {metric} of {group} at {best}": (
        "laisserait la moyenne {metric:du} de {group} {split:sur} à {best}"
    ),
    "leave the {split} {metric} of {group} at {best}": (
        "laisserait la valeur {metric:du} de {group} {split:sur} à {best}"
    ),
    "leave that of {group} at {best}": "laisserait celle de {group} à {best}",
    "Reading the last step instead would {changes}.": ("Retenir plutôt le dernier pas {changes}."),
    "Left out are the groups of runs with no value at their last step: {runs}.": (
        "Sont laissés de côté les groupes d’exécutions sans valeur à leur dernier pas\u202f: "
        "{runs}."
    ),
    "No run reaches its best {select} {metric} at two steps.": (
        "Aucune exécution n’atteint sa meilleure valeur {metric:de} {select:sur} à deux pas."
    ),
    "{some:cap} of {total} runs reaches the best {select} {metric} at more than one step "
    "({runs}); the first was taken.": (
        "{some:cap} des {total} exécutions atteint sa meilleure valeur {metric:de} {select:sur} à "
        "plus d’un pas ({runs})\u202f; le premier a été retenu."
    ),
    "{some:cap} of {total} runs reach the best {select} {metric} at more than one step "
    "({runs}); the first was taken.": (
        "{some:cap} des {total} exécutions atteignent leur meilleure valeur {metric:de} "
        "{select:sur} à plus d’un pas ({runs})\u202f; le premier a été retenu."
    ),
    "{some:cap} of {total} runs reaches the best {select} {metric} at more than one step "
    "({runs}); the last was taken.": (
        "{some:cap} des {total} exécutions atteint sa meilleure valeur {metric:de} {select:sur} à "
        "plus d’un pas ({runs})\u202f; le dernier a été retenu."
    ),
    "{some:cap} of {total} runs reach the best {select} {metric} at more than one step "
    "({runs}); the last was taken.": (
        "{some:cap} des {total} exécutions atteignent leur meilleure valeur {metric:de} "
        "{select:sur} à plus d’un pas ({runs})\u202f; le dernier a été retenu."
    ),
    "Taking the first would change neither mean as printed.": (
        "Retenir le premier ne changerait aucune des deux moyennes telles qu’imprimées."
    ),
    "Taking the last would change neither mean as printed.": (
        "Retenir le dernier ne changerait aucune des deux moyennes telles qu’imprimées."
    ),
    "Taking the first would give a mean of {changes}.": (
        "Retenir le premier donnerait une moyenne de {changes}."
    ),
    "Taking the last would give a mean of {changes}.": (
        "Retenir le dernier donnerait une moyenne de {changes}."
    ),
    "{mean} instead of {own} ({group})": "{mean} au lieu de {own} ({group})",
    "{mean} instead of {own} ({group}, over n = {n} instead of n = {own_n})": (
        "{mean} au lieu de {own} ({group}, sur n = {n} au lieu de n = {own_n})"
    ),
    "All runs of both groups were last evaluated at the same step, {step}.": (
        "Toutes les exécutions des deux groupes ont été évaluées pour la dernière fois au même "
        "pas, {step}."
    ),
    "between steps {first} and {last} ({group})": "entre les pas {first} et {last} ({group})",
    "at step {step} ({group})": "au pas {step} ({group})",
    "The runs are not equally long; they were last evaluated {groups}.": (
        "Les exécutions n’ont pas toutes la même longueur\u202f; dernière évaluation\u202f: "
        "{groups}."
    ),
}

_SPLITS = {
    "Training values are as a rule averages over the epoch, logged while the weights move; those "
    "of an evaluation are of the model as it stood at one step.": (
        "Les valeurs d’entraînement sont en règle générale des moyennes sur l’époque, journalisées "
        "pendant que les poids changent\u202f; celles d’une évaluation sont celles du modèle tel "
        "qu’il était à un pas donné."
    ),
    "Training and {select} of {group} are logged in different units.": (
        "L’entraînement et {select:le} de {group} sont journalisés dans des unités différentes."
    ),
    "At {moment} the mean training {metric} of {group} equals its mean {select} {metric}.": (
        "{moment:Au}, la moyenne {metric:du} de {group} à l’entraînement est égale à sa moyenne "
        "{select:sur}."
    ),
    "At {moment} the mean training {metric} of {group} equals, as printed, its mean {select} "
    "{metric}.": (
        "{moment:Au}, la moyenne {metric:du} de {group} à l’entraînement est égale, telle "
        "qu’imprimée, à sa moyenne {select:sur}."
    ),
    "At {moment} the mean training {metric} of {group} lies above its mean {select} {metric} "
    "({gap}).": (
        "{moment:Au}, la moyenne {metric:du} de {group} à l’entraînement est supérieure à sa "
        "moyenne {select:sur} ({gap})."
    ),
    "At {moment} the mean training {metric} of {group} lies below its mean {select} {metric} "
    "({gap}).": (
        "{moment:Au}, la moyenne {metric:du} de {group} à l’entraînement est inférieure à sa "
        "moyenne {select:sur} ({gap})."
    ),
    "At {moment} the training {metric} of the run of {group} equals its {select} {metric}.": (
        "{moment:Au}, {metric:le} de l’exécution de {group} à l’entraînement a la même valeur que "
        "{select:sur}."
    ),
    "At {moment} the training {metric} of the run of {group} equals, as printed, its {select} "
    "{metric}.": (
        "{moment:Au}, {metric:le} de l’exécution de {group} à l’entraînement a la même valeur "
        "imprimée que {select:sur}."
    ),
    "At {moment} the training {metric} of the run of {group} lies above its {select} {metric} "
    "({gap}).": (
        "{moment:Au}, {metric:le} de l’exécution de {group} a une valeur plus grande à "
        "l’entraînement que {select:sur} ({gap})."
    ),
    "At {moment} the training {metric} of the run of {group} lies below its {select} {metric} "
    "({gap}).": (
        "{moment:Au}, {metric:le} de l’exécution de {group} a une valeur plus petite à "
        "l’entraînement que {select:sur} ({gap})."
    ),
    "In all {total} runs of {group} the {select} loss is lowest before the last evaluation, while "
    "the training loss is lower at the end than at that point.": (
        "Dans chacune des {total} exécutions de {group}, la perte {select:sur} est la plus basse "
        "avant la dernière évaluation, alors que la perte à l’entraînement est plus basse à la fin "
        "qu’à ce moment-là."
    ),
    "In the only run of {group} the {select} loss is lowest before the last evaluation, while the "
    "training loss is lower at the end than at that point.": (
        "Dans la seule exécution de {group}, la perte {select:sur} est la plus basse "
        "avant la dernière évaluation, alors que la perte à l’entraînement est plus basse à la fin "
        "qu’à ce moment-là."
    ),
    "In {some} of {total} run of {group} the {select} loss is lowest before the last evaluation, "
    "while the training loss is lower at the end than at that point.": (
        "Dans {some} exécution sur {total} de {group}, la perte {select:sur} est la plus basse "
        "avant la dernière évaluation, alors que la perte à l’entraînement est plus basse à la fin "
        "qu’à ce moment-là."
    ),
    "In {some} of {total} runs of {group} the {select} loss is lowest before the last evaluation, "
    "while the training loss is lower at the end than at that point.": (
        "Dans {some} des {total} exécutions de {group}, la perte {select:sur} est la plus basse "
        "avant la dernière évaluation, alors que la perte à l’entraînement est plus basse à la fin "
        "qu’à ce moment-là."
    ),
    "No run of {group} has its lowest {select} loss before the last evaluation and a training loss "
    "that is lower at the end than at that point.": (
        "Aucune exécution de {group} n’a à la fois sa perte {select:sur} la plus basse avant la "
        "dernière évaluation et une perte à l’entraînement plus basse à la fin qu’à ce moment-là."
    ),
    "In the one comparable run of {group} the {select} loss is lowest before the last "
    "evaluation, while the training loss is lower at the end than at that point.": (
        "Dans la seule exécution comparable de {group}, la perte {select:sur} est la plus basse "
        "avant la dernière évaluation, alors que la perte à l’entraînement est plus basse à la fin "
        "qu’à ce moment-là."
    ),
    "The one comparable run of {group} does not have its lowest {select} loss before the last "
    "evaluation and a training loss that is lower at the end than at that point.": (
        "La seule exécution comparable de {group} n’a pas à la fois sa perte {select:sur} la plus "
        "basse avant la dernière évaluation et une perte à l’entraînement plus basse à la fin qu’à "
        "ce moment-là."
    ),
    "None of the {total} comparable runs of {group} has its lowest {select} loss before the last "
    "evaluation and a training loss that is lower at the end than at that point.": (
        "Aucune des {total} exécutions comparables de {group} n’a à la fois sa perte {select:sur} "
        "la plus basse avant la dernière évaluation et une perte à l’entraînement plus basse à la "
        "fin qu’à ce moment-là."
    ),
    "This is the error of the examples, which all runs share; neither the standard deviation over "
    "seeds nor the interval from it contains it.": (
        "C’est l’erreur due aux exemples, que toutes les exécutions partagent\u202f; ni l’écart "
        "type entre graines ni l’intervalle qui en découle ne la contient."
    ),
    "The mean {split} {metric} of {group}, {mean} measured on {n} examples, has a {level} Wilson "
    "interval {cited} from {low} to {high}{beside}.": (
        "La moyenne {metric:du} de {group} {split:sur}, {mean} pour {n} exemples, a un intervalle "
        "de Wilson à {level} {cited} de {low} à {high}{beside}."
    ),
    "The {split} {metric} of {group}, {mean} measured on {n} examples, has a {level} Wilson "
    "interval {cited} from {low} to {high}{beside}.": (
        "{metric:Le} de {group} {split:sur}, {mean} pour {n} exemples, a un intervalle de Wilson "
        "à {level} {cited} de {low} à {high}{beside}."
    ),
    "; it is wider than the t interval over seeds (half widths {own} and {seeds})": (
        "\u202f; il est plus large que l’intervalle de Student entre graines (demi-largeurs de "
        "{own} et de {seeds})"
    ),
    "; it is narrower than the t interval over seeds (half widths {own} and {seeds})": (
        "\u202f; il est plus étroit que l’intervalle de Student entre graines (demi-largeurs de "
        "{own} et de {seeds})"
    ),
}

MESSAGES = {**_COURSE, **_SELECTION, **_SPLITS}
