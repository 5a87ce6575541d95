"""Ways to train the runs of a grid on one device, timed update by update.

The Hugging Face Trainer, the engines of reportgen, and a short prototype: any model of transformers
under `torch.func`, all runs stacked in one pass, with or without a CUDA graph.
"""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from reportgen.records.training import DataPlan, TrainPlan
from reportgen.training import ENGINES
from reportgen.training._data import Tokenised
from reportgen.training._loop_schedule import data_order
from reportgen.training.examples import name_labels, number_labels, read_splits
from reportgen.training.starts import Started, build_model, load_start
from reportgen.training.tokens import open_tokenizer, tokenise

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
        data: Split to tokenised examples.
        started: For each run what it starts from.
        seeds: One a run.
        device: `"cuda"` or `"cpu"`.
    """

    home: Path
    plan: TrainPlan
    data: dict[str, Tokenised]
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
    found = read_splits(plan.data)
    labels = name_labels(found["train"])
    tokenizer = open_tokenizer(plan, "random")
    data = {
        split: tokenise(examples.texts, number_labels(examples, labels), tokenizer)
        for split, examples in found.items()
    }
    starts = [str(home / "checkpoint_best.pt"), "random"]
    cells = [(start, seed) for start in starts for seed in (0, 1, 2)]
    started = [load_start(start, plan, seed, labels) for start, seed in cells]
    seeds = [seed for _, seed in cells]
    return Grid(home=home, plan=plan, data=data, started=started, seeds=seeds, device=device)


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


def engine_step(grid: Grid, name: str, members: int) -> Step:
    """Return the update of one of reportgen's engines."""
    engine = ENGINES.load(name)(
        grid.started[:members], grid.seeds[:members], grid.data, grid.plan, grid.device
    )
    return lambda rows: engine.step(rows, grid.plan.learning_rate)


class Functional:
    """All members of any family in one pass: `vmap` over `functional_call`.

    Args:
        grid: The runs.
        members: How many of them.
        half: Products in bfloat16.
        captured: Each update is the replay of a CUDA graph, one a padded width; else it is sent
            kernel by kernel.

    Attributes:
        attention: `"sdpa"`, or `"eager"` and why the fused kernels do not work under `vmap`.
    """

    def __init__(self, grid: Grid, members: int, *, half: bool, captured: bool) -> None:
        self._grid, self._half = grid, half
        self.attention = "sdpa"
        models = [
            build_model(one, grid.plan).to(grid.device).train() for one in grid.started[:members]
        ]
        self._model = models[0]
        each = [dict(model.named_parameters()) for model in models]
        self.weights = {
            name: torch.stack([own[name].detach() for own in each]).requires_grad_()
            for name in each[0]
        }
        self._buffers = dict(self._model.named_buffers())
        cuda = grid.device == "cuda"
        self._optimizer = torch.optim.AdamW(
            list(self.weights.values()),
            lr=torch.tensor(grid.plan.learning_rate, device=grid.device),
            betas=(grid.plan.beta1, grid.plan.beta2),
            eps=grid.plan.epsilon,
            weight_decay=grid.plan.weight_decay,
            fused=True,
            capturable=cuda,
        )
        self._captured, self._tried = captured and cuda, False
        self._rounding = 64 if captured else 1
        self._graphs: dict[int, tuple[Any, list[Tensor], Tensor]] = {}

    def __call__(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Update every member once; return their losses, on the device."""
        host = self._batch(rows)
        if self.attention == "sdpa" and not self._tried:
            self._try([part.to(self._grid.device) for part in host])
        if not self._captured:
            return self._update([part.to(self._grid.device) for part in host])
        width = host[0].shape[-1]
        if width not in self._graphs:
            self._graphs[width] = self._capture([part.to(self._grid.device) for part in host])
        graph, inputs, losses = self._graphs[width]
        for there, here in zip(inputs, host, strict=True):
            there.copy_(here.pin_memory(), non_blocking=True)
        graph.replay()
        return losses

    def _try(self, batch: list[Tensor]) -> None:
        self._tried = True
        try:
            self._losses(batch).sum().backward()
        except (RuntimeError, NotImplementedError, ValueError) as error:
            self._model.set_attn_implementation("eager")
            self.attention = f"eager, for {str(error)[:300]}"

    def _batch(self, rows: Sequence[Sequence[int]]) -> list[Tensor]:
        """Return ids, positions, mask and truth, [S, B, ...] on the host."""
        data = self._grid.data["train"]
        most = max(len(data.ids[i]) for own in rows for i in own)
        width = min(-(-most // self._rounding) * self._rounding, self._grid.plan.max_length)
        ids = torch.full((len(rows), len(rows[0]), width), data.pad)
        for s, own in enumerate(rows):
            for b, i in enumerate(own):
                ids[s, b, : len(data.ids[i])] = torch.tensor(data.ids[i])
        live = ids != data.pad
        places = live.long().cumsum(-1) * live + data.pad
        mask = torch.zeros(live.shape).masked_fill(~live, torch.finfo(torch.float32).min)
        truth = torch.tensor([[data.labels[i] for i in own] for own in rows])
        return [ids, places, mask[:, :, None, None, :], truth]

    def _loss(
        self, weights: dict[str, Tensor], ids: Tensor, places: Tensor, mask: Tensor, truth: Tensor
    ) -> Tensor:
        given = {
            "input_ids": ids,
            "position_ids": places,
            "attention_mask": mask,
            "token_type_ids": torch.zeros_like(ids),
        }
        found = torch.func.functional_call(self._model, (weights, self._buffers), (), given)
        return F.cross_entropy(found.logits.float(), truth)

    def _losses(self, batch: list[Tensor]) -> Tensor:
        kind = self._grid.device
        with torch.autocast(kind, torch.bfloat16, enabled=self._half, cache_enabled=False):
            found: Tensor = torch.func.vmap(self._loss, randomness="different")(
                self.weights, *batch
            )
        return found

    def _update(self, batch: list[Tensor]) -> Tensor:
        self._optimizer.zero_grad()
        losses = self._losses(batch)
        losses.sum().backward()
        grads = [w.grad for w in self.weights.values() if w.grad is not None]
        norms = torch.stack([torch.linalg.vector_norm(g.flatten(1), dim=1) for g in grads])
        factor = (1.0 / (torch.linalg.vector_norm(norms, dim=0) + 1e-6)).clamp(max=1.0)
        torch._foreach_mul_(grads, [factor.view(-1, *[1] * (g.dim() - 1)) for g in grads])
        self._optimizer.step()
        return losses.detach()

    def _capture(self, inputs: list[Tensor]) -> tuple[Any, list[Tensor], Tensor]:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._update(inputs)
        torch.cuda.current_stream().wait_stream(side)
        self._optimizer.zero_grad()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            losses = self._update(inputs)
        return graph, inputs, losses


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
                "labels": self.part.labels[index],
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
