"""Sentences about runs that lie apart, and about runs that are not steady at their end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.languages import message, noun, say, spoken
from reportgen.languages._language import Place
from reportgen.records.document import Cite, Number, Text
from reportgen.records.facts import EpochRow, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.report._comparison_absent import absent_runs
from reportgen.report._comparison_pair import Pair, evaluations_of, moment
from reportgen.report._phrases import cell_words, in_words, joined, name_of, runs_found
from reportgen.report._points import in_points
from reportgen.stats import MIN_RUNS_OF_GRUBBS, Farthest, find_farthest, subtract

FEWEST_AT_THE_END = 3


def outliers(pair: Pair) -> Text | None:
    """Say which run lies farthest from the others of its group, and what a test says to that."""
    confidence = pair.facts.study.statistics.confidence
    text: Text = ()
    untested = False
    for key, group in pair.groups:
        found = find_farthest(group, confidence)
        if found is None:
            continue
        said = _farthest(pair, key, group, found)
        text = (*text, " ", *said) if text else said
        untested = untested or not isinstance(found.statistic, Quantity)
    if not text:
        return None
    if not untested:
        return text
    return (
        *text,
        " ",
        *say(
            "No test for outliers is made in a group of fewer than {fewest} runs.",
            fewest=in_words(MIN_RUNS_OF_GRUBBS),
        ),
    )


def _farthest(pair: Pair, key: str, group: GroupResult, found: Farthest) -> Text:
    parts: list[Text] = [
        (
            f"{cell_words(group, cell)} (",
            *in_points(
                pair.printing,
                pair.printing.delta(f"{pair.prefix}.{key}.farthest{i or ''}", difference),
            ),
            ")",
        )
        for i, (cell, difference) in enumerate(zip(found.cells, found.differences, strict=True))
    ]
    text = say(
        "The run of {group} farthest from the mean of its other runs is {runs}."
        if len(parts) == 1
        else "The runs of {group} farthest from the mean of its other runs are {runs}.",
        group=name_of(group),
        runs=joined(parts),
    )
    if not isinstance(found.statistic, Quantity):
        return text
    name = f"{pair.prefix}.{key}.grubbs"
    test = say(
        "Grubbs’ test {cite} at the {level} level calls it an outlier: G is {g}, above the "
        "critical value {critical}; it is kept in every number."
        if found.is_outlier
        else "Grubbs’ test {cite} at the {level} level calls no run of it an outlier: G is {g}, "
        "not above the critical value {critical}.",
        cite=Cite("grubbs"),
        level=_level_of_test(pair),
        g=Number(id=name, quantity=found.statistic, decimals=3),
        critical=Number(id=f"{name}_critical", quantity=found.critical, decimals=3),
    )
    return (*text, " ", *test)


def _level_of_test(pair: Pair) -> str:
    number = f"{100 - 100 * pair.facts.study.statistics.confidence:g}"
    return f"{number.replace('.', spoken().decimal_mark)}{spoken().percent_mark}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wobble:
    """How far apart the best and the worst of one run's last evaluations lie."""

    name: str
    span: Quantity


def steadiness(pair: Pair) -> Text | None:
    """Say by how much each run still varies over the last half of its evaluations."""
    text: Text = ()
    for key, group in pair.groups:
        rows, wobbles = _wobbles(pair, group)
        if wobbles:
            said = _steadiness_of(pair, key, group, rows, wobbles)
            text = (*text, " ", *said) if text else said
        select = pair.facts.study.metric.select_on
        unsteady = absent_runs(pair, select, [(group, rows)]) if rows else ""
        if unsteady:
            left_out = say(
                "Left out, for not every value from {first} to {last} is there: {runs}.",
                first=moment(rows[0]),
                last=moment(rows[-1]),
                runs=unsteady,
            )
            text = (*text, " ", *left_out) if text else left_out
    return text or None


def _wobbles(pair: Pair, group: GroupResult) -> tuple[list[EpochRow], list[_Wobble]]:
    """Return the last half of a group's evaluations, and the runs that have a value at each."""
    select = pair.facts.study.metric.select_on
    last = list(group.epochs[len(group.epochs) - len(group.epochs) // 2 :])
    if len(last) < FEWEST_AT_THE_END:
        return [], []
    found, there = [], {id(row) for row in last}
    for cell in group.cells:
        points = [(r, v) for r, v in evaluations_of(pair, group, cell, select) if id(r) in there]
        values = [v for _, v in points if v is not None]
        if len(values) == len(last):
            found.append(_Wobble(name=cell_words(group, cell), span=_span(values)))
    return last, found


def _span(values: Sequence[Quantity]) -> Quantity:
    low, high = (pick(values, key=lambda v: v.value) for pick in (min, max))
    return Quantity(
        value=subtract(high.value, low.value),
        unit=high.unit,
        method=message("largest less smallest value over the last evaluations of one run"),
        formula=f"{high.value!r} - {low.value!r}",
        sources=high.sources + low.sources,
    )


def _steadiness_of(
    pair: Pair, key: str, group: GroupResult, rows: Sequence[EpochRow], wobbles: Sequence[_Wobble]
) -> Text:
    least = min(wobbles, key=lambda w: w.span.value)
    most = max(wobbles, key=lambda w: w.span.value)
    name, printing = f"{pair.prefix}.{key}.steadiness", pair.printing
    places: dict[str, Place] = {
        "first": moment(rows[0]),
        "last": moment(rows[-1]),
        "select": noun(pair.facts.study.metric.select_on),
        "metric": pair.metric,
        "group": name_of(group),
        "low": in_points(printing, printing.one(name, least.span)),
    }
    if len(wobbles) == 1 and runs_found(group) > 1:
        return say(
            "From {first} to {last} the {select} {metric} of {group}, {run} varies by {low}.",
            run=least.name,
            **places,
        )
    if len(wobbles) == 1:
        return say(
            "From {first} to {last} the {select} {metric} of the run of {group} varies by {low}.",
            **places,
        )
    if least.span.value == most.span.value:
        return say(
            "From {first} to {last} the {select} {metric} of each run of {group} varies by {low}.",
            **places,
        )
    return say(
        "From {first} to {last} the {select} {metric} of a run of {group} varies by {low} "
        "({steady}) to {high} ({other}).",
        steady=least.name,
        high=in_points(printing, printing.one(f"{name}_most", most.span)),
        other=most.name,
        **places,
    )
