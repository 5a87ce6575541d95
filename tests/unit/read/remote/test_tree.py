import builtins
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fsspec.config
import pytest
from fakes.jobs import wait_until
from fakes.rows import rows_beside

from reportgen.read.remote import objects, tree
from reportgen.read.remote.tree import mirror, mirrored_at
from reportgen.read.remote.url import read_url
from reportgen.records.errors import EvidenceError, MissingExtraError, OutputError

ROWS = rows_beside(__file__)


def fetch(url, cache, limit_of=lambda _name: 1 << 30, notify=lambda *_: None):
    return mirror(read_url(url), Path(cache), limit_of, notify)


def names(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def left_over(cache):
    return [p for p in cache.rglob("*") if p.name.startswith(".new-")]


def test_what_lies_under_a_url_lies_here(store, tmp_path):
    store.put("lab/a/log.csv", b"1,2")
    store.put("lab/empty.csv", b"")
    store.put("labour/other.csv", b"3")
    found = fetch(f"{store.url}/lab", tmp_path)
    assert found.path.name == "lab"
    assert names(found.path) == ["a/log.csv", "empty.csv"]
    assert (found.path / "a/log.csv").read_bytes() == b"1,2"
    assert found.url == f"{store.url}/lab"
    assert not left_over(tmp_path)


def test_one_listing_and_each_object_once_and_then_nothing(store, tmp_path):
    for number in range(30):
        store.put(f"lab/{number}.csv", b"x" * number)
    first = fetch(f"{store.url}/lab", tmp_path)
    assert [one for one in store.asked if one[0] != "cat_file"] == [("find", "lab", None, None)]
    assert store.reads() == sorted((f"lab/{n}.csv", 0, n) for n in range(1, 30))
    second = fetch(f"{store.url}/lab", tmp_path)
    assert store.asked == [("find", "lab", None, None)]
    assert second == first


def test_of_a_file_that_grew_only_the_new_end_is_fetched(store, tmp_path):
    old = os.urandom(5000)
    store.put("lab/a.csv", old)
    store.put("lab/b.csv", b"same")
    before = fetch(f"{store.url}/lab", tmp_path)
    store.reads()
    store.put("lab/a.csv", old + b"new end")
    after = fetch(f"{store.url}/lab", tmp_path)
    assert store.reads() == [("lab/a.csv", 0, 64), ("lab/a.csv", 4936, 5007)]
    assert (after.path / "a.csv").read_bytes() == old + b"new end"
    # Who reads the earlier state goes on reading it.
    assert (before.path / "a.csv").read_bytes() == old


@pytest.mark.parametrize("changed", [0, 63, 4936, 4999])
def test_a_longer_file_that_is_another_is_fetched_whole(store, tmp_path, changed):
    content = bytearray(os.urandom(5000))
    store.put("lab/a.csv", bytes(content))
    fetch(f"{store.url}/lab", tmp_path)
    content[changed] ^= 1
    store.put("lab/a.csv", bytes(content) + b"more")
    found = fetch(f"{store.url}/lab", tmp_path)
    assert (found.path / "a.csv").read_bytes() == bytes(content) + b"more"
    assert ("lab/a.csv", 0, 5004) in store.reads()


def test_large_objects_come_in_blocks(store, tmp_path, monkeypatch):
    monkeypatch.setattr(objects, "BLOCK", 1000)
    content = os.urandom(2500)
    store.put("lab/a.csv", content)
    found = fetch(f"{store.url}/lab", tmp_path)
    assert store.reads() == [("lab/a.csv", b, min(b + 1000, 2500)) for b in (0, 1000, 2000)]
    assert (found.path / "a.csv").read_bytes() == content
    store.put("lab/a.csv", content + content)
    grown = fetch(f"{store.url}/lab", tmp_path)
    assert (grown.path / "a.csv").read_bytes() == content + content
    assert sum(end - begin for _, begin, end in store.reads()) == 2500 + 128


def test_what_vanished_or_is_shut_is_said_and_asked_for_again(store, tmp_path):
    for name in ("a", "b", "c"):
        store.put(f"lab/{name}.csv", b"1")
    store.faults = {"lab/a.csv": FileNotFoundError("a"), "lab/b.csv": PermissionError("b")}
    found = fetch(f"{store.url}/lab", tmp_path)
    assert names(found.path) == ["c.csv"]
    assert [(p.path, p.message) for p in found.problems] == [
        ("a.csv", "not fetched: it is not there any more"),
        ("b.csv", "not fetched: access was denied"),
    ]
    store.faults = {}
    again = fetch(f"{store.url}/lab", tmp_path)
    assert names(again.path) == ["a.csv", "b.csv", "c.csv"]
    assert again.problems == ()


def test_where_nothing_may_be_read_nothing_is_built(store, tmp_path):
    store.put("lab/a.csv", b"1")
    store.faults = {"lab/a.csv": PermissionError("a")}
    with pytest.raises(EvidenceError, match="access was denied"):
        fetch(f"{store.url}/lab", tmp_path)


def test_an_object_that_shrank_meanwhile_is_said(store, tmp_path, monkeypatch):
    store.put("lab/a.csv", b"12345")
    store.put("lab/b.csv", b"1")
    read = objects.Fetcher._ask
    monkeypatch.setattr(objects.Fetcher, "_ask", lambda self, one, call: read(self, one, call)[:3])
    found = fetch(f"{store.url}/lab", tmp_path)
    (problem,) = found.problems
    assert problem.message == "not fetched: it ended at byte 3 of 5"


def test_a_network_that_breaks_ends_in_a_sentence_and_leaves_nothing(store, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter22")
    monkeypatch.setitem(fsspec.config.conf, "s3", {"client_kwargs": {"token": "swordfish"}})
    for number in range(20):
        store.put(f"lab/{number}.csv", b"1" * 10)
    fault = OSError("Connection to https://host/x?X-Sig=abc by hunter22\nand swordfish was reset")
    store.faults = {"lab/7.csv": fault}
    with pytest.raises(EvidenceError) as caught:
        fetch(f"{store.url}/lab", tmp_path)
    said = "Connection to https://host/x by *** and *** was reset"
    assert caught.value.message == f"{store.url}/lab/7.csv could not be fetched: {said}"
    assert caught.value.remedy
    assert not left_over(tmp_path)
    store.faults = {}
    store.asked.clear()
    assert len(names(fetch(f"{store.url}/lab", tmp_path).path)) == 20
    # What had arrived is not asked for again.
    assert len(store.reads()) < 20


def test_an_interrupt_leaves_no_half_file(store, tmp_path, monkeypatch):
    monkeypatch.setattr(objects, "BLOCK", 10)
    for number in range(20):
        store.put(f"lab/{number}.csv", b"1" * 1000)

    def interrupt(stage, done, _total):
        if stage == "fetching logs" and done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(f"{store.url}/lab", tmp_path, notify=interrupt)
    wait_until(lambda: not left_over(tmp_path))
    assert {p.stat().st_size for p in tmp_path.rglob("objects/*")} == {1000}
    assert not list(tmp_path.rglob("trees/*"))


def test_a_full_disk_is_an_error_of_the_output(store, tmp_path, monkeypatch):
    store.put("lab/a.csv", b"1")

    def full(*_):
        raise OSError(28, "No space left on device", "objects/x")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match="No space left") as caught:
        fetch(f"{store.url}/lab", tmp_path)
    assert "--cache" in caught.value.remedy


def test_many_at_one_time_share_what_they_fetch(store, tmp_path):
    for number in range(20):
        store.put(f"lab/{number}.csv", str(number).encode())
    start = threading.Barrier(6)

    def one(_):
        start.wait()
        return fetch(f"{store.url}/lab", tmp_path)

    with ThreadPoolExecutor(6) as pool:
        found = set(pool.map(one, range(6)))
    (same,) = found
    assert len(names(same.path)) == 20
    assert not left_over(tmp_path)


def test_a_tree_that_somebody_damaged_is_made_again(store, tmp_path):
    store.put("lab/a.csv", b"1")
    found = fetch(f"{store.url}/lab", tmp_path)
    (found.path / "a.csv").unlink()
    assert fetch(f"{store.url}/lab", tmp_path) == found
    assert (found.path / "a.csv").read_bytes() == b"1"


def test_where_a_disk_has_no_links_files_are_copied(store, tmp_path, monkeypatch):
    store.put("lab/a.csv", b"1")

    def none(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    assert (fetch(f"{store.url}/lab", tmp_path).path / "a.csv").read_bytes() == b"1"


def test_what_nobody_used_for_long_is_removed(store, tmp_path):
    store.put("lab/a.csv", b"old")
    old = fetch(f"{store.url}/lab", tmp_path).path
    store.put("lab/a.csv", b"new, and longer")
    other = tmp_path / "mirrors" / "of-another-url"
    other.mkdir()
    for path in (*tmp_path.rglob("listing.json"), *tmp_path.rglob("objects/*"), other):
        os.utime(path, (0, 0))
    new = fetch(f"{store.url}/lab", tmp_path).path
    assert not old.exists()
    assert not other.exists()
    assert names(new) == ["a.csv"]
    assert len(list(tmp_path.rglob("objects/*"))) == 1


def test_a_content_that_was_removed_meanwhile_is_fetched_again(store, tmp_path, monkeypatch):
    store.put("lab/a.csv", b"1")
    plant, tries = tree._link, []

    def tidied_up(content, path):
        if not tries:
            tries.append(content)
            content.unlink()
        plant(content, path)

    monkeypatch.setattr(tree, "_link", tidied_up)
    assert (fetch(f"{store.url}/lab", tmp_path).path / "a.csv").read_bytes() == b"1"
    assert len(store.reads()) == 2


def test_a_folder_of_a_mirror_is_known_again_with_what_is_below_it(store, tmp_path):
    store.put("lab/eve/a.csv", b"1")
    store.put("lab/eve/big.csv", b"1" * 20)
    store.put("lab/max/big.csv", b"1" * 20)
    found = fetch(f"{store.url}/lab", tmp_path, lambda _: 10)
    assert mirrored_at(found.path) == found
    below = mirrored_at(found.path / "eve")
    assert below.url == f"{store.url}/lab/eve"
    assert [problem.path for problem in below.problems] == ["big.csv"]
    assert mirrored_at(tmp_path) is None


def test_a_folder_that_only_looks_like_one_of_a_mirror_is_none(tmp_path):
    folder = tmp_path / ("0" * 32) / "root" / "lab"
    folder.mkdir(parents=True)
    told = {"url": "s3://bank", "objects": [], "names": [], "problems": []}
    (tmp_path / ("0" * 32) / "listing.json").write_text(json.dumps(told))
    assert mirrored_at(folder) is None


@pytest.mark.parametrize(
    ("missing", "url", "remedy"), ROWS["a_missing_package_is_named_with_its_extra"]
)
def test_a_missing_package_is_named_with_its_extra(missing, url, remedy, tmp_path, monkeypatch):
    load = builtins.__import__

    def without(name, *rest):
        if name.partition(".")[0] == missing:
            raise ImportError(f"No module named {name!r}")
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    if missing != "fsspec":
        import fsspec

        def absent(_protocol):
            raise ImportError(f"Please install {missing} to access it")

        monkeypatch.setattr(fsspec, "get_filesystem_class", absent)
    with pytest.raises(MissingExtraError) as caught:
        fetch(url, tmp_path)
    assert missing in caught.value.message
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(("is_whole", "kept"), [(True, "theirs"), (False, "ours")])
def test_a_tree_that_was_put_there_in_time_is_not_taken_away(tmp_path, is_whole, kept):
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    place = (tmp_path / "theirs").replace(tmp_path / "place")
    tree._move(tmp_path / "ours", place, lambda: is_whole)
    assert [path.name for path in place.iterdir()] == [kept]
