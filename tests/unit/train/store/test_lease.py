"""Who may work on a key: with real processes that are killed and frozen."""

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
from fakes.jobs import wait_until

from reportgen.read.store import describe_self
from reportgen.records.errors import UsageError
from reportgen.train.store import LostLeaseError, RunStore
from reportgen.train.store import store as lease_module
from reportgen.train.store.files import take_name

A, B, C = "a" * 20, "b" * 20, "c" * 20
needs_signals = pytest.mark.skipif(os.name == "nt", reason="no SIGSTOP and no SIGKILL there")

# Claims the keys, says so, and then does what each line of its input asks for.
WORKER = """
import sys
from pathlib import Path
from reportgen.records.run import Rerun
from reportgen.train.store import LostLeaseError, RunStore
root, ttl, *keys = sys.argv[1:]
store = RunStore(Path(root), ttl=float(ttl))
sys.stdin.readline()
lease = store.claim(keys)
print("claimed" if lease else "refused", flush=True)
rerun = Rerun(key=keys[0], group="g", seed=1, device="", date="2026-01-02", versions={})
if lease is None:
    sys.exit()
with lease:
    for line in sys.stdin:
        try:
            if line == "checkpoint\\n":
                store.keep_checkpoint("job", 7, b"mine", lease)
            else:
                store.publish("g/1", rerun, lambda p: (p / "x").write_bytes(b"mine"), lease)
            print("written", flush=True)
        except LostLeaseError:
            print("lost", flush=True)
"""


@contextmanager
def worker(root, ttl, *keys):
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, str(root), str(ttl), *keys],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def ask(child, line=""):
    child.stdin.write(f"{line}\n")
    child.stdin.flush()
    return child.stdout.readline().strip()


def lease_file(store, key):
    return store.root / ".reportgen" / "lease" / key


def age(store, key, seconds):
    changed = time.time() - seconds
    os.utime(lease_file(store, key), (changed, changed))


def write_lease(store, key, content):
    path = lease_file(store, key)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def temporaries(store):
    return sorted(p.name for p in (store.root / ".reportgen" / "temp").iterdir())


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "reruns")


def test_of_two_claims_one_is_refused(store):
    lease = store.claim([A])
    assert lease is not None
    assert store.claim([A]) is None
    assert store.claim([B]) is not None
    with lease:
        lease.check()
    assert store.claim([A]) is not None
    assert temporaries(store) == []


def test_all_or_nothing(store):
    held = store.claim([B])
    assert store.claim([C, A, B]) is None
    assert store.holder(A) is None
    assert store.holder(C) is None
    held.release()
    lease = store.claim([C, A, B, A])
    assert lease.keys == (A, B, C)
    assert temporaries(store) == []


def test_a_key_is_a_name(store):
    with pytest.raises(UsageError):
        store.claim([A, "../x"])
    assert not (store.root / ".reportgen").exists()


def test_the_holder_is_told(store):
    assert store.holder(A) is None
    with store.claim([A]):
        holder = store.holder(A)
    assert holder.pid == os.getpid()
    assert holder.host == describe_self()["host"]
    assert 0 <= holder.since < 3600
    assert holder.alive
    assert store.holder(A) is None


def test_a_lease_without_heartbeat_goes_stale(store):
    lease = store.claim([A])
    age(store, A, 5)
    assert store.claim([A]) is None
    age(store, A, 61)
    assert not store.holder(A).alive
    second = store.claim([A])
    assert second is not None
    with pytest.raises(LostLeaseError, match=A):
        lease.check()
    second.check()
    lease.release()
    second.check()
    assert temporaries(store) == []


@pytest.fixture
def _quick_heart(monkeypatch):
    """Let a lease beat many times before it is stale, however busy the machine is."""
    monkeypatch.setattr(lease_module, "BEATS", 1000)


@pytest.mark.usefixtures("_quick_heart")
def test_a_heartbeat_keeps_it(store):
    with store.claim([A, B]):
        for key in (A, B):
            age(store, key, 100)
            wait_until(lambda key=key: store.holder(key).alive)
            assert store.claim([key]) is None


@pytest.mark.usefixtures("_quick_heart")
def test_the_heartbeat_of_a_lost_lease_does_not_keep_the_takers_alive(store):
    with store.claim([A, B]) as lease:
        lease_file(store, A).unlink()
        write_lease(store, A, {"host": "elsewhere"})
        for _ in range(2):
            age(store, A, 100)
            age(store, B, 100)
            wait_until(lambda: store.holder(B).alive)
        assert not store.holder(A).alive
        with pytest.raises(LostLeaseError):
            lease.check()
    assert store.holder(A).host == "elsewhere"


def test_a_lease_of_some_keys_is_lost_with_one(store):
    lease = store.claim([A, B])
    lease_file(store, B).unlink()
    with pytest.raises(LostLeaseError, match=B):
        lease.check()


def test_a_taker_leaves_what_it_did_not_judge(store):
    """Between its look and its removal another one took the stale lease over."""
    store.claim([A])
    age(store, A, 61)
    judged = lease_module._look(lease_file(store, A))
    faster = store.claim([A])
    assert not store._leases.discard(lease_file(store, A), judged)
    faster.check()
    assert temporaries(store) == []


def test_a_taker_leaves_what_beat_again(store):
    owner = store.claim([A])
    age(store, A, 61)
    judged = lease_module._look(lease_file(store, A))
    os.utime(lease_file(store, A))
    assert not store._leases.discard(lease_file(store, A), judged)
    owner.check()


