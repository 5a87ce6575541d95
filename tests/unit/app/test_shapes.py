"""Groups whose models have one shape are known by it."""

import json
import shutil
from dataclasses import replace

import pytest
from fakes import grid_study as grid

from reportgen.app.completing import shapes_of
from reportgen.records.errors import EvidenceError
from reportgen.records.study import GroupPlan, Study, TrainPlan


@pytest.fixture
def home(tmp_path):
    for name in ("model", "random.json"):
        source = grid.GRID / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    return tmp_path


def shapes(home, *groups, config="random.json"):
    study = Study(groups=groups, train=TrainPlan(config=config))
    return shapes_of(study, home)


def a_group(name, start, adapter=""):
    return GroupPlan(name=name, seeds=(0,), start=start, adapter=adapter)


def edited(home, **values):
    """Another configuration beside the first."""
    found = json.loads((home / "random.json").read_text())
    (home / "edited.json").write_text(json.dumps({**found, **values}))
    return "edited.json"


def test_a_folder_and_a_configuration_of_one_model_agree(home):
    found = shapes(home, a_group("a", "model"), a_group("b", "random"))
    assert found["a"] == found["b"]


@pytest.mark.parametrize(
    "change", [{"num_hidden_layers": 1}, {"intermediate_size": 96}, {"vocab_size": 4000}]
)
def test_another_size_is_another_shape(change, home):
    groups = a_group("a", "model"), a_group("b", "random")
    found = shapes(home, *groups, config=edited(home, **change))
    assert found["a"] != found["b"]


def test_what_no_weight_depends_on_is_no_shape(home):
    groups = a_group("a", "model"), a_group("b", "random")
    found = shapes(home, *groups, config=edited(home, hidden_dropout_prob=0.3))
    assert found["a"] == found["b"]


def test_adapters_are_of_the_shape(home):
    for name, rank in (("one", 4), ("same", 4), ("other", 8)):
        (home / f"{name}.json").write_text(json.dumps({"peft_type": "LORA", "r": rank}))
    names = ("one", "same", "other")
    found = shapes(home, *(a_group(n, "model", f"{n}.json") for n in names), a_group("no", "model"))
    assert found["one"] == found["same"]
    assert len(set(found.values())) == 3


def test_a_group_that_is_not_trained_has_no_shape(home):
    assert shapes(home, a_group("a", ""), a_group("b", "model")).keys() == {"b"}


def test_a_start_that_is_not_there_is_named(home):
    with pytest.raises(EvidenceError, match="nowhere"):
        shapes(home, a_group("a", "nowhere"))


def test_unknown_families_share_nothing(home):
    config = edited(home, model_type="not-a-family")
    one, other = a_group("a", "random"), a_group("b", "random")
    found = shapes(home, one, replace(other, name="b"), config=config)
    assert len(set(found.values())) == 2
