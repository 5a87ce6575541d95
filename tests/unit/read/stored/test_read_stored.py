"""Values beside a report: what counts, what does not, and how much of it is read."""

import json
import os
from pathlib import Path

import pytest
from fakes.rows import rows_beside, rows_of

from reportgen.read.stored import Limits, Taken, read_stored

TABLES = rows_beside(__file__)
HERE = Path(__file__).parent
ROWS = rows_of(HERE / "values.yaml")


def write(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")


def values_in(folder, **options):
    found, problems = read_stored(folder, **options)
    return {f"{one.path} {'/'.join(one.keys)}": one.value for one in found}, problems


@pytest.mark.parametrize("row", ROWS, ids=[row["about"] for row in ROWS])
def test_values_of_a_file(tmp_path, row):
    (tmp_path / row["name"]).write_text(row["text"], encoding="utf-8")
    found, problems = read_stored(tmp_path)
    assert {"/".join(one.keys): one.value for one in found} == row["values"]
    assert [type(one.value) for one in found] == [type(value) for value in row["values"].values()]
    assert {problem.level for problem in problems} <= {"note"}
    assert len(problems) == ("says" in row)
    assert all(row["says"] in problem.message for problem in problems)


@pytest.mark.parametrize("name", TABLES["files_that_are_no_evidence"])
def test_files_that_are_no_evidence(tmp_path, name):
    for one in (name, "env/pyvenv.cfg", "results.json"):
        path = tmp_path / one
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"acc": 0.5}', encoding="utf-8")
    assert values_in(tmp_path)[0] == {"results.json acc": 0.5}


def test_order_is_that_of_paths_and_places(tmp_path):
    write(tmp_path, b_dot_json={"z": 1, "a": 2}, a__c_dot_json={"x": 3}, a_dot_json={"y": [4, 5]})
    found, _ = values_in(tmp_path)
    assert list(found) == [
        "a/c.json x", "a.json y/0", "a.json y/1", "b.json z", "b.json a",
    ]  # fmt: skip


def test_of_logs_what_their_reader_left_is_read(tmp_path):
    history = [{"step": step, "loss": 1 / step, "epoch": step / 10} for step in range(1, 9)]
    classes = [{"class": "ham", "f1": 0.91}, {"class": "spam", "f1": 0.87}]
    state = {"best_metric": 0.5, "total_flos": 7, "log_history": history, "per_class": classes}
    write(
        tmp_path,
        trainer_state_dot_json=state,
        log_dot_csv="step,loss\n1,0.5\n",
        table_dot_csv="step,loss\n1,0.25\n",
    )
    held = {value for row in history for key, value in row.items() if key != "epoch"}
    taken = Taken(files={"trainer_state.json", "log.csv"}, values=held)
    found, _ = values_in(tmp_path, taken=taken)
    assert found == {
        "table.csv 0/step": 1.0,
        "table.csv 0/loss": 0.25,
        "trainer_state.json best_metric": 0.5,
        "trainer_state.json total_flos": 7.0,
        "trainer_state.json per_class/0/class": "ham",
        "trainer_state.json per_class/0/f1": 0.91,
        "trainer_state.json per_class/1/class": "spam",
        "trainer_state.json per_class/1/f1": 0.87,
    }


@pytest.mark.parametrize(
    ("limits", "left", "says"),
    [
        (Limits(values=5), ["a.json a"], "sets of data, not evidence for their size: big.json"),
        (Limits(size=100), ["a.json a"], "sets of data"),
        (Limits(total=9), ["a.json a"], "big.json left out: more than 9 values"),
        (Limits(files=1), ["a.json a"], ". 1 files of values were left out"),
    ],
)
def test_limits(tmp_path, limits, left, says):
    write(tmp_path, a_dot_json={"a": 1}, big_dot_json=[*range(100)])
    found, problems = values_in(tmp_path, limits=limits)
    assert list(found) == left
    assert says in f"{problems[0].path} {problems[0].message}"


def test_of_a_file_with_many_values_the_long_lists_are_left_out(tmp_path):
    write(tmp_path, big_dot_json={"mae": 1.5, "losses": [3, 2, 1], "predictions": [*range(50)]})
    found, problems = values_in(tmp_path, limits=Limits(values=20, short=5))
    assert list(found) == [f"big.json {one}" for one in ("mae", "losses/0", "losses/1", "losses/2")]
    assert "sets of data, not evidence for their size: big.json" in problems[0].message


def test_a_tree_that_is_too_deep_ends(tmp_path):
    text = '{"a": 1, "b": ' + "[" * 400 + "]" * 400 + ', "c": 2}'
    write(tmp_path, deep_dot_json=text, worse_dot_json="[" * 100_000)
    found, problems = values_in(tmp_path)
    assert found == {"deep.json a": 1.0, "deep.json c": 2.0}
    assert [problem.path for problem in problems] == ["deep.json", "worse.json"]


def test_yaml_that_multiplies_ends(tmp_path):
    lines = ["a0: &a0 [1, 1]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60))]
    write(tmp_path, bomb_dot_yaml="\n".join(lines), loop_dot_yaml="a: &a {b: *a, c: 1}")
    found, problems = values_in(tmp_path)
    assert set(found) <= {"loop.yaml a/" + "b/" * n + "c" for n in range(20)}
    assert problems


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="links")
def test_a_link_that_leads_out_is_not_followed(tmp_path):
    write(tmp_path, secret_dot_json={"a": 1}, lab__own_dot_json={"b": 2}, out__x_dot_json={"c": 3})
    (tmp_path / "lab" / "link.json").symlink_to(tmp_path / "secret.json")
    (tmp_path / "lab" / "again.json").symlink_to("own.json")
    (tmp_path / "lab" / "out").symlink_to(tmp_path / "out")
    found, problems = values_in(tmp_path / "lab")
    assert found == {"own.json b": 2.0, "again.json b": 2.0}
    assert {problem.path for problem in problems} == {"link.json", "out"}


def test_only_folders_and_names_that_are_asked_for(tmp_path):
    write(tmp_path, a_dot_json={"x": 1}, logs__b_dot_json={"y": 2}, data__c_dot_json={"z": 3})
    assert list(values_in(tmp_path, within=("log*",))[0]) == ["a.json x", "logs/b.json y"]
    kept = values_in(tmp_path, keep=lambda name: "/" in name)[0]
    assert list(kept) == ["data/c.json z", "logs/b.json y"]
