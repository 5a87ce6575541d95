"""Files that are told by their names: packed ones, parts put aside, settings, results."""

import gzip
import json

import pytest

import reportgen
from reportgen.read.logs import load_tree

LOG = "epoch,val_acc\n1,0.5\n2,0.6\n3,0.7\n"
PRINTED = "".join(f"Epoch {n} loss 0.{n} val_acc 0.{n}5\n" for n in range(1, 6))


@pytest.mark.parametrize(
    ("name", "content", "tag"),
    [("metrics.csv.gz", LOG, "val_acc"), ("train.log.gz", PRINTED, "val_acc")],
)
def test_a_packed_log_is_read_as_what_it_holds(tmp_path, name, content, tag):
    (tmp_path / name).write_bytes(gzip.compress(content.encode()))
    (log,) = load_tree(tmp_path).logs
    assert len(log.series[tag]) >= 3


def test_a_part_of_a_log_that_was_put_aside_is_named(tmp_path):
    (tmp_path / "train.log").write_text(PRINTED)
    (tmp_path / "train.log.1").write_text(PRINTED)
    (tmp_path / "weights.1").write_text("")
    (problem,) = load_tree(tmp_path).problems
    assert problem.path == "train.log.1"
    assert "an earlier part of train.log" in problem.message
    assert "one file" in problem.remedy


@pytest.mark.parametrize("name", ["args.yaml", "opt.yaml", "hyp.yaml"])
def test_settings_beside_a_log(tmp_path, name):
    for seed in (1, 2):
        folder = tmp_path / f"exp{seed}"
        folder.mkdir()
        (folder / "results.csv").write_text(LOG)
        (folder / name).write_text(f"lr0: 0.01\nseed: {seed}\n")
    runs = reportgen.load(tmp_path)
    assert sorted(run.seed for run in runs) == [1, 2]
    assert {run.config["lr0"] for run in runs} == {0.01}


@pytest.mark.parametrize(
    ("name", "content", "tag"),
    [
        ("best.json", json.dumps({"best_val_acc": 0.8, "test_acc": 0.81}), "test_acc"),
        ("final.json", json.dumps({"test_acc": 0.81}), "test_acc"),
        ("test.json", json.dumps({"accuracy": 0.81}), "test/accuracy"),
        ("eval.json", json.dumps({"accuracy": 0.81}), "accuracy"),
        ("test.txt", "acc: 0.81\nloss: 0.4\n", "test/acc"),
        ("best.txt", "test_acc = 0.81\n", "test/acc"),
    ],
)
def test_results_beside_a_log(tmp_path, name, content, tag):
    (tmp_path / "log.csv").write_text(LOG)
    (tmp_path / name).write_text(content)
    runs = reportgen.load(tmp_path)
    (run,) = runs
    assert {one.tag: one.value for one in run.results}[tag] == 0.81
    frame = runs.to_frame()
    assert frame[frame["tag"] == tag]["step"].isna().all()


@pytest.mark.parametrize("folder", [".", "results"])
def test_what_was_best_is_no_result_and_no_row(tmp_path, folder):
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "log.csv").write_text(LOG)
    (tmp_path / folder / "best.json").write_text(json.dumps({"epoch": 2, "val_acc": 0.9}))
    runs = reportgen.load(tmp_path)
    (run,) = runs
    assert (run.results, runs.all_problems()) == ((), ())
    assert len(run.scalars["val_acc"]) == 3


def test_entries_of_a_state_that_ends_early_are_read(tmp_path):
    whole = json.dumps({"log_history": [{"loss": 1 / n, "step": 10 * n} for n in (1, 2, 3)]})
    (tmp_path / "trainer_state.json").write_text(whole[:-12])
    (log,) = load_tree(tmp_path).logs
    assert list(log.series["train/loss"].points()) == [(10, 1.0), (20, 0.5)]
    (problem,) = log.problems
    assert "the 2 entries before that are read" in problem.message


def test_what_a_summary_alone_holds_is_a_result(tmp_path):
    folder = tmp_path / "wandb/run-20240101_101010-abc12345/files"
    folder.mkdir(parents=True)
    (folder / "output.log").write_text(PRINTED)
    summary = {"val_acc": 0.55, "test/acc": 0.81, "test/best_acc": 0.9, "_step": 5}
    (folder / "wandb-summary.json").write_text(json.dumps(summary))
    (folder / "config.yaml").write_text("lr:\n  desc: null\n  value: 0.1\nseed:\n  value: 3\n")
    (run,) = reportgen.load(tmp_path)
    assert [(one.tag, one.value, one.step) for one in run.results] == [("test/acc", 0.81, None)]
    assert (run.seed, run.config["lr"]) == (3, 0.1)


def table(*columns, sep=","):
    return "\n".join(sep.join(map(str, row)) for row in columns) + "\n"


def printed(*losses):
    return "".join(f"Epoch {n}/9 - loss: {loss:.3g}\n" for n, loss in enumerate(losses, 1))


