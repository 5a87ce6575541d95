"""How far runs came, how far they should have come, and whether they are complete."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reportgen.records.run import FAILED, FINISHED, OPEN, Run, Runs, Series
from reportgen.records.study import GroupPlan, MetricPlan, Study, TrainPlan
from reportgen.stats import epochs_finished, evaluation_steps, runs_of_groups

# What runs say of their own training, in the terms of `[train]`.

_RATE = ("lr", "learning_rate")
_BATCH = ("batch_size", "max_sentences", "per_device_train_batch_size")
_ACCUMULATION = ("update_freq", "gradient_accumulation_steps")
_DEVICES = ("distributed_world_size", "world_size", "n_gpu")
_EPOCHS = ("max_epoch", "num_train_epochs", "max_epochs")
_STEPS = ("max_steps", "max_update")
_WARMUP_STEPS = ("warmup_updates", "warmup_steps")
_DECAY_END = "total_num_update"
_NOT_ON_A_GPU = ("use_cpu", "no_cuda", "cpu")


def number_of(config: Mapping[str, object], keys: tuple[str, ...]) -> float | None:
    """Return the first finite number under one of the keys; a list of one number counts.

    Example:
        >>> number_of({"lr": [1e-05]}, ("lr",)), number_of({"lr": "[1e-05]"}, ("lr",))
        (1e-05, 1e-05)
        >>> number_of({"lr": True, "learning_rate": "1e-4"}, ("lr", "learning_rate"))
        0.0001
    """
    values = (_number(config.get(key)) for key in keys)
    return next((value for value in values if value is not None), None)


def _number(value: object) -> float | None:
    if isinstance(value, str) and len(value) < 40:
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e18 else None


def planned_steps(run: Run, steps_per_epoch: int) -> int | None:
    """Return the updates that a run itself was started for, None where its log does not tell.

    A limit in steps goes before one in epochs. fairseq's `total_num_update` is the end of the
    schedule, not of the run, and is not looked at.
    """
    steps = number_of(run.config, _STEPS)
    if steps is not None and steps > 0:
        return math.ceil(steps)
    epochs = number_of(run.config, _EPOCHS)
    if epochs is None or epochs <= 0 or steps_per_epoch < 1:
        return None
    return math.ceil(epochs * steps_per_epoch)


def logged_device(run: Run) -> str:
    """Return `"cpu"` or `"cuda"` where a run's log tells on which it ran, else empty."""
    if any(run.config.get(key) is True for key in _NOT_ON_A_GPU):
        return "cpu"
    # fairseq logs free memory on a CUDA device only.
    return "cuda" if any(series.tag == "gb_free" for series in run.scalars.values()) else ""


def contradictions(
    run: Run, train: TrainPlan, *, steps_per_epoch: int, examples: int
) -> tuple[str, ...]:
    """Say in which settings a found run was clearly trained otherwise than `[train]` says.

    Args:
        run: A run that was found.
        train: What its group would be trained with now.
        steps_per_epoch: Its own; 0 where unknown.
        examples: Size of the training split; 0 where unknown.

    Example:
        >>> run = Run(id="a", group="a", seed=0, layout="", scalars={}, config={"lr": [1e-4]})
        >>> contradictions(run, TrainPlan(learning_rate=1e-5), steps_per_epoch=0, examples=0)
        ('logged learning rate 0.0001, [train] says 1e-05',)
    """
    batch = _batch(run.config, train.batch_size, steps_per_epoch, examples)
    pairs = (
        ("learning rate", number_of(run.config, _RATE), train.learning_rate),
        ("batch size", batch, float(train.batch_size)),
        ("epochs", _epochs(run.config, steps_per_epoch), float(train.epochs)),
    )
    notes = [
        f"logged {name} {logged:g}, [train] says {now:g}"
        for name, logged, now in pairs
        if logged is not None and not math.isclose(logged, now, rel_tol=1e-6)
    ]
    return (*notes, *_schedule(run, train, steps_per_epoch))


def _batch(
    config: Mapping[str, object], now: int, steps_per_epoch: int, examples: int
) -> float | None:
    """Return the examples of one update; None where that is not clear.

    A log names the batch of one device and seldom how many devices there were; only the
    updates that an epoch took tell.
    """
    own = number_of(config, _BATCH)
    if own is None or own < 1:
        return None
    devices = number_of(config, _DEVICES)
    size = own * (number_of(config, _ACCUMULATION) or 1) * (devices or 1)
    if steps_per_epoch and examples:
        if math.ceil(examples / now) == steps_per_epoch:
            return None
        return size if math.ceil(examples / size) == steps_per_epoch else None
    return None if devices is None and size < now and not now % size else size


