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
    """`tests/data/logs/make_mlflow.py` says what it was told to log."""
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


def test_lines_with_and_without_steps_and_data_sets(load):
    (log,) = load("1700000000000 0.5\n1700000001500 0.75 3\n1700000002000 1e-3 4 cifar abc\n")
    assert list(log.series["val/acc"].points()) == [(0, 0.5), (3, 0.75), (4, 0.001)]
    assert log.series["val/acc"].wall_times.tolist() == [1.7e9, 1.7e9 + 1.5, 1.7e9 + 2]
    assert log.problems == ()
    assert log.source.points == 3


def test_a_bad_line_costs_that_line(load):
    (log,) = load(
        "1700000000000 0.5 1\nhello\n\n1700000000000 x 2\n1700000000000 0.75 3\n17 0.1 1e9\n"
    )
    assert list(log.series["val/acc"].points()) == [(1, 0.5), (3, 0.75)]
    assert [(p.message[:6], p.offset) for p in log.problems] == [
        ("line 2", 20), ("line 4", 27), ("line 6", 66)
    ]  # fmt: skip


def test_many_bad_lines_are_counted(load):
    (log,) = load("hello\n" * 50)
    assert len(log.problems) == 21
    assert log.problems[-1].message == "30 more lines like these"


def test_values_without_steps_of_their_own_are_not_dropped_in_silence(load):
    (log,) = load("1 0.5 0\n2 0.75 0\n3 1.0 0\n")
    assert list(log.series["val/acc"].points()) == [(0, 1.0)]
    assert messages(log) == [
        ("warning", "val/acc: 2 of 3 values have the step of a later one and are left out")
    ]


def test_an_epoch_that_is_told_again_is_not_lost(load):
    (log,) = load("1 0.5 10\n2 0.5 10\n3 1.0 20\n4 1.0 20\n")
    assert list(log.series["val/acc"].points()) == [(10, 0.5), (20, 1.0)]
    assert log.problems == ()


def test_a_training_that_began_again_is_another_session(load):
    steps = [*range(9), *range(4)]
    logs = load("".join(f"{1700000000000 + n} {n / 16} {step}\n" for n, step in enumerate(steps)))
    assert [(log.session, len(log.series["val/acc"])) for log in logs] == [(0, 9), (1, 4)]


@pytest.mark.parametrize(
    ("text", "value"), [("3", 3), ("", None), ("a\nb", "a\nb"), ("False", False), ("None", None)]
)
def test_parameters(load, text, value):
    (log,) = load(text, f"{RUN}/params/opt/lr")
    assert log.config == {"opt/lr": value}
    assert log.problems == ()


@pytest.mark.parametrize(
    ("status", "stage", "told"),
    [
        (3, "active", []),
        (4, "active", [("warning", "the run failed, says MLflow")]),
        (5, "active", [("warning", "the run was killed, says MLflow")]),
        (3, "deleted", [("warning", "the run was deleted in MLflow, and is left out")]),
    ],
)
def test_states(load, status, stage, told):
    text = f"run_id: abc\nexperiment_id: '1'\nlifecycle_stage: {stage}\nstatus: {status}\n"
    (log,) = load(text, f"{RUN}/meta.yaml")
    assert messages(log) == told


def test_other_files_of_the_name_are_no_logs(load):
    assert load("a: 1\n", "conda/meta.yaml") == ()
    assert load("{% set x = 1 %}\na: {{ x }}\n", "conda/meta.yaml") == ()
    (log,) = load("experiment_id: [\n", f"{RUN}/meta.yaml")
    assert "not valid YAML" in log.problems[0].message


def test_the_folder_of_one_run_tells_where_its_metrics_are(load):
    (log,) = load("run_id: abc\nexperiment_id: '1'\nstatus: 3\n", "meta.yaml")
    assert log.problems[0].remedy == "pass the folder above it"


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
