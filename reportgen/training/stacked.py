"""Fine-tunes of sequence classifiers of one shape, all in one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from reportgen.errors import EvidenceError
from reportgen.records.training import TrainPlan
from reportgen.training._data import Tokenised
from reportgen.training._engine import DeviceMemoryError, Evaluation
from reportgen.training._memory import memory_errors
from reportgen.training._optimizer import StackedAdamW
from reportgen.training._precision import computing, takes_half
from reportgen.training._stacked_batch import Batch, Examples
from reportgen.training._stacked_dropout import Bits, Kept, Masks, place
from reportgen.training._stacked_model import Model, sites
from reportgen.training._stacked_weights import (
    decays,
    member_weights,
    read_shape,
    stack_weights,
)
from reportgen.training.starts import Started

_TRAIN = "train"
_TOKENS = 8192  # of one batch of an evaluation
_WASTE = 16384  # elements of attention that cost what starting its kernels costs, on a CPU
_NAN = float("nan")


class StackedEngine:
    """S encoders with a classification head, updated together.

    Each has its own start, data order and dropout, so that its numbers do not depend on what it
    is trained with, beyond the rounding of sums.

    Args:
        config: Hugging Face config.json of RoBERTa, CamemBERT, XLM-R or BERT.
        states: For each member its weights under their Hugging Face names, head included; others
            are ignored.
        seeds: For each member the seed of its dropout.
        data: Split to examples; `"train"` must be one.
        plan: Hyperparameters.
        device: `"cpu"`, `"cuda"` or `"mps"`.

    Raises:
        EvidenceError: The model is of another family, weights are missing, or the examples do not
            fit its tables.
    """

    name = "stacked"

    def __init__(  # noqa: PLR0917
        self,
        config: Mapping[str, Any],
        states: Sequence[Mapping[str, Tensor]],
        seeds: Sequence[int],
        data: Mapping[str, Tokenised],
        plan: TrainPlan,
        device: str,
    ) -> None:
        self.device = torch.device(device)
        self.notes: tuple[str, ...] = ()
        self._shape = read_shape(config)
        self._weights = stack_weights(states, self._shape, self.device)
        self._model = Model(self._weights, self._shape)
        self._optimizer = StackedAdamW(self._weights, plan, decays)
        self._bits = Bits(seeds, plan.dropout, self.device)
        self._live = [True] * len(states)
        self._width = self._weights[self._shape.dense + "weight"].shape[-1]
        self._check(data)
        self._data = {split: Examples(part, self.device) for split, part in data.items()}
        self._half = takes_half(self.device, plan)
        # Where starting a kernel is what costs, all examples go into one group.
        self._waste = _WASTE / self._shape.heads if self.device.type == "cpu" else float("inf")

    def train_size(self) -> int:
        """Return the number of training examples."""
        return len(self._data[_TRAIN])

    def step(self, rows: Sequence[Sequence[int]], rate: float, *, chunks: int = 1) -> list[float]:
        """Update every live member once; see `Engine`."""
        before = self._bits.state()
        with memory_errors():
            try:
                losses = self._accumulate(rows, min(chunks, len(rows[0])))
            except Exception:
                self._bits.load_state(before)
                for weight in self._weights.values():
                    weight.grad = None
                raise
        host, wait = self._read(losses)
        self._optimizer.step(rate, self._live)
        wait()  # after the update was sent, so that the device need not wait for the host
        return [
            loss if live else _NAN for loss, live in zip(host.tolist(), self._live, strict=True)
        ]

    def stop(self, member: int) -> None:
        """Leave a member as it is: its weights change no more."""
        self._live[member] = False

    @torch.no_grad()
    def evaluate(self, split: str) -> list[Evaluation]:
        """Evaluate every member on a whole split; longest examples first, many at a time."""
        examples = self._data[split]
        losses = torch.zeros(len(self._live), len(examples), device=self.device)
        right = torch.zeros_like(losses)
        todo = sorted(range(len(examples)), key=lambda i: -len(examples.tokens[i]))
        budget = _TOKENS
        while todo:
            rows = _within(budget, todo, examples)
            try:
                with memory_errors():
                    losses[:, rows], right[:, rows] = self._scores(examples, rows)
            except DeviceMemoryError:
                if len(rows) == 1:
                    raise
                budget = sum(len(examples.tokens[i]) for i in rows) // 2
                continue
            todo = todo[len(rows) :]
        means = losses.double().mean(1).tolist()
        shares = right.double().mean(1).tolist()
        return [
            Evaluation(loss=loss, accuracy=share, examples=len(examples))
            for loss, share in zip(means, shares, strict=True)
        ]

    def state(self) -> dict[str, Tensor]:
        """Return all that a bitwise equal continuation needs; weights are not copied."""
        kinds = {
            "weight": self._weights,
            "mean": self._optimizer.mean,
            "square": self._optimizer.square,
        }
        tensors = {
            f"{kind}/{name}": tensor.detach()
            for kind, of in kinds.items()
            for name, tensor in of.items()
        }
        return tensors | {
            "bits": self._bits.state(),
            "updates": torch.tensor(self._optimizer.updates),
            "live": torch.tensor(self._live),
        }

    @torch.no_grad()
    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue from a state."""
        for name, tensor in self.state().items():
            if "/" in name:
                tensor.copy_(tensors[name])
        self._bits.load_state(tensors["bits"])
        self._optimizer.updates = int(tensors["updates"])
        self._live = [bool(alive) for alive in tensors["live"]]

    def export(self, member: int) -> dict[str, Tensor]:
        """Return copies of one member's weights under their Hugging Face names, on the host."""
        return member_weights(self._weights, self._shape, member)

    def _accumulate(self, rows: Sequence[Sequence[int]], chunks: int) -> Tensor:
        """Add up the gradients of a batch; return the mean loss [S] of each member."""
        data = self._data[_TRAIN]
        kept = self._draw(rows)
        total = len(rows[0])
        size = -(-total // chunks)
        losses = torch.zeros(len(rows), device=self.device)
        for start in range(0, total, size):
            part = [own[start : start + size] for own in rows]
            batch = data.pack(part, self._waste)
            masks = place(kept, batch, start, self._bits.scale) if kept else None
            loss = _losses(self._logits(batch, masks), data.truth(part)).sum(1) / total
            loss.sum().backward()  # type: ignore[no-untyped-call]
            losses += loss.detach()
        return losses

    def _draw(self, rows: Sequence[Sequence[int]]) -> list[Kept]:
        if not self._bits.share:
            return []
        tokens = self._data[_TRAIN].tokens
        where, apart = sites(self._shape, self._width), self.device.type == "cpu"
        return [
            self._bits.keep(s, [len(tokens[i]) for i in own], where, apart=apart)
            for s, own in enumerate(rows)
        ]

    def _scores(self, examples: Examples, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return loss and rightness, [S, examples] each."""
        part = [rows] * len(self._live)
        logits = self._logits(examples.pack(part, self._waste), None)
        truth = examples.truth(part)
        return _losses(logits, truth), (logits.argmax(-1) == truth).float()

    def _logits(self, batch: Batch, masks: Masks | None) -> Tensor:
        with computing(self.device, half=self._half):
            return self._model.logits(batch, masks).float()

    def _read(self, losses: Tensor) -> tuple[Tensor, Callable[[], object]]:
        """Send losses to the host; return them, and what waits until they are there."""
        if self.device.type != "cuda":
            return losses.cpu(), int
        host = losses.to("cpu", non_blocking=True)
        arrived = torch.cuda.Event()  # type: ignore[no-untyped-call]
        arrived.record()
        return host, arrived.synchronize

    def _check(self, data: Mapping[str, Tokenised]) -> None:
        """Refuse examples that the tables do not hold: a device would end the process."""
        prefix = self._shape.prefix + "embeddings."
        vocabulary = self._weights[prefix + "word_embeddings.weight"].shape[1]
        rows = self._weights[prefix + "position_embeddings.weight"].shape[1]
        classes = self._weights[self._shape.out + "bias"].shape[1]
        limits = {
            "tokens in an example": rows - self._shape.first_position,
            "as a token id": vocabulary - 1,
            "as a label": classes - 1,
        }
        for split, part in data.items():
            found = (
                max(map(len, part.ids), default=0),
                max(map(max, part.ids), default=0),
                max(part.labels, default=0),
            )
            for (what, limit), most in zip(limits.items(), found, strict=True):
                if most > limit:
                    raise EvidenceError(
                        f"{split}: {most} {what}, where the model has at most {limit}",
                        remedy="take the tokenizer, max_length and labels of this model",
                    )


def classifier_engine(
    started: Sequence[Started],
    seeds: Sequence[int],
    data: Mapping[str, Tokenised],
    plan: TrainPlan,
    device: str,
) -> StackedEngine:
    """Build the engine of classifiers of one shape; as `module.classifier_engine`.

    Raises:
        EvidenceError: As `StackedEngine`.
    """
    states = [one.state for one in started]
    return StackedEngine(started[0].config, states, seeds, data, plan, device)


def _losses(logits: Tensor, truth: Tensor) -> Tensor:
    """Return the loss [S, B] of every example, in nats."""
    losses = F.cross_entropy(logits.flatten(0, 1), truth.flatten(), reduction="none")
    return losses.view(truth.shape)


def _within(budget: int, todo: Sequence[int], examples: Examples) -> list[int]:
    """Return the first examples that have `budget` tokens together; at least one."""
    rows: list[int] = []
    for i in todo:
        budget -= len(examples.tokens[i])
        if rows and budget < 0:
            break
        rows.append(i)
    return rows
