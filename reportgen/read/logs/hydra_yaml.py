"""Hydra's settings of a run: `.hydra/config.yaml`, and `.hydra/overrides.yaml` of what varied."""

from __future__ import annotations

from pathlib import Path

from reportgen.read.logs._files import read_text
from reportgen.read.logs._yaml import YamlError, doubts, flatten, read_yaml
from reportgen.records.run import Log, Problem

KIND = "hydra_yaml"


def load_hydra_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read the settings, nested ones under keys with dots.

    Args:
        path: The file.
        name: POSIX path relative to the root; the settings are of the folder above `.hydra`.

    Returns:
        One log with a configuration and no series.
    """
    content, empty = read_text(path, name, KIND)
    if empty.problems:
        return (empty,)
    try:
        settings = read_yaml(content)
    except YamlError as error:
        return (Log(source=empty.source, problems=(Problem(path=name, message=str(error)),)),)
    settings = _overrides(settings) if isinstance(settings, list) else settings
    config, unread = flatten(settings if isinstance(settings, dict) else {})
    problems = tuple(doubts(content, unread, name))
    return (Log(source=empty.source, config=config, problems=problems),)


def _overrides(lines: list[object]) -> dict[str, object]:
    """Return the keys that a command line set: `+trainer.lr=0.1` sets `trainer.lr`."""
    found = {}
    for line in lines:
        key, is_set, value = str(line).partition("=")
        if is_set and not key.startswith("~"):
            found[key.lstrip("+").strip()] = _value_of(value)
    return found


def _value_of(text: str) -> object:
    """Return what a text is in YAML; the text itself where it is none."""
    try:
        found = read_yaml(f"v: {text}".encode())
    except YamlError:
        return text
    return found.get("v") if isinstance(found, dict) else text
