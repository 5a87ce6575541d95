"""Names of lines: a run whose seed no other group has is called by its group as well."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

from reportgen.figures.curves import draw
from reportgen.records.document import Figure, walk
from reportgen.records.run import Run, Runs, Series
from reportgen.report.curves import build


def drawn_names(made, runs):
    """Return what a drawing of the curves as logged says, and its alternative text."""
    facts = made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=())
    figures = {b.id: b for b in walk((build(facts),)) if isinstance(b, Figure)}
    raw = figures["curves.raw"]
    return [html.unescape(t) for t in re.findall(r"<!-- (.*?) -->", draw(raw.chart).decode())], raw


def run_of(group, seed):
    series = Series(
        tag="eval",
        metric="accuracy",
        split="validation",
        unit="",
        steps=np.array([225, 450]),
        values=np.array([0.5, 0.6 + seed / 100]),
        wall_times=np.zeros(2),
    )
    return Run(id=f"{group}_{seed}", group=group, seed=seed, layout="", scalars={"eval": series})


@pytest.mark.parametrize(
    "runs",
    [
        [("resnet", 1), ("resnet_FINAL", 2), ("ResNet-rerun", 3)],
        [("resnet", 1), ("resnet", 2), ("vgg", 3)],
        [("resnet", 1), ("resnet", 2), ("vgg", 3), ("vgg", 4)],
    ],
)
def test_lines_of_groups_with_other_seeds_are_named_with_their_group(made, runs):
    names, figure = drawn_names(made, [run_of(*one) for one in runs])
    assert {f"{group}, seed {seed}" for group, seed in runs} <= set(names)
    assert not any(re.fullmatch(r"seed \d", name) for name in names)
    # Behind the name of the group the seed stands alone.
    assert f"{runs[0][0]}: seed 1 from" in figure.alt


def test_seeds_that_groups_share_are_named_once_each(made):
    runs = [run_of(f"a name that is long {g}", seed) for g in "ab" for seed in (1, 2)]
    names, _ = drawn_names(made, runs)
    assert names.count("seed 1") == names.count("seed 2") == 1


def test_seeds_of_one_group_need_no_group(made):
    names, _ = drawn_names(made, [run_of("a", seed) for seed in (1, 2)])
    assert {"seed 1", "seed 2"} <= set(names)
