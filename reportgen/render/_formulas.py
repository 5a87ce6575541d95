"""Formulas in the spelling of each format: one walk over the tokens, one dialect a spelling.

A dialect is a table of templates for the atoms, a table of marks, and what it calls letters,
words and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape

from reportgen.languages import fill, language_of, message
from reportgen.records import formula as tree
from reportgen.records.document import EquationGroup
from reportgen.render._escape import clean
from reportgen.render._escape_typeset import greek_command, name_number, quote, spell
from reportgen.render._math import (
    MathLine,
    Token,
    base_tokens,
    greek,
    group_lines,
    print_constant,
    tokens,
)
from reportgen.render._spelling import MINUS, NARROW_SPACE, NO_BREAK_SPACE, TIMES

OMML_NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def _after_letters(before: Token, piece: Token) -> bool:
    """Tell whether two letters would run into one another."""
    return isinstance(before, tree.Symbol | tree.Power | tree.Root) and not isinstance(piece, str)


def _between_factors(before: Token, piece: Token) -> bool:
    """Tell whether two factors are juxtaposed on paper."""
    ended = not isinstance(before, str) or before.endswith(")")
    return ended and (not isinstance(piece, str) or piece.endswith("("))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How formulas are spelled in one format.

    Attributes:
        marks: Mark to its spelling.
        atoms: Kind of atom to its template, with the names of its parts.
        lines: Template of a displayed line, and of one that goes on.
        letter: Spells the name of a symbol.
        subscript: Spells what stands below it.
        label: Spells the words below a brace.
        number: Spells a printed number, which may have an id.
        constant: Prints a number in a language.
        between: What is put where `touch` says so of two tokens.
        touch: Which neighbours those are.
        grouped: Parts that have to be grouped inside an atom, by its kind.
        relations: Relation to its spelling.
        strong: Makes a spelled result bold.
        indent: Space before a line that goes on, by its open parentheses.
        join: Stands between two tokens.
    """

    marks: Mapping[str, str]
    atoms: Mapping[str, str]
    letter: Callable[[str], str]
    subscript: Callable[[str], str]
    label: Callable[[str], str]
    number: Callable[[str, str], str]
    constant: Callable[[float, str], str] = print_constant
    lines: tuple[str, str] = ("%(left)s &%(relation)s %(content)s", "&%(indent)s %(content)s")
    between: str = ""
    touch: Callable[[Token, Token], bool] = _between_factors
    grouped: Callable[[str, tree.Expression], bool] = lambda _, __: False
    relations: Mapping[str, str] | None = None
    strong: Callable[[str], str] = str
    indent: Callable[[int], str] = "".__mul__
    join: str = ""

    def put(self, kind: str, **parts: str) -> str:
        """Fill the template of an atom."""
        return self.atoms[kind] % parts

    def spell(self, expression: tree.Expression, lang: str = "en") -> str:
        """Return a formula."""
        return self.tokens(tokens(expression), lang)

    def tokens(self, pieces: tuple[Token, ...], lang: str) -> str:
        """Return tokens."""
        spelled: list[str] = []
        before: Token = "("
        for piece in pieces:
            if self.between and self.touch(before, piece):
                spelled.append(self.between)
            spelled.append(self.marks[piece] if isinstance(piece, str) else self.atom(piece, lang))
            before = piece
        return self.join.join(spelled).strip()

    def atom(self, piece: tree.Expression, lang: str) -> str:
        """Return one atom."""
        match piece:
            case tree.Symbol(name, sub):
                parts = {"name": self.letter(name), "mark": self.subscript(sub)}
                return self.put("sub", **parts) if sub else parts["name"]
            case tree.Constant(value, name):
                return self.number(self.constant(value, lang), name)
            case tree.Power(base, exponent):
                return self._power(piece, base, str(exponent), lang)
            case tree.Quotient(above, below):
                over, under = (self._part("quotient", part, lang) for part in (above, below))
                return self.put("quotient", above=over, below=under)
            case tree.Root(inner):
                return self.put("root", inner=self._part("root", inner, lang))
            case tree.Rounded(inner, up):
                kind = "ceil" if up else "floor"
                return self.put(kind, inner=self._part(kind, inner, lang))
            case tree.Braced(inner, label):
                part = self._part("brace", inner, lang)
                return self.put("brace", inner=part, label=self.label(label))
        raise TypeError(f"not an atom: {piece!r}")

    def _part(self, kind: str, part: tree.Expression, lang: str) -> str:
        spelled = self.spell(part, lang)
        return self.put("group", inner=spelled) if self.grouped(kind, part) else spelled

    def _power(self, power: tree.Power, base: tree.Expression, exponent: str, lang: str) -> str:
        if isinstance(base, tree.Symbol) and base.subscript and "sub_power" in self.atoms:
            parts = {"name": self.letter(base.name), "mark": self.subscript(base.subscript)}
            return self.put("sub_power", **parts, exponent=exponent)
        own = f"power{exponent}"
        spelled = self.tokens(base_tokens(power), lang)
        return self.put(own if own in self.atoms else "power", base=spelled, exponent=exponent)

    def line(self, line: MathLine, lang: str = "en") -> str:
        """Return one line of displayed equations."""
        content = self.number(line.result, line.name) if line.result else ""
        content = self.strong(content) if line.strong else content
        parts = {
            "left": self.atom(line.left, lang) if line.left else "",
            "relation": (self.relations or {}).get(line.relation, line.relation),
            "content": content or self.tokens(line.tokens, lang),
            "indent": self.indent(line.depth),
        }
        return (self.lines[not line.relation] % parts).strip()


