"""Markdown inside a paragraph: emphasis, links, escapes, tags, mathematics."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from reportgen.read.documents._cut import Draft
from reportgen.read.documents._vocabulary import SIGNS
from reportgen.records.manuscript import Line
from reportgen.records.record import record

_SPECIAL = re.compile(r"[\\`$*_~<&!\[\]]")
_PUNCTUATION = frozenset("!\"#%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_TARGET = re.compile(
    r"\(\s{0,9}(?:<[^<>\n]{0,2000}>|[^\s()]{0,4000}(?:\([^\s()]{0,500}\)[^\s()]{0,2000}){0,3})"
    r"(?:\s{1,9}(?:\"[^\"]{0,900}\"|'[^']{0,900}'))?\s{0,9}\)"
)
_REFERENCE = re.compile(r"\[[^\[\]\n]{0,200}\]")
_ATTRIBUTES = re.compile(r"\{[^{}\n]{0,300}\}")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,80}\]:?")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^<>\s]{1,2000}|[^<>\s@]{1,80}@[^<>\s@]{1,80})>")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,30})(?:\s[^<>]{0,4000})?/?>")
_SCRIPT = re.compile(r"<(sup|sub)>\s?([^<>\s]{1,12})\s?</(?:sup|sub)>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_MATH = re.compile(r"\\[A-Za-z]|[\^_=<>]|\d\s?[×*+/·-]\s?\d|^\s*(?:[A-Za-z]|[+±×≈~−-])\s*$")
_ESCAPED_MATH = re.compile(r"\\[A-Za-z]|[\^=]|_\{|[A-Za-z]_\w")
_LONGEST = 4_000


def clean(line: Line) -> Line:
    r"""Return what a reader of Markdown sees of a line that stands alone.

    Example:
        >>> clean(Line(text=r"**r=16**, lora\_alpha=32&nbsp;[\[1\]](#x)", number=1)).text
        'r=16, lora_alpha=32 [1]'
    """
    return clean_lines([line])[0]


def clean_lines(lines: Sequence[Line]) -> list[Line]:
    """Return what a reader of Markdown sees of the lines of a paragraph.

    Mathematics stays as it is between dollar signs; a struck-out piece is gone, as is an
    image inside a text. What goes on over a line's end is one: emphasis, code, links, tags.

    Example:
        >>> lines = [Line(text="a *b", number=1), Line(text="c* d", number=2)]
        >>> [line.text for line in clean_lines(lines)]
        ['a b', 'c d']
    """
    text = "\n".join(line.text for line in lines)
    if _SPECIAL.search(text) is None:
        return list(lines)
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line.text) + 1
    drafts = [Draft(line) for line in lines]
    for start, end, instead in _Cleaner(text).run():
        row = bisect_right(starts, start) - 1
        if instead:
            drafts[row].put(instead, start - starts[row])
        while start < end:
            drafts[row].keep(start - starts[row], end - starts[row])
            row += 1
            start = starts[row] if row < len(starts) else end  # noqa: PLW2901
    return [draft.line() for draft in drafts]


@record(kw_only=False, frozen=False)
class _Run:
    """Stars or underscores that stand together and may be emphasis.

    Attributes:
        start: Where they begin.
        size: How many there are.
        left: How many no emphasis has used.
        opens: Whether emphasis may begin here.
        closes: How many of them at least would end it here, 0 where it may not end.
    """

    start: int
    size: int
    left: int
    opens: bool
    closes: int


_Piece = tuple[int, int, str]
"""Start and end of what is kept, or where a text stands that is put there instead."""


class _Cleaner:
    """What was written of a paragraph so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[_Piece | _Run] = []
        self.runs: list[_Run] = []
        self.ends = _pairs(text)
        self.links: dict[int, int] = {}
        self.unclosed: set[str] = set()

    def run(self) -> list[_Piece]:
        """Return what is kept, in order."""
        at = 0
        while found := _SPECIAL.search(self.text, at):
            self.keep(at, found.start())
            at = _HANDLERS[found[0]](self, found.start())
        self.keep(at, len(self.text))
        self.emphasise()
        return [self.left_of(one) if isinstance(one, _Run) else one for one in self.pieces]

    def keep(self, start: int, end: int) -> int:
        """Take over a piece; return its end."""
        if start < end:
            self.pieces.append((start, end, ""))
        return end

    def put(self, text: str, at: int) -> None:
        """Write a text that stands for the character there."""
        self.pieces.append((at, at, text))

    def tail(self) -> str:
        """Return the two characters written last."""
        tail = ""
        for one in reversed(self.pieces[-3:]):
            if not isinstance(one, _Run):
                tail = (one[2] or self.text[max(one[0], one[1] - 2) : one[1]]) + tail
        return tail[-2:]

    def find(self, what: str, start: int) -> int:
        """Return where a text stands next, or -1; what was not found is not sought again."""
        if what in self.unclosed:
            return -1
        at = self.text.find(what, start)
        if at < 0:
            self.unclosed.add(what)
        return at

    # --- emphasis -----------------------------------------------------------------------

    def star(self, at: int) -> int:
        """Note a run of stars or underscores; stars between letters or digits multiply."""
        mark, end = self.text[at], at
        while self.text[end : end + 1] == mark:
            end += 1
        before, after = self.text[at - 1 : at] or " ", self.text[end : end + 1] or " "
        inner = _is_word(before) and _is_word(after)
        left = not after.isspace() and (after not in _PUNCTUATION or not _is_word(before))
        right = not before.isspace() and (before not in _PUNCTUATION or not _is_word(after))
        least = 2 if inner else 1
        closes = least if right and end - at >= least and not (inner and mark == "_") else 0
        run = _Run(at, end - at, end - at, left and not inner, closes)
        self.pieces.append(run)
        self.runs.append(run)
        return end

    def emphasise(self) -> None:
        """Pair the runs as CommonMark does: each with the nearest before it that may begin."""
        waiting: dict[str, list[_Run]] = {"*": [], "_": []}
        for run in self.runs:
            mark = self.text[run.start]
            stack = waiting[mark]
            while run.closes and run.left and stack:
                opener = stack[-1]
                either = (opener.closes or run.opens) and (opener.size + run.size) % 3 == 0
                if opener.left < run.closes or (either and (opener.size % 3 or run.size % 3)):
                    break
                used = 2 if min(opener.left, run.left) > 1 else 1
                opener.left -= used
                run.left -= used
                for other in waiting.values():
                    while other and other[-1].start > opener.start:
                        other.pop()
                if not opener.left:
                    stack.pop()
            if run.opens and run.left:
                stack.append(run)

    def left_of(self, run: _Run) -> _Piece:
        """Return what is on the page of a run; two stars or underscores too many are not."""
        before = self.text[run.start - 1 : run.start] if run.start else ""
        after = self.text[run.start + run.size : run.start + run.size + 1]
        spaced = (not before or before.isspace()) and (not after or after.isspace())
        inner = (before.isalnum() or before in ")]}") and (after.isalnum() or after in "([{")
        power = bool(before) and bool(after) and inner
        shown = run.left if run.left not in {2, 3} or spaced or power else 0
        return run.start, run.start + shown, ""

    # --- everything else ----------------------------------------------------------------

    def backslash(self, at: int) -> int:
        follows = self.text[at + 1 : at + 2]
        if follows in {"(", "["}:
            end = self.find("\\)" if follows == "(" else "\\]", at + 2)
            body = self.text[at + 2 : end] if 0 < end < at + _LONGEST else ""
            if body and (follows == "(" or _ESCAPED_MATH.search(body)):
                return self.spelled(at, at + 2, end, end + 2)
        if follows and follows in _PUNCTUATION:
            return self.keep(at + 1, at + 2)
        if follows == "$":
            return self.keep(at, at + 2)
        return at + 1 if follows in {"", "\n"} else self.keep(at, at + 1)

    def code(self, at: int) -> int:
        end = at
        while self.text[end : end + 1] == "`":
            end += 1
        fence = self.text[at:end]
        close = self.find(fence, end)
        while close >= 0 and self.text[close + len(fence) : close + len(fence) + 1] == "`":
            beyond = close
            while self.text[beyond : beyond + 1] == "`":
                beyond += 1
            close = self.find(fence, beyond)
        if close < 0:
            return self.keep(at, end)
        body = self.text[end:close]
        shift = 1 if body.strip() and body[0] == body[-1] == " " else 0
        self.keep(end + shift, close - shift)
        return close + len(fence)

    def dollar(self, at: int) -> int:
        width = 2 if self.text.startswith("$$", at) else 1
        if width == 1 and self.text.startswith("$`", at):
            end = self.find("`$", at + 2)
            if end > 0:
                return self.math(at, at + 2, end, end + 2)
        end = self.find("$$", at + 2) if width == 2 else _next_dollar(self.text, at + 1)
        if end < 0 or end > at + _LONGEST:
            return self.keep(at, at + width)
        body = self.text[at + width : end]
        after = self.text[end + width : end + width + 1]
        tight = body.strip() and not body[0].isspace() and not body[-1].isspace()
        if body.strip() and ((tight and not after.isdigit()) or _MATH.search(body)):
            return self.math(at, at + width, end, end + width)
        return self.keep(at, at + width)

    def math(self, at: int, start: int, end: int, stop: int) -> int:
        """Write mathematics; a number or sign alone becomes text."""
        pieces = plain_sign(self.text[start:end]) if end - start < 200 else None
        if pieces is None:
            return self.spelled(at, start, end, stop)
        for text, inside in pieces:
            self.put(text, start + inside)
        return stop

    def spelled(self, at: int, start: int, end: int, stop: int) -> int:
        """Write mathematics as it is."""
        self.put("$", at)
        self.keep(start, end)
        self.put("$", end)
        return stop

    def tilde(self, at: int) -> int:
        if self.text.startswith("~~", at):
            end = self.find("~~", at + 2)
            if end > at + 2 and not self.text[at + 2].isspace():
                return end + 2
        return self.keep(at, at + 1)

    def angle(self, at: int) -> int:
        if found := _SCRIPT.match(self.text, at):
            tail = self.tail()
            last = tail[-1:]
            mark = "^" if found[1].lower() == "sup" else "_"
            base = bool(last) and (last.isalnum() or last in ")]}")
            # One letter is a symbol, which has an exponent; a word has the mark of a note.
            symbol = last.isalpha() and not tail[:-1].isalpha()
            if mark == "_" or symbol or (base and not last.isalpha()):
                self.put(mark if base else "", at)
                self.keep(found.start(2), found.end(2))
            return found.end()
        if found := _AUTOLINK.match(self.text, at):
            self.keep(found.start(1), found.end(1))
            return found.end()
        if self.text.startswith("<!--", at) and (end := self.find("-->", at + 4)) > 0:
            return end + 3
        if found := _TAG.match(self.text, at):
            if found[1].lower() in {"br", "td", "th", "li", "p", "div"}:
                self.put(" ", at)
            return found.end()
        return self.keep(at, at + 1)

    def entity(self, at: int) -> int:
        found = _ENTITY.match(self.text, at)
        char = html.unescape(found[0]) if found else ""
        if found is None or char == found[0]:
            return self.keep(at, at + 1)
        self.put(" " if char.isspace() else char, at)
        return found.end()

    def image(self, at: int) -> int:
        if self.text.startswith("![", at) and (end := self.ends.get(at + 1)):
            found = _TARGET.match(self.text, end + 1) or _REFERENCE.match(self.text, end + 1)
            if found:
                attributes = _ATTRIBUTES.match(self.text, found.end())
                return attributes.end() if attributes else found.end()
        return self.keep(at, at + 1)

    def opening(self, at: int) -> int:
        before = self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()
        if found := _FOOTNOTE.match(self.text, at):
            definition = found[0].endswith(":") and not before
            return found.end() if definition else found.end() - found[0].endswith(":")
        end = self.ends.get(at)
        if end is not None:
            found = _TARGET.match(self.text, end + 1)
            if found is None and self.text.startswith("][", end):
                found = _REFERENCE.match(self.text, end + 1)
            if found:
                self.links[end] = found.end()
                return at + 1
            if self.text[at : end + 1].lower() in {"[ ]", "[x]"} and before in {"-", "*", "+"}:
                return end + 2
        return self.keep(at, at + 1)

    def closing(self, at: int) -> int:
        return self.links.get(at) or self.keep(at, at + 1)


