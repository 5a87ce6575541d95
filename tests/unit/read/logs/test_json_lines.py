"""JSON lines: which of the many files of the kind are logs, and what is in them."""

import json
import math

import pytest

from reportgen.read.logs.rows import load_json_lines
from reportgen.records.study import TablePlan


@pytest.fixture
def load(tmp_path):
    def from_rows(rows, name="log.jsonl", plan=None):
        path = tmp_path / "one"
        if not isinstance(rows, bytes):
            rows = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
        path.write_bytes(rows)
        return load_json_lines(path, f"run/{name}", plan)

    return from_rows


def points(log):
    return {tag: list(series.points()) for tag, series in log.series.items()}


def test_rows_with_a_step(load):
    (log,) = load(
        [
            {"step": 1, "loss": 0.5, "timestamp": 1e9, "note": "warm", "on": True},
            {"step": 2, "val": {"acc": 1, "deep": {"f1": 0.25}}, "lr": None},
        ]
    )
    assert points(log) == {
        "loss": [(1, 0.5)], "val.acc": [(2, 1.0)], "val.deep.f1": [(2, 0.25)],
    }  # fmt: skip
    assert log.series["loss"].wall_times.tolist() == [1e9]
    assert math.isnan(log.series["val.acc"].wall_times[0])
    assert log.problems == ()
    assert log.source.points == 3


def test_a_fractional_epoch_is_no_step(load):
    (log,) = load([{"epoch": n / 4, "iter": n, "loss": 0.5} for n in range(4)])
    assert [s for s, _ in points(log)["loss"]] == [0, 1, 2, 3]
    assert load([{"epoch": n / 4, "loss": 0.5} for n in range(4)]) == ()


@pytest.mark.parametrize(
    "content",
    [
        b'{"text": "a", "label": 1}\n' * 3,
        b'{"step": "first, cut the onions", "text": "x"}\n',
        b"[1, 2]\n",
        b"hello\n",
        b"{}\n",
        b'{"cells": [],\n "step": 1}\n',
        b"",
        b"\n\n",
    ],
)
def test_other_files_of_the_kind_are_no_logs(load, content):
    assert load(content) == ()


def test_lines_that_cannot_be_used_are_named(load):
    (log,) = load(
        b'{"step": 1, "loss": 0.5}\n{"config": {"lr": 1}}\n\n{"step": 2, "loss"\n'
        b'{"step": 3, "loss": 0.25}\n{"step": 4, "lo'
    )
    assert points(log)["loss"] == [(1, 0.5), (3, 0.25)]
    assert [(p.message, p.offset, p.level) for p in log.problems] == [
        ("line 2 has no 'step' that is a whole number; left out", 25, "warning"),
        ("line 4 is no JSON object; left out", 48, "warning"),
        ("the last line, 6, is cut off", 93, "note"),
    ]


def test_values_that_are_no_usual_numbers(load):
    (log,) = load(
        b'{"step": 1, "a": NaN, "b": "Infinity", "c": 1e999, "d": '
        + b"9" * 400 + b', "e": "0.5", "f": [1], "g": false}\n'
    )  # fmt: skip
    assert math.isnan(log.series.pop("a").values[0])
    assert points(log) == {"b": [(1, math.inf)], "c": [(1, math.inf)], "d": [(1, math.inf)]}


def test_an_old_history_of_weights_and_biases(load):
    rows = [
        {"_step": n, "_timestamp": 1e9 + n, "_runtime": n, "loss": 1 / (n + 1),
         "img": {"_type": "images/separated", "width": 4}}
        for n in range(3)
    ]  # fmt: skip
    (log,) = load(rows, "wandb-history.jsonl")
    assert set(log.series) == {"loss", "_runtime"}
    assert log.series["loss"].wall_times.tolist() == [1e9, 1e9 + 1, 1e9 + 2]
    assert [p.message for p in log.problems] == [
        "3 logged values are no numbers and are not read (img)"
    ]
    (log,) = load(b"{}\n", "wandb-history.jsonl")
    assert "not a log" in log.problems[0].message


def test_values_at_one_step_are_not_dropped_in_silence(load):
    (log,) = load(
        [{"iter": 1, "loss": n / 2, "epoch": 1} for n in range(3)] + [{"iter": 2, "loss": 9}]
    )
    assert points(log)["loss"] == [(1, 1.0), (2, 9.0)]
    assert [(p.level, p.message) for p in log.problems] == [
        ("note", "loss: 2 of 4 values have the step of a later one and are left out")
    ]


def test_a_declared_table_that_is_none_is_named(load):
    (log,) = load(b"hello\nworld\n", "log.txt", TablePlan(step="n"))
    assert [p.message for p in log.problems] == [
        "line 1 is no JSON object; left out", "line 2 is no JSON object; left out",
    ]  # fmt: skip
    (log,) = load(b"", "log.txt", TablePlan(step="n"))
    assert log.problems[0].message == "the file is empty (0 bytes)"


def test_a_line_without_end_takes_no_memory(load, monkeypatch):
    monkeypatch.setattr("reportgen.read.logs.cut.LINE_LIMIT", 1000)
    (log,) = load(
        b'{"step": 1, "loss": 1}\n{"step": 2, "x": "'
        + b"y" * 5000
        + b'"}\n{"step": 3, "loss": 3}\n'
    )
    assert points(log)["loss"] == [(1, 1.0), (3, 3.0)]
    assert log.problems[0].offset == 23


def test_the_same_of_many_tags_is_said_once(load):
    tags = "abcde"
    (log,) = load([{"step": step, **dict.fromkeys(tags, n)} for n, step in enumerate((1, 1, 1, 2))])
    (problem,) = log.problems
    assert problem.message.startswith("a, b, c and 2 more tags: 2 of 4 values have the step")


def test_values_that_are_no_numbers_are_said_once_a_key(load):
    (log,) = load(
        b'{"step": 1, "acc": 0.1, "w": [1], "kind": "train"}\n{"step": 2, "acc": "0.4"}\n'
        b'{"step": 3, "acc": null, "w": "heavy"}\n{"step": 4, "acc": [0.5]}\n'
    )
    assert points(log) == {"acc": [(1, 0.1)]}
    assert [(p.message, p.level) for p in log.problems] == [
        ("acc: 2 of 3 values are no numbers and are left out, the first in line 2: '0.4'",
         "warning"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "runs", "curves"),
    [
        (
            {"train": {"loss": [3, 2, 1]}, "val": {"loss": [4, 3], "acc": [0.1, 0.2]}},
            {""},
            {"train/loss": [3, 2, 1], "val/loss": [4, 3], "val/acc": [0.1, 0.2]},
        ),
        (
            {"lr0.1": {"train_loss": [3, 2]}, "lr0.2": {"train_loss": [3, 2]}, "note": "a"},
            {"lr0.1", "lr0.2"},
            {"train_loss": [3, 2]},
        ),
        ({"ages": {"a": [3, 2]}, "sizes": {"b": [3, 2]}}, set(), {}),
    ],
    ids=["splits", "runs", "data"],
)
def test_lists_under_keys_that_name_splits_or_runs(tmp_path, content, runs, curves):
    path = tmp_path / "history.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    logs = load_json_lines(path, "history.json")
    assert {log.run_key for log in logs} == runs
    for log in logs:
        found = {tag: [v for _, v in one.points()] for tag, one in log.series.items()}
        assert {tag: v for tag, v in found.items() if tag != "epoch"} == curves
