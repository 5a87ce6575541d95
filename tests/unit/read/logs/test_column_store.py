"""What the store hands out is what a fresh reading finds, whatever happened to log and entry."""

import os
import shutil
import threading

import numpy as np
import pytest
from fakes.event_file import encode, header, histogram, scalars, starts, text
from fakes.exact import exact
from fakes.jobs import wait_until

from reportgen.read.logs import digest_of
from reportgen.read.logs.events import read_event_file
from reportgen.read.logs.events import store as kept
from reportgen.read.logs.events.store import ColumnStore

LONG_AGO = 1_600_000_000


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "logs" / "events.out.tfevents.1.host.1.0"
    path.parent.mkdir()
    points = [(step, step / 7) for step in range(900)]
    events = [header(), *scalars("loss", points), *scalars("lr", points), text("args", "--lr 1")]
    path.write_bytes(encode([*events, histogram("weights", 3)]))
    return settle(path)


@pytest.fixture
def store(tmp_path):
    return ColumnStore(tmp_path / "cache")


@pytest.fixture
def read(monkeypatch):
    """Count how often logs are read, whole and from where they ended."""
    counts = {"whole": 0, "more": 0}

    def counting(name, kind):
        function = getattr(kept, name)

        def counted(*args):
            counts[kind] += 1
            return function(*args)

        monkeypatch.setattr(kept, name, counted)

    counting("read_event_file", "whole")
    counting("read_more", "more")
    return counts


def settle(path):
    """Make the last change of a file long ago, as far as its inode allows."""
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


@pytest.fixture(autouse=True)
def settled(monkeypatch):
    """Let times of inodes, which nobody can set, count as past."""
    monkeypatch.setattr(kept, "SETTLED", -1)


def append(path, events):
    with path.open("ab") as stream:
        stream.write(encode(events) if isinstance(events, list) else events)
    return settle(path)


def the_same(store, path):
    found, fresh = store.read(path), read_event_file(path)
    assert exact(found) == exact(fresh)
    for tag, series in found.points.items():
        assert series.values.dtype == fresh.points[tag].values.dtype
    return found


def test_steps_that_tags_share_are_written_once(store, log):
    store.read(log)
    found = store.read(log).points
    assert np.shares_memory(found["loss"].steps, found["lr"].steps)


class TestALogThatGrows:
    def test_only_what_was_appended_is_read(self, store, log, read):
        the_same(store, log)
        for n in range(9):
            append(log, scalars("loss", [(900 + n, n / 3)]))
            the_same(store, log)
        assert read == {"whole": 1, "more": 9}
        assert entry_of(store).exists()

    def test_by_half_a_record_at_a_time(self, store, log, read):
        the_same(store, log)
        more = encode(scalars("loss", [(1000 + n, n / 3) for n in range(3)]))
        for begin in range(0, len(more), 19):
            append(log, more[begin : begin + 19])
            the_same(store, log)
        assert read["whole"] == 1

    def test_by_new_tags_wider_values_and_points_that_replace(self, store, log):
        the_same(store, log)
        from fakes.event_file import content, tensor

        wide = [tensor("loss", 5, content("DOUBLE", "d", 0.1)), *scalars("new", [(1, 0.5)])]
        append(log, wide)
        found = the_same(store, log)
        assert found.points["loss"].values.dtype == np.float64
        assert found.points["loss"].values[-1] == 0.1

    def test_by_a_start_that_voids_points(self, store, log, read):
        the_same(store, log)
        append(log, [starts(500), *scalars("loss", [(500, 0.5)])])
        assert len(the_same(store, log).points["loss"].steps) == 501
        assert read["whole"] == 2

    def test_by_damage_and_more(self, store, log):
        the_same(store, log)
        append(log, bytes(40))
        the_same(store, log)
        append(log, scalars("loss", [(2000, 0.5)]))
        found = the_same(store, log)
        assert found.points["loss"].steps[-1] == 2000
        assert len(found.content.faults) == 1


