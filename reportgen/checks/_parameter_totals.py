"""Every number of parameters that a model may rightly be said to have, and those of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, combinations

from reportgen.records.checkpoint import Ledger, Scope, Term
from reportgen.records.facts import AdapterFacts, Facts, ModelFacts
from reportgen.records.formula import Constant
from reportgen.records.quantity import Evidence, Quantity

_OPTIONAL = ("bias", "norm", "token_type", "pooler", "lm_head", "head")
"""Roles that a count may leave out or take in; weights and embeddings it must have."""
_WORDS = {
    "bias": "biases",
    "norm": "norms",
    "token_type": "the token-type table",
    "pooler": "the pooler",
    "lm_head": "the language-model head",
    "head": "the classification head",
}
# Roles that a phrase about a count names.
_NAMED = {"biases": ("bias",), "norms": ("norm",), "head": ("lm_head", "head", "pooler")}
_LEFT_OUT = {"positions": ("position",), "embeddings": ("embedding", "position", "token_type")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """One legal number of parameters.

    Attributes:
        value: The number.
        what: What it counts, for messages.
        roles: Roles of its terms; empty where they are not known.
        part: Which part of a model it is of, or empty for a whole one.
        named: Whether people call it by a name, and do not only choose its parts.
        evidence: Where it comes from.
    """

    value: Decimal
    what: str
    roles: frozenset[str] = frozenset()
    part: str = ""
    named: bool = True
    evidence: tuple[Evidence, ...] = ()

    def fits(self, stated: Iterable[str]) -> bool:
        """Say whether the total holds what a text says it holds (`without biases`)."""
        if not self.roles:
            return True
        for words in stated:
            how, _, part = words.partition(" ")
            there = bool(self.roles & set(_NAMED.get(part, ())))
            if part in _NAMED and there != (how == "with") and how in {"with", "without"}:
                return False
        return True


def models_of(facts: Facts) -> list[ModelFacts]:
    """Return the models that were given: the report's own, then the bases of adapters."""
    bases = (adapter.base for adapter in facts.adapters)
    return [model for model in (facts.model, *bases) if model is not None and model.ledger.terms]


def whole_totals(facts: Facts, stated: Iterable[str]) -> Iterator[Total]:
    """Yield the totals of whole models: named scopes, then every choice of optional parts."""
    models = models_of(facts)
    for model in models:
        for scope in model.ledger.scopes:
            yield _of_scope(model, scope)
    for model in models:
        if model.checkpoint is not None:
            yield _simple(model, model.checkpoint.total, "what the checkpoint stores")
            stored = sum(tensor.count for tensor in model.checkpoint.tensors)
            yield _simple(model, stored, "every tensor of the checkpoint, copies counted again")
    for adapter in facts.adapters:
        yield from _of_adapter(adapter)
    left_out = {role for words in stated for role in _roles_left_out(words)}
    for model in models:
        yield from _lattice(model, left_out)


def _roles_left_out(words: str) -> tuple[str, ...]:
    return _LEFT_OUT.get(words.removeprefix("without "), ()) if words.startswith("without ") else ()


def _of_scope(model: ModelFacts, scope: Scope) -> Total:
    roles = frozenset(t.role for t in model.ledger.terms if t.name in scope.terms and t.count)
    return Total(
        value=Decimal(scope.total),
        what=f"{scope.name} ({scope.label})",
        roles=roles,
        evidence=(_cite(model, scope.name, scope.total),),
    )


def _simple(model: ModelFacts, value: int, what: str) -> Total:
    return Total(value=Decimal(value), what=what, evidence=(_cite(model, "tensors", value),))


def _of_adapter(adapter: AdapterFacts) -> Iterator[Total]:
    """Yield an adapter's totals: trained, with its base, and as 4-bit storage counts them."""
    path = adapter.config.source.path
    scopes = {scope.name: scope for scope in adapter.ledger.scopes} if adapter.ledger else {}
    for scope in scopes.values():
        cited = Evidence(path=path, tag=scope.name, value=scope.total)
        yield Total(value=Decimal(scope.total), what=scope.label, evidence=(cited,))
    if isinstance(adapter.trainable, Quantity) and "trainable" not in scopes:
        value = Decimal(int(adapter.trainable.value))
        yield Total(value=value, what="trainable parameters of the adapter")
    packed, both = scopes.get("packed"), scopes.get("base_and_adapter")
    if packed and both:
        value = Decimal(both.total) - Decimal(packed.total) / 2
        yield Total(value=value, what="base and adapter, two 4-bit weights stored in one byte")
    if adapter.stored is not None:
        yield Total(value=Decimal(adapter.stored.total), what="what the adapter's file stores")
    yield from _of_adapted(adapter)


def _of_adapted(adapter: AdapterFacts) -> Iterator[Total]:
    """Yield what an adapter's matrices have: those it leaves alone, those on either side."""
    sizes = [
        tuple(int(term.values[key]) for key in _SIZES)
        for term in (adapter.ledger.terms if adapter.ledger else ())
        if all(key in term.values for key in _SIZES)
    ]
    if sizes:
        frozen = sum(n * inputs * outputs for n, _, inputs, outputs in sizes)
        yield Total(value=Decimal(frozen), what="frozen weights of the adapted matrices")
        before = sum(n * rank * inputs for n, rank, inputs, _ in sizes)
        yield Total(value=Decimal(before), what="first added matrices (A)")
        behind = sum(n * rank * outputs for n, rank, _, outputs in sizes)
        yield Total(value=Decimal(behind), what="second added matrices (B)")


