"""The table of words, and the words inside the diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from reportgen.languages import message, spoken, tell, tell_count
from reportgen.records.rows import Rows, read_rows


@cache
def words_of(section: str) -> Mapping[str, str]:
    """Return a section of the table of words: name to a marked message.

    Example:
        >>> words_of("biases")["none"]
        'no bias of the base model is trained'
    """
    return {name: message(text) for name, text in _rows()[section].items()}


def title_of_box(name: str) -> str:
    """Return the title of a box of a diagram."""
    return tell(words_of("boxes")[name])


@cache
def lists_of(section: str) -> Mapping[str, tuple[str, ...]]:
    """Return a section whose rows are lists: words for people to names of a program.

    Example:
        >>> lists_of("settings")["Optimizer"]
        ('optimizer', 'optim')
    """
    return {message(name): tuple(row.split()) for name, row in _rows()[section].items()}


@cache
def _rows() -> Rows:
    return read_rows("reportgen.report", "words.ini")


# Blocks that are drawn as others are.
FILLS = {"experts": "ffn", "state": "cross", "convolution": "cross", "other": "plain"}

WITH_ITS_BIAS = message("{shape} + bias")
EACH = message("each {shape}")
SAME_WEIGHTS = message("same weights")
MEMORY = message("output of the encoder")
TOGETHER = message("all layers together")
NO_PARAMETERS = message("no parameters")
EVERY_LAYER = message("read by every layer")
FIRST_LAYER = message("beside the first layer")

INPUT = message("input")
OUTPUT = message("output")
FROZEN = message("W, frozen")
TRAINED = message("{matrix}, trained")
WITH_BIAS = message("with a bias, trained")
DROPOUT = message("dropout {share}")
MAGNITUDE = message("magnitude m, trained")
NORMALISED = message("each row of the sum gets the length m")
VECTOR = message("× l, a trained vector")
LORA_CAPTION = message(
    "{name}, one adapted matrix. Dashed boxes are trained; numbers of parameters count all "
    "adapted matrices."
)
IA3_CAPTIONS = {
    "d_out": message("{name}: the outputs of a frozen matrix are multiplied by a trained vector."),
    "d_in": message("{name}: the inputs of a frozen matrix are multiplied by a trained vector."),
}


def packed(bits: int) -> str:
    """Return how the frozen matrix is stored."""
    return tell("stored in {bits} bits", bits=bits)


def adapted_modules(count: int) -> str:
    """Return of how many adapted matrices one is drawn.

    Example:
        >>> adapted_modules(1), adapted_modules(24)
        ('The only adapted matrix.', 'One of 24 adapted matrices.')
    """
    return tell_count(
        "The only adapted matrix.", "One of {n} adapted matrices.", count, n=grouped(count)
    )


def and_more(count: int) -> str:
    """Return how many further kinds of modules there are."""
    return tell("and {n} more kinds of modules", n=grouped(count))


def grouped(number: int) -> str:
    """Write a whole number with its thousands apart.

    Example:
        >>> grouped(1234567)
        '1,234,567'
    """
    return f"{number:,}".replace(",", spoken().group_mark)


def heads_words(heads: int, size: int | None, grouped_heads: int | None) -> str:
    """Return how many attention heads there are.

    Example:
        >>> heads_words(32, 128, 8), heads_words(1, None, None)
        ('32 heads of width 128, 8 for keys and values', '1 head')
    """
    text = tell_count("{n} head", "{n} heads", heads, n=grouped(heads))
    if size:
        text = tell("{heads} of width {width}", heads=text, width=grouped(size))
    if grouped_heads:
        text = tell("{heads}, {n} for keys and values", heads=text, n=grouped(grouped_heads))
    return text


def experts_words(experts: int, active: int | None) -> str:
    """Return how many experts there are, and through how many a token passes.

    Example:
        >>> experts_words(8, 2)
        '8 experts, 2 for each token'
    """
    if not active:
        return tell("{n} experts", n=grouped(experts))
    return tell("{n} experts, {used} for each token", n=grouped(experts), used=grouped(active))


def activation_words(name: str) -> str:
    """Return which function stands between two matrices."""
    return tell("activation {name}", name=name)


def some_layers(times: int, layers: int) -> str:
    """Return in which share of the layers a block stands."""
    return tell("in {some} of {all} layers", some=grouped(times), all=grouped(layers))


def about_layers(layers: int, sets: int) -> str:
    """Return what is said of a stack beside the number of its layers.

    Example:
        >>> about_layers(12, 12), about_layers(12, 1), about_layers(12, 2)
        ('', 'all with the same weights', 'with 2 sets of weights')
    """
    if layers == sets:
        return ""
    if sets == 1:
        return tell("all with the same weights")
    return tell("with {n} sets of weights", n=grouped(sets))


def sum_of_layers(one: int | None, sets: int, total: int) -> str:
    """Return the parameters of a stack; of one layer, where all are alike.

    Example:
        >>> sum_of_layers(70, 2, 140), sum_of_layers(70, 1, 70), sum_of_layers(None, 3, 9)
        ('2 × 70 = 140 parameters', '70 parameters', '9 parameters in all layers')
    """
    if one is None:
        return tell("{n} parameters in all layers", n=grouped(total))
    if sets == 1:
        return tell("{n} parameters", n=grouped(total))
    factors = {"sets": grouped(sets), "one": grouped(one), "n": grouped(total)}
    return tell("{sets} × {one} = {n} parameters", **factors)


def joined(words: Iterable[str]) -> str:
    """Join names of matrices of one shape; a name that occurs twice is counted.

    Example:
        >>> joined(["query", "key"]), joined(["first", "first"])
        ('query, key', '2 × first')
    """
    listed = list(words)
    counts = {word: listed.count(word) for word in listed}
    return ", ".join(word if n == 1 else f"{n} × {word}" for word, n in counts.items())
