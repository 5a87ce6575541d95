"""From an adapter's configuration and its base to the facts that sections print, memory too."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.languages import message
from reportgen.parameters._counting import family_for, modules_of_config
from reportgen.parameters._describe import total_scope
from reportgen.parameters._settings import settings_of, spread
from reportgen.parameters.adapters._counting import count_adapter, no_formula
from reportgen.parameters.adapters._linting import lint_keys, lint_names, note, warning
from reportgen.parameters.adapters._site import AdapterCount
from reportgen.parameters.adapters._table import (
    KINDS,
    OTHER_PREFIXES,
    PROMPTS,
    PROMPTS_NEED,
    role_of_task,
)
from reportgen.parameters.modules import Module
from reportgen.parameters.stored import modules_of_tensors, plain_tensors
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, Ledger, Scope
from reportgen.records.errors import EvidenceError
from reportgen.records.facts import AdapterFacts, ModelFacts
from reportgen.records.formula import Constant, Equation, Expression, Symbol, evaluate
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.record import record, replace
from reportgen.records.source import Problem

# The part of a model of text and images that PEFT looks at.
TEXT = "text_config."
HEADS = "num_attention_heads"


def describe_adapter(
    name: str, adapter: AdapterConfig, base: ModelFacts | None, stored: Checkpoint | None = None
) -> AdapterFacts:
    """Count what an adapter trains, and say what is the matter with its configuration.

    Args:
        name: What the report calls it.
        adapter: Its configuration.
        base: The base model; None leaves the count missing.
        stored: Tensors saved beside the configuration, or None.

    Returns:
        Facts whose `trainable` is Missing, with the reason, for a kind of adapter without a
        formula, without a base, or for a configuration that cannot be counted; what is stored
        is known even then. The scopes of its ledger are `trainable`, `base`,
        `base_and_adapter` and `packed` (weights of the linear layers, which 4-bit storage
        packs).
    """
    lint = [*adapter.problems, *lint_keys(adapter), *(stored.problems if stored else ())]
    reason = "no base model was given: the shapes of the adapted matrices are not known"
    if adapter.peft_type not in KINDS:
        reason = no_formula(adapter.peft_type)
    facts = AdapterFacts(
        name=name,
        config=adapter,
        base=base,
        trainable=Missing(reason=reason),
        base_total=Missing(reason="the base model is not counted"),
        targets=(),
        ledger=None,
        stored=stored,
        lint=tuple(lint),
    )
    if base is not None and (scope := total_scope(base)):
        facts = replace(facts, base_total=base_quantity(base, scope.total))
    if base is None or adapter.peft_type not in KINDS:
        return facts
    leaves: tuple[Module, ...] = ()
    try:
        leaves = modules_below(base, str(adapter.values.get("task_type") or ""))
        return counted_facts(facts, base, leaves)
    except EvidenceError as error:
        lint += idle_names(adapter, leaves, lint)
        lint.append(warning(adapter, error.message, error.remedy))
        return replace(facts, trainable=Missing(reason=error.message), lint=tuple(lint))


def modules_below(base: ModelFacts, task: str) -> tuple[Module, ...]:
    """Return the leaf modules of the class that PEFT wraps for a task.

    Where no task is named, those of the class that the base's configuration names; of a family
    that is not known, those that its tensors tell.

    Raises:
        EvidenceError: The family is not known and there are no tensors to read shapes from.
    """
    if base.checkpoint is not None and family_for(base.config) is None:
        return modules_of_tensors(base.checkpoint)
    return modules_of_config(base.config, role_of_task(task))


def counted_facts(
    facts: AdapterFacts, base: ModelFacts, modules: tuple[Module, ...]
) -> AdapterFacts:
    """Add what an adapter trains on the modules of its base, and which names reach nothing."""
    adapter, tensors = facts.config, plain_tensors(base.checkpoint)
    counted = count_adapter(
        with_sizes_of_base(adapter, base), modules, base.config.model_type, tensors
    )
    found = (
        *lint_names(adapter, modules, counted.matched, (t.name for t in tensors)),
        *(note(adapter, text) for text in counted.notes),
        *compare_stored(facts.stored, counted),
    )
    if not base.ledger.family:
        # What is stored and is no known module, experts in one tensor, is there as well.
        counted = replace(counted, base=sum(t.count for t in tensors if not t.shares))
    return replace(
        facts,
        trainable=trainable_quantity(adapter, base, counted),
        base_total=base_quantity(base, counted.base),
        targets=counted.targets,
        ledger=adapter_ledger(adapter.peft_type.lower(), counted, modules),
        lint=(*facts.lint, *found),
    )


def with_sizes_of_base(adapter: AdapterConfig, base: ModelFacts) -> AdapterConfig:
    """Add the sizes of what stands in front of the layers, as PEFT reads them off the base."""
    values, kind = adapter.values, base.config.model_type
    if adapter.peft_type not in PROMPTS:
        return adapter
    for key, types in PROMPTS_NEED.items():
        if kind in types and not values.get(key):
            raise EvidenceError(
                f"{adapter.source.path} has no {key}, which PEFT does not find in a configuration "
                f"of {kind}",
                remedy=f"set {key}",
            )
    family, known = family_for(base.config), dict(spread(base.config.values, {}))
    if family is not None:
        known |= settings_of(family, base.config)[0]
    sizes = {key: n for key, n in known.items() if type(n) is int and n > 0}

    def size(*keys: str) -> int:
        named = [family.aliases.get(key, key) if family else key for key in keys]
        return next((sizes[key] for key in (*named, f"{TEXT}{keys[0]}") if key in sizes), 0)

    found = {"num_layers": size("num_hidden_layers", "num_layers", "n_layer") or None}
    keys, prefixed = size("num_key_value_heads"), adapter.peft_type == "PREFIX_TUNING"
    odd = kind in OTHER_PREFIXES or (keys and values.get("token_dim") and not values.get(HEADS))
    if prefixed and odd:
        raise EvidenceError(
            f"the width of the prefixes in {adapter.source.path} depends on keys of the base "
            "model that no weight is sized by",
            remedy="count the tensors of the saved adapter",
        )
    stated = {key: value for key, value in values.items() if value is not None}
    if prefixed and keys:
        # Fewer heads have keys than queries, and each a width of its own where one is stated;
        # PEFT puts their width for what a file says.
        wide, heads = stated.pop("token_dim", None), stated.get(HEADS)
        wide = wide if isinstance(wide, int) else size("hidden_size")
        heads = heads if isinstance(heads, int) else size("num_attention_heads")
        found["token_dim"] = keys * (size("head_dim") or wide // max(1, heads))
    return replace(adapter, values={**values, **found, **stated})


def idle_names(
    adapter: AdapterConfig, modules: tuple[Module, ...], lint: Iterable[Problem]
) -> tuple[Problem, ...]:
    """Return the names that reach nothing, where nothing else explains that there is no count."""
    if not modules or any(problem.level == "warning" for problem in lint):
        return ()
    try:
        return lint_names(adapter, modules, ())
    except EvidenceError:  # an expression that cannot be evaluated: the count said so already
        return ()


def adapter_ledger(family: str, counted: AdapterCount, modules: Iterable[Module]) -> Ledger:
    """Return the adapter's terms with the totals its section quotes."""
    packed = sum(m.weight_count for m in modules if m.kind in {"linear", "conv1d"} and not m.head)
    totals = (
        ("trainable", "parameters that training changes", counted.trainable),
        ("base", "base model with its head", counted.base),
        (
            "base_and_adapter",
            "base model, added matrices and copies of modules trained whole",
            counted.together,
        ),
        ("packed", "weights of the linear layers, which 4-bit storage packs", packed),
    )
    names = tuple(term.name for term in counted.terms)
    return Ledger(
        family=family,
        terms=counted.terms,
        scopes=tuple(
            Scope(name=name, label=label, terms=names if name == "trainable" else (), total=total)
            for name, label, total in totals
        ),
    )


