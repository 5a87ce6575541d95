"""Findings on where the curves go: still rising, over-fitting, at chance, at the maximum."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reportgen.languages import message, noun, say, tell
from reportgen.records.document import Number, Text
from reportgen.records.facts import GroupResult, RunResult, Summary
from reportgen.records.quantity import Quantity
from reportgen.records.record import record
from reportgen.records.run import Run, decimal_float
from reportgen.report._run_readings import chance_of, each_of, is_epoch, made, moment, runs_of
from reportgen.report.findings._scene import (
    CAVEAT,
    CONCLUSION,
    FEWEST,
    OTHER,
    Draft,
    Head,
    Moment,
    Place,
    Scene,
    exceeds,
)
from reportgen.report.numbers import of_point, step_number
from reportgen.report.phrases import in_words, joined, spelled
from reportgen.stats import finite_mask, largest_setback, mean_of, standard_error, std_of


@record
class _Slope:
    """What a group gained in its last interval."""

    group: GroupResult
    course: tuple[Moment, ...]
    gain: Quantity
    noise: float
    rises: bool


_RISING = Head(
    message("{group:cap} is still improving at the end."),
    message("{groups:cap} are still improving at the end."),
    message("{some:cap} of {all} {things} are still improving at the end."),
    message("All {all} {things} are still improving at the end."),
)


def rising(scene: Scene) -> Iterator[Draft]:
    """Say which groups still got better in the last interval, about as fast as on average."""
    slopes = [slope for group in scene.known() if (slope := _slope(scene, group)) is not None]
    up = sorted((s for s in slopes if s.rises), key=lambda s: s.gain.value, reverse=True)
    if not up or not scene.sign:
        return
    first = up[0]
    rest = [slope for slope in slopes if slope is not first] if scene.pair else []
    several = len(up) > 1 and not scene.pair
    told = (_gained_most(scene, up) if several else _gained(scene, first, rest),)
    head = scene.headed(_RISING, [slope.group for slope in up], len(scene.known()))
    yield Draft(CAVEAT, first.gain.value, first.noise, head, told)


def _slope(scene: Scene, group: GroupResult) -> _Slope | None:
    course = scene.followed(group)
    if len(course) < FEWEST:
        return None
    first, before, last = (course[at].row.step for at in (0, -2, -1))
    # Of runs of unlike lengths the last evaluation that all have is no end.
    if max(row.step for row in group.epochs) - last >= last - before:
        return None
    # After training some are evaluated once more, one step behind the last epoch.
    if 2 * (len(course) - 1) * (last - before) < last - first:
        return None
    means = [one.mean.value for one in course]
    gain = scene.gain(course[-1].mean, course[-2].mean, message("gain in the last interval"))
    average = scene.sign * (means[-1] - means[0]) / (len(means) - 1)
    if not isinstance(gain, Quantity):
        return None
    setback = _noise_of(course) or largest_setback(means, scene.sign)
    # What only makes up for a setback is no course that goes on.
    beyond = scene.sign * means[-1] - max(scene.sign * mean for mean in means[:-1])
    # One run of three that gains alone gains exactly the standard error: no more than noise.
    steady = average > 0 and not exceeds(average / 2, gain.value)
    rises = steady and exceeds(beyond, setback) and scene.is_seen(gain)
    noise = setback or abs(gain.value)
    return _Slope(group=group, course=course, gain=gain, noise=noise, rises=rises)


def _noise_of(course: Sequence[Moment]) -> float | None:
    """Return the standard error of the last gain, over the runs; None for fewer than three."""
    last, before = course[-1].summary, course[-2].summary
    if last.n < 3 or last.n != before.n:
        return None
    gains = [b - a for a, b in zip(before.values, last.values, strict=True)]
    return std_of(gains, 1) / math.sqrt(last.n)


def _places(scene: Scene, slope: _Slope) -> dict[str, Place]:
    rows = [one.row for one in slope.course]
    epochs = all(map(is_epoch, rows))
    split = slope.group.report_split
    if slope.course != scene.course(slope.group, split):
        split = scene.facts.study.metric.select_on
    # Of a pair, and of values that have no second split, the sentence need not say which.
    told = not scene.pair and split != slope.group.report_split
    return {
        "group": scene.called(slope.group),
        "gain": scene.amount("findings.rising.gain", slope.gain),
        "when": tell(
            ("in the last epoch" if epochs else "between the last two evaluations")
            if not told
            else "on {split} in the last epoch"
            if epochs
            else "on {split} between the last two evaluations",
            split=noun(split),
        ),
        "count": each_of(rows),
    }


def _gained_most(scene: Scene, slopes: Sequence[_Slope]) -> Text:
    """Say what counts as still improving, and which of several groups gained most, if one did."""
    first, second = slopes[:2]
    return say(
        "Each gained at least half as much {when} as on average; {group} gained most, {gain}."
        if scene.is_seen(first.gain, second.gain)
        else "Each gained at least half as much {when} as on average, at most {gain}.",
        **_places(scene, first),
    )


def _gained(scene: Scene, slope: _Slope, rest: Sequence[_Slope]) -> Text:
    places = _places(scene, slope)
    if not rest or rest[0].gain.value <= 0 or not scene.is_seen(rest[0].gain):
        return say(
            "{group:cap} improved by {gain} {when}: {count} do not show where it would end."
            if scene.pair
            else "It improved by {gain} {when}: {count} do not show where it would end.",
            **places,
        )
    return say(
        "{group:cap} improved by {gain} {when}, {other} by {less}: {count} do not show where "
        "either would end."
        if rest[0].rises
        else "{group:cap} improved by {gain} {when}, {other} by {less}: {count} do not show where "
        "{group} would end.",
        other=scene.called(rest[0].group),
        less=scene.bare("findings.rising.other", rest[0].gain),
        **places,
    )


RISE = 0.05
"""From this share of its lowest value on, a validation loss is said to rise again."""
RISE_MEANWHILE = 0.03
"""The same, where the training loss falls much meanwhile."""
MUCH = 2 / 3
"""To this share of itself and below, a training loss falls much."""
FALL = 0.05
"""From this share on, the training loss is said to fall meanwhile."""


@record(kw_only=False)
class _Losses:
    """A validation loss at its lowest and at its end, and the training loss at both moments."""

    cell: RunResult
    run: Run
    low: Quantity
    last: Quantity
    before: Quantity
    after: Quantity
    noise: float
    turns: bool

    @property
    def rise(self) -> float:
        return self.last.value - self.low.value

    @property
    def step(self) -> int:
        return self.low.sources[0].step or 0

    def suffers(self, scene: Scene) -> bool:
        """Return whether the metric gets no better after the lowest loss, or ends worse."""
        metric, best = scene.facts.study.metric, self.cell.best_step
        series = self.run.find(metric.name, metric.select_on)
        if series is None or not isinstance(best, Quantity) or best.value <= self.step:
            return True
        at = max(int(series.steps.searchsorted(self.step, side="right")) - 1, 0)
        return scene.sign * float(series.values[-1] - series.values[at]) <= 0


@record(kw_only=False)
class _Turned:
    """A group of whose runs most over-fit: the one whose loss rises most, and how many do."""

    group: GroupResult
    worst: _Losses
    count: int
    every: int
    suffers: bool


_OVER_FITS = Head(
    message("{group:cap} over-fits."),
    message("{groups:cap} over-fit."),
    message("{some:cap} of {all} {things} over-fit."),
    message("All {all} {things} over-fit."),
)
_RISES = Head(
    message("The {select} loss of {group} rises; its {metric} does not suffer."),
    message("The {select} loss of {groups} rises; their {metric} does not suffer."),
    message("The {select} loss of {some} of {all} {things} rises; their {metric} does not suffer."),
    message("The {select} loss of all {all} {things} rises; their {metric} does not suffer."),
)

_RISES_TOO = Head(
    message("The {select} loss of {group} rises, too, but its {metric} does not suffer."),
    message("The {select} loss of {groups} rises, too, but their {metric} does not suffer."),
    message("In {some} more {things} the {select} loss rises, but the {metric} does not suffer."),
    message("In {some} more {things} the {select} loss rises, but the {metric} does not suffer."),
)


def overfitting(scene: Scene) -> Iterator[Draft]:
    """Say which groups over-fit, and of which the loss alone gets worse."""
    turned = [one for group in scene.known() if (one := _turned(scene, group)) is not None]
    worse = [one for one in turned if one.suffers]
    only = [one for one in turned if not one.suffers]
    if not turned:
        return
    most = max(worse or only, key=lambda one: one.worst.rise)
    other = _claim(scene, _RISES_TOO, only) if only else ()
    told = (_risen(scene, most), other if worse else _best(scene, most))
    head = _claim(scene, _OVER_FITS if worse else _RISES, worse or only)
    yield Draft(CAVEAT, most.worst.rise, most.worst.noise, head, told)


def _claim(scene: Scene, head: Head, turned: Sequence[_Turned]) -> Text:
    metric = scene.facts.study.metric
    words: dict[str, Place] = {"select": noun(metric.select_on), "metric": spelled(metric.name)}
    return scene.headed(head, [one.group for one in turned], len(scene.known()), **words)


def _turned(scene: Scene, group: GroupResult) -> _Turned | None:
    every = [_losses(scene, cell, run) for cell, run in runs_of(group)]
    turns, runs = [one for one in every if one and one.turns], len(every)
    if len(turns) * 2 <= runs:
        return None
    suffering = sum(one.suffers(scene) for one in turns)
    suffers = scene.facts.study.metric.name == "loss" or suffering * 2 >= len(turns)
    worst = max(turns, key=lambda one: one.rise)
    return _Turned(group, worst, len(turns), runs, suffers)


def _losses(scene: Scene, cell: RunResult, run: Run) -> _Losses | None:
    """Return the losses of a run; None where they cannot be followed."""
    held = run.find("loss", scene.facts.study.metric.select_on)
    train = run.find("loss", "train")
    if held is None or train is None or len(held) < FEWEST or len(train) < 2:
        return None
    if not (finite_mask(held).all() and finite_mask(train).all()):
        return None
    at = int(held.values.argmin())
    then = max(int(train.steps.searchsorted(held.steps[at], side="right")) - 1, 0)
    places = ((held, at), (held, len(held) - 1), (train, then), (train, len(train) - 1))
    low, last, before, after = (
        made(
            decimal_float(series.values[place]),
            message("loss"),
            of_point(run, series, int(series.steps[place])),
        )
        for series, place in places
    )
    late = [float(value) for value in held.values[at:]]
    noise = mean_of([abs(b - a) for a, b in pairwise(late)]) if len(late) > 1 else 0.0
    rise = RISE_MEANWHILE if after.value <= MUCH * before.value else RISE
    risen = last.value - low.value >= rise * abs(low.value) and len(late) > 2
    fallen = 0 < before.value - after.value >= FALL * abs(before.value)
    return _Losses(cell, run, low, last, before, after, noise, risen and fallen)


def _risen(scene: Scene, turned: _Turned) -> Text:
    worst, key = turned.worst, scene.key("overfitting", turned.group, "")
    names = ("low", "last", "before", "after")
    places: dict[str, Place] = {name: _loss(f"{key}{name}", getattr(worst, name)) for name in names}
    places["group"] = scene.called(turned.group)
    places["select"] = noun(scene.facts.study.metric.select_on)
    if turned.every == 1:
        words = message("step of the lowest validation loss")
        step = made(worst.step, words, worst.low.sources, "step")
        return say(
            "From {step} on the {select} loss of {group} rises from {low} to {last}, while the "
            "training loss falls from {before} to {after}.",
            step=scene.when(f"{key}step", worst.run, step),
            **places,
        )
    return say(
        "In {some} of {all} runs of {group} the {select} loss rises again while the training loss "
        "falls, in one from {low} to {last} (training {before} to {after})."
        if turned.count < turned.every
        else "In all {all} runs of {group} the {select} loss rises again while the training loss "
        "falls, in one from {low} to {last} (training {before} to {after}).",
        some=in_words(turned.count),
        all=in_words(turned.every),
        **places,
    )


def _loss(identifier: str, quantity: Quantity) -> Number:
    size = abs(quantity.value)
    decimals = max(2, 1 - math.floor(math.log10(size))) if size else 2
    return Number(id=identifier, quantity=quantity, decimals=min(decimals, 6))


def _best(scene: Scene, turned: _Turned) -> Text:
    """Say when the metric of the only run is best, which is later."""
    best = turned.worst.cell.best_step
    if turned.every > 1 or not isinstance(best, Quantity):
        return ()
    return say(
        "Its {metric} is best at {step}.",
        metric=spelled(scene.facts.study.metric.name),
        step=scene.when(scene.key("overfitting", turned.group, "best"), turned.worst.run, best),
    )


def _tolerance(scene: Scene, summary: Summary, split: str, chance: float) -> float:
    """Return two standard errors of a mean at chance, by the seeds and by the examples."""
    size = scene.facts.study.split_sizes.get(split, 0)
    sampling = math.sqrt(chance * (1 - chance) / size) if size and 0 < chance < 1 else 0.0
    return 2 * math.hypot(standard_error(summary) or 0.0, sampling)


def leaving_chance(scene: Scene) -> Iterator[Draft]:
    """Say until when the weaker group is at chance, where the better one is not any more."""
    pair = scene.pair
    chance = chance_of(scene.facts, pair.second) if pair else None
    if pair is None or chance is None:
        return
    rows = scene.together(pair, pair.split)
    tolerances = [_tolerance(scene, two.summary, pair.split, chance.value) for _, two in rows]
    near = [
        abs(two.mean.value - chance.value) <= tolerance
        for (_, two), tolerance in zip(rows, tolerances, strict=True)
    ]
    at = near.index(False) - 1 if False in near else -1
    if len(rows) < FEWEST or at < 0:
        return
    one, other = rows[at]
    lead = scene.sign * (one.mean.value - chance.value)
    if lead <= _tolerance(scene, one.summary, pair.split, chance.value):
        return
    text = say(
        "{second:cap} is still at chance after {moment} ({value}).",
        second=scene.called(pair.second),
        moment=moment(other.row),
        value=scene.value("findings.chance.value", other.mean),
    )
    head = say("{first:cap} leaves chance earlier.", first=scene.called(pair.first))
    yield Draft(CONCLUSION, lead, tolerances[at], head, (text,), rows=(other.row,))


_AT_CHANCE = Head(
    message("{group:cap} does not beat chance."),
    message("{groups:cap} do not beat chance."),
    message("{some:cap} of {all} {things} do not beat chance."),
    message("None of {all} {things} beats chance."),
)


def at_chance(scene: Scene) -> Iterator[Draft]:
    """Say which groups do not beat chance in the end."""
    found = [(g, one) for g in scene.known() if (one := _by_chance(scene, g)) is not None]
    if not found:
        return
    group, (mean, chance, tolerance) = found[0]
    places: dict[str, Place] = {
        "group": scene.called(group),
        "value": scene.value(scene.key("at_chance", group, "value"), mean),
        "chance": scene.value(scene.key("at_chance", group, "chance"), chance),
    }
    text = say(
        "It reaches {value}, guessing {chance}."
        if len(found) == 1
        else "{group:cap} reaches {value}, guessing {chance}.",
        **places,
    )
    head = scene.headed(_AT_CHANCE, [group for group, _ in found], len(scene.known()))
    distance = abs(mean.value - chance.value)
    yield Draft(CONCLUSION if scene.pair else CAVEAT, tolerance, distance, head, (text,))


def _by_chance(scene: Scene, group: GroupResult) -> tuple[Quantity, Quantity, float] | None:
    """Return the mean of a group that lies as near at chance as chance, and how near that is."""
    chance, mean = chance_of(scene.facts, group), group.report.mean
    if chance is None or not isinstance(mean, Quantity):
        return None
    tolerance = _tolerance(scene, group.report, group.report_split, chance.value)
    if not tolerance or abs(mean.value - chance.value) > tolerance:
        return None
    return mean, chance, tolerance


def saturation(scene: Scene) -> Iterator[Draft]:
    """Say that all runs that could be compared reach one and the same value, their maximum."""
    found = [family for family in scene.families() if _is_saturated(family)]
    if not found:
        return
    ours = [family for family in found if scene.pair and scene.pair.first in family]
    told = [*ours, *(family for family in found if family not in ours)][:2]
    task = told[0][0].task.name
    head = say(
        "All runs of {task} reach the maximum."
        if scene.sign > 0 and task
        else "All runs reach the maximum."
        if scene.sign > 0
        else "All runs of {task} reach the same value."
        if task
        else "All runs reach the same value.",
        task=task,
    )
    sentences = [_reached(scene, family, first=family is told[0]) for family in told]
    if ours and (first := _first_reached(scene, told[0])):
        sentences = [sentences[0], first]
    sentences.append(_fallen(scene, told[0]))
    runs = sum(group.report.n for group in told[0])
    yield Draft(CONCLUSION if ours else OTHER, float(runs), 1.0, head, tuple(sentences), CONCLUSION)


def _first_reached(scene: Scene, family: Sequence[GroupResult]) -> Text:
    """Say when the runs of two groups are there; nothing where another of equal steps is taken."""
    steps = [
        sorted(
            (cell.best_step for cell in group.cells if isinstance(cell.best_step, Quantity)),
            key=lambda step: step.value,
        )
        for group in family
    ]
    spans = {(own[0].value, own[-1].value) for own in steps if own}
    first = scene.facts.study.metric.ties == "first"
    if len(family) != 2 or not all(steps) or len(spans) < 2 or not first:
        return ()
    texts = [
        say(
            "step {low} ({group})"
            if own[0].value == own[-1].value
            else "steps {low} to {high} ({group})",
            group=scene.called(group),
            low=step_number(scene.key("saturation", group, "first"), own[0]),
            high=step_number(scene.key("saturation", group, "last"), own[-1]),
        )
        for group, own in zip(family, steps, strict=True)
    ]
    return say("They first reach it at {groups}.", groups=joined(texts))


def _fallen(scene: Scene, family: Sequence[GroupResult]) -> Text:
    """Say how low a mean ends after all runs of its group have been at the maximum."""
    falls = []
    for group in family:
        best = [c.best_step.value for c in group.cells if isinstance(c.best_step, Quantity)]
        there = max(best, default=math.inf)
        late = [m for m in scene.course(group, group.report_split) if m.row.step > there]
        falls += [(scene.sign * one.mean.value, group, one) for one in late[-1:]]
    if not falls:
        return ()
    _, group, lowest = min(falls, key=lambda fall: fall[0])
    report = group.report.mean
    if not isinstance(report, Quantity) or not scene.is_seen(lowest.mean, report):
        return ()
    return say(
        "It does not last: at {moment} the mean of {group} is {value}."
        if len(group.cells) > 1
        else "It does not last: at {moment} {group} has {value}.",
        group=scene.called(group),
        value=scene.value(scene.key("saturation", group, "fallen"), lowest.mean),
        moment=moment(lowest.row),
    )


def _is_saturated(family: Sequence[GroupResult]) -> bool:
    """Return whether all values are equal, and hit again and again or all that can be."""
    cells = [c for g in family for c in g.cells if isinstance(c.report_value, Quantity)]
    values = {value for group in family for value in group.report.values}
    if len(family) < 2 or len(cells) < FEWEST or len(values) != 1:
        return False
    tied = sum(len(cell.tied_steps) > 1 for cell in cells)
    return tied * 2 > len(cells) or (family[0].unit in {"fraction", "percent"} and values == {1.0})


def _reached(scene: Scene, family: Sequence[GroupResult], *, first: bool) -> Text:
    places: dict[str, Place] = {
        "count": in_words(sum(group.report.n for group in family)),
        "groups": in_words(len(family)),
        "task": family[0].task.name,
        "value": scene.value(scene.key("saturation", family[0], "value"), family[0].report.mean),
    }
    return say(
        "All {count} runs of {groups} groups reach {value}."
        if not family[0].task.name
        else "All {count} reach {value}."
        if first
        else "All {count} runs of {task} reach {value}.",
        **places,
    )
