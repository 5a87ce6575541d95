"""Logs and a study, put together: runs with groups and seeds, and the study filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from reportgen.records.record import replace
from reportgen.records.run import Log, Run, Runs
from reportgen.records.source import natural_key
from reportgen.records.study import Decision, GroupPlan, Study
from reportgen.runs._drafts import drafts_of
from reportgen.runs._findings import direction_problems, doubtful_problems, with_findings
from reportgen.runs._groups import (
    Grouping,
    Member,
    group_runs,
    plan_groups,
    read_evidence,
    read_stated,
    rename_declared,
    repeats_decision,
    unread_seeds,
)
from reportgen.runs._layout import count_once, folders_above, leaf, safe_key
from reportgen.runs._parts import EXACTLY, settle_copies
from reportgen.runs._splits import split_decisions, split_sizes, used_names
from reportgen.runs._study import (
    explain_foreign,
    fill_metric,
    name_metric,
    settle_rivals,
    tables_told,
    without_foreign,
)
from reportgen.runs._units import Units, choose_unit, decide_units, result_with_unit, with_unit
from reportgen.runs._words import decided, joined, told
from reportgen.runs.series import (
    KERAS_EPOCHS,
    Counting,
    clock_of,
    group_by,
    shared_countings,
    shared_steps_per_epoch,
)

_WEIGHTS = (".pt", ".pth", ".bin", ".safetensors", ".gguf", ".ckpt")


def assemble(
    logs: Sequence[Log], files: Sequence[str], study: Study, root: str
) -> tuple[Runs, Study]:
    """Put logs together into runs, and fill every empty field of a study.

    What the study states stays; the rest is inferred, and each inference is a `Decision`
    that names the key which overrides it. The order of `logs` changes nothing. The runs are
    sorted by group (declared ones first), seed and id.

    Args:
        logs: What the loaders found.
        files: Paths of every file of use below the root.
        study: The study, or an empty one.
        root: The folder as the user named it.

    Raises:
        StudyError: The study's pattern is no regular expression with a group named `group`
            or `seed`.
        UnknownNameError: The study's layout is not in the table.
    """
    keyed = [replace(log, run_key=safe_key(log.run_key)) if log.run_key else log for log in logs]
    logs = sorted(keyed, key=lambda log: (natural_key(log.source.path), log.run_key))
    as_stated, study = study, without_foreign(study)
    root_name = leaf(root.rstrip("/")) or "run"
    drafts, loose = drafts_of(logs, study, root_name)
    evidence = read_evidence(drafts, study.groups)
    grouping = group_runs(evidence, root_name, study.repeats)
    grouped = repeats_decision(study, evidence, root_name, grouping)
    members, read = read_stated(_without_copies(grouping, study.groups), study.groups)
    planned = plan_groups(study, members)
    order = {plan.name: index for index, plan in enumerate(planned.groups)}
    members.sort(
        key=lambda m: (order[m.group], m.seed is None, m.seed or 0, natural_key(m.draft.id))
    )
    metric = name_metric(study.metric, members)
    rivals = settle_rivals(members, metric)
    units = decide_units(members, metric)
    runs = tuple(_runs_of(members, units, files))
    tables, named = tables_told(logs)
    more = [*named, *grouped, *planned.decisions, *rivals]
    filled = explain_foreign(_fill(study, runs, (members, units), more), as_stated, study)
    runs = with_findings(runs, filled.metric)
    problems = (
        *loose,
        *grouping.problems,
        *read,
        *planned.problems,
        *unread_seeds(planned.groups, runs),
        *units.problems,
        *direction_problems(filled.metric, filled.decisions),
        *doubtful_problems(runs),
    )
    return (
        Runs(root=root, runs=runs, problems=problems, files=tuple(files)),
        replace(filled, groups=tuple(planned.groups), tables=(*study.tables, *tables)),
    )


def _without_copies(grouping: Grouping, plans: Sequence[GroupPlan]) -> list[Member]:
    """Leave copies inside a group out, and say of those in another group that both have them."""
    for copy, run in grouping.copies:
        count_once(run, copy, EXACTLY)
    members = rename_declared(grouping.members, plans)
    gone = settle_copies([(member.draft, member.group) for member in members])
    return [member for member in members if id(member.draft) not in gone]


def _fill(
    study: Study,
    runs: Sequence[Run],
    measured: tuple[Sequence[Member], Units],
    more: Sequence[Decision],
) -> Study:
    """Fill everything but the groups, in the order of the study file."""
    metric, metric_decisions = fill_metric(study, runs)
    unit, unit_decisions = choose_unit(metric, *measured)
    metric = replace(metric, unit=unit)
    epochs, why = shared_steps_per_epoch([run.clock for run in runs])
    epoch_decision = decided("epochs.steps_per_epoch", str(epochs) if epochs else "", why)
    sizes = {k: size for k, size in split_sizes(runs).items() if k not in study.split_sizes}
    return replace(
        study,
        metric=metric,
        split_names={**used_names(runs), **study.split_names},
        split_sizes={**study.split_sizes, **sizes},
        steps_per_epoch=study.steps_per_epoch or epochs,
        decisions=(
            *study.decisions,
            *_layout_decisions(study, runs),
            *more,
            *metric_decisions,
            *unit_decisions,
            *split_decisions(study, metric.name, runs),
            *(decided(f"splits.sizes.{k}", str(n), told("split_size")) for k, n in sizes.items()),
            *(() if study.steps_per_epoch else (epoch_decision,)),
        ),
    )


def _runs_of(members: Sequence[Member], units: Units, files: Iterable[str]) -> Iterator[Run]:
    """Yield the runs, each with the weights below its folders; the root is an empty name."""
    named = [name for name in files if name.endswith(_WEIGHTS)]
    weights = [(folder, name) for name in named for folder in folders_above(name)]
    below = group_by(weights, lambda one: one[0])
    counted = [(m.draft.layout, m.group, m.draft.scalars) for m in members]
    for member, counting in zip(members, shared_countings(counted), strict=True):
        places = (member.draft.place, *member.draft.resumed)
        own = [below.get("" if place == "." else place, []) for place in places]
        yield _run_of(member, units, [name for several in own for _, name in several], counting)


def _run_of(member: Member, units: Units, weights: Iterable[str], counting: Counting) -> Run:
    draft = member.draft
    in_epochs = draft.layout == "keras" and any(
        series.tag.startswith(KERAS_EPOCHS) for series in draft.scalars.values()
    )
    return Run(
        id=draft.id,
        group=member.group,
        seed=member.seed,
        layout=draft.layout,
        scalars={key: with_unit(series, draft.id, units) for key, series in draft.scalars.items()},
        config=draft.config,
        checkpoints=tuple(weights),
        problems=tuple(dict.fromkeys(draft.problems)),
        sources=tuple(draft.sources),
        results=tuple(result_with_unit(one, draft.id, units) for one in draft.results),
        ended=draft.ended,
        clock=clock_of(draft.scalars, draft.config, in_epochs=in_epochs, counting=counting),
    )


def _layout_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    if study.layout:
        return []
    counted = Counter(run.layout for run in runs)
    each = [
        told("layout_runs", layout=name, runs=told.counted("one_run", "some_runs", count))
        for name, count in counted.items()
    ]
    reason = told("recognised", layouts=joined("comma", each) if each else told("no_run"))
    value = next(iter(counted), "") if len(counted) == 1 else ""
    return [decided("runs.layout", value, reason)]
