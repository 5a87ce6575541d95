"""LayerNorm tuning: the norms are copied and trained whole; nothing else is.

Source: Zhao et al. 2024 (arXiv:2312.11420); peft 0.21 `tuners/ln_tuning/layer.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.architectures._lora_keys import OWN_TARGETS
from reportgen.architectures._match import default_targets
from reportgen.architectures._site import (
    INPUTS,
    MODULES,
    OUTPUTS,
    AdapterCount,
    find_site,
    module_term,
)
from reportgen.architectures._terms import Module
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Expression

FITS = ("norm", "linear", "conv1d", "embedding")


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what LayerNorm tuning trains: every number of the modules it names.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: There are no default targets for the model type, or they match nothing.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LN_TUNING",
        ...                         values={"target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="norm", in_features=0, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        5
    """
    targets = default_targets(adapter, model_type, OWN_TARGETS["LN_TUNING"])
    site = find_site(adapter, modules, targets, fits=FITS)
    terms = []
    for key, found in site.groups(lambda module: module.bias).items():
        size: Expression = INPUTS * OUTPUTS if key[1] else OUTPUTS
        formula = MODULES * (size + OUTPUTS if key[3] else size)
        terms.append(module_term("ln_tuning_layers", key, found, formula))
    return site.count(terms)
