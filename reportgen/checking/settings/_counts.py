"""What is said of numbers of parameters: counts, shares, and sizes inside of formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, combinations, product

from reportgen.checking.context import Claiming
from reportgen.checking.settings._known import Known, Lexicon, Word, name_before, words_of
from reportgen.checking.settings._verdicts import is_slip
from reportgen.checking.verdicts import verdict_on
from reportgen.records.checkpoint import Ledger, Term
from reportgen.records.errors import ReportgenError
from reportgen.records.facts import AdapterFacts, Facts, ModelFacts
from reportgen.records.formula import Constant
from reportgen.records.manuscript import Block, Manuscript
from reportgen.records.quantity import Quantity
from reportgen.records.record import record, replace
from reportgen.records.verdict import Number, Trace, Verdict

# Formulas of a model's sizes in words: `3 x (hidden size x hidden size) parameters per head`.

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


_FORMULA_RULE = "formula"
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
            yield from _formula_verdict(block, parser, at, value, totals)
        at = max(at + 1, parser.at if value is not None else 0)


def _formula_verdict(
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
            rule=_FORMULA_RULE,
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
            rule=_FORMULA_RULE,
            place=place,
            quote=quote,
            bindings=("formula",),
            traces=(equal[0].trace,),
        )


RULE = "count"
_LEAST = 1000
_DISTINCT = 10_000
_PARTS = frozenset({"embedding", "position", "attention", "ffn", "norm", "head", "layer"})
_YEARS = (1900, 2100)
_OPERATOR = re.compile(r"\s*(?:[×*·^]|\(\s?[\d(]|x\s?[\d(]|\\(?:times|cdot))")
_OPERATOR_BEFORE = re.compile(r"(?:[×*·(]|[\d)]\s?x|\\(?:times|cdot))$")
_SMALLEST_SIZE = 16
_FEWEST_ROWS = 3


@record(kw_only=False, frozen=False)
class Count:
    """A number that may count parameters.

    Attributes:
        number: The number.
        tags: Which parts and wholes the words around it name.
        speaks: Whether they speak of parameters.
        section: Which heading it stands under.
        unit: What its last printed place is worth; 1 for a number that is not rounded.
        hits: What it is equal to.
    """

    number: Number
    tags: frozenset[str]
    speaks: bool
    section: int
    unit: Decimal
    hits: tuple[Total, ...] = ()

    @property
    def value(self) -> Decimal:
        """As printed."""
        return self.number.printed.value


class Counts:
    """Says what is to be said of the numbers of parameters of one report.

    Args:
        manuscript: The report.
        numbers: Its numbers.
        totals: Every legal count.
        known: Everything else that the evidence has.
        lexis: Words for parts.
    """

    def __init__(
        self,
        manuscript: Manuscript,
        numbers: Sequence[Claiming],
        totals: Sequence[Total],
        known: Sequence[Known],
        lexis: Lexicon,
    ) -> None:
        self.blocks, self.totals, self.lexis = manuscript.blocks, totals, lexis
        self.numbers = [one.number for one in numbers if not one.reason and not one.number.spread]
        self.whole = {one.value: one for one in known if isinstance(one.value, Decimal)}
        self.sizes = {
            one.value: one
            for one in known
            if one.owner.startswith("model ") and isinstance(one.value, Decimal)
        }
        self.exact: dict[int, list[Total]] = {}
        for total in totals:
            self.exact.setdefault(total.value, []).append(total)
        self.counts: list[Count] = []
        section = 0
        sections = []
        for index, block in enumerate(self.blocks):
            section = index if block.type == "heading" else section
            sections.append(section)
        for position, number in enumerate(self.numbers):
            if number.printed.unit == "" and number.printed.value >= _LEAST:
                self.counts.append(self._count(position, sections[number.block]))

    def verdicts(
        self,
        facts: Facts | None,
        beside: Callable[[int], Iterable[str]],
        named: Collection[str] = (),
    ) -> Iterator[Verdict]:
        """Yield what agrees, and what words and neighbours speak against.

        Args:
            facts: Whose ledger explains a difference.
            beside: Section to the owners that most of its settings are of.
            named: Ids of the numbers that stand beside the name of a setting.
        """
        for one in self.counts:
            if one.hits:
                yield _verdict(one.number, [hit.trace for hit in one.hits[:3]])
            elif one.speaks and self.totals and one.unit == 1:
                expected = self._expected(one, beside)
                if expected is not None:
                    yield self._accused(one, expected, facts)
        done = {one.number.id for one in self.counts if one.hits}
        for number in self.numbers:
            if number.id not in done:
                yield from self._size(number) if number.id not in named else ()
                yield from self._share(number) if self.totals else ()

    # -- reading --------------------------------------------------------------------------

    def _count(self, position: int, section: int) -> Count:
        number = self.numbers[position]
        context, printed = number.context, number.printed
        if number.row is not None:
            own = context.row
            around = f"{own} {context.head} {context.caption}"
        else:
            own = self._clause(position)
            around = f"{own} {context.sentence}"
            if number.type in {"equation", "code", "output"}:
                above = self.blocks[max(0, number.block - 2) : number.block + 1]
                around += " ".join(block.text[-200:] for block in above)
        marks = self.lexis.marks["_count"]
        speaks = any(w.text.casefold() in marks for w in words_of(around))
        unit = Decimal(1).scaleb(-min(printed.decimals, 0))
        digits = str(int(printed.value))
        zeros = len(digits) - len(digits.rstrip("0"))
        if printed.decimals >= 0 and zeros >= 3 and printed.value == printed.value.to_integral():
            unit = Decimal(10) ** zeros
        one = Count(number, self._tags(own), speaks, section, unit)
        one.hits = tuple(self._hits(one))
        return one

    def _clause(self, position: int) -> str:
        """Return the words between a number and those beside it, in its sentence."""
        number, sentence = self.numbers[position], self.numbers[position].context.sentence
        start, end = 0, len(sentence)
        offset = number.context.offset
        for other in self.numbers[max(0, position - 1) : position + 2]:
            if other.block == number.block and other.context.sentence == sentence:
                if other.context.offset < offset:
                    start = max(start, other.context.offset + other.end - other.start)
                elif other.context.offset > offset:
                    end = min(end, other.context.offset)
        before, after = sentence[start:offset], sentence[offset + number.end - number.start : end]
        return f"{before} {re.split('[|;:]', after)[0]}"

    def _tags(self, text: str) -> frozenset[str]:
        words = [word.bare for word in words_of(text) if word.bare]
        found: set[str] = set()
        for first in range(len(words)):
            for size in (1, 2, 3):
                hit = self.lexis.key_of("".join(words[first : first + size]), ("part",))
                found.update((hit[0],) if hit else ())
        return frozenset(found)

    def _hits(self, one: Count) -> Iterator[Total]:
        distinct = one.value >= _DISTINCT and one.value % _LEAST
        if one.speaks or distinct:
            for total in self.exact.get(int(one.value), ()):
                if total.value == one.value and _fits(one, total):
                    yield total
        for total in self.totals if one.speaks and one.unit > 1 else ():
            near = abs(total.value - one.value) < one.unit
            if near and total.named and _fits(one, total) and total.kind != PART:
                yield total

    # -- against --------------------------------------------------------------------------

    def _expected(self, one: Count, beside: Callable[[int], Iterable[str]]) -> Total | None:
        """Return what should stand there, where words and neighbours bind it."""
        slips = [t for t in self.totals if t.named and t.kind != PART and _is_slip(one, t)]
        if len({total.value for total in slips}) == 1:
            return slips[0]
        parts = (one.tags & _PARTS) if "without" not in one.tags else frozenset[str]()
        if one.number.row is not None:
            return self._of_row(one, parts)
        models = any(owner.startswith("model ") for owner in beside(one.section))
        right = [c for c in self.counts if c.section == one.section and c.hits and c.unit == 1]
        apart = {total.value for other in right for total in other.hits}
        if parts - {"layer"} or not (models or len(apart) > 1):
            return None
        trained = "trained" in one.tags and "all" not in one.tags
        found = self._nearest(one, TRAINED, right) if trained else None
        return found or self._nearest(one, WHOLE, right)

    def _of_row(self, one: Count, parts: frozenset[str]) -> Total | None:
        """Return what a row's label calls, where three rows are right and few are not."""
        place = (one.number.block, one.number.column)
        column = [c for c in self.counts if (c.number.block, c.number.column) == place]
        right = sum(bool(c.hits) for c in column)
        if right < _FEWEST_ROWS or 2 * (len(column) - right) > right:
            return None
        if not parts:
            kind = TRAINED if "trained" in one.tags else WHOLE
            named = one.tags & {"all", "trained", "without"}
            return self._nearest(one, kind, column) if named else None
        single = bool(one.tags & {"one", "layer"}) and not one.number.context.row[:1].isdigit()
        parts = parts - {"layer"} or parts
        alike = [
            total
            for total in self.totals
            if total.kind == PART and total.parts - {"bias"} == parts and total.one == single
        ]
        biased = sum("bias" in hit.parts for c in column for hit in c.hits[:1]) > 1
        alike.sort(
            key=lambda total: (("bias" in total.parts) != biased, abs(total.value - one.value))
        )
        best = next(iter(alike), None)
        if best is None or not _of_one_size(one.value, best.value):
            return None
        # More by exactly another part: the row is of both.
        more = one.value - best.value
        return None if more > 0 and int(more) in self.exact else best

    def _nearest(self, one: Count, kind: str, beside: Iterable[Count]) -> Total | None:
        """Return the named count of a kind that is nearest, and within a factor of two.

        One that a part parts from what stands beside it comes first.
        """
        alike = [t for t in self.totals if t.kind == kind and t.named and t.value]
        if "without" in one.tags:
            alike = [t for t in alike if t.parts and not t.parts & one.tags] or alike
        wholes = [
            int(other.value) for other in beside if other.hits and other.hits[0].kind == WHOLE
        ]

        def order(total: Total) -> tuple[bool, Decimal]:
            apart = any(whole - total.value in self.exact for whole in wholes)
            return not apart, abs(total.value - one.value)

        near = min(alike, key=order, default=None)
        return near if near is not None and _of_one_size(one.value, near.value) else None

    def _accused(self, one: Count, expected: Total, facts: Facts | None) -> Verdict:
        cause = ""
        if facts is not None and facts.model is not None and expected.kind == WHOLE:
            from reportgen.parameters import explain

            found = explain(facts.model.ledger, int(one.value))
            cause = found.text if found.scope is not None else ""
        return replace(
            _verdict(one.number, [expected.trace], "words", "neighbour"),
            outcome="contradicted",
            level="error",
            expected=f"{expected.value:,}",
            cause=cause,
            message=f"the report says {one.number.printed.text} parameters; "
            f"{expected.path} gives {expected.value:,} as {expected.what}",
        )

    # -- sizes and shares -----------------------------------------------------------------

    def _size(self, number: Number) -> Iterator[Verdict]:
        """Trace a size of the model inside of a formula, and a count that a file has."""
        value, sentence = number.printed.value, number.context.sentence
        start = number.context.offset
        known = self.sizes.get(value) if value >= _SMALLEST_SIZE else None
        if known is not None and not _OPERATOR.match(sentence, start + number.end - number.start):
            # Outside of a formula it is any number.
            known = known if _OPERATOR_BEFORE.search(sentence[:start].rstrip()[-8:]) else None
        plain = number.printed.decimals == 0 and number.row is None and value >= _LEAST
        if known is None and plain and not _YEARS[0] <= value <= _YEARS[1]:
            known = self.whole.get(value)
        if known is not None:
            yield _verdict(number, [known.trace])

    def _share(self, number: Number) -> Iterator[Verdict]:
        """Hold a percentage against the counts that its words name, or that stand beside it."""
        printed, sentence = number.printed, number.context.sentence
        before = sentence[: number.context.offset].rstrip()
        named = before.endswith((":", "=")) and before[:-1].rstrip().endswith("%")
        if printed.unit != "percent" and not named:
            return
        tags = self._tags(sentence)
        wholes = [t for t in self.totals if t.kind == WHOLE and t.value]
        parts = [t for t in self.totals if t.kind == TRAINED] if "trained" in tags else []
        if not parts and tags & _PARTS:
            parts = [t for t in self.totals if t.kind == PART and t.parts & tags and not t.one]
        for part, whole in product(parts, wholes):
            if abs(_percent(part.value, whole.value) - printed.value) <= printed.half_unit:
                what = f"{part.value:,} of {whole.value:,} ({part.what} of {whole.what})"
                share = part.value / whole.value
                yield _verdict(number, [Trace(what=what, value=share, path=part.path)])
                return
        if "trained" in tags:
            yield from self._wrong_share(number)

    def _wrong_share(self, number: Number) -> Iterator[Verdict]:
        """Tell a percentage that is not that of the two counts beside it, which are right."""
        printed, sentence = number.printed, number.context.sentence
        beside = sorted(
            (c for c in self.counts if c.hits and c.number.context.sentence == sentence),
            key=lambda count: count.value,
        )
        if not beside or beside[0].value == beside[-1].value:
            return
        few, many = beside[0], beside[-1]
        if few.number.block != number.block or all(hit.kind != TRAINED for hit in few.hits):
            return
        share = _percent(int(few.value), int(many.value))
        fraction = abs(share / 100 - printed.value) <= printed.half_unit
        if not fraction and not share / 10 <= printed.value <= share * 10:
            return
        text = f"{few.value:,} / {many.value:,}"
        right = share.quantize(Decimal(1).scaleb(-max(0, printed.decimals)))
        trace = Trace(what=text, value=float(share), path=few.hits[0].path)
        yield replace(
            _verdict(number, [trace], "formula", "neighbour"),
            outcome="contradicted",
            level="error",
            expected=f"{right} %",
            cause="a fraction, called percent" if fraction else "",
            message=f"the report says {printed.text} %; {text} is {right} %",
        )


def _fits(one: Count, total: Total) -> bool:
    """Say whether the words of a row allow a count: a part is not called a whole."""
    parts = one.tags & _PARTS
    if "trained" in one.tags and not parts:
        return total.kind != PART
    if one.number.row is None or not parts or "without" in one.tags:
        return True
    return total.kind != PART or not total.parts or bool(total.parts & parts) or "all" in one.tags


def _is_slip(one: Count, total: Total) -> bool:
    """Say whether a long count differs from another in one digit."""
    long = total.value >= _DISTINCT and total.value % _LEAST
    return bool(long) and is_slip(one.number.printed, Decimal(total.value))


def _of_one_size(one: Decimal, other: int) -> bool:
    """Say whether neither of two counts is twice the other."""
    return other < 2 * one and one < 2 * other


def _percent(part: int, whole: int) -> Decimal:
    return 100 * Decimal(part) / Decimal(whole)


def _verdict(number: Number, traces: Sequence[Trace], *bindings: str) -> Verdict:
    found = tuple(dict.fromkeys(traces))
    return verdict_on(
        number, RULE, quote=number.context.row, bindings=bindings or ("words",), traces=found
    )
