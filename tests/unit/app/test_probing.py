"""A few updates in a process of their own tell a price, and leave nothing behind."""

import pytest
from fakes import grid_study as grid

from reportgen.app.grid import GridOptions, measure_steps, survey


@pytest.fixture
def study(tmp_path):
    return grid.small_grid(tmp_path / "grid", seeds=1)


def probed(study):
    return measure_steps(survey(GridOptions(study=study, device="cpu")))


def test_where_nothing_is_missing_nothing_is_measured(tmp_path):
    study = grid.copy_grid(tmp_path / "grid")
    assert probed(study) is None
    assert not (study.parent / "reruns").exists()


def left(study):
    return [path for path in (study.parent / "reruns").rglob("*") if path.is_file()]


@pytest.mark.training
def test_updates_are_timed_and_thrown_away(study):
    pytest.importorskip("torch")
    seconds = probed(study)
    assert seconds is not None
    assert 1e-4 < seconds < 5
    assert left(study) == []


@pytest.mark.training
def test_a_start_that_is_damaged_has_no_price(study):
    pytest.importorskip("torch")
    weights = study.parent / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    assert probed(study) is None
    assert left(study) == []
