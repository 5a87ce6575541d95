"""From configurations and tensors to the facts that sections print."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

from reportgen.architectures import ADAPTERS, ARCHITECTURES
from reportgen.architectures._lora_keys import HEAD_OF_TASK
from reportgen.architectures._match import AdapterCount
from reportgen.architectures._terms import Architecture, Module, head_of
from reportgen.architectures.lora_lint import lint_keys, lint_names
from reportgen.errors import EvidenceError
from reportgen.ledger._grouped import ledger_of_tensors
from reportgen.ledger._packed import unpack
from reportgen.ledger._reconcile import WRAPPERS, reconcile
from reportgen.records.checkpoint import (
    AdapterConfig,
    Checkpoint,
    Ledger,
    ModelConfig,
    Scope,
    TensorSpec,
)
from reportgen.records.facts import AdapterFacts, ModelFacts
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.run import Problem

EMPTY = Ledger(family="", terms=(), scopes=())
# Scope of the class that `architectures` names, the first that the ledger has.
SCOPE_OF_HEAD = {
    "causal_lm": ("encoder_with_lm_head_hf", "encoder_with_lm_head", "all"),
    "masked_lm": ("encoder_with_lm_head_hf", "encoder_with_lm_head", "all"),
    "classification": ("encoder_with_head_hf", "encoder_with_head", "body_with_head"),
    "tokens": (),
    "": ("encoder", "all"),
}


def family_of(model_type: str) -> str:
    """Return the name of the architecture that answers to a model type, or an empty string.

    Example:
        >>> family_of("camembert"), family_of("roberta_small"), family_of("mixformer")
        ('roberta', 'roberta', '')
    """
    for name, entry in ARCHITECTURES.items():
        if any(fnmatchcase(model_type, pattern) for pattern in entry.match):
            return name
    return ""


def describe_model(
    name: str, config: ModelConfig | None, checkpoint: Checkpoint | None = None
) -> ModelFacts:
    """Count a model and reconcile it with its checkpoint.

    A family that is not known is counted from the tensors alone; without tensors the ledger
    stays empty and a problem says why. Nothing is raised for what a file says.

    Args:
        name: What the report calls the model.
        config: Its configuration; None takes the one inside the checkpoint.
        checkpoint: Its tensors, or None.

    Raises:
        ValueError: Neither a configuration nor a checkpoint is given.
    """
    if config is None:
        config = embedded_config(checkpoint)
    problems = list(checkpoint.problems) if checkpoint else []
    config, borrowed = with_vocabulary(config, checkpoint)
    problems += borrowed
    family, ledger = family_of(config.model_type), EMPTY
    if family:
        try:
            ledger = architecture(family).count_terms(config)
        except EvidenceError as error:
            problems.append(
                Problem(path=config.source.path, message=error.message, remedy=error.remedy)
            )
    else:
        problems.append(unknown_family(config))
    if not ledger.terms and checkpoint is not None:
        ledger = ledger_of_tensors(checkpoint)
    problems += [
        Problem(path=config.source.path, message=note, level="note")
        for note in ledger.notes
        if ledger.family
    ]
    return ModelFacts(
        name=name,
        config=config,
        ledger=ledger,
        rows=reconcile(ledger, checkpoint),
        checkpoint=checkpoint,
        problems=tuple(problems),
    )


def embedded_config(checkpoint: Checkpoint | None) -> ModelConfig:
    """Return the configuration that a checkpoint carries, empty where it carries none."""
    if checkpoint is None:
        raise ValueError("describe_model needs a configuration or a checkpoint")
    return ModelConfig(
        source=checkpoint.source,
        model_type=str(checkpoint.config.get("model_type") or ""),
        values=checkpoint.config,
    )


def with_vocabulary(
    config: ModelConfig, checkpoint: Checkpoint | None
) -> tuple[ModelConfig, list[Problem]]:
    """Take the vocabulary from the tensors where fairseq's arguments do not hold it."""
    values = config.values
    if checkpoint is None or "vocab_size" in values or "encoder_embed_dim" not in values:
        return config, []
    table = next((t for t in checkpoint.tensors if t.name.endswith("embed_tokens.weight")), None)
    if table is None or len(table.shape) != 2:
        return config, []
    note = Problem(
        path=config.source.path,
        message=f"vocab_size is not in the arguments: {table.shape[0]} is the number of rows of "
        f"{table.name}",
        level="note",
    )
    return replace(config, values={**values, "vocab_size": table.shape[0]}), [note]


