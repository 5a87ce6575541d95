"""LoHa: the elementwise product of two low-rank products.

Every adapted matrix gets four thin ones: twice r × d_in and d_out × r.

Source: Hyeon-Woo et al. 2022 (arXiv:2108.06098), proposition 2; peft 0.21
`tuners/loha/layer.py`, `create_adapter_parameters`.
"""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.architectures._lora_keys import DEFAULT_RANK, DEFAULT_TARGETS
from reportgen.architectures._match import (
    INPUTS,
    MODULES,
    OUTPUTS,
    AdapterCount,
    checked,
    default_targets,
    find_site,
    module_term,
    pattern_value,
)
from reportgen.architectures._terms import Module
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Symbol

RANK = Symbol("r", meaning="rank of the adapter")


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what a LoHa adapter trains.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: The rank is none, or the targets match nothing that LoHa can adapt.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LOHA",
        ...                         values={"r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        60
    """
    values, path = adapter.values, adapter.source.path

    def rank(module: Module) -> int:
        own = pattern_value(values.get("rank_pattern"), module.name)
        return checked(own if own is not None else values.get("r", DEFAULT_RANK), "r", path)

    site = find_site(adapter, modules, default_targets(adapter, model_type, DEFAULT_TARGETS))
    formula = 2 * MODULES * RANK * (INPUTS + OUTPUTS)
    groups = site.groups(rank)
    return site.count(module_term("hada", key, n, formula, r=key[3]) for key, n in groups.items())
