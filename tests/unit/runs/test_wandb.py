"""Runs of Weights & Biases: named by the program, not by their folders."""

import pytest

from reportgen.read.logs import load_tree
from reportgen.records.study import GroupPlan, Study
from reportgen.runs import assemble


def about(**texts):
    return {f"wandb/{key}": value for key, value in texts.items()}


@pytest.fixture
def run(log):
    """A run's log in a folder as the program names it."""

    def make(
        key, seed=None, *, config=None, offline=True, clock="20240101_120000", start=1000.0, **texts
    ):
        folder = f"wandb/{'offline-' if offline else ''}run-{clock}-{key}"
        return log(
            f"{folder}/run-{key}.wandb",
            {"eval/accuracy": {1: 0.5, 2: 0.75}, "train/train_loss": {2: 0.1}},
            kind="wandb_run",
            start=start,
            single=False,
            config=config or ({} if seed is None else {"seed": seed}),
            texts=about(**texts),
        )

    return make


def told(runs):
    return [(r.id, r.group, r.seed) for r in runs]


def test_runs_that_the_program_wrote(project):
    tree = load_tree(project / "tests/data/logs/wandb")
    runs, study = assemble(tree.logs, tree.files, Study(), "wandb")
    assert told(runs) == [
        ("run0000", "lab/pretrained/small", 0), ("run0001", "lab/pretrained/small", 1),
        ("run0002", "run0002", 2),
    ]  # fmt: skip
    assert {r.layout for r in runs} == {"wandb"}
    found = runs.runs[0].find("accuracy", "validation")
    assert found.tag == "val.accuracy"
    assert study.metric.name == "accuracy"


def test_a_name_tells_group_and_seed(put_together, run):
    names = ("x-seed0", "x-seed1", "y_seed0", "y_seed1")
    runs, _ = put_together(
        *(run(f"k{i}", project="lab", display_name=name) for i, name in enumerate(names))
    )
    assert [one[1:] for one in told(runs)] == [("x", 0), ("x", 1), ("y", 0), ("y", 1)]


def test_a_group_with_made_up_names(put_together, run):
    runs, _ = put_together(
        run("a", 0, project="lab", run_group="big", display_name="lucky-fire-3"),
        run("b", 1, project="lab", run_group="big", display_name="calm-sea-4"),
        run("c", 0, project="lab", run_group="small", display_name="wise-owl-5"),
        run("d", 1, project="lab", run_group="small", display_name="deep-sky-6"),
    )
    assert told(runs) == [
        ("wandb/a", "big", 0), ("wandb/b", "big", 1),
        ("wandb/c", "small", 0), ("wandb/d", "small", 1),
    ]  # fmt: skip
    assert not [p for p in runs.all_problems() if p.level == "warning"]


def test_processes_of_one_training_are_no_seeds(put_together, run):
    runs, _ = put_together(
        run("a", 7, run_group="ddp", job_type="rank0"),
        run("b", 7, run_group="ddp", job_type="rank0"),
    )
    assert told(runs) == [("wandb/a", "a", 7), ("wandb/b", "b", 7)]
    assert any("same seed 7" in p.message for p in runs.all_problems())


def test_runs_without_a_name_go_by_their_id(put_together, run):
    runs, _ = put_together(run("a", 0), run("b", 0))
    assert told(runs) == [("wandb/a", "a", 0), ("wandb/b", "b", 0)]


def test_a_resumed_run_is_one_run(put_together, run, log):
    first = run("a", 3, offline=False, display_name="x")
    later = log(
        "wandb/run-20240102_090000-a/run-a.wandb", {"eval/accuracy": {3: 0.9}},
        kind="wandb_run", start=5000.0, single=False, texts=about(display_name="x"),
    )  # fmt: skip
    runs, _ = put_together(first, later)
    assert told(runs) == [("wandb/a", "x", 3)]
    assert runs.runs[0].find("accuracy", "validation").steps.tolist() == [1, 2, 3]


