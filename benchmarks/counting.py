"""Count the parameters of a configuration, beside importing numpy.

Processor time of whole processes, timed in turn; every figure is a ratio, round by round.

    python -m benchmarks counting [--rounds N]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks._timing import Contender, ratios, run_in_turn

NUMPY = "importing numpy"
CONFIGURATIONS = {
    "BERT": {"model_type": "bert"},
    "Llama": {"model_type": "llama", "architectures": ["LlamaForCausalLM"]},
}
TARGET = 0.8


def main() -> None:
    """Time the ways and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_known_args()[0]
    with tempfile.TemporaryDirectory() as temporary:
        contenders = [Contender(NUMPY, [sys.executable, "-c", "import numpy"])]
        for name, values in CONFIGURATIONS.items():
            path = Path(temporary, name, "config.json")
            path.parent.mkdir()
            path.write_text(json.dumps(values), encoding="utf-8")
            inspect = [sys.executable, "-m", "reportgen", "inspect", str(path)]
            contenders.append(Contender(name, inspect))
        environment = {"OPENBLAS_NUM_THREADS": "1"}
        spent = run_in_turn(
            contenders, rounds=options.rounds, cwd=Path.cwd(), environment=environment
        )
    print("| what | beside | median | min to max | target |\n|---|---|---|---|---|")
    theirs = [one.cpu for one in spent.pop(NUMPY)]
    for name, runs in spent.items():
        low, middle, high = ratios([one.cpu for one in runs], theirs)
        print(f"| {name} | {NUMPY} | {middle:.2f} | {low:.2f} to {high:.2f} | {TARGET} |")


if __name__ == "__main__":
    main()
