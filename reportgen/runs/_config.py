"""Settings of runs: out of what programs log, and which of them tell groups apart."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from reportgen.records.run import Log
from reportgen.runs._layout import Draft
from reportgen.runs._seeds import (
    LARGEST_SEED,
    WITH_NUMBERS,
    cut_token,
    find_tokens,
    read_path,
    without_clock,
)

_ARGUMENTS = "args/text_summary"
_COMMAND = ("sys.argv", "sys.argv/text_summary")
_SEED_KEYS = (
    "seed", "random_seed", "manual_seed", "rng_seed", "seed_everything", "random_state",
    "global_seed", "torch_seed", "seed_value",
)  # fmt: skip
_OF_DATA = re.compile(r"(?:^|[/.])(?:data|dataset|datamodule|split|loader|dataloader)$")
_CHOSEN = frozenset({
    "model", "arch", "backbone", "net", "network", "optim", "optimizer", "env", "task", "dataset",
    "data", "corpus", "experiment", "pretrained", "restore", "init",
})  # fmt: skip
"""Words in keys of settings whose values may look like names of runs."""

_BOOKKEEPING = frozenset({
    "run", "job", "log", "logger", "logging", "save", "dir", "directory", "folder", "checkpoint",
    "checkpoints", "ckpt", "resume", "best", "date", "time", "timestamp", "host", "hostname",
    "user", "username", "pid", "port", "uuid", "wandb", "tensorboard", "mlflow", "tracking",
    "track", "tags", "notes", "git", "commit", "workers", "verbose", "debug", "progress", "hub",
    "hydra", "seed", "seeds", "runtime", "flos", "eval", "test", "predict",
})  # fmt: skip
"""Words in keys of what a start is called, where it writes, and what came of it."""

_OF_A_START = frozenset({
    "id", "name", "epoch", "global_step", "step", "device", "gpu", "gpus", "gpu_id", "cuda",
    "local_rank", "num_input_tokens_seen", "random_state", "tag", "index", "fold",
})  # fmt: skip
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HYDRA_KEY = re.compile(r"\+{0,2}[a-zA-Z_][\w./]*")
_DEEP, _LONG, _MANY, _DIGITS = 4, 200, 2000, 7

Settings = Mapping[str, str]
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
    """Read the JSON that the Trainer logs as `args`; anything else gives nothing."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def read_command(text: str) -> dict[str, object]:
    """Read a printed `sys.argv`: `--key value`, `--flag` and Hydra's `key=value`.

    Example:
        >>> read_command("['train.py', '--seed', '2', '--lr', '1e-05', '--fp16']")
        {'seed': 2, 'lr': 1e-05, 'fp16': True}
        >>> read_command("['train.py', 'model.name=small', '+seed=2']")
        {'model.name': 'small', 'seed': 2}
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
        key, equals, value = word.removeprefix("--").partition("=")
        if not key or not (word.startswith("--") or (_HYDRA_KEY.fullmatch(key) and equals)):
            continue
        if not equals:
            value = "" if following.startswith("--") else following
        found[key.lstrip("+").replace("-", "_")] = _literal(value) if value else True
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
    inside = set()
    for key, value in leaves_of(config):
        section, _, name = key.replace("/", ".").rpartition(".")
        if section and name.lower() in _SEED_KEYS and not _OF_DATA.search(section):
            inside.add(_as_seed(value))
    inside.discard(None)
    return inside.pop() if len(inside) == 1 else None


def seed_of(draft: Draft) -> int | None:
    """Return the seed of a run: as the study or its settings state it, else as its name does."""
    stated = seed_in(draft.config) if draft.seed is None else draft.seed
    return read_path(draft.name or draft.place, draft.layout).seed if stated is None else stated


def without_seeds(config: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a configuration that several runs share."""
    return {k: v for k, v in config.items() if re.split(r"[./]", k)[-1].lower() not in _SEED_KEYS}


def _as_seed(value: object) -> int | None:
    """Return a whole number that may be a seed: not below 0, and of 32 bits."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 19:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = isinstance(value, int) or value.is_integer()
    return int(value) if whole and 0 <= value <= LARGEST_SEED else None


def settings_of(config: Mapping[str, object]) -> dict[str, str]:
    """Return the settings that a run was trained with: no seeds, no names, no results.

    Example:
        >>> settings_of({"seed": 1, "model": {"name": "small"}, "output_dir": "out/1", "lr": 0.1})
        {'model.name': 'small', 'lr': '0.1'}
    """
    found: dict[str, str] = {}
    for key, value in leaves_of(config):
        if len(found) == _MANY:
            break
        if _tells_apart(key) and value is not None:
            found[key] = _spelled(value[:_LONG]) if isinstance(value, str) else str(value)[:_LONG]
    return found


def contradict(one: Settings, other: Settings) -> bool:
    """Tell whether two runs state different values of a setting."""
    return any(one[key] != other[key] for key in one.keys() & other.keys())


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


def leaves_of(
    config: Mapping[str, object], above: str = "", deep: int = _DEEP
) -> Iterator[tuple[str, object]]:
    """Yield every setting of a configuration, those of its sections with their names before."""
    for name, value in config.items():
        key = f"{above}.{name}" if above else str(name)
        if isinstance(value, Mapping) and deep:
            yield from leaves_of(value, key, deep - 1)
        elif isinstance(value, str | int | float | bool | list | tuple | None):
            yield key, value


def words_of(key: str) -> set[str]:
    """Return the words of a key, in small letters."""
    return {word.lower() for word in _WORDS.findall(key)}


@lru_cache(maxsize=4096)
def _tells_apart(key: str) -> bool:
    return key not in _OF_A_START and not _BOOKKEEPING & words_of(key)


@lru_cache(maxsize=4096)
def _spelled(text: str) -> str:
    """Return a text that may name a run without its seed and its clock."""
    for _, begin, _, end in reversed(find_tokens(text)):
        text = cut_token(text, begin, end)
    return without_clock(text)


def _tells(key: str, values: Sequence[str]) -> bool:
    distinct = set(values)
    if len(distinct) < 2:
        return False
    named = (WITH_NUMBERS | _CHOSEN) & words_of(key)
    # A choice is neither a count nor a path, a digest or a measured number.
    choices = all(
        "/" not in value and not value.isdigit() and sum(map(str.isdigit, value)) < _DIGITS
        for value in distinct
    )
    return bool(named) or len(distinct) < len(values) or choices