def trainable_quantity(adapter: AdapterConfig, base: ModelFacts, counted: AdapterCount) -> Quantity:
    """Return the trainable count with its evidence."""
    keys = ("r", "target_modules", "bias", "modules_to_save")
    own = (Evidence(path=adapter.source.path, tag=key) for key in keys if key in adapter.values)
    return Quantity(
        value=counted.trainable,
        unit="count",
        method=message("trainable parameters of the adapter"),
        formula=" + ".join(str(term.count) for term in counted.terms),
        sources=(*own, Evidence(path=base.config.source.path, tag="hidden sizes")),
    )


def base_quantity(base: ModelFacts, total: int) -> Quantity:
    """Return the base's count with its evidence."""
    method = message("parameters of the base model, tied tensors once")
    source = Evidence(path=base.config.source.path)
    return Quantity(value=total, unit="count", method=method, sources=(source,))


def compare_stored(stored: Checkpoint | None, counted: AdapterCount) -> list[Problem]:
    """Say where the saved tensors hold more or less than is trained."""
    if stored is None or stored.total == counted.trainable:
        return []
    copies = (".original_module.", ".modules_to_save.")
    twice = [t for t in stored.tensors if any(part in t.name for part in copies)]
    difference, numbers = stored.total - counted.trainable, sum(t.count for t in twice)
    reason = f": {len(twice)} tensors of {numbers:,} numbers are second copies of the head's"
    if len(twice) == 1:
        reason = f": 1 tensor of {numbers:,} numbers is a second copy of the head's"
    return [
        Problem(
            path=stored.source.path,
            message=f"the file holds {stored.total:,} numbers, {abs(difference):,} "
            f"{'more' if difference > 0 else 'fewer'} than the adapter trains"
            f"{reason if twice else ''}",
            level="note",
        )
    ]


