"""Write entries as text, one term a line, and pack them for the wheel."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

from tools.families import relatives

# Types whose texts begin the dictionary that all are packed with, the commonest last.
COMMON = ("whisper", "qwen3_moe", "vit", "clip", "t5", "gpt2", "llama", "bert")
WINDOW = 2**15
# So many types are pressed together.
GROUP = 8
# What no build shows: keys whose lists change a model where the default is a number, what stands
# for a null that no default has, and keys that a file may say otherwise than what they follow from.
BY_HAND = Path(__file__).with_name("by_hand.json")
# Types that passed their own proof and disagree with some build of the independent oracle, or
# cover none of them, or whose tensors the engine does not find in a checkpoint by name.
DOUBTED = Path(__file__).with_name("doubted.json")
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
    "written",
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
    """Return the zip of all entries of a folder: the same bytes for the same entries.

    What is for the reader of the text files alone is left out. A type of which no class was
    proven is not in it: it is counted as the library builds it.
    """
    known, doubted = {}, json.loads(DOUBTED.read_text(encoding="utf-8"))
    for path in sorted(folder.glob("*.json")):
        entry = json.loads(path.read_text(encoding="utf-8"))
        proven = any("withheld" not in own for own in entry["classes"].values())
        # A file says its own type, and no other.
        entry["unsure"].pop("model_type", None)
        if proven and entry["type"] not in doubted:
            known[entry["type"]] = entry
    for name, more in json.loads(BY_HAND.read_text(encoding="utf-8")).items():
        for old, new in more.pop("written", {}).items():
            known[name] = json.loads(json.dumps(known[name]).replace(old, new))
        for part, keys in more.items():
            known[name][part] |= keys
    known |= {entry["type"]: entry for entry in relatives.entries(known)}
    bodies = {name: body_of(entry) for name, entry in sorted(known.items())}
    words = b"".join(bodies[name] for name in COMMON if name in bodies)[-WINDOW:]
    names = alike(bodies)
    groups = [names[at : at + GROUP] for at in range(0, len(names), GROUP)]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        store(archive, "dictionary", zlib.compress(words, 9))
        store(archive, "names", zlib.compress("\n".join(map(" ".join, groups)).encode("utf-8"), 9))
        for at, group in enumerate(groups):
            press = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, 0, words)
            lines = b"\n".join(bodies[name] for name in group)
            store(archive, str(at), press.compress(lines) + press.flush())
    return buffer.getvalue()


def alike(bodies: dict[str, bytes]) -> list[str]:
    """Order types so that each stands behind the one that it shares the most words with."""
    words = {name: frozenset(body.split(b'"')) for name, body in bodies.items()}
    sizes = {name: sum(map(len, held)) for name, held in words.items()}
    left = sorted(bodies)
    order = [left.pop(0)]
    while left:
        last = order[-1]
        shares = {
            name: sum(map(len, words[last] & words[name])) / max(sizes[last], sizes[name])
            for name in left
        }
        order.append(max(left, key=lambda name: shares[name]))
        left.remove(order[-1])
    return order


def body_of(entry: dict[str, Any]) -> bytes:
    """Return an entry as the engine needs it."""
    classes = {
        name: {
            key: paired(value) if key in ("terms", "plus") else value
            for key, value in own.items()
            if key != "proof"
        }
        for name, own in entry["classes"].items()
    }
    kept = {key: value for key, value in entry.items() if key != "absent"} | {"classes": classes}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def paired(rows: list[list[str]]) -> list[list[str]]:
    """Write a weight and the bias right behind it as one row, with `+` behind its kind."""
    found: list[list[str]] = []
    for row in rows:
        name, sides, loops, kind, *conditions = found[-1] if found else row
        bias = [f"{name.removesuffix('weight')}bias", sides.partition("|")[0], loops, kind]
        if name.endswith("weight") and row == [*bias, *conditions]:
            found[-1] = [name, sides, loops, f"{kind}+", *conditions]
        else:
            found.append(row)
    return found


def store(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Put a member into the zip, without a time."""
    info = zipfile.ZipInfo(name, STAMP)
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)
