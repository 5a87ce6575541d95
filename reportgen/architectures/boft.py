"""BOFT: block-diagonal rotations of the inputs and a scale for every output.

With one butterfly factor. With more, PEFT uses as many as are asked for only where a CUDA
extension could be built, and one otherwise: no count follows from the configuration.

Source: Liu et al. 2024 (arXiv:2311.06243), section 4; peft 0.21 `tuners/boft/layer.py`,
`update_layer`.
"""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.architectures._lora_keys import DEFAULT_TARGETS
from reportgen.architectures._match import (
    MODULES,
    OUTPUTS,
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

BLOCKS = Symbol("k", meaning="blocks of inputs")
SIZE = Symbol("b", meaning="inputs in a block")
DEFAULT_SIZE = 4


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what a BOFT adapter trains.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: The butterfly factor is not 1, the blocks do not divide the inputs, or the
            targets match nothing.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="BOFT",
        ...                         values={"boft_block_size": 5, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        55
    """
    values, path = adapter.values, adapter.source.path
    blocks = checked(values.get("boft_block_num", 0), "boft_block_num", path, least=0)
    size = checked(values.get("boft_block_size", DEFAULT_SIZE), "boft_block_size", path, least=0)
    if bool(blocks) == bool(size):
        raise EvidenceError(
            f"{path} sets boft_block_num = {blocks} and boft_block_size = {size}: PEFT wants "
            "exactly one of them",
            remedy="set one of them to 0",
        )
    if values.get("boft_n_butterfly_factor", 1) != 1:
        raise EvidenceError(
            f"{path} sets boft_n_butterfly_factor: how many factors are trained depends on whether "
            "PEFT could build its CUDA extension on the machine",
            remedy="count the tensors of the saved adapter",
        )
    site = find_site(adapter, modules, default_targets(adapter, model_type, DEFAULT_TARGETS))
    terms = []
    for key, found in site.groups(lambda _: 0).items():
        if key[1] % (size or blocks):
            raise EvidenceError(
                f"{path}: {size or blocks} does not divide the {key[1]} inputs of {key[0][:80]}, "
                "which PEFT refuses",
                remedy="choose a divisor",
            )
        own = size or key[1] // blocks
        formula = MODULES * (BLOCKS * SIZE**2 + OUTPUTS)
        terms.append(module_term("boft", key, found, formula, k=key[1] // own, b=own))
    return site.count(terms)
