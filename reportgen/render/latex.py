"""LaTeX: the source a paper's author can take, and that pdflatex sets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest

from reportgen.records.document import Number, Report
from reportgen.records.formula import Expression
from reportgen.render._context import RenderContext
from reportgen.render._environment import make_environment, render_report
from reportgen.render._escape import clean, keep_signs
from reportgen.render._escape_latex import (
    drawable,
    escape,
    escape_code,
    escape_heading,
    escape_listing,
    escape_outline,
    name_number,
    spell,
)
from reportgen.render._excerpt import for_pages, whole_tables
from reportgen.render._formulas import LATEX
from reportgen.render._front import author_names, split_author
from reportgen.render._inline import Raw
from reportgen.render._math import MathLine
from reportgen.render._numbering import Labels, anchor_of
from reportgen.render._spelling import MINUS, print_number, spell_date, split_power
from reportgen.render._table import ColumnLayout, Halves
from reportgen.render._typeset import TypesetPrinter, Typesetter, figure_files

_LETTERS = {"left": "l", "center": "c", "right": "r", "decimal": "c"}
_DEFINITION = r"\providecommand{\rgnum}[2]{#2}"
_DEFINED = re.compile(r"\\(?:new|renew|provide|DeclareRobust)[cC]ommand\*?\s*\{?\s*\\rgnum\b")
_URL_SAFE = re.compile(r"[A-Za-z0-9/:.?=+@!*'(),;-]")


class LatexPrinter(TypesetPrinter):
    """Spells texts in LaTeX."""

    figure_ending = "pdf"
    drawable = staticmethod(drawable)

    def print_string(self, text: str) -> str:
        """Spell plain words."""
        return escape(keep_signs(text))

    def print_number(self, number: Number) -> str:
        """Spell a number, with its id for whoever checks an edited copy."""
        return name_number(number.id, print_figure_text(print_number(number, self.lang)))

    def print_math(self, expression: Expression) -> str:
        """Spell an inline formula."""
        return f"${LATEX.spell(expression, self.lang)}$"

    def print_ref(self, target: str) -> str:
        """Spell a cross-reference as a link over word and number."""
        anchor = self.labels.anchor(target)
        word = self.labels.text(target).rpartition(" ")[0]
        return rf"\hyperref[{anchor}]{{{word}~\ref*{{{anchor}}}}}"

    def print_cite(self, key: str) -> str:
        """Spell a citation."""
        self.labels.cite(key)
        return rf"\cite{{{anchor_of(key)}}}"

    def print_code(self, text: str) -> str:
        """Spell text in typewriter face."""
        return escape_code(text)

    def print_emphasis(self, content: str) -> str:
        """Spell emphasised words."""
        return rf"\emph{{{content}}}"

    def print_strong(self, content: str) -> str:
        """Spell bold words."""
        return rf"\textbf{{{content}}}"

    def print_link(self, content: str, url: str, behind: str) -> str:
        """Spell words and the address behind them, both as links."""
        return (
            f"{_href(url, content)} ({_href(url, escape_code(behind))})"
            if behind
            else _href(url, content)
        )

    def print_indent(self, depth: int) -> str:
        """Spell the leading space of a table cell."""
        return rf"\hspace*{{{1.2 * depth:g}em}}" if depth else ""

    def marker(self, block: str, template: str) -> str:
        """Return a comment line that names block and template."""
        return f"%%rg {clean(block)} {template}"

    def print_math_line(self, line: MathLine) -> str:
        """Spell one line of displayed equations."""
        return LATEX.line(line, self.lang)

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

    def print_lines(self, lines: tuple[str, ...]) -> str:
        """Spell a name on several lines of a narrow column."""
        return r"\newline\goeson{}".join(escape_code(line) for line in lines)

    def print_listing(self, text: str, letters: int) -> tuple[str, ...]:
        """Spell verbatim lines; every space is kept."""
        return escape_listing(text, letters)

    def print_column(self, column: ColumnLayout) -> str:
        """Return the column's letter, or its width where it is wrapped."""
        if column.share:
            return rf">{{\wrapped}}p{{{column.share:.4f}\linewidth}}"
        return _LETTERS[column.align]

    def print_title(self, title: str) -> str:
        """Spell a heading."""
        return escape_heading(title)

    def print_alt(self, text: str) -> str:
        """Spell an alternative text; the template leaves it in a comment."""
        return clean(text)

    def print_url(self, url: str) -> str:
        """Spell an address as a link."""
        return _href(url, escape_code(url))


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

    Args:
        report: The document.
        labels: Its numbers and anchors.
        figures: Figure id to SVG.
        context: Templates and file names.

    Returns:
        Relative path to content; the main file is `<stem>.tex`.

    Raises:
        TemplateError: A template could not be rendered.
        EngineError: The engine that makes PDF figures is missing.
    """
    from reportgen.render._engine_typst import svg_to_pdf

    environment = make_environment(
        "latex", escape, context.template_dirs, theme=context.theme_folder
    )
    printer = LatexPrinter(labels, report.lang)
    drawn = figure_files(figures, context, printer.figure_ending)
    files = {drawn[name][0]: content for name, content in svg_to_pdf(figures).items()}
    files |= whole_tables(report, labels, context)
    typesetter = Typesetter(environment, printer, drawn, context.page)
    variables = {
        "report": report,
        "title": report.title,
        "page": context.page,
        "words": labels.words,
        "authors": report.authors,
        "signed": [split_author(author) for author in report.authors],
        "outline_title": Raw(escape_outline(report.title)),
        "outline_authors": Raw(escape_outline(", ".join(author_names(report.authors)))),
        "abstract": printer.print_text(report.abstract),
        "occasion": printer.print_text((report.occasion,)) if report.occasion else "",
        "glance": typesetter.glance(report.glance),
        "date": spell_date(report.date, report.lang),
        "body": typesetter.render_blocks(for_pages(report, labels, context).sections),
    }
    source = _with_definition(render_report(environment, variables))
    return {f"{context.stem}.tex": source.encode(), **files}


def _with_definition(source: str) -> str:
    """Define the command of named numbers where a template of the user's does not."""
    return source if _DEFINED.search(source) else f"{_DEFINITION}\n{source}"
