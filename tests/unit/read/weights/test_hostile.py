"""Files that want to harm: refused or read, at once, in little memory, and never run.

All of them are read by one child process, so that its memory is theirs alone.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.checkpoint_file import archive, pickled, table, tensor
from fakes.hostile_checkpoints import commands, refused, sound
from fakes.rows import rows_beside

from reportgen.read.weights import read_evidence
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)
pytestmark = pytest.mark.slow
SECONDS = 1.0
MEGABYTES = 200
READER = """\
import json, sys, time
from pathlib import Path
from reportgen.read.weights import read_evidence
from reportgen.records.errors import EvidenceError

told = {}
for path in map(Path, sys.argv[1:]):
    begun = time.process_time()
    try:
        found = read_evidence(path, path.name)
        said = {"total": found.total, "problems": [p.message for p in found.problems]}
    except EvidenceError as error:
        said = {"refused": error.message, "remedy": error.remedy}
    told[str(path)] = said | {"seconds": time.process_time() - begun}
# Not ru_maxrss: that of a child starts where its parent was.
status = Path("/proc/self/status")
peak = int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024 if status.exists() else 0
print(json.dumps({"told": told, "megabytes": peak}))
"""
# What a file is refused for; where it is not listed, any reason will do.
REASONS = ROWS["reasons"]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """Write every file, read all in one child, and return what it told by name."""
    folder = tmp_path_factory.mktemp("hostile")
    canary = folder / "canary"
    runs = {
        f"run_{kind}.pt": archive(pickled(table({"w": tensor(), "more": code})))
        for kind, code in commands(f"touch {canary}").items()
    }
    paths = {}
    files = {"refused": refused(), "sound": sound(), "runs": runs}
    for label, content in (files["refused"] | files["sound"] | runs).items():
        paths[label] = folder / label
        paths[label].parent.mkdir(exist_ok=True)
        paths[label].write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", READER, *map(str, paths.values())],
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parents[4])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    told = {
        kind: {label: found["told"][str(paths[label])] for label in own}
        for kind, own in files.items()
    }
    return {**told, "megabytes": found["megabytes"], "canary": canary}


def test_nothing_was_run(outcome):
    assert not outcome["canary"].exists()


def test_all_of_them_take_little_memory(outcome):
    assert outcome["megabytes"] < MEGABYTES


def test_none_takes_long(outcome):
    told = outcome["refused"] | outcome["sound"] | outcome["runs"]
    assert {k: v["seconds"] for k, v in told.items() if v["seconds"] > SECONDS} == {}


def test_files_that_cannot_be_believed_are_refused(outcome):
    for label, told in outcome["refused"].items():
        assert "refused" in told, label
        assert Path(label).name in told["refused"]
        assert REASONS.get(label, "") in told["refused"]
        assert told["remedy"], label
    assert REASONS.keys() <= outcome["refused"].keys()


def test_sound_models_beside_a_trap_are_read(outcome):
    assert {k: v for k, v in outcome["sound"].items() if v.get("total") != 6} == {}


def test_code_that_a_loader_would_run_is_named(outcome):
    named = {
        "dotted": "torch.serialization.os.system",
        "through_getattr": "builtins.getattr, os.path",
        "eval": "builtins.eval",
    }
    for kind in commands(""):
        told = outcome["runs"][f"run_{kind}.pt"]
        assert told["total"] == 6, kind
        assert told["problems"] == [
            f"this file names code that a loader would run: {named.get(kind, 'os.system')}"
        ]


def test_a_pickle_of_more_opcodes_than_any_checkpoint_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("reportgen.read.weights._pickle.MOST_OPCODES", 120_000)
    path = tmp_path / "long.pt"
    path.write_bytes(archive(pickled(b"N0" * 70_000)))
    with pytest.raises(EvidenceError, match="too long"):
        read_evidence(path, path.name)
