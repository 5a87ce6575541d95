"""Things that a report says twice: values and settings, by what tells them from others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal

from reportgen.checks._printed_values import in_fraction
from reportgen.claims._labels import group_key, group_mentions
from reportgen.records.claim import LIKELY, Claim, Meaning, Setting
from reportgen.records.finding import Case

Keyed = tuple[Hashable, Claim]

_VALUES = frozenset({"metric_value", "aggregate_mean", "aggregate_std"})
_SETTINGS = frozenset({"hyperparameter", "lora_config"})
_ONCE = frozenset(
    (
        *("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"),
        *("intermediate_size", "max_position_embeddings", "r", "lora_alpha", "lora_dropout"),
    )
)
"""Settings of which one model, or one adapter, has one value."""
_STARTS = frozenset(
    (
        "pretrained",
        "random",
        "finetuned",
        "baseline",
        "frozen",
        "full",
        "small",
        "base",
        "reference",
    )
)
_DENOMINATORS = Decimal("1.45")
"""How far the two denominators of a standard deviation can set it apart (two runs: 1.41)."""


def _written(case: Case) -> Iterator[Claim]:
    """Yield the claims that the author wrote, and no program, no command line.

    Code sets one thing here and another there; each was meant.
    """
    blocks = case.manuscript.blocks
    for claim in case.claims:
        block = blocks[claim.block] if claim.block < len(blocks) else None
        printed = claim.place.file.endswith("output")
        if block is None:
            yield claim
        elif not printed and block.type not in {"code", "output"}:
            text = block.text
            if not text[max(0, claim.start - 2) : claim.start].endswith("--"):
                yield claim


def values_said(case: Case) -> Iterator[Keyed]:
    """Yield the values that say all that tells them from others, each with what that is.

    What the logs decide is left to them.
    """
    for claim in _written(case):
        meaning, printed = claim.content, claim.printed
        if not isinstance(meaning, Meaning) or claim.kind not in _VALUES or printed is None:
            continue
        decided = "logs" in case.given and bool(meaning.run_group)
        moment = (meaning.epoch, meaning.step, meaning.selection)
        one = meaning.seed is not None or bool(meaning.aggregate)
        whole = one and bool(meaning.metric and meaning.split and meaning.group)
        if whole and not decided and moment != (None, None, "") and not printed.approximate:
            whose = (group_key(meaning.group), meaning.seed, meaning.aggregate, meaning.ddof)
            yield (meaning.metric, meaning.split, *whose, *moment), claim


def loose_means(case: Case) -> Iterator[tuple[Claim, list[Claim]]]:
    """Yield each mean whose step is left unsaid, with all means that it may repeat.

    At least one of those is of the best step: that is what a summary repeats.
    """
    full: dict[Hashable, list[Claim]] = {}
    loose: list[Keyed] = []
    for claim in case.claims:
        meaning, printed = claim.content, claim.printed
        if not isinstance(meaning, Meaning) or claim.kind != "aggregate_mean" or printed is None:
            continue
        decided = "logs" in case.given and bool(meaning.run_group)
        if decided or not (meaning.metric and meaning.split and meaning.group):
            continue
        key: Hashable = (meaning.metric, meaning.split, group_key(meaning.group))
        if meaning.selection or meaning.epoch is not None or meaning.step is not None:
            full.setdefault(key, []).append(claim)
        elif not printed.approximate:
            loose.append((key, claim))
    for whose, claim in loose:
        others = full.get(whose, [])
        if any(_selection(other) == "best" for other in others):
            yield claim, others


def _selection(claim: Claim) -> str:
    return claim.content.selection if isinstance(claim.content, Meaning) else ""


def settings_said(case: Case) -> Iterator[Keyed]:
    """Yield the settings of which a model has one value, each with its model or section."""
    several = len(_families(case)) > 1
    swept = _swept(case)
    for claim in _written(case):
        setting = claim.content
        if not isinstance(setting, Setting) or claim.kind not in _SETTINGS:
            continue
        once = setting.key in _ONCE and isinstance(setting.value, Decimal)
        if (
            once
            and setting.key not in swept
            and claim.table is None
            and "options" not in claim.hints
        ):
            section = _section(case, claim.block) if several else -1
            yield (setting.key, setting.scope, claim.hints.get("model", ""), section), claim


def _swept(case: Case) -> set[str]:
    """Return the settings of which the report has several values, each of them more than once.

    Who tries two ranks has two factors alpha.
    """
    settings = (c.content for c in case.claims if c.confidence >= LIKELY)
    told = Counter((s.key, s.value) for s in settings if isinstance(s, Setting))
    often = Counter(key for (key, _), times in told.items() if times > 1)
    found = {key for key, values in often.items() if values > 1}
    return found | ({"lora_alpha"} if "r" in found else set())


def _families(case: Case) -> set[str]:
    """Return the words that tell the models of a report apart (`roberta`, `bloom`)."""
    texts = (block.text for block in case.manuscript.blocks if block.type != "reference")
    labels = (mention.value for text in texts for mention in group_mentions(text))
    words = (word for label in labels for word in group_key(label) - _STARTS)
    return {word for word in words if word.isalpha()}


def _section(case: Case, block: int) -> int:
    """Return the index of the heading that a block stands under, or -1."""
    blocks = case.manuscript.blocks
    above = range(min(block, len(blocks) - 1), -1, -1)
    return next((index for index in above if blocks[index].type == "heading"), -1)


def ways(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Return claims on one thing by what they say of it: those that rounding reconciles meet."""
    found: list[list[Claim]] = []
    for claim in claims:
        same = next((way for way in found if all(reconciled(claim, one) for one in way)), None)
        if same is None:
            found.append([claim])
        else:
            same.append(claim)
    return found


def reconciled(one: Claim, other: Claim) -> bool:
    """Say whether two claims on one thing can both be so."""
    if isinstance(one.content, Setting) and isinstance(other.content, Setting):
        return one.content.value == other.content.value
    first, second = _interval(one), _interval(other)
    if first is None or second is None:
        return True
    gap = abs(first[0] - second[0])
    # A whole unit of the coarser number: one of them may have been cut off.
    if gap <= max(2 * first[1], 2 * second[1]):
        return True
    small, large = sorted((abs(first[0]), abs(second[0])))
    meaning = one.content
    spread = isinstance(meaning, Meaning) and meaning.aggregate == "std" and meaning.ddof is None
    return spread and large <= _DENOMINATORS * small


def _interval(claim: Claim) -> tuple[Decimal, Decimal] | None:
    """Return a printed value with half a unit of its last place, in percent for ratios."""
    meaning, printed = claim.content, claim.printed
    if not isinstance(meaning, Meaning) or printed is None:
        return None
    scale = 2 if in_fraction(meaning, printed) else 0
    return printed.value.scaleb(scale), printed.half_unit.scaleb(scale)
