import io
import os
import shutil
import threading
from pathlib import Path

import pytest

from reportgen.read import store
from reportgen.read.store import (
    BuildCache,
    StoredBuild,
    check_writable,
    signature,
    write_changed,
    write_files,
)
from reportgen.records.errors import ExitCode, OutputError


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_files_appear_whole_and_nothing_else_does(tmp_path):
    write_files(tmp_path / "out", {"a.txt": b"1", "sub/b.txt": b"2"})
    assert names(tmp_path) == ["out/a.txt", "out/sub/b.txt"]
    assert (tmp_path / "out/sub/b.txt").read_bytes() == b"2"


def test_a_file_may_be_read_by_whom_the_umask_allows(tmp_path):
    write_files(tmp_path, {"a.txt": b"1"})
    (tmp_path / "plain.txt").write_bytes(b"1")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode


def test_a_folder_in_the_way_leaves_the_old_files(tmp_path):
    write_files(tmp_path, {"a.txt": b"old"})
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(OutputError, match="is a folder") as caught:
        write_files(tmp_path, {"a.txt": b"new", "b.txt": b"new"})
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt"]
    assert caught.value.exit_code == ExitCode.USAGE


def test_a_disk_that_takes_no_more_leaves_the_old_files(tmp_path):
    resource = pytest.importorskip("resource")
    write_files(tmp_path, {"a.txt": b"old", "b.txt": b"old"})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(OutputError, match="File too large") as caught:
            write_files(tmp_path, {"a.txt": b"new", "b.txt": b"x" * 1_000_000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "nothing there was changed" in caught.value.remedy
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt", "b.txt"]


def test_folders_that_were_made_for_nothing_go_again(tmp_path):
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    (tmp_path / "there").mkdir()
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        for folder in ("there", "new/out"):
            with pytest.raises(OutputError, match="File too large"):
                write_files(tmp_path / folder, {"a.txt": b"new", "files/b.txt": b"x" * 1_000_000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_a_file_where_the_folder_should_be(tmp_path):
    (tmp_path / "out").write_bytes(b"")
    with pytest.raises(OutputError, match="is a file, not a folder"):
        check_writable(tmp_path / "out" / "deeper")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no devices of Linux")
@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("/dev/full", "is a device, not a folder"),
        ("/proc/here", "keeps no files of yours in /proc"),
    ],
)
def test_places_that_hold_no_files_are_called_by_what_they_are(folder, told):
    with pytest.raises(OutputError, match=told):
        check_writable(Path(folder))


def test_the_signature_changes_with_any_file(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_bytes(b"1")
    first = signature([tmp_path])
    assert first == signature([tmp_path])
    (tmp_path / "a" / "y").write_bytes(b"")
    second = signature([tmp_path])
    (tmp_path / "a" / "x").write_bytes(b"2")
    third = signature([tmp_path])
    (tmp_path / "a" / "y").rename(tmp_path / "a" / "z")
    assert len({first, second, third, signature([tmp_path])}) == 4


def test_the_signature_by_content_is_that_of_a_fresh_checkout(tmp_path, monkeypatch):
    monkeypatch.setenv("REPORTGEN_CACHE_BY_CONTENT", "1")
    file = tmp_path / "a" / "x"
    signatures = []
    for content, moment in ((b"1", 1), (b"1", 2), (b"2", 2)):
        shutil.rmtree(tmp_path / "a", ignore_errors=True)
        file.parent.mkdir()
        file.write_bytes(content)
        os.utime(file, (moment, moment))
        signatures.append(signature([tmp_path]))
    assert signatures[0] == signatures[1] != signatures[2]


BUILD = StoredBuild(files={"report.md": b"# x", "files/a.svg": b"<svg/>"}, outcome={"n": 1})


def test_a_name_or_an_outcome_that_was_changed_is_noticed(tmp_path):
    """The index itself has a digest: no damage of it makes another file, or another outcome."""
    cache = BuildCache(tmp_path)
    cache.keep("k", BUILD)
    index = tmp_path / "builds" / "k" / "index.json"
    sound = index.read_bytes()
    for place in range(len(sound)):
        index.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        assert cache.find("k") is None
    index.write_bytes(sound)
    assert cache.find("k") == BUILD


def test_only_the_newest_builds_stay(tmp_path):
    cache = BuildCache(tmp_path)
    for number in range(store.KEPT_BUILDS + 5):
        cache.keep(f"k{number}", BUILD)
    assert len(list((tmp_path / "builds").iterdir())) == store.KEPT_BUILDS
    assert cache.find(f"k{store.KEPT_BUILDS + 4}") == BUILD


def test_a_cache_that_cannot_be_written_is_no_failure(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    cache = BuildCache(tmp_path / "file")
    cache.keep("k", BUILD)
    assert cache.find("k") is None


def test_two_builds_at_once_leave_one_whole_entry(tmp_path):
    cache = BuildCache(tmp_path)
    workers = [threading.Thread(target=cache.keep, args=("k", BUILD)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert cache.find("k") == BUILD
    assert [p.name for p in (tmp_path / "builds").iterdir()] == ["k"]


def test_what_a_killed_process_left_is_removed(tmp_path):
    for left in (tmp_path / ".reportgen-abc", tmp_path / "sub" / ".reportgen-x"):
        left.parent.mkdir(exist_ok=True)
        left.write_bytes(b"half of a rep")
    (tmp_path / ".reportgen.toml").write_bytes(b"mine")
    write_files(tmp_path, {"a.txt": b"1", "sub/b.txt": b"2"})
    assert names(tmp_path) == [".reportgen.toml", "a.txt", "sub/b.txt"]


def test_what_a_living_process_may_need_stays_for_a_day(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(store, "PATIENCE_S", 0.05)
    fresh, old = tmp_path / ".reportgen-fresh", tmp_path / ".reportgen-old"
    fresh.write_bytes(b"")
    old.write_bytes(b"")
    os.utime(old, (1, 1))
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        write_files(tmp_path, {"a.txt": b"1"})
    finally:
        os.close(handle)
    assert names(tmp_path) == [".reportgen-fresh", "a.txt"]


def test_a_file_system_without_locks_is_written_to(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    (tmp_path / ".reportgen-fresh").write_bytes(b"")
    write_files(tmp_path, {"a.txt": b"1"})
    assert names(tmp_path) == [".reportgen-fresh", "a.txt"]


def test_a_fault_among_the_renames_says_that_some_files_are_new(tmp_path, monkeypatch):
    write_files(tmp_path, {"a.txt": b"old", "b.txt": b"old"})
    replace = Path.replace

    def refuse_b(self, target):
        if target.name == "b.txt":
            raise OSError(116, "Stale file handle", str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse_b)
    with pytest.raises(OutputError, match="Stale file handle") as caught:
        write_files(tmp_path, {"a.txt": b"new", "b.txt": b"new"})
    assert "1 of 2 files there are new" in caught.value.remedy
    assert names(tmp_path) == ["a.txt", "b.txt"]


def in_use(monkeypatch, name, times):
    """As on Windows, where a file that a program has open cannot be replaced."""
    replace = Path.replace
    left = [times]

    def refuse(self, target):
        if target.name == name and left[0]:
            left[0] -= 1
            fault = PermissionError(13, "Access is denied", str(self))
            fault.winerror = 5
            raise fault
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)


def test_a_file_that_a_viewer_shows_is_named_and_how_to_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "LETTING_GO_S", 0.1)
    write_files(tmp_path, {"report.json": b"old", "report.pdf": b"old"})
    in_use(monkeypatch, "report.pdf", times=1000)
    with pytest.raises(OutputError) as caught:
        write_files(tmp_path, {"report.json": b"new", "report.pdf": b"new"})
    assert caught.value.message == (
        f"cannot write {tmp_path / 'report.pdf'}: another program has it open"
    )
    assert "close the program" in caught.value.remedy
    assert "1 of 2 files there are new" in caught.value.remedy
    assert names(tmp_path) == ["report.json", "report.pdf"]
    assert (tmp_path / "report.pdf").read_bytes() == b"old"


def test_a_file_that_a_scanner_looks_at_is_waited_for(tmp_path, monkeypatch):
    in_use(monkeypatch, "report.pdf", times=3)
    write_files(tmp_path, {"report.pdf": b"new"})
    assert (tmp_path / "report.pdf").read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_of_many_at_once_the_files_are_those_of_one(tmp_path):
    """Each knows before which files differ from what is there; the one before it changes that."""
    names_of = [f"{i}.txt" for i in range(12)]
    write_files(tmp_path, dict.fromkeys(names_of, b"0"))

    def write(mine: int) -> None:
        for _ in range(20):
            write_changed(tmp_path, {n: b"%d" % (mine * (k % 2)) for k, n in enumerate(names_of)})

    workers = [threading.Thread(target=write, args=(mine,)) for mine in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    contents = [(tmp_path / name).read_bytes() for name in names_of]
    assert set(contents[::2]) == {b"0"}
    assert len(set(contents[1::2])) == 1
    assert names(tmp_path) == sorted(names_of)


def test_only_what_is_not_there_yet_is_written(tmp_path):
    assert write_changed(tmp_path, {"a": b"1", "b": b"2"}) == ("a", "b")
    before = (tmp_path / "a").stat().st_ino
    assert write_changed(tmp_path, {"a": b"1", "b": b"3"}) == ("b",)
    assert (tmp_path / "a").stat().st_ino == before


def test_a_file_system_that_refuses_modes_is_written_to(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    write_files(tmp_path, {"a.txt": b"1"})
    assert names(tmp_path) == ["a.txt"]


def test_a_fault_that_is_told_as_a_file_is_closed_names_the_file(tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def close(self):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", lambda handle, _: os.close(handle) or Full())
    with pytest.raises(OutputError, match=r"cannot write .*report\.md: No space left"):
        write_files(tmp_path, {"report.md": b"x"})
