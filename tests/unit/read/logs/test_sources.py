"""Every source of rows, by a sample that differs from those of others in each accident.

Samples named with a version were written by that program; the others follow its writer, which
is named. `SOURCES` is the specification: what a file holds, and what is read of it.
"""

import json

import numpy as np
import pytest
from fakes.console_samples import CONSOLES
from fakes.sampled import ONE, TWO, Case, one
from fakes.samples import arrays, database, lines, notebook

from reportgen.read.logs import LOADERS, loader_of
from reportgen.read.logs.sources import own_sources

SOURCES = [
    *CONSOLES,
    Case(
        "stable-baselines3 2.9.2: Monitor, a row glued to the next and a second start",
        "a/rank7.monitor.csv",
        b'#{"t_start": 1795701165.6, "env_id": "Pole-v1"}\nr,l,t\n11.0,11,3.4\n9.0,9,3.8\n'
        b'4.0,4,5.1812.0,12,6.0\n#{"t_start": 1795709165.6, "env_id": "Pole-v1"}\nr,l,t\n'
        b"8.5,10,1.0\n7.5,20,2.0\n",
        {
            ONE: {
                "reward": ("", [(11, 11.0), (20, 9.0)]),
                "episode_length": ("", [(11, 11.0), (20, 9.0)]),
            },
            TWO: {
                "reward": ("", [(10, 8.5), (30, 7.5)]),
                "episode_length": ("", [(10, 10.0), (30, 20.0)]),
            },
        },
        "stable-baselines3",
        config={"t_start": 1795701165.6, "env_id": "Pole-v1"},
    ),
    Case(
        "stable-baselines3 2.9.2: EvalCallback",
        "a/evaluations.npz",
        arrays(
            timesteps=[200, 400], results=[[9.0, 11.0], [7.0, 10.0]], ep_lengths=[[3, 4], [1, 2]]
        ),
        one(
            eval__mean_reward=[(200, 10.0), (400, 8.5)],
            eval__mean_ep_length=[(200, 3.5), (400, 1.5)],
        ),
        "stable-baselines3",
    ),
    Case(
        "rl-baselines3-zoo, `utils/exp_manager.py`",
        "a/env_1/args.yml",
        b"!!python/object/apply:collections.OrderedDict\n"
        b"- - - algo\n    - ppo\n  - - seed\n    - 31\n",
        {},
        "stable-baselines3",
        config={"algo": "ppo", "seed": 31},
    ),
    Case(
        "mmengine 0.10.7: LocalVisBackend",
        "a/2026_1/vis_data/2026_1.json",
        lines(
            {"lr": 0.1, "loss": 2.0, "epoch": 1, "iter": 10, "step": 10},
            {"accuracy/top1": 51.0, "time": 0.1, "step": 1},
            {"lr": 0.1, "loss": 1.5, "epoch": 2, "iter": 20, "step": 20},
            {"accuracy/top1": 49.5, "time": 0.1, "step": 2},
        ),
        {
            ONE: {
                "lr": ("", [(10, 0.1), (20, 0.1)]),
                "loss": ("", [(10, 2.0), (20, 1.5)]),
                "epoch": ("", [(10, 1.0), (20, 2.0)]),
                "val/accuracy/top1": ("epoch", [(1, 51.0), (2, 49.5)]),
                "val/time": ("epoch", [(1, 0.1), (2, 0.1)]),
            }
        },
        "mmengine",
    ),
    Case(
        "mmcv 1, `runner/hooks/logger/text.py`: the iteration restarts in every epoch",
        "a/20210101.log.json",
        lines(
            {"seed": 7, "exp_name": "rcnn.py"},
            {"mode": "train", "epoch": 1, "iter": 30, "loss": 3.0},
            {"mode": "train", "epoch": 1, "iter": 60, "loss": 2.5},
            {"mode": "val", "epoch": 1, "iter": 12, "mIoU": 0.5},
            {"mode": "train", "epoch": 2, "iter": 30, "loss": 2.0},
            {"mode": "train", "epoch": 2, "iter": 60, "loss": 1.5},
            {"mode": "val", "epoch": 2, "iter": 12, "mIoU": 0.4},
        ),
        one(
            epoch=[(1, 1.0), (2, 2.0)],
            train__loss=[(1, 2.5), (2, 1.5)],
            val__mIoU=[(1, 0.5), (2, 0.4)],
        ),
        "mmcv",
        config={"seed": 7, "exp_name": "rcnn.py"},
    ),
    Case(
        "DETR, `main.py`: an evaluation is a list",
        "a/log.txt",
        lines(
            {"train_loss": 3.0, "test_coco_eval_bbox": [0.25, 0.5, 0.125, -1.0], "epoch": 0},
            {"train_loss": 2.0, "test_coco_eval_bbox": [0.5, 0.75, 0.25, -1.0], "epoch": 1},
        ),
        one(
            epoch=[(0, 0.0), (1, 1.0)],
            train_loss=[(0, 3.0), (1, 2.0)],
            test__bbox_AP=[(0, 0.25), (1, 0.5)],
            test__bbox_AP50=[(0, 0.5), (1, 0.75)],
            test__bbox_AP75=[(0, 0.125), (1, 0.25)],
        ),
        "detr",
    ),
    Case(
        "hydra-core 1.3.8: overrides",
        "multirun/0/.hydra/overrides.yaml",
        b"- net.width=8\n- seed=5\n- +note=x\n",
        {},
        "hydra",
        config={"net.width": 8, "seed": 5, "note": "x"},
    ),
    Case(
        "hydra-core 1.3.8: settings",
        "multirun/0/.hydra/config.yaml",
        b"net:\n  width: 8\nseed: 5\n",
        {},
        "hydra",
        config={"net.width": 8, "seed": 5},
    ),
    Case(
        "sacred 0.8.7: metrics of FileStorageObserver",
        "sacred/1/metrics.json",
        json.dumps(
            {
                "valid.f1": {
                    "steps": [0, 5],
                    "timestamps": ["2026-01-01T00:00:00", "x"],
                    "values": [0.25, 0.5],
                },
                "loss": {"steps": [0, 1], "timestamps": [], "values": [1.0, 0.5]},
            }
        ).encode(),
        {ONE: {"valid.f1": ("", [(0, 0.25), (5, 0.5)]), "loss": ("", [(0, 1.0), (1, 0.5)])}},
        "sacred",
    ),
    Case(
        "dvclive 3.49.1: a plot",
        "a/dvcl/plots/metrics/train/ce.tsv",
        b"step\tce\n0\t1.0\n1\t0.5\n",
        one(train__ce=[(0, 1.0), (1, 0.5)]),
        "dvclive",
    ),
    Case(
        "dvclive 3.49.1: where the plots end",
        "a/dvcl/metrics.json",
        b'{\n    "train": {\n        "ce": 0.5\n    },\n    "auc": 0.7,\n    "step": 1\n}',
        one(train__ce=[(1, 0.5)], auc=[(1, 0.7)]),
    ),
    Case(
        "keras 3.15.1, a history as JSON",
        "out/training_history.json",
        b'{"mae": [3.0, 2.0], "val_mae": [4.0, 3.5]}',
        one(epoch=[(1, 1.0), (2, 2.0)], mae=[(1, 3.0), (2, 2.0)], val_mae=[(1, 4.0), (2, 3.5)]),
    ),
    Case(
        "pandas, a history as CSV with the index of its frame",
        "out/hist.csv",
        b",Loss,val_loss,lr\n0,3.0,4.0,0.1\n1,2.0,3.5,0.1\n",
        one(
            epoch=[(1, 1.0), (2, 2.0)],
            Loss=[(1, 3.0), (2, 2.0)],
            val_loss=[(1, 4.0), (2, 3.5)],
            lr=[(1, 0.1), (2, 0.1)],
        ),
    ),
    Case(
        "keras 3.15.1, CSVLogger; its validation all NaN",
        "training.log",
        b"epoch;mse;val_mse\n0;2,5;nan\n1;1,5;nan\n",
        one(epoch=[(0, 0.0), (1, 1.0)], mse=[(0, 2.5), (1, 1.5)]),
    ),
    Case(
        "DVC and scikit-learn, one object of numbers",
        "eval/results.json",
        b'{"test": {"f1": 0.75, "support": 40}, "model": "svm", "train_acc": 0.9}',
        {ONE: {}},
        results={"test/f1": 0.75, "test/support": 40.0, "train_acc": 0.9},
    ),
    Case(
        "lm-evaluation-harness, `loggers/evaluation_tracker.py`",
        "m/results_2026-01-01T00.json",
        json.dumps(
            {
                "results": {"arc": {"alias": "arc", "acc,none": 0.5, "acc_stderr,none": 0.01}},
                "versions": {"arc": 1},
                "config": {"model": "hf", "batch_size": 8},
            }
        ).encode(),
        {ONE: {}},
        "lm-evaluation-harness",
        results={"arc/acc": 0.5, "arc/acc_stderr": 0.01},
        config={"config.model": "hf", "config.batch_size": 8},
    ),
    Case(
        "spaCy, `training/loop.py`",
        "out/model-best/meta.json",
        json.dumps(
            {
                "lang": "en",
                "pipeline": ["ner"],
                "performance": {"ents_f": 0.5, "ents_per_type": {"ORG": {"f": 0.25}}},
            }
        ).encode(),
        {ONE: {}},
        "spacy",
        results={"ents_f": 0.5, "ents_per_type/ORG/f": 0.25},
    ),
    Case(
        "transformers, dictionaries on a console",
        "nohup.out",
        b"Loading...\n{'loss': 2.5, 'learning_rate': 5e-05, 'epoch': 0.5}\n 50%|#### | 4/8\n"
        b"{'eval_loss': nan, 'eval_f1': '0.5', 'epoch': 1.0}\n{'loss': 1.5, 'epoch': 1.0}\n",
        {
            ONE: {
                "loss": ("", [(1, 2.5), (2, 1.5)]),
                "learning_rate": ("", [(1, 5e-5)]),
                "epoch": ("", [(1, 0.5), (2, 1.0)]),
                "eval_f1": ("", [(2, 0.5)]),
            }
        },
        "transformers",
    ),
    Case(
        "LLaMA-Factory, `train/callbacks.py`",
        "trainer_log.jsonl",
        lines(
            {
                "current_steps": 5,
                "total_steps": 10,
                "loss": 1.5,
                "epoch": 0.5,
                "percentage": 50.0,
                "elapsed_time": "0:01:00",
            },
            {"current_steps": 10, "total_steps": 10, "eval_loss": 1.25, "epoch": 1.0},
        ),
        one(loss=[(5, 1.5)], epoch=[(5, 0.5), (10, 1.0)], eval_loss=[(10, 1.25)]),
        "llamafactory",
    ),
    Case(
        "DETR, DeiT and MAE, `main.py`: lines of JSON in a text, which ends in a traceback",
        "out/log.txt",
        b'{"train_loss": 7.0, "test_acc1": 10.5, "epoch": 0}\n'
        b'{"train_loss": 6.0, "test_acc1": 12.5, "epoch": 1}\n'
        b"Traceback (most recent call last):\n  File x\nRuntimeError\n",
        one(
            epoch=[(0, 0.0), (1, 1.0)],
            train_loss=[(0, 7.0), (1, 6.0)],
            test_acc1=[(0, 10.5), (1, 12.5)],
        ),
    ),
    Case(
        "detectron2, `utils/events.py`",
        "out/metrics.json",
        lines(
            {"iteration": 19, "total_loss": 2.5, "lr": 0.02},
            {"iteration": 39, "total_loss": 1.5, "lr": 0.02, "bbox/AP": 31.5},
        ),
        one(total_loss=[(19, 2.5), (39, 1.5)], lr=[(19, 0.02), (39, 0.02)], bbox__AP=[(39, 31.5)]),
        "detectron2",
    ),
    Case(
        "ray, `tune/logger/json.py`",
        "PPO_1/result.json",
        lines(
            *(
                {
                    "training_iteration": n,
                    "trial_id": "a1",
                    "timesteps_total": 400 * n,
                    "pid": 3,
                    "episode_reward_mean": 10.0 * n,
                    "config": {"lr": 0.1, "seed": 3},
                    "timestamp": 9,
                }
                for n in (1, 2)
            )
        ),
        one(
            episode_reward_mean=[(400, 10.0), (800, 20.0)],
            training_iteration=[(400, 1.0), (800, 2.0)],
        ),
        "ray",
        config={"lr": 0.1, "seed": 3},
    ),
    Case(
        "ray, `tune/logger/csv.py`",
        "PPO_1/progress.csv",
        b"training_iteration,trial_id,num_env_steps_sampled_lifetime,evaluation/return,config/lr\n"
        b"1,a1,4000,1.5,0.1\n2,a1,8000,2.5,0.1\n",
        one(
            training_iteration=[(4000, 1.0), (8000, 2.0)],
            evaluation__return=[(4000, 1.5), (8000, 2.5)],
        ),
        "ray",
    ),
    Case(
        "ray, settings of a trial",
        "PPO_1/params.json",
        b'{"lr": 0.1, "model": {"fcnet": [8, 8]}}',
        {},
        "ray",
        config={"lr": 0.1, "model.fcnet": [8, 8]},
    ),
    Case(
        "a program of one's own: lists of rows, one a split",
        "train_log.json",
        b'{"model": "small", "train": [{"epoch": 1, "loss": 2.5, "lr": 0.5}], '
        b'"val": [{"epoch": 1, "loss": 2.75, "acc": 0.5}]}',
        one(
            epoch=[(1, 1.0)],
            train__loss=[(1, 2.5)],
            train__lr=[(1, 0.5)],
            val__loss=[(1, 2.75)],
            val__acc=[(1, 0.5)],
        ),
        config={"model": "small"},
    ),
    Case(
        "a program of one's own: lists of rows, one a value of what was varied",
        "histories_by_lambda.json",
        b'{"0.5": [{"epoch": 1, "acc": 0.25}], "1e-07": [{"epoch": 1, "acc": 0.75}]}',
        {
            ("0.5", 0): {"epoch": ("", [(1, 1.0)]), "acc": ("", [(1, 0.25)])},
            ("1e-07", 0): {"epoch": ("", [(1, 1.0)]), "acc": ("", [(1, 0.75)])},
        },
    ),
    Case(
        "a program of one's own: a table parted by tabs, called a log",
        "train.log",
        b"step\tloss\n10\t8.5\n20\t7.5\n",
        one(loss=[(10, 8.5), (20, 7.5)]),
    ),
    Case(
        "a program of one's own: lists of numbers, and one of what it saved",
        "logs/training_log.json",
        b'{"train_losses": [2.5, 1.5], "val_accs": [0.25, 0.5], "val_losses": [3.5, 2.5],'
        b' "saved_epochs": [2]}',
        one(
            epoch=[(1, 1.0), (2, 2.0)],
            train_losses=[(1, 2.5), (2, 1.5)],
            val_accs=[(1, 0.25), (2, 0.5)],
            val_losses=[(1, 3.5), (2, 2.5)],
            saved_epochs=[(1, 2.0)],
        ),
    ),
    Case(
        "a program of one's own: its whole history again behind itself, the split in a word",
        "logs/training_log.json",
        b'[{"name": "train", "epoch": 1, "loss": 2.5}, {"name": "test", "epoch": 1, "loss": 3.5}]'
        b'[{"name": "train", "epoch": 1, "loss": 2.25}, {"name": "test", "epoch": 1, "loss": 3}]',
        {
            ONE: {
                "epoch": ("", [(1, 1.0)]),
                "train/loss": ("", [(1, 2.5)]),
                "test/loss": ("", [(1, 3.5)]),
            },
            TWO: {
                "epoch": ("", [(1, 1.0)]),
                "train/loss": ("", [(1, 2.25)]),
                "test/loss": ("", [(1, 3.0)]),
            },
        },
    ),
    Case(
        "transformers 2, `run_glue.py`: results as text",
        "run/eval_results.txt",
        b"acc = 0.75\neval_loss = 1.5\nglobal_step = 937\n",
        {ONE: {}},
        results={"eval/acc": 0.75, "eval/loss": 1.5},
    ),
    Case(
        "transformers 4, `utils/notebook.py`: the table of a notebook, shown twice",
        "train.ipynb",
        notebook(
            "<div><progress value='9'></progress>[9/9, Epoch 2/2]</div>",
            ("Epoch", "Training Loss", "Validation Loss", "Accuracy"),
            (("1", "No log", "0.75", "0.5"), ("2", "0.500000", "0.625", "0.75")),
        ),
        one(
            epoch=[(1, 1.0), (2, 2.0)],
            **{"training loss": [(2, 0.5)], "validation loss": [(1, 0.75), (2, 0.625)]},
            accuracy=[(1, 0.5), (2, 0.75)],
        ),
        "transformers",
    ),
    Case(
        "fastai 2, through fastprogress: the table of a notebook",
        "train.ipynb",
        notebook(
            "",
            ("epoch", "train_loss", "valid_loss", "accuracy", "time"),
            (("0", "1.5", "1.25", "0.5", "00:12"), ("1", "0.75", "1.125", "0.75", "00:11")),
        ),
        one(
            epoch=[(0, 0.0), (1, 1.0)],
            train_loss=[(0, 1.5), (1, 0.75)],
            valid_loss=[(0, 1.25), (1, 1.125)],
            accuracy=[(0, 0.5), (1, 0.75)],
        ),
        "fastai",
    ),
    Case(
        "a program of one's own: three folds of three epochs each",
        "folds.out",
        b"".join(
            b"==== Epoch %d / 3 ====\n  Average training loss: %d.5\n" % (epoch, epoch + fold)
            for fold in range(3)
            for epoch in (1, 2, 3)
        ),
        {
            ("", fold): {
                "epoch": ("", [(e, float(e)) for e in (1, 2, 3)]),
                "Average_training_loss": ("", [(e, e + fold + 0.5) for e in (1, 2, 3)]),
            }
            for fold in range(3)
        },
    ),
    Case(
        "a program of one's own: one row of results with its seed",
        "run_1/metrics.csv",
        b"seed,mse_overall,r2,elapsed_s\n7,14.5,0.75,500.5\n",
        {ONE: {}},
        results={"mse_overall": 14.5, "r2": 0.75},
        config={"seed": "7", "elapsed_s": "500.5"},
    ),
    Case(
        "Weights & Biases, a panel exported",
        "wandb_export.csv",
        b'"Step","bold-sea-1 - val/f1","bold-sea-1 - val/f1__MIN","bold-sea-1 - val/f1__MAX",'
        b'"odd - 2 - val/f1","odd - 2 - val/f1__MIN","odd - 2 - val/f1__MAX"\n'
        b'"1","0.5","0.4","0.6","","",""\n"2","0.75","0.7","0.8","0.25","0.2","0.3"\n',
        {
            ("bold-sea-1", 0): {"val/f1": ("", [(1, 0.5), (2, 0.75)])},
            ("odd - 2", 0): {"val/f1": ("", [(2, 0.25)])},
        },
        "wandb",
    ),
    Case(
        "lm-evaluation-harness 0.3: a list of results, a run an object",
        "all_results.json",
        json.dumps(
            [
                {
                    "results": {"wiki": {"word_perplexity": ppl}},
                    "versions": {"wiki": 1},
                    "config": {"model_args": f"pretrained=org/{name}", "num_fewshot": 0},
                }
                for name, ppl in (("small", 20.5), ("large", 10.5))
            ]
        ).encode(),
        {("pretrained=org_small", 0): {}, ("pretrained=org_large", 0): {}},
        "lm-evaluation-harness",
        results={"wiki/word_perplexity": 20.5},
        config={"config.num_fewshot": 0},
    ),
    Case(
        "Weights & Biases, a table exported: a run a row",
        "wandb_export.csv",
        b'"Name","width","best_val_f1","test_f1"\n"deep-1","8","0.75","0.5"\n'
        b'"odd/2","16","0.5","0.25"\n',
        {("deep-1", 0): {}, ("odd_2", 0): {}},
        results={"best_val_f1": 0.75, "test_f1": 0.5},
        config={"width": "8"},
    ),
    Case(
        "trackio 0.43.0",
        "trackio/lab.db",
        database(
            "CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT,"
            " step INTEGER, metrics TEXT)",
            """INSERT INTO metrics VALUES (1, '2026-01-01T00:00:00', 'tidy-1', 0,
            CAST('{"acc": 0.5}' AS BLOB))""",
            "CREATE TABLE configs (run_name TEXT, config TEXT)",
            """INSERT INTO configs VALUES ('tidy-1', '{"seed": 4, "_Username": "x"}')""",
            """INSERT INTO metrics VALUES (2, '2026-01-01', 'tidy-1', 1, '{"acc": 0.75}')""",
            """INSERT INTO metrics VALUES (3, '2026-01-02', 'wild-2', 0, '{"acc": 0.25}')""",
        ),
        {
            ("tidy-1", 0): {"acc": ("", [(0, 0.5), (1, 0.75)])},
            ("wild-2", 0): {"acc": ("", [(0, 0.25)])},
        },
        "trackio",
        config={"seed": 4},
    ),
    Case(
        "optuna 5.0.0",
        "study.db",
        database(
            "CREATE TABLE trials (trial_id INTEGER PRIMARY KEY, number INTEGER)",
            "CREATE TABLE trial_params (trial_id INTEGER, param_name TEXT, param_value FLOAT,"
            " distribution_json TEXT)",
            "CREATE TABLE trial_values (trial_id INTEGER, objective INTEGER, value FLOAT)",
            "CREATE TABLE trial_intermediate_values (trial_id INTEGER, step INTEGER,"
            " intermediate_value FLOAT)",
            "INSERT INTO trials VALUES (4, 0)",
            """INSERT INTO trial_params VALUES (4, 'width', 1.0,
            '{"name": "CategoricalDistribution", "attributes": {"choices": [8, 16]}}')""",
            "INSERT INTO trial_values VALUES (4, 0, 0.5)",
            "INSERT INTO trial_intermediate_values VALUES (4, 0, 0.25), (4, 1, 0.5)",
        ),
        {("trial0", 0): {"value": ("", [(0, 0.25), (1, 0.5)])}},
        "optuna",
        results={"value": 0.5},
        config={"width": 16},
    ),
    Case(
        "Ultralytics, a header again after a resume",
        "train/results.csv",
        b"   epoch,   train/box_loss,   metrics/mAP50(B)\n  1, 1.5, 0.25\n  2, 1.25, 0.5\n"
        b"   epoch,   train/box_loss,   metrics/mAP50(B)\n  3, 1.0, 0.75\n",
        {
            ONE: {
                "epoch": ("", [(1, 1.0), (2, 2.0)]),
                "train/box_loss": ("", [(1, 1.5), (2, 1.25)]),
                "metrics/mAP50(B)": ("", [(1, 0.25), (2, 0.5)]),
            },
            TWO: {
                "epoch": ("", [(3, 3.0)]),
                "train/box_loss": ("", [(3, 1.0)]),
                "metrics/mAP50(B)": ("", [(3, 0.75)]),
            },
        },
        "ultralytics",
    ),
]


