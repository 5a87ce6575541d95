"""From what is said of a number to its meaning, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.claims._heads import Head
from reportgen.claims._vocabulary import GENERIC, MEANINGFUL_AVERAGE, SPREADS
from reportgen.records.claim import Meaning, Printed
from reportgen.records.metrics import known_metric
from reportgen.runs import direction_of

UNSAID, GUESSED, HYPOTHETICAL = 0.7, 0.5, 0.4
"""What a binding may be sure of where a split or a group is not said; where something is
guessed; where the sentence speaks of what would be, or of others' results."""

_RATIOS = frozenset(
    {
        "accuracy", "top5_accuracy", "top5", "balanced_accuracy", "f1", "f1_macro", "f1_micro",
        "f1_weighted", "precision_macro", "recall_macro", "precision_weighted",
        "recall_weighted", "precision", "recall", "specificity", "auc", "average_precision", "map",
        "iou", "mean_iou", "dice", "exact_match", "wer", "cer", "error_rate", "success_rate",
        "matthews_correlation", "rouge1", "rouge2", "rouge_l", "mrr", "ndcg", "kappa", "score",
        "performance",
    }
)  # fmt: skip
_MAYBE_BELOW_ZERO = frozenset({"matthews_correlation", "kappa", "score", "performance"})
_NO_RATIOS = frozenset({"loss", "nll_loss", "perplexity", "mse", "rmse", "mae"})
_AVERAGED = frozenset({"f1", "precision", "recall", "auc"})
_KINDS = {"": "metric_value", "mean": "aggregate_mean", "std": "aggregate_std"}
_SAMPLE = gated(
    r"\b(?:sample\s(?:standard\s)?(?:std|deviation|sd)|ddof\s?=\s?1|unbiased|bessel"
    r"|écarts?[-\s]types?\s\(?(?:empirique|corrigé|non\sbiaisé|d['’]échantillon|de\sl['’]échantillon))"
    r"|\b(?:std|deviation|sd)\s\(sample\)|n\s?[-−–]\s?1\b",
    re.IGNORECASE,
)
_POPULATION = gated(
    r"\b(?:population\s(?:standard\s)?(?:std|deviation|sd)|ddof\s?=\s?0|biased\sstandard)"
    r"|\bécarts?[-\s]types?\s\(?(?:(?:de\s(?:la\s)?)?population|biaisé)"
    r"|\b(?:std|deviation|sd)\s\(population\)|\bnp\.std\b|\bnumpy\.std\b",
    re.IGNORECASE,
)


_OF_A_DATE = re.compile(r"0\d{1,3}")
"""Digits of a date or a number of a name, torn off at the end of a line: no value begins so."""


@dataclass(slots=True)
class Binding:
    """What is known of one number; what was found first stays.

    Attributes:
        base: How sure the way of reading is in itself.
        values: Slot to value.
        sure: Slot to how sure.
        caps: Further upper bounds on the confidence.
    """

    base: float
    values: dict[str, str] = field(default_factory=dict)
    sure: dict[str, float] = field(default_factory=dict)
    caps: list[float] = field(default_factory=list)

    def take(self, slot: str, value: str, sure: float = 1.0) -> None:
        """Fill a slot that is still empty."""
        if value and slot not in self.values:
            self.values[slot] = value
            self.sure[slot] = sure

    def put(self, slot: str, value: str, sure: float) -> None:
        """Fill a slot, whatever was in it."""
        self.values[slot], self.sure[slot] = value, sure

    def take_number(self, slot: str, value: int | None) -> None:
        """Fill a slot that is still empty with a number, if there is one."""
        self.take(slot, "" if value is None else str(value))

    def take_from(self, head: Head, slots: Sequence[str], sure: float) -> None:
        """Fill empty slots from a text that says one thing of each; two things close a slot."""
        for slot in slots:
            values = head.values(slot)
            if len(values) == 1:
                self.take(slot, values[0], sure)
            elif values:
                self.values.setdefault(slot, "")

    def said(self, slot: str) -> str:
        """Return the value of a slot, or nothing."""
        return self.values.get(slot, "")

    def metric(self) -> str:
        """Return the metric, also where it is only called a score; empty where none is said."""
        metric = self.said("metric") or self.said("generic")
        over_classes = self.said("average") if metric in _AVERAGED else ""
        return f"{metric}_{over_classes}" if over_classes else metric


@dataclass(frozen=True, slots=True)
class Settled:
    """What a number means, with how sure that is.

    Attributes:
        kind: Of the claim.
        meaning: Of the number.
        confidence: How sure the binding is.
        unsaid: What the report does not say: `split, group`.
        tail: Of how many last points of a run it is a value, as `_tails` says it; or empty.
    """

    kind: str
    meaning: Meaning
    confidence: float
    unsaid: str = ""
    tail: str = ""


def ddof_of(text: str) -> int | None:
    """Return the delta degrees of freedom that a text states for its standard deviations.

    Example:
        >>> ddof_of("mean ± sample standard deviation"), ddof_of("by np.std"), ddof_of("std")
        (1, 0, None)
    """
    sample, population = bool(_SAMPLE.search(text)), bool(_POPULATION.search(text))
    return None if sample == population else int(sample)


def unit_for(printed: Printed, metric: str, stated: str) -> str:
    """Return the unit of a value: its own, the head's, or what its size tells.

    Example:
        >>> unit_for(Printed(text="0.62", value=Decimal("0.62"), decimals=2), "accuracy", "")
        'fraction'
    """
    if printed.unit:
        return printed.unit
    if stated:
        return stated
    if is_ratio(metric):
        return "fraction" if abs(printed.value) <= 1 else "percent"
    return ""


