"""Prompt tuning: some rows in front of the input embeddings are trained, and nothing else.

Source: Lester et al. 2021 (arXiv:2104.08691), section 2; peft 0.21
`tuners/prompt_tuning/model.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reportgen.architectures._site import AdapterCount, checked, find_site, module_term
from reportgen.architectures._terms import Module
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Symbol

TOKENS = Symbol("v", meaning="virtual tokens in front of each input")
WIDTH = Symbol("d", meaning="width of the input embeddings")


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,  # noqa: ARG001
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what prompt tuning trains.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: Not needed here.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: The number of virtual tokens is none, or the width is not known.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="PROMPT_TUNING",
        ...                         values={"num_virtual_tokens": 3})
        >>> words = Module(name="embed", kind="embedding", in_features=10, out_features=5)
        >>> count_adapter(adapter, [words], "").trainable
        15
    """
    site = find_site(adapter, modules, [], needed=False)
    tokens = checked(adapter.values.get("num_virtual_tokens"), "num_virtual_tokens", site.path, 0)
    # A model with encoder and decoder gets rows in front of both.
    usual = 2 if adapter.values.get("task_type") == "SEQ_2_SEQ_LM" else 1
    halves = checked(
        adapter.values.get("num_transformer_submodules") or usual,
        "num_transformer_submodules",
        site.path,
    )
    term = module_term(
        "prompt_embeddings",
        ("prompt_encoder", 0, 0, 0),
        halves,
        TOKENS * WIDTH,
        v=tokens * halves,
        d=site.width,
    )
    return site.count([replace(term, label="rows in front of the input embeddings")])
