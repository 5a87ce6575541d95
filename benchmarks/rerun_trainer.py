"""Fine-tune the sample grid with the Hugging Face Trainer, one run after another, as people do.

    python rerun_trainer.py STUDY_FOLDER THREADS

Prints JSON: seconds of each run without start-up, and its curve on the test split.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Train six runs in one process and say how long each took."""
    home, threads = Path(sys.argv[1]), int(sys.argv[2])
    sys.path.insert(0, str(ROOT / "inputs"))
    import make_grid

    make_grid.HOME = home
    torch.set_num_threads(threads)
    tokenizer = make_grid.AutoTokenizer.from_pretrained(home / "model")
    runs = []
    with tempfile.TemporaryDirectory() as empty:
        for group in ("pretrained", "random"):
            for seed in make_grid.SEEDS:
                trainer = make_grid.make_trainer(group, seed, tokenizer, Path(empty))
                begun = time.perf_counter()
                trainer.train()
                seconds = time.perf_counter() - begun
                rows = [row for row in trainer.state.log_history if "test_accuracy" in row]
                curve = [row["test_accuracy"] for row in rows]
                runs.append({"group": group, "seed": seed, "seconds": seconds, "test": curve})
    print(json.dumps(runs))


if __name__ == "__main__":
    main()
