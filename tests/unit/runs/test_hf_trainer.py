"""The Trainer's event files, states and result files, of one run and of several."""

import json
from dataclasses import replace

import pytest

FOLDER = "out/0/runs/Nov21_02-15-08_lab"
EVENTS = {
    "train/loss": {1: 1.0, 2: 0.9},
    "train/epoch": {1: 0.5, 2: 1.0},
    "train/train_loss": {2: 0.95},
    "eval/accuracy": {1: 0.5, 2: 0.913580238},
    "eval/runtime": {1: 3.0, 2: 3.0},
}
STATE = {"eval/accuracy": {1: 0.5, 2: 0.9135802469}, "train/loss": {1: 1.0, 2: 0.9}}


def trained(loss):
    """Return a loss with the epoch that the Trainer's callback tells beside it."""
    return {"train/loss": loss, "train/epoch": {step: step / 100 for step in loss}}


@pytest.fixture
def state(log):
    return lambda path, tags, **fields: log(
        path, tags, kind="trainer_state", start=None, single=False, **fields
    )


@pytest.fixture
def results(log):
    def make(path, **values):
        tags = {tag.replace("__", "/"): value for tag, value in values.items()}
        return replace(log(path, {}, kind="hf_results", start=None), results=tags)

    return make


def test_splits_and_metrics(put_together, log):
    runs, _ = put_together(log(f"{FOLDER}/a.tfevents", EVENTS))
    (run,) = runs
    assert (run.id, run.layout) == ("out/0", "hf_trainer")
    assert {(s.tag, s.metric, s.split) for s in run.scalars.values()} == {
        ("train/loss", "loss", "train"),
        ("train/epoch", "epoch", "train"),
        ("train/train_loss", "", "train"),
        ("eval/accuracy", "accuracy", "validation"),
        ("eval/runtime", "", "validation"),
    }


def test_a_state_gives_the_digits_and_the_event_file_the_clock(put_together, log, state):
    runs, _ = put_together(
        log(f"{FOLDER}/a.tfevents", EVENTS), state("out/0/trainer_state.json", STATE)
    )
    (run,) = runs
    accuracy = run.find("accuracy", "validation")
    assert list(accuracy.points()) == [(1, 0.5), (2, 0.9135802469)]
    assert accuracy.wall_times.tolist() == [1001.0, 1002.0]
    assert accuracy.path == "out/0/trainer_state.json"
    assert len(run.sources) == 2


def test_states_of_checkpoints_belong_to_the_run_they_repeat(put_together, log, state):
    runs, _ = put_together(
        *(log(f"runs/run{n}/a.tfevents", {"eval/loss": {1: 1.0 + n, 2: 2.0, 3: 3.0},
                                         "train/grad_norm": {1: 1.0}}) for n in (0, 1)),
        state("results/checkpoint-2/trainer_state.json", {"eval/loss": {1: 2.0, 2: 2.0}}),
        state("results/checkpoint-3/trainer_state.json", {"eval/loss": {1: 2.0, 2: 2.0, 3: 3.0}}),
    )  # fmt: skip
    assert [run.id for run in runs] == ["runs/run0", "runs/run1"]
    assert len(runs.runs[1].sources) == 3
    assert any("the same run as runs/run1" in p.message for p in runs.runs[1].problems)


def test_a_state_alone_is_a_run(put_together, state):
    runs, _ = put_together(state("out/0/trainer_state.json", STATE))
    assert [(r.id, len(r.find("accuracy", "validation"))) for r in runs] == [("out/0", 2)]


