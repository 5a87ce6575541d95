"""Findings on many groups: the best of a sweep, groups without a result, and parts of others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.languages import message, retell, say, say_count
from reportgen.records.document import Text
from reportgen.records.facts import GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._phrases import in_words
from reportgen.report._run_readings import made
from reportgen.report._tasks import ASIDE
from reportgen.report.findings._finding import CAVEAT, CONCLUSION, OTHER, Draft
from reportgen.report.findings._scene import Scene
from reportgen.report.findings._training import dead_runs
from reportgen.stats import expected_maximum, mean_of

FEWEST = 3
"""Groups that make a sweep."""
_LEAD = message("best less second mean")


@dataclass(frozen=True, slots=True)
class _Field:
    """Settings that may be ranked, the best one first, and how far it is ahead."""

    groups: Sequence[GroupResult]
    lead: Quantity
    luck: Quantity | None

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
    told = (_leads(scene, first, first=True), _by_luck(scene, first, count), *others)
    if first.luck is not None and first.luck.value > first.lead.value:
        head = say("The lead of {best} is within luck.", best=best)
        yield Draft(about, first.noise, first.lead.value, head, told, CONCLUSION)
        return
    head = say("{best:cap} is the best of {count} settings.", best=best, count=count)
    yield Draft(about, first.lead.value, first.noise, head, told, CONCLUSION)


def _fields(scene: Scene) -> Iterator[_Field]:
    """Yield the families of three groups and more that learnt, but for that of the headline."""
    still = {id(cell) for _, cell in dead_runs(scene)}
    for family in scene.families():
        alive = [g for g in family if not all(id(cell) in still for cell in g.cells)]
        if len(alive) < FEWEST or not scene.sign or (scene.pair and scene.pair.first in family):
            continue
        lead = scene.gain(alive[0].report.mean, alive[1].report.mean, _LEAD)
        if isinstance(lead, Quantity) and scene.is_seen(lead):
            yield _Field(alive, lead, _luck(alive))


def _leads(scene: Scene, field: _Field, *, first: bool) -> Text:
    best, second = field.groups[:2]
    return say(
        "It reaches {value}, {lead} ahead of {second}."
        if first
        else "{best:cap} reaches {value}, {lead} ahead of {second}.",
        best=scene.called(best),
        value=scene.value(scene.key("sweep", best, "value"), best.report.mean),
        lead=scene.amount(scene.key("sweep", best, "lead"), field.lead),
        second=scene.called(second),
    )


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
    if field.luck is None:
        return say("Each setting ran too few times to tell how much of that is luck.")
    return say(
        "Of {count} equal settings the best would lie {luck} above their mean by luck alone."
        if scene.sign > 0
        else "Of {count} equal settings the best would lie {luck} below their mean by luck alone.",
        count=count,
        luck=scene.amount(scene.key("sweep", field.groups[0], "luck"), field.luck),
    )


def absent(scene: Scene) -> Iterator[Draft]:
    """Say how many groups have no result, and why the first of them has none."""
    groups = scene.facts.groups
    without = [group for group in groups if not group.report.n and not group.task.is_part]
    if not without or len(without) == len(groups):
        return
    values = [cell.report_value for group in without for cell in group.cells]
    why = next((retell(one.reason) for one in values if isinstance(one, Missing)), "")
    head = say_count(
        "{some:cap} of {all} groups has no result.",
        "{some:cap} of {all} groups have no result.",
        len(without),
        some=in_words(len(without)),
        all=in_words(len(groups)),
    )
    text = say("The reason: {why}." if len(without) == 1 else "The first of them: {why}.", why=why)
    rest = float(len(groups) - len(without))
    yield Draft(CAVEAT, float(len(without)), rest, head, (text,) if why else ())


def parts(scene: Scene) -> Iterator[Draft]:
    """Say which groups repeat or begin others."""
    found = [group for group in scene.facts.groups if group.task.is_part]
    if not found:
        return
    whole = scene.facts.group(found[0].task.name)
    first, other = scene.called(found[0]), scene.called(whole)
    text = say(ASIDE[found[0].task.kind], group=first, other=other)
    head = say_count(
        "{some:cap} group repeats or begins another.",
        "{some:cap} groups repeat or begin others.",
        len(found),
        some=in_words(len(found)),
    )
    yield Draft(CAVEAT, float(len(found)), 1.0, head, (text,))
