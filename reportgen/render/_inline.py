"""The inline nodes, walked once for all formats; a format says how each is spelled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import zip_longest

from reportgen.records.document import (
    Bullets,
    Cite,
    Code,
    Emphasis,
    Indent,
    Inline,
    Link,
    Mark,
    Math,
    Number,
    Ref,
    Strong,
    Text,
)
from reportgen.records.formula import Expression
from reportgen.render._links import address_behind, is_web
from reportgen.render._numbering import Labels


class Raw(str):
    """Text that is already in the spelling of a format, and is printed as it stands."""

    __slots__ = ()


def items_of(block: Bullets) -> Iterator[tuple[Text, tuple[Bullets, ...]]]:
    """Yield each item of a list with the lists below it."""
    yield from zip_longest(block.items, block.inner, fillvalue=())


class InlinePrinter(ABC):
    """Spells texts in one format.

    Args:
        labels: Numbers and anchors of what texts refer to.
        lang: Language of the report.
    """

    def __init__(self, labels: Labels, lang: str = "en") -> None:
        self.labels = labels
        self.lang = lang

    def print_text(self, text: Text) -> Raw:
        """Return the text in this format's spelling."""
        return Raw("".join(self.print_inline(node) for node in text))

    def print_inline(self, node: Inline) -> str:
        """Return one node in this format's spelling."""
        match node:
            case str():
                return self.print_string(node)
            case Number():
                return self.print_number(node)
            case Math(expression):
                return self.print_math(expression)
            case Ref(target):
                return self.print_ref(target)
            case Cite(key):
                return self.print_cite(key)
            case Code(text):
                return self.print_code(text)
            case Emphasis(content):
                return self.print_emphasis(self.print_text(content))
            case Strong(content):
                return self.print_strong(self.print_text(content))
            case Indent(depth):
                return self.print_indent(depth)
            case Mark():
                return self.print_mark(node)
            case Link():
                return self._print_link(node)

    def _print_link(self, link: Link) -> str:
        words, behind = self.print_text(link.content), address_behind(link)
        if is_web(link.url):
            return self.print_link(words, link.url, behind)
        return words + (self.print_behind(behind) if behind else "")

    def print_mark(self, mark: Mark) -> str:
        """Spell a sign behind a number; most formats have nothing to add to it."""
        return self.print_string(mark.sign)

    def print_behind(self, address: str) -> str:
        """Spell an address in brackets behind the words that lead to it."""
        return f"{self.print_string(' (')}{self.print_code(address)}{self.print_string(')')}"

    @abstractmethod
    def print_link(self, content: str, url: str, behind: str) -> str:
        """Spell words, already spelled, that lead to an address of the web.

        Args:
            content: The words.
            url: The address.
            behind: The address as it is printed on paper; empty where the words are it.
        """

    @abstractmethod
    def print_string(self, text: str) -> str:
        """Spell plain words."""

    @abstractmethod
    def print_number(self, number: Number) -> str:
        """Spell a number."""

    @abstractmethod
    def print_math(self, expression: Expression) -> str:
        """Spell an inline formula."""

    @abstractmethod
    def print_ref(self, target: str) -> str:
        """Spell a cross-reference as a link."""

    @abstractmethod
    def print_cite(self, key: str) -> str:
        """Spell a citation as a link."""

    @abstractmethod
    def print_code(self, text: str) -> str:
        """Spell text in typewriter face."""

    @abstractmethod
    def print_emphasis(self, content: str) -> str:
        """Spell emphasised words, already spelled inside."""

    @abstractmethod
    def print_strong(self, content: str) -> str:
        """Spell bold words, already spelled inside."""

    @abstractmethod
    def print_indent(self, depth: int) -> str:
        """Spell the leading space of a table cell."""
