"""Dropout of a stack: every member draws its own bits, whoever it is trained with.

A member draws once a step, in the order and shape of its own batch alone, and what is drawn is then
placed into the stack. On a CPU the generator is numpy's SFC64, and 16 bits decide an element: that
is some ten times as fast as `torch.bernoulli_` there, and p = 0.1 becomes 6554/65536. There the
factor of what is kept is drawn along, as torch multiplies floats by booleans in two passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from reportgen.training._stacked_batch import Batch, Group

_PARTS = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """Where a model drops, and how wide it is there.

    Attributes:
        tokens: Sites that see every token.
        examples: Sites that see one vector an example.
        layers: Layers whose attention asks for every token; the last asks for the first only.
        heads: Heads of attention.
        width: Elements of a hidden vector.
    """

    tokens: int
    examples: int
    layers: int
    heads: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What one member keeps in one step: booleans, or on a CPU factors, 0 where it is dropped.

    Attributes:
        tokens: [sites, N, width].
        examples: [sites, B, width].
        inner: Parts of the batch, each [layers, b, heads, t, t].
        last: The same parts in the last layer, each [b, heads, 1, t].
        size: Examples b of a part.
        lengths: Tokens of every example.
    """

    tokens: Tensor
    examples: Tensor
    inner: tuple[Tensor, ...]
    last: tuple[Tensor, ...]
    size: int
    lengths: tuple[int, ...]


