"""The models of a job's members, whether each has its own or several share a frozen base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor, nn


class Models(Protocol):
    """S models."""

    def select(self, member: int) -> nn.Module:
        """Return the model of a member, ready to compute; another's is not until selected."""
        ...

    def weights(self, member: int) -> dict[str, nn.Parameter]:
        """Return what is trained, by name."""
        ...

    def export(self, member: int) -> dict[str, Tensor]:
        """Return copies on the host under the names a published checkpoint has."""
        ...


class Separate:
    """Every member has a transformers model of its own and trains every weight."""

    def __init__(self, modules: Sequence[nn.Module]) -> None:
        self._modules = modules

    def select(self, member: int) -> nn.Module:
        """Return the model of a member."""
        return self._modules[member]

    def weights(self, member: int) -> dict[str, nn.Parameter]:
        """Return what is trained, by name."""
        return trained(self._modules[member])

    def export(self, member: int) -> dict[str, Tensor]:
        """Return the state dict; of weights that are tied, the first name alone."""
        seen: set[int] = set()
        found: dict[str, Tensor] = {}
        for name, tensor in self._modules[member].state_dict().items():
            if tensor.numel() and tensor.data_ptr() in seen:
                continue
            seen.add(tensor.data_ptr())
            found[name] = tensor.detach().to("cpu", copy=True).contiguous()
        return found


def trained(module: nn.Module) -> dict[str, nn.Parameter]:
    """Return the parameters that are not frozen, by name; tied ones once."""
    return {name: p for name, p in module.named_parameters() if p.requires_grad}


def spared(module: nn.Module) -> frozenset[str]:
    """Return the names of biases and of the weights of normalisations, which do not decay."""
    found = set()
    for prefix, part in module.named_modules():
        # Families bring normalisations of their own; all have the word in their class's name.
        norm = "norm" in type(part).__name__.lower()
        for name, _ in part.named_parameters(recurse=False):
            if norm or name.endswith("bias"):
                found.add(f"{prefix}.{name}" if prefix else name)
    return frozenset(found)
