import hashlib
import json
import os
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from reportgen.errors import OutputError, UsageError
from reportgen.records.rerun import Rerun
from reportgen.runstore import store as store_module
from reportgen.runstore.store import Failure, LostLeaseError, RunStore

KEY = "0123456789abcdef0123"
RERUN = Rerun(
    key=KEY,
    group="pretrained",
    seed=1,
    device="CPU",
    date="2026-01-02T03:04:05+00:00",
    versions={"torch": "2.13"},
)


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "reruns")


@pytest.fixture
def lease(store):
    with store.claim([KEY]) as held:
        yield held


def names(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def visible(store):
    return [name for name in names(store.root) if not name.startswith(".reportgen/lease/")]


def fill(folder):
    (folder / "train").mkdir()
    (folder / "train" / "events").write_bytes(b"points")
    (folder / "model.safetensors").write_bytes(b"weights")


@contextmanager
def full_disk(size):
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


# Finished runs


def test_an_empty_store_holds_nothing(store):
    assert not store.done("pretrained/1")
    assert store.read("pretrained/1") is None
    assert store.published() == ()
    assert store.holder(KEY) is None
    assert store.checkpoints("job") == ()
    assert store.failures() == {}
    assert store.canary(KEY) is None
    assert store.read_progress("job") is None
    assert store.set_aside("pretrained/1") is None
    assert store.sweep() == 0
    store.clear_failure(KEY)
    store.forget_work("job")


def test_a_published_run_is_there_with_its_record(store, lease):
    assert store.publish("pretrained/1", RERUN, fill, lease)
    assert visible(store) == [
        "pretrained/1/model.safetensors",
        "pretrained/1/run.json",
        "pretrained/1/train/events",
    ]
    assert store.done("pretrained/1")
    digests = {
        "model.safetensors": hashlib.sha256(b"weights").hexdigest(),
        "train/events": hashlib.sha256(b"points").hexdigest(),
    }
    expected = replace(RERUN, sha256=digests)
    assert store.read("pretrained/1") == expected
    assert store.holds("pretrained/1", expected.key)
    assert not store.holds("pretrained/1", "another")
    assert not store.holds("pretrained/2", expected.key)
    assert store.published() == (("pretrained/1", expected),)


def test_others_may_read_a_published_run(store, lease, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "file").write_bytes(b"")
    store.publish("1", RERUN, fill, lease)
    assert (store.root / "1").stat().st_mode == plain.stat().st_mode
    assert (store.root / "1" / "run.json").stat().st_mode == (plain / "file").stat().st_mode


def test_the_first_one_wins(store, lease):
    assert store.publish("1", RERUN, lambda p: (p / "x").write_bytes(b"first"), lease)
    assert not store.publish("1", RERUN, lambda p: (p / "x").write_bytes(b"second"), lease)
    assert (store.root / "1" / "x").read_bytes() == b"first"


def test_the_first_one_wins_while_the_second_is_writing(store, lease):
    def write(folder):
        (folder / "x").write_bytes(b"second")
        other = RunStore(store.root)
        assert other.publish("1", RERUN, lambda p: (p / "x").write_bytes(b"first"), lease)

    assert not store.publish("1", RERUN, write, lease)
    assert (store.root / "1" / "x").read_bytes() == b"first"
    assert visible(store) == ["1/run.json", "1/x"]


def test_a_lease_lost_while_writing_publishes_nothing(store):
    with store.claim([KEY]) as lease:

        def write(folder):
            fill(folder)
            (store.root / ".reportgen" / "lease" / KEY).unlink()

        with pytest.raises(LostLeaseError):
            store.publish("1", RERUN, write, lease)
    assert visible(store) == []
    assert not (store.root / "1").exists()


def test_the_lease_must_be_of_the_runs_key(store, lease):
    with pytest.raises(ValueError, match="not of another"):
        store.publish("1", replace(RERUN, key="another"), fill, lease)
    assert visible(store) == []


def test_a_run_that_fails_to_be_written_is_not_there(store, lease):
    def write(folder):
        fill(folder)
        raise RuntimeError("no weights")

    with pytest.raises(RuntimeError, match="no weights"):
        store.publish("1", RERUN, write, lease)
    assert visible(store) == []


def test_a_record_that_could_not_be_read_back_is_not_published(store, lease):
    with pytest.raises(ValueError, match="seconds"):
        store.publish("1", replace(RERUN, seconds=-1.0), fill, lease)
    assert visible(store) == []


def test_links_are_not_published(store, lease):
    with pytest.raises(ValueError, match="model is neither"):
        store.publish("1", RERUN, lambda p: (p / "model").symlink_to("/etc/passwd"), lease)
    assert visible(store) == []


@pytest.mark.parametrize("place", ["../1", "/1", ".reportgen/x", "a/../../b", "a\n"])
def test_a_place_outside_is_refused_everywhere(store, lease, place):
    for use in (
        store.done,
        store.read,
        store.set_aside,
        lambda place: store.publish(place, RERUN, fill, lease),
    ):
        with pytest.raises(UsageError, match="a run cannot lie at"):
            use(place)


def test_a_folder_in_the_way_is_told(store, lease):
    (store.root / "1").mkdir()
    (store.root / "1" / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="is no finished run"):
        store.publish("1", RERUN, fill, lease)
    assert visible(store) == ["1/notes.txt"]
    (store.root / "2").write_text("mine")
    with pytest.raises(OutputError, match="is no finished run"):
        store.publish("2", RERUN, fill, lease)


def test_a_run_lies_in_no_other(store, lease):
    store.publish("a", RERUN, fill, lease)
    with pytest.raises(OutputError, match="inside the finished run a"):
        store.publish("a/b/1", RERUN, fill, lease)
    store.publish("b/c", RERUN, fill, lease)
    with pytest.raises(OutputError, match="is no finished run"):
        store.publish("b", RERUN, fill, lease)


def test_a_damaged_record_is_a_problem_and_the_others_are_read(store, lease):
    for place in ("c", "b/1", "a"):
        store.publish(place, RERUN, fill, lease)
    (store.root / "b/1/run.json").write_text('{"format": 1}')
    (store.root / "d").mkdir()
    (store.root / "d/run.json").write_bytes(b" " * (2**20 + 1))
    assert store.read("b/1") is None
    contents = store.read_all()
    assert [place for place, _ in contents.runs] == ["a", "c"]
    assert [place for place, _ in store.published()] == ["a", "c"]
    assert [p.path for p in contents.problems] == ["b/1/run.json", "d/run.json"]
    assert "'date'" in contents.problems[0].message
    assert "more than 1048576 bytes" in contents.problems[1].message
    # It is there all the same, and nobody trains it again unasked.
    assert store.done("b/1")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_for_a_record_stops_nobody(store):
    (store.root / "a").mkdir(parents=True)
    os.mkfifo(store.root / "a" / "run.json")
    assert not store.done("a")
    assert store.read("a") is None
    assert "no regular file" in store.read_all().problems[0].message


def test_a_name_that_is_no_text_is_a_problem(store):
    try:
        (store.root / "a\udc80").mkdir(parents=True)
    except (OSError, UnicodeError):
        pytest.skip("such names cannot be made here")
    (store.root / "a\udc80" / "run.json").write_bytes(b"{}")
    assert "lies where no run can lie" in store.read_all().problems[0].message


def test_links_to_folders_are_not_followed(store, lease):
    store.publish("a", RERUN, fill, lease)
    (store.root / "loop").symlink_to(store.root)
    assert [place for place, _ in store.published()] == ["a"]


def test_a_finished_run_holds_no_other(store, lease):
    def write(folder):
        fill(folder)
        (folder / "train" / "run.json").write_bytes(b"{}")

    store.publish("a", RERUN, write, lease)
    contents = store.read_all()
    assert [place for place, _ in contents.runs] == ["a"]
    assert contents.problems == ()


def test_runs_set_aside_are_kept_and_not_found(store, lease):
    places = []
    for content in (b"1", b"2", b"3"):
        store.publish("g/1", RERUN, lambda p, c=content: (p / "x").write_bytes(c), lease)
        places.append(store.set_aside("g/1"))
        assert not store.done("g/1")
    replaced = store.root / ".reportgen/replaced/g"
    assert places == [replaced / "1-1", replaced / "1-2", replaced / "1-3"]
    assert [(p / "x").read_bytes() for p in places] == [b"1", b"2", b"3"]
    assert store.published() == ()


# Work in progress


def test_the_newest_two_checkpoints_are_kept(store, lease):
    kept = [store.keep_checkpoint("job", step, b"%d" % step, lease) for step in (9, 10, 100)]
    assert store.checkpoints("job") == (kept[2], kept[1])
    assert [p.read_bytes() for p in store.checkpoints("job")] == [b"100", b"10"]
    assert visible(store) == [f".reportgen/work/job/checkpoint-{step:09d}" for step in (10, 100)]


def test_a_checkpoint_may_write_itself(store, lease):
    path = store.keep_checkpoint("job", 1, lambda p: p.write_bytes(b"tensors"), lease)
    assert path.read_bytes() == b"tensors"
    assert path.parent == store.work("job")


def test_an_attempt_that_began_again_drops_what_it_could_not_use(store, lease):
    for step, content in ((10, b"bad"), (20, b"bad"), (5, b"good")):
        store.keep_checkpoint("job", step, content, lease)
    assert [p.read_bytes() for p in store.checkpoints("job")] == [b"good"]


def test_a_step_done_again_replaces_its_checkpoint(store, lease):
    for content in (b"old", b"new"):
        store.keep_checkpoint("job", 10, content, lease)
    assert [p.read_bytes() for p in store.checkpoints("job")] == [b"new"]


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


# Disk full


def test_a_full_disk_publishes_nothing(store, lease):
    def write(folder):
        fill(folder)
        (folder / "large").write_bytes(b"x" * 1_000_000)

    with full_disk(100_000), pytest.raises(OSError, match="too large"):
        store.publish("g/1", RERUN, write, lease)
    assert visible(store) == []
    assert not (store.root / "g").exists()


def test_a_disk_filled_by_the_record_publishes_nothing(store, lease):
    long = replace(RERUN, notes=("x" * 1000,))
    with full_disk(500), pytest.raises(OSError, match="too large"):
        store.publish("g/1", long, fill, lease)
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


# Notes


def test_failures_are_counted_until_they_are_cleared(store):
    store.note_failure(KEY, "loss is not finite", step=63)
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


def test_the_step_of_a_failure_is_told(store):
    store.note_failure(KEY, "loss is not finite", step=63)
    assert store.failures()[KEY].step == 63


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


# Litter


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
