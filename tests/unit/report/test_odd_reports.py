"""Whole reports of runs that are not as one would wish: read, and held to what was read."""

import math
import random
import re

import pytest
from fakes.rows import rows_beside

from reportgen.records.document import numbers, texts, walk
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan
from reportgen.report import compose_report

ROWS = rows_beside(__file__)

THREE = {"a": range(3), "b": range(3)}
SPLITS = ("validation", "test")


def nan_at_some(group, seed, split, values):
    if (group, seed, split) == ("a", 0, "validation"):
        return {**values, 900: math.nan}
    if (group, seed, split) == ("b", 1, "test"):
        return {**values, 450: math.nan, 900: math.nan}
    return values


def stops_early(group, seed, _, values):
    return {s: v for s, v in values.items() if s <= 450} if (group, seed) == ("b", 2) else values


def every_second(group, _, split, values):
    skips = group == "a" and split == "validation"
    return {s: v for s, v in values.items() if s % 450 == 0} if skips else values


def all_equal(group, _, __, values):
    return {s: 60.0 + 5 * (group == "a") + s / 225 for s in values}


def unfinished(group, _, __, values):
    return values if group == "a" else {}


WER = {"metric": "wer", "direction": "lower", "level": 30.0, "rise": -3.0}
PERPLEXITY = {"metric": "perplexity", "direction": "lower", "level": 120.0, "rise": -20.0}
LIKELIHOOD = {"metric": "log_likelihood", "level": -3.2, "rise": 0.3, "spread": 0.1}
STUDIES = {
    "nan": {"edit": nan_at_some},
    "early": {"edit": stops_early},
    "second": {"edit": every_second},
    "unequal": {"groups": {"a": range(4), "b": range(1, 6)}},
    "equal": {"edit": all_equal},
    "unfinished": {"edit": unfinished},
    "wer": WER,
    "perplexity": {**PERPLEXITY, "unit": ""},
    "likelihood": {**LIKELIHOOD, "unit": ""},
    "thirty": {"groups": {"a": range(30), "b": range(30)}},
    "twelve": {"groups": {name: range(3) for name in "abcdefghijkl"}},
}


def report_of(made, name):
    """Compose the report of four epochs of invented values."""
    shape = {"groups": THREE, "metric": "accuracy", "direction": "higher", "unit": "percent",
             "level": 50.0, "rise": 3.0, "spread": 1.0, "edit": None, **STUDIES[name]}  # fmt: skip
    rng = random.Random(1)
    runs = []
    for index, (group, seeds) in enumerate(shape["groups"].items()):
        for seed in seeds:
            members = []
            for split in SPLITS:
                level = shape["level"] + index * 2 * abs(shape["rise"]) / 3
                values = {
                    225 * (e + 1): round(
                        level + shape["rise"] * e + rng.gauss(0, shape["spread"]), 2
                    )
                    for e in range(4)
                }
                values = shape["edit"](group, seed, split, values) if shape["edit"] else values
                if values:
                    series = made.series(split, list(values.values()), steps=list(values),
                                         metric=shape["metric"], unit=shape["unit"])  # fmt: skip
                    members.append(series)
            runs.append(made.run(group, seed, *members))
    facts = made.facts(
        runs=Runs(root="logs", runs=tuple(runs)),
        groups=tuple(GroupPlan(name=g, seeds=tuple(s)) for g, s in shape["groups"].items()),
        metric=MetricPlan(name=shape["metric"], direction=shape["direction"], unit=shape["unit"]),
    )
    return compose_report(facts, metadata={})


@pytest.fixture(scope="module")
def reports(request):
    """Reports by the name of their study, composed when first asked for."""
    made, composed = request.getfixturevalue("made"), {}

    def of(name):
        if name not in composed:
            composed[name] = report_of(made, name)
        return composed[name]

    return of


def said(made, report, *but):
    """Every word of a report but those of some sections."""
    sections = [s for s in report.sections if s.id not in but]
    parts = [made.words(text) for block in walk(sections) for text in texts(block)]
    return "\n".join([made.words(report.abstract), *parts])


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_stands_for_what_is_missing(made, reports, name):
    text = said(made, reports(name), "settings", "problems", "files", "references")
    assert ("± 0%" in text) == (name == "equal")
    assert not re.search(r"± 0\.0+(?!\d)|± —|\binf\b|\bNone\b|(?<!logged )\bnan\b", text)
    for number in numbers(reports(name)):
        if isinstance(number.quantity, Missing):
            assert number.quantity.reason, number.id
        elif number.quantity.ddof is not None:
            assert number.quantity.n is None or number.quantity.n >= 3, number.id


@pytest.mark.parametrize("name", STUDIES)
def test_no_mean_of_one_value_is_said(made, reports, name):
    for number in numbers(reports(name)):
        if isinstance(number.quantity, Quantity) and number.quantity.n == 1:
            assert not str(number.quantity.method).startswith("mean of"), number.id


READ = ROWS["read"]


@pytest.mark.parametrize(("name", "words"), READ)
def test_what_was_read_and_found_true(made, reports, name, words):
    assert words in said(made, reports(name))


@pytest.mark.parametrize(
    ("name", "part"),
    [("equal", "interval"), ("equal", "t test ["), ("unfinished", "difference"), ("wer", "b beats"),
     ("perplexity", "%, "), ("likelihood", " points"), ("perplexity", " points"),
     ("unfinished", "accuracy of b"), ("early", "beats"), ("twelve", "a is ")],
)  # fmt: skip
def test_what_must_not_be_said(made, reports, name, part):
    assert part not in said(made, reports(name))