def test_a_killed_takers_mark_stops_nobody_for_long(tmp_path):
    store = RunStore(tmp_path, ttl=1.0)
    store.claim([A])
    age(store, A, 5)
    judged = lease_module._look(lease_file(store, A))
    name = f"{A}-{hashlib.sha256(judged.content).hexdigest()[:32]}"
    os.link(lease_file(store, A), tmp_path / ".reportgen" / "temp" / name)
    assert store.claim([A]) is None
    later = RunStore(tmp_path, ttl=0.0)
    # The first that asks removes the mark, the next has the lease.
    assert later.claim([A]) is None
    later.claim([A]).check()
    assert temporaries(store) == []


@needs_signals
def test_after_kill_9_nobody_waits(store):
    with worker(store.root, 60, A, B) as child:
        assert ask(child) == "claimed"
        assert store.claim([A, B]) is None
        child.kill()
        child.wait()
        assert not store.holder(A).alive
        lease = store.claim([A, B])
        assert lease is not None
        lease.check()


@needs_signals
def test_a_frozen_process_that_wakes_writes_nothing(store):
    with worker(store.root, 60, A) as child:
        assert ask(child) == "claimed"
        assert ask(child, "checkpoint") == "written"
        os.kill(child.pid, signal.SIGSTOP)
        age(store, A, 61)
        with store.claim([A]) as lease:
            store.keep_checkpoint("job", 7, b"the taker's", lease)
            os.kill(child.pid, signal.SIGCONT)
            assert ask(child, "checkpoint") == "lost"
            assert ask(child, "publish") == "lost"
            # Not once, but for good.
            assert ask(child, "publish") == "lost"
            lease.check()
        assert [p.read_bytes() for p in store.checkpoints("job")] == [b"the taker's"]
        assert not store.done("g/1")
        assert temporaries(store) == []


def test_of_many_threads_that_take_over_one_wins(store):
    for _ in range(100):
        write_lease(store, A, {"host": "elsewhere", "token": "gone"})
        age(store, A, 61)
        gate = threading.Barrier(6)
        won = []

        def take(gate=gate, won=won):
            gate.wait()
            if lease := store.claim([A]):
                won.append(lease)

        threads = [threading.Thread(target=take) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1
        won[0].check()
        won[0].release()
    assert temporaries(store) == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[" * 3000, b"\xff", b"x" * 10_000, b'{"pid": true, "since": 1e999}']
)
def test_a_damaged_lease_goes_with_time(store, content):
    write_lease(store, A, content)
    holder = store.holder(A)
    assert holder.alive
    assert holder.host == ""
    assert holder.since == 0
    assert store.claim([A]) is None
    age(store, A, 61)
    store.claim([A]).check()


def test_strange_words_of_a_holder_can_be_shown(store):
    write_lease(store, A, {"host": "\x1b[2J" * 200, "pid": "x", "since": -1})
    holder = store.holder(A)
    assert holder.host.isprintable()
    assert holder.pid == 0
    assert holder.since == 0


def test_a_number_that_another_process_bears_now_is_no_life(store):
    if not describe_self()["start"]:
        pytest.skip("no start times here")
    write_lease(store, A, {**describe_self(), "start": "1"})
    store.claim([A]).check()


def test_a_process_of_another_machine_may_live(store):
    write_lease(store, A, {**describe_self(), "machine": "x", "pid": 2**31 - 1})
    assert store.claim([A]) is None


@pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP])
def test_without_hard_links_leases_hold_too(store, monkeypatch, code):
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", refuse)
    lease = store.claim([A])
    assert store.claim([A]) is None
    age(store, A, 61)
    second = store.claim([A])
    second.check()
    with pytest.raises(LostLeaseError):
        lease.check()
    judged = lease_module._look(lease_file(store, A))
    os.utime(lease_file(store, A), (1, 1))
    assert not store._leases.discard(lease_file(store, A), judged)
    second.check()
    second.release()
    assert store.holder(A) is None


def test_without_hard_links_a_name_stays_anothers_though_the_file_cannot_be_read(
    tmp_path, monkeypatch
):
    def refuse(*_):
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr(os, "link", refuse)
    held = tmp_path / "held"
    held.write_bytes(b"another's")
    with pytest.raises(FileNotFoundError):
        take_name(tmp_path / "swept", held)
    assert held.read_bytes() == b"another's"


def test_a_link_whose_answer_was_lost_is_a_lease(store, monkeypatch):
    """NFS asks again when the answer does not come, and then the name is there already."""
    link = os.link

    def link_twice(source, target):
        link(source, target)
        link(source, target)

    monkeypatch.setattr(os, "link", link_twice)
    store.claim([A]).check()


def test_a_claim_that_fails_halfway_holds_nothing(store, monkeypatch):
    write = lease_module.write_new
    count = []

    def fill_up(path, content, *, durable):
        count.append(path)
        if len(count) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, content, durable=durable)

    monkeypatch.setattr(lease_module, "write_new", fill_up)
    with pytest.raises(OSError, match="No space left"):
        store.claim([A, B])
    monkeypatch.undo()
    assert store.holder(A) is None
    assert store.holder(B) is None
    assert temporaries(store) == []


def test_a_store_that_is_gone_is_a_lost_lease(store):
    lease = store.claim([A])
    lease_file(store, A).unlink()
    lease_file(store, A).parent.rmdir()
    with pytest.raises(LostLeaseError):
        lease.check()
    lease.release()
