"""How many parameters an adapter trains, from its configuration and its base's shapes."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.parameters.adapters._lora import (
    lora_site,
    parameter_terms,
    token_terms,
    trained_rows,
)
from reportgen.parameters.adapters._matching import targets_of
from reportgen.parameters.adapters._prompts import prompt_term
from reportgen.parameters.adapters._site import AdapterCount, Site, adapter_term, find_site
from reportgen.parameters.adapters._sizes import sizes_of
from reportgen.parameters.adapters._table import KINDS, PROMPTS
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import Term
from reportgen.records.errors import EvidenceError
from reportgen.records.record import replace
from reportgen.records.tensor import AdapterConfig, TensorSpec


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),
) -> AdapterCount:
    """Count what an adapter trains on a base model.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: The base's stored tensors, for `target_parameters` outside its modules.

    Units: parameters.

    Raises:
        EvidenceError: The kind has no formula, or the configuration cannot be counted: an
            illegal size, a key outside the formulas, no targets and no default for this model
            type, targets that match nothing, or something that PEFT itself refuses.

    Source: the modules beside this one name the papers and PEFT's code for each kind.

    Example:
        >>> from reportgen.records.source import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LORA",
        ...                         values={"r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        30
    """
    modules, kind = tuple(modules), adapter.peft_type
    if kind not in KINDS:
        raise EvidenceError(no_formula(kind), remedy="count the tensors of the saved adapter")
    refuse_uncounted(adapter)
    if kind == "LORA":
        site, parameters = lora_site(adapter, modules, model_type, tensors)
        terms = [*module_terms(site), *parameter_terms(site, parameters)]
        return site.count([*terms, *token_terms(site)])
    if kind == "TRAINABLE_TOKENS":
        return trained_rows(adapter, modules, model_type)
    targets = [] if kind in PROMPTS else targets_of(adapter, model_type)
    site = find_site(adapter, modules, model_type, targets, needed=kind not in PROMPTS)
    if kind in PROMPTS:
        return site.count([prompt_term(site, kind)])
    counted = site.count([*module_terms(site), *shared_terms(site)])
    if kind != "ADALORA":
        return counted
    # PEFT also keeps the number of ranks of each module as a frozen parameter.
    return replace(counted, frozen=len(site.targeted), notes=(budget(site),))


def no_formula(kind: str) -> str:
    """Say that a kind of adapter is not counted."""
    return f"no formula is known for adapters of the kind {kind or '(none)'}"


def refuse_uncounted(adapter: AdapterConfig) -> None:
    """Refuse a key that changes what is trained in a way that no formula describes."""
    for key in KINDS[adapter.peft_type].uncounted:
        if adapter.values.get(key):
            raise EvidenceError(
                f"{adapter.source.path} sets {key}, which changes what is trained in a way that "
                "is not counted here",
                remedy="count the tensors of the saved adapter",
            )


def module_terms(site: Site) -> list[Term]:
    """Return one term for all modules of one name, shape and formula."""
    kind, found = site.kind, []
    if set(kind.formulas) == {"shared"}:
        return []

    def own(module: Module) -> tuple[str, tuple[tuple[str, int], ...]]:
        name, sizes = sizes_of(site, kind.name, module)
        return name, tuple(sizes.items())

    for (pattern, inputs, outputs, (name, sizes)), n in site.groups(own).items():
        values, place = dict(sizes), (pattern, inputs, outputs)
        term = adapter_term(kind.tensors, place, n, kind.formula(name), **values)
        if kind.name == "LORA":
            short = pattern.rsplit(".", 1)[-1]
            term = replace(term, label=f"adapters on {short}, rank {values['r']}")
        found.append(term)
    return found


def shared_terms(site: Site) -> list[Term]:
    """Return the term of what all adapted modules of a kind share."""
    row = site.kind
    if "shared" not in row.formulas:
        return []
    return [
        Term(
            name=f"{row.tensors}.shared",
            label=f"{row.tensors}, shared by all modules",
            role="adapter",
            formula=row.formula("shared"),
            values={name: site.size(size.key, size.default) for name, size in row.sizes.items()},
        )
    ]


def budget(site: Site) -> str:
    """Say what becomes of AdaLoRA's ranks in training."""
    rank, pattern = site.size("init_r", 12), site.values.get("rank_pattern")
    start = f"counted at the start, with {rank} ranks a module; "
    if isinstance(pattern, dict) and pattern:
        kept = sum(sum(map(bool, kept)) for kept in pattern.values() if isinstance(kept, list))
        return f"{start}rank_pattern says that {kept} of {rank * len(pattern)} ranks are left"
    return (
        f"{start}training prunes them to an average of target_r = "
        f"{site.values.get('target_r', 8)}, and which are left depends on the data"
    )
