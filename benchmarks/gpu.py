"""The re-run engine on a GPU: what it takes there, beside the Hugging Face Trainer.

One command on a bare machine with torch, transformers and peft; about seven minutes:

    python -m benchmarks.gpu --out gpu

Each section runs in a process of its own and is written to `gpu/NAME.json` as it ends, the most
useful first; `gpu/gpu.json` holds them all. `--tiny --device cpu` walks through every path on
any machine in two minutes. A CPU's curves to compare with, made beforehand (half an hour):

    python -m benchmarks.gpu --device cpu --only losses curves --seconds 7200 --out cpu
    python -m benchmarks.gpu --reference cpu --out gpu
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from benchmarks.gpu_sections import ROOT, SECTIONS, Setting, be_child


def main() -> None:
    """Run the sections that were asked for, or one of them for the process that asked."""
    asked = _parse()
    if asked.section:
        return _run_section(asked)
    if asked.child:
        folder, go = map(Path, asked.child)
        return be_child(folder, go, _setting(asked, folder), Path(asked.result))
    out = Path(asked.out)
    out.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + asked.seconds
    found: dict[str, Any] = {}
    for name in asked.only or SECTIONS:
        left = deadline - time.monotonic()
        found[name] = (
            _in_process(
                name, asked, left if asked.device == "cpu" else min(left, SECTIONS[name][1])
            )
            if left > 5
            else {"error": "no time was left"}
        )
        (out / "gpu.json").write_text(json.dumps(found, indent=1))
        print(f"{name}: {found[name].get('error', 'done')}", flush=True)
    print(*_table(found), sep="\n")
    return None


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gpu",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", default="gpu", help="folder for the JSON files (default: gpu)")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--tiny", action="store_true", help="small models and few steps")
    parser.add_argument("--only", nargs="+", choices=tuple(SECTIONS), help="sections to run")
    parser.add_argument("--reference", help="folder of a CPU's results, to compare with")
    parser.add_argument("--seconds", type=float, default=470, help="for all sections together")
    for name in ("--section", "--result"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("name", nargs="?", help=argparse.SUPPRESS)
    return parser.parse_args()


def _setting(asked: argparse.Namespace, folder: Path) -> Setting:
    reference = Path(asked.reference).resolve() if asked.reference else None
    return Setting(folder=folder, device=asked.device, tiny=asked.tiny, reference=reference)


def _run_section(asked: argparse.Namespace) -> None:
    begun = time.perf_counter()
    folder = Path(tempfile.mkdtemp(prefix=f"gpu-{asked.section}-"))
    try:
        found = SECTIONS[asked.section][0](_setting(asked, folder))
    except Exception as error:  # noqa: BLE001 - it is told in the result
        traceback.print_exc()
        found = {"error": f"{type(error).__name__}: {str(error)[-600:]}"}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found["took"] = time.perf_counter() - begun
    Path(asked.result).write_text(json.dumps(found, indent=1), encoding="utf-8")


def _in_process(name: str, asked: argparse.Namespace, seconds: float) -> dict[str, Any]:
    result = Path(asked.out) / f"{name}.json"
    result.unlink(missing_ok=True)
    command = [sys.executable, "-m", "benchmarks.gpu", "--section", name]
    command += ["--result", str(result.resolve()), "--device", asked.device]
    command += ["--tiny"] if asked.tiny else []
    command += ["--reference", str(Path(asked.reference).resolve())] if asked.reference else []
    with (Path(asked.out) / f"{name}.log").open("w") as log:
        child = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
        try:
            child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)  # with the processes that it started
            child.wait()
    if result.exists():
        found: dict[str, Any] = json.loads(result.read_text())
        return found
    tail = (Path(asked.out) / f"{name}.log").read_text()[-1500:]
    return {"error": f"no result within {seconds:.0f} s", "log": tail}


def _table(found: dict[str, Any]) -> list[str]:
    """Return the figures of the grid in lines: milliseconds of an update and run."""
    lines = []
    rows = [row for name in ("grid", "grid_half") for row in found.get(name, {}).get("rows", [])]
    for half in (False, True):
        trainer = [
            s for r in rows if r["half"] is half and r["way"] == "trainer"
            for s in r.get("seconds", ())
        ]  # fmt: skip
        base = statistics.median(trainer) if trainer else float("nan")
        for row in rows:
            if row["half"] is not half:
                continue
            name = f"{'bfloat16' if half else 'float32'}  {row['way']} x {row['runs']}"
            if "error" in row:
                lines.append(f"{name:32} {row['error'][:80]}")
                continue
            each = [s / row["runs"] * 1000 for s in row["seconds"]]
            middle = statistics.median(each)
            lines.append(
                f"{name:32} {middle:8.2f} ms ({min(each):.2f} to {max(each):.2f})  "
                f"{base * 1000 / middle:5.2f} x Trainer  {row['peak_gib']:.2f} GiB"
            )
    lines += [json.dumps(row) for row in found.get("processes", {}).get("rows", [])]
    return lines


if __name__ == "__main__":
    main()
