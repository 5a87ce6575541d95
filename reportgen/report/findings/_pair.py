"""Findings on the two groups of the headline: how far apart, since when, and for how long."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reportgen.languages import message, noun, say
from reportgen.records.document import Text
from reportgen.records.facts import GroupResult
from reportgen.records.quantity import Quantity
from reportgen.report._phrases import level
from reportgen.report._run_readings import moment
from reportgen.report.findings._finding import CONCLUSION, Draft
from reportgen.report.findings._scene import (
    FEWEST,
    Moment,
    Pair,
    Place,
    Scene,
)
from reportgen.report.findings._training import lost_runs
from reportgen.stats import largest_setback

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
        head = say("{first:cap} and {second} cannot be told apart.", **places)
        yield Draft(CONCLUSION, half, gap, head, (_includes_zero(scene, pair, places),))
        return
    pattern = (
        message("{first:cap} beats {second} by {amount}.")
        if isinstance(low, Quantity)
        else message("{first:cap} is {amount} ahead of {second}.")
    )
    told = (_interval(scene, pair), _apart(scene, pair), _ahead(scene, pair))
    yield Draft(CONCLUSION, gap, half, say(pattern, **places), tuple(filter(None, told)))


def _bounds(scene: Scene, pair: Pair) -> dict[str, Place]:
    return {
        "level": level(scene.facts.study),
        "low": scene.bare("findings.difference.low", pair.comparison.low),
        "high": scene.bare("findings.difference.high", pair.comparison.high),
    }


def _includes_zero(scene: Scene, pair: Pair, places: dict[str, Place]) -> Text:
    return say(
        "The {level} interval of their difference, {low} to {high}, includes zero; the means are "
        "{amount} apart.",
        **places,
        **_bounds(scene, pair),
    )


def _interval(scene: Scene, pair: Pair) -> Text:
    """Say between which bounds the difference lies, or why nobody knows."""
    if isinstance(pair.comparison.low, Quantity):
        bounds = _bounds(scene, pair)
        return say("The {level} interval of the difference is {low} to {high}.", **bounds)
    if max(group.report.n for group in pair.groups) == 1:
        return say("Each is a single run: how far seeds lie apart is not known.")
    if min(group.report.n for group in pair.groups) < 3:
        return say("Fewer than three runs a group give no interval.")
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


def _ahead(scene: Scene, pair: Pair) -> Text:
    """Say that the better group was ahead from the first evaluation to the last."""
    rows = scene.together(pair, pair.split)
    gaps = [scene.sign * (one.mean.value - other.mean.value) for one, other in rows]
    if len(gaps) < FEWEST or min(gaps) <= 0:
        return ()
    return say("{first:cap} is ahead from the first evaluation on.", first=scene.called(pair.first))


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
    other = _elsewhere(scene, scene.together(pair, select), gaps, select)
    sentences = (_course(scene, rows, gaps, start), other)
    noise = math.hypot(*filter(None, errors)) or change
    head = _gap_head(pair.split if other else "", closes=closes)
    yield Draft(CONCLUSION, change, noise, head, tuple(filter(None, sentences)))


def _gaps(scene: Scene, rows: Rows) -> list[Quantity]:
    """Return the lead of the better group at each evaluation."""
    found = (scene.gain(one.mean, other.mean, _GAP) for one, other in rows)
    return [one for one in found if isinstance(one, Quantity)]


def _gap_head(split: str, *, closes: bool) -> Text:
    if not split:
        return say("The gap is closing." if closes else "The gap is opening.")
    return say(
        "On {split} the gap is closing." if closes else "On {split} the gap is opening.",
        split=noun(split),
    )


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


def _elsewhere(scene: Scene, rows: Rows, own: Sequence[Quantity], split: str) -> Text:
    """Say that the gap goes the other way on another split; nothing where it goes the same."""
    if len(rows) < FEWEST:
        return ()
    gaps = _gaps(scene, rows)
    change = gaps[-1].value - gaps[0].value
    if change * (own[-1].value - own[0].value) >= 0 or not scene.is_seen(gaps[0], gaps[-1]):
        return ()
    return say(
        "On {split} it is larger at the end than at the start ({last} and {first})."
        if change > 0
        else "On {split} it is smaller at the end than at the start ({last} and {first}).",
        split=noun(split),
        last=scene.bare("findings.gap.other_last", gaps[-1]),
        first=scene.bare("findings.gap.other_first", gaps[0]),
    )


def crossing(scene: Scene) -> Iterator[Draft]:
    """Say after how much of the training the better group is where the other ends."""
    pair = scene.pair
    rows = scene.together(pair, pair.split) if pair else ()
    if pair is None or len(rows) < FEWEST:
        return
    goal = rows[-1][1]
    # Of single runs only a lead counts that is larger than their ups and downs.
    courses = ([side.mean.value for side in sides] for sides in zip(*rows, strict=True))
    rough = max(largest_setback(course, scene.sign) for course in courses)
    if goal.error is None and pair.gap.value <= rough:
        return
    lead = [scene.sign * (one.mean.value - goal.mean.value) for one, _ in rows]
    near = goal.error or 0.0
    at = next((place for place, ahead in enumerate(lead) if ahead >= -near), len(rows) - 1)
    if at > (len(rows) - 1) * 2 / 3:
        return
    head = say("{first:cap} learns faster.", first=scene.called(pair.first))
    sentence = _crossed(scene, pair, rows[at][0], goal, ahead=lead[at] >= 0)
    # When the other one got there is known to one evaluation.
    yield Draft(CONCLUSION, len(rows) - 1.0 - at, 1.0, head, (sentence,))


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
