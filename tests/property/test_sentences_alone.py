"""The sentences of one group alone, computed again from the raw values by a reader of its own."""

from __future__ import annotations

import importlib.util
import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.records.document import Bullets, walk
from reportgen.records.run import Runs
from reportgen.report import observations

_PATH = Path(__file__).parents[1] / "fakes" / "made_runs.py"
_SPEC = importlib.util.spec_from_file_location("made_runs", _PATH)
made = sys.modules.setdefault("made_runs", importlib.util.module_from_spec(_SPEC))
_SPEC.loader.exec_module(made)

SPLITS = ("train", "validation", "test")


@st.composite
def groups(draw):
    """Seed to the curves of training, validation and test, few different values each."""
    epochs = draw(st.integers(2, 8))
    width = draw(st.sampled_from((2, 300)))
    tenths = st.integers(500, 500 + width).map(lambda i: Fraction(i, 10))
    curve = st.lists(tenths, min_size=epochs, max_size=epochs)
    return {s: {split: draw(curve) for split in SPLITS} for s in range(draw(st.integers(1, 3)))}


def said_of(group):
    runs = [
        made.run("a", seed, *(made.series(k, [float(v) for v in c]) for k, c in curves.items()))
        for seed, curves in group.items()
    ]
    facts = made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=())
    items = [
        t for b in walk((observations.build(facts),)) if isinstance(b, Bullets) for t in b.items
    ]
    return dict(made.words(item).split(". ", 1) for item in items)


def points_in(text):
    """The number before `points`, with the unit of its last digit."""
    number = Decimal(re.search(r"([+−]?[\d.]+) points?\b", text)[1].replace("−", "-"))
    return number, Decimal(1).scaleb(number.as_tuple().exponent)


def shown(value, unit):
    exact = round(Decimal(value.numerator) / Decimal(value.denominator), 15)
    return exact.quantize(unit, rounding=ROUND_HALF_UP)


def check_steadiness(said, group):
    epochs = len(group[0]["test"])
    if epochs // 2 < 3:
        assert said is None
        return
    spans = {}
    for seed, curves in group.items():
        last = curves["validation"][epochs - epochs // 2 :]
        spans[seed] = max(last) - min(last)
    assert said.startswith(f"From epoch {epochs - epochs // 2 + 1} to epoch {epochs} the")
    found = [Fraction(n) for n in re.findall(r"([\d.]+) points?\b", said)]
    if len(set(spans.values())) == 1:
        assert found == [spans[0]]
        assert ("each run of a" in said) == (len(group) > 1)
        return
    assert found == [min(spans.values()), max(spans.values())]
    steady, other = map(int, re.findall(r"\(seed (\d)\)", said))
    assert [spans[steady], spans[other]] == found


def check_training(said, group):
    epochs, n = len(group[0]["test"]), len(group)
    means = {s: sum(c[s][-1] for c in group.values()) / n for s in SPLITS}
    gap = means["train"] - means["validation"]
    assert said.startswith(f"At epoch {epochs} the ")
    assert ("mean" in said.partition(". ")[0]) == (n > 1)
    if "equals its" in said:
        assert gap == 0
    elif "as printed" in said:
        assert 0 < abs(gap) < 1  # whole points are the coarsest that is printed
    else:
        number, unit = points_in(said)
        assert shown(gap, unit) == number
        assert ("lies above" in said) == (gap > 0)


def check_best_and_last(said, group):
    epochs, n = len(group[0]["test"]), len(group)
    best = {s: c["validation"].index(max(c["validation"])) for s, c in group.items()}
    reported = sum(group[s]["test"][i] for s, i in best.items()) / n
    last = sum(c["test"][-1] for c in group.values()) / n
    ends = [s for s, i in best.items() if i == epochs - 1]
    if n > 1 and len(ends) == n:
        assert "in every run" in said
    assert ("mean" in said) == (n > 1)
    values = [Decimal(v) for v in re.findall(r"([\d.]+)%", said)]
    units = [Decimal(1).scaleb(v.as_tuple().exponent) for v in values]
    expected = [reported, last] if "change" in said else [reported]
    assert values == [shown(v, u) for v, u in zip(expected, units, strict=True)]


def check_ties(said, group):
    tied = [s for s, c in group.items() if c["validation"].count(max(c["validation"])) > 1]
    assert said.startswith("No run reaches") == (not tied)
    for seed in group:
        named = re.search(rf"a, seed {seed}\b", said.partition(")")[0])
        assert bool(named) == (seed in tied)


CHECKS = {
    "Steadiness": check_steadiness,
    "Training and validation": check_training,
    "Best and last step": check_best_and_last,
    "Ties": check_ties,
}


@settings(max_examples=150)
@given(groups())
def test_what_is_said_of_one_group_is_what_a_reader_of_the_raw_values_finds(group):
    said = said_of(group)
    for name, check in CHECKS.items():
        assert name in said or name == "Steadiness", name
        check(said.get(name), group)
    assert "mean" not in " ".join(said.values()) or len(group) > 1
