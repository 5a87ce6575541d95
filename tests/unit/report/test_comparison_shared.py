"""Two groups that share some of their seeds, said beside Welch's test of all runs."""

import pytest

from reportgen.languages import speaking
from reportgen.report import comparison


@pytest.fixture
def facts(made):
    """The six runs of the published logs and one more in each group, with another seed."""
    table = dict(made.SIX)
    table["pretrained", 3] = ([50.0, 60.0, 70.0, 75.0, 80.0], [51.0, 61.0, 71.0, 76.0, 82.0])
    table["random", 7] = ([50.0, 60.0, 70.0, 71.0, 72.0], [51.0, 61.0, 66.0, 67.0, 68.0])
    return made.facts(table, groups=(), compare=("pretrained", "random"))


def test_the_shared_seeds_stand_beside_the_test_of_all_runs(made, facts):
    section = comparison.build(facts)
    assert "comparison.pairs" not in made.tables(section)
    # Differences of 7.5, 6.5 and 7.0 points: 7.0 and 4.303 * 0.5 / sqrt(3) on either side.
    said = (
        "pretrained and random have 3 seeds in common. Paired over these alone, which leaves out "
        "pretrained, seed 3; random, seed 7, the difference is +7.00 points (95% interval from "
        "+5.76 to +8.24; two-sided p: 0.0017; smallest p of an exact sign-flip test: 0.25)."
    )
    assert said in made.prose(section)


def test_in_french(made, facts):
    with speaking("fr"):
        said = made.even(made.prose(comparison.build(facts)))
    assert "pretrained et random ont 3 graines en commun" in said
    assert "(intervalle à 95 % de +5,76 à +8,24 ; p bilatéral : 0,0017 ; plus" in said


def test_the_numbers_name_the_runs_that_count(made, facts):
    by_id = {n.id: n.quantity for n in made.numbers(comparison.build(facts))}
    runs = {source.run for source in by_id["comparison.shared.difference"].sources}
    assert runs == {f"{group}/{seed}" for group in ("pretrained", "random") for seed in range(3)}
    runs = {source.run for source in by_id["comparison.difference"].sources}
    assert {"pretrained/3", "random/7"} < runs


def test_nothing_is_said_where_all_seeds_are_shared(made):
    assert "seeds in common" not in made.prose(comparison.build(made.facts()))
