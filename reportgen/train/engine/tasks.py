"""What a model is trained on: batches, the loss of each target, and what an evaluation measures.

A target is what a loss is the mean over: a text, a word, or a token of an answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from reportgen.train.engine.examples import Encoded
from reportgen.train.engine.metrics import measure

_NUMBERS_A_TOKEN = 2**15
"""Numbers of output that weigh as much as a token."""


Evaluation = Mapping[str, float]
"""Metric to value, of one split; `"loss"` is the mean over targets, of classes in nats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Some examples, padded to one length, on the device.

    Attributes:
        given: What the model is called with; ids and mask are int64 [B, T].
        truth: What is to be told, [N]: classes, or numbers of a regression.
        places: Places of B * T that are looked at, [N]; None where each example has one output.
    """

    given: dict[str, Tensor]
    truth: Tensor
    places: Tensor | None


class Task:
    """Examples of every split, and how a model is scored on them.

    The kind is a key of `MEASURED`; `left` fills batches up on the left, for a model that looks at
    the last place of a row; `width` counts the numbers of output for a target.
    """

    def __init__(
        self,
        kind: str,
        data: Mapping[str, Encoded],
        device: torch.device,
        *,
        labels: Sequence[str] = (),
        left: bool = False,
        width: int = 1,
    ) -> None:
        self.kind, self.data = kind, data
        self._device, self._labels, self._left, self._width = device, labels, left, width

    def lengths(self, split: str) -> list[int]:
        """Return the tokens of each example."""
        return [len(row) for row in self.data[split].ids]

    def costs(self, split: str) -> list[int]:
        """Return the memory of each example in tokens, output included."""
        data = self.data[split]
        return [
            max(len(row), len(told) * self._width // _NUMBERS_A_TOKEN)
            for row, told in zip(data.ids, data.truth, strict=True)
        ]

    def targets(self, split: str, rows: Sequence[int]) -> int:
        """Return the number of targets of some examples."""
        return sum(len(self.data[split].truth[i]) for i in rows)

    def batch(self, split: str, rows: Sequence[int]) -> Batch:
        """Return some examples, padded."""
        data = self.data[split]
        ids, mask = fill_up([data.ids[i] for i in rows], data.pad, left=self._left)
        given = {"input_ids": ids, "attention_mask": mask}
        if data.types:
            given["token_type_ids"] = fill_up([data.types[i] for i in rows], 0, left=self._left)[0]
        truth = [value for i in rows for value in data.truth[i]]
        places = None
        if data.places:
            width = ids.shape[1]
            found = [row * width + p for row, i in enumerate(rows) for p in data.places[i]]
            places = torch.tensor(found, device=self._device)
        return Batch(
            given={name: part.to(self._device) for name, part in given.items()},
            truth=torch.tensor(truth, device=self._device),
            places=places,
        )

    def scores(self, module: nn.Module, split: str, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return the loss of every target, float32 [N], and what the model tells of it, [N]."""
        batch = self.batch(split, rows)
        logits = _logits(module, batch, narrow=self.kind == "causal_lm").float()
        return self.losses(logits, batch.truth), self.told(logits)

    def losses(self, logits: Tensor, truth: Tensor) -> Tensor:
        """Return the loss of every target."""
        if self.kind == "regression":
            return F.mse_loss(logits.squeeze(-1), truth, reduction="none")
        return F.cross_entropy(logits, truth, reduction="none")

    def told(self, logits: Tensor) -> Tensor:
        """Return what the model tells of every target: a class, or a number."""
        found = logits.detach()
        return found.squeeze(-1) if self.kind == "regression" else found.argmax(-1)

    def evaluation(
        self, split: str, order: Sequence[int], losses: Tensor, told: Tensor
    ) -> Evaluation:
        """Return what was measured on a split; `order` is that of the examples of the targets."""
        truth = [self.data[split].truth[i] for i in order]
        loss = losses.cpu().double().mean().item()
        values = {"loss": loss}
        values |= measure(
            self.kind,
            told.cpu().numpy(),
            np.array([value for own in truth for value in own]),
            labels=self._labels,
            lengths=[len(own) for own in truth],
        )
        if self.kind == "causal_lm":
            values["perplexity"] = math.exp(loss) if loss < 700 else math.inf
        return values


def _logits(module: Any, batch: Batch, *, narrow: bool) -> Tensor:
    """Return the logits [N, ...] of every target; `narrow` computes no others.

    With 250,880 words in a vocabulary the others are most of the memory.
    """
    places = batch.places
    if places is None or not narrow:
        logits: Tensor = module(**batch.given).logits
        return logits if places is None else logits.flatten(0, 1).index_select(0, places)

    def keep(_: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        hidden, *rest = given
        return hidden.flatten(0, 1).index_select(0, places), *rest

    hook = module.get_output_embeddings().register_forward_pre_hook(keep)
    try:
        logits = module(**batch.given).logits
    finally:
        hook.remove()
    return logits


def fill_up(
    rows: Sequence[Sequence[int]], pad: int, *, left: bool = False
) -> tuple[Tensor, Tensor]:
    """Return ids and attention mask, int64 [B, T] each, T the longest.

    Example:
        >>> [part.tolist() for part in fill_up([[5, 6], [7]], 0)]
        [[[5, 6], [7, 0]], [[1, 1], [1, 0]]]
    """
    width = max(map(len, rows))
    ids = np.full((len(rows), width), pad, dtype=np.int64)
    mask = np.zeros_like(ids)
    for i, row in enumerate(rows):
        where = slice(width - len(row), None) if left else slice(len(row))
        ids[i, where] = row
        mask[i, where] = 1
    return torch.from_numpy(ids), torch.from_numpy(mask)
