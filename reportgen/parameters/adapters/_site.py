"""Where an adapter sits on its base model, and what it trains there besides its own terms.

Source: peft 0.21 `tuners/tuners_utils.py`, `_mark_only_adapters_as_trainable`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from reportgen.parameters.adapters._matching import (
    branches,
    chooser,
    names_of,
    refuse_many,
    saved_names,
    select_saved,
)
from reportgen.parameters.adapters._table import HEADS_SAVED, KINDS, Kind
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import AdapterConfig, Term
from reportgen.records.errors import EvidenceError
from reportgen.records.formula import Expression, Symbol

# Model types and kinds for which PEFT refuses `out_proj` and `conv1d`.
MAMBA = frozenset({"falcon_h1", "falcon_mamba", "mamba", "mamba2", "nemotron_h"})
LORA_LIKE = frozenset({"ADALORA", "LORA", "RANDLORA"})
# Names of matrices that experts have as well.
OF_EXPERTS = frozenset({"down_proj", "gate_proj", "gate_up_proj", "up_proj", "w1", "w2", "w3"})
NARROWING = ("layers_to_transform", "layers_pattern", "exclude_modules")
LARGEST_SIZE = 2**20
SAVED = "count the tensors of the saved adapter"

K = TypeVar("K")

MODULES = Symbol("n", meaning="adapted modules of this kind")
INPUTS = Symbol("d", "in", meaning="inputs of the adapted matrix")
OUTPUTS = Symbol("d", "out", meaning="outputs of the adapted matrix")
BIASES = Symbol("B", meaning="bias elements that are trained")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterCount:
    """What an adapter trains.

    Attributes:
        terms: One for each kind of adapted module, then biases, then modules saved whole.
        targets: (module pattern, inputs, outputs, number of modules), as the terms.
        matched: Names of the adapted modules.
        base: Parameters of the base model, tied tensors once.
        frozen: Numbers that the adapter adds and does not train.
        notes: What a reader of the count should know.
    """

    terms: tuple[Term, ...]
    targets: tuple[tuple[str, int, int, int], ...]
    matched: tuple[str, ...]
    base: int
    frozen: int = 0
    notes: tuple[str, ...] = ()

    @property
    def trainable(self) -> int:
        """Trainable parameters."""
        return sum(term.count for term in self.terms)

    @property
    def together(self) -> int:
        """Parameters of the model with its adapter; biases are the base model's own."""
        return self.base + self.frozen + sum(t.count for t in self.terms if t.role != "bias")


