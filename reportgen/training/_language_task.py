"""Answers to questions: the loss of every token of an answer, and of no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from reportgen.training._language_text import Answered
from reportgen.training._module_tasks import fill_up

_A_TOKEN = 2**15  # numbers of output that weigh as much as a token


class AnswerTask:
    """Causal language modelling of answers.

    Logits are computed where an answer token is to be told, nowhere else: with 250,880 words in
    a vocabulary they are most of the memory.

    Args:
        data: Split to examples.
        pad: Id that fills a batch up; attention never sees it.
        vocabulary: Width of the output.
        device: Where the batches go.
    """

    def __init__(
        self, data: Mapping[str, Answered], pad: int, vocabulary: int, device: torch.device
    ) -> None:
        self._data = data
        self._pad = pad
        self._vocabulary = vocabulary
        self._device = device

    def lengths(self, split: str) -> Sequence[int]:
        """Return the tokens of each example."""
        return [len(row) for row in self._data[split].ids]

    def costs(self, split: str) -> Sequence[int]:
        """Return the memory of each example in tokens, the logits of its answer included."""
        data = self._data[split]
        return [
            max(len(row), (len(row) - start) * self._vocabulary // _A_TOKEN)
            for row, start in zip(data.ids, data.starts, strict=True)
        ]

    def targets(self, split: str, rows: Sequence[int]) -> int:
        """Return the number of answer tokens."""
        data = self._data[split]
        return sum(len(data.ids[i]) - data.starts[i] for i in rows)

    def scores(self, module: nn.Module, split: str, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return loss and rightness of every answer token, given all that stands before it."""
        data = self._data[split]
        ids, mask = fill_up([data.ids[i] for i in rows], self._pad)
        width = ids.shape[1]
        places: list[int] = []
        truth: list[int] = []
        for row, i in enumerate(rows):
            start, stop = data.starts[i], len(data.ids[i])
            places += range(row * width + start - 1, row * width + stop - 1)
            truth += data.ids[i][start:]
        logits = _logits(
            module, ids.to(self._device), mask.to(self._device),
            torch.tensor(places, device=self._device),
        ).float()  # fmt: skip
        right = torch.tensor(truth, device=self._device)
        return F.cross_entropy(logits, right, reduction="none"), logits.argmax(-1) == right


def _logits(module: Any, ids: Tensor, mask: Tensor, places: Tensor) -> Tensor:
    """Return the logits [N, vocabulary] at places of B * T, and compute no others."""

    def narrow(_: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        hidden, *rest = given
        return hidden.flatten(0, 1).index_select(0, places), *rest

    hook = module.get_output_embeddings().register_forward_pre_hook(narrow)
    try:
        logits: Tensor = module(input_ids=ids, attention_mask=mask, use_cache=False).logits
    finally:
        hook.remove()
    return logits
