"""Derive, pack or check the table of families: `python -m tools.families --help`."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

from tools.families import pack
from tools.families.derive import MAX_HEADS, SECONDS, classes_of, derive
from tools.families.explore import RefusedError

HERE = Path(__file__).parent
TYPES = HERE / "types"
# Type to the state of the generator that derived it; older ones are not in it.
MADE = HERE / "made.json"
# Types that cannot be built, or not in time, with the reason.
REFUSED = HERE / "refused.json"
ZIP = HERE.parents[1] / "reportgen" / "parameters" / "families.zip"


def run_derive(args: argparse.Namespace) -> int:
    """Derive the types named, or all, and write one text file each.

    Each is derived in a process of its own: what one leaves behind changes no other, and a pass
    that is cut goes on with `--outdated` where it was.
    """
    wanted = args.types or [name for name in CONFIG_MAPPING_NAMES if any(classes_of(name))]
    now, made = state(), read_table(MADE)
    failed = 0
    for name in wanted:
        if (args.missing and (TYPES / f"{name}.json").exists()) or (
            args.outdated and made.get(name) == now
        ):
            continue
        child = os.fork()
        if not child:
            os._exit(derive_one(name, args))
        failed |= os.waitpid(child, 0)[1]
        write_table(MADE, read_table(MADE) | {name: now})
    return 1 if failed and args.types else 0


def state() -> str:
    """Return the state of the generator: of its sources, its tables and the library."""
    found = hashlib.sha256(transformers.__version__.encode())
    for path in sorted([*HERE.glob("*.py"), HERE / "joint.json"]):
        if path.stem not in {"__main__", "pack", "relatives"}:
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def derive_one(name: str, args: argparse.Namespace) -> int:
    """Write the file of one type, or note why there is none."""
    path, begun, reason = TYPES / f"{name}.json", time.process_time(), ""
    try:
        entry = derive(name, args.seconds, heads=args.heads)
    except RefusedError as problem:
        reason = str(problem)
    except Exception as problem:  # noqa: BLE001 - one type must not end the pass
        reason = f"{type(problem).__name__}: {problem}"
    kept = {key: text for key, text in read_table(REFUSED).items() if key != name}
    write_table(REFUSED, kept | ({name: reason} if reason else {}))
    if reason:
        path.unlink(missing_ok=True)
        print(f"{name}\trefused\t{reason}", flush=True)
        return 1
    path.write_text(pack.text_of(entry), encoding="utf-8")
    rows = entry["classes"].values()
    withheld = [cls for cls, row in entry["classes"].items() if "withheld" in row]
    print(
        f"{name}\t{len(rows) - len(withheld)}/{len(rows)}\t{time.process_time() - begun:.1f}s"
        f"\tunsure {list(entry['unsure'])}\twithheld {withheld}",
        flush=True,
    )
    return 0


def read_table(path: Path) -> dict[str, str]:
    """Read a table of texts; empty where there is none yet."""
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def write_table(path: Path, table: Mapping[str, str]) -> None:
    """Write a table of texts in the order of its names."""
    text = json.dumps(dict(sorted(table.items())), indent=2, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def run_pack(_: argparse.Namespace) -> int:
    """Pack the text files into the zip of the wheel."""
    ZIP.parent.mkdir(exist_ok=True)
    ZIP.write_bytes(pack.packed(TYPES))
    print(f"{ZIP}: {ZIP.stat().st_size} bytes, {len(list(TYPES.glob('*.json')))} types")
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Derive some types again and say what changed."""
    known = sorted(path.stem for path in TYPES.glob("*.json"))
    draw = random.Random(args.seed)  # noqa: S311 - a sample, no secret
    changed = 0
    for name in draw.sample(known, min(args.sample, len(known))):
        held = (TYPES / f"{name}.json").read_text(encoding="utf-8")
        try:
            text = pack.text_of(derive(name, args.seconds))
        except RefusedError as problem:
            text = str(problem)
        # How many builds proved a row depends on the time that there was.
        before, after = (
            {line for line in each.splitlines() if '"proof":' not in line} for each in (held, text)
        )
        same = before == after
        changed += not same
        print(f"{name}\t{'same' if same else 'changed'}", flush=True)
        if not same:
            print("\n".join(f"  - {line.strip()}" for line in sorted(before - after)[:20]))
            print("\n".join(f"  + {line.strip()}" for line in sorted(after - before)[:20]))
    return 1 if changed else 0


def main() -> int:
    """Read the command line and run."""
    transformers.logging.set_verbosity_error()
    parser = argparse.ArgumentParser(prog="python -m tools.families", description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("derive", help="derive types: a new type is a new row")
    one.add_argument("types", nargs="*")
    one.add_argument("--seconds", type=float, default=SECONDS, help="of work, for a base class")
    one.add_argument("--heads", type=int, default=MAX_HEADS, help="at most so many head classes")
    one.add_argument("--missing", action="store_true", help="only types without a file")
    one.add_argument("--outdated", action="store_true", help="only those of an older generator")
    one.set_defaults(run=run_derive)
    two = commands.add_parser("pack", help="pack the text files into the zip")
    two.set_defaults(run=run_pack)
    three = commands.add_parser("check", help="derive some types again, say what changed")
    three.add_argument("--sample", type=int, default=5)
    three.add_argument("--seed", type=int, default=0)
    three.add_argument("--seconds", type=float, default=SECONDS)
    three.set_defaults(run=run_check)
    args = parser.parse_args()
    return int(args.run(args))


if __name__ == "__main__":
    sys.exit(main())
