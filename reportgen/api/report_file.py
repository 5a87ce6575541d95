"""report.json, wherever a build put it: read with limits, every fault told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.errors import EvidenceError

MAX_BYTES = 512 * 2**20
"""Largest report.json that is read; a thousand runs make a hundredth of it."""

SCHEMA = "reportgen-report/"
_LISTS = ("numbers", "tables", "sections", "figures", "equations", "groups", "files", "problems")
_BUILD = "build the report first: `reportgen build ... --out out/` writes it"
_NAME = "name the JSON that `reportgen build` wrote, its folder, or the PDF it is attached to"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFile:
    """One report.json, read.

    Attributes:
        path: As the user named it.
        content: Everything in it; each of its lists is there, and a list of objects.
        numbers: Every printed number, and the result of every displayed equation, in order.
    """

    path: Path
    content: dict[str, Any]
    numbers: tuple[dict[str, Any], ...]

    @property
    def schema(self) -> str:
        """Name of its format."""
        return str(self.content.get("schema", ""))

    @property
    def generator(self) -> str:
        """Which version of the program wrote it."""
        return str(self.content.get("generated_by", ""))


def read_report(path: Path) -> ReportFile:
    """Read a report.json.

    Args:
        path: The file; the folder that holds it; or the PDF it is attached to.

    Raises:
        EvidenceError: There is none, it is cut off or damaged, or it is no report.json.
    """
    found, text = _bytes_of(path)
    content = _parse(found, text)
    _check_form(found, content)
    for name in _LISTS:
        content[name] = content.get(name) or []
    numbers = (*content["numbers"], *map(_of_equation, content["equations"]))
    return ReportFile(path=found, content=content, numbers=numbers)


def _bytes_of(path: Path) -> tuple[Path, bytes]:
    """Return where a report.json lies, and its bytes."""
    found = _in_folder(path) if path.is_dir() else path
    try:
        size = found.stat().st_size
        if size > MAX_BYTES:
            raise EvidenceError(
                f"{found} has {size:,} bytes, more than the {MAX_BYTES:,} that are read",
                remedy=_NAME,
            )
        text = found.read_bytes()
    except FileNotFoundError:
        raise EvidenceError(f"no {path}", remedy=_BUILD) from None
    except OSError as fault:
        raise EvidenceError(
            f"{found} cannot be read: {fault.strerror or fault}", remedy="check its permissions"
        ) from None
    if text.startswith(b"%PDF-"):
        from reportgen.manuscripts._pdf_attached import attached_file

        return found, attached_file(text, "report.json", str(found))
    return found, text


def _in_folder(folder: Path) -> Path:
    """Return the report.json of a folder: by that name, else the only one that is one."""
    if (named := folder / "report.json").is_file():
        return named
    found = [path for path in sorted(folder.glob("*.json")) if _begins_as_report(path)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(path.name for path in found)
        raise EvidenceError(f"{folder} holds several reports: {names}", remedy="name one of them")
    raise EvidenceError(f"no report.json in {folder}", remedy=_BUILD)


def _begins_as_report(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return SCHEMA.encode() in stream.read(200)
    except OSError:
        return False


def _parse(path: Path, text: bytes) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except UnicodeDecodeError as fault:
        raise EvidenceError(
            f"{path} is not UTF-8 at byte {fault.start}: not a report.json", remedy=_NAME
        ) from None
    except json.JSONDecodeError as fault:
        raise _not_json(path, text, fault) from None
    except (ValueError, RecursionError):
        raise EvidenceError(
            f"{path} is not a report.json: a number too long or brackets too deep", remedy=_NAME
        ) from None
    if not isinstance(content, dict):
        raise EvidenceError(f"{path} is not a report.json", remedy=_NAME)
    return content


def _not_json(path: Path, text: bytes, fault: json.JSONDecodeError) -> EvidenceError:
    """Tell a file that is cut off from one that never was JSON."""
    if not text.strip():
        return EvidenceError(f"{path} is empty", remedy=_BUILD)
    rest = fault.doc[fault.pos :].strip()
    open_text = fault.msg.startswith("Unterminated string")
    if text.lstrip()[:1] == b"{" and (not rest or open_text or len(rest) <= 1):
        return EvidenceError(
            f"{path} is cut off: its JSON ends at byte {len(text):,}, in line {fault.lineno}, "
            "before it is closed",
            remedy="copy or build it again",
        )
    return EvidenceError(
        f"{path}:{fault.lineno}: not a report.json: {fault.msg[:1].lower()}{fault.msg[1:]}",
        remedy=_NAME,
    )


def _check_form(path: Path, content: dict[str, Any]) -> None:
    """Refuse what is JSON and no report, and entries that nothing can be made of."""
    schema = content.get("schema")
    if not (isinstance(schema, str) and schema.startswith(SCHEMA)) or "numbers" not in content:
        raise EvidenceError(
            f"{path} is not a report.json: its schema is {schema!r}, not {SCHEMA}1", remedy=_NAME
        )
    for where, fault in _faults(content):
        raise EvidenceError(f"{path} is a damaged report.json: {where} {fault}", remedy=_BUILD)


def _faults(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name in _LISTS:
        value = content.get(name)
        if value is None and name != "numbers":
            continue
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            yield f"`{name}`", "is no list of objects"
    for name in ("numbers", "equations"):
        for index, entry in enumerate(content.get(name) or []):
            if not all(isinstance(entry.get(key), str) for key in ("id", "printed")):
                yield f"`{name}[{index}]`", "has no id, or nothing that is printed"
            elif name == "numbers" and "value" not in entry:
                yield f"`{name}[{index}]`", "has no value"
            elif not isinstance(entry.get("evidence", []), list):
                yield f"`{name}[{index}].evidence`", "is no list"


def _of_equation(equation: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a displayed equation in the form of a printed number."""
    values = equation.get("values") or {}
    return {
        "id": equation["id"],
        "printed": equation["printed"],
        "value": equation.get("result"),
        "unit": equation.get("unit", ""),
        "method": f"equation {equation.get('number', '')}".strip(),
        "formula": equation.get("formula", ""),
        "evidence": [
            {"path": "equation", "tag": key, "value": value} for key, value in values.items()
        ],
        "where": equation["id"],
    }
