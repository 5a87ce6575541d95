"""Checks, kept columns and the run store, killed at each of their operations on files.

What bears its name is whole, of the program before or of the one after; the next one is right, and
leaves nothing else. `REPORTGEN_FAULTS=100` strikes a hundred times each.
"""

import hashlib
import os
import signal
import sys
from pathlib import Path

import pytest
from fakes.event_file import encode, header, scalar, write_scalars
from fakes.killed import begin, digests, finish, numbers
from fakes.stores import PLACES, READ, TRAIN, assert_whole, points_digest

from reportgen.train.store import RunStore

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]

FINDINGS = "json,html,junit,sarif,text"


def count_operations(home: Path, command: list[str], *below: Path) -> int:
    """Return how often a program asks the system to change a file."""
    code, said = finish(begin(home, command, *below, told=home / "told"))
    assert code in {0, 1}, said
    return len((home / "told").read_text(encoding="utf-8").splitlines())


def killed(home: Path, command: list[str], at: int, *below: Path) -> bool:
    """Kill a program at an operation; False where it ended before."""
    process = begin(home, command, *below, at=at, do="kill")
    _, said = process.communicate(timeout=300)
    assert process.returncode in {0, 1, -signal.SIGKILL}, said
    return process.returncode == -signal.SIGKILL


def write_class(home: Path, name: str, sentence: str) -> None:
    for student in ("ann", "bob"):
        report = home / name / student / "report.md"
        report.parent.mkdir(parents=True)
        report.write_text(f"# Lab\n\n{sentence}\n")


def test_a_check_killed_at_any_operation_leaves_whole_findings(tmp_path):
    home = tmp_path
    for seed, best in ((1, 0.80), (2, 0.82)):
        points = [(step, best - 0.01 + step / 3000) for step in (10, 20, 30)]
        write_scalars(
            home / f"logs/a_seed{seed}", {"val/accuracy": points, "test/accuracy": points}
        )
    write_class(home, "a", "The mean test accuracy is 81.00 % over 2 seeds.")
    write_class(home, "b", "We train 2 * 3 = 7 of them.")

    def command(name: str, out: str) -> list[str]:
        asked = ["check", name, "--runs", "logs", "--jobs", "1", "--quiet", "--format", FINDINGS]
        return [sys.executable, "-m", "reportgen", *asked, "--out", f"{out}/"]

    codes = [finish(begin(home, command(name, f"good-{name}")))[0] for name in "ab"]
    assert codes == [0, 1]
    good = {name: digests(home / f"good-{name}") for name in "ab"}
    assert good["a"].keys() == good["b"].keys()
    assert len(good["a"]) > len(FINDINGS.split(","))
    operations = count_operations(home, command("a", "counted"), home / "counted")
    assert operations > 20
    struck = 0
    for round_, at in enumerate(numbers(operations)):
        name, other = "ab"[round_ % 2], "ba"[round_ % 3 % 2]
        struck += killed(home, command(name, "out"), at, home / "out")
        left = digests(home / "out") if (home / "out").exists() else {}
        for file, digest in left.items():
            if ".reportgen-" not in file:
                assert digest in {good["a"][file], good["b"][file]}, f"{file} is of no check"
        assert finish(begin(home, command(other, "out")))[0] in {0, 1}
        assert digests(home / "out") == good[other]
    assert struck >= len(numbers(operations)) / 2


def test_columns_kept_by_readers_that_are_killed_are_those_of_the_log(tmp_path):
    """The log grows between two strikes, so that every reading has something to keep."""
    home, log, columns = tmp_path, tmp_path / "events.out.tfevents.1.h", tmp_path / "cache/columns"
    command = [sys.executable, "-c", READ, str(log), str(columns)]
    written = 400
    log.write_bytes(encode([header(), *(scalar("loss", s, s / 7) for s in range(written))]))
    operations = count_operations(home, command, home / "cache")
    assert operations >= 3
    struck = 0
    for at in numbers(operations):
        more = [scalar("loss", s, s / 7) for s in range(written, written + 37)]
        written += len(more)
        with log.open("ab") as stream:
            stream.write(encode(more))
        struck += killed(home, command, at, home / "cache")
        for _ in range(2):
            said, errors = begin(home, command).communicate(timeout=60)
            whole = hashlib.sha256(log.read_bytes()).hexdigest()
            assert said.split() == [str(written), points_digest(written), whole], errors
    assert struck >= len(numbers(operations)) / 2
    assert len([path for path in columns.iterdir() if path.name.startswith(".")]) <= struck


def test_a_run_store_whose_workers_are_killed_has_whole_runs_and_goes_on(tmp_path):
    home = tmp_path
    command = [sys.executable, "-c", TRAIN]
    operations = count_operations(home, [*command, "counted", *PLACES], home / "counted")
    good = {path for path in digests(home / "counted") if path.startswith("g/")}
    assert operations > 40
    struck = 0
    for round_, at in enumerate(numbers(operations)):
        root = home / f"reruns{round_}"
        struck += killed(home, [*command, str(root), *PLACES], at, root)
        before = assert_whole(root)
        code, said = finish(begin(home, [*command, str(root), *PLACES]))
        assert code == 0, said
        after = assert_whole(root)
        assert {**after, **before} == after, "a run that was there was written again"
        assert after.keys() == set(PLACES)
        assert {path for path in digests(root) if path.startswith("g/")} == good
        store = RunStore(root)
        assert not store.failures()
        assert not store.read_all().problems
    assert struck >= len(numbers(operations)) / 2
