"""Commands and words that tell mathematics from its layout and from the sentence around it."""

from __future__ import annotations

from collections.abc import Mapping

_SILENT = """
    left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr displaystyle textstyle
    limits nolimits nonumber notag quad qquad hfill rm bf it sf tt boxed underbrace overbrace
    mathstrut underline overline thinspace enspace large Large small
"""
_STYLES = """
    text mbox mathrm mathbf mathit mathsf mathtt textbf textit textrm texttt textsf operatorname
    textsc mathcal mathnormal hbox emph
"""
_GREEK = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho
    sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell
"""
_DROPPED = "tag label hspace vspace color textcolor ref eqref begin end"
_SENTENCE = """
    and or is are was were be been being we i you it they have has had having the where when with
    which that this these those yields yield gives give gave thus so then hence therefore get gets
    got obtain obtained obtains become becomes equals equal means mean makes make leads lead
    results result us our case there here if as also since because while by from in on at to into
    compute computed calculate calculated adds add added contains contain uses use used using let
    denote denotes define defined follows following above below see finally indeed moreover total
    et ou est sont était nous vous on il elle ils elles avons avoir le la les un une où quand avec
    qui que ce cette ces donne donnent donc ainsi alors soit obtient obtenons devient font notre
    cas si comme par dans sur aussi car puis enfin finalement
"""
_NUMBERED = """
    step layer epoch table seed task question part section case model head block run conv dense
    phase stage étape couche époque graine tâche partie cas modèle tête bloc figure eq item
    experiment group fold test
"""
NUMBERED = frozenset(_NUMBERED.split())
"""Things that bear a number: `Step 2 - …` takes nothing off."""
SILENT, STYLES = frozenset(_SILENT.split()), frozenset(_STYLES.split())
GREEK, DROPPED = frozenset(_GREEK.split()), frozenset(_DROPPED.split())
SENTENCE = frozenset(_SENTENCE.split()) - {"total", "mean", "result", "results", "case", "use"}
"""Words that no name of a quantity holds, in small letters."""

SIGNS: Mapping[str, str] = {
    **dict.fromkeys(("times", "cdot", "ast", "star"), "*"),
    **dict.fromkeys(("approx", "simeq", "equiv", "coloneqq"), "="),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), "frac"),
    **dict.fromkeys(("lbrack", "lbrace"), "("),
    **dict.fromkeys(("rbrack", "rbrace"), ")"),
    "div": "/",
    "sqrt": "sqrt",
    "sum": "sum",
}
"""Command to the kind of its token."""

CHARACTERS: Mapping[str, str] = {
    **dict.fromkeys("×·⋅\u2217*•", "*"),
    **dict.fromkeys("-−–", "-"),
    **dict.fromkeys("≈≃≅=", "="),
    **dict.fromkeys("/÷", "/"),
    **dict.fromkeys("([", "("),
    **dict.fromkeys(")]", ")"),
    **dict.fromkeys("+^{}", ""),
    "√": "sqrt",
    "%": "unit",
    "∑": "sum",
}
"""Character to the kind of its token; empty for its own."""
