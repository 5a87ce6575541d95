"""LaTeX: the source a paper's author can take, and that pdflatex sets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest

from reportgen.records.document import Number, Report
from reportgen.records.formula import Expression
from reportgen.render._context import RenderContext
from reportgen.render._escape import clean
from reportgen.render._escape_typeset import (
    drawable_latex,
    escape_code_latex,
    escape_heading,
    escape_latex,
    escape_listing_latex,
    escape_outline,
    name_number,
    spell,
)
from reportgen.render._formulas import LATEX
from reportgen.render._inline import Raw, author_names
from reportgen.render._numbering import Labels
from reportgen.render._spelling import MINUS, print_number, spell_date, split_power
from reportgen.render._tables import ColumnLayout, Halves
from reportgen.render._templates import render_report
from reportgen.render._typeset import TypesetPrinter, Typesetter

_LETTERS = {"left": "l", "center": "c", "right": "r", "decimal": "c"}
_DEFINITION = r"\providecommand{\rgnum}[2]{#2}"
_DEFINED = re.compile(r"\\(?:new|renew|provide|DeclareRobust)[cC]ommand\*?\s*\{?\s*\\rgnum\b")
_URL_SAFE = re.compile(r"[A-Za-z0-9/:.?=+@!*'(),;-]")


class LatexPrinter(TypesetPrinter):
    """Spells texts in LaTeX."""

    emphasis = r"\emph{%s}"
    strong = r"\textbf{%s}"
    reference = r"\hyperref[%(anchor)s]{%(word)s~\ref*{%(anchor)s}}"
    citation = r"\cite{%(anchor)s}"
    figure_ending = "pdf"
    marker = "%%%%rg %s %s"
    formulas = LATEX
    escape = staticmethod(escape_latex)
    code = staticmethod(escape_code_latex)
    newline = r"\newline\goeson{}"
    indent = r"\hspace*{%gem}"
    drawable = staticmethod(drawable_latex)
    print_title = staticmethod(escape_heading)
    print_alt = staticmethod(clean)  # which the template leaves in a comment
    print_listing = staticmethod(escape_listing_latex)

    def _number(self, number: Number) -> str:
        """Spell a number, with its id for whoever checks an edited copy."""
        return name_number(number.id, print_figure_text(print_number(number, self.lang)))

    def _math(self, expression: Expression) -> str:
        return f"${LATEX.spell(expression, self.lang)}$"

    def _link(self, content: str, url: str, behind: str) -> str:
        address = f" ({_href(url, escape_code_latex(behind))})" if behind else ""
        return f"{_href(url, content)}{address}"

    def print_decimals(
        self,
        halves: Halves,
        boxes: tuple[tuple[float, float], ...],
        *,
        bold: bool,
        ids: tuple[str, ...] = (),
    ) -> str:
        """Spell a number in boxes that align its points; the boxes stay in one piece."""
        pairs = [*halves, *[("", "")] * (len(boxes) - len(halves))]
        cells = []
        for (left, right), (before, after) in zip(pairs, boxes, strict=True):
            texts = [print_figure_text(half) for half in (left, right)]
            if bold:
                texts = [rf"\textbf{{{half}}}" if half else "" for half in texts]
            cells.append(
                rf"\decimal{{{before:.3f}em}}{{{texts[0]}}}{{{after:.3f}em}}{{{texts[1]}}}"
            )
        named = zip_longest(ids, cells[: len(halves)], fillvalue="")
        first, *rest = [*(name_number(*pair) for pair in named), *cells[len(halves) :]]
        sign = r"\plusminus" if len(halves) > 1 else r"\phantom{\plusminus}"
        return first + "".join(sign + cell for cell in rest)

    def print_column(self, column: ColumnLayout) -> str:
        """Return the column's letter, or its width where it is wrapped."""
        if column.share:
            return rf">{{\wrapped}}p{{{column.share:.4f}\linewidth}}"
        return _LETTERS[column.align]


def _href(url: str, content: str) -> str:
    safe = "".join(c if _URL_SAFE.match(c) else _percent(c) for c in clean(url))
    return rf"\href{{{safe}}}{{{content}}}"


def _percent(character: str) -> str:
    """Return a character of an address so that TeX reads no command in it."""
    if character in "%#&_~":
        return f"\\{character}" if character != "~" else r"\string~"
    return "".join(rf"\%{byte:02X}" for byte in character.encode())


def print_figure_text(text: str) -> str:
    r"""Return a printed number in running text.

    Example:
        >>> print(print_figure_text("\u22123.5"), print_figure_text("79.5%"))
        $-$3.5 79.5\%
    """
    mantissa, power = split_power(text)
    if power:
        exponent = power.replace(MINUS, "-")
        return rf"{print_figure_text(mantissa)}$\times 10^{{{exponent}}}$"
    for sign in (MINUS, "+", "<"):
        if text.startswith(sign):
            return f"${'-' if sign == MINUS else sign}${spell(text[1:])}"
    return spell(text)


def render(
    report: Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Render a report as LaTeX source with its figures as PDF.

    Returns:
        Relative path to content; the main file is `<stem>.tex`.

    Raises:
        TemplateError: A template could not be rendered.
        EngineError: The engine that makes PDF figures is missing.
    """
    from reportgen.render._engines import svg_to_pdf

    printer = LatexPrinter(labels, report.lang)
    typesetter = Typesetter("latex", printer, figures, context)
    pictures = svg_to_pdf(figures)
    authors = ", ".join(author_names(report.authors))
    variables = {
        **typesetter.front(report),
        "title": report.title,
        "authors": report.authors,
        "outline_title": Raw(escape_outline(report.title)),
        "outline_authors": Raw(escape_outline(authors)),
        "date": spell_date(report.date, report.lang),
    }
    source = _with_definition(render_report(typesetter.environment, variables))
    return {f"{context.stem}.tex": source.encode(), **typesetter.files(report, pictures)}


def _with_definition(source: str) -> str:
    """Define the command of named numbers where a template of the user's does not."""
    return source if _DEFINED.search(source) else f"{_DEFINITION}\n{source}"