def test_files_beside_a_history(put_together, run, log):
    folder = "wandb/offline-run-20240101_120000-a/files"
    runs, _ = put_together(
        run("a", display_name="x"),
        log(f"{folder}/config.yaml", kind="config_yaml", config={"seed": 5, "lr": 0.1}),
        log(f"{folder}/wandb-summary.json", {"eval/accuracy": {2: 0.99}}, kind="wandb_summary"),
    )
    assert told(runs) == [("wandb/a", "x", 5)]
    assert [v for _, v in runs.runs[0].find("accuracy", "validation").points()] == [0.5, 0.75]
    assert runs.runs[0].config == {"seed": 5, "lr": 0.1}
    assert len(runs.runs[0].sources) == 3


def test_a_summary_stands_in_for_a_history(put_together, log):
    folder = "wandb/run-20240101_120000-a/files"
    runs, _ = put_together(
        log(f"{folder}/wandb-summary.json", {"val/acc": {7: 0.9}}, kind="wandb_summary", start=None)
    )
    assert list(runs.runs[0].find("accuracy", "validation").points()) == [(7, 0.9)]
    assert any("no history beside it" in p.message for p in runs.all_problems())


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ({}, [0.5, 0.8]),
        ({"val/acc": {100: 0.5, 200: 0.8125}}, [0.5, 0.8125]),
        ({"val/acc": {7: 0.25, 8: 0.5, 9: 0.875}}, [0.25, 0.5, 0.875]),
    ],
    ids=["alone", "rounded", "in other steps"],
)
def test_what_a_run_printed_is_of_the_run(put_together, log, history, expected):
    folder = "wandb/run-20240101_120000-a"
    summary = f"{folder}/files/wandb-summary.json"
    runs, _ = put_together(
        log(f"{folder}/run-a.wandb", history, kind="wandb_run", single=False, config={"seed": 0}),
        log(f"{folder}/files/output.log", {"val_acc": {1: 0.5, 2: 0.8}}, kind="console"),
        log(summary, {"val/acc": {200: 0.8125}}, kind="wandb_summary"),
    )
    assert [r.id for r in runs] == ["wandb/a"]
    found = runs.runs[0].find("accuracy", "validation")
    assert [v for _, v in found.points()] == expected


def test_what_a_run_printed_alone_is_told(put_together, run, log):
    path = "wandb/offline-run-20240101_120000-a/files/output.log"
    runs, _ = put_together(run("a"), log(path, {"val_f1": {1: 0.5, 2: 0.8}}, kind="console"))
    assert [r.id for r in runs] == ["wandb/a"]
    (told,) = (p for p in runs.all_problems() if p.path == path)
    assert "does not hold f1, which it printed" in told.message


def test_a_declared_group_may_match_the_name(put_together, run):
    runs, _ = put_together(
        run("a", 0, project="lab", display_name="big-seed0"),
        run("b", 0, project="lab", display_name="small-seed0"),
        groups=(GroupPlan(name="ours", match="*/big-*"),),
    )
    assert told(runs) == [("wandb/a", "ours", 0), ("wandb/b", "small", 0)]


def test_a_pattern_is_searched_in_the_name(put_together, run):
    names = ("x-r0-big", "x-r1-big", "y-r0-big", "y-r1-big")
    logs = [run(f"k{i}", project="lab", display_name=name) for i, name in enumerate(names)]
    runs, _ = put_together(*logs, pattern=r"lab/(?P<group>\w)-r(?P<seed>\d)")
    assert [one[1:] for one in told(runs)] == [("x", 0), ("x", 1), ("y", 0), ("y", 1)]


def test_open_names_are_a_question_whose_answer_works(put_together, run):
    names = ("x-0", "x-1", "y-0", "y-1")
    logs = [run(f"k{i}", project="lab", display_name=name) for i, name in enumerate(names)]
    runs, study = put_together(*logs)
    assert len(runs.groups()) == 4
    (decision,) = [d for d in study.decisions if d.key == "runs.repeats"]
    assert decision.alternatives == ("numbers",)
    runs, _ = put_together(*logs, repeats="numbers")
    assert [one[1:] for one in told(runs)] == [("x", 0), ("x", 1), ("y", 0), ("y", 1)]


