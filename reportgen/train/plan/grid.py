"""The cells of a study: which are done, which are not, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from reportgen.records.errors import StudyError
from reportgen.records.job import TRAINABLE, UNTRAINED, Cell, CellId
from reportgen.records.run import Problem, Rerun, Run, Runs, missing_seeds
from reportgen.records.study import GroupPlan, Study
from reportgen.train.plan.steps import Group, Verdict, groups_of, is_selectable, judge

_RANK = ("done", "partial", "failed")
_SHOWN_CHANGES = 3
_NOT_SET = "not set"


def plan_cells(
    study: Study,
    runs: Runs,
    *,
    published: Mapping[str, Rerun],
    keys: Mapping[CellId, str],
    settings: Mapping[CellId, Mapping[str, str]],
    failures: Mapping[str, str],
    running: Mapping[str, str],
) -> tuple[Cell, ...]:
    """Say of every cell of the grid whether it is done, and why where it is not.

    A found run is done when it reached its last step and no evaluation is lacking; one that
    `rerun` made, when its key is the current one. Runs without a known seed are no cells.

    Args:
        study: Groups with their seeds, metric, `[train]`.
        runs: Logs that were found, re-run ones among them or not.
        published: Place to the record of a run that `rerun` made.
        keys: (group, seed) to the current key; empty without `[train]`.
        settings: (group, seed) to what goes into the key.
        failures: Key to why its last attempt failed.
        running: Key to who trains it now.

    Returns:
        Declared groups first, as in the report; inside a group by seed.

    Raises:
        StudyError: The place that the study names for a group's runs cannot be used.

    Example:
        >>> study = Study(groups=(GroupPlan(name="random", seeds=(0, 1)),))
        >>> nothing = {"published": {}, "keys": {}, "settings": {}, "failures": {}, "running": {}}
        >>> for cell in plan_cells(study, Runs(root="logs", runs=()), **nothing):
        ...     print(cell.place, cell.state, cell.reason)
        random/0 missing no logs of it were found
        random/1 missing no logs of it were found
    """
    grid = _Grid(
        study=study,
        runs=runs,
        published={**{run.id: run.rerun for run in runs if run.rerun}, **published},
        keys=keys,
        settings=settings,
        failures=failures,
        running=running,
        selectable=is_selectable(runs, study.metric),
    )
    return tuple(
        grid.cell(group, seed)
        for group in groups_of(study, runs).values()
        for seed in sorted(
            {
                *missing_seeds(group.plan.seeds, group.runs),
                *(run.seed for run in group.runs if run.seed is not None),
            }
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Everything that is known of the cells."""

    study: Study
    runs: Runs
    published: Mapping[str, Rerun]
    keys: Mapping[CellId, str]
    settings: Mapping[CellId, Mapping[str, str]]
    failures: Mapping[str, str]
    running: Mapping[str, str]
    selectable: bool

    def cell(self, group: Group, seed: int) -> Cell:
        """Return one cell."""
        name = group.plan.name
        found, verdict = self._found(group, seed)
        cell = Cell(
            group=name,
            seed=seed,
            state=verdict.state,
            reason=verdict.reason,
            place=found.id if found is not None else place_of(group.plan, self.runs, seed),
            key=self.keys.get((name, seed), ""),
        )
        marked = self._marked(cell)
        if marked.state == "done":
            return marked
        if cell.key and cell.key in self.running:
            return replace(marked, state="running", reason=f"training {self.running[cell.key]}")
        if cell.key and cell.key in self.failures:
            return replace(marked, state="failed", reason=self.failures[cell.key], changed=())
        return self._with_obstacle(marked, group)

    def _found(self, group: Group, seed: int) -> tuple[Run | None, Verdict]:
        """Return the most complete found run of a cell, and what it is."""
        candidates = [run for run in group.runs if run.seed == seed and not run.rerun]
        judged = [(run, judge(run, group, selectable=self.selectable)) for run in candidates]
        if not judged:
            cause = self.runs.why_missing(group.plan.name, seed)
            reason = f"its logs cannot be used: {cause}" if cause else "no logs of it were found"
            return None, Verdict(state="missing", reason=reason, steps=0)
        run, verdict = min(judged, key=lambda pair: (_RANK.index(pair[1].state), -pair[1].steps))
        if len(judged) > 1:
            reason = f"{verdict.reason}; {len(judged)} runs have this seed, {run.id} is taken"
            verdict = replace(verdict, reason=reason)
        return run, verdict

    def _marked(self, cell: Cell) -> Cell:
        """Return a cell as the record of `rerun` makes it; complete found logs go before it."""
        place, marker = self._marker(cell)
        if marker is None or cell.state == "done":
            return cell
        own = replace(cell, place=place, rerun=True)
        if (marker.group, marker.seed) != (cell.group, cell.seed):
            # The report counts it as what its record says, so that this cell has no result.
            reason = (
                f"a re-run of {marker.group}, seed {marker.seed}, lies at its place, {place}; "
                "once that is moved away, this cell is trained"
            )
            return replace(own, state="stale", reason=reason)
        if not cell.key:
            reason = (
                f"trained on {marker.date[:10]}; nothing says what it would be trained with now"
            )
            return replace(own, state="done", reason=reason)
        if marker.key == cell.key:
            return replace(own, state="done", reason=f"trained on {marker.date[:10]}")
        changed = changes(marker.settings, self.settings.get((cell.group, cell.seed), {}))
        told = [f"{name} was {then} and is {now}" for name, then, now in changed[:_SHOWN_CHANGES]]
        more = [f"and {len(changed) - len(told)} more"] if len(changed) > len(told) else []
        reason = f"trained with other settings: {'; '.join(told + more)}"
        if not changed:
            reason = "trained by another version of the program, with the same settings"
        return replace(own, state="stale", reason=reason, changed=changed)

    def _marker(self, cell: Cell) -> tuple[str, Rerun | None]:
        """Return the record of a cell's re-run and its place; a current one goes before others."""
        own = {
            place: marker
            for place, marker in self.published.items()
            if (marker.group, marker.seed) == (cell.group, cell.seed)
        }
        if not own and cell.place in self.published:
            return cell.place, self.published[cell.place]
        return min(
            own.items(),
            key=lambda item: (item[1].key != cell.key, item[0] != cell.place, item[0]),
            default=(cell.place, None),
        )

    def _with_obstacle(self, cell: Cell, group: Group) -> Cell:
        """Say why `[train]` cannot make a cell, where it cannot."""
        if cell.key or cell.state not in UNTRAINED or group.can_train(cell.seed):
            return cell
        why = "its seed is not declared, so it would not be trained"
        if not group.plan.start:
            why = f"[groups.{cell.group}] has no start to train it from"
        return replace(cell, reason=f"{cell.reason}; {why}")


