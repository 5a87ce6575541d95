"""Words for what a report counts: layers, heads, matrices, runs, seeds, examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportgen.claims._setting_keys import condensed
from reportgen.claims._setting_words import Word

ARCHITECTURE, AMOUNT = "arch_count", "count"


@dataclass(frozen=True, slots=True)
class Thing:
    """What is counted.

    Attributes:
        what: In the words of `Counted`.
        kind: `"arch_count"` or `"count"`.
        key: The configuration's key that says the same, or empty.
        split: Of examples: the split they belong to, or empty.
    """

    what: str
    kind: str
    key: str = ""
    split: str = ""


def _things(thing: Thing, *phrases: str) -> dict[str, Thing]:
    return {condensed(phrase): thing for phrase in phrases}


_LAYERS = Thing("layers", ARCHITECTURE, "num_hidden_layers")
_HEADS = Thing("heads", ARCHITECTURE, "num_attention_heads")
_LINEAR = Thing("linear layers", ARCHITECTURE)
_PROJECTIONS = Thing("projections", ARCHITECTURE)
_SOME_LAYERS = Thing("other layers", ARCHITECTURE)
_EXAMPLES = Thing("examples", AMOUNT)
_TRAIN = Thing("examples", AMOUNT, "train_examples", "train")
_VALID = Thing("examples", AMOUNT, "validation_examples", "validation")
_TEST = Thing("examples", AMOUNT, "test_examples", "test")
_OF_EXAMPLES = (
    *("examples", "samples", "sentences", "reviews", "instances", "pairs", "images", "documents"),
    *("texts", "tweets", "questions", "sequences", "exemples", "phrases", "critiques", "avis"),
)
_SPLITS = (
    (_TRAIN, ("training", "train", "fine tuning"), ("d'entraînement", "pour l'entraînement")),
    (_VALID, ("validation", "valid", "dev", "development"), ("de validation",)),
    (_TEST, ("test", "testing", "held out"), ("de test", "pour le test")),
)
THINGS: Mapping[str, Thing] = {
    **_things(
        _LAYERS,
        *("layers", "layer", "encoder layers", "decoder layers", "transformer layers", "stacks"),
        *("hidden layers", "transformer blocks", "blocks", "encoder blocks", "decoder blocks"),
        *("transformer encoder layers", "transformer decoder layers", "attention blocks"),
        *("layer transformer", "layer encoder", "couches", "couches d'encodeur", "blocs"),
        *("couches cachées", "couches transformer", "identical layers", "stacked layers"),
    ),
    **_things(
        _HEADS,
        *("heads", "attention heads", "self attention heads", "parallel heads", "têtes"),
        *("têtes d'attention", "parallel attention heads", "attention head"),
    ),
    **_things(
        _LINEAR,
        *("linear layers", "linear transformations", "fully connected layers", "dense layers"),
        *("feed forward", "feed forwards", "feed forward layers", "linear transformation"),
        *("linear maps", "affine transformations", "couches linéaires", "couches denses"),
        *("transformations linéaires", "feed forward linear layers", "ffn matrices"),
        *("feed forward matrices", "mlp layers", "couches feed forward"),
    ),
    **_things(
        _PROJECTIONS,
        *("projections", "projection", "linear projections", "linear projection"),
        *("projection matrices", "outer projection", "output projection", "projections linéaires"),
        *("attention projections", "input projections"),
    ),
    **_things(
        Thing("matrices", ARCHITECTURE),
        *("matrices", "weight matrices", "sets of weight matrices", "parameter matrices"),
        *("matrices de poids", "weight tensors", "sets of weights"),
    ),
    **_things(
        Thing("norms", ARCHITECTURE),
        *("layer norms", "layer normalizations", "layer normalisations", "normalization layers"),
        *("normalisation layers", "norm layers", "layernorms", "layer norm layers"),
    ),
    **_things(
        _SOME_LAYERS,
        *("convolutional layers", "conv layers", "pooling layers", "lstm layers", "gru layers"),
        *("recurrent layers", "attention layers", "embedding layers", "residual blocks"),
        *("sub layers", "sublayers", "output layers", "dropout layers", "convolutions"),
        *("residual layers", "stages", "self attention layers", "sous couches"),
    ),
    **_things(Thing("seeds", AMOUNT), "seeds", "random seeds", "graines", "graines aléatoires"),
    **_things(
        Thing("runs", AMOUNT),
        *("runs", "trials", "repetitions", "fine tunings", "trainings", "training runs"),
        *("experiments", "repeats", "exécutions", "essais", "expériences", "entraînements"),
        *("independent runs", "random restarts", "initialisations", "initializations", "restarts"),
    ),
    **_things(
        Thing("models", AMOUNT),
        *("models", "curves", "checkpoints", "modèles", "courbes", "top curves", "classifiers"),
    ),
    **_things(
        Thing("groups", AMOUNT),
        *("groups", "settings", "configurations", "conditions", "methods", "groupes"),
        *("model types", "kinds of models", "initialisation schemes"),
    ),
    **_things(Thing("folds", AMOUNT), "folds", "cross validation folds", "fold cross validation"),
    **_things(
        Thing("classes", AMOUNT, "num_labels"),
        *("classes", "labels", "categories", "catégories", "étiquettes", "sentiment classes"),
    ),
    **_things(_EXAMPLES, *_OF_EXAMPLES),
    **{
        condensed(phrase): thing
        for thing, before, behind in _SPLITS
        for noun in _OF_EXAMPLES
        for phrase in (
            *(f"{word} {noun}" for word in before),
            *(f"{noun} {word}" for word in behind),
            *(f"{noun} for {word}" for word in before),
            *(f"{noun} in the {word} set" for word in before),
        )
    },
}
_STOPS = frozenset(
    {
        *("and", "or", "with", "in", "for", "to", "are", "is", "was", "were", "the", "by", "from"),
        *(
            "on",
            "at",
            "that",
            "which",
            "per",
            "than",
            "as",
            "we",
            "it",
            "our",
            "has",
            "have",
            "can",
        ),
        *("over", "across", "among", "between", "using", "after", "before", "during", "under"),
        *("of", "et", "ou", "avec", "dans", "pour", "sont", "est", "les", "qui", "par", "sur"),
        *("million", "billion", "percent", "points", "epochs", "steps", "parameters", "params"),
        *("times", "fois", "out", "more", "fewer", "less", "hours", "minutes", "seconds", "gb"),
    }
)
_FAR = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A thing behind a number: what, the index of its last word, how sure, and its adjectives."""

    thing: Thing
    last: int
    sure: float
    adjectives: tuple[str, ...] = ()


def thing_behind(words: Sequence[Word], first: int) -> Found | None:
    """Return what the words behind a number say is counted.

    Example:
        >>> from reportgen.claims._setting_words import words_of
        >>> thing_behind(words_of("sets of weight matrices"), 0).thing.what
        'matrices'
        >>> thing_behind(words_of("different random seeds"), 0).thing.what
        'seeds'
    """
    if first < len(words) and words[first].text == "-":
        first += 1
    end = min(len(words), first + _FAR)
    for begin in range(first, end):
        for last in range(end - 1, begin - 1, -1):
            inside = words[begin : last + 1]
            if not inside[-1].text[0].isalpha() or not all(_is_word(word.text) for word in inside):
                continue
            phrase = "".join(word.bare for word in inside)
            if phrase in THINGS:
                adjectives = tuple(word.text.casefold() for word in words[first:begin])
                return Found(THINGS[phrase], last, 0.9 if begin == first else 0.8, adjectives)
        if words[begin].text.casefold() in _STOPS or not _is_word(words[begin].text):
            return None
    return None


def _is_word(text: str) -> bool:
    return text[0].isalpha() or text in {"-", "'"}
