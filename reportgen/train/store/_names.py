"""Names that become paths below the run store."""

from __future__ import annotations

import os
import re
from pathlib import PureWindowsPath

from reportgen.errors import UsageError
from reportgen.records.rerun import PRIVATE
from reportgen.records.run import printable

LONGEST_PART = 200
"""Bytes; every file system takes 255, and a number is appended to a run that was set aside."""

WINDOWS = os.name == "nt"
_NOT_ON_WINDOWS = re.compile(r'(?i:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)|.*[<>:"|?*]')
"""Names of devices, with any ending, and characters that no name holds there."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+=-]{0,127}\Z")


def check_place(place: str) -> str:
    r"""Return the path of a run below the store, or refuse it.

    Raises:
        UsageError: It is absolute, leaves the store, is the store's own, or has parts that are
            empty, too long or not printable.

    Example:
        >>> check_place("pretrained/seed 1")
        'pretrained/seed 1'
        >>> check_place("../seed1")
        Traceback (most recent call last):
        ...
        reportgen.errors.UsageError: a run cannot lie at '../seed1': a part of it is '..'
          remedy: ...
    """
    if fault := place_fault(place):
        raise UsageError(
            f"a run cannot lie at '{_spell(place)}': {fault}",
            remedy="give the group a name that can be a path, like 'pretrained/seed1'",
        )
    return place


def place_fault(place: str) -> str:
    """Return why no run can lie at a path below the store; empty when one can."""
    parts = place.split("/")
    if not place or place.startswith("/") or PureWindowsPath(place).drive:
        return "the path must be relative and not empty"
    if printable(place) != place or "\\" in place or not _is_unicode(place):
        return "it holds control characters, a backslash or letters of no encoding"
    if parts[0].casefold().startswith(PRIVATE):
        return f"names that start with {PRIVATE} are the run store's own"
    for part in parts:
        if part in {"", ".", ".."}:
            return f"a part of it is '{part}'"
        if len(part.encode()) > LONGEST_PART:
            return f"a part of it is longer than {LONGEST_PART} bytes"
        # Windows drops them from the end of a name, and two places would be one.
        if part != part.rstrip(". "):
            return "a part of it ends in a dot or a blank"
        if WINDOWS and _NOT_ON_WINDOWS.match(part):
            return f"Windows takes no file called '{part}'"
    return ""


def _spell(text: str) -> str:
    # Bytes of a file's name that are no text would stop the message on its way out.
    return printable(text).encode(errors="backslashreplace").decode()


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_name(name: str) -> str:
    """Return a run key or the id of a job, which name one file, or refuse it.

    Raises:
        UsageError: It is not 1 to 128 ASCII letters, digits and `_.+=-`, or starts with a sign.
    """
    if not _NAME.match(name):
        raise UsageError(
            f"'{_spell(name[:200])}' is no key of a run and no id of a job",
            remedy="use up to 128 ASCII letters, digits and _.+=-, a letter or digit first",
        )
    return name
