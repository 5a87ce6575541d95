"""`run.json`: what `rerun` says of a run it made, written here and read back with suspicion."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from reportgen.records.rerun import Rerun

FORMAT = 1
_HALF_LETTER = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")
_FIELDS = frozenset({"format", *(field.name for field in fields(Rerun))})


class DamagedRecordError(ValueError):
    """What is the matter with a record, without a subject."""


def encode_rerun(rerun: Rerun) -> bytes:
    """Return the content of `run.json`.

    Raises:
        DamagedRecordError: It could not be read back: a field has a value that means nothing.
    """
    content = json.dumps(
        {
            "format": FORMAT,
            "key": rerun.key,
            "group": rerun.group,
            "seed": rerun.seed,
            "device": rerun.device,
            "date": rerun.date,
            "versions": dict(rerun.versions),
            "engine": rerun.engine,
            "settings": dict(rerun.settings),
            "notes": list(rerun.notes),
            "seconds": rerun.seconds,
            "sha256": dict(rerun.sha256),
        },
        indent=1,
        ensure_ascii=False,
    ).encode()
    decode_rerun(content)
    return content + b"\n"


def decode_rerun(content: bytes) -> Rerun:
    """Return what a `run.json` says.

    Raises:
        DamagedRecordError: It is damaged.
    """
    found = _object(content)
    if found.get("format") != FORMAT:
        raise DamagedRecordError(f"has the format {str(found.get('format'))[:40]!r}, not {FORMAT}")
    if unknown := sorted(set(found) - _FIELDS):
        raise DamagedRecordError(f"has an unknown field {unknown[0][:40]!r}")
    date = _text(found, "date")
    try:
        datetime.fromisoformat(date)
    except ValueError:
        raise DamagedRecordError("has a field 'date' that is no ISO date") from None
    if not (key := _text(found, "key")):
        raise DamagedRecordError("has an empty field 'key'")
    return Rerun(
        key=key,
        group=_text(found, "group"),
        seed=_seed(found),
        device=_text(found, "device"),
        date=date,
        versions=_texts(found, "versions"),
        engine=_text(found, "engine"),
        settings=_texts(found, "settings"),
        notes=_notes(found),
        seconds=_seconds(found),
        sha256=_digests(found),
    )


def _object(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError) as fault:
        raise DamagedRecordError(f"is no JSON: {str(fault)[:200]}") from None
    if _HALF_LETTER.search(content) and not _is_text(found):
        raise DamagedRecordError("holds half a letter, which no file can hold")
    if not isinstance(found, dict):
        raise DamagedRecordError("is no JSON object")
    return found


def _is_text(found: object) -> bool:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(constant: str) -> NoReturn:
    raise DamagedRecordError(f"{constant} is no number")


def _text(found: Mapping[str, Any], field: str) -> str:
    value = found.get(field)
    if not isinstance(value, str):
        raise DamagedRecordError(f"has a field {field!r} that is missing or no text")
    return value


def _texts(found: Mapping[str, Any], field: str) -> dict[str, str]:
    value = found.get(field)
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise DamagedRecordError(f"has a field {field!r} that is missing or no mapping of texts")
    return value


def _seed(found: Mapping[str, Any]) -> int:
    value = found.get("seed")
    if not isinstance(value, int) or isinstance(value, bool):
        raise DamagedRecordError("has a field 'seed' that is missing or no whole number")
    return value


def _seconds(found: Mapping[str, Any]) -> float:
    value = found.get("seconds")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DamagedRecordError("has a field 'seconds' that is missing or no number")
    if not 0 <= value < 2**53:
        raise DamagedRecordError("has a field 'seconds' that is no length of time")
    return float(value)


def _notes(found: Mapping[str, Any]) -> tuple[str, ...]:
    value = found.get("notes")
    if not isinstance(value, list) or not all(isinstance(note, str) for note in value):
        raise DamagedRecordError("has a field 'notes' that is missing or no list of texts")
    return tuple(value)


def _digests(found: Mapping[str, Any]) -> dict[str, str]:
    digests = _texts(found, "sha256")
    if not all(_SHA256.match(digest) for digest in digests.values()):
        raise DamagedRecordError("has a field 'sha256' with a digest that is none")
    return digests


def lost_log(folder: Path, rerun: Rerun) -> str:
    """Return the first log that a record names and its folder lacks; empty where none is lost.

    Weights may have been removed to make room: what was measured does not need them.
    """
    for name in sorted(rerun.sha256):
        inside = not Path(name).is_absolute() and ".." not in Path(name).parts
        kept_back = name.endswith((".safetensors", "config.json"))
        if inside and not kept_back and not (folder / name).is_file():
            return name
    return ""
