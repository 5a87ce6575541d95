"""Builds, checks and stores on a bad file server: a library before the C library stands in for it.

Renames between disks, locks and links that there are not, handles that went stale, answers that
got lost, errors as late as when a file is closed, files that keep a name while they are open, and
attributes that are some seconds old. Some in the usual run; `REPORTGEN_FAULTS=100` takes them all.
"""

import hashlib
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fakes.event_file import encode, header, scalar, write_scalars
from fakes.killed import FAULTS, begin, digests
from fakes.rows import rows_beside
from fakes.stores import PLACES, READ, TRAIN, assert_whole, points_digest

from reportgen.train.store import RunStore

ROWS = rows_beside(__file__)

COMPILER = shutil.which("cc") or shutil.which("gcc")
SHIM = Path(__file__).resolve().parents[1] / "fakes" / "file_server" / "shim.c"

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the library is of Linux"),
    pytest.mark.skipif(not COMPILER, reason="no C compiler"),
]

KINDS = ROWS["kinds"]
EVERY = [
    f"{function}={what}{at}"
    for function, kinds in KINDS.items()
    for what in kinds
    for at in ("", "@1", "@2")
    if at or (function, what) != ("create", "LOST")
]
"""Of a file server that loses the answer to every new name nobody has a new name."""
CASES = EVERY if FAULTS >= 10 else random.Random(3).sample(EVERY, 2)


