"""Settings of a run in YAML: Lightning's `hparams.yaml`, and what Hydra keeps in `.hydra`."""

from __future__ import annotations

from pathlib import Path

from reportgen.read.logs._files import read_text
from reportgen.read.logs._yaml import YamlError, doubts, flatten, read_yaml
from reportgen.records.run import Log, Problem

KIND, HYDRA = "hparams_yaml", "hydra_yaml"


def load_hparams_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read the settings, nested ones under keys with dots.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log with a configuration and no series. Objects of Python are not made; a note
        names their keys.
    """
    return _load(path, name, KIND)


def load_hydra_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read the settings of the runs in the folder above `.hydra`, or what was overridden.

    Args:
        path: `config.yaml` or `overrides.yaml`.
        name: POSIX path relative to the root.

    Returns:
        As `load_hparams_yaml`.
    """
    return _load(path, name, HYDRA)


def _load(path: Path, name: str, kind: str) -> tuple[Log, ...]:
    content, empty = read_text(path, name, kind)
    if empty.problems:
        return (empty,)
    try:
        settings = read_yaml(content) or {}
        if kind == HYDRA and isinstance(settings, list):
            settings = _overrides(settings)
    except YamlError as error:
        return (Log(source=empty.source, problems=(Problem(path=name, message=str(error)),)),)
    if not isinstance(settings, dict):
        problem = Problem(path=name, message="holds no settings: not a mapping of keys to values")
        return (Log(source=empty.source, problems=(problem,)),)
    config, unread = flatten(settings)
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
