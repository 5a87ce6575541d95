"""What this machine lacks is said before anything is asked, measured or started."""

import importlib.util

import pytest
from fakes import grid_study as grid
from fakes.killed import digests

from reportgen.app.completing import RerunOptions, rerun
from reportgen.app.grid import GridOptions, survey
from reportgen.cli.console import grid_lines, rerun_lines
from reportgen.records.errors import MissingExtraError, UsageError
from reportgen.train.executors import base


@pytest.fixture
def study(tmp_path):
    return grid.copy_grid(tmp_path / "grid", "random-seed2")


def never(_plan):
    pytest.fail("it was asked")


@pytest.mark.parametrize("package", ["torch", "transformers", "safetensors", "peft"])
def test_without_a_package_the_extra_is_named(study, monkeypatch, package):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *at: None if name == package else found(name, *at)
    )
    before = digests(study.parent)
    with pytest.raises(MissingExtraError, match=package) as caught:
        rerun(RerunOptions(study=study), confirm=never)
    assert f'"{package}>=' in caught.value.remedy
    assert digests(study.parent) == before


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_device_that_is_not_there_is_refused(study, monkeypatch, device):
    monkeypatch.setattr(base, "count_gpus", lambda: 0)
    monkeypatch.setattr(base, "best_device", lambda: "cpu")
    with pytest.raises(UsageError, match=f"--device {device}") as caught:
        rerun(RerunOptions(study=study, device=device), confirm=never)
    assert "cpu" in caught.value.remedy


@pytest.mark.slow
def test_the_last_words_of_a_process_that_cannot_start_are_told(tmp_path, monkeypatch):
    (tmp_path / "safetensors.py").write_text("raise ImportError('libcudart.so.12: not found')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    study = grid.small_grid(tmp_path / "grid", seeds=1, epochs=1)
    outcome = rerun(RerunOptions(study=study, device="cpu"), confirm=lambda _: True)
    assert outcome.exit_code == 3
    assert {result.reason for _, result in outcome.results} == {
        "its process ended without a result: ImportError: libcudart.so.12: not found"
    }


def test_a_study_without_cells_is_not_called_complete(tmp_path):
    study = grid.small_grid(tmp_path / "grid")
    grid.change(study, r"(?m)^seeds = .*", "")
    found = survey(GridOptions(study=study)).plan
    assert "every cell is done" not in list(grid_lines(found))
    assert list(grid_lines(found))[-1].startswith("the grid has no cells")
    outcome = rerun(RerunOptions(study=study), confirm=never)
    assert "the grid has no cells" in next(rerun_lines(outcome))
