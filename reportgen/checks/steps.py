"""Check that steps, epochs, batches and examples of one report fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import product

from reportgen.checks._progress_readings import progress_readings, steps_per_epoch
from reportgen.checks._settled import settled
from reportgen.records.claim import CONFIDENT, Claim, Counted, Setting
from reportgen.records.finding import Case, Finding

RULE = "steps"
_KEYS = frozenset(
    {
        *("train_examples", "batch_size", "effective_batch_size", "num_train_epochs", "max_steps"),
        *("steps_per_epoch", "gradient_accumulation_steps"),
    }
)
_DEVICES = (1, 2, 4, 8)
_FEWEST_BEST = 3


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that the report states once, or always alike."""

    value: Decimal
    claim: Claim


def check(case: Case) -> Iterator[Finding]:
    """Yield findings on numbers of steps that follow, or do not, from the others.

    Floor and ceiling, accumulated steps, a last batch that is dropped and several devices are
    legal; a number that a report states in two ways is left alone.

    Args:
        case: The report and its evidence.
    """
    stated = stated_once(case)
    each = _per_epoch(stated)
    yield from _steps_of_epoch(stated, each)
    yield from _all_steps(case, stated, each)
    yield from _best_steps(case, stated)


def stated_once(case: Case) -> dict[str, Stated]:
    """Return the numbers of the schedule that a report states surely and in one way."""
    found: dict[str, Stated] = {}
    dropped: set[str] = set()
    for claim in case.claims:
        key, value = _key_and_value(claim)
        if key not in _KEYS or value is None or value <= 0:
            continue
        if key in found and found[key].value != value:
            dropped.add(key)
        if key not in found or claim.confidence > found[key].claim.confidence:
            found[key] = Stated(value, claim)
    dropped |= {key for key, stated in found.items() if stated.claim.confidence < CONFIDENT}
    return {key: stated for key, stated in found.items() if key not in dropped}


def _key_and_value(claim: Claim) -> tuple[str, Decimal | None]:
    match claim.content:
        case Setting(key=key, value=Decimal() as value):
            return key, value
        case Counted(key=key) if claim.printed is not None and not claim.printed.approximate:
            return key, claim.printed.value
    return "", None


def _per_epoch(stated: Mapping[str, Stated]) -> dict[Decimal, str]:
    """Return the legal numbers of steps of an epoch with the calculation that gives each."""
    examples = stated.get("train_examples")
    size = stated.get("effective_batch_size") or stated.get("batch_size")
    if examples is None or size is None:
        return {}
    times = stated.get("gradient_accumulation_steps")
    whole = "effective_batch_size" in stated
    accumulated = (Decimal(1),) if times is None or whole else (times.value, Decimal(1))
    found: dict[Decimal, str] = {}
    for factor, devices in product(accumulated, (1,) if whole else _DEVICES):
        together = size.value * devices
        for batches in (_floor(examples.value, together), _ceiling(examples.value, together)):
            for steps in (_floor(batches, factor), _ceiling(batches, factor)):
                by = f"{size.value:f}" if factor == 1 else f"{size.value:f} × {factor:f}"
                by += f" on {devices} devices" if devices > 1 else ""
                found.setdefault(steps, f"{examples.value:f} examples in batches of {by}")
    return found


def _floor(value: Decimal, by: Decimal) -> Decimal:
    return (value / by).to_integral_value(ROUND_FLOOR)


def _ceiling(value: Decimal, by: Decimal) -> Decimal:
    return (value / by).to_integral_value(ROUND_CEILING)


def _steps_of_epoch(stated: Mapping[str, Stated], each: Mapping[Decimal, str]) -> Iterator[Finding]:
    """Yield the verdict on a stated number of steps of one epoch."""
    said = stated.get("steps_per_epoch")
    if said is None or not each:
        return
    if said.value in each:
        yield settled(RULE, said.claim, "agrees", f"{each[said.value]} make {said.value:f} steps")
        return
    first, way = next(iter(each.items()))
    says = f"{way} make {first:f} steps an epoch"
    yield settled(RULE, said.claim, "disagrees", says, loudest="warning")


def _all_steps(
    case: Case, stated: Mapping[str, Stated], each: Mapping[Decimal, str]
) -> Iterator[Finding]:
    """Yield the verdict on a stated number of steps of the whole training."""
    said, epochs = stated.get("max_steps"), stated.get("num_train_epochs")
    if said is None or epochs is None:
        return
    one = stated.get("steps_per_epoch")
    ways = {one.value: f"{one.value:f} steps an epoch", **each} if one else each
    for steps, way in ways.items():
        if said.value in {_floor(steps * epochs.value, Decimal(1)), steps * epochs.value}:
            says = f"{way} over {epochs.value:f} epochs make {said.value:f} steps"
            yield settled(RULE, said.claim, "agrees", says)
            return
    if ways and not _ended_early(case, said.value, epochs.value, ways):
        steps, way = next(iter(ways.items()))
        says = f"{way} over {epochs.value:f} epochs make {steps * epochs.value:f} steps"
        yield settled(RULE, said.claim, "disagrees", says, loudest="warning")


def _ended_early(case: Case, said: Decimal, epochs: Decimal, ways: Mapping[Decimal, str]) -> bool:
    """Say whether the logs end at a step within the last epoch: a limit of steps ends a run so."""
    last = {reading.value for reading in progress_readings(case.facts, "max_steps")}
    return said in last and any(_ceiling(said, steps) == epochs for steps in ways)


def _best_steps(case: Case, stated: Mapping[str, Stated]) -> Iterator[Finding]:
    """Yield a note on a best step that does not end an epoch, where all others do."""
    best = [claim for claim in case.claims if claim.kind == "best_step" and claim.printed]
    one = _one_epoch(case, stated)
    if one is None or len(best) <= _FEWEST_BEST or "logs" in case.given:
        return
    odd = [claim for claim in best if claim.printed and claim.printed.value % one]
    if len(odd) == 1 and odd[0].confidence >= CONFIDENT:
        says = f"every other best step is a multiple of {one:f}, the steps of an epoch"
        yield settled(RULE, odd[0], "disagrees", says, level="note")


def _one_epoch(case: Case, stated: Mapping[str, Stated]) -> Decimal | None:
    """Return the steps of an epoch as the study, or the report, has them."""
    known = steps_per_epoch(case.facts) if case.facts else None
    if known is not None:
        return known
    if "steps_per_epoch" in stated:
        return stated["steps_per_epoch"].value
    if "max_steps" in stated and "num_train_epochs" in stated:
        each = stated["max_steps"].value / stated["num_train_epochs"].value
        return each if each == each.to_integral_value() and each > 1 else None
    return None
