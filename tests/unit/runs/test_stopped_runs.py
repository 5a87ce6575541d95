"""Runs that ended long before the others of their group, or diverged: they are named, once."""

from dataclasses import replace

import pytest

from reportgen.records.study import GroupPlan

NAN = float("nan")


@pytest.fixture
def lab(log, put_together):
    def make(ends, groups=(), last=0.5, ended=None, **config):
        logs = [
            log(
                f"{name}/events.out.tfevents.1.h.9.0",
                {
                    "val/acc": dict.fromkeys(range(100, end + 1, 100), 0.5),
                    "train/loss": {100: 0.9, 200: 0.7, 300: last},
                },
                config=config,
            )
            for name, end in ends.items()
        ]
        told = zip(logs, ends, strict=True)
        logs = [replace(one, ended=(ended or {}).get(name, "")) for one, name in told]
        return put_together(*logs, groups=groups)[0]

    return make


def told(runs):
    return [(run.id, p.level, p.message, p.remedy) for run in runs for p in run.problems]


def test_a_run_that_ended_early_is_a_problem_with_a_remedy(lab):
    ends = {"a/seed1": 1000, "a/seed2": 300, "a/seed3": 1000, "b/seed1": 300, "b/seed2": 300}
    ((run, level, message, remedy),) = told(lab(ends))
    assert (run, level) == ("a/seed2", "warning")
    assert "at step 300, where most runs of a go on to step 1000" in message
    assert "it counts in each of their means that it has a value for" in message
    assert '[groups.NAME] match = "a/seed2"' in remedy


@pytest.mark.parametrize(("ended", "count"), [("finished", 0), ("failed", 1), ("open", 1)])
def test_a_run_that_stopped_early_by_itself_is_no_defect(lab, ended, count):
    ends = {"a/seed1": 1000, "a/seed2": 300, "a/seed3": 1000}
    assert len(told(lab(ends, ended={"a/seed2": ended}))) == count
    ((*_, message, _),) = told(lab({"a/seed2": 300}, ended={"a/seed2": ended}, max_steps=900))
    how = {
        "finished": "stopped early by itself",
        "failed": "program failed",
        "open": "from outside",
    }
    assert message.endswith(how[ended])


def test_what_the_remedy_says_keeps_it_out_of_the_mean(lab):
    ends = {"a/seed1": 1000, "a/seed2": 300, "a/seed3": 1000}
    runs = lab(ends, (GroupPlan(name="stopped", match="a/seed2"),))
    assert [run.id for run in runs if run.group == "a"] == ["a/seed1", "a/seed3"]
    assert not told(runs)


def test_it_is_said_once_beside_a_planned_end(lab):
    runs = lab({"a/seed1": 1000, "a/seed2": 300, "a/seed3": 1000}, max_steps=1000)
    assert [(run, level) for run, level, *_ in told(runs)] == [("a/seed2", "warning")]


@pytest.mark.parametrize(
    "ends",
    [
        {"a/seed1": 1000, "a/seed2": 300, "b/seed1": 1000},  # neither end is that of most
        {"a/seed1": 1000, "a/seed2": 300, "a/seed3": 700},  # each where it was best
        {"a/seed1": 1000, "a/seed2": 900, "a/seed3": 1000},  # about as far
        {"a/seed1": 300, "b/seed1": 1000, "b/seed2": 1000},  # groups of unlike length
    ],
)
def test_ends_that_are_no_defect_are_not_told(lab, ends):
    assert not told(lab(ends))


def test_a_diverged_run_has_a_remedy(lab):
    ends = {"a/seed1": 1000, "a/seed2": 1000}
    problems = told(lab(ends, last=NAN))
    assert [level for _, level, *_ in problems] == ["warning", "warning"]
    assert 'match = "a/seed1"' in problems[0][3]
    assert problems[0][3].startswith("train it again, or keep it out of the mean")


def test_a_value_that_is_no_number_in_the_middle_has_none(log, put_together):
    one = log(
        "a/seed1/events.out.tfevents.1.h.9.0",
        {"val/acc": {1: 0.5, 2: 0.6}, "train/loss": {1: 0.9, 2: NAN, 3: 0.5}},
    )
    ((_, level, message, remedy),) = told(put_together(one)[0])
    assert (level, remedy) == ("warning", "")
    assert "1 of 3 values are NaN" in message
