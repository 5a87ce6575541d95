"""Words of metrics, splits, aggregates and selections, in English and in French.

A phrase is written with spaces; in a text its words may be joined by a space, a hyphen, an
underscore or nothing, so that `F1-score`, `f1_score` and `F1 score` are one phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

METRICS: Mapping[str, tuple[str, ...]] = {
    "accuracy": (
        "accuracy", "accuracies", "acc", "accs", "acc.", "accuracy score", "top 1 accuracy",
        "top 1", "top 1 acc", "classification accuracy", "binary accuracy", "exactitude",
        "exactitudes", "precision globale", "précision globale", "taux de réussite",
        "taux de bonne classification", "taux de bonnes réponses", "justesse", "% correct",
        "percent correct", "accuracy rate", "overall accuracy", "pixel accuracy",
        "sparse categorical accuracy", "categorical accuracy", "genauigkeit",
    ),
    "top5_accuracy": ("top 5 accuracy", "top 5", "top 5 acc"),
    "balanced_accuracy": ("balanced accuracy", "exactitude équilibrée"),
    "f1": (
        "f1", "f 1", "f1 score", "f1 scores", "f score", "f measure", "f mesure", "score f1",
        "mesure f1", "f1 mesure", "$f_1$", "binary f1",
    ),
    "f1_macro": (
        "macro f1", "f1 macro", "macro f1 score", "macro averaged f1", "macro average f1",
        "f1 score macro", "f1 score (macro)", "f1 (macro)", "macro f score",
    ),
    "f1_micro": ("micro f1", "f1 micro", "micro f1 score", "f1 (micro)"),
    "f1_weighted": (
        "weighted f1", "f1 weighted", "weighted f1 score", "f1 (weighted)", "weighted average f1",
    ),
    "precision": ("precision", "précision"),
    "recall": ("recall", "rappel", "sensitivity", "sensibilité"),
    "specificity": ("specificity", "spécificité"),
    "matthews_correlation": (
        "matthews correlation", "matthews correlation coefficient", "mcc", "matthews corrcoef",
    ),
    "pearson": ("pearson", "pearson correlation", "pearson's r"),
    "spearman": ("spearman", "spearman correlation", "spearmanr"),
    "kappa": ("cohen's kappa", "kappa"),
    "auc": (
        "auc", "auroc", "roc auc", "au roc", "auc roc", "area under the curve",
        "area under the roc curve", "aire sous la courbe",
    ),
    "average_precision": ("average precision", "pr auc", "auprc"),
    "map": ("mean average precision",),
    "ndcg": ("ndcg", "normalized discounted cumulative gain"),
    "hit_rate": ("hit rate",),
    "mrr": ("mrr", "mean reciprocal rank"),
    "iou": ("iou", "intersection over union", "jaccard", "jaccard index"),
    "mean_iou": ("miou", "mean iou", "mean intersection over union", "iou moyen", "iou moyenne"),
    "dice": ("dice", "dice score", "dice coefficient", "dice coef", "score de dice"),
    "exact_match": ("exact match", "exact match score", "correspondance exacte"),
    "bleu": (
        "bleu", "sacrebleu", "bleu score", "bleu scores", "score bleu", "scores bleu", "bleu 4",
    ),
    "chrf": ("chrf", "chrf score"),
    "chrf++": ("chrf++",),
    "ter": ("translation edit rate",),
    "meteor": ("meteor",),
    "rouge1": ("rouge 1", "rouge1"),
    "rouge2": ("rouge 2", "rouge2"),
    "rouge_l": ("rouge l", "rougel", "rouge lsum", "rougelsum"),
    "bertscore": ("bertscore", "bert score"),
    "wer": ("wer", "word error rate", "taux d'erreur sur les mots", "taux d'erreur mot"),
    "cer": ("cer", "character error rate", "taux d'erreur sur les caractères"),
    "perplexity": ("perplexity", "perplexities", "ppl", "perplexité"),
    "loss": (
        "loss", "losses", "cross entropy", "cross entropy loss", "ce loss", "perte", "pertes",
        "bce loss", "loss value", "entropie croisée",
    ),
    "nll_loss": ("nll", "nll loss", "negative log likelihood"),
    "mse": (
        "mse", "mean squared error", "mean square error", "mse loss",
        "erreur quadratique moyenne", "eqm",
    ),
    "rmse": (
        "rmse", "root mean squared error", "root mean square error",
        "racine de l'erreur quadratique moyenne",
    ),
    "mae": ("mae", "mean absolute error", "erreur absolue moyenne"),
    "mape": ("mape", "mean absolute percentage error"),
    "r2": ("r2", "r²", "r^2", "$r^2$", "r2 score", "r squared", "coefficient of determination"),
    "error_rate": (
        "error rate", "error rates", "classification error", "test error", "validation error",
        "training error", "train error", "top 1 error", "taux d'erreur", "misclassification rate",
    ),
    "fid": ("fid", "fréchet inception distance", "frechet inception distance"),
    "psnr": ("psnr", "peak signal to noise ratio"),
    "ssim": ("ssim", "structural similarity"),
    "inception_score": ("inception score", "score d'inception"),
    "eer": ("eer", "equal error rate", "taux d'égale erreur"),
    "per": ("phone error rate", "phoneme error rate", "taux d'erreur sur les phonèmes"),
    "hd95": ("hd95", "hd 95", "95th percentile hausdorff distance"),
    "return": (
        "average return", "episode return", "episodic return", "cumulative return",
        "total return", "evaluation return", "eval return", "undiscounted return",
        "discounted return", "mean return", "average returns", "return of", "returns of",
        "final return", "final returns", "mean returns", "episodic returns",
    ),
    "reward": (
        "reward", "rewards", "average reward", "mean reward", "episode reward",
        "episodic reward", "cumulative reward", "total reward", "récompense", "récompenses",
        "récompense moyenne", "récompense cumulée",
    ),
    "episode_length": (
        "episode length", "episode lengths", "ep length", "ep lengths", "ep len", "eplen",
        "episode len", "longueur des épisodes", "longueur d'épisode", "longueur d’épisode",
        "longueur moyenne des épisodes", "longueur moyenne d'épisode",
    ),
    "success_rate": ("success rate", "win rate", "taux de succès"),
}  # fmt: skip
"""Metric in the spelling of the layouts to the phrases that name it anywhere; names alone, which
the table of known metrics has, are not repeated here.
"""

HEAD_METRICS: Mapping[str, tuple[str, ...]] = {
    "return": ("return", "returns", "avg return", "retour"),
    "exact_match": ("em",),
    "error_rate": ("error", "err", "erreur", "err."),
    "map": ("map",),
    "average_precision": ("ap",),
    "ter": ("ter",),
}
"""Phrases that name a metric only where they stand in a table's head or alone."""

