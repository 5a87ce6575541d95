"""What the logs themselves show of a run's length: steps, epochs, steps an epoch, batches."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import product

from reportgen.checks._reading import Reading, plain_value
from reportgen.records.facts import Facts
from reportgen.records.quantity import Evidence
from reportgen.records.run import Run
from reportgen.stats import epoch_of_step

_DEVICES = (1, 2, 4, 8)
"""Numbers of devices that a batch may have been spread over, where no log tells."""


def progress_readings(facts: Facts | None, key: str) -> list[Reading]:
    """Return what follows from the logged series and the study for a setting, each value once."""
    if facts is None:
        return []
    found = {
        "max_steps": _last_steps,
        "num_train_epochs": _epochs,
        "steps_per_epoch": _steps_per_epoch,
        "warmup_ratio": _warmup,
        "learning_rate": _rates,
        "effective_batch_size": _batches,
        "batch_size": _batches,
    }
    sizes = {f"{split}_examples": split for split in ("train", "validation", "test")}
    if key in sizes:
        return _examples(facts, sizes[key])
    readings = found[key](facts) if key in found else ()
    once: dict[object, Reading] = {}
    for reading in readings:
        once.setdefault(reading.value, reading)
    return list(once.values())


def _last_steps(facts: Facts) -> Iterator[Reading]:
    for run in facts.runs:
        last = max((int(s.steps[-1]) for s in run.scalars.values() if len(s)), default=0)
        if last:
            yield Reading(
                value=Decimal(last),
                where=f"the last logged step of {run.id or 'the run'} is {last}",
                evidence=(_cite(run, "step", last),),
                derived=True,
            )


def _epochs(facts: Facts) -> Iterator[Reading]:
    for run in facts.runs:
        ends = (
            epoch_of_step(run, series, int(series.steps[-1]), facts.study)
            for series in run.scalars.values()
            if len(series)
        )
        last = max((end for end in ends if end is not None), default=0.0)
        # Epoch 0 is that of runs whose logs do not tell.
        if last > 0:
            yield Reading(
                value=Decimal(str(last)).normalize(),
                where=f"{run.id or 'the run'} logs {last:g} epochs",
                derived=True,
            )


def steps_per_epoch(facts: Facts) -> Decimal | None:
    """Return the optimizer steps of one epoch where the study knows them."""
    count = facts.study.steps_per_epoch
    return Decimal(count) if count else None


def _steps_per_epoch(facts: Facts) -> Iterator[Reading]:
    count = steps_per_epoch(facts)
    if count:
        cited = facts.study.cite("epochs.steps_per_epoch", int(count))
        yield Reading(value=count, where=f"an epoch has {count} steps", evidence=(cited,))
    for group in facts.groups:
        for row in group.epochs[:1]:
            if row.epoch and not row.step % row.epoch:
                each = Decimal(row.step) / Decimal(str(row.epoch))
                yield Reading(
                    value=each.normalize(), where=f"{group.name} logs an epoch every {each:f} steps"
                )


def _warmup(facts: Facts) -> Iterator[Reading]:
    """Yield warm-up as a share: of the steps that were planned, of those that were made."""
    for run in facts.runs:
        steps = _number(run, "warmup_updates", "warmup_steps", "num_warmup_steps")
        if steps is None:
            continue
        if steps < 1:
            yield Reading(value=steps, where=f"{run.id} has warmup_steps = {steps}")
            continue
        last = max((int(s.steps[-1]) for s in run.scalars.values() if len(s)), default=0)
        for total in (
            _number(run, "total_num_update"),
            _number(run, "max_steps", "max_update"),
            last,
        ):
            if total and total > 0:
                yield Reading(
                    value=steps / Decimal(total),
                    where=f"{run.id} warms up over {steps:f} of {total} steps",
                    evidence=(_cite(run, "warmup", int(steps)),),
                    derived=True,
                )


def _rates(facts: Facts) -> Iterator[Reading]:
    """Yield the largest and the last logged learning rate of each run."""
    for run in facts.runs:
        name = run.id or "the run"
        for series in run.scalars.values():
            values = [value for _, value in series.points() if value > 0]
            if series.metric != "learning_rate" or not values:
                continue
            for what, value in (("largest", max(values)), ("last", values[-1])):
                where = f"the {what} learning rate that {name} logs is {value:.4g}"
                yield Reading(value=Decimal(str(value)), where=where, derived=True)


def _batches(facts: Facts) -> Iterator[Reading]:
    """Yield batches over devices and accumulated steps, and the one that the steps lead to."""
    train, steps = facts.study.split_sizes.get("train"), steps_per_epoch(facts)
    if train and steps:
        size = Decimal(-(-train // int(steps)))
        yield Reading(value=size, where=f"{train} examples in {steps} steps are batches of {size}")
    for run in facts.runs:
        batch = _number(run, "per_device_train_batch_size", "batch_size", "max_sentences")
        if batch is None:
            continue
        times = _number(run, "gradient_accumulation_steps", "update_freq") or Decimal(1)
        known = train and steps
        for factor, devices in product({Decimal(1), times}, (1,) if known else _DEVICES):
            size = batch * factor * devices
            where = f"{run.id or 'the run'} has batches of {batch}"
            where += f" over {factor} accumulated steps" if factor != 1 else ""
            where += f" on {devices} devices" if devices > 1 else ""
            yield Reading(value=size, where=where, evidence=(_cite(run, "batch_size", int(batch)),))


def _examples(facts: Facts, split: str) -> list[Reading]:
    size = facts.study.split_sizes.get(split)
    if not size:
        return []
    tag = f"splits.sizes.{split}"
    cited = facts.study.cite(tag, size)
    return [Reading(value=Decimal(size), where=f"the study has {tag} = {size}", evidence=(cited,))]


def _number(run: Run, *names: str) -> Decimal | None:
    """Return the first number that a run's configuration has under these names."""
    values = (plain_value(run.config.get(name)) for name in names)
    return next((v for v in values if isinstance(v, Decimal)), None)


def _cite(run: Run, tag: str, value: int) -> Evidence:
    path = run.sources[0].path if run.sources else run.id
    return Evidence(path=path, tag=tag, value=value, run=run.id)
