"""Mean and standard deviation of each epoch, groups side by side."""

from __future__ import annotations

from reportgen.languages import speaking
from reportgen.records.run import Runs
from reportgen.report import per_epoch

TABLE = "per_epoch.table"


def test_the_published_table(made):
    table = made.tables(per_epoch.build(made.facts()))[TABLE]
    heads = [(made.words(c.group), made.words(c.title)) for c in table.columns]
    assert heads == [
        ("", "Epoch"),
        ("", "Step"),
        ("pretrained", "Validation"),
        ("pretrained", "Test"),
        ("random", "Validation"),
        ("random", "Test"),
    ]
    rows = made.grid(table)
    assert rows[0] == ["1", "225", "60.17 ± 2.75", "64.13 ± 4.25", "50.17 ± 0.29", "50.50 ± 0.87"]
    assert rows[4] == ["5", "1,125", "82.50 ± 4.36", "80.73 ± 0.58", "69.33 ± 2.08", "73.63 ± 0.46"]
    assert "over the n = 3 runs of each group" in made.words(table.caption)


def test_n_stands_in_the_cells_where_it_varies(made):
    table = {**made.SIX, ("random", 2): ([50.0, 55.5], [50.0, 56.9])}
    section = per_epoch.build(made.facts(table))
    rows = made.grid(made.tables(section)[TABLE])
    assert rows[1][5] == "58.50 ± 3.76 (n = 3)"
    assert rows[2][5] == "67.1 and 69.2 (n = 2)"
    assert "because it varies" in made.prose(section)
    assert "(n =" not in made.prose(per_epoch.build(made.facts()))


def test_a_group_that_stops_early_leaves_dashes(made):
    table = {k: (v if k[0] == "pretrained" else (v[0][:2], v[1][:2])) for k, v in made.SIX.items()}
    rows = made.grid(made.tables(per_epoch.build(made.facts(table)))[TABLE])
    assert rows[2][4:] == ["—", "—"]
    assert rows[1][4] == "56.67 ± 3.40"


def test_without_epochs_rows_are_steps(made):
    section = per_epoch.build(made.facts(steps_per_epoch=0))
    rows = made.grid(made.tables(section)[TABLE])
    assert rows[0][0] == "225"
    assert len(rows[0]) == 5
    assert section.title == "Accuracy at each evaluation"
    assert "epoch" not in made.show(section).lower()


def test_two_evaluations_of_one_epoch_are_two_rows(made):
    members = tuple(
        made.run("g", seed, made.series("validation", [60.0, 62.0, 63.0], steps=[49, 99, 100]))
        for seed in range(3)
    )
    facts = made.facts(runs=Runs(root="", runs=members), groups=(), steps_per_epoch=50)
    rows = made.grid(made.tables(per_epoch.build(facts))[TABLE])
    assert [row[:2] for row in rows] == [["1", "49"], ["2", "99"], ["2", "100"]]


def test_long_runs_are_thinned_and_say_so(made):
    values = [float(i) for i in range(95)]
    table = {("g", seed): (values, values) for seed in range(3)}
    section = per_epoch.build(made.facts(table, groups=()))
    rows = made.grid(made.tables(section)[TABLE])
    assert len(rows) <= per_epoch.MOST_ROWS
    assert rows[-1][0] == "95"
    assert f"{len(rows)} of 95 evaluations are shown" in made.prose(section)


def test_more_groups_take_more_tables(made):
    table = {(g, s): made.SIX["random", s] for g in "abc" for s in range(3)}
    tables = made.tables(per_epoch.build(made.facts(table, groups=())))
    assert list(tables) == ["per_epoch.table", "per_epoch.table2"]


def test_single_runs_beside_repeated_ones_are_left_to_the_figures(made):
    table = {**made.SIX, ("alone", 0): made.SIX["random", 0]}
    section = per_epoch.build(made.facts(table))
    assert list(made.tables(section)) == ["per_epoch.table"]
    assert "The course of 1 further group is" in made.prose(section)


def test_of_many_groups_the_figures_are_not_said_to_show_all(made):
    table = {(f"g{i:02}", 0): made.SIX["random", 0] for i in range(20)}
    facts = made.facts(table, groups=())
    said = made.prose(per_epoch.build(facts))
    assert "The course of 16 further groups has no table; the figures draw some" in said
    with speaking("fr"):
        said = made.prose(per_epoch.build(facts))
    assert "de tant de groupes, les figures en dessinent quelques-uns" in said


def test_a_single_run_gives_its_values(made):
    table = {("g", 0): made.SIX["random", 0]}
    section = per_epoch.build(made.facts(table, groups=()))
    assert made.grid(made.tables(section)[TABLE])[0] == ["1", "225", "50.0", "50.0"]
    assert "the value of a single run (n = 1)" in made.prose(section)


def test_one_evaluation_is_no_course(made):
    assert per_epoch.build(made.facts({("g", 0): ([1.0], [1.0])}, groups=())) is None


def test_a_split_evaluated_more_seldom_does_not_make_n_vary(made):
    members = tuple(
        made.run(
            "g",
            seed,
            made.series("validation", [60.0, 61.0, 62.0]),
            made.series("test", [60.0], steps=[450]),
        )
        for seed in range(3)
    )
    section = per_epoch.build(made.facts(runs=Runs(root="", runs=members), groups=()))
    assert [row[3] for row in made.grid(made.tables(section)[TABLE])] == ["—", "60 ± 0", "—"]
    assert "it varies" not in made.prose(section)


def test_groups_of_other_sizes_state_their_n(made):
    table = {k: v for k, v in made.SIX.items() if k != ("random", 2)}
    section = per_epoch.build(made.facts(table))
    (first, *_) = made.grid(made.tables(section)[TABLE])
    assert [cell.partition("(")[2] for cell in first[2:]] == ["n = 3)"] * 2 + ["n = 2)"] * 2


def test_in_french_it_is_said_in_french(made):
    with speaking("fr"):
        section = per_epoch.build(made.facts())
        table = made.tables(section)[TABLE]
        heads = [made.words(column.title) for column in table.columns]
        rows, prose = made.grid(table), made.prose(section)
    assert section.title == "Exactitude après chaque époque"
    assert heads == ["Époque", "Pas", "Validation", "Test", "Validation", "Test"]
    assert rows[0][1:4] == ["225", "60,17 ± 2,75", "64,13 ± 4,25"]
    assert "Chaque ligne donne l’exactitude du modèle tel qu’il était après cette époque" in prose
    assert (
        "Exactitude en pourcentage de pretrained et random\u202f: moyenne ± écart type "
        "d’échantillon (dénominateur n − 1) sur les n = 3 exécutions de chaque groupe, qui "
        "diffèrent par leur graine."
    ) in prose
