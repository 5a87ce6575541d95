"""The sample lab with cells that were trained again, published as `rerun` publishes them."""

import json
import shutil
from pathlib import Path

from reportgen.records.run import Rerun
from reportgen.train.store import RunStore

SOLID = "sentence_prediction/books/RoBERTa_small_fr_ms8_mu3125_lr1e-05_me5"
HOSTILE = (
    '<script>alert(1)</script> | \\input{x} $x$ #panic() [a](b) "q" {{ 1 }} <% 2 %> \x1b[31m\u202e'
)


def record(group: str, seed: int, **changes: object) -> Rerun:
    """Return what `run.json` says of a re-run."""
    fields: dict[str, object] = {
        "key": f"{group}-{seed}",
        "group": group,
        "seed": seed,
        "device": "NVIDIA H200",
        "date": "2026-02-03T04:05:06+00:00",
        "versions": {"torch": "2.10.0", "transformers": "4.57.1", "reportgen": "0.2.0"},
        "engine": "stacked, 3 members",
        "settings": {"batch_size": "8.0"},
        "notes": ("the batch was halved once",),
        "seconds": 1234.5,
    }
    return Rerun(**(fields | changes))


def copy_lab(lab: Path, home: Path) -> Path:
    """Copy the sample lab and return the path of its study file."""
    shutil.copytree(lab, home, ignore=shutil.ignore_patterns("facts.csv"))
    return home / "study.toml"


def publish(home: Path, found: Path, place: str, rerun: Rerun) -> None:
    """Let the logs of a found run appear as a re-run, through the run store."""
    store = RunStore(home / "reruns")

    def write(folder: Path) -> None:
        shutil.copytree(found, folder, dirs_exist_ok=True)

    lease = store.claim([rerun.key])
    assert lease is not None
    assert store.publish(place, rerun, write, lease)
    lease.release()


def move_run(home: Path, path: str, rerun: Rerun) -> None:
    """Take a run out of the logs and publish it as a re-run of its cell."""
    found = home / "logs" / path
    publish(home, found, path, rerun)
    shutil.rmtree(found)


def write_record(home: Path, place: str, rerun: dict[str, object]) -> None:
    """Write a `run.json` as somebody else would: whatever JSON can hold."""
    path = home / "reruns" / place / "run.json"
    path.write_text(json.dumps(rerun), encoding="utf-8")
