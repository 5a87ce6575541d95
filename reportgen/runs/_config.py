"""Hyperparameters out of the texts that programs log beside their numbers."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping

from reportgen.records.run import Log

_ARGUMENTS = "args/text_summary"
_COMMAND = ("sys.argv", "sys.argv/text_summary")
_SEED_KEYS = ("seed", "random_seed", "manual_seed", "rng_seed", "seed_everything")
LARGEST_SEED = 2**32 - 1
"""The largest that numpy and study files take."""

INTERNAL = ("purge_step",)
"""Keys that loaders state for the merging of files, not settings of a run."""


def config_of(log: Log) -> dict[str, object]:
    """Return every setting that one log states."""
    found = {key: value for key, value in log.config.items() if key not in INTERNAL}
    if _ARGUMENTS in log.texts:
        found.update(read_arguments(log.texts[_ARGUMENTS]))
    for tag in _COMMAND:
        if tag in log.texts:
            found.update(read_command(log.texts[tag]))
    return found


def read_arguments(text: str) -> dict[str, object]:
    """Read the JSON that the Trainer logs as `args`; anything else gives nothing.

    Example:
        >>> read_arguments('{"seed": 42, "fsdp": []}')
        {'seed': 42, 'fsdp': []}
    """
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def read_command(text: str) -> dict[str, object]:
    """Read a printed `sys.argv`: `--key value` and `--flag`, keys with underscores.

    Example:
        >>> read_command("['train.py', '--seed', '2', '--lr', '1e-05', '--fp16']")
        {'seed': 2, 'lr': 1e-05, 'fp16': True}
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            words = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        words = text.split()
    if not isinstance(words, list | tuple):
        return {}
    found: dict[str, object] = {}
    names = [str(word) for word in words]
    for word, following in zip(names, [*names[1:], "--"], strict=True):
        if not word.startswith("--") or len(word) == 2:
            continue
        key, equals, value = word[2:].partition("=")
        if not equals:
            value = "" if following.startswith("--") else following
        found[key.replace("-", "_")] = _literal(value) if value else True
    return found


def _literal(text: str) -> object:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def seed_in(config: Mapping[str, object]) -> int | None:
    """Return the seed that a configuration states, None where it states none.

    A seed inside a section (`trainer.seed`, `{"trainer": {"seed": 1}}`) counts where no other
    section states another one and it is not that of the data. Below 0 a program draws one.

    Example:
        >>> seed_in({"seed": 42, "data_seed": None}), seed_in({"lr": 1e-5}), seed_in({"seed": -1})
        (42, None, None)
        >>> seed_in({"model": {"seed": 3}, "data": {"seed": 1}}), seed_in({"trainer/seed": "7"})
        (3, 7)
    """
    for key in _SEED_KEYS:
        seed = _as_seed(config.get(key))
        if seed is not None:
            return seed
    inside = {
        seed
        for section, key, value in _sections(config)
        if key in _SEED_KEYS and not _OF_DATA.search(section)
        if (seed := _as_seed(value)) is not None
    }
    return inside.pop() if len(inside) == 1 else None


_OF_DATA = re.compile(r"(?:^|[/.])(?:data|dataset|datamodule|split|loader|dataloader)$")


def _sections(config: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    """Yield (section, key, value) of what stands one level deep, or has a dot or slash in it."""
    for name, value in config.items():
        if isinstance(value, Mapping):
            yield from ((str(name), str(key), inner) for key, inner in value.items())
        elif "." in name or "/" in name:
            section, key = re.split(r"[./](?=[^./]*$)", name, maxsplit=1)
            yield section, key, value


def _as_seed(value: object) -> int | None:
    """Return a whole number that may be a seed: not below 0, and of 32 bits."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 19:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = isinstance(value, int) or value.is_integer()
    return int(value) if whole and 0 <= value <= LARGEST_SEED else None
