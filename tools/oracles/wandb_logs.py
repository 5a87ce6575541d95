"""Makes `wandb/` of `tests/data/logs`, by the real program: `pip install wandb==0.31.0 numpy`.

It is not run by the tests, which have no such program: they read what it wrote.
"""

import math
import os
import shutil
from pathlib import Path

import numpy as np
import wandb

HERE = Path(__file__).resolve().parents[2] / "tests" / "data" / "logs"


def settings(place):
    return wandb.Settings(
        mode="offline", root_dir=str(place), silent=True, console="off", x_disable_meta=True,
        x_disable_stats=True, x_save_requirements=False, disable_git=True, host="lab",
    )  # fmt: skip


def start(place, seed, **fields):
    config = {"seed": seed, "lr": 1e-05, "model": {"layers": 4, "act": "relu"}, "sizes": [1, 2]}
    return wandb.init(
        project="lab", id=f"run000{seed}", config=config, settings=settings(place), **fields
    )


def write(place):
    for seed in (0, 1):
        with start(place, seed, group="pretrained", name=f"small-seed{seed}") as run:
            for step in range(1, 6):
                row = {"train/loss": 1 / step + seed, "val": {"accuracy": 0.5 + step / 20}}
                if step == 3:
                    row |= {"odd": math.nan, "deep": {"er": {"x": math.inf}}, "on": True}
                    row |= {"hist": wandb.Histogram([1, 2, 3]), "half": np.float32(0.1)}
                    # Longer than a block, so that its record lies in several pieces.
                    row |= {"note": "x" * (33_000 if seed else 10)}
                run.log(row)
            run.log({"test/accuracy": 0.75 + seed / 8}, step=10)
            run.config.update({"late": {"added": True}})
    with start(place, 2) as run:
        # As the Trainer's and Lightning's loggers do.
        run.define_metric("train/global_step")
        run.define_metric("*", step_metric="train/global_step", step_sync=True)
        for step in (100, 200, 300):
            run.log({"train/loss": 100 / step, "train/global_step": step})
            run.log({"eval/accuracy": step / 400, "train/global_step": step})


if __name__ == "__main__":
    shutil.rmtree(HERE / "wandb", ignore_errors=True)
    scratch = Path(os.environ.get("TMPDIR", "/tmp"), "made-by-wandb")  # noqa: S108
    write(scratch)
    wandb.teardown()
    for file in sorted(scratch.glob("wandb/offline-run-*/*.wandb")):
        made = HERE / "wandb" / file.parent.name
        made.mkdir(parents=True)
        shutil.copy(file, made)
    shutil.rmtree(scratch)