EXACT = (0.97513, 0.36077, 0.10449, 0.0098812, 0.00073244, 0.00019074, 0.000083114)
CURVES = table(("epoch", "loss", "val_loss"), *((n, v, 2 * v) for n, v in enumerate(EXACT, 1)))
OTHERS = table(("epoch", "loss", "val_loss"), *((n, 3 / n, 4 / n) for n in range(1, 8)))
CATBOOST = [table(("iter", "Logloss"), (0, v), (1, v / 2), sep="\t") for v in (0.5, 0.75)]
SUMMARY = json.dumps({"val/loss": 0.5, "_step": 9, "_timestamp": 1.5})

FOLDERS = {
    "a row a model": (
        {"summary.csv": table(("model", "epoch", "val_acc"), ("vgg", 9, 0.5), ("resnet", 7, 0.6))},
        {"summary/vgg": "val_acc", "summary/resnet": "val_acc"},
    ),
    "a row a fold, and their mean": (
        {"folds.csv": table(("fold", "mae", "ape", "n_test"), (1, 2.5, 9.5, 8), (2, 3.5, 8.5, 8),
                            ("mean", 3.0, 9.0, ""))},
        {"folds/fold1": "mae, ape", "folds/fold2": "mae, ape"},
    ),
    "a row a model and seed": (
        {"all.csv": table(("model", "seed", "mae"),
                          *((m, s, s / 4) for m in ("vgg", "unet") for s in (1, 2)))},
        {f"all/{model}/seed{seed}": "mae" for model in ("unet", "vgg") for seed in (1, 2)},
    ),
    "a row a run, of which few are repeated": (
        {"all.csv": table(("run", "epochs", "seed", "mae"), ("a", 30, 1, 0.5), ("b", 60, 1, 0.25),
                          ("c", 60, 1, 0.5), ("c", 60, 2, 0.75), ("d", 30, 1, 0.25))},
        {f"all/{run}/seed{seed}": "mae" for run, seed in ("a1", "b1", "c1", "c2", "d1")},
    ),
    "rows of a data set, dealt to folds": (
        {"log.csv": CURVES,
         "clips.csv": table(("clip", "fold", "score"), *((f"c{n}", n, n / 4) for n in (1, 2, 3)))},
        {".": ""},
    ),
    "results that are called as those of the Trainer": (
        {"all_results.json": json.dumps({"small": {"auc": 0.75}, "large": {"auc": 0.5}})},
        {".": "small/auc, large/auc"},
    ),
    "a file an epoch": (
        {
            f"m/metrics_epoch_{n}.json": json.dumps(
                {"epoch": n, "training_start_epoch": 0, "validation_loss": 1 / (n + 1)}, indent=1
            )
            for n in range(3)
        },
        {"m": ""},
    ),
    "names with a point that is of no extension": (
        {f"drop_{share}.csv": one for share, one in ((0.2, CURVES), (0.25, OTHERS))},
        {"drop_0.2": "", "drop_0.25": ""},
    ),
    "a row a run, beside its curves": (
        {
            "a_s0/log.csv": CURVES,
            "a_s1/log.csv": OTHERS,
            "all.csv": table(("run", "seed", "epoch", "loss"), ("a", 0, 7, 0.1), ("a", 1, 6, 0.2)),
        },
        {"a_s0": "", "a_s1": ""},
    ),
    "a row a run, whose curves lie elsewhere": (
        {
            "runs/a/log.csv": CURVES,
            "runs/b/log.csv": OTHERS,
            "tables/all.csv": table(("model", "test_acc"), ("a", 0.7), ("b", 0.6)),
        },
        {"runs/a": "", "runs/b": ""},
    ),
    "a row a model and seed, beside curves of another with the same seeds": (
        {
            "runs/seed0/log.csv": CURVES,
            "runs/seed1/log.csv": OTHERS,
            "tables/all.csv": table(
                ("model", "seed", "test_acc"),
                *((name, seed, 0.7) for name in ("svm", "tree") for seed in (0, 1)),
            ),
        },
        {"runs/seed0": "", "runs/seed1": ""}
        | {
            f"tables/all/{name}/seed{n}": "test_acc" for name in ("svm", "tree") for n in (0, 1)
        },
    ),
    "an episode a seed": (
        {"a/eval.csv": table(("episode", "seed", "reward"), *((n, 90 + n, n) for n in range(6)))},
        {"a": ""},
    ),
    "two tables and two consoles, which nothing pairs": (
        {"log.csv": CURVES, "log_b.csv": OTHERS}
        | {
            f"{name}.log": "".join(f"step {n}: acc 0.{n}{len(name)}\n" for n in range(9))
            for name in ("c", "dd")
        },
        {"log": "", "log_b": "", "c": "", "dd": ""},
    ),
    "a console that prints three digits": (
        {"logs/log.csv": CURVES, "train.out": printed(*EXACT)},
        {"logs": ""},
    ),
    "plots that DVCLive names after splits": (
        {
            f"dvclive/plots/metrics/{name}_loss.tsv": "step\tloss\n0\t1\n1\t2\n"
            for name in ("train", "val")
        },
        {"dvclive": ""},
    ),
    "plots of DVCLive in folders, and the last of each": (
        {
            "dvclive/plots/metrics/train/loss.tsv": "step\tloss\n3\t1\n8\t2\n",
            "dvclive/plots/metrics/val/a/f1.tsv": "step\tf1\n4\t0.5\n9\t0.25\n",
            "dvclive/metrics.json": json.dumps(
                {"train": {"loss": 2.0}, "val": {"a": {"f1": 0.25}}, "rouge": 0.5, "step": 9}
            ),
        },
        {"dvclive": "rouge"},
    ),
    "what was set in one object with its results": (
        {"a/results.json": json.dumps({"test_acc": 0.5, "brier": 0.1, "seed": 3, "epochs": 9})},
        {"a": "test_acc, brier"},
    ),
    "a run that Ultralytics called by default": (
        {"runs/detect/train/results.csv": table(("epoch", "train/box_loss"), (1, 2.0), (2, 1.0))},
        {"runs/detect/train": ""},
    ),
    "what Weights & Biases logs of itself": (
        {
            "wandb/run-20240101_101010-ab/files/wandb-summary.json": SUMMARY,
            "wandb/run-20240101_101010-ab/logs/debug.log": "config: {'epoch': 9, 'seed': 1}\n" * 3,
        },
        {"wandb/ab": ""},
    ),
    "settings, curves and results in one object": (
        {
            f"results_{seed}.json": json.dumps({
                "config": {"data": {"test_split": 0.2}, "seed": seed},
                "train_losses": [2.0, 1.0 / seed, 0.5],
                "val_losses": [3.0, 2.0, 1.0 / seed],
                "rf_results": {"accuracy": 0.5, "support": 9},
                "notes": "none",
            })
            for seed in (1, 2)
        },
        {"results_1": "rf_results/accuracy", "results_2": "rf_results/accuracy"},
    ),
    "CatBoost's own files": (
        {
            "catboost_info/learn_error.tsv": CATBOOST[0],
            "catboost_info/test_error.tsv": CATBOOST[1],
            "catboost_info/time_left.tsv": table(("iter", "Passed"), (0, 1), (1, 2), sep="\t"),
        },
        {"catboost_info": ""},
    ),
    "a copy of the latest run": (
        {
            f"wandb/{name}/files/wandb-summary.json": SUMMARY
            for name in ("run-20240101_101010-ab", "latest-run")
        },
        {"wandb/ab": ""},
    ),
}  # fmt: skip


