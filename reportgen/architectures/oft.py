"""OFT: the inputs of a matrix are rotated block by block.

A block of b inputs has b(b − 1)/2 angles. Where the block size does not divide the
inputs, PEFT takes the nearest one that does.

Source: Qiu et al. 2023 (arXiv:2306.07280), section 3; peft 0.21 `tuners/oft/layer.py`,
`update_layer` and `adjust_oft_parameters` (from version 0.15: earlier files differ).
"""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.architectures._lora_keys import DEFAULT_TARGETS
from reportgen.architectures._match import (
    MODULES,
    AdapterCount,
    checked,
    default_targets,
    find_site,
    module_term,
)
from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Symbol

BLOCKS = Symbol("k", meaning="blocks of inputs, each with a rotation of its own")
SIZE = Symbol("b", meaning="inputs in a block")
DEFAULT_SIZE = 32


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what an OFT adapter trains.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: Neither or both of `r` and `oft_block_size` are set, or the targets
            match nothing.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="OFT",
        ...                         values={"oft_block_size": 5, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        20
    """
    values, path = adapter.values, adapter.source.path
    blocks = checked(values.get("r", 0), "r", path, least=0)
    size = checked(values.get("oft_block_size", DEFAULT_SIZE), "oft_block_size", path, least=0)
    if bool(blocks) == bool(size):
        raise EvidenceError(
            f"{path} sets r = {blocks} and oft_block_size = {size}: PEFT wants exactly one of them",
            remedy="set one of them to 0",
        )
    site = find_site(
        adapter,
        modules,
        default_targets(adapter, model_type, DEFAULT_TARGETS),
        fits=("linear", "embedding"),
    )
    terms = []
    for key, found in site.groups(lambda _: 0).items():
        inputs = key[1]
        own = nearest_divisor(inputs, size) if size else inputs // nearest_divisor(inputs, blocks)
        rotations = 1 if values.get("block_share") else inputs // own
        formula = MODULES * BLOCKS * SIZE * (SIZE - 1) / 2
        terms.append(module_term("oft", key, found, formula, k=rotations, b=own))
    return site.count(terms)


def nearest_divisor(size: int, wanted: int) -> int:
    """Return the divisor nearest to the one wanted, the smaller of two equally near.

    Example:
        >>> nearest_divisor(48, 7), nearest_divisor(48, 100)
        (6, 48)
    """
    if wanted >= size:
        return size
    higher = next(n for n in range(wanted, size + 1) if size % n == 0)
    lower = next(n for n in range(wanted, 0, -1) if size % n == 0)
    return lower if wanted - lower <= higher - wanted else higher
