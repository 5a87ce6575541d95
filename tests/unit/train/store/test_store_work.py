"""Work in progress in a store of runs: checkpoints, notes, full disks and litter."""

import json
import os
import time
from dataclasses import replace

import pytest
from fakes.store_folder import KEY, RERUN, fill, full_disk, names, visible

from reportgen.records.errors import UsageError
from reportgen.train.store import Failure, LostLeaseError
from reportgen.train.store import store as store_module


@pytest.mark.parametrize(
    ("kept", "left"),
    [
        (((9, b"9"), (10, b"10"), (100, b"100")), (b"100", b"10")),
        # An attempt that began again drops what it could not use.
        (((10, b"bad"), (20, b"bad"), (5, b"good")), (b"good",)),
        (((10, b"old"), (10, b"new")), (b"new",)),
        (((1, lambda p: p.write_bytes(b"it writes itself")),), (b"it writes itself",)),
    ],
)
def test_the_newest_two_checkpoints_of_an_attempt_are_kept(store, lease, kept, left):
    paths = [store.keep_checkpoint("job", step, content, lease) for step, content in kept]
    assert tuple(p.read_bytes() for p in store.checkpoints("job")) == left
    assert store.checkpoints("job")[0] == paths[-1]
    assert {path.parent for path in paths} == {store.work("job")}
    assert len(visible(store)) == len(left)


def test_a_lease_lost_while_a_checkpoint_is_written_keeps_the_old_one(store):
    with store.claim([KEY]) as lease:
        store.keep_checkpoint("job", 10, b"old", lease)

        def write(path):
            path.write_bytes(b"new")
            (store.root / ".reportgen" / "lease" / KEY).unlink()

        with pytest.raises(LostLeaseError):
            store.keep_checkpoint("job", 20, write, lease)
    assert visible(store) == [".reportgen/work/job/checkpoint-000000010"]


def test_a_process_that_sleeps_in_a_checkpoint_drops_nothing_of_the_takers(store, monkeypatch):
    private = store.root / ".reportgen"
    taken = []

    def sleep_here(folder):
        sync_folder(folder)
        if not taken:
            (private / "lease" / KEY).unlink()
            taken.append(store.claim([KEY]))
            taken.extend(
                store.keep_checkpoint("job", step, b"the taker's", taken[0]) for step in (20, 30)
            )

    sync_folder = store_module.sync_folder
    monkeypatch.setattr(store_module, "sync_folder", sleep_here)
    with store.claim([KEY]) as lease, pytest.raises(LostLeaseError):
        store.keep_checkpoint("job", 10, b"mine", lease)
    assert [p.read_bytes() for p in store.checkpoints("job")] == [b"the taker's"] * 2


def test_files_that_vanish_with_the_lease_are_a_lost_lease(store):
    def lose(path):
        (path if path.is_dir() else path.parent).rename(store.root / "gone")
        (store.root / ".reportgen" / "lease" / KEY).unlink()

    with store.claim([KEY]) as lease, pytest.raises(LostLeaseError):
        store.publish("1", RERUN, lose, lease)
    (store.root / "gone").rmdir()
    with store.claim([KEY]) as lease, pytest.raises(LostLeaseError):
        store.keep_checkpoint("job", 1, lose, lease)


def test_strange_files_beside_checkpoints_are_none(store, lease):
    for name in ("checkpoint-x", "checkpoint-", "checkpoint-1.tmp", "checkpoint-\u0663"):
        (store.work("job") / name).write_bytes(b"")
    (store.work("job") / "checkpoint-3").mkdir()
    kept = store.keep_checkpoint("job", 1, b"", lease)
    assert store.checkpoints("job") == (kept,)


def test_work_is_forgotten_whole(store, lease):
    store.keep_checkpoint("job", 1, b"x", lease)
    store.write_progress("job", {"step": 1})
    store.forget_work("job")
    assert visible(store) == []


def test_progress_is_what_was_said_last(store):
    store.write_progress("job", {"step": 1, "of": 10})
    store.write_progress("job", {"step": 2, "loss": float("nan")})
    progress = store.read_progress("job")
    assert progress["step"] == 2
    assert progress["loss"] != progress["loss"]
    assert visible(store) == [".reportgen/work/job/progress.json"]
    (store.work("job") / "progress.json").write_bytes(b'{"step": ')
    assert store.read_progress("job") is None


def test_a_job_is_one_name(store, lease):
    for use in (
        store.work,
        store.checkpoints,
        store.forget_work,
        store.read_progress,
        lambda job: store.keep_checkpoint(job, 1, b"", lease),
        lambda job: store.write_progress(job, {}),
    ):
        with pytest.raises(UsageError, match="id of a job"):
            use("../x")


