"""Labels of what stands on one side of a model that has two."""

from __future__ import annotations

from reportgen.languages import message
from reportgen.languages._language import Message

SELF_ATTENTION = {
    "query": message("query projections"),
    "key": message("key projections"),
    "value": message("value projections"),
    "output": message("output projections"),
}
CROSS_ATTENTION = {
    "query": message("cross-attention, query projections"),
    "key": message("cross-attention, key projections"),
    "value": message("cross-attention, value projections"),
    "output": message("cross-attention, output projections"),
}
# Which attention of a layer, by the name of its terms.
ATTENTIONS = {"attention": SELF_ATTENTION, "cross": CROSS_ATTENTION}


def of_side(side: str, what: str) -> str:
    """Return the label of a part that the encoder or the decoder has.

    Args:
        side: `"encoder"` or `"decoder"`.
        what: The part, in words.

    Example:
        >>> of_side("decoder", "position embeddings")
        'decoder: position embeddings'
    """
    if side == "encoder":
        return message("encoder: {what}", what=what)
    return message("decoder: {what}", what=what)


def without_side(label: str) -> str:
    """Return a label without its side, for places where the side is said already.

    Example:
        >>> without_side(of_side("encoder", "word embeddings")), without_side("word embeddings")
        ('word embeddings', 'word embeddings')
    """
    if not isinstance(label, Message) or label.pattern.partition(": ")[2] != "{what}":
        return label
    return (
        str(label.places["what"]) if isinstance(label.places["what"], int) else label.places["what"]
    )