def _epochs(config: Mapping[str, object], steps_per_epoch: int) -> float | None:
    """Return the epochs asked for; None where a limit in steps overrules them."""
    epochs, steps = number_of(config, _EPOCHS), number_of(config, _STEPS)
    if epochs is None or epochs <= 0:
        return None
    limited = steps is not None and steps > 0
    return None if limited and steps != math.ceil(epochs * steps_per_epoch) else epochs


def _schedule(run: Run, train: TrainPlan, steps_per_epoch: int) -> tuple[str, ...]:
    """Say where warm-up or the end of a linear schedule differ."""
    notes = []
    total = planned_steps(run, steps_per_epoch)
    ratio, steps = number_of(run.config, ("warmup_ratio",)), number_of(run.config, _WARMUP_STEPS)
    # The Hugging Face Trainer takes a share under this name as well.
    share = steps if steps is not None and 0 < steps < 1 else None if steps else ratio
    if share is not None and not math.isclose(share, train.warmup, rel_tol=1e-6):
        notes.append(f"logged warm-up share {share:g}, [train] says {train.warmup:g}")
    if steps is not None and steps >= 1 and total and abs(steps - train.warmup * total) > 1:
        notes.append(
            f"logged warm-up of {steps:g} of {total} steps, [train] says {train.warmup:g} of them"
        )
    end = number_of(run.config, (_DECAY_END,))
    falls = run.config.get("lr_scheduler") == "polynomial_decay" and train.schedule == "linear"
    if falls and end is not None and total and end > total:
        notes.append(f"logged rate falls to 0 at step {end:g}, that of [train] at its last")
    return tuple(notes)


_COUNTED = frozenset({"loss", "learning_rate", "grad_norm", "epoch"})
_ENDED = "train_runtime"
_RESULT_FILES = "_results.json"
_LOST = {FAILED: "its program failed", OPEN: "its end was not recorded"}
"""How a process ended that did not come to its end by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group with all that is needed to judge its runs.

    Attributes:
        plan: As declared, or with its name alone.
        runs: Its runs, in order of their paths.
        train: What it would be trained with; None where it cannot be trained.
        study: The study.
        epoch_steps: Updates of an epoch where a run does not tell its own; 0 where unknown.
        furthest: Updates of the run that came furthest, of those whose program did not fail and
            recorded its end, where it records any; 0 where there is none.
        evaluations: Split to the evaluations of the metric in the run that has most of them.
    """

    plan: GroupPlan
    runs: tuple[Run, ...]
    train: TrainPlan | None
    study: Study
    epoch_steps: int = 0
    furthest: int = 0
    evaluations: Mapping[str, int] = field(default_factory=dict)

    def steps_per_epoch(self, run: Run) -> int:
        """Return the updates of an epoch of a run: its own, its siblings', the study's; or 0."""
        return _own_epoch(run) or self.epoch_steps

    def reached(self, run: Run) -> int:
        """Return the updates that a run's log shows, 0 without any."""
        return updates_done(run, self.study.metric.name, self.steps_per_epoch(run))

    def trained_steps(self) -> int | None:
        """Return the updates that training a cell of this group takes; None where unknown."""
        if self.train is not None:
            # The batches of [train] may be others than those of the logs.
            count = _epoch_of(self.train, self.study) or self.epoch_steps
            if count:
                return count * self.train.epochs
        planned = (planned_steps(run, self.steps_per_epoch(run)) for run in self.runs)
        return max((steps for steps in planned if steps), default=self.furthest) or None

    def can_train(self, seed: int) -> bool:
        """Tell whether `[train]` makes a cell; without it any cell has its price."""
        has_start = self.train is not None and seed in self.plan.seeds
        return self.study.train is None or has_start

    def wanted(self, run: Run) -> tuple[int, ...]:
        """Return the numbers of updates of which each makes the run complete.

        That of `[train]` comes first, then that of the run's own settings: a found run that
        did all it was started for is complete, whatever `[train]` says. Only where neither is
        known, the furthest of its group counts, if there is one.
        """
        count = self.steps_per_epoch(run)
        asked = count * self.train.epochs if self.train is not None else 0
        known = tuple(steps for steps in (asked, planned_steps(run, count) or 0) if steps)
        return known or (self.furthest,)

    def near_end(self, run: Run) -> bool:
        """Tell whether no further evaluation was due between a run's last one and its end.

        Training seldom ends at the very step that was planned: an episode or a batch is finished.
        """
        metric = self.study.metric
        of_metric = [s for s in run.scalars.values() if s.metric == metric.name]
        series = (
            run.find(metric.name, metric.select_on)
            or run.find(metric.name, metric.report_on)
            # Where nothing is evaluated, what training logs of the metric tells its pace.
            or max(of_metric, key=len, default=None)
        )
        if series is None or len(series) < 2 or run.ended in _LOST:
            return False
        lacking = min(self.wanted(run)) - int(series.steps[-1])
        return 0 <= lacking < _interval(series)


