"""Many logs, read by several processes, which may be interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes.command import reportgen
from fakes.jobs import PATIENCE_S, wait_until
from fakes.many_runs import write_runs

from reportgen.records.errors import ExitCode

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")


def in_session(number):
    """Processes of a session; each command here has one of its own."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == number and fields[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """More logs than are read before somebody interrupts."""
    folder = tmp_path_factory.mktemp("many")
    write_runs(folder, 1500, tags=10, steps=100)
    return folder


@pytest.mark.parametrize("everybody", [True, False], ids=["terminal", "process"])
@pytest.mark.parametrize("wait", [0.0, 0.1, 0.2])
def test_an_interrupt_leaves_nothing_behind(many, wait, everybody):
    command = subprocess.Popen(
        [sys.executable, "-m", "reportgen", "inspect", str(many)],
        env=os.environ | {"REPORTGEN_JOBS": "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # Itself, multiprocessing's own helper, and the first that is to read.
    wait_until(lambda: len(in_session(command.pid)) > 2)
    time.sleep(wait)
    (os.killpg if everybody else os.kill)(command.pid, signal.SIGINT)
    out, err = command.communicate(timeout=PATIENCE_S)
    assert command.returncode == ExitCode.INTERRUPTED
    assert out == ""
    assert err.strip() == "interrupted; no file was left half-written"
    wait_until(lambda: not in_session(command.pid))


def test_a_pool_is_opened_by_the_command_for_a_large_folder(tmp_path):
    write_runs(tmp_path, 120, tags=10, steps=80)
    printed = []
    for jobs in ("1", "2"):
        done = reportgen("inspect", tmp_path, "--json", cwd=tmp_path, REPORTGEN_JOBS=jobs)
        assert (done.code, done.err) == (0, "")
        printed.append(done.out)
    assert printed[0] == printed[1]
    assert len(json.loads(printed[0])["runs"]) == 120
