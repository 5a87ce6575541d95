"""The members of a job, updated one after another or in one pass: any model, PEFT's too."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from reportgen.records.study import TrainPlan
from reportgen.train.engine.models import Models, Separate, spared
from reportgen.train.engine.quick import in_one, is_large
from reportgen.train.engine.tasks import Evaluation, Task
from reportgen.train.engine.tokens import counts_from_padding

# The members of a job, updated one after another: any model of transformers, PEFT's too.

TRAIN = "train"
_DECAYED, _SPARED = "those that decay", "those that do not"
_BUDGET_TOKENS = 8192  # of one batch of an evaluation
_NAN = float("nan")
_GENERATORS: Mapping[str, Any] = {"cpu": torch, "cuda": torch.cuda, "mps": torch.mps}


class DeviceMemoryError(RuntimeError):
    """The device has no memory for a batch of this size; fewer examples at once may fit."""


class Engine:
    """S fine-tunes of one shape; member s is number s of the job.

    A member's numbers do not depend on what it is trained with: nothing that changes is shared.
    With dropout they do depend on `chunks`, for a module draws as it computes.

    Each has a model, on the device, and the seed of its dropout. `name` says in words how they are
    updated, `notes` what a reader of the results must know.
    """

    name = "one by one"

    def __init__(
        self, models: Models, seeds: Sequence[int], task: Task, plan: TrainPlan, device: str
    ) -> None:
        self.notes: tuple[str, ...] = ()
        self.task, self.models, self._plan = task, models, plan
        self._device = torch.device(device)
        self._random = Randomness(seeds, self._device)
        self._live = [True] * len(seeds)
        # Products are computed in bfloat16; weights and sums stay float32.
        has_it = self._device.type == "cuda" and torch.cuda.is_bf16_supported()
        self._half = has_it and plan.precision == "auto"
        self._joined: list[Tensor] = []
        self._weights = self._trained(len(seeds))
        fixed = spared(models.select(0)) | {_SPARED}
        self._optimizers = [_optimizer(own, fixed, plan) for own in self._weights]

    def _trained(self, members: int) -> list[dict[str, Tensor]]:
        """Return for each optimiser what it trains, by name."""
        found: list[dict[str, Tensor]] = [
            dict(self.models.weights(member)) for member in range(members)
        ]
        small = not is_large(self.models.select(0))
        if self._device.type == "cpu" and small and isinstance(self.models, Separate):
            return [self._join(member, own) for member, own in enumerate(found)]
        return found

    def _join(self, member: int, weights: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return weights with those that every text trains in one tensor, or two if some decay.

        The others (an expert that nothing is sent to) are not updated where they have no gradient.
        """
        scores = self.task.scores(self.models.select(member).eval(), TRAIN, [0])
        scores[0].sum().backward()  # type: ignore[no-untyped-call]
        fixed = spared(self.models.select(member))
        parts: dict[str, dict[str, Tensor]] = {_DECAYED: {}, _SPARED: {}}
        for name, weight in weights.items():
            if weight.grad is not None:
                parts[_SPARED if name in fixed else _DECAYED][name] = weight
        joined: dict[str, Tensor] = {name: in_one(part) for name, part in parts.items() if part}
        self._joined += joined.values()
        alone = {
            name: w for name, w in weights.items() if not any(name in p for p in parts.values())
        }
        return joined | alone

    def train_size(self) -> int:
        """Return the number of training examples."""
        return len(self.task.data[TRAIN].ids)

    def step(self, rows: Sequence[Sequence[int]], rate: float, *, chunks: int = 1) -> list[float]:
        """Update every live member once.

        Args:
            rows: For each member the indices of its training examples, in order.
            rate: Learning rate of this update.
            chunks: Parts in which the batch is computed, gradients added up.

        Returns:
            Mean loss of each member's batch; NaN for a member that was stopped.

        Raises:
            DeviceMemoryError: Nothing was changed; more chunks may fit.
        """
        before = self._random.states()
        try:
            with _memory_errors():
                # All gradients before the first update: an error then has changed nothing.
                losses = self._gradients(rows, min(chunks, len(rows[0])))
        except Exception:
            self._random.restore(before)
            for optimizer in self._optimizers:
                self._clear(optimizer)
            raise
        self._update(rate)
        return [_NAN if loss is None else float(loss) for loss in losses]

    def stop(self, member: int) -> None:
        """Leave a member as it is: its weights change no more."""
        self._live[member] = False

    @torch.no_grad()
    def evaluate(self, split: str) -> list[Evaluation]:
        """Evaluate every member on a whole split; longest examples first, many at a time."""
        return [self._evaluate(member, split) for member in range(len(self._live))]

    def state(self) -> dict[str, Tensor]:
        """Return all that a bitwise equal continuation needs: weights, moments, generators.

        The tensors are the engine's own, not copies: the next step changes them.
        """
        found = {"live": torch.tensor(self._live)}
        for member, kinds in enumerate(self._random.states()):
            found |= {f"{member}/generator/{kind}": state for kind, state in kinds.items()}
        for number, weights in enumerate(self._weights):
            found |= {f"{number}/weight/{name}": w.detach() for name, w in weights.items()}
            state = self._optimizers[number].state
            found |= {
                f"{number}/{kind}/{name}": value
                for name, weight in weights.items()
                for kind, value in state.get(weight, {}).items()
            }
        return found

    @torch.no_grad()
    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue from a state."""
        for number, weights in enumerate(self._weights):
            optimizer = self._optimizers[number]
            for name, weight in weights.items():
                weight.copy_(tensors[f"{number}/weight/{name}"])
                optimizer.state[weight] = {
                    kind: tensors[f"{number}/{kind}/{name}"].to(weight.device, copy=True)
                    for kind in ("step", "exp_avg", "exp_avg_sq")
                    if f"{number}/{kind}/{name}" in tensors
                }
                if not optimizer.state[weight]:
                    del optimizer.state[weight]
        self._random.restore(
            [
                {kind: tensors[f"{member}/generator/{kind}"].cpu() for kind in kinds}
                for member, kinds in enumerate(self._random.states())
            ]
        )
        self._live = [bool(alive) for alive in tensors["live"]]

    def export(self, member: int) -> dict[str, Tensor]:
        """Return copies, on the host, of one member's weights, named as they are published."""
        return self.models.export(member)

    def _gradients(self, rows: Sequence[Sequence[int]], chunks: int) -> list[Tensor | None]:
        """Add up the gradients of a batch; return mean losses, None of a member that stopped."""
        return [
            self._accumulate(member, own, chunks) if self._live[member] else None
            for member, own in enumerate(rows)
        ]

    def _accumulate(self, member: int, rows: Sequence[int], chunks: int) -> Tensor:
        module = _switched(self.models.select(member), train=True)
        total = self.task.targets(TRAIN, rows)
        mean = torch.zeros((), device=self._device)
        size = -(-len(rows) // chunks)
        with self._random.of(member):
            for start in range(0, len(rows), size):
                with self._computing():
                    losses, _ = self.task.scores(module, TRAIN, rows[start : start + size])
                loss = losses.sum() / total
                loss.backward()  # type: ignore[no-untyped-call]
                mean += loss.detach()
        return mean

    def _update(self, rate: float) -> None:
        for optimizer, weights, alive in zip(
            self._optimizers, self._weights, self._live, strict=True
        ):
            if alive:
                if self._plan.clip_norm:
                    nn.utils.clip_grad_norm_(weights.values(), self._plan.clip_norm)
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.step()
                self._clear(optimizer)

    def _clear(self, optimizer: torch.optim.Optimizer) -> None:
        """Forget gradients; those that are views of one tensor stay where they are."""
        for group in optimizer.param_groups:
            for weight in group["params"]:
                if any(weight is joined for joined in self._joined):
                    weight.grad.zero_()
                else:
                    weight.grad = None

    def _evaluate(self, member: int, split: str) -> Evaluation:
        module = _switched(self.models.select(member), train=False)
        lengths, costs = self.task.lengths(split), self.task.costs(split)
        order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
        losses: list[Tensor] = []
        told: list[Tensor] = []
        todo, budget = order, _BUDGET_TOKENS
        while todo:
            rows = _within(budget, todo, costs)
            try:
                with _memory_errors(), self._computing():
                    scores = self.task.scores(module, split, rows)
            except DeviceMemoryError:
                if len(rows) == 1:
                    raise
                budget = max(costs[i] for i in rows) * len(rows) // 2
                continue
            losses.append(scores[0])
            told.append(scores[1])
            todo = todo[len(rows) :]
        return self.task.evaluation(split, order, torch.cat(losses), torch.cat(told))

    def _computing(self) -> AbstractContextManager[object]:
        """Return what the passes of a model are computed in."""
        return torch.autocast(self._device.type, torch.bfloat16) if self._half else nullcontext()


class Randomness:
    """The states of the generators that dropout draws from, for each member its own.

    The modules of transformers draw from the generators of the process, which are lent to one
    member at a time: what a member draws does not depend on what it is trained with. The device's
    generator counts besides the CPU's.
    """

    def __init__(self, seeds: Sequence[int], device: torch.device) -> None:
        self._kinds = tuple(dict.fromkeys(("cpu", device.type)))
        self._states: list[dict[str, Tensor]] = [
            {kind: torch.Generator(kind).manual_seed(seed).get_state() for kind in self._kinds}
            for seed in seeds
        ]

    def states(self) -> list[dict[str, Tensor]]:
        """Return for each member generator to state; no tensor in it is changed in place."""
        return list(self._states)

    def restore(self, states: Iterable[dict[str, Tensor]]) -> None:
        """Continue from what `states` gave."""
        self._states = list(states)

    @contextmanager
    def of(self, member: int) -> Iterator[None]:
        """Let a member draw; the process's own generators are as before afterwards."""
        before = self._read()
        self._write(self._states[member])
        try:
            yield
            self._states[member] = self._read()
        finally:
            self._write(before)

    def _read(self) -> dict[str, Tensor]:
        return {kind: _GENERATORS[kind].get_rng_state() for kind in self._kinds}

    def _write(self, states: dict[str, Tensor]) -> None:
        for kind, state in states.items():
            _GENERATORS[kind].set_rng_state(state)


@contextmanager
def _memory_errors() -> Iterator[None]:
    """Raise `DeviceMemoryError` for what torch raises when memory is not enough."""
    try:
        yield
    except RuntimeError as error:
        # Outside of CUDA torch has no class for it.
        if isinstance(error, torch.OutOfMemoryError) or "not enough memory" in str(error):
            raise DeviceMemoryError(str(error)) from error
        raise


def _optimizer(
    weights: Mapping[str, Tensor], fixed: frozenset[str], plan: TrainPlan
) -> torch.optim.AdamW:
    """Return torch's AdamW; as in the Trainer, biases and normalisations do not decay."""
    groups: list[dict[str, Any]] = [
        {"params": [w for name, w in weights.items() if name not in fixed]},
        {"params": [w for name, w in weights.items() if name in fixed], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        [group for group in groups if group["params"]],
        betas=(plan.beta1, plan.beta2),
        eps=plan.epsilon,
        weight_decay=plan.weight_decay,
        fused=True,
    )


def _switched(module: nn.Module, *, train: bool) -> nn.Module:
    """Return a module in the mode of training, or of evaluation."""
    return module if module.training is train else module.train(train)


def _within(budget: int, todo: Sequence[int], costs: Sequence[int]) -> list[int]:
    """Return the first examples whose batch costs at most `budget`, padding included; not none."""
    most = count = 0
    for i in todo:
        most = max(most, costs[i])
        if count and most * (count + 1) > budget:
            break
        count += 1
    return list(todo[:count])


# Several seeds in one pass: any family under `torch.func`, where a GPU waits for its host.
#
# Three runs of a small model take as long there as one (benchmarks/README.md). A family whose code
# cannot be mapped, or gives other losses then, is updated one by one.

_NEAR = 1e-3
"""Largest difference of losses by which one pass and several are taken for the same."""


class Together(Engine):
    """S models of one family, trained in one pass and evaluated one by one.

    Their weights, of one shape, are stacked [S, ...]; each model's own are views of them. Dropout
    draws from one generator for all, of the first seed: the members repeat themselves as a group.

    Raises:
        ValueError: This family cannot be trained so; the models are as they were.
    """

    name = "together"

    def __init__(
        self,
        modules: Sequence[nn.Module],
        seeds: Sequence[int],
        task: Task,
        plan: TrainPlan,
        device: str,
    ) -> None:
        if task.kind not in {"classification", "regression"}:
            raise ValueError(f"examples of {task.kind} have several outputs each")
        self._skeleton = _skeleton(modules[0])
        self._buffers = dict(self._skeleton.named_buffers())
        super().__init__(Separate(modules), seeds, task, plan, device)
        self._check(modules)

    def _trained(self, members: int) -> list[dict[str, Tensor]]:
        each = [self.models.weights(member) for member in range(members)]
        shapes = [{name: w.shape for name, w in own.items()} for own in each]
        if any(own != shapes[0] for own in shapes):
            raise ValueError("the models have not one shape")
        stacked = {
            name: torch.stack([own[name].detach() for own in each]).requires_grad_()
            for name in each[0]
        }
        return [stacked]

    def _check(self, modules: Sequence[nn.Module]) -> None:
        """Hold the losses of one pass against those of several; let the models share weights."""
        rows = list(range(min(4, self.train_size())))
        mode = self._skeleton.training
        try:
            with torch.no_grad():
                self._skeleton.eval()
                found = self._losses([rows] * len(modules)).mean(1)
                alone = torch.stack(
                    [self.task.scores(module.eval(), TRAIN, rows)[0].mean() for module in modules]
                )
        except (RuntimeError, NotImplementedError, ValueError, TypeError) as error:
            raise ValueError(str(error).partition("\n")[0]) from error
        self._skeleton.train(mode)
        if not torch.allclose(found, alone, rtol=_NEAR, atol=_NEAR):
            raise ValueError("its losses in one pass are others")
        for member, module in enumerate(modules):
            for name, weight in module.named_parameters():
                weight.data = self._weights[0][name].data[member]

    def _gradients(self, rows: Sequence[Sequence[int]], chunks: int) -> list[Tensor | None]:
        count = len(rows[0])
        size = -(-count // chunks)
        self._skeleton.train()
        mean = torch.zeros(len(rows), device=self._device)
        with self._random.of(0):
            for start in range(0, count, size):
                with self._computing():
                    losses = self._losses([own[start : start + size] for own in rows])
                loss = losses.sum(1) / count
                loss.sum().backward()  # type: ignore[no-untyped-call]
                mean += loss.detach()
        return [m if alive else None for m, alive in zip(mean.unbind(), self._live, strict=True)]

    def _losses(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return the losses [S, B] of the same number of examples of every member."""
        given, truth = self._batch(rows)

        def one(weights: dict[str, Tensor], own: dict[str, Tensor], right: Tensor) -> Tensor:
            model = (weights, self._buffers)
            found = torch.func.functional_call(self._skeleton, model, (), own)
            return self.task.losses(found.logits.float(), right)

        mapped = torch.func.vmap(one, randomness="different")
        losses: Tensor = mapped(self._weights[0], given, truth)
        return losses

    def _batch(self, rows: Sequence[Sequence[int]]) -> tuple[dict[str, Tensor], Tensor]:
        """Return what the models are called with and what is to be told, [S, B, ...].

        Masks and positions are given: what models make them of looks at values, which `vmap`
        cannot.
        """
        batch = self.task.batch(TRAIN, [i for own in rows for i in own])
        parts = dict(batch.given)
        live = parts["attention_mask"]
        takes = inspect.signature(self._skeleton.forward).parameters
        if "token_type_ids" in takes:
            parts.setdefault("token_type_ids", torch.zeros_like(live))
        if "position_ids" in takes:
            config: Any = self._skeleton.config
            first = int(config.pad_token_id) + 1 if counts_from_padding(config.model_type) else 0
            places = live.cumsum(-1) - 1 + first
            parts["position_ids"] = torch.where(live.bool(), places, max(first - 1, 0))
        lowest = torch.finfo(torch.float32).min
        parts["attention_mask"] = (1.0 - live[:, None, None, :]) * lowest
        shape = (len(rows), len(rows[0]))
        given = {name: part.view(*shape, *part.shape[1:]) for name, part in parts.items()}
        return given, batch.truth.view(shape)

    @torch.no_grad()
    def _update(self, rate: float) -> None:
        (weights,), (optimizer,) = self._weights, self._optimizers
        dead = [member for member, alive in enumerate(self._live) if not alive]
        kept = {name: weight[dead].clone() for name, weight in weights.items()} if dead else {}
        if self._plan.clip_norm:
            _clip([w.grad for w in weights.values() if w.grad is not None], self._plan.clip_norm)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        optimizer.zero_grad()
        for name, rows in kept.items():
            weights[name][dead] = rows


def _skeleton(module: nn.Module) -> Any:
    """Return a copy whose attention is written out: the fused one has no gradient under `vmap`."""
    found: Any = copy.deepcopy(module)
    found.set_attn_implementation("eager")
    return found


def _clip(grads: Sequence[Tensor], limit: float) -> None:
    """Clip the norm of each member's gradient, as `torch.nn.utils.clip_grad_norm_` does of one."""
    norms = [torch.linalg.vector_norm(g.flatten(1), dim=1) for g in grads]
    norm = torch.linalg.vector_norm(torch.stack(norms), dim=0)
    factor = (limit / (norm + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(factor.view(-1, *[1] * (g.dim() - 1)))
