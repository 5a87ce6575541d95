"""Formulas of a model's sizes in words: `3 x (hidden size x hidden size) parameters per head`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from reportgen.checking.settings._totals import PART, Total
from reportgen.checking.settings._words import Lexicon, Word, name_before, words_of
from reportgen.records.manuscript import Block
from reportgen.records.record import record
from reportgen.records.verdict import Verdict

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
