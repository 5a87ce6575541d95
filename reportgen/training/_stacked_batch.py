"""The batches of a stack: tokens of many examples in a row, and how attention finds its own.

Linear layers, norms and dropout see the tokens of a member's examples one after the other, without
padding. Attention alone needs examples side by side; it is computed in groups of similar length,
so that on a CPU little is computed for padding, and in a single group where starting a kernel costs
more than what it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from reportgen.training._data import Tokenised

Places = Tensor | slice
"""Places along an axis: indices, or a slice where they follow each other (which copies nothing)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Examples of one member that lie side by side in a group.

    Attributes:
        slot: Place of the first in the group.
        member: Number of the member.
        example: Number of the first in the member's batch.
        count: How many.
    """

    slot: int
    member: int
    example: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Examples whose attention is computed together, R of them, each padded to T tokens.

    Attributes:
        size: R.
        length: T.
        spans: Where its examples come from.
        take: Token [R * T] of every place; padding repeats the first token of its own example, so
            that a member whose numbers are no longer finite touches no other.
        source: Tokens that are no padding, in the order of `places`.
        places: Places of R * T that are no padding; None when there is none.
        padding: True [R, 1, T] where a place is padding; None when there is none.
        bias: Added to scores of attention, [R, 1, T]: minus infinity where a place is padding.
        examples: Number [R] of every example among all of all members.
    """

    size: int
    length: int
    spans: tuple[Span, ...]
    take: Places
    source: Places
    places: Tensor | None
    padding: Tensor | None
    bias: Tensor | None
    examples: Places

    def gather(self, x: Tensor, *, first: bool) -> Tensor:
        """Return the rows of x for this group, [R, T, w], or [R, 1, w] of one row an example."""
        places = self.examples if first else self.take
        rows = x[places] if isinstance(places, slice) else x.index_select(0, places)
        return rows.view(self.size, 1 if first else self.length, x.shape[-1])

    def put(self, out: Tensor, rows: Tensor, *, first: bool) -> None:
        """Write rows [R * T, w] (or [R, w]) to where `gather` found them, without padding."""
        places = self.examples if first else self.source
        if not first and self.places is not None:
            rows = rows.index_select(0, self.places)
        if isinstance(places, slice):
            out[places] = rows
        else:
            out.index_copy_(0, places, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """B examples of each of S members.

    Attributes:
        ids: Token ids [S, N], N the tokens of the member that has most; others are filled up.
        positions: Place [S, N] of every token in its example, from 0.
        starts: First token [S * B] of every example among all S * N.
        counts: Tokens of each member.
        lengths: Tokens of each example of each member.
        groups: For attention; every example is in one of them.
    """

    ids: Tensor
    positions: Tensor
    starts: Tensor
    counts: tuple[int, ...]
    lengths: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]


class Examples:
    """One split in the memory of the host and of the device."""

    def __init__(self, data: Tokenised, device: torch.device) -> None:
        self.tokens = [np.asarray(ids, dtype=np.int64) for ids in data.ids]
        self.labels = torch.tensor(data.labels, dtype=torch.int64, device=device)
        self.pad = data.pad
        self.device = device

    def __len__(self) -> int:
        return len(self.tokens)

    def truth(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return the labels of examples `rows[s]` of every member s."""
        return self.labels[torch.tensor(rows, device=self.device)]

    def pack(self, rows: Sequence[Sequence[int]], waste: float) -> Batch:
        """Return examples `rows[s]` of every member s, the same number of each.

        Args:
            rows: Indices of examples.
            waste: Places of attention (T * T) that may be spent on padding to put one more example
                into a group; infinity puts all into one.
        """
        lengths = tuple(tuple(len(self.tokens[i]) for i in member) for member in rows)
        counts = tuple(sum(member) for member in lengths)
        width = max(counts)
        ids = np.full((len(rows), width), self.pad, dtype=np.int64)
        positions = np.zeros_like(ids)
        starts = np.zeros((len(rows), len(rows[0])), dtype=np.int64)
        for s, member in enumerate(rows):
            ids[s, : counts[s]] = np.concatenate([self.tokens[i] for i in member])
            positions[s, : counts[s]] = np.concatenate([np.arange(n) for n in lengths[s]])
            starts[s, 1:] = np.cumsum(lengths[s])[:-1]
            starts[s] += s * width
        ship = _Ship(self.device)
        flat = [n for member in lengths for n in member]
        groups = tuple(
            _group(slots, flat, starts.ravel(), len(rows[0]), ship)
            for slots in _similar(flat, waste)
        )
        return Batch(
            ids=ship(ids),
            positions=ship(positions),
            starts=ship(starts.ravel()),
            counts=counts,
            lengths=lengths,
            groups=groups,
        )


class _Ship:
    """Brings indices to the device; there is nothing to bring on a CPU."""

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def __call__(self, array: np.ndarray) -> Tensor:
        tensor = torch.from_numpy(array)
        if self.device.type == "cuda":
            # A copy from memory that is not pinned waits for all that was sent before.
            return tensor.pin_memory().to(self.device, non_blocking=True)
        return tensor.to(self.device)


def _similar(lengths: Sequence[int], waste: float) -> list[list[int]]:
    """Part examples into groups of similar length; longest first."""
    if waste == float("inf"):
        return [list(range(len(lengths)))]
    groups: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if groups and lengths[groups[-1][0]] ** 2 - lengths[i] ** 2 <= waste:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def _group(
    slots: list[int], lengths: Sequence[int], starts: np.ndarray, examples: int, ship: _Ship
) -> Group:
    own = np.array([lengths[i] for i in slots])
    length = int(own.max())
    if len(slots) == 1:
        start = int(starts[slots[0]])
        tokens: Places = slice(start, start + length)
        example: Places = slice(slots[0], slots[0] + 1)
        return Group(
            size=1,
            length=length,
            spans=_spans(slots, examples),
            take=tokens,
            source=tokens,
            places=None,
            padding=None,
            bias=None,
            examples=example,
        )
    across = np.arange(length)
    real = across < own[:, None]
    take = starts[slots][:, None] + np.where(real, across, 0)
    padded = not real.all()
    bias = np.where(real, np.float32(0), np.float32("-inf"))
    return Group(
        size=len(slots),
        length=length,
        spans=_spans(slots, examples),
        take=ship(take.ravel()),
        source=ship(take[real]),
        places=ship(np.flatnonzero(real)) if padded else None,
        padding=ship(~real[:, None, :]) if padded else None,
        bias=ship(bias[:, None, :]) if padded else None,
        examples=ship(np.array(slots)),
    )


def _spans(slots: list[int], examples: int) -> tuple[Span, ...]:
    spans: list[Span] = []
    for slot, i in enumerate(slots):
        member, example = divmod(i, examples)
        last = spans[-1] if spans else None
        if last and (last.member, last.example + last.count) == (member, example):
            spans[-1] = Span(
                slot=last.slot, member=member, example=last.example, count=last.count + 1
            )
        else:
            spans.append(Span(slot=slot, member=member, example=example, count=1))
    return tuple(spans)
