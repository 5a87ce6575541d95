"""One adapter, however many checkpoints repeat its configuration."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from reportgen.records.natural import natural_key

CONFIG = "adapter_config.json"
LARGEST = 1 << 22
"""Bytes of a configuration that is compared with others."""

Places = Mapping[str, tuple[str, ...]]


def equal_adapters(root: Path, files: Iterable[str]) -> Places:
    """Return each distinct adapter with every place of its configuration, in natural order.

    Two are one where they say the same, and so do the configurations of their base models. The
    one nearest to the root stands for all.

    Args:
        root: Folder with the logs.
        files: POSIX paths below it of every file of use.
    """
    from reportgen.runs import nearest_config

    paths = sorted(map(PurePosixPath, files), key=lambda path: natural_key(str(path)))
    configs = [path for path in paths if path.name == "config.json"]
    said: dict[str, object] = {}
    alike: dict[object, list[str]] = {}
    for path in (path for path in paths if path.name == CONFIG):
        base = nearest_config(path, configs)
        if base not in said:
            said[base] = _saying(root, base) if base else ""
        alike.setdefault((_saying(root, str(path)), said[base]), []).append(str(path))
    found = {min(same, key=lambda name: name.count("/")): tuple(same) for same in alike.values()}
    return dict(sorted(found.items(), key=lambda item: natural_key(item[0])))


def _saying(root: Path, name: str) -> object:
    """Return what a file of JSON says, whatever the order of its keys; its name if nothing."""
    path = root / name if root.is_dir() else root
    try:
        if path.stat().st_size <= LARGEST:
            return json.dumps(_in_order(json.loads(path.read_bytes())), sort_keys=True)
    except (OSError, ValueError, RecursionError):
        pass
    return (name,)


def _in_order(value: object) -> object:
    """Return a value with its lists of names sorted: PEFT writes sets in any order."""
    if isinstance(value, dict):
        return {key: _in_order(item) for key, item in value.items()}
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return sorted(value)
    return value


def once(files: Sequence[str], places: Places) -> list[str]:
    """Return the files with one configuration of each adapter, in natural order."""
    left = [name for name in files if PurePosixPath(name).name != CONFIG]
    return [*left, *places]
