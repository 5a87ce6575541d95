"""`training_args.bin` of the Hugging Face Trainer: every setting of a run, in a pickle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reportgen.errors import EvidenceError
from reportgen.read.logs._files import read_text
from reportgen.records.run import Log, Problem

KIND = "training_args"


def load_training_args(path: Path, name: str) -> tuple[Log, ...]:
    """Read the settings; the pickle is interpreted and nothing in it is run.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log with a configuration and no series. Passwords are left out.
    """
    from reportgen.checkpoints._header import read_training_args

    content, log = read_text(path, name, KIND)
    if not content:
        return (log,)
    try:
        found = read_training_args(content, name)
    except EvidenceError as error:
        message = error.message.removeprefix(f"{name} ")
        problem = Problem(path=name, message=message, remedy=error.remedy)
        return (replace(log, problems=(problem,)),)
    return (replace(log, config=found.values, problems=found.problems),)
