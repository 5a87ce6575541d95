r"""What LaTeX's commands leave on the page, as tables.

A command that no table knows leaves what stands in its braces; one with no braces leaves
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.read.documents._vocabulary import pairs, words

# Commands that leave nothing, by how many arguments go with them; options always go.
DROPPED: Mapping[str, int] = {
    name: count
    for count, names in {
        0: "hfill vfill raggedleft printbibliography allowdisplaybreaks",
        1: """label vspace hspace includegraphics bibliographystyle cmidrule cline phantom hphantom
            vphantom index thispagestyle pagestyle color graphicspath bibliography addbibresource
            usepackage hypersetup captionsetup rowcolor columncolor cellcolor pagecolor ref autoref
            cref Cref eqref pageref nameref vref cite citep citet citeauthor citeyear parencite
            textcite autocite footcite citealp citealt Citet Citep nocite tnote footnotemark
            usetikzlibrary pgfplotsset tikzset lstset setstretch linespread enlargethispage
            selectlanguage setlist geometry RequirePackage PassOptionsToPackage input include
            hyphenation noalign SetCell NewColumnType  documentclass addtolist glsadd
            theoremstyle setmainfont setsansfont setmonofont newcounter stepcounter refstepcounter
            date author title institute affil thanks email  lstinputlisting
            pgfmathsetmacro  resizeto sisetup DeclareSIUnit   newlength newtoks""",
        2: """setlength addtolength setcounter addtocounter fontsize rule definecolor newcolumntype
            specialrule colorlet newtheorem DeclareUnicodeCharacter settowidth numberwithin
            titleformat pdfbookmark addcontentsline""",
        3: "titlespacing contentsline",
    }.items()
    for name in names.split()
}

# Lengths, and commands that take one without braces.
LENGTHS = words(
    """vskip hskip kern mkern vglue hglue parskip parindent baselineskip itemsep topsep parsep
    leftmargin rightmargin labelsep tabcolsep arraycolsep textwidth linewidth columnwidth hsize
    vsize textheight abovecaptionskip belowcaptionskip columnsep hangindent raise lower"""
)

# Commands whose last argument is on the page, by how many go before it.
KEPT: Mapping[str, int] = {
    name: count
    for count, names in {
        1: """textcolor colorbox href parbox raisebox scalebox rotatebox foreignlanguage adjustbox
            hyperlink hypertarget mintinline rgnum""",
        0: "makebox framebox makecell thead shortstack subfloat",
        2: "resizebox multicolumn multirow fcolorbox",
    }.items()
    for name in names.split()
}

# What other commands leave: their name, and a text in which `␣` is a blank.
SYMBOLS: Mapping[str, str] = pairs(
    """
    textendash –   textemdash —   textquoteright ’   textquoteleft ‘   textquotedblleft “
    textquotedblright ”   textquotedbl "   textquotesingle '   guillemotleft «
    guillemotright »   og «␣   fg ␣»   textbackslash \\   textasciitilde ~   textasciicircum ^
    textunderscore _   textless <   textgreater >   textbar |   textpm ±   texttimes ×
    textdegree °   degree °   texteuro €   euro €   textdagger †   dag †   textbullet •
    textrightarrow →   textmu µ   textordmasculine º   no nº   dots …   ldots …   textellipsis …
    S §   LaTeX LaTeX   TeX TeX   checkmark ✓   percent %   second s   minute min   hour h
    giga G   mega M   kilo k   milli m   byte B   bit bit   oe œ   OE Œ   ae æ   AE Æ   ss ß
    o ø   O Ø   aa å   AA Å   l ł   L Ł   i i   j j   quad ␣   qquad ␣   enspace ␣   enskip ␣
    thinspace ␣   space ␣   nobreakspace ␣   par ␣   newline ␣   linebreak ␣   tabularnewline ␣
    item ␣   and ␣
    """
)

# Signs of mathematics that can stand in a text as they are.
SIGNS: Mapping[str, str] = pairs(
    """
    pm ±   times ×   cdot ·   approx ≈   sim ~   simeq ≈   leq ≤   le ≤   geq ≥   ge ≥   neq ≠
    rightarrow →   to →   uparrow ↑   downarrow ↓   ll «   gg »   checkmark ✓   dagger †
    ddagger ‡   bullet •   star *   ast *   infty ∞
    """
)

# Commands of one sign or letter to the mark that they put on the next letter.
_MARKS = "\u0301\u0300\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a"
ACCENTS: Mapping[str, str] = dict(zip("'`^\"~=.cvuHkr", _MARKS, strict=True))

EQUATIONS = words(
    """equation equation* align align* alignat alignat* gather gather* multline multline* eqnarray
    eqnarray* displaymath flalign flalign* IEEEeqnarray IEEEeqnarray* dmath dmath* math empheq
    subequations"""
) - {"subequations"}
TABLES = words(
    """tabular tabular* tabularx tabulary longtable longtable* supertabular xltabular tblr longtblr
    talltblr NiceTabular NiceTabular* NiceTabularX tabu longtabu"""
)
FLOATS = words(
    """table table* figure figure* wraptable wrapfigure sidewaystable sidewaysfigure subtable
    subfigure marginfigure margintable SCtable SCfigure threeparttable floatingfigure listing"""
)
LISTS = words(
    """itemize enumerate description compactitem compactenum itemize* enumerate* inparaenum
    inparaitem tablenotes list asparaenum asparaitem"""
)
DRAWINGS = words(
    """tikzpicture pgfpicture axis forest picture pspicture tikzcd algorithmic algorithm2e
    filecontents filecontents* overpic"""
)
HEADINGS: Mapping[str, int] = {
    **dict.fromkeys(("part", "chapter", "section"), 1),
    **dict.fromkeys(("subsection", "frametitle", "question"), 2),
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
TABLE_HEADS = words("endhead endfirsthead endfoot endlastfoot")
MIDDLE_RULES = words("midrule hline Midrule")

BUILT_IN = (
    frozenset(DROPPED)
    | frozenset(KEPT)
    | (frozenset(SYMBOLS) - {"no", "og", "fg", "second", "minute", "hour", "bit", "degree"})
    | frozenset(SIGNS)
    | (frozenset(HEADINGS) - {"question"})
    | TABLE_HEADS
    | MIDDLE_RULES
    | words(
        """begin end item caption footnote footnotetext verb lstinline url path nolinkurl
        texttt textbf textit emph text mbox ensuremath textsuperscript textsubscript toprule
        bottomrule addlinespace centering small footnotesize maketitle tableofcontents bibitem
        newpage clearpage makecell thead shortstack texorpdfstring arraystretch frac sqrt left
        right sum notag nonumber tag alpha beta gamma thetable thefigure theequation thesection
        iffalse fi else if"""
    )
)
