"""Formulas of a model's sizes in words: `3 x (hidden size x hidden size) parameters per head`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, combinations

from reportgen.checking.settings._known import Known
from reportgen.checking.settings._words import Lexicon, Word, name_before, words_of
from reportgen.records.checkpoint import Ledger, Term
from reportgen.records.errors import ReportgenError
from reportgen.records.facts import AdapterFacts, Facts, ModelFacts
from reportgen.records.formula import Constant
from reportgen.records.manuscript import Block
from reportgen.records.quantity import Quantity
from reportgen.records.record import record
from reportgen.records.verdict import Trace, Verdict

WHOLE, TRAINED, PART = "whole", "trained", "part"
_OPTIONAL = (
    *("bias", "norm", "token_type", "pooler", "lm_head", "head", "token_head", "position"),
    "embedding",
)
"""Roles that a count may leave out or take in."""
_NAMED = frozenset({"embedding", "position", "attention", "ffn", "norm", "bias", "head"})
_TOTAL_HEADS = ("lm_head", "head", "pooler", "token_head")


@record(kw_only=False)
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
    return frozenset("head" if role in _TOTAL_HEADS else role for role in roles) & _NAMED


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
    """Yield what kinds of tensors have, alone and with others, in all layers and in one.

    Of the norms a layer has two, one behind each of its networks.
    """
    norms = sum(t.count for t in terms if t.role == "norm" and t.repeat > 1)
    for what, group, parts, halves in _groups(terms):
        total, names = sum(t.count for t in group) + norms * halves // 2, frozenset(parts)
        label = f"{side} {what}".strip()
        yield Total(total, label, PART, names, path=path)
        repeats = {term.repeat for term in group}
        if len(repeats) == 1 and min(repeats) > 1:
            each = f"{label} of one of {min(repeats)} layers"
            yield Total(total // min(repeats), each, PART, names, one=True, path=path)


def _groups(terms: Sequence[Term]) -> Iterator[tuple[str, Sequence[Term], Iterable[str], int]]:
    """Yield (what it is, terms, words for it, norms of a layer) of what is counted together."""

    def some(*roles: str, word: str = "") -> list[Term]:
        return [t for role in roles for t in terms if t.role == role and word in t.name]

    attention, ffn = some("attention"), some("ffn")
    inner = [t for t in attention if "output" not in t.name]
    tables, norm = some("embedding", "position"), some("norm", word="embeddings")
    typed = [*tables, *some("token_type")]
    found: list[tuple[str, Sequence[Term], Iterable[str], int]] = [
        *((term.label, [term], _parts([term.role]), 0) for term in terms),
        *((role.replace("_", " "), some(role), ["head"], 0) for role in _TOTAL_HEADS),
        ("query, key and value projections", inner, ["attention"], 0),
        ("word and position embeddings", tables, ["embedding"], 0),
        ("embeddings", typed, ["embedding"], 0),
        ("word and position embeddings, norm", [*tables, *norm], ["embedding", "norm"], 0),
        ("embeddings and their norm", [*typed, *norm], ["embedding", "norm"], 0),
    ]
    layers = (("attention", attention, 1), ("ffn", ffn, 1), ("layer", [*attention, *ffn], 2))
    for name, weights, halves in layers:
        owners = {t.name.rsplit(".", 2)[0] for t in weights}
        biases = [t for t in some("bias") if t.name.rpartition(".")[0] in owners]
        for extra in (0, halves):
            more, said = ["norm"] * bool(extra), ", norms" * bool(extra)
            found.append((f"{name} weights{said}", weights, [name, *more], extra))
            whole = [*weights, *biases]
            found.append((f"{name} weights, biases{said}", whole, [name, "bias", *more], extra))
    yield from (one for one in found if one[1])


def _of_adapter(adapter: AdapterFacts, model: ModelFacts | None) -> Iterator[Total]:
    """Yield an adapter's counts; beside a model without a name of its own, those on that model."""
    if adapter.base is None and model is not None and not isinstance(adapter.trainable, Quantity):
        from reportgen.parameters import describe_adapter

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
    terms = adapter.ledger.terms if adapter.ledger else ()
    added = sum(term.count for term in terms if term.role == "adapter")
    if added:
        yield Total(added, "matrices that the adapter adds", TRAINED, path=path)
    for term in terms:
        yield Total(term.count, f"adapter: {term.label}", PART, path=path)