# Bytes that fine-tuning keeps: weights, gradients, and Adam's two moments.
#
# Activations, the batch, and the framework's own buffers are not in these figures: they
# depend on sequence length, batch size and the kernels in use.
#
# Source: Kingma and Ba 2015 (arXiv:1412.6980), algorithm 1, for Adam's two moments;
# Rajbhandari et al. 2020 (arXiv:1910.02054), section 3.1, for counting weights, gradients
# and optimizer states apart; Dettmers et al. 2023 (arXiv:2305.14314), section 3 (NF4 with
# blocks of 64, double quantisation with blocks of 256).

TOTAL = Symbol("N", meaning="parameters of the base model")
TRAINED = Symbol("N", "train", meaning="parameters that the adapter trains")
PACKED = Symbol("N", "4bit", meaning="weights of the linear layers, stored in 4 bits")

FLOAT, HALF = 4, 2
"""Bytes of a float32, and of a bfloat16."""
MOMENTS = 2
# A trained float32 parameter: itself, its gradient, and two moments.
TRAINED_BYTES = (2 + MOMENTS) * FLOAT
BLOCK, OUTER_BLOCK = 64, 256


@record
class MemoryRow:
    """One way of fine-tuning.

    Attributes:
        key: Short name, for identifiers.
        method: Its name.
        equation: Bytes as a formula.
        assumption: What is stored in which precision.
        weights: Bytes of the frozen or trained base model.
        adapter: Bytes of the adapter's own weights; 0 where there is none.
        gradients: Bytes of the gradients of what is trained.
    """

    key: str
    method: str
    equation: Equation
    assumption: str
    weights: float
    adapter: float
    gradients: float

    @property
    def optimizer(self) -> float:
        """Bytes of Adam's moments of what is trained."""
        return MOMENTS * self.gradients

    @property
    def size(self) -> float:
        """Bytes."""
        return float(self.equation.result)


def full_memory(total: int, *, half: bool = False) -> MemoryRow:
    """Return the bytes of full fine-tuning with Adam, all in float32 or, with `half`, bfloat16.

    Example:
        >>> full_memory(1000).size, full_memory(1000, half=True).size
        (16000.0, 8000.0)
    """
    each, name = (HALF, "bfloat16") if half else (FLOAT, "float32")
    every = (2 + MOMENTS) * each
    return MemoryRow(
        key="full_half" if half else "full",
        method=message("full fine-tuning, {precision}", precision=name),
        equation=equation("full, bf16" if half else "full", every * TOTAL, N=total),
        assumption=message(
            "weights, gradients and both Adam moments in {precision}: {bytes} bytes a parameter",
            precision=name,
            bytes=every,
        ),
        weights=each * total,
        adapter=0,
        gradients=each * total,
    )


def lora_memory(total: int, trained: int, *, half: bool = True) -> MemoryRow:
    """Return the bytes of an adapter on a frozen base in bfloat16 or, without `half`, float32.

    Example:
        >>> lora_memory(1000, 10).size, lora_memory(1000, 10, half=False).size
        (2160.0, 4160.0)
    """
    each, name = (HALF, "bfloat16") if half else (FLOAT, "float32")
    right = each * TOTAL + TRAINED_BYTES * TRAINED
    return MemoryRow(
        key="lora" if half else "lora_float",
        method=message("LoRA, base in {precision}", precision=name),
        equation=equation("LoRA" if half else "LoRA, fp32", right, N=total, N_train=trained),
        assumption=message(
            "frozen base in {precision}; the adapter, its gradients and moments in float32",
            precision=name,
        ),
        weights=each * total,
        adapter=FLOAT * trained,
        gradients=FLOAT * trained,
    )


def qlora_memory(total: int, packed: int, trained: int) -> MemoryRow:
    """Return the bytes of QLoRA: linear layers in NF4 with double quantisation.

    Each block of 64 weights has an 8-bit constant; each 256 of those have a float32. Partly
    filled last blocks are not rounded up.

    Args:
        total: Parameters of the base model.
        packed: Weights of its linear layers, which are packed.
        trained: Parameters that the adapter trains.

    Example:
        >>> qlora_memory(32768 + 10, 32768, 0).size
        16924.0
    """
    frozen = (
        PACKED / 2
        + PACKED / BLOCK
        + FLOAT * PACKED / (BLOCK * OUTER_BLOCK)
        + Constant(HALF) * (TOTAL - PACKED)
    )
    values = {TOTAL.key: total, PACKED.key: packed}
    return MemoryRow(
        key="qlora",
        method=message("QLoRA, linear layers in NF4"),
        equation=equation("QLoRA", frozen + TRAINED_BYTES * TRAINED, **values, N_train=trained),
        assumption=message(
            "linear layers in 4-bit NF4 with double quantisation (one 8-bit constant for 64 "
            "weights, one float32 for 256 constants), everything else frozen in bfloat16; the "
            "adapter, its gradients and moments in float32"
        ),
        weights=float(evaluate(frozen, values)),
        adapter=FLOAT * trained,
        gradients=FLOAT * trained,
    )


def equation(name: str, right: Expression, **values: int) -> Equation:
    """Return the equation of one method's bytes."""
    left = Symbol("M", name, meaning="bytes for weights, gradients and optimizer states")
    return Equation(id=f"memory.{name}", left=left, right=right, values=values, unit="bytes")
