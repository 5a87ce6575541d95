"""`config.yaml` of Weights & Biases and of Lightning's command line: the settings of a run."""

from __future__ import annotations

from pathlib import Path

from reportgen.read.logs._files import read_text
from reportgen.read.logs._yaml import YamlError, doubts, flatten, read_yaml
from reportgen.records.run import Log, Problem

KIND = "config_yaml"
_WANDB = ("wandb_version", "_wandb")
_LIGHTNING = "seed_everything"


def load_config_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read settings.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log with a configuration and no series; none for the many files of this name that
        other programs write.
    """
    content, empty = read_text(path, name, KIND)
    if empty.problems:
        return () if empty.problems[0].message.startswith("the file is empty") else (empty,)
    try:
        settings = read_yaml(content)
    except YamlError as error:
        # Of a file that may be anybody's, only one that looks like a run's is spoken of.
        told = any(key.encode() in content for key in (*_WANDB, _LIGHTNING))
        problem = Problem(path=name, message=str(error))
        return (Log(source=empty.source, problems=(problem,)),) if told else ()
    if not isinstance(settings, dict):
        return ()
    if any(key in settings for key in _WANDB):
        settings = {
            key: value.get("value") if isinstance(value, dict) and "value" in value else value
            for key, value in settings.items()
            if key not in _WANDB
        }
    elif _LIGHTNING not in settings:
        return ()
    config, unread = flatten(settings)
    problems = tuple(doubts(content, unread, name))
    return (Log(source=empty.source, config=config, problems=problems),)
