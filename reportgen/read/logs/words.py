"""What the name of a column or key says: a split, a measure, or what is set or spent."""

from __future__ import annotations

import re
from functools import cache

from reportgen.records.metrics import known_metric
from reportgen.records.rows import read_rows
from reportgen.records.run import FAILED, FINISHED, OPEN

# The words by which files and columns are known: `words.ini`.


@cache
def lists(section: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of a section by name, each word in its place.

    Example:
        >>> lists("clocks")["epoch"], "acc1" in lists("columns")["measured"]
        (('currentepoch', 'ep.', 'epoch', 'epoche'), True)
    """
    rows = read_rows("reportgen.read.logs", "words.ini")[section]
    return {name: tuple(text.split()) for name, text in rows.items()}


SPLIT_WORDS = frozenset(lists("columns")["splits"])
"""What splits are called in tables of any program."""

_TESTED = frozenset({"test", "testing"})
_RATES = frozenset({"lr", "learningrate", "time", "momentum"})
_ALSO = frozenset(lists("columns")["measured"])
"""Words for what is measured that are short for others, or of no one metric."""

_SETTINGS = frozenset(lists("columns")["settings"])
"""Last words of keys below which settings stand, and no results."""

_SET = frozenset(lists("columns")["set"])
"""Last words of what is set before a training, wherever it is written down."""

_MODELS = frozenset(lists("columns")["models"])

_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z][a-z])")


def plain_word(name: str) -> str:
    """Return the name of a column as names are compared.

    Example:
        >>> [plain_word(name) for name in ("Total Timesteps", "total_timesteps", " _step")]
        ['totaltimesteps', 'totaltimesteps', 'step']
    """
    return "".join(name.split()).replace("_", "").lower()


def metric_of(name: str) -> str:
    """Return the words of a name but for that of a split, joined by `_`."""
    return "_".join(word for word in words_of(name) if word and word not in SPLIT_WORDS)


def words_of(name: str) -> list[str]:
    """Return the words of a name in small letters; capitals begin words as well.

    Example:
        >>> words_of("Train loss"), words_of("trainLoss"), words_of("mIoU")
        (['train', 'loss'], ['train', 'loss'], ['miou'])
    """
    return re.split(r"[\W_]+", _CAMEL.sub("_", name).lower())


def is_measure(name: str) -> bool:
    """Tell whether a column is called as something that is measured."""
    metric = metric_of(name)
    words = metric.split("_")
    return "loss" in metric or not _ALSO.isdisjoint(words) or known_metric(metric) is not None


def is_tested(name: str) -> bool:
    """Tell whether a name is of what was measured on a test set; the best of many is not.

    Example:
        >>> [is_tested(n) for n in ("Test accuracy", "test_iid_acc", "best_test_acc", "val_loss")]
        [True, True, False, False]
    """
    words = words_of(name)
    return not _TESTED.isdisjoint(words) and "best" not in words and is_measure(name)


def holds_settings(key: str, value: object) -> bool:
    """Tell whether settings stand below a key of nested values.

    Example:
        >>> [holds_settings(key, {"lr": 0.1}) for key in ("train_config", "best_params", "results")]
        [True, True, False]
    """
    return isinstance(value, dict) and words_of(key)[-1] in _SETTINGS


def is_set(name: str) -> bool:
    """Tell whether a number is called as what is set before a training, and not measured.

    Example:
        >>> [is_set(name) for name in ("finetuning_epochs", "seed", "brier", "val_loss")]
        [True, True, False, False]
    """
    words = words_of(name)
    return not _SET.isdisjoint((words[-1], "_".join(words[-2:])))


def names_model(name: str) -> bool:
    """Tell whether a name holds a word for a model or an algorithm.

    Example:
        >>> [names_model(n) for n in ("ResNet50_tuned", "Random Forest", "splice_sites")]
        [True, True, False]
    """
    return not _MODELS.isdisjoint({*words_of(name), *re.split(r"[\W\d_]+", name.lower())})


def is_rate(name: str) -> bool:
    """Tell whether a column is called as what is set or spent, and not measured."""
    return plain_word(name) in _RATES


def split_in(key: str) -> str:
    """Return the word of a key that names a split, empty where none does.

    Example:
        >>> split_in("val_history"), split_in("losses")
        ('val', '')
    """
    return next((word for word in words_of(key) if word in SPLIT_WORDS), "")


_ENDS = {
    FINISHED: ("COMPLETED", "COMPLETE"),
    FAILED: (4, 5, "FAILED", "KILLED", "INTERRUPTED", "TIMEOUT", "FAIL"),
    OPEN: (1, 2, "RUNNING", "SCHEDULED", "QUEUED", "WAITING"),
}
"""What MLflow, as numbers and as names, Sacred and Optuna call how a run ended.

MLflow says of every run that a process leaves open, also by an error, that it is finished.

Source: `mlflow/tracking/fluent.py` (`_safe_end_run`).
"""


def end_of(status: object) -> str:
    """Return how a run ended that has a status; empty where that does not tell.

    Example:
        >>> end_of("COMPLETED"), end_of(4), end_of("RUNNING"), end_of("PRUNED")
        ('finished', 'failed', 'open', '')
    """
    return next((end for end, words in _ENDS.items() if status in words), "")
