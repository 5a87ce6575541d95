"""Markdown inside a line: emphasis, links, escapes, tags, mathematics."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from reportgen.read.documents._cut import Draft
from reportgen.read.documents._signs import plain_sign
from reportgen.records.manuscript import Line

_SPECIAL = re.compile(r"[\\`$*_~<&!\[\]]")
_PUNCTUATION = frozenset("!\"#%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_EMPHASIS = re.compile(
    r"(?<![\w*\\])\*(?=[^\s*])[^*\n]{0,2000}?(?<=[^\s*\\])\*(?![\w*])"
    r"|(?<![\w_\\])_(?=[^\s_])(?:[^_\n]|(?<=\w)_(?=\w)){0,2000}?(?<=[^\s_\\])_(?![\w_])"
)
_TARGET = re.compile(
    r"\(\s{0,9}(?:<[^<>\n]{0,2000}>|[^\s()]{0,4000}(?:\([^\s()]{0,500}\)[^\s()]{0,2000}){0,3})"
    r"(?:\s{1,9}(?:\"[^\"]{0,900}\"|'[^']{0,900}'))?\s{0,9}\)"
)
_REFERENCE = re.compile(r"\[[^\[\]\n]{0,200}\]")
_ATTRIBUTES = re.compile(r"\{[^{}\n]{0,300}\}")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,80}\]:?")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^<>\s]{1,2000})>")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,30})(?:\s[^<>]{0,4000})?/?>")
_SCRIPT = re.compile(r"<(sup|sub)>\s?([^<>\s]{1,12})\s?</(?:sup|sub)>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_MATH = re.compile(r"\\[A-Za-z]|[\^_=<>]|\d\s?[×*+/·-]\s?\d|^\s*(?:[A-Za-z]|[+±×≈~−-])\s*$")
_ESCAPED_MATH = re.compile(r"\\[A-Za-z]|[\^=]|_\{|[A-Za-z]_\w")


def clean(line: Line, *, inside: bool = False, opens: bool = False) -> Line:
    r"""Return what a reader of Markdown sees of a line.

    Mathematics stays as it is between dollar signs; a struck-out piece is gone, as is an
    image inside a text.

    Args:
        line: As it was written.
        inside: Whether it begins inside mathematics that the line above opened.
        opens: Whether mathematics that it does not close goes on in the next.

    Example:
        >>> clean(Line(text=r"**r=16**, lora\_alpha=32&nbsp;[\[1\]](#x)", number=1)).text
        'r=16, lora_alpha=32 [1]'
    """
    if not inside and not opens and _SPECIAL.search(line.text) is None:
        return line
    return _Cleaner(line, opens=opens).run(inside=inside)


class _Cleaner:
    """The state of one line's cleaning."""

    def __init__(self, line: Line, *, opens: bool) -> None:
        self.text = line.text
        self.draft = Draft(line)
        self.opens = opens
        self.emphasis = {
            at for found in _EMPHASIS.finditer(self.text) for at in (found.start(), found.end() - 1)
        }
        self.ends = _pairs(self.text)
        self.closers = set(self.ends.values())
        self.links: dict[int, int] = {}
        self.unclosed: set[str] = set()
        self.strong = False

    def run(self, *, inside: bool) -> Line:
        at = 0
        if inside:
            at = _next_dollar(self.text, 0) + 1 or len(self.text)
            self.draft.keep(0, at)
        while found := _SPECIAL.search(self.text, at):
            self.draft.keep(at, found.start())
            at = _HANDLERS[found[0]](self, found.start())
        self.draft.keep(at, len(self.text))
        return self.draft.line()

    def find(self, what: str, start: int) -> int:
        """Return where a text stands next, or -1; what was not found is not sought again."""
        if what in self.unclosed:
            return -1
        at = self.text.find(what, start)
        if at < 0:
            self.unclosed.add(what)
        return at

    def backslash(self, at: int) -> int:
        follows = self.text[at + 1 : at + 2]
        if follows in {"(", "["}:
            end = self.find("\\)" if follows == "(" else "\\]", at + 2)
            body = self.text[at + 2 : end] if 0 < end < at + 4000 else ""
            if body and (follows == "(" or _ESCAPED_MATH.search(body)):
                self.draft.put("$", at)
                self.draft.keep(at + 2, end)
                self.draft.put("$", end)
                return end + 2
        if follows and follows in _PUNCTUATION:
            self.draft.keep(at + 1, at + 2)
            return at + 2
        if follows == "$":
            self.draft.keep(at, at + 2)
            return at + 2
        if not follows:
            return at + 1
        self.draft.keep(at, at + 1)
        return at + 1

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
            self.draft.keep(at, end)
            return end
        shift = (
            1
            if self.text[end:close].strip() and self.text[end] == self.text[close - 1] == " "
            else 0
        )
        self.draft.keep(end + shift, close - shift)
        return close + len(fence)

    def dollar(self, at: int) -> int:
        width = 2 if self.text.startswith("$$", at) else 1
        if width == 1 and self.text.startswith("$`", at):
            end = self.find("`$", at + 2)
            if end > 0:
                return self.math(at, at + 2, end, end + 2)
        end = self.find("$$", at + 2) if width == 2 else _next_dollar(self.text, at + 1)
        if end < 0:
            # Mathematics that goes on in the next line stays as it is to the end of this one.
            stop = len(self.text) if self.opens else at + width
            self.draft.keep(at, stop)
            return stop
        body = self.text[at + width : end]
        after = self.text[end + width : end + width + 1]
        tight = body.strip() and not body[0].isspace() and not body[-1].isspace()
        if body.strip() and ((tight and not after.isdigit()) or _MATH.search(body)):
            return self.math(at, at + width, end, end + width)
        self.draft.keep(at, at + width)
        return at + width

    def math(self, at: int, start: int, end: int, stop: int) -> int:
        """Write mathematics; a number or sign alone becomes text."""
        pieces = plain_sign(self.text[start:end]) if end - start < 200 else None
        if pieces is not None:
            for text, inside in pieces:
                self.draft.put(text, start + inside)
            return stop
        self.draft.put("$", at)
        self.draft.keep(start, end)
        self.draft.put("$", end)
        return stop

    def star(self, at: int) -> int:
        mark = self.text[at]
        end = at
        while self.text[end : end + 1] == mark:
            end += 1
        if end - at > 1:
            before, after = self.text[at - 1 : at], self.text[end : end + 1]
            spaced = (not before or before.isspace()) and (not after or after.isspace())
            inner = (before.isalnum() or before in ")]}") and (after.isalnum() or after in "([{")
            power = bool(before) and bool(after) and inner and not self.strong
            if spaced or power or end - at > 3:
                self.draft.keep(at, end)
            else:
                self.strong = not self.strong
        elif at not in self.emphasis:
            self.draft.keep(at, end)
        return end

    def tilde(self, at: int) -> int:
        if self.text.startswith("~~", at):
            end = self.find("~~", at + 2)
            if end > at + 2 and not self.text[at + 2].isspace():
                return end + 2
        self.draft.keep(at, at + 1)
        return at + 1

    def angle(self, at: int) -> int:
        if found := _SCRIPT.match(self.text, at):
            last = self.draft.last()
            mark = "^" if found[1].lower() == "sup" else "_"
            if mark == "_" or last.isdigit() or (last and last in ")]}") or self.symbol():
                self.draft.put(mark if last and (last.isalnum() or last in ")]}") else "", at)
                self.draft.keep(found.start(2), found.end(2))
            return found.end()
        if found := _AUTOLINK.match(self.text, at):
            self.draft.keep(found.start(1), found.end(1))
            return found.end()
        if self.text.startswith("<!--", at) and (end := self.find("-->", at + 4)) > 0:
            return end + 3
        if found := _TAG.match(self.text, at):
            if found[1].lower() in {"br", "td", "th", "li", "p", "div"}:
                self.draft.put(" ", at)
            return found.end()
        self.draft.keep(at, at + 1)
        return at + 1

    def symbol(self) -> bool:
        """Say whether the word written last is one letter: a symbol, which has an exponent."""
        tail = "".join(piece[-2:] for piece in self.draft.text[-3:])[-2:]
        return tail[-1:].isalpha() and not tail[:-1].isalpha()

    def entity(self, at: int) -> int:
        found = _ENTITY.match(self.text, at)
        char = html.unescape(found[0]) if found else ""
        if found is None or char == found[0]:
            self.draft.keep(at, at + 1)
            return at + 1
        self.draft.put(" " if char.isspace() else char, at)
        return found.end()

    def image(self, at: int) -> int:
        if self.text.startswith("![", at) and (end := self.ends.get(at + 1)):
            found = _TARGET.match(self.text, end + 1) or _REFERENCE.match(self.text, end + 1)
            if found:
                attributes = _ATTRIBUTES.match(self.text, found.end())
                return attributes.end() if attributes else found.end()
        self.draft.keep(at, at + 1)
        return at + 1

    def opening(self, at: int) -> int:
        if found := _FOOTNOTE.match(self.text, at):
            definition = found[0].endswith(":") and not self.text[:at].strip()
            return found.end() if definition else found.end() - found[0].endswith(":")
        end = self.ends.get(at)
        if end is not None:
            found = _TARGET.match(self.text, end + 1)
            if found is None and self.text.startswith("][", end):
                found = _REFERENCE.match(self.text, end + 1)
            if found:
                self.links[end] = found.end()
                return at + 1
            task = self.text[at : end + 1].lower() in {"[ ]", "[x]"}
            if task and self.text[:at].strip() in {"-", "*", "+"}:
                return end + 2
        self.draft.keep(at, at + 1)
        return at + 1

    def closing(self, at: int) -> int:
        if at in self.links:
            return self.links[at]
        # The end of a link whose text began in the line above.
        found = _TARGET.match(self.text, at + 1)
        if found and at not in self.closers and ("/" in found[0] or "#" in found[0]):
            return found.end()
        self.draft.keep(at, at + 1)
        return at + 1


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


def leaves_open(text: str) -> bool:
    """Say whether a line opens mathematics that it does not close."""
    bare = re.sub(r"\\.|\$`[^`]{0,2000}`\$|`[^`]{0,2000}`", "", text)
    return bare.count("$") % 2 == 1
