"""Runs without a result, one by one or counted, and the places of what is the matter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportgen.languages import speaking
from reportgen.records.document import Bullets
from reportgen.records.run import Problem, Runs
from reportgen.report import reproducibility


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


@pytest.mark.parametrize(
    ("root", "path", "place"),
    [
        ("work/logs/", "", "logs"),
        ("work/logs", ".", "logs"),
        ("work/logs", "a/1", "a/1"),
        ("..", "", "."),
        ("", "", "."),
    ],
)
def test_a_problem_of_the_folder_of_logs_is_placed_by_its_name(made, root, path, place):
    runs = (made.run("a", 0, made.series("validation", [50.0])),)
    problem = Problem(path=path, message="has no tags")
    facts = made.facts(runs=Runs(root=root, runs=runs), groups=())
    blocks = reproducibility.build(replace(facts, problems=(problem,))).blocks
    (table,) = (b for b in blocks if getattr(b, "id", "") == "reproducibility.problems")
    assert [made.words(row.cells[0]) for row in table.rows] == [place]
