"""Tokens of mathematics to expressions, without recursion that a stranger's text could drive."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.claims._math_text import bare
from reportgen.claims._math_tokens import Token
from reportgen.claims._math_words import SENTENCE
from reportgen.records.formula import (
    Constant,
    Difference,
    Expression,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    symbols,
)

DEEPEST = 40
"""Brackets inside brackets that are followed."""
_OPENERS, _CLOSERS = {"(", "{"}, {")", "}"}
_PARTNERS = {"(": ")", "[": "]", "{": "}"}


class MathError(ValueError):
    """The text is no arithmetic that can be read; its message says why, as a clause."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """How to read what mathematics leaves open.

    Attributes:
        latex: Letters side by side are factors, not one name.
        braces: What stands over a brace is a group of its own.
        tight: `a / b c` divides by both.
    """

    latex: bool = False
    braces: bool = False
    tight: bool = False


def parse(tokens: Sequence[Token], grammar: Grammar) -> Expression:
    """Return the expression of one side of an equation.

    Raises:
        MathError: It cannot be read.
    """
    parser = _Parser(_named(tokens if grammar.braces else bare(tokens), grammar), grammar)
    tree = parser.sum(0)
    if parser.at < len(parser.tokens):
        raise MathError(f"“{parser.tokens[parser.at].text}” cannot be read there")
    if parser.units and next(symbols(tree), None) is not None:
        raise MathError("words behind a number may be its unit or a factor")
    return tree


def _named(tokens: Sequence[Token], grammar: Grammar) -> list[Token]:
    """Join words to names, and read `Dimension2` and `d2model` as the squares they were."""
    joined: list[Token] = []
    for token in tokens:
        if token.kind == "label" and not (joined and joined[-1].kind == "sum"):
            continue
        last = joined[-1] if joined else None
        if last is not None and _one_name(last, token, grammar):
            text = f"{last.text} {token.text}"
            joined[-1] = replace(last, text=text, end=token.end, words=True)
        else:
            joined.append(token)
    known = {token.text for token in joined if token.kind == "name"}
    return [piece for token in joined for piece in _squares(token, known)]


def _one_name(last: Token, token: Token, grammar: Grammar) -> bool:
    """Say whether two names are the words of one."""
    if last.kind != "name" or token.kind != "name" or last.subscript or token.subscript:
        return False
    if len(last.text) == len(token.text) == 1:
        return False
    both = last.words and token.words
    return both or not grammar.latex or (token.apart and min(len(last.text), len(token.text)) > 1)


def _squares(token: Token, known: set[str]) -> list[Token]:
    """Split the exponent off a name that lost its raised position."""
    if token.kind != "name" or token.subscript:
        return [token]
    inside = re.fullmatch(r"([A-Za-z])([23])([A-Za-z]{2,20})", token.text)
    behind = re.fullmatch(r"(.*[A-Za-z]{3})([23])", token.text)
    name = ""
    if inside and inside[1] + inside[3] in known:
        name, power = inside[1] + inside[3], inside[2]
    elif behind and (behind[1] in known or " " in behind[1]):
        name, power = behind[1], behind[2]
    if not name:
        return [token]
    exponent = Token("number", power, token.end, token.end, value=Decimal(power))
    return [replace(token, text=name), Token("^", "^", token.end, token.end), exponent]


class _Parser:
    """Recursive descent, `DEEPEST` brackets deep at most.

    Attributes:
        units: Words behind numbers were passed over as their units.
    """

    def __init__(self, tokens: list[Token], grammar: Grammar) -> None:
        self.tokens, self.grammar = tokens, grammar
        self.at = 0
        self.units = False

    def peek(self) -> str:
        """Return the kind of the next token, or nothing at the end."""
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def sum(self, depth: int) -> Expression:
        """Read terms that are added and subtracted, in one flat tree."""
        if depth > DEEPEST:
            raise MathError(f"its brackets nest deeper than {DEEPEST}")
        plus: list[Expression] = []
        minus: list[Expression] = []
        target = plus
        if self.peek() in {"+", "-"}:
            target = minus if self.peek() == "-" else plus
            self.at += 1
        while True:
            target.extend(self._spliced(depth))
            if self.peek() not in {"+", "-"}:
                break
            target = minus if self.peek() == "-" else plus
            self.at += 1
        if not minus:
            return _of(Sum, plus)
        return Difference(_of(Sum, plus) if plus else Constant(0), _of(Sum, minus))

    def _spliced(self, depth: int) -> list[Expression]:
        """Read one term; a sum in brackets that stands alone gives its terms."""
        term = self.term(depth)
        return list(term.terms) if isinstance(term, Sum) else [term]

    def term(self, depth: int) -> Expression:
        """Read factors that are multiplied and divided."""
        above: list[Expression] = []
        below: list[Expression] = []
        target, divided = above, False
        self._factor_into(target, depth)
        while True:
            kind = self.peek()
            if kind in {"*", "/"}:
                self.at += 1
                target, divided = (below, True) if kind == "/" else (above, False)
            elif self._adjacent():
                if divided and not self.grammar.tight:
                    target, divided = above, False
            else:
                break
            self._factor_into(target, depth)
        product = _of(Product, above)
        return Quotient(product, _of(Product, below)) if below else product

    def _adjacent(self) -> bool:
        """Say whether a factor follows without a sign of multiplication."""
        kind = self.peek()
        if kind not in {"number", "name", "(", "{", "frac", "sqrt", "sum"}:
            return False
        last, token = self.tokens[self.at - 1], self.tokens[self.at]
        if kind == "number":
            # `)2` is a square that lost its place, or a product: both are guesses.
            raise MathError(f"“{last.text} {token.text}” has no sign between its parts")
        named = last.kind == "name"
        if kind == "(" and named and len(last.text) > 1 and not last.subscript:
            raise MathError(f"“{last.text}” stands before a bracket like a function")
        if kind == "name" and last.kind == "number" and not self.grammar.latex:
            # Text: `24dmodel` is a product, `512 parameters` a number and its unit.
            return not token.apart or bool(token.subscript) or len(token.text) == 1
        return True

    def _factor_into(self, target: list[Expression], depth: int) -> None:
        factor = self.factor(depth)
        target.extend(factor.factors if isinstance(factor, Product) else (factor,))

    def factor(self, depth: int) -> Expression:
        """Read one factor with its exponent and its unit."""
        base = self.primary(depth)
        if self.peek() == "^":
            self.at += 1
            base = Power(base, self._exponent())
        if self.peek() == "unit":
            self.at += 1
        if isinstance(base, Constant):
            self._skip_unit_words()
        return base

    def _skip_unit_words(self) -> None:
        """Pass words behind a number, `4 layers × 512`: they say what it counts."""
        if self.peek() != "name":
            return
        token = self.tokens[self.at]
        follows = self.tokens[self.at + 1].kind if self.at + 1 < len(self.tokens) else ""
        if token.apart and not token.subscript and len(token.text) > 2 and follows != "^":
            words = token.words or not self.grammar.latex
            self.at += words
            self.units |= words

    def _exponent(self) -> int:
        """Read a whole exponent, bare or in braces."""
        sign, wrapped = 1, False
        if self.peek() in _OPENERS:
            wrapped = True
            self.at += 1
        if self.peek() == "-":
            sign = -1
            self.at += 1
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or token.kind != "number" or token.value > 10**6 or token.value % 1:
            raise MathError("an exponent is no whole number")
        self.at += 1
        if wrapped:
            if self.peek() not in _CLOSERS:
                raise MathError("an exponent is no whole number")
            self.at += 1
        return sign * int(token.value)

    def primary(self, depth: int) -> Expression:
        """Read a number, a name, a bracket, a fraction, a root or a repeated sum."""
        if self.at >= len(self.tokens):
            raise MathError("it ends where a number is due")
        token = self.tokens[self.at]
        self.at += 1
        match token.kind:
            case "number":
                return _constant(token.value)
            case "name":
                return _symbol(token)
            case "(":
                return self._bracket(token, depth)
            case "{":
                return self._braces(depth)
            case "frac":
                return Quotient(self._group(depth), self._group(depth))
            case "sqrt":
                return Root(self._group(depth))
            case "sum":
                return self._repeated(depth)
        raise MathError(f"“{token.text}” cannot be read there")

    def _bracket(self, opener: Token, depth: int) -> Expression:
        inner = self.sum(depth + 1)
        closer = self.tokens[self.at] if self.at < len(self.tokens) else None
        if closer is None or closer.text != _PARTNERS[opener.text]:
            raise MathError("a bracket does not close")
        self.at += 1
        return inner

    def _braces(self, depth: int) -> Expression:
        inner = self.sum(depth + 1)
        if self.peek() != "}":
            raise MathError("a brace does not close")
        self.at += 1
        return inner

    def _group(self, depth: int) -> Expression:
        """Read what a fraction or root takes: a group, or one factor."""
        if self.peek() in _OPENERS:
            return self.primary(depth)
        return self.primary(depth + 1)

    def _repeated(self, depth: int) -> Expression:
        """Read a sum over equal terms as a product: its upper bound times the term."""
        below = re.fullmatch(r"\s*([A-Za-z])\s*=\s*1\s*", self._label())
        if below is None or self.peek() != "^":
            raise MathError("the bounds of a sum cannot be read")
        self.at += 1
        upper = self._group(depth)
        body = self.term(depth + 1)
        if any(symbol.name == below[1] for symbol in symbols(body)):
            raise MathError("the terms of a sum are not equal")
        return _of(Product, [upper, *(body.factors if isinstance(body, Product) else (body,))])

    def _label(self) -> str:
        """Return what stands below the sign just read."""
        if self.peek() != "label":
            return ""
        self.at += 1
        return self.tokens[self.at - 1].text


def _of(kind: type[Sum | Product], parts: Sequence[Expression]) -> Expression:
    """Return a sum or product of several parts, or the only one."""
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _constant(value: Decimal) -> Constant:
    """Return a number as a leaf: whole where it is."""
    return Constant(int(value)) if value == value.to_integral_value() else Constant(float(value))


def _symbol(token: Token) -> Symbol:
    """Return a name as a leaf, without an article before it."""
    words = token.text.split()
    if any(word.casefold() in SENTENCE for word in words[1:] or words if len(word) > 1):
        raise MathError(f"“{token.text}” is a sentence")
    if words[0].casefold() in {"the", "le", "la", "les", "our"}:
        words = words[1:]
    return Symbol(" ".join(words) or token.text, token.subscript)
