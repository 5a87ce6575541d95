"""Every sentence of the commentary, computed again from the raw values by a reader of its own.

The reader knows nothing of the program: it reads English, and adds up fractions.
"""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.records.document import Bullets, walk
from reportgen.report import comparison

_PATH = Path(__file__).parents[1] / "fakes" / "made_runs.py"
_SPEC = importlib.util.spec_from_file_location("made_runs", _PATH)
made = sys.modules.setdefault("made_runs", importlib.util.module_from_spec(_SPEC))
_SPEC.loader.exec_module(made)

COUNTS = {word: i for i, word in enumerate(["no", "one", "two", "three", "four", "five", "six"])}
SEEDS = (0, 1, 2)


@st.composite
def tables(draw):
    """Two groups of three seeds; few different values, so that ties and equal means happen."""
    epochs = draw(st.integers(2, 5))
    low = draw(st.sampled_from((0, 400, 500)))
    width = draw(st.sampled_from((2, 6, 300)))
    tenths = st.integers(low, low + width).map(lambda i: i / 10)
    curve = st.lists(tenths, min_size=epochs, max_size=epochs)
    return {(g, s): (draw(curve), draw(curve)) for g in "ab" for s in SEEDS}


class Reader:
    """The raw values, and what a sentence should say of them."""

    def __init__(self, table, decimals):
        self.table, self.decimals = table, decimals
        self.epochs = range(1, 1 + len(table["a", 0][0]))

    def values(self, group, seed, split):
        return [Fraction(str(v)) for v in self.table[group, seed][split == "test"]]

    def mean(self, group, split, epoch):
        return sum(self.values(group, s, split)[epoch - 1] for s in SEEDS) / 3

    def gap(self, split, epoch):
        return self.shown(self.mean("a", split, epoch) - self.mean("b", split, epoch))

    def shown(self, value, decimals=None):
        unit = Decimal(1).scaleb(-(self.decimals if decimals is None else decimals))
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        # Seventeen digits are more than any mean of tenths has, but for thirds.
        return round(exact, 15).quantize(unit, rounding=ROUND_HALF_UP) + 0

    def best(self, group, seed):
        """Every epoch with the best validation value."""
        curve = self.values(group, seed, "validation")
        return [e for e in self.epochs if curve[e - 1] == max(curve)]

    def report(self, group, seed):
        return self.values(group, seed, "test")[self.best(group, seed)[0] - 1]

    def falls(self, group, seed, split):
        curve = self.values(group, seed, split)
        return [e for e in self.epochs if e > 1 and curve[e - 1] <= curve[e - 2]]


def epochs_in(text, reader):
    """The epochs that `epoch 2`, `epochs 1, 2 and 3` or `each of the two epochs` name."""
    if "each of" in text:
        assert COUNTS[re.search(r"the (\w+) epochs", text)[1]] == len(reader.epochs)
        return list(reader.epochs)
    return [int(number) for number in re.findall(r"\d+", text)]


def number_in(text):
    return Decimal(text.replace("−", "-").replace("+", ""))


AT = r"(each of the \w+ epochs|epochs? \d+(?:, \d+)*(?: and \d+)?)"


def check_ordering(said, reader):
    found = dict.fromkeys(("test", "validation"))
    for splits, body in re.findall(r"On ([a-z ]+), the mean accuracy of a (.*?)\.(?= |$)", said):
        places = {}
        for relation, at in re.findall(
            rf"(above|below|equals) (?:that of b|it)(?:, as printed,)? at {AT}", body
        ):
            places[relation] = epochs_in(at, reader)
        for split in re.findall(r"test|validation", splits):
            found[split] = places
    for split, places in found.items():
        signs = {"above": 1, "below": -1, "equals": 0}
        expected = {}
        for epoch in reader.epochs:
            gap = reader.gap(split, epoch)
            sign = (gap > 0) - (gap < 0)
            word = next(w for w, s in signs.items() if s == sign)
            expected.setdefault(word, []).append(epoch)
        assert places == expected, said


