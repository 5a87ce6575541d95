"""Findings on many groups: the best of a sweep, groups without a result, and parts of others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from reportgen.languages import message, noun, retell, say, say_count
from reportgen.records.document import Code, Text
from reportgen.records.facts import Comparison, GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.record import record
from reportgen.report._focus import (
    LITTLE,
    MOST_BESIDE,
    Factor,
    factors_of,
    named_beside,
    number_of,
    short_value,
    within,
)
from reportgen.report._run_readings import MOST_NAMED, made, runs_of
from reportgen.report.findings._scene import (
    CAVEAT,
    CONCLUSION,
    OTHER,
    Draft,
    Place,
    Scene,
    noise_of_ends,
)
from reportgen.report.findings._training import dead_runs
from reportgen.report.phrases import in_words, joined, level, spelled, things, what_of
from reportgen.runs import direction_of
from reportgen.stats import (
    compare_pair,
    expected_maximum,
    finite_mask,
    largest_setback,
    mean_of,
    std_of,
)

FEWEST = 3
"""Groups that make a sweep."""
MOST_OTHERS = 3
"""Metrics that are named in the place of one that was not logged."""
_ORDER = ("train", "validation", "test")
_LEAD = message("best less second mean")


@record(kw_only=False)
class _Field:
    """Settings that may be ranked, the best one first, and how far it is ahead."""

    groups: Sequence[GroupResult]
    lead: Quantity
    luck: Quantity | None
    comparison: Comparison
    ends: Quantity | None = None

    @property
    def is_open(self) -> bool:
        """Whether the interval of the lead includes zero, or the ends of single runs vary more."""
        low = self.comparison.low
        if self.ends is not None and self.ends.value >= self.lead.value:
            return True
        return isinstance(low, Quantity) and low.value <= 0

    @property
    def has_spread(self) -> bool:
        """Whether the lead is held against how far the runs of the best group lie apart."""
        return self.ends is not None and self.groups[0].report.n > 1

    @property
    def is_sure(self) -> bool:
        """Whether the interval of the lead excludes zero."""
        low = self.comparison.low
        return isinstance(low, Quantity) and low.value > 0

    @property
    def is_lucky(self) -> bool:
        """Whether the best of equal settings would be as far ahead by luck."""
        return self.luck is not None and self.luck.value > self.lead.value

    @property
    def noise(self) -> float:
        """What luck gives the best one; without spreads, how far two neighbours lie apart."""
        if self.luck is not None:
            return self.luck.value
        means = [g.report.mean.value for g in self.groups if isinstance(g.report.mean, Quantity)]
        return self.lead.value + abs(means[1] - means[-1]) / len(means)


def best_of(scene: Scene) -> Iterator[Draft]:
    """Say which of several settings is best, by how much, and what luck alone would give."""
    fields = sorted(_fields(scene), key=lambda one: one.noise / one.lead.value)
    if not fields:
        return
    first, count = fields[0], in_words(len(fields[0].groups))
    best = scene.called(first.groups[0])
    alone = scene.pair is None and len({g.task for g in scene.facts.groups if g.report.n}) == 1
    about = CONCLUSION if alone else OTHER
    others = (_leads(scene, other, first=False) for other in fields[1:2])
    # An interval that excludes zero says more than the pooled spread of the seeds.
    clear = (first.is_sure and first.is_lucky) or (first.is_open and first.has_spread)
    luck = () if clear else _by_luck(scene, first, count)
    own = (_leads(scene, first, first=True), _interval(scene, first), luck)
    told = (*filter(None, own), *others)[:3]
    if first.is_open:
        second = scene.called(first.groups[1])
        head = say("{first:cap} and {second} cannot be told apart.", first=best, second=second)
        yield Draft(about, first.noise, first.lead.value, head, told, CONCLUSION)
        return
    if first.is_lucky and not first.is_sure:
        head = say("The lead of {best} is within luck.", best=best)
        yield Draft(about, first.noise, first.lead.value, head, told, CONCLUSION)
        return
    seeds = any(group.report.n > 1 for group in first.groups)
    what = noun("settings") if seeds or scene.settings else things(first.groups)
    where = within(scene.facts, first.groups[0].task)
    tried = sum(group.task == first.groups[0].task for group in scene.known())
    head = say(
        "{best:cap} is the best of {count} {what}.",
        best=best,
        count=in_words(tried),
        what=(what, *where),
    )
    yield Draft(about, first.lead.value, first.noise, head, told, CONCLUSION)


def _fields(scene: Scene) -> Iterator[_Field]:
    """Yield the families of three groups and more that learnt, but for that of the headline."""
    still = {id(cell) for _, cell in dead_runs(scene)}
    for family in scene.families():
        alive = [g for g in family if not all(id(cell) in still for cell in g.cells)]
        if len(alive) < FEWEST or not scene.sign or (scene.pair and scene.pair.first in family):
            continue
        lead = scene.gain(alive[0].report.mean, alive[1].report.mean, _LEAD)
        if not isinstance(lead, Quantity) or lead.value <= 0 or _is_trace(alive, lead):
            continue
        if scene.is_seen(lead):
            # The greater less the smaller, so that the interval is that of the lead.
            pair = (alive[0], alive[1]) if scene.sign > 0 else (alive[1], alive[0])
            confidence = scene.facts.study.statistics.confidence
            comparison = compare_pair(*pair, confidence=confidence)
            ends = noise_of_ends(scene, alive)
            yield _Field(alive, lead, _luck(alive), comparison, ends)


def _is_trace(order: Sequence[GroupResult], lead: Quantity) -> bool:
    """Return whether the lead of one single run over another is nearly nothing."""
    values = [abs(value) for group in order[:2] for value in group.report.values]
    return all(group.report.n == 1 for group in order[:2]) and lead.value <= LITTLE * max(values)


def _leads(scene: Scene, field: _Field, *, first: bool) -> Text:
    best, second = field.groups[:2]
    return say(
        "It reaches {value}, {lead} ahead of {second}."
        if first and not field.is_open
        else "The first reaches {value} and is {lead} ahead."
        if first
        else "{best:cap} reaches {value}, {lead} ahead of {second}.",
        best=scene.called(best),
        value=scene.value(scene.key("sweep", best, "value"), best.report.mean),
        lead=scene.amount(scene.key("sweep", best, "lead"), field.lead),
        second=scene.called(second),
    )


def _interval(scene: Scene, field: _Field) -> Text:
    """Say between which bounds the lead lies; nothing without seeds."""
    low, high, best = field.comparison.low, field.comparison.high, field.groups[0]
    if field.is_open and field.ends is not None:
        noise = scene.amount(scene.key("sweep", best, "ends"), field.ends)
        if field.has_spread:
            return say("Its runs have a standard deviation of {noise}.", noise=noise)
        text = say(
            "Over the last tenth of a run, values have a standard deviation of {noise}.",
            noise=noise,
        )
        return (*text, *_as_close(scene, field, field.ends))
    if not isinstance(low, Quantity) or not isinstance(high, Quantity):
        return ()
    return say(
        "The {level} interval of the lead, {low} to {high}, includes zero."
        if field.is_open
        else "The {level} interval of the lead is {low} to {high}.",
        level=level(scene.facts.study),
        low=scene.bare(scene.key("sweep", best, "low"), low),
        high=scene.bare(scene.key("sweep", best, "high"), high),
    )


def _as_close(scene: Scene, field: _Field, ends: Quantity) -> Text:
    """Say how many groups behind the second lie within the noise of the best one."""
    best = field.groups[0].report.mean
    leads = (scene.gain(best, group.report.mean, _LEAD) for group in field.groups[2:])
    close = sum(isinstance(lead, Quantity) and lead.value <= ends.value for lead in leads)
    if not close:
        return ()
    text = say_count(
        "{some:cap} further run lies within it.",
        "{some:cap} further runs lie within it.",
        close,
        some=in_words(close),
    )
    return (" ", *text)


def unclear_lead(scene: Scene) -> Text:
    """Say of what the best of all groups cannot be told apart; nothing where it can."""
    fields = list(_fields(scene))
    alone = len({g.task for g in scene.facts.groups if g.report.n}) == 1 and not scene.pair
    if len(fields) != 1 or not alone or not fields[0].is_open:
        return ()
    second = scene.called(fields[0].groups[1])
    return say("The best cannot be told apart from the second, {second}.", second=second)


def _luck(family: Sequence[GroupResult]) -> Quantity | None:
    """Return how far the best of equal settings lies above their mean by the seeds alone."""
    stds = [(g.report.std, g.report.n) for g in family if isinstance(g.report.std, Quantity)]
    if len(stds) < len(family) or not any(std.value for std, _ in stds):
        return None
    # The printed spread may be that of a population; the noise of a seed is that of a sample.
    squares = [
        std.value**2 * (n / (n - 1) if std.ddof == 0 else 1.0)  # ddof 0 to 1
        for std, n in stds
    ]
    pooled = math.sqrt(mean_of(squares))
    runs = mean_of([float(n) for _, n in stds])
    height = expected_maximum(len(family))
    words = message("expected maximum of {n} equal settings above their mean", n=len(family))
    formula = f"{height!r} * {pooled!r} / sqrt({runs!r})"
    sources = [source for std, _ in stds for source in std.sources]
    return made(height * pooled / math.sqrt(runs), words, sources, stds[0][0].unit, formula)


def _by_luck(scene: Scene, field: _Field, count: str) -> Text:
    if max(group.report.n for group in field.groups) == 1:
        return say("Each is a single run: how far seeds lie apart is not known.")
    if field.luck is None:
        return say("Each setting ran too few times to tell how much of that is luck.")
    return say(
        "The best of {count} equal settings would by luck alone look {luck} better than their "
        "mean.",
        count=count,
        luck=scene.amount(scene.key("sweep", field.groups[0], "luck"), field.luck),
    )


# --- what groups differ in ------------------------------------------------------------


FEWEST_OF_A_TREND = 6
"""Groups that a trend needs."""
MOSTLY = 0.7
"""Kendall's rank correlation from which on results go one way with a number."""
CLEARLY = 2.0
"""From so many times the effect of every other factor on, one matters most."""
MOST_SOURCES = 100


