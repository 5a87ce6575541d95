"""Every layout: what it recognises, and where it puts a log."""

import pytest
from fakes.rows import rows_beside

from reportgen.runs import LAYOUTS, SPLIT_NAMES

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(("layout", "path", "tags", "run", "folder"), ROWS["recognised_and_placed"])
def test_recognised_and_placed(log, layout, path, tags, run, folder):
    one = log(path, {tag: {1: 1.0} for tag in tags})
    first = next(n for n in LAYOUTS if list(LAYOUTS.load(n).recognise([one])))
    place = LAYOUTS.load(layout).place(one)
    assert (first, place.run, place.folder) == (layout, run, folder)


@pytest.mark.parametrize(
    ("path", "run"),
    [("m/seed1.log", "m/seed1"), ("m_s3/m-seed3.out", "m_s3"), ("m/4711.out", "m"),
     ("m/run_1.log", "m"), ("m/seed1/run.log", "m/seed1")],
)  # fmt: skip
def test_a_console_is_a_run_where_its_name_says_a_seed_that_its_folder_does_not(log, path, run):
    one = log(path, {"loss": {1: 1.0}}, kind="console")
    assert LAYOUTS.load("plain").place(one).run == run


def test_folders_named_train_and_test_alone_are_not_fairseq(log):
    logs = [log(f"r/{split}/a.tfevents", {"loss": {1: 1.0}}) for split in ("train", "test")]
    assert list(LAYOUTS.load("fairseq").recognise(logs)) == []


def test_a_fairseq_command_line_is_recognised_without_its_validation_folder(log):
    one = log(
        "r/0/test/a.tfevents",
        {"loss": {1: 1.0}},
        texts={"sys.argv/text_summary": "['--seed', '0']"},
    )
    assert list(LAYOUTS.load("fairseq").recognise([one])) == [one]


@pytest.mark.parametrize(("layout", "folder", "tag", "metric", "split"), ROWS["labels"])
def test_labels(layout, folder, tag, metric, split):
    assert LAYOUTS.load(layout).label(folder, tag, SPLIT_NAMES) == (metric, split)


def test_the_test_set_of_catboost_is_that_of_validation(put_together, log):
    folder, curve = "catboost_info", {"RMSE": {0: 2.0, 1: 1.5}}
    logs = [log(f"{folder}/{split}_error.tsv", curve) for split in ("learn", "test")]
    logs += [log(f"{folder}/{split}/events.out.tfevents", curve) for split in ("learn", "test")]
    (run,), _ = put_together(*logs)
    assert {key: one.split for key, one in run.scalars.items()} == {
        "learn/RMSE": "train", "test/RMSE": "validation",
    }  # fmt: skip


def test_evaluations_kept_above_the_starts_are_of_the_start_that_logged_them(put_together, log):
    curves = [{step: value + step / 7e4 for step in (1000, 2000, 3000)} for value in (-5.0, 4.5)]
    starts = [log(f"logs/DQN_{n}/a.tfevents", {"eval/mean_reward": curves[n]}) for n in (0, 1)]
    named = {"kind": "arrays", "start": None, "single": False}
    kept = log("logs/evaluations.npz", {"eval/mean_reward": curves[1]}, **named)
    runs, _ = put_together(*starts, kept)
    assert {run.id: len(run.sources) for run in runs} == {"logs/DQN_0": 1, "logs/DQN_1": 2}


def test_what_lightning_logs_with_the_settings_is_no_value(put_together, log):
    curves = {"hp/val_loss": {0: 0.0, 5: 0.5, 9: 0.25}, "hp/test_loss": {0: 0.0, 9: 0.3}}
    (run,), _ = put_together(log("lightning_logs/version_0/a.tfevents", curves))
    assert run.find("loss", "validation").steps.tolist() == [5, 9]
    assert [one.tag for one in run.results] == ["hp/test_loss"]


