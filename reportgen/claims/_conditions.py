"""What narrows a value down to some of the data, or ties it to a variant of the runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._mentions import Mention
from reportgen.claims._neutral_words import NEUTRAL

_PREPOSITIONS = (
    r"for|on(?!\s(?:observe|constate|voit|remarque|note|obtient|trouve|peut|atteint|a)\b)|in|with"
    r"|without|using|when|whenever|if|once|after|before|at|among|amongst|under|within"
    r"|mit|ohne|für|bei|nach|vor|wenn|auf|unter|im|am|con|sin|senza|su|para|com|sem|across"
    r"|during|despite|thanks\sto|due\sto|because\sof|sur|pour|dans|avec|sans|lorsque?|lorsqu'|quand"
    r"|si|après|avant|parmi|chez|en|grâce\sà|malgré|à\scause\sde"
)
_VERBS = (
    r"we|it|they|nous|reach\w*|achiev\w+|obtain\w*|get|gets|got|gives?|gave|yields?|yielded|scores?"
    r"|attains?|performs?|drops?|falls?|rises?|goes|stays?|remains?|increases?|decreases?|improves?"
    r"|has|have|goes|went|ends?|finish\w*|il|elle|ils|elles|atteint|obtient|donne|baisse|monte"
    r"|augmente|diminue|passe|passent|finit|termine"
)
_OPENING = re.compile(
    rf"\s*(?:and\s|but\s|however,?\s|et\s|mais\s|moreover,?\s|also,?\s|only\s)?"
    rf"(?:{_PREPOSITIONS})\b(?P<phrase>[^,;:.()\n]{{2,90}}),(?!\d)",
    re.IGNORECASE,
)
_EARLY = gated(
    r"\binitial(?:ly|e|ement)?\b|\b(?:start|begin)(?:s|ned|ed|ning|ing)?\s(?:(?:at|around|near)\b"
    r"|(?:from|with)\s(?:about\s|around\s|only\s|an?\s|the\s)?(?:\w{1,12}\s){0,2}(?:of\s)?\d)"
    r"|\bat\sthe\s(?:very\s)?(?:start|beginning)\b|\b(?:au|dès\sle)\s(?:début|départ)\b|\bzu\sBeginn\b"
    r"|\bbefore\s(?:any\s|the\s)?(?:training|fine-?tuning)\b|\bavant\s(?:tout\s|l['’]\s?|le\s|d['’]\s?)?"
    r"(?:entra[iî]ne\w*|fine-?tuning|affinage)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*(?P<phrase>[^\W\d_][^:;.,()\n=|]{1,40}?)\s?:\s")
_PHRASE = gated(
    rf"(?<![\w-])(?:{_PREPOSITIONS})\s(?P<phrase>[^,;:.()\n]{{2,60}}?)"
    rf"(?=\s(?:{_PREPOSITIONS}|and|et|while|whereas|but|mais|than|que|is|are|was|were|est|sont"
    rf"|{_VERBS})\s"
    r"|[,;:.()\n]|$)",
    re.IGNORECASE,
)
_A_SET = re.compile(r"ensemble\s(?:des?\b|d['’]|complet|entier)", re.IGNORECASE)
_TOPICS = frozenset({"metric", "generic", "split"})
_NARROW = gated(
    r"\b(?:class|classe|category|catégorie|sub-?set|sous-ensemble|sub-?group|sous-groupe|speaker"
    r"|locuteur|language|langue|domain|domaine|genre|species|espèce|topic|quartile|decile|(?:per)?centile(?!\shausdorff)|bucket)"
    r"(?:e?s)?\b(?!\s(?:model|task|accuracy|imbalance|weights?|names?|labels?)\b)"
    r"|\b(?:hard|harder|easy|easier|difficult|challenging|rare|rarer|frequent|short|shorter|long"
    r"|longer|noisy|clean|blurred|corrupted|adversarial|ambiguous|negative|positive|minority"
    r"|out-of-domain|out-of-distribution|ood|difficiles?|faciles?|rares?|courtes?|longues?"
    r"|bruitée?s?|négatifs?|positifs?)\s(?:\w+\s){0,2}?(?:images?|examples?|samples?|sentences?"
    r"|texts?|reviews?|classes|words?|inputs?|instances?|cases?|sub-?sets?|ones|exemples?"
    r"|phrases?|textes?|avis|mots?|données|critiques?)\b"
    r"|(?:\b(?:half|quarter|third|tenth|fraction|part|moitié|quart|tiers|dixième)|\d\s?%)\s(?:of|de|des|du)\s"
    r"(?:the\s|our\s|les\s|la\s|l'|nos\s)?(?:labell?ed\s|training\s)?(?:data|examples|données|exemples)\b",
    re.IGNORECASE,
)
_OF_WHAT = gated(
    r"\s(?:of|de)\s(?:the|our|a|an|la|l'|un|une|notre)\s?(?P<phrase>[^\W\d_][\w'’-]*(?:\s[\w'’-]+){0,2})",
    re.IGNORECASE,
)
_OWNERS = frozenset(
    (
        *("model", "models", "network", "classifier", "run", "runs", "seed", "seeds", "experiment"),
        *("checkpoint", "training", "test", "validation", "modèle", "réseau", "graine", "réseaux"),
    )
)
_QUOTED = re.compile(r"[\"“«'‘]\s?[^\W\d_][\w -]{0,30}\s?[\"”»'’](?![\w])")
_WORD = re.compile(r"[^\W\d_][\w'’/-]*")
_DATA_SETS = gated(
    r"\b(?:cifar-?100|cifar-?10|fashion-?mnist|kmnist|emnist|mnist|tiny-?imagenet|imagenet|svhn|stl-?10"
    r"|caltech-?\d{3}|coco|pascal\svoc|cityscapes|ade20k|celeba|imdb|sst-?[25]|ag[\s_-]?news|yelp|amazon"
    r"|squad|mnli|qnli|qqp|cola|mrpc|rte|sts-?b|wnli|xnli|paws-?x?|conll|wikitext|ptb|wmt-?\d{2}|iwslt"
    r"|multi30k|librispeech|common\s?voice|cls[\s-](?:books|dvd|music)|cora|citeseer|pubmed|qm9|zinc"
    r"|cartpole|lunarlander|pendulum|acrobot|mountaincar|half-?cheetah|hopper|walker-?2d|humanoid|pong"
    r"|breakout|(?:ms-?)?pac-?man|space\s?invaders|minigrid)(?![^\W_])",
    re.IGNORECASE,
)


def narrowing(text: str, start: int, end: int) -> str:
    """Return the words that pick out some of the data, or nothing.

    Example:
        >>> text = "The pretrained model reaches 67 % on the rare classes."
        >>> narrowing(text, 0, len(text)), narrowing("80 % on the test set", 0, 20)
        ('rare classes', '')
    """
    for match in _NARROW.finditer(text, start, end):
        return match[0]
    for phrase in _PHRASE.finditer(text, start, end):
        quoted = _QUOTED.search(phrase["phrase"])
        if quoted:
            return quoted[0]
    return ""


def beginning(text: str, start: int, end: int) -> str:
    """Return the words that say that a value is one from before the training, or nothing.

    Example:
        >>> beginning("the loss starts at 2.30", 0, 23), beginning("the first epoch", 0, 15)
        ('starts at', '')
        >>> beginning("Before training, the loss is 2.30", 0, 33)
        'Before training'
    """
    early = _EARLY.search(text, start, end)
    return early[0] if early else ""


def data_sets(text: str) -> frozenset[str]:
    """Return the well-known data sets and environments that a text names.

    Example:
        >>> sorted(data_sets("on CIFAR-10 and cifar 100, CIFAR10"))
        ['cifar10']
    """
    return frozenset(re.sub(r"\W", "", match[0].lower()) for match in _DATA_SETS.finditer(text))


def condition(text: str, span: tuple[int, int], spoken: Sequence[Mention]) -> str:
    """Return the phrase that says under which condition something holds, or nothing.

    Args:
        text: The block's text.
        span: Where the words of the sentence stand that belong to a value.
        spoken: What was understood of the text, which is no condition.

    Example:
        >>> text = "Without augmentation, the accuracy is 74.9 %"
        >>> condition(text, (0, len(text)), ())
        'Without augmentation'
        >>> condition("the accuracy on the test set is 80 %", (0, 36), ())
        ''
    """
    for pattern in (_OPENING, _LABEL):
        opening = pattern.match(text, *span)
        if opening and _is_telling(text, *opening.span("phrase"), spoken):
            return opening[0].strip(" ,:")
    measured = (m for m in spoken if m.slot == "metric" and span[0] <= m.start < span[1])
    owners = (_OF_WHAT.match(text, m.end, span[1]) for m in measured)
    for owner in filter(None, owners):
        start, end = owner.span("phrase")
        named = [w.start() for w in _WORD.finditer(text, start, end) if w[0].lower() in _OWNERS]
        named += [m.start for m in spoken if start <= m.start < end]
        if _is_telling(text, start, min([end, *named]), spoken):
            return owner[0].strip()
    for match in _PHRASE.finditer(text, *span):
        start, end = match.span("phrase")
        # What is measured ends the phrase: `On the hard part the accuracy is ...`.
        topics = (m.start for m in spoken if m.slot in _TOPICS and start <= m.start < end)
        end = min([end, *topics])
        if _is_telling(text, start, end, spoken):
            return text[match.start() : end].strip()
    return ""


def _is_telling(text: str, start: int, end: int, spoken: Sequence[Mention]) -> bool:
    """Say whether a phrase has a word that nothing explains."""
    known = [(m.start, m.end) for m in spoken]
    known += [match.span() for match in _DATA_SETS.finditer(text, start, end)]
    return any(
        not any(a < word.end() and word.start() < b for a, b in known)
        and not _is_neutral(word[0].lower())
        and not _A_SET.match(text, word.start())
        for word in _WORD.finditer(text, start, end)
    )


def _is_neutral(word: str) -> bool:
    parts = [part for part in re.split(r"['’/-]", word) if part]
    return word in WORD_VALUES or word in NEUTRAL or NEUTRAL.issuperset(parts)
