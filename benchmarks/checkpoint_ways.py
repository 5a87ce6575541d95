"""One way of listing a checkpoint's tensors: `checkpoint_ways.py WAY FILE REPEATS`.

Prints JSON: numbers counted, seconds of each repeat after the imports, peak memory in MiB.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path


def reportgen() -> Callable[[str], int]:
    from reportgen.read.weights import read_evidence

    return lambda file: sum(t.count for t in read_evidence(Path(file), file).tensors)  # type: ignore[union-attr]


def safe_open(framework: str) -> Callable[[str], int]:
    import safetensors

    if framework == "pt":
        import torch  # noqa: F401

    def count(file: str) -> int:
        with safetensors.safe_open(file, framework=framework) as held:
            slices = {name: held.get_slice(name) for name in held.keys()}  # noqa: SIM118
            return sum(math.prod(one.get_shape()) for one in slices.values() if one.get_dtype())

    return count


def torch_load(**options: object) -> Callable[[str], int]:
    import torch

    return lambda file: sum(t.numel() for t in torch.load(file, **options).values())


WAYS: dict[str, Callable[[], Callable[[str], int]]] = {
    "reportgen": reportgen,
    "safe_open, numpy": lambda: safe_open("numpy"),
    "safe_open, pt": lambda: safe_open("pt"),
    "torch.load, mmap, meta, weights_only": lambda: torch_load(
        mmap=True, map_location="meta", weights_only=True
    ),
    "torch.load": lambda: torch_load(weights_only=False),
}


def peak() -> float:
    """Return the largest memory this process had, in MiB; 0 where the system does not say."""
    status = Path("/proc/self/status")
    return (
        int(status.read_text(encoding="utf-8").split("VmHWM:")[1].split()[0]) / 1024
        if status.exists()
        else 0.0
    )


if __name__ == "__main__":
    way, path, repeats = sys.argv[1:]
    read = WAYS[way]()
    seconds = []
    for _ in range(int(repeats)):
        begun = time.perf_counter()
        numbers = read(path)
        seconds.append(time.perf_counter() - begun)
    print(json.dumps({"numbers": numbers, "seconds": seconds, "peak": peak()}))
