"""The standard streams: there, and able to take every character.

Windows gives programs whose output goes to a file or a pipe an old code page, and a bare container
gives ASCII. Neither has a minus sign or a Greek letter, and Python would end the program at the
first one.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from pathlib import Path

PLAINER = {
    **dict.fromkeys("\u00a0\u2009\u202f", " "),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("–−\u2011", "-"),
    "—": "--",
    "…": "...",
    "×": "x",
    "·": "*",
    "⋅": "*",
    "±": "+/-",
    "≈": "~",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "⇒": "=>",
    "•": "*",
    "†": "+",
    "‡": "++",
    "√": "sqrt",
    "²": "^2",
    "³": "^3",
    "σ": "sigma",
    "ρ": "rho",
    "α": "alpha",
    "β": "beta",
}
"""Signs that the program itself prints, in ASCII. Letters are not made plainer: they are written as
escapes, so that no name is taken for another."""

_HANDLER = "reportgen-plainer"


def prepare_streams() -> None:
    """Open what the caller has closed, and let every stream take any character."""
    # Nothing takes the place of what the caller has closed (`>&-`). The lowest free number is
    # taken each time, so no file or pipe of ours can become one of them.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - for good
            setattr(sys, name, nothing)
    codecs.register_error(_HANDLER, _spell)
    for stream in (sys.stdout, sys.stderr):
        # In notebooks and tests they may be something else, which takes all of Unicode.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def write_file(text: str) -> None:
    """Write what is meant for a file or another program: UTF-8 wherever nobody just reads it."""
    stream = sys.stdout
    if stream.isatty() or not isinstance(stream, io.TextIOWrapper):
        stream.write(text)
        return
    stream.flush()
    stream.buffer.write(text.encode())


def terminal_columns(usual: int) -> int:
    """Return how wide the terminal is, as `COLUMNS` or the system says; `usual` without either.

    It is what `shutil` says, without importing every kind of archive that `shutil` packs.
    """
    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return int(stated)
    try:
        stream = sys.__stdout__
        return (os.get_terminal_size(stream.fileno()).columns if stream else 0) or usual
    except (ValueError, OSError):  # it is closed, or no terminal
        return usual


def _spell(fault: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters that an encoding lacks, and where to go on."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    lacking = fault.object[fault.start : fault.end]
    spelled = (
        PLAINER.get(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in lacking
    )
    return "".join(spelled), fault.end
