r"""Digits with points, commas and spaces between them: which belong to one number.

`1,572, 864` is one number and `512, 256` are two. What decides is said at each rule; where
none speaks, digits stay apart, because two numbers that were read as one accuse somebody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from reportgen.records.record import record

_COMMA_EVIDENCE = re.compile(
    r"(?<![\w.,])(?:0,\d{1,9}|\d{1,3}(?:,|\{,\})\d{1,2}(?=\s?(?:\\?%|±|\\pm)))(?![\d,])"
)
_COMMA_WEAK = re.compile(r"(?<![\w.,(\[])\d{1,4}(?:,|\{,\})\d{1,2}(?![\d,.])")
_THOUSANDS = re.compile(r"(?<![\w.,])\d{1,3}(?:(?:,|\{,\})\d{3}){2,}(?![\d,])")
_COMMA = re.compile(r"\d(?:,|\{,\})\d")
_FEW = 3
# Small words that only one of the two languages has.
_WORD = re.compile(r"\w+['’]?")
_SMALL = (
    "le la les des une est et du au aux de pour avec sur dans par que qui sont ont à",
    "the of and is are for with in by at to from was were has have that we this",
)
_FRENCH, _ENGLISH = (frozenset(words.split()) for words in _SMALL)
_ELIDED = frozenset(("d'", "l'", "d’", "l’"))
_PERCENT = re.compile(r"\s?\\?%|\s?(?:±|\\pm)")
_POINT_EVIDENCE = re.compile(r"(?<![\w.,])(?:0\.\d|\d{1,4}\.\d{1,2}(?![\d.]))")


@record(kw_only=False)
class NumberStyle:
    """How a text writes decimals.

    Attributes:
        comma: It uses decimal commas, so that `1,234` is a little more than one.
        point: It uses decimal points, so that `10.000` is ten.
    """

    comma: bool = False
    point: bool = False


@lru_cache(maxsize=8)
def number_style(text: str) -> NumberStyle:
    """Return how a text, best the whole report, writes decimals.

    In French a comma is decimal, unless the text groups digits by it (`1,572,864`).

    Example:
        >>> number_style("une précision de 75,4 % sur 1,234 exemples")
        NumberStyle(comma=True, point=False)
        >>> number_style("la perte est de 1,423").comma, number_style("a loss of 1,423").comma
        (True, False)
    """
    point = bool(_POINT_EVIDENCE.search(text))
    if _COMMA.search(text) is None:
        return NumberStyle(comma=_is_french(text), point=point)
    thousands = sum(1 for _ in _THOUSANDS.finditer(text))
    commas = sum(1 for _ in _COMMA_EVIDENCE.finditer(text))
    # A French report may quote a few numbers from an English figure.
    if thousands and commas <= _FEW * thousands:
        return NumberStyle(comma=False, point=point)
    strong = bool(commas)
    weak = not point and sum(1 for _ in _COMMA_WEAK.finditer(text)) >= 2
    return NumberStyle(comma=strong or weak or _is_french(text), point=point)


def _is_french(text: str) -> bool:
    """Say whether a text has more small words of French than of English, and two at least."""
    counts = [_small_words(line) for line in text.split("\n")]
    french, english = (sum(count[side] for count in counts) for side in (0, 1))
    return french > max(1, english)


@lru_cache(maxsize=2048)
def _small_words(line: str) -> tuple[int, int]:
    """Return how many small words of French and of English a line has."""
    words = [(word, word.rstrip("'’")) for word in _WORD.findall(line.lower())]
    french = sum(bare in _FRENCH or word in _ELIDED for word, bare in words)
    return french, sum(bare in _ENGLISH for _, bare in words)


_SEPARATOR = r"(?:\{,\}|\\[,;:!]|\\ |, ?|[.'’_ \u00a0\u2009\u202f~])"
_BLOB = re.compile(rf"\d+(?:{_SEPARATOR}\d+)*|(?<![\w.])\.\d+")
_PIECE = re.compile(rf"(\d+)|{_SEPARATOR}")
_MOST_GROUPS = 8
_STRONG = {"\\,", "\\;", "\\:", "\\!", "\u2009", "\u202f", "'", "’", "_"}
_SPACES = {" ", "\u00a0", "~", "\\ "}
_COMMAS = {",", "{,}"}
# One of a few, never a thousand: `seed 1 225`.
_SMALL_LABEL = re.compile(
    r"\b(?:seed|graine|run|fold|epoch|[ée]poque|layer|couche|head|t[êe]te|table"
    r"|tableau|figure|fig\.?"
    r"|section|task|t[âa]che|question|model|class|classe|rank|gpu|version|part|step \d{1,6} seed"
    r")s?\s{0,2}[:#=°]?\s{0,2}$",
    re.IGNORECASE,
)
_LIST_LABEL = re.compile(
    r"\b(?:seeds|graines|runs|folds|epochs|[ée]poques|layers|couches|heads|steps|tables|figures"
    r"|sections|equations|ranks)\s{0,2}[:=]?\s{0,2}$",
    re.IGNORECASE,
)
_SHAPE_LABEL = re.compile(
    r"\b(?:shapes?|sizes?|dims?|dimensions?|tensors?|forme|taille)\b[^()\[\]\d]{0,12}[(\[]$",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\s{0,2}(?:trainable |learnable |additional |total )?"
    r"(?:parameters|params|param[èe]tres|weights|poids|tokens|jetons)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(r"(?:\dx\d|[×*+]|\\times|\\cdot|\bx\b)[^=\n]{1,200}=\s{0,3}$")
_ENDS = re.compile(r"\s{0,3}(?:$|[.;)\]$\n]|\\)|\s{1,60}(?:$|\n|\(\d{1,3}\)\s{0,3}(?:$|\n))")
_OPERATOR = r"(?:[×*+·−-]|\\times|\\cdot)"
_TERM_BEFORE = re.compile(rf"\d\s{{0,3}}{_OPERATOR}\s{{0,3}}$")
_TERM_BEHIND = re.compile(rf"\s{{0,3}}(?:=|{_OPERATOR}\s{{0,3}}\d)")


@record(kw_only=False)
class Digits:
    """One number's digits: positions, and its value as a decimal's text (`1572864`, `75.40`)."""

    start: int
    end: int
    value: str


@record(kw_only=False)
class _Blob:
    """Digit groups and the separators between them, with where they stand."""

    text: str
    groups: tuple[tuple[int, int], ...]
    separators: tuple[str, ...]
    style: NumberStyle

    def group(self, index: int) -> str:
        start, end = self.groups[index]
        return self.text[start:end]

    def before(self, index: int) -> str:
        start = self.groups[index][0]
        return self.text[max(0, start - 40) : start]

    def behind(self, index: int) -> str:
        end = self.groups[index][1]
        return self.text[end : end + 40]

    def triples(self, first: int, allowed: set[str]) -> int:
        """Return the last group of three that hangs on `first` by allowed separators."""
        lead, last = self.group(first), first
        if len(lead) > 3 or lead[0] == "0":
            return first
        final = min(len(self.separators), first + _MOST_GROUPS)
        while last < final and self.separators[last] in allowed and len(self.group(last + 1)) == 3:
            last += 1
        return last

    def joined(self, index: int, allowed: set[str]) -> bool:
        """Say whether an allowed separator stands behind a group."""
        return self.separators[index : index + 1] != () and self.separators[index] in allowed


def digits_in(text: str, style: NumberStyle) -> Iterator[Digits]:
    """Yield the numbers made of digits, in order, without signs, exponents or units."""
    for match in _BLOB.finditer(text):
        if match[0].startswith("."):
            yield Digits(match.start(), match.end(), f"0{match[0]}")
            continue
        groups, separators = [], []
        for piece in _PIECE.finditer(text, match.start(), match.end()):
            if piece[1]:
                groups.append(piece.span())
            else:
                separators.append(piece[0])
        blob = _Blob(text, tuple(groups), tuple(separators), style)
        index = 0
        while index < len(groups):
            last, point = _extent(blob, index)
            whole = "".join(blob.group(i) for i in range(index, last + 1 - point))
            tail = f".{blob.group(last)}" if point else ""
            yield Digits(groups[index][0], groups[last][1], whole + tail)
            index = last + 1


def _extent(blob: _Blob, first: int) -> tuple[int, bool]:
    """Return the last group of the number that begins at `first`, and whether it is a fraction."""
    grouped = _grouped_to(blob, first)
    if grouped == len(blob.separators):
        return grouped, False
    separator = blob.separators[grouped]
    kinds = set(blob.separators[first:grouped])
    if separator == "." and not kinds & {"."}:
        # `3.2.2` would have been masked; `1.2.3` is three groups of nothing.
        return grouped + 1, True
    if separator in _COMMAS and not kinds & _COMMAS and _decimal_comma(blob, first, grouped):
        return grouped + 1, True
    return grouped, False


def _grouped_to(blob: _Blob, first: int) -> int:
    """Return the last group of three that belongs to the number beginning at `first`."""
    for allowed, accepts in (
        (_STRONG, lambda *_: True),
        (_COMMAS | {", "}, _thousands_by_comma),
        ({"."}, _thousands_by_point),
        (_SPACES, _thousands_by_space),
        (_SPACES | _COMMAS | {", "}, _thousands_of_a_result),
    ):
        last = blob.triples(first, allowed)
        if last > first and accepts(blob, first, last):
            return last
    return first


def _thousands_by_comma(blob: _Blob, first: int, last: int) -> bool:
    """Decide on `1,234`, `1,572, 864`, `786, 432`."""
    separators = blob.separators[first:last]
    further = blob.separators[last : last + 1]
    if separators[0] == ", ":
        # `786, 432` is one number only in a calculation or before `parameters`; `2, 048` is one.
        return not further and (
            any(blob.group(i)[0] == "0" for i in range(first + 1, last + 1))
            or bool(_MANY.match(blob.behind(last)))
            or (last == first + 1 and _thousands_of_a_result(blob, first, last))
            or _is_term(blob, first, last)
        )
    if last == first + 1:
        if blob.style.comma:
            return False
        # `(512,256)` is a shape, `(32,000)` a number.
        shape = _SHAPE_LABEL.search(blob.before(first)) or (
            len(blob.group(first)) == 3 and not blob.group(last).endswith("0")
        )
        return not (shape and _bracketed(blob, first, last))
    return True


def _thousands_of_a_result(blob: _Blob, first: int, last: int) -> bool:
    """Decide on `4 x 512 x 512 + 2 x 512 x 512 = 1 572, 864`, whatever stands between groups."""
    start = blob.groups[first][0]
    return bool(
        _RESULT.search(blob.text[max(0, start - 240) : start]) and _ENDS.match(blob.behind(last))
    )


def _is_term(blob: _Blob, first: int, last: int) -> bool:
    """Say whether groups are a term of a calculation: `4 × 1, 577, 984 + 16, 517, 120`."""
    before, behind = _TERM_BEFORE.search(blob.before(first)), blob.behind(last)
    return bool(before and (_TERM_BEHIND.match(behind) or _ENDS.match(behind)))


def _bracketed(blob: _Blob, first: int, last: int) -> bool:
    """Say whether brackets stand right around the groups."""
    return blob.before(first)[-1:] in {"(", "[", "{"} and blob.behind(last)[:1] in {")", "]", "}"}


def _thousands_by_point(blob: _Blob, first: int, last: int) -> bool:
    """Decide on `1.572.864`, `1.234,50` and, where only commas are decimal, on `10.000`."""
    if last > first + 1:
        return True
    cents = blob.joined(last, {","}) and len(blob.group(last + 1)) <= 2
    return cents or (blob.style.comma and not blob.style.point)


def _thousands_by_space(blob: _Blob, first: int, last: int) -> bool:
    """Decide on `32 000`, against `seed 1 225`, `1 125 81.5` and `100 200 300`."""
    if _SMALL_LABEL.search(blob.before(first)) or _LIST_LABEL.search(blob.before(first)):
        return False
    # A row of numbers goes on: `1 125 81.5 79.9`.
    further = blob.separators[last : last + 1]
    if further and (further[0] in _SPACES or further[0] == ", "):
        return False
    before = blob.before(first)
    if first and blob.separators[first - 1] in _SPACES:
        return False
    behind = blob.behind(last)
    ending = "".join(blob.group(i) for i in range(first + 1, last + 1)).endswith("000")
    if ending or _MANY.match(behind):
        return True
    if re.match(r"-[A-Za-z]", behind):  # `8 512-dimensional heads`
        return False
    same = re.match(r"\s?(?:×|x|\*|\\times)\s?(\d{1,6})", behind)
    if same and same[1] == blob.group(last):  # `4 512 × 512 matrices`
        return False
    values = [int(blob.group(i)) for i in range(first, last + 1)]
    if before.endswith(("\t", "  ")) and (behind.startswith(("\t", "  ")) or not behind):
        return len(values) < 3
    return not _progression(values)


def _progression(values: Sequence[int]) -> bool:
    """Say whether numbers step evenly (`100 200 300`, `128 256 512`): a list, no number."""
    if len(values) < 3:
        return False
    even = all(b - a == values[1] - values[0] for a, b in pairwise(values))
    return even or all(a and b * values[0] == a * values[1] for a, b in pairwise(values))


def _decimal_comma(blob: _Blob, first: int, grouped: int) -> bool:
    """Decide whether the comma behind a group is a decimal one."""
    # `1,2,3`
    if blob.joined(grouped + 1, _COMMAS) or (first and blob.joined(first - 1, _COMMAS)):
        return False
    lead, tail = blob.group(grouped), blob.group(grouped + 1)
    if blob.style.comma or grouped > first or lead == "0":
        return True
    if len(tail) < 3 and _PERCENT.match(blob.behind(grouped + 1)):
        return True
    if blob.separators[grouped] == "{,}":  # LaTeX for a comma inside a number
        return True
    if _LIST_LABEL.search(blob.before(first)) or _bracketed(blob, first, grouped + 1):
        return False
    return not blob.style.point and len(tail) != 3 and len(lead) <= 3
