import math

from reportgen.loaders.metrics_csv import load_metrics_csv


def load(tmp_path, text, name="metrics.csv"):
    path = tmp_path / name
    path.write_text(text)
    return load_metrics_csv(path, f"version_0/{name}")


def test_empty_cells_are_no_points(tmp_path):
    (log,) = load(
        tmp_path, "epoch,step,train_loss,val_accuracy\n0,781,,0.92\n0,781,0.4,\n1,1563,,0.94\n"
    )
    assert list(log.series["val_accuracy"].points()) == [(781, 0.92), (1563, 0.94)]
    assert list(log.series["train_loss"].points()) == [(781, 0.4)]
    assert list(log.series["epoch"].points()) == [(781, 0.0), (1563, 1.0)]
    assert math.isnan(log.series["epoch"].wall_times[0])
    assert log.problems == ()


def test_any_csv_with_an_epoch(tmp_path):
    (log,) = load(tmp_path, "Epoch,val_acc\n1,0.5\n2,0.75\n", "history.csv")
    assert list(log.series["val_acc"].points()) == [(1, 0.5), (2, 0.75)]


def test_wall_times_are_read(tmp_path):
    (log,) = load(tmp_path, "wall_time,step,loss\n1700000000.5,1,0.5\n", "log.csv")
    assert log.series["loss"].wall_times.tolist() == [1700000000.5]
    assert set(log.series) == {"loss"}


def test_a_table_without_steps_is_no_log(tmp_path):
    assert load(tmp_path, "name,size\na,1\n", "table.csv") == ()
    (log,) = load(tmp_path, "name,size\na,1\n")
    assert log.problems[0].message == "no step or epoch column: not a log"


def test_rows_that_cannot_be_used_are_named(tmp_path):
    (log,) = load(tmp_path, "step,loss\n1,0.5\nx,0.4\n3,0.3,9\n4,0.2\n")
    assert list(log.series["loss"].points()) == [(1, 0.5), (4, 0.2)]
    assert [p.message[:5] for p in log.problems] == ["row 3", "row 4"]


def test_nan_is_a_value_and_words_are_none(tmp_path):
    (log,) = load(tmp_path, "step,loss,note\n1,nan,warm\n")
    assert str(log.series["loss"].values[0]) == "nan"
    assert "note" not in log.series


def test_only_a_header(tmp_path):
    (log,) = load(tmp_path, "step,loss\n")
    assert log.problems[0].message == "only a header: no point was logged"
