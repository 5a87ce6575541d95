"""Temporaries of killed processes go; those of who may still write stay."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reportgen.read.store import LEFT_S, forget_left, own

PREFIX = ".reportgen-"
NAME = f"import sys; from reportgen.read.store import own; print(own({PREFIX!r}))"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="nobody asks there whether one lives")


def left_by_the_dead() -> str:
    done = subprocess.run(
        [sys.executable, "-c", NAME], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("name", "locked", "stays"),
    [
        pytest.param(lambda: own(PREFIX), True, True, id="of a process that lives"),
        pytest.param(left_by_the_dead, True, False, id="of one that ended"),
        pytest.param(left_by_the_dead, False, True, id="of one that ended, without a lock"),
        pytest.param(lambda: f"{PREFIX}0a1b2c3d.1.", True, True, id="of another machine"),
        pytest.param(lambda: PREFIX, True, False, id="of nobody who says so"),
    ],
)
def test_what_is_left_goes_and_what_may_be_written_stays(tmp_path: Path, name, locked, stays):
    path = tmp_path / f"{name()}x7"
    path.write_bytes(b"half")
    forget_left(tmp_path, PREFIX, locked=locked)
    assert path.exists() is stays


def test_after_a_day_it_goes_whosever_it_was(tmp_path: Path):
    path = tmp_path / f"{own(PREFIX)}x7"
    path.mkdir()
    (path / "blob").write_bytes(b"half")
    then = time.time() - LEFT_S - 60
    os.utime(path, (then, then))
    forget_left(tmp_path, PREFIX, locked=False)
    assert not path.exists()
