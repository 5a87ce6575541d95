"""What the training loop asks of an engine, whatever the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from torch import Tensor


class DeviceMemoryError(RuntimeError):
    """The device has no memory for a batch of this size; fewer examples at once may fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One split, evaluated once.

    Attributes:
        loss: Mean over examples (over answer tokens for a language model), in nats.
        accuracy: Share of right labels (of right answer tokens), 0 to 1.
        examples: How many.
    """

    loss: float
    accuracy: float
    examples: int


class Engine(Protocol):
    """S fine-tunes of one shape, updated together; member s is number s of the job.

    Attributes:
        name: `"stacked"` or `"module"`.
        notes: What a reader of the results must know (a device that is not deterministic).
    """

    name: str
    notes: tuple[str, ...]

    def train_size(self) -> int:
        """Return the number of training examples."""
        ...

    def step(self, rows: Sequence[Sequence[int]], rate: float, *, chunks: int = 1) -> list[float]:
        """Update every live member once.

        Args:
            rows: For each member the indices of its training examples, in order.
            rate: Learning rate of this update.
            chunks: Parts in which the batch is computed, gradients added up.

        Returns:
            Mean loss of each member's batch in nats; NaN for a member that was stopped.

        Raises:
            DeviceMemoryError: Nothing was changed; more chunks may fit.
        """
        ...

    def stop(self, member: int) -> None:
        """Leave a member as it is: its weights change no more."""
        ...

    def evaluate(self, split: str) -> list[Evaluation]:
        """Evaluate every member on a whole split, without dropout."""
        ...

    def state(self) -> dict[str, Tensor]:
        """Return all that a bitwise equal continuation needs: weights, moments, generators.

        The tensors are the engine's own, not copies: the next step changes them.
        """
        ...

    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue from a state."""
        ...

    def export(self, member: int) -> dict[str, Tensor]:
        """Return copies, on the host, of one member's weights, named as they are published."""
        ...
