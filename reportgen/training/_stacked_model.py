"""Encoders with a classification head, S of them at once: every weight is stacked [S, ...].

The computation is that of `RobertaForSequenceClassification` and `BertForSequenceClassification` of
transformers. Of the last layer only the first token of an example reaches the head, so only that
is computed there; the other tokens' gradient is 0 in any case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from reportgen.training._stacked_attention import How, attend, drop
from reportgen.training._stacked_batch import Batch
from reportgen.training._stacked_dropout import Masks, Sites
from reportgen.training._stacked_weights import Shape

_ATTENDED, _FED = 0, 1  # the two sites of a layer
_EMBEDDED = 0  # the site of the embeddings, before those of the layers


def sites(shape: Shape, width: int) -> Sites:
    """Return where the model drops."""
    return Sites(
        tokens=1 + 2 * (shape.layers - 1),
        examples=2 + 1 + int(shape.drop_before_dense),
        layers=shape.layers - 1,
        heads=shape.heads,
        width=width,
    )


class Model:
    """The forward pass.

    Args:
        weights: Name to tensor [S, ...], from `stack_weights`.
        shape: How they are put together.
    """

    def __init__(self, weights: Mapping[str, Tensor], shape: Shape) -> None:
        self.weights = weights
        self.shape = shape

    def logits(self, batch: Batch, masks: Masks | None) -> Tensor:
        """Return [S, B, classes].

        Args:
            batch: The examples.
            masks: What dropout keeps; None keeps all.
        """
        x = self._embed(batch, masks)
        for layer in range(self.shape.layers - 1):
            x = self._layer(x, layer, batch, masks)
        x = self._last_layer(x, batch, masks)
        return self._head(x, masks)

    def _embed(self, batch: Batch, masks: Masks | None) -> Tensor:
        prefix = self.shape.prefix + "embeddings."
        x = self._rows(prefix + "word_embeddings.weight", batch.ids)
        positions = batch.positions + self.shape.first_position
        x = x + self._rows(prefix + "position_embeddings.weight", positions)
        x = x + self.weights[prefix + "token_type_embeddings.weight"][:, :1]
        x = self._norm(x, prefix + "LayerNorm.")
        return x if masks is None else drop(x, masks.tokens[_EMBEDDED], masks.scale)

    def _layer(self, x: Tensor, layer: int, batch: Batch, masks: Masks | None) -> Tensor:
        prefix = f"{self.shape.prefix}encoder.layer.{layer}."
        query = self._linear(x, prefix + "attention.self.query.")
        pair = self._linear(x, prefix + "attention.self.pair.")
        inner = None if masks is None else [mask[layer] for mask in masks.inner]
        y = self._attend(query, pair, batch, inner, masks)
        site = 1 + 2 * layer
        kept = None if masks is None else masks.tokens[site : site + 2]
        return self._feed(x, y, prefix, kept, masks)

    def _last_layer(self, x: Tensor, batch: Batch, masks: Masks | None) -> Tensor:
        prefix = f"{self.shape.prefix}encoder.layer.{self.shape.layers - 1}."
        members, _, width = x.shape
        own = x.flatten(0, 1).index_select(0, batch.starts).view(members, -1, width)
        query = self._linear(own, prefix + "attention.self.query.")
        pair = self._linear(x, prefix + "attention.self.pair.")
        last = None if masks is None else masks.last
        y = self._attend(query, pair, batch, last, masks, first=True)
        kept = None if masks is None else masks.examples[:2]
        return self._feed(own, y, prefix, kept, masks)

    def _attend(
        self,
        query: Tensor,
        pair: Tensor,
        batch: Batch,
        kept: Sequence[Tensor] | None,
        masks: Masks | None,
        *,
        first: bool = False,
    ) -> Tensor:
        how = How(
            groups=batch.groups,
            kept=[None] * len(batch.groups) if kept is None else kept,
            scale=1.0 if masks is None else masks.scale,
            heads=self.shape.heads,
            first=first,
        )
        return attend(query.flatten(0, 1), pair.flatten(0, 1), how).view_as(query)

    def _feed(
        self, x: Tensor, y: Tensor, prefix: str, kept: Tensor | None, masks: Masks | None
    ) -> Tensor:
        """Return what a layer makes of its input x and of its attention y."""
        y = self._linear(y, prefix + "attention.output.dense.")
        if masks is not None and kept is not None:
            y = drop(y, kept[_ATTENDED], masks.scale)
        x = self._norm(y + x, prefix + "attention.output.LayerNorm.")
        y = self._linear(x, prefix + "intermediate.dense.")
        y = self._linear(F.gelu(y, approximate=self.shape.gelu), prefix + "output.dense.")
        if masks is not None and kept is not None:
            y = drop(y, kept[_FED], masks.scale)
        return self._norm(y + x, prefix + "output.LayerNorm.")

    def _head(self, x: Tensor, masks: Masks | None) -> Tensor:
        if masks is not None and self.shape.drop_before_dense:
            x = drop(x, masks.examples[2], masks.scale)
        x = torch.tanh(self._linear(x, self.shape.dense))
        if masks is not None:
            x = drop(x, masks.examples[-1], masks.scale)
        return self._linear(x, self.shape.out)

    def _linear(self, x: Tensor, name: str) -> Tensor:
        weight, bias = self.weights[name + "weight"], self.weights[name + "bias"]
        if len(weight) == 1:
            return F.linear(x, weight.squeeze(0), bias.squeeze(0))
        return torch.baddbmm(bias.unsqueeze(1), x, weight.mT)

    def _norm(self, x: Tensor, name: str) -> Tensor:
        weight, bias = self.weights[name + "weight"], self.weights[name + "bias"]
        wide = x.shape[-1:]
        if len(weight) == 1:
            return F.layer_norm(x, wide, weight.squeeze(0), bias.squeeze(0), self.shape.epsilon)
        plain = F.layer_norm(x, wide, eps=self.shape.epsilon)
        return torch.addcmul(bias.unsqueeze(1), plain, weight.unsqueeze(1))

    def _rows(self, name: str, places: Tensor) -> Tensor:
        table = self.weights[name]
        if len(table) == 1:
            return F.embedding(places, table.squeeze(0))
        first = torch.arange(len(table), device=table.device).unsqueeze(1) * table.shape[1]
        return F.embedding(places + first, table.flatten(0, 1))
