"""Every word inside the diagrams, in one place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# Names of boxes.
TITLES: Mapping[str, str] = {
    "tables": "Embeddings",
    "patches": "Patches and embeddings",
    "convolutions": "Convolutions and positions",
    "shared": "Word embeddings of encoder and decoder",
    "unread": "Word embeddings that neither side reads",
    "relative": "Relative positions",
    "convolution": "Convolution",
    "attention": "Self-attention",
    "cross": "Cross-attention",
    "ffn": "Feed-forward",
    "gated": "Gated feed-forward",
    "experts": "Mixture of experts",
    "layer_norm": "Layer norm",
    "rms_norm": "RMS norm",
    "projection_back": "Projection to the embeddings' width",
    "lm_head": "Language-model head",
    "classifier": "Classification head",
    "pooler": "Pooler",
    "encoder": "Encoder",
    "decoder": "Decoder",
}

# What a part is inside its box, by the ending of its term.
PARTS: Mapping[str, str] = {
    "embeddings.word": "words",
    "embeddings.position": "positions",
    "embeddings.token_type": "token types",
    "embeddings.norm": "layer norm",
    "embeddings.projection": "projection",
    "embeddings.in": "projection",
    "embeddings.out": "projection",
    "embeddings.relative": "table",
    "embeddings.relative_norm": "layer norm",
    "embeddings.class": "class token",
    "embeddings.patch": "patches",
    "encoder.words": "words",
    "decoder.words": "words",
    "encoder.position": "positions",
    "decoder.position": "positions",
    "encoder.embedding_norm": "layer norm",
    "decoder.embedding_norm": "layer norm",
    "encoder.conv1": "convolution 1",
    "encoder.conv2": "convolution 2",
    "convolution.kernel": "kernel",
    "convolution.norm": "layer norm",
    "attention.query": "query",
    "attention.key": "key",
    "attention.value": "value",
    "attention.output": "output",
    "attention.qkv": "query, key, value",
    "attention.bias": "biases",
    "attention.position": "relative positions",
    "attention.talking": "between the heads",
    "attention.norm": "norms of queries, keys",
    "cross.query": "query",
    "cross.key": "key",
    "cross.value": "value",
    "cross.output": "output",
    "ffn.in": "first",
    "ffn.out": "second",
    "ffn.gate": "gate",
    "ffn.up": "first",
    "ffn.down": "second",
    "ffn.gate_up": "gate and first",
    "router": "router",
    "router.weight": "router",
    "experts.gate_up": "gate and first",
    "experts.gate_up.weight": "gate and first",
    "experts.down": "second",
    "experts.down.weight": "second",
    "shared.gate": "shared gate",
    "shared.up": "shared first",
    "shared.down": "shared second",
    "shared.switch": "gate of the shared",
    "lm_head": "projection",
    "lm_head.dense": "dense",
    "lm_head.norm": "layer norm",
    "lm_head.projection": "projection",
    "lm_head.bias": "bias",
    "lm_head.bias_beside": "bias beside it",
    "classifier": "projection",
    "classifier.dense": "dense",
    "classifier.out": "projection",
    "token_bias": "bias",
    "pooler": "dense",
    "norm": "",
    "final.norm": "",
    "encoder.final_norm": "",
    "decoder.final_norm": "",
}

SOURCES: Mapping[str, str] = {
    "tokens": "token ids",
    "image": "image",
    "spectrogram": "log-Mel spectrogram",
    "written": "token ids written so far",
}

BIAS = "bias"
EACH = "each"
TIED = "tied"
SAME_WEIGHTS = "same weights"
MEMORY = "output of the encoder"
NO_PARAMETERS = "no parameters"
EVERY_LAYER = "read by every layer"
FIRST_LAYER = "beside the first layer"
ONE_LAYER = "one layer"

INPUT = "input"
OUTPUT = "output"
FROZEN = "W, frozen"
TRAINED = "trained"
WITH_BIAS = "with a bias, trained"
DROPOUT = "dropout"
MAGNITUDE = "magnitude m, trained"
NORMALISED = "each row of the sum gets the length m"
VECTOR = "× l, a trained vector"
LORA_CAPTION = (
    "{name}, one adapted matrix. The input passes through the frozen matrix W and, beside it, "
    "through A and B; the two results are added. What has a dashed edge is trained. The number "
    "at the right of a box is its parameters in all adapted modules together."
)
IA3_CAPTIONS = {
    "d_out": "{name}: the outputs of a frozen matrix are multiplied by a trained vector.",
    "d_in": "{name}: the inputs of a frozen matrix are multiplied by a trained vector.",
}


def packed(bits: int) -> str:
    """Return how the frozen matrix is stored."""
    return f"stored in {bits} bits"


def adapted_modules(count: int) -> str:
    """Return how many matrices are adapted.

    Example:
        >>> adapted_modules(1), adapted_modules(24)
        ('1 matrix is adapted so.', '24 matrices are adapted so.')
    """
    return f"{grouped(count)} {'matrix is' if count == 1 else 'matrices are'} adapted so."


def and_more(count: int) -> str:
    """Return how many further kinds of modules there are."""
    return f"and {grouped(count)} more kinds of modules"


def grouped(number: int) -> str:
    """Write a whole number with its thousands apart.

    Example:
        >>> grouped(1234567)
        '1,234,567'
    """
    return f"{number:,}"


def heads_words(heads: int, size: int | None, grouped_heads: int | None) -> str:
    """Return how many attention heads there are.

    Example:
        >>> heads_words(32, 128, 8), heads_words(1, None, None)
        ('32 heads of width 128, 8 for keys and values', '1 head')
    """
    text = f"{grouped(heads)} {'head' if heads == 1 else 'heads'}"
    text += f" of width {grouped(size)}" if size else ""
    return text + (f", {grouped(grouped_heads)} for keys and values" if grouped_heads else "")


def experts_words(experts: int, active: int | None) -> str:
    """Return how many experts there are, and through how many a token passes.

    Example:
        >>> experts_words(8, 2)
        '8 experts, 2 for each token'
    """
    return f"{grouped(experts)} experts" + (f", {grouped(active)} for each token" if active else "")


def activation_words(name: str) -> str:
    """Return which function stands between two matrices."""
    return f"activation {name}"


def some_layers(times: int, layers: int) -> str:
    """Return in which share of the layers a block stands."""
    return f"in {grouped(times)} of {grouped(layers)} layers"


def about_layers(layers: int, sets: int) -> str:
    """Return what is said of a stack beside the number of its layers.

    Example:
        >>> about_layers(12, 12), about_layers(12, 1), about_layers(12, 2)
        ('', 'all with the same weights', 'with 2 sets of weights')
    """
    if layers == sets:
        return ""
    return "all with the same weights" if sets == 1 else f"with {grouped(sets)} sets of weights"


def sum_of_layers(one: int | None, sets: int, total: int) -> str:
    """Return the parameters of a stack; of one layer, where all are alike.

    Example:
        >>> sum_of_layers(70, 2, 140), sum_of_layers(70, 1, 70), sum_of_layers(None, 3, 9)
        ('2 × 70 = 140 parameters', '70 parameters', '9 parameters in all layers')
    """
    if one is None:
        return f"{grouped(total)} parameters in all layers"
    if sets == 1:
        return f"{grouped(total)} parameters"
    return f"{grouped(sets)} × {grouped(one)} = {grouped(total)} parameters"


def joined(words: Iterable[str]) -> str:
    """Join names of matrices of one shape; a name that occurs twice is counted.

    Example:
        >>> joined(["query", "key"]), joined(["first", "first"])
        ('query, key', '2 × first')
    """
    listed = list(words)
    counts = {word: listed.count(word) for word in listed}
    return ", ".join(word if n == 1 else f"{n} × {word}" for word, n in counts.items())