def groups_of(study: Study, runs: Runs) -> dict[str, Group]:
    """Return every group by name; `[train]` speaks of those that have a start."""
    plans = {plan.name: plan for plan in study.groups}
    return {
        name: _group(study, plans.get(name, GroupPlan(name=name)), found)
        for name, found in runs_of_groups(study, runs).items()
    }


def _group(study: Study, plan: GroupPlan, runs: Sequence[Run]) -> Group:
    ordered = tuple(sorted(runs, key=lambda run: run.id))
    train = study.train if plan.start else None
    votes = Counter(count for run in ordered if (count := _own_epoch(run)))
    # The most frequent one, of equally frequent ones the smallest.
    usual = max(votes, key=lambda count: (votes[count], -count), default=study.steps_per_epoch)
    group = Group(
        plan=plan,
        runs=ordered,
        train=train,
        study=study,
        epoch_steps=usual or (_epoch_of(train, study) if train else 0),
        evaluations={
            split: most_evaluations(ordered, study.metric.name, split)
            for split in {study.metric.select_on, study.metric.report_on}
        },
    )
    whole = (run for run in ordered if run.ended not in _LOST)
    return replace(group, furthest=max(map(group.reached, whole), default=0))


def _own_epoch(run: Run) -> int:
    """Return the updates of an epoch by the clock of a run, 0 where it has none."""
    return 0 if run.clock is None else run.clock.steps_per_epoch


def _epoch_of(train: TrainPlan, study: Study) -> int:
    """Return the updates of an epoch of `[train]`, 0 where the data's size is unknown."""
    return math.ceil(study.split_sizes.get("train", 0) / train.batch_size)


def updates_done(run: Run, metric: str, steps_per_epoch: int) -> int:
    """Return how many updates a run's log shows, also where it counts them from 0."""
    last = last_step(run, metric)
    if last is None:
        return 0
    if steps_per_epoch < 1:
        return last
    evaluated = (s for s in run.scalars.values() if len(s) and s.split == "validation")
    series = max(evaluated, key=len, default=None)
    if series is None:
        return last
    return max(last, round(epochs_finished(series, last, steps_per_epoch) * steps_per_epoch))


def last_step(run: Run, metric: str) -> int | None:
    """Return the last step of a run's metric, losses and rates; None for an empty log.

    Other tags may count something else than updates: Keras logs batches beside epochs.
    """
    everything = [s for s in run.scalars.values() if len(s)]
    counted = [s for s in everything if s.metric == metric or s.metric in _COUNTED]
    return max((int(s.steps[-1]) for s in counted or everything), default=None)


def ended_by_itself(run: Run, last: int) -> bool:
    """Tell whether a program recorded the end of training, also by early stopping.

    The Hugging Face Trainer logs it once the loop is left. Its result files have no steps and
    prove nothing.
    """
    return run.ended == FINISHED or any(
        series.tag.endswith(_ENDED) and len(series) and int(series.steps[-1]) >= last
        for series in run.scalars.values()
        if not series.path.endswith(_RESULT_FILES)
    )


