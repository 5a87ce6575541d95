"""Faults of templates as letters: file, line and its text, block, the value, nearby names."""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeVar

import jinja2

from reportgen.errors import ReportgenError, TemplateError

Result = TypeVar("Result")
LONGEST = 80
"""Characters of a line or value that are shown."""
_UNDEFINED = re.compile(r"'([^']+)' is undefined")
# What a template is given as a text, Python calls by the name of our own type.
_RAW = re.compile(r"(?<=')Raw(?=')|(?<=type )Raw\b")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_REMEDY = "mend the template, or remove it to get the packaged one back"
_WORDS = frozenset({"for", "in", "if", "set", "raw", "not", "and", "or", "is", "loop", "range"})


class NamedUndefined(jinja2.StrictUndefined):
    """A missing name; where it is an attribute, the nearest one that is there is told."""

    @property
    def _undefined_message(self) -> str:
        owner, name = self._undefined_obj, self._undefined_name
        # The sandbox says itself what it refuses.
        if owner is jinja2.utils.missing or name is None or self._undefined_hint:
            return super()._undefined_message
        whose = f"the text {_repr(owner)}" if isinstance(owner, str) else f"a {_kind(owner)}"
        if not isinstance(name, str):
            return f"{whose} has no element {name!r}"
        message = f"{whose} has no attribute {name!r}"
        names = owner if isinstance(owner, Mapping) else dir(owner)
        public = [str(name) for name in names if not str(name).startswith("_")]
        return message + near(name, public)


def near(name: str, names: Iterable[str]) -> str:
    """Return the nearest names as a hint, or else what there is.

    Example:
        >>> near("captoin", ["caption", "rows"])
        "; did you mean 'caption'?"
        >>> near("x", ["caption", "rows"])
        '; there are: caption, rows'
    """
    known = sorted(set(names))
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are: {', '.join(known[:12])}" if known else ""


def shorten(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line, its middle left out where it is long.

    Example:
        >>> shorten("a" * 20, 9)
        'aaaa…aaaa'
    """
    one = " ".join(text.split())
    if len(one) <= longest:
        return one
    half = (longest - 1) // 2
    return f"{one[:half]}…{one[-half:]}"


def guarded(
    action: Callable[[], Result],
    block: str,
    variables: Mapping[str, object] | None = None,
    *,
    known: Callable[[], Iterable[str]] = tuple,
) -> Result:
    """Run `action`; turn any fault of a template into a `TemplateError` that names it.

    Args:
        action: What uses the template.
        block: Id or kind of the block it renders.
        variables: What the template may use.
        known: Lists the templates there are.
    """
    try:
        return action()
    except ReportgenError:
        raise
    except jinja2.TemplateSyntaxError as fault:
        where = (fault.filename or fault.name or "", fault.lineno)
        raise _letter(str(fault.message), block, where) from fault
    except jinja2.TemplateNotFound as fault:
        hint = near(str(fault), [name for name in known() if not name.startswith("base/")])
        message = f"the template {str(fault)!r} was not found{hint}"
        raise _letter(message, block, _line_of(fault)) from fault
    except RecursionError as fault:
        message = "a template includes or calls itself without an end"
        raise _letter(message, block, _line_of(fault)) from fault
    except Exception as fault:
        message = _RAW.sub("text", f"{fault}") or type(fault).__name__
        name = _UNDEFINED.search(message) if isinstance(fault, jinja2.UndefinedError) else None
        if name and message == name[0]:
            message += near(name[1], variables or ())
        raise _letter(message, block, _line_of(fault), _values(fault)) from fault


def _letter(message: str, block: str, where: tuple[str, int], values: str = "") -> TemplateError:
    file, line = where
    place = f"{file}:{line}" if file else "unknown template"
    details = {"block": block, "template": place, "line": _text_of(file, line), "value": values}
    return TemplateError(
        f"{place}: {message} (while rendering {block!r})",
        remedy=_REMEDY,
        stage="template",
        details=details,
    )


def _text_of(file: str, line: int) -> str:
    """Return the text of a line of a template."""
    try:
        lines = Path(file).read_text("utf-8", "replace").split("\n") if file else []
    except (OSError, ValueError):
        return ""
    return shorten(lines[line - 1]) if 0 < line <= len(lines) else ""


def _inside(fault: BaseException) -> tuple[FrameType, int] | None:
    """Return the frame of the innermost template in a traceback, and its line."""
    trace: TracebackType | None = fault.__traceback__
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(".j2"):
            found = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return found


def _line_of(fault: BaseException) -> tuple[str, int]:
    """Return file and line of the innermost template in a traceback."""
    inside = [f for f in traceback.extract_tb(fault.__traceback__) if f.filename.endswith(".j2")]
    return (inside[-1].filename, inside[-1].lineno or 0) if inside else ("", 0)


def _values(fault: BaseException) -> str:
    """Return what the names on the line stand for, as a template's author would write it."""
    inside = _inside(fault)
    if inside is None:
        return ""
    frame, line = inside
    there: dict[str, Any] = frame.f_locals
    names = dict.fromkeys(_NAME.findall(_text_of(frame.f_code.co_filename, line)))
    shown = [
        f"{name} = {_repr(there[name])}"
        for name in names
        if name in there and name not in _WORDS and not isinstance(there[name], jinja2.Undefined)
    ]
    return ", ".join(shown[:3])


def _kind(owner: object) -> str:
    """Return the name of a value's type: those of the document are words of their own."""
    return type(owner).__name__.lower()


def _repr(value: object) -> str:
    try:
        return shorten(repr(value))
    # A value may be anything, and an error about an error helps nobody.
    except Exception:  # noqa: BLE001
        return f"<{type(value).__name__}>"
