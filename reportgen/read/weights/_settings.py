"""Settings in a pickle: a checkpoint's training arguments, and the Trainer's `training_args.bin`.

Source: `transformers/training_args.py` and `trainer.py` (`torch.save(self.args, ...)`), from 4.0
to 5.23. Members of enumerations come as a call of their class with their value; Python 3.11.0 to
3.11.3 wrote a call of `getattr` with their name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import BytesIO
from itertools import islice
from typing import Any

from reportgen.read.weights._files import WORDS, refusal
from reportgen.read.weights._model import table_of
from reportgen.read.weights._pickle import Name, Record, Table
from reportgen.read.weights._saved import open_saved
from reportgen.records.source import Problem

# fairseq: Namespace, then one with sections; Lightning; and what many scripts write themselves.
KEYS = ("args", "cfg", "hyper_parameters", "config", "hparams", "opt")
# In fairseq's sections the model's own arguments win over others of the same name.
FIRST = "model"
MOST_VALUES = 2000
LONGEST_TEXT = 1000
LONGEST_LIST = 64
DEEPEST = 8
MOST_LISTED = 10
LONGEST_LISTED = 200
HARMLESS = WORDS["harmless"]
# Classes whose objects the Trainer's settings hold; no dotted way through them to other code.
OF_TRAINER = WORDS["of trainer"]
# The namespace of classes that TorchScript keeps in the file itself.
SCRIPTED = "__torch__."
# One of these is in every object of settings, whatever its class is called.
SIGNS = frozenset({"output_dir", "per_device_train_batch_size", "num_train_epochs"})
# Passwords of the hub; and what the Trainer keeps for itself.
SECRET, INTERNAL = ("token", "api_key", "password"), "_"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingArguments:
    """Settings of a training run.

    Attributes:
        values: Setting to a plain value or a short list of them.
        problems: Code that a loader would have run.
    """

    values: Mapping[str, object]
    problems: tuple[Problem, ...] = ()


def read_training_args(content: bytes, name: str) -> TrainingArguments:
    """Read the settings that `torch.save(training_args)` wrote; nothing in the file is run.

    Args:
        content: The file.
        name: What messages call it.

    Returns:
        Every setting that is a plain value. Members of enumerations are their values; what
        the Trainer keeps for itself (`_n_gpu`) and keys that hold passwords are left out.

    Raises:
        EvidenceError: The file is damaged, or holds no training arguments.
    """
    held, _ = open_saved(BytesIO(content), len(content), name)
    found = table_of(held.value) if isinstance(held.value, Record) else {}
    warnings = warn_of_names((n for n in held.names if not is_listed(n, OF_TRAINER)), name)
    if not SIGNS & found.keys():
        said = "".join(f": {problem.message}" for problem in warnings)
        raise refusal(name, f"holds no training arguments{said}", "copy the run's own file")
    values: dict[str, object] = {}
    for key, value in found.items():
        plain = _unwrap(_member(value))
        if not key.startswith(INTERNAL) and not key.endswith(SECRET) and _is_plain(plain):
            values[key] = plain
    return TrainingArguments(values=values, problems=warnings)


def _member(value: object) -> object:
    """Return the value of a member of an enumeration; everything else as it is."""
    if not isinstance(value, Record) or not isinstance(value.arguments, tuple) or value.state:
        return value
    called, arguments = value.callee, value.arguments
    if called == "builtins.getattr" and len(arguments) == 2:
        called, arguments = arguments[0], arguments[1:]
    known = isinstance(called, Name) and is_listed(called, OF_TRAINER)
    return arguments[0] if known and len(arguments) == 1 else value


def warn_of_names(names: Iterable[str], path: str) -> tuple[Problem, ...]:
    """Return one line about the names that are not known to be harmless, if there are any."""
    unknown = [n for n in names if not n.startswith(SCRIPTED) and not is_listed(n, HARMLESS)]
    if not unknown:
        return ()
    more = f" and {len(unknown) - MOST_LISTED} more" if len(unknown) > MOST_LISTED else ""
    listed = ", ".join(name[:LONGEST_LISTED] for name in unknown[:MOST_LISTED])
    return (
        Problem(
            path=path,
            message=f"this file names code that a loader would run: {listed}{more}",
            remedy="nothing was run here; do not load it with pickle unless you trust its author",
        ),
    )


def is_listed(label: str, table: Mapping[str, str]) -> bool:
    """Say whether a dotted name is one of a table's; a star stands for no dot."""
    module, _, name = label.rpartition(".")
    modules = [module] if module in table else [one for one in table if "*" in one]
    return any(
        fnmatchcase(module, pattern)
        and module.count(".") == pattern.count(".")
        and any(fnmatchcase(name, one) for one in table[pattern].split())
        for pattern in modules
    )


def find_arguments(values: dict[str, Any]) -> dict[str, object]:
    """Return the training arguments among what stands at the top of a checkpoint.

    Only plain values are taken: text, numbers, truth values, None and short lists of them.
    A name that two sections use keeps its section: `task.seed`.
    """
    for key in KEYS:
        leaves = _leaves(values.get(key))
        if leaves:
            found: dict[str, object] = {}
            for path, value in sorted(leaves, key=lambda leaf: leaf[0][:1] != (FIRST,)):
                name = path[-1] if path[-1] not in found else ".".join(path)
                found.setdefault(name, value)
            return found
    return {}


def _leaves(root: object) -> list[tuple[tuple[str, ...], object]]:
    found: list[tuple[tuple[str, ...], object]] = []
    entered: set[int] = set()
    waiting: list[tuple[tuple[str, ...], object]] = [((), root)]
    while waiting and len(found) < MOST_VALUES:
        path, value = waiting.pop()
        value = _unwrap(value)
        if path and len(path[-1]) <= LONGEST_TEXT and _is_plain(value):
            found.append((path, value))
        elif isinstance(value, Table | Record) and id(value) not in entered and len(path) < DEEPEST:
            entered.add(id(value))
            below = list(islice(table_of(value).items(), MOST_VALUES))
            waiting.extend(((*path, key), one) for key, one in reversed(below))
    return found


def _unwrap(value: object) -> object:
    """Take a value, or a list's values, out of omegaconf's nodes and containers."""
    value = _content(value)
    if isinstance(value, list | tuple) and not isinstance(value, Table):
        return [_content(one) for one in value[: LONGEST_LIST + 1]]
    return value


def _content(value: object) -> object:
    for _ in range(DEEPEST):
        if not isinstance(value, Record) or not isinstance(value.callee, Name):
            break
        held = table_of(value) if value.callee.startswith("omegaconf.") else {}
        if not held.keys() & {"_val", "_content"}:
            break
        value = held["_val"] if "_val" in held else held["_content"]
    return value


def _is_plain(value: object) -> bool:
    if isinstance(value, list) and not isinstance(value, Table):
        return len(value) <= LONGEST_LIST and all(map(_is_scalar, value))
    return _is_scalar(value)


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT and not isinstance(value, Name)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and value.bit_length() <= 64)