_MARKS = ("+", "-", "neg", "*", "/", "(", ")", "tall(", "tall)")


def _marks(*spelled: str) -> dict[str, str]:
    """Return each mark with its spelling; without tall parentheses, the others serve."""
    return dict(zip(_MARKS, (*spelled, *spelled[5:7]), strict=False))


# --- LaTeX ----------------------------------------------------------------------------

_LATEX_MARKS = _marks(" + ", " - ", "-", r" \times ", " / ", "(", ")", r"\left(", r"\right)")
_LATEX_ATOMS = {
    "sub": "%(name)s_{%(mark)s}",
    "power": "%(base)s^{%(exponent)s}",
    "quotient": r"\frac{%(above)s}{%(below)s}",
    "root": r"\sqrt{%(inner)s}",
    "ceil": r"\left\lceil %(inner)s \right\rceil",
    "floor": r"\left\lfloor %(inner)s \right\rfloor",
    # In braces of its own it is set like a symbol, with room around the sign behind it.
    "brace": r"{\underbrace{%(inner)s}_{%(label)s}}",
}
_LATEX_RELATIONS = {"\u2248": r"\approx"}
_WORDS = re.compile(r"[A-Za-z]+")


def print_figure(text: str) -> str:
    r"""Return a printed number as mathematics of LaTeX.

    Example:
        >>> print(print_figure("22,807,552"), print_figure("0.28%"))
        22{,}807{,}552 0.28\%
    """
    spelled = text.replace(",", "{,}").replace("%", r"\%").replace(MINUS, "-")
    spelled = _WORDS.sub(lambda word: rf"\mathrm{{{word[0]}}}", spelled)
    return spelled.replace(NO_BREAK_SPACE, "~").replace(NARROW_SPACE, r"\,")


def _latex_letter(name: str) -> str:
    """Return a name: one letter in italics, words upright."""
    letter = greek(name) or name
    if len(letter) > 1:
        return _upright(name)
    plain = letter.isascii() and letter.isalpha()
    return greek_command(letter) or (letter if plain else _upright(letter))


def _upright(text: str) -> str:
    plain = text.isascii() and text.isalnum()
    return rf"\mathrm{{{text}}}" if plain else _latex_words(text)


def _latex_words(text: str) -> str:
    return rf"\text{{{spell(text)}}}"


LATEX = Dialect(
    marks=_LATEX_MARKS,
    atoms=_LATEX_ATOMS,
    letter=_latex_letter,
    subscript=_upright,
    label=_latex_words,
    number=lambda text, name: name_number(name, print_figure(text)),
    between=r"\,",
    touch=_after_letters,
    relations=_LATEX_RELATIONS,
    strong=r"\boldsymbol{{{}}}".format,
    indent=lambda depth: r"\qquad" + r"\quad" * depth + "{}",
)

