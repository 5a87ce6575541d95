"""What decides a fine-tune's numbers is in its key, and nothing else is."""

import json
import shutil
from dataclasses import fields, replace

import pytest
from fakes import grid_study as grid
from fakes.rows import rows_beside

from reportgen.app.grid import keys_of, settings_of
from reportgen.read.study.read import read_study
from reportgen.records.errors import EvidenceError
from reportgen.records.study import TrainPlan

ROWS = rows_beside(__file__)

# Each field of `TrainPlan` with another value than the sample's; files have tests of their own.
OTHERS = ROWS["others"]
NO_NUMBERS = {"layout": "fairseq", "reruns": "elsewhere", "keep": "none"}
FILES = {"data", "tokenizer", "dictionary", "config"}
CELL = ("random", 1)


@pytest.fixture
def home(tmp_path):
    """The sample grid without its logs."""
    folder = tmp_path / "grid"
    shutil.copytree(grid.GRID, folder, ignore=shutil.ignore_patterns("logs"))
    return folder


@pytest.fixture
def study(home):
    return read_study(home / "study.toml")


def with_train(study, **changes):
    return replace(study, train=replace(study.train, **changes))


def with_group(study, name, **changes):
    groups = tuple(replace(g, **changes) if g.name == name else g for g in study.groups)
    return replace(study, groups=groups)


def keys(study, home):
    return keys_of(settings_of(study, home))


def test_every_field_of_the_plan_is_looked_at_here():
    assert {field.name for field in fields(TrainPlan)} == {*OTHERS, *NO_NUMBERS, *FILES}


def test_every_cell_has_a_key_of_its_own(study, home):
    found = keys(study, home)
    assert set(found) == {(g, s) for g in ("pretrained", "random") for s in (0, 1, 2)}
    assert len(set(found.values())) == 6


@pytest.mark.parametrize("field", OTHERS)
def test_a_setting_that_decides_numbers_changes_every_key(field, study, home):
    changed = with_train(study, **{field: OTHERS[field]})
    assert getattr(changed.train, field) != getattr(study.train, field)
    assert not set(keys(changed, home).values()) & set(keys(study, home).values())


@pytest.mark.parametrize("field", NO_NUMBERS)
def test_a_setting_that_decides_no_number_changes_no_key(field, study, home):
    changed = with_train(study, **{field: NO_NUMBERS[field]})
    assert getattr(changed.train, field) != getattr(study.train, field)
    assert keys(changed, home) == keys(study, home)


def test_seeds_of_a_group_differ_in_nothing_else(study, home):
    found = settings_of(study, home)
    one, other = found["random", 0], found["random", 1]
    assert {name for name in one if one[name] != other[name]} == {"seed"}


def test_a_number_has_one_spelling(study, home):
    whole = settings_of(with_train(study, learning_rate=1, batch_size=8), home)[CELL]
    assert whole == settings_of(with_train(study, learning_rate=1.0), home)[CELL]
    assert whole["batch_size"] == "8"


def test_another_example_changes_every_key(study, home):
    before = keys(study, home)
    path = home / "data" / "train.csv"
    path.write_text(path.read_text() + "one more,1\n")
    assert not set(keys(study, home).values()) & set(before.values())


def test_a_name_is_of_no_matter(study, home):
    before = keys(study, home)
    (home / "data").rename(home / "texts")
    files = {
        split: name.replace("data/", "texts/") for split, name in study.train.data.files.items()
    }
    assert keys(with_train(study, data=replace(study.train.data, files=files)), home) == before


def test_a_random_start_has_the_configuration_and_others_their_weights(study, home):
    before = keys(study, home)
    config = json.loads((home / "random.json").read_text())
    (home / "random.json").write_text(json.dumps({**config, "num_hidden_layers": 1}))
    now = keys(study, home)
    assert {cell[0] for cell in now if now[cell] != before[cell]} == {"random"}
    weights = home / "model" / "model.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    # The tokenizer lies in the same folder, and that one is every cell's.
    assert keys(study, home)["pretrained", 0] != now["pretrained", 0]


def test_an_adapter_is_in_the_keys_of_its_group(study, home):
    (home / "adapter_config.json").write_text('{"r": 4}')
    before = keys(study, home)
    now = keys(with_group(study, "random", adapter="adapter_config.json"), home)
    assert {cell[0] for cell in now if now[cell] != before[cell]} == {"random"}


def test_a_group_without_a_start_has_no_key(study, home):
    assert {g for g, _ in settings_of(with_group(study, "random", start=""), home)} == {
        "pretrained"
    }


def test_without_training_there_are_no_keys(study, home):
    assert settings_of(replace(study, train=None), home) == {}


def test_a_random_start_needs_a_configuration(study, home):
    with pytest.raises(EvidenceError, match=r"groups.random.start is random") as caught:
        settings_of(with_train(study, config=""), home)
    assert "config" in caught.value.remedy


@pytest.mark.parametrize(("change", "told"), ROWS["a_file_that_is_not_there_is_named"])
def test_a_file_that_is_not_there_is_named(change, told, study, home):
    with pytest.raises(EvidenceError, match=told) as caught:
        settings_of(with_train(study, **change), home)
    assert "relative to the study file" in caught.value.remedy