SOURCES += [
    Case(
        "Chainer, `training/extensions/log_report.py`",
        "result/log",
        json.dumps(
            [
                {"main/loss": 2.0, "validation/main/loss": 3.0, "epoch": 1, "iteration": 60,
                 "elapsed_time": 1.5},
                {"main/loss": 1.0, "validation/main/loss": 2.5, "epoch": 2, "iteration": 120,
                 "elapsed_time": 3.0},
            ],
            indent=4,
        ).encode(),
        one(
            epoch=[(60, 1.0), (120, 2.0)],
            main__loss=[(60, 2.0), (120, 1.0)],
            validation__main__loss=[(60, 3.0), (120, 2.5)],
            elapsed_time=[(60, 1.5), (120, 3.0)],
        ),
        "chainer",
    ),
    Case(
        "StyleGAN, `torch_utils/training_stats.py`",
        "00000-faces/stats.jsonl",
        b"".join(
            b'{"Loss/G/loss": {"num": 64, "mean": %.1f, "std": 0.5}, '
            b'"Progress/tick": {"num": 1, "mean": %d, "std": 0.0}, '
            b'"Progress/kimg": {"num": 1, "mean": %.1f, "std": 0.0}, "timestamp": 17.0}\n'
            % (loss, tick, kimg)
            for tick, kimg, loss in ((0, 0.1, 4.0), (1, 4.2, 2.0))
        ),
        one(Loss__G__loss=[(0, 4.0), (1, 2.0)]),
        "stylegan",
    ),
    Case(
        "AllenNLP, `training/trainer.py`",
        "model/metrics_epoch_7.json",
        b'{\n "best_epoch": 4,\n "training_duration": "0:00:09",\n "training_start_epoch": 0,\n'
        b' "training_epochs": 7,\n "epoch": 7,\n "training_loss": 0.5,\n'
        b' "validation_accuracy": 0.75,\n "best_validation_accuracy": 0.8\n}',
        one(epoch=[(7, 7.0)], training_loss=[(7, 0.5)], validation_accuracy=[(7, 0.75)]),
        "allennlp",
    ),
]  # fmt: skip

