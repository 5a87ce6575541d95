"""What is taken for the runs and the step of a table stands among what was inferred."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.read.logs import load_tree
from reportgen.read.logs.rows import load_json_lines, load_metrics_csv
from reportgen.records.run import Log
from reportgen.records.study import Study
from reportgen.runs import assemble

ROWS = rows_beside(__file__)

MODELS, SEEDS, EPOCHS = ("bert", "roberta"), (1, 2, 3), (1, 2, 3, 4, 5)


def csv(tmp_path: Path, text: str) -> tuple[Log, ...]:
    path = tmp_path / "results.csv"
    path.write_text(text, encoding="utf-8")
    return load_metrics_csv(path, "results.csv")


def lab(column: str, separator: str = ",") -> str:
    rows = [[column, "seed", "epoch", "val_acc", "test_acc"]]
    for model in MODELS:
        for seed in SEEDS:
            for epoch in EPOCHS:
                acc = 0.1 * epoch + 0.01 * seed + 0.001 * len(model)
                rows.append([model, str(seed), str(epoch), f"{acc:.4f}", f"{acc - 0.02:.4f}"])
    text = "".join(f"{separator.join(row)}\n" for row in rows)
    return text.replace(".", ",") if separator == ";" else text


def keys(logs: Sequence[Log]) -> list[str]:
    return [log.run_key for log in logs]


def told(logs: Sequence[Log]) -> list[tuple[str, str]]:
    return [(p.level, p.message) for log in logs for p in log.problems]


@pytest.mark.parametrize("column", ["model", "name", "method", "experiment", "Architecture"])
@pytest.mark.parametrize("separator", [",", ";"])
def test_a_column_of_names_tells_runs_apart_beside_their_seeds(tmp_path, column, separator):
    logs = csv(tmp_path, lab(column, separator))
    assert keys(logs) == [f"{model}/seed{seed}" for model in MODELS for seed in SEEDS]
    assert all(len(log.series["val_acc"]) == len(EPOCHS) for log in logs)
    assert not told(logs)
    _, study = assemble(logs, ["results.csv"], Study(), "lab")
    (table,) = study.tables
    (decision,) = (one for one in study.decisions if one.key == "logs.tables")
    assert (table.match, table.runs) == ("results.csv", (column, "seed"))
    assert f'runs = ["{column}", "seed"]' in decision.value
    assert f"are told apart by {column}, seed; name other columns" in decision.reason


def test_json_lines_and_arrays_likewise(tmp_path):
    rows = [
        {"model": model, "step": step, "val": {"acc": step / 10}}
        for model in MODELS
        for step in EPOCHS
    ]
    path = tmp_path / "log.jsonl"
    for text in ("".join(f"{json.dumps(row)}\n" for row in rows), json.dumps(rows)):
        path.write_text(text, encoding="utf-8")
        logs = load_json_lines(path, "log.jsonl")
        assert keys(logs) == list(MODELS)
        assert logs[0].told is not None
        assert logs[0].told.runs == ("model",)


def test_a_study_written_of_it_reads_the_same(tmp_path):
    import tomllib

    from reportgen.app import make_study

    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a[1].csv").write_text(lab("model"), encoding="utf-8")
    text, decisions = make_study(str(logs), tmp_path / "study.toml")
    (table,) = tomllib.loads(text)["logs"]["tables"]
    assert table["match"] == "a[[]1].csv"
    assert table["runs"] == ["model", "seed"]
    (line,) = (d["setting"] for d in decisions if d["key"] == "logs.tables")
    (copied,) = tomllib.loads(line)["logs"]["tables"]
    assert copied == table


def rows_csv(tmp_path: Path, name: str, text: str) -> tuple[Log, ...]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load_metrics_csv(path, name)


KFOLD = """fold,accuracy,threshold,TP,model_path
1,0.75,0.5125,30,m/fold_1.pth
2,0.8125,0.4875,33,m/fold_2.pth
3,0.7875,0.5375,31,m/fold_3.pth
"""
SEARCH = """started,learning_rate,accuracy,macro_f1
10:00,1e-05,0.625,0.6125
11:00,5e-05,0.6375,0.6
"""
SIZES = """test_acc,val_acc,experiment,hidden_layer_size,epochs
0.5,0.55,size,64,400
0.6,0.65,size,128,400
0.65,0.7,size,256,400
"""
CANDIDATES = """param_svc__C,params,split0_test_score,split1_test_score,mean_test_score
1,{'svc__C': 1},0.9,0.8,0.85
10,{'svc__C': 10},0.7,0.6,0.65
"""
UNNAMED = """run,method,keep_prob,keep_rouge,strength,utility,chance
a,x,0.525,0.6,0.255,0.75,0.8
b,x,0.475,0.5,0.3125,0.875,0.6
c,y,0.325,0.45,0.125,0.625,0.4
"""


@pytest.mark.parametrize(("name", "text", "named", "results", "config"), ROWS["rows_that_are_runs"])
def test_rows_that_are_runs(tmp_path, name, text, named, results, config):
    logs = [log for log in rows_csv(tmp_path, name, text) if log.results]
    assert keys(logs) == named
    assert [(log.results, log.config) for log in logs[:1]] == [(results, config)] * bool(named)


@pytest.mark.parametrize(("content", "named"), ROWS["objects_that_are_runs_under_their_names"])
def test_objects_that_are_runs_under_their_names(tmp_path, content, named):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert keys(load_json_lines(path, "results.json")) == named


def decided(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    tree = load_tree(folder)
    _, study = assemble(tree.logs, tree.files, Study(), "lab")
    return next(one for one in study.decisions if one.key == "logs.tables")


KIMG = "kimg,fid\n0,9.5\n{},8.5\n"


def test_a_counter_that_is_taken_for_the_step(tmp_path):
    decision = decided(tmp_path, {f"{run}/history.csv": KIMG.format(50) for run in "ab"})
    assert decision.value == '{match = "*/history.csv", step = "kimg"}'
    assert "1 more files: kimg is taken for the step" in decision.reason


def test_a_pattern_takes_in_no_file_that_has_a_step(tmp_path):
    files = {"a/log.csv": KIMG.format(50), "b/log.csv": KIMG.format(60)}
    files["c/log.csv"] = "step,fid\n0,9.5\n7,8.5\n"
    assert decided(tmp_path, files).value.count("match") == 2
