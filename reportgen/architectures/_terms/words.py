"""Labels that terms share, and sizes in words for the rows of a module tree."""

from __future__ import annotations

from reportgen.languages import message

TIED = message("tied to the word embeddings: counted once, there")
BIASES = {
    "attention": message("biases of the attention projections"),
    "cross": message("biases of the cross-attention projections"),
    "ffn": message("biases of the feed-forward network"),
}


def size_words(layers: int, width: int, heads: int = 0) -> str:
    """Return the size of a model: its layers, their width, and the heads where they are known.

    Example:
        >>> size_words(12, 768, 12), size_words(6, 512)
        ('12 layers, width 768, 12 attention heads', '6 layers, width 512')
    """
    if not heads:
        return message("{layers} layers, width {width}", layers=layers, width=width)
    return message(
        "{layers} layers, width {width}, {heads} attention heads",
        layers=layers,
        width=width,
        heads=heads,
    )


def layers_words(layers: int) -> str:
    """Return how many layers of one shape there are.

    Example:
        >>> layers_words(12)
        '12 identical layers'
    """
    return message("{layers} identical layers", layers=layers)


def norm_words(width: int) -> str:
    """Return what one norm holds.

    Example:
        >>> norm_words(768)
        '768 weights, 768 biases'
    """
    return message("{width} weights, {width} biases", width=width)


def norms_words(width: int) -> str:
    """Return what each of several norms holds.

    Example:
        >>> norms_words(768)
        '768 weights, 768 biases each'
    """
    return message("{width} weights, {width} biases each", width=width)


def tied_words(shape: str) -> str:
    """Return the shape of a matrix that is another's under a second name.

    Example:
        >>> tied_words("768 → 50257")
        '768 → 50257, tied'
    """
    return message("{shape}, tied", shape=shape)
