"""What makes a model of transformers quicker on a CPU without another result.

Of a large model layers see the tokens of a batch one after the other, without padding; attention
alone has them side by side. Whether that suits a family is tried, not listed: its output must be
the same. The weights of a small model lie in one tensor, so that an optimizer starts few kernels.
Dropout is drawn with 16 random bits an element, many times as fast as `torch.bernoulli_` there;
p = 0.1 becomes 6554/65536.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

LARGE = 2_000_000
"""Parameters from which less to compute is worth more kernels."""

_DRAWN_FROM = 16_384  # elements, from which drawing bits ourselves pays
_PARTS = 1 << 16
_NAME = "reportgen_packed"
_PACKING = "_reportgen_packing"
_NEAR = 1e-4


def quicken(model: Any) -> bool:
    """Make a model on a CPU quicker, in place; return whether its layers see no padding now."""
    for part in list(model.modules()):
        for name, child in part.named_children():
            if type(child) is nn.Dropout and child.p:
                setattr(part, name, _Dropout(child.p).train(child.training))
    return is_large(model) and pack(model)


def is_large(model: nn.Module) -> bool:
    """Tell whether computing takes longer than starting to compute."""
    return sum(p.numel() for p in model.parameters()) >= LARGE


def in_one(weights: Mapping[str, Tensor]) -> Tensor:
    """Return a tensor of which weights, each with a gradient in every update, are views now."""
    whole = nn.Parameter(torch.cat([weight.detach().flatten() for weight in weights.values()]))
    whole.grad = torch.zeros_like(whole)
    place = 0
    for weight in weights.values():
        own = slice(place, place + weight.numel())
        weight.data = whole.data[own].view(weight.shape)
        weight.grad = whole.grad[own].view(weight.shape)
        place = own.stop
    return whole


def pack(model: Any) -> bool:
    """Let the layers of a model see no padding, if that leaves its output as it was."""
    layers = _layers_of(model)
    before = getattr(model.config, "_attn_implementation", None)
    if layers is None or before is None:
        return False
    mode = model.training
    wanted = _sample(model.eval())
    packing = _Packing()
    try:
        from transformers import AttentionInterface, AttentionMaskInterface
        from transformers.masking_utils import eager_mask

        AttentionInterface.register(_NAME, _attend)
        AttentionMaskInterface.register(_NAME, eager_mask)
        model.set_attn_implementation(_NAME)
        packing.hook(model, layers)
        found = _sample(model)
    except (RuntimeError, ValueError, TypeError, KeyError, IndexError, AttributeError, ImportError):
        found = None
    model.train(mode)
    if found is None or not torch.allclose(found, wanted, atol=_NEAR, rtol=_NEAR):
        packing.unhook()
        model.set_attn_implementation(before)
        return False
    return True


def draw_dropout(x: Tensor, share: float) -> Tensor:
    """Return x with a share of its elements dropped, the others scaled up.

    Draws from the process's generator, as `torch.nn.functional.dropout` does.

    Example:
        >>> kept = draw_dropout(torch.ones(200_000), 0.25)
        >>> sorted(set(kept.tolist())), round((kept == 0).float().mean().item(), 1)
        ([0.0, 1.3333333730697632], 0.2)
    """
    if x.numel() < _DRAWN_FROM or not 0 < share < 1:
        return F.dropout(x, share)
    limit = round(share * _PARTS)
    words = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None)
    bits = words.view(torch.int16)[: x.numel()].view(x.shape)
    kept = (bits >= limit - _PARTS // 2) * (_PARTS / (_PARTS - limit))
    return x * kept.to(x.dtype)


class _Dropout(nn.Module):
    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        return draw_dropout(x, self.p) if self.training else x


class _Packing:
    """Where the tokens of a batch are, while its layers see them one after the other.

    Attributes:
        real: Places of B * T that are no padding; None while nothing is packed.
        back: For every place of B * T the packed token, the first where it is padding.
        shape: B and T.
    """

    def __init__(self) -> None:
        self.real: Tensor | None = None
        self.back = torch.empty(0)
        self.shape = (0, 0)
        self._hooks: list[Any] = []

    def hook(self, model: Any, layers: nn.ModuleList) -> None:
        """Pack before the first layer, unpack behind the last."""
        self._hooks = [
            model.base_model.register_forward_pre_hook(self._look, with_kwargs=True),
            model.base_model.register_forward_hook(self._forget, always_call=True),
            layers[0].register_forward_pre_hook(self._pack_first, with_kwargs=True),
            layers[-1].register_forward_hook(self._unpack),
        ]
        for layer in layers:
            self._hooks.append(layer.register_forward_pre_hook(self._pack_more, with_kwargs=True))
            for part in layer.modules():
                if hasattr(part, "config"):
                    setattr(part, _PACKING, self)  # read by `_attend`

    def unhook(self) -> None:
        """Let the model be as it was."""
        for hook in self._hooks:
            hook.remove()

    def _look(self, _: nn.Module, __: tuple[Any, ...], given: dict[str, Any]) -> None:
        mask = given.get("attention_mask")
        self.real = None
        if mask is None or bool(mask.all()):
            return
        flat = mask.flatten()
        self.shape = (mask.shape[0], mask.shape[1])
        self.real = flat.nonzero().squeeze(1)
        self.back = (flat.cumsum(0) - 1).clamp(min=0)

    def _forget(self, *_: Any) -> None:
        self.real = None

    def _pack_first(
        self, _: nn.Module, given: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if given:
            return (self.in_a_row(given[0]), *given[1:]), named
        return given, {**named, "hidden_states": self.in_a_row(named["hidden_states"])}

    def _pack_more(
        self, _: nn.Module, given: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        rotary = named.get("position_embeddings")
        if self.real is None or not isinstance(rotary, tuple):
            return given, named
        wide = tuple(part.expand(self.shape[0], -1, -1) for part in rotary)
        return given, {**named, "position_embeddings": tuple(map(self.in_a_row, wide))}

    def _unpack(self, _: nn.Module, __: tuple[Any, ...], out: Any) -> Any:
        if self.real is None:
            return out
        hidden = out[0] if isinstance(out, tuple) else out
        whole = self.side_by_side(hidden)
        return (whole, *out[1:]) if isinstance(out, tuple) else whole

    def side_by_side(self, x: Tensor) -> Tensor:
        """Return [1, N, ...] as [B, T, ...]; padding repeats the token before it."""
        whole = x.squeeze(0).index_select(0, self.back)
        return whole.view(*self.shape, *x.shape[2:])

    def in_a_row(self, x: Tensor) -> Tensor:
        """Return [B, T, ...] as [1, N, ...]; as it is while nothing is packed."""
        if self.real is None:
            return x
        return x.flatten(0, 1).index_select(0, self.real).unsqueeze(0)


def _attend(
    module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **given: Any
) -> tuple[Tensor, None]:
    """Return attention [B, T, heads, width], packed where the layers are; as eager attention is."""
    packing: _Packing = getattr(module, _PACKING, None) or _Packing()
    strange = {name for name in ("softcap", "s_aux") if given.get(name) is not None}
    if strange:
        raise ValueError(f"attention with {strange}")
    parts = [query, key, value]
    if packing.real is not None:
        parts = [packing.side_by_side(part.transpose(1, 2)).transpose(1, 2) for part in parts]
    query, key, value = parts
    if key.shape[1] != query.shape[1]:
        key, value = (x.repeat_interleave(query.shape[1] // x.shape[1], 1) for x in (key, value))
    scale = given.get("scaling") or query.shape[-1] ** -0.5
    share = given.get("dropout") or 0.0
    if share:
        scores = torch.matmul(query * scale, key.transpose(2, 3))
        scores = (scores if mask is None else scores + mask).softmax(-1)
        found = torch.matmul(draw_dropout(scores, share), value)
    else:
        found = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=scale)
    found = found.transpose(1, 2)
    return packing.in_a_row(found).contiguous(), None


def _layers_of(model: nn.Module) -> nn.ModuleList | None:
    """Return the layers that a model is made of, None where it has not one list of them."""
    from transformers.modeling_layers import GradientCheckpointingLayer

    found = [
        part
        for part in model.modules()
        if isinstance(part, nn.ModuleList)
        and all(isinstance(layer, GradientCheckpointingLayer) for layer in part)
        and len(part)
    ]
    return found[0] if len(found) == 1 else None


@torch.no_grad()
def _sample(model: Any) -> Tensor:
    """Return what a model makes of made-up texts of several lengths, before its head.

    Lengths reach over the window of what attends to its neighbours alone.
    """
    size = int(model.config.vocab_size)
    longest = min(int(getattr(model.config, "max_position_embeddings", 0) or 160) - 4, 160)
    lengths = [longest, longest // 2, 3]
    pad = model.config.pad_token_id or 0
    ids = torch.full((len(lengths), longest), pad)
    for row, length in enumerate(lengths):
        made = (torch.arange(length) * 7919 + row) % size
        ids[row, :length] = torch.where(made == pad, (pad + 1) % size, made)
    mask = torch.zeros_like(ids)
    for row, length in enumerate(lengths):
        mask[row, :length] = 1
    given: Mapping[str, Tensor] = {"input_ids": ids, "attention_mask": mask}
    hidden: Tensor = model.base_model(**given)[0]
    return hidden[mask.bool()]
