"""The sample labs are what their scripts make, hold the numbers they claim, and stay small."""

import csv
import json
import math
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tbparse import SummaryReader

from reportgen.read.study.keys import TABLES

MODELS = {
    "pretrained": "RoBERTa_small_fr_ms8_mu3125_lr1e-05_me5",
    "random": "RoBERTa_small_fr_random_ms8_mu3125_lr1e-05_me5",
}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("script", "made"), [("make_logs.py", "logs/sentence_prediction"), ("make_model.py", "model")]
)
def test_a_script_makes_the_same_files_again(
    script: str, made: str, lab: Path, tmp_path: Path
) -> None:
    for name in (script, "facts.csv", "model/config.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(lab / name, tmp_path / name)
    subprocess.run([sys.executable, tmp_path / script], check=True, capture_output=True)
    assert contents(tmp_path / made) == contents(lab / made)


@pytest.mark.parametrize("group", sorted(MODELS))
def test_the_event_files_hold_the_facts(group: str, lab: Path) -> None:
    with (lab / "facts.csv").open(newline="", encoding="utf-8") as stream:
        facts = [row for row in csv.DictReader(stream) if row["group"] == group]
    logs = lab / "logs/sentence_prediction/books" / MODELS[group]
    frame = SummaryReader(str(logs), extra_columns={"dir_name"}).scalars
    for row in facts:
        folder = f"{row['seed']}/{row['split']}"
        here = frame[(frame.dir_name == folder) & (frame.step == int(row["num_updates"]))]
        logged = dict(zip(here.tag, here.value, strict=True))
        for tag in ("accuracy", "loss", "nll_loss", "lr", "gnorm", "best_accuracy"):
            if row[tag]:
                assert logged[tag] == pytest.approx(float(row[tag]), rel=1e-6)
            else:
                assert tag not in logged


def test_the_manifest_counts_a_shared_tensor_once(lab: Path) -> None:
    manifest = json.loads((lab / "model/tensors.json").read_text(encoding="utf-8"))
    own = [tensor for tensor in manifest["tensors"] if "shares" not in tensor]
    assert sum(math.prod(tensor["shape"]) for tensor in own) == 23_388_418
    assert len(manifest["tensors"]) - len(own) == 1


def keys_of(study: dict[str, object], name: str) -> set[str]:
    table: object = study
    for part in name.split("."):
        table = table.get(part, {}) if isinstance(table, dict) else {}
    if name == "groups" and isinstance(table, dict):
        table = {key for group in table.values() for key in group}
    table = table[0] if isinstance(table, list) else table
    return {key for key in table if not (isinstance(table, dict) and isinstance(table[key], dict))}


def test_the_study_files_show_every_key(lab: Path, project: Path) -> None:
    files = (lab / "study.toml", project / "inputs/tiny-grid/study.toml")
    studies = [tomllib.loads(path.read_text(encoding="utf-8")) for path in files]
    # docs/how-to/rerun.md shows labels in a file of their own, docs/how-to/logs.md tables.
    for name in set(TABLES) - {"splits.names", "train.data.labels", "logs.tables"}:
        shown = set().union(*(keys_of(study, name) for study in studies))
        assert shown == set(TABLES[name]), name


def test_runs_of_the_second_lab_say_what_they_are(project: Path) -> None:
    logs = project / "inputs/tiny-reviews-hf/logs"
    found = {}
    for path in logs.glob("*/trainer_state.json"):
        history = json.loads(path.read_text(encoding="utf-8"))["log_history"]
        found[path.parent.name] = [row["step"] for row in history if "eval_accuracy" in row]
    names = {f"tiny-roberta-lr{rate}-seed{n}" for rate in ("1e-3", "3e-4") for n in range(3)}
    assert set(found) == names
    assert all(steps == [60, 120, 180, 240, 300, 360] for steps in found.values())


@pytest.mark.parametrize("lab_name", ["roberta-small-fr", "tiny-reviews-hf", "tiny-grid"])
def test_a_lab_explains_itself(lab_name: str, project: Path) -> None:
    readme = (project / "inputs" / lab_name / "README.md").read_text(encoding="utf-8")
    assert "make_hf_runs.py" in readme


def test_the_samples_are_small(project: Path) -> None:
    sizes = {
        path: path.stat().st_size for path in (project / "inputs").rglob("*") if path.is_file()
    }
    assert sum(sizes.values()) < 800_000
    assert max(sizes.values()) < 100_000
