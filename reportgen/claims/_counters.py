"""Numbers that say which run or which moment is meant, and so are no results themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import ORDINALS
from reportgen.claims._best_moments import told_moments
from reportgen.claims._mentions import Mention
from reportgen.claims._picked import other_rank, take_picked
from reportgen.claims._run_names import begins_with_group
from reportgen.claims._vocabulary import COUNTERS, SETTINGS
from reportgen.records.claim import Printed

_SEED, _EPOCH, _STEP = (COUNTERS[slot] for slot in ("seed", "epoch", "step"))
_MARK = (
    r"[\s_'\"]{0,3}(?:number|no\.?|n°|nr\.?|num|is|was|are|were|est|vaut)?[\s_]{0,2}[#=:-]?"
    r"[\s#]{0,2}$"
)
_BEFORE = {
    slot: gated(rf"(?<![^\W_])(?:{words}){_MARK}", re.IGNORECASE)
    for slot, words in COUNTERS.items()
}
_PLURAL = gated(
    r"(?<![^\W_])(?:seeds|graines|runs|folds|plis|trials|essais|epochs|[ée]poques|steps|updates"
    r"|iterations|it[ée]rations|[ée]tapes|(?:les|aux|des)\spas)[\s(:]{0,3}(?:\d|$)",
    re.IGNORECASE,
)
_BEHIND = {
    "epoch": re.compile(
        rf"[\s-]{{1,2}}(?:training\s|full\s|complete\s)?(?:{_EPOCH})(?![^\W_])", re.IGNORECASE
    ),
    "step": re.compile(rf"k?[\s-]{{1,2}}(?:{_STEP})(?![^\W_])", re.IGNORECASE),
    "n": re.compile(
        rf"[\s-]{{1,2}}(?:(?:random|different|independent|training|separate|such|pairs\sof"
        rf"|paires\sde)\s){{0,2}}"
        rf"(?:{_SEED}|models|mod[èe]les|initiali[sz]ations)(?![^\W_])",
        re.IGNORECASE,
    ),
    "level": re.compile(
        r"\s?\\?%?\s?-?(?:t\s|wilson\s|bootstrap\s|student\s|credible\s|d['’]\s?)?(?:\\text\{)?"
        r"(?:ci\b|c\.i\.|confidence|interval|intervalle|de\sconfiance|level|conf)"
        r"|\s?\\?%?\s?[(\[]?(?:bonferroni|holm)\b",
        re.IGNORECASE,
    ),
}
_UNIT = re.compile(r"[\s~$]{0,2}(?:\\?%|percent|per\scent|pour|points?|pts|pp)", re.IGNORECASE)
_NAMED_MOMENT = gated(
    r"\b(?:first|last|final|best|derni[eè]re?|premi[eè]re?|meilleure?)\s(?:epochs?|[ée]poques?|steps?)"
    r"\s?:\s?$",
    re.IGNORECASE,
)
_AT_ITS_END = gated(
    rf"\b(?:first|last|final|best|same|meilleure?|même|derni[eè]re?|premi[eè]re?)\s(?:(?P<epoch>{_EPOCH})|(?P<step>{_STEP}))"
    r"(?:\s?[,(]\s?(?:that\sis,?\s|namely\s|i\.e\.,?\s|soit\s|no\.?\s|number\s)?|\s(?:at|à)\s)$",
    re.IGNORECASE,
)
"""`at its last step, 990`, `its best step at 15`: a moment that is named, and then its number."""
_IN_PASSING = re.compile(r"\s?(?:[,.;:)]|$|(?:and|et|with|avec|while|where)\b)", re.IGNORECASE)
_COUNT_OF = gated(r"(?<![^\W_])n\s{0,2}=\s{0,2}$", re.IGNORECASE)
_LEVEL_LEAD = gated(
    r"(?:confian(?:ce|t)|interval(?:le)?s?(?:\sde\s(?:student|wilson))?|level|\bci|\bic)\s(?:at\s|of\s|à\s|de\s|level\s)?\(?$",
    re.IGNORECASE,
)
_DDOF = gated(r"(?:ddof|correction)\s{0,2}=?\s{0,2}$|\bn\s{0,2}[-−–]\s{0,2}$", re.IGNORECASE)
_SETTING = gated(
    rf"(?<![^\W_])(?:(?:{SETTINGS})\s{{0,2}}[=:]|"
    r"(?:learning[\s_-]{0,2}rates?|taux\sd'apprentissage|batch(?:es)?(?:[\s_-]{0,2}size)?"
    r"|dropout|weight[\s_-]{0,2}decay"
    r"|ranks?|rang|alpha|temperature|patience|threshold|seuil|warm-?up|weight|factor"
    r"|coefficient|smoothing|momentum|width|length|taille)"
    r"(?:\s(?:of|de|at|to|à))?)[\s$]{0,3}(?:\\[a-z]{1,8}\s?)?$",
    re.IGNORECASE,
)
_SPREAD_BEHIND = re.compile(r"\s?(?:±|\\pm)")
_SETTING_BEHIND = re.compile(
    r"[\s-]{1,2}(?:layers?|heads?|couches|t[êe]tes|bits?|gpus?|beams?|shots?|neurons?|units?"
    r"|hidden|dimensions?|filters?)\b",
    re.IGNORECASE,
)
_AT = gated(
    r"\b(?:after|at|in|by|from|until|apr[èe]s|[àa]|au|en|by\sthe|reached|of|to|the"
    r"|\()\s?\(?(?:only\s|just\s|about\s|seulement\s|the\s)?$|\(\s?$",
    re.IGNORECASE,
)
_LENGTH = gated(
    r"\b(?:for|during|over|of|pendant|sur|de|throughout|with|within|has|have"
    r"|trained)\s(?:only\s|all\s|the\s)?$",
    re.IGNORECASE,
)
_AFTER_SO_MANY = gated(r"\bau\sbout\sde\s$", re.IGNORECASE)
_FOR = gated(
    r"\b(?:for|during|over|pendant|sur)\s(?:\d[\d., ]{0,12}(?:,|and|et|/)\s?){0,6}$", re.IGNORECASE
)
_JOINS = re.compile(
    r"[\s$]{0,2}(?:,|;|/|,?\s?(?:and|et|&|or|ou|to|à|through)|-|–|—|\.\.\.|…"
    r"|,\s?\.\.\.,?)[\s$#]{0,2}",
    re.IGNORECASE,
)
_MOMENTS_OPEN = gated(
    r"\b(?:after|at|apr[èe]s|à)\s"
    r"(?:\d{1,7}(?:,\s?(?:and\s|et\s)?|\s(?:and|et)\s|\s?/\s?)){0,10}$",
    re.IGNORECASE,
)
_BEST_SEED = gated(
    r"\b(?:best|worst|second|third|meilleure|pire)\s(?:random\s)?(?:seed|graine)\b[^.;:()]{0,40}"
    r"\b(?:is|was|are|est|était)\s(?:seed\s)?$",
    re.IGNORECASE,
)
"""`the best seed of A is 13`: which one it is, and no value of it."""
_SO_MANY = gated(
    r"(?:\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|deux|trois|quatre|cinq|dix))[\s-]"
    r"(?:seeds|runs|graines|epochs|[ée]poques|steps|updates|iterations)\b"
    r"\s?(?:[:=]|(?:is|was|are|were|est|sont)\b)\s?$",
    re.IGNORECASE,
)
"""`after 5 epochs: 68.7`: the noun has its number, and what follows is a value."""
_OF_SO_MANY = re.compile(r"\s(?:out\s)?(?:of|sur)\s(?:the\s|les\s)?", re.IGNORECASE)
_KEY_OF = re.compile(r"\s?[:=]\s?")
_KEYED = gated(
    rf"\b(?:by|per|for\s(?:each|every)|of\s(?:each|every)|par|selon\sl[ae]|pour\schaque)\s"
    rf"(?:(?P<seed>{_SEED})|(?P<epoch>{_EPOCH})|(?P<step>{_STEP}))\b[^.;\d]{{0,16}}[:(]\s?$",
    re.IGNORECASE,
)
_OF_RUNS = gated(r"\b(?:of|over|across|with|from|for|de|sur|pour|avec)\s$", re.IGNORECASE)
_OTHERS = gated(r"\s(?:others?|more|further|autres?|de\splus)\b", re.IGNORECASE)
_TO = re.compile(r"\s?(?:to|à|–|-)\s?")
_SPANS = gated(rf"\b(?:from|between|de|entre)\s(?:l['’])?(?:{_EPOCH}|{_STEP})\s$", re.IGNORECASE)
_TWO = re.compile(r"\s(?:and|et)\s")
_BETWEEN = gated(rf"\b(?:between|entre)\s(?:l['’])?(?:{_EPOCH}|{_STEP})\s$", re.IGNORECASE)
_BARE_AT = gated(r"(?:\bat|\bà|@)\s?$", re.IGNORECASE)
_BARE_AFTER = gated(r"\b(?:after|après)\s(?:only\s|just\s)?$", re.IGNORECASE)
_AT_MOMENT = gated(rf"(?:\bat|\bà(?:\sl['’])?|@)\s?(?:{_EPOCH}|{_STEP})\s?$", re.IGNORECASE)
_ORDINAL = gated(
    rf"(?<![^\W_])({'|'.join(sorted(ORDINALS, key=len, reverse=True))})[\s-](?:training\s"
    rf"|random\s)?"
    rf"(?:(?P<seed>{_SEED})|(?P<epoch>{_EPOCH}))(?![^\W_])",
    re.IGNORECASE,
)


def names_moment(text: str, number: Printed) -> bool:
    """Say whether a moment is named right before a value: `last epoch: 79.5`."""
    return bool(_NAMED_MOMENT.search(text[max(0, number.start - 48) : number.start]))


def counters(text: str, numbers: Sequence[Printed]) -> dict[int, Mention]:
    """Return, by its index, what a number counts that is a label and no result.

    The slot `length` is a number of epochs or steps that tells how long a training was.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "seeds 0, 1 and 2 reach 79.9 after 5 epochs (n = 3)"
        >>> [(m.slot, m.value) for m in counters(text, find_numbers(text)).values()]
        [('seed', '0'), ('seed', '1'), ('seed', '2'), ('epoch', '5'), ('n', '3')]
    """
    found: dict[int, Mention] = {}
    for index, number in enumerate(numbers):
        lead = text[max(0, number.start - 48) : number.start]
        tail = text[number.end : number.end + 48]
        slot = _slot(number, lead, tail)
        if not slot and index and index - 1 in found:
            slot = _carried(text, numbers[index - 1], number, found[index - 1].slot)
        if not slot and found and not number.unit:
            slot = _elliptic(text, number, lead, found) or other_rank(number, lead, found)
        if slot:
            found[index] = _counted(number, slot)
    _take_parts(text, numbers, found)
    _take_keys(text, numbers, found)
    for index, slot in told_moments(text, numbers, found):
        found[index] = _counted(numbers[index], slot)
    take_picked(text, numbers, found)
    for index in range(len(numbers) - 2, -1, -1):
        if index not in found and _leads_to_length(text, numbers, index, found):
            found[index] = _counted(numbers[index], "length")
        elif index not in found and _leads_to_number_of_runs(text, numbers, index, found):
            found[index] = _counted(numbers[index], "n")
        elif index not in found and _leads_to_moment(text, numbers, index, found):
            found[index] = _counted(numbers[index], found[index + 1].slot)
    return dict(sorted(found.items()))


def _take_parts(text: str, numbers: Sequence[Printed], found: dict[int, Mention]) -> None:
    """Take the moments that are told with the length of a training: `after 5 of 10 epochs`."""
    for index, (left, right) in enumerate(pairwise(numbers)):
        whole = left.decimals <= 0 and not left.unit and index not in found
        if not (whole and _OF_SO_MANY.fullmatch(text, left.end, right.start)):
            continue
        lead, tail = text[max(0, left.start - 48) : left.start], text[right.end : right.end + 48]
        for slot in ("epoch", "step"):
            if _BEHIND[slot].match(tail) and _AT.search(lead):
                found[index] = _counted(left, slot)
                found[index + 1] = _counted(right, "length")


def _take_keys(text: str, numbers: Sequence[Printed], found: dict[int, Mention]) -> None:
    """Take the labels of a list such as `accuracy by seed: 0: 68.9, 1: 69.2`."""
    slot = ""
    for index, (label, value) in enumerate(pairwise(numbers)):
        if label.decimals > 0 or label.unit or not _KEY_OF.fullmatch(text, label.end, value.start):
            continue
        opened = _KEYED.search(text, max(0, label.start - 48), label.start)
        if opened:
            slot = next(name for name in ("seed", "epoch", "step") if opened[name])
        elif not (slot and index > 1 and index - 2 in found):
            slot = ""
        if slot:
            found[index] = _counted(label, slot)


def _counted(number: Printed, slot: str) -> Mention:
    return Mention(number.start, number.end, slot, f"{number.value.normalize():f}")


def _leads_to_length(
    text: str, numbers: Sequence[Printed], index: int, found: Mapping[int, Mention]
) -> bool:
    """Say whether a number is one of a list of lengths: `for 990, 790 and 590 steps`."""
    left, right = numbers[index], numbers[index + 1]
    if index + 1 not in found or found[index + 1].slot != "length":
        return False
    whole = left.decimals <= 0 and not left.unit
    return whole and bool(_JOINS.fullmatch(text[left.end : right.start])) and _trained(text, left)


def _leads_to_number_of_runs(
    text: str, numbers: Sequence[Printed], index: int, found: Mapping[int, Mention]
) -> bool:
    """Say whether a number is one of two numbers of runs: `mean of 4 and 3 seeds`."""
    left, right = numbers[index], numbers[index + 1]
    if index + 1 not in found or found[index + 1].slot != "n" or left.decimals > 0 or left.unit:
        return False
    joined = _JOINS.fullmatch(text, left.end, right.start)
    return bool(joined and _OF_RUNS.search(text, max(0, left.start - 12), left.start))


def _leads_to_moment(
    text: str, numbers: Sequence[Printed], index: int, found: Mapping[int, Mention]
) -> bool:
    """Say whether a number is one of a list of moments: `after 2, 4 and 6 epochs`."""
    if index + 1 not in found or found[index + 1].slot not in {"epoch", "step"}:
        return False
    left, right = numbers[index], numbers[index + 1]
    whole = left.decimals <= 0 and not left.unit
    if not (whole and _JOINS.fullmatch(text, left.end, right.start)):
        return False
    return bool(_MOMENTS_OPEN.search(text, max(0, left.start - 60), left.start))


def _trained(text: str, number: Printed) -> bool:
    """Say whether the list that a number is of tells how long a training was."""
    return bool(_FOR.search(text[max(0, number.start - 48) : number.start]))


def _slot(number: Printed, lead: str, tail: str) -> str:
    """Return what one number counts by the words right beside it, or nothing."""
    # `from 81 at epoch 4 to 80 %` lends its unit to the epoch.
    own_unit = bool(number.unit) and bool(_UNIT.match(tail))
    whole = number.decimals <= 0 and not own_unit
    if number.unit == "percent" and own_unit:
        leads = _LEVEL_LEAD.search(lead) and number.value >= 50
        return "level" if _BEHIND["level"].match(tail) or leads else ""
    if _NAMED_MOMENT.search(lead):
        return ""
    ended = _AT_ITS_END.search(lead)
    if ended and number.decimals <= 0 and not number.unit and _IN_PASSING.match(tail):
        return "epoch" if ended["epoch"] else "step"
    if _COUNT_OF.search(lead):
        return "n"
    if _DDOF.search(lead) and number.value in {0, 1}:
        return "ddof"
    if whole and _BEST_SEED.search(lead):
        return "seed"
    counted = _SO_MANY.search(lead)
    for slot in () if counted else ("seed", "epoch", "step"):
        if _BEFORE[slot].search(lead) and (whole or (slot == "epoch" and _is_part(number, lead))):
            return slot
    if whole:
        behind = _slot_behind(number, lead, tail)
        if behind:
            return behind
    setting = _SETTING.search(lead)
    result = number.unit == "percent" or _SPREAD_BEHIND.match(tail)
    if setting and not (result and begins_with_group(setting[0])):
        return "setting"
    return ""


def _is_part(number: Printed, lead: str) -> bool:
    """Say whether a number behind `epoch` is a part of one: `0.95`, and `at epoch 0.0148`."""
    return number.decimals <= 2 or bool(_AT_MOMENT.search(lead))


def _slot_behind(number: Printed, lead: str, tail: str) -> str:
    """Return what a whole number counts by the words behind it."""
    for slot in ("epoch", "step"):
        if _BEHIND[slot].match(tail):
            at = _AT.search(lead) or _MOMENTS_OPEN.search(lead)
            length = _LENGTH.search(lead) or not at
            return "length" if length and not _AFTER_SO_MANY.search(lead) else slot
    if _BEHIND["n"].match(tail):
        return "n"
    if _SETTING_BEHIND.match(tail) and number.value == int(number.value):
        return "setting"
    return ""


def _carried(text: str, left: Printed, right: Printed, slot: str) -> str:
    """Return the slot of a list that goes on: `seeds 0, 1 and 2`."""
    if slot == "n":
        # `n = 1 to 2` a group.
        ranged = _TO.fullmatch(text[left.end : right.start])
        return slot if ranged and right.decimals <= 0 and not right.unit else ""
    if right.unit or right.decimals > 0 or slot not in {"seed", "epoch", "step"}:
        return ""
    if _OTHERS.match(text, right.end):
        return ""
    joined = _JOINS.fullmatch(text[left.end : right.start])
    plural = _PLURAL.search(text[max(0, left.start - 60) : left.start + 1])
    near = max(0, left.start - 24), left.start
    spanned = (_TO.fullmatch(text, left.end, right.start) and _SPANS.search(text, *near)) or (
        _TWO.fullmatch(text, left.end, right.start) and _BETWEEN.search(text, *near)
    )
    return slot if (joined and plural) or spanned else ""


def _elliptic(text: str, number: Printed, lead: str, found: Mapping[int, Mention]) -> str:
    """Return the slot of a moment whose word stands by an earlier one: `at epoch 1, at 5`."""
    named = _AT_MOMENT if _BARE_AT.search(lead) else _BARE_AFTER
    moments = [m for m in found.values() if m.slot in {"epoch", "step"}]
    if not moments or (number.decimals > 0 and "." not in moments[-1].value):
        return ""
    if named is _BARE_AFTER and not _BARE_AFTER.search(lead):
        return ""
    said = named.search(text[max(0, moments[-1].start - 20) : moments[-1].start])
    return moments[-1].slot if said else ""


_ELLIPTIC = gated(
    rf"\b(?:after|at|in|by|to|from|until|with|après|[àa]|dès|de|jusqu'à|au)\s(?:the\s|la\s|le\s|l')?"
    rf"(?P<rank>{'|'.join(sorted(ORDINALS, key=len, reverse=True))}|last|final|dernière?)"
    r"(?=\s{0,2}(?:[,.;:)]|$|(?:to|and|et|but|while|à)\b|\d|\())",
    re.IGNORECASE,
)
_FULL_STOP = re.compile(r"[.!?]\s")
_EPOCHS = gated(rf"(?<![^\W_])(?:{_EPOCH})(?![^\W_])", re.IGNORECASE)


def elliptic_ordinals(text: str) -> Iterator[Mention]:
    """Yield epochs whose noun stands in an earlier part of the text.

    Example:
        >>> text = "31.4 after the first epoch, then 22.8 after the second."
        >>> [(m.slot, m.value) for m in elliptic_ordinals(text)]
        [('epoch', '2')]
    """
    noun = _EPOCHS.search(text)
    if noun is None:
        return
    for match in _ELLIPTIC.finditer(text, noun.end()):
        rank = match["rank"].lower()
        starts = [m.end() for m in _FULL_STOP.finditer(text, 0, match.start())]
        if _EPOCHS.search(text, starts[-1] if starts else 0, match.start()):
            if rank in ORDINALS:
                yield Mention(match.start("rank"), match.end(), "epoch", str(ORDINALS[rank]))
            else:
                yield Mention(match.start("rank"), match.end(), "selection", "last")


def ordinals(text: str) -> Iterator[Mention]:
    """Yield seeds and epochs that are told by their rank.

    Example:
        >>> [(m.slot, m.value) for m in ordinals("the second seed at the 5th epoch")]
        [('seed', '2'), ('epoch', '5')]
    """
    for match in _ORDINAL.finditer(text):
        slot = "seed" if match["seed"] else "epoch"
        yield Mention(match.start(), match.end(), slot, str(ORDINALS[match[1].lower()]))
