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
