"""From an adapter's configuration and its base to the facts that sections print."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reportgen.architectures import ADAPTERS
from reportgen.architectures._site import AdapterCount
from reportgen.architectures.lora_lint import lint_keys, lint_names
from reportgen.errors import EvidenceError
from reportgen.languages import message
from reportgen.parameters._counting import family_for, modules_of_config
from reportgen.parameters._describe import total_scope
from reportgen.parameters._packed import unpack
from reportgen.parameters._reconcile import WRAPPERS, sized
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import (
    AdapterConfig,
    Checkpoint,
    Ledger,
    Scope,
    TensorSpec,
)
from reportgen.records.facts import AdapterFacts, ModelFacts
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.run import Problem

# Role of the class that PEFT wraps for each task.
ROLE_OF_TASK = {
    "SEQ_CLS": "SequenceClassification",
    "SEQ_2_SEQ_LM": "Seq2SeqLM",
    "CAUSAL_LM": "CausalLM",
    "TOKEN_CLS": "TokenClassification",
    "QUESTION_ANS": "QuestionAnswering",
    "FEATURE_EXTRACTION": "base",
}
PROMPTS = frozenset({"PROMPT_TUNING", "PREFIX_TUNING", "P_TUNING"})


def describe_adapter(
    name: str,
    adapter: AdapterConfig,
    base: ModelFacts | None,
    stored: Checkpoint | None = None,
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
        is known even then. The scopes of
        its ledger are `trainable`, `base`, `base_and_adapter` and `packed` (weights of the
        linear layers, which 4-bit storage packs).
    """
    kind = next((k for k, entry in ADAPTERS.items() if adapter.peft_type in entry.match), "")
    lint = [*adapter.problems, *lint_keys(adapter), *(stored.problems if stored else ())]
    reason = ""
    if not kind:
        reason = f"no formula is known for adapters of the kind {adapter.peft_type or '(none)'}"
    elif base is None:
        reason = "no base model was given: the shapes of the adapted matrices are not known"
    if reason or base is None:
        return missing_adapter(name, adapter, base, stored=stored, reason=reason, lint=lint)
    tensors = plain_tensors(base.checkpoint)
    modules: tuple[Module, ...] = ()
    try:
        modules = modules_of(base, adapter)
        counted: AdapterCount = ADAPTERS.load(kind)(
            with_layers(adapter, base), modules, base.config.model_type, tensors
        )
        names = lint_names(adapter, modules, counted.matched, (t.name for t in tensors))
    except EvidenceError as error:
        lint += idle_names(adapter, modules, lint)
        lint.append(Problem(path=adapter.source.path, message=error.message, remedy=error.remedy))
        return missing_adapter(name, adapter, base, stored=stored, reason=error.message, lint=lint)
    lint += [*names, *noted(adapter, counted), *compare_stored(stored, counted)]
    counted = with_everything_stored(counted, base, tensors)
    return AdapterFacts(
        name=name,
        config=adapter,
        base=base,
        trainable=trainable_quantity(adapter, base, counted),
        base_total=base_quantity(base, counted.base),
        targets=counted.targets,
        ledger=adapter_ledger(kind, counted, modules),
        stored=stored,
        lint=tuple(lint),
    )


def with_everything_stored(
    counted: AdapterCount, base: ModelFacts, tensors: Iterable[TensorSpec]
) -> AdapterCount:
    """Count what is stored and is no known module, experts in one tensor, with an unknown base."""
    if family_for(base.config) is not None:
        return counted
    return replace(counted, base=sum(t.count for t in tensors if not t.shares))


def with_layers(adapter: AdapterConfig, base: ModelFacts) -> AdapterConfig:
    """Add the number of layers that prompts are put in front of, as PEFT reads it off the base.

    Raises:
        EvidenceError: PEFT itself does not find the width of this kind of model.
    """
    values = adapter.values
    if adapter.peft_type not in PROMPTS:
        return adapter
    if base.config.model_type == "distilbert" and not values.get("token_dim"):
        raise EvidenceError(
            f"{adapter.source.path} has no token_dim, and PEFT refuses to take it from DistilBERT, "
            "which calls its width dim",
            remedy="set token_dim",
        )
    # Elsewhere the layers are counted; ALBERT's share their weights and stand there once.
    keys = ("num_hidden_layers", "num_layers", "n_layer")
    found = next((n for key in keys if isinstance(n := base.config.values.get(key), int)), None)
    if values.get("num_layers") is not None:
        return adapter
    if found is None and base.config.model_type == "albert":
        found = int(base.ledger.symbols["L"][1])
    if found is None:
        return adapter
    return replace(adapter, values={**values, "num_layers": found})


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


def noted(adapter: AdapterConfig, counted: AdapterCount) -> list[Problem]:
    """Return what a reader of the count should know, as notes."""
    return [Problem(path=adapter.source.path, message=n, level="note") for n in counted.notes]


def missing_adapter(
    name: str,
    adapter: AdapterConfig,
    base: ModelFacts | None,
    *,
    stored: Checkpoint | None,
    reason: str,
    lint: Iterable[Problem],
) -> AdapterFacts:
    """Return the facts of an adapter that has no count, with the reason."""
    scope = total_scope(base) if base else None
    return AdapterFacts(
        name=name,
        config=adapter,
        base=base,
        trainable=Missing(reason=reason),
        base_total=base_quantity(base, scope.total)
        if base and scope
        else Missing(reason="the base model is not counted"),
        targets=(),
        ledger=None,
        stored=stored,
        lint=tuple(lint),
    )


