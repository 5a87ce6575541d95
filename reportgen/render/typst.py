"""Typst: the source that the embedded engine sets."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.document import Number, Report
from reportgen.records.formula import Expression
from reportgen.render._context import RenderContext
from reportgen.render._escape import clean, clean_prose
from reportgen.render._escape_typeset import (
    drawable_typst,
    escape_code_typst,
    escape_listing_typst,
    escape_typst,
    fonts_with,
    lacking,
    lending,
    quote,
)
from reportgen.render._formulas import TYPST, speak
from reportgen.render._inline import Raw, author_names
from reportgen.render._numbering import Labels
from reportgen.render._spelling import NO_BREAK_SPACE, TIMES, print_number, spell_date, split_power
from reportgen.render._tables import BOLD, ColumnLayout, Halves, width_of_string
from reportgen.render._templates import render_report
from reportgen.render._typeset import TypesetPrinter, Typesetter

# Room narrower than this, in em, is not seen.
_SEEN = 0.004


class TypstPrinter(TypesetPrinter):
    """Spells texts in Typst. Text is always a string in code mode, closed by a semicolon."""

    emphasis = "#emph[%s];"
    strong = "#strong[%s];"
    reference = '#link(label("%(anchor)s"), "%(text)s");'
    citation = '#link(label("ref-%(anchor)s"), "[%(number)s]");'
    figure_ending = "svg"
    marker = "// rg %s %s"
    formulas = TYPST
    escape = staticmethod(escape_typst)
    code = staticmethod(escape_code_typst)
    newline = "#goes-on;"
    indent = "#h(%gem);"
    drawable = staticmethod(drawable_typst)
    print_title = staticmethod(escape_typst)
    print_listing = staticmethod(escape_listing_typst)

    def print_alt(self, text: str) -> str:
        """Spell an alternative text."""
        return quote(clean(text))

    def _number(self, number: Number) -> str:
        mantissa, power = split_power(print_number(number, self.lang))
        if power:
            return f"#{quote(f'{mantissa}{TIMES}10')};#super(typographic: false, {quote(power)});"
        return f"#{quote(mantissa)};"

    def _math(self, expression: Expression) -> str:
        """Spell an inline formula, with its alternative text."""
        formula = TYPST.spell(expression, self.lang)
        return f"#formula({quote(speak(expression, self.lang))}, ${formula}$);"

    def _ref(self, target: str) -> str:
        return super()._ref(target).replace(" ", NO_BREAK_SPACE).replace(f",{NO_BREAK_SPACE}", ", ")

    def _link(self, content: str, url: str, behind: str) -> str:
        target = quote(clean(url))
        address = f'#" (";#link({target})[{escape_code_typst(behind)}];#")";' if behind else ""
        return f"#link({target})[{content}];{address}"

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

    def print_column(self, column: ColumnLayout) -> str:
        """Return the width of a column."""
        return f"{100 * column.share:.2f}%" if column.share else "auto"


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

    Returns:
        Relative path to content; the main file is `<stem>.typ`.

    Raises:
        TemplateError: A template could not be rendered.
    """
    files = _render(report, labels, figures, context)
    # What the fonts of the engine lack is written a second time where others have it.
    found = fonts_with(lacking(files[f"{context.stem}.typ"].decode()))
    if not found:
        return files
    with lending(frozenset(found)):
        return _render(report, labels, figures, context)


def _render(
    report: Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    printer = TypstPrinter(labels, report.lang)
    typesetter = Typesetter("typst", printer, figures, context)
    language, _, region = report.lang.partition("-")
    variables = {
        **typesetter.front(report),
        "title": Raw(quote(clean_prose(report.title))),
        "authors": [Raw(quote(clean(name))) for name in author_names(report.authors)],
        "date": Raw(quote(spell_date(report.date, report.lang))) if report.date else "",
        "lang": Raw(quote(language.lower())),
        "region": Raw(quote(region)) if region else "",
    }
    source = render_report(typesetter.environment, variables)
    return {f"{context.stem}.typ": source.encode(), **typesetter.files(report, figures)}
