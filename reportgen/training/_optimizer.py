"""AdamW of a stack: one clip for each member, and members that have stopped stand still."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from torch.optim.adamw import adamw

from reportgen.records.training import TrainPlan

_TINY = 1e-6  # torch.nn.utils.clip_grad_norm_ adds it to the norm


class StackedAdamW:
    """AdamW (Loshchilov and Hutter 2019) by torch's fused kernel.

    Args:
        weights: Name to tensor [S, ...]; updated in place from its `grad`.
        plan: Betas, epsilon, weight decay and clip.
        decays: Tells of a name whether weight decay applies.
    """

    def __init__(
        self, weights: Mapping[str, Tensor], plan: TrainPlan, decays: Callable[[str], bool]
    ) -> None:
        self.plan = plan
        self.weights = weights
        self.mean = {name: torch.zeros_like(w.detach()) for name, w in weights.items()}
        self.square = {name: torch.zeros_like(w.detach()) for name, w in weights.items()}
        self.updates = 0
        decayed = [name for name in weights if decays(name)] if plan.weight_decay else []
        spared = [name for name in weights if name not in set(decayed)]
        self._parts = [(decayed, plan.weight_decay), (spared, 0.0)]

    @torch.no_grad()
    def step(self, rate: float, live: Sequence[bool]) -> None:
        """Update the live members from the gradients, and drop the gradients."""
        grads = {name: w.grad for name, w in self.weights.items() if w.grad is not None}
        divisor = self._clip(grads) if self.plan.clip_norm else None
        for names, decay in self._parts:
            own = [name for name in names if name in grads]
            lists = [
                [part for name in own for part in _living(tensors[name], live)]
                for tensors in (self.weights, grads, self.mean, self.square)
            ]
            self._update(lists, rate, decay, divisor)
        self.updates += 1
        for w in self.weights.values():
            w.grad = None

    def _clip(self, grads: Mapping[str, Tensor]) -> Tensor | None:
        """Scale the gradients of several members; return what one member's must be divided by."""
        norms = [torch.linalg.vector_norm(g.flatten(1), dim=1) for g in grads.values()]
        norm: Tensor = torch.linalg.vector_norm(torch.stack(norms), dim=0)
        factor = (self.plan.clip_norm / (norm + _TINY)).clamp(max=1.0)
        if len(factor) == 1:
            # The kernel divides as it goes; where the norm costs no wait, it need not even divide.
            spared = factor.device.type == "cpu" and float(factor) == 1.0
            return None if spared else 1 / factor
        for g in grads.values():
            g.mul_(factor.view(-1, *[1] * (g.dim() - 1)))
        return None

    def _update(
        self, lists: list[list[Tensor]], rate: float, decay: float, divisor: Tensor | None
    ) -> None:
        weights, grads, mean, square = lists
        if not weights:
            return
        done = torch.full((len(weights),), float(self.updates), device=weights[0].device)
        adamw(
            weights,
            grads,
            mean,
            square,
            [],
            list(done.unbind()),
            fused=True,
            grad_scale=divisor,
            amsgrad=False,
            beta1=self.plan.beta1,
            beta2=self.plan.beta2,
            lr=rate,
            weight_decay=decay,
            eps=self.plan.epsilon,
            maximize=False,
        )


def _living(tensor: Tensor, live: Sequence[bool]) -> list[Tensor]:
    """Return the whole tensor while all live, else the parts of those that do."""
    if all(live):
        return [tensor]
    return [part for part, alive in zip(tensor.unbind(), live, strict=True) if alive]
