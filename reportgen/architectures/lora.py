"""LoRA: how many parameters an adapter trains, from its configuration and the base's shapes.

Every adapted matrix of `d_in` inputs and `d_out` outputs gets two matrices of rank r,
r × d_in and d_out × r. DoRA adds a magnitude of d_out numbers, `lora_bias` a bias of d_out.

Source: Hu et al. 2021 (arXiv:2106.09685), section 4.1; Liu et al. 2024
(arXiv:2402.09353), section 4 (DoRA); peft `tuners/lora/{config,layer,model}.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reportgen.architectures._lora_keys import (
    DEFAULT_ALPHA,
    DEFAULT_RANK,
    DEFAULT_TARGETS,
    HEADS_SAVED,
    UNCOUNTED,
)
from reportgen.architectures._match import names_of, pattern_value, select_saved, select_targets
from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, Term
from reportgen.records.formula import Expression, Symbol

MODULES = Symbol("n", meaning="adapted modules of this kind")
RANK = Symbol("r", meaning="rank of the adapter")
INPUTS = Symbol("d", "in", meaning="inputs of the adapted matrix")
OUTPUTS = Symbol("d", "out", meaning="outputs of the adapted matrix")
BIASES = Symbol("B", meaning="bias elements that are trained")

HEAD_OF_TASK = {
    "CAUSAL_LM": "causal_lm",
    "SEQ_CLS": "classification",
    "TOKEN_CLS": "tokens",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterCount:
    """What an adapter trains.

    Attributes:
        terms: One for each kind of adapted module, then biases, then modules saved whole.
        targets: (module pattern, inputs, outputs, number of modules), as the terms.
        matched: Names of the adapted modules.
        copied: Elements of `modules_to_save`, which the wrapped model holds twice.
    """

    terms: tuple[Term, ...]
    targets: tuple[tuple[str, int, int, int], ...]
    matched: tuple[str, ...]
    copied: int

    @property
    def trainable(self) -> int:
        """Trainable parameters."""
        return sum(term.count for term in self.terms)


def count_adapter(
    adapter: AdapterConfig, modules: Iterable[Module], model_type: str
) -> AdapterCount:
    """Count what a LoRA adapter trains on a base model.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.

    Units: parameters.

    Raises:
        EvidenceError: The configuration cannot be counted: an illegal rank, a key outside
            the formulas, no targets and no default for this model type, or targets that
            match nothing.

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
    values = adapter.values
    refuse_uncounted(adapter)
    targeted = [
        module
        for module in select_targets(values, targets_of(adapter, model_type), modules)
        if module.kind != "norm"
    ]
    if not targeted:
        raise EvidenceError(
            f"target_modules in {adapter.source.path} match no module of the base model",
            remedy="compare the names with the base model's modules",
        )
    groups: dict[tuple[str, int, int, int], list[Module]] = {}
    for module in targeted:
        key = (
            template(module.name),
            module.in_features,
            module.out_features,
            rank_of(adapter, module.name),
        )
        groups.setdefault(key, []).append(module)
    extra = sum(bool(values.get(key)) for key in ("use_dora", "lora_bias"))
    terms = [group_term(key, len(found), extra) for key, found in groups.items()]
    saved = select_saved(saved_names(values), modules)
    terms += bias_terms(values, [m for m in modules if m not in saved], targeted)
    terms += [saved_term(module) for module in saved]
    terms += token_terms(values, modules)
    return AdapterCount(
        terms=tuple(terms),
        targets=tuple((k[0], k[1], k[2], len(found)) for k, found in groups.items()),
        matched=tuple(module.name for module in targeted),
        copied=sum(module.weight_count + module.bias_count for module in saved),
    )


def targets_of(adapter: AdapterConfig, model_type: str) -> object:
    """Return `target_modules`, or PEFT's default for the model type where it is null.

    Raises:
        EvidenceError: There is no default for this model type.
    """
    targets = adapter.values.get("target_modules")
    if targets is not None:
        return targets
    if model_type not in DEFAULT_TARGETS:
        raise EvidenceError(
            f"target_modules in {adapter.source.path} is null, and PEFT has no default for "
            f"model type {model_type!r}",
            remedy="name the target modules",
        )
    return list(DEFAULT_TARGETS[model_type])


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
    for key in UNCOUNTED:
        if adapter.values.get(key):
            raise EvidenceError(
                f"{adapter.source.path} sets {key}, which changes what is trained in a way that "
                "is not counted here",
                remedy="count the tensors of the saved adapter",
            )


