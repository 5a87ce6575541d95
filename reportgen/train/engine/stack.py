"""Several seeds in one pass: any family under `torch.func`, where a GPU waits for its host.

Three runs of a small model take as long there as one (benchmarks/README.md). A family whose code
cannot be mapped, or gives other losses then, is updated one by one.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from reportgen.records.training import TrainPlan
from reportgen.train.engine.engine import TRAIN, Engine
from reportgen.train.engine.models import Separate
from reportgen.train.engine.tasks import Task
from reportgen.train.engine.tokens import counts_from_padding

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
