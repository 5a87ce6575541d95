"""LoRA: how many parameters an adapter trains, from its configuration and the base's shapes.

Every adapted matrix of `d_in` inputs and `d_out` outputs gets two matrices of rank r,
r × d_in and d_out × r. DoRA adds a magnitude of d_out numbers, `lora_bias` a bias of d_out.
A parameter with one matrix an expert gets such a pair for every expert.

Source: Hu et al. 2021 (arXiv:2106.09685), section 4.1; Liu et al. 2024
(arXiv:2402.09353), section 4 (DoRA); peft 0.21 `tuners/lora/{config,layer,model}.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from reportgen.architectures._lora_keys import DEFAULT_ALPHA, DEFAULT_RANK, DEFAULT_TARGETS
from reportgen.architectures._match import (
    branches,
    default_targets,
    ends_with,
    names_of,
    pattern_value,
)
from reportgen.architectures._site import (
    INPUTS,
    MODULES,
    OUTPUTS,
    AdapterCount,
    Site,
    find_site,
    module_term,
    template,
)
from reportgen.architectures._terms import Module, tensors_of
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, TensorSpec, Term
from reportgen.records.formula import Expression, Symbol

RANK = Symbol("r", meaning="rank of the adapter")
EXPERTS = Symbol("E", meaning="experts, each with a matrix of its own")

FITS = ("linear", "conv1d", "embedding", "conv")
MOST_LAYERS = 10_000
LARGEST_SCALE = 1e300
PAIR = 2
# Sizes of a parameter that holds one matrix for every expert.
STACKED = 3
# The lists of layers that PEFT can replicate.
LAYER_LIST = re.compile(r"((?:model\.)*layers|(?:bert\.)?encoder\.layer|h)\.(\d{1,9})\.(.+)")

# Keys that change what is trained in ways that no formula here describes.
UNCOUNTED = (
    "use_qalora",
    "use_bdlora",
    "megatron_config",
    "monteclora_config",
    "kasa_config",
    "velora_config",
    "arrow_config",
)


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),
) -> AdapterCount:
    """Count what a LoRA adapter trains on a base model.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: The base's stored tensors, for `target_parameters` outside its modules.

    Units: parameters.

    Raises:
        EvidenceError: The configuration cannot be counted: an illegal rank, a key outside
            the formulas, no targets and no default for this model type, targets that
            match nothing, or something that PEFT itself refuses.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LORA",
        ...                         values={"r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        30
    """
    modules = tuple(modules)
    refuse_uncounted(adapter)
    sources: Mapping[str, str] = {}
    if adapter.values.get("layer_replication"):
        modules, sources = replicate_layers(modules, adapter.values["layer_replication"])
    parameters = select_parameters(adapter, modules, tensors)
    tied = tied_names(adapter.values, modules)
    site = find_site(
        adapter,
        modules,
        targets_of(adapter, model_type, tied),
        fits=FITS,
        sources=sources,
        needed=not parameters,
    )
    refuse_combinations(site)
    groups = site.groups(lambda module: rank_of(adapter, module.name))
    extra = sum(bool(adapter.values.get(key)) for key in ("use_dora", "lora_bias"))
    terms = [group_term(key, found, extra) for key, found in groups.items()]
    terms += [parameter_term(adapter, parameter) for parameter in parameters]
    if tied:
        # The copies of tied modules stay tied: the word embeddings alone are a copy.
        site = replace(site, saved=tuple(m for m in site.saved if not m.tied))
    return site.count([*terms, *token_terms(site)])


def targets_of(adapter: AdapterConfig, model_type: str, tied: tuple[str, ...] = ()) -> object:
    """Return `target_modules`, or PEFT's default for the model type where it is null.

    Raises:
        EvidenceError: There is no default for this model type.
    """
    values = adapter.values
    unset = values.get("target_modules") is None and model_type not in DEFAULT_TARGETS
    if unset and values.get("target_parameters"):
        return []
    targets = default_targets(adapter, model_type, DEFAULT_TARGETS)
    if tied and any(name in names_of(targets) for name in ("embed_tokens", "lm_head")):
        return [*names_of(targets), *tied]
    return targets


def tied_names(values: Mapping[str, object], modules: Iterable[Module]) -> tuple[str, ...]:
    """Return the word embeddings and what is tied to them, where the adapter keeps them tied."""
    tied = [m.name for m in modules if m.tied and m.kind != "embedding"]
    table = next((m.name for m in modules if m.kind == "embedding"), "")
    return (table, *tied) if tied and values.get("ensure_weight_tying") else ()


def rank_of(adapter: AdapterConfig, name: str = "") -> int:
    """Return the rank of one module: `rank_pattern` first, then `r`, then PEFT's 8.

    Raises:
        EvidenceError: The rank is no whole number of at least 1.
    """
    own = pattern_value(adapter.values.get("rank_pattern"), name) if name else None
    rank = own if own is not None else adapter.values.get("r", DEFAULT_RANK)
    if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank < 2**20:
        raise EvidenceError(
            f"the rank in {adapter.source.path} is {str(rank)[:40]!r}, not a whole number of at "
            "least 1",
            remedy="set r to a whole number",
        )
    return rank


def refuse_uncounted(adapter: AdapterConfig) -> None:
    """Refuse a configuration that trains what the formulas here do not describe.

    Raises:
        EvidenceError: Naming the key.
    """
    values = adapter.values
    for key in UNCOUNTED:
        if values.get(key):
            raise EvidenceError(
                f"{adapter.source.path} sets {key}, which changes what is trained in a way that "
                "is not counted here",
                remedy="count the tensors of the saved adapter",
            )
    if values.get("init_lora_weights") == "eva" and not values.get("rank_pattern"):
        raise EvidenceError(
            f"{adapter.source.path} starts with EVA, which shares the ranks out among the modules "
            "by what the training examples do",
            remedy="count the tensors of the saved adapter",
        )


def refuse_combinations(site: Site) -> None:
    """Refuse what PEFT refuses: a bias with DoRA, or on an embedding."""
    if not site.values.get("lora_bias"):
        return
    table = any(module.kind == "embedding" for module in site.targeted)
    if table or site.values.get("use_dora"):
        other = "on an embedding" if table else "together with use_dora"
        raise EvidenceError(
            f"{site.path} sets lora_bias {other}, which PEFT refuses",
            remedy="take lora_bias out",
        )


def group_term(key: tuple[str, int, int, int], modules: int, extra: int) -> Term:
    """Return the term of all adapted modules of one kind."""
    rank = key[3]
    formula: Expression = MODULES * RANK * (INPUTS + OUTPUTS)
    if extra:
        formula = formula + MODULES * OUTPUTS
    term = module_term("lora", key, modules, formula, r=rank)
    short = key[0].rsplit(".", 1)[-1]
    return replace(term, label=f"adapters on {short}, rank {rank}")


def select_parameters(
    adapter: AdapterConfig, modules: Iterable[Module], tensors: Iterable[TensorSpec]
) -> list[TensorSpec]:
    """Return the parameters that `target_parameters` names.

    Raises:
        EvidenceError: One is no matrix, or PEFT refuses the combination of keys.
    """
    values = adapter.values
    names = names_of(values.get("target_parameters"))
    if not names:
        return []
    stored = {t.name: t for t in (*tensors_of(modules), *tensors)}
    found = [t for t in stored.values() if any(ends_with(t.name, name) for name in names)]
    for key in ("lora_dropout", "fan_in_fan_out", "lora_bias", "use_dora"):
        if found and values.get(key):
            raise EvidenceError(
                f"{adapter.source.path} sets {key} with target_parameters, which PEFT refuses",
                remedy=f"take {key} out",
            )
    odd = next((t.name for t in found if len(t.shape) not in {2, STACKED}), "")
    if odd:
        raise EvidenceError(
            f"target_parameters in {adapter.source.path} match {odd[:80]}, which is no matrix; "
            "PEFT refuses it",
            remedy="name matrices only",
        )
    return found


def parameter_term(adapter: AdapterConfig, parameter: TensorSpec) -> Term:
    """Return the term of one parameter adapted directly, one pair of matrices an expert."""
    experts = parameter.shape[0] if len(parameter.shape) == STACKED else 1
    outputs, inputs = parameter.shape[-2:]
    rank = rank_of(adapter, parameter.name)
    key = (parameter.name, inputs, outputs, rank)
    formula = MODULES * EXPERTS * RANK * (INPUTS + OUTPUTS)
    term = module_term("lora", key, 1, formula, r=rank, E=experts)
    return replace(term, label=f"adapters on {template(parameter.name)}, rank {rank}")


def token_terms(site: Site) -> list[Term]:
    """Return the terms of single rows of embeddings that are trained.

    Raises:
        EvidenceError: A name reaches no embedding.
    """
    rows = site.values.get("trainable_token_indices")
    table = next((m for m in site.modules if m.kind == "embedding"), None)
    if rows is None or table is None:
        return []
    named = rows if isinstance(rows, Mapping) else {table.name: rows}
    found: dict[str, tuple[Module, list[object]]] = {}
    for name, indices in named.items():
        matched = [m for m in site.modules if m.name.endswith(str(name))]
        parents = {branch for m in site.modules for branch in branches(m.name)[:-1]}
        if (
            not matched
            or not isinstance(indices, list)
            or any(parent.endswith(str(name)) for parent in parents)
        ):
            raise EvidenceError(
                f"trainable_token_indices in {site.path} names {str(name)[:80]}, which is no "
                "embedding of the base model",
                remedy="name the embedding, or list the tokens alone",
            )
        found |= {module.name: (module, indices) for module in matched}
    own = found.get(table.name, (table, None))[1]
    return [
        token_term(module, len(indices))
        for module, indices in found.values()
        if not (module.tied and indices == own)
    ]


def token_term(module: Module, rows: int) -> Term:
    """Return the term of some rows of one embedding."""
    width = module.out_features if module.kind == "embedding" else module.in_features
    return Term(
        name=f"tokens.{module.name}",
        label=f"rows of {module.name} that are trained",
        role="embedding",
        formula=MODULES * OUTPUTS,
        values={MODULES.key: rows, OUTPUTS.key: width},
    )


def scaling_of(values: Mapping[str, object]) -> tuple[float, float, bool] | None:
    """Return (alpha, rank, rsLoRA), or None where one of them is no number."""
    alpha, rank = values.get("lora_alpha", DEFAULT_ALPHA), values.get("r", DEFAULT_RANK)
    for number in (alpha, rank):
        if isinstance(number, bool) or not isinstance(number, int | float):
            return None
        if not 0 < number < LARGEST_SCALE:
            return None
    return alpha, rank, bool(values.get("use_rslora"))  # type: ignore[return-value]


def replicate_layers(
    modules: Iterable[Module], ranges: object
) -> tuple[tuple[Module, ...], dict[str, str]]:
    """Stack layers as `layer_replication` asks, weights shared with the layers copied.

    Args:
        modules: Leaf modules of the base model.
        ranges: Pairs of first layer and the layer behind the last.

    Returns:
        The modules under their new names, and each new name with the module it shares
        its weights with.

    Raises:
        EvidenceError: PEFT does not find the layers of this model, a pair is none, or a
            layer is not there.

    Example:
        >>> q = [Module(name=f"layers.{n}.q", kind="linear", in_features=2, out_features=2)
        ...      for n in range(2)]
        >>> [m.name for m in replicate_layers(q, [[0, 2], [1, 2]])[0]]
        ['layers.0.q', 'layers.1.q', 'layers.2.q']
    """
    before: list[Module] = []
    after: list[Module] = []
    layers: dict[int, list[tuple[str, Module]]] = {}
    stem = ""
    for module in modules:
        found = LAYER_LIST.fullmatch(module.name)
        if found:
            stem = found[1]
            layers.setdefault(int(found[2]), []).append((found[3], module))
        else:
            (after if layers else before).append(module)
    if not layers:
        raise EvidenceError(
            "layer_replication: PEFT finds the layers of LLaMA, BERT and Falcon only",
            remedy="take layer_replication out",
        )
    stacked: list[Module] = []
    sources = {module.name: module.name for module in (*before, *after)}
    for place, layer in enumerate(layer_numbers(ranges, len(layers))):
        for rest, module in layers[layer]:
            name = f"{stem}.{place}.{rest}"
            stacked.append(replace(module, name=name))
            sources[name] = module.name
    return (*before, *stacked, *after), sources


def layer_numbers(ranges: object, layers: int) -> list[int]:
    """Return the layers that the pairs of `layer_replication` list, in order."""
    numbers: list[int] = []
    for pair in ranges if isinstance(ranges, list | tuple) else [None]:
        first, last = pair if isinstance(pair, list | tuple) and len(pair) == PAIR else (-1, -1)
        if type(first) is not int or type(last) is not int or not 0 <= first <= last <= layers:
            raise EvidenceError(
                f"layer_replication has {str(pair)[:40]}, which is no range of the {layers} layers",
                remedy="give pairs of first layer and the layer behind the last",
            )
        numbers += range(first, last)
        if len(numbers) > MOST_LAYERS:
            raise EvidenceError(
                "layer_replication stacks too many layers to count",
                remedy="count the tensors of the saved adapter",
            )
    return numbers