ELSEWHERE = {"lightning", "mlflow"}
"""Programs whose files other tests read."""


def test_every_program_has_its_sample():
    sampled = {case.program for case in SOURCES}
    assert {source.program for source in own_sources()} - sampled == ELSEWHERE


def read(folder, case):
    path = folder / case.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(case.content)
    return LOADERS.load(loader_of(case.path))(path, case.path)


@pytest.mark.parametrize("case", SOURCES, ids=[case.about for case in SOURCES])
def test_what_is_read_of_each(tmp_path, case):
    logs = read(tmp_path, case)
    found = {
        (log.run_key, log.session): {
            tag: (series.clock, [(s, v) for s, v in series.points() if not np.isnan(v)])
            for tag, series in log.series.items()
            if not np.isnan(series.values).all()
        }
        for log in logs
    }
    wanted = case.read or {ONE: {}}
    assert found == wanted
    assert {log.program for log in logs} == {case.program}
    assert dict(logs[0].results) == dict(case.results)
    assert {key: logs[0].config[key] for key in case.config} == case.config
    assert sum(log.source.points for log in logs) == sum(
        sum(map(len, log.series.values())) or len(log.results) for log in logs
    )


@pytest.mark.parametrize(("place", "bits"), [(6, 1), (8, 99)])
def test_arrays_that_cannot_be_unpacked_are_named(tmp_path, place, bits):
    """A bit of a zip file says that a member is encrypted; a number, how it is packed."""
    content = bytearray(arrays(timesteps=[1], results=[[0.5]]))
    for mark, behind in ((b"PK\3\4", 0), (b"PK\1\2", 2)):
        content[content.index(mark) + behind + place] |= bits
    path = tmp_path / "evaluations.npz"
    path.write_bytes(content)
    (log,) = LOADERS.load("arrays")(path, "evaluations.npz")
    assert log.problems[0].message.startswith("no arrays of numpy that can be read")
