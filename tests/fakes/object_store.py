"""An object store in memory, by fsspec's own, that keeps count of what it is asked."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFile, MemoryFileSystem

_BUCKETS = itertools.count()


@dataclass
class ObjectStore:
    """A bucket of its own for each test.

    Attributes:
        url: Of the bucket.
        asked: (what, name, first byte, byte after the last) of every request, in order.
        faults: Name to what is raised where its content is asked for.
    """

    bucket: str = field(default_factory=lambda: f"bucket{next(_BUCKETS)}")
    asked: list[tuple[str, str, int | None, int | None]] = field(default_factory=list)
    faults: dict[str, Exception] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"memory://{self.bucket}"

    def put(self, name: str, content: bytes) -> None:
        # Not by its own way in, which takes no name that a disk would not take.
        key = f"/{self.bucket}/{name}"
        MemoryFileSystem.store[key] = MemoryFile(MemoryFileSystem(), key, content)

    def put_folder(self, folder: Path, below: str = "") -> None:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                self.put(f"{below}/{name}" if below else name, path.read_bytes())

    def delete(self, name: str) -> None:
        MemoryFileSystem().rm_file(f"/{self.bucket}/{name}")

    def reads(self) -> list[tuple[str, int | None, int | None]]:
        """Return name and range of each content that was asked for since the last call."""
        asked, self.asked = self.asked, []
        return sorted(one[1:] for one in asked if one[0] == "cat_file")

    def note(self, what: str, path: str, start: int | None = None, end: int | None = None) -> None:
        name = path.removeprefix(f"/{self.bucket}").removeprefix("/")
        self.asked.append((what, name, start, end))
        if what == "cat_file" and name in self.faults:
            raise self.faults[name]


@contextmanager
def object_store(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    """Give a store whose requests are counted."""
    store = ObjectStore()
    for what in ("find", "cat_file", "info", "ls"):
        monkeypatch.setattr(MemoryFileSystem, what, _counted(store, what))
    yield store
    MemoryFileSystem.store.clear()


def _counted(store: ObjectStore, what: str) -> Any:
    original = getattr(MemoryFileSystem, what)

    def call(self: MemoryFileSystem, path: str, *positional: Any, **named: Any) -> Any:
        store.note(what, path, named.get("start"), named.get("end"))
        return original(self, path, *positional, **named)

    return call
