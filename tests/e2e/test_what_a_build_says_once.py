"""What is the matter with runs is said on the terminal once, and where seeds stand by its name."""

import json
from pathlib import Path

from fakes.command import reportgen


def write_csv(folder: Path, columns: dict[str, float]) -> None:
    folder.mkdir(parents=True)
    rows = [",".join(["epoch", *columns])]
    rows += [
        ",".join([str(epoch), *(f"{value * epoch:.4f}" for value in columns.values())])
        for epoch in (1, 2, 3)
    ]
    (folder / "metrics.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def warnings(root: Path, *study: str) -> list[str]:
    done = reportgen("build", *study, "--runs", "logs", "--out", "out/report.json", cwd=root)
    return [line for line in done.err.splitlines() if line.startswith("warning: ")]


def test_a_run_that_was_not_evaluated_is_named_once(tmp_path):
    both = {"val_acc": 0.2, "test_acc": 0.19}
    write_csv(tmp_path / "logs" / "a" / "seed0", both)
    write_csv(tmp_path / "logs" / "a" / "seed1", both)
    write_csv(tmp_path / "logs" / "a" / "seed2", {"val_loss": 0.3})
    (line,) = warnings(tmp_path)
    told = "warning: a/seed2: accuracy was not logged on validation, nor on test, as it was in "
    assert line.startswith(told)


def test_a_run_without_a_test_value_is_named_once(tmp_path):
    both = {"val_acc": 0.2, "test_acc": 0.19}
    write_csv(tmp_path / "logs" / "a" / "seed0", both)
    write_csv(tmp_path / "logs" / "a" / "seed1", {"val_acc": 0.2})
    (line,) = warnings(tmp_path)
    assert line.startswith(
        "warning: a/seed1: accuracy was not logged on test, as it was in a/seed0"
    )


def test_a_run_that_a_grid_declares_is_named_where_it_is_missing(tmp_path):
    for group, seeds in (("a", (0, 1, 2)), ("b", (0, 1))):
        for seed in seeds:
            columns = {"val_acc": 0.2, "test_acc": 0.19 if group == "a" else 0.18}
            write_csv(tmp_path / "logs" / group / f"seed{seed}", columns)
    assert warnings(tmp_path) == []
    (tmp_path / "study.toml").write_text("[grid]\nseeds = [0, 1, 2]\n", encoding="utf-8")
    (line,) = warnings(tmp_path, "study.toml")
    assert line == "warning: b, seed 2: missing: no logs found for b, seed 2"


def test_a_number_of_a_file_is_no_number_of_a_folder(tmp_path):
    for kind in ("files", "folders"):
        for seed in (42, 43):
            rows = [{"epoch": e, "val_acc": e / 10 + seed / 1000} for e in (1, 2, 3)]
            text = "".join(f"{json.dumps(row)}\n" for row in rows)
            folder = tmp_path / kind / "gru"
            path = folder / (f"{seed}.jsonl" if kind == "files" else f"{seed}/log.jsonl")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    files = reportgen("inspect", "files", cwd=tmp_path).out
    assert "read off its file's number" in files
    assert "its folder's number" not in files
    assert "read off its folder's number" in reportgen("inspect", "folders", cwd=tmp_path).out
