"""Settings of runs: which of them tell groups apart, and which only tell runs apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from reportgen.runs._seeds import WITH_NUMBERS, cut_token, find_tokens, without_clock

Settings = Mapping[str, str]

CHOICES = frozenset({
    "algo", "algorithm", "agent", "arch", "architecture", "backbone", "model", "net", "network",
    "optim", "optimizer", "scheduler", "loss", "criterion", "activation", "init", "env",
    "environment", "task", "dataset", "data", "corpus", "method", "experiment", "exp", "pretrained",
    "restore", "freeze", "augmentation", "norm", "normalization", "scale",
})  # fmt: skip
"""Words in keys of settings that are chosen, not measured."""

BOOKKEEPING = frozenset({
    "run", "job", "log", "logger", "logging", "save", "dir", "directory", "folder", "checkpoint",
    "checkpoints", "ckpt", "resume", "best", "date", "time", "timestamp", "host", "hostname",
    "user", "username", "pid", "port", "uuid", "wandb", "tensorboard", "mlflow", "tracking",
    "track", "tags", "notes", "git", "commit", "workers", "verbose", "debug", "progress", "hub",
    "hydra", "seed", "seeds", "runtime", "flos", "host_info", "eval", "test", "predict",
})  # fmt: skip
"""Words in keys of what a start is called, where it writes, and what came of it."""

_WHOLE_KEYS = frozenset({
    "id", "name", "epoch", "global_step", "step", "device", "gpu", "gpus", "gpu_id", "cuda",
    "local_rank", "num_input_tokens_seen", "random_state", "tag", "index", "fold",
})  # fmt: skip
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DEEP, _LONG, _MANY = 4, 200, 2000


def settings_of(config: Mapping[str, object]) -> dict[str, str]:
    """Return the settings that a run was trained with: no seeds, no names, no results.

    Example:
        >>> settings_of({"seed": 1, "model": {"name": "small"}, "output_dir": "out/1", "lr": 0.1})
        {'model.name': 'small', 'lr': '0.1'}
    """
    found = {}
    for key, value in _flat(config, "", _DEEP):
        if len(found) == _MANY:
            break
        if not (key in _WHOLE_KEYS or BOOKKEEPING & set(_words(key))) and value is not None:
            found[key] = _spelled(value)
    return found


def differing(several: Sequence[Settings]) -> tuple[str, ...]:
    """Return the keys by which runs of one name are different groups.

    What differs in every run may be a name or a count of the run itself: it tells groups apart
    where its key is the name of a setting, or its value is no such thing.

    Example:
        >>> differing([{"lr": "0.1", "trial": "7"}, {"lr": "0.2", "trial": "8"}])
        ('lr',)
    """
    keys = dict.fromkeys(key for settings in several for key in settings)
    return tuple(key for key in keys if _tells(key, [s[key] for s in several if key in s]))


def label_of(settings: Settings, keys: Sequence[str]) -> str:
    """Return what tells a group apart in words: the chosen value, or settings by name.

    Example:
        >>> label_of({"model": "small"}, ["model"]), label_of({"optim.lr": "0.1"}, ["optim.lr"])
        ('small', 'lr=0.1')
    """
    stated = [(key, settings[key][:40]) for key in keys if settings.get(key, "")]
    if len(stated) == 1 and stated[0][1][:1].isalpha() and stated[0][1] not in {"True", "False"}:
        return stated[0][1]
    return ",".join(f"{re.split(r'[./]', key)[-1]}={value}" for key, value in stated)


def _flat(config: Mapping[str, object], above: str, deep: int) -> Iterator[tuple[str, object]]:
    for name, value in config.items():
        key = f"{above}.{name}" if above else str(name)
        if isinstance(value, Mapping) and deep:
            yield from _flat(value, key, deep - 1)
        elif isinstance(value, str | int | float | bool | list | tuple | None):
            yield key, value


def _words(key: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(key)]


def _spelled(value: object) -> str:
    """Return a value as text; one that names a run goes without its seed and its clock."""
    text = str(value)[:_LONG]
    if not isinstance(value, str):
        return text
    for _, begin, _, end in reversed(find_tokens(text)):
        text = cut_token(text, begin, end)
    return without_clock(text)


def _tells(key: str, values: Sequence[str]) -> bool:
    distinct = set(values)
    if len(distinct) < 2:
        return False
    named = (WITH_NUMBERS | CHOICES) & set(_words(key))
    return bool(named) or len(distinct) < len(values) or all(map(_is_choice, distinct))


def _is_choice(value: str) -> bool:
    """Tell whether a value is neither a count nor a path, a digest or a measured number."""
    digits = sum(letter.isdigit() for letter in value)
    return "/" not in value and not value.isdigit() and digits < 7
