"""Formulas of MathML (pages) and OMML (Word), spelled as LaTeX spells them."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.record import field, record

# What stands around the parts of an element, and between them, by its name there or there.
_FORMS: Mapping[str, str] = {
    **dict.fromkeys(("mfrac", "f"), r"\frac{{{0}}}{{{1}}}"),
    **dict.fromkeys(("msup", "sSup", "mover"), "{0}^{{{1}}}"),
    **dict.fromkeys(("msub", "sSub"), "{0}_{{{1}}}"),
    **dict.fromkeys(("msubsup", "sSubSup", "munderover"), "{0}_{{{1}}}^{{{2}}}"),
    **dict.fromkeys(("munder", "limLow", "limUpp", "groupChr", "bar"), "{0}"),
    "nary": "\u2211_{{{0}}}^{{{1}}} {2}",
    "rad": r"\sqrt{{{1}}}",
    "d": "({0})",
}
_ROWS = frozenset({"mtr", "mlabeledtr", "mr", "e"})
_TABLES = frozenset({"mtable", "m", "eqArr"})
_DEEPEST = 60
# Signs that only say what stands between two letters.
_INVISIBLE = str.maketrans({"\u2061": "", "\u2062": " ", "\u2063": " ", "\u2064": " "})


@record(kw_only=False, frozen=False)
class Node:
    """An element of a formula.

    Attributes:
        name: Its name, without that of its language.
        parts: Texts and elements in it, in order.
    """

    name: str
    parts: list[Node | str] = field(default_factory=list)


def spelled(node: Node, depth: int = 0) -> str:
    """Return a formula; the rows of a table in it are lines.

    Example:
        >>> d = Node("mi", ["d"])
        >>> spelled(Node("math", [Node("mn", ["4"]), Node("msup", [d, Node("mn", ["2"])])]))
        '4d^{2}'
    """
    if depth > _DEEPEST:
        return ""
    inner = [part for part in node.parts if isinstance(part, Node) and part.name[-2:] != "Pr"]
    tex = next((part for part in inner if part.name == "annotation"), None)
    if tex is not None:
        return "".join(part for part in tex.parts if isinstance(part, str)).strip()
    if node.name in _TABLES:
        rows = [spelled(part, depth + 1).strip() for part in inner if part.name in _ROWS]
        return "\n".join(row for row in rows if row)
    if node.name in _FORMS:
        parts = [spelled(part, depth + 1).strip() for part in inner]
        return _FORMS[node.name].format(*parts, "", "", "")
    if node.name == "msqrt":
        return rf"\sqrt{{{_joined(node, depth)}}}"
    text = _joined(node, depth)
    return rf"\text{{{text}}}" if node.name == "mtext" and text.strip() else text


def _joined(node: Node, depth: int) -> str:
    parts = (
        part.translate(_INVISIBLE) if isinstance(part, str) else spelled(part, depth + 1)
        for part in node.parts
        if isinstance(part, str) or part.name[-2:] != "Pr"
    )
    return "".join(parts)
