"""OFT: the inputs of a matrix are rotated block by block.

A block of b inputs has b(b − 1)/2 angles. Where the block size does not divide the
inputs, PEFT takes the nearest one that does.

Source: Qiu et al. 2023 (arXiv:2306.07280), section 3; peft 0.21 `tuners/oft/layer.py`,
`update_layer` and `adjust_oft_parameters` (from version 0.15: earlier files differ).
"""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.architectures._on_targets import blocks_or_size, divisors, on_targets
from reportgen.architectures._site import MODULES, Site, module_term
from reportgen.architectures._terms import Module
from reportgen.records.checkpoint import Term
from reportgen.records.formula import Symbol

BLOCKS = Symbol("k", meaning="blocks of inputs, each with a rotation of its own")
SIZE = Symbol("b", meaning="inputs in a block")
DEFAULT_SIZE = 32


@on_targets("linear", "embedding")
def count_adapter(site: Site) -> Iterator[Term]:
    """Count what an OFT adapter trains.

    Units: parameters.

    Raises:
        EvidenceError: Neither or both of `r` and `oft_block_size` are set, or the targets
            match nothing.

    Source: see the module.

    Example:
        >>> from reportgen.architectures._terms import Module
        >>> from reportgen.records.checkpoint import AdapterConfig
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="OFT",
        ...                         values={"oft_block_size": 5, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        20
    """
    blocks, size = blocks_or_size(site, "r", "oft_block_size", DEFAULT_SIZE)
    formula = MODULES * BLOCKS * SIZE * (SIZE - 1) / 2
    for key, found in site.groups(rotated).items():
        inputs = key[3]
        own = nearest_divisor(inputs, size) if size else inputs // nearest_divisor(inputs, blocks)
        rotations = 1 if site.values.get("block_share") else inputs // own
        yield module_term("oft", key, found, formula, k=rotations, b=own)


def rotated(module: Module) -> int:
    """Return the width that is rotated: the inputs of a matrix, the rows' width of a table."""
    return module.out_features if module.kind == "embedding" else module.in_features


def nearest_divisor(size: int, wanted: int) -> int:
    """Return the divisor nearest to the one wanted, the smaller of two equally near.

    Example:
        >>> nearest_divisor(48, 7), nearest_divisor(48, 100)
        (6, 48)
    """
    return min(divisors(size), key=lambda divisor: abs(divisor - wanted))
