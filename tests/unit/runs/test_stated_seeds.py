"""Seeds that a study states, of runs whose names do not call theirs a seed."""

import pytest
from fakes.rows import rows_beside

from reportgen.records.study import GroupPlan
from reportgen.stats import summarise_groups
from reportgen.train.plan import plan_cells

ROWS = rows_beside(__file__)
NOTHING = {"published": {}, "keys": {}, "settings": {}, "failures": {}, "running": {}}


@pytest.fixture
def lab(log, put_together):
    def make(names, match, seeds):
        logs = [
            log(
                f"{name}/events.out.tfevents.1.h.9.0",
                {"val/acc": {1: 0.5, 2: 0.6}, "test/acc": {1: 0.5, 2: 0.6}},
            )
            for name in names
        ]
        return put_together(*logs, groups=(GroupPlan(name="vgg", match=match, seeds=seeds),))

    return make


def found(runs):
    return {run.id: run.seed for run in runs if run.group == "vgg"}


def told(runs):
    return [(p.level, p.message) for p in runs.problems]


@pytest.mark.parametrize(
    ("names", "seeds"), ROWS["a_number_that_tells_runs_apart_is_the_seed_that_the_study_states"]
)
def test_a_number_that_tells_runs_apart_is_the_seed_that_the_study_states(lab, names, seeds):
    runs, study = lab(names, "vgg*", seeds)
    read = found(runs)
    assert None not in read.values()
    assert len(set(read.values())) == len(names)
    assert set(read.values()) <= set(seeds)
    ((level, message),) = told(runs)
    assert level == "note"
    assert "states seeds that no name calls so" in message
    (group, *_) = summarise_groups(study, runs)
    assert len(group.cells) == len(seeds)


@pytest.mark.parametrize(
    ("names", "seeds"), ROWS["runs_whose_seed_cannot_be_read_are_not_counted_twice"]
)
def test_runs_whose_seed_cannot_be_read_are_not_counted_twice(lab, names, seeds):
    runs, study = lab(names, "vgg*", seeds)
    assert set(found(runs).values()) == {None}
    ((level, message),) = told(runs)
    assert level == "warning"
    verb = "is of group vgg, but its seed" if len(names) == 1 else "are of group vgg, but their"
    assert message.startswith(f"{', '.join(names)} {verb}")
    (group,) = summarise_groups(study, runs)
    assert [cell.run.id for cell in group.cells if cell.run] == list(names)
    assert len(group.cells) == len(names)
    assert plan_cells(study, runs, **NOTHING) == ()
