"""Note what a report says of a LoRA key that the key does not do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reportgen.checking.numbers._gated import Pattern, gated
from reportgen.checks._reading import show
from reportgen.checks._settled import settled
from reportgen.records.claim import Claim, Setting
from reportgen.records.finding import Case, Finding

RULE = "lora_meaning"


@dataclass(frozen=True, slots=True)
class Misreading:
    """Words that misread a key, words that make them harmless, and what the key does."""

    words: Pattern
    does: str
    unless: Pattern | None = None


def _misreading(words: str, does: str, unless: str = "") -> Misreading:
    harmless = gated(unless, re.IGNORECASE) if unless else None
    return Misreading(gated(words, re.IGNORECASE), does, harmless)


_CAUSAL = _misreading(
    r"cause[- ]?(?:and|&|to|/)?[- ]?effect|\bcausal(?:ity)? (?:relation|inference|link|reason)"
    r"|\bcausalit[éy]\b|cause à effet|relations? causales?|\bcauses and (?:their )?effects",
    "causal language modelling predicts each token from the tokens before it",
)
_SCALES = "lora_alpha multiplies the update, as lora_alpha / r"
_LIKENED = r"\b(?:like|similar|akin|analog\w*|equivalent|effective|comme|acts? as|as if|relative)\b"
MISREADINGS: Mapping[str, tuple[Misreading, ...]] = {
    "task_type": (_CAUSAL,),
    "lora_dropout": (
        _misreading(
            r"\b(?:at|for|on|in) (?:the (?:start|beginning|end) of )?(?:each|every|an entire)"
            r" epochs?\b|\bonce (?:per|an|each|every) epoch|\bper epoch\b"
            r"|\bà chaque époque|par époque",
            "dropout is drawn anew at every forward pass",
        ),
        _misreading(
            r"\b(?:percentage|fraction|share|proportion|number) of (?:the )?(?:layers|heads|samples"
            r"|examples|tokens|training data)\b|\blearning rate\b",
            "lora_dropout is the probability that an input of the first added matrix is zeroed",
        ),
    ),
    "lora_alpha": (
        _misreading(r"\blearning[- ]rate\b|taux d'apprentissage", _SCALES, _LIKENED),
        _misreading(
            r"\b(?:is|est|represents|sets|gives|means) (?:the |le |a )?(?:\w+ )?(?:rank|rang)\b"
            r"|\bnumber of (?:layers|heads|epochs|modules)\b|\bdropout\b"
            r"|\bdimension of the (?:low|mat)",
            _SCALES,
            r"\b(?:ratio|relative|divided|over|with respect|than)\b",
        ),
        _misreading(
            r"\b(?:is|est|a|the|une?|la) (?:l[12] )?(?:regulari[sz]ation|weight decay|penalty)"
            r" (?:strength|term|parameter|coefficient|factor)",
            _SCALES,
        ),
    ),
    "r": (
        _misreading(
            r"\b(?:is|est|represents|sets|gives|means) (?:the |le )?"
            r"(?:number of (?:layers|heads|epochs|adapters|modules)|learning rate|scaling|dropout"
            r"|rank of the original)",
            "r is the rank: the inner width of the two added matrices",
        ),
    ),
    "bias": (
        _misreading(
            r"\b(?:fairness|social|societal|prejudice|gender|stereotyp\w+|dataset bias|data bias"
            r"|biases? in the (?:data|training|predictions))",
            "bias says which bias vectors of the layers are trained too",
        ),
    ),
    "target_modules": (
        _misreading(
            r"\b(?:modules?|layers?|couches?) (?:that|which|to|qui)\s(?:are|be|will be|we|sont)?\s?"
            r"(?:frozen|freeze|not trained|left out|excluded|gelé\w*|ignored)",
            "target_modules names the modules that get an adapter",
        ),
    ),
}
_DENIED = gated(
    r"\b(?:not|n't|rather than|instead of|no|isn't|pas|non)\b[^.;,]{0,25}$", re.IGNORECASE
)


def check(case: Case) -> Iterator[Finding]:
    """Yield a note for every sentence that says of a LoRA key what it does not do.

    Half of a truth stays unsaid: only what is known to mislead is noted.

    Args:
        case: The report and its evidence.
    """
    for claim in case.claims:
        if claim.kind != "lora_semantics" or not isinstance(claim.content, Setting):
            continue
        finding = _noted(claim, claim.content)
        if finding is not None:
            yield finding


def _noted(claim: Claim, setting: Setting) -> Finding | None:
    """Return the note on the first misreading of a sentence, None where it has none."""
    said = show_whole(setting)
    for misreading in MISREADINGS.get(setting.key, ()):
        match = misreading.words.search(said)
        if match is None or _DENIED.search(said[max(0, match.start() - 60) : match.start()]):
            continue
        if misreading.unless is not None and misreading.unless.search(said):
            continue
        return settled(RULE, claim, "disagrees", misreading.does, level="note")
    return None


def show_whole(setting: Setting) -> str:
    """Return the sentence that a claim on a key's meaning holds.

    Example:
        >>> show_whole(Setting(name="r", key="r", value="is the rank"))
        'is the rank'
    """
    return setting.value if isinstance(setting.value, str) else show(setting.value)