def group_term(key: tuple[str, int, int, int], modules: int, extra: int) -> Term:
    """Return the term of all adapted modules of one kind."""
    name, inputs, outputs, rank = key
    formula: Expression = MODULES * RANK * (INPUTS + OUTPUTS)
    if extra:
        formula = formula + (MODULES * OUTPUTS if extra == 1 else extra * MODULES * OUTPUTS)
    short = name.rsplit(".", 1)[-1]
    return Term(
        name=f"lora.{name}.{rank}",
        label=f"adapters on {short}, rank {rank}",
        role="adapter",
        formula=formula,
        values={
            MODULES.key: modules,
            RANK.key: rank,
            INPUTS.key: inputs,
            OUTPUTS.key: outputs,
        },
        tensors=adapter_tensors(name),
        module=name,
        repeat=modules,
    )


def adapter_tensors(name: str) -> str:
    """Return a regular expression for the tensors that adapt modules of this name.

    Example:
        >>> bool(re.fullmatch(adapter_tensors("h.*.q"), "base_model.model.h.3.q.lora_A.weight"))
        True
    """
    spelled = re.escape(name).replace(r"\*", r"\d+")
    return rf"(base_model\.model\.)?{spelled}\.lora_.*"


def bias_terms(
    values: Mapping[str, object], modules: Iterable[Module], targeted: Iterable[Module]
) -> list[Term]:
    """Return the term of the base's biases that `bias` sets free; saved heads are not in it."""
    mode = values.get("bias", "none")
    chosen = {"all": modules, "lora_only": targeted}.get(str(mode), ())
    count = sum(module.bias_count for module in chosen)
    if not count:
        return []
    return [
        Term(
            name="bias",
            label=f"biases of the base model (bias = {mode})",
            role="bias",
            formula=BIASES,
            values={BIASES.key: count},
            tensors=r".*\.bias",
        )
    ]


def saved_names(values: Mapping[str, object]) -> tuple[str, ...]:
    """Return `modules_to_save` with the heads that PEFT adds for the task."""
    added = HEADS_SAVED.get(str(values.get("task_type")), ())
    return tuple(dict.fromkeys((*names_of(values.get("modules_to_save")), *added)))


def saved_term(module: Module) -> Term:
    """Return the term of one module trained whole."""
    formula: Expression = OUTPUTS if module.kind == "norm" else INPUTS * OUTPUTS
    return Term(
        name=f"saved.{module.name}",
        label=f"{module.name}, trained whole",
        role="head",
        formula=formula + OUTPUTS if module.bias else formula,
        values={INPUTS.key: module.in_features, OUTPUTS.key: module.out_features},
        module=module.name,
    )


def token_terms(values: Mapping[str, object], modules: Iterable[Module]) -> list[Term]:
    """Return the term of single rows of the word embeddings that are trained."""
    rows = values.get("trainable_token_indices")
    table = next((m for m in modules if m.kind == "embedding"), None)
    if not rows or table is None:
        return []
    if not isinstance(rows, list):
        raise EvidenceError(
            "trainable_token_indices names embeddings one by one, which is not counted here",
            remedy="count the tensors of the saved adapter",
        )
    return [
        Term(
            name="tokens",
            label="rows of the word embeddings that are trained",
            role="embedding",
            formula=MODULES * OUTPUTS,
            values={MODULES.key: len(rows), OUTPUTS.key: table.out_features},
        )
    ]


def scaling_of(values: Mapping[str, object]) -> tuple[float, float, bool] | None:
    """Return (alpha, rank, rsLoRA), or None where one of them is no number."""
    alpha, rank = values.get("lora_alpha", DEFAULT_ALPHA), values.get("r", DEFAULT_RANK)
    for number in (alpha, rank):
        if isinstance(number, bool) or not isinstance(number, int | float) or number <= 0:
            return None
    return alpha, rank, bool(values.get("use_rslora"))  # type: ignore[return-value]


def template(name: str) -> str:
    """Return a module's name with its layer number left open.

    Example:
        >>> template("transformer.h.11.mlp.dense")
        'transformer.h.*.mlp.dense'
    """
    return re.sub(r"(?<=\.)\d+(?=\.)", "*", name)
