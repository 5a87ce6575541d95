"""Runs without a result: each in its own line, or many with one reason in one."""

from __future__ import annotations

import pytest

from reportgen.languages import speaking
from reportgen.records.document import Bullets
from reportgen.records.run import Runs
from reportgen.sections import reproducibility


def lines(made, count):
    runs = [made.run(f"g{i}", None, made.series("test", [60.0])) for i in range(count)]
    runs.append(made.run("whole", 0, made.series("validation", [50.0])))
    facts = made.facts(runs=Runs(root="", runs=tuple(runs)), groups=())
    (bullets,) = (b for b in reproducibility.build(facts).blocks if isinstance(b, Bullets))
    return [made.words(item) for item in bullets.items]


@pytest.mark.parametrize("count", [1, 3])
def test_few_have_a_line_each(made, count):
    assert lines(made, count) == [
        f"Missing: g{i}, run g{i}/None: g{i}/None never logged accuracy on validation."
        for i in range(count)
    ]


def test_many_with_one_reason_are_counted(made):
    assert lines(made, 29) == [
        "Missing: 29 runs: g0/None, g1/None and 27 others never logged accuracy on validation."
    ]
    assert lines(made, 4)[0].startswith("Missing: four runs: g0/None, g1/None and 2 others never")


def test_french(made):
    with speaking("fr"):
        (line,) = lines(made, 29)
    assert line.startswith("Manquent\u202f: 29 exécutions\u202f: aucune valeur de l’exactitude")
    assert line.endswith("dans g0/None, g1/None et 27 autres.")
