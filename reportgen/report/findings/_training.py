"""Findings on how training went, on runs that went nowhere, and on what groups differ in."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from reportgen.languages import message, noun, say, say_count
from reportgen.records.document import Code, Number, Text
from reportgen.records.facts import GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.record import record
from reportgen.records.run import Run, Series
from reportgen.report._focus import settings_between
from reportgen.report._run_readings import (
    count_updates,
    last_step,
    length_of,
    lost_curve,
    made,
    rates_of,
    runs_of,
    seconds_of,
)
from reportgen.report.findings._scene import CAVEAT, CONCLUSION, MOST_GROUPS, OTHER, Draft, Scene
from reportgen.report.names import cell_key
from reportgen.report.numbers import of_evaluation, of_point, step_number
from reportgen.report.phrases import in_words, joined
from reportgen.stats import epoch_of, finite_mask, mean_of

SHORT = 0.95
"""A run that makes less than this share of its plan stopped before its end."""
HIGH = 0.2
"""A learning rate that ends at this share of its peak, or above, did not come down."""
_SAME = 0.01
"""Learning rates that differ by less than this share are one, as they are printed."""
_NOISE = {True: 0.1, False: 0.5}  # (the learning rate is high): to stop early is often meant


@record(kw_only=False)
class _Plan:
    """What one run was planned for and what it did, and its last learning rate and its peak."""

    length: tuple[Quantity, Quantity] | None
    rate: tuple[Quantity, Quantity] | None

    @property
    def left(self) -> float:
        return 1 - self.length[1].value / self.length[0].value if self.length else 0.0

    @property
    def share(self) -> float:
        return self.rate[0].value / self.rate[1].value if self.rate else 0.0


def schedule(scene: Scene) -> Iterator[Draft]:
    """Say that training stopped before its schedule did, and how high the learning rate was."""
    plans = [_Plan(length_of(r), rates_of(r)) for group in scene.groups for _, r in runs_of(group)]
    if len({(round(plan.left, 2), round(plan.share, 2)) for plan in plans}) != 1:
        return
    plan = plans[0]
    short, high = plan.left > 1 - SHORT, plan.share >= HIGH
    # The sentence on the rate goes on from the head, which is about it where it was high.
    sentences = [_rate(scene, plans)] if high else []
    sentences += [_stopped(*plan.length)] if short and plan.length else []
    if not sentences:
        return
    if scene.pair is not None:
        sentences.append(say("Both groups had the same schedule."))
    head = say(
        "The learning rate was still high at the end." if high else "Training stopped early."
    )
    effect = max(plan.left, plan.share)
    yield Draft(CAVEAT, effect, _NOISE[high], head, tuple(sentences))


def _stopped(planned: Quantity, ran: Quantity) -> Text:
    return say(
        "The schedule was set for {planned} updates but training stopped at {made}."
        if ran.unit == "step"
        else "Training was planned for {planned} epochs and stopped after {made}.",
        planned=step_number("findings.schedule.planned", planned),
        made=step_number("findings.schedule.made", ran)
        if ran.unit == "step"
        else Number(
            id="findings.schedule.made",
            quantity=ran,
            decimals=0 if float(ran.value).is_integer() else 1,
        ),
    )


def _rate(scene: Scene, plans: Sequence[_Plan]) -> Text:
    """Say where the learning rate ended; of runs with unlike rates the share that is alike."""
    ends = [plan.rate for plan in plans if plan.rate]
    end, top = ends[0]
    words, formula = message("last learning rate over its peak"), f"{end.value!r} / {top.value!r}"
    part = made(plans[0].share, words, end.sources + top.sources, "fraction", formula)
    # A log that begins after the warm-up does not hold the peak.
    asked = top.method != end.method
    if any(not math.isclose(one.value, end.value, rel_tol=_SAME) for one, _ in ends):
        return say(
            "It ended at {share} of its peak in every run."
            if asked
            else "It ended at {share} of the highest that was logged in every run.",
            share=_share(part),
        )
    one = scene.one_of_many
    return say(
        "It ended at {end}{run}, {share} of its peak."
        if asked
        else "It ended at {end}{run}, {share} of the highest that was logged.",
        run=say(" in {group}", group=one) if one else "",
        end=Number(id="findings.schedule.rate", quantity=end, style="scientific", decimals=1),
        share=_share(part),
    )


def _share(part: Quantity) -> Number:
    return Number(id="findings.schedule.share", quantity=part, style="percent_sign", decimals=0)


SLOWER = 1.5
"""From so many times the seconds on, one group takes longer: its shortest run, than any other.

