"""What the tests of a store of runs put into it, and how they look at it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reportgen.records.run import Rerun
from reportgen.train.store import RunStore

KEY = "0123456789abcdef0123"

RERUN = Rerun(
    key=KEY,
    group="pretrained",
    seed=1,
    device="CPU",
    date="2026-01-02T03:04:05+00:00",
    versions={"torch": "2.13"},
)


def names(folder: Path) -> list[str]:
    """Files below a folder, by their places."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def visible(store: RunStore) -> list[str]:
    """Files of a store but for those of its leases."""
    return [name for name in names(store.root) if not name.startswith(".reportgen/lease/")]


def fill(folder: Path) -> None:
    """Write what a small run leaves."""
    (folder / "train").mkdir()
    (folder / "train" / "events").write_bytes(b"points")
    (folder / "model.safetensors").write_bytes(b"weights")


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
