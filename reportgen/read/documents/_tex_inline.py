"""What a reader sees of a piece of LaTeX: text, its signs, and mathematics as it is written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from reportgen.read.documents._inline import plain_sign
from reportgen.read.documents._tex_stream import Group, Ink, Origin, Stream
from reportgen.read.documents._vocabulary import ACCENTS, DROPPED, KEPT, LENGTHS, SYMBOLS
from reportgen.records.record import field, record

# What it may begin with is looked for at once, and which of these it is where it stands.
_TOKEN = re.compile(
    r"(?=[\\${}&~`'+-])(?:\\(?:([A-Za-z@]{1,60})\*?|(.))|(\$\$?)|[{}&]|(~)"
    r"|(``|''|`|---?|\+-(?=\s?\d)))",
    re.DOTALL,
)
_TYPOGRAPHY = {"``": "“", "''": "”", "`": "‘", "--": "–", "---": "—", "+-": "±"}
_MATH_END = re.compile(r"\\.|\$", re.DOTALL)
_PARENTHESIS_END = re.compile(r"\\\)|\\\]")
_VERBATIM = re.compile(r"([^A-Za-z\s*])(.{0,2000}?)\1", re.DOTALL)
_LITERAL = frozenset({"verb", "lstinline"})
_LENGTH = re.compile(
    r"\s{0,3}=?\s{0,3}-?\d{0,6}\.?\d{0,6}\s?(?:pt|em|ex|in|cm|mm|bp|sp|mu|\\[a-z]{1,30})"
    r"(?:\s(?:plus|minus)\s{0,3}-?\d{0,6}\.?\d{0,6}\s?(?:pt|em|ex|in|cm|mm|fill?)){0,2}"
)
_DEEPEST = 40
_WITHOUT_ARGUMENTS = frozenset("%_&#{}@")
_OPTION = re.compile(r"\[|<[\d,+-]{1,9}>|\((?:[lr]|\{[^{}]{0,20}\}){1,4}\)")
_IN_MATH_DROPPED = re.compile(r"\\(?:label\s?\{[^{}]{0,200}\}|notag\b|nonumber\b|displaystyle\b)")

_NAMED = re.compile(r"\\rgnum(?![A-Za-z@])")


def named(stream: Stream, start: int, end: int) -> Iterator[tuple[int, Group, Group]]:
    """Yield where numbers with an id begin, the group of the id, and that of the number."""
    for found in _NAMED.finditer(stream.text, start, end):
        name = stream.group(found.end())
        shown = stream.group(name[2]) if name else None
        if name is not None and shown is not None:
            yield found.start(), name, shown


@record(kw_only=False, frozen=False)
class Inline:
    """Renders pieces of a stream.

    Attributes:
        stream: The report, with the author's commands put in.
        origin: Its lines.
        notes: Where the footnotes stand that were met.
        depth: How many commands are being rendered inside each other.
    """

    stream: Stream
    origin: Origin
    notes: list[tuple[int, int]] = field(default_factory=list)
    depth: int = 0

    def render(self, start: int, end: int, *, typewriter: bool = False) -> Ink:
        """Return what a reader sees of a piece."""
        ink = Ink(self.origin)
        self._render(ink, start, end, typewriter=typewriter)
        return ink

    def mathematics(self, start: int, end: int) -> Ink:
        """Return mathematics as it is written, without labels and ids of numbers."""
        ink = Ink(self.origin)
        at = start
        for first, last in sorted(self._unprinted(start, end)):
            ink.keep(self.stream, at, max(at, first))
            at = max(at, last)
        ink.keep(self.stream, at, end)
        return ink

    def _unprinted(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield what of mathematics is on no page: of a named number all but the number."""
        for found in _IN_MATH_DROPPED.finditer(self.stream.text, start, end):
            yield found.span()
        for at, _, shown in named(self.stream, start, end):
            if shown[2] <= end:
                yield at, shown[0]
                yield shown[1], shown[2]

    def _render(self, ink: Ink, start: int, end: int, *, typewriter: bool) -> None:
        at = start
        while at < end:
            found = _TOKEN.search(self.stream.text, at, end)
            if found is None:
                break
            ink.keep(self.stream, at, found.start())
            at = self._token(ink, found, end, typewriter=typewriter)
        ink.keep(self.stream, at, end)

    def _inner(self, ink: Ink, start: int, end: int, *, typewriter: bool = False) -> None:
        """Render a piece inside a piece, not endlessly deep."""
        if self.depth < _DEEPEST:
            self.depth += 1
            self._render(ink, start, end, typewriter=typewriter)
            self.depth -= 1

    def _token(self, ink: Ink, found: re.Match[str], end: int, *, typewriter: bool) -> int:
        place = self.stream.places[found.start()]
        if found[1] is not None:
            return min(self._command(ink, found, end), end)
        if found[2] is not None:
            return min(self._escape(ink, found, end), end)
        if found[3] is not None:
            return self._dollar(ink, found, end)
        if found[5] is not None and not typewriter:
            ink.put(_TYPOGRAPHY[found[5]], place)
        elif found[5] is not None:
            ink.keep(self.stream, found.start(), found.end())
        elif found[4] is not None or found[0] == "&":
            ink.put(" ", place)
        return found.end()

    def _escape(self, ink: Ink, found: re.Match[str], end: int) -> int:
        """Meet a backslash before a character that is no letter."""
        char, at, place = found[2], found.end(), self.stream.places[found.start()]
        if char in _WITHOUT_ARGUMENTS:
            ink.put("" if char == "@" else char, place)
        elif char == "$":
            ink.put("\\$", place)
        elif char == "\\":
            ink.put(" ", place)
            return self.stream.behind_option(at + self.stream.text.startswith("*", at))
        elif char in {"(", "["}:
            close = _PARENTHESIS_END.search(self.stream.text, at, min(end, at + 4000))
            if close:
                self.math(ink, at, close.start(), place)
                return close.end()
        elif char in ACCENTS:
            return self._accent(ink, char, at, place)
        elif char == "," and ink.last().isdigit() and self.stream.text[at : at + 1].isdigit():
            ink.put("\u202f", place)
        elif char not in "!/-":
            ink.put(" ", place)
        return at

    def _accent(self, ink: Ink, mark: str, at: int, place: int) -> int:
        letter = self.stream.token(at)
        if letter is None:
            return at
        base = self.stream.text[letter[0] : letter[1]].strip().lstrip("\\")[:2]
        ink.put(
            unicodedata.normalize("NFC", base[:1] + ACCENTS[mark]) + base[1:] if base else "", place
        )
        return letter[2]

    def _dollar(self, ink: Ink, found: re.Match[str], end: int) -> int:
        width = len(found[3])
        for close in _MATH_END.finditer(self.stream.text, found.end(), end):
            if close[0] == "$":
                place = self.stream.places[found.start()]
                self.math(ink, found.end(), close.start(), place)
                return min(close.start() + width, end)
        return found.end()

    def math(self, ink: Ink, start: int, end: int, place: int) -> None:
        """Write mathematics inside a text; numbers and signs alone become text."""
        pieces = plain_sign(self.stream.text[start:end]) if end - start < 200 else None
        if pieces is not None:
            for text, at in pieces:
                ink.put(text, self.stream.places[start + at])
            return
        if self.stream.text[start:end].strip():
            ink.put("$", place)
            ink.extend(self.mathematics(start, end))
            ink.put("$", self.stream.places[end - 1])

    def _command(self, ink: Ink, found: re.Match[str], end: int) -> int:
        name, at, place = found[1], found.end(), self.stream.places[found.start()]
        if name in _OWN_WAYS:
            return self._own_way(ink, name, at, place)
        if name in {"footnote", "footnotetext"}:
            return self._footnote(at)
        if name == "textsubscript":
            ink.put("_" if ink.last().isalnum() else "", place)
            return at
        if name in _LITERAL:
            return self._literal(ink, at, end)
        if name in SYMBOLS:
            ink.put(SYMBOLS[name], place)
            empty = self.stream.text.startswith("{}", at)
            return at + 2 if empty else at
        if name in ACCENTS:
            return self._accent(ink, name, at, place)
        if name in DROPPED:
            return self.skip(at, DROPPED[name])
        if name in KEPT:
            return self.skip(at, KEPT[name])
        if name in LENGTHS:
            ink.put(" ", place)
            length = _LENGTH.match(self.stream.text, at, end)
            return length.end() if length else at
        if name in {"begin", "end"}:
            ink.put(" ", place)
            return self.skip(at, 1)
        return self.stream.behind_option(at)

    def skip(self, at: int, count: int) -> int:
        """Return the position behind options and arguments of a command."""
        at = self.behind_options(at)
        for _ in range(count):
            group = self.stream.group(at)
            if group is not None:
                at = group[2]
            elif self.stream.text.startswith("*", at):
                at += 1
            else:
                return at
            at = self.behind_options(at)
        return at

    def behind_options(self, at: int) -> int:
        """Return the position behind `[...]`, `<2->` of a slide and `(lr)` of a rule."""
        while found := _OPTION.match(self.stream.text, at):
            option = self.stream.option(at) if found[0] == "[" else None
            if found[0] == "[" and option is None:
                return at
            at = option[2] if option else found.end()
        return at

    def _literal(self, ink: Ink, at: int, end: int) -> int:
        at = self.stream.behind_option(at)
        group = self.stream.group(at) if self.stream.text.startswith("{", at) else None
        if group:
            ink.keep(self.stream, group[0], group[1])
            return group[2]
        found = _VERBATIM.match(self.stream.text, at, end)
        if found:
            ink.keep(self.stream, found.start(2), found.end(2))
            return found.end()
        return at

    def _own_way(self, ink: Ink, name: str, at: int, place: int) -> int:
        """Write the argument of a command that shows it in a way of its own."""
        group = self.stream.group(at)
        if group is None:
            return at
        start, end, behind = group
        if name in _VERBATIM_GROUPS:
            ink.keep(self.stream, start, end)
        elif name in _TYPEWRITER:
            self._inner(ink, start, end, typewriter=True)
        elif name == "texorpdfstring":
            other = self.stream.group(behind)
            if other is None:
                return at
            self._inner(ink, start, end)
            return other[2]
        elif name == "textsuperscript":
            digits = self.stream.text[start:end].strip("+-−$").isdigit()
            # A mark of a footnote behind a word is left out.
            if ink.last().isdigit() or ink.last() in {")", "$"} or not digits:
                ink.put("^" if digits else "", place)
                self._inner(ink, start, end)
        elif (raised := _RAISED.fullmatch(self.stream.text, start, end)) and ink.last().isalpha():
            ink.put(raised[1].translate(_SUPERSCRIPTS), place)  # `R\ensuremath{^{2}}` is R².
        else:
            self.math(ink, start, end, place)
        return behind

    def _footnote(self, at: int) -> int:
        option = self.stream.option(at)
        group = self.stream.group(option[2] if option else at)
        if group is None:
            return at
        self.notes.append((group[0], group[1]))
        return group[2]


_RAISED = re.compile(r"\s*\^\s*\{?\s*(\d{1,2})\s*\}?\s*")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_VERBATIM_GROUPS = frozenset({"url", "path", "nolinkurl"})
_TYPEWRITER = frozenset({"texttt", "code"})
_OWN_WAYS = _VERBATIM_GROUPS | _TYPEWRITER | {"ensuremath", "textsuperscript", "texorpdfstring"}
