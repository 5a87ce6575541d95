"""List the tensors of large checkpoints, beside the libraries that wrote them.

A sparse safetensors file of 2 GB and a PyTorch file of 500 MB, each with 240 tensors: whole
processes timed in turn, then repeated reads in one process, and the peak memory of each.

Needs PyTorch and safetensors: pip install '.[train]', or name an interpreter that has
them: python -m benchmarks.checkpoints --peer-python PATH.
"""

from __future__ import annotations

import argparse
import json
import statistics
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks._timing import Contender, ratios, time_in_turn

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "benchmarks" / "checkpoint_ways.py"
OURS = "reportgen"
TENSORS = 240
REPEATS = 7
WHOLE_PROCESS = 20
SAFETENSORS = ("safe_open, numpy", "safe_open, pt")
PYTORCH = ("torch.load, mmap, meta, weights_only", "torch.load")
SAVE = """\
import sys, torch
tensors, size = int(sys.argv[2]), int(sys.argv[3])
names = [f"layers.{i // 6}.part_{i % 6}.weight" for i in range(tensors)]
torch.save({name: torch.zeros(size // 512, 512) for name in names}, sys.argv[1])
"""


def write_safetensors(path: Path, elements: int) -> None:
    """Write float32 tensors of zeros; the zeros take no room on the disk."""
    size = 4 * elements
    header = json.dumps(
        {
            f"layers.{i // 6}.part_{i % 6}.weight": {
                "dtype": "F32",
                "shape": [elements // 512, 512],
                "data_offsets": [i * size, (i + 1) * size],
            }
            for i in range(TENSORS)
        },
        separators=(",", ":"),
    ).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + TENSORS * size)


def has_torch(python: str) -> bool:
    """Say whether an interpreter can import the peers."""
    found = subprocess.run(
        [python, "-c", "import torch, safetensors"], check=False, capture_output=True
    )
    return found.returncode == 0


def command(way: str, path: Path, peer: str, repeats: int) -> list[str]:
    """Return the command that lists one file one way."""
    return [sys.executable if way == OURS else peer, str(SCRIPT), way, str(path), str(repeats)]


def run(way: str, path: Path, peer: str, repeats: int) -> dict[str, Any]:
    """Run one way and return what it printed."""
    done = subprocess.run(
        command(way, path, peer, repeats),
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{way} failed:\n{done.stderr}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def compare(path: Path, peers: Sequence[str], peer: str, rounds: int) -> None:
    """Time one file every way and print times, memory and ratios."""
    ways = (OURS, *peers)
    contenders = [Contender(way, command(way, path, peer, 1)) for way in ways]
    whole = time_in_turn(
        contenders, rounds=rounds, cwd=path.parent, environment={"PYTHONPATH": str(ROOT)}
    )
    inside = {way: run(way, path, peer, REPEATS) for way in ways}
    memory = {way: run(way, path, peer, 1)["peak"] for way in ways}
    if len({told["numbers"] for told in inside.values()}) != 1:
        raise SystemExit(f"the ways disagree about {path.name}: {inside}")
    print(f"{path.name}: {path.stat().st_size / 1e6:.0f} MB, {inside[OURS]['numbers']} numbers")
    print(f"  {'':<38} whole process s   in process ms   peak MiB")
    for way in ways:
        middle = 1e3 * statistics.median(inside[way]["seconds"])
        seconds = statistics.median(whole[way])
        print(f"  {way:<38} {seconds:>15.3f} {middle:>15.2f} {memory[way]:>10.0f}")
    for way in peers:
        low, middle, high = ratios(whole[way], whole[OURS])
        times = statistics.median(inside[way]["seconds"]) / statistics.median(
            inside[OURS]["seconds"]
        )
        print(
            f"  {way} / {OURS}: whole process {middle:.1f} ({low:.1f} to {high:.1f}), "
            f"in process {times:.1f}"
        )
    torch_ways = [way for way in peers if "numpy" not in way]
    best = min(ratios(whole[way], whole[OURS])[1] for way in torch_ways)
    print(
        f"  target: {WHOLE_PROCESS} times faster than the best way with torch: "
        f"{'met' if best >= WHOLE_PROCESS else 'missed'} ({best:.1f})"
    )


def main() -> None:
    """Write the files, time every way, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_known_args()[0]
    if not has_torch(options.peer_python):
        print(
            f"checkpoints: not run, {options.peer_python} has no torch or no safetensors; "
            "pip install '.[train]', or pass --peer-python PATH"
        )
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        small, large = folder / "small.safetensors", folder / "large.safetensors"
        write_safetensors(small, 20_480)
        write_safetensors(large, 2_083_840)
        compare(large, SAFETENSORS, options.peer_python, options.rounds)
        little, much = folder / "small.pt", folder / "large.pt"
        for path, elements in ((little, 20_480), (much, 520_192)):
            subprocess.run(
                [options.peer_python, "-c", SAVE, path, str(TENSORS), str(elements)], check=True
            )
        compare(much, PYTORCH, options.peer_python, options.rounds)
        print("memory of reportgen, MiB, by size of the file")
        for path in (small, large, little, much):
            peak = run(OURS, path, options.peer_python, 1)["peak"]
            print(f"  {path.name:<20} {path.stat().st_size / 1e6:>6.0f} MB {peak:>6.1f}")


if __name__ == "__main__":
    main()