def check_separation(said, reader):
    ends = {g: sorted(reader.report(g, s) for s in SEEDS) for g in "ab"}
    for upper, lower in ("ab", "ba"):
        above = ends[upper][0] > ends[lower][-1]
        assert above == (f"every run of {upper} lies above every run of {lower}" in said), said
        if above:
            numbers = [Fraction(n) for n in re.findall(r"([\d.]+)%", said)]
            assert numbers == [ends[upper][0], ends[lower][-1]]
    overlap = ends["a"][0] <= ends["b"][-1] and ends["b"][0] <= ends["a"][-1]
    assert overlap == ("overlap" in said)


def check_gap(said, reader):
    gaps = {epoch: reader.gap("test", epoch) for epoch in reader.epochs}
    sizes = {abs(gap) for gap in gaps.values()}
    if said is None:
        assert len(sizes) == 1
        return
    widest, narrowest = re.search(r"widest at (.*) and narrowest at (.*?)\. It", said).groups()
    for text, size in ((widest, max(sizes)), (narrowest, min(sizes))):
        assert sorted(e for at in re.findall(AT, text) for e in epochs_in(at, reader)) == [
            epoch for epoch, gap in gaps.items() if abs(gap) == size
        ], said
        assert {abs(number_in(n)) for n in re.findall(r"\(([+−]?[\d.]+)", text)} == {size}
    first, last = gaps[1], gaps[reader.epochs[-1]]
    if first * last < 0:
        expected = "changes its sign"
    elif abs(first) == abs(last):
        expected = "is the same at the end"
    else:
        expected = "is wider" if abs(last) > abs(first) else "is narrower"
    assert f"It {expected}" in said
    assert [number_in(n) for n in re.findall(r"([+−]?[\d.]+) at epoch \d", said)] == [first, last]


def check_trend(said, reader):
    for split in ("test", "validation"):
        for group in "ab":
            falls = {s: reader.falls(group, s, split) for s in SEEDS}
            sentence = next(
                one
                for one in re.split(r"(?<=\.) (?=On )", said)
                if one.startswith(f"On {split}, ") and f" of {group} improve" in one
            )
            steady = [s for s in SEEDS if not falls[s]]
            if len(steady) == 3:
                assert f"every run of {group} improves" in sentence
            elif not steady:
                assert "none of the three runs" in sentence
            else:
                some = {v: k for k, v in COUNTS.items()}[len(steady)]
                names = ", ".join(f"seed {s}" for s in steady)
                assert f"{some} of the three runs of {group} improve" in sentence
                assert f"({names})" in sentence
            told = re.findall(rf"seed (\d) does not at {AT}", sentence)
            assert {int(s): epochs_in(at, reader) for s, at in told} == {
                s: epochs for s, epochs in falls.items() if epochs
            }, sentence


def check_convergence(said, reader):
    for group in "ab":
        stds = [
            np.std([float(reader.values(group, s, "test")[e - 1]) for s in SEEDS], ddof=1)
            for e in reader.epochs
        ]
        sentence = re.search(rf"deviation of {group} over seeds on test (.*?)\.(?= |$)", said or "")
        if sentence is None:
            assert max(stds) - min(stds) < 1.01 * 10**-reader.decimals
            continue
        numbers = [float(n) for n in re.findall(r"(\d+\.\d+)", sentence[1])]
        near = 0.501 * 10**-reader.decimals
        if "largest" in sentence[1]:
            assert abs(numbers[0] - max(stds)) <= near
            rises = any(b > a for a, b in itertools.pairwise(stds))
            assert rises
            assert any(b < a for a, b in itertools.pairwise(stds))
        else:
            assert abs(numbers[0] - stds[0]) <= near
            assert abs(numbers[1] - stds[-1]) <= near
            assert ("shrinks" in sentence[1]) == (stds[-1] < stds[0])


def check_setback(said, reader):
    drops = {}
    for group in "ab":
        for seed in SEEDS:
            curve = reader.values(group, seed, "validation")
            for epoch in reader.epochs[1:]:
                if curve[epoch - 1] < curve[epoch - 2]:
                    size = curve[epoch - 2] - curve[epoch - 1]
                    drops.setdefault(size, []).append((group, seed, epoch - 1, epoch))
    if not drops:
        assert "No run falls back" in said
        return
    largest = max(drops)
    size, where = re.search(r"largest setback .*? is −([\d.]+) points \((.*?)\)\.", said).groups()
    assert Fraction(size) == largest
    named = re.findall(r"([ab]), seed (\d), epoch (\d) to epoch (\d)", where)
    expected = drops[largest]
    assert [(g, *map(int, rest)) for g, *rest in named] == expected[: len(named)]
    assert len(named) == len(expected) or "more" in where


