"""What a model is trained on: batches, the loss of each target, and what an evaluation measures.

A target is what a loss is the mean over: a text, a word, or a token of an answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from reportgen.train.engine.examples import Encoded

# What an evaluation measures beside its loss, from what was told and what is true.
#
# The definitions are those of scikit-learn and scipy, whose packages are more than they are worth
# here: four formulas.

Values = np.ndarray


def measure(
    task: str,
    told: Values,
    truth: Values,
    *,
    labels: Sequence[str] = (),
    lengths: Sequence[int] = (),
) -> dict[str, float]:
    """Return the metrics of a task; NaN where one is not defined.

    Args:
        task: A key of `reportgen.records.study.MEASURED`.
        told: What the model says of each target: classes, or numbers. Shape (N,).
        truth: What is true of it, (N,).
        labels: Names of the classes; words are held together by those that begin with `B-`, `I-`.
        lengths: Words of each text.

    Example:
        >>> found = measure("classification", np.array([0, 1, 1]), np.array([0, 0, 1]))
        >>> [round(found[name], 3) for name in ("accuracy", "f1", "matthews_correlation")]
        [0.667, 0.667, 0.5]
    """
    if task == "regression":
        return {
            "pearson": _correlation(told, truth),
            "spearman": _correlation(_ranks(told), _ranks(truth)),
            "mse": float(np.mean((told - truth) ** 2)),
        }
    found = {"accuracy": float(np.mean(told == truth))}
    if task == "classification":
        found["f1"] = f1(told, truth, binary=len(labels) == 2 or not labels)
        found["matthews_correlation"] = matthews_correlation(told, truth)
    if task == "token_classification":
        found["f1"] = _f1_of_words(told, truth, labels, lengths)
    return found


def f1(told: Values, truth: Values, *, binary: bool) -> float:
    """Return F1 of class 1 of two, or the mean of F1 over the classes that occur.

    Source: `sklearn.metrics.f1_score` with `average="binary"` and `"macro"`; 0 where nothing is
    told and nothing is true.
    """
    classes = [1] if binary else np.union1d(told, truth).tolist()
    scores = []
    for one in classes:
        right = int(np.sum((told == one) & (truth == one)))
        both = int(np.sum(told == one) + np.sum(truth == one))
        scores.append(2 * right / both if both else 0.0)
    return float(np.mean(scores))


def matthews_correlation(told: Values, truth: Values) -> float:
    """Return the correlation of Matthews (1975), of several classes that of Gorodkin (2004).

    0 where one of the two has a single class, as `sklearn.metrics.matthews_corrcoef` has it.
    """
    size = int(max(told.max(initial=0), truth.max(initial=0))) + 1
    table = np.bincount(truth * size + told, minlength=size * size).reshape(size, size)
    true, said, total = table.sum(1), table.sum(0), table.sum()
    apart = float(total**2 - said @ said) * float(total**2 - true @ true)
    return float(np.trace(table) * total - said @ true) / apart**0.5 if apart > 0 else 0.0


def _correlation(x: Values, y: Values) -> float:
    x, y = x - x.mean(), y - y.mean()
    apart = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / apart if apart > 0 else float("nan")


def _ranks(values: Values) -> Values:
    """Return ranks, equal values at their mean rank."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Values = (ends - (counts - 1) / 2)[places]
    return ranks


def _f1_of_words(
    told: Values, truth: Values, labels: Sequence[str], lengths: Sequence[int]
) -> float:
    """Return F1 of whole names where labels are `B-` and `I-`, else the mean over classes."""
    if not any(label.startswith("B-") for label in labels):
        return f1(told, truth, binary=False)
    said, true = (set(_names(values, labels, lengths)) for values in (told, truth))
    both = len(said) + len(true)
    return 2 * len(said & true) / both if both else 0.0


def _names(
    values: Values, labels: Sequence[str], lengths: Sequence[int]
) -> Iterator[tuple[int, int, str]]:
    """Yield first word, word behind the last, and kind of every name, as CoNLL-2003 counts them."""
    start = 0
    for length in lengths:
        kind, begin = "", start
        for place in range(start, start + length + 1):
            label = labels[int(values[place])] if place < start + length else "O"
            mark, _, own = label.partition("-")
            if kind and (mark != "I" or own != kind):
                yield begin, place, kind
                kind = ""
            if mark in {"B", "I"} and not kind:
                kind, begin = own, place
        start += length


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