def factor(scene: Scene) -> Iterator[Draft]:
    """Say which factor of a grid matters far more than all others."""
    grids = [one for family in scene.families() if len(one := _effects(scene, family)) > 1]
    clear = [one for one in grids if one[0].size >= CLEARLY * max(one[1].size, one[0].rest)]
    if clear:
        yield _matters(scene, max(clear, key=lambda one: one[0].size))


@record(kw_only=False)
class _Effect:
    """A factor of a full grid, and the means of its best and its worst value over all others.

    What no factor explains by itself, the rest, is noise, or one factor's effect on another.
    """

    factor: Factor
    best: tuple[str, Quantity]
    worst: tuple[str, Quantity]
    change: Quantity
    what: str
    rest: float

    @property
    def size(self) -> float:
        return self.change.value


def _effects(scene: Scene, family: Sequence[GroupResult]) -> list[_Effect]:
    """Return the factors of a full grid, the one that matters most first; none of another."""
    factors = factors_of(family)
    values = [dict.fromkeys(factor.values[group.name] for group in family) for factor in factors]
    settings = {tuple(factor.values[group.name] for factor in factors) for group in family}
    full = math.prod(map(len, values)) == len(family) == len(settings)
    if len(factors) < 2 or not full or not scene.sign or any("" in own for own in values):
        return []
    words, change = message("mean over the other settings"), message("best less worst mean")
    left = {g.name: g.report.mean.value for g in family if isinstance(g.report.mean, Quantity)}
    middle = mean_of([*left.values()])
    every = []
    for factor, own in zip(factors, values, strict=True):
        means = []
        for value in own:
            reports = [g.report.mean for g in family if factor.values[g.name] == value]
            known = [one for one in reports if isinstance(one, Quantity)]
            sources = [source for one in known for source in one.sources][:MOST_SOURCES]
            mean = mean_of([one.value for one in known])
            means.append((value, made(mean, words, sources, known[0].unit)))
        heights = {value: mean.value - middle for value, mean in means}
        left = {name: y - heights[factor.values[name]] for name, y in left.items()}
        every.append((factor, sorted(means, key=lambda one: -scene.sign * one[1].value)))
    rest, what = std_of([*left.values()], 0), what_of(scene.facts, family[0])
    found = [
        _Effect(factor, means[0], means[-1], gain, what, rest)
        for factor, means in every
        if isinstance(gain := scene.gain(means[0][1], means[-1][1], change), Quantity)
    ]
    return sorted(found, key=lambda one: -one.size)


