"""Makes `mlruns/` and `mlflow.db` of `tests/data/logs`, by the real program.

`pip install mlflow-skinny==3.17.2 sqlalchemy alembic`. It is not run by the tests, which have no
such program: they read what it wrote. Of the database, which holds fifty tables more, those that
a run's numbers are in are kept, and the file is packed.
"""

import math
import os
import shutil
import sqlite3
from pathlib import Path

os.environ |= {"LOGNAME": "student", "MLFLOW_ALLOW_FILE_STORE": "true"}

import mlflow

HERE = Path(__file__).resolve().parents[2] / "tests" / "data" / "logs"
SCRATCH = Path("/tmp/made-by-mlflow")  # noqa: S108
KEPT = ("experiments", "runs", "metrics", "params", "tags", "alembic_version")


def write(store):
    mlflow.set_tracking_uri(store)
    mlflow.set_experiment("first lab")
    for seed in (0, 1):
        with mlflow.start_run(run_name=f"small-seed{seed}"):
            mlflow.log_params({"seed": seed, "lr": 1e-05, "model/act": "relu", "note": "a\nb"})
            for step in range(5):
                mlflow.log_metric("val/accuracy", 0.5 + step / 20 + seed / 100, step=100 * step)
            for step, value in enumerate((math.nan, math.inf, -math.inf, 0.5)):
                mlflow.log_metric("odd", value, step=step)
            for value in (0.1, 0.2):
                mlflow.log_metric("nobody counted", value)
            with mlflow.start_run(run_name="probe", nested=True) as child:
                mlflow.log_metric("loss", 1.0, step=3)
            if seed:
                mlflow.delete_run(child.info.run_id)


def pack(database):
    with sqlite3.connect(database) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in tables.fetchall():
            if name not in KEPT and not name.startswith("sqlite"):
                connection.execute(f'DROP TABLE "{name}"')
        indices = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
        for (name,) in indices.fetchall():
            if not name.startswith("sqlite"):
                connection.execute(f'DROP INDEX "{name}"')
    connection.execute("PRAGMA page_size = 512")
    connection.execute("VACUUM")


if __name__ == "__main__":
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir()
    os.chdir(SCRATCH)
    write((SCRATCH / "mlruns").as_uri())
    write(f"sqlite:///{SCRATCH}/mlflow.db")
    pack(SCRATCH / "mlflow.db")
    shutil.rmtree(HERE / "mlruns", ignore_errors=True)
    shutil.copytree(SCRATCH / "mlruns", HERE / "mlruns")
    shutil.copy(SCRATCH / "mlflow.db", HERE)
    shutil.rmtree(SCRATCH)
