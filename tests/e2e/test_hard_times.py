"""Full disks, folders nobody may write to, too few open files, clocks that go back, moving logs.

Mounts and other users take root; where the tests run without, limits of the process stand in for
some of them, and the rest is skipped with the reason. With `REPORTGEN_FAULTS` there are more files.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.command import run_to_end
from fakes.event_file import encode, header, scalar, write_scalars
from fakes.killed import digests

import reportgen
from reportgen.read.logs.events import load_events
from reportgen.records.errors import EvidenceError

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(os.name != "posix", reason="mounts, users and limits of POSIX"),
]

FORMATS = ("--format", "md,json", "--quiet")


def build(
    home: Path,
    *more: str,
    prefix: tuple[str, ...] = (),
    limit: Callable[[], None] | None = None,
    cache: Path | None = None,
) -> tuple[int, str]:
    """Build the lab of a folder; return the exit code and what was said."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REPORTGEN_")}
    done = run_to_end(
        [*prefix, sys.executable, "-m", "reportgen", "build", "--runs", "logs", *FORMATS, *more],
        cwd=home,
        preexec_fn=limit,
        timeout=300,
        env={
            **kept,
            "REPORTGEN_CACHE": str(cache or home / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "internal" not in done.stderr, done.stderr
    return done.returncode, done.stderr


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_lab(tmp_path / "logs", 70.0)
    # So that whoever is named may look in.
    for folder in (tmp_path, *list(tmp_path.parents)[:3]):
        with contextlib.suppress(PermissionError):
            folder.chmod(folder.stat().st_mode | 0o055)
    return tmp_path


def write_lab(logs: Path, best: float) -> None:
    for seed in (1, 2):
        points = [(step, best + seed + step / 100) for step in (10, 20, 30)]
        write_scalars(logs / f"a_seed{seed}", {"val/accuracy": points, "test/accuracy": points})


@contextlib.contextmanager
def mounted(folder: Path, *options: str) -> Iterator[Path]:
    """Mount something on a folder, or skip where one may not."""
    folder.mkdir(exist_ok=True)
    done = run_to_end(["mount", *options, str(folder)])
    if done.returncode:
        pytest.skip(f"no mount here: {done.stderr.strip()[:80]}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_full_leaves_the_report_before(home):
    with mounted(home / "out", "-t", "tmpfs", "-o", "size=2m", "none") as out:
        assert build(home, "--out", "out/")[0] == 0
        before = digests(out)
        free = os.statvfs(out)
        (out / "ballast").write_bytes(bytes(free.f_bavail * free.f_frsize - 4096))
        write_lab(home / "logs2", 60.0)
        shutil.rmtree(home / "logs")
        (home / "logs2").rename(home / "logs")
        code, said = build(home, "--out", "out/")
        assert code == 2
        assert "No space left on device" in said
        assert "nothing there was changed" in said
        (out / "ballast").unlink()
        assert digests(out) == before
        assert build(home, "--out", "out/")[0] == 0
        assert digests(out).keys() == before.keys()
        assert digests(out) != before


@pytest.mark.parametrize("size", ["16k", "1m"])
def test_a_cache_on_another_disk_full_or_not_is_no_fault(home, size):
    """Nothing is ever renamed from the cache into the folder of the output."""
    with mounted(home / "cache", "-t", "tmpfs", "-o", f"size={size}", "none") as cache:
        assert build(home, "--out", "out/")[0] == 0
        first = digests(home / "out")
        shutil.rmtree(home / "out")
        assert build(home, "--out", "out/")[0] == 0
        assert digests(home / "out") == first
        assert not list(cache.rglob(".new-*"))
        assert bool(list(cache.rglob("index.json"))) == (size == "1m")


def test_a_disk_that_may_only_be_read_is_said(home):
    assert build(home, "--out", "out/")[0] == 0
    before = digests(home / "out")
    with mounted(home / "view", "--bind", "-o", "ro", str(home / "out")):
        code, said = build(home, "--out", "view/")
        assert (code, "cannot write into view: Read-only file system" in said) == (2, True), said
        assert digests(home / "view") == before


@pytest.mark.skipif(not shutil.which("setpriv"), reason="no setpriv")
def test_another_users_folder_is_said_and_an_unwritable_cache_is_not(home):
    if os.geteuid():
        pytest.skip("only root may run as somebody else")
    nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    probe = subprocess.run(
        [*nobody, sys.executable, "-c", "import reportgen"], check=False, cwd=home
    )
    if probe.returncode:
        pytest.skip("nobody else can read this Python")
    (home / "out").mkdir()
    code, said = build(home, "--out", "out/", prefix=nobody)
    assert (code, "cannot write into out: Permission denied" in said) == (2, True), said
    assert not list((home / "out").iterdir())
    (home / "out").chmod(0o777)
    code, said = build(home, "--out", "out/", prefix=nobody)
    assert code == 0, said
    assert not (home / "cache").exists()


@pytest.mark.parametrize(
    ("most", "files"),
    [(64, 5000), (5000, 6000)] if "REPORTGEN_FAULTS" in os.environ else [(64, 300)],
)
def test_few_open_files_are_enough_for_many_logs(tmp_path, most, files):
    for number in range(files):
        points = [scalar("val/acc", step, 0.5 + step / 9, 1e9 + number) for step in (1, 2)]
        folder = tmp_path / "logs" / f"g{number % 3}_seed{number}"
        folder.mkdir(parents=True)
        (folder / "events.out.tfevents.1.h").write_bytes(encode([header(), *points]))
    code = f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))
import reportgen
runs = reportgen.load("logs")
assert len(runs.runs) == {files}, len(runs.runs)
assert not [p for p in runs.all_problems() if p.level == "warning"], runs.all_problems()[:3]
"""
    done = run_to_end([sys.executable, "-c", code], cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-600:]


def test_a_clock_that_went_back_hides_no_change(home):
    """Files from the future, and a change that leaves size and time of a file as they were."""
    ahead = 4_000_000_000
    log = next((home / "logs" / "a_seed1").iterdir())
    os.utime(log, (ahead, ahead))
    assert build(home, "--out", "out/")[0] == 0
    first, size = digests(home / "out"), log.stat().st_size
    for back in (ahead, 1):
        other = home / "other"
        points = [(step, 50.0 + step + back % 7) for step in (10, 20, 30)]
        write_scalars(other, {"val/accuracy": points, "test/accuracy": points})
        (made,) = other.iterdir()
        assert made.stat().st_size == size
        log.write_bytes(made.read_bytes())
        os.utime(log, (back, back))
        shutil.rmtree(other)
        assert build(home, "--out", "out/")[0] == 0
        assert digests(home / "out") != first
        fresh = home / f"fresh{back}"
        assert build(home, "--out", str(fresh), "--no-cache")[0] == 0
        assert digests(fresh) == digests(home / "out")
        first = digests(fresh)


def records(count: int) -> bytes:
    return encode([header(), *(scalar("loss", step, step / 7) for step in range(count))])


def moved(log: Path, how: str, over: threading.Event) -> None:
    """Change a log for as long as it is read."""
    whole = records(4000)
    at = 0
    while not over.is_set():
        at = (at + 3331) % len(whole)
        if how == "grows":
            with log.open("ab") as stream:
                stream.write(whole[log.stat().st_size :][:777])
        elif how == "replaced":
            log.with_name("new").write_bytes(whole[:at])
            log.with_name("new").replace(log)
        elif how == "cut":
            with log.open("r+b") as stream:
                stream.truncate(at)
                stream.seek(0)
                stream.write(whole[: at + 500])
        else:
            log.unlink(missing_ok=True)
            log.write_bytes(whole[:at])


@pytest.mark.parametrize("how", ["grows", "replaced", "cut", "deleted"])
def test_a_log_that_moves_while_it_is_read_says_nothing_that_it_never_said(tmp_path, how):
    log, over = tmp_path / "a" / "events.out.tfevents.1.h", threading.Event()
    log.parent.mkdir()
    log.write_bytes(records(50))
    known = {(step, float(points)) for step, points in _points(records(4000), tmp_path)}
    mover = threading.Thread(target=moved, args=(log, how, over))
    mover.start()
    try:
        for _ in range(40):
            (one,) = load_events(log, log.name)
            said = {
                (int(s), float(v))
                for series in one.series.values()
                for s, v in zip(series.steps, series.values, strict=True)
            }
            assert said <= known
            # Where a moment leaves no run to read, a warning says why.
            with contextlib.suppress(EvidenceError, UserWarning):
                runs = reportgen.load(tmp_path / "a")
                assert all(len(run.scalars) <= 1 for run in runs.runs)
    finally:
        over.set()
        mover.join()


def _points(content: bytes, folder: Path) -> list[tuple[int, float]]:
    path = folder / "whole.tfevents"
    path.write_bytes(content)
    (log,) = load_events(path, path.name)
    path.unlink()
    (series,) = log.series.values()
    return [(int(s), float(v)) for s, v in zip(series.steps, series.values, strict=True)]