def test_results_stand_where_the_evaluation_gave_the_same(put_together, state, results):
    runs, _ = put_together(
        state("o/trainer_state.json", {"eval/loss": {1: 0.5, 2: 0.3, 3: 0.4}}),
        results("o/all_results.json", eval__loss=0.3, predict__accuracy=0.8, train__train_loss=0.1),
    )
    (run,) = runs
    assert list(run.find("accuracy", "test").points()) == [(2, 0.8)]
    assert list(run.find("loss", "validation").points()) == [(1, 0.5), (2, 0.3), (3, 0.4)]
    assert run.scalars["train/train_loss"].metric == ""
    (note,) = [p for p in run.problems if "state no step" in p.message]
    assert note.level == "note"
    assert note.message.endswith("taken as step 2: its evaluation gave the same eval/loss")


def test_results_stand_at_the_end_where_no_evaluation_was_logged(put_together, state, results):
    runs, _ = put_together(
        state("o/trainer_state.json", {"train/loss": {1: 0.5, 9: 0.3}}),
        results("o/eval_results.json", eval__accuracy=0.75),
        results("o/predict_results.json", predict__accuracy=0.7),
    )
    (run,) = runs
    assert list(run.find("accuracy", "validation").points()) == [(9, 0.75)]
    assert list(run.find("accuracy", "test").points()) == [(9, 0.7)]


def test_results_of_the_best_checkpoint_that_was_loaded_at_the_end(put_together, log, results):
    arguments = {"args/text_summary": json.dumps({"load_best_model_at_end": True})}
    runs, _ = put_together(
        log("o/runs/Nov21_02-15-08_lab/a.tfevents", {"eval/loss": {2: 0.3, 3: 0.4}},
            texts=arguments, config={"best_model_checkpoint": "./o/checkpoint-2"}),
        results("o/predict_results.json", predict__accuracy=0.7),
    )  # fmt: skip
    assert list(runs.runs[0].find("accuracy", "test").points()) == [(2, 0.7)]


def test_results_that_match_nothing_say_so(put_together, state, results):
    runs, _ = put_together(
        state("o/trainer_state.json", {"eval/loss": {1: 0.5, 2: 0.3}}),
        results("o/all_results.json", eval__loss=0.9, eval__accuracy=0.1),
    )
    (run,) = runs
    assert list(run.find("loss", "validation").points()) == [(1, 0.5), (2, 0.3)]
    assert any("no logged evaluation gave the same values" in p.message for p in run.problems)


@pytest.mark.parametrize(
    ("given", "runs"),
    [
        ({"eval__loss": 0.3123456, "eval__accuracy": 0.8123456, "predict__f1": 0.7}, 1),
        # Another value, and too few digits to tell.
        ({"eval__loss": 0.3123456, "eval__accuracy": 0.8123999, "predict__f1": 0.7}, 2),
        ({"eval__loss": 0.5, "eval__accuracy": 0.7, "predict__f1": 0.7}, 2),
    ],
)
def test_results_elsewhere_are_of_the_run_that_shows_them(put_together, log, results, given, runs):
    console = log(
        "train.log",
        {"eval_loss": {1: 0.5, 2: 0.3123456}, "eval_accuracy": {1: 0.7, 2: 0.8123456}},
        kind="console", start=None,
    )  # fmt: skip
    found, _ = put_together(console, results("output/all_results.json", **given))
    assert len(found) == runs


def test_results_alone(put_together, results):
    runs, _ = put_together(results("o/all_results.json", eval__accuracy=0.5))
    assert list(runs.runs[0].find("accuracy", "validation").points()) == [(0, 0.5)]


def test_an_evaluation_logged_after_training_in_a_second_file(put_together, log):
    runs, _ = put_together(
        log(f"{FOLDER}/events.out.tfevents.1.h.9.0", EVENTS),
        log(f"{FOLDER}/events.out.tfevents.2.h.9.1", {"eval/accuracy": {2: 0.5}}, start=2000.0),
    )
    (run,) = runs
    assert run.find("accuracy", "validation").values[-1] == pytest.approx(0.913580238)
    assert any("evaluated again after training" in p.message for p in run.problems)