@pytest.fixture(scope="module")
def shim(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("shim") / "server.so"
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([COMPILER, *flags, "-o", str(made), str(SHIM), "-ldl"], check=True)
    return made


class Server:
    """A folder of a file server, and what it does wrong."""

    def __init__(self, home: Path, shim: Path) -> None:
        self.home, self.folder, self._shim = home, home / "server", shim
        self.folder.mkdir()

    def run(self, command: list[str], faults: str = "", stale: str = "") -> tuple[int, str, str]:
        """Run a program; return its exit code, and what it printed and said."""
        told = {"REPORTGEN_CACHE": str(self.folder / "cache")}
        if faults or stale:
            told |= {"LD_PRELOAD": str(self._shim), "SERVER_BELOW": str(self.folder)}
            told |= {"SERVER_FAULTS": faults, "SERVER_TOLD": str(self.home / "told")}
            (self.home / "stale").write_text(stale)
            told["SERVER_STALE"] = str(self.home / "stale")
        process = begin(self.home, command, environment=told)
        printed, said = process.communicate(timeout=120)
        return process.returncode, printed, said

    def is_hit(self) -> bool:
        """Tell whether something went wrong since this was last asked."""
        told = self.home / "told"
        found = told.exists() and bool(told.read_text())
        told.unlink(missing_ok=True)
        return found


@pytest.fixture
def server(tmp_path, shim) -> Server:
    for name, best in (("a", 80.0), ("b", 70.0)):
        for seed in (1, 2):
            points = [(step, best + seed + step / 100) for step in (10, 20, 30)]
            write_scalars(
                tmp_path / name / f"g_seed{seed}", {"val/accuracy": points, "test/accuracy": points}
            )
    return Server(tmp_path.resolve(), shim)


def seen(folder: Path) -> dict[str, str]:
    """Return what bears a name of ours, with its digest."""
    hidden = (".reportgen-", ".nfs")
    return {n: d for n, d in digests(folder).items() if not n.split("/")[-1].startswith(hidden)}


def building(name: str, out: Path) -> list[str]:
    asked = ["build", "--runs", name, "--quiet", "--format", "md,html,json", "--out", f"{out}/"]
    return [sys.executable, "-m", "reportgen", *asked]


def checking(name: str, out: Path) -> list[str]:
    asked = ["check", f"class-{name}", "--runs", "a", "--jobs", "1", "--quiet", "--out", f"{out}/"]
    return [sys.executable, "-m", "reportgen", *asked, "--format", "json,html,junit"]


@dataclass
class Reports:
    """What is written again and again into one folder of a server.

    Attributes:
        good: What an undisturbed command leaves of each lab or class.
        fine: The exit code it ends with.
    """

    server: Server
    command: Callable[[str, Path], list[str]]
    good: dict[str, dict[str, str]] = field(default_factory=dict)
    fine: dict[str, int] = field(default_factory=dict)

    def prepare(self) -> None:
        for name in "ab":
            where = self.server.home / f"good-{name}"
            self.fine[name], _, said = self.server.run(self.command(name, where))
            assert self.fine[name] in {0, 1}, said
            self.good[name] = seen(where)
        assert self.good["a"] != self.good["b"]

    def strike(self, faults: str, name: str) -> bool:
        """Write one under faults; tell whether one of them hit."""
        out = self.server.folder / "out"
        code, _, said = self.server.run(self.command(name, out), faults)
        hit = self.server.is_hit()
        assert not any(word in said for word in ("Traceback", "internal")), said
        found = seen(out) if out.exists() else {}
        assert all(d in {self.good["a"][n], self.good["b"][n]} for n, d in found.items()), found
        if code in {0, 1}:
            assert (code, found) == (self.fine[name], self.good[name]), said
        else:
            assert (code, hit) == (2, True), said
            assert "error: cannot write" in said, said
        return hit

    def mend(self, name: str) -> None:
        """Write one with no fault: it is right, and nothing else is left."""
        out = self.server.folder / "out"
        code, _, said = self.server.run(self.command(name, out))
        assert (code, seen(out)) == (self.fine[name], self.good[name]), said
        assert not [*out.rglob(".reportgen-*")]


@pytest.mark.parametrize("command", [building, checking])
def test_a_report_on_a_bad_server_is_whole_or_refused(server, command):
    for name, value in (("a", "81.50"), ("b", "93.40")):
        report = server.home / f"class-{name}" / "ann" / "report.md"
        report.parent.mkdir(parents=True)
        report.write_text(f"# Lab\n\nThe mean test accuracy is {value} %.\n")
    reports, hits, broken = Reports(server, command), 0, []
    reports.prepare()
    for round_, faults in enumerate(CASES):
        try:
            hits += reports.strike(faults, "ab"[round_ % 2])
            reports.mend("ba"[round_ % 2])
        except AssertionError as error:
            broken.append(f"{faults}: {error}")
    assert not broken, "\n\n".join(broken)
    assert hits or FAULTS < 10


def test_what_a_file_server_may_lack_is_no_reason_to_fail(server):
    """Locks, modes, times of one's own, and files that go away while they are open."""
    out, lacks = server.folder / "out", "lock=ENOLCK,chmod=EPERM,utime=EPERM,unlink=SILLY"
    for _ in range(2):
        code, _, said = server.run(building("a", out), lacks)
        assert (code, said) == (0, "")
        assert server.is_hit()
    assert server.run(building("a", server.home / "good"))[0] == 0
    assert seen(out) == seen(server.home / "good")


def test_columns_on_a_bad_server_are_those_of_the_log(server):
    log = server.home / "events.out.tfevents.1.h"
    command = [sys.executable, "-c", READ, str(log), str(server.folder / "columns")]
    written = 300
    log.write_bytes(encode([header(), *(scalar("loss", s, s / 7) for s in range(written))]))
    for faults in CASES:
        with log.open("ab") as stream:
            stream.write(encode([scalar("loss", s, s / 7) for s in range(written, written + 9)]))
        written += 9
        wanted = [str(written), points_digest(written)]
        for now in (faults, ""):
            code, printed, said = server.run(command, now)
            assert (code, printed.split()[:2]) == (0, wanted), (faults, said)


def test_attributes_that_are_old_hide_no_growth_for_longer_than_they_live(server):
    """A client that looks by name sees an earlier size and time; one that opens sees the truth."""
    log = server.folder / "events.out.tfevents.1.h"
    command = [sys.executable, "-c", READ, str(log), str(server.folder / "columns")]
    written = 300
    log.write_bytes(encode([header(), *(scalar("loss", s, s / 7) for s in range(written))]))
    wanted = {}
    for _ in range(6):
        state = log.stat()
        wanted[str(written)] = points_digest(written)
        code, printed, said = server.run(command)
        assert (code, printed.split()[1]) == (0, wanted[str(written)]), said
        with log.open("ab") as stream:
            stream.write(encode([scalar("loss", s, s / 7) for s in range(written, written + 9)]))
        written += 9
        wanted[str(written)] = points_digest(written)
        seconds, nanoseconds = divmod(state.st_mtime_ns, 10**9)
        stale = f"{state.st_size} {seconds} {nanoseconds} {log}\n"
        code, printed, said = server.run(command, stale=stale)
        assert code == 0, said
        assert server.is_hit()
        points, digest, _ = printed.split()
        assert digest == wanted[points], "neither what it was nor what it is"
    code, printed, said = server.run(command)
    whole = hashlib.sha256(log.read_bytes()).hexdigest()
    assert (code, printed.split()) == (0, [str(written), points_digest(written), whole]), said


NEEDED = {"link=EPERM", "link=EOPNOTSUPP", "link=LOST", "lock=ENOLCK", "fsync_folder=EINVAL"}
"""What a run store has to do without."""


@pytest.mark.parametrize("faults", sorted({*CASES, *NEEDED}))
def test_a_run_store_on_a_bad_server_has_whole_runs_and_goes_on(server, faults):
    root = server.folder / "reruns"
    command = [sys.executable, "-c", TRAIN, str(root), *PLACES]
    code, _, said = server.run(command, faults)
    before = assert_whole(root)
    if code:
        assert re.search(r"Error: \[Errno|OutputError|LostLeaseError", said), said
        assert faults not in NEEDED, said
    else:
        assert before.keys() == set(PLACES)
    code, _, said = server.run(command)
    assert code == 0, said
    after = assert_whole(root)
    assert {**after, **before} == after, "a run that was there was written again"
    assert after.keys() == set(PLACES)
    store = RunStore(root)
    assert not store.failures()
    assert not store.read_all().problems
