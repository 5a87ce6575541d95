"""One value that the evidence has, with the slack that its printing leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.records.metrics import known_metric
from reportgen.records.quantity import Evidence

Moment = tuple[str, Decimal]
"""When a value was taken: `("epoch", 3)`, `("step", 675)`, or one chosen by a rule, as in
`("best", 0)`, `("last", 0)`, `("oracle", 0)`; `("result", 0)` where a report says nothing."""

RATIOS = frozenset(
    (
        *("accuracy", "acc", "f1", "precision", "recall", "auc", "auroc", "specificity", "top1"),
        *("top5", "iou", "miou", "dice", "sensitivity", "balanced_accuracy", "exact_match", "em"),
        *("wer", "cer", "map", "map50", "map75", "ap", "ap50", "ap75"),
    )
)
_LOWER = ("loss", "error", "perte", "erreur", "entropy", "nll")
"""Words beside the table of known metrics, as reports have them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One value of a run or of a group.

    Attributes:
        value: Percent for accuracies and their like, else as logged.
        metric: Its metric.
        split: Its split, or empty.
        group: The group of the evidence, or the label as a report writes it.
        moment: When it was taken.
        slack: How far the value may lie from what was measured: half a unit of print.
        seed: The run; None for a value of a whole group, and where no seed is known.
        run: What tells the runs of a group apart.
        aggregate: As in `Meaning`.
        n: Runs behind it.
        where: The moment in words (`epoch 3`).
        evidence: What it rests on.
    """

    value: Decimal
    metric: str
    split: str
    group: str
    moment: Moment
    slack: Decimal = Decimal(0)
    seed: int | None = None
    run: str = ""
    aggregate: str = ""
    n: int = 1
    where: str = ""
    evidence: tuple[Evidence, ...] = ()


def is_ratio(metric: str) -> bool:
    """Say whether a metric is a share, printed as percent or as a fraction.

    Example:
        >>> [is_ratio(name) for name in ("accuracy", "macro_f1", "loss", "wer")]
        [True, True, False, True]
    """
    words = metric.lower().replace("-", "_").split("_")
    return any(word in RATIOS for word in (metric.lower(), *words))


def lower_is_better(metric: str) -> bool:
    """Say whether small values of a metric are the good ones.

    Example:
        >>> [lower_is_better(name) for name in ("accuracy", "eval_loss", "wer", "HD95")]
        [False, True, True, True]
    """
    words = metric.lower().replace("-", "_").replace(" ", "_").split("_")
    known = known_metric("_".join(words))
    return any(word in _LOWER for word in words) or (known is not None and known.better == "lower")


def mean_of(values: Iterable[Decimal]) -> Decimal:
    """Return the mean of at least one value.

    Example:
        >>> mean_of([Decimal("79.9"), Decimal("78.5"), Decimal("80.1")])
        Decimal('79.5')
    """
    kept = list(values)
    return sum(kept, Decimal(0)) / len(kept)


def std_of(values: Sequence[Decimal], ddof: int = 1) -> Decimal | None:
    """Return the standard deviation of values, None for as many values as `ddof` or fewer.

    Example:
        >>> std_of([Decimal("79.9"), Decimal("78.5"), Decimal("80.1")]).quantize(Decimal("0.0001"))
        Decimal('0.8718')
    """
    if len(values) <= ddof:
        return None
    centre = mean_of(values)
    squares = sum(((value - centre) ** 2 for value in values), Decimal(0))
    return (squares / (len(values) - ddof)).sqrt()


def shown(value: Decimal, places: int = 2) -> str:
    """Return a value for a message, at most so many places, without idle zeros.

    Of values below one, which losses and errors are, three digits are shown.

    Example:
        >>> shown(Decimal("79.5000")), shown(Decimal("0.53214")), shown(Decimal("0.00012"))
        ('79.5', '0.532', '0.00012')
    """
    if value and abs(value) < 1:
        places = max(places, 2 - value.adjusted())
    rounded = round(value, places)
    return f"{rounded.normalize() + 0:f}"
