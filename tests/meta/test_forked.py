"""A fork of the program does what the program does that is started."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes import command
from fakes.forked import Forks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are made on Linux only")


@pytest.fixture(scope="module")
def forks():
    made = Forks(os.environ)
    yield made
    made.close()


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["biuld"],
        ["inspect", "--json", "absent"],
        ["build", "--runs", "absent", "--out", "o"],
        ["build", "--runs", "{lab}", "--quiet", "--out", "o", "--format", "json,md"],
    ],
    ids=" ".join,
)
def test_it_ends_as_the_program_does_and_writes_the_same(forks, small_lab, tmp_path, words):
    arguments = [word.format(lab=small_lab) for word in words]
    environment = {**os.environ, "REPORTGEN_CACHE": str(tmp_path / "cache"), "COLUMNS": "70"}
    forked, started = tmp_path / "forked", tmp_path / "started"
    for folder in (forked, started):
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "reportgen", *arguments],
        cwd=started,
        env=environment,
        timeout=300,
        capture_output=True,
        text=True,
        check=False,
    )
    ended = forks.run(arguments, forked, environment, 300)
    assert ended == (done.returncode, done.stdout, done.stderr)
    assert files_of(forked) == files_of(started)


def files_of(folder: Path) -> dict[Path, bytes]:
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_an_environment_is_that_of_one_fork(forks, tmp_path):
    widths = []
    for columns in ("60", "120", "60"):
        environment = {**os.environ, "COLUMNS": columns}
        code, out, _ = forks.run(["build", "--help"], tmp_path, environment, 300)
        assert code == 0
        widths.append(max(map(len, out.splitlines())))
    assert widths[0] == widths[2] < widths[1]


def test_a_command_is_forked_whatever_libraries_leave_in_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "6640")
    monkeypatch.delattr(command, "run_to_end")
    assert command.reportgen("--version", cwd=tmp_path).code == 0


def test_what_does_not_end_is_killed(small_lab, tmp_path):
    forks = Forks(os.environ)
    with pytest.raises(subprocess.TimeoutExpired):
        forks.run(["serve", "--runs", str(small_lab), "--port", "0"], tmp_path, os.environ, 1)
    forks.close()
    assert forks.taken
    patience = time.monotonic() + 60
    while any(folder_of(place) == tmp_path for place in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < patience, "it still runs"
        time.sleep(0.1)


def folder_of(process: Path) -> Path | None:
    """Return where a process is; none of one that has ended or is somebody else's."""
    try:
        return (process / "cwd").readlink()
    except OSError:
        return None
