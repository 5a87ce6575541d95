"""Logs and a study, put together: runs with groups and seeds, and the study filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem, Run, Runs
from reportgen.records.study import Decision, GroupPlan, Study
from reportgen.runs._drafts import (
    Stated,
    claim_logs,
    compile_pattern,
    draft_runs,
    nested_splits,
    owned_folders,
    quieten,
    read_pattern,
    split_files,
    state_groups,
)
from reportgen.runs._findings import (
    direction_problems,
    doubtful_problems,
    with_findings,
    without_means,
)
from reportgen.runs._groups import (
    NONE,
    Grouping,
    Member,
    group_runs,
    read_evidence,
    rename_declared,
)
from reportgen.runs._layout import (
    COMMA,
    Draft,
    Names,
    count_once,
    counted_runs,
    decided,
    folders_above,
    joined,
    leaf,
    parent,
    safe_key,
)
from reportgen.runs._parts import EXACTLY, join_resumed, settle_copies
from reportgen.runs._plans import (
    plan_groups,
    read_stated,
    repeats_decision,
    unread_seeds,
)
from reportgen.runs._repeats import absorb_repeats
from reportgen.runs._seeds import config_of, without_seeds
from reportgen.runs._splits import (
    label_program_tags,
    split_decisions,
    split_names_of,
    state_splits,
    used_names,
)
from reportgen.runs._study import (
    explain_foreign,
    fill_metric,
    name_metric,
    settle_rivals,
    without_foreign,
)
from reportgen.runs._tables import tables_told
from reportgen.runs._units import (
    Units,
    choose_unit,
    decide_units,
    result_with_unit,
    with_unit,
)
from reportgen.runs.clock import (
    KERAS_EPOCHS,
    Counting,
    clock_of,
    shared_countings,
    shared_steps_per_epoch,
)
from reportgen.runs.series import group_by

HYDRA = "/.hydra/"
"""Folder in which Hydra keeps the settings of the run in whose folder it lies."""

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
    drafts, loose = _draft_all(logs, study, root_name)
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
    told = [*named, *grouped, *planned.decisions, *rivals]
    filled = explain_foreign(_fill(study, runs, (members, units), told), as_stated, study)
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


def _draft_all(
    logs: Sequence[Log], study: Study, root_name: str
) -> tuple[list[Draft], list[Problem]]:
    """Return the runs of every layout, and what is wrong with files that are of none.

    They have no groups unless the study's pattern states them.
    """
    pattern = compile_pattern(study.pattern)
    stated: Stated = {}
    drafts: list[Draft] = []
    for layout, claimed in claim_logs(logs, study.layout):
        names: Names = split_names_of(layout.name, claimed, study)
        nested = {
            **(split_files(claimed, names) if layout.name == "plain" else {}),
            **owned_folders(layout, claimed, names),
            **nested_splits(layout, claimed, names),
        }
        stated.update(read_pattern(pattern, layout, claimed, nested) if pattern else {})
        places = {**nested, **{key: place for key, (place, _, _) in stated.items()}}
        drafts.extend(draft_runs(layout, claimed, names, places))
    label_program_tags(drafts)
    drafts, means = without_means(absorb_repeats(drafts))
    if pattern:
        state_groups(drafts, stated, root_name, pattern)
    _tell_apart(drafts)
    loose = [*means, *_attach_loose(logs, drafts), *state_splits(drafts, study.split_tags)]
    # Settings that lie beside a run may name the checkpoint with which it goes on.
    return drafts if study.repeats == NONE else join_resumed(drafts, study.groups), loose


def _without_copies(grouping: Grouping, plans: Sequence[GroupPlan]) -> list[Member]:
    """Leave copies inside a group out, and say of those in another group that both have them."""
    for copy, run in grouping.copies:
        count_once(run, copy, EXACTLY)
    members = rename_declared(grouping.members, plans)
    gone = settle_copies([(member.draft, member.group) for member in members])
    return [member for member in members if id(member.draft) not in gone]


def _tell_apart(drafts: Sequence[Draft]) -> None:
    """Add the layout to the id of runs of different layouts that lie in one folder."""
    counted = Counter(draft.id for draft in drafts)
    for draft in drafts:
        if counted[draft.id] > 1:
            draft.id = f"{draft.id} ({draft.layout})"


def _fill(
    study: Study,
    runs: Sequence[Run],
    measured: tuple[Sequence[Member], Units],
    told: Sequence[Decision],
) -> Study:
    """Fill everything but the groups, in the order of the study file."""
    metric, metric_decisions = fill_metric(study, runs)
    unit, unit_decisions = choose_unit(metric, *measured)
    metric = replace(metric, unit=unit)
    epochs, why = shared_steps_per_epoch([run.clock for run in runs])
    epoch_decision = decided("epochs.steps_per_epoch", str(epochs) if epochs else "", why)
    return replace(
        study,
        metric=metric,
        split_names={**used_names(runs), **study.split_names},
        steps_per_epoch=study.steps_per_epoch or epochs,
        decisions=(
            *study.decisions,
            *_layout_decisions(study, runs),
            *told,
            *metric_decisions,
            *unit_decisions,
            *split_decisions(study, metric.name, runs),
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
        clock=clock_of(draft.scalars, draft.config, in_epochs=in_epochs, counting=counting),
    )


def _attach_loose(logs: Sequence[Log], drafts: Sequence[Draft]) -> list[Problem]:
    """Give files without points to the run they lie in; return the problems of all others."""
    used = {source.path for draft in drafts for source in draft.sources}
    beside = {draft.id: {parent(source.path) for source in draft.sources} for draft in drafts}
    at: dict[str, Draft] = {}
    for draft in drafts:
        at.setdefault("" if draft.place == "." else draft.place, draft)
    loose: list[Problem] = []
    for log in logs:
        if log.source.path in used:
            continue
        owners = _owners(log, drafts, beside) if log.config else []
        nearest = [at[f] for f in folders_above(log.source.path) if f in at][:1]
        # Of several runs, the seed that settings state is of none.
        settings = config_of(log) if len(owners) == 1 else without_seeds(config_of(log))
        for draft in owners or nearest:
            draft.config = {**settings, **draft.config} if owners else draft.config
            draft.sources.append(log.source)
            draft.problems.extend(quieten(log))
        loose.extend(() if owners or nearest else log.problems)
    return loose


def _owners(
    log: Log, drafts: Sequence[Draft], beside: Mapping[str, Collection[str]]
) -> Sequence[Draft]:
    """Return the runs that settings are of: those beside them, else the only one below.

    Hydra's are of all runs in the folder above them, and below it.
    """
    above, hydra, _ = f"/{log.source.path}".partition(HYDRA)
    folder = above.lstrip("/") if hydra else parent(log.source.path)
    below = [d for d in drafts if not folder or f"{d.place}/".startswith(f"{folder}/")]
    near = [draft for draft in drafts if folder in beside[draft.id]]
    return below if hydra else near or (below if len(below) == 1 else [])


def _layout_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    if study.layout:
        return []
    counted = Counter(run.layout for run in runs)
    each = [
        message("{layout} ({runs})", layout=name, runs=counted_runs(count))
        for name, count in counted.items()
    ]
    text = joined(COMMA, each) if each else message("no run")
    reason = message("recognised by folders and tags: {layouts}", layouts=text)
    value = next(iter(counted), "") if len(counted) == 1 else ""
    return [decided("runs.layout", value, reason)]
