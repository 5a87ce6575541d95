"""Findings on guessing: who is still at it, and who never did better."""

from __future__ import annotations

import math
from collections.abc import Iterator

from reportgen.languages import say
from reportgen.records.facts import Summary
from reportgen.records.quantity import Quantity
from reportgen.report._moments import moment
from reportgen.report._run_readings import chance_of
from reportgen.report.findings._finding import CAVEAT, CONCLUSION, Draft
from reportgen.report.findings._scene import FEWEST, Scene, error_of, together_error


def _tolerance(scene: Scene, summary: Summary, split: str, chance: float) -> float:
    """Return two standard errors of a mean at chance, by the seeds and by the examples."""
    size = scene.facts.study.split_sizes.get(split, 0)
    sampling = math.sqrt(chance * (1 - chance) / size) if size and 0 < chance < 1 else 0.0
    return 2 * together_error(error_of(summary), sampling)


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
    yield Draft(CONCLUSION, lead, tolerances[at], head, (text,))


def at_chance(scene: Scene) -> Iterator[Draft]:
    """Say which groups do not beat chance in the end."""
    for group in scene.groups:
        chance, mean = chance_of(scene.facts, group), group.report.mean
        if chance is None or not isinstance(mean, Quantity):
            continue
        tolerance = _tolerance(scene, group.report, group.report_split, chance.value)
        distance = abs(mean.value - chance.value)
        if not tolerance or distance > tolerance:
            continue
        text = say(
            "It reaches {value}, guessing {chance}.",
            value=scene.value(scene.key("at_chance", group, "value"), mean),
            chance=scene.value(scene.key("at_chance", group, "chance"), chance),
        )
        head = say("{group:cap} does not beat chance.", group=scene.called(group))
        yield Draft(CONCLUSION if scene.pair else CAVEAT, tolerance, distance, head, (text,))
        return
