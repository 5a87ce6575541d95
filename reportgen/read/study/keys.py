"""The keys of study files and rubrics, and TOML held against them, mistake by mistake."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from reportgen.languages import LANGUAGES
from reportgen.records.errors import EvidenceError, StudyError, UsageError, other_than
from reportgen.records.record import field, record
from reportgen.records.run import SPLITS
from reportgen.records.study import DETAILS, POSITIONS
from reportgen.records.verdict import NOTHING_TO_CHECK, UNREADABLE, VISIBILITIES

# The keys of study files and rubrics: one table that readers, messages and `init` share.


@record(kw_only=False)
class Key:
    """One legal key: its type, its meaning, and the values it may take.

    Attributes:
        kind: `"text"`, `"whole"`, `"number"`, `"texts"` (a list), `"wholes"` or `"pairs"`
            (a table of texts).
        about: What it does; becomes the comment that `init` writes.
        choices: Legal values of a text or a whole number; empty allows any.
        regions: Whether a choice may go on with a region, as `fr-CA` does.
        low, high: Range of a number.
    """

    kind: str
    about: str
    choices: tuple[str | int, ...] = ()
    regions: bool = False
    low: float | None = None
    high: float | None = None


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "details": DETAILS,
    "languages": tuple(LANGUAGES),
    "nothing_to_check": NOTHING_TO_CHECK,
    "positions": POSITIONS,
    "splits": SPLITS,
    "unreadable": UNREADABLE,
    "visibilities": VISIBILITIES,
}


def _key(row: dict[str, Any]) -> Key:
    """Return a key as its row states it: type = what it does, and what else there is."""
    (kind, about), *rest = row.items()
    cells = dict(rest)
    choices = cells.pop("choices", ())
    choices = _CHOICES[choices] if isinstance(choices, str) else tuple(choices)
    return Key(kind, about, choices, **cells)


def _table(rows: Mapping[str, dict[str, Any]]) -> dict[str, Key]:
    if "*" in rows:
        rows = dict.fromkeys(SPLITS, rows["*"])
    return {name: _key(row) for name, row in rows.items()}


_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
TABLES = {name: _table(rows) for name, rows in _ROWS.items() if not name.startswith("rubric")}
LISTED = frozenset({"question", "prose", "section", "logs.tables", "adapter"})
"""Tables of which a file may have several."""
RUBRIC_KEYS, LINE_KEYS = _table(_ROWS["rubric"]), _table(_ROWS["rubric.line"])


# --- the JSON schema of study files: editors complete and check by it -------------------


SCHEMA_NAME = ".study.schema.json"
"""The file beside a study file that its first line names; hidden, so that a folder stays clear."""

SCHEMA_LINE = f"#:schema ./{SCHEMA_NAME}"
"""First line of a study file, as editors with a TOML language server read it."""

_TYPES: Mapping[str, Mapping[str, Any]] = {
    "text": {"type": "string"},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "wholes": {"type": "array", "items": {"type": "integer"}},
    "pairs": {"type": "object", "additionalProperties": {"type": "string"}},
}


def study_schema() -> dict[str, Any]:
    """Return the schema of study files (JSON schema, draft 7).

    Example:
        >>> study_schema()["properties"]["metric"]["properties"]["direction"]["enum"]
        ['higher', 'lower']
    """
    top: dict[str, Any] = _object({})
    for name, keys in TABLES.items():
        *above, own = name.split(".")
        place = top
        for part in above:
            place = place["properties"].setdefault(part, _object({}))
        made = _schema_of(name, keys)
        if own in place["properties"]:  # [train] holds [train.data]
            made["properties"] |= place["properties"][own]["properties"]
        place["properties"][own] = made
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "reportgen study file"}
    return {**head, **top}


def schema_text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(study_schema(), indent=1, ensure_ascii=False) + "\n"


def _schema_of(name: str, keys: Mapping[str, Key]) -> dict[str, Any]:
    if name in {"splits.names", "splits.tags"}:
        return {"type": "object", "additionalProperties": {"enum": list(SPLITS)}}
    made = _object({key: _property(one) for key, one in keys.items()})
    if name == "groups":
        return {"type": "object", "additionalProperties": made}
    return {"type": "array", "items": made} if name in LISTED else made


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _property(key: Key) -> dict[str, Any]:
    found: dict[str, Any] = {"description": key.about, **json.loads(json.dumps(_TYPES[key.kind]))}
    if key.choices and not key.regions:
        found["enum"] = list(key.choices)
    bounded = found["items"] if key.kind == "wholes" else found
    for name, bound in (("minimum", key.low), ("maximum", key.high)):
        if bound is not None:
            bounded[name] = bound
    return found


# TOML files that people write: read with limits, every mistake gathered with its line.

MAX_BYTES = 1_000_000

_TYPE_NAMES: Mapping[str, str] = {
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
            message = f"{where} must be {_TYPE_NAMES[key.kind]}, not {value!r}"
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
