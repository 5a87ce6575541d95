"""Texts without any markup: what JSON carries and what a title may hold."""

from __future__ import annotations

from reportgen.records.document import Number
from reportgen.records.formula import Expression
from reportgen.render._formulas import formula_text
from reportgen.render._inline import InlinePrinter
from reportgen.render._spelling import print_number


class PlainPrinter(InlinePrinter):
    """Spells texts as plain characters."""

    def print_string(self, text: str) -> str:
        """Return the words as they are."""
        return text

    def print_number(self, number: Number) -> str:
        """Spell a number as every format prints it."""
        return print_number(number, self.lang)

    def print_math(self, expression: Expression) -> str:
        """Spell a formula in one line."""
        return formula_text(expression)

    def print_ref(self, target: str) -> str:
        """Spell a cross-reference by word and number."""
        return self.labels.text(target)

    def print_cite(self, key: str) -> str:
        """Spell a citation by its number."""
        return f"[{self.labels.cite(key)}]"

    def print_code(self, text: str) -> str:
        """Return a name as it is."""
        return text

    def print_emphasis(self, content: str) -> str:
        """Return emphasised words as they are."""
        return content

    def print_strong(self, content: str) -> str:
        """Return bold words as they are."""
        return content

    def print_link(self, content: str, url: str, behind: str) -> str:  # noqa: ARG002
        """Return the words, with the address in brackets."""
        return content + (self.print_behind(behind) if behind else "")

    def print_indent(self, depth: int) -> str:
        """Spell depth as two spaces a level."""
        return "  " * depth
