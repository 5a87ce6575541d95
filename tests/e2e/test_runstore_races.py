"""Five processes fill one run store while they are killed and frozen at random."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from fakes.jobs import PATIENCE_S

from reportgen.train.store import RunStore

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(os.name == "nt", reason="no SIGSTOP and no SIGKILL there"),
]

TTL = 0.5
WORKERS, RUNS, STEPS = 5, 12, 20

# A run is a chain of digests: whoever goes on from a wrong checkpoint ends with another value.
WORKER = """
import hashlib, json, os, random, sys, time
from pathlib import Path
from reportgen.records.run import Rerun
from reportgen.train.store import run_key
from reportgen.train.store import LostLeaseError, RunStore

root, ttl, steps, log, *places = sys.argv[1:]
store = RunStore(Path(root), ttl=float(ttl))

def tell(*words):
    handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, (" ".join(words) + "\\n").encode())
    os.close(handle)

def resume(job, place):
    for path in store.checkpoints(job):
        try:
            step, value = json.loads(path.read_bytes())
        except FileNotFoundError:
            continue
        return step, value
    return 0, place

def train(place, key, lease):
    job = f"job-{key}"
    step, value = resume(job, place)
    while step < int(steps):
        time.sleep(random.uniform(0, 0.04))
        step, value = step + 1, hashlib.sha256(value.encode()).hexdigest()
        store.keep_checkpoint(job, step, json.dumps([step, value]).encode(), lease)
        store.write_progress(job, {"step": step})
    def write(folder):
        (folder / "value").write_text(value)
        time.sleep(random.uniform(0.1, 0.4))
        (folder / "who").write_text(lease.token)
    rerun = Rerun(key=key, group="g", seed=1, device="", date="2026-01-02", versions={})
    if store.publish(place, rerun, write, lease):
        tell("published", place, lease.token)
    else:
        tell("second", place, lease.token)
    store.forget_work(job)

while missing := [place for place in places if not store.done(place)]:
    store.sweep()
    random.shuffle(missing)
    for place in missing:
        key = run_key({"place": place})
        lease = store.claim([key])
        if lease is None:
            continue
        try:
            with lease:
                if not store.done(place):
                    train(place, key, lease)
        except LostLeaseError:
            tell("lost", place, lease.token)
    time.sleep(0.02)
"""


def chain(place: str) -> str:
    value = place
    for _ in range(STEPS):
        value = hashlib.sha256(value.encode()).hexdigest()
    return value


class Chaos:
    """Keeps the workers coming, and kills or freezes one of them now and then."""

    def __init__(self, command: list[str], seed: int) -> None:
        self.command = command
        self.chance = random.Random(seed)
        self.workers: list[subprocess.Popen[bytes]] = []
        self.frozen: dict[int, float] = {}
        self.count: Counter[str] = Counter()

    def start_missing(self) -> None:
        for worker in self.workers:
            # One that ended by itself found everything done; it never fails.
            assert worker.poll() in {None, 0, -signal.SIGKILL}
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < WORKERS:
            self.workers.append(subprocess.Popen(self.command))

    def strike(self) -> None:
        worker = self.chance.choice(self.workers)
        if self.chance.random() < 0.5:
            worker.kill()
            worker.wait()
            self.frozen.pop(worker.pid, None)
            self.count["killed"] += 1
        elif worker.pid not in self.frozen and worker.poll() is None:
            worker.send_signal(signal.SIGSTOP)
            self.frozen[worker.pid] = time.monotonic() + self.chance.uniform(1.5, 4) * TTL
            self.count["frozen"] += 1

    def wake(self, *, everybody: bool = False) -> None:
        for worker in self.workers:
            due = self.frozen.get(worker.pid)
            if due is not None and (everybody or due < time.monotonic()):
                worker.send_signal(signal.SIGCONT)
                del self.frozen[worker.pid]

    def end(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()


def inodes(store: RunStore, places: list[str]) -> dict[str, int]:
    return {p: (store.root / p / "run.json").stat().st_ino for p in places if store.done(p)}


def run_under_fire(store: RunStore, places: list[str], log: Path, seed: int) -> Chaos:
    """Return once every run is there and every worker has ended by itself."""
    arguments = [str(store.root), str(TTL), str(STEPS), str(log), *places]
    chaos = Chaos([sys.executable, "-c", WORKER, *arguments], seed)
    first_seen: dict[str, int] = {}
    deadline = time.monotonic() + PATIENCE_S
    try:
        while len(first_seen) < len(places):
            assert time.monotonic() < deadline, f"{len(first_seen)} of {len(places)}"
            chaos.start_missing()
            time.sleep(chaos.chance.uniform(0, 0.25))
            chaos.wake()
            chaos.strike()
            now = inodes(store, places)
            # What was published once is never replaced and never goes away.
            assert {**now, **first_seen} == now
            first_seen = now
        chaos.wake(everybody=True)
        for worker in chaos.workers:
            assert worker.wait(PATIENCE_S) in {0, -signal.SIGKILL}
        assert inodes(store, places) == first_seen
    finally:
        chaos.end()
    return chaos


@pytest.mark.parametrize("seed", [1, 2])
def test_every_run_is_published_once_and_right(tmp_path, seed):
    store = RunStore(tmp_path / "reruns", ttl=TTL)
    log = tmp_path / "log"
    log.touch()
    places = [f"group{number % 3}/{number}" for number in range(RUNS)]
    chaos = run_under_fire(store, places, log, seed)

    told = [line.split() for line in log.read_text().splitlines()]
    count = Counter(words[0] for words in told) + chaos.count
    assert min(count["killed"], count["frozen"]) >= 5, count
    contents = store.read_all()
    assert sorted(place for place, _ in contents.runs) == sorted(places)
    assert contents.problems == ()
    publishers: dict[str, list[str]] = {place: [] for place in places}
    for kind, place, token in told:
        if kind == "published":
            publishers[place].append(token)
    for place, rerun in contents.runs:
        folder = store.root / place
        assert (folder / "value").read_text() == chain(place)
        # A worker may be killed between its rename and its word.
        assert publishers[place] in ([], [(folder / "who").read_text()])
        digests = {n: hashlib.sha256((folder / n).read_bytes()).hexdigest() for n in rerun.sha256}
        assert digests == rerun.sha256
        assert {p.name for p in folder.iterdir()} == {"value", "who", "run.json"}

    # To a store whose leases live for no time, all that is left is old.
    RunStore(store.root, ttl=0.0).sweep()
    left = [p for name in ("temp", "lease") for p in (store.root / ".reportgen" / name).iterdir()]
    assert left == []
