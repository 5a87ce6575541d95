"""LoHa: the elementwise product of two low-rank products.

Every adapted matrix gets four thin ones: twice r × d_in and d_out × r.

Source: Hyeon-Woo et al. 2022 (arXiv:2108.06098), proposition 2; peft 0.21
`tuners/loha/layer.py`, `create_adapter_parameters`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.architectures._on_targets import on_targets, rank_of
from reportgen.architectures._site import INPUTS, MODULES, OUTPUTS, Site, module_term
from reportgen.records.checkpoint import Term
from reportgen.records.formula import Symbol

RANK = Symbol("r", meaning="rank of the adapter")


@on_targets("linear")
def count_adapter(site: Site) -> Iterator[Term]:
    """Count what a LoHa adapter trains.

    Units: parameters.

    Raises:
        EvidenceError: The rank is none, or the targets match nothing that LoHa can adapt.

    Source: see the module.

    Example:
        >>> from reportgen.architectures._terms import Module
        >>> from reportgen.records.checkpoint import AdapterConfig
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LOHA",
        ...                         values={"r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        60
    """
    formula = 2 * MODULES * RANK * (INPUTS + OUTPUTS)
    for key, n in site.groups(rank_of(site)).items():
        yield module_term("hada", key, n, formula, r=key[3])