CASED_METRICS: Mapping[str, str] = {"EM": "exact_match"}
"""Names of metrics that are called otherwise in the logs, told from a word by their capitals."""

GENERIC = ("score", "performance")
"""What a report calls its metric when it has only one."""
GENERIC_WORDS: Mapping[str, tuple[str, ...]] = {
    "score": ("score", "scores"),
    "performance": ("performance", "performances"),
}

MEANINGFUL_AVERAGE = frozenset({"return", "reward", "iou", "episode_length"})
"""Metrics whose name may contain a mean over episodes or classes, not over runs."""

NEEDS_SPLIT_WORDS = r"""
    accurac(?:y|ies)|acc|loss(?:es)?|errors?|metrics?|sets?|splits?|data(?:set)?s?|scores?|f1|auc
    |perplexit(?:y|ies)|ppl|curves?|results?|performances?|bleu|rouge|wer|cer|mse|rmse|mae|r2|iou
    |miou|dice|returns?|rewards?|partition|subset|values?|reviews|mcc|em|exact|recall|precision
    |average|mean|std|best|spearman|pearson
    |(?:overall|balanced|pixel|token|macro|micro|weighted|word|character)[\s_-]
    (?:accurac(?:y|ies)|acc|errors?|f1|precision|recall)
"""

SPLITS: Mapping[str, tuple[str, ...]] = {
    "validation": (
        "validation", "valid", "val", "evaluation", "development", "développement", "devset",
        "dev", "validations", "eval",
    ),
    "test": ("test", "tests", "testset", "testing", "matched test"),
    "train": ("train", "trainset", "apprentissage", "entraînement", "entrainement", "training"),
}  # fmt: skip

