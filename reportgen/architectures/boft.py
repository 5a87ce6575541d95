"""BOFT: block-diagonal rotations of the inputs and a scale for every output.

With one butterfly factor. With more, PEFT uses as many as are asked for only where a CUDA
extension could be built, and one otherwise: no count follows from the configuration.

Source: Liu et al. 2024 (arXiv:2311.06243), section 4; peft 0.21 `tuners/boft/layer.py`,
`update_layer`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.architectures._on_targets import blocks_or_size, on_targets
from reportgen.architectures._site import MODULES, OUTPUTS, Site, module_term
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import Term
from reportgen.records.formula import Symbol

BLOCKS = Symbol("k", meaning="blocks of inputs")
SIZE = Symbol("b", meaning="inputs in a block")
DEFAULT_SIZE = 4


@on_targets("linear")
def count_adapter(site: Site) -> Iterator[Term]:
    """Count what a BOFT adapter trains.

    Units: parameters.

    Raises:
        EvidenceError: The butterfly factor is not 1, the blocks do not divide the inputs, or the
            targets match nothing.

    Source: see the module.

    Example:
        >>> from reportgen.architectures._terms import Module
        >>> from reportgen.records.checkpoint import AdapterConfig
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="BOFT",
        ...                         values={"boft_block_size": 5, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        55
    """
    blocks, size = blocks_or_size(site, "boft_block_num", "boft_block_size", DEFAULT_SIZE)
    if site.values.get("boft_n_butterfly_factor", 1) != 1:
        raise EvidenceError(
            f"{site.path} sets boft_n_butterfly_factor: how many factors are trained depends on "
            "whether PEFT could build its CUDA extension on the machine",
            remedy="count the tensors of the saved adapter",
        )
    formula = MODULES * (BLOCKS * SIZE**2 + OUTPUTS)
    for key, found in site.groups(lambda _: 0).items():
        if key[1] % (size or blocks):
            raise EvidenceError(
                f"{site.path}: {size or blocks} does not divide the {key[1]} inputs of "
                f"{key[0][:80]}, which PEFT refuses",
                remedy="choose a divisor",
            )
        own = size or key[1] // blocks
        yield module_term("boft", key, found, formula, k=key[1] // own, b=own)
