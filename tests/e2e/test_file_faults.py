"""Builds that are killed, or refused by the disk, at each of their operations on files.

A file of a report is always whole, of the build before or of the one after; the next build gives
the bytes of one that nobody disturbed, and removes what was left. Some operations in the usual
run; `REPORTGEN_FAULTS=100` takes as many, every one at least once, and as
many moments.
"""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.killed import FAULTS, begin, digests, finish, numbers

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]

FORMATS = "md,html,json"
ERRORS = ("ENOSPC", "EIO", "EDQUOT", "EROFS", "ESTALE", "EACCES", "ENAMETOOLONG", "EMFILE")


def start(
    home: Path, lab: str, out: str = "out", below: str = "", **hook: object
) -> subprocess.Popen[str]:
    """Begin to build a lab into a folder, with a cache that all share."""
    command = [sys.executable, "-m", "reportgen", "build", "--runs", lab, "--quiet"]
    places = [Path(below)] if below else [home / out, home / "cache"]
    return begin(home, [*command, "--out", f"{out}/", "--format", FORMATS], *places, **hook)


@pytest.fixture(scope="module")
def home(tmp_path_factory, project) -> Path:
    """Two labs that give different reports."""
    home = tmp_path_factory.mktemp("faults")
    logs = project / "inputs" / "tiny-reviews-hf" / "logs"
    for lab, without in (("a", 0), ("b", -1)):
        shutil.copytree(logs, home / lab)
        shutil.rmtree(sorted(path for path in (home / lab).iterdir() if path.is_dir())[without])
    return home


@pytest.fixture(scope="module")
def good(home) -> dict[str, dict[str, str]]:
    """What an undisturbed build of each lab gives."""
    for lab in ("a", "b"):
        assert finish(start(home, lab, f"good-{lab}"))[0] == 0
    found = {lab: digests(home / f"good-{lab}") for lab in ("a", "b")}
    assert found["a"].keys() == found["b"].keys()
    assert found["a"]["report.json"] != found["b"]["report.json"]
    return found


@pytest.fixture(scope="module")
def operations(home) -> int:
    """How often a build that makes everything anew asks the system to change a file."""
    told = home / "told"
    assert finish(start(home, "a", "counted", told=told))[0] == 0
    count = len(told.read_text(encoding="utf-8").splitlines())
    assert count > 20
    return count


def forget(home: Path) -> None:
    """Make a kept build of no use, and leave the cache as it is."""
    for lab in ("a", "b"):
        os.utime(next((home / lab).rglob("*.json")))


def is_whole(home: Path, good: dict[str, dict[str, str]]) -> None:
    """Every file that bears its name is one that somebody built."""
    found = {n: d for n, d in digests(home / "out").items() if ".reportgen-" not in n}
    for name, digest in found.items():
        assert digest in {good[lab][name] for lab in good}, f"{name} is of no build"


def is_right(home: Path, lab: str, good: dict[str, dict[str, str]]) -> None:
    """The next build gives what one gives that nobody disturbed, and leaves nothing else."""
    code, said = finish(start(home, lab))
    assert code == 0, said
    assert digests(home / "out") == good[lab]
    assert not [*(home / "out").rglob(".reportgen-*")]


def test_a_build_killed_at_any_operation_leaves_whole_files(home, good, operations):
    killed = 0
    for round_, at in enumerate(numbers(operations)):
        lab, other = ("a", "b") if round_ % 2 else ("b", "a")
        forget(home)
        process = start(home, lab, at=at, do="kill")
        process.communicate(timeout=300)
        killed += process.returncode == -signal.SIGKILL
        assert process.returncode in {0, -signal.SIGKILL}
        is_whole(home, good)
        is_right(home, other if round_ % 3 else lab, good)
    assert killed >= FAULTS / 2
    assert not [*(home / "cache").rglob(".new-*")]


def test_a_disk_that_refuses_any_operation_is_said(home, good, operations):
    refused = 0
    for round_, at in enumerate(numbers(operations)):
        forget(home)
        before = digests(home / "out") if (home / "out").exists() else {}
        lab, error = "ab"[round_ % 2], ERRORS[(round_ + at) % len(ERRORS)]
        code, said = finish(start(home, lab, at=at, do=error))
        assert code in {0, 2}, (at, error, code, said)
        is_whole(home, good)
        if code:
            refused += 1
            assert "error: cannot write" in said, (at, error, said)
            if "nothing there was changed" in said:
                found = digests(home / "out")
                assert {n: found.get(n) for n in before} == before, (at, error)
        else:
            # What could not be kept is no reason to fail: the report is there.
            assert digests(home / "out") == good[lab], (at, error)
        is_right(home, lab, good)
    assert refused or FAULTS < 10


@pytest.mark.parametrize("labs", ["aa", "ab"] if FAULTS < 10 else ["aaaaaaaa", "abababab"])
def test_builds_at_once_into_one_folder_leave_the_report_of_one(home, good, labs):
    for _ in range(max(1, FAULTS // 10)):
        forget(home)
        shutil.rmtree(home / "out", ignore_errors=True)
        together = [start(home, lab) for lab in labs]
        assert [finish(process)[0] for process in together] == [0] * len(labs)
        assert digests(home / "out") in [good[lab] for lab in set(labs)]
    assert not [*(home / "cache").rglob(".new-*")]


def test_what_a_file_server_refuses_once_is_said_and_not_remembered(home, good):
    """Other clients' renames make handles stale: the next build finds everything there."""
    told, seen = home / "read", 0
    reading = {"below": str(home / "a"), "events": "read"}
    shutil.rmtree(home / "cache", ignore_errors=True)
    assert finish(start(home, "a", **reading, told=told))[0] == 0
    places = told.read_text(encoding="utf-8").splitlines()
    opened = [int(line.split()[0]) for line in places if " open " in line]
    rng = random.Random(FAULTS)
    chosen = opened if len(opened) <= FAULTS else rng.sample(opened, FAULTS)
    for round_, at in enumerate(chosen):
        shutil.rmtree(home / "cache", ignore_errors=True)
        error = ("ESTALE", "EIO")[round_ % 2]
        code, said = finish(start(home, "a", **reading, at=at, do=error))
        assert code in {0, 3}, (at, said)
        if digests(home / "out") != good["a"]:
            seen += 1
            words = os.strerror(getattr(errno, error))
            assert words in said or words in (home / "out" / "report.json").read_text("utf-8")
        is_right(home, "a", good)
    assert seen or FAULTS < 10
