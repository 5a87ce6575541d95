"""torch's global generators, lent to one member at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor


class Randomness:
    """The states of the generators that dropout draws from, for each member its own.

    The modules of transformers draw from the generators of the process. What a member draws does
    then not depend on what it is trained with.

    Args:
        seeds: One a member.
        device: Whose generator counts besides the CPU's.

    Attributes:
        states: For each member generator to state; tensors in it are never changed in place.
    """

    def __init__(self, seeds: Sequence[int], device: torch.device) -> None:
        self._device = device
        kinds = dict.fromkeys(("cpu", device.type))
        self.states: list[dict[str, Tensor]] = [
            {kind: torch.Generator(kind).manual_seed(seed).get_state() for kind in kinds}
            for seed in seeds
        ]

    @contextmanager
    def of(self, member: int) -> Iterator[None]:
        """Let a member draw; the process's own generators are as before afterwards."""
        before = self._read()
        self._write(self.states[member])
        try:
            yield
            self.states[member] = self._read()
        finally:
            self._write(before)

    def _read(self) -> dict[str, Tensor]:
        states = {"cpu": torch.get_rng_state()}
        if self._device.type == "cuda":
            states["cuda"] = torch.cuda.get_rng_state(self._device)
        if self._device.type == "mps":
            states["mps"] = torch.mps.get_rng_state()
        return states

    def _write(self, states: dict[str, Tensor]) -> None:
        torch.set_rng_state(states["cpu"])
        if self._device.type == "cuda":
            torch.cuda.set_rng_state(states["cuda"], self._device)
        if self._device.type == "mps":
            torch.mps.set_rng_state(states["mps"])
