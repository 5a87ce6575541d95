"""Texts as HTML; every number is a link to its evidence."""

from __future__ import annotations

from reportgen.records.document import Mark, Number
from reportgen.records.formula import Expression
from reportgen.records.quantity import Missing
from reportgen.render._escape_html import escape_html, escape_name, escape_words
from reportgen.render._formulas import print_mathml
from reportgen.render._html_evidence import EvidenceList, number_anchor
from reportgen.render._inline import InlinePrinter
from reportgen.render._numbering import Labels, anchor_of
from reportgen.render._spelling import print_number


class HtmlPrinter(InlinePrinter):
    """Spells texts as HTML and collects the evidence of the numbers it meets.

    Attributes:
        evidence: What the numbers printed so far rest on.
        cited: Key of each reference to the anchors where it has been cited so far.
    """

    def __init__(
        self, labels: Labels, lang: str = "en", evidence: EvidenceList | None = None
    ) -> None:
        super().__init__(labels, lang)
        self.evidence = evidence or EvidenceList(lang=lang)
        self.cited: dict[str, list[str]] = {}

    def print_string(self, text: str) -> str:
        """Spell plain words; a percent sign stays on the line of its number."""
        return escape_words(text).replace(" %", "&#8239;%")

    def print_number(self, number: Number) -> str:
        """Spell a number as a link to its evidence; the first one of an id bears it."""
        # The second of two numbers with one id cannot bear the same id in the page.
        identity = "" if number.id in self.evidence else f' id="{number_anchor(number.id)}"'
        printed = escape_html(print_number(number, self.lang))
        kind, told = "num", ""
        if isinstance(number.quantity, Missing):
            kind, told = (
                "num missing",
                f' title="{escape_html(self.evidence.say(number.quantity.reason))}"',
            )
        anchor = self.evidence.add(number, print_number(number, self.lang))
        return f'<a class="{kind}"{identity} href="#{anchor}"{told}>{printed}</a>'

    def print_math(self, expression: Expression) -> str:
        """Spell an inline formula."""
        return print_mathml(expression, self.lang)

    def print_ref(self, target: str) -> str:
        """Spell a cross-reference as a link."""
        text = escape_html(self.labels.text(target))
        return f'<a class="ref" href="#{self.labels.anchor(target)}">{text}</a>'

    def print_cite(self, key: str) -> str:
        """Spell a citation as a link, to which its reference leads back."""
        places = self.cited.setdefault(key, [])
        places.append(f"cite:{anchor_of(key)}:{len(places) + 1}")
        target = f'id="{places[-1]}" href="#{reference_anchor(key)}"'
        return f'<a class="ref" {target}>[{self.labels.cite(key)}]</a>'

    def print_code(self, text: str) -> str:
        """Spell a name in typewriter face."""
        return f"<code>{escape_name(text)}</code>"

    def print_emphasis(self, content: str) -> str:
        """Spell emphasised words."""
        return f"<em>{content}</em>"

    def print_strong(self, content: str) -> str:
        """Spell bold words."""
        return f"<strong>{content}</strong>"

    def print_link(self, content: str, url: str, behind: str) -> str:
        """Spell words as a link; the address is printed with them on paper alone."""
        paper = f' data-address="{escape_html(behind)}"' if behind else ""
        return f'<a href="{escape_html(url)}" rel="noreferrer"{paper}>{content}</a>'

    def print_indent(self, depth: int) -> str:
        """Spell depth as em spaces; tables indent whole cells instead."""
        return "&emsp;" * depth

    def print_mark(self, mark: Mark) -> str:
        """Spell a sign that is read aloud by its meaning."""
        meaning = escape_html(mark.meaning)
        sign = escape_html(mark.sign)
        said = f'role="img" aria-label="{meaning}" title="{meaning}"'
        return f'<span class="mark" {said}>{sign}</span>'


def reference_anchor(key: str) -> str:
    """Return the id of a reference's element."""
    return f"ref:{anchor_of(key)}"
