"""Beside Welch's test of all runs: the runs with shared seeds, paired."""

from __future__ import annotations

from reportgen.languages import message, retell, say
from reportgen.languages._language import Place
from reportgen.records.document import Number, Text
from reportgen.records.facts import Comparison
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._comparison_pair import Pair, enumerated
from reportgen.report._evidence import of_values
from reportgen.report._numbers import counted
from reportgen.report._phrases import level, name_of
from reportgen.report._points import in_points
from reportgen.report._run_in_group import run_in_group
from reportgen.stats import compare_shared


def shared_seeds_of(pair: Pair, prefix: str) -> Text:
    """Return what the shared seeds alone say; nothing where all are shared, or too few."""
    confidence = pair.facts.study.statistics.confidence
    shared = compare_shared(pair.first, pair.second, confidence=confidence)
    if shared is None:
        return ()
    printing = pair.printing
    sources = of_values(pair.first.report) + of_values(pair.second.report)
    places: dict[str, Place] = {
        "first": name_of(pair.first),
        "second": name_of(pair.second),
        "n": counted(f"{prefix}.n", len(shared.pairs), message("seeds that both have"), sources),
        "runs": _left_out(pair, shared),
        "difference": in_points(
            printing, printing.delta(f"{prefix}.difference", shared.difference)
        ),
    }
    if isinstance(shared.low, Missing):
        return say(
            "{first} and {second} have {n} seeds in common. Paired over these alone, which leaves "
            "out {runs}, the difference is {difference}; {reason}.",
            reason=retell(shared.low.reason),
            **places,
        )
    return say(
        "{first} and {second} have {n} seeds in common. Paired over these alone, which leaves out "
        "{runs}, the difference is {difference} ({level} interval from {low} to {high}; two-sided "
        "p: {p}; smallest p of an exact sign-flip test: {floor}). The test of all runs counts "
        "every one of them, and takes those with a seed in common for independent of each other.",
        level=level(pair.facts.study),
        low=printing.delta(f"{prefix}.low", shared.low),
        high=printing.delta(f"{prefix}.high", shared.high),
        p=Number(id=f"{prefix}.p", quantity=shared.p, style="p"),
        floor=Number(id=f"{prefix}.p_floor", quantity=shared.p_floor, style="p"),
        **places,
    )


def _left_out(pair: Pair, shared: Comparison) -> str:
    """Return the names of the runs that have a value and take no part."""
    seeds = {seed for seed, _, _ in shared.pairs}
    return enumerated(
        [
            run_in_group(group, cell)
            for _, group in pair.groups
            for cell in group.cells
            if isinstance(cell.report_value, Quantity) and cell.seed not in seeds
        ]
    )
