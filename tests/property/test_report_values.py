"""What changes nothing must change no printed number of the whole report."""

import re

from fakes import made_runs as made
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.records.document import numbers, texts, walk
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan
from reportgen.report import compose_report

TENTHS = st.integers(300, 900).map(lambda tenths: tenths / 10)
OTHERS = (("loss", ""), ("f1", "percent"))
SETTINGS = settings(max_examples=15)
MOVED = re.compile(
    r"(?:\.|^)(?:std|std_first|std_last|std_largest|difference|t|p|p_floor|degrees)$"
)


@st.composite
def tables(draw, groups=3):
    """(group, seed) to (validation, test) of accuracy and of other metrics."""
    epochs = draw(st.integers(1, 6))
    curve = st.lists(TENTHS, min_size=epochs, max_size=epochs)
    sizes = [draw(st.integers(1, 4)) for _ in range(groups)]
    return {
        (group, seed): [(draw(curve), draw(curve)) for _ in range(1 + len(OTHERS))]
        for group, size in zip("abc", sizes, strict=False)
        for seed in range(size)
    }


def runs_of(table, *, unit="percent", shift=0.0, names=str):
    """Runs of a table; the deciding metric in another unit, or moved by a constant."""
    made_runs = []
    for (group, seed), curves in table.items():
        members = []
        for (metric, own), pair in zip((("accuracy", unit), *OTHERS), curves, strict=True):
            for split, values in zip(("validation", "test"), pair, strict=True):
                kept = list(values)
                if metric == "accuracy":
                    kept = [float(f"{v + shift:.1f}") for v in values]
                    if unit == "fraction":
                        kept = [float(f"{v / 100:.3f}") for v in kept]
                members.append(made.series(split, kept, metric=metric, unit=own))
        made_runs.append(made.run(names(group), seed, *members))
    return tuple(made_runs)


def report_of(runs):
    plans = tuple(GroupPlan(name=name) for name in sorted({run.group for run in runs}))
    facts = made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=plans)
    return compose_report(facts, metadata={})


def printed(report):
    """Every printed number but those of the appendix about runs as they were found."""
    return {
        number.id: made.words((number,))
        for number in numbers(report)
        if not number.id.startswith(("settings.", "problems.", "files."))
    }


def spoken(report):
    """Every word of the report but those of the appendix about files."""
    said = [report.title, made.words(report.abstract)]
    for section in report.sections:
        if section.id not in {"settings", "problems", "files"}:
            blocks = walk((section,))
            said += [made.words(text) for block in blocks for text in texts(block)]
    return said


@SETTINGS
@given(tables(), st.randoms())
def test_the_order_of_the_runs(table, random):
    runs = list(runs_of(table))
    before = report_of(runs)
    random.shuffle(runs)
    after = report_of(runs)
    assert printed(after) == printed(before)
    assert spoken(after) == spoken(before)


@SETTINGS
@given(tables())
def test_the_names_of_the_groups(table):
    other = {"a": "kilo", "b": "lima", "c": "mike"}
    before = report_of(runs_of(table))
    after = report_of(runs_of(table, names=other.get))
    assert list(printed(after).values()) == list(printed(before).values())


@SETTINGS
@given(tables())
def test_percent_and_fractions_give_the_same_report_digit_by_digit(table):
    percent, fraction = (report_of(runs_of(table, unit=u)) for u in ("percent", "fraction"))
    assert printed(fraction) == printed(percent)
    assert spoken(fraction) == spoken(percent)


@SETTINGS
@given(tables(groups=2), st.integers(-20, 9))
def test_a_constant_moves_values_and_leaves_spreads_and_differences(table, shift):
    before, after = (
        {n.id: n for n in numbers(report_of(runs_of(table, shift=by)))} for by in (0.0, shift)
    )
    assert before.keys() == after.keys()
    for name, number in before.items():
        if isinstance(number.quantity, Missing) or "evaluations.others" in name:
            continue
        one, other = made.words((number,)), made.words((after[name],))
        if MOVED.search(name) or name.endswith((".low", ".high", ".interval")):
            assert one == other, name
        elif name.endswith((".mean", ".select_value", ".report_value", ".last_value")):
            assert (
                float(other) - float(one) == float(f"{shift:.6f}")
                or abs(float(other) - float(one) - shift) < 1e-9
            ), name
        elif number.style == "count":
            assert one == other, name


@SETTINGS
@given(tables())
def test_no_spread_where_nothing_spreads_and_no_mean_of_one(table):
    report = report_of(runs_of(table))
    for number in numbers(report):
        quantity = number.quantity
        if not isinstance(quantity, Quantity) or "evaluations.others.difference" in number.id:
            continue
        if quantity.ddof is not None:
            assert quantity.n is None or quantity.n >= 3, number.id
        if quantity.method.startswith("mean of") and quantity.n == 1:
            raise AssertionError(number.id)
        if "interval" in quantity.method and quantity.unit != "count":
            assert quantity.value != 0 or "end" in quantity.method, number.id
    text = " ".join(spoken(report))
    assert not re.search(r"± (?:—|nan|inf)|\bnan\b|\binf\b", text)
    sizes = {g: sum(one == g for one, _ in table) for g in "abc"}
    for group, size in sizes.items():
        if size == 1:
            assert f"mean test accuracy of {group} " not in text