AGGREGATES: Mapping[str, tuple[str, ...]] = {
    "mean": (
        "mean", "means", "average", "averages", "avg", "avg.", "averaged", "moyenne", "moyennes",
        "moyen", "moyens", "en moyenne", "on average", "μ", "µ", "\\mu", "x̄", "arithmetic mean",
        "mittelwert",
    ),
    "std": (
        "std", "stds", "std.", "std dev", "std. dev.", "std dev.", "stddev", "stdev", "st. dev.",
        "standard deviation", "standard deviations", "s.d.", "deviation", "écart type",
        "écarts types", "ecart type", "ecarts types", "σ", "\\sigma", "standardabweichung",
        "standard dev", "standard dev.",
    ),
    "variance": ("variance", "variances"),
    "se": ("standard error", "standard errors", "s.e.m.", "sem", "erreur type", "erreur standard"),
    "interval": (
        "confidence interval", "confidence intervals", "interval", "c.i.", "conf. int.",
        "intervalle de confiance", "intervalle", "half width", "half widths", "confidence bounds",
        "demi largeur", "demi largeurs",
    ),
    "min": ("minimum", "min", "min."),
    "max": ("maximum", "max", "max."),
    "median": ("median", "medians", "médiane"),
    "difference": (
        "difference", "differences", "diff", "diff.", "gap", "delta", "δ", "\\delta", "improvement",
        "différence", "différences", "gain", "amélioration", "margin", "absolute gain", "écart",
        "setback", "setbacks", "recul", "reculs",
    ),
}  # fmt: skip
EXTREMES: Mapping[str, tuple[str, ...]] = {
    "max": ("best seed", "best run", "best of the seeds", "meilleure graine"),
    "min": ("worst seed", "worst run", "worst one", "worst of the seeds", "pire graine"),
}
"""Runs told by their rank; beside a seed's number they add nothing."""
AVERAGES: Mapping[str, tuple[str, ...]] = {
    "macro": ("macro avg", "macro average", "macro averaged", "macro moyenne"),
    "micro": ("micro avg", "micro average", "micro averaged"),
    "weighted": ("weighted avg", "weighted average", "weighted averaged"),
    "samples": ("samples avg",),
}
"""Means over classes, which are part of a metric's name and no mean over runs."""
CASED_AGGREGATES: Mapping[str, str] = {
    "SD": "std", "SE": "se", "CI": "interval", "IC": "interval", "Std": "std",
}  # fmt: skip

SELECTIONS: Mapping[str, tuple[str, ...]] = {
    "best": (
        "best", "meilleur", "meilleure", "meilleurs", "meilleures", "optimal", "early stopping",
        "bottoms out", "peaks",
    ),
    "highest": ("highest", "maximal", "plus haute", "plus haut", "plus élevée"),
    "lowest": ("lowest", "minimal", "smallest", "plus basse", "plus bas", "plus faible"),
    "last": (
        "last", "final", "finale", "dernier", "dernière", "end of training",
        "end of the training", "fin de l'entraînement", "last epoch", "final epoch", "last step",
        "final step", "last checkpoint", "final checkpoint", "dernière époque",
    ),
}  # fmt: skip
"""`lowest` and `highest` are the best or not: that depends on the metric."""

SPREADS = frozenset({"std", "se", "interval", "variance"})

RANDOM = r"(?:random[\s_-]{0,2})?"
COUNTERS: Mapping[str, str] = {
    "seed": rf"{RANDOM}seeds?|graines?|runs?|folds?|plis?|trials?|essais?|ex[ée]cutions?"
    r"|replicates?|r[ée]p[ée]titions?",
    "epoch": r"epochs?|[ée]poques?|ep\.?|epoch\s{0,2}\#",
    "step": r"(?:training|global|optimi[sz]er|gradient|update|env(?:ironment)?|time)?[\s_-]{0,2}"
    r"(?:time)?steps?|updates?|iterations?|it[ée]rations?|iters?|[ée]tapes?|pas|mises?\s[àa]\sjour"
    r"|checkpoint-?|backpropagations?|batches",
}
"""What numbers a run or a moment of it."""