def test_a_second_folder_after_a_resume_takes_the_place_of_what_it_repeats(
    put_together, log, state
):
    """Killed behind step 60, resumed at the checkpoint of step 50: both folders log step 60."""
    first = {"train/loss": dict.fromkeys(range(10, 70, 10), 1.0), "eval/accuracy": {50: 0.5}}
    second = {"train/loss": dict.fromkeys(range(60, 110, 10), 2.0), "eval/accuracy": {100: 0.75}}
    history = {tag: {**first[tag], **second[tag]} for tag in first}
    files = [
        log("o/runs/Jan01_00-00-00_h/a.tfevents", first | trained(first["train/loss"])),
        log(
            "o/runs/Jan01_09-00-00_h/b.tfevents",
            second | trained(second["train/loss"]),
            start=9000.0,
        ),
    ]
    for logs in (files, [*files, state("o/trainer_state.json", history)]):
        runs, _ = put_together(*logs)
        (run,) = runs
        loss = run.find("loss", "train")
        assert list(loss.points()) == sorted(history["train/loss"].items())
        assert loss.wall_times[5] == 9060.0
        assert list(run.find("accuracy", "validation").points()) == [(50, 0.5), (100, 0.75)]
        assert [p.message for p in run.problems] == [
            "training began again at step 60: 2 points superseded"
        ]


NAN = float("nan")


def test_a_loss_of_zero_beside_a_norm_that_is_no_number_is_divergence(put_together, log):
    """`logging_nan_inf_filter` leaves NaN out of the mean, and of nothing it is 0."""
    tags = {
        "train/loss": {10: 0.7, 20: 0.3, 30: 0.0, 40: 0.0},
        "train/grad_norm": {10: 1.0, 20: NAN, 30: NAN, 40: NAN},
        "eval/loss": {40: NAN},
    }
    runs, _ = put_together(log(f"{FOLDER}/a.tfevents", tags))
    (problem,) = [p for p in runs.runs[0].problems if "diverged" in p.message]
    assert (problem.path, problem.level) == ("out/0", "warning")
    assert "from step 30 on: at 2 of 4 logged steps" in problem.message
    assert problem.remedy


def test_a_loss_that_is_learnt_to_zero_and_a_skipped_step_are_no_divergence(put_together, log):
    tags = {
        "train/loss": {10: 0.7, 20: 0.3, 30: 0.0},
        "train/grad_norm": {10: NAN, 20: 0.5, 30: 0.0},
        "eval/loss": {30: 0.0},
    }
    runs, _ = put_together(log(f"{FOLDER}/a.tfevents", tags))
    assert not [p for p in runs.runs[0].problems if "diverged" in p.message]


def test_attempts_that_start_over_in_one_output_folder_are_kept_apart(put_together, log):
    runs, _ = put_together(
        log("o/runs/Jan01_00-00-00_h/a.tfevents", trained({1: 1.0, 2: 0.9})),
        log("o/runs/Jan02_00-00-00_h/b.tfevents", trained({1: 0.8}), start=9000.0),
    )
    assert [run.id for run in runs] == ["o/runs/Jan01_00-00-00_h", "o/runs/Jan02_00-00-00_h"]


def test_predictions_are_put_where_the_same_value_was_logged_on_test(put_together, state, results):
    tags = {"eval/accuracy": {1: 0.8, 2: 0.7}, "test/accuracy": {1: 0.75, 2: 0.6}}
    runs, _ = put_together(
        state("o/trainer_state.json", tags),
        results("o/predict_results.json", predict__accuracy=0.75, predict__f1=0.5),
    )
    (run,) = runs
    assert list(run.scalars["predict/f1"].points()) == [(1, 0.5)]
    assert list(run.find("accuracy", "test").points()) == [(1, 0.75), (2, 0.6)]


def test_predictions_of_an_unknown_step_are_in_no_series(put_together, state, results):
    runs, _ = put_together(
        state("o/trainer_state.json", {"eval/accuracy": {1: 0.8, 2: 0.7}}),
        results("o/predict_results.json", predict__accuracy=0.75),
    )
    (run,) = runs
    assert run.find("accuracy", "test") is None
    assert run.config["predict/accuracy"] == 0.75
    assert any("step unknown" in p.message and p.level == "note" for p in run.problems)


