"""The inline nodes, walked once for all formats; a format says how each is spelled."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import zip_longest
from urllib.parse import unquote

from reportgen.records import document as doc
from reportgen.records.formula import Expression
from reportgen.records.record import record
from reportgen.render._formulas import formula_text
from reportgen.render._numbering import Labels, anchor_of
from reportgen.render._spelling import print_number

_WEB = re.compile(r"(?:https?://|mailto:)\S", re.IGNORECASE)
_MAIL = re.compile("mailto:", re.IGNORECASE)
_AUTHOR = re.compile(
    r"(?P<name>[^(<]+?)\s*(?:\((?P<place>.+)\))?\s*(?:<(?P<mail>[^<>\s]+@[^<>\s]+)>)?"
)


class Raw(str):
    """Text that is already in the spelling of a format, and is printed as it stands."""

    __slots__ = ()


def items_of(block: doc.Bullets) -> Iterator[tuple[doc.Text, tuple[doc.Bullets, ...]]]:
    """Yield each item of a list with the lists below it."""
    yield from zip_longest(block.items, block.inner, fillvalue=())


class InlinePrinter(ABC):
    """Spells texts in one format.

    A format fills the templates, and says how it spells words, numbers, formulas and names.

    Args:
        labels: Numbers and anchors of what texts refer to.
        lang: Language of the report.

    Attributes:
        emphasis: Template of emphasised words.
        strong: Template of bold ones.
        reference: Template of a reference: its `anchor`, `text`, and `word` alone.
        citation: Template of a citation: its `anchor` and `number`.
        indent: The leading space of a table cell, by its depth.
    """

    emphasis = "%s"
    strong = "%s"
    reference = "%(text)s"
    citation = "[%(number)s]"

    def __init__(self, labels: Labels, lang: str = "en") -> None:
        self.labels = labels
        self.lang = lang

    def print_text(self, text: doc.Text) -> Raw:
        """Return the text in this format's spelling."""
        return Raw("".join(self.print_inline(node) for node in text))

    def print_inline(self, node: doc.Inline) -> str:
        """Return one node in this format's spelling."""
        match node:
            case str():
                return self._words(node)
            case doc.Number():
                return self._number(node)
            case doc.Math(expression):
                return self._math(expression)
            case doc.Ref(target):
                return self._ref(target)
            case doc.Cite(key):
                return self._cite(key)
            case doc.Code(text):
                return self._code(text)
            case doc.Emphasis(content):
                return self.emphasis % self.print_text(content)
            case doc.Strong(content):
                return self.strong % self.print_text(content)
            case doc.Indent(depth):
                return self._indent(depth) if depth else ""
            case doc.Mark():
                return self._mark(node)
            case doc.Link():
                return self._linked(node)

    @abstractmethod
    def _words(self, text: str) -> str: ...

    @abstractmethod
    def _number(self, number: doc.Number) -> str: ...

    @abstractmethod
    def _math(self, expression: Expression) -> str: ...

    @abstractmethod
    def _code(self, text: str) -> str: ...

    def _link(self, content: str, url: str, behind: str) -> str:  # noqa: ARG002
        """Spell words, already spelled, that lead to an address of the web.

        Args:
            content: The words.
            url: The address.
            behind: The address as it is printed on paper; empty where the words are it.
        """
        return content + (self._behind(behind) if behind else "")

    def _linked(self, link: doc.Link) -> str:
        words, behind = self.print_text(link.content), address_behind(link)
        if is_web(link.url):
            return self._link(words, link.url, behind)
        return words + (self._behind(behind) if behind else "")

    def _behind(self, address: str) -> str:
        return f"{self._words(' (')}{self._code(address)}{self._words(')')}"

    def _ref(self, target: str) -> str:
        text = self.labels.text(target)
        word = text.rpartition(" ")[0]
        return self.reference % {"anchor": self.labels.anchor(target), "text": text, "word": word}

    def _cite(self, key: str) -> str:
        return self.citation % {"anchor": anchor_of(key), "number": self.labels.cite(key)}

    def _indent(self, depth: int) -> str:
        return "  " * depth

    def _mark(self, mark: doc.Mark) -> str:
        return self._words(mark.sign)


class PlainPrinter(InlinePrinter):
    """Spells texts as plain characters: what JSON carries and what a title may hold."""

    def _words(self, text: str) -> str:
        return text

    def _number(self, number: doc.Number) -> str:
        return print_number(number, self.lang)

    def _math(self, expression: Expression) -> str:
        return formula_text(expression)

    def _code(self, text: str) -> str:
        return text


# --- addresses ------------------------------------------------------------------------


def is_web(url: str) -> bool:
    """Tell whether an address may become a link; one that runs a script may not.

    Example:
        >>> is_web("https://example.org"), is_web("javascript:alert(1)")
        (True, False)
    """
    return _WEB.match(url) is not None


def address_behind(link: doc.Link) -> str:
    """Return the address as it is printed on paper behind the words; empty where they are it.

    Example:
        >>> address_behind(doc.Link(("the paper",), "https://example.org"))
        'https://example.org'
        >>> address_behind(doc.Link(("a@example.org",), "mailto:a@example.org"))
        ''
    """
    address = _MAIL.sub("", link.url, count=1)
    words = "".join(
        node.text if isinstance(node, doc.Code) else node
        for node in doc.inlines(link.content)
        if isinstance(node, str | doc.Code)
    )
    return "" if unquote(words) in {unquote(link.url), unquote(address)} else address


# --- who signs ------------------------------------------------------------------------


@record
class Author:
    """One who signs: as it is printed, where they work, their address."""

    name: str
    affiliation: str = ""
    email: str = ""


def split_author(text: str) -> Author:
    """Take an author apart, as a study file names one.

    Example:
        >>> split_author("Ada Writer (University of Somewhere) <ada@example.org>")
        Author(name='Ada Writer', affiliation='University of Somewhere', email='ada@example.org')
    """
    found = _AUTHOR.fullmatch(text.strip())
    if found is None:
        return Author(name=text)
    return Author(name=found["name"], affiliation=found["place"] or "", email=found["mail"] or "")


def author_names(authors: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names alone, for the properties of a file."""
    return tuple(split_author(author).name for author in authors)
