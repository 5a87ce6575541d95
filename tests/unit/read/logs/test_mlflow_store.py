"""MLflow's file store: what the program wrote, and lines that it did not."""

import math

import pytest

from reportgen.read.logs import load_tree, loader_of
from reportgen.read.logs.stores import load_mlflow_store

RUN = "mlruns/1/0123456789abcdef0123456789abcdef"


@pytest.fixture
def load(tmp_path):
    def from_text(content, name=f"{RUN}/metrics/val/acc"):
        path = tmp_path / "one"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return load_mlflow_store(path, name)

    return from_text


def messages(log):
    return [(p.level, p.message) for p in log.problems]


def test_what_the_program_wrote(project):
    """`tools/oracles/mlflow_logs.py` says what it was told to log."""
    logs = load_tree(project / "tests/data/logs/mlruns").logs
    assert {log.source.kind for log in logs} == {"mlflow_store"}
    (folder,) = {
        log.source.path.rpartition("/params/")[0] for log in logs if log.config.get("seed") == 1
    }
    own = [log for log in logs if log.source.path.startswith(f"{folder}/")]
    series = {tag: s for log in own for tag, s in log.series.items()}
    assert set(series) == {"val/accuracy", "odd", "nobody counted"}
    assert list(series["val/accuracy"].points()) == [
        (100 * s, 0.5 + s / 20 + 1 / 100) for s in range(5)
    ]
    assert (series["val/accuracy"].wall_times > 1.79e9).all()
    nan, *rest = series["odd"].values.tolist()
    assert math.isnan(nan)
    assert rest == [math.inf, -math.inf, 0.5]
    assert series["val/accuracy"].path == f"{folder}/metrics/val/accuracy"
    config = {key: value for log in own for key, value in log.config.items()}
    assert config == {"seed": 1, "lr": 1e-05, "model/act": "relu", "note": "a\nb"}
    texts = {key: value for log in own for key, value in log.texts.items()}
    assert texts["mlflow/mlflow.runName"] == texts["mlflow/run_name"] == "small-seed1"


def test_many_bad_lines_are_counted(load):
    (log,) = load("hello\n" * 50)
    assert len(log.problems) == 21
    assert log.problems[-1].message == "30 more lines like these"


def test_metrics_are_told_by_their_folder():
    assert loader_of(f"{RUN}/metrics/a.csv") == "mlflow_store"
    assert loader_of(f"{RUN}/tags/mlflow.runName") == "mlflow_store"
    assert loader_of("metrics/a.csv") == "metrics_csv"
    assert loader_of(f"{RUN}/artifacts/a.csv") == "metrics_csv"


@pytest.mark.parametrize("cut", range(1, 22))
def test_a_line_without_its_end_is_no_point_and_told(load, cut):
    """MLflow ends every line: the last one is being written, and any number of it may be half."""
    whole = "1700000000000 0.5 100\n1700000001000 0.25 1200"
    (log,) = load(whole[: len(whole) - cut + 1] if cut > 1 else whole)
    assert list(log.series["val/acc"].points()) == [(100, 0.5)]
    assert messages(log) == [("note", "the last line, 2, has no line end: left out")]
