"""Lightning's `hparams.yaml`, read without a YAML engine: flat `key: scalar` lines only."""

from __future__ import annotations

import re
from pathlib import Path

from reportgen.loaders._files import read_text
from reportgen.records.run import Log, Problem

KIND = "hparams_yaml"
_LINE = re.compile(r"([A-Za-z_][\w.\-/]*)\s*:(?:\s+(.*))?$")
_INTEGER = re.compile(r"[-+]?\d{1,18}")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_WORDS: dict[str, object] = {
    "true": True,
    "false": False,
    "null": None,
    "~": None,
    "": None,
}


def load_hparams_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read the top-level scalars of a flat YAML file.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log with a configuration and no series. Nested values are not read; a note
        says which.
    """
    content, empty = read_text(path, name, KIND)
    if empty.problems:
        return (empty,)
    config: dict[str, object] = {}
    nested: list[str] = []
    key = ""
    for line in content.decode("utf-8", "replace").splitlines():
        if line[:1] in {" ", "\t", "-"} and line.strip():
            nested.extend([key] if key not in nested else [])
            config.pop(key, None)
            continue
        found = _LINE.match(line.rstrip())
        if found is None:
            continue
        key = found[1]
        value = (found[2] or "").strip()
        if value[:1] in {"[", "{", "&", "*", "!", "|", ">"}:
            nested.append(key)
        else:
            config[key] = _read_scalar(value)
    problems = tuple(
        Problem(path=name, message=f"{key!r} holds nested values; not read", level="note")
        for key in nested
    )
    return (Log(source=empty.source, config=config, problems=problems),)


def _read_scalar(text: str) -> object:
    """Read a YAML scalar of the core schema.

    Example:
        >>> [_read_scalar(t) for t in ("3", "1e-05", "true", "'a b'", "adam  # best")]
        [3, 1e-05, True, 'a b', 'adam']
    """
    if text[:1] in {"'", '"'}:
        return text[1:].partition(text[0])[0]
    text = re.split(r"\s#", text, maxsplit=1)[0].strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return text
