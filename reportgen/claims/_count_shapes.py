"""Shapes of weights: `W_1 ∈ R^{512 × 512}`, a matrix of size 512 × 64."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._cues import DOUBTFUL, is_elsewhere, model_hints
from reportgen.claims._passages import Passage
from reportgen.records.claim import Claim, Setting

_WEIGHT = r"[A-ZΔ][\w^()'*]{0,12}"
_SIDE = r"[\w. *()/+-]{1,30}?"
_SPACE = re.compile(
    rf"(?P<names>{_WEIGHT}(?:\s?,\s?{_WEIGHT}|\sand\s{_WEIGHT}|\set\s{_WEIGHT}){{0,5}})\s?(?:∈|\bin\b)"
    rf"\s?(?:\u211d|I?R)\s?\^?\s?\(?\s?(?P<rows>{_SIDE})(?:×|\sx\s)\s?(?P<columns>{_SIDE})"
    r"(?=\s?\)|[,.;:]|\s(?:and|for|where|et|is|are|with|W)|$)"
)
_NUMBER = r"\d{1,3}(?:[ ,]?\d{3})+|\d{1,7}"
_SIZED = gated(
    r"\b(?:size|shape|dimensions?|taille|forme)s?\s?"
    rf"(?:of\s|de\s|is\s|=\s?)?[(\[]?\s?(?P<rows>{_NUMBER})\s?(?:×|\bx\b|\*|,|\bby\b)\s?"
    rf"(?P<columns>{_NUMBER})(?![\d×*])"
)
_LETTER = re.compile(r"\b(?:W[\w^()']{0,12}|[ABQKVO]\b)")
_NEAR = 40
_WEIGHTS = gated(r"\b(?:matri\w+|weights?|projections?|tensors?|poids|W_?\w?)\b", re.IGNORECASE)


def shapes_stated(passage: Passage) -> Iterator[Claim]:
    r"""Yield a claim for every shape that a passage gives to a weight.

    Example:
        >>> from reportgen.claims._passages import passages
        >>> from reportgen.records.manuscript import Block, Line, Manuscript
        >>> text = r"so $W_1, W_2 \in \mathbb{R}^{d_{model} \times d_{ff}}$."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> (passage,) = passages(Manuscript(path="", format="", sha256="", blocks=(block,)))
        >>> [(c.content.name, c.content.value) for c in shapes_stated(passage)]
        [('W_1, W_2', ('d_model', 'd_ff'))]
    """
    text = passage.plain.text
    taken = -1
    for pattern in (_SPACE, _SIZED):
        for match in pattern.finditer(text):
            start, end = passage.sentence(match.start("rows"))
            if match.start() <= taken or not _is_weight(text, match.start(), text[start:end]):
                continue
            taken = match.end()
            sides = tuple(match[name].strip(" ()") for name in ("rows", "columns"))
            first, name = _name(match, text, start)
            yield claim_at(
                passage,
                first,
                match.end(),
                kind="arch_shape",
                content=Setting(name=name, key="shape", value=sides, scope="model"),
                confidence=DOUBTFUL if is_elsewhere(passage, first) else 0.85 if name else 0.6,
                hints={"where": name or "a matrix", **model_hints(passage, first)},
            )


def _name(match: re.Match[str], text: str, start: int) -> tuple[int, str]:
    """Return where the name of the weight begins that has a shape, and the name."""
    if "names" in match.re.groupindex:
        return match.start("names"), " ".join(match["names"].split())
    begins = max(start, match.start() - _NEAR)
    letter = next(reversed(list(_LETTER.finditer(text, begins, match.start()))), None)
    return (letter.start(), letter[0]) if letter else (match.start("rows"), "")


def _is_weight(text: str, place: int, sentence: str) -> bool:
    """Say whether what has the shape is a weight, not an image or a batch."""
    return text[place] == "W" or bool(_WEIGHTS.search(sentence))
