"""Fine-tunes of models of any family of transformers, one after another in one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from reportgen.errors import EvidenceError
from reportgen.records.training import TrainPlan
from reportgen.training._data import Tokenised
from reportgen.training._engine import DeviceMemoryError, Evaluation
from reportgen.training._memory import memory_errors
from reportgen.training._module_models import Models, Separate, spared
from reportgen.training._module_random import Randomness
from reportgen.training._module_tasks import Classification, Task
from reportgen.training._optimizer import StackedAdamW
from reportgen.training._precision import computing, takes_half
from reportgen.training.starts import Started, build_model

_TRAIN = "train"
_BUDGET = 8192  # tokens of one batch of an evaluation
_NAN = float("nan")
_LOOK_AT_THE_END = frozenset({"xlnet"})
"""Classifiers that read the last place of a row, padding or not."""


class ModuleEngine:
    """S models of transformers, updated one after another.

    A member's numbers do not depend on what it is trained with: nothing that changes is shared.
    With dropout they do depend on `chunks`, for a module draws as it computes.

    Args:
        models: One a member.
        seeds: For each member the seed of its dropout.
        task: The examples, and what is scored.
        plan: Hyperparameters.
        device: `"cpu"`, `"cuda"` or `"mps"`; where the models are.
    """

    name = "module"

    def __init__(
        self, models: Models, seeds: Sequence[int], task: Task, plan: TrainPlan, device: str
    ) -> None:
        self.notes: tuple[str, ...] = ()
        self._device = torch.device(device)
        self._models = models
        self._task = task
        self._random = Randomness(seeds, self._device)
        self._live = [True] * len(seeds)
        self._weights = [models.weights(member) for member in range(len(seeds))]
        self._optimizers = [
            _optimizer(own, spared(models.select(member)), plan)
            for member, own in enumerate(self._weights)
        ]
        self._half = takes_half(self._device, plan)

    def train_size(self) -> int:
        """Return the number of training examples."""
        return len(self._task.lengths(_TRAIN))

    def step(self, rows: Sequence[Sequence[int]], rate: float, *, chunks: int = 1) -> list[float]:
        """Update every live member once; see `Engine`."""
        before = list(self._random.states)
        losses: list[Tensor | None] = []
        try:
            with memory_errors():
                # All gradients before the first update: an error then has changed nothing.
                for member, own in enumerate(rows):
                    alive = self._live[member]
                    losses.append(self._accumulate(member, own, chunks) if alive else None)
        except Exception:
            self._random.states = before
            for weights in self._weights:
                for weight in weights.values():
                    weight.grad = None
            raise
        for member, alive in enumerate(self._live):
            if alive:
                self._update(member, rate)
        return [_NAN if loss is None else float(loss) for loss in losses]

    def stop(self, member: int) -> None:
        """Leave a member as it is: its weights change no more, and it costs nothing."""
        self._live[member] = False

    @torch.no_grad()
    def evaluate(self, split: str) -> list[Evaluation]:
        """Evaluate every member on a whole split; longest examples first, many at a time."""
        return [self._evaluate(member, split) for member in range(len(self._live))]

    def state(self) -> dict[str, Tensor]:
        """Return all that a bitwise equal continuation needs; weights are not copied."""
        found = {"live": torch.tensor(self._live)}
        for member, optimizer in enumerate(self._optimizers):
            found[f"{member}/updates"] = torch.tensor(optimizer.updates)
            for kind, generator in self._random.states[member].items():
                found[f"{member}/generator/{kind}"] = generator
            kinds = {"weight": optimizer.weights, "mean": optimizer.mean}
            for kind, tensors in (kinds | {"square": optimizer.square}).items():
                found |= {f"{member}/{kind}/{name}": t.detach() for name, t in tensors.items()}
        return found

    @torch.no_grad()
    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue from a state."""
        for member, optimizer in enumerate(self._optimizers):
            optimizer.updates = int(tensors[f"{member}/updates"])
            self._random.states[member] = {
                kind: tensors[f"{member}/generator/{kind}"].cpu()
                for kind in self._random.states[member]
            }
            for kind in ("weights", "mean", "square"):
                for name, tensor in getattr(optimizer, kind).items():
                    tensor.copy_(tensors[f"{member}/{kind.removesuffix('s')}/{name}"])
        self._live = [bool(alive) for alive in tensors["live"]]

    def export(self, member: int) -> dict[str, Tensor]:
        """Return the weights of one member under the names a published checkpoint has."""
        return self._models.export(member)

    def _accumulate(self, member: int, rows: Sequence[int], chunks: int) -> Tensor:
        """Add up the gradients of a batch; return the mean loss over its targets."""
        module = self._models.select(member)
        module.train()
        total = self._task.targets(_TRAIN, rows)
        size = -(-len(rows) // min(chunks, len(rows)))
        mean = torch.zeros((), device=self._device)
        with self._random.of(member):
            for start in range(0, len(rows), size):
                with computing(self._device, half=self._half):
                    part = rows[start : start + size]
                    losses, _ = self._task.scores(module, _TRAIN, part)
                loss = losses.sum() / total
                loss.backward()  # type: ignore[no-untyped-call]
                mean += loss.detach()
        return mean

    def _update(self, member: int, rate: float) -> None:
        optimizer = self._optimizers[member]
        for name, weight in self._weights[member].items():
            optimizer.weights[name].grad = None if weight.grad is None else _as_row(weight.grad)
            weight.grad = None
        optimizer.step(rate, [True])

    def _evaluate(self, member: int, split: str) -> Evaluation:
        module = self._models.select(member)
        module.eval()
        lengths, costs = self._task.lengths(split), self._task.costs(split)
        todo = sorted(range(len(lengths)), key=lambda i: -lengths[i])
        losses: list[Tensor] = []
        right: list[Tensor] = []
        budget = _BUDGET
        while todo:
            rows = _within(budget, todo, costs)
            try:
                with memory_errors(), computing(self._device, half=self._half):
                    scores = self._task.scores(module, split, rows)
            except DeviceMemoryError:
                if len(rows) == 1:
                    raise
                budget = max(costs[i] for i in rows) * len(rows) // 2
                continue
            losses.append(scores[0])
            right.append(scores[1])
            todo = todo[len(rows) :]
        return Evaluation(
            loss=torch.cat(losses).cpu().double().mean().item(),
            accuracy=torch.cat(right).cpu().double().mean().item(),
            examples=len(lengths),
        )


def classifier_engine(
    started: Sequence[Started],
    seeds: Sequence[int],
    data: Mapping[str, Tokenised],
    plan: TrainPlan,
    device: str,
) -> ModuleEngine:
    """Build the engine of classifiers that transformers knows.

    Args:
        started: For each member what it starts from.
        seeds: For each member the seed of its dropout.
        data: Split to examples; `"train"` must be one.
        plan: Hyperparameters.
        device: `"cpu"`, `"cuda"` or `"mps"`.

    Raises:
        EvidenceError: The model knows no padding token of this number.
    """
    pad = data[_TRAIN].pad
    models = [build_model(one, plan).to(device) for one in started]
    for model in models:
        known = model.get_input_embeddings().num_embeddings
        if pad >= known:
            raise EvidenceError(
                f"the padding token has the id {pad}; the model knows {known} ids",
                remedy="name a token that the model knows as pad_token in tokenizer_config.json",
            )
        # Decoders find the last token of an example by it.
        model.config.pad_token_id = pad
    left = models[0].config.model_type in _LOOK_AT_THE_END
    task = Classification(data, torch.device(device), left=left)
    return ModuleEngine(Separate(models), seeds, task, plan, device)


def _optimizer(
    weights: Mapping[str, Tensor], fixed: frozenset[str], plan: TrainPlan
) -> StackedAdamW:
    """Return the optimiser of one member; it works on the very memory of the weights."""
    rows = {name: _as_row(weight.detach()) for name, weight in weights.items()}
    return StackedAdamW(rows, plan, lambda name: name not in fixed)


def _as_row(tensor: Tensor) -> Tensor:
    """Return a view [1, ...] with at least two dimensions: a stack of one."""
    return tensor.unsqueeze(0) if tensor.dim() else tensor.view(1, 1)


def _within(budget: int, todo: Sequence[int], costs: Sequence[int]) -> list[int]:
    """Return the first examples whose batch costs at most `budget`, padding included; not none."""
    most = count = 0
    for i in todo:
        most = max(most, costs[i])
        if count and most * (count + 1) > budget:
            break
        count += 1
    return list(todo[:count])
