"""What is known of whole labs: their runs, curves, chosen steps and groups, a small file a lab.

The sample labs lie in `inputs/`. The logs of others lie beside the checkout on some machines only:
of them the facts are kept here, no line of theirs.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from fakes.command import reportgen
from fakes.pinned import hold, shared

import reportgen as public

HERE = Path(__file__).resolve().parent / "labs"
OWN = {
    "roberta-small-fr": ["study.toml"],
    "roberta-small-fr-without-study": ["--runs", "logs"],
    "tiny-grid": ["study.toml"],
    "tiny-reviews-hf": ["--runs", "."],
}
PUBLISHED = (
    "fairseq-lab", "hf-card-control", "hf-card-last-not-best", "hf-trainer-agnews-lora",
    "hf-trainer-no-eval", "hf-trainer-states", "hf-vit-two-metrics", "keras-clean-pair",
    "keras-tensor-scalars", "lightning-versions", "rl-dqn-empty-files", "rl-single-points",
    "rl-ten-seeds", "seeds-strict-lax-duplicate", "segmentation-sweep",
)  # fmt: skip
LARGE = {"hf-trainer-states", "keras-tensor-scalars", "rl-dqn-empty-files", "rl-ten-seeds"}
FEW_TAGS = 12
"""Up to so many the points of a run are counted by tag; of more, how many tags have how many."""
MOST_TAGS = 24
DECIDED = ("metric.name", "metric.direction", "metric.select_on", "metric.report_on", "metric.unit")


@pytest.mark.parametrize("name", OWN)
def test_facts_of_a_sample_lab(name, project, tmp_path):
    folder = project / "inputs" / name.removesuffix("-without-study")
    source = [word if word.startswith("--") else str(folder / word) for word in OWN[name]]
    runs = folder / "logs" if (folder / "logs").is_dir() else folder
    hold(HERE / f"{name}.yaml", facts_of(source, runs, tmp_path))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.wide] * (n in LARGE)) for n in PUBLISHED]
)
def test_facts_of_published_logs(name, tmp_path):
    folder = shared("realdata") / name
    hold(HERE / f"{name}.yaml", facts_of(["--runs", str(folder)], folder, tmp_path))


def facts_of(source: list[str], runs: Path, folder: Path) -> dict[str, Any]:
    """Build a lab's report.json, inspect and load its logs; return what they agree to be there."""
    built = reportgen("build", *source, "--out", "out/report.json", cwd=folder)
    report = json.loads((folder / "out" / "report.json").read_bytes())
    seen = json.loads(reportgen("inspect", runs, "--json", cwd=folder).out)
    points = points_of(public.load(runs).to_frame())
    chosen = {run["run"]: run for group in report["groups"] for run in group["runs"]}
    decided = {one["key"]: one["value"] for one in report["decisions"]}
    return {
        "exit": built.code,
        "decided": {key: decided[key] for key in DECIDED if key in decided},
        "differences": differences_of(report),
        "groups": {group["name"]: group_facts(group) for group in report["groups"]},
        "missing": sorted(
            f"{group['name']}/{run['seed']}"
            for group in report["groups"]
            for run in group["runs"]
            if run["run"] is None
        ),
        "tags": {tag["tag"]: tag_facts(tag) for tag in seen["tags"][:MOST_TAGS]},
        "runs": {
            run["id"]: {
                **{key: run[key] for key in ("group", "seed", "layout", "last_step")},
                **choice(chosen.get(run["id"], {})),
                "points": points.get(run["id"], {}),
            }
            for run in sorted(seen["runs"], key=lambda run: run["id"])
        },
    }


def differences_of(report: dict[str, Any]) -> list[list[Any]]:
    """Return the differences of the report, each with its interval and the method."""
    keys = ("first", "second", "difference", "low", "high", "method")
    return [[one[key] for key in keys] for one in report["comparisons"]]


def group_facts(group: dict[str, Any]) -> dict[str, Any]:
    told = {key: group[key] for key in ("metric", "unit", "select_on", "split", "n", "mean", "std")}
    return told | {"interval": group["interval"]}


def tag_facts(tag: dict[str, Any]) -> dict[str, Any]:
    told = {key: tag[key] for key in ("metric", "split", "unit") if tag[key]}
    counted = {key: tag[key] for key in ("runs", "points", "first_step", "last_step")}
    return told | counted | {key: tag[key] for key in ("nan", "infinite") if tag[key]}


def choice(run: dict[str, Any]) -> dict[str, Any]:
    """Return what was chosen of a run: its best step, and the values there."""
    keys = ("best_step", "best_epoch", "select_value", "report_value")
    return {key: run[key] for key in keys if run.get(key) is not None}


def points_of(frame: Any) -> dict[str, dict[int, Any]]:
    """Return for each run the numbers of points, each with its tags, or how many have it."""
    found: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (run, tag), rows in frame.groupby(["run", "tag"]):
        found[run][len(rows)].append(str(tag))
    return {
        run: {
            count: sorted(tags) if sum(map(len, counts.values())) <= FEW_TAGS else len(tags)
            for count, tags in sorted(counts.items())
        }
        for run, counts in found.items()
    }