class Bits:
    """The generators of all members.

    Args:
        seeds: One for each member.
        share: Probability that an element is dropped.
        device: Where the bits are wanted.
    """

    def __init__(self, seeds: Sequence[int], share: float, device: torch.device) -> None:
        self.device = device
        self.share = round(share * _PARTS) / _PARTS if device.type == "cpu" else share
        self.scale = 1 / (1 - self.share) if self.share < 1 else 0.0
        self._arrays = [np.random.Generator(np.random.SFC64(seed)) for seed in seeds]
        self._tensors = [
            torch.Generator(device).manual_seed(seed) for seed in seeds if device.type != "cpu"
        ]

    def draw(self, member: int, count: int) -> Tensor:
        """Return `count` booleans of one member, True is kept; on a CPU factors in their place."""
        if self._tensors:
            flat = torch.empty(count, dtype=torch.bool, device=self.device)
            return flat.bernoulli_(1 - self.share, generator=self._tensors[member])
        words = self._arrays[member].integers(0, 1 << 64, -(-count // 4), dtype=np.uint64)
        kept = words.view(np.uint16)[:count] >= round(self.share * _PARTS)
        return torch.from_numpy(np.multiply(kept, np.float32(self.scale), dtype=np.float32))

    def state(self) -> Tensor:
        """Return the state of all generators, a row for each member."""
        if self._tensors:
            return torch.stack([generator.get_state() for generator in self._tensors])
        rows = [
            cast("dict[str, Any]", generator.bit_generator.state)["state"]["state"]
            for generator in self._arrays
        ]
        return torch.from_numpy(np.stack(rows).view(np.int64).copy())

    def load_state(self, rows: Tensor) -> None:
        """Continue from a state."""
        for generator, row in zip(self._tensors, rows, strict=False):
            generator.set_state(row.cpu())
        for numbers, row in zip(self._arrays, rows, strict=True):
            if not self._tensors:
                state = cast("dict[str, Any]", numbers.bit_generator.state)
                words = row.cpu().numpy().view(np.uint64).copy()
                numbers.bit_generator.state = state | {"state": {"state": words}}

    def keep(
        self, member: int, lengths: Sequence[int], sites: Sites, *, apart: bool = True
    ) -> Kept:
        """Draw all that one member needs for one step.

        Args:
            member: Its number.
            lengths: Tokens of each of its examples.
            sites: Where the model drops.
            apart: True draws attention's bits for each example as long as it is, the fewest
                bits; False for all of them as long as the longest, the fewest copies.
        """
        size = 1 if apart else len(lengths)
        longest = list(lengths) if apart else [max(lengths)]
        shapes: list[tuple[int, ...]] = [(sites.tokens, sum(lengths), sites.width)]
        shapes += [(sites.examples, len(lengths), sites.width)]
        shapes += [(sites.layers, size, sites.heads, t, t) for t in longest]
        shapes += [(size, sites.heads, 1, t) for t in longest]
        counts = [int(np.prod(shape)) for shape in shapes]
        flat = torch.split(self.draw(member, sum(counts)), counts)
        parts = [x.view(shape) for x, shape in zip(flat, shapes, strict=True)]
        middle = 2 + len(longest)
        return Kept(
            tokens=parts[0],
            examples=parts[1],
            inner=tuple(parts[2:middle]),
            last=tuple(parts[middle:]),
            size=size,
            lengths=tuple(lengths),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Masks:
    """What a stack keeps in one batch, or in a part of it.

    Attributes:
        tokens: [sites, S, N, width].
        examples: [sites, S, B, width].
        inner: For each group [layers, R * heads, T, T].
        last: For each group [R * heads, 1, T].
        scale: Factor of what is kept, where the rest are booleans.
    """

    tokens: Tensor
    examples: Tensor
    inner: tuple[Tensor, ...]
    last: tuple[Tensor, ...]
    scale: float


def place(kept: Sequence[Kept], batch: Batch, first: int, scale: float) -> Masks:
    """Place the bits of all members into the shapes of a batch.

    Args:
        kept: Bits of each member for its whole batch.
        batch: The batch, or consecutive examples of it.
        first: Number of its first example in the whole batch.
        scale: Factor of what is kept.
    """
    last = first + len(batch.lengths[0])
    return Masks(
        tokens=_tokens(kept, batch, first),
        examples=torch.stack([k.examples[:, first:last] for k in kept], dim=1),
        inner=tuple(_inner(kept, group, first) for group in batch.groups),
        last=tuple(_last(kept, group, first) for group in batch.groups),
        scale=scale,
    )


def _tokens(kept: Sequence[Kept], batch: Batch, first: int) -> Tensor:
    starts = [sum(k.lengths[:first]) for k in kept]
    parts = [
        k.tokens[:, start : start + count]
        for k, start, count in zip(kept, starts, batch.counts, strict=True)
    ]
    if len(parts) == 1:
        return parts[0].unsqueeze(1)
    sites, _, width = parts[0].shape
    out = parts[0].new_zeros(sites, len(parts), batch.ids.shape[1], width)
    for s, part in enumerate(parts):
        out[:, s, : part.shape[1]] = part
    return out


def _inner(kept: Sequence[Kept], group: Group, first: int) -> Tensor:
    t = group.length
    parts = list(_parts(kept, group, first))
    layers, _, heads, *_ = kept[0].inner[0].shape
    if len(parts) == 1 and parts[0][2].shape[-1] == t:
        return parts[0][2].reshape(layers, group.size * heads, t, t)
    out = parts[0][2].new_zeros(layers, group.size, heads, t, t)
    for slot, count, part, _ in parts:
        n = min(t, part.shape[-1])
        out[:, slot : slot + count, :, :n, :n] = part[..., :n, :n]
    return out.view(layers, group.size * heads, t, t)


def _last(kept: Sequence[Kept], group: Group, first: int) -> Tensor:
    t = group.length
    parts = list(_parts(kept, group, first))
    heads = kept[0].last[0].shape[1]
    if len(parts) == 1 and parts[0][3].shape[-1] == t:
        return parts[0][3].reshape(group.size * heads, 1, t)
    out = parts[0][3].new_zeros(group.size, heads, 1, t)
    for slot, count, _, part in parts:
        n = min(t, part.shape[-1])
        out[slot : slot + count, :, :, :n] = part[..., :n]
    return out.view(group.size * heads, 1, t)


def _parts(
    kept: Sequence[Kept], group: Group, first: int
) -> Iterator[tuple[int, int, Tensor, Tensor]]:
    """Yield slot, number of examples, and the bits of inner layers and of the last."""
    for span in group.spans:
        k, start = kept[span.member], first + span.example
        if k.size == 1:
            for i in range(span.count):
                yield span.slot + i, 1, k.inner[start + i], k.last[start + i]
        else:
            own = slice(start, start + span.count)
            yield span.slot, span.count, k.inner[0][:, own], k.last[0][own]