def modules_of(base: ModelFacts, adapter: AdapterConfig) -> tuple[Module, ...]:
    """Return the leaf modules of the base with the head that the adapter's task asks for.

    Raises:
        EvidenceError: The family is not known and there are no tensors to read shapes from.
    """
    if family_for(base.config) is not None:
        return modules_of_config(base.config, role_below(adapter))
    if base.checkpoint is None:
        raise EvidenceError(
            f"the modules of model type {base.config.model_type!r} are not known",
            remedy="pass a checkpoint of the base model",
        )
    return modules_of_tensors(base.checkpoint)


def role_below(adapter: AdapterConfig) -> str:
    """Return the role of the class below an adapter, empty where its task does not say."""
    return ROLE_OF_TASK.get(str(adapter.values.get("task_type") or ""), "")


def modules_of_tensors(checkpoint: Checkpoint) -> tuple[Module, ...]:
    """Read modules off tensor names: two sizes are a matrix, one size a norm.

    A matrix whose name says so is an embedding; the transposed storage of GPT-2 cannot be
    told from names, and does not change any count.
    """
    unpacked = unpack(plain_tensors(checkpoint))
    if unpacked.packed or unpacked.unclear:
        raise EvidenceError(
            f"{checkpoint.source.path} holds packed weights, whose shapes it does not tell",
            remedy="pass the base model's config.json",
        )
    tensors = {tensor.name: tensor for tensor in unpacked.tensors}
    found = []
    for name, tensor in tensors.items():
        stem = name.removesuffix(".weight")
        if stem == name or len(tensor.shape) not in {1, 2}:
            continue
        matrix = len(tensor.shape) == 2
        table = matrix and ("embed" in stem.lower() or stem.endswith(("wte", "wpe")))
        rows = tensor.shape[0]
        columns = tensor.shape[-1] if matrix else 0
        last = stem.rsplit(".", 1)[-1]
        found.append(
            Module(
                name=stem,
                kind="embedding" if table else "linear" if matrix else "norm",
                in_features=rows if table else columns,
                out_features=columns if table else rows,
                bias=f"{stem}.bias" in tensors,
                tied=bool(tensor.shares),
                head=last in {"lm_head", "embed_out", "score", "classifier"},
            )
        )
    return tuple(found)


def plain_tensors(checkpoint: Checkpoint | None) -> tuple[TensorSpec, ...]:
    """Return a checkpoint's tensors under the names that the bare model gives them."""
    tensors = checkpoint.tensors if checkpoint else ()
    return tuple(replace(t, name=WRAPPERS.sub("", t.name)) for t in tensors if t.trainable)


def adapter_ledger(kind: str, counted: AdapterCount, modules: Iterable[Module]) -> Ledger:
    """Return the adapter's terms with the totals its section quotes."""
    packed = sum(m.weight_count for m in modules if m.kind in {"linear", "conv1d"} and not m.head)
    names = tuple(term.name for term in counted.terms)
    return Ledger(
        family=kind,
        terms=counted.terms,
        scopes=(
            Scope(
                name="trainable",
                label="parameters that training changes",
                terms=names,
                total=counted.trainable,
            ),
            Scope(name="base", label="base model with its head", terms=(), total=counted.base),
            Scope(
                name="base_and_adapter",
                label="base model, added matrices and copies of modules trained whole",
                terms=(),
                total=counted.together,
            ),
            Scope(
                name="packed",
                label="weights of the linear layers, which 4-bit storage packs",
                terms=(),
                total=packed,
            ),
        ),
    )


def trainable_quantity(adapter: AdapterConfig, base: ModelFacts, counted: AdapterCount) -> Quantity:
    """Return the trainable count with its evidence."""
    keys = ("r", "target_modules", "bias", "modules_to_save")
    return Quantity(
        value=counted.trainable,
        unit="count",
        method=message("trainable parameters of the adapter"),
        formula=" + ".join(str(term.count) for term in counted.terms),
        sources=(
            *(Evidence(path=adapter.source.path, tag=key) for key in keys if key in adapter.values),
            Evidence(path=base.config.source.path, tag="hidden sizes"),
        ),
    )


def base_quantity(base: ModelFacts, total: int) -> Quantity:
    """Return the base's count with its evidence."""
    return Quantity(
        value=total,
        unit="count",
        method=message("parameters of the base model, tied tensors once"),
        sources=(Evidence(path=base.config.source.path),),
    )


def compare_stored(stored: Checkpoint | None, counted: AdapterCount) -> list[Problem]:
    """Say where the saved tensors hold more or less than is trained."""
    if stored is None or stored.total == counted.trainable:
        return []
    twice = [
        t for t in stored.tensors if ".original_module." in t.name or ".modules_to_save." in t.name
    ]
    difference = stored.total - counted.trainable
    reason = (
        f": {sized(twice)} {'is a second copy' if len(twice) == 1 else 'are second copies'} of the "
        "head's"
        if twice
        else ""
    )
    return [
        Problem(
            path=stored.source.path,
            message=f"the file holds {stored.total:,} numbers, {abs(difference):,} "
            f"{'more' if difference > 0 else 'fewer'} than the adapter trains{reason}",
            level="note",
        )
    ]