# The part of LaTeX that GitHub, KaTeX and MathJax all set: no macro is defined, no package assumed.
_GITHUB_CHARACTERS = str.maketrans(
    {
        ",": "{,}",
        MINUS: "-",
        NARROW_SPACE: r"\,",
        NO_BREAK_SPACE: "~",
        "`": "'",
        "\n": " ",
        "\r": " ",
        "\\": "/",
        "^": "\u02c6",
        "~": "\u02dc",
        **{character: f"\\{character}" for character in "%_#&${}"},
    }
)


def _github_words(text: str) -> str:
    return rf"\text{{{text.translate(_GITHUB_CHARACTERS)}}}"


def _github_letter(name: str) -> str:
    """Spell a symbol's name; several letters are one upright word, not a product."""
    spelled = name.translate(_GITHUB_CHARACTERS)
    return greek(name) or (spelled if len(name) == 1 else rf"\mathrm{{{spelled}}}")


GITHUB = Dialect(
    marks=_LATEX_MARKS,
    atoms=_LATEX_ATOMS | {"power": "{%(base)s}^{%(exponent)s}"},
    letter=_github_letter,
    subscript=_github_words,
    label=_github_words,
    number=lambda text, _: text.translate(_GITHUB_CHARACTERS),
    between=r" \, ",
    relations=_LATEX_RELATIONS,
    strong=r"\mathbf{{{}}}".format,
    # The empty group keeps the sign that a broken line starts with a binary operator.
    indent=lambda _: r"\quad {}",
)


def print_github_group(group: EquationGroup, number: str, lang: str = "en") -> str:
    """Return displayed equations as one aligned environment with one number."""
    rows = " \\\\\n".join(GITHUB.line(line, lang) for line in group_lines(group, lang))
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}\n\\qquad ({number})"


# --- Typst ----------------------------------------------------------------------------


def _typst_letter(name: str) -> str:
    letter = greek(name) or name
    return letter if len(letter) == 1 and letter.isalpha() else quote(name)


TYPST = Dialect(
    marks=_marks("+", "-", "-", "times", "slash", r"\(", r"\)", r"lr(\(", r"\))"),
    atoms={
        "sub": "%(name)s_%(mark)s",
        "power": 'attach(%(base)s, t: "%(exponent)s")',
        "sub_power": 'attach(%(name)s, b: %(mark)s, t: "%(exponent)s")',
        "quotient": "frac(%(above)s, %(below)s)",
        "root": "sqrt(%(inner)s)",
        "ceil": "ceil(%(inner)s)",
        "floor": "floor(%(inner)s)",
        "brace": "underbrace(%(inner)s, %(label)s)",
    },
    letter=_typst_letter,
    subscript=quote,
    label=quote,
    number=lambda text, _: quote(text),
    between="thin",
    touch=_after_letters,
    relations={"\u2248": "approx"},
    # Bold letters of mathematics are other characters: nobody would find the number by searching.
    strong='#text(weight: "bold", {})'.format,
    # The empty text makes the sign that follows a sign between two terms.
    indent=lambda depth: " " + "quad " * (2 + depth) + '""',
    join=" ",
)  # fmt: skip

# --- MathML ---------------------------------------------------------------------------


def _tagged(tag: str, attributes: str = "") -> Callable[[str], str]:
    """Return what puts words, made safe, into an element."""
    return lambda text: f"<{tag}{attributes}>{escape(clean(text), quote=False)}</{tag}>"


_SIGN = '<mo form="{}">{}</mo>'.format
_ROW = "<mtr>" + "<mtd><mrow>%s</mrow></mtd>" * 3 + "</mtr>"