def place_of(plan: GroupPlan, runs: Runs, seed: int) -> str:
    """Return where the run of a missing cell goes, below the root of the logs.

    The study says it, else it lies beside its siblings with its own seed in the name.

    Raises:
        StudyError: The study's place has no `{seed}`, or lies outside.

    Example:
        >>> place_of(GroupPlan(name="a", place="hf/a-{seed}"), Runs(root="", runs=()), 2)
        'hf/a-2'
    """
    if plan.place:
        place = plan.place.replace("{seed}", str(seed))
        parts = PurePosixPath(place).parts
        if place == plan.place or ".." in parts or PurePosixPath(place).is_absolute():
            raise StudyError(
                f"groups.{plan.name}.place is {plan.place!r}, which is no place for each seed "
                "below the folder of the runs",
                remedy=f'write it relative and with the seed, as in "{plan.name}/{{seed}}"',
            )
        return str(PurePosixPath(place))
    siblings = runs.places(plan.name, seed)
    if siblings:
        return siblings[0]
    # A group may bear any name; a place stays below its root.
    safe = [part for part in plan.name.split("/") if part not in {"", ".", ".."}]
    return "/".join([*safe, str(seed)])


def changes(then: Mapping[str, str], now: Mapping[str, str]) -> tuple[tuple[str, str, str], ...]:
    """Return (setting, then, now) of every setting that differs.

    Example:
        >>> changes({"epochs": "5", "seed": "0"}, {"epochs": "6", "seed": "0", "start": "random"})
        (('epochs', '5', '6'), ('start', 'not set', 'random'))
    """
    return tuple(
        (name, then.get(name, _NOT_SET), now.get(name, _NOT_SET))
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    )


def find_clashes(cells: Sequence[Cell], keys: Mapping[CellId, str], path: str) -> list[Problem]:
    """Name the first two cells of one place, and the first two of one key.

    One `[train]` makes all groups. Where two differ in neither start nor adapter, as groups of
    two learning rates do, a fine-tune of the one would be passed off as one of the other.

    A cell without a key is not trained; where all of a pair is there, nothing is said.

    Example:
        >>> cells = [Cell(group=g, seed=0, state="missing", reason="", place=g) for g in "ab"]
        >>> [problem] = find_clashes(cells, {("a", 0): "k", ("b", 0): "k"}, "study.toml")
        >>> problem.message
        'a/0 and b/0 would be one and the same fine-tune'
    """
    own = [(cell, keys[cell.group, cell.seed]) for cell in cells if (cell.group, cell.seed) in keys]
    found = []
    if pair := _first_pair([(cell, cell.place) for cell, _ in own]):
        message = f"the runs of {_named(*pair)} would both lie at {pair[0].place}"
        found.append((message, "give each group a place of its own in [groups.NAME]"))
    if pair := _first_pair(own):
        start = "or take start from the one that [train] does not describe"
        message = f"{_named(*pair)} would be one and the same fine-tune"
        found.append((message, f"give the groups different starts or adapters, {start}"))
    return [Problem(path=path, message=message, remedy=remedy) for message, remedy in found]


def _first_pair(cells: Sequence[tuple[Cell, str]]) -> tuple[Cell, Cell] | None:
    """Return the first two cells of one word, of which one is still to be trained."""
    seen: dict[str, list[Cell]] = {}
    for cell, word in cells:
        for other in seen.get(word, ()):
            if {cell.state, other.state} & set(TRAINABLE):
                return other, cell
        seen.setdefault(word, []).append(cell)
    return None


def _named(one: Cell, other: Cell) -> str:
    return f"{one.group}/{one.seed} and {other.group}/{other.seed}"
