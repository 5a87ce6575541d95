"""With how many decimals values are printed, and that this is not worked out for every cell."""

from __future__ import annotations

import time
from dataclasses import replace
from decimal import Decimal

import numpy as np

from reportgen.formats._spelling import print_number, split_power
from reportgen.records.document import Figure, walk
from reportgen.records.quantity import Quantity
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan
from reportgen.report import best_step, compose_report, curves, summary
from reportgen.report._decimals import decimals_of
from reportgen.report._numbers import Printing


def test_groups_are_told_apart_by_what_they_are_and_not_by_when_they_were_asked(made):
    coarse = made.facts({("pretrained", 1): ([80.0, 81.0], [79.0, 80.0])}).groups
    fine = made.facts({("pretrained", 1): ([80.25, 81.75], [79.25, 80.5])}).groups
    for _ in range(2):
        for groups, decimals in ((coarse, 0), (fine, 2)):
            percent, values, spread = decimals_of(groups)
            assert percent
            assert values[id(groups[0])] == decimals
            assert spread is None
    copied = tuple(replace(group) for group in fine)
    assert decimals_of(copied)[1][id(copied[0])] == 2


def test_a_report_of_many_groups_takes_no_time_that_grows_with_their_square(made):
    spent = {}
    for count in (20, 80):
        table = {
            (f"model {group}", seed): (
                [70.0 + group / 8 + seed, 80.5 + group / 8 + seed],
                [69.0 + group / 8 + seed, 79.5 + group / 8 + seed],
            )
            for group in range(count)
            for seed in (1, 2, 3)
        }
        plans = tuple(GroupPlan(name=f"model {group}") for group in range(count))
        facts = made.facts(table, groups=plans)
        assert len(facts.groups) == count
        took = []
        for _ in range(3):
            begun = time.process_time()
            compose_report(facts, metadata={}, date="2026-03-14")
            took.append(time.process_time() - begun)
        spent[count] = min(took)
    assert spent[80] < 7 * spent[20]


def test_a_whole_best_value_among_finer_evaluations_keeps_their_decimals(made):
    group = made.facts({("pretrained", 1): ([50.1, 80.0], [50.0, 50.0])}).groups[0]
    assert decimals_of((group,))[1][id(group)] == 1


def logged(made, **values):
    """Return facts of runs that logged one plain metric as float32, and no evaluation."""
    runs = [
        made.run(group, 1, made.series("", row, metric="reward", unit="", dtype=np.float32))
        for group, row in values.items()
    ]
    return made.unselected_facts(
        Runs(root="logs", runs=tuple(runs)), MetricPlan(name="reward", direction="higher")
    )


def last_values(made, **values):
    table = made.tables(summary.build(logged(made, **values)))["summary.headline"]
    return [made.words(row.cells[2]) for row in table.rows]


def test_groups_many_orders_apart_have_decimals_of_their_own_and_the_digits_of_the_log(made):
    found = last_values(made, a=[126256792.0, 126356792.0], b=[0.5, 0.79])
    assert found == ["126356792", "0.79", "+126356791"]
    found = last_values(made, a=[1e12, 33333334016.0], b=[1e-12, 3.3333334e-14])
    assert found == ["33333334016", "3.333×10⁻¹⁴", "+33333334016"]


def small(made, *values):
    table = {("rk4", seed): ([9e-5, value], [9e-5, value]) for seed, value in enumerate(values)}
    facts = made.facts(
        runs=made.runs_of(table, unit=""),
        groups=(),
        metric=MetricPlan(name="accuracy", direction="lower", unit=""),
    )
    return facts, made.grid(made.tables(summary.build(facts))["summary.headline"])


def test_small_values_are_printed_with_powers_of_ten_to_the_same_place(made):
    values = (3.33e-7, 3.61e-7, 3.02e-7)
    facts, (headline,) = small(made, *values)
    # NumPy: mean 3.32e-7, sample standard deviation 2.9513e-8; two digits of that are 1e-9.
    mean, std = np.mean(values), np.std(values, ddof=1)
    assert f"{mean * 1e7:.2f}×10⁻⁷ ± {std * 1e8:.1f}×10⁻⁸" == "3.32×10⁻⁷ ± 3.0×10⁻⁸"
    assert "3.32×10⁻⁷ ± 3.0×10⁻⁸" in headline
    assert "0.00000" not in made.prose(summary.build(facts))


def test_a_value_that_is_not_small_keeps_the_point_of_all(made):
    _, (headline,) = small(made, 3.33e-7, 3.61e-7, 0.0002)
    assert not any("×10" in cell for cell in headline)


def test_a_run_that_goes_astray_leaves_the_others_their_digits(made):
    best, lost = [0.45, 0.4157, 0.4271], [0.5, 0.4388, 718380.36]
    table = {("mlp", seed): (best, best) for seed in (1, 2)} | {("mlp", 3): (lost, lost)}
    facts = made.facts(
        runs=made.runs_of(table, unit=""),
        groups=(),
        metric=MetricPlan(name="accuracy", direction="lower", unit=""),
    )
    (runs,) = made.tables(best_step.build(facts)).values()
    assert [row[-3:] for row in made.grid(runs)[:3]] == [
        ["0.4157", "0.4157", "0.4271"],
        ["0.4157", "0.4157", "0.4271"],
        ["0.4388", "0.4388", "718380"],
    ]
    (headline,) = made.grid(made.tables(summary.build(facts))["summary.headline"])
    assert "0.423 ± 0.013" in headline
    assert "239460 ± 414757" in headline


def test_groups_a_few_orders_apart_share_their_decimals(made):
    assert last_values(made, a=[1000.5], b=[0.79])[:2] == ["1000.50", "0.79"]


def test_sentences_compare_values_as_they_are_printed():
    apart = Printing(
        style="plain", difference="signed", value=15, spread=15, sign="", gap="", apart=True
    )
    for value in (3.33333333e-14, 1.23456e-7, 0.79, 126356792.4, 12.34567):
        number = apart.one("x", Quantity(value=value))
        shown = print_number(number)
        mantissa, power = split_power(shown)
        read = Decimal(mantissa).scaleb(int(power.replace("−", "-") or 0))
        assert read == apart.rounded(Quantity(value=value))


def test_alternative_texts_keep_the_digits_of_small_values(made):
    text = " ".join(
        block.alt
        for block in walk((curves.build(logged(made, a=[1e12, 2e12], b=[1e-12, 3.3333334e-14])),))
        if isinstance(block, Figure)
    )
    assert "from 1e−12 at step 225 to 3.33333e−14 at 450" in text