_HANDLERS: dict[str, Callable[[_Cleaner, int], int]] = {
    "\\": _Cleaner.backslash,
    "`": _Cleaner.code,
    "$": _Cleaner.dollar,
    "*": _Cleaner.star,
    "_": _Cleaner.star,
    "~": _Cleaner.tilde,
    "<": _Cleaner.angle,
    "&": _Cleaner.entity,
    "!": _Cleaner.image,
    "[": _Cleaner.opening,
    "]": _Cleaner.closing,
}


def _is_word(char: str) -> bool:
    return not char.isspace() and char not in _PUNCTUATION


def _pairs(text: str) -> dict[int, int]:
    """Return where each opening bracket is closed; escaped ones are none."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for found in re.finditer(r"\\.|[\[\]]", text):
        if found[0] == "[":
            stack.append(found.start())
        elif found[0] == "]" and stack:
            pairs[stack.pop()] = found.start()
    return pairs


def _next_dollar(text: str, start: int) -> int:
    """Return where the next dollar sign stands that no backslash escapes, or -1."""
    at = text.find("$", start)
    while at > 0 and text[at - 1] == "\\":
        at = text.find("$", at + 1)
    return at


_SPACES = {"": "", "!": "", "%": "%"}
"""What a sign behind a backslash is, where it is not a blank."""
_PIECE = re.compile(
    r"\\(?:mathbf|textbf|mathrm|bm|boldsymbol|mathit|text)\s?\{"
    r"|(?P<script>[_^]\s?(?=\{?\s?(?:\\(?:script|tiny|small|foot)[a-z]*\s?)?(?:\\pm(?![a-z])|±)))"
    r"|\\(?:script|footnote)(?:script)?(?:style|size)(?![a-z])\s?|\\(?:tiny|small)(?![a-z])\s?"
    r"|\\([A-Za-z]{1,20})(?![A-Za-z])\s?"
    r"|\\([,;:! %])|\{,\}|[\d.,+±×≈~−\-()/<>%\s]|[{}]|(?<=[\d}])[kKMB](?![A-Za-z])"
)


def plain_sign(body: str) -> list[tuple[str, int]] | None:
    r"""Return the pieces of a text that mathematics of numbers and signs comes to, or None.

    Args:
        body: What stands between the dollar signs.

    Returns:
        Text, and where in the body it stands; None where there are letters, exponents or an
        equality sign.

    Example:
        >>> "".join(text for text, _ in plain_sign(r"80{,}6 \pm 0.7\,\%"))
        '80,6 ± 0.7 %'
        >>> "".join(text for text, _ in plain_sign(r"0.83_{\pm 0.01}"))
        '0.83 ± 0.01'
        >>> plain_sign("d_{model}") is None
        True
    """
    found: list[tuple[str, int]] = []
    at, opened = 0, 0
    if len(body) > 200:
        return None
    while at < len(body):
        piece = _PIECE.match(body, at)
        if piece is None:
            return None
        text = piece[0]
        if piece["script"]:
            text = " "  # `0.83_{\pm 0.01}`: a spread that is set lower.
        elif text[0] == "\\":
            if piece[2] is not None and piece[2] not in SIGNS:
                return None
            opened += text.endswith("{")
            text = SIGNS.get(piece[2] or "", _SPACES.get(piece[3] or "", " "))
            text += " " if piece[0].endswith(" ") and piece[2] else ""
        elif text == "{,}":
            text = ","
        elif text in "{}":
            opened += 1 if text == "{" else -1
            text = ""
        if text:
            found.append((text.replace("\n", " "), at))
        at = piece.end()
    return found if opened == 0 and found else None