class TestALogThatIsAnother:
    def test_of_the_same_length_and_time_at_another_place(self, store, log):
        the_same(store, log)
        other = log.with_name("other")
        other.write_bytes(log.read_bytes().replace(b"loss", b"lost"))
        settle(other).replace(log)
        content = log.read_bytes()
        assert b"loss" not in content
        the_same(store, log)

    def test_changed_in_place_with_its_time_put_back(self, store, log):
        the_same(store, log)
        before = log.stat().st_ctime_ns
        wait_until(lambda: log.chmod(0o644) or log.stat().st_ctime_ns > before)
        with log.open("r+b") as stream:
            stream.seek(3000)
            byte = stream.read(1)
            stream.seek(3000)
            stream.write(bytes([byte[0] ^ 1]))
        the_same(store, settle(log))

    @pytest.mark.parametrize("place", [100, 3000, 30_000])
    def test_changed_in_place_and_longer(self, store, log, place):
        the_same(store, log)
        with log.open("r+b") as stream:
            stream.seek(place)
            stream.write(bytes(400))
        append(log, scalars("loss", [(900, 0.5)]))
        the_same(store, log)

    def test_a_hole_that_is_filled_while_it_grows(self, store, log):
        whole = log.read_bytes()
        log.write_bytes(whole[:30_000] + bytes(9000) + whole[39_000:60_000])
        the_same(store, settle(log))
        with log.open("r+b") as stream:
            stream.write(whole)
        assert the_same(store, settle(log)).content.faults == []

    def test_just_written(self, store, log, read, monkeypatch):
        monkeypatch.setattr(kept, "SETTLED", 2_000_000_000)
        for _ in range(2):
            the_same(store, log)
        assert read["whole"] == 2


def entry_of(store):
    (path,) = (path for path in store._folder.iterdir() if path.suffix == ".columns")
    return path


class TestAnEntryThatIsWrong:
    def test_any_cut(self, store, log):
        store.read(log)
        whole = entry_of(store).read_bytes()
        for end in (0, 1, 8, 19, 20, 200, len(whole) // 2, len(whole) - 1):
            entry_of(store).write_bytes(whole[:end])
            the_same(store, log)
            assert entry_of(store).read_bytes() == whole

    def test_any_flipped_bit(self, store, log):
        store.read(log)
        whole = entry_of(store).read_bytes()
        rng = np.random.default_rng(3)
        for place in rng.integers(0, len(whole), 120).tolist():
            damaged = bytearray(whole)
            damaged[place] ^= 1 << int(rng.integers(8))
            entry_of(store).write_bytes(bytes(damaged))
            the_same(store, log)

    def test_of_another_version(self, store, log, read, monkeypatch):
        the_same(store, log)
        monkeypatch.setattr(kept, "VERSION", kept.VERSION + 1)
        the_same(store, log)
        assert read["whole"] == 2

    def test_a_folder_that_cannot_be_written(self, log, tmp_path):
        (tmp_path / "file").write_text("")
        the_same(ColumnStore(tmp_path / "file" / "cache"), log)

    def test_a_full_disk_leaves_nothing_behind(self, store, log, monkeypatch):
        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(kept.Path, "replace", full)
        the_same(store, log)
        assert list(store._folder.iterdir()) == []


def test_several_readers_at_one_time(store, log):
    failures = []

    def work():
        try:
            for _ in range(20):
                the_same(store, log)
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_digests(store, log, monkeypatch):
    assert store.digest(log, log.stat().st_size) == digest_of(log, log.stat().st_size)
    monkeypatch.setattr(kept, "digest_of", None)
    known = store.digest(log, log.stat().st_size)
    monkeypatch.undo()
    monkeypatch.setattr(kept, "SETTLED", -1)
    assert known == digest_of(log, log.stat().st_size)
    append(log, b"more")
    assert store.digest(log, log.stat().st_size) == digest_of(log, log.stat().st_size) != known


def test_what_a_killed_process_left_is_removed_when_it_is_old(store, log, tmp_path):
    store.read(settle(log))
    left = [store._place(log, "columns").with_name(f".new-{n}") for n in ("old", "fresh")]
    for path in left:
        path.write_bytes(b"half")
    os.utime(left[0], (LONG_AGO, LONG_AGO))
    store.forget_unused()
    assert [path.exists() for path in left] == [False, True]
    assert store._place(log, "columns").exists()


def test_entries_longest_unused_go_first(store, log, tmp_path, monkeypatch):
    logs = []
    for n in range(4):
        path = settle(tmp_path / f"{n}") if (tmp_path / f"{n}").exists() else tmp_path / f"{n}"
        shutil.copy(log, path)
        store.read(settle(path))
        os.utime(store._place(path, "columns"), (LONG_AGO + n, LONG_AGO + n))
        logs.append(path)
    size = store._place(logs[0], "columns").stat().st_size
    store.read(logs[0])
    monkeypatch.setattr(kept, "ROOM", 2 * size)
    store.forget_unused()
    assert [store._place(path, "columns").exists() for path in logs] == [True, False, False, True]
