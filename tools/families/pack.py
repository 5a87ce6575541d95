"""Write entries as text, one term a line, and pack them for the wheel."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

STAMP = (2020, 1, 1, 0, 0, 0)
ROWS = ("terms", "plus", "tied")
ORDER = (
    "type",
    "library",
    "role",
    "proof",
    "withheld",
    "requires",
    "of",
    "prefix",
    "minus",
    "terms",
    "plus",
    "tied",
    "defaults",
    "derived",
    "aliases",
    "unsure",
    "absent",
    "classes",
)


def text_of(entry: dict[str, Any]) -> str:
    """Spell an entry canonically: two blanks a step, one term a line."""
    return _object(entry, 0) + "\n"


def _spell(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object(value: dict[str, Any], depth: int) -> str:
    rank = {key: at for at, key in enumerate(ORDER)}
    known = all(key in rank for key in value)
    names = sorted(value, key=lambda key: rank[key]) if known else list(value)
    blanks = "  " * (depth + 1)
    lines = []
    for name in names:
        item = value[name]
        if name in ROWS and known and item:
            rows = ",\n".join(f"{blanks}  {_spell(row)}" for row in item)
            text = f"[\n{rows}\n{blanks}]"
        elif isinstance(item, dict) and item:
            text = _object(item, depth + 1)
        else:
            text = _spell(item)
        lines.append(f"{blanks}{_spell(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"


def packed(folder: Path) -> bytes:
    """Return the zip of all entries of a folder: the same bytes for the same entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.glob("*.json")):
            entry = json.loads(path.read_text(encoding="utf-8"))
            info = zipfile.ZipInfo(path.name, STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            body = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
            archive.writestr(info, body)
    return buffer.getvalue()
