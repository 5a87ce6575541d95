"""Attention with bits of dropout that are given, and its gradient.

`torch.nn.functional.scaled_dot_product_attention` draws its bits itself, from one generator for
all; written out, each member's bits come from its own. One function with its own gradient serves
all groups of a batch: autograd would fill a zeroed copy of every input for each group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from reportgen.training._stacked_batch import Group


def _drop(x: Tensor, kept: Tensor, scale: float) -> Tensor:
    """Drop, forwards or backwards, in one pass."""
    if kept.is_floating_point():
        return x * kept
    return cast("Tensor", torch.ops.aten.native_dropout_backward(x, kept, scale))


class _Dropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, kept: Tensor, scale: float) -> Tensor:
        ctx.save_for_backward(kept)
        ctx.scale = scale
        return _drop(x, kept, scale)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        (kept,) = ctx.saved_tensors
        return _drop(grads[0], kept, ctx.scale), None, None


def drop(x: Tensor, kept: Tensor | None, scale: float) -> Tensor:
    """Return x where `kept`, times `scale`, and 0 elsewhere; x itself where all is kept.

    Args:
        x: Of the shape of `kept`.
        kept: Booleans, or factors that stand for both.
        scale: Factor of what is kept, where those are booleans.
    """
    return x if kept is None else cast("Tensor", _Dropout.apply(x, kept, scale))  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How attention is computed.

    Attributes:
        groups: Of the batch.
        kept: For each group [R * heads, rows of query, T], as `drop` takes it; None keeps all.
        scale: Factor of what is kept, where those are booleans.
        heads: Heads.
        first: True when the query holds one row an example, that of its first token.
    """

    groups: Sequence[Group]
    kept: Sequence[Tensor | None]
    scale: float
    heads: int
    first: bool


def attend(query: Tensor, pair: Tensor, how: How) -> Tensor:
    """Return attention's output in the rows of `query`.

    Args:
        query: [M, d].
        pair: Keys and values of every token, [N, 2 * d].
        how: The rest.
    """
    if not torch.is_grad_enabled():
        return _evaluated(query, pair, how)
    return cast("Tensor", _Attention.apply(query, pair, how))  # type: ignore[no-untyped-call]


def _fold(rows: Tensor, heads: int, parts: int = 1) -> Tensor:
    """Return [R, T, parts * d] as [parts, R * heads, T, d / heads]."""
    size, length, width = rows.shape
    split = rows.view(size, length, parts, heads, width // parts // heads)
    return split.permute(2, 0, 3, 1, 4).reshape(parts, size * heads, length, -1)


def _unfold(rows: Tensor, heads: int) -> Tensor:
    """Return [parts, R * heads, T, d / heads] as [R * T, parts * d]."""
    parts, both, length, width = rows.shape
    split = rows.view(parts, both // heads, heads, length, width)
    return split.permute(1, 3, 0, 2, 4).reshape(-1, parts * heads * width)


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, pair: Tensor, how: How) -> Tensor:
        out = torch.zeros_like(query)
        saved = []
        for group, bits in zip(how.groups, how.kept, strict=True):
            q = _fold(group.gather(query, first=how.first), how.heads)[0]
            k, v = _fold(group.gather(pair, first=False), how.heads, 2)
            scores = _product(q, k.mT, q.shape[-1] ** -0.5)
            if group.bias is not None:
                split = scores.view(group.size, how.heads, *scores.shape[1:])
                split.add_(group.bias.unsqueeze(1))
            share = scores.softmax(-1).to(query.dtype)
            dropped = share if bits is None else _drop(share, bits, how.scale)
            group.put(out, _unfold(torch.bmm(dropped, v).unsqueeze(0), how.heads), first=how.first)
            saved += [q, k, v, share]
        ctx.save_for_backward(*saved)
        ctx.how = how
        ctx.shapes = query.shape, pair.shape
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        how: How = ctx.how
        saved = ctx.saved_tensors
        to_query, to_pair = (grads[0].new_zeros(shape) for shape in ctx.shapes)
        for i, (group, bits) in enumerate(zip(how.groups, how.kept, strict=True)):
            grad = group.gather(grads[0], first=how.first)
            if group.padding is not None and not how.first:
                grad = grad.masked_fill(group.padding.mT, 0.0)
            dq, dk, dv = _gradients(
                _fold(grad, how.heads)[0], saved[4 * i : 4 * i + 4], bits, how.scale
            )
            group.put(to_query, _unfold(dq.unsqueeze(0), how.heads), first=how.first)
            group.put(to_pair, _unfold(torch.stack((dk, dv)), how.heads), first=False)
        return to_query, to_pair, None


def _gradients(
    grad: Tensor, saved: Sequence[Tensor], bits: Tensor | None, scale: float
) -> tuple[Tensor, Tensor, Tensor]:
    q, k, v, share = saved
    dropped = share if bits is None else _drop(share, bits, scale)
    dv = torch.bmm(dropped.mT, grad)
    dshare = torch.bmm(grad, v.mT)
    if bits is not None:
        dshare = _drop(dshare, bits, scale)
    dscores = torch._softmax_backward_data(dshare, share, -1, share.dtype)  # noqa: SLF001
    root = q.shape[-1] ** -0.5
    return _product(dscores, k, root), _product(dscores.mT, q, root), dv


def _product(a: Tensor, b: Tensor, factor: float) -> Tensor:
    """Return factor * a @ b, [G, i, j] by [G, j, k], in one pass."""
    out = torch.empty(a.shape[0], a.shape[1], b.shape[2], dtype=a.dtype, device=a.device)
    return torch.baddbmm(out, a, b, beta=0, alpha=factor)


def _evaluated(query: Tensor, pair: Tensor, how: How) -> Tensor:
    """Attention without dropout and gradient, by the fused kernel."""
    out = torch.zeros_like(query)
    for group in how.groups:
        q = _fold(group.gather(query, first=how.first), how.heads)[0]
        k, v = _fold(group.gather(pair, first=False), how.heads, 2)
        q, k, v = (x.view(group.size, how.heads, -1, x.shape[-1]) for x in (q, k, v))
        bias = None if group.bias is None else group.bias.unsqueeze(1).to(q.dtype)
        rows = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        rows = rows.reshape(1, -1, *rows.shape[2:])
        group.put(out, _unfold(rows, how.heads), first=how.first)
    return out
