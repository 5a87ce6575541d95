"""What a model of any family is trained on: batches, and the loss of each target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from reportgen.training._data import Tokenised


class Task(Protocol):
    """Examples of every split, and how a model is scored on them.

    A target is what a loss is the mean over: the label of an example, or a token of an answer.
    """

    def lengths(self, split: str) -> Sequence[int]:
        """Return the tokens of each example."""
        ...

    def costs(self, split: str) -> Sequence[int]:
        """Return the memory of each example in tokens, output included."""
        ...

    def targets(self, split: str, rows: Sequence[int]) -> int:
        """Return the number of targets of some examples."""
        ...

    def scores(self, module: nn.Module, split: str, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return the loss in nats, float32 [N], and the rightness, bool [N], of every target."""
        ...


class Classification:
    """Texts with one label each.

    Args:
        data: Split to examples.
        device: Where the batches go.
        left: True fills up on the left, for a model that looks at the last place of a row.
    """

    def __init__(
        self, data: Mapping[str, Tokenised], device: torch.device, *, left: bool = False
    ) -> None:
        self._data = data
        self._device = device
        self._left = left

    def lengths(self, split: str) -> Sequence[int]:
        """Return the tokens of each example."""
        return [len(row) for row in self._data[split].ids]

    def costs(self, split: str) -> Sequence[int]:
        """Return the tokens of each example; the output is small."""
        return self.lengths(split)

    def targets(self, split: str, rows: Sequence[int]) -> int:  # noqa: ARG002
        """Return the number of examples."""
        return len(rows)

    def scores(self, module: nn.Module, split: str, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return loss and rightness of every example."""
        data = self._data[split]
        ids, mask = fill_up([data.ids[i] for i in rows], data.pad, left=self._left)
        logits = module(
            input_ids=ids.to(self._device), attention_mask=mask.to(self._device)
        ).logits.float()
        truth = torch.tensor([data.labels[i] for i in rows], device=self._device)
        return F.cross_entropy(logits, truth, reduction="none"), logits.argmax(-1) == truth


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
