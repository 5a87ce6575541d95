"""The ranked findings: heads that are claims, and the sentences that show them."""

from __future__ import annotations

_PAIR = {
    "{first:cap} beats {second} by {amount}.": "{first:cap} dépasse {second} de {amount}.",
    "{first:cap} is {amount} ahead of {second}.": "{first:cap} devance {second} de {amount}.",
    "{first:cap} and {second} cannot be told apart.": (
        "{first:cap} et {second} ne se distinguent pas."
    ),
    "The {level} interval of their difference, {low} to {high}, includes zero; the means are "
    "{amount} apart.": (
        "L’intervalle à {level} de leur différence, de {low} à {high}, contient zéro\u202f; les "
        "moyennes sont distantes de {amount}."
    ),
    "The {level} interval of the difference is {low} to {high}.": (
        "L’intervalle à {level} de la différence va de {low} à {high}."
    ),
    "Each is a single run: how far seeds lie apart is not known.": (
        "Chacun n’a qu’une exécution\u202f: l’écart entre graines n’est pas connu."
    ),
    "Fewer than three runs a group give no interval.": (
        "Moins de trois exécutions par groupe ne donnent pas d’intervalle."
    ),
    "Every run of {first} lies above every run of {second}: at least {worst} against at most "
    "{best}.": (
        "Chaque exécution de {first} est au-dessus de chaque exécution de {second}\u202f: au moins "
        "{worst} contre au plus {best}."
    ),
    "Every run of {first} lies below every run of {second}: at most {worst} against at least "
    "{best}.": (
        "Chaque exécution de {first} est au-dessous de chaque exécution de {second}\u202f: au plus "
        "{worst} contre au moins {best}."
    ),
    "{first:cap} is ahead from the first evaluation on.": (
        "{first:cap} est en tête dès la première évaluation."
    ),
    "On {split} the gap is closing.": "{split:Sur}, l’écart se resserre.",
    "On {split} the gap is opening.": "{split:Sur}, l’écart se creuse.",
    "The gap is closing.": "L’écart se resserre.",
    "The gap is opening.": "L’écart se creuse.",
    "It halves from {first} at {start} to {last} at {end}.": (
        "Il diminue de moitié, de {first} {start:au} à {last} {end:au}."
    ),
    "It falls from {first} at {start} to {last} at {end}.": (
        "Il tombe de {first} {start:au} à {last} {end:au}."
    ),
    "It grows from {first} at {start} to {last} at {end}.": (
        "Il passe de {first} {start:au} à {last} {end:au}."
    ),
    "On {split} it is wider at the end than at the start ({last} and {first}).": (
        "{split:Sur}, il est plus grand à la fin qu’au début ({last} et {first})."
    ),
    "On {split} it is narrower at the end than at the start ({last} and {first}).": (
        "{split:Sur}, il est plus petit à la fin qu’au début ({last} et {first})."
    ),
    "{first:cap} learns faster.": "{first:cap} apprend plus vite.",
    "After {start} it is at least as good as {second} after {end} ({own} and {goal}).": (
        "Après {start:le}, il vaut au moins {second} après {end:le} ({own} et {goal})."
    ),
    "After {start} it is within {distance} of where {second} is after {end} ({own} and {goal}).": (
        "Après {start:le}, il est à {distance} de là où {second} se trouve après {end:le} ({own} "
        "et {goal})."
    ),
    "{first:cap} leaves chance earlier.": "{first:cap} quitte plus tôt le niveau du hasard.",
    "{second:cap} is still at chance after {moment} ({value}).": (
        "{second:cap} est encore au niveau du hasard après {moment:le} ({value})."
    ),
    "{group:cap} does not beat chance.": "{group:cap} ne dépasse pas le hasard.",
    "It reaches {value}, guessing {chance}.": "Il atteint {value}, le hasard {chance}.",
}

