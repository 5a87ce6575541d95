"""Derive, pack or check the table of families: `python -m tools.families --help`."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

from tools.families import pack
from tools.families.derive import MAX_HEADS, SECONDS, classes_of, derive
from tools.families.study import RefusedError

TYPES = Path(__file__).parent / "types"
# Types that cannot be built, or not in time, with the reason.
REFUSED = Path(__file__).with_name("refused.json")
ZIP = Path(__file__).parents[2] / "reportgen" / "parameters" / "families.zip"


def run_derive(args: argparse.Namespace) -> int:
    """Derive the types named, or all, and write one text file each."""
    wanted = args.types or [name for name in CONFIG_MAPPING_NAMES if any(classes_of(name))]
    refused: dict[str, str] = {}
    for name in wanted:
        path = TYPES / f"{name}.json"
        if args.missing and path.exists():
            continue
        begun = time.monotonic()
        try:
            entry = derive(name, args.seconds, heads=args.heads)
        except RefusedError as problem:
            refused[name] = str(problem)
        except Exception as problem:  # noqa: BLE001 - one type must not end the pass
            refused[name] = f"{type(problem).__name__}: {problem}"
        if name in refused:
            path.unlink(missing_ok=True)
            print(f"{name}\trefused\t{refused[name]}", flush=True)
            continue
        path.write_text(pack.text_of(entry), encoding="utf-8")
        rows = entry["classes"].values()
        withheld = [cls for cls, row in entry["classes"].items() if "withheld" in row]
        print(
            f"{name}\t{len(rows) - len(withheld)}/{len(rows)}\t{time.monotonic() - begun:.1f}s"
            f"\tunsure {list(entry['unsure'])}\twithheld {withheld}",
            flush=True,
        )
    note_refused(set(wanted), refused)
    return 1 if refused and args.types else 0


def note_refused(tried: set[str], refused: dict[str, str]) -> None:
    """Write down which types were refused, beside those that were refused before."""
    known = json.loads(REFUSED.read_text(encoding="utf-8")) if REFUSED.exists() else {}
    kept = {name: reason for name, reason in known.items() if name not in tried}
    table = dict(sorted((kept | refused).items()))
    REFUSED.write_text(json.dumps(table, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


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
