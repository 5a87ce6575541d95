"""Files that want to harm: refused or read, at once, in little memory, and never run.

All of them are read by one child process, so that its memory is theirs alone.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes.checkpoint_file import archive, pickled, table, tensor
from fakes.hostile_checkpoints import READ, REFUSED, commands
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
    for label, content in (REFUSED | READ | runs).items():
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
    told = {label: found["told"][str(path)] for label, path in paths.items()}
    return {"told": told, "megabytes": found["megabytes"], "canary": canary}


def test_nothing_was_run(outcome):
    assert not outcome["canary"].exists()


def test_all_of_them_take_little_memory(outcome):
    assert outcome["megabytes"] < MEGABYTES


def test_none_takes_long(outcome):
    slow = {k: v["seconds"] for k, v in outcome["told"].items() if v["seconds"] > SECONDS}
    assert slow == {}


@pytest.mark.parametrize("label", sorted(REFUSED))
def test_a_file_that_cannot_be_believed_is_refused(label, outcome):
    told = outcome["told"][label]
    assert "refused" in told, told
    assert Path(label).name in told["refused"]
    assert REASONS.get(label, "") in told["refused"]
    assert told["remedy"]


@pytest.mark.parametrize("label", sorted(READ))
def test_a_sound_model_beside_a_trap_is_read(label, outcome):
    assert outcome["told"][label].get("total") == 6, outcome["told"][label]


@pytest.mark.parametrize("kind", sorted(commands("")))
def test_code_that_a_loader_would_run_is_named(kind, outcome):
    told = outcome["told"][f"run_{kind}.pt"]
    named = {
        "dotted": "torch.serialization.os.system",
        "through_getattr": "builtins.getattr",
        "eval": "builtins.eval",
    }.get(kind, "os.system")
    assert told["total"] == 6
    assert told["problems"] == [
        f"this file names code that a loader would run: {named}"
        + ", os.path" * (kind == "through_getattr")
    ]


def test_a_pickle_of_more_opcodes_than_any_checkpoint_is_refused_in_bounded_time(tmp_path):
    path = tmp_path / "long.pt"
    path.write_bytes(archive(pickled(b"N0" * 7_000_000)))
    begun = time.process_time()

    with pytest.raises(EvidenceError, match="too long"):
        read_evidence(path, path.name)

    assert time.process_time() - begun < 20
