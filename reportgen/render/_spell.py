"""One text or one formula in the spelling of a format."""

from __future__ import annotations

from collections.abc import Callable

from reportgen.records.document import EquationGroup, Text
from reportgen.records.formula import Expression
from reportgen.render._escape_typeset import drawable_latex, drawable_typst
from reportgen.render._formulas import (
    GITHUB,
    LATEX,
    OMML,
    TYPST,
    formula_text,
    print_github_group,
    print_mathml,
    print_mathml_group,
    speak,
    speak_group,
)
from reportgen.render._html_table import HtmlPrinter
from reportgen.render._inline import InlinePrinter, PlainPrinter
from reportgen.render._numbering import Labels
from reportgen.render.latex import LatexPrinter
from reportgen.render.markdown import MarkdownPrinter
from reportgen.render.typst import TypstPrinter

_PRINTERS: dict[str, Callable[[Labels, str], InlinePrinter]] = {
    "html": HtmlPrinter,
    "json": PlainPrinter,
    "latex": LatexPrinter,
    "markdown": MarkdownPrinter,
    "typst": TypstPrinter,
}
_FORMULAS: dict[str, Callable[[Expression, str], str]] = {
    "docx": OMML.spell,
    "html": print_mathml,
    "json": lambda expression, _: formula_text(expression),
    "latex": LATEX.spell,
    "markdown": GITHUB.spell,
    "speech": speak,
    "typst": TYPST.spell,
}


_GROUPS: dict[str, Callable[[EquationGroup, str], str]] = {
    "html": print_mathml_group,
    "markdown": lambda group, lang: print_github_group(group, "1", lang),
    "speech": speak_group,
}


def spell_text(text: Text, form: str, lang: str = "en", labels: Labels | None = None) -> str:
    r"""Return a text in the spelling of a format.

    Args:
        text: Words, names, numbers and formulas.
        form: `html`, `json` (plain characters), `latex`, `markdown` or `typst`.
        lang: Language of the report.
        labels: What references are called; needed where the text has any.

    Example:
        >>> from reportgen.records.document import Emphasis
        >>> print(spell_text(("50% ", Emphasis(("more",))), "latex"))
        50\% \emph{more}
    """
    known = labels or Labels(targets={}, citations={}, words={})
    return str(_PRINTERS[form](known, lang).print_text(text))


def spell_formula(formula: Expression | EquationGroup, form: str, lang: str = "en") -> str:
    """Return a formula, or displayed equations, in the spelling of a format.

    Args:
        formula: One formula as it stands in a text, or a group as it is displayed.
        form: `html`, `markdown` or `speech` (for those who listen), and of one formula also
            `docx`, `json` (one line), `latex` or `typst`.
        lang: Language of the report.

    Example:
        >>> from reportgen.records.formula import Symbol
        >>> spell_formula(4 * Symbol("V"), "speech", "fr"), spell_formula(4 * Symbol("V"), "json")
        ('4 fois V', '4 * V')
    """
    if isinstance(formula, EquationGroup):
        return _GROUPS[form](formula, lang)
    return _FORMULAS[form](formula, lang)


def drawable(text: str, form: str) -> str:
    """Return clean text as pages show it: the code point of what the fonts of an engine lack.

    Args:
        text: What `clean` returned.
        form: `latex` or `typst`.

    Example:
        >>> drawable("\u65e5", "typst")
        '[U+65E5]'
    """
    return drawable_latex(text) if form == "latex" else drawable_typst(text)