SETTINGS = (
    r"learning[\s_-]{0,2}rates?|lr|taux\sd'apprentissage|batch[\s_-]{0,2}sizes?|bs"
    r"|taille\sde\s(?:lot|batch)"
    r"|dropout|drop\sout|weight[\s_-]{0,2}decay|wd|ranks?|rang|r|(?:lora[\s_-]{0,2})?alpha|α"
    r"|momentum|temperature|gamma|\u03b3|beta|β|lambda|λ|epsilon|ε|layers?|couches?|heads?|t[êe]tes?"
    r"|hidden[\s_-]{0,2}(?:size|dim(?:ension)?)s?|width|depth|k"
    r"|warm[\s_-]{0,2}up(?:[\s_-]{0,2}(?:steps|ratio))?"
    r"|label[\s_-]{0,2}smoothing|optimi[sz]er|optimiseur|max[\s_-]{0,2}length"
    r"|seq(?:uence)?[\s_-]{0,2}length"
    r"|beams?(?:[\s_-]{0,2}size)?|target[\s_-]{0,2}modules|bias|scheduler|num[\s_-]{0,2}layers"
    r"|vocab(?:ulary)?(?:[\s_-]{0,2}size)?"
    r"|shots?|quanti[sz]ation|bits|patience|train(?:ing)?[\s_-]{0,2}(?:size|examples|samples)"
    r"|fraction|data[\s_-]{0,2}size"
)
"""Settings in which groups of runs differ; a head that is one of them names groups."""

OTHER_QUANTITIES = (
    r"times?|durations?|temps|dur[ée]e|runtime|hours?|heures?|minutes?|seconds?|secondes?|h|s"
    r"|sec|min"
    r"|params?|parameters?|param[èe]tres|\#\s?params?|memory|m[ée]moire|vram|ram|gpu|gib|gb|mb|gio|mio"
    r"|mib|flops|gflops|macs"
    r"|throughput|speed|vitesse|latency|size|taille|examples?|samples?|exemples?|support"
    r"|supports|documents?|tokens?"
    r"|counts?|number|nombre|files?|bytes?|points|cost|energy|co2|date|page|lines?|sentences?"
    r"|phrases?|classes"
    r"|stored|degrees\sof\sfreedom|p[\s-]?values?|t|df|n|\#|no|id|index|rank\sof|order"
    r"|references?|year|ann[ée]e|version"
)
"""Heads of columns whose numbers measure no quality."""

FRAMEWORKS: Mapping[str, tuple[str, ...]] = {
    "fairseq": ("fairseq",),
    "hf_trainer": ("hugging face", "huggingface", "hf", "transformers trainer", "hf trainer"),
    "keras": ("keras", "tensorflow", "tf2", "tf.keras"),
    "lightning": ("lightning", "pytorch lightning"),
}
"""Program a training ran in, by name of its layout: two of them are two groups."""

_LETTERS = re.compile(r"[\s_\-]+")


def plain(text: str) -> str:
    """Return a phrase without what joins its words, in lower case.

    Example:
        >>> plain("F1-Score"), plain("standard  deviation")
        ('f1score', 'standarddeviation')
    """
    return _LETTERS.sub("", text).lower()


def phrase_pattern(phrases: Iterable[str]) -> str:
    """Return a pattern that matches any of the phrases as whole words, the longest first.

    Example:
        >>> import re
        >>> pattern = re.compile(phrase_pattern(["f1", "f1 score"]), re.IGNORECASE)
        >>> [match[0] for match in pattern.finditer("val_f1, F1-Score, of1")]
        ['f1', 'F1-Score']
    """
    ordered = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    spelled = (
        r"[\s_\-]{0,3}".join(re.escape(word) for word in phrase.split()) for phrase in ordered
    )
    return rf"(?<![^\W_])(?:{'|'.join(spelled)})(?![^\W_])"


def values_of(words: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return plain phrase to what it stands for.

    Example:
        >>> values_of({"f1": ("F1 score",)})
        {'f1score': 'f1'}
    """
    return {plain(phrase): value for value, phrases in words.items() for phrase in phrases}
