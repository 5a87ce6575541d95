"""A folder of this machine that holds what lies under a URL, as one listing told it.

Below the cache: `mirrors/<url>/objects/<digest>`, each fetched content once, and
`mirrors/<url>/trees/<digest>/`, one folder a listing, whose files are links to the contents. Either
appears by one rename and never changes, so that any number of builds use them at one time
without a lock, and a build reads one state of the store from begin to end.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from reportgen.read.remote.objects import Earlier, Fetcher, LimitOf, Listing, Object, list_objects
from reportgen.read.remote.url import Url, asking, missing_library
from reportgen.records.errors import EvidenceError, OutputError, ReportgenError, UsageError
from reportgen.records.source import Problem

RECORD = "listing.json"
ROOT = "root"

TREE_SECONDS = 24 * 3600
"""A tree that nobody asked for this long is removed; a build that reads one takes less."""

MIRROR_SECONDS = 30 * 24 * 3600
"""So is everything of a URL."""

_TREE_NAME = re.compile("[0-9a-f]{32}")

Notify = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored:
    """What lies under a URL, at hand.

    Attributes:
        path: Folder or file of this machine.
        url: Where it comes from.
        problems: What was not fetched, and why.
    """

    path: Path
    url: str
    problems: tuple[Problem, ...]


def mirror(
    url: Url,
    cache: Path,
    limit_of: LimitOf,
    notify: Notify,
) -> Mirrored:
    """Bring what lies under a URL to this machine; what is here already is not fetched again.

    Args:
        url: A folder or an object.
        cache: Folder of the cache.
        limit_of: Which objects are wanted.
        notify: Called with (stage, done, total).

    Raises:
        EvidenceError: There is nothing, it may not be read, or the store cannot be reached.
        MissingExtraError: The package that reads such URLs is not installed.
        OutputError: The cache cannot be written.
        UsageError: Nothing reads such URLs.
    """
    store, path = _open(url)
    notify("listing objects", 0, 1)
    listing = list_objects(store, path, url, limit_of)
    if listing.single and not listing.objects:
        reason = listing.problems[0].message if listing.problems else "nothing here reads its name"
        raise EvidenceError(f"{url}: {reason}", remedy="copy it to this machine and name the copy")
    home = cache / "mirrors" / _digest(str(url), _endpoint(store))
    try:
        (home / "objects").mkdir(parents=True, exist_ok=True)
        (home / "trees").mkdir(exist_ok=True)
        try:
            tree, problems = _settle(store, url, listing, home, notify)
        except EvidenceError:  # which is a FileNotFoundError too
            raise
        except FileNotFoundError:
            # Somebody tidied up, and removed a content of old between two looks at it.
            tree, problems = _settle(store, url, listing, home, notify)
        _forget(home, tree)
    except ReportgenError:
        raise
    except OSError as fault:
        raise OutputError(
            f"cannot write {fault.filename or home}: {fault.strerror or fault}",
            remedy="name a folder with room for the logs as the cache: --cache DIR, or the "
            "variable REPORTGEN_CACHE",
        ) from None
    return Mirrored(path=tree / ROOT / url.name, url=str(url), problems=problems)


def mirrored_at(path: Path) -> Mirrored | None:
    """Return what is known of a folder or file of a mirror; None where it lies in none.

    The problems are those below it, by their names from there.
    """
    for place in (path, *path.parents):
        tree = place.parent.parent
        if place.parent.name != ROOT or not _TREE_NAME.fullmatch(tree.name):
            continue
        record = _record_of(tree)
        if record:
            below = path.relative_to(place).as_posix()
            prefix = "" if below == "." else f"{below}/"
            told = (Problem(**problem) for problem in record["problems"])
            return Mirrored(
                path=path,
                url=f"{record['url']}/{prefix}".rstrip("/"),
                problems=tuple(
                    replace(problem, path=problem.path.removeprefix(prefix))
                    for problem in told
                    if problem.path.startswith(prefix)
                ),
            )
    return None


def _open(url: Url) -> tuple[Any, str]:
    """Return the file system of a URL, which knows nothing of earlier listings, and its path."""
    try:
        from fsspec import get_filesystem_class
        from fsspec.core import url_to_fs

        get_filesystem_class(url.protocol)
    except ImportError as fault:
        raise missing_library(url, fault) from None
    except ValueError as fault:
        raise UsageError(f"nothing reads {url}: {fault}", remedy="use s3:// or gs://") from None
    with asking(url):
        store, path = url_to_fs(str(url), use_listings_cache=False)
    return store, str(path)


def _settle(
    store: Any, url: Url, listing: Listing, home: Path, notify: Notify
) -> tuple[Path, tuple[Problem, ...]]:
    """Fetch what is new, and return the tree of the listing with what is to say of it."""
    with tempfile.TemporaryDirectory(
        dir=home, prefix=".new-", ignore_cleanup_errors=True
    ) as staging:
        fetcher = Fetcher(
            store=store,
            url=url,
            folder=home / "objects",
            staging=Path(staging),
            before=dict(_fetched(home)),
        )
        problems = _fetch(fetcher, listing, notify)
        whole = replace(listing, problems=[*listing.problems, *problems])
        return _plant(url, whole, home, Path(staging)), tuple(whole.problems)


def _endpoint(store: Any) -> str:
    """Return which of the servers that speak one protocol is asked."""
    options = store.storage_options
    client = options.get("client_kwargs") or {}
    named = options.get("endpoint_url") or client.get("endpoint_url")
    variables = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "STORAGE_EMULATOR_HOST")
    return str(named or next((os.environ[v] for v in variables if os.environ.get(v)), ""))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _fetch(fetcher: Fetcher, listing: Listing, notify: Notify) -> list[Problem]:
    """Fetch what is not there yet."""
    new = [one for one in listing.objects if _size(fetcher.folder / one.digest) != one.size]
    if not new:
        return []
    notify("fetching logs", 0, len(new))
    return fetcher.fetch(new, lambda done: notify("fetching logs", done, len(new)))


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _fetched(home: Path) -> Iterator[tuple[str, Earlier]]:
    """Yield name and content of what the newest tree holds."""
    trees = _by_age(home / "trees")
    record = _record_of(trees[-1]) if trees else None
    for name, digest, md5 in (record or {}).get("objects", []):
        yield name, Earlier(home / "objects" / digest, md5)


def _record_of(tree: Path) -> Mapping[str, Any] | None:
    """Return what a tree says of itself; None where it is not whole."""
    try:
        content = (tree / RECORD).read_bytes()
        record = json.loads(content)
    except (OSError, ValueError):
        return None
    whole = _digest(content.decode("utf-8", "replace")) == tree.name
    return record if whole and isinstance(record, dict) else None


def _plant(url: Url, listing: Listing, home: Path, staging: Path) -> Path:
    """Return the folder of a listing, made where it is not there."""
    fetched = [one for one in listing.objects if _size(home / "objects" / one.digest) == one.size]
    record = {
        "url": str(url),
        "objects": [(one.name, one.digest, one.md5) for one in fetched],
        "names": listing.names,
        "problems": [asdict(problem) for problem in listing.problems],
    }
    text = json.dumps(record, ensure_ascii=True)
    tree = home / "trees" / _digest(text)
    root = Path(ROOT) if listing.single else Path(ROOT, url.name)
    if not _is_whole(tree, tree / root, fetched):
        planted = staging / "tree"
        (planted / root).mkdir(parents=True)
        for one in fetched:
            _link(home / "objects" / one.digest, planted / root / one.name)
        for name in listing.names:
            path = planted / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (planted / RECORD).write_text(text, encoding="utf-8")
        _move(planted, tree, lambda: _is_whole(tree, tree / root, fetched))
    os.utime(tree / RECORD)
    return tree


def _move(planted: Path, tree: Path, is_whole: Callable[[], bool]) -> None:
    """Put a tree in its place; one that another build put there in time stays, unless damaged."""
    with suppress(OSError):
        planted.replace(tree)
        return
    if not is_whole():
        shutil.rmtree(tree, ignore_errors=True)
        with suppress(OSError):
            planted.replace(tree)


def _is_whole(tree: Path, root: Path, fetched: list[Object]) -> bool:
    return _record_of(tree) is not None and all(
        _size(root / one.name) == one.size for one in fetched
    )


def _link(content: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(content, path)
    except OSError:
        # Not every disk has links, and one content has not any number of them.
        shutil.copyfile(content, path)


def _by_age(folder: Path) -> list[Path]:
    """Return the trees of a mirror, or the mirrors of a cache, the last used last."""

    def used(entry: Path) -> float:
        try:
            return (entry / RECORD).stat().st_mtime
        except OSError:
            return 0.0

    return sorted((entry for entry in folder.iterdir() if entry.is_dir()), key=used)


def _forget(home: Path, tree: Path) -> None:
    """Remove what nobody used for long: trees, contents that no tree holds, other mirrors."""
    now = time.time()
    with suppress(OSError):
        for old in (home / "trees").iterdir():
            if old != tree and _age(old / RECORD, now) > TREE_SECONDS:
                shutil.rmtree(old, ignore_errors=True)
        trees = [_record_of(entry) or {} for entry in (home / "trees").iterdir()]
        held = {digest for record in trees for _, digest, _ in record.get("objects", [])}
        for content in (home / "objects").iterdir():
            if content.name not in held and _age(content, now) > TREE_SECONDS:
                content.unlink(missing_ok=True)
        os.utime(home)
        for left in home.glob(".new-*"):
            if _age(left, now) > TREE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
        for other in home.parent.iterdir():
            if _age(other, now) > MIRROR_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


def _age(path: Path, now: float) -> float:
    try:
        return now - path.stat().st_mtime
    except OSError:
        return 0.0