_COURSE = {
    "{group:cap} is still improving at the end.": "{group:cap} progresse encore à la fin.",
    "Both groups are still improving at the end.": "Les deux groupes progressent encore à la fin.",
    "{some:cap} groups are still improving at the end.": (
        "{some:cap} groupes progressent encore à la fin."
    ),
    "in the last epoch": "à la dernière époque",
    "between the last two evaluations": "entre les deux dernières évaluations",
    "{group:cap} improved by {gain} {when}: {count} do not show where it would end.": (
        "{group:cap} gagne {gain} {when}\u202f: {count} ne montrent pas où il s’arrêterait."
    ),
    "{group:cap} improved by {gain} {when}, {other} by {less}: {count} do not show where {group} "
    "would end.": (
        "{group:cap} gagne {gain} {when}, {other} {less}\u202f: {count} ne montrent pas où {group} "
        "s’arrêterait."
    ),
    "{group:cap} improved by {gain} {when}, {other} by {less}: {count} do not show where either "
    "would end.": (
        "{group:cap} gagne {gain} {when}, {other} {less}\u202f: {count} ne montrent pas où l’un et "
        "l’autre s’arrêteraient."
    ),
    "{group:cap} over-fits.": "{group:cap} est en surapprentissage.",
    "From step {step} on the validation loss rises from {low} to {last}, while the training loss "
    "falls from {before} to {after}.": (
        "À partir du pas {step}, la perte sur la validation monte de {low} à {last}, tandis que "
        "celle de l’entraînement descend de {before} à {after}."
    ),
    "In {some} of {all} runs the validation loss rises again while the training loss falls, in one "
    "from {low} to {last} (training {before} to {after}).": (
        "Dans {some} exécutions sur {all}, la perte sur la validation remonte tandis que celle de "
        "l’entraînement descend, dans l’une de {low} à {last} (entraînement\u202f: de {before} à "
        "{after})."
    ),
    "{metric:cap} still gets better after that.": "{metric:Le} s’améliore encore ensuite.",
    "All runs of {task} reach the maximum.": (
        "Toutes les exécutions de {task} atteignent le maximum."
    ),
    "All runs reach the maximum.": "Toutes les exécutions atteignent le maximum.",
    "All {count} runs of {groups} groups reach {value}.": (
        "Les {count} exécutions des {groups} groupes atteignent toutes {value}."
    ),
    "All {count} runs of {task} reach {value}.": (
        "Les {count} exécutions de {task} atteignent toutes {value}."
    ),
    "Where all are equal the metric cannot tell them apart.": (
        "Où toutes sont égales, la mesure ne les distingue pas."
    ),
}

_TRAINING = {
    "The learning rate was still high at the end.": (
        "Le taux d’apprentissage était encore élevé à la fin."
    ),
    "Training stopped early.": "L’entraînement s’est arrêté tôt.",
    "The schedule was set for {planned} updates but training stopped at {made}.": (
        "Le programme prévoyait {planned} mises à jour, mais l’entraînement s’est arrêté à {made}."
    ),
    "Training was planned for {planned} epochs and stopped after {made}.": (
        "L’entraînement devait durer {planned} époques et s’est arrêté après {made}."
    ),
    "The learning rate was still {end}, {share} of its peak.": (
        "Le taux d’apprentissage était encore de {end}, soit {share} de son maximum."
    ),
    "Both groups are affected alike.": "Les deux groupes sont touchés de même.",
    "{slow:cap} takes {ratio} times as long as {quick}.": (
        "{slow:cap} dure {ratio} fois plus longtemps que {quick}."
    ),
    "A run takes {long} s against {short} s.": "Une exécution prend {long} s contre {short} s.",
    "{some:cap} of {all} runs never learns.": "Sur {all} exécutions, {some} n’apprend jamais.",
    "{some:cap} of {all} runs never learn.": "Sur {all} exécutions, {some} n’apprennent jamais.",
    "In {runs} the best evaluation is hardly better than the first.": (
        "Chez {runs}, la meilleure évaluation n’est guère meilleure que la première."
    ),
    "Only {run} learns: it reaches {value}.": "Seul {run} apprend\u202f: il atteint {value}.",
    "{some:cap} run diverges.": "{some:cap} exécution diverge.",
    "{some:cap} runs diverge.": "{some:cap} exécutions divergent.",
    "{run} of {group}": "{run:le} de {group}",
}