@pytest.mark.parametrize("about", FOLDERS)
def test_which_files_are_of_which_run(tmp_path, about):
    files, wanted = FOLDERS[about]
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    found = {run.id: ", ".join(one.tag for one in run.results) for run in reportgen.load(tmp_path)}
    assert found == wanted


@pytest.mark.parametrize(
    ("name", "content", "tag", "points"),
    [
        (
            "scalars.json",
            '{"iter": 9, "step": 9, "a": 1}\n{"step": 9, "b": 2}\n',
            "val/b",
            [(9, 2)],
        ),
        ("a.csv", "epoch,loss\n0.5,2\n1.0,1\n1.5,0\n", "loss", [(1, 2), (2, 1), (3, 0)]),
        ("a.csv", "epoch,loss\n1,nan\n2,nan\n", "loss", 2),
        ("a.csv.gz", gzip.compress(LOG.encode(), mtime=0)[:-12], "val_acc", [(1, 0.5), (2, 0.6)]),
    ],
)
def test_what_is_read_of_odd_clocks_lists_and_ends(tmp_path, name, content, tag, points):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (log,) = load_tree(tmp_path).logs
    found = list(log.series[tag].points())
    assert (found if isinstance(points, list) else len(found)) == points


def test_where_no_file_is_a_log_loading_says_so(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.warns(UserWarning, match="no training logs under"):
        assert len(reportgen.load(tmp_path).to_frame()) == 0


FAIRSEQ = "".join(
    f"2024-03-01 01:0{n}:30 | INFO | valid | epoch 00{n} | valid on 'valid' subset | "
    f"loss {2 / n:.3f} | bleu {20 - 3 / n:.2f} | num_updates {300 * n}\n"
    for n in range(1, 6)
)


def test_results_beside_a_console_of_fairseq_are_of_its_run(tmp_path):
    (tmp_path / "train.log").write_text(FAIRSEQ)
    (tmp_path / "test_results.txt").write_text("bleu = 19.5")
    (run,) = reportgen.load(tmp_path)
    assert (run.layout, [one.value for one in run.results]) == ("fairseq_console", [19.5])
