"""Words around a value that say whose it is: another's, a supposition, one of several."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.claims._passages import Passage

DOUBTFUL = 0.4
"""Confidence of a value that may be another model's, or was only thought of."""
_ELSEWHERE = gated(
    r"\b(?:papers?|original(?:ly)?|et al|e\.g|for (?:example|instance)|typical(?:ly)?"
    r"|usual(?:ly)?|often|such as|previous(?:ly)?|instead of|by default|defaults? to|larger"
    r"|smaller|higher|lower|greater|increas\w+|decreas\w+|tried|trying|grid|sweep|compared"
    r"|recommend\w*|suggest\w*|unlike|whereas|suppose|assume|imagine|if (?:we|you|one)"
    r"|let us say|par exemple|généralement|précédent\w*|au lieu|par défaut|souvent"
    r"|supposons|l'article|rather than|others|other (?:models?|works?))\b",
    re.IGNORECASE,
)
# These doubt what follows them: `bias="none" says which biases should be trained` states a value.
_SUPPOSED = gated(r"\b(?:would|could|should|might|serait|pourrait|devrait)\b", re.IGNORECASE)
_PRETRAINING = gated(
    r"\bpre-?train(?:ed|ing)?\s(?:it\s)?(?:for|on|with|during|using|phase|stage|was|is|takes|lasted)\b"
    r"|\bduring (?:the )?pre-?training|\bpré-?entraîn\w{1,6}\s(?:pendant|sur|avec|durant)",
    re.IGNORECASE,
)
_FINETUNING = gated(r"fine-?\s?tun|affin", re.IGNORECASE)
_MODELS = gated(
    r"\b(?:(?:Distil|Camem|Flau|De|Al|Ro|Mo|Tiny|Mini|Mobile)?BERTa?|XLM(?:-R(?:oBERTa)?)?|GPT|LLaMA"
    r"|Llama|T5|mT5|BART|mBART|BLOOM|OPT|Falcon|Mistral|Mixtral|Phi|Qwen|Gemma|Pythia|ELECTRA"
    r"|DeBERTa|ALBERT|ViT|ResNet|Whisper|PaLM|Chinchilla|VGG|LSTM|XLNet|Megatron|Gopher|CLIP)"
    r"([-_ ]?(?:v?\d[\w.]*|base|large|small|medium|tiny|xl|xxl|huge|neo[xX]?|\d+[mMbB])\b){0,3}"
)
_CLAUSE = re.compile(r"[,;(](?=\s)|\bbut\b|\bmais\b")
_OWN = gated(r"\b(?:we|our|ours|us|nous|notre|nos|this (?:model|lab|report))\b", re.IGNORECASE)


def is_elsewhere(passage: Passage, place: int) -> bool:
    """Say whether the sentence around a place speaks of another's values, or of possible ones.

    Example:
        >>> from reportgen.claims._passages import passages
        >>> from reportgen.records.manuscript import Block, Line, Manuscript
        >>> text = "The paper uses 12 layers. We use 4 layers."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> (passage,) = passages(Manuscript(path="", format="", sha256="", blocks=(block,)))
        >>> is_elsewhere(passage, 15), is_elsewhere(passage, 33)
        (True, False)
    """
    start, end = passage.sentence(place)
    text = passage.plain.text
    # `The paper has 12 layers, but we use 4, unlike others`: what stands before `we` is not ours.
    own = max((match.end() for match in _OWN.finditer(text[start:place])), default=0)
    stop = _CLAUSE.search(text, place, end)
    around = text[start + own : stop.start() if stop else end]
    return bool(_ELSEWHERE.search(around) or _SUPPOSED.search(text, start + own, place))


def is_pretraining(passage: Passage, place: int) -> bool:
    """Say whether the sentence around a place speaks of the pre-training, not of a fine-tune."""
    sentence = _sentence(passage, place)
    return bool(_PRETRAINING.search(sentence)) and not _FINETUNING.search(sentence)


def model_hints(passage: Passage, place: int) -> dict[str, str]:
    """Return the hints `model`, a model that the sentence names, `own` and `adapter`.

    `Our BERT model` is ours, whatever it is; `we use BERT-large` says which. Where adapters are
    spoken of, it may be their base.

    Example:
        >>> from reportgen.claims._passages import passages
        >>> from reportgen.records.manuscript import Block, Line, Manuscript
        >>> block = Block(type="paragraph", lines=(Line(text="GPT-3 has 96 layers.", number=1),))
        >>> (passage,) = passages(Manuscript(path="", format="", sha256="", blocks=(block,)))
        >>> model_hints(passage, 10)
        {'model': 'GPT-3'}
    """
    start, end = passage.sentence(place)
    sentence = passage.plain.text[start:end]
    found = list(_MODELS.finditer(sentence))
    near = min(found, key=lambda m: abs(m.start() + start - place), default=None)
    own = {"own": "yes"} if _OWN.search(sentence) else {}
    about = {"adapter": "yes"} if passage.adapter else {}
    if near is None or (own and near[1] is None):
        return about
    return {"model": near[0].strip(), **own, **about}


def model_in(label: str) -> dict[str, str]:
    """Return the hint `model` where the label of a row or column names one.

    Example:
        >>> model_in("BERT-base"), model_in("Ours")
        ({'model': 'BERT-base'}, {})
    """
    match = _MODELS.search(label)
    return {"model": match[0].strip()} if match else {}


def _sentence(passage: Passage, place: int) -> str:
    start, end = passage.sentence(place)
    return passage.plain.text[start:end]