_SIZES = ("n", "r", "d_in", "d_out")


def shares(facts: Facts) -> Iterator[Total]:
    """Yield the percentages of parameters that adapters train, of every legal whole."""
    for adapter in facts.adapters:
        totals = {total.what: total for total in _of_adapter(adapter)}
        if not isinstance(adapter.trainable, Quantity):
            continue
        trained = Decimal(int(adapter.trainable.value))
        for what, total in totals.items():
            if total.value > trained:
                share = 100 * trained / total.value
                yield Total(value=share, what=f"{trained} of {total.value:f} ({what})")


def _lattice(model: ModelFacts, left_out: set[str]) -> Iterator[Total]:
    """Yield every choice of the parts that a count may hold or not."""
    terms = [t for t in model.ledger.terms if t.count and t.role not in left_out]
    there = [role for role in _OPTIONAL if any(term.role == role for term in terms)]
    core = sum(t.count for t in terms if t.role not in {*_OPTIONAL, "token_head"})
    sums = {role: sum(t.count for t in terms if t.role == role) for role in there}
    again = tied_again(model.ledger)
    chosen = chain.from_iterable(combinations(there, n) for n in range(len(there) + 1))
    for roles in chosen:
        value = core + sum(sums[role] for role in roles)
        held = ", ".join(_WORDS[role] for role in roles) or "nothing else"
        what = f"weights and embeddings with {held}"
        what += f", without {', '.join(sorted(left_out))}" if left_out else ""
        cited = (_cite(model, "terms", value),)
        yield Total(
            value=Decimal(value), what=what, roles=frozenset(roles), named=False, evidence=cited
        )
        if again and "lm_head" in roles:
            both = f"{what}, the tied projection counted twice"
            yield Total(
                value=Decimal(value + again),
                what=both,
                roles=frozenset(roles),
                named=False,
                evidence=cited,
            )


def tied_again(ledger: Ledger) -> int:
    """Return what a tied projection adds where somebody counts it a second time, else 0."""
    word = next((term for term in ledger.terms if term.name == "embeddings.word"), None)
    tied = any(term.formula == Constant(0) for term in ledger.terms)
    return word.count if word and tied else 0


def part_totals(model: ModelFacts) -> Iterator[Total]:
    """Yield what parts of a model have: each kind of weight, in all layers, in one, in one head."""
    terms = [term for term in model.ledger.terms if term.count]
    heads = model.config.values.get("num_attention_heads") or model.config.values.get("n_head")
    for part, roles in _PARTS.items():
        own = [term for term in terms if term.role in roles]
        for group, name in _groups(part, own, terms):
            total, layers = sum(t.count for t in group), {t.repeat for t in group if t.repeat > 1}
            yield _part(model, total, f"{name}, all layers" if layers else name, part)
            if len(layers) == 1:
                repeat = layers.pop()
                inside = sum(t.count // t.repeat for t in group if t.repeat > 1)
                yield _part(model, inside, f"{name} of one of {repeat} layers", part)
                if part == "attention" and isinstance(heads, int) and heads > 0:
                    yield _part(model, inside // heads, f"{name} of one of {heads} heads", part)
    yield from _positions(model, terms)


_PARTS = {
    "embedding": ("embedding", "position", "token_type"),
    "position": ("position",),
    "attention": ("attention",),
    "feed-forward": ("ffn",),
    "norm": ("norm",),
    "bias": ("bias",),
    "head": ("lm_head", "head", "pooler"),
    "layer": ("attention", "ffn"),
}


def _groups(part: str, own: list[Term], terms: list[Term]) -> Iterator[tuple[list[Term], str]]:
    """Yield choices of a part's terms with words for them: one, all, all with their biases."""
    for term in own:
        yield [term], term.label
    if len(own) > 1:
        yield own, f"{part} weights"
    words = {"attention": "attention", "feed-forward": "ffn", "layer": ""}
    if part in words and own:
        biases = [t for t in terms if t.role == "bias" and t.name.startswith(words[part])]
        norms = [t for t in terms if t.role == "norm" and t.repeat > 1]
        inner = [term for term in own if "output" not in term.name]
        if part == "attention" and len(inner) < len(own):
            yield inner, "query, key and value projections"
        if biases:
            yield [*own, *biases], f"{part} weights and biases"
        if part == "layer":
            yield [*own, *biases, *norms], "weights, biases and norms"
    if part == "embedding":
        tables = [t for t in own if t.role != "token_type"]
        norms = [t for t in terms if t.name == "embeddings.norm"]
        yield tables, "word and position embeddings"
        yield [*tables, *norms], "word and position embeddings and their norm"
        yield [*own, *norms], "all embeddings and their norm"


def _positions(model: ModelFacts, terms: list[Term]) -> Iterator[Total]:
    """Yield the table of positions without the two rows of its offset."""
    position = next((t for t in terms if t.name == "embeddings.position"), None)
    width = model.ledger.symbols.get("d", ("", 0))[1]
    if position and width:
        yield _part(
            model, position.count - 2 * int(width), "position embeddings less two rows", "position"
        )


def _part(model: ModelFacts, value: int, what: str, part: str) -> Total:
    return Total(value=Decimal(value), what=what, part=part, evidence=(_cite(model, what, value),))


def _cite(model: ModelFacts, tag: str, value: int) -> Evidence:
    path = model.checkpoint.source.path if model.checkpoint else model.config.source.path
    return Evidence(path=path, tag=tag, value=value)
