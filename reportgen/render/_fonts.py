"""Characters that the fonts of an engine lack: fonts of this machine that have them, and words."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

_CODE_POINT = re.compile(r"\[U\+([0-9A-F]{4,6})\]")
_SECONDS = 10
_MOST = 100
"""Characters that fonts are looked for; of a stranger's report there may be any number."""
_MOST_NAMED = 8
_lent: ContextVar[frozenset[str]] = ContextVar("lent", default=frozenset())


def code_point(character: str) -> str:
    r"""Return how a character that the fonts lack is printed.

    Example:
        >>> code_point("\u65e5")
        '[U+65E5]'
    """
    return f"[U+{ord(character):04X}]"


def lacking(source: str) -> frozenset[str]:
    r"""Return the characters that a source names by their code points, none of them ASCII.

    Example:
        >>> lacking("a [U+65E5] [U+0022]") == frozenset("\u65e5")
        True
    """
    codes = {int(code, 16) for code in _CODE_POINT.findall(source)}
    return frozenset(chr(code) for code in codes if 0x7F < code < 0x110000)


def lent() -> frozenset[str]:
    """Return the characters that a font of this machine draws in the source being written."""
    return _lent.get()


@contextmanager
def lending(characters: frozenset[str]) -> Iterator[None]:
    """Write characters as they are inside a `with` block, for fonts of this machine have them."""
    token = _lent.set(characters)
    try:
        yield
    finally:
        _lent.reset(token)


@lru_cache(maxsize=64)
def fonts_with(characters: frozenset[str]) -> dict[str, str]:
    """Return characters to the file of a font that has them; those that none has are left out.

    One font that has them all comes before several that have some. Without fontconfig none is
    found.
    """
    asked = sorted(characters)[:_MOST]
    every = _file_with(asked)
    if every:
        return dict.fromkeys(asked, every)
    found = {character: _file_with([character]) for character in asked} if len(asked) > 1 else {}
    return {character: file for character, file in found.items() if file}


def _file_with(characters: list[str]) -> str:
    """Return the first font, by name, that has some characters; nothing where there is none."""
    program = shutil.which("fc-list")
    if program is None or not characters:
        return ""
    wanted = ":charset=" + " ".join(f"{ord(character):x}" for character in characters)
    try:
        listed = subprocess.run(  # noqa: S603 - a fixed program, no shell
            [program, "--format", "%{style}\t%{file}\n", wanted],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = sorted(listed.stdout.decode("utf-8", "replace").splitlines())
    files = [line.rpartition("\t")[2] for line in lines if "\t" in line]
    upright = [file for file in files if "Regular" in file or file.endswith("Sans.ttf")]
    return next(iter((*upright, *files)), "")


def warn_of(characters: frozenset[str]) -> tuple[str, ...]:
    r"""Return what is said of characters that are printed as code points: one warning, or none.

    Example:
        >>> warn_of(frozenset("\u65e5"))[0].partition(":")[0]
        'the pages print code points for 日 (U+65E5)'
    """
    if not characters:
        return ()
    order = sorted(characters)
    named = ", ".join(f"{one} (U+{ord(one):04X})" for one in order[:_MOST_NAMED])
    more = f" and {len(order) - _MOST_NAMED} more" if len(order) > _MOST_NAMED else ""
    why = "their fonts lack them; remedy: install a font that has them, for --engine typst"
    return (f"the pages print code points for {named}{more}: {why}",)