def _matters(scene: Scene, effects: Sequence[_Effect]) -> Draft:
    first, *others = effects
    text = say(
        "Averaged over the other settings, {what} is {best} at {high} and {worst} at {low}.",
        what=first.what,
        best=scene.value("findings.factor.best", first.best[1]),
        worst=scene.value("findings.factor.worst", first.worst[1]),
        high=_at(first.factor, first.best[0]),
        low=_at(first.factor, first.worst[0]),
    )
    changes = [
        say(
            "{amount} with {factor}",
            amount=scene.amount(f"findings.factor.other{place}", other.change),
            factor=Code(other.factor.name),
        )
        for place, other in enumerate(others)
    ]
    rest = say("It changes by {changes}.", changes=joined(changes))
    about = OTHER if scene.pair else CONCLUSION
    head = (
        say("{factors}, which change together, matter most.", factors=_together(first.factor))
        if first.factor.beside
        else say("{factor} matters most.", factor=Code(first.factor.name))
    )
    return Draft(about, first.size, others[0].size, head, (text, rest), CONCLUSION)


def _together(factor: Factor) -> Text:
    """Name a factor and those that change with it, which the groups cannot tell from it."""
    return named_beside(factor, (Code(factor.name),))


def _at(factor: Factor, value: str) -> Code:
    """Return a value of a factor, and the values that those beside it have there."""
    group = next(name for name, own in factor.values.items() if own == value)
    both = [one for one in (factor, *factor.beside[:MOST_BESIDE]) if not one.is_long]
    return Code(", ".join(f"{one.name} = {short_value(one.values[group])}" for one in both))


