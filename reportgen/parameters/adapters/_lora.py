"""What only LoRA can do: keep ties, adapt bare parameters, train single rows, replicate layers.

Every adapted matrix of `d_in` inputs and `d_out` outputs gets two matrices of rank r,
r × d_in and d_out × r; a parameter with one matrix an expert gets such a pair for every expert.

Source: Hu et al. 2021 (arXiv:2106.09685), section 4.1; Liu et al. 2024
(arXiv:2402.09353), section 4 (DoRA); peft 0.21 `tuners/lora/{config,layer,model}.py` and
`tuners/trainable_tokens/model.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from reportgen.parameters.adapters._matching import (
    branches,
    is_named,
    names_of,
    refuse_many,
    targets_of,
)
from reportgen.parameters.adapters._site import (
    MODULES,
    OUTPUTS,
    AdapterCount,
    Site,
    adapter_term,
    find_site,
    template,
)
from reportgen.parameters.adapters._sizes import read_size
from reportgen.parameters.adapters._table import DEFAULT_ALPHA, DEFAULT_RANK, DEFAULT_TARGETS
from reportgen.parameters.modules import Module, tensors_of
from reportgen.records.checkpoint import Term
from reportgen.records.errors import EvidenceError
from reportgen.records.record import replace
from reportgen.records.tensor import AdapterConfig, TensorSpec

MOST_LAYERS = 10_000
LARGEST_SCALE = 1e300
PAIR = 2
# Sizes of a parameter that holds one matrix for every expert.
STACKED = 3
# The lists of layers that PEFT can replicate.
LAYER_LIST = re.compile(r"((?:model\.)*layers|(?:bert\.)?encoder\.layer|h)\.(\d{1,9})\.(.+)")


def scaling_of(values: Mapping[str, object]) -> tuple[float, float, bool] | None:
    """Return (alpha, rank, rsLoRA), or None where one of them is no number."""
    alpha, rank = values.get("lora_alpha", DEFAULT_ALPHA), values.get("r", DEFAULT_RANK)
    for number in (alpha, rank):
        if isinstance(number, bool) or not isinstance(number, int | float):
            return None
        if not 0 < number < LARGEST_SCALE:
            return None
    return alpha, rank, bool(values.get("use_rslora"))  # type: ignore[return-value]


def lora_site(
    adapter: AdapterConfig,
    modules: tuple[Module, ...],
    model_type: str,
    tensors: Iterable[TensorSpec],
) -> tuple[Site, list[TensorSpec]]:
    """Return where a LoRA adapter sits, and the parameters that it adapts directly."""
    values, sources = adapter.values, dict[str, str]()
    start = str(values.get("init_lora_weights")).lower()
    if start == "eva" and not values.get("rank_pattern"):
        raise EvidenceError(
            f"{adapter.source.path} starts with EVA, which shares the ranks out among the modules "
            "by what the training examples do",
            remedy="count the tensors of the saved adapter",
        )
    if start == "mica":
        fault = f"{adapter.source.path} starts with MiCA, which trains one matrix of each pair"
        raise EvidenceError(fault, remedy="count the first matrix of each pair that is saved")
    if values.get("layer_replication"):
        modules, sources = replicate_layers(modules, values["layer_replication"])
    parameters = select_parameters(adapter, modules, tensors)
    tied = tuple(m.name for m in modules if m.tied and m.kind != "embedding")
    table = next((m.name for m in modules if m.kind == "embedding"), "")
    # The word embeddings and what is tied to them, where the adapter keeps them tied.
    tied = (table, *tied) if tied and values.get("ensure_weight_tying") else ()
    targets = lora_targets(adapter, model_type, tied)
    site = find_site(adapter, modules, model_type, targets, sources=sources, needed=not parameters)
    refuse_combinations(site)
    if tied:
        # The copies of tied modules stay tied: the word embeddings alone are a copy.
        site = replace(site, saved=tuple(m for m in site.saved if not m.tied))
    return site, parameters


def lora_targets(adapter: AdapterConfig, model_type: str, tied: tuple[str, ...]) -> object:
    """Return the targets, with what is tied to them where they are kept tied."""
    unset = adapter.values.get("target_modules") is None
    unknown = unset and model_type not in DEFAULT_TARGETS["LORA"]
    if unknown and adapter.values.get("target_parameters"):
        return []
    targets = targets_of(adapter, model_type)
    if tied and any(name in names_of(targets) for name in ("embed_tokens", "lm_head")):
        return [*names_of(targets), *tied]
    return targets


def refuse_combinations(site: Site) -> None:
    """Refuse what PEFT refuses: a bias with DoRA, or on an embedding."""
    if not site.values.get("lora_bias"):
        return
    table = any(module.kind == "embedding" for module in site.targeted)
    if table or site.values.get("use_dora"):
        other = "on an embedding" if table else "together with use_dora"
        fault = f"{site.path} sets lora_bias {other}, which PEFT refuses"
        raise EvidenceError(fault, remedy="take lora_bias out")


def select_parameters(
    adapter: AdapterConfig, modules: Iterable[Module], tensors: Iterable[TensorSpec]
) -> list[TensorSpec]:
    """Return the parameters that `target_parameters` names; all have to be matrices."""
    values = adapter.values
    names = frozenset(names_of(values.get("target_parameters")))
    if not names:
        return []
    stored = {t.name: t for t in (*tensors_of(modules), *tensors)}
    found = [t for t in stored.values() if is_named(t.name, names)]
    for key in ("lora_dropout", "fan_in_fan_out", "lora_bias", "use_dora"):
        if found and values.get(key):
            fault = f"{adapter.source.path} sets {key} with target_parameters, which PEFT refuses"
            raise EvidenceError(fault, remedy=f"take {key} out")
    odd = next((t.name for t in found if len(t.shape) not in {2, STACKED}), "")
    if odd:
        raise EvidenceError(
            f"target_parameters in {adapter.source.path} match {odd[:80]}, which is no matrix; "
            "PEFT refuses it",
            remedy="name matrices only",
        )
    return found


def parameter_terms(site: Site, parameters: Iterable[TensorSpec]) -> list[Term]:
    """Return the terms of parameters adapted directly, one pair of matrices an expert."""
    found = []
    for tensor in parameters:
        name, experts = tensor.name, tensor.shape[0] if len(tensor.shape) == STACKED else 1
        outputs, inputs = tensor.shape[-2:]
        module = Module(name=name, kind="", in_features=inputs, out_features=outputs)
        rank = read_size(site, module, site.kind.sizes["r"], "the rank")
        formula = site.kind.formula("experts")
        term = adapter_term("lora", (name, inputs, outputs), 1, formula, r=rank, E=experts)
        found.append(replace(term, label=f"adapters on {template(name)}, rank {rank}"))
    return found


def token_terms(site: Site) -> list[Term]:
    """Return the terms of single rows of embeddings that are trained."""
    rows = site.values.get("trainable_token_indices")
    table = next((m for m in site.modules if m.kind == "embedding"), None)
    if rows is None or table is None:
        return []
    named = rows if isinstance(rows, Mapping) else {table.name: rows}
    refuse_many(named, "trainable_token_indices")
    parents = {branch for m in site.modules for branch in branches(m.name)[:-1]}
    found: dict[str, tuple[Module, list[object]]] = {}
    for name, indices in named.items():
        matched = [m for m in site.modules if m.name.endswith(str(name))]
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


def trained_rows(
    adapter: AdapterConfig, modules: tuple[Module, ...], model_type: str
) -> AdapterCount:
    """Count the rows of embeddings that are trained where nothing else is."""
    tables = [module.name for module in modules if module.kind == "embedding"]
    targets = adapter.values.get("target_modules")
    site = find_site(adapter, modules, model_type, tables[:1] if targets is None else targets)
    rows = site.values.get("token_indices", [])
    if not isinstance(rows, list):
        fault = f"token_indices in {site.path} is {str(rows)[:40]!r}, not a list of tokens"
        raise EvidenceError(fault, remedy="list the numbers of the tokens")
    return site.count(token_term(module, len(rows)) for module in site.targeted)


def replicate_layers(
    modules: Iterable[Module], ranges: object
) -> tuple[tuple[Module, ...], dict[str, str]]:
    """Stack layers as `layer_replication` asks, weights shared with the layers copied."""
    outside: tuple[list[Module], list[Module]] = ([], [])
    layers: dict[int, list[tuple[str, Module]]] = {}
    stem = ""
    for module in modules:
        if found := LAYER_LIST.fullmatch(module.name):
            stem = found[1]
            layers.setdefault(int(found[2]), []).append((found[3], module))
        else:
            outside[bool(layers)].append(module)
    if not layers:
        fault = "layer_replication: PEFT finds the layers of LLaMA, BERT and Falcon only"
        raise EvidenceError(fault, remedy="take layer_replication out")
    known = [layers[number] for number in sorted(layers)]
    stacked = [
        (module, f"{stem}.{place}.{rest}")
        for place, layer in enumerate(layer_numbers(ranges, len(layers)))
        for rest, module in known[layer]
    ]
    before, after = outside
    sources = {module.name: module.name for module in (*before, *after)}
    sources |= {name: module.name for module, name in stacked}
    return (*before, *(replace(module, name=name) for module, name in stacked), *after), sources


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
            fault = "layer_replication stacks too many layers to count"
            raise EvidenceError(fault, remedy="count the tensors of the saved adapter")
    return numbers
