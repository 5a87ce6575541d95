"""A guard for expressions of strangers: a search may take longer than anybody lives."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reportgen.records.errors import StudyError
from reportgen.records.run import Log

SECONDS = 5.0
"""What a pattern may take on all paths together."""

_FEW = 3
_LONGEST_NAME = 200
_REPEAT = re.compile(r"(?<!\\)(?:\\\\)*(?:[*+]|(?<!\()\?|\{\d*,?\d*\})")
_REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{)")
_SEARCH = (
    "import json, re, sys\n"
    "patterns, subjects = json.load(sys.stdin)\n"
    "for pattern in patterns:\n"
    "    try: search = re.compile(pattern).search\n"
    "    except (re.error, RecursionError, OverflowError): continue\n"
    "    for subject in subjects: search(subject)\n"
)


def check_pattern(pattern: str, logs: Iterable[Log]) -> None:
    r"""Refuse a pattern that does not come to an end on the paths of these logs.

    Nothing stops a search of `re` from inside its process: it holds the interpreter's lock,
    so that no thread runs, and signals with a clock are not on every system. A look at the
    pattern alone refuses too much (`(?:[^/]+/)+` is sound) or too little. So it is tried in
    a child, which can be ended; a pattern of few repetitions, none of them around a group,
    takes a time that is a small power of a path's length, and costs no child.

    Args:
        pattern: As the study states it. One that does not compile is let through: where it
            is used, that is said.
        logs: What the loaders found.

    Raises:
        StudyError: The pattern takes longer than five seconds.

    Example:
        >>> check_pattern(r"(?P<group>[^/]+)/(?P<seed>\d+)$", [])
    """
    if not pattern or not may_be_slow(pattern):
        return
    if not come_to_an_end([pattern], {subject for log in logs for subject in _subjects(log)}):
        raise StudyError(
            f"runs.pattern does not come to an end within {SECONDS:g} s on the paths found",
            remedy="write it without a repetition inside a repetition, as in (a+)+",
        )


def come_to_an_end(patterns: Iterable[str], subjects: Iterable[str]) -> bool:
    """Return whether the search for patterns ends within five seconds, all of them together.

    One that does not compile is passed over.
    """
    import json
    import subprocess
    import sys

    try:
        subprocess.run(  # noqa: S603 - our own interpreter, our own text; the pattern is input
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([list(patterns), sorted(subjects)]),
            text=True,
            encoding="ascii",
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return True


def may_be_slow(pattern: str) -> bool:
    r"""Tell whether a group is repeated, or many things are.

    Example:
        >>> may_be_slow(r"(?P<group>[^/]+)/seed_(?P<seed>\d+)$"), may_be_slow(r"(a+)+")
        (False, True)
    """
    return bool(_REPEATED_GROUP.search(pattern)) or len(_REPEAT.findall(pattern)) > _FEW


def _subjects(log: Log) -> set[str]:
    """Return what a layout may search: a log's path, its stem, and every folder above.

    A run inside a file counts as a folder of its own, beside the file and inside it. Names that
    a program has for a run stand in its texts.
    """
    path = log.source.path
    stem = path.rpartition(".")[0] or path
    parts = path.split("/")
    found = {"/".join(parts[:end]) for end in range(1, len(parts) + 1)} | {stem}
    found.add("/".join(text for text in log.texts.values() if len(text) <= _LONGEST_NAME))
    return found | ({log.run_key, f"{stem}/{log.run_key}"} if log.run_key else set())