_PRECISION = {
    "The {split} set limits the precision.": "L’ensemble de {split} limite la précision.",
    "Its {n} examples leave an error of {ends}, more than that of the seeds (±{spread}).": (
        "Ses {n} exemples laissent une erreur de {ends}, plus que celle des graines (±{spread})."
    ),
    "Its {n} examples leave an error of {ends}.": (
        "Ses {n} exemples laissent une erreur de {ends}."
    ),
    "A difference of a point from another report means nothing.": (
        "Une différence d’un point avec un autre rapport ne signifie rien."
    ),
    "{select:cap} is noisy.": "{select:Le} varie beaucoup.",
    "{select:cap} is small.": "{select:Le} compte peu d’exemples.",
    "At {moment} {run} loses {loss} on {select} and gains {gain} on {split}.": (
        "{moment:Au}, {run} perd {loss} {select:sur} et gagne {gain} {split:sur}."
    ),
    "One of its {n} examples is {worth}.": "Un de ses {n} exemples vaut {worth}.",
    "The choice of the epoch hardly matters.": "Le choix de l’époque ne compte guère.",
    "The choice of the evaluation hardly matters.": "Le choix de l’évaluation ne compte guère.",
    "At the last one the means are {first} and {last}.": (
        "À la dernière, les moyennes sont de {first} et de {last}."
    ),
    "The last one gives {last} instead of {chosen}.": (
        "La dernière donne {last} au lieu de {chosen}."
    ),
    "At most it changes {group}, from {chosen} to {last} at the last one.": (
        "Au plus il change {group}, de {chosen} à {last} à la dernière."
    ),
    "The last evaluation is worse than the chosen one.": (
        "La dernière évaluation est moins bonne que celle qui est choisie."
    ),
    "In {some} of {all} groups the last evaluation is clearly worse.": (
        "Dans {some} groupes sur {all}, la dernière évaluation est nettement moins bonne."
    ),
    "The last evaluation of {group} gives {last} instead of {chosen}.": (
        "La dernière évaluation de {group} donne {last} au lieu de {chosen}."
    ),
    "The split that chose it also gives its value, which is therefore optimistic.": (
        "La partition qui l’a choisie donne aussi sa valeur, qui est donc optimiste."
    ),
}

_SETTINGS = {
    "{best:cap} is the best of {count} settings.": (
        "{best:cap} est le meilleur de {count} réglages."
    ),
    "The lead of {best} is within luck.": "L’avance de {best} peut être due à la chance.",
    "It reaches {value}, {lead} ahead of {second}.": (
        "Il atteint {value}, {lead} devant {second}."
    ),
    "{best:cap} reaches {value}, {lead} ahead of {second}.": (
        "{best:cap} atteint {value}, {lead} devant {second}."
    ),
    "Each setting ran too few times to tell how much of that is luck.": (
        "Chaque réglage compte trop peu d’exécutions pour dire quelle part y revient à la chance."
    ),
    "Of {count} equal settings the best would lie {luck} above their mean by luck alone.": (
        "De {count} réglages égaux, le meilleur serait par chance à {luck} au-dessus de leur "
        "moyenne."
    ),
    "Of {count} equal settings the best would lie {luck} below their mean by luck alone.": (
        "De {count} réglages égaux, le meilleur serait par chance à {luck} au-dessous de leur "
        "moyenne."
    ),
    "{some:cap} of {all} groups has no result.": "Sur {all} groupes, {some} n’a pas de résultat.",
    "{some:cap} of {all} groups have no result.": (
        "Sur {all} groupes, {some} n’ont pas de résultat."
    ),
    "The reason: {why}.": "La raison\u202f: {why}.",
    "The first of them: {why}.": "Le premier\u202f: {why}.",
    "{some:cap} group repeats or begins another.": (
        "{some:cap} groupe en répète ou en commence un autre."
    ),
    "{some:cap} groups repeat or begin others.": (
        "{some:cap} groupes en répètent ou en commencent d’autres."
    ),
}

_METHODS = {
    "gain in the last interval": "gain dans le dernier intervalle",
    "loss": "perte",
    "step of the lowest validation loss": "pas de la plus petite perte sur la validation",
    "change in one interval": "changement en un intervalle",
    "one example": "un exemple",
    "chance": "hasard",
    "last logged epoch": "dernière époque journalisée",
    "learning rate": "taux d’apprentissage",
    "one over the number of classes": "un sur le nombre de classes",
    "seconds as the run logged them": "secondes telles que l’exécution les a journalisées",
    "seconds between the first and the last point": "secondes entre le premier et le dernier point",
    "setting of the run": "réglage de l’exécution",
    "best less second mean": "meilleure moyenne moins la deuxième",
    "expected maximum of {n} equal settings above their mean": (
        "maximum attendu de {n} réglages égaux au-dessus de leur moyenne"
    ),
    "last learning rate over its peak": "dernier taux d’apprentissage sur son maximum",
    "quotient of the times": "quotient des durées",
}

MESSAGES = {**_PAIR, **_COURSE, **_TRAINING, **_PRECISION, **_SETTINGS, **_METHODS}
