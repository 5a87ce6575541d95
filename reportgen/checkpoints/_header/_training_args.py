"""The Trainer's `training_args.bin`: a pickled object of settings, read without building it.

Source: `transformers/training_args.py` and `trainer.py` (`torch.save(self.args, ...)`), from 4.0
to 5.23. Members of enumerations come as a call of their class with their value; Python 3.11.0 to
3.11.3 wrote a call of `getattr` with their name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO

from reportgen.checkpoints._header._arguments import plain_value
from reportgen.checkpoints._header._fault import refusal
from reportgen.checkpoints._header._machine import Name, Record
from reportgen.checkpoints._header._names import warn_of_names
from reportgen.checkpoints._header._torch import open_saved
from reportgen.checkpoints._header._walk import table_of
from reportgen.records.source import Problem

# One of these is in every such object, whatever its class is called.
SIGNS = frozenset({"output_dir", "per_device_train_batch_size", "num_train_epochs"})
# Passwords of the hub; and what the Trainer keeps for itself.
SECRET, INTERNAL = ("token", "api_key", "password"), "_"
# Classes whose objects such a file holds; no dotted way through them to other code.
KNOWN = re.compile(
    r"transformers\.(?:training_args\w*|trainer_utils|trainer_pt_utils|debug_utils)\.[A-Z]\w*"
    r"|accelerate\.(?:state|utils\.dataclasses)\.[A-Z]\w*"
    r"|trl\.trainer\.\w+_config\.[A-Z]\w*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingArguments:
    """Settings of a training run.

    Attributes:
        values: Setting to a plain value or a short list of them.
        problems: Code that a loader would have run.
    """

    values: Mapping[str, object]
    problems: tuple[Problem, ...] = ()


def read_training_args(file: BinaryIO, size: int, name: str) -> TrainingArguments:
    """Read the settings that `torch.save(training_args)` wrote; nothing in the file is run.

    Args:
        file: Open for reading, at its beginning.
        size: Its bytes.
        name: What messages call it.

    Returns:
        Every setting that is a plain value. Members of enumerations are their values; what
        the Trainer keeps for itself (`_n_gpu`) and keys that hold passwords are left out.

    Raises:
        EvidenceError: The file is damaged, or holds no training arguments.
    """
    held, _ = open_saved(file, size, name)
    found = table_of(held.value) if isinstance(held.value, Record) else {}
    unknown = tuple(label for label in held.names if not KNOWN.fullmatch(label))
    warnings = warn_of_names(unknown, name)
    if not SIGNS & found.keys():
        said = "".join(f": {problem.message}" for problem in warnings)
        raise refusal(name, f"holds no training arguments{said}", "copy the run's own file")
    values: dict[str, object] = {}
    for key, value in found.items():
        if not key.startswith(INTERNAL) and not key.endswith(SECRET):
            known, plain = plain_value(_member(value))
            if known:
                values[key] = plain
    return TrainingArguments(values=values, problems=warnings)


def _member(value: object) -> object:
    """Return the value of a member of an enumeration; everything else as it is.

    Example:
        >>> scheduler = Name("transformers.trainer_utils.SchedulerType")
        >>> _member(Record(scheduler, ("cosine",)))
        'cosine'
        >>> _member(Record(Name("builtins.getattr"), (scheduler, "COSINE")))
        'COSINE'
    """
    if not isinstance(value, Record) or not isinstance(value.arguments, tuple) or value.state:
        return value
    called, arguments = value.callee, value.arguments
    if called == "builtins.getattr" and len(arguments) == 2:
        called, arguments = arguments[0], arguments[1:]
    known = isinstance(called, Name) and KNOWN.fullmatch(called)
    return arguments[0] if known and len(arguments) == 1 else value
