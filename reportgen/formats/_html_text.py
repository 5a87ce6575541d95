"""Texts as HTML; every number carries its value and the key of its evidence."""

from __future__ import annotations

from reportgen.formats._escape_html import escape_html, escape_name, escape_words
from reportgen.formats._inline import InlinePrinter
from reportgen.formats._mathml import print_mathml
from reportgen.formats._numbering import Labels, anchor_of
from reportgen.formats._spelling import print_number
from reportgen.formats._strict_json import Json, evidence_json, number_value
from reportgen.records.document import Mark, Number
from reportgen.records.formula import Expression
from reportgen.records.quantity import Missing


class HtmlPrinter(InlinePrinter):
    """Spells texts as HTML and collects the evidence of the numbers it meets.

    Attributes:
        evidence: Key of each number printed so far to what its popover says.
    """

    def __init__(self, labels: Labels, lang: str = "en") -> None:
        super().__init__(labels, lang)
        self.evidence: dict[str, Json] = {}

    def print_string(self, text: str) -> str:
        """Spell plain words; a percent sign stays on the line of its number."""
        return escape_words(text).replace(" %", "&#8239;%")

    def print_number(self, number: Number) -> str:
        """Spell a number as an element with its value; the first one of an id bears it."""
        key = number_anchor(number.id)
        # The second of two numbers with one id cannot bear the same id in the page.
        identity = f'data-num="{key}"' if key in self.evidence else f'id="{key}"'
        self.evidence.setdefault(key, _evidence(number))
        printed = escape_html(print_number(number, self.lang))
        if isinstance(number.quantity, Missing):
            reason = escape_html(number.quantity.reason)
            return f'<span class="num missing" {identity} title="{reason}">{printed}</span>'
        value = number_value(number.quantity.value)
        return f'<data class="num" {identity} value="{value}">{printed}</data>'

    def print_math(self, expression: Expression) -> str:
        """Spell an inline formula."""
        return print_mathml(expression, self.lang)

    def print_ref(self, target: str) -> str:
        """Spell a cross-reference as a link."""
        text = escape_html(self.labels.text(target))
        return f'<a class="ref" href="#{self.labels.anchor(target)}">{text}</a>'

    def print_cite(self, key: str) -> str:
        """Spell a citation as a link."""
        return f'<a class="ref" href="#{reference_anchor(key)}">[{self.labels.cite(key)}]</a>'

    def print_code(self, text: str) -> str:
        """Spell a name in typewriter face."""
        return f"<code>{escape_name(text)}</code>"

    def print_emphasis(self, content: str) -> str:
        """Spell emphasised words."""
        return f"<em>{content}</em>"

    def print_strong(self, content: str) -> str:
        """Spell bold words."""
        return f"<strong>{content}</strong>"

    def print_indent(self, depth: int) -> str:
        """Spell depth as em spaces; tables indent whole cells instead."""
        return "&emsp;" * depth

    def print_mark(self, mark: Mark) -> str:
        """Spell a sign that is read aloud by its meaning."""
        meaning = escape_html(mark.meaning)
        sign = escape_html(mark.sign)
        said = f'role="img" aria-label="{meaning}" title="{meaning}"'
        return f'<span class="mark" {said}>{sign}</span>'


def number_anchor(identifier: str) -> str:
    """Return the id of a number's element; a colon keeps it apart from those of blocks."""
    return f"n:{anchor_of(identifier)}"


def reference_anchor(key: str) -> str:
    """Return the id of a reference's element."""
    return f"ref:{anchor_of(key)}"


def _evidence(number: Number) -> dict[str, Json]:
    """Return what the popover of a number says; empty entries are left out."""
    quantity = number.quantity
    if isinstance(quantity, Missing):
        return {"reason": quantity.reason}
    said: dict[str, Json] = {
        "value": number_value(quantity.value),
        "unit": quantity.unit,
        "method": quantity.method,
        "n": quantity.n,
        "ddof": quantity.ddof,
        "formula": quantity.formula,
        "evidence": [evidence_json(evidence) for evidence in quantity.sources],
    }
    return {key: entry for key, entry in said.items() if entry not in (None, "", [])}