@pytest.mark.parametrize(
    ("rerun", "size", "most"),
    [(RERUN, 1_000_000, 100_000), (replace(RERUN, notes=("x" * 1000,)), 1, 500)],
    ids=["files", "record"],
)
def test_a_full_disk_publishes_nothing(store, lease, rerun, size, most):
    def write(folder):
        fill(folder)
        (folder / "more").write_bytes(b"x" * size)

    with full_disk(most), pytest.raises(OSError, match="too large"):
        store.publish("g/1", rerun, write, lease)
    assert visible(store) == []
    assert not (store.root / "g").exists()


@pytest.mark.parametrize("write", [b"x" * 1_000_000, lambda p: p.write_bytes(b"x" * 1_000_000)])
def test_a_full_disk_keeps_the_old_checkpoints(store, lease, write):
    kept = [store.keep_checkpoint("job", step, b"x", lease) for step in (1, 2)]
    with full_disk(100_000), pytest.raises(OSError, match="too large"):
        store.keep_checkpoint("job", 3, write, lease)
    assert store.checkpoints("job") == (kept[1], kept[0])
    assert len(visible(store)) == 2


def test_a_full_disk_keeps_the_old_notes(store):
    store.note_failure(KEY, "out of memory")
    store.note_canary(KEY, {"value": 1})
    store.write_progress("job", {"step": 1})
    before = {path: (store.root / path).read_bytes() for path in visible(store)}
    for write in (
        lambda: store.note_failure(KEY, "disk full"),
        lambda: store.note_canary(KEY, {"value": 2}),
        lambda: store.write_progress("job", {"step": 2}),
    ):
        with full_disk(1), pytest.raises(OSError, match="too large"):
            write()
    assert {path: (store.root / path).read_bytes() for path in visible(store)} == before


def test_a_full_disk_gives_no_lease(store):
    with full_disk(1), pytest.raises(OSError, match="too large"):
        store.claim([KEY])
    assert names(store.root) == []


def test_failures_are_counted_until_they_are_cleared(store):
    store.note_failure(KEY, "loss is not finite", step=63)
    assert store.failures()[KEY].step == 63
    store.note_failure(KEY, "out of memory")
    store.note_failure("other", "x" * 5000)
    found = store.failures()
    assert found[KEY].tries == 2
    assert found[KEY].reason == "out of memory"
    assert found[KEY].step is None
    assert found[KEY].date.endswith("+00:00")
    assert len(found["other"].reason) == 2000
    store.clear_failure(KEY)
    assert set(store.failures()) == {"other"}


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"tries": "1"}', b"[" * 100_000])
def test_a_damaged_note_is_a_failure_all_the_same(store, content):
    store.note_failure(KEY, "out of memory")
    (store.root / ".reportgen" / "failed" / f"{KEY}.json").write_bytes(content)
    damaged = Failure(tries=1, reason="the note that says why is damaged", date="")
    assert store.failures() == {KEY: damaged}
    store.note_failure(KEY, "again")
    assert store.failures()[KEY].tries == 2


def test_a_canary_is_kept(store):
    store.note_canary(KEY, {"value": 0.72, "drift": -0.01})
    assert store.canary(KEY) == {"value": 0.72, "drift": -0.01}
    (store.root / ".reportgen" / "canary" / f"{KEY}.json").write_text(json.dumps([1]))
    assert store.canary(KEY) is None


def test_only_old_litter_is_swept(store, lease):
    private = store.root / ".reportgen"
    old = time.time() - 601
    for name, moment in (("old", old), ("new", time.time()), ("being-filled", old)):
        folder = private / "temp" / name
        folder.mkdir()
        (folder / "weights").write_bytes(b"x")
        if name != "being-filled":
            os.utime(folder / "weights", (moment, moment))
        os.utime(folder, (moment, moment))
    (private / "temp" / "file").write_bytes(b"x")
    os.utime(private / "temp" / "file", (old, old))
    for name in ("dead", "stale"):
        (private / "lease" / name).write_bytes(b"{}")
    os.utime(private / "lease" / "dead", (old, old))
    store.keep_checkpoint("job", 1, b"x", lease)
    os.utime(store.checkpoints("job")[0], (old, old))
    assert store.sweep() == 3
    assert names(private) == [
        f"lease/{KEY}",
        "lease/stale",
        "temp/being-filled/weights",
        "temp/new/weights",
        "work/job/checkpoint-000000001",
    ]
    lease.check()
