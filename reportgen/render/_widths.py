"""Widths of printed text, estimated, so that tables are fitted before an engine sees them.

Both engines set in the same design (Computer Modern), so one table of widths serves both.
"""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.records.document import (
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
from reportgen.render._escape import clean
from reportgen.render._links import address_behind
from reportgen.render._math import measure, tokens
from reportgen.render._numbering import Labels
from reportgen.render._spelling import print_number

# Advance widths of Latin Modern Roman 10 in thousandths of an em, from U+0020 to U+007E.
_ROMAN = (
    333, 278, 500, 833, 500, 833, 778, 278, 389, 389, 500, 778, 278, 333, 278, 500,
    500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 778, 778, 778, 472,
    778, 750, 708, 722, 764, 681, 653, 785, 750, 361, 514, 778, 625, 917, 750, 778,
    681, 778, 736, 556, 722, 750, 750, 1028, 750, 750, 611, 278, 500, 278, 611, 750,
    278, 500, 556, 444, 556, 444, 306, 500, 556, 278, 306, 528, 278, 833, 556, 500,
    556, 528, 392, 394, 389, 556, 528, 722, 528, 528, 444, 500, 278, 500, 611,
)  # fmt: skip
_ADVANCES = {chr(32 + index): width / 1000 for index, width in enumerate(_ROMAN)}
_TYPEWRITER = 0.53
_OTHER = 0.78
BOLD = 1.15
INDENT = 1.2
CODE_POINT_LENGTH = 8


def width_of_string(text: str) -> float:
    """Estimate the width of words, in em.

    Example:
        >>> round(width_of_string("79.5"), 2)
        1.78
    """
    return sum([_ADVANCES.get(character, _OTHER) for character in text])


def letters_in(width: float) -> int:
    """Return how many letters of typewriter face fit into a width in em."""
    return int(width / _TYPEWRITER)


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measures and flattens texts of one report.

    Attributes:
        labels: What cross-references and citations are printed as.
        lang: Language of the report.
    """

    labels: Labels
    lang: str = "en"

    def width(self, text: Text) -> float:
        """Estimate the width of a text on one line, in em."""
        return sum(self._width(node) for node in text)

    def _width(self, node: Inline) -> float:
        match node:
            case Math(expression):
                return measure(tokens(expression)) * 0.5
            case Code(text):
                wide = sum(not " " <= c <= "~" for c in clean(text))
                return _TYPEWRITER * (len(clean(text)) + wide * (CODE_POINT_LENGTH - 1))
            case Emphasis(content):
                return self.width(content)
            case Strong(content):
                return self.width(content) * BOLD
            case Indent(depth):
                return depth * INDENT
            case Link(content) if address_behind(node):
                return self.width((*content, " (", Code(address_behind(node)), ")"))
            case Link(content):
                return self.width(content)
        return width_of_string(clean(self.plain((node,))))

    def plain(self, text: Text) -> str:
        """Return a text as plain characters, as a reader would type it."""
        return "".join(self._plain(node) for node in text)

    def _plain(self, node: Inline) -> str:
        match node:
            case str():
                return node
            case Number():
                return print_number(node, self.lang)
            case Ref(target):
                return self.labels.text(target)
            case Cite(key):
                return f"[{self.labels.cite(key)}]"
            case Code(text):
                return text
            case Emphasis(content) | Strong(content) | Link(content):
                return self.plain(content)
            case Mark(sign):
                return sign
            case Math() | Indent():
                return ""
