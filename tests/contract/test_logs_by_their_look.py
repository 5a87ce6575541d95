"""Files of rows that nobody declared, each told by its look; pandas and json are the oracles."""

import io
import json

import pandas as pd
import pytest

import reportgen
from reportgen.read.logs.rows import load_json_lines

ROWS = [{"step": 10 * n, "loss": 1 / n, "val": {"acc": n / 8}} for n in range(1, 6)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
ARRAYS = {"in a line": json.dumps(ROWS), "indented": json.dumps(ROWS, indent=2) + "\n"}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be")
EXPECTED = {
    "loss": [(row["step"], row["loss"]) for row in ROWS],
    "val.acc": [(row["step"], row["val"]["acc"]) for row in ROWS],
}


def encoded(text, encoding):
    return f"\ufeff{text}".encode(encoding) if encoding == "utf-16-be" else text.encode(encoding)


def points(log):
    return {tag: list(series.points()) for tag, series in log.series.items()}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", [LINES, *ARRAYS.values()], ids=["lines", *ARRAYS])
def test_json_in_each_form_and_encoding(tmp_path, text, encoding):
    path = tmp_path / "history.json"
    path.write_bytes(encoded(text, encoding))
    (log,) = load_json_lines(path, "run/history.json")
    assert (points(log), log.problems) == (EXPECTED, ())


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_array_that_is_cut_off_gives_what_is_whole(tmp_path, encoding):
    whole = encoded(ARRAYS["indented"], encoding)
    path = tmp_path / "log.json"
    path.write_bytes(whole[: len(whole) * 3 // 4])
    (log,) = load_json_lines(path, "log.json")
    assert 2 <= len(log.series["loss"]) < 5
    assert points(log)["loss"] == EXPECTED["loss"][: len(log.series["loss"])]
    (problem,) = log.problems
    assert "is cut off" in problem.message
    start = len(log.series["loss"])
    assert whole[problem.offset :][:2].strip(b"\0\n") == b"{"
    assert f"the last line, {2 + 7 * start}," in problem.message


def test_a_fault_amid_an_array_is_not_called_a_running_training(tmp_path):
    path = tmp_path / "log.json"
    path.write_text(ARRAYS["in a line"].replace('"step": 30', '"step" 30'))
    (log,) = load_json_lines(path, "log.json")
    assert points(log)["loss"] == EXPECTED["loss"][:2]
    ((level, message),) = [(p.level, p.message) for p in log.problems]
    assert (level, "nothing behind it is read" in message) == ("warning", True)


def test_a_line_of_wide_json_that_is_none_is_named_by_its_byte(tmp_path):
    lines = LINES.splitlines(keepends=True)
    content = encoded("".join([*lines[:3], "é nothing\n", *lines[3:]]), "utf-16")
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    (log,) = load_json_lines(path, "log.jsonl")
    (problem,) = log.problems
    assert "line 4 " in problem.message
    assert content[problem.offset :].decode("utf-16-le").startswith("é nothing")


@pytest.mark.parametrize("text", ["[1, 2]", '[{"name": "a"}]', "[" * 100_000, "[]"])
def test_an_array_of_something_else_is_no_log(tmp_path, text):
    path = tmp_path / "history.json"
    path.write_text(text)
    assert load_json_lines(path, "history.json") == ()


# --- TensorBoard's downloads ----------------------------------------------------------------


def download(folder, name, values):
    folder.mkdir(exist_ok=True)
    rows = "".join(f"{1.7e9 + 60 * n},{100 * n},{v}\n" for n, v in enumerate(values, start=1))
    (folder / name).write_text("Wall time,Step,Value\n" + rows)


def test_run_and_tag_of_a_download_stand_in_its_name(tmp_path):
    for seed in (0, 1):
        download(tmp_path, f"run-small_seed{seed}-tag-eval_accuracy.csv", [0.5, 0.7 + seed / 10])
        download(tmp_path, f"run-small_seed{seed}-tag-train_loss.csv", [2.0, 1.0])
    runs = reportgen.load(tmp_path)
    assert [(run.id, run.group, run.seed) for run in runs] == [
        ("small_seed0", "small", 0),
        ("small_seed1", "small", 1),
    ]
    for seed, run in enumerate(runs):
        frame = pd.read_csv(tmp_path / f"run-small_seed{seed}-tag-eval_accuracy.csv")
        series = run.find("accuracy", "validation")
        assert list(series.points()) == list(zip(frame["Step"], frame["Value"], strict=True))
        assert series.wall_times.tolist() == frame["Wall time"].tolist()
        assert run.find("loss", "train") is not None


# --- Keras' CSVLogger -----------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", ":"])
def test_the_log_of_keras_with_any_separator(tmp_path, separator):
    frame = pd.DataFrame(
        {"epoch": [0, 1, 2], "accuracy": [0.5, 0.6, 0.7], "loss": [1.5, 1.0, 0.5],
         "val_accuracy": [0.45, 0.65, 0.6], "val_loss": [1.6, 1.1, 0.9]}
    )  # fmt: skip
    text = frame.to_csv(index=False, sep=separator)
    (tmp_path / "seed0").mkdir()
    (tmp_path / "seed0" / "training.log").write_text(text)
    (run,) = reportgen.load(tmp_path)
    again = pd.read_csv(io.StringIO(text), sep=separator)
    for metric in ("accuracy", "loss"):
        series = run.find(metric, "validation")
        assert list(series.points()) == list(
            zip(again["epoch"], again[f"val_{metric}"], strict=True)
        )
    assert [source.kind for source in run.sources] == ["metrics_csv"]


@pytest.mark.parametrize(
    "text", ["epoch 1 began, loss 0.5\nepoch 2 began, loss 0.4\n", "epoch,loss\n", "a,b\n1,2\n", ""]
)
def test_other_texts_are_no_table(tmp_path, text):
    (tmp_path / "training.log").write_text(text)
    with pytest.warns(UserWarning, match="no training logs"):
        assert len(reportgen.load(tmp_path)) == 0
