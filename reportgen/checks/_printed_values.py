"""The values that a report itself prints, as evidence for its own sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from reportgen.checks._known import Known, Moment, is_ratio
from reportgen.claims._labels import group_key
from reportgen.records.claim import LIKELY, Claim, Meaning, Printed
from reportgen.records.finding import Case

_SPREADS = frozenset({"std", "se", "interval", "var"})
_KINDS = ("metric_value", "aggregate_mean", "aggregate_std", "aggregate_other")


def matching_labels(label: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels that mean the same group, in all their spellings.

    Where no label has the same words, the one that has them among others counts, if it is one.

    Example:
        >>> matching_labels("pretrain model", ("Pretrain Model", "Pretrained", "Random Model"))
        ('Pretrain Model', 'Pretrained')
        >>> matching_labels("fine-tuned model", ("fine tuned roberta", "random roberta"))
        ('fine tuned roberta',)
    """
    words = group_key(label)
    equal = tuple(one for one in labels if group_key(one) == words)
    if equal or not words:
        return equal
    named = [(one, group_key(one)) for one in labels]
    part = [one for one, key in named if key and (words <= key or key <= words)]
    return tuple(part) if len({group_key(one) for one in part}) == 1 else ()


def known_of_report(case: Case) -> tuple[Known, ...]:
    """Return every value of a metric that the report prints and binds well enough.

    Of a value that is printed twice the first counts.
    """
    found: dict[tuple[object, ...], Known] = {}
    for claim in case.claims:
        if claim.kind not in _KINDS or not isinstance(claim.content, Meaning):
            continue
        if claim.printed is None or claim.confidence < LIKELY:
            continue
        for known in _of_claim(claim, claim.content):
            whose = (known.metric, known.split, known.group, known.run, known.aggregate)
            # A value of an unnamed run is another run's than the next one.
            where = "" if known.run or known.aggregate else known.where
            found.setdefault((*whose, known.moment, where), known)
    return tuple(found.values())


def _of_claim(claim: Claim, meaning: Meaning) -> Iterator[Known]:
    printed = claim.printed
    if printed is None or not meaning.metric or meaning.aggregate == "difference":
        return
    value, slack = printed.value, printed.half_unit
    if in_fraction(meaning, printed):
        value, slack = value.scaleb(2), slack.scaleb(2)
    for moment in _moments(meaning):
        yield Known(
            value=value,
            slack=slack,
            metric=meaning.metric,
            split=meaning.split,
            group=meaning.group,
            moment=moment,
            seed=meaning.seed,
            run="" if meaning.seed is None else f"{meaning.group} {meaning.seed}",
            aggregate=meaning.aggregate,
            n=meaning.n or 1,
            where=_where(moment, claim),
        )


def _where(moment: Moment, claim: Claim) -> str:
    """Return the moment in words, with the line that the value stands in."""
    clock, value = moment
    return f"{clock} {value.normalize():f} ({claim.place})" if value else f"{claim.place}"


def _moments(meaning: Meaning) -> list[Moment]:
    found: list[Moment] = []
    if meaning.selection:
        found.append((meaning.selection, Decimal(0)))
    if meaning.epoch is not None:
        found.append(("epoch", Decimal(repr(float(meaning.epoch)))))
    elif meaning.step is not None:
        found.append(("step", Decimal(meaning.step)))
    return found or [("result", Decimal(0))]


def in_fraction(meaning: Meaning, printed: Printed) -> bool:
    """Say whether a printed value of an accuracy or the like is a fraction and not percent.

    Of a spread without a unit nothing tells: 0.37 may be points.

    Example:
        >>> number = Printed(text="0.82", value=Decimal("0.82"), decimals=2)
        >>> [in_fraction(Meaning(metric=m, aggregate=a), number)
        ...  for m, a in (("accuracy", "mean"), ("accuracy", "std"), ("loss", ""))]
        [True, False, False]
    """
    if printed.unit or meaning.unit in {"percent", "points"}:
        return False
    bare = is_ratio(meaning.metric) and abs(printed.value) <= 1
    return meaning.unit == "fraction" or (bare and meaning.aggregate not in _SPREADS)


def main_metric_of_report(case: Case) -> str:
    """Return the metric that the report prints most often, or nothing."""
    names = [known.metric for known in known_of_report(case)]
    return Counter(names).most_common(1)[0][0] if names else ""
