"""Findings on what groups differ in: a factor that always wins, and how long they trained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from reportgen.languages import message, say
from reportgen.records.document import Code, Text
from reportgen.records.facts import GroupResult
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run
from reportgen.report._evidence import of_evaluation
from reportgen.report._factors import Factor, factors_of, number_of
from reportgen.report._phrases import in_words, joined, spelled
from reportgen.report._run_readings import count_updates, last_step, made, runs_of
from reportgen.report.findings._finding import CAVEAT, CONCLUSION, OTHER, Draft
from reportgen.report.findings._scene import MOST_GROUPS, Place, Scene
from reportgen.report.findings._training import dead_runs
from reportgen.stats import epoch_of, largest_setback, mean_of, std_of

FEWEST_PAIRS = 3
"""Pairs of settings, equal but for one factor, from which on that factor can be judged."""
FEWEST_OF_A_TREND = 6
"""Groups that a trend needs."""
MOSTLY = 0.7
"""Kendall's rank correlation from which on results go one way with a number."""
LONGER = 1.5
"""From so many times the length on, two groups were trained for unlike lengths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Win:
    """A value of a factor that is better than another one in every pair of equal settings."""

    factor: Factor
    others: Sequence[Factor]
    better: str
    worse: str
    gains: Sequence[Quantity]

    @property
    def mean(self) -> float:
        return mean_of([gain.value for gain in self.gains])


def factor(scene: Scene) -> Iterator[Draft]:
    """Say which value of a factor is better than another, whatever the other factors are."""
    wins = [win for family in scene.families() for win in _wins(scene, family)]
    most = max(wins, key=lambda win: (len(win.gains), win.mean), default=None)
    if most is None:
        return
    gains = sorted(most.gains, key=lambda gain: gain.value)
    name = most.factor.name
    head = say(
        "{better} beats {worse} in all {count} pairs.",
        better=Code(f"{name} = {most.better}"),
        worse=Code(f"{name} = {most.worse}"),
        count=in_words(len(gains)),
    )
    text = say(
        "The two settings of a pair have the same {others}; they lie {low} to {high} apart.",
        others=joined([(Code(other.name),) for other in most.others]),
        low=scene.bare("findings.factor.low", gains[0]),
        high=scene.amount("findings.factor.high", gains[-1]),
    )
    about = OTHER if scene.pair else CONCLUSION
    noise = std_of([gain.value for gain in gains], 1)
    yield Draft(about, most.mean, noise, head, (text,), CONCLUSION)


@dataclass(frozen=True, slots=True)
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
        "low": Code(most.factor.values[groups[0].name]),
        "high": Code(most.factor.values[groups[1].name]),
        "first": scene.value(scene.key("trend", groups[0], "value"), first),
        "last": scene.value(scene.key("trend", groups[1], "value"), last),
    }
    head = say(
        "{metric:cap} rises with {factor}."
        if last.value > first.value
        else "{metric:cap} falls with {factor}.",
        **places,
    )
    text = say("It is {first} at {low} and {last} at {high}.", **places)
    about = CONCLUSION if len(scene.families()) == 1 and not scene.pair else OTHER
    yield Draft(about, abs(last.value - first.value), most.noise, head, (text,), CONCLUSION)


def _trend(family: Sequence[GroupResult]) -> _Trend | None:
    """Return the only factor of a family, where its results nearly always go one way with it."""
    factors = factors_of(family)
    if len(factors) != 1:
        return None
    placed = [(number_of(factors[0].values[group.name]), group) for group in family]
    order = sorted(((x, g) for x, g in placed if x is not None), key=lambda one: one[0])
    means = [g.report.mean for _, g in order if isinstance(g.report.mean, Quantity)]
    if not FEWEST_OF_A_TREND <= len(means) == len(order) == len(family):
        return None
    points = [(x, mean.value) for (x, _), mean in zip(order, means, strict=True)]
    pairs = [(x > u) - (x < u) for (u, _), (x, _) in combinations(points, 2)]
    moves = [(y > v) - (y < v) for (_, v), (_, y) in combinations(points, 2)]
    way = sum(a * b for a, b in zip(pairs, moves, strict=True)) / len(pairs)
    ends = means[0], means[-1]
    if abs(way) < MOSTLY or way * (ends[1].value - ends[0].value) <= 0:
        return None
    setback = largest_setback([y for _, y in points], 1 if way > 0 else -1)
    return _Trend(factors[0], [g for _, g in order], ends, setback)


def _wins(scene: Scene, family: Sequence[GroupResult]) -> Iterator[_Win]:
    """Yield the values that win every pair against another value of the same factor."""
    factors = factors_of(family)
    if len(factors) < 2 or not scene.sign:
        return
    for one in factors:
        others = [other for other in factors if other is not one]
        places = {(_rest(others, group), one.values[group.name]): group for group in family}
        if len(places) < len(family):
            return
        values = sorted({value for _, value in places if value})
        for better, worse in permutations(values, 2):
            gains = _gains(scene, places, better, worse)
            if len(gains) >= FEWEST_PAIRS and all(g.value > 0 and scene.is_seen(g) for g in gains):
                yield _Win(factor=one, others=others, better=better, worse=worse, gains=gains)


def _rest(others: Sequence[Factor], group: GroupResult) -> tuple[str, ...]:
    return tuple(other.values[group.name] for other in others)


def _gains(
    scene: Scene, places: Mapping[tuple[tuple[str, ...], str], GroupResult], better: str, worse: str
) -> list[Quantity]:
    words = message("difference of two settings that are alike in the other factors")
    found = (
        scene.gain(group.report.mean, places[rest, worse].report.mean, words)
        for (rest, value), group in places.items()
        if value == better and (rest, worse) in places
    )
    return [gain for gain in found if isinstance(gain, Quantity)]


@dataclass(frozen=True, slots=True)
class _Length:
    """A group, that one of its runs that was trained longest, and its last evaluation."""

    group: GroupResult
    run: Run
    step: Quantity
    epochs: float | None


def lengths(scene: Scene) -> Iterator[Draft]:
    """Say that groups that are compared were trained for unlike lengths."""
    families = [scene.pair.groups] if scene.pair else scene.families()
    still = {id(cell) for _, cell in dead_runs(scene)}
    for family in families:
        alive = [g for g in family if not all(id(cell) in still for cell in g.cells)]
        found = [one for group in alive if (one := _length(scene, group)) is not None]
        sizes = _sizes(found)
        if len(sizes) < 2 or max(sizes) < LONGER * min(sizes):
            continue
        order = [one for _, one in sorted(zip(sizes, found, strict=True), key=lambda it: it[0])]
        sentences = [_ends(scene, order)]
        if order[-1].group is alive[0] and scene.sign:
            longest = scene.called(alive[0])
            sentences.append(say("{group:cap}, the best, was trained longest.", group=longest))
        head = say("Training lengths differ.")
        ours = scene.pair is not None or len(families) == 1
        effect = max(sizes) / min(sizes) - 1
        yield Draft(CAVEAT if ours else OTHER, effect, 1.0, head, tuple(sentences), CAVEAT)
        return


def _length(scene: Scene, group: GroupResult) -> _Length | None:
    metric, found = scene.facts.study.metric, []
    for _, run in runs_of(group):
        splits = (metric.select_on, group.report_split)
        last = max((last_step(run, metric.name, split) or 0 for split in splits), default=0)
        if not last:
            continue
        words = message("step of the last evaluation")
        step = made(last, words, of_evaluation(run, metric, last), "step")
        epoch = epoch_of(run, scene.facts.study, last)
        value = float(epoch.value) if isinstance(epoch, Quantity) else None
        found.append(_Length(group, run, step, value))
    return max(found, key=lambda one: one.epochs or one.step.value, default=None)


def _sizes(found: Sequence[_Length]) -> list[float]:
    """Return the lengths in one unit: in epochs, else in updates; none where neither is known."""
    if all(one.epochs for one in found):
        return [one.epochs or 0.0 for one in found]
    updates = count_updates([one.run for one in found])
    return [float(one.step.value) for one in found] if updates else []


def _ends(scene: Scene, order: Sequence[_Length]) -> Text:
    shown = order if len(order) <= MOST_GROUPS else [order[0], order[-1]]
    texts = [
        say(
            "{moment} ({group})",
            moment=scene.when(scene.key("lengths", one.group, "last"), one.run, one.step),
            group=scene.called(one.group),
        )
        for one in shown
    ]
    if len(shown) < len(order):
        return say(
            "Their last evaluations lie between {first} and {last}.", first=texts[0], last=texts[1]
        )
    return say("Their last evaluations are at {moments}.", moments=joined(texts))
