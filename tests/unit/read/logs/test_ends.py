"""How a training ended, as the programs that record it say, from file to run."""

import json
import sqlite3
from contextlib import closing

import pytest
from fakes import wandb_file as fake

import reportgen

KEY = "a" * 32
CONSOLE = "".join(f"epoch {n} loss 0.{9 - n} accuracy 0.{n}\n" for n in range(1, 6))
PRINTED = "".join(f"{{'loss': 0.{9 - n}, 'epoch': {n}.0}}\n" for n in range(1, 4))
FAIRSEQ = "".join(
    f"2026-01-01 00:00:0{n} | INFO | valid | epoch 00{n} | valid on 'valid' subset | "
    f"loss 0.{9 - n} | accuracy {n} | num_updates {9 * n}\n"
    for n in range(1, 4)
)
DONE = "| INFO | fairseq_cli.train | done training in 9.5 seconds\n"
OVER = "{'train_runtime': 9.5, 'epoch': 3.0}\n"
CANCELLED = "10%|slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01 DUE TO TIME LIMIT ***\n"
TRACEBACK = 'Traceback (most recent call last):\n  File "a.py"\nRuntimeError: CUDA error\n'
HISTORY = [fake.history(n, {"loss": 1 / n, "val/acc": n / 9}, clock=1e9 + n) for n in (1, 2, 3)]


def wandb(*more):
    return {"wandb/run-20260101_000000-abc/run-abc.wandb": fake.encode(*HISTORY, *more)}


def state(*, stop, last=30):
    control = {"TrainerControl": {"args": {"should_training_stop": stop}}}
    log = [{"step": s, "epoch": s / 10, "eval_accuracy": 0.5} for s in range(10, last + 1, 10)]
    return json.dumps({"log_history": log, "max_steps": 90, "stateful_callbacks": control}).encode()


def mlflow(status):
    values = "".join(f"{1000 * n} 0.{n} {n}\n" for n in (1, 2, 3))
    meta = f"experiment_id: '0'\nrun_id: {KEY}\nlifecycle_stage: active\nstatus: {status}\n"
    return {
        f"mlruns/0/{KEY}/metrics/loss": values.encode(),
        f"mlruns/0/{KEY}/meta.yaml": meta.encode(),
    }


def sacred(status):
    curve = {"loss": {"steps": [1, 2, 3], "values": [3.0, 2.0, 1.0], "timestamps": [""] * 3}}
    run = {"experiment": {"name": "e"}, "start_time": "2026-01-01T00:00:00", "status": status}
    return {"1/metrics.json": json.dumps(curve).encode(), "1/run.json": json.dumps(run).encode()}


CASES = [
    ("W&B: exit code 0", wandb(fake.ended()), "finished"),
    ("W&B: exit code 1", wandb(fake.ended(1)), "failed"),
    ("W&B: a notebook's exit code 0", wandb(fake.run(notebook="yes"), fake.ended()), ""),
    ("W&B: a notebook's exit code 1", wandb(fake.run(notebook="yes"), fake.ended(1)), "failed"),
    ("W&B: nothing recorded", wandb(), "open"),
    (
        "W&B: nothing recorded, beside a state that ended",
        {**wandb(), "wandb/run-20260101_000000-abc/files/output.log": (PRINTED + OVER).encode()},
        "finished",
    ),
    ("MLflow's files: finished, as what an error left open is too", mlflow(3), ""),
    ("MLflow's files: killed", mlflow(5), "failed"),
    ("MLflow's files: running", mlflow(1), "open"),
    ("Sacred: completed", sacred("COMPLETED"), "finished"),
    ("Sacred: interrupted", sacred("INTERRUPTED"), "failed"),
    ("Sacred: no status of its", sacred("MY_OWN"), ""),
    ("Trainer's state: told to stop", {"a/trainer_state.json": state(stop=True)}, "finished"),
    ("Trainer's state: goes on", {"a/trainer_state.json": state(stop=False)}, ""),
    (
        "Trainer's states: only the last one counts",
        {
            "a/checkpoint-20/trainer_state.json": state(stop=True, last=20),
            "a/checkpoint-30/trainer_state.json": state(stop=False),
        },
        "",
    ),
    ("console: nothing said", {"a/train.log": CONSOLE.encode()}, ""),
    ("console: an error", {"a/train.log": (CONSOLE + TRACEBACK).encode()}, "failed"),
    ("console: Slurm", {"a/train.log": (CONSOLE + CANCELLED).encode()}, "failed"),
    (
        "console: Keras",
        {"a/train.log": f"{CONSOLE}Epoch 00005: early stopping\n".encode()},
        "finished",
    ),
    (
        "console: Ultralytics",
        {"a/train.log": f"{CONSOLE}5 epochs completed in 0.021 hours.\n".encode()},
        "finished",
    ),
    (
        "console: what some words of these say is no end",
        {"a/train.log": f"{CONSOLE}Note: early stopping is off\n2 epochs completed in\n".encode()},
        "",
    ),
    ("console: it went on", {"a/train.log": (TRACEBACK + CONSOLE).encode()}, ""),
    (
        "console: Lightning",
        {"a/train.log": f"{CONSOLE}`Trainer.fit` stopped: `max_epochs=5` reached.\n".encode()},
        "finished",
    ),
    (
        "console: the Trainer",
        {"a/train.log": f"{PRINTED}{{'train_runtime': 9.5, 'epoch': 3.0}}\n".encode()},
        "finished",
    ),
    ("console: the Trainer goes on", {"a/train.log": PRINTED.encode()}, ""),
    ("console: fairseq", {"a/train.log": (FAIRSEQ + DONE).encode()}, "finished"),
    ("console: fairseq goes on", {"a/train.log": FAIRSEQ.encode()}, ""),
    ("console: an error of fairseq", {"a/train.log": (FAIRSEQ + TRACEBACK).encode()}, "failed"),
    ("console: fairseq and Slurm", {"a/train.log": (FAIRSEQ + CANCELLED).encode()}, "failed"),
    ("console: fairseq caught an error", {"a/a.log": (TRACEBACK + FAIRSEQ).encode()}, ""),
]


@pytest.mark.parametrize(
    ("files", "ended"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_a_run_ended_as_its_program_says(tmp_path, files, ended):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (run,) = reportgen.load(tmp_path)
    assert run.ended == ended


def test_trials_of_a_database_end_as_it_says(tmp_path):
    with closing(sqlite3.connect(tmp_path / "study.db")) as made, made:
        made.executescript(
            """CREATE TABLE trials (trial_id INTEGER, number INTEGER, state TEXT);
            CREATE TABLE trial_intermediate_values (trial_id, step, intermediate_value);
            CREATE TABLE trial_values (trial_id, value);
            CREATE TABLE trial_params (trial_id, param_name, param_value, distribution_json);"""
        )
        for n, state_ in enumerate(("COMPLETE", "FAIL", "RUNNING", "PRUNED")):
            made.execute("INSERT INTO trials VALUES (?, ?, ?)", (n, n, state_))
            rows = [(n, step, n + 1 / (step + 1)) for step in range(4)]
            made.executemany("INSERT INTO trial_intermediate_values VALUES (?, ?, ?)", rows)
    found = reportgen.load(tmp_path)
    assert [run.ended for run in sorted(found, key=lambda run: run.id)] == [
        "finished", "failed", "open", "",
    ]  # fmt: skip