def _interval(series: Series) -> int:
    """Return how many steps usually lie between two evaluations, 0 where that is unknown."""
    steps = [int(step) for step in series.steps]
    gaps = sorted(b - a for a, b in zip([0, *steps], steps, strict=False) if b > a)
    return gaps[len(gaps) // 2] if gaps else 0


def diverged_at(run: Run) -> int | None:
    """Return the step from which on a run's loss is no number to its end; None for a sound run.

    A single infinite loss that a run recovers from is none. Where the Hugging Face Trainer
    filters such losses it logs 0.0, and only the norm of the gradient tells.

    Source:
        `TrainingArguments.logging_nan_inf_filter` of transformers.
    """
    norms = run.find("grad_norm", "train")
    broken = {int(s) for s, value in norms.points() if not math.isfinite(value)} if norms else set()
    starts = []
    for split in ("train", "validation"):
        series = run.find("loss", split)
        start = None
        for step, value in reversed(list(series.points()) if series else []):
            lost = not math.isfinite(value) or (value == 0.0 and step in broken)
            if not lost:
                break
            start = step
        if start is not None:
            starts.append(start)
    return min(starts, default=None)


def most_evaluations(runs: Sequence[Run], metric: str, split: str) -> int:
    """Return the number of evaluations of the run that has most of them."""
    series = (run.find(metric, split) for run in runs)
    return max((len(s) for s in series if s is not None), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a run's logs say of it: done, partial or failed, why, and after how many updates."""

    state: str
    reason: str
    steps: int


def judge(run: Run, group: Group, *, selectable: bool) -> Verdict:
    """Say whether a found run is complete: at its last step, and no evaluation is lacking.

    Where no run of the study was evaluated on the selection split, so that none is `selectable`,
    that cannot be what this one lacks.
    """
    steps, last = group.reached(run), last_step(run, group.study.metric.name)
    if last is None:
        return Verdict(state="partial", reason="its logs hold no step", steps=0)

    def verdict(state: str, *reasons: str) -> Verdict:
        return Verdict(state=state, reason="; ".join((*reasons, *_notes(run, group))), steps=steps)

    broken = diverged_at(run)
    if broken is not None:
        return verdict("failed", f"it diverged: from step {broken} on its loss is no number")
    wanted, by_itself = group.wanted(run), ended_by_itself(run, last)
    is_short, lost = steps < min(wanted), _LOST.get(run.ended, "")
    unsure = bool(lost) and not min(wanted)
    if (is_short or unsure) and not by_itself and not group.near_end(run):
        stops = f"it stops at step {steps}" + ("" if unsure else f" of {wanted[0]}")
        evaluated = evaluation_steps(run, group.study.metric)
        at = f"last evaluation at step {evaluated[-1]}" if evaluated else "it was never evaluated"
        return verdict("partial", stops, *([lost] if lost else []), at)
    lacking = _lacking(run, group, last, selectable=selectable)
    if lacking:
        return verdict("partial", f"it reaches step {steps}, but {lacking}")
    if not is_short:
        return verdict("done", f"it reaches its last step, {steps}")
    if by_itself:
        return verdict("done", f"its training ended by itself at step {steps} of {wanted[0]}")
    near = f"it ends at step {steps} of {wanted[0]}, within one evaluation of the end"
    return verdict("done", near)


def _notes(run: Run, group: Group) -> tuple[str, ...]:
    """Return what a found run was trained otherwise than `[train]` would train it."""
    if group.train is None:
        return ()
    examples, count = group.study.split_sizes.get("train", 0), group.steps_per_epoch(run)
    return contradictions(run, group.train, steps_per_epoch=count, examples=examples)


def _lacking(run: Run, group: Group, last: int, *, selectable: bool) -> str:
    """Return which evaluation is not there though it was due, empty where none is lacking."""
    metric = group.study.metric
    evaluated = {series.split for series in run.scalars.values() if len(series)}
    needed = []
    # A program that evaluates other things on that split, and trains no other way, lacks nothing.
    if group.evaluations[metric.select_on] or (
        selectable and (group.train is not None or metric.select_on not in evaluated)
    ):
        needed.append(metric.select_on)
    if metric.report_on not in needed and group.evaluations[metric.report_on]:
        needed.append(metric.report_on)
    for split in needed:
        series = run.find(metric.name, split)
        if series is None or not len(series):
            return f"{metric.name} on {split} was never logged"
        # Where no run of the group has more than one evaluation, that is at the end.
        end = int(series.steps[-1])
        if group.evaluations[split] > 1 and end < last and last - end >= _interval(series):
            return f"its last {metric.name} on {split} is at step {end}"
    return ""


def is_selectable(runs: Runs, metric: MetricPlan) -> bool:
    """Tell whether any run was evaluated on the selection split."""
    return most_evaluations(runs.runs, metric.name, metric.select_on) > 0


def finished(group: Group, runs: Runs) -> tuple[Run, ...]:
    """Return the complete runs of a group, one of all runs of the study."""
    selectable = is_selectable(runs, group.study.metric)
    return tuple(
        run for run in group.runs if judge(run, group, selectable=selectable).state == "done"
    )