def is_ratio(metric: str) -> bool:
    """Say whether a metric is printed as a fraction or in percent."""
    return metric in _RATIOS


def is_never_in_percent(metric: str) -> bool:
    """Say whether a metric is no share of anything, as a loss is none."""
    return metric in _NO_RATIOS


def is_possible(printed: Printed, metric: str, aggregate: str = "") -> bool:
    """Say whether a metric can have a value at all: an accuracy is no 1,800.

    Example:
        >>> is_possible(Printed(text="1,800", value=Decimal(1800)), "accuracy")
        False
        >>> below = Printed(text="-100", value=Decimal(-100))
        >>> is_possible(below, "loss"), is_possible(below, "loss", "difference")
        (False, True)
        >>> is_possible(below, "ndcg@10")
        False
        >>> is_possible(Printed(text="05", value=Decimal(5)), "return")
        False
    """
    if printed.unit == "percent" and metric in _NO_RATIOS and not aggregate:
        return False
    if _OF_A_DATE.fullmatch(printed.text):
        return False
    bounded = metric in _RATIOS - {"wer", "cer", "score", "performance"}
    if bounded and abs(printed.value) > 100:
        return False
    if printed.value >= 0 or aggregate in {"difference", "interval"}:
        return True
    known = known_metric(metric)
    if known is not None and known.least is not None and known.least >= 0:
        return False
    # The logarithm of a density may be below zero, but nobody counts it in whole numbers.
    below = metric not in _RATIOS or metric in _MAYBE_BELOW_ZERO
    return below and (metric != "loss" or printed.decimals > 0)


def whole(text: str) -> int | None:
    """Return a whole number, or None."""
    if not text:
        return None
    try:
        value = Decimal(text)
    except ArithmeticError:
        return None
    return int(value) if value == value.to_integral_value() else None


def settle(binding: Binding, printed: Printed, unit: str) -> Settled:
    """Return what a number means by all that was said of it.

    Args:
        binding: With a metric.
        printed: The number.
        unit: Stated beside it, or of the value it belongs to.
    """
    said = binding.said
    aggregate, selection = _sharpened(binding)
    meaning = Meaning(
        metric=binding.metric(),
        split=said("split"),
        group=said("group"),
        seed=whole(said("seed")),
        step=whole(said("step")),
        epoch=float(said("epoch")) if said("epoch") else None,
        aggregate=aggregate,
        selection=selection,
        unit=_unit(printed, binding.metric(), unit, aggregate),
        ddof=whole(said("ddof")),
        n=whole(said("n")),
        against=said("against"),
    )
    kind = _KINDS.get(aggregate, "aggregate_other")
    if said("tail"):
        kind = "tail"
        if said("aggregate") != "mean" or selection not in {"", "last"} or meaning.epoch:
            # The best of the last ten, their spread, or each of them.
            binding.caps.append(HYPOTHETICAL)
        meaning = replace(meaning, selection="", aggregate="" if aggregate == "mean" else aggregate)
    return Settled(kind, meaning, *confidence_of(binding, meaning), said("tail"))


def _unit(printed: Printed, metric: str, stated: str, aggregate: str) -> str:
    """Return the unit of a number; that of a small spread alone may be either."""
    told = printed.unit or stated
    if not told and aggregate in {*SPREADS, "difference"} and abs(printed.value) <= 1:
        return ""
    return unit_for(printed, metric, stated)


def _sharpened(binding: Binding) -> tuple[str, str]:
    """Return aggregate and selection of a value, in the light of its seed and metric.

    The mean return of one run is one over its episodes, the maximum of one run its best step.
    """
    aggregate, selection, metric = (
        binding.said("aggregate"),
        binding.said("selection"),
        binding.metric(),
    )
    if not binding.said("seed"):
        return aggregate or binding.said("extreme"), selection
    if aggregate == "mean" and metric in MEANINGFUL_AVERAGE:
        return "", selection
    if aggregate == ("min" if direction_of(metric) == "lower" else "max"):
        return "", "oracle"
    return aggregate, selection


def confidence_of(binding: Binding, meaning: Meaning) -> tuple[float, str]:
    """Return how sure a binding is, and what the report left unsaid.

    Example:
        >>> confidence_of(Binding(base=0.95), Meaning(metric="accuracy", group="A", seed=1))
        (0.7, 'split')
    """
    used = (
        "metric",
        "split",
        "group",
        "seed",
        "step",
        "epoch",
        "aggregate",
        "selection",
        "against",
    )
    bounds = [binding.base, *binding.caps]
    bounds += [binding.sure[slot] for slot in used if binding.said(slot)]
    unsaid = []
    if not meaning.split:
        unsaid.append("split")
    if not meaning.group and not binding.said("every group"):
        unsaid.append("group")
    if meaning.aggregate == "" and meaning.seed is None and not binding.said("every seed"):
        unsaid.append("seed")
    if meaning.aggregate == "difference" and not meaning.against:
        unsaid.append("against")
    if unsaid:
        bounds.append(UNSAID)
    if meaning.metric in GENERIC:
        bounds.append(GUESSED)
    if meaning.selection == "oracle":
        bounds.append(0.75)
    return round(min(bounds), 2), ", ".join(unsaid)
