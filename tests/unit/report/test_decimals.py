"""With how many decimals values are printed, and that this is not worked out for every cell."""

from dataclasses import replace
from decimal import Decimal

import numpy as np

from reportgen.records.document import Figure, walk
from reportgen.records.quantity import Quantity
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.render import print_number, split_power
from reportgen.report import results
from reportgen.report.numbers import Printing, decimals_of


def test_groups_are_told_apart_by_what_they_are_and_not_by_when_they_were_asked(made):
    coarse = made.facts({("pretrained", 1): ([80.0, 81.0], [79.0, 80.0])}).groups
    fine = made.facts({("pretrained", 1): ([80.25, 81.75], [79.25, 80.5])}).groups
    for _ in range(2):
        for groups, decimals in ((coarse, 0), (fine, 2)):
            percent, values, _, spread = decimals_of(groups)
            assert percent
            assert values[id(groups[0])] == decimals
            assert spread is None
    copied = tuple(replace(group) for group in fine)
    assert decimals_of(copied)[1][id(copied[0])] == 2


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
    section = results.build(logged(made, **values))
    rows = made.grid(made.tables(section)["results.table"])
    return [row[1] for row in rows], made.prose(section)


def test_groups_many_orders_apart_have_decimals_of_their_own_and_the_digits_of_the_log(made):
    found, text = last_values(made, a=[126256792.0, 126356792.0], b=[0.5, 0.79])
    assert found == ["126356792", "0.79"]
    assert "a is 126356791 ahead of b" in text
    found, text = last_values(made, a=[1e12, 33333334016.0], b=[1e-12, 3.3333334e-14])
    assert found == ["33333334016", "3.333×10⁻¹⁴"]
    assert "a is 33333334016 ahead of b" in text


def of_one_group(made, **seeds):
    table = {("mlp", int(seed[1:])): (values, values) for seed, values in seeds.items()}
    section = results.build(
        made.facts(
            runs=made.runs_of(table, unit=""),
            groups=(),
            metric=MetricPlan(name="accuracy", direction="lower", unit=""),
            stated={"metric.direction": "study.toml", "epochs.steps_per_epoch": "study.toml"},
        )
    )
    return section, {name: made.grid(each) for name, each in made.tables(section).items()}


def test_small_values_are_printed_with_powers_of_ten_to_the_same_place(made):
    values = (3.33e-7, 3.61e-7, 3.02e-7)
    section, tables = of_one_group(made, **{f"s{i}": [9e-5, v] for i, v in enumerate(values)})
    # NumPy: mean 3.32e-7, sample standard deviation 2.9513e-8; two digits of that are 1e-9.
    mean, std = np.mean(values), np.std(values, ddof=1)
    assert f"{mean * 1e7:.2f}×10⁻⁷ ± {std * 1e8:.1f}×10⁻⁸" == "3.32×10⁻⁷ ± 3.0×10⁻⁸"
    assert tables["results.table"][-1][-1] == "3.32×10⁻⁷ ± 3.0×10⁻⁸"
    assert tables["results.epochs"][0][1] == "9.0000×10⁻⁵ ± 0"
    assert "0.00000" not in made.prose(section) + str(tables)


def test_a_run_that_goes_astray_leaves_the_others_their_digits(made):
    best, lost = [0.45, 0.4157, 0.4271], [0.5, 0.4388, 718380.36]
    _, tables = of_one_group(made, s1=best, s2=best, s3=lost)
    assert [row[-1] for row in tables["results.table"]] == [
        "0.4157",
        "0.4157",
        "0.4388",
        "0.423 ± 0.013",
    ]
    assert tables["results.epochs"][0][-1] == "239460 ± 414757"


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
    section = results.build(logged(made, a=[1e12, 2e12], b=[1e-12, 3.3333334e-14]))
    (figure,) = (block for block in walk((section,)) if isinstance(block, Figure))
    assert "b from 1e−12 to 3.333e−14" in figure.alt
