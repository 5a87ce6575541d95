"""Runs, studies and facts made by hand, and the plain words of a text, for the tests.

The values of `SIX` are those of published lab logs: six fine-tunes of RoBERTa small for
French, percent, after epochs 1 to 5 of 225 updates.
"""

from dataclasses import replace

import numpy as np

from reportgen.languages import spoken
from reportgen.records import document as doc
from reportgen.records.facts import Facts
from reportgen.records.run import Clock, Rerun, Run, Runs, Series
from reportgen.records.study import GroupPlan, MetricPlan, StatisticsPlan, Study
from reportgen.render import print_number
from reportgen.runs import direction_of, is_return, tells_quality
from reportgen.stats import (
    Names,
    choose_selection,
    compare_groups,
    summarise_groups,
    summarise_others,
)

NAMES = Names(direction_of=direction_of, tells_quality=tells_quality, is_return=is_return)

SIX = {
    ("pretrained", 0): ([57.0, 65.0, 81.0, 77.0, 85.5], [60.5, 70.2, 80.0, 79.3, 81.4]),
    ("pretrained", 1): ([62.0, 69.0, 80.5, 81.0, 84.5], [68.8, 75.6, 79.4, 81.1, 80.4]),
    ("pretrained", 2): ([61.5, 70.0, 81.5, 84.0, 77.5], [63.1, 74.5, 79.4, 80.1, 80.4]),
    ("random", 0): ([50.0, 54.0, 62.5, 62.0, 67.0], [50.0, 55.8, 67.1, 65.5, 73.9]),
    ("random", 1): ([50.5, 60.5, 67.5, 65.5, 70.0], [51.5, 62.8, 69.2, 71.5, 73.9]),
    ("random", 2): ([50.0, 55.5, 62.5, 69.5, 71.0], [50.0, 56.9, 64.1, 71.2, 73.1]),
}
SPLIT_TAGS = {"train": "train/", "validation": "valid/", "test": "test/", "": ""}


def series(split, values, *, steps=None, metric="accuracy", unit="percent", dtype=np.float64):
    if steps is None:
        steps = [225 * (i + 1) for i in range(len(values))]
    tag = f"{SPLIT_TAGS[split]}{metric}"
    return Series(
        tag=tag,
        metric=metric,
        split=split,
        unit=unit,
        steps=np.array(steps, dtype=np.int64),
        values=np.array(values, dtype=dtype),
        wall_times=np.arange(len(values), dtype=np.float64),
        path=f"{tag}.log",
    )


def run(group, seed, *members, layout="fairseq", name=None):
    scalars = {s.tag: s for s in members}
    path = name or f"{group}/{seed}"
    return Run(id=path, group=group, seed=seed, layout=layout, scalars=scalars)


def clocked(run, pace=0, rows=None, unit="step"):
    """A run that knows its epochs: {step: epoch}, and so many steps an epoch."""
    rows = rows or {}
    steps = np.array(list(rows), dtype=np.int64)
    clock = Clock(
        unit=unit, steps=steps, epochs=np.array(list(rows.values()), float), steps_per_epoch=pace
    )
    return replace(run, clock=clock)


def runs_of(table, *, unit="percent", steps=None, dtype=np.float64):
    """Runs of {(group, seed): (validation values, test values)}."""
    made = [
        run(
            group,
            seed,
            series("validation", valid, unit=unit, steps=steps, dtype=dtype),
            series("test", test, unit=unit, steps=steps, dtype=dtype),
        )
        for (group, seed), (valid, test) in table.items()
    ]
    return Runs(root="logs", runs=tuple(made))


def study(**changes):
    """The study of the six runs."""
    fields = {
        "groups": (
            GroupPlan(name="pretrained", seeds=(0, 1, 2)),
            GroupPlan(name="random", seeds=(0, 1, 2)),
        ),
        "metric": MetricPlan(name="accuracy", direction="higher"),
        "statistics": StatisticsPlan(),
        "steps_per_epoch": 225,
        "stated": {"epochs.steps_per_epoch": "study.toml"},
    }
    return Study(**(fields | changes))


def facts(table=None, *, runs=None, **changes):
    """Facts of a table of values (default: the six runs), with their comparison."""
    runs = runs or runs_of(SIX if table is None else table)
    return analysed(study(**changes), runs)


def analysed(plan, runs, setting=""):
    """Facts of runs, put together as the analysis does."""
    selection = replace(choose_selection(plan, runs, NAMES), setting=setting)
    groups = summarise_groups(plan, runs, selection=selection)
    comparisons = compare_groups(plan, groups)
    others = summarise_others(plan, groups, comparisons, names=NAMES, selection=selection)
    return Facts(
        study=plan,
        runs=runs,
        groups=groups,
        comparisons=comparisons,
        selection=selection,
        others=others,
    )


def unselected_facts(runs, metric, *, select="", **changes):
    """Facts of runs of which none has a best step."""
    plan = study(**{"groups": (), "metric": metric, "steps_per_epoch": 0} | changes)
    return analysed(plan, runs, select)


def rerun(runs, *cells, **changes):
    """The same runs, of which the cells named were trained again."""
    fields = {
        "key": "k",
        "device": "NVIDIA H200",
        "date": "2026-02-03T04:05:06+00:00",
        "versions": {"torch": "2.10.0", "transformers": "4.57.1", "reportgen": "0.2.0"},
        "engine": "stacked, 3 members",
        "seconds": 1234.0,
    }
    made = [
        replace(r, rerun=Rerun(group=r.group, seed=r.seed, **(fields | changes)))
        if (r.group, r.seed) in cells
        else r
        for r in runs
    ]
    return Runs(root=runs.root, runs=tuple(made))


def words(text):
    """A text as a person would read it."""
    parts = []
    for node in text:
        match node:
            case str():
                parts.append(node)
            case doc.Number():
                parts.append(print_number(node, spoken().code))
            case doc.Mark():
                parts.append(node.sign)
            case doc.Code():
                parts.append(node.text)
            case doc.Ref():
                parts.append(f"<{node.target}>")
            case doc.Cite():
                parts.append(f"[{node.key}]")
            case doc.Emphasis() | doc.Strong():
                parts.append(words(node.content))
            case _:
                raise AssertionError(f"no words for {node!r}")
    return "".join(parts)


def even(text):
    """A text with plain spaces for those that hold words together."""
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def numbers(section):
    """Every number of a section."""
    found = [
        n for block in doc.walk((section,)) for text in doc.texts(block) for n in doc.inlines(text)
    ]
    return [n for n in found if isinstance(n, doc.Number)]


def tables(section):
    return {b.id: b for b in doc.walk((section,)) if isinstance(b, doc.Table)}


def grid(table):
    """The cells of a table as words."""
    return [[words(cell) for cell in row.cells] for row in table.rows]


def prose(section):
    """Paragraphs, list items, captions and notes of a section, one a line."""
    lines = []
    for block in doc.walk((section,)):
        if isinstance(block, doc.Paragraph | doc.Bullets):
            lines += [words(text) for text in doc.texts(block)]
        elif isinstance(block, doc.Table):
            lines += [words(block.caption), *(words(note) for note in block.notes)]
    return "\n".join(lines)


def show(section):
    """Everything, for a person to look at."""
    lines = [f"## {section.title}"]
    for block in doc.walk((section,)):
        if isinstance(block, doc.Table):
            heads = [words(c.group) + "/" + words(c.title) for c in block.columns]
            lines += [" | ".join(heads), *(" | ".join(row) for row in grid(block))]
    return "\n".join([*lines, prose(section)])
