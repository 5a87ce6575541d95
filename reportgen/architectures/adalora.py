"""AdaLoRA: low-rank updates as U · diag(E) · V, pruned to a budget of ranks in training.

The count is that of the start, where every module has `init_r` ranks. Which ranks are
left at the end depends on the data; a saved `rank_pattern` tells.

Source: Zhang et al. 2023 (arXiv:2303.10512), section 3; peft 0.21
`tuners/adalora/{layer,model}.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reportgen.architectures._lora_keys import OWN_TARGETS
from reportgen.architectures._match import default_targets
from reportgen.architectures._site import (
    INPUTS,
    MODULES,
    OUTPUTS,
    AdapterCount,
    checked,
    find_site,
    module_term,
)
from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Symbol

RANK = Symbol("r", "init", meaning="ranks that every module starts with")
DEFAULT_RANK = 12
# Inherited from LoRA's configuration; what AdaLoRA does with them is not counted.
UNCOUNTED = ("layer_replication", "target_parameters", "trainable_token_indices")


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what an AdaLoRA adapter trains at the start.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: The rank is none, a key outside the formula is set, or the targets
            match nothing.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="ADALORA",
        ...                         values={"init_r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        32
    """
    for key in UNCOUNTED:
        if adapter.values.get(key):
            raise EvidenceError(
                f"{adapter.source.path} sets {key} with AdaLoRA, which is not counted here",
                remedy="count the tensors of the saved adapter",
            )
    rank = checked(adapter.values.get("init_r", DEFAULT_RANK), "init_r", adapter.source.path)
    targets = default_targets(adapter, model_type, OWN_TARGETS["ADALORA"])
    site = find_site(adapter, modules, targets, fits=("linear", "conv1d"))
    formula = MODULES * RANK * (INPUTS + OUTPUTS + 1)
    terms = [
        module_term("lora", key, n, formula, r_init=rank)
        for key, n in site.groups(lambda _: rank).items()
    ]
    # PEFT also keeps the number of ranks of each module as a frozen parameter.
    counted = site.count(terms, frozen=len(site.targeted))
    return replace(counted, notes=(budget(adapter, rank),))


def budget(adapter: AdapterConfig, rank: int) -> str:
    """Say what becomes of the ranks in training."""
    pattern = adapter.values.get("rank_pattern")
    if isinstance(pattern, dict) and pattern:
        kept = sum(sum(map(bool, kept)) for kept in pattern.values() if isinstance(kept, list))
        return (
            f"counted at the start, with {rank} ranks a module; rank_pattern says that {kept} of "
            f"{rank * len(pattern)} ranks are left"
        )
    return (
        f"counted at the start, with {rank} ranks a module; training prunes them to an average of "
        f"target_r = {adapter.values.get('target_r', 8)}, and which are left depends on the data"
    )
