"""Findings on the groups of the headline: how far apart, since when, and what that can bear."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reportgen.languages import message, noun, say
from reportgen.records.document import Text
from reportgen.records.facts import EpochRow, GroupResult, RunResult
from reportgen.records.metrics import SHARES_OF_EXAMPLES
from reportgen.records.quantity import Quantity
from reportgen.records.record import record, replace
from reportgen.records.run import Run
from reportgen.report._run_readings import is_epoch, last_step, made, moment, runs_of
from reportgen.report.findings._scene import (
    CAVEAT,
    CONCLUSION,
    FEWEST,
    MOST_ROWS,
    OTHER,
    Draft,
    Moment,
    Pair,
    Place,
    Scene,
    exceeds,
    noise_of_ends,
)
from reportgen.report.findings._training import dead_runs, lost_runs
from reportgen.report.numbers import in_points
from reportgen.report.phrases import has_folds, in_words, level, split_size
from reportgen.stats import largest_setback, reading_of, summarise_sampling_error

Rows = Sequence[tuple[Moment, Moment]]
_GAP = message("difference of the means")


def difference(scene: Scene) -> Iterator[Draft]:
    """Say by how much the better group is better, and how sure that is."""
    pair = scene.pair
    if pair is None or not scene.is_seen(pair.gap):
        return
    gap, low, half = pair.gap.value, pair.comparison.low, pair.half
    places: dict[str, Place] = {
        "first": scene.called(pair.first),
        "second": scene.called(pair.second),
        "amount": scene.amount("findings.difference.value", pair.gap),
    }
    if isinstance(low, Quantity) and low.value <= 0:
        # Two groups of which one breaks down are told apart by that.
        if any(one.group in pair.groups for one in lost_runs(scene)):
            return
        noise = half
        why = say(
            "The {level} interval of their difference, {low} to {high}, includes zero; the means "
            "are {amount} apart.",
            **places,
            **_bounds(scene, pair),
        )
    else:
        noise, why = _noise_of_one(scene, pair, places)
    if why and noise >= gap:
        head = say("{first:cap} and {second} cannot be told apart.", **places)
        yield Draft(CONCLUSION, noise, gap, head, (why,))
        return
    head = say(
        "{first:cap} beats {second} by {amount}."
        if isinstance(low, Quantity)
        else "{first:cap} is {amount} ahead of {second}.",
        **places,
    )
    yield Draft(CONCLUSION, gap, half, head, (_interval(scene, pair), _apart(scene, pair)))


def _noise_of_one(scene: Scene, pair: Pair, places: dict[str, Place]) -> tuple[float, Text]:
    """Return how much runs vary where one of two groups is a single run, and that in words."""
    if min(group.report.n for group in pair.groups) > 1:
        return 0.0, ()
    for group in pair.groups:
        if isinstance(std := group.report.std, Quantity):
            text = say(
                "They are {amount} apart; the runs of {group} have a standard deviation of "
                "{noise}.",
                group=scene.called(group),
                noise=scene.amount("findings.difference.spread", std),
                **places,
            )
            return std.value, text
    ends = noise_of_ends(scene, pair.groups)
    if ends is None:
        return 0.0, ()
    text = say(
        "They end {amount} apart; over the last tenth of a run, values have a standard deviation "
        "of {noise}.",
        noise=scene.amount("findings.difference.ends", ends),
        **places,
    )
    return ends.value, text


def _bounds(scene: Scene, pair: Pair) -> dict[str, Place]:
    return {
        "level": level(scene.facts.study),
        "low": scene.bare("findings.difference.low", pair.comparison.low),
        "high": scene.bare("findings.difference.high", pair.comparison.high),
    }


def _interval(scene: Scene, pair: Pair) -> Text:
    """Say between which bounds the difference lies, or why nobody knows."""
    if isinstance(pair.comparison.low, Quantity):
        bounds = _bounds(scene, pair)
        return say("The {level} interval of the difference is {low} to {high}.", **bounds)
    if max(group.report.n for group in pair.groups) == 1:
        return say("Each is a single run: how far seeds lie apart is not known.")
    if min(group.report.n for group in pair.groups) < 3:
        return say("A group of fewer than three runs gives no interval.")
    return ()


def _apart(scene: Scene, pair: Pair) -> Text:
    """Say that every run of the better group lies beyond every run of the other."""
    if min(group.report.n for group in pair.groups) < 2:
        return ()
    worst, best = _ordered(scene, pair.first)[0], _ordered(scene, pair.second)[-1]
    if scene.sign * (worst.value - best.value) <= 0:
        return ()
    printing = scene.printing
    return say(
        "Every run of {first} lies above every run of {second}: at least {worst} against at most "
        "{best}."
        if scene.sign > 0
        else "Every run of {first} lies below every run of {second}: at most {worst} against at "
        "least {best}.",
        first=scene.called(pair.first),
        second=scene.called(pair.second),
        worst=(printing.one("findings.difference.worst", worst), printing.sign),
        best=(printing.one("findings.difference.best", best), printing.sign),
    )


def _ordered(scene: Scene, group: GroupResult) -> list[Quantity]:
    found = [c.report_value for c in group.cells if isinstance(c.report_value, Quantity)]
    return sorted(found, key=lambda one: scene.sign * one.value)


def gap(scene: Scene) -> Iterator[Draft]:
    """Say that the gap closes or opens over the last half of training, and on which splits."""
    pair = scene.pair
    rows = scene.together(pair, pair.split) if pair else ()
    if pair is None or len(rows) < FEWEST:
        return
    gaps = _gaps(scene, rows)
    late = [one.value for one in gaps[len(gaps) // 2 :]]
    widest = max(range(len(gaps) - 1), key=lambda at: gaps[at].value)
    closes = all(b <= a for a, b in pairwise(late)) and late[-1] <= 2 / 3 * gaps[widest].value
    opens = all(b >= a for a, b in pairwise(late)) and late[-1] >= 1.5 * late[0]
    if closes == opens or late[-1] <= 0:
        return
    start = widest if closes else len(gaps) // 2
    change = abs(gaps[start].value - gaps[-1].value)
    errors = (one.error for at in (start, -1) for one in rows[at])
    select = scene.facts.study.metric.select_on
    other = _elsewhere(scene, scene.together(pair, select), select, closes=closes)
    told = (_course(scene, rows, gaps, start), other)
    noise = math.hypot(*filter(None, errors)) or change
    head = say(
        ("On {split} the gap is closing." if closes else "On {split} the gap is opening.")
        if other
        else ("The gap is closing." if closes else "The gap is opening."),
        split=noun(pair.split),
    )
    yield Draft(CONCLUSION, change, noise, head, told, rows=(rows[start][0].row,))


def _gaps(scene: Scene, rows: Rows) -> list[Quantity]:
    """Return the lead of the better group at each evaluation."""
    found = (scene.gain(one.mean, other.mean, _GAP) for one, other in rows)
    return [one for one in found if isinstance(one, Quantity)]


def _course(scene: Scene, rows: Rows, gaps: Sequence[Quantity], start: int) -> Text:
    share = gaps[-1].value / gaps[start].value if gaps[start].value else math.inf
    return say(
        "The lead halves from {first} at {start} to {last} at {end}."
        if 0.45 <= share <= 0.55
        else "The lead falls from {first} at {start} to {last} at {end}."
        if share < 1
        else "The lead grows from {first} at {start} to {last} at {end}.",
        first=scene.amount("findings.gap.first", gaps[start]),
        last=scene.bare("findings.gap.last", gaps[-1]),
        start=moment(rows[start][0].row),
        end=moment(rows[-1][0].row),
    )


def _elsewhere(scene: Scene, rows: Rows, split: str, *, closes: bool) -> Text:
    """Say that the gap goes the other way on another split; nothing where it goes the same.

    A gap that closes is compared with its widest before, one that opens with half-way.
    """
    if len(rows) < FEWEST:
        return ()
    *before, last = _gaps(scene, rows)
    first = max(before, key=lambda one: one.value) if closes else before[len(rows) // 2]
    change = last.value - first.value
    if (change > 0) != closes or not scene.is_seen(first, last):
        return ()
    return say(
        "On {split} it is larger at the end than before ({last} and {first})."
        if closes
        else "On {split} it is smaller at the end than half-way ({last} and {first}).",
        split=noun(split),
        last=scene.bare("findings.gap.other_last", last),
        first=scene.bare("findings.gap.other_first", first),
    )


FEWEST_SAVED = 2
"""Evaluations by which the better group is earlier where the other one is best."""


def crossing(scene: Scene) -> Iterator[Draft]:
    """Say after how much of the training the better group is where the other is best."""
    pair = scene.pair
    rows = scene.together(pair, pair.split) if pair else ()
    if pair is None or len(rows) < FEWEST:
        return
    best = max(range(len(rows)), key=lambda at: scene.sign * rows[at][1].mean.value)
    goal = rows[best][1]
    # Of single runs only a lead counts that is larger than their ups and downs.
    courses = ([side.mean.value for side in sides] for sides in zip(*rows, strict=True))
    rough = max(largest_setback(course, scene.sign) for course in courses)
    if goal.error is None and pair.gap.value <= rough:
        return
    lead = [scene.sign * (one.mean.value - goal.mean.value) for one, _ in rows]
    near = goal.error or 0.0
    at = next((place for place, ahead in enumerate(lead) if ahead >= -near), best)
    if at > best * 2 / 3 or best - at < FEWEST_SAVED:
        return
    head = say("{first:cap} needs less training.", first=scene.called(pair.first))
    sentence = _crossed(scene, pair, rows[at][0], goal, ahead=lead[at] >= 0)
    named = (rows[at][0].row, goal.row)
    # When the other one got there is known to one evaluation.
    yield Draft(CONCLUSION, float(best - at), 1.0, head, (sentence,), rows=named)


def _crossed(scene: Scene, pair: Pair, one: Moment, goal: Moment, *, ahead: bool) -> Text:
    """Say at which moment it is at least as good, or how near it is."""
    places: dict[str, Place] = {
        "start": moment(one.row),
        "second": scene.called(pair.second),
        "end": moment(goal.row),
        "own": scene.value("findings.crossing.own", one.mean),
        "goal": scene.value("findings.crossing.goal", goal.mean),
    }
    if ahead:
        return say(
            "After {start} it is at least as good as {second} after {end} ({own} and {goal}).",
            **places,
        )
    distance = scene.gain(goal.mean, one.mean, _GAP)
    return say(
        "After {start} it is within {distance} of where {second} is after {end} ({own} and "
        "{goal}).",
        distance=scene.amount("findings.crossing.distance", distance),
        **places,
    )


# --- what the numbers can bear --------------------------------------------------------

POINT = 0.01
SMALL = 500
"""Examples of a validation split one of which is worth a word."""


def _is_of_examples(scene: Scene) -> bool:
    """Tell whether the result is a share of the examples of one set; each fold has its own."""
    return scene.facts.study.metric.name in SHARES_OF_EXAMPLES and not has_folds(scene.groups)


def test_error(scene: Scene) -> Iterator[Draft]:
    """Say that the finite test set is less certain than the seeds."""
    study = scene.facts.study
    if not _is_of_examples(scene) or not scene.groups:
        return
    split, confidence = scene.groups[0].report_split, study.statistics.confidence
    size = study.split_sizes.get(split, 0)
    errors = (summarise_sampling_error(g.report.mean, size, confidence) for g in scene.groups)
    halves = [one.half_width for one in errors if isinstance(one.half_width, Quantity)]
    halves.sort(key=lambda half: half.value)
    stds = [g.report.std for g in scene.groups if isinstance(g.report.std, Quantity)]
    spread = max(stds, key=lambda std: std.value, default=None)
    widths = [g.report.interval for g in scene.groups if isinstance(g.report.interval, Quantity)]
    width = max(widths, key=lambda one: one.value, default=None)
    if not halves or any(one and one.value >= halves[0].value for one in (spread, width)):
        return
    wide = halves[0].value >= POINT and scene.printing.style == "percent"
    within = say(
        "On other {split} data a difference of one point lies within that error.",
        split=noun(split),
    )
    head = say("The {split} set limits the precision.", split=noun(split))
    noise = spread.value if spread is not None else halves[0].value
    told = (_adds(scene, split, halves, width), within if wide else ())
    yield Draft(CAVEAT, halves[0].value, noise, head, told)


def _adds(scene: Scene, split: str, halves: Sequence[Quantity], width: Quantity | None) -> Text:
    low, high = halves[0], halves[-1]
    ends: Text = ("±", *scene.amount("findings.precision.high", high))
    if scene.is_seen(low, high):
        first = ("±", scene.bare("findings.precision.low", low))
        ends = say("{low} to {high}", low=first, high=ends)
    places: dict[str, Place] = {
        "n": split_size("findings.precision.size", split, scene.facts.study),
        "ends": ends,
    }
    if width is None:
        return say("Its {n} examples leave an error of {ends}.", **places)
    return say(
        "Its {n} examples leave an error of {ends}, the seeds one of ±{width} at most ({level} "
        "intervals).",
        width=scene.bare("findings.precision.width", width),
        level=level(scene.facts.study),
        **places,
    )


@record(kw_only=False)
class _Move:
    """How far validation fell and test rose in one interval of one run."""

    group: GroupResult
    cell: RunResult
    row: EpochRow
    fall: Quantity
    rise: Quantity


def disagreement(scene: Scene) -> Iterator[Draft]:
    """Say where validation fell and test rose at once, late in training."""
    select = scene.facts.study.metric.select_on
    moves = [
        move
        for group in scene.groups
        if group.report_split != select
        for cell, run in runs_of(group)
        for move in _moves(scene, group, cell, run)
    ]
    against = [move for move in moves if move.fall.value > 0 and move.rise.value > 0]
    worst = max(against, key=lambda move: move.fall.value, default=None)
    noise = _noise(scene, worst.group) if worst else None
    if worst is None or noise is None:
        return
    apart, end = worst.fall.value + worst.rise.value, worst.group.report.mean
    # One step of little is not worth a word, however small the spread of the seeds is.
    least = _rough(scene, end.value) if isinstance(end, Quantity) else 0.0
    if exceeds(0.8 * noise, worst.fall.value) or exceeds(least, apart):
        return
    text = say(
        "At {moment} {run} loses {loss} on {select} and gains {gain} on {split}.",
        moment=moment(worst.row),
        run=scene.run(worst.group, worst.cell),
        loss=scene.amount("findings.validation.fall", worst.fall),
        select=noun(select),
        gain=scene.bare("findings.validation.rise", worst.rise),
        split=noun(worst.group.report_split),
    )
    head = say("{select:cap} is noisy.", select=noun(select))
    yield Draft(CAVEAT, apart, noise, head, (text,), rows=(worst.row,))


def _rough(scene: Scene, size: float) -> float:
    """Return what counts as much where nobody knows the noise: a point, or a twentieth."""
    return POINT if scene.printing.style == "percent" else abs(size) / 20


def _moves(scene: Scene, group: GroupResult, cell: RunResult, run: Run) -> Iterator[_Move]:
    """Yield what one run did in each interval of the last half."""
    metric = scene.facts.study.metric
    splits = (metric.select_on, group.report_split)
    rows = [row for row in group.epochs if {*splits} <= {*row.splits}]
    if not 2 < len(rows) <= MOST_ROWS:
        return
    words = message("change in one interval")
    for before, after in pairwise(rows[len(rows) // 2 - 1 :]):
        (held, test), (later, risen) = (
            [reading_of(run, metric.name, split, row.step_of(run)) for split in splits]
            for row in (before, after)
        )
        fall, rise = scene.gain(held, later, words), scene.gain(risen, test, words)
        if isinstance(fall, Quantity) and isinstance(rise, Quantity):
            yield _Move(group, cell, after, fall, rise)


def _noise(scene: Scene, group: GroupResult) -> float | None:
    """Return how much two validation values differ by the examples alone, else by the seeds."""
    study, mean = scene.facts.study, group.select.mean
    size = study.split_sizes.get(study.metric.select_on, 0)
    if size and isinstance(mean, Quantity) and mean.unit == "fraction" and 0 < mean.value < 1:
        return math.sqrt(2 * mean.value * (1 - mean.value) / size)
    last = [row.splits[study.metric.select_on] for row in group.epochs[-1:]]
    stds = [one.std for one in (group.report, *last) if isinstance(one.std, Quantity)]
    return max((std.value for std in stds), default=None)


def one_example(scene: Scene) -> Iterator[Draft]:
    """Say what one example of a small validation split is worth."""
    study = scene.facts.study
    select = study.metric.select_on
    size = study.split_sizes.get(select, 0)
    unselected = scene.facts.selection.is_last or all(
        group.report_split == select for group in scene.groups
    )
    if not _is_of_examples(scene) or not 0 < size <= SMALL or unselected:
        return
    stated = (study.cite(f"splits.sizes.{select}", size),)
    worth = made(1 / size, message("one example"), stated, "fraction", f"1 / {size}")
    number = scene.bare("findings.validation.worth", worth)
    text = say(
        "With {n} {select} examples, a single one is worth {worth}.",
        select=noun(select),
        n=split_size("findings.validation.size", select, study),
        worth=in_points(scene.printing, replace(number, decimals=max(number.decimals or 0, 1))),
    )
    head = say("{select:cap} is small.", select=noun(select))
    yield Draft(CAVEAT, worth.value, POINT, head, (text,))


@record(kw_only=False)
class _Choice:
    """What a group reports, what it would at the last step, and how far chance moves it."""

    group: GroupResult
    chosen: Quantity
    last: Quantity
    gain: float
    spread: float


def choice(scene: Scene) -> Iterator[Draft]:
    """Say what the choice of a step is worth against the last one: much, or hardly anything."""
    if scene.facts.selection.is_last or not scene.sign:
        return
    still = {id(cell) for _, cell in dead_runs(scene)}
    alive = [g for g in scene.facts.groups if not all(id(cell) in still for cell in g.cells)]
    every = [one for group in alive if (one := _chosen(scene, group))]
    ours = [one for group in scene.groups for one in every if one.group is group]
    most = max(ours, key=lambda one: abs(one.gain) / one.spread, default=None)
    worse = [one for one in every if exceeds(one.gain, 2 * one.spread)]
    turned = _turned(scene, every)
    if turned is not None:
        yield _decides(scene, *turned)
    if most is not None and scene.is_seen(most.chosen, most.last):
        if exceeds(most.gain, 2 * most.spread):
            yield _worth(scene, most, _are_worse(scene, worse, ours))
        elif turned is None and not exceeds(abs(most.gain), most.spread / 2):
            yield _hardly(scene, ours, most)
    elif len(worse) * 4 >= len(every) > len(ours) > 0:
        # Where the headline has nothing to say of it, many other groups may.
        first = max(worse, key=lambda one: one.gain / one.spread)
        yield _worth(scene, first, _are_worse(scene, worse, every))


def _are_worse(scene: Scene, worse: Sequence[_Choice], told: Sequence[_Choice]) -> Text:
    """Claim that the last evaluation is worse: of all groups that are told of, or of how many."""
    some = [one for one in told if one in worse]
    if len(some) == len(told):
        return say("The last evaluation is worse than the chosen one.")
    return say(
        "In {some} of {all} {things} the last evaluation is clearly worse than the chosen one.",
        some=in_words(len(some)),
        all=in_words(len(told)),
        things=scene.things,
    )


def _chosen(scene: Scene, group: GroupResult) -> _Choice | None:
    chosen, last = group.report.mean, group.last.mean
    if not isinstance(chosen, Quantity) or not isinstance(last, Quantity):
        return None
    if group.report.n != group.last.n:
        return None
    std = group.report.std.value if isinstance(group.report.std, Quantity) else 0.0
    rough = _rough(scene, max(abs(chosen.value), abs(last.value)))
    gain = scene.sign * (chosen.value - last.value)
    return _Choice(group, chosen, last, gain, std or rough or 1.0)


def _turned(scene: Scene, every: Sequence[_Choice]) -> tuple[_Choice, _Choice] | None:
    """Return the best group, and that which is ahead of it at the last step; None where none is."""
    families = [scene.pair.groups] if scene.pair else scene.families()
    for family in families:
        found = [one for group in family for one in every if one.group is group]
        if len(found) < 2:
            continue
        best = max(found, key=lambda one: scene.sign * one.chosen.value)
        ahead = max(found, key=lambda one: scene.sign * one.last.value)
        pairs = ((best.chosen, ahead.chosen), (ahead.last, best.last))
        if ahead is not best and all(scene.is_seen(*pair) for pair in pairs):
            return best, ahead
    return None


def _decides(scene: Scene, best: _Choice, ahead: _Choice) -> Draft:
    groups = best.group, ahead.group
    text = say(
        "At the last evaluation {group} is ahead of {other} ({first} and {last}).",
        group=scene.called(ahead.group),
        other=scene.called(best.group),
        first=scene.value(scene.key("choice", ahead.group, "ahead"), ahead.last),
        last=scene.value(scene.key("choice", best.group, "behind"), best.last),
    )
    moment = noun(_moment_of([row for group in groups for row in group.epochs]))
    head = say("Which one is best depends on the choice of the {moment}.", moment=moment)
    effect = abs(ahead.last.value - best.last.value)
    about = CAVEAT if scene.pair is not None else OTHER
    lead = abs(best.chosen.value - ahead.chosen.value)
    return Draft(about, effect, lead, head, (text,), CAVEAT)


def _moment_of(rows: Sequence[EpochRow]) -> str:
    return "epoch" if all(map(is_epoch, rows)) else "evaluation"


def _hardly(scene: Scene, found: list[_Choice], most: _Choice) -> Draft:
    told = found if scene.pair else [most]
    means = [scene.value(scene.key("choice", one.group, "last"), one.last) for one in told]
    places: dict[str, Place] = {
        "split": noun(most.group.report_split),
        "one": means[0],
        "two": means[-1],
        "last": means[-1],
        "group": scene.called(most.group),
        "chosen": scene.value(scene.key("choice", most.group, "chosen"), most.chosen),
    }
    text = say(
        "At the last evaluation the {split} means are {one} and {two}."
        if len(means) == 2
        else "The last evaluation gives {last} instead of {chosen}."
        if len(found) == len(most.group.cells) == 1 and not scene.one_of_many
        else "The mean of the last evaluations is {last} instead of {chosen}."
        if len(found) == 1 and not scene.one_of_many
        else "The last evaluation of {group} gives {last} instead of {chosen}."
        if len(found) == 1
        else "It changes {group} most, from {chosen} to {last} at the last evaluation.",
        **places,
    )
    metric, runs = scene.facts.study.metric, [pair for one in found for pair in runs_of(one.group)]
    ends = [last_step(run, metric.name, metric.select_on) for _, run in runs]
    same = sum(
        isinstance(cell.best_step, Quantity) and cell.best_step.value == end
        for (cell, _), end in zip(runs, ends, strict=True)
    )
    # Where most runs are best at their end, there was hardly a choice.
    head = say(
        "The choice of the {moment} hardly matters."
        if 2 * same <= len(runs)
        else "{some:cap} of {all} runs are best at the last {moment}.",
        moment=noun(_moment_of(most.group.epochs)),
        some=in_words(same),
        all=in_words(len(runs)),
    )
    return Draft(OTHER, most.spread, abs(most.gain), head, (text,))


def _worth(scene: Scene, most: _Choice, head: Text) -> Draft:
    text = say(
        "The last evaluation of {group} gives {last} instead of {chosen}.",
        group=scene.called(most.group),
        last=scene.value(scene.key("choice", most.group, "last"), most.last),
        chosen=scene.value(scene.key("choice", most.group, "chosen"), most.chosen),
    )
    about = CAVEAT if scene.pair is not None and most.group in scene.pair.groups else OTHER
    return Draft(about, most.gain, most.spread, head, (text,), CAVEAT)
