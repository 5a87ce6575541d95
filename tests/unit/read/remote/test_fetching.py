"""Of stores that tell a digest, what arrived is held against it."""

import hashlib
from pathlib import Path

import pytest

from reportgen.read.remote import Earlier, Fetcher, Object, list_objects
from reportgen.read.remote.url import read_url

URL = read_url("s3://bucket")


class Store:
    """A store as S3 is one: its tags are MD5 digests, or of what a key made of the content."""

    def __init__(self, content: bytes, *, keyed: bool = False) -> None:
        self.content = content
        self.keyed = keyed
        self.reads: list[tuple[int, int]] = []

    def info(self, _key):
        kind = hashlib.sha1 if self.keyed else hashlib.md5
        tag = kind(self.content, usedforsecurity=False).hexdigest()[:32]
        return {"type": "file", "size": len(self.content), "ETag": f'"{tag}"'}

    def find(self, path, **_named):
        return {f"{path}/a.csv": self.info("a.csv")}

    def cat_file(self, _key, start, end):
        self.reads.append((start, end))
        return self.content[start:end]

    def listed(self) -> Object:
        (one,) = list_objects(self, "bucket", URL, lambda _: 1 << 20).objects
        return one


@pytest.fixture
def folders(tmp_path):
    for name in ("kept", "staging"):
        (tmp_path / name).mkdir()
    return {"folder": tmp_path / "kept", "staging": tmp_path / "staging"}


def fetch(store: Store, one: Object, folders, before: Earlier | None = None):
    known = {"a.csv": before} if before else {}
    fetcher = Fetcher(store=store, url=URL, before=known, **folders)
    return fetcher.fetch([one], lambda _done: None), folders["folder"] / one.digest


def earlier(tmp_path: Path, content: bytes, *, keyed: bool = False) -> Earlier:
    path = tmp_path / "earlier"
    path.write_bytes(content)
    return Earlier(path, Store(content, keyed=keyed).listed().md5)


def test_what_was_replaced_since_the_listing_is_not_kept(folders):
    store = Store(b"1,2,3")
    one = store.listed()
    store.content = b"3,2,1"
    (problem,), path = fetch(store, one, folders)
    assert problem.message == "not fetched: it changed while it was fetched"
    assert not path.exists()


def test_what_only_grew_since_the_listing_is_kept_as_it_was_listed(folders):
    store = Store(b"1,2,3")
    one = store.listed()
    store.content += b",4"
    problems, path = fetch(store, one, folders)
    assert (problems, path.read_bytes()) == ([], b"1,2,3")


def test_a_tag_that_is_another_digest_does_not_matter(folders):
    store = Store(b"1,2,3", keyed=True)
    problems, path = fetch(store, store.listed(), folders)
    assert (problems, path.read_bytes()) == ([], b"1,2,3")


@pytest.mark.parametrize("size", [1, 63, 64, 65, 127, 128, 129])
@pytest.mark.parametrize("keyed", [False, True])
def test_short_files_grow_too(folders, tmp_path, size, keyed):
    content = bytes(range(200))
    store = Store(content, keyed=keyed)
    problems, path = fetch(
        store, store.listed(), folders, earlier(tmp_path, content[:size], keyed=keyed)
    )
    assert (problems, path.read_bytes()) == ([], content)
    assert store.reads[-1] == (max(0, size - 64), 200)


def test_an_earlier_content_that_is_gone_or_empty_is_no_beginning(folders, tmp_path):
    store = Store(b"1,2,3")
    for before in (Earlier(tmp_path / "gone", ""), earlier(tmp_path, b"")):
        problems, path = fetch(store, store.listed(), folders, before)
        assert (problems, path.read_bytes()) == ([], b"1,2,3")
