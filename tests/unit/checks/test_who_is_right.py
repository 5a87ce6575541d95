"""A report that tells its logs as they are is never accused, by any of the checks on values."""

from __future__ import annotations

import importlib
import statistics
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from fakes import made_claims as make
from fakes import made_runs
from hypothesis import given, settings
from hypothesis import strategies as st

CHECKS = [
    importlib.import_module(f"reportgen.checks.{name}").check
    for name in (
        *("value", "best_step", "aggregate", "difference", "copied", "reachable"),
        *("precision", "units", "smoothed", "definition", "oracle"),
    )
]
TENTHS = st.integers(300, 900).map(lambda t: Decimal(t) / 10)


@st.composite
def labs(draw):
    """{(group, seed): (validation, test)} in percent; some runs are short, some have ties."""
    epochs = draw(st.integers(2, 4))
    seeds = range(draw(st.integers(0, 1)), draw(st.integers(3, 4)))
    curve = st.lists(TENTHS, min_size=epochs, max_size=epochs)
    return {(group, seed): (draw(curve), draw(curve)) for group in "AB" for seed in seeds}


@st.composite
def styles(draw):
    """How a report prints: its unit, its decimals, its rounding, its tie rule, its ddof."""
    return {
        "fraction": draw(st.booleans()),
        "decimals": draw(st.integers(0, 2)),
        "rounding": draw(st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_DOWN])),
        "last": draw(st.booleans()),
        "spread": draw(st.sampled_from([statistics.pstdev, statistics.stdev])),
    }


def written(style, value, more=0):
    """A value in percent as the report prints it."""
    decimals = style["decimals"] + more + (2 if style["fraction"] else 0)
    exact = value / 100 if style["fraction"] else value
    shown = exact.quantize(Decimal(1).scaleb(-decimals), rounding=style["rounding"])
    return f"{shown:f}"


def best_of(style, curve):
    hits = [n for n, v in enumerate(curve) if v == max(curve)]
    return hits[-1] if style["last"] else hits[0]


def report(style, lab):
    """A table of best steps, one of epochs, and the means with their difference."""
    unit = "fraction" if style["fraction"] else "percent"
    groups = sorted({group for group, _ in lab})
    means = {}
    for group in groups:
        runs = {seed: lab[g, seed] for g, seed in lab if g == group}
        chosen = {seed: best_of(style, valid) for seed, (valid, _) in runs.items()}
        for seed, (valid, test) in runs.items():
            at = {"selection": "best", "step": 225 * (chosen[seed] + 1), "unit": unit}
            yield make.step(str(at["step"]), group, seed, place=(seed, 1, 10))
            for split, curve, column in (("validation", valid, 2), ("test", test, 3)):
                text = written(style, curve[chosen[seed]])
                yield make.value(text, group, seed, split, place=(seed, column, 10), **at)
        picks = {"best": [test[chosen[seed]] for seed, (_, test) in runs.items()]}
        picks["last"] = [test[-1] for _, test in runs.values()]
        for epoch in range(len(next(iter(runs.values()))[1])):
            picks[epoch + 1.0] = [test[epoch] for _, test in runs.values()]
        for rule, values in picks.items():
            where = {"selection": rule} if isinstance(rule, str) else {"epoch": rule}
            table = {"place": (rule, 1, 11)} if not isinstance(rule, str) else {"block": 12}
            mean = sum(values, Decimal()) / len(values)
            means[group, rule] = mean
            yield make.mean(written(style, mean, 1), group, unit=unit, **where, **table)
            if len(values) > 1:
                std = Decimal(str(style["spread"](values)))
                yield make.std(written(style, std, 1), group, unit=unit, **where, **table)
    gap = written(style, means["A", "best"] - means["B", "best"], 1)
    yield make.claim("aggregate_other", gap, group="A", against="B", run_against="B",
                     aggregate="difference", split="test", selection="best", unit=unit)  # fmt: skip


def accused(case):
    found = [finding for check in CHECKS for finding in check(case)]
    return [f.message for f in found if f.level in {"warning", "error"}]


def floats(lab):
    return {key: tuple([float(v) for v in curve] for curve in pair) for key, pair in lab.items()}


@settings(max_examples=40, deadline=None)
@given(labs(), styles())
def test_with_its_logs(lab, style):
    facts = made_runs.facts(floats(lab), groups=())
    assert accused(make.case(*report(style, lab), facts=facts)) == []


@settings(max_examples=40, deadline=None)
@given(labs(), styles())
def test_with_logs_in_fractions(lab, style):
    fractions = {
        key: tuple([float(v / 100) for v in curve] for curve in pair) for key, pair in lab.items()
    }
    runs = made_runs.runs_of(fractions, unit="fraction")
    facts = made_runs.facts(runs=runs, groups=())
    assert accused(make.case(*report(style, lab), facts=facts)) == []


@settings(max_examples=40, deadline=None)
@given(labs(), styles())
def test_alone(lab, style):
    assert accused(make.alone(*report(style, lab))) == []
