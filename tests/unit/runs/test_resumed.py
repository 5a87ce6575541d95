"""Runs that go on with another in a folder of their own, and those that do not."""

import pytest

from reportgen.records.study import GroupPlan

DAY = 86400.0
FIRST = {10 * n: 0.1 * n for n in range(1, 6)}
SECOND = {10 * n: 0.5 + 0.01 * n for n in range(5, 9)}


@pytest.fixture
def pair(put_together, log):
    """Read a run, and one that begins later at a step of it; each with settings."""

    def read(first, second, ours=None, theirs=None, *, later=SECOND, start=1000.0 + DAY, **fields):
        one = log(f"{first}/a.tfevents", {"val/acc": FIRST}, config=ours or {})
        two = log(f"{second}/a.tfevents", {"val/acc": later}, start=start, config=theirs or {})
        runs, _ = put_together(two, one, **fields)
        return runs

    return read


def asked(runs):
    return [p.message for p in runs.all_problems() if "may be the same" in p.message]


SAME = {"lr": 0.1, "seed": 3}


@pytest.mark.parametrize(
    ("first", "second", "ours", "theirs"),
    [
        ("x", "x_resume", {}, {}),
        ("x", "x-continued", SAME, SAME),
        ("m/part1", "m/part2", {}, SAME),
        ("part1", "part2", {}, {}),
        ("run1", "run1-continued", {}, {}),
        ("a/m_seed1", "a/m_seed1_cont2", {}, {}),
        ("m/7", "m_resumed/7", {}, {}),
        ("x", "x_resume", SAME | {"epochs": 5}, SAME | {"epochs": 8}),
        ("x_2024-01-01_10-00-00", "x_2024-01-02_10-00-00", SAME, SAME),
        ("lightning_logs/version_0", "lightning_logs/version_1", SAME, SAME),
        ("big", "more", SAME, SAME | {"resume_from_checkpoint": "/scratch/big/ckpt-50"}),
        (
            "lightning_logs/version_0", "lightning_logs/version_4", {},
            {"ckpt_path": "lightning_logs/version_0/checkpoints/last.ckpt"},
        ),
    ],
)  # fmt: skip
def test_a_run_that_goes_on_with_another_is_one_run_with_it(pair, first, second, ours, theirs):
    (run,) = runs = pair(first, second, ours, theirs)
    points = dict(run.scalars["val/acc"].points())
    assert {step: round(value, 2) for step, value in points.items()} == {
        **{step: round(value, 2) for step, value in FIRST.items()},
        **{step: round(value, 2) for step, value in SECOND.items()},
    }
    assert (run.id, len(run.sources)) == (first, 2)
    assert [p.level for p in runs.all_problems() if "goes on with" in p.message] == ["note"]
    assert not asked(runs)


@pytest.mark.parametrize(
    ("first", "second", "ours", "theirs", "questions"),
    [
        ("x", "y", {}, {}, 1),
        ("x", "x_lr2", SAME, {"lr": 0.2}, 1),
        ("x", "x_resume", {"lr": 0.1}, {"lr": 0.01}, 1),
        ("x_resume", "x", {}, {}, 1),
        ("lightning_logs/version_0", "lightning_logs/version_1", {}, {}, 1),
        ("m_seed1", "m_seed2_resume", {}, {}, 0),
        ("m/1", "m/2", {"lr": 0.1}, {"lr": 0.1}, 1),
        ("x", "y", SAME, SAME | {"pretrained": "x/best.pt"}, 1),
        ("a/model", "b/model", SAME, SAME | {"resume": "out/b/model/last.pt"}, 0),
    ],
)
def test_thin_evidence_is_a_question(pair, first, second, ours, theirs, questions):
    runs = pair(first, second, ours, theirs)
    assert sorted(run.id for run in runs) == sorted([first, second])
    assert len(asked(runs)) == questions


@pytest.mark.parametrize(
    "changes",
    [
        {"later": {10 * n: 0.3 for n in range(1, 9)}},
        {"later": {10 * n: 0.3 for n in range(20, 29)}},
        {"later": {30: 0.3, 40: 0.4}},
        {"start": 980.0},
    ],
    ids=["begins over", "begins far behind", "ends before", "at the same time"],
)
def test_a_name_alone_is_no_evidence(pair, changes):
    assert len(pair("x", "x_resume", **changes)) == 2


def test_what_the_study_tells_apart_stays_apart(pair):
    plans = (GroupPlan(name="one", match="x"), GroupPlan(name="two", match="x_resume"))
    assert [run.group for run in pair("x", "x_resume", groups=plans)] == ["one", "two"]
    assert len(pair("x", "x_resume", repeats="none")) == 2


def test_a_training_that_stopped_twice_is_one(put_together, log):
    parts = {"x": range(6), "x_resume": range(4, 9), "x_resume2": range(7, 12)}
    runs, _ = put_together(*(
        log(f"{name}/a.tfevents", {"loss": dict.fromkeys(at, n)}, start=1000.0 + n * DAY)
        for n, (name, at) in enumerate(parts.items())
    ))  # fmt: skip
    (run,) = runs
    assert run.scalars["loss"].values.tolist() == [0] * 4 + [1] * 3 + [2] * 5


def test_a_state_that_carries_the_history_of_another_goes_on_where_it_differs(put_together, log):
    """Killed at step 50; the Trainer's state goes on with that of the checkpoint of step 40."""
    known = {step: value for step, value in FIRST.items() if step <= 40}
    states = [
        log(f"{name}/trainer_state.json", {"eval/accuracy": points}, start=None,
            kind="trainer_state", single=False)
        for name, points in (("out", FIRST), ("out-resumed", {**known, 50: 0.9, 60: 0.95}))
    ]  # fmt: skip
    runs, _ = put_together(*states)
    (run,) = runs
    assert dict(run.scalars["eval/accuracy"].points()) == {**known, 50: 0.9, 60: 0.95}
    assert any("from step 50 on" in p.message for p in runs.all_problems())


@pytest.mark.parametrize(("first", "questions"), [(60, 1), (50, 1), (40, 0), (90, 0)])
def test_without_a_clock_a_run_that_begins_where_another_ends_is_a_question(
    put_together, log, first, questions
):
    later = dict.fromkeys(range(first, first + 60, 10), 0.7)
    logs = [
        log(f"lightning_logs/version_{n}/metrics.csv", {"val_acc": points}, start=None,
            kind="metrics_csv", config=SAME)
        for n, points in enumerate((FIRST, later))
    ]  # fmt: skip
    runs, _ = put_together(*logs)
    assert (len(runs), len(asked(runs))) == (2, questions)


def test_runs_that_may_go_on_with_others_are_asked_about_once(put_together, log):
    logs = [
        log(f"{name}/a.tfevents", {"loss": dict.fromkeys(range(10 * n, 10 * n + 10), n)},
            start=1000.0 + n * DAY)
        for n, name in enumerate(["red", "blue", "green"])
    ]  # fmt: skip
    runs, _ = put_together(*logs)
    (question,) = asked(runs)
    assert question.endswith("so it is of 2 runs")