Where one was trained longer, that counts a step.
"""


def _seconds(group: GroupResult) -> tuple[list[float], Quantity] | None:
    found = [one for _, run in runs_of(group) if (one := seconds_of(run)) is not None]
    if not found or len({one.method for one in found}) > 1:
        return None
    mean = mean_of([one.value for one in found])
    words = message("mean of {what} over {n} runs", what=found[0].method, n=len(found))
    quantity = made(mean, words, [e for one in found for e in one.sources], "seconds")
    return sorted(one.value for one in found), quantity


def time(scene: Scene) -> Iterator[Draft]:
    """Say that the runs of one group take longer than those of the other."""
    groups = scene.pair.groups if scene.pair else ()
    found = [(one, group) for group in groups if (one := _seconds(group)) is not None]
    if len(found) < 2:
        return
    found.sort(key=lambda one: one[0][1].value)
    ((low, short), quick), ((high, long), slow) = found
    # Shorter ones are those of a test, or times that nobody logged.
    if not (short.value >= 1 and math.isfinite(long.value) and high[0] >= SLOWER * low[-1]):
        return
    sizes = _sizes([size for group in (quick, slow) if (size := _length(scene, group))])
    if len(sizes) == len(found) and long.value / short.value < SLOWER * sizes[1] / sizes[0]:
        return
    words, formula = message("quotient of the times"), f"{long.value!r} / {short.value!r}"
    ratio = made(long.value / short.value, words, long.sources + short.sources, "", formula)
    head = say(
        "{slow:cap} takes {ratio} times as long as {quick}.",
        slow=scene.called(slow),
        quick=scene.called(quick),
        ratio=Number(id="findings.time.ratio", quantity=ratio, decimals=1),
    )
    text = say(
        "A run takes {long} s against {short} s.",
        long=Number(id="findings.time.long", quantity=long, decimals=0),
        short=Number(id="findings.time.short", quantity=short, decimals=0),
    )
    yield Draft(CAVEAT, ratio.value - 1, 1.0, head, (text,))


STILL = 0.05
"""A run never learnt that gains less than this share of what another gained, and of its start."""


def dead_runs(scene: Scene) -> list[tuple[GroupResult, RunResult]]:
    """Return the runs that never learnt: they gained next to nothing where another one did.

    What begins as high as another one ends had nothing to gain.
    """
    found: set[int] = set()
    for family in scene.families():
        gains = [gain for group in family for gain in _gains(scene, group)]
        most = max((gain for _, gain, _ in gains), default=0.0)
        top = max((start + gain for _, gain, start in gains), default=0.0)
        found |= {
            id(cell)
            for cell, gain, start in gains
            if gain < STILL * min(most, abs(start))
            and top - start - gain > most / 2
            and not _fits(cell.run)
        }
    return [(group, c) for group in scene.facts.groups for c in group.cells if id(c) in found]


def _gains(scene: Scene, group: GroupResult) -> Iterator[tuple[RunResult, float, float]]:
    """Yield the runs of a group, what their best evaluation is above the first, and the first."""
    name, select = scene.facts.study.metric.name, scene.facts.study.metric.select_on
    for cell, run in runs_of(group):
        series = run.find(name, select) or run.find(name, group.report_split)
        if series is not None and len(series) > 2 and finite_mask(series).all():
            values = scene.sign * series.values.astype(float)
            yield cell, float(values.max() - values[0]), float(values[0])


def _fits(run: Run | None) -> bool:
    """Return whether the training loss of a run falls, whatever its evaluations do."""
    loss = run.find("loss", "train") if run is not None else None
    if loss is None or not finite_mask(loss).all():
        return False
    first, last = float(loss.values[0]), float(loss.values[-1])
    return first - last >= STILL * abs(first)


def dead(scene: Scene) -> Iterator[Draft]:
    """Say which runs never learnt, and what the only one reaches that did."""
    still = dead_runs(scene)
    if not still:
        return
    cells = [(g, c) for g in scene.facts.groups for c in g.cells]
    known = [(g, c) for g, c in cells if isinstance(c.report_value, Quantity)]
    rest = [(g, c) for g, c in known if not any(c is one for _, one in still)]
    names = scene.named(_names(scene, still))
    sentences = [say("In {runs} no value is clearly better than the first.", runs=names)]
    if len(rest) == 1:
        value = scene.value("findings.dead.other", rest[0][1].report_value)
        sentences.append(
            say("Only {run} learns: it reaches {value}.", run=scene.run(*rest[0]), value=value)
        )
    sentences += _apart(scene, still)
    head = say_count(
        "{some:cap} of {all} runs never learns.",
        "{some:cap} of {all} runs never learn.",
        len(still),
        some=in_words(len(still)),
        all=in_words(len(known)),
    )
    about = CONCLUSION if len(still) * 2 > len(known) else CAVEAT
    yield Draft(about, 1.0, STILL, head, tuple(sentences), CAVEAT)


def _names(scene: Scene, some: Sequence[tuple[GroupResult, RunResult]]) -> list[Text]:
    """Return what some runs are called: as their group, where they are all of it."""
    found: dict[str, Text] = {}
    for group, cell in some:
        own = sum(one is group for one, _ in some)
        whole = own == len(group.cells) > 1
        all_of = say("all {n} runs of {group}", n=in_words(own), group=scene.called(group))
        key = group.name if whole else f"{group.name}/{cell_key(group, cell)}"
        found.setdefault(key, all_of if whole else scene.run(group, cell))
    return [*found.values()]


MOST_SETTINGS = 2
"""Settings that are named in which runs that learnt differ from those that did not."""


def _apart(scene: Scene, still: Sequence[tuple[GroupResult, RunResult]]) -> list[Text]:
    """Say which settings all runs share that never learnt, and none that did."""
    ids = {id(cell) for _, cell in still}
    lost = [g for g in scene.known() if all(id(cell) in ids for cell in g.cells)]
    rest = [g for g in scene.known() if not any(id(cell) in ids for cell in g.cells)]
    if not rest or len(lost) + len(rest) < len(scene.known()) or len(lost) < MOST_SETTINGS:
        return []
    texts: list[Text] = [
        say(
            "{setting} {value} (not {other})",
            setting=Code(key),
            value=Code(own),
            other=Code(other),
        )
        for key, own, other in settings_between(lost, rest)
    ]
    shown = texts if len(texts) <= MOST_SETTINGS + 1 else texts[:MOST_SETTINGS]
    told = say(
        "Those that never learn have {settings}."
        if len(texts) == 1
        else "Those that never learn have {settings}; as these go together, none can be named the "
        "cause."
        if shown is texts
        else "Those that never learn have {settings}, among other differences; none alone can be "
        "named the cause.",
        settings=joined(shown),
    )
    return [told] if texts else []


@record(kw_only=False)
class _Lost:
    """A run that ends in values that are not finite: its first such curve, and from where on."""

    group: GroupResult
    cell: RunResult
    run: Run
    series: Series
    step: int


def lost_runs(scene: Scene) -> list[_Lost]:
    """Return the runs that end in values that are not finite."""
    return [
        _Lost(group, cell, run, lost.series, lost.step)
        for group in scene.facts.groups
        for cell, run in runs_of(group)
        if (lost := lost_curve(run, scene.facts.study.metric)) is not None
    ]


def diverged(scene: Scene) -> Iterator[Draft]:
    """Say which runs end in values that are not finite."""
    found = lost_runs(scene)
    if not found:
        return
    curves: dict[tuple[str, str], list[_Lost]] = {}
    for one in found:
        curves.setdefault((one.series.split, one.series.metric), []).append(one)
    sentences = [_ends(scene, curve, ours) for curve, ours in curves.items()][:2]
    chosen = [(one, one.cell.best_step) for one in found]
    before = [isinstance(at, Quantity) and at.value < one.step for one, at in chosen]
    valued = sum(isinstance(one.cell.report_value, Quantity) for one in found)
    if valued and sum(before) == valued and not scene.facts.selection.is_last:
        after = say_count(
            "Its result is that of its best evaluation before.",
            "Their results are those of their best evaluations before.",
            valued,
        )
        sentences.append(after)
    about = CAVEAT if any(one.group in scene.groups for one in found) else OTHER
    yield Draft(about, float(len(found)), 0.1, _unstable(scene, found), tuple(sentences), CAVEAT)


def _unstable(scene: Scene, found: Sequence[_Lost]) -> Text:
    some, group = in_words(len(found)), found[0].group
    if len(group.cells) > 1 and all(one.group is group for one in found):
        return say_count(
            "{group:cap} is unstable: {some} of its {all} runs diverges.",
            "{group:cap} is unstable: {some} of its {all} runs diverge.",
            len(found),
            group=scene.called(group),
            some=some,
            all=in_words(len(group.cells)),
        )
    return say_count("{some:cap} run diverges.", "{some:cap} runs diverge.", len(found), some=some)


def _ends(scene: Scene, curve: tuple[str, str], found: Sequence[_Lost]) -> Text:
    """Say in which runs a curve is lost, and from where on."""
    words = message("first step from which no value is finite")
    told: list[Text] = []
    for one in found:
        at = made(one.step, words, of_point(one.run, one.series, one.step), "step")
        key = scene.key("diverged", one.group, f"{cell_key(one.group, one.cell)}.step")
        when = scene.when(key, one.run, at)
        told.append(say("{run} from {step} on", run=scene.run(one.group, one.cell), step=when))
    return say(
        "The {split} {metric} is NaN or infinite in {runs}.",
        split=noun("training" if curve[0] == "train" else curve[0]),
        metric=noun(curve[1]),
        runs=scene.named(told),
    )


# --- how long groups were trained ----------------------------------------------------


LONGER = 1.5
"""From so many times the length on, two groups were trained for unlike lengths."""


@record(kw_only=False)
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
        sentences = [_last_evaluations(scene, order)]
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


def _last_evaluations(scene: Scene, order: Sequence[_Length]) -> Text:
    few = len(order) <= MOST_GROUPS
    shown: dict[float, list[_Length]] = {}
    for one in order if few else [order[0], order[-1]]:
        shown.setdefault(one.epochs or float(one.step.value), []).append(one)
    texts = [
        say(
            "{moment} ({group})",
            moment=scene.when(
                scene.key("lengths", same[0].group, "last"), same[0].run, same[0].step
            ),
            group=joined([(scene.called(one.group),) for one in same]),
        )
        for same in shown.values()
    ]
    if not few:
        return say(
            "Their last evaluations lie between {first} and {last}.", first=texts[0], last=texts[1]
        )
    return say("Their last evaluations are at {moments}.", moments=joined(texts))