@record(kw_only=False)
class _Trend:
    """Groups in the order of the number that was varied, and how far results stray from a trend."""

    factor: Factor
    groups: Sequence[GroupResult]
    ends: tuple[Quantity, Quantity]
    noise: float


def trend(scene: Scene) -> Iterator[Draft]:
    """Say that results rise or fall with the one number that was varied."""
    found = [one for family in scene.families() if (one := _trend(family)) is not None]
    most = max(found, key=lambda one: len(one.groups), default=None)
    if most is None or not scene.is_seen(*most.ends):
        return
    groups, (first, last) = (most.groups[0], most.groups[-1]), most.ends
    places: dict[str, Place] = {
        "metric": spelled(scene.facts.study.metric.name),
        "factor": Code(most.factor.name),
        "others": named_beside(most.factor),
        "low": Code(most.factor.values[groups[0].name]),
        "high": Code(most.factor.values[groups[1].name]),
        "first": scene.value(scene.key("trend", groups[0], "value"), first),
        "last": scene.value(scene.key("trend", groups[1], "value"), last),
    }
    up, beside = last.value > first.value, most.factor.beside
    head = say(
        "{metric:cap} rises with {factor}, which changes together with {others}."
        if up and beside
        else "{metric:cap} falls with {factor}, which changes together with {others}."
        if beside
        else "{metric:cap} rises with {factor}."
        if up
        else "{metric:cap} falls with {factor}.",
        **places,
    )
    text = say("It is {first} at {low} and {last} at {high}.", **places)
    about = CONCLUSION if len(scene.families()) == 1 and not scene.pair else OTHER
    yield Draft(about, abs(last.value - first.value), most.noise, head, (text,), CONCLUSION)


def _trend(family: Sequence[GroupResult]) -> _Trend | None:
    """Return the only factor of a family, where its results nearly always go one way with it."""
    factors = factors_of(family, names=True)
    if len(factors) != 1:
        return None
    placed = [(number_of(factors[0].values[group.name]), group) for group in family]
    order = sorted(((x, g) for x, g in placed if x is not None), key=lambda one: one[0])
    means = [g.report.mean for _, g in order if isinstance(g.report.mean, Quantity)]
    if not FEWEST_OF_A_TREND <= len(means) == len(order) == len(family):
        return None
    values = [mean.value for mean in means]
    way, ends = _rank_correlation([x for x, _ in order], values), (means[0], means[-1])
    if abs(way) < MOSTLY or way * (ends[1].value - ends[0].value) <= 0:
        return None
    setback = largest_setback(values, 1 if way > 0 else -1)
    return _Trend(factors[0], [g for _, g in order], ends, setback)