def trained(log, folder, scale=1.0, **fields):
    tags = {"eval/accuracy": {100: 0.5 * scale, 200: 0.7 * scale, 300: 0.9 * scale},
            "train/loss": {100: 1.0, 200: 0.5, 300: 0.25}}  # fmt: skip
    path = f"{folder}/runs/Nov21_02-15-08_lab/events.out.tfevents.1.h.1.0"
    return log(path, {**tags, "train/epoch": {100: 1.0, 200: 2.0, 300: 3.0}}, **fields), tags


def test_what_the_trainer_told_a_tracker_as_well_is_one_run(put_together, log):
    events, tags = trained(log, "out/small-seed1")
    other, _ = trained(log, "out/small-seed2", 0.8)
    tracker = log(
        "wandb/run-20240101_120000-a/run-a.wandb", tags, kind="wandb_run", start=5000.0,
        single=False, texts=about(display_name="small-seed1"), config={"lr": 0.1},
    )  # fmt: skip
    runs, _ = put_together(events, other, tracker)
    assert told(runs) == [("out/small-seed1", "small", 1), ("out/small-seed2", "small", 2)]
    run = runs.runs[0]
    assert run.config == {"lr": 0.1}
    assert [v for _, v in run.find("accuracy", "validation").points()] == [0.5, 0.7, 0.9]
    assert run.find("accuracy", "validation").wall_times.tolist() == [1100.0, 1200.0, 1300.0]
    assert any("the same run as out/small-seed1" in p.message for p in run.problems)


def test_what_a_tracker_knows_otherwise_is_another_run(put_together, log):
    events, tags = trained(log, "out/small-seed1")
    later = {**tags, "train/loss": {100: 1.0, 200: 0.5, 300: 0.75}}
    tracker = log("wandb/run-20240101_120000-a/run-a.wandb", later, kind="wandb_run", single=False)
    runs, _ = put_together(events, tracker)
    assert len(runs) == 2


def test_a_state_without_a_clock_gets_that_of_a_tracker(put_together, log):
    _, tags = trained(log, "x")
    state = log("out/m/trainer_state.json", tags, kind="trainer_state", start=None, single=False)
    tracker = log("wandb/run-20240101_120000-a/run-a.wandb", tags, kind="wandb_run", single=False)
    (run,), _ = put_together(state, tracker)
    assert run.layout == "hf_trainer"
    assert run.find("accuracy", "validation").wall_times.tolist() == [1100.0, 1200.0, 1300.0]


@pytest.mark.parametrize("folder", ["", "mine/"])
def test_a_run_whose_folder_was_renamed_is_one_run(put_together, log, folder):
    tags = {"eval/accuracy": {1: 0.5, 2: 0.75}}
    runs, _ = put_together(
        log(f"{folder}run-ab12.wandb", tags, kind="wandb_run", texts=about(display_name="x-seed1")),
        log(
            f"{folder}files/wandb-summary.json", {"eval/accuracy": {2: 0.75}}, kind="wandb_summary"
        ),
    )
    assert told(runs) == [(f"{folder}ab12", "x", 1)]
    runs, _ = put_together(
        *(log(f"{folder}run-{key}.wandb", tags, kind="wandb_run", config={"seed": n})
          for n, key in enumerate(("ab12", "cd34")))
    )  # fmt: skip
    assert [one[0] for one in told(runs)] == [f"{folder}ab12", f"{folder}cd34"]


def test_names_that_the_program_made_up_are_no_evidence_but_settings_are(put_together, run):
    names = ("lucky-fire-3", "calm-sea-4", "wise-owl-5", "dry-hill-6")
    settings = [{"lr": rate, "seed": seed} for rate in (0.1, 0.2) for seed in (1, 2)]
    logs = [
        run(f"k{i}", config=one, project="lab", display_name=name)
        for i, (name, one) in enumerate(zip(names, settings, strict=True))
    ]
    runs, _ = put_together(*logs)
    assert [one[1:] for one in told(runs)] == [
        ("lr=0.1", 1), ("lr=0.1", 2), ("lr=0.2", 1), ("lr=0.2", 2),
    ]  # fmt: skip
