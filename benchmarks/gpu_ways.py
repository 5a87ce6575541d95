"""Ways to train the runs of a grid on one device, timed update by update.

The Hugging Face Trainer, and the engine of reportgen: one run after another, or all in one pass.
"""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from reportgen.records.study import DataPlan, TrainPlan
from reportgen.train.engine.assembly import encode_splits
from reportgen.train.engine.course import data_order
from reportgen.train.engine.engine import Engine, Together
from reportgen.train.engine.examples import Encoded
from reportgen.train.engine.models import Separate
from reportgen.train.engine.starts import Started, build_model, load_start
from reportgen.train.engine.tasks import Task

WARM = 12
"""Updates before the clock starts."""

Step = Callable[[list[list[int]]], Iterable[Any]]
"""Updates every member once; for each the indices of its training examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Six runs, loaded.

    Attributes:
        home: Folder of the lab that `gpu_lab.make_lab` wrote.
        plan: Hyperparameters.
        labels: Names of the classes.
        data: Split to tokenised examples.
        started: For each run what it starts from.
        seeds: One a run.
        device: `"cuda"` or `"cpu"`.
    """

    home: Path
    plan: TrainPlan
    labels: tuple[str, ...]
    data: dict[str, Encoded]
    started: list[Started]
    seeds: list[int]
    device: str

    def at(self, *, half: bool) -> Grid:
        """Return the grid in bfloat16, or in float32."""
        return replace(self, plan=replace(self.plan, precision="auto" if half else "float32"))


def open_grid(home: Path, places: int, device: str, *, dropout: float = 0.1) -> Grid:
    """Load the runs of a lab: three from its checkpoint, three from a random start."""
    files = {split: str(home / f"data/{split}.csv") for split in ("train", "validation", "test")}
    plan = TrainPlan(
        data=DataPlan(files=files),
        tokenizer=str(home / "tokenizer"),
        config=str(home / "random.json"),
        learning_rate=2e-4,
        weight_decay=0.01,
        max_length=places,
        dropout=dropout,
    )
    labels, data = encode_splits(plan, "random")
    starts = [str(home / "checkpoint_best.pt"), "random"]
    cells = [(start, seed) for start in starts for seed in (0, 1, 2)]
    started = [load_start(start, plan, seed, labels) for start, seed in cells]
    seeds = [seed for _, seed in cells]
    return Grid(
        home=home, plan=plan, labels=labels, data=data, started=started, seeds=seeds, device=device
    )


def wait(device: str) -> None:
    """Return when the device has done all that it was sent."""
    if device == "cuda":
        torch.cuda.synchronize()


def time_steps(grid: Grid, step: Step, members: int, steps: int, blocks: int = 3) -> list[float]:
    """Return the seconds of one update of all members, for each of some blocks of updates."""
    size, batch = len(grid.data["train"].ids), grid.plan.batch_size
    orders = [data_order(grid.seeds[member], 0, size) for member in range(members)]
    per_epoch = size // batch
    done, found = 0, []
    for count in (WARM, *[steps] * blocks):
        wait(grid.device)
        begun = time.perf_counter()
        for _ in range(count):
            place = done % per_epoch * batch
            step([order[place : place + batch] for order in orders])
            done += 1
        wait(grid.device)
        found.append((time.perf_counter() - begun) / count)
    return found[1:]


def take_losses(grid: Grid, step: Step, members: int, count: int) -> list[list[float]]:
    """Return the loss of each member at each of the first updates."""
    size, batch = len(grid.data["train"].ids), grid.plan.batch_size
    orders = [data_order(grid.seeds[member], 0, size) for member in range(members)]
    found = []
    for place in range(0, count * batch, batch):
        losses = step([order[place : place + batch] for order in orders])
        found.append([float(loss) for loss in losses])
    return found


def make_engine(grid: Grid, way: str, members: int) -> Engine:
    """Return the engine of some runs: `"one by one"`, or `"together"` in one pass."""
    # What makes a model quicker on a CPU is for one at a time.
    own = "" if way == "together" else grid.device
    models = [build_model(one, grid.plan, own).to(grid.device) for one in grid.started[:members]]
    for model in models:
        model.config.pad_token_id = grid.data["train"].pad
    seeds = grid.seeds[:members]
    task = Task("classification", grid.data, torch.device(grid.device), labels=grid.labels)
    if way == "together":
        return Together(models, seeds, task, grid.plan, grid.device)
    return Engine(Separate(models), seeds, task, grid.plan, grid.device)


def engine_step(grid: Grid, way: str, members: int) -> Step:
    """Return the update of an engine."""
    engine = make_engine(grid, way, members)
    return lambda rows: engine.step(rows, grid.plan.learning_rate)


def make_trainer(grid: Grid, folder: str, *, half: bool, steps: int, clock: Any) -> Any:
    """Return the Hugging Face Trainer of the first run, set as people set it."""
    from transformers import (
        AutoTokenizer,
        DataCollatorWithPadding,
        Trainer,
        TrainingArguments,
    )

    class Rows(torch.utils.data.Dataset[dict[str, Any]]):
        def __init__(self, split: str) -> None:
            self.part = grid.data[split]

        def __len__(self) -> int:
            return len(self.part.ids)

        def __getitem__(self, index: int) -> dict[str, Any]:
            ids = self.part.ids[index]
            return {
                "input_ids": ids,
                "attention_mask": [1] * len(ids),
                "labels": self.part.truth[index][0],
            }

    return Trainer(
        model=build_model(grid.started[0], grid.plan),
        args=TrainingArguments(
            output_dir=folder,
            max_steps=steps,
            per_device_train_batch_size=grid.plan.batch_size,
            learning_rate=grid.plan.learning_rate,
            weight_decay=grid.plan.weight_decay,
            bf16=half,
            use_cpu=grid.device == "cpu",
            logging_steps=10,
            save_strategy="no",
            report_to=["tensorboard"],
            disable_tqdm=True,
        ),
        train_dataset=Rows("train"),
        eval_dataset={"validation": Rows("validation"), "test": Rows("test")},
        data_collator=DataCollatorWithPadding(
            AutoTokenizer.from_pretrained(grid.home / "tokenizer")
        ),
        callbacks=[clock],
    )


def time_trainer(
    grid: Grid, *, half: bool, steps: int, blocks: int = 3
) -> tuple[list[float], float]:
    """Return the Trainer's seconds an update for each block, and those of one evaluation."""
    from transformers import TrainerCallback

    marks: list[float] = []

    class Clock(TrainerCallback):
        def on_step_end(self, _args: Any, state: Any, *_: Any, **__: Any) -> None:
            past = state.global_step - WARM
            if past >= 0 and past % steps == 0:
                wait(grid.device)
                marks.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TENSORBOARD_LOGGING_DIR"] = folder
        trainer = make_trainer(grid, folder, half=half, steps=WARM + steps * blocks, clock=Clock())
        trainer.train()
        begun = time.perf_counter()
        trainer.evaluate()
        wait(grid.device)
        evaluation = time.perf_counter() - begun
    return [(b - a) / steps for a, b in itertools.pairwise(marks)], evaluation
