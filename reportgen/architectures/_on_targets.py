"""What the kinds of adapters share that sit on `target_modules` and count from the site alone.

LoHa, LoKr, VeRA, OFT and BOFT differ in the terms of one adapted matrix. Where they sit is
found the same way, and their keys are read alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from reportgen.architectures._lora_keys import DEFAULT_RANK, DEFAULT_TARGETS, OWN_TARGETS
from reportgen.architectures._match import default_targets, pattern_value
from reportgen.architectures._site import AdapterCount, Site, checked, find_site
from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, TensorSpec, Term

Counter = Callable[..., AdapterCount]


def on_targets(*fits: str) -> Callable[[Callable[[Site], Iterable[Term]]], Counter]:
    """Make the count of an adapter out of the terms that it has on a site.

    The function that comes out takes a configuration, the leaf modules of the base model (the
    head of its task included) and the base's `model_type`, for default targets. It accepts the
    saved tensors, as every kind of adapter must, and does not need them.

    Args:
        fits: Kinds of modules that this kind of adapter can sit on.
    """

    def decorate(write: Callable[[Site], Iterable[Term]]) -> Counter:
        def count(
            adapter: AdapterConfig,
            modules: Iterable[Module],
            model_type: str,
            tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
        ) -> AdapterCount:
            own = OWN_TARGETS.get(adapter.peft_type, {})
            targets = default_targets(adapter, model_type, {**DEFAULT_TARGETS, **own})
            site = find_site(adapter, modules, targets, fits=fits)
            return site.count(write(site))

        # Not functools.wraps: the signature is the one above, not that of the terms.
        count.__doc__, count.__module__ = write.__doc__, write.__module__
        count.__name__, count.__qualname__ = write.__name__, write.__qualname__
        return count

    return decorate


def rank_of(site: Site) -> Callable[[Module], int]:
    """Return the rank of a module: what `rank_pattern` says of it, or `r`."""

    def rank(module: Module) -> int:
        own = pattern_value(site.values.get("rank_pattern"), module.name)
        stated = own if own is not None else site.values.get("r", DEFAULT_RANK)
        return checked(stated, "r", site.path)

    return rank


def blocks_or_size(site: Site, blocks_key: str, size_key: str, usual: int) -> tuple[int, int]:
    """Return the number of blocks and the size of one, of which exactly one is not 0.

    Args:
        site: Where the adapter sits.
        blocks_key: Key of the number of blocks.
        size_key: Key of their size.
        usual: Size where the key is absent.

    Raises:
        EvidenceError: Neither or both are set.
    """
    blocks = checked(site.values.get(blocks_key, 0), blocks_key, site.path, least=0)
    size = checked(site.values.get(size_key, usual), size_key, site.path, least=0)
    if bool(blocks) == bool(size):
        raise EvidenceError(
            f"{site.path} sets {blocks_key} = {blocks} and {size_key} = {size}: PEFT wants "
            "exactly one of them",
            remedy="set one of them to 0",
        )
    return blocks, size


def divisors(size: int) -> list[int]:
    """Return the divisors of a size in order, in a time that grows with its root alone.

    Example:
        >>> divisors(12)
        [1, 2, 3, 4, 6, 12]
    """
    small = [number for number in range(1, math.isqrt(size) + 1) if size % number == 0]
    return sorted({*small, *(size // number for number in small)})
