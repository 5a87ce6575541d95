"""Two groups that one `[train]` cannot tell apart are named, before one is taken for the other."""

import pytest
from fakes import grid_study as grid

from reportgen.app.completing import RerunOptions, rerun
from reportgen.app.grid import GridOptions, survey
from reportgen.records.errors import EvidenceError
from reportgen.records.job import Cell
from reportgen.train.plan import find_clashes


def never(_plan):
    pytest.fail("it was asked")


@pytest.fixture
def study(tmp_path):
    return grid.small_grid(tmp_path / "grid", seeds=2, epochs=1)


def messages(study):
    return [problem.message for problem in survey(GridOptions(study=study)).plan.problems]


def test_the_sample_has_none(study):
    assert messages(study) == []


def test_groups_that_differ_in_nothing_are_not_trained(study):
    grid.change(study, 'start = "random"', 'start = "model"')
    assert messages(study) == ["pretrained/0 and random/0 would be one and the same fine-tune"]
    for only in ((), ("random",)):
        with pytest.raises(EvidenceError, match="one and the same fine-tune"):
            rerun(RerunOptions(study=study, only=only), confirm=never)
    assert not (study.parent / "reruns").exists()


def test_two_groups_do_not_share_a_place(study):
    grid.change(study, 'place = ""', 'place = "runs/{seed}"')
    grid.change(study, 'start = "random"', 'start = "random"\nplace = "runs/{seed}"')
    assert messages(study) == ["the runs of pretrained/0 and random/0 would both lie at runs/0"]
    with pytest.raises(EvidenceError, match="both lie at runs/0"):
        rerun(RerunOptions(study=study), confirm=never)


@pytest.mark.parametrize(
    ("states", "count"), [(("done", "done"), 0), (("done", "missing"), 1), (("stale", "done"), 1)]
)
def test_what_is_done_may_be_alike(states, count):
    cells = [
        Cell(group=group, seed=0, state=state, reason="", place=group)
        for group, state in zip("ab", states, strict=True)
    ]
    keys = {("a", 0): "one", ("b", 0): "one"}
    assert len(find_clashes(cells, keys, "study.toml")) == count
    assert find_clashes(cells, {}, "study.toml") == []
