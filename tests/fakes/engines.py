"""Engines that train, and whether two of them are the same to the bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from reportgen.training._engine import Engine


def train(
    engine: Engine, steps: Sequence[list[list[int]]], *, rate: float = 1e-3, chunks: int = 1
) -> list[list[float]]:
    """Update an engine once for each batch; return the losses of each."""
    return [engine.step(rows, rate, chunks=chunks) for rows in steps]


def assert_same_bits(one: Mapping[str, torch.Tensor], other: Mapping[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, tensor in one.items():
        torch.testing.assert_close(tensor, other[name], rtol=0, atol=0, equal_nan=True)
