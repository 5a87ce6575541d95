"""What an evaluation measures beside its loss, from what was told and what is true.

The definitions are those of scikit-learn and scipy, whose packages are more than they are worth
here: four formulas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

Values = np.ndarray


def measure(
    task: str,
    told: Values,
    truth: Values,
    *,
    labels: Sequence[str] = (),
    lengths: Sequence[int] = (),
) -> dict[str, float]:
    """Return the metrics of a task; NaN where one is not defined.

    Args:
        task: A key of `reportgen.records.training.MEASURED`.
        told: What the model says of each target: classes, or numbers. Shape (N,).
        truth: What is true of it, (N,).
        labels: Names of the classes; words are held together by those that begin with `B-`, `I-`.
        lengths: Words of each text.

    Example:
        >>> found = measure("classification", np.array([0, 1, 1]), np.array([0, 0, 1]))
        >>> [round(found[name], 3) for name in ("accuracy", "f1", "matthews_correlation")]
        [0.667, 0.667, 0.5]
    """
    if task == "regression":
        return {
            "pearson": _correlation(told, truth),
            "spearman": _correlation(_ranks(told), _ranks(truth)),
            "mse": float(np.mean((told - truth) ** 2)),
        }
    found = {"accuracy": float(np.mean(told == truth))}
    if task == "classification":
        found["f1"] = f1(told, truth, binary=len(labels) == 2 or not labels)
        found["matthews_correlation"] = matthews_correlation(told, truth)
    if task == "token_classification":
        found["f1"] = _f1_of_words(told, truth, labels, lengths)
    return found


def f1(told: Values, truth: Values, *, binary: bool) -> float:
    """Return F1 of class 1 of two, or the mean of F1 over the classes that occur.

    Source: `sklearn.metrics.f1_score` with `average="binary"` and `"macro"`; 0 where nothing is
    told and nothing is true.
    """
    classes = [1] if binary else np.union1d(told, truth).tolist()
    scores = []
    for one in classes:
        right = int(np.sum((told == one) & (truth == one)))
        both = int(np.sum(told == one) + np.sum(truth == one))
        scores.append(2 * right / both if both else 0.0)
    return float(np.mean(scores))


def matthews_correlation(told: Values, truth: Values) -> float:
    """Return the correlation of Matthews (1975), of several classes that of Gorodkin (2004).

    0 where one of the two has a single class, as `sklearn.metrics.matthews_corrcoef` has it.
    """
    size = int(max(told.max(initial=0), truth.max(initial=0))) + 1
    table = np.bincount(truth * size + told, minlength=size * size).reshape(size, size)
    true, said, total = table.sum(1), table.sum(0), table.sum()
    apart = float(total**2 - said @ said) * float(total**2 - true @ true)
    return float(np.trace(table) * total - said @ true) / apart**0.5 if apart > 0 else 0.0


def _correlation(x: Values, y: Values) -> float:
    x, y = x - x.mean(), y - y.mean()
    apart = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / apart if apart > 0 else float("nan")


def _ranks(values: Values) -> Values:
    """Return ranks, equal values at their mean rank."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Values = (ends - (counts - 1) / 2)[places]
    return ranks


def _f1_of_words(
    told: Values, truth: Values, labels: Sequence[str], lengths: Sequence[int]
) -> float:
    """Return F1 of whole names where labels are `B-` and `I-`, else the mean over classes."""
    if not any(label.startswith("B-") for label in labels):
        return f1(told, truth, binary=False)
    said, true = (set(_names(values, labels, lengths)) for values in (told, truth))
    both = len(said) + len(true)
    return 2 * len(said & true) / both if both else 0.0


def _names(
    values: Values, labels: Sequence[str], lengths: Sequence[int]
) -> Iterator[tuple[int, int, str]]:
    """Yield first word, word behind the last, and kind of every name, as CoNLL-2003 counts them."""
    start = 0
    for length in lengths:
        kind, begin = "", start
        for place in range(start, start + length + 1):
            label = labels[int(values[place])] if place < start + length else "O"
            mark, _, own = label.partition("-")
            if kind and (mark != "I" or own != kind):
                yield begin, place, kind
                kind = ""
            if mark in {"B", "I"} and not kind:
                kind, begin = own, place
        start += length
