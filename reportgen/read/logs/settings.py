"""Settings of a run: YAML, JSON and pickles that Lightning, Hydra, the Trainer and others write."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

from reportgen.read.logs.files import (
    doubts,
    flatten,
    parse_json,
    parse_yaml,
    read_plain,
    read_text,
    unless_empty,
)
from reportgen.read.logs.said import literal_of
from reportgen.read.logs.sources import sources_of
from reportgen.read.logs.walk import is_model, is_settings
from reportgen.read.logs.words import end_of
from reportgen.records.errors import EvidenceError
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem

HPARAMS, CONFIG, KIND = "hparams_yaml", "config_yaml", "settings"
TRAINING_ARGS = "training_args"
SACRED = "sacred"
NAMESPACE = "Namespace("
"""How settings begin that a script prints as `argparse` shows them."""

_VALUED = {"desc", "value"}
"""What Weights & Biases keeps of a setting."""
_WANDB = ("wandb_version", "_wandb")


def load_hparams_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read Lightning's `hparams.yaml`: one log with a configuration and no series.

    Nested keys are joined by dots. Objects of Python are not made; a note names their keys.
    """
    return _load(path, name, HPARAMS)


def load_config_yaml(path: Path, name: str) -> tuple[Log, ...]:
    """Read `config.yaml` of Weights & Biases, of Lightning's command line or of a script.

    Returns:
        One log with a configuration and no series; none where no keys have values.
    """
    return _load(path, name, CONFIG)


def load_settings(path: Path, name: str) -> tuple[Log, ...]:
    """Read the settings that other programs write beside their logs.

    Returns:
        One log with a configuration and no series; none for another file of the name.
    """
    return _load(path, name, KIND)


def _load(path: Path, name: str, kind: str) -> tuple[Log, ...]:
    """Read a file of settings by the first source of a kind that finds any in it."""
    content, empty = read_text(path, name, kind)
    found: object = None
    if content:
        parse = parse_json if name.endswith(".json") else parse_yaml
        found, problem = parse(content, name)
        empty = replace(empty, problems=(problem,) if problem else ())
    expected = kind == HPARAMS
    if empty.problems:
        # Where a model is asked for, its configuration is spoken of.
        is_other = content and is_settings(name)
        return (empty,) if expected else () if is_other else unless_empty(empty)
    for source in sources_of(kind, path=name):
        if all(isinstance(found, dict) and key in found for key in source.look):
            settings = _SHAPES[source.cut](found)
            if settings or (expected and not found):
                config, unread = flatten(settings)
                problems = tuple(doubts(content, unread, name))
                # Of the settings only those of a run that a program tracks say how it ended.
                told = found if source.cut == SACRED and isinstance(found, dict) else {}
                log = replace(empty, program=source.program, config=config, problems=problems)
                return (replace(log, ended=end_of(told.get("status"))),)
    message = "holds no settings: not a mapping of keys to values"
    return (replace(empty, problems=(Problem(path=name, message=message),)),) if expected else ()


def load_training_args(path: Path, name: str) -> tuple[Log, ...]:
    """Read the settings; the pickle is interpreted and nothing in it is run.

    Returns:
        One log with a configuration and no series. Passwords are left out.
    """
    from reportgen.read.weights import read_training_args

    content, log = read_text(path, name, TRAINING_ARGS)
    if not content:
        return (log,)
    try:
        found = read_training_args(content, name)
    except EvidenceError as error:
        message = error.message.removeprefix(f"{name} ")
        problem = Problem(path=name, message=message, remedy=error.remedy)
        return (replace(log, problems=(problem,)),)
    return (replace(log, config=found.values, problems=found.problems),)


def printed_settings(text: str) -> dict[str, object]:
    """Return the settings in a line that shows a namespace of `argparse`, nothing of others.

    Example:
        >>> printed_settings("10:00 Namespace(lr=0.1, seed=3, act=<class 'relu'>)")
        {}
        >>> printed_settings("10:00 Namespace(lr=0.1, seed=3, size=(2, 4), f=open)")
        {'lr': 0.1, 'seed': 3, 'size': (2, 4), 'f': 'open'}
    """
    begin, end = text.find(NAMESPACE), text.rfind(")") + 1
    try:
        call = ast.parse(text[begin:end], mode="eval").body
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {}
    pairs = call.keywords if isinstance(call, ast.Call) else []
    return {pair.arg: literal_of(ast.unparse(pair.value)) for pair in pairs if pair.arg is not None}


def _pairs(found: object) -> dict[str, object]:
    """Return a mapping, or the pairs of an ordered one, which the zoo writes as a list."""
    if isinstance(found, dict):
        return found
    pairs = found[0] if isinstance(found, list) and len(found) == 1 else []
    pairs = pairs if isinstance(pairs, list) else []
    return {str(pair[0]): pair[1] for pair in pairs if isinstance(pair, list) and len(pair) == 2}


def _overrides(found: object) -> dict[str, object]:
    """Return what was asked for as `key=value`, without Hydra's signs before a key."""
    lines = [line for line in found if isinstance(line, str)] if isinstance(found, list) else []
    pairs = (line.partition("=") for line in lines)
    # What is taken out of the configuration is none of its settings.
    return {
        key.lstrip("+"): read_plain(value)
        for key, mark, value in pairs
        if mark and not key.startswith("~")
    }


def _sacred(found: object) -> dict[str, object]:
    """Return what a run is of; its settings stand in a file beside it."""
    experiment = found.get("experiment") if isinstance(found, dict) else None
    name = experiment.get("name") if isinstance(experiment, dict) else None
    return {"experiment": name} if isinstance(name, str) else {}


def _arguments(found: object) -> dict[str, object]:
    """Return the settings of a script; none where a model describes itself, and no training."""
    if not isinstance(found, dict) or (is_model(found) and "seed" not in found):
        return {}
    return {key: one for key, one in found.items() if not key.startswith("__")}


def _valued(found: object) -> dict[str, object]:
    """Return a mapping, of which Weights & Biases keeps each value beside what it is."""
    if not isinstance(found, dict):
        return {}
    own = {key: value for key, value in found.items() if key not in _WANDB}
    wrapped = (isinstance(v, dict) and v.keys() <= _VALUED for v in own.values())
    if len(own) == len(found) and not all(wrapped):
        return found
    return {k: v["value"] if isinstance(v, dict) and "value" in v else v for k, v in own.items()}


_SHAPES: dict[str, Callable[[object], dict[str, object]]] = {
    "pairs": _pairs,
    "overrides": _overrides,
    SACRED: _sacred,
    "valued": _valued,
    "arguments": _arguments,
}
