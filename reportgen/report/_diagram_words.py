"""Every word inside the diagrams, in one place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reportgen.languages import message, spoken, tell, tell_count

# Names of boxes.
TITLES: Mapping[str, str] = {
    "tables": message("Embeddings"),
    "patches": message("Patches and embeddings"),
    "convolutions": message("Convolutions and positions"),
    "shared": message("Word embeddings of encoder and decoder"),
    "unread": message("Word embeddings that neither side reads"),
    "relative": message("Relative positions"),
    "convolution": message("Convolution"),
    "attention": message("Self-attention"),
    "cross": message("Cross-attention"),
    "ffn": message("Feed-forward"),
    "gated": message("Gated feed-forward"),
    "experts": message("Mixture of experts"),
    "norm": message("Norms"),
    "state": message("State-space block"),
    "other": message("Other parts"),
    "between": message("Parts that join the sides"),
    "layer_norm": message("Layer norm"),
    "rms_norm": message("RMS norm"),
    "projection_back": message("Projection to the embeddings' width"),
    "lm_head": message("Language-model head"),
    "classifier": message("Classification head"),
    "pooler": message("Pooler"),
}

# Blocks that are drawn as others are.
FILLS = {"experts": "ffn", "state": "cross", "convolution": "cross", "other": "plain"}

# What a part is inside its box, by the ending of its term.
PARTS: Mapping[str, str] = {
    "embeddings.word": message("words"),
    "embeddings.position": message("positions"),
    "embeddings.token_type": message("token types"),
    "embeddings.norm": message("layer norm"),
    "embeddings.projection": message("projection"),
    "embeddings.in": message("projection"),
    "embeddings.out": message("projection"),
    "embeddings.relative": message("table"),
    "embeddings.relative_norm": message("layer norm"),
    "embeddings.class": message("class token"),
    "embeddings.patch": message("patches"),
    "embeddings.convolution": message("convolution"),
    "encoder.words": message("words"),
    "decoder.words": message("words"),
    "encoder.position": message("positions"),
    "decoder.position": message("positions"),
    "encoder.embedding_norm": message("layer norm"),
    "decoder.embedding_norm": message("layer norm"),
    "encoder.conv1": message("convolution 1"),
    "encoder.conv2": message("convolution 2"),
    "convolution.kernel": message("kernel"),
    "convolution.norm": message("layer norm"),
    "attention.query": message("query"),
    "attention.key": message("key"),
    "attention.value": message("value"),
    "attention.output": message("output"),
    "attention.qkv": message("query, key, value"),
    "attention.bias": message("biases"),
    "attention.position": message("relative positions"),
    "attention.talking": message("between the heads"),
    "attention.norm": message("norms of queries, keys"),
    "cross.query": message("query"),
    "cross.key": message("key"),
    "cross.value": message("value"),
    "cross.output": message("output"),
    "ffn.in": message("first"),
    "ffn.out": message("second"),
    "ffn.gate": message("gate"),
    "ffn.up": message("first"),
    "ffn.down": message("second"),
    "ffn.gate_up": message("gate and first"),
    "router": message("router"),
    "router.weight": message("router"),
    "experts.gate_up": message("gate and first"),
    "experts.gate_up.weight": message("gate and first"),
    "experts.down": message("second"),
    "experts.down.weight": message("second"),
    "shared.gate": message("shared gate"),
    "shared.up": message("shared first"),
    "shared.down": message("shared second"),
    "shared.switch": message("gate of the shared"),
    "lm_head": message("projection"),
    "lm_head.dense": message("dense"),
    "lm_head.norm": message("layer norm"),
    "lm_head.projection": message("projection"),
    "lm_head.out": message("projection"),
    "lm_head.bias": message("bias"),
    "lm_head.bias_beside": message("bias beside it"),
    "classifier": message("projection"),
    "classifier.dense": message("dense"),
    "classifier.out": message("projection"),
    "classifier.norm": message("layer norm"),
    "classifier.bias": message("bias"),
    "token_bias": message("bias"),
    "token_head": message("projection"),
    "questions": message("projection"),
    "pretraining": message("projection"),
    "head": message("projection"),
    "pooler": message("dense"),
    "back": message("projection"),
    "norm": "",
    "final.norm": "",
    "encoder.final_norm": "",
    "decoder.final_norm": "",
}

SOURCES: Mapping[str, str] = {
    "tokens": message("token ids"),
    "image": message("image"),
    "spectrogram": message("log-Mel spectrogram"),
    "written": message("token ids written so far"),
    "": message("input"),
}

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
    "{name}, one adapted matrix. Dashed boxes are trained; a number at the right counts all "
    "adapted modules."
)
IA3_CAPTIONS = {
    "d_out": message("{name}: the outputs of a frozen matrix are multiplied by a trained vector."),
    "d_in": message("{name}: the inputs of a frozen matrix are multiplied by a trained vector."),
}


def packed(bits: int) -> str:
    """Return how the frozen matrix is stored."""
    return tell("stored in {bits} bits", bits=bits)


def adapted_modules(count: int) -> str:
    """Return how many matrices are adapted.

    Example:
        >>> adapted_modules(1), adapted_modules(24)
        ('1 matrix is adapted so.', '24 matrices are adapted so.')
    """
    return tell_count(
        "{n} matrix is adapted so.", "{n} matrices are adapted so.", count, n=grouped(count)
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
