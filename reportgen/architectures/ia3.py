"""(IA)³: one vector of scales for each adapted matrix.

The vector scales the outputs of a matrix, or the inputs where the matrix is named among
`feedforward_modules`.

Source: Liu et al. 2022 (arXiv:2205.05638), section 3.3; peft 0.21
`tuners/ia3/{layer,model}.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.architectures._lora_keys import IA3_FEEDFORWARD, OWN_TARGETS
from reportgen.architectures._match import compile_safely, default_targets, names_of
from reportgen.architectures._site import (
    INPUTS,
    MODULES,
    OUTPUTS,
    AdapterCount,
    find_site,
    module_term,
)
from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, TensorSpec


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what an (IA)³ adapter trains.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: No default exists for a key that is null, or the targets match nothing.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="IA3",
        ...                         values={"target_modules": ["q"], "feedforward_modules": []})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        5
    """
    targets = default_targets(adapter, model_type, OWN_TARGETS["IA3"])
    inner = adapter.values.get("feedforward_modules")
    if inner is None:
        if model_type not in IA3_FEEDFORWARD:
            raise EvidenceError(
                f"feedforward_modules in {adapter.source.path} is null, and PEFT has no default "
                f"for model type {model_type[:80]!r}",
                remedy="name the feed-forward modules",
            )
        inner = list(IA3_FEEDFORWARD[model_type])
    site = find_site(adapter, modules, targets, fits=("linear", "conv1d"))
    terms = [
        module_term("ia3", key, n, MODULES * (INPUTS if key[3] else OUTPUTS))
        for key, n in site.groups(lambda module: is_inner(module.name, inner)).items()
    ]
    return site.count(terms)


def is_inner(name: str, inner: object) -> bool:
    """Return whether a module's inputs are scaled; PEFT compares with `endswith` and no dot."""
    if isinstance(inner, str):
        return compile_safely(inner, "feedforward_modules").fullmatch(name) is not None
    return name.endswith(names_of(inner)) if names_of(inner) else False
