"""No connection is opened: a build works in a network namespace without any interface."""

import shutil
import subprocess
import sys

import pytest
from fakes.command import run_to_end


def alone() -> list[str]:
    """Return the command that cuts the network off, or skip where the system forbids it."""
    command = [shutil.which("unshare") or "unshare", "--map-root-user", "--net"]
    try:
        done = subprocess.run([*command, "true"], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no unshare on this system")
    if done.returncode:
        pytest.skip("this system does not let a user make a network namespace")
    return command


def test_a_build_needs_no_network(lab, tmp_path):
    done = run_to_end(
        [
            *alone(),
            *(sys.executable, "-m", "reportgen", "build", str(lab / "study.toml")),
            *("--out", "out/report.pdf", "--no-cache"),
        ],
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 100_000