# A number inside a formula is one `<mn>` with its grouping, so that a screen reader says one
# number. Columns of displayed equations are left side, relation and right side.
MATHML = Dialect(
    marks=_marks(
        *(_SIGN("infix", "+"), _SIGN("infix", MINUS), _SIGN("prefix", MINUS)),
        *(f"<mo>{TIMES}</mo>", "<mo>/</mo>"),
        *map(_SIGN, ('prefix" stretchy="false', 'postfix" stretchy="false'), "()"),
        *(_SIGN("prefix", "("), _SIGN("postfix", ")")),
    ),
    atoms={
        "sub": "<msub>%(name)s%(mark)s</msub>",
        "power": "<msup><mrow>%(base)s</mrow><mn>%(exponent)s</mn></msup>",
        "quotient": "<mfrac><mrow>%(above)s</mrow><mrow>%(below)s</mrow></mfrac>",
        "root": "<msqrt>%(inner)s</msqrt>",
        "ceil": "<mrow><mo>⌈</mo>%(inner)s<mo>⌉</mo></mrow>",
        "floor": "<mrow><mo>⌊</mo>%(inner)s<mo>⌋</mo></mrow>",
        "brace": "<munder><munder><mrow>%(inner)s</mrow>"
        '<mo stretchy="true">\u23df</mo></munder>%(label)s</munder>',
    },
    lines=(
        _ROW % ("%(left)s", "<mo>%(relation)s</mo>", "%(content)s"),
        _ROW % ("", "", "%(indent)s%(content)s"),
    ),
    letter=lambda name: f"<mi>{escape(greek(name) or clean(name), quote=False)}</mi>",
    subscript=_tagged("mi", ' mathvariant="normal"'),
    label=_tagged("mtext"),
    number=lambda text, _: f"<mn>{escape(text, quote=False)}</mn>",
    # What is juxtaposed on paper is multiplied for those who listen.
    between="<mo>\u2062</mo>",
    strong=lambda spelled: spelled.replace("<mn>", '<mn class="strong">'),
    indent=lambda depth: f'<mspace width="{2 + depth}em"/>',
)  # fmt: skip


def print_mathml(expression: tree.Expression, lang: str = "en") -> str:
    """Return a formula as a `<math>` element for running text.

    Example:
        >>> print_mathml(tree.Symbol("d") ** 2)
        '<math alttext="d squared"><msup><mrow><mi>d</mi></mrow><mn>2</mn></msup></math>'
    """
    spoken = escape(clean(speak(expression, lang)))
    return f'<math alttext="{spoken}">{MATHML.spell(expression, lang)}</math>'


def print_mathml_group(group: EquationGroup, lang: str = "en") -> str:
    """Return displayed equations as one `<math>` element, aligned at their relations."""
    rows = "".join(MATHML.line(line, lang) for line in group_lines(group, lang))
    spoken = escape(clean(speak_group(group, lang)))
    return (
        f'<math display="block" alttext="{spoken}">'
        f'<mtable displaystyle="true">{rows}</mtable></math>'
    )


# --- Word -----------------------------------------------------------------------------


def _run(text: str, *, upright: bool = True) -> str:
    """Return characters; to LibreOffice, words and blanks are text, or `in` were an operator."""
    kind = "<m:nor/>" if text[:1].isalpha() or not text.strip() else '<m:sty m:val="p"/>'
    style = f"<m:rPr>{kind}</m:rPr>" if upright else ""
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<m:r>{style}<m:t{space}>{escape(text, quote=False)}</m:t></m:r>"


def _word_letter(name: str) -> str:
    letter = greek(name) or name
    return _run(letter, upright=len(letter) > 1)


_ENDS = '<m:d><m:dPr><m:begChr m:val="{}"/><m:endChr m:val="{}"/></m:dPr><m:e>%(inner)s</m:e></m:d>'
OMML = Dialect(
    marks=_marks(*map(_run, (" + ", " − ", "−", " × ", "/", "(", ")"))),
    atoms={
        "sub": "<m:sSub><m:e>%(name)s</m:e><m:sub>%(mark)s</m:sub></m:sSub>",
        "power": f"<m:sSup><m:e>%(base)s</m:e><m:sup>{_run('%(exponent)s')}</m:sup></m:sSup>",
        "quotient": "<m:f><m:num>%(above)s</m:num><m:den>%(below)s</m:den></m:f>",
        "root": '<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>'
        "<m:e>%(inner)s</m:e></m:rad>",
        "ceil": _ENDS.format("⌈", "⌉"),
        "floor": _ENDS.format("⌊", "⌋"),
        "brace": '<m:limLow><m:e><m:groupChr><m:groupChrPr><m:chr m:val="⏟"/>'
        '<m:pos m:val="bot"/><m:vertJc m:val="top"/></m:groupChrPr>'
        "<m:e>%(inner)s</m:e></m:groupChr></m:e><m:lim>%(label)s</m:lim></m:limLow>",
    },
    lines=("%(left)s%(relation)s%(content)s", "%(content)s"),
    letter=_word_letter,
    subscript=_run,
    label=_run,
    number=lambda text, _: _run(text),
    relations={sign: _run(f" {sign} ") for sign in "=\u2248"},
    indent=lambda depth: _run("\u2003" * depth),
)  # fmt: skip

