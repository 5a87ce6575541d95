"""TOML files that people write: read with limits, every mistake gathered with its line."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from reportgen.read.study.keys import Key
from reportgen.records.errors import EvidenceError, StudyError, UsageError, other_than
from reportgen.records.record import field, record

MAX_BYTES = 1_000_000

_TYPES: Mapping[str, str] = {
    "text": "a text in quotes",
    "whole": "a whole number",
    "number": "a number",
    "texts": "a list of texts",
    "wholes": "a list of whole numbers",
    "pairs": 'a table of texts, as in { acc = "valid/accuracy" }',
}


@record
class Kind:
    """What a file is called, and what helps where it cannot be read.

    Attributes:
        name: Such as `study file`.
        folder, denied, syntax: The remedy for a folder in its place, for a file that may not be
            read, and for one that is not TOML; `{path}` is its path.
        missing: What is said behind the names there are where there is no such file.
        parse_float: What its numbers become.
    """

    name: str
    folder: str
    denied: str
    syntax: str
    missing: str = ""
    parse_float: Callable[[str], Any] = float


@record(kw_only=False, frozen=False)
class Faults:
    """What is the matter with a file, each with its line.

    Attributes:
        lines: From `table.key`, `table` and `table.0.key` to the line where each first stands.
    """

    path: Path
    lines: Mapping[str, int]
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, where: str, message: str) -> None:
        """Note a fault of a key; where no line is known of it, of what it stands in."""
        line = self.lines.get(where)
        parts = where.split(".")
        while line is None and len(parts) > 1:
            parts.pop()
            line = self.lines.get(".".join(parts))
        if line is None:
            line = next((n for k, n in self.lines.items() if k.startswith(f"{where}.")), 1)
        self.found.append((line, message))

    def line(self, where: str) -> int | None:
        """Return the line where a key first stands, where that is known."""
        return self.lines.get(where)

    def unknown(self, where: str, legal: Sequence[str], *, what: str = "key") -> None:
        """Note a name that means nothing, with the nearest legal one."""
        hint = near(where.rpartition(".")[2], legal) or f"; legal here: {', '.join(legal)}"
        self.add(where, f"unknown {what} {where!r}{hint}")

    def check(self, key: Key, value: object, where: str) -> bool:
        """Say whether a value is legal, and note what is the matter where it is not."""
        message = ""
        if not _has_kind(value, key.kind):
            message = f"{where} must be {_TYPES[key.kind]}, not {value!r}"
        elif key.choices and _without_region(value, key) not in key.choices:
            options = ", ".join(repr(choice) for choice in key.choices)
            message = f"{where} must be one of {options}, not {value!r}{near(value, key.choices)}"
        elif not all(_in_range(one, key) for one in _numbers(value)):
            message = (
                f"{where} must lie in {_range(key)}, not {_printed(value)}{_as_share(value, key)}"
            )
        if message:
            self.add(where, message)
        return not message

    def values(
        self,
        keys: Mapping[str, Key],
        given: Mapping[str, object],
        where: str,
        extra: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Return the legal values of a table, lists as tuples, and note what is the matter.

        Args:
            keys: Those it may have.
            given: The table.
            where: Its place, empty for the file itself.
            extra: Names that are legal there too, and are read elsewhere.
        """
        values = {}
        for name, value in given.items():
            place = f"{where}.{name}" if where else name
            key = keys.get(name)
            if key is None:
                self.unknown(place, (*keys, *extra))
            elif self.check(key, value, place):
                values[name] = tuple(value) if isinstance(value, list) else value
        return values

    def raise_any(self, remedy: str) -> None:
        """Raise a StudyError that lists them all, if there are any."""
        if not self.found:
            return
        listed = "\n".join(f"  {self.path}:{line}: {what}" for line, what in sorted(self.found))
        count = len(self.found)
        raise StudyError(
            f"{self.path}: {count} {'entry needs' if count == 1 else 'entries need'} correcting\n"
            f"{listed}",
            remedy=remedy,
        )


