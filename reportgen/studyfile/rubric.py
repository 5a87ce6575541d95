"""Read rubrics (TOML), with every mistake listed at once."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from reportgen.errors import EvidenceError, StudyError
from reportgen.records.rubric import UNREADABLE, VISIBILITIES, Rubric, RubricLine
from reportgen.studyfile.keys import Key

MAX_BYTES = 1_000_000
MOST_POINTS = 1_000_000

RUBRIC_KEYS: Mapping[str, Key] = {
    "title": Key("text", "name of the assignment"),
    "unreadable": Key(
        "text", "a report that could not be checked has no score, or zero", choices=UNREADABLE
    ),
    "visibility": Key("text", "when students see the lines", choices=VISIBILITIES),
}
LINE_KEYS: Mapping[str, Key] = {
    "id": Key("text", "short name, unique"),
    "title": Key("text", "what students read"),
    "points": Key("number", "most that can be earned; 0 only informs", low=0, high=MOST_POINTS),
    "rules": Key("texts", "patterns of checks (value, lora_*); empty means all"),
    "kinds": Key("texts", "patterns of kinds of claims (aggregate_*); empty means all"),
    "sections": Key("texts", "patterns of headings (Task 3*); empty means all"),
    "error": Key("number", "what a claim with an error costs", low=0, high=MOST_POINTS),
    "warning": Key("number", "what a claim with a warning costs", low=0, high=MOST_POINTS),
    "visibility": Key("text", "when students see the line", choices=VISIBILITIES),
}
_TYPES = {
    "text": "a text in quotes",
    "number": "a number",
    "texts": "a list of texts",
}


def read_rubric(path: Path) -> Rubric:
    """Read a rubric file.

    Its tables are `[[line]]`, each with an `id`; the keys are those of `RubricLine`. Numbers
    are read as they are written: 0.1 is a tenth.

    Raises:
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It is not TOML, has no line, or has unknown keys or illegal values: every
            one is listed with its line and the nearest legal key.
    """
    text = _read_text(path)
    try:
        content = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as fault:
        at = re.search(r"\(at line (\d+)", str(fault))
        line = int(at.group(1)) if at else text.count("\n") + 1
        raise StudyError(
            f"{path}:{line}: not valid TOML: {str(fault).split(' (at')[0]}",
            remedy="texts need quotes, lines of the rubric a line [[line]]",
        ) from None
    except (ValueError, RecursionError):
        raise StudyError(
            f"{path}: not valid TOML: a number too long or brackets too deep for any parser",
            remedy="write it as plain tables of keys and values",
        ) from None
    reader = _Reader(_line_numbers(text))
    rubric = reader.rubric(content)
    if reader.faults:
        listed = "\n".join(f"  {path}:{at}: {what}" for at, what in sorted(reader.faults))
        count = len(reader.faults)
        raise StudyError(
            f"{path}: {count} {'entry means' if count == 1 else 'entries mean'} nothing\n{listed}",
            remedy=f"legal keys of a line: {', '.join(LINE_KEYS)}",
        )
    return rubric


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            # Some files have no end.
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise EvidenceError(f"no rubric file {path}", remedy="check the path") from None
    except OSError as fault:
        raise EvidenceError(
            f"cannot read {path}: {fault.strerror}", remedy="name the file of the rubric"
        ) from None
    if len(content) > MAX_BYTES:
        raise StudyError(f"{path} is larger than {MAX_BYTES} bytes: not a rubric")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise StudyError(
            f"{path}: byte {fault.start} is not UTF-8", remedy="save the file as UTF-8"
        ) from None


def _line_numbers(text: str) -> dict[str, int]:
    """Map `key`, `line.0` and `line.0.key` to the line of the file where each first stands."""
    lines: dict[str, int] = {}
    table, index = "", -1
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*\[{1,2}\s*([\w.\"'-]+)", line):
            name = head.group(1).strip("\"'")
            index += name == "line"
            table = f"line.{index}" if name == "line" else name
            lines.setdefault(table, number)
        elif entry := re.match(r"\s*([\w\"'-]+)\s*=", line):
            key = entry.group(1).strip("\"'")
            lines.setdefault(f"{table}.{key}" if table else key, number)
    return lines


@dataclass(slots=True)
class _Reader:
    """Turns parsed TOML into a rubric and gathers every fault on the way."""

    lines: Mapping[str, int]
    faults: list[tuple[int, str]] = field(default_factory=list)

    def rubric(self, content: Mapping[str, object]) -> Rubric:
        tables = content.get("line", [])
        own = {name: value for name, value in content.items() if name != "line"}
        values = self._values(own, RUBRIC_KEYS, "", extra=("line",))
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._fault("line", "line must be a list of tables: write each as [[line]]")
            tables = []
        elif not tables:
            self._fault("", "a rubric needs at least one [[line]]")
        lines = tuple(self._line(table, f"line.{index}") for index, table in enumerate(tables))
        names = [line.id for line in lines]
        for index, name in enumerate(names):
            if name and name in names[:index]:
                self._fault(f"line.{index}.id", f"two lines have the id {name!r}")
        return Rubric(lines=lines, **values)

    def _line(self, given: Mapping[str, object], where: str) -> RubricLine:
        values = self._values(given, LINE_KEYS, where)
        if not values.get("id") and "id" not in given:
            self._fault(where, f"{where} needs an id")
        made = {"id": "", **values}
        return RubricLine(**{"title": made["id"], **made})

    def _values(
        self,
        given: Mapping[str, object],
        keys: Mapping[str, Key],
        where: str,
        extra: Sequence[str] = (),
    ) -> dict[str, Any]:
        values = {}
        for name, value in given.items():
            place = f"{where}.{name}" if where else name
            key = keys.get(name)
            if key is None:
                legal = (*keys, *extra)
                hint = _near(name, legal) or f"; legal here: {', '.join(legal)}"
                self._fault(place, f"unknown key {place!r}{hint}")
            elif fault := _fault_of(key, value, place):
                self._fault(place, fault)
            else:
                values[name] = _held(key, value)
        return values

    def _fault(self, where: str, message: str) -> None:
        line = self.lines.get(where) or self.lines.get(where.rpartition(".")[0]) or 1
        self.faults.append((line, message))


def _fault_of(key: Key, value: object, where: str) -> str:
    """Return what is the matter with a value, or nothing."""
    if not _has_kind(value, key.kind):
        return f"{where} must be {_TYPES[key.kind]}, not {value!r}"
    if key.choices and value not in key.choices:
        options = ", ".join(repr(choice) for choice in key.choices)
        return f"{where} must be one of {options}, not {value!r}{_near(str(value), key.choices)}"
    if isinstance(value, int | Decimal) and not _in_range(value, key):
        return f"{where} must lie in {key.low} to {key.high}, not {value}"
    if where.endswith(".id") and not value:
        return f"{where} may not be empty"
    return ""


def _has_kind(value: object, kind: str) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "number":
            return isinstance(value, int | Decimal) and not isinstance(value, bool)
        case _:
            return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _in_range(value: int | Decimal, key: Key) -> bool:
    return Decimal(value).is_finite() and (key.low or 0) <= value <= (key.high or 0)


def _held(key: Key, value: Any) -> object:
    if key.kind == "number":
        return Decimal(value)
    return tuple(value) if key.kind == "texts" else value


def _near(value: str, legal: Sequence[str | int]) -> str:
    close = difflib.get_close_matches(value, [str(one) for one in legal], n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
