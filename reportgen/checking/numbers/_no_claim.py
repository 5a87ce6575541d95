r"""Numbers that claim nothing: of sections, figures, citations, tags, pages, seeds and layers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from reportgen.records.manuscript import Block

_FIRST = r"[ \u00a0~]{0,2}(?:n°|no\.|#|\()?[ \u00a0]?[A-Z]?\d{1,4}(?:\.\d{1,3}){0,4}[a-z]?\)?"
_JOIN = r"[ \u00a0]?(?:,|-|–|—|--|&|/|and|or|to|et|ou|à)[ \u00a0]?\(?"
_FURTHER = rf"{_JOIN}\d{{1,4}}(?:\.\d{{1,3}}){{0,4}}[a-z]?\)?(?![\d%.]?\d)"
_END = r"(?![\w%]|[.,]\d|\s?\\?%)"
_LABELS = {
    "section": r"sections?|sec\.|secs\.|§|chapters?|chapitres?|appendix|appendice|annexes?|parts?"
    r"|parties?|paragraphs?|slides?",
    "figure": r"figures?|figs?\.?|images?|plots?",
    "table": r"tables?|tabs?\.|tableaux|tableau",
    "equation": r"equations?|[ée]quations?|eqs?\.?|eqns?\.?|formulas?|formules?|algorithms?"
    r"|algorithmes?|listings?|theorems?",
    "page": r"pages?|pp?\.|footnotes?|notes?",
    "task": r"questions?|tasks?|t[âa]ches?|exercises?|exercices?|labs?|problems?|tp|td"
    r"|assignments?",
}
_LABELLED = {
    kind: re.compile(rf"(?<![\w\\-])(?:{words}){_FIRST}(?:{_FURTHER}){{0,12}}{_END}", re.IGNORECASE)
    for kind, words in _LABELS.items()
}
_THINGS = r"(?:seed|graine|epoch|[ée]poque|run|fold|layer|couche|head|t[êe]te|block|bloc|trial|gpu)"
# `layer 3` is a label and `layers 0-3` are four; `Layers 4` is a row of a table of settings.
_THING = re.compile(
    rf"(?<![\w\\-]){_THINGS}(?:{_FIRST}|s{_FIRST}{_JOIN}\d{{1,2}}\)?)"
    rf"(?:{_JOIN}\d{{1,2}}\)?(?!\d)){{0,12}}{_END}",
    re.IGNORECASE,
)
_CITATIONS = re.compile(
    r"\[\d{1,3}(?:\s?[,;–—-]{1,2}\s?\d{1,3}){0,20}\](?:\s?[–—-]{1,2}\s?\[\d{1,3}\])?"
)
_YEAR = r"(?:19[5-9]\d|20[0-4]\d)[a-z]?"
_YEARS = re.compile(
    rf"\bet al\.?,?\s?\(?{_YEAR}\)?|\({_YEAR}\)|(?<=[A-Za-zÀ-ÿ]),\s{_YEAR}(?=\))"
    rf"|\b(?:in|en|since|depuis|year|ann[ée]e|during|of)\s{_YEAR}(?=\s?[,.;:)]|\s?$)",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(
    r"\\tag\{[^{}\n]{1,12}\}|(?:(?<=\s\s)|^)[ \t]?\((?:[A-Z]\.)?\d{1,3}(?:\.\d{1,2})?[a-z]?\)"
    r"[ \t.,]{0,20}$",
    re.MULTILINE,
)
_EQUATION_TAG = re.compile(r"[\s\\}$_{]\(\d{1,3}[a-z]?\)[}\s.,$]{0,6}$")
_NUMERAL = re.compile(
    r"^[ \t]{0,12}(?:[-•*][ \t]{1,3})?(?:\d{1,3}[.)]|\(\d{1,3}\)|step\s\d{1,2}\s?[:.])(?=\s)",
    re.MULTILINE | re.IGNORECASE,
)
_HEADING = re.compile(r"^\s{0,6}(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,4}\.?\)?(?=\s)")
_LONE = re.compile(r"\s{0,200}\d{1,4}\s{0,200}")
# Of so many runs, and at such a level: `n is at most 2`, `at the level that makes all hold at 95%`.
_AT_MOST = re.compile(
    r"\bn\s(?:is\sat\smost|est\sau\splus\s[ée]gal\s[àa])\s\d{1,4}(?!\d|[.,]\d)", re.IGNORECASE
)
_TOGETHER = re.compile(
    r"\b(?:hold\stogether\sat|(?:valoir|valables)\s(?:tous|toutes)\sensemble\s[àa])\s"
    r"\d{2}(?:[.,]\d{1,3})?(?=\s?\\?%)",
    re.IGNORECASE,
)
# A place in an order of values, and none of them: `from the quantile 0.05 to the 0.95 quantile`.
_QUANTILE = re.compile(
    r"\b(?:quantiles?|(?:per)?centiles?)\s(?:de\s|à\s)?\d{1,2}(?:[.,]\d{1,4})?"
    r"(?:\s(?:to|and|à|et)\s\d{1,2}(?:[.,]\d{1,4})?)?(?![\d%]|[.,]\d)",
    re.IGNORECASE,
)
# The value of a table of a distribution: `not above the critical value 2.215`.
_CRITICAL = re.compile(
    r"\b(?:critical\svalue|valeur\scritique)\s(?:(?:of|is|de|est|vaut)\s)?"
    r"\d{1,4}(?:[.,]\d{1,6})?(?![\d%]|[.,]\d)",
    re.IGNORECASE,
)
# Seeds that a report says it found, or did not: `found 0, 1; 2 expected; also possible: 0, 1`;
# and those of a study file: `groups.large.seeds  0, 1, 2, 5`.
_SEEDS_FOUND = re.compile(
    r"\b(?:found|trouv[ée]es?\s?:|also\spossible:"
    r"|aussi\spossibles?\s?:)\s\d{1,6}(?:,\s\d{1,6}){1,40}"
    r"(?:\s?;\s\d{1,6}\s(?:expected|attendue?s?)\b)?(?![\d%.]|,\d)"
    r"|\bgroups\.[^\n]{1,300}?\.seeds\s{1,80}(?:=\s)?\d{1,6}(?:,\s\d{1,6}){0,40}(?![\d%.]|,\d)",
    re.IGNORECASE,
)
# Digits of a pattern of names, and where a counter begins: `\\d{6}`, `epoch counts from 0`.
_PATTERN = re.compile(
    r"(?<=d)\{\d{1,3}\}"
    r"|\b(?:counts?|compt\w{1,3})\s(?:up\s)?(?:from|à\spartir\sde)\s[01]\b(?![.,]\d)"
)
# What a symbol of a formula is multiplied by: `8 \, d^{2}`, `3 \times (d_{model} + 1)`.
_LONGEST = 2
_SPACE, _NAMED = r"(?:\\[,;:! ]|[\s~{])*", r"\\(?:mbox|text|mathrm|mathit|underbrace)\b"
_SYMBOL = re.compile(
    rf"{_SPACE}(?:[A-Za-z]|(?:\\(?:left|times|cdot)\b|[(×·*])+{_SPACE}\(?(?:[A-Za-z]|{_NAMED}))"
)
_FOOTNOTE = re.compile(r"^\s{0,12}\d{1,2}\s(?=\s{0,3}(?:https?:|www\.))", re.MULTILINE)


@lru_cache(maxsize=1024)
def _spans(text: str, kind_of_block: str) -> tuple[tuple[int, int, str], ...]:
    """Return the spans of a block that is no reference, in order."""
    # Numbers in words alone are no labels.
    digits = any(map(str.isdigit, text))
    return tuple(sorted({*_found(text, kind_of_block)})) if digits else ()


def _found(text: str, kind_of_block: str) -> Iterator[tuple[int, int, str]]:
    patterns = [
        *_LABELLED.items(),
        ("label", _THING),
        ("citation", _CITATIONS),
        ("year", _YEARS),
        *((("equation", _TAG),) if "(" in text or "\\" in text else ()),
        ("footnote", _FOOTNOTE),
        ("count", _AT_MOST),
        ("level", _TOGETHER),
        ("level", _QUANTILE),
        ("level", _CRITICAL),
        ("seeds", _SEEDS_FOUND),
        ("count", _PATTERN),
    ]
    if kind_of_block == "heading":
        patterns.append(("section", _HEADING))
    if kind_of_block == "equation":
        patterns.append(("equation", _EQUATION_TAG))
    if kind_of_block in {"item", "paragraph"}:
        patterns.append(("numeral", _NUMERAL))
    for kind, pattern in patterns:
        for match in pattern.finditer(text):
            yield match.start(), match.end(), kind
    if kind_of_block in {"paragraph", "heading"} and _LONE.fullmatch(text):
        yield 0, len(text), "page"


def is_coefficient(text: str, start: int, end: int, *, math: bool) -> bool:
    """Say whether a number of a formula is what a symbol is multiplied by, and no value.

    Args:
        text: The formula, or a sentence that has it between dollars.
        start: Where the number begins.
        end: Where it ends.
        math: Whether all of the text is a formula.

    Example:
        >>> is_coefficient("N = 8 d^2 + 512", 4, 5, math=True)
        True
        >>> is_coefficient("N = 8 d^2 + 512", 12, 15, math=True)
        False
    """
    inside = math or text.count("$", 0, start) % 2 == 1
    short = end - start <= _LONGEST and text[start:end].isdigit()
    return inside and short and _SYMBOL.match(text, end) is not None


def non_claim_spans(block: Block) -> tuple[tuple[int, int, str], ...]:
    """Return the parts of a block whose numbers claim nothing, each with what it is.

    Kinds are section, figure, table, equation, page, task, citation, year, numeral, footnote,
    label (of a seed, an epoch, a layer: part of a binding), count (of runs at most, of letters of
    a pattern), level (of several intervals together, of a quantile, of a test), seeds (that were
    found) and reference.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> text = "As Table 1 of [4] shows, seed 2 reaches 79.9"
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> [(text[a:b], kind) for a, b, kind in non_claim_spans(block)]
        [('Table 1', 'table'), ('[4]', 'citation'), ('seed 2', 'label')]
    """
    text = block.text
    if block.type == "reference":
        return ((0, len(text), "reference"),)
    return _spans(text, block.type)