# --- one line, as programs write it ---------------------------------------------------


def _beside_a_slash(kind: str, part: tree.Expression) -> bool:
    """Tell whether what stands beside a slash has to be in parentheses."""
    pieces = tokens(part)
    alone = len(pieces) == 1 and not isinstance(pieces[0], tree.Quotient | tree.Braced)
    return kind == "quotient" and not alone


PLAIN = Dialect(
    marks=_marks(" + ", " - ", "-", " * ", " / ", "(", ")"),
    atoms={
        "sub": "%(name)s_%(mark)s",
        "power": "%(base)s**%(exponent)s",
        "quotient": "%(above)s / %(below)s",
        "root": "sqrt(%(inner)s)",
        "ceil": "ceil(%(inner)s)",
        "floor": "floor(%(inner)s)",
        "brace": "%(inner)s",
        "group": "(%(inner)s)",
    },
    letter=str,
    subscript=str,
    label=str,
    number=lambda text, _: text,
    constant=lambda value, _: str(value),
    between=" * ",
    grouped=_beside_a_slash,
)


def formula_text(expression: tree.Expression) -> str:
    """Return a formula in one line, in the operators of programming languages.

    Example:
        >>> V, d = tree.Symbol("V"), tree.Symbol("d", "model")
        >>> formula_text(2 * (V + 2) * d / (V * 3))
        '(2 * (V + 2) * d_model) / (V * 3)'
    """
    return PLAIN.spell(expression)


# --- in words -------------------------------------------------------------------------

_SPOKEN_MARKS = (
    *(message("plus"), message("minus"), message("minus"), message("times")),
    *(message("divided by"), message("open parenthesis"), message("close parenthesis")),
)
_SPOKEN = {
    "sub": message("{name} sub {mark}"),
    "power2": message("{base} squared"),
    "power3": message("{base} cubed"),
    "power": message("{base} to the power of {exponent}"),
    "quotient": message("{above} over {below}"),
    "root": message("the square root of {inner}"),
    "ceil": message("{inner} rounded up"),
    "floor": message("{inner} rounded down"),
    "brace": message("{inner} for {label}"),
    "group": message("the quantity {inner}"),
}
_SPOKEN_RELATIONS = {"=": message("equals"), "\u2248": message("is about")}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Speech(Dialect):
    """Formulas in words of a language, for readers who listen."""

    lang: str

    def put(self, kind: str, **parts: str) -> str:
        """Say an atom."""
        return _in_words(self.atoms[kind], self.lang, **parts)


def _in_words(words: str, lang: str, **places: str) -> str:
    return "".join(map(str, fill(language_of(lang), words, places)))


def _speech(lang: str) -> _Speech:
    said = partial(_in_words, lang=lang)
    marks = _marks(*map(said, _SPOKEN_MARKS))
    return _Speech(
        marks=marks,
        atoms=_SPOKEN,
        lines=("%(left)s %(relation)s %(content)s", "%(content)s"),
        letter=str,
        subscript=str,
        label=str,
        number=lambda text, _: text,
        between=marks["*"],
        grouped=lambda _, part: not isinstance(part, tree.Symbol | tree.Constant | tree.Product),
        relations={sign: said(words) for sign, words in _SPOKEN_RELATIONS.items()},
        join=" ",
        lang=lang,
    )


def speak(expression: tree.Expression, lang: str = "en") -> str:
    """Return a formula in words, the alternative text of every equation.

    Example:
        >>> V, d = tree.Symbol("V"), tree.Symbol("d", "ffn")
        >>> speak(4 * (V + d**2))
        '4 times open parenthesis V plus d sub ffn squared close parenthesis'
        >>> speak(4 * V, "fr")
        '4 fois V'
    """
    return _speech(lang).spell(expression, lang)


def speak_group(group: EquationGroup, lang: str = "en") -> str:
    """Return a group of equations in words, one sentence an equation."""
    speech, spoken = _speech(lang), ""
    for line in group_lines(group, lang):
        spoken += f"{'.' if line.left and spoken else ''} {speech.line(line, lang)}"
    return spoken.strip()
