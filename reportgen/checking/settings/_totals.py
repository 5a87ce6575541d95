"""Every number of parameters that a model, its parts and its adapters may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from reportgen.checking.settings._known import Known
from reportgen.errors import ReportgenError
from reportgen.parameters import describe_adapter
from reportgen.records.checkpoint import Ledger, Term
from reportgen.records.facts import AdapterFacts, Facts, ModelFacts
from reportgen.records.formula import Constant
from reportgen.records.quantity import Quantity
from reportgen.records.verdict import Trace

WHOLE, TRAINED, PART = "whole", "trained", "part"
_OPTIONAL = (
    *("bias", "norm", "token_type", "pooler", "lm_head", "head", "token_head", "position"),
    "embedding",
)
"""Roles that a count may leave out or take in."""
_NAMED = frozenset({"embedding", "position", "attention", "ffn", "norm", "bias", "head"})
_HEADS = ("lm_head", "head", "pooler", "token_head")


@dataclass(frozen=True, slots=True)
class Total:
    """One legal number of parameters.

    Attributes:
        value: The number.
        what: What it counts.
        kind: Of a whole model, of what is trained, or of a part.
        parts: Which parts it is made of, in the words of `words.csv`.
        one: Whether it is of one layer of several.
        named: Whether people call it by a name, and do not only choose its parts.
        path: The file it was counted from.
    """

    value: int
    what: str
    kind: str
    parts: frozenset[str] = frozenset()
    one: bool = False
    named: bool = True
    path: str = ""

    @property
    def trace(self) -> Trace:
        """The same for whoever reads the verdict."""
        return Trace(what=self.what, value=self.value, path=self.path, tag="parameters")


def totals_of(facts: Facts | None, known: Iterable[Known]) -> tuple[Total, ...]:
    """Return every legal count, the named ones first, each value once a kind."""
    found = list(_of_files(known))
    if facts is not None:
        bases = (adapter.base for adapter in facts.adapters)
        models = [m for m in (facts.model, *bases) if m is not None and m.ledger.terms]
        for model in models:
            found += _of_model(model)
        for adapter in facts.adapters:
            found += _of_adapter(adapter, facts.model)
    found.sort(key=lambda total: not total.named)
    return tuple({(t.value, t.kind, t.parts, t.one): t for t in reversed(found)}.values())[::-1]


def _of_files(known: Iterable[Known]) -> Iterator[Total]:
    """Yield the counts that a program wrote beside its settings (`trainable_params`)."""
    for one in known:
        tag = one.tag.casefold()
        if isinstance(one.value, str | tuple) or "param" not in tag or one.value < 1000:
            continue
        kind = TRAINED if "train" in tag else WHOLE
        yield Total(int(one.value), one.tag, kind, path=one.path)


def _of_model(model: ModelFacts) -> Iterator[Total]:
    path = model.config.source.path
    for scope in model.ledger.scopes:
        roles = {t.role for t in model.ledger.terms if t.name in scope.terms and t.count}
        yield Total(scope.total, f"{scope.name} ({scope.label})", WHOLE, _parts(roles), path=path)
    if model.checkpoint is not None:
        stored = model.checkpoint.source.path
        every = sum(tensor.count for tensor in model.checkpoint.tensors)
        for value, what in ((model.checkpoint.total, "stored"), (every, "stored, copies again")):
            yield Total(value, f"{what} tensors of the checkpoint", WHOLE, path=stored)
    terms = [term for term in model.ledger.terms if term.count]
    yield from _lattice(model.ledger, terms, path)
    for side in ("", "encoder.", "decoder."):
        own = [t for t in terms if t.name.startswith(side)]
        if own and (not side or len(own) < len(terms)):
            yield from _of_parts(own, side.rstrip("."), path)


def _parts(roles: Iterable[str]) -> frozenset[str]:
    """Return the words for roles; every kind of head is a head."""
    return frozenset("head" if role in _HEADS else role for role in roles) & _NAMED


def _lattice(ledger: Ledger, terms: Sequence[Term], path: str) -> Iterator[Total]:
    """Yield every choice of the parts that a count may hold or not."""
    sums: dict[str, int] = {}
    for term in terms:
        sums[term.role] = sums.get(term.role, 0) + term.count
    there = [role for role in _OPTIONAL if role in sums]
    core = sum(count for role, count in sums.items() if role not in there)
    word = next((term.count for term in terms if term.name.endswith("embeddings.word")), 0)
    tied = any(term.formula == Constant(0) for term in ledger.terms)
    for roles in chain.from_iterable(combinations(there, n) for n in range(len(there) + 1)):
        value = core + sum(sums[role] for role in roles)
        what = f"weights with {', '.join(roles) or 'nothing else'}"
        parts = _parts(roles) | {"attention", "ffn"}
        yield Total(value, what, WHOLE, parts, named=False, path=path)
        if tied and "lm_head" in roles:
            again = f"{what}, the tied projection again"
            yield Total(value + word, again, WHOLE, parts, named=False, path=path)


def _of_parts(terms: Sequence[Term], side: str, path: str) -> Iterator[Total]:
    """Yield what kinds of tensors have, alone and with their biases and norms."""

    def some(role: str, word: str = "") -> list[Term]:
        return [t for t in terms if t.role == role and word in t.name]

    def made(
        group: Sequence[Term], what: str, parts: Iterable[str], norms: int = 0
    ) -> Iterator[Total]:
        """Yield a group's count in all layers and in one; of the norms a layer has two."""
        repeats = {term.repeat for term in group if term.repeat > 1}
        extra = sum(t.count for t in some("norm") if t.repeat > 1) * norms // 2
        total, names = sum(t.count for t in group) + extra, frozenset(parts)
        label = f"{side} {what}".strip()
        yield Total(total, label, PART, names, path=path)
        if len(repeats) == 1 and all(term.repeat > 1 for term in group):
            each = f"{label} of one of {max(repeats)} layers"
            yield Total(total // max(repeats), each, PART, names, one=True, path=path)

    for term in terms:
        yield from made([term], term.label, _parts([term.role]))
    words = {"attention": some("attention"), "ffn": some("ffn")}
    biases = {name: [t for t in some("bias") if name in t.name] for name in words}
    both = [*words["attention"], *words["ffn"]]
    both_biases = [*biases["attention"], *biases["ffn"]]
    inner = [t for t in words["attention"] if "output" not in t.name]
    if inner:
        yield from made(inner, "query, key and value projections", ["attention"])
    for norms in (0, 1):
        more = ["norm"] * norms
        for name, group in words.items():
            if group:
                yield from made(group, f"{name} weights" + ", norm" * norms, [name, *more], norms)
                full, parts = [*group, *biases[name]], [name, "bias", *more]
                yield from made(full, f"{name} with biases" + ", norm" * norms, parts, norms)
        if both:
            yield from made(both, "layers" + ", norms" * norms, ["layer", *more], 2 * norms)
            full, parts = [*both, *both_biases], ["layer", "bias", *more]
            yield from made(full, "layers, biases" + ", norms" * norms, parts, 2 * norms)
    for role in _HEADS:
        if some(role):
            yield from made(some(role), role.replace("_", " "), ["head"])
    tables = [*some("embedding"), *some("position"), *some("token_type")]
    norm = [t for t in some("norm") if "embeddings" in t.name]
    for group in ([*some("embedding"), *some("position")], tables):
        if group:
            yield from made(group, "embeddings", ["embedding"])
            yield from made([*group, *norm], "embeddings and their norm", ["embedding", "norm"])


def _of_adapter(adapter: AdapterFacts, model: ModelFacts | None) -> Iterator[Total]:
    """Yield an adapter's counts; beside a model without a name of its own, those on that model."""
    if adapter.base is None and model is not None and not isinstance(adapter.trainable, Quantity):
        try:
            adapter = describe_adapter(adapter.name, adapter.config, model, adapter.stored)
        except ReportgenError:
            return
    path = adapter.config.source.path
    for scope in adapter.ledger.scopes if adapter.ledger else ():
        kind = TRAINED if "base" not in scope.name and "packed" not in scope.name else WHOLE
        yield Total(scope.total, scope.label, kind, path=path)
    if isinstance(adapter.trainable, Quantity):
        trained = int(adapter.trainable.value)
        yield Total(trained, "trainable parameters of the adapter", TRAINED, path=path)
        for scope in model.ledger.scopes if model is not None else ():
            what = f"{scope.name} and the adapter"
            yield Total(scope.total + trained, what, WHOLE, path=path)
    if adapter.stored is not None:
        yield Total(adapter.stored.total, "tensors of the adapter's file", TRAINED, path=path)
    for term in adapter.ledger.terms if adapter.ledger else ():
        yield Total(term.count, f"adapter: {term.label}", PART, path=path)