def test_tables_of_batches_of_epochs_and_of_the_start_are_of_one_run(put_together, log):
    ends = [{epoch: part / (epoch + 3) for epoch in range(6)} for part in (0.5312, 0.8571, 0.2917)]
    validated = dict(zip(("loss", "mae", "rmse"), ends, strict=True))
    tables = {
        "batch_train": {"loss": {epoch: one * 1.125 for epoch, one in ends[0].items()}},
        "batch_val": validated,
        "epoch": {
            f"validation_{name}": {epoch: value for epoch, value in one.items() if epoch}
            for name, one in validated.items()
        },
        "initialization": {f"validation_{k}": {0: one[0]} for k, one in validated.items()},
    }
    named = {"kind": "metrics_csv", "start": None, "single": False}
    logs = [log(f"a/metrics_{name}.csv", one, **named) for name, one in tables.items()]
    (run,), _ = put_together(*logs)
    assert run.find("loss", "validation").values.max() == ends[0][0]
    assert len(run.sources) == 4


def test_a_console_called_after_validation_is_of_the_run_beside_it(put_together, log):
    named = {"kind": "console", "start": None, "single": False}
    training = log("a/train.log", {"bleu": {10: 1.5, 20: 2.5}, "loss": {5: 9.5}}, **named)
    validation = log("a/validations.txt", {"bleu": {10: 1.5, 20: 2.5}}, **named)
    (run,), _ = put_together(training, validation)
    assert run.find("bleu", "validation").values.tolist() == [1.5, 2.5]
    # A notebook may be of any training.
    notebook = log("a/try.ipynb", {"bleu": {10: 7.5, 20: 8.5}}, **named)
    runs, _ = put_together(notebook, validation)
    assert len(runs) == 2


def test_every_layout_carries_its_own_name():
    assert [LAYOUTS.load(name).name for name in LAYOUTS] == list(LAYOUTS)


def test_a_console_log_beside_the_event_files_is_the_same_run(put_together, log, fairseq):
    console = log(
        "stdout.log", {"valid/accuracy": {225: 57.0, 450: 65.0}, "valid/epoch": {225: 1, 450: 2}},
        kind="fairseq_log", run_key="tensorboard_logs/m/0", single=False, config={"seed": 0},
    )  # fmt: skip
    (run,), _ = put_together(*fairseq("tensorboard_logs/m/0", [57, 65]), console)
    assert run.layout == "fairseq"
    assert run.scalars["valid/epoch"].steps.tolist() == [225, 450]
    assert run.config == {"seed": 0}
    assert any("the same run as tensorboard_logs/m/0" in p.message for p in run.problems)


def test_a_console_log_that_disagrees_is_kept_apart(put_together, log, fairseq):
    console = log("stdout.log", {"valid/accuracy": {225: 99.0}}, kind="fairseq_log",
                  run_key="logs/m/0", single=False)  # fmt: skip
    runs, _ = put_together(*fairseq("tensorboard_logs/m/0", [57, 65]), console)
    assert len(runs) == 2


def test_a_console_log_that_prints_no_folder_is_named_after_its_file(put_together, log):
    logs = [log("a/stdout.log", {"valid/loss": {1: 1.0}}, kind="fairseq_log", run_key=f"run{n}")
            for n in (1, 2)]  # fmt: skip
    runs, _ = put_together(*logs)
    assert [r.id for r in runs] == ["a/stdout/run1", "a/stdout/run2"]


def test_tables_side_by_side_are_runs_where_a_number_tells_them_apart(put_together, log):
    def table(path, metric="acc"):
        return log(path, {metric: {1: 0.5, 2: 0.75}}, kind="metrics_csv", start=None)

    runs, _ = put_together(
        *(table(f"logs/{m}_seed{n}.csv", "val_acc") for m in "ab" for n in (0, 1))
    )
    assert [(r.id, r.group, r.seed) for r in runs] == [
        ("logs/a_seed0", "a", 0), ("logs/a_seed1", "a", 1),
        ("logs/b_seed0", "b", 0), ("logs/b_seed1", "b", 1),
    ]  # fmt: skip
    runs, _ = put_together(*(table(f"logs/m/{split}.csv") for split in ("train", "val", "test")))
    (run,) = runs
    assert run.id == "logs/m"
    assert {s.split for s in run.scalars.values()} == {"train", "validation", "test"}
    runs, _ = put_together(table("logs/m/0/history.csv"), table("logs/m/1/history.csv"))
    assert [(r.id, r.seed) for r in runs] == [("logs/m/0", None), ("logs/m/1", None)]


