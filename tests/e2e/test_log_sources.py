"""One lab, kept in seven ways: whatever a run was logged with, the report says the same."""

import csv
import json
import sqlite3

import pytest
from fakes import wandb_file
from fakes.command import reportgen
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)

SCORES = {
    ("small", 0): [0.5, 0.75, 0.7], ("small", 1): [0.55, 0.65, 0.8], ("small", 2): [0.6, 0.7, 0.72],
    ("tiny", 0): [0.4, 0.45, 0.5], ("tiny", 1): [0.35, 0.5, 0.48], ("tiny", 2): [0.3, 0.42, 0.44],
}  # fmt: skip
ID = "0123456789abcdef0123456789abcd{:02d}"


def rows(scores):
    for step, score in zip((100, 200, 300), scores, strict=True):
        yield step, {"val/accuracy": score, "test/accuracy": score - 0.05, "train/loss": 1 - score}


def wandb(folder):
    for index, ((group, seed), scores) in enumerate(SCORES.items()):
        place = folder / "wandb" / f"offline-run-20240101_12000{index}-key{index}x"
        place.mkdir(parents=True)
        records = [
            wandb_file.history(number, {**row, "step": step}, clock=1e9 + step)
            for number, (step, row) in enumerate(rows(scores))
        ]
        about = wandb_file.run(project="lab", display_name=f"{group}-seed{seed}", seed=str(seed))
        axis = wandb_file.metric(glob="*", axis="step")
        (place / f"run-key{index}x.wandb").write_bytes(
            wandb_file.encode(about, axis, *records, wandb_file.ended())
        )


def mlflow_folders(folder):
    for index, ((group, seed), scores) in enumerate(SCORES.items()):
        place = folder / "mlruns" / "1" / ID.format(index)
        for name, text in (
            ("tags/mlflow.runName", f"{group}-seed{seed}"),
            ("params/seed", str(seed)),
        ):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text)
        (place / "meta.yaml").write_text(
            f"experiment_id: '1'\nrun_id: {ID.format(index)}\nlifecycle_stage: active\nstatus: 3\n"
        )
        for step, row in rows(scores):
            for tag, value in row.items():
                file = place / "metrics" / tag
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("a") as stream:
                    stream.write(f"{1_000_000_000_000 + 1000 * step} {value!r} {step}\n")


def mlflow_database(folder):
    connection = sqlite3.connect(folder / "mlflow.db")
    connection.executescript(
        "CREATE TABLE experiments (experiment_id INTEGER, name TEXT);"
        "CREATE TABLE runs (run_uuid, name, status, lifecycle_stage, experiment_id);"
        "CREATE TABLE params (key, value, run_uuid); CREATE TABLE tags (key, value, run_uuid);"
        "CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan);"
    )
    for index, ((group, seed), scores) in enumerate(SCORES.items()):
        key = ID.format(index)
        row = (key, f"{group}-seed{seed}", "FINISHED", "active", 1)
        connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?)", row)
        connection.executemany(
            "INSERT INTO metrics VALUES (?, ?, ?, ?, ?, 0)",
            [
                (tag, value, 10**12 + 1000 * step, key, step)
                for step, row in rows(scores)
                for tag, value in row.items()
            ],
        )
    connection.commit()
    connection.close()


def json_lines(folder):
    for (group, seed), scores in SCORES.items():
        lines = [json.dumps({"step": step, **row}) for step, row in rows(scores)]
        (folder / f"{group}_seed{seed}.jsonl").write_text("\n".join(lines) + "\n")


def csv_files(folder):
    for (group, seed), scores in SCORES.items():
        with (folder / f"{group}_seed{seed}.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["iteration", "split", "accuracy", "loss"])
            for step, row in rows(scores):
                writer.writerow([step, "train", "", row["train/loss"]])
                writer.writerow([step, "val", row["val/accuracy"], ""])
                writer.writerow([step, "test", row["test/accuracy"], ""])


def one_table(folder):
    with (folder / "results.csv").open("w", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(["run", "seed", "step", "val_accuracy", "test_accuracy"])
        for (group, seed), scores in SCORES.items():
            for step, row in rows(scores):
                writer.writerow([group, seed, step, row["val/accuracy"], row["test/accuracy"]])


def declared(folder):
    for (group, seed), scores in SCORES.items():
        place = folder / group / str(seed)
        place.mkdir(parents=True)
        lines = [
            json.dumps({"n": step, "what": tag, "is": value})
            for step, row in rows(scores)
            for tag, value in row.items()
        ]
        (place / "out.dat").write_text("\n".join(lines))


STUDY = ROWS["study"]
KEPT = [wandb, mlflow_folders, mlflow_database, json_lines, csv_files, one_table, declared]


@pytest.mark.parametrize("keep", KEPT, ids=lambda keep: keep.__name__)
def test_the_report_says_the_same(keep, tmp_path):
    (tmp_path / "logs").mkdir()
    keep(tmp_path / "logs")
    study = ["study.toml"] if keep is declared else ["--runs", "logs"]
    (tmp_path / "study.toml").write_text(STUDY)
    done = reportgen("build", *study, "--out", "out/report.json", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "warning" not in done.err, done.err
    report = json.loads((tmp_path / "out" / "report.json").read_bytes())
    found = {
        (group["name"], run["seed"]): (run["best_step"], run["select_value"], run["report_value"])
        for group in report["groups"]
        for run in group["runs"]
    }
    assert set(found) == set(SCORES)
    for key, scores in SCORES.items():
        best = max(scores)
        step, selected, reported = found[key]
        assert step == 100 * (scores.index(best) + 1)
        assert selected == pytest.approx(best)
        assert reported == pytest.approx(best - 0.05)
