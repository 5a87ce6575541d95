"""VeRA: two vectors for each adapted matrix; the thin matrices are random, shared and frozen.

Source: Kopiczko et al. 2024 (arXiv:2310.11454), section 3.2; peft 0.21
`tuners/vera/layer.py`, `update_layer`.
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
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Symbol

RANK = Symbol("r", meaning="rank of the shared random matrices")
DEFAULT_RANK = 256


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what a VeRA adapter trains: r scales and d_out scales a matrix.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: The rank is none, or the targets match nothing that VeRA can adapt.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="VERA",
        ...                         values={"r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        7
    """
    rank = checked(adapter.values.get("r", DEFAULT_RANK), "r", adapter.source.path)
    targets = default_targets(adapter, model_type, DEFAULT_TARGETS)
    site = find_site(adapter, modules, targets, fits=("linear", "conv1d"))
    formula = MODULES * (RANK + OUTPUTS)
    groups = site.groups(lambda _: rank)
    return site.count(module_term("vera", key, n, formula, r=rank) for key, n in groups.items())
