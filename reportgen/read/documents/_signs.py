"""Mathematics that is only a number or a sign, which a text can hold as it is."""

from __future__ import annotations

import re

from reportgen.read.documents._tex_words import SIGNS

_PIECE = re.compile(
    r"\\(?:mathbf|textbf|mathrm|bm|boldsymbol|mathit|text)\s?\{|\\([A-Za-z]{1,20})(?![A-Za-z])\s?"
    r"|\\([,;:! %])|\{,\}|[\d.,+±×≈~−\-()/<>%\s]|[{}]|(?<=[\d}])[kKMB](?![A-Za-z])"
)


def plain_sign(body: str) -> list[tuple[str, int]] | None:
    r"""Return the pieces of a text that mathematics of numbers and signs comes to, or None.

    Args:
        body: What stands between the dollar signs.

    Returns:
        Text, and where in the body it stands; None where there are letters, exponents or an
        equality sign.

    Example:
        >>> "".join(text for text, _ in plain_sign(r"80{,}6 \pm 0.7\,\%"))
        '80,6 ± 0.7 %'
        >>> plain_sign("d_{model}") is None
        True
    """
    found: list[tuple[str, int]] = []
    at, opened = 0, 0
    if len(body) > 200:
        return None
    while at < len(body):
        piece = _PIECE.match(body, at)
        if piece is None:
            return None
        text = piece[0]
        if text[0] == "\\":
            if piece[1] is not None and piece[1] not in SIGNS:
                return None
            opened += text.endswith("{")
            text = SIGNS.get(piece[1] or "", _spaced(piece[2] or ""))
            text += " " if piece[0].endswith(" ") and piece[1] else ""
        elif text == "{,}":
            text = ","
        elif text in "{}":
            opened += 1 if text == "{" else -1
            text = ""
        if text:
            found.append((text.replace("\n", " "), at))
        at = piece.end()
    return found if opened == 0 and found else None


def _spaced(sign: str) -> str:
    if not sign or sign == "!":
        return ""
    return "%" if sign == "%" else " "