def check_best_and_last(said, reader):
    last = reader.epochs[-1]
    same = [(g, s) for g in "ab" for s in SEEDS if reader.best(g, s)[0] == last]
    words = {v: k for k, v in COUNTS.items()}
    if len(same) == 6:
        assert "in every run (six of them)" in said
    else:
        some = words[len(same)] if same else "none"
        assert f"the last one in {some} of six runs" in said
        if same:
            named = re.search(r"\(not in (.*?)\)", said)[1]
            others = [(g, s) for g in "ab" for s in SEEDS if (g, s) not in same]
            assert named == "; ".join(f"{g}, seed {s}" for g, s in others)
    for group in "ab":
        best = reader.shown(sum(reader.report(group, s) for s in SEEDS) / 3)
        end = reader.shown(sum(reader.values(group, s, "test")[-1] for s in SEEDS) / 3)
        what = rf"(?:accuracy|that) of {group} "
        if best == end:
            assert re.search(rf"leave .*?{what}at {best}%", said), said
        else:
            assert re.search(rf"change .*?{what}from {best}% to {end}%", said), said


def check_ties(said, reader):
    tied = [(g, s) for g in "ab" for s in SEEDS if len(reader.best(g, s)) > 1]
    if not tied:
        assert said.startswith("No run reaches its best validation accuracy at two steps")
        return
    word = {v: k for k, v in COUNTS.items()}[len(tied)]
    assert said.lower().startswith(f"{word} of six runs reach")
    assert "; ".join(f"{g}, seed {s}" for g, s in tied) in said
    changed = []
    for group in "ab":
        own = reader.shown(sum(reader.report(group, s) for s in SEEDS) / 3)
        late = [reader.values(group, s, "test")[reader.best(group, s)[-1] - 1] for s in SEEDS]
        other = reader.shown(sum(late) / 3)
        if other != own:
            changed.append(f"{other}% instead of {own}% ({group})")
    assert all(part in said for part in changed)
    assert bool(changed) == ("would give a mean" in said)


def check_outliers(said, reader):
    for group in "ab":
        values = [reader.report(group, s) for s in SEEDS]
        away = [v - (sum(values) - v) / 2 for v in values]
        if len(set(values)) == 1:
            assert said is None or f" of {group} farthest" not in said
            continue
        expected = [s for s in SEEDS if abs(away[s]) == max(map(abs, away))]
        sentence = re.search(rf"of {group} farthest from .*? (?:is|are) (.*?points\))\.", said)[1]
        found = re.findall(r"seed (\d) \(([+−][\d.]+) points\)", sentence)
        assert [(int(s), number_in(n)) for s, n in found] == [
            (s, reader.shown(away[s])) for s in expected
        ]


CHECKS = {
    "Ordering": check_ordering,
    "Separation": check_separation,
    "Gap": check_gap,
    "Trend": check_trend,
    "Convergence of seeds": check_convergence,
    "Stability": check_setback,
    "Best and last step": check_best_and_last,
    "Ties": check_ties,
    "Outliers": check_outliers,
}
MAY_BE_SILENT = {"Gap", "Convergence of seeds", "Outliers"}


@settings(max_examples=200)
@given(tables())
def test_every_sentence_says_what_a_reader_of_the_raw_values_finds(table):
    section = comparison.build(made.facts(table, groups=(), compare=("a", "b")))
    items = [t for b in walk((section,)) if isinstance(b, Bullets) for t in b.items]
    said = dict(made.words(item).split(". ", 1) for item in items)
    rows = dict(made.grid(made.tables(section)["comparison.test"]))
    decimals = len(rows["Difference, points"].partition(".")[2])
    reader = Reader(table, decimals)
    for name, check in CHECKS.items():
        assert name in said or name in MAY_BE_SILENT, name
        check(said.get(name), reader)
    assert said["Length of training"].endswith(f"{225 * len(reader.epochs):,}.")
    assert set(said) <= {*CHECKS, "Length of training", "Steadiness"}
