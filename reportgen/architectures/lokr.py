"""LoKr: the Kronecker product of a small matrix and a larger one, each whole or low-rank.

Inputs and outputs are split into two factors, near the square root or `decompose_factor`.
The first matrix is a × b, the second c × e; the second is written as a product of rank r
where r is less than half of its larger side, the first too where `decompose_both` is set.

Source: Yeh et al. 2024 (arXiv:2309.14859), section 3; peft 0.21 `tuners/lokr/layer.py`,
`factorization` and `update_layer`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.architectures._on_targets import divisors, on_targets, rank_of
from reportgen.architectures._site import MODULES, Site, checked, module_term
from reportgen.records.checkpoint import Term
from reportgen.records.formula import Expression, Symbol

RANK = Symbol("r", meaning="rank of the adapter")
A = Symbol("a", meaning="first factor of the outputs")
B = Symbol("b", meaning="first factor of the inputs")
C = Symbol("c", meaning="second factor of the outputs")
E = Symbol("e", meaning="second factor of the inputs")


@on_targets("linear")
def count_adapter(site: Site) -> Iterator[Term]:
    """Count what a LoKr adapter trains.

    Units: parameters.

    Raises:
        EvidenceError: The rank is none, or the targets match nothing that LoKr can adapt.

    Source: see the module.

    Example:
        >>> from reportgen.architectures._terms import Module
        >>> from reportgen.records.checkpoint import AdapterConfig
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LOKR",
        ...                         values={"r": 1, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=16, out_features=16)
        >>> count_adapter(adapter, [q], "").trainable
        24
    """
    stated = site.values.get("decompose_factor", -1)
    near = checked(stated, "decompose_factor", site.path, least=-1)
    both = bool(site.values.get("decompose_both"))
    for key, n in site.groups(rank_of(site)).items():
        yield group_term(key, n, near, both=both)


def group_term(key: tuple[str, int, int, int], modules: int, near: int, *, both: bool) -> Term:
    """Return the term of all adapted modules of one pattern and shape."""
    rank = key[3]
    (b, e), (a, c) = factors(key[1], near), factors(key[2], near)
    first: Expression = RANK * (A + B) if both and 2 * rank < max(a, b) else A * B
    second: Expression = RANK * (C + E) if 2 * rank < max(c, e) else C * E
    return module_term("lokr", key, modules, MODULES * (first + second), r=rank, a=a, b=b, c=c, e=e)


def factors(size: int, near: int = -1) -> tuple[int, int]:
    """Split a size into two factors, the smaller first.

    Args:
        size: Number to split.
        near: Factor asked for; -1 asks for the square root.

    Example:
        >>> factors(128), factors(127), factors(128, 4)
        ((8, 16), (1, 127), (4, 32))
    """
    if near > 0 and size % near == 0:
        return near, size // near
    most = size if near == -1 else near
    small, large = 1, size
    for divisor in divisors(size)[1:]:
        if small >= large or divisor > most or divisor + size // divisor > small + large:
            break
        small, large = divisor, size // divisor
    return min(small, large), max(small, large)
