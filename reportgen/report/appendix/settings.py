"""Settings of the runs, those that differ first, and what was inferred."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.languages import message, noun, say, tell
from reportgen.records.document import Block, Code, Ref, Section, Table, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.record import record
from reportgen.records.study import Decision
from reportgen.report._focus import settings_apart
from reportgen.report._run_readings import count_updates, length_of, runs_of, settings_of
from reportgen.report.appendix.tables import (
    DASH,
    appendix_section,
    excerpt_of_groups,
    lowered,
    paragraph,
)
from reportgen.report.names import short_name
from reportgen.report.phrases import joined, listed, lists_of, plain_table, quoted

DIFFERENCES, INFERRED = "settings.differences", "settings.inferred"
MOST_COLUMNS = 6
"""Groups that have a column each; of more, each has a row."""
MOST_OTHERS = 12
"""Settings that are listed under the names of their logs."""
MOST_SEEDS = 6
FIRST_GROUPS = 3
MOST_READINGS = 3
LONGEST_VALUE = 200

_OF_A_GROUP = re.compile(r"groups\..*\.(\w+)")
"""Key of what was inferred of one group; those of which the same was are one row."""

_NOTHING = {"metric.select_on", "metric.report_on", "epochs.steps_per_epoch"}
"""What the body says of runs that do not have it."""

_UPDATES, _STEPS = message("Total updates"), message("Total steps")
_REACHED = {"step": message("Updates made"), "epoch": message("Epochs made")}
OFF_PLAN = 0.05
"""Share of its planned length by which a run ends apart from it."""
_Configs = list[dict[str, object]]


@record
class _Setting:
    """One setting with its value in each group, empty where none is logged."""

    label: Text
    values: tuple[str, ...]
    is_mixed: bool = False
    """Whether runs of one group state different values."""

    @property
    def differs(self) -> bool:
        """Whether two groups state different values."""
        return len(set(self.values) - {""}) > 1

    def words(self) -> Text:
        """Return the setting with its one value, as it stands inside a sentence."""
        return (*lowered(self.label), " ", Code(next(filter(None, self.values))))


def build_settings(facts: Facts) -> Section | None:
    """Return the section, or None where no run logged a setting and nothing was inferred."""
    groups = [g for g in facts.groups if any(cell.run is not None for cell in g.cells)]
    settings = _settings(groups)
    table = _differences(facts, groups, [s for s in settings if s.differs])
    inferred = _inferred(facts)
    blocks: list[Block] = paragraph(
        say("{table} lists the settings that differ.", table=Ref(DIFFERENCES)) if table else (),
        *_equal(facts, groups, [s for s in settings if not s.differs]),
        say("{table} lists what was inferred.", table=Ref(INFERRED)) if inferred else (),
    )
    blocks += [found for found in (table, inferred) if found is not None]
    title = tell("Settings" if settings else "What was inferred")
    return appendix_section("settings", title, blocks)


# --- what the runs logged -------------------------------------------------------------


def _settings(groups: Sequence[GroupResult]) -> list[_Setting]:
    """Return every setting that a run logged under a name of ours, others that differ, seeds."""
    configs = [[settings_of(c.run.config) for c in g.cells if c.run] for g in groups]
    updates = count_updates(c.run for g in groups for c in g.cells if c.run and c.run.config)
    found: list[_Setting] = []
    for label, keys in lists_of("settings").items():
        shown = _STEPS if label == _UPDATES and not updates else label
        every = [_values(own, keys) for own in configs]
        values = tuple(map("; ".join, every))
        mixed = any(len(own) > 1 for own in every)
        found.append(_Setting(label=say(shown), values=values, is_mixed=mixed))
    found += [
        *_reached(groups),
        *_others(groups),
        _Setting(label=say("Seeds"), values=tuple(map(_seeds, groups))),
    ]
    return [setting for setting in found if any(setting.values)]


def _values(configs: _Configs, keys: Sequence[str]) -> list[str]:
    """Return the values that the runs of a group have, each once."""
    stated = (
        next((config[key] for key in keys if config.get(key) not in (None, "")), None)
        for config in configs
    )
    return [*dict.fromkeys(_text(value) for value in stated if value is not None)]


def _text(value: object) -> str:
    match value:
        case bool():
            return noun("yes") if value else noun("no")
        case float():
            return f"{value:g}"
        case list() | tuple():
            return ", ".join(_text(item) for item in value)
        case _:
            return str(value)


def _reached(groups: Sequence[GroupResult]) -> list[_Setting]:
    """Return how far runs came, where one of them ended far from what it was set to."""
    found: list[_Setting] = []
    runs = [[length for _, run in runs_of(g) if (length := length_of(run))] for g in groups]
    for unit, label in _REACHED.items():
        own = [[(p.value, made.value) for p, made in some if made.unit == unit] for some in runs]
        if any(abs(made - plan) > OFF_PLAN * plan for some in own for plan, made in some):
            ends = [sorted({f"{made:.4g}" for _, made in some}, key=float) for some in own]
            values = tuple(
                "–".join(dict.fromkeys((end[0], end[-1]))) if end else "" for end in ends
            )
            mixed = any(len(end) > 1 for end in ends)
            found.append(_Setting(label=say(label), values=values, is_mixed=mixed))
    return found


def _others(groups: Sequence[GroupResult]) -> list[_Setting]:
    """Return what else the groups differ in, under the names that their logs have."""
    known = {key for keys in lists_of("settings").values() for key in keys}
    own = [one for one in settings_apart(groups) if _last(one.name) not in known]
    return [
        _Setting(label=(Code(one.name),), values=tuple(one.values[g.name] for g in groups))
        for one in own[:MOST_OTHERS]
    ]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _seeds(group: GroupResult) -> str:
    seeds = sorted({cell.seed for cell in group.cells if cell.run and cell.seed is not None})
    if len(seeds) > MOST_SEEDS and seeds == list(range(seeds[0], seeds[-1] + 1)):
        return f"{seeds[0]}–{seeds[-1]}"
    return ", ".join(map(str, seeds))


# --- what differs, and what does not --------------------------------------------------


def _differences(
    facts: Facts, groups: Sequence[GroupResult], settings: Sequence[_Setting]
) -> Table | None:
    """Return the settings that differ: a column for each group, or of many a row."""
    if not settings:
        return None
    names: list[Text] = [(short_name(facts, group),) for group in groups]
    labels = [setting.label for setting in settings]
    cells = [tuple((Code(v),) if v else DASH for v in setting.values) for setting in settings]
    few = len(groups) <= MOST_COLUMNS
    heads, sides = (names, labels) if few else (labels, names)
    inside = cells if few else list(zip(*cells, strict=True))
    return plain_table(
        DIFFERENCES,
        say("Settings that differ between groups, as the logs state them."),
        (say("Setting" if few else "Group"), *heads),
        [(side, *own) for side, own in zip(sides, inside, strict=True)],
        wide=range(1, len(heads) + 1) if few else (0,),
        excerpt=None
        if few
        else excerpt_of_groups(facts, DIFFERENCES, {g.name: (i,) for i, g in enumerate(groups)}),
    )


def _equal(facts: Facts, groups: Sequence[GroupResult], settings: Sequence[_Setting]) -> list[Text]:
    """Return the settings that are equal wherever they are logged, in as few words as may be."""
    where: dict[tuple[bool, ...], list[Text]] = {}
    mixed: list[Text] = []
    seeds: Text = ()
    for setting in settings:
        there = tuple(map(bool, setting.values))
        if setting.label == say("Seeds"):
            own, one = _named(facts, groups, there), max(setting.values)
            seeds = say(
                "Seed: {seeds}."
                if all(there) and one.isdecimal()
                else "Seeds: {seeds}."
                if all(there) and len(groups) == 1
                else "Seeds of each group: {seeds}."
                if all(there)
                else "Seeds of {groups}: {seeds}."
                if len(own) <= FIRST_GROUPS
                else "Seeds of some groups: {seeds}.",
                groups=joined(own),
                seeds=Code(one),
            )
        elif setting.is_mixed:
            mixed.append(setting.words())
        else:
            where.setdefault(there, []).append(setting.words())
    several = sum(len(group.cells) for group in groups) > 1
    told: list[Text] = []
    for there, words in sorted(where.items(), key=lambda one: not all(one[0])):
        own = _named(facts, groups, there)
        text = say(
            "Equal in all runs: {settings}."
            if all(there) and several
            else "The run was set to {settings}."
            if all(there)
            else "Logged for {groups} alone: {settings}."
            if len(own) <= FIRST_GROUPS
            else "Logged for some groups alone: {settings}.",
            groups=joined(own),
            settings=listed(words),
        )
        told.append(text)
    if mixed:
        told.append(say("Unequal within a group: {settings}.", settings=listed(mixed)))
    return [*told, seeds]


def _named(facts: Facts, groups: Sequence[GroupResult], there: Sequence[bool]) -> list[Text]:
    """Return the names of the groups that have something."""
    return [(short_name(facts, g),) for g, is_in in zip(groups, there, strict=True) if is_in]


# --- what was inferred ----------------------------------------------------------------


def _inferred(facts: Facts) -> Table | None:
    decisions = [one for one in facts.study.decisions if one.value or one.key not in _NOTHING]
    if not decisions:
        return None
    unset = tell("not set")
    alike: dict[tuple[str, str, Text], list[str]] = {}
    for one in decisions:
        of_group = _OF_A_GROUP.fullmatch(one.key)
        what = f"groups.*.{of_group[1]}" if of_group else one.key
        alike.setdefault((what, one.value, _because(one)), []).append(one.key)
    rows = (
        (
            (Code(keys[0] if len(keys) == 1 else what),),
            (Code(_cut(value)) if value else unset,),
            why,
        )
        for (what, value, why), keys in alike.items()
    )
    return plain_table(
        INFERRED,
        say("What was inferred from the logs, and why."),
        (say("Setting"), say("Value"), say("Reason")),
        rows,
        wide=(1, 2),
    )


def _cut(value: str) -> str:
    """Return the beginning of a long value; report.json holds it whole."""
    return value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"


def _because(decision: Decision) -> Text:
    """Return a reason with the other readings that were possible."""
    reason, others = quoted(decision.reason), decision.alternatives
    if not others:
        return (reason,)
    shown = others if len(others) <= MOST_READINGS + 1 else others[:MOST_READINGS]
    possible: Text = listed(((Code(other),) for other in shown), ", ")
    if rest := len(others) - len(shown):
        possible = say("{shown} and {n} more", shown=possible, n=str(rest))
    return say("{reason}; also possible: {others}", reason=reason, others=possible)