def test_without_a_best_checkpoint_predictions_are_of_the_last_weights(
    put_together, state, results
):
    """transformers/trainer.py loads the best weights only where the state names them."""
    tags = {"eval/accuracy": {1: 0.8, 2: 0.7}}
    runs, _ = put_together(
        state("o/trainer_state.json", tags, config={"best_model_checkpoint": ""}),
        results("o/all_results.json", test__accuracy=0.75, test__f1=0.5),
    )
    (run,) = runs
    assert list(run.find("accuracy", "test").points()) == [(2, 0.75)]
    assert list(run.find("f1", "test").points()) == [(2, 0.5)]
    (told,) = [p.message for p in run.problems]
    assert told.endswith("step 2: the last one, for no best checkpoint was kept track of")


def test_results_against_the_values_of_their_step_are_a_warning(put_together, state, results):
    tags = {"eval/accuracy": {1: 0.8, 2: 0.7}, "test/accuracy": {1: 0.75, 2: 0.6}}
    runs, _ = put_together(
        state("o/trainer_state.json", tags),
        results("o/all_results.json", eval__accuracy=0.8, predict__accuracy=0.1),
    )
    (problem,) = [p for p in runs.runs[0].problems if "other values" in p.message]
    assert (problem.level, "at step 1" in problem.message) == ("warning", True)


PRINTED = """\
{'loss': 2.5123, 'epoch': 0.5}
{'eval_loss': 1.41234, 'eval_f1': 0.61234, 'epoch': 1.0}
{'loss': 1.0123, 'epoch': 2.0}
{'eval_loss': 1.21234, 'eval_f1': 0.71234, 'epoch': 2.0}
{'train_runtime': 9.0, 'train_loss': 1.6, 'epoch': 2.0}
"""
HISTORY = [
    {"step": 10, "epoch": 0.5, "loss": 2.51234},
    {"step": 20, "epoch": 1.0, "eval_loss": 1.41234, "eval_f1": 0.61234},
    {"step": 40, "epoch": 2.0, "loss": 1.01234},
    {"step": 40, "epoch": 2.0, "eval_loss": 1.21234, "eval_f1": 0.71234},
]


@pytest.mark.parametrize(
    ("name", "text", "runs"),
    [
        ("out/train.log", PRINTED, ["out"]),
        ("nohup.out", PRINTED, ["out"]),
        ("nohup.out", PRINTED.replace("0.71234", "0.5"), [".", "out"]),
    ],
)
def test_what_the_trainer_printed_is_the_run_that_it_wrote(tmp_path, name, text, runs):
    import reportgen

    (tmp_path / "out").mkdir()
    (tmp_path / "out/trainer_state.json").write_text(json.dumps({"log_history": HISTORY}))
    (tmp_path / name).write_text(text)
    found = reportgen.load(tmp_path)
    assert sorted(run.id for run in found) == runs
    (written,) = (run for run in found if run.id == "out")
    assert list(written.scalars["eval/f1"].points()) == [(20, 0.61234), (40, 0.71234)]


def test_sections_that_say_metrics_are_no_part_of_a_metric(put_together, log, results):
    history = log(
        "o/history.json",
        {"val_acc": {1: 0.5, 2: 0.75}, "acc": {1: 0.4, 2: 0.7}},
        kind="json_lines",
        start=None,
        single=False,
    )
    file = results(
        "o/test_results.json",
        test__test_metrics__accuracy=0.625,
        test__checkpoint_metrics__val_f1=1,
    )
    runs, _ = put_together(history, file)
    (run,) = runs
    assert {(r.metric, r.split, r.value) for r in run.results} == {
        ("accuracy", "test", 0.625), ("f1", "validation", 1),
    }  # fmt: skip