def _rank_correlation(numbers: Sequence[float], values: Sequence[float]) -> float:
    """Return Kendall's rank correlation: of each two, whether both go up, or only one.

    Example:
        >>> _rank_correlation([1, 2, 3], [0.1, 0.3, 0.2]), _rank_correlation([1, 1], [0.1, 0.2])
        (0.3333333333333333, 0.0)
    """
    x, y = np.asarray(numbers, dtype=float), np.asarray(values, dtype=float)
    ways = (np.sign(x[i:] - x[i - 1]) @ np.sign(y[i:] - y[i - 1]) for i in range(1, len(x)))
    return float(sum(ways)) / math.comb(len(x), 2)


# --- groups without a result ----------------------------------------------------------


def absent(scene: Scene) -> Iterator[Draft]:
    """Say how many groups have no result, and why the first of them has none."""
    groups = scene.facts.groups
    without = [group for group in groups if not group.report.n and not group.task.is_part]
    if not without or len(without) == len(groups):
        return
    head = say_count(
        "{some:cap} of {all} {things} has no result.",
        "{some:cap} of {all} {things} have no result.",
        len(without),
        some=in_words(len(without)),
        all=in_words(len(groups)),
        things=scene.things,
    )
    yield Draft(CAVEAT, float(len(without)), 1.0, head, (_why_absent(scene, without, groups),))


def _why_absent(
    scene: Scene, without: Sequence[GroupResult], groups: Sequence[GroupResult]
) -> Text:
    """Say what the groups without a result logged in its place; else why the first has none."""
    metric = scene.facts.study.metric
    runs = [run for group in without for _, run in runs_of(group)]
    curves = [
        sorted({(one.metric, one.split) for one in run.scalars.values()}, key=_place)
        for run in runs
    ]
    told = {group.report_split for group in groups if group.report.n}
    splits = Counter(s for own in curves for name, s in own if name == metric.name and s)
    others = Counter(
        name for own in curves for name in dict.fromkeys(n for n, s in own if _judges(n, s, told))
    )
    asked = metric.report_on if scene.facts.selection.is_last else metric.select_on
    count, words = len(without), spelled(metric.name)
    if runs and splits and asked not in splits and min(splits.values()) >= len(runs) / 2:
        return say_count(
            "It logged {metric} on {splits}, not on {select}.",
            "They logged {metric} on {splits}, not on {select}.",
            count,
            metric=words,
            splits=joined([(noun(one),) for one, _ in splits.most_common(MOST_NAMED)]),
            select=noun(asked),
        )
    others.pop(metric.name, None)
    if len(others) > 1:
        others.pop("loss", None)
    named = {name for own in curves for name, _ in own}
    if others and metric.name not in named and max(others.values()) >= len(runs) / 2:
        return say_count(
            "It logged {others}, but no {metric}.",
            "They logged {others}, but no {metric}.",
            count,
            others=joined([(spelled(one),) for one, _ in others.most_common(MOST_OTHERS)]),
            metric=words,
        )
    # What names no split may still have no value that is a number, and that is why.
    known = [run for run in runs if (s := run.find(metric.name, "")) and finite_mask(s).any()]
    if runs and 2 * len(known) >= len(runs):
        return say_count(
            "It does not say on which data it measured {metric}.",
            "They do not say on which data they measured {metric}.",
            count,
            metric=words,
        )
    logged = [{split for _, split in own} for own in curves]
    if runs and told - {"train", ""} and all("train" in own <= {"train", ""} for own in logged):
        return say_count(
            "It logged training values alone.", "They logged training values alone.", count
        )
    values = [cell.report_value for group in without for cell in group.cells]
    why = next((retell(one.reason) for one in values if isinstance(one, Missing)), "")
    return (
        say_count("The reason: {why}.", "The first of them: {why}.", count, why=why) if why else ()
    )


def _place(curve: tuple[str, str]) -> tuple[int, str, str]:
    """Return where a curve stands among others: train before validation before test."""
    metric, split = curve
    return (_ORDER.index(split) if split in _ORDER else len(_ORDER), split, metric)


def _judges(metric: str, split: str, told: Collection[str]) -> bool:
    """Return whether a curve judges a model, as a learning rate does not, where others do."""
    return (split in {"validation", "test", ""} or split in told) and bool(direction_of(metric))