@dataclass(frozen=True, kw_only=True)
class Site:
    """Where an adapter sits.

    Attributes:
        path: Its configuration, for messages.
        kind: Its kind.
        values: The configuration's keys, those alone that the kind has.
        modules: Leaf modules of the base model.
        model_type: The base's `model_type`.
        targeted: Modules that get an adapter.
        saved: Those that are copied and trained whole.
        sources: Module to the one whose weights it shares; empty where none are shared.
    """

    path: str
    kind: Kind
    values: Mapping[str, object]
    modules: tuple[Module, ...]
    model_type: str = ""
    targeted: tuple[Module, ...] = ()
    saved: tuple[Module, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """Width of the hidden states: `token_dim`, or as the base model has it."""
        # The norms are as wide as the hidden states; some embeddings are narrower.
        norms = [m.out_features for m in self.modules if m.kind == "norm"]
        table = next((m.out_features for m in self.modules if m.kind == "embedding"), None)
        width = max(norms, default=table)
        return checked(self.values.get("token_dim") or width, "token_dim", self.path)

    def size(self, key: str, default: object = None, least: int = 1) -> int:
        """Return a whole number of the configuration of at least `least`, or PEFT's default."""
        return checked(self.values.get(key, default), key, self.path, least)

    @cached_property
    def weights(self) -> int:
        """Weights of all targeted modules."""
        return sum(module.in_features * module.out_features for module in self.targeted)

    def groups(self, own: Callable[[Module], K]) -> dict[tuple[str, int, int, K], int]:
        """Return how many targets agree in pattern, inputs, outputs and something of their own."""
        found: dict[tuple[str, int, int, K], int] = {}
        for module in self.targeted:
            key = (template(module.name), module.in_features, module.out_features, own(module))
            found[key] = found.get(key, 0) + 1
        return found

    def count(self, terms: Iterable[Term]) -> AdapterCount:
        """Add what is trained besides the adapter's own terms: biases, modules saved whole."""
        once = {self.sources.get(m.name, m.name): m for m in self.modules}.values()
        return AdapterCount(
            terms=(*terms, *bias_terms(self), *(saved_term(module) for module in self.saved)),
            targets=tuple((*key[:3], n) for key, n in self.groups(lambda _: 0).items()),
            matched=tuple(module.name for module in self.targeted),
            base=sum((0 if m.tied else m.weight_count) + m.bias_count for m in once),
        )


def find_site(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    targets: object,
    *,
    sources: Mapping[str, str] | None = None,
    needed: bool = True,
) -> Site:
    """Resolve the names of a configuration on a base model; see `count_adapter`.

    The defaults of `targets` are filled in, `sources` names the modules that share their weights
    with others, and names that match nothing are refused where targets are `needed`.
    """
    kind, modules = KINDS[adapter.peft_type], tuple(modules)
    # PEFT passes over every key that the kind does not have.
    values = {key: value for key, value in adapter.values.items() if key in kind.keys}
    names = saved_names(values) if "modules_to_save" in kind.keys else ()
    site = Site(
        path=adapter.source.path,
        kind=kind,
        values=values,
        modules=modules,
        model_type=model_type,
        sources=sources or {},
    )
    refuse_nested(site, names)
    refuse_layers(site, targets)
    before = HEADS_SAVED["SEQ_CLS"] if names and values.get("task_type") == "SEQ_CLS" else ()
    guarded = (*names_of(values.get("modules_to_save")), *before)
    chosen = chooser(values, targets, modules, guarded)
    # A bare parameter is no module: PEFT reaches it through target_parameters alone.
    targeted = tuple(m for m in modules if m.kind != "parameter" and chosen(m.name))
    site = replace(site, targeted=targeted, saved=select_saved(names, modules))
    if needed and not targeted:
        keys = ("target_modules", *(key for key in NARROWING if values.get(key) is not None))
        fault = f"{' with '.join(keys)} in {site.path} match no module of the base model"
        raise EvidenceError(fault, remedy="compare the names with the base model's modules")
    for fault, remedy in refusals(site, targets, names, chosen):
        raise EvidenceError(fault, remedy=remedy)
    return site


def refusals(
    site: Site, targets: object, saved: tuple[str, ...], chosen: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Yield what PEFT refuses, or treats unlike any other module: the fault and its remedy."""
    rows = site.values.get("trainable_token_indices")
    named = (*saved, *map(str, rows if isinstance(rows, Mapping) else ()))
    refuse_many(named, "trainable_token_indices")
    start, fits = f"target_modules in {site.path}", site.kind.fits
    parents = {branch for m in site.modules for branch in branches(m.name)[:-1]}
    whole = frozenset(site.saved)
    odd = [m.name for m in site.targeted if m.kind not in fits or m in whole]
    for name in (*filter(chosen, sorted(parents)), *odd):
        fault = f"{start} match {name[:80]}, which PEFT refuses to adapt with {site.kind.name}"
        yield fault, f"name only modules of the kinds {', '.join(fits)}, none of them saved whole"
    for module in site.modules:
        shared = module.kind == "embedding" and module.tied
        if shared and (module in site.targeted or module.name.endswith(named)):
            fault = (
                f"{site.path} names {module.name[:80]}, which PEFT trains as a table of its own "
                "with transformers 5 and does not find before: what is trained depends on it"
            )
            yield fault, f"name the shared table, or {SAVED}"
    linear = str(targets).lower() == "all-linear"
    if any(".experts." in m.name for m in (site.modules if linear else site.targeted)):
        fault = (
            f"{start} match experts, which are modules of their own before transformers 5 and "
            "one tensor since: what is trained depends on it"
        )
        yield fault, SAVED
    expression = [str(targets)] if isinstance(targets, str) and not linear else []
    listed = [n for n in names_of(targets) if n.rsplit(".", 1)[-1] in OF_EXPERTS] or expression
    if listed and any(m.kind == "parameter" and ".experts." in m.name for m in site.modules):
        fault = (
            f"{start} name {listed[0][:80]} of a mixture whose experts are one tensor: PEFT "
            "rewrites the names, and what is trained depends on its version"
        )
        yield fault, SAVED
    mamba = site.model_type in MAMBA and site.kind.name in LORA_LIKE
    for module in site.targeted:
        *above, last = module.name.split(".")
        if module.kind == "conv" and any(word.isdigit() for word in above):
            fault = (
                f"{start} match the convolution {module.name[:80]}, which may work on groups "
                "of channels: its configuration does not tell"
            )
            yield fault, SAVED
        if mamba and last in {"out_proj", "conv1d"}:
            fault = f"{start} match {module.name[:80]}, which PEFT refuses in {site.model_type}"
            yield fault, "take out_proj and conv1d out"


def refuse_nested(site: Site, saved: tuple[str, ...]) -> None:
    """Refuse modules that are saved whole inside others, of which PEFT makes copies of copies."""
    refuse_many(saved, "modules_to_save")
    for module in site.modules if saved else ():
        inside = [branch for branch in branches(module.name) if branch.endswith(saved)]
        if len(inside) > 1:
            raise EvidenceError(
                f"modules_to_save in {site.path} match {inside[0][:80]} and {inside[1][:80]} "
                "inside it, which PEFT copies twice",
                remedy="name the outer module alone",
            )


def refuse_layers(site: Site, targets: object) -> None:
    """Refuse layers that are chosen beside one text, which PEFT refuses for some kinds."""
    for key in site.kind.no_text_with if isinstance(targets, str) else ():
        if site.values.get(key) is not None:
            raise EvidenceError(
                f"{key} is set in {site.path} although target_modules is a text, which PEFT "
                "refuses",
                remedy="write the target modules as a list",
            )


def checked(value: object, key: str, path: str, least: int = 1, words: str = "") -> int:
    """Return a value that must be a whole number of at least `least`; `words` name the key."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < LARGEST_SIZE:
        raise EvidenceError(
            f"{words or key} in {path} is {str(value)[:40]!r}, not a whole number of at least "
            f"{least}",
            remedy=f"set {key} to a whole number",
        )
    return value


def adapter_term(
    tensors: str, place: tuple[str, int, int], modules: int, formula: Expression, **values: int
) -> Term:
    """Return the term of all adapted modules of one place: pattern, inputs and outputs."""
    name, inputs, outputs = place
    tag = ".".join((tensors, name, *map(str, values.values())))
    spelled = re.escape(name).replace(r"\*", r"\d+")
    return Term(
        name=tag,
        label=f"{tensors} on {name.rsplit('.', 1)[-1]}",
        role="adapter",
        formula=formula,
        values={MODULES.key: modules, INPUTS.key: inputs, OUTPUTS.key: outputs} | values,
        tensors=rf"(base_model\.model\.)?{spelled}\.{tensors}_.*",
        module=name,
        repeat=modules,
    )


def bias_terms(site: Site) -> list[Term]:
    """Return the term of the base's biases that `bias` sets free; saved modules are not in it."""
    mode = str(site.values.get("bias", "none"))
    chosen = site.modules if mode == "all" else site.targeted if mode.endswith("_only") else ()
    saved = frozenset(site.saved)
    once = {site.sources.get(m.name, m.name): m for m in chosen if m not in saved}
    # A bare parameter is what PEFT takes for a bias where that is its very name.
    alone = [m for m in once.values() if m.kind == "parameter" and m.name.endswith(".bias")]
    count = sum(m.bias_count for m in once.values()) + sum(m.weight_count for m in alone)
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


def saved_term(module: Module) -> Term:
    """Return the term of one module trained whole, which may hold several matrices."""
    size: Expression = INPUTS * OUTPUTS if module.in_features else OUTPUTS
    copies = module.weight_count // ((module.in_features or 1) * module.out_features)
    weight = size if copies == 1 else copies * size
    return Term(
        name=f"saved.{module.name}",
        label=f"{module.name}, trained whole",
        role="head",
        formula=weight + OUTPUTS if module.bias else weight,
        values={INPUTS.key: module.in_features, OUTPUTS.key: module.out_features},
        module=module.name,
    )


def template(name: str) -> str:
    """Return a module's name with its layer number left open."""
    return re.sub(r"(?<=\.)\d+(?=\.)", "*", name)