def unknown_family(config: ModelConfig) -> Problem:
    """Say that no formula is known for a model type."""
    if not config.model_type:
        return Problem(
            path=config.source.path,
            message="no model type is stated, so no formula can be chosen",
            remedy="pass the model's config.json",
        )
    known = ", ".join(sorted(t for e in ARCHITECTURES.values() for t in e.match if "*" not in t))
    return Problem(
        path=config.source.path,
        message=f"model type {config.model_type[:80]!r}: no formula is known for this family",
        remedy=f"known model types: {known}",
    )


def architecture(family: str) -> Architecture:
    """Return a family's plug-in."""
    found: Architecture = ARCHITECTURES.load(family)
    return found


def total_scope(model: ModelFacts) -> Scope | None:
    """Return the scope of the class that the configuration names, else of the bare model.

    For a token classifier no scope exists, and for an unknown family without tensors none.
    """
    head = head_of(model.config.values)
    names = SCOPE_OF_HEAD[head]
    if not head and "architectures" in model.config.values:
        names = ("model_hf", "model", "encoder", "body", "all")
    found = (model.ledger.scope(name) for name in names)
    return next((scope for scope in found if scope is not None), None)


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
        formula, without a base, or for a configuration that cannot be counted. The scopes of
        its ledger are `trainable`, `base`, `base_and_adapter` and `packed` (weights of the
        linear layers, which 4-bit storage packs).
    """
    kind = next((k for k, entry in ADAPTERS.items() if adapter.peft_type in entry.match), "")
    lint = list(adapter.problems)
    if not kind:
        reason = f"no formula is known for adapters of the kind {adapter.peft_type or '(none)'}"
        return missing_adapter(name, adapter, base, reason, [*lint, *lint_keys(adapter)])
    lint += lint_keys(adapter)
    if base is None:
        reason = "no base model was given: the shapes of the adapted matrices are not known"
        return missing_adapter(name, adapter, base, reason, lint)
    tensors = plain_tensors(base.checkpoint)
    try:
        modules = modules_of(base, adapter)
        counted: AdapterCount = ADAPTERS.load(kind)(
            adapter, modules, base.config.model_type, tensors
        )
    except EvidenceError as error:
        if not any(problem.level == "warning" for problem in lint):
            lint += lint_names(adapter, modules_of(base, adapter), ())
        lint.append(Problem(path=adapter.source.path, message=error.message, remedy=error.remedy))
        return missing_adapter(name, adapter, base, error.message, lint)
    lint += lint_names(adapter, modules, counted.matched, (t.name for t in tensors))
    lint += [Problem(path=adapter.source.path, message=n, level="note") for n in counted.notes]
    lint += compare_stored(stored, counted)
    if not family_of(base.config.model_type):
        # What is stored and is no module that is known (experts in one tensor) counts as well.
        counted = replace(counted, base=sum(t.count for t in tensors if not t.shares))
    ledger = adapter_ledger(kind, counted, modules)
    return AdapterFacts(
        name=name,
        config=adapter,
        base=base,
        trainable=trainable_quantity(adapter, base, counted),
        base_total=base_quantity(base, counted.base),
        targets=counted.targets,
        ledger=ledger,
        lint=tuple(lint),
    )


def missing_adapter(
    name: str,
    adapter: AdapterConfig,
    base: ModelFacts | None,
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
        lint=tuple(lint),
    )


def modules_of(base: ModelFacts, adapter: AdapterConfig) -> tuple[Module, ...]:
    """Return the leaf modules of the base with the head that the adapter's task asks for.

    Raises:
        EvidenceError: The family is not known and there are no tensors to read shapes from.
    """
    family = family_of(base.config.model_type)
    task = str(adapter.values.get("task_type") or "")
    head = HEAD_OF_TASK.get(task) or head_of(base.config.values)
    if family:
        return architecture(family).list_modules(base.config, head)
    if base.checkpoint is None:
        raise EvidenceError(
            f"the modules of model type {base.config.model_type!r} are not known",
            remedy="pass a checkpoint of the base model",
        )
    return modules_of_tensors(base.checkpoint)


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
        method="trainable parameters of the adapter",
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
        method="parameters of the base model, tied tensors once",
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
        f": {len(twice)} tensors of {sum(t.count for t in twice):,} numbers are second copies of "
        "the head's"
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
