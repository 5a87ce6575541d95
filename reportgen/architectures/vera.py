"""VeRA: two vectors for each adapted matrix; the thin matrices are random, shared and frozen.

Source: Kopiczko et al. 2024 (arXiv:2310.11454), section 3.2; peft 0.21
`tuners/vera/layer.py`, `update_layer`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.architectures._on_targets import on_targets
from reportgen.architectures._site import MODULES, OUTPUTS, Site, checked, module_term
from reportgen.records.checkpoint import Term
from reportgen.records.formula import Symbol

RANK = Symbol("r", meaning="rank of the shared random matrices")
DEFAULT_RANK = 256


@on_targets("linear", "conv1d")
def count_adapter(site: Site) -> Iterator[Term]:
    """Count what a VeRA adapter trains: r scales and d_out scales a matrix.

    Units: parameters.

    Raises:
        EvidenceError: The rank is none, or the targets match nothing that VeRA can adapt.

    Source: see the module.

    Example:
        >>> from reportgen.architectures._terms import Module
        >>> from reportgen.records.checkpoint import AdapterConfig
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="VERA",
        ...                         values={"r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        7
    """
    rank = checked(site.values.get("r", DEFAULT_RANK), "r", site.path)
    formula = MODULES * (RANK + OUTPUTS)
    for key, n in site.groups(lambda _: rank).items():
        yield module_term("vera", key, n, formula, r=rank)
