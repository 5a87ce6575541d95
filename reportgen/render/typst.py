"""Typst: the source that the embedded engine sets."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.document import Number, Report
from reportgen.records.formula import Expression
from reportgen.render._context import RenderContext
from reportgen.render._environment import make_environment, render_report
from reportgen.render._escape import clean, clean_prose, keep_signs
from reportgen.render._escape_typst import drawable, escape, escape_code, escape_listing, quote
from reportgen.render._excerpt import for_pages, whole_tables
from reportgen.render._formulas import TYPST, speak
from reportgen.render._front import author_names, split_author
from reportgen.render._inline import Raw
from reportgen.render._math import MathLine
from reportgen.render._numbering import Labels, anchor_of
from reportgen.render._spelling import NO_BREAK_SPACE, TIMES, print_number, spell_date, split_power
from reportgen.render._table import ColumnLayout, Halves
from reportgen.render._typeset import TypesetPrinter, Typesetter, figure_files
from reportgen.render._widths import BOLD, width_of_string

# Room narrower than this, in em, is not seen.
_SEEN = 0.004


class TypstPrinter(TypesetPrinter):
    """Spells texts in Typst. Text is always a string in code mode, closed by a semicolon."""

    figure_ending = "svg"
    drawable = staticmethod(drawable)

    def print_string(self, text: str) -> str:
        """Spell plain words."""
        return escape(keep_signs(text))

    def print_number(self, number: Number) -> str:
        """Spell a number."""
        mantissa, power = split_power(print_number(number, self.lang))
        if power:
            return f"#{quote(f'{mantissa}{TIMES}10')};#super(typographic: false, {quote(power)});"
        return f"#{quote(mantissa)};"

    def print_math(self, expression: Expression) -> str:
        """Spell an inline formula, with its alternative text."""
        formula = TYPST.spell(expression, self.lang)
        return f"#formula({quote(speak(expression, self.lang))}, ${formula}$);"

    def print_ref(self, target: str) -> str:
        """Spell a cross-reference as a link."""
        words = self.labels.text(target).replace(" ", NO_BREAK_SPACE)
        return f"#link(label({quote(self.labels.anchor(target))}), {quote(words)});"

    def print_cite(self, key: str) -> str:
        """Spell a citation as a link."""
        target = quote(f"ref-{anchor_of(key)}")
        return f"#link(label({target}), {quote(f'[{self.labels.cite(key)}]')});"

    def print_code(self, text: str) -> str:
        """Spell text in typewriter face."""
        return escape_code(text)

    def print_emphasis(self, content: str) -> str:
        """Spell emphasised words."""
        return f"#emph[{content}];"

    def print_strong(self, content: str) -> str:
        """Spell bold words."""
        return f"#strong[{content}];"

    def print_link(self, content: str, url: str, behind: str) -> str:
        """Spell words and the address behind them, both as links."""
        target = quote(clean(url))
        address = f'#" (";#link({target})[{escape_code(behind)}];#")";' if behind else ""
        return f"#link({target})[{content}];{address}"

    def print_indent(self, depth: int) -> str:
        """Spell the leading space of a table cell."""
        return f"#h({1.2 * depth:g}em);" if depth else ""

    def marker(self, block: str, template: str) -> str:
        """Return a comment line that names block and template."""
        return f"// rg {clean(block)} {template}"

    def print_math_line(self, line: MathLine) -> str:
        """Spell one line of displayed equations."""
        return TYPST.line(line, self.lang)

    def print_decimals(
        self,
        halves: Halves,
        boxes: tuple[tuple[float, float], ...],
        *,
        bold: bool,
        ids: tuple[str, ...] = (),  # noqa: ARG002 - LaTeX alone names its numbers
    ) -> str:
        """Spell a number with the room beside it that aligns its points."""
        return _padded(halves, boxes, BOLD if bold else 1.0)

    def print_lines(self, lines: tuple[str, ...]) -> str:
        """Spell a name on several lines of a narrow column."""
        return "#goes-on;".join(escape_code(line) for line in lines)

    def print_listing(self, text: str, letters: int) -> tuple[str, ...]:
        """Spell verbatim lines as string literals."""
        return escape_listing(text, letters)

    def print_column(self, column: ColumnLayout) -> str:
        """Return the width of a column."""
        return f"{100 * column.share:.2f}%" if column.share else "auto"

    def print_title(self, title: str) -> str:
        """Spell a heading."""
        return escape(title)

    def print_alt(self, text: str) -> str:
        """Spell an alternative text."""
        return quote(clean(text))

    def print_url(self, url: str) -> str:
        """Spell an address as a link."""
        return f"#link({quote(clean(url))})[{escape_code(url)}];"


def _padded(halves: Halves, boxes: tuple[tuple[float, float], ...], weight: float) -> str:
    """Return a number, or `mean ± std`, with room before and behind instead of boxes around.

    A table of thousands of numbers is set in half the time so. What has no deviation keeps the
    room of one.

    Example:
        >>> _padded((("9", ".5"),), ((1.0, 0.778),), 1.0)
        '#h(0.500em);#"9.5";'
    """
    spelled, room = "", 0.0
    for index, (before, after) in enumerate(boxes):
        left, right = halves[index] if index < len(halves) else ("", "")
        sign = f"{NO_BREAK_SPACE}\u00b1{NO_BREAK_SPACE}" if index else ""
        if index >= len(halves):
            room += width_of_string(" \u00b1 ") + before + after
            continue
        room += before - width_of_string(left) * weight
        shown = sign + left + right
        if sign and room > _SEEN:
            spelled += f"#{quote(sign)};"
            shown = left + right
        spelled += f"#h({room:.3f}em);" if room > _SEEN else ""
        spelled += f"#{quote(shown)};"
        room = after - width_of_string(right) * weight
        if index + 1 < len(halves) and room > _SEEN:
            spelled += f"#h({room:.3f}em);"
            room = 0.0
    spelled += f"#h({room:.3f}em);" if room > _SEEN else ""
    return f"#strong[{spelled}];" if weight > 1 else spelled


def render(
    report: Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Render a report as Typst source with its figures.

    Args:
        report: The document.
        labels: Its numbers and anchors.
        figures: Figure id to SVG.
        context: Templates and file names.

    Returns:
        Relative path to content; the main file is `<stem>.typ`.

    Raises:
        TemplateError: A template could not be rendered.
    """
    environment = make_environment(
        "typst", escape, context.template_dirs, theme=context.theme_folder
    )
    printer = TypstPrinter(labels, report.lang)
    drawn = figure_files(figures, context, printer.figure_ending)
    files = {drawn[name][0]: content for name, content in figures.items()}
    files |= whole_tables(report, labels, context)
    typesetter = Typesetter(environment, printer, drawn, context.page)
    language, _, region = report.lang.partition("-")
    variables = {
        "report": report,
        "title": Raw(quote(clean_prose(report.title))),
        "page": context.page,
        "words": labels.words,
        "authors": [Raw(quote(clean(name))) for name in author_names(report.authors)],
        "signed": [split_author(author) for author in report.authors],
        "abstract": printer.print_text(report.abstract),
        "occasion": printer.print_text((report.occasion,)) if report.occasion else "",
        "glance": typesetter.glance(report.glance),
        "date": Raw(quote(spell_date(report.date, report.lang))) if report.date else "",
        "lang": Raw(quote(language.lower())),
        "region": Raw(quote(region)) if region else "",
        "body": typesetter.render_blocks(for_pages(report, labels, context).sections),
    }
    source = render_report(environment, variables)
    return {f"{context.stem}.typ": source.encode(), **files}
