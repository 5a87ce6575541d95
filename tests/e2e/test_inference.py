"""Without a study file: what is inferred is right, printed, and can be written down."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars


def built(folder: Path, *arguments: str | Path) -> tuple[dict[str, Any], str]:
    done = reportgen("build", *arguments, "--out", "report.json", cwd=folder)
    assert done.code == 0, done.err
    return json.loads((folder / "report.json").read_bytes()), done.out


def results(report: dict[str, Any]) -> dict[tuple[str, int], tuple[int, float]]:
    return {
        (group["name"], run["seed"]): (run["best_step"], run["report_value"])
        for group in report["groups"]
        for run in group["runs"]
    }


def test_fairseq_is_recognised(lab, tmp_path):
    report, out = built(tmp_path, "--runs", lab / "logs" / "sentence_prediction")
    found = results(report)
    assert set(found) == {
        (group, seed)
        for group in ("RoBERTa_small_fr", "RoBERTa_small_fr_random")
        for seed in (0, 1, 2)
    }
    assert found["RoBERTa_small_fr", 2] == (900, pytest.approx(0.801))
    assert {g["logged_unit"] for g in report["groups"]} == {"percent"}
    assert "metric.name" in out
    assert "accuracy" in out
    assert "fairseq" in out


def test_hugging_face_is_recognised(project, tmp_path):
    report, out = built(tmp_path, "--runs", project / "inputs" / "tiny-reviews-hf")
    assert {g["layout"] for g in report["groups"]} == {"hf_trainer"}
    assert {g["logged_unit"] for g in report["groups"]} == {"fraction"}
    assert len(report["groups"]) == 2
    assert all([run["seed"] for run in g["runs"]] == [0, 1, 2] for g in report["groups"])
    assert "hf_trainer" in out


def plain_runs(root: Path, groups: tuple[str, ...] = ("small", "large")) -> None:
    for index, group in enumerate(groups):
        for seed in (1, 2, 3):
            points = [(s, 0.5 + 0.1 * index + 0.01 * seed + 0.001 * s) for s in (10, 20, 30)]
            write_scalars(
                root / f"{group}_seed{seed}",
                {"val/accuracy": points, "test/accuracy": [(s, v - 0.02) for s, v in points]},
            )


def test_plain_folders_are_recognised(tmp_path):
    plain_runs(tmp_path / "runs")
    report, _ = built(tmp_path, "--runs", "runs")
    found = results(report)
    assert set(found) == {(g, s) for g in ("small", "large") for s in (1, 2, 3)}
    assert found["large", 3] == (30, pytest.approx(0.64, abs=1e-6))


def without_study(report: dict[str, Any]) -> dict[str, Any]:
    """Drop what a study file changes by being there: what was inferred, and from where."""
    kept = {k: v for k, v in report.items() if k not in ("decisions", "sections", "tables")}
    settings = {"default", "inferred", "study.toml", "inferred.toml"}
    kept["numbers"] = [
        n | {"evidence": [e for e in n["evidence"] if e["path"] not in settings]}
        for n in report["numbers"]
        if not n["id"].startswith("reproducibility.")
    ]
    return kept


@pytest.mark.parametrize("sample", ["roberta-small-fr", "tiny-reviews-hf"])
def test_init_writes_what_gives_the_same_report(project, tmp_path, sample):
    shutil.copytree(project / "inputs" / sample, tmp_path / "lab")
    inferred, _ = built(tmp_path, "--runs", "lab")
    done = reportgen("init", "--runs", "lab", "--out", "lab/inferred.toml", cwd=tmp_path)
    assert done.code == 0, done.err
    declared, _ = built(tmp_path, "lab/inferred.toml")
    assert without_study(declared) == without_study(inferred)


def test_init_does_not_replace_a_file(lab, tmp_path):
    (tmp_path / "study.toml").write_text("# mine\n")
    done = reportgen("init", "--runs", lab / "logs", cwd=tmp_path)
    assert done.code == 2
    assert "is there already" in done.err
    assert (tmp_path / "study.toml").read_text() == "# mine\n"


def test_model_and_adapter_beside_the_logs_are_found(lab, tmp_path):
    report, out = built(tmp_path, "--runs", lab)
    assert report["model"]["scopes"]["weights"]["total"] == 22_807_552
    assert report["adapters"][0]["trainable"] == 1_572_864
    assert "model.config" in out


def test_a_missing_cell_is_said_and_n_follows(lab, tmp_path):
    shutil.copytree(lab, tmp_path / "lab")
    gone = next((tmp_path / "lab" / "logs").rglob("RoBERTa_small_fr_random_ms8*")) / "1"
    shutil.rmtree(gone)
    done = reportgen("build", "lab/study.toml", "--out", "out/report.pdf", cwd=tmp_path)
    assert done.code == 0
    assert "warning: RoBERTa small, random start, seed 1: missing" in done.err
    report = json.loads((tmp_path / "out" / "report.json").read_bytes())
    random = next(g for g in report["groups"] if g["name"] == "random")
    assert random["n"] == 2
    assert random["std"] is None
    cell = next(run for run in random["runs"] if run["seed"] == 1)
    assert cell["report_value"] is None
    assert cell["missing"]
    markdown = (tmp_path / "out" / "report.md").read_text()
    assert cell["missing"].split(";")[0][:20] in markdown.replace("\\", "")
    caption = next(t["caption"] for t in report["tables"] if t["id"] == "summary.headline")
    assert "n = 3 runs of each" not in caption


def test_a_seed_missing_from_one_group_is_missed_without_a_study(lab, tmp_path):
    logs = tmp_path / "logs"
    shutil.copytree(lab / "logs" / "sentence_prediction", logs)
    shutil.rmtree(next(logs.rglob("RoBERTa_small_fr_ms8*")) / "0")
    report, _ = built(tmp_path, "--runs", "logs")
    group = next(g for g in report["groups"] if g["name"] == "RoBERTa_small_fr")
    assert [(run["seed"], run["report_value"] is None) for run in group["runs"]] == [
        (0, True),
        (1, False),
        (2, False),
    ]


def test_the_runs_own_configuration_is_the_model_where_all_share_it(project, lab, tmp_path):
    shared, _ = built(tmp_path, "--runs", project / "inputs" / "tiny-reviews-hf" / "logs")
    assert shared["model"]["family"] == "roberta"
    # Here only one of three groups has one: it is not the model of the other two.
    of_one_group, _ = built(tmp_path, "--runs", lab / "logs")
    assert of_one_group["model"] is None