@pytest.mark.parametrize(
    ("printed", "named"),
    [("tenso\0board_logs/m/0", "tenso\\x00board_logs/m/0"), ("../../m/0", "m/0")],
)
def test_a_folder_that_a_log_names_leads_nowhere_else(put_together, log, printed, named):
    console = log("stdout.log", {"valid/loss": {1: 1.0}}, kind="fairseq_log", run_key=printed)
    (run,), _ = put_together(console)
    assert (run.id, run.seed) == (named, 0)


def test_a_tag_may_name_another_split_than_the_file_of_the_training(put_together, log):
    tags = {"accuracy": {0: 0.1, 1: 0.2}, "val_accuracy": {0: 0.2, 1: 0.3}, "val_loss": {0: 2.0}}
    table = log("a/training.csv", tags, kind="metrics_csv", start=None, single=False)
    (run,), study = put_together(table)
    found = {series.tag: (series.metric, series.split) for series in run.scalars.values()}
    assert found == {
        "accuracy": ("accuracy", "train"),
        "val_accuracy": ("accuracy", "validation"),
        "val_loss": ("loss", "validation"),
    }
    assert study.metric.select_on == "validation"


def test_events_that_count_updates_beside_their_epochs_are_the_run_of_the_table(put_together, log):
    losses = {step: 1.0 / step for step in range(1, 9)}
    events = log(
        "a/events.out.tfevents.1.h.1.0",
        {"val/acc": {e: e / 10 + 0.0125 for e in range(1, 7)},
         "train/step_loss": {100 * step: value for step, value in losses.items()}},
    )  # fmt: skip
    table = log(
        "a/metrics.csv",
        {"val_acc": {e: e / 10 + 0.0125 for e in range(1, 7)}, "val_loss": losses},
        kind="metrics_csv", start=None, single=False,
    )  # fmt: skip
    runs, _ = put_together(events, table)
    assert [run.id for run in runs.runs] == ["a"]


def test_a_split_that_one_of_two_logs_of_a_run_names_is_that_of_both(put_together, log):
    losses, scores = ({n: f(n) for n in range(1, 9)} for f in (lambda n: 1 / n, lambda n: n / 9.7))
    shift = {"Loss/Train": losses, "Metrics/F1_Score": scores}
    moved = {tag: {n - 1: value for n, value in own.items()} for tag, own in shift.items()}
    events = log("logs/tensorboard_runs/events.out.tfevents.1.h.1.0", moved)
    rows = {"Train_Loss": losses, "Val_F1": scores}
    table = log("logs/history.csv", rows, kind="metrics_csv", start=None, single=False)
    (run,), study = put_together(events, table)
    assert run.find("f1", "validation") is not None
    assert (study.metric.name, study.metric.select_on) == ("f1", "validation")


def test_what_was_set_for_numbers_beside_several_runs_is_set_for_one(put_together, log):
    curves = [
        log("a/train.log", {"loss": {n: 1 / (n + k) for n in range(1, 9)}}, session=k,
            kind="console", start=None)
        for k in (0, 1, 2)
    ]  # fmt: skip
    table = log("a/results.csv", results={"test_acc": 0.5}, config={"rank": 8}, kind="metrics_csv")
    runs, _ = put_together(*curves, table)
    assert sum("rank" in run.config for run in runs.runs) == 1


def test_numbers_beside_tables_of_several_runs_are_of_the_one_they_are_called_after(
    put_together, log
):
    table = {"kind": "metrics_csv", "start": None}
    curves = [
        log(f"a/{name}_log.csv", {"val_loss": {n: k / n for n in range(1, 9)}}, **table)
        for k, name in ((1, "small"), (2, "tiny"))
    ]
    told = [
        log(f"a/{name}_results.json", results={"test_acc": 0.5}, kind="json_lines")
        for name in ("small", "other")
    ]
    runs, _ = put_together(*curves, *told)
    measured = {run.id: len(run.results) for run in runs.runs}
    assert measured == {"a/small_log": 1, "a/tiny_log": 0, "a/other_results": 1}