def read_toml(path: Path, kind: Kind) -> tuple[dict[str, Any], Faults]:
    """Read a file.

    Raises:
        UsageError: It is a folder.
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It is too large, not UTF-8, or not TOML.
    """
    text = _read_text(path, kind)
    try:
        content = tomllib.loads(text, parse_float=kind.parse_float)
        # An integer in hexadecimal may be longer than Python ever prints one.
        repr(content)
    except tomllib.TOMLDecodeError as fault:
        at = re.search(r"\(at line (\d+)", str(fault))
        line = int(at.group(1)) if at else text.count("\n") + 1
        raise StudyError(
            f"{path}:{line}: not valid TOML: {str(fault).split(' (at')[0]}", remedy=kind.syntax
        ) from None
    except (ValueError, RecursionError):
        raise StudyError(
            f"{path}: not valid TOML: a number too long or brackets too deep for any parser",
            remedy="write it as plain tables of keys and values",
        ) from None
    return content, Faults(path, _line_numbers(text))


def near(value: object, legal: Sequence[str | int]) -> str:
    """Return a hint at the legal value that is nearest, in whatever case, or nothing.

    Example:
        >>> near("acuracy", ["accuracy", "loss"]), near("LOSS", ["accuracy", "loss"])
        ("; did you mean 'accuracy'?", "; did you mean 'loss'?")
    """
    names = [str(one) for one in legal]
    close = difflib.get_close_matches(str(value), names, n=1, cutoff=0.5)
    if not close:
        folded = {name.casefold(): name for name in names}
        found = difflib.get_close_matches(str(value).casefold(), folded, n=1, cutoff=0.5)
        close = [folded[one] for one in found]
    return f"; did you mean {close[0]!r}?" if close else ""


def _read_text(path: Path, kind: Kind) -> str:
    if path.is_dir():
        raise UsageError(
            f"{path} is a folder, not a {kind.name}", remedy=kind.folder.format(path=path)
        )
    try:
        # A pipe may never be written to, a device has no end.
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is no regular file", remedy=f"name a {kind.name}")
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise EvidenceError(
            f"no {kind.name} {path}", remedy=other_than(path) + kind.missing
        ) from None
    except OSError as fault:
        raise EvidenceError(f"cannot read {path}: {fault.strerror}", remedy=kind.denied) from None
    if len(content) > MAX_BYTES:
        raise StudyError(
            f"{path} is larger than {MAX_BYTES} bytes: not a {kind.name}",
            remedy=f"name a {kind.name}",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise StudyError(
            f"{path}: byte {fault.start} is not UTF-8", remedy="save the file as UTF-8"
        ) from None


def _line_numbers(text: str) -> dict[str, int]:
    """Map `table.key` and `table` to the line where each first stands."""
    lines: dict[str, int] = {}
    table, counts = "", dict[str, int]()
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$", line):
            table = _plain(head.group(2))
            if head.group(1) == "[[":
                index = counts[table] = counts.get(table, -1) + 1
                table = f"{table}.{index}"
            lines.setdefault(table, number)
        elif entry := re.match(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*'|\s*\.\s*)+?)\s*=""", line):
            key = _plain(entry.group(1))
            lines.setdefault(f"{table}.{key}" if table else key, number)
    return lines


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))


def _has_kind(value: object, kind: str) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "whole":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
        case "texts":
            return isinstance(value, list) and all(isinstance(v, str) for v in value)
        case "pairs":
            return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
        case _:
            return isinstance(value, list) and all(_has_kind(v, "whole") for v in value)


def _without_region(value: object, key: Key) -> object:
    found = re.fullmatch(r"([a-z]+)(-[a-z0-9]{2,8})+", str(value).lower()) if key.regions else None
    return found.group(1) if found else value


def _numbers(value: object) -> list[int | float | Decimal]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, int | float | Decimal)]


def _in_range(value: float | Decimal, key: Key) -> bool:
    # A Decimal that is no number can not even be compared.
    if isinstance(value, Decimal) and not value.is_finite():
        return False
    return (key.low is None or value >= key.low) and (key.high is None or value <= key.high)


def _range(key: Key) -> str:
    return f"{key.low:g} to {key.high:.10g}" if key.high is not None else f"{key.low:g} or more"


def _as_share(value: object, key: Key) -> str:
    """Return a hint where a share seems to be written in percent, or nothing."""
    if key.kind != "number" or key.high is None or key.high > 1:
        return ""
    shares = [float(one) / 100 for one in _numbers(value) if 1 < one <= 100]
    return f"; {shares[0]:g} is {shares[0] * 100:g}%" if shares else ""


def _printed(value: object) -> str:
    return str(value) if isinstance(value, Decimal) else repr(value)
