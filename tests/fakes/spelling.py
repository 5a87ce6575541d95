"""One text or one formula in the spelling of a format."""

import re
from html import unescape

from reportgen.records.document import EquationGroup, Math, Text
from reportgen.records.formula import Expression
from reportgen.render import Labels
from reportgen.render.docx import OMML
from reportgen.render.html import HtmlPrinter, print_mathml_group
from reportgen.render.json import PlainPrinter
from reportgen.render.latex import LATEX, LatexPrinter, drawable_latex
from reportgen.render.markdown import GITHUB, MarkdownPrinter, print_github_group
from reportgen.render.typst import TYPST, TypstPrinter, drawable_typst

PRINTERS = {
    "html": HtmlPrinter,
    "json": PlainPrinter,
    "latex": LatexPrinter,
    "markdown": MarkdownPrinter,
    "typst": TypstPrinter,
}
DIALECTS = {"docx": OMML, "latex": LATEX, "markdown": GITHUB, "typst": TYPST}


def spell_text(text: Text, form: str, lang: str = "en", labels: Labels | None = None) -> str:
    known = labels or Labels(targets={}, citations={}, words={})
    return str(PRINTERS[form](known, lang).print_text(text))


def spell_formula(formula: Expression | EquationGroup, form: str, lang: str = "en") -> str:
    """One formula as it stands in a text, or a group as it is displayed; `speech` is heard."""
    if form == "speech":
        return unescape(re.search('alttext="([^"]*)"', spell_formula(formula, "html", lang))[1])
    if isinstance(formula, EquationGroup):
        return (
            print_mathml_group(formula, lang)
            if form == "html"
            else print_github_group(formula, "1", lang)
        )
    if form in DIALECTS:
        return DIALECTS[form].spell(formula, lang)
    return spell_text((Math(formula),), form, lang)


def drawable(text: str, form: str) -> str:
    """Clean text as pages show it: the code point of what the fonts of an engine lack."""
    return drawable_latex(text) if form == "latex" else drawable_typst(text)