RULE = "formula"
_TIMES = frozenset("*×·x")
_MOST_WORDS = 6
_HEADS = frozenset({"head", "heads", "tête", "têtes"})
_EACH = frozenset({"each", "per", "every", "one", "par", "chaque", "une"})
_FORMS = ("name", "assigned")


@record(kw_only=False, frozen=False)
class _Parser:
    """Reads one formula from a place in a text.

    Attributes:
        words: Of the text.
        at: Index of the next word.
        sizes: Value of each setting of the model.
        lexis: Words for settings.
        names: How many names were read.
        times: How many products.
    """

    words: Sequence[Word]
    at: int
    sizes: Mapping[str, Decimal]
    lexis: Lexicon
    names: int = 0
    times: int = 0

    def sum(self) -> Decimal | None:
        """Read a sum of products; None where none stands here."""
        value = self._product()
        while value is not None and self._is("+"):
            start, self.at = self.at, self.at + 1
            more = self._product()
            if more is None:
                self.at = start
                break
            value += more
        return value

    def _is(self, *signs: str) -> bool:
        return self.at < len(self.words) and self.words[self.at].text in signs

    def _product(self) -> Decimal | None:
        value = self._factor()
        while value is not None and self._is(*_TIMES):
            start, self.at = self.at, self.at + 1
            more = self._factor()
            if more is None:
                self.at = start
                break
            value, self.times = value * more, self.times + 1
        return value

    def _factor(self) -> Decimal | None:
        if self._is("("):
            start, self.at = self.at, self.at + 1
            value = self.sum()
            if value is None or not self._is(")"):
                self.at = start
                return None
            self.at += 1
            return value
        digits = self.words[self.at].text.replace(",", "") if self.at < len(self.words) else ""
        if digits.isdecimal():
            self.at += 1
            return Decimal(digits)
        return self._size()

    def _size(self) -> Decimal | None:
        """Read the longest name of a size."""
        for last in range(min(len(self.words), self.at + _MOST_WORDS) - 1, self.at - 1, -1):
            named = name_before(self.words, last, _FORMS, self.lexis)
            if named is not None and named.first == self.at:
                for key in (named.key, *self.lexis.also.get(named.key, ())):
                    if key in self.sizes:
                        self.at, self.names = last + 1, self.names + 1
                        return self.sizes[key]
        return None


def check_formulas(
    block: Block, sizes: Mapping[str, Decimal], totals: Sequence[Total], lexis: Lexicon
) -> Iterator[Verdict]:
    """Yield what the formulas of a text come to with the sizes of the model.

    Args:
        block: A text.
        sizes: Value of each setting of the model.
        totals: Every legal count.
        lexis: Words for settings.
    """
    words = words_of(block.text)
    at = 0
    while at < len(words):
        parser = _Parser(words, at, sizes, lexis)
        value = parser.sum()
        if value is not None and parser.names and parser.times:
            yield from _verdict(block, parser, at, value, totals)
        at = max(at + 1, parser.at if value is not None else 0)


def _verdict(
    block: Block, parser: _Parser, first: int, value: Decimal, totals: Sequence[Total]
) -> Iterator[Verdict]:
    """Say which count a formula is; that of all heads is not that of each."""
    equal = [total for total in totals if total.value == value and total.named]
    start, end = parser.words[first].start, parser.words[parser.at - 1].end
    next_words = parser.words[parser.at : parser.at + _MOST_WORDS]
    behind = {word.text.casefold() for word in next_words}
    heads = parser.sizes.get("num_attention_heads", Decimal(1))
    layers = [t for t in equal if t.kind == PART and t.one and "attention" in t.parts]
    alone = layers and not any(total.value * heads == value for total in equal)
    place, quote = block.place(start, end), " ".join(block.text[start:end].split())[:200]
    bound = bool(_HEADS & behind and _EACH & behind)
    if bound and heads > 1 and alone:
        total = layers[0]
        yield Verdict(
            outcome="contradicted",
            rule=RULE,
            place=place,
            quote=quote,
            level="error",
            bindings=("formula", "words"),
            traces=(total.trace,),
            expected=f"{value / heads:,f}",
            message=f"the report says {quote} for each head; that is {value:,f}, which "
            f"{total.path} has as {total.what}, of {heads} heads together",
        )
    elif equal and not bound:
        yield Verdict(
            outcome="traced",
            rule=RULE,
            place=place,
            quote=quote,
            bindings=("formula",),
            traces=(equal[0].trace,),
        )
