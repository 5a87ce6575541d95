"""Lightning's `hparams.yaml`: the settings of a run, nested ones under keys with dots."""

from __future__ import annotations

from pathlib import Path

from reportgen.read.logs._files import read_text
from reportgen.read.logs._yaml import YamlError, doubts, flatten, read_yaml
from reportgen.records.run import Log, Problem

KIND = "hparams_yaml"


def load_hparams_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read the settings.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log with a configuration and no series. Objects of Python are not made; a note
        names their keys.
    """
    content, empty = read_text(path, name, KIND)
    if empty.problems:
        return (empty,)
    try:
        settings = read_yaml(content)
    except YamlError as error:
        return (Log(source=empty.source, problems=(Problem(path=name, message=str(error)),)),)
    if not isinstance(settings, dict | None):
        problem = Problem(path=name, message="holds no settings: not a mapping of keys to values")
        return (Log(source=empty.source, problems=(problem,)),)
    config, unread = flatten(settings or {})
    problems = tuple(doubts(content, unread, name))
    return (Log(source=empty.source, config=config, problems=problems),)
