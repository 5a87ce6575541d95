"""Which configuration among the files beside the logs is the model's."""

from reportgen.records.study import Study
from reportgen.runs import choose_models

OWN = ("a/0/config.json", "b/0/config.json")


def test_the_config_of_a_single_run_is_taken():
    assert choose_models(OWN[:1], Study(), ["a/0"]).model.config == OWN[0]


def test_a_config_outside_the_runs_is_preferred():
    found = choose_models((*OWN, "x/y/z/config.json"), Study(), ["a/0", "b/0"])
    assert found.model.config == "x/y/z/config.json"


def test_no_run_stands_for_the_others():
    found = choose_models(OWN, Study(), ["a/0", "b/0"])
    assert found.model.config == ""
    (decision,) = found.decisions
    assert (decision.key, decision.alternatives) == ("model.config", OWN)
