"""Without a study file: what is inferred is right, printed, and can be written down."""

import json
import shutil
from itertools import product
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


def without_study(report: dict[str, Any]) -> dict[str, Any]:
    """Drop what a study file changes by being there: what was inferred, and from where."""
    kept = {
        k: v
        for k, v in report.items()
        if k not in ("decisions", "fates", "messages", "sections", "tables")
    }
    settings = {"default", "inferred", "study.toml", "inferred.toml"}
    kept["numbers"] = [
        n | {"evidence": [e for e in n["evidence"] if e["path"] not in settings]}
        for n in report["numbers"]
        if not n["id"].startswith(("settings.", "problems.", "files."))
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


def test_a_missing_cell_is_said_and_n_follows(lab, tmp_path):
    shutil.copytree(lab, tmp_path / "lab")
    gone = next((tmp_path / "lab" / "logs").rglob("RoBERTa_small_fr_random_ms8*")) / "1"
    shutil.rmtree(gone)
    done = reportgen("build", "lab/study.toml", "--out", "out/report.md", cwd=tmp_path)
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


def test_a_seed_that_one_group_lacks_is_missing_only_where_a_grid_is_declared(lab, tmp_path):
    logs = tmp_path / "logs"
    shutil.copytree(lab / "logs" / "sentence_prediction", logs)
    shutil.rmtree(next(logs.rglob("RoBERTa_small_fr_ms8*")) / "0")
    (tmp_path / "study.toml").write_text("[runs]\npath = 'logs'\n[grid]\nseeds = [0, 1, 2]\n")
    runs = ("--runs", "logs")
    declared = ((runs, []), ((*runs, "--expect", "0-2"), [0]), (("study.toml",), [0]))
    for arguments, missing in declared:
        report, _ = built(tmp_path, *arguments)
        group = next(g for g in report["groups"] if g["name"] == "RoBERTa_small_fr")
        seeds = {run["seed"]: run["report_value"] for run in group["runs"]}
        assert sorted(seeds) == [*missing, 1, 2]
        assert [seed for seed, value in seeds.items() if value is None] == missing


def test_the_runs_own_configuration_is_the_model_where_all_share_it(project, lab, tmp_path):
    shared, _ = built(tmp_path, "--runs", project / "inputs" / "tiny-reviews-hf" / "logs")
    assert shared["model"]["family"] == "roberta"
    # Here only one of three groups has one: it is not the model of the other two.
    of_one_group, _ = built(tmp_path, "--runs", lab / "logs")
    assert of_one_group["model"] is None


@pytest.fixture(scope="module")
def open_runs(tmp_path_factory):
    """Runs that can be read in several ways."""
    root = tmp_path_factory.mktemp("open") / "logs"
    for number, (name, seed, part) in enumerate(product("ab", (1, 2), (0, 1))):
        points = [(s, 0.5 + 0.01 * number + 0.001 * s) for s in (10, 20)]
        write_scalars(
            root / f"{name}_seed{seed}" / str(part),
            {
                "dev/accuracy": [*points, (30, points[-1][1])],
                "dev/acc": [(step, value / 2) for step, value in points],
                "eval/accuracy": [(step, value - 0.02) for step, value in points],
                "dev/novelty": points,
                "eval/novelty": points,
            },
        )
    return root


@pytest.fixture(scope="module")
def inferred_report(open_runs, tmp_path_factory):
    """The report of these runs without a study file."""
    return built(tmp_path_factory.mktemp("inferred"), "--runs", open_runs)[0]


@pytest.fixture(scope="module")
def inferred_lines(open_runs):
    """What is found in these runs without a study file, and the decisions."""
    return read_as(open_runs)


def read_as(root: Path, text: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `inspect` finds under a study file of this text, and its decisions."""
    study = root.parent / "study.toml"
    study.write_text(text, encoding="utf-8")
    done = reportgen("inspect", "logs", "--study", study, "--json", cwd=root.parent)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    return found, {decision["key"]: decision for decision in found["decisions"]}


def groups_of(found: dict[str, Any]) -> set[tuple[str, int]]:
    return {(run["group"], run["seed"]) for run in found["runs"]}


def split_of(found: dict[str, Any], tag: str) -> str:
    return next(row["split"] for row in found["tags"] if row["tag"] == tag)


def metric_of(found: dict[str, Any], tag: str) -> str:
    return next(row["metric"] for row in found["tags"] if row["tag"] == tag)


def expected(found: dict[str, Any], group: str) -> list[int]:
    (row,) = (row for row in found["grid"]["groups"] if row["group"] == group)
    return [cell["seed"] for cell in row["cells"]]


# Key of a decision, what states another value, and how that is seen.
OVERRIDDEN = {
    "runs.layout": ("runs.layout = 'lightning'", lambda f: {r["layout"] for r in f["runs"]}),
    "runs.repeats": ("runs.repeats = 'none'", groups_of),
    "groups.a/0.seeds": ("groups.'a/0'.seeds = [1, 2, 3]", lambda f: expected(f, "a/0")),
    "metric.tags": ("metric.tags = ['dev/acc']", lambda f: metric_of(f, "dev/acc")),
    "splits.names.eval": ("splits.names.eval = 'train'", lambda f: split_of(f, "eval/accuracy")),
    "splits.names.dev": ("splits.names.dev = 'test'", lambda f: split_of(f, "dev/accuracy")),
    "metric.unit": (
        "metric.unit = 'percent'",
        lambda f: next(row["unit"] for row in f["tags"] if row["tag"] == "dev/accuracy"),
    ),
}


@pytest.mark.parametrize(("key", "text", "seen"), [(k, *v) for k, v in OVERRIDDEN.items()])
def test_what_a_study_file_states_is_done(open_runs, inferred_lines, key, text, seen):
    before, inferred = inferred_lines
    after, left = read_as(open_runs, text)
    assert key in inferred
    assert key not in left
    assert seen(after) != seen(before)


IN_THE_REPORT = {
    "metric.name": ("metric.name = 'novelty'", lambda r: r["groups"][0]["metric"]),
    "metric.direction": ("metric.direction = 'lower'", results),
    "metric.select_on": ("metric.select_on = 'test'", lambda r: r["groups"][0]["select_on"]),
    "metric.report_on": ("metric.report_on = 'validation'", lambda r: r["groups"][0]["split"]),
    "epochs.steps_per_epoch": (
        "epochs.steps_per_epoch = 5",
        lambda r: [run["best_epoch"] for run in r["groups"][0]["runs"]],
    ),
}


@pytest.mark.parametrize(("key", "text", "seen"), [(k, *v) for k, v in IN_THE_REPORT.items()])
def test_what_a_study_file_states_reaches_the_report(
    open_runs, inferred_report, tmp_path, key, text, seen
):
    (tmp_path / "study.toml").write_text(f"runs.path = {str(open_runs)!r}\n{text}\n")
    after, _ = built(tmp_path, tmp_path / "study.toml")
    assert key in {decision["key"] for decision in inferred_report["decisions"]}
    assert key not in {decision["key"] for decision in after["decisions"]}
    assert seen(after) != seen(inferred_report)
