"""MLflow's SQLite store: what the program wrote, and databases that are none."""

import hashlib
import math
import sqlite3

import pytest

from reportgen.read.logs import stores
from reportgen.read.logs.stores import load_mlflow_db

TABLES = """
CREATE TABLE experiments (experiment_id INTEGER, name TEXT);
CREATE TABLE runs (run_uuid TEXT, name TEXT, status TEXT, lifecycle_stage TEXT, experiment_id INT);
CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT);
CREATE TABLE tags (key TEXT, value TEXT, run_uuid TEXT);
"""
METRICS = "CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan);"


@pytest.fixture
def make(tmp_path):
    """Make a database by a script, and load it."""

    def from_script(script):
        path = tmp_path / "mlflow.db"
        connection = sqlite3.connect(path)
        connection.executescript(f"BEGIN; {script} COMMIT;")
        connection.close()
        return load_mlflow_db(path, "lab/mlflow.db")

    return from_script


def insert(table, *row):
    listed = ", ".join("NULL" if one is None else repr(one) for one in row)
    return f"INSERT INTO {table} VALUES ({listed});"  # noqa: S608 - of the test


def run(key, status="FINISHED", stage="active"):
    return insert("runs", key, "n", status, stage, 1)


def metric(key, value, step, *, tag="acc", nan=0):
    return insert("metrics", tag, value, 1700000000000, key, step, nan)


def test_what_the_program_wrote(project):
    """`tools/oracles/mlflow_logs.py` says what it was told to log."""
    path = project / "tests/data/logs/mlflow.db"
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    logs = load_mlflow_db(path, path.name)
    found = {log.config["seed"]: log for log in logs if "seed" in log.config and not log.session}
    assert set(found) == {0, 1}
    for seed, log in found.items():
        assert list(log.series["val/accuracy"].points()) == [
            (100 * s, 0.5 + s / 20 + seed / 100) for s in range(5)
        ]
        nan, *rest = log.series["odd"].values.tolist()
        assert math.isnan(nan)
        assert rest == [math.inf, -math.inf, 0.5]
        assert (log.series["odd"].wall_times > 1.79e9).all()
        assert log.config == {"seed": seed, "lr": 1e-05, "model/act": "relu", "note": "a\nb"}
        assert log.texts["mlflow/mlflow.runName"] == f"small-seed{seed}"
        assert log.texts["mlflow/experiment"] == "first lab"
    (child,) = [log for log in logs if "loss" in log.series]
    assert child.texts["mlflow/mlflow.parentRunId"] == found[0].run_key
    told = [p.message for log in logs for p in log.problems]
    assert sum("was deleted in MLflow, and is left out" in text for text in told) == 1
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before == logs[0].source.sha256
    assert [p.name for p in path.parent.glob("mlflow.db*")] == ["mlflow.db"]


def test_rows_that_are_no_points_are_counted(make):
    (log,) = make(
        TABLES + METRICS + run("a") + metric("a", 0.5, 1) + metric("a", "x", 2)
        + metric("a", 0.75, None) + metric("gone", 1, 1) + metric("a", None, 3)
    )  # fmt: skip
    assert list(log.series["acc"].points()) == [(1, 0.5)]
    assert [p.message for p in log.problems] == [
        "row 3 has no 'step' that is a whole number; left out",
        "acc: 1 of 2 values are no numbers and are left out, the first in row 2: 'x'",
    ]


def test_how_runs_ended(make):
    logs = make(
        TABLES + METRICS + run("a", "FAILED") + run("b", "RUNNING") + run("c", stage="deleted")
        + "".join(metric(key, 0.5, 1) for key in "abc")
    )  # fmt: skip
    assert [log.run_key for log in logs] == ["a", "b"]
    assert [(p.level, p.message[:24]) for log in logs for p in log.problems] == [
        ("warning", "run c was deleted in MLf"), ("warning", "run a failed, says MLflo"),
        ("note", "run b did not end, says "),
    ]  # fmt: skip


def test_a_name_that_a_url_would_misread(make, tmp_path):
    make(TABLES + METRICS + run("a") + metric("a", 0.5, 1))
    folder = tmp_path / "a b?mode=rw#c%20"
    folder.mkdir()
    path = (tmp_path / "mlflow.db").rename(folder / "mlflow.db")
    (log,) = load_mlflow_db(path, path.name)
    assert len(log.series["acc"]) == 1


def test_a_view_in_place_of_a_table_is_not_asked(make):
    endless = (
        "CREATE VIEW metrics AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT 'acc' AS key, 1.0 AS value, 1 AS timestamp, 'a' AS run_uuid, i AS step, "
        "0 AS is_nan FROM n;"
    )
    (log,) = make(TABLES + run("a") + endless)
    assert log.problems[0].message.endswith("it has no table 'metrics'")


def test_a_view_in_place_of_settings_is_not_asked(make):
    endless = (
        "DROP TABLE params; CREATE VIEW params AS WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a' AS run_uuid, i AS key, 1 AS value "
        "FROM n;"
    )
    (log,) = make(TABLES + METRICS + run("a") + metric("a", 0.5, 1) + endless)
    assert log.config == {}
    assert list(log.series["acc"].points()) == [(1, 0.5)]


def test_a_database_that_takes_too_long_is_left(make, monkeypatch):
    monkeypatch.setattr(stores, "STEPS", 10)
    monkeypatch.setattr(stores, "PATIENCE", 3)
    rows = "".join(metric("a", 0.5, step) for step in range(200))
    (log,) = make(TABLES + METRICS + run("a") + rows)
    assert "interrupted" in log.problems[0].message


def test_too_many_rows_are_said(make, monkeypatch):
    monkeypatch.setattr(stores, "ROW_LIMIT", 3)
    (log,) = make(TABLES + METRICS + run("a") + "".join(metric("a", n, n) for n in range(9)))
    assert len(log.series["acc"]) == 3
    assert "more than 3 rows; the rest is left out" in log.problems[0].message


def test_changes_beside_the_file_are_said(make, tmp_path):
    make(TABLES + METRICS + run("a") + metric("a", 0.5, 1))
    (tmp_path / "mlflow.db-wal").write_bytes(b"x")
    (log,) = load_mlflow_db(tmp_path / "mlflow.db", "mlflow.db")
    assert [p.message for p in log.problems] == ["changes in mlflow.db-wal are not read"]


def test_a_damaged_database_raises_nothing(make, tmp_path):
    make(TABLES + METRICS + run("a") + "".join(metric("a", n, n) for n in range(500)))
    path = tmp_path / "mlflow.db"
    content = path.read_bytes()
    for at in range(100, len(content), 997):
        path.write_bytes(content[:at] + b"\xff" * 40 + content[at + 40 :])
        for log in load_mlflow_db(path, path.name):
            assert log.source.size == len(content)
    path.write_bytes(content[: len(content) // 2])
    assert any(log.problems for log in load_mlflow_db(path, path.name))


def test_a_schema_that_is_no_text_raises_nothing(make, tmp_path):
    make(TABLES + METRICS + run("a") + metric("a", 0.5, 1))
    path = tmp_path / "mlflow.db"
    path.write_bytes(path.read_bytes().replace(b"TABLE runs", b"T\xb7BLE runs"))
    (log,) = load_mlflow_db(path, path.name)
    assert not log.series
    assert [p.message for p in log.problems] == ["no store of runs that can be read: it is damaged"]
