"""Two clients of one file server, each with names and attributes that are up to a second old.

Two FUSE mounts of one folder (bindfs) stand in for them: what one writes the other sees late, and
a lock of one is none of the other. Needs bindfs, and root or the right to mount.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.event_file import encode, header, scalar, write_scalars
from fakes.killed import FAULTS, begin, digests, finish
from fakes.stores import PLACES, READ, TRAIN, assert_whole, points_digest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("bindfs"), reason="no bindfs"),
]

OLD = 1.0
"""Seconds for which a client believes what it saw."""

ROUNDS = 2 if FAULTS < 10 else 20


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Path]:
    """A folder with `back`, which is on the server, and the clients `a` and `b`."""
    kinds = ("attr_timeout", "entry_timeout", "negative_timeout", "ac_attr_timeout")
    options = ",".join(f"{kind}={OLD}" for kind in kinds)
    mounted = []
    for name in ("back", "a", "b"):
        (tmp_path / name).mkdir()
    try:
        for name in ("a", "b"):
            command = ["bindfs", "-o", options, str(tmp_path / "back"), str(tmp_path / name)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
            if done.returncode:
                pytest.skip(f"no FUSE here: {done.stderr.strip()[:80]}")
            mounted.append(tmp_path / name)
        yield tmp_path
    finally:
        for place in mounted:
            subprocess.run(["umount", str(place)], check=True)


def write_lab(folder: Path, best: float) -> None:
    for seed in (1, 2):
        points = [(step, best + seed + step / 100) for step in (10, 20, 30)]
        write_scalars(folder / f"g_seed{seed}", {"val/accuracy": points, "test/accuracy": points})


def building(client: Path, lab: Path, out: str = "out") -> list[str]:
    asked = ["build", "--runs", str(lab), "--quiet", "--format", "md,html,json"]
    return [sys.executable, "-m", "reportgen", *asked, "--out", f"{client / out}/"]


def test_the_clients_see_late_what_the_other_wrote(server):
    """What the others stand on: without it they would say nothing."""
    (server / "a/f").write_text("one")
    assert (server / "b/f").stat().st_size == 3
    (server / "a/f").write_text("longer")
    assert (server / "b/f").stat().st_size == 3
    time.sleep(1.2 * OLD)
    assert (server / "b/f").stat().st_size == 6


def test_a_log_that_grows_on_another_client_says_nothing_that_it_never_said(server):
    name, written, known = "events.out.tfevents.1.h", 300, {}
    log, seen = server / "a" / name, server / "b" / name
    log.write_bytes(encode([header(), *(scalar("loss", s, s / 7) for s in range(written))]))
    command = [sys.executable, "-c", READ, str(seen), str(server / "b" / "columns")]
    known[str(written)] = points_digest(written)
    for _ in range(5 * ROUNDS):
        code_out = begin(server, command).communicate(timeout=60)
        count, digest, _ = code_out[0].split()
        assert digest == known[count], code_out
        with log.open("ab") as stream:
            stream.write(encode([scalar("loss", s, s / 7) for s in range(written, written + 9)]))
        written += 9
        known[str(written)] = points_digest(written)
    time.sleep(1.2 * OLD)
    printed, said = begin(server, command).communicate(timeout=60)
    assert printed.split()[:2] == [str(written), points_digest(written)], said


def test_builds_of_two_clients_into_one_folder_leave_whole_files(server):
    good = {}
    for lab, best in (("one", 80.0), ("two", 70.0)):
        write_lab(server / lab, best)
        assert finish(begin(server, building(server, server / lab, f"good-{lab}")))[0] == 0
        good[lab] = digests(server / f"good-{lab}")
    cache = {"REPORTGEN_CACHE": str(server / "b" / "cache")}
    for _ in range(ROUNDS):
        together = [
            begin(server, building(server / client, server / lab), environment=cache)
            for client, lab in (("a", "one"), ("b", "two"), ("b", "one"), ("a", "two"))
        ]
        ends = [finish(process) for process in together]
        assert [code for code, _ in ends] == [0] * 4, [said for _, said in ends]
        for name, digest in digests(server / "back/out").items():
            assert digest in {good[lab][name] for lab in good}, f"{name} is of no build"
        for client, lab in (("a", "one"), ("b", "two")):
            code, said = finish(begin(server, building(server / client, server / lab)))
            assert (code, digests(server / "back/out")) == (0, good[lab]), said


def test_workers_of_two_clients_fill_one_run_store_with_whole_runs(server):
    for round_ in range(ROUNDS):
        roots = [server / client / f"reruns{round_}" for client in ("a", "b", "a", "b")]
        workers = [
            begin(server, [sys.executable, "-c", TRAIN, str(root), *PLACES]) for root in roots
        ]
        for worker in workers:
            _, said = worker.communicate(timeout=120)
            assert worker.returncode == 0 or "LostLeaseError" in said, said
        time.sleep(1.2 * OLD)
        command = [sys.executable, "-c", TRAIN, str(roots[0]), *PLACES]
        assert finish(begin(server, command))[0] == 0
        assert assert_whole(server / "back" / f"reruns{round_}").keys() == set(PLACES)
