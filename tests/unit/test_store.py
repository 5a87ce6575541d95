import os
import threading
from pathlib import Path

import pytest

from reportgen import store
from reportgen.errors import ExitCode, OutputError
from reportgen.store import BuildCache, StoredBuild, check_writable, signature, write_files


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


def test_a_file_where_the_folder_should_be(tmp_path):
    (tmp_path / "out").write_bytes(b"")
    with pytest.raises(OutputError, match="is a file, not a folder"):
        check_writable(tmp_path / "out" / "deeper")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="cannot write into"):
        check_writable(tmp_path / "out")


def test_check_writable_leaves_nothing_behind(tmp_path):
    check_writable(tmp_path / "not" / "yet")
    assert list(tmp_path.iterdir()) == []


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


def test_what_is_not_there_yet_has_a_signature_of_its_own(tmp_path):
    before = signature([tmp_path / "later"])
    (tmp_path / "later").write_bytes(b"")
    assert before != signature([tmp_path / "later"])


BUILD = StoredBuild(files={"report.md": b"# x", "files/a.svg": b"<svg/>"}, outcome={"n": 1})


def test_a_build_is_found_again(tmp_path):
    cache = BuildCache(tmp_path)
    assert cache.find("k") is None
    cache.keep("k", BUILD)
    assert cache.find("k") == BUILD
    assert cache.find("other") is None


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1]", b'{"files": {"a": 3}, "outcome": 1}'])
def test_a_damaged_entry_is_no_entry(tmp_path, damage):
    cache = BuildCache(tmp_path)
    cache.keep("k", BUILD)
    (tmp_path / "builds" / "k" / "index.json").write_bytes(damage)
    assert cache.find("k") is None
    cache.keep("k", BUILD)
    assert cache.find("k") == BUILD


def test_a_flipped_byte_is_noticed(tmp_path):
    cache = BuildCache(tmp_path)
    cache.keep("k", BUILD)
    (tmp_path / "builds" / "k" / "0000").write_bytes(b"# y")
    assert cache.find("k") is None


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
